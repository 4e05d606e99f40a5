// Rails: the places of a handle, one for each value of its parameter, or for each pair of values of two.
const known = {};

/** The parameters and the places of a rail as it travels: `m,n|40 100 52 100`. */
export function rail(line) {
  if (!known[line]) {
    const [names, numbers] = line.split("|");
    const flat = numbers.split(" ").map(Number);
    const places = Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at], flat[2 * at + 1]]);
    known[line] = { names: names.split(","), places };
  }
  return known[line];
}

/** The place that is nearest to a point. */
export function nearest(places, x, y) {
  const far = places.map(([left, top]) => (left - x) ** 2 + (top - y) ** 2);
  return far.indexOf(Math.min(...far));
}

/** The neighbour of a place that lies furthest in a direction; if the only rail leads across it, right and up are more. */
export function towards(places, sizes, here, [x, y]) {
  let [best, most] = [here, 0.5];
  let weight = places.length;
  for (const size of sizes) {
    weight /= size;
    const at = Math.floor(here / weight) % size;
    for (const by of [1, -1]) {
      if (at + by < 0 || at + by >= size) continue;
      const to = here + by * weight;
      const along = (places[to][0] - places[here][0]) * x + (places[to][1] - places[here][1]) * y;
      if (along > most) [best, most] = [to, along];
    }
  }
  if (best !== here || sizes.length > 1) return best;
  const [before, after] = [places[Math.max(0, here - 1)], places[Math.min(places.length - 1, here + 1)]];
  const runs = Math.abs((after[0] - before[0]) * x + (after[1] - before[1]) * y) > 0.5;
  return runs ? here : Math.min(Math.max(0, here + x - y), places.length - 1);
}
