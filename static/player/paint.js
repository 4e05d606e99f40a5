// Frames to SVG. The style sheet's transitions do the moving: here only attributes are set.
const SVG = "http://www.w3.org/2000/svg";
const OWN = new Set(["t", "w", "s", "l"]); // element, words, what pressing sets, label: not attributes
const FADE = 400; // milliseconds that a mark takes to leave; see scenes.css

/** All frames of a variant, each whole, from differences. */
export function unfold(base, differences) {
  let frame = base;
  return differences.map((difference) => {
    frame = { ...frame };
    for (const [key, change] of Object.entries(difference)) {
      if (!change) delete frame[key];
      else {
        frame[key] = { ...(change.t && frame[key]?.t !== change.t ? {} : frame[key]), ...change };
        for (const name in change) if (change[name] === null) delete frame[key][name];
      }
    }
    return frame;
  });
}

/** The marks of a static picture by key, if it shows this frame: they stand in the order in which all are painted. */
export function adopt(svg, frame, order) {
  if (!frame) svg.replaceChildren();
  return new Map(order.filter((key) => frame?.[key]).map((key, index) => {
    const node = svg.children[index];
    node.mark = Object.fromEntries(node.getAttributeNames().map((name) => [name]));
    node.dataset.key = key;
    return [key, node];
  }));
}

/** Bring the marks of `svg` to `frame`: add, set, remove by key. */
export function paint(svg, marks, frame, order, press) {
  for (const [key, node] of marks) {
    if (frame[key]?.t === node.localName) continue;
    marks.delete(key);
    node.classList.add("gone");
    setTimeout(() => node.remove(), FADE);
  }
  for (const [key, mark] of Object.entries(frame)) {
    const node = marks.get(key) ?? add(svg, marks, key, mark.t, order);
    for (const name in node.mark) if (!(name in mark)) node.removeAttribute(name);
    node.mark = mark;
    for (const [name, value] of Object.entries(mark)) if (!OWN.has(name)) set(node, name, value);
    if (node.textContent !== (mark.w ?? "")) node.textContent = mark.w ?? "";
    if (mark.s || node.dataset.sets) button(node, mark, press);
  }
  svg.role = svg.querySelector("[role]") ? "group" : "img";
}

function set(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** A new mark goes before the first that is painted over it. */
function add(svg, marks, key, tag, order) {
  const node = document.createElementNS(SVG, tag);
  node.dataset.key = key;
  node.dataset.new = ""; // fades in; what was there from the start does not
  setTimeout(() => delete node.dataset.new, FADE); // Chromium may leave it unpainted as long as it is new
  const next = [...svg.children].find((other) => order.indexOf(other.dataset.key) > order.indexOf(key));
  svg.insertBefore(node, next ?? null);
  marks.set(key, node);
  return node;
}

/** A mark that sets a parameter is a button, for pointer and keyboard. */
function button(node, mark, press) {
  if (!mark.s) {
    node.onclick = node.onkeydown = null;
    for (const name of ["data-sets", "role", "tabindex", "aria-label"]) node.removeAttribute(name);
    return;
  }
  set(node, "data-sets", mark.s);
  set(node, "role", "button");
  set(node, "tabindex", "0");
  set(node, "aria-label", mark.l);
  node.onclick = () => press(node.dataset.sets);
  node.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    press(node.dataset.sets);
  };
}
