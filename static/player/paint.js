// Frames to SVG. The style sheet's transitions do the moving: here only attributes are set.
const SVG = "http://www.w3.org/2000/svg";
const LEAVING = 120; // milliseconds that a mark takes to go, before what is new comes; see scenes.css
const COMING = 400;

/**
 * Bring the picture to `frame`: add, set, remove; nothing fades if it shall `jump`. `bind` makes marks answer.
 * The first frame takes the place of the static picture, which says the same in fewer bytes: Chromium would move
 * each path from there to where it is.
 */
export function paint(svg, frame, ranks, jump, bind) {
  const once = !svg.marks || jump;
  if (!svg.marks) svg.replaceChildren();
  const nodes = svg.marks ??= new Map();
  const gone = [];
  for (const [key, node] of nodes) {
    if (same(node, frame.get(key))) continue;
    nodes.delete(key);
    node.classList.add("gone");
    leave(node);
    if (once) node.remove();
    gone.push(node);
  }
  const added = [];
  for (const [key, mark] of frame) {
    const node = nodes.get(key) ?? made(mark, once);
    if (!node.mark) {
      nodes.set(key, node);
      added.push(node);
    }
    if (node.mark !== mark) dress(node, mark);
    bind(node, mark);
  }
  insert(svg, added, ranks);
  svg.role = svg.querySelector("[role]") ? "group" : "img";
  if (once) return;
  setTimeout(() => {
    gone.forEach((node) => node.remove());
    for (const node of added) node.dataset.new = "now";
  }, LEAVING);
  // Chromium may leave a mark unpainted as long as it is new.
  setTimeout(() => added.forEach((node) => delete node.dataset.new), COMING);
}

/** What is gone, or no longer answers, leaves the keyboard to its figure. */
export function leave(node) {
  if (node === document.activeElement) node.closest("figure").focus({ preventScroll: true });
}

/** Whether a mark is the thing that an element shows: a path that is built otherwise can't move: it leaves, and another comes. */
function same(node, mark) {
  const commands = (one) => one.attributes.d?.replace(/[^a-z]/gi, "");
  return node.mark === mark || (mark?.tag === node.localName && commands(node.mark) === commands(mark));
}

function made({ key, tag }, once) {
  const node = document.createElementNS(SVG, tag);
  node.dataset.key = key;
  if (!once) node.dataset.new = "soon"; // fades in; what was there from the start does not
  return node;
}

function dress(node, mark) {
  turn(node, node.mark?.attributes, mark.attributes);
  if (node.mark?.place !== mark.place) node.style.translate = mark.place; // WebKit has no transitions of `transform`
  fill(node, mark.words);
  node.mark = mark;
}

/** Bring an element's attributes from what they were to what they shall be. To read them from it would take longer. */
export function turn(node, was, shall) {
  for (const name in { ...was, ...shall }) if (shall[name] !== was?.[name]) put(node, name, shall[name]);
}

/** Set an attribute unless it is so already; without a value there is none. */
export function put(node, name, value) {
  if (value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Put words where others stand: the same words anew would be laid out anew, and others in the same node style less. */
export function fill(node, words) {
  const text = node.firstChild ?? node;
  if (text.textContent !== words) text.textContent = words;
}

/** Put new marks before the first that is painted over them, in one walk over all that are there. */
function insert(svg, added, ranks) {
  let next = svg.firstElementChild;
  for (const node of added.sort((one, other) => one.mark.rank - other.mark.rank)) {
    while (next && !(ranks.get(next.dataset.key) > node.mark.rank)) next = next.nextElementSibling;
    svg.insertBefore(node, next);
  }
}
