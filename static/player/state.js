// States of a scene: where each of its parameters is in its list of values, and how addresses name that.

/** A scene's settings. Evenly spaced values are told by their first and distance; see loom/render/player_settings.py. */
export function settings(text) {
  return JSON.parse(text, (_, value) => (
    value.by ? Array.from(value, (_, place) => `${value.first + value.by * place}`) : value
  ));
}

/** Whether a parameter matters in a state. */
export function matters({ when = [] }, at) {
  return when.every(([other, places]) => places.includes(at[other]));
}

/** A parameter that does not matter now rests, so that one state has one name. One that rests may decide about another. */
export function settled(params, at) {
  return params.reduce((found) => params.map((param, index) => (matters(param, found) ? at[index] : param.rest)), at);
}

/** The state that a query names, on top of `at`. */
export function places(params, query, at) {
  const found = { at: [...at], step: 0 };
  for (const [name, value] of new URLSearchParams(query)) {
    const index = params.findIndex((param) => param.name === name);
    const place = params[index]?.values.indexOf(value) ?? -1;
    if (place >= 0) found.at[index] = place;
    if (name === "step") found.step = Math.floor(value) || 0;
  }
  return found;
}

/** What differs between two settled states, as a query's parts. */
export function difference(params, now, start) {
  return params.flatMap(({ name, values }, index) => (
    now[index] === start[index] ? [] : `${name}=${encodeURIComponent(values[now[index]])}`
  ));
}
