// Rails: the places of a handle, one for each value of its parameter, or for each pair of values of two.
const known = {};

/** The parameters and the places of a rail as it travels: `m,n|40 100 52 100`. */
export function rail(line) {
  const [names, numbers] = line.split("|");
  return known[line] ??= {
    names: names.split(","),
    places: numbers.match(/\S+ \S+/g).map((place) => place.split(" ").map(Number)),
  };
}

/** Along which axis a rail runs, 0 or 1: that on which its ends lie further apart. */
export function axis(places) {
  const [x, y] = places.at(-1).map((end, on) => Math.abs(end - places[0][on]));
  return x < y ? 1 : 0;
}

/** The place nearest to a point. Beside a rail that never turns back, distance hardly counts: a level finger skips nothing. */
export function nearest(places, point) {
  const on = axis(places);
  const steps = places.slice(1).map((place, at) => place[on] - places[at][on]);
  const beside = steps.every((step) => step * steps[0] > 0) ? 0.1 : 1;
  const far = places.map((place) => Math.hypot(place[on] - point[on], beside * (place[1 - on] - point[1 - on])));
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
  const [before, after] = [-1, 1].map((by) => places[here + by] ?? places[here]);
  const runs = Math.abs((after[0] - before[0]) * x + (after[1] - before[1]) * y) > 0.5;
  const to = runs ? here : here + x - y;
  return places[to] ? to : here;
}
