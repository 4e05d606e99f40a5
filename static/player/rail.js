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

/** Whether a rail never turns back on its way. One of two parameters does, with each value of the first. */
export function steady(places) {
  const on = axis(places);
  const way = places.at(-1)[on] - places[0][on];
  return way && places.every((place, at) => !at || (place[on] - places[at - 1][on]) * way >= 0);
}

/** The place nearest to a point. Beside a steady rail distance hardly counts, so that a level finger skips nothing. */
export function nearest(places, point) {
  const on = axis(places);
  const beside = steady(places) ? 0.1 : 1;
  const far = places.map((place) => Math.hypot(place[on] - point[on], beside * (place[1 - on] - point[1 - on])));
  return far.indexOf(Math.min(...far));
}

/**
 * Where an arrow leads from a place. On a steady rail to the value before or behind, as they lie in the picture; on others
 * to the nearest place in that direction. Where one parameter has none, right and up are more.
 */
export function towards(places, sizes, here, [x, y]) {
  const on = axis(places);
  const along = [x, y][on];
  let to = here + x - y;
  if (sizes.length > 1 || !steady(places)) to = ahead(places, here, x, y) ?? (sizes.length > 1 ? here : to);
  else if (along) to = here + (places.at(-1)[on] < places[0][on] ? -along : along);
  return places[to] ? to : here;
}

/** The nearest place in a direction; what lies beside it is further away. */
function ahead(places, here, x, y) {
  const far = places.map((place) => {
    const [across, down] = place.map((at, on) => at - places[here][on]);
    const along = across * x + down * y;
    return along > 0.5 ? along + 3 * Math.abs(across * y + down * x) : Infinity;
  });
  const least = Math.min(...far);
  return least < Infinity ? far.indexOf(least) : undefined;
}
