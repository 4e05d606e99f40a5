// Numbers in the prose that follow a scene, but for the parameters that their author pinned.
import { variant } from "./data.js";
import { fill } from "./paint.js";

/** What brings the numbers that quote a scene to its state. */
export function quotes(id) {
  const nodes = [...document.querySelectorAll(`[data-value^="${id}."]`)];
  return (player) => Promise.all(nodes.map(async (node) => {
    const of = (at) => player.settled(player.places(node.hash.split("?")[1], at).at).join(".");
    const key = of(player.at);
    if (!node.moved && key === of(player.config.start)) return; // as it was written
    node.moved = true;
    const data = await player.load(key.split(".").map(Number));
    const value = variant(data, key).values[data.names.indexOf(node.dataset.value.slice(id.length + 1))];
    if (key === of(player.at)) fill(node, value);
  }));
}
