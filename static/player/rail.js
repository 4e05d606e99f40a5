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
  const apart = places.filter((place, at) => `${place}` !== `${places[at - 1]}`);
  const steps = apart.slice(1).map((place, at) => place[on] - apart[at][on]);
  const beside = steps.every((step) => step * steps[0] > 0) ? 0.1 : 1;
  const far = places.map((place) => Math.hypot(place[on] - point[on], beside * (place[1 - on] - point[1 - on])));
  return far.indexOf(Math.min(...far));
}

/**
 * Where an arrow leads from a place. On the rail of one parameter to the next value or the one before: as the picture
 * shows it along the rail, and right and up are more across it. Of two, to the neighbour furthest in that direction.
 */
export function towards(places, sizes, here, [x, y]) {
  if (sizes.length < 2) {
    const on = axis(places);
    const along = [x, y][on];
    const to = here + (along ? (places.at(-1)[on] < places[0][on] ? -along : along) : x - y);
    return places[to] ? to : here;
  }
  let [best, most] = [here, 0.5];
  let weight = places.length;
  for (const size of sizes) {
    weight /= size;
    const at = Math.floor(here / weight) % size;
    for (const by of [1, -1]) {
      if (at + by < 0 || at + by >= size) continue;
      const to = here + by * weight;
      const far = (places[to][0] - places[here][0]) * x + (places[to][1] - places[here][1]) * y;
      if (far > most) [best, most] = [to, far];
    }
  }
  return best;
}
