// Frames to SVG. The style sheet's transitions do the moving: here only attributes are set.
const SVG = "http://www.w3.org/2000/svg";
const FADE = 400; // milliseconds that a mark takes to leave; see scenes.css

/** The marks of a static picture by key, if it shows this frame: they stand in the order in which all are painted. */
export function adopt(svg, frame) {
  if (!frame) svg.replaceChildren();
  const marks = [...frame?.values() ?? []].sort((one, other) => one.rank - other.rank);
  return new Map(marks.map(({ key }, index) => {
    const node = svg.children[index];
    node.shown = Object.fromEntries(node.getAttributeNames().map((name) => [name]));
    node.dataset.key = key;
    return [key, node];
  }));
}

/** Bring the marks of `svg`, which are `nodes` by key, to `frame`: add, set, remove. */
export function paint(svg, nodes, frame, ranks, press) {
  for (const [key, node] of nodes) {
    if (frame.get(key)?.tag === node.localName) continue;
    nodes.delete(key);
    node.classList.add("gone");
    setTimeout(() => node.remove(), FADE);
  }
  const added = [];
  for (const [key, mark] of frame) {
    if (!nodes.has(key)) {
      nodes.set(key, made(mark));
      added.push(mark);
    }
    dress(nodes.get(key), mark, press);
  }
  insert(svg, nodes, added, ranks);
  svg.role = svg.querySelector("[role]") ? "group" : "img";
}

function made({ key, tag }) {
  const node = document.createElementNS(SVG, tag);
  node.dataset.key = key;
  node.dataset.new = ""; // fades in; what was there from the start does not
  setTimeout(() => delete node.dataset.new, FADE); // Chromium may leave it unpainted as long as it is new
  return node;
}

function dress(node, { attributes, words, ...mark }, press) {
  for (const name in node.shown) if (!(name in attributes)) node.removeAttribute(name);
  node.shown = attributes;
  for (const [name, value] of Object.entries(attributes)) set(node, name, value);
  if (node.textContent !== words) node.textContent = words;
  if (mark.sets || node.dataset.sets) button(node, mark, press);
}

function set(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Put new marks before the first that is painted over them, in one walk over all that are there. */
function insert(svg, nodes, added, ranks) {
  let next = svg.firstElementChild;
  for (const { key, rank } of added.sort((one, other) => one.rank - other.rank)) {
    while (next && !(ranks.get(next.dataset.key) > rank)) next = next.nextElementSibling;
    svg.insertBefore(nodes.get(key), next);
  }
}

/** A mark that sets a parameter is a button, for pointer and keyboard. */
function button(node, { sets, label }, press) {
  if (!sets) {
    node.onclick = node.onkeydown = null;
    for (const name of ["data-sets", "role", "tabindex", "aria-label"]) node.removeAttribute(name);
    return;
  }
  set(node, "data-sets", sets);
  set(node, "role", "button");
  set(node, "tabindex", "0");
  set(node, "aria-label", label);
  node.onclick = () => press(node.dataset.sets);
  node.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    press(node.dataset.sets);
  };
}
