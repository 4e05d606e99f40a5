// The hand in the picture: marks that are pressed, moved along a rail, or asked for their number.
import { ARROWS, walk } from "./keys.js";
import { fill, leave, put, turn } from "./paint.js";
import { axis, nearest, rail, steady, towards } from "./rail.js";

export class Hand {
  #held;
  #last;

  constructor(player) {
    this.player = player;
    this.line = player.figure.querySelector("[data-part=read]");
    // Not on the picture: Chromium puts an SVG that listens to the focus in the way of Tab.
    this.stage = player.figure.querySelector(".stage");
    const on = (act, ...types) => types.forEach((type) => this.stage.addEventListener(type, act));
    on((event) => this.#grasp(event), "pointerdown");
    on((event) => this.#held?.id === event.pointerId && this.#move(event), "pointermove");
    // A finger that scrolls the page instead did not mean what it moved until then.
    on(() => this.#held && player.live && this.choose(this.#held.line, this.#held.here), "pointercancel");
    on(() => { this.#held = null; player.commit(); }, "pointerup", "pointercancel");
    on(({ target }) => this.#press(target.closest("[data-sets]")), "click");
    on((event) => this.key(event), "keydown");
    on(() => this.#held || player.commit(), "keyup", "focusout");
    on(({ target }) => this.#near(target), "pointerover", "focusin");
    on(({ target }) => this.settle(target.ownerSVGElement, target), "focusin");
    on(() => this.#tell(document.activeElement), "pointerleave");
  }

  /** Make an element answer as its mark says; none does behind a question that is not answered yet. */
  bind(node, mark) {
    const ours = this.closed ? {} : this.#answers(node, mark);
    if (!ours.role) leave(node);
    turn(node, node.ours, ours);
    node.ours = ours;
    if (node === this.#last) this.#tell(node);
  }

  /** What makes a mark a button, a slider or something that says its number. */
  #answers(node, { sets, label, rail: line, readout }) {
    const { controls, at } = this.player;
    const tabindex = node.getAttribute("tabindex") ?? -1;
    if (sets) {
      // What is not chosen is an ordinary button: most that act, as one that flips a bit, never are.
      const pressed = `${this.player.places(sets, at).at}` === `${at}` || undefined;
      return { role: "button", tabindex, "data-sets": sets, "aria-label": label, "aria-pressed": pressed };
    }
    if (!line) return readout ? { role: "img", tabindex, "aria-label": readout } : {};
    const { indexes, places, here } = this.rail(line);
    const each = (what) => indexes.map(what).join(", ");
    return {
      role: "slider",
      tabindex: 0,
      // Across a rail that never turns back, a finger may still scroll the page: see scenes.css.
      "data-rail": steady(places) ? ["across", "down"][axis(places)] : "both",
      "aria-label": label || each((index) => controls.label(index)),
      "aria-valuemax": places.length - 1,
      "aria-valuenow": here,
      "aria-valuetext": each((index) => controls.words(index, at[index])),
    };
  }

  /** One of the marks that are pressed or say their number is reached by Tab, the others from it by arrows. */
  settle(svg, focused) {
    const all = stops(svg);
    const one = all.find((node) => node === focused) ?? all.find((node) => !node.tabIndex) ?? all[0];
    for (const node of all) put(node, "tabindex", node === one ? 0 : -1);
  }

  /** A rail: its places, which parameters it sets, how many values each of them has, and where it is now. */
  rail(line) {
    const { player } = this;
    const { names, places } = rail(line);
    const indexes = names.map((name) => player.index(name));
    const sizes = indexes.map((index) => player.config.params[index].values.length);
    const here = indexes.reduce((sum, index, which) => sum * sizes[which] + player.at[index], 0);
    return { indexes, places, sizes, here };
  }

  #grasp(event) {
    const node = event.target.closest("[data-rail]");
    if (!node || event.button) return;
    event.preventDefault();
    node.focus({ preventScroll: true });
    this.stage.setPointerCapture(event.pointerId);
    const { rail: line } = node.mark;
    const { places, here } = this.rail(line);
    const svg = node.ownerSVGElement;
    this.#held = { id: event.pointerId, line, svg, grip: this.#point(svg, event, places[here]), here };
  }

  #move(event) {
    const { line, svg, grip } = this.#held;
    const { places, here } = this.rail(line);
    const place = nearest(places, this.#point(svg, event, grip));
    if (place !== here) this.choose(line, place);
  }

  /** Where the pointer is in the picture, counted from a place. */
  #point(svg, event, [left, top]) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [x - left, y - top];
  }

  /** Set the parameters of a rail to those of one of its places. */
  choose(line, place) {
    const { indexes, sizes } = this.rail(line);
    const at = [...this.player.at];
    indexes.reduceRight((rest, index, which) => {
      at[index] = rest % sizes[which];
      return (rest - at[index]) / sizes[which];
    }, place);
    this.player.choose(at, "live");
  }

  #press(node) {
    const { player } = this;
    if (node?.dataset.sets) player.choose(player.places(node.dataset.sets, player.at).at, "push");
  }

  key(event) {
    const { target: node, key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const take = (act) => { event.preventDefault(); event.stopPropagation(); act(); };
    if (node.dataset.sets && (key === "Enter" || key === " ")) take(() => this.#press(node));
    else if (node.dataset.rail) {
      const place = this.#next(node.mark.rail, key);
      if (place !== undefined) take(() => this.choose(node.mark.rail, place));
    } else if (node.ours?.role && ARROWS[key]) take(() => walk(stops(node.ownerSVGElement), node, ARROWS[key]));
  }

  /** The place that a key leads to. */
  #next(line, key) {
    const { places, sizes, here } = this.rail(line);
    const last = places.length - 1;
    const far = Math.ceil(last / 10);
    const to = { Home: 0, End: last, PageUp: here + far, PageDown: here - far }[key];
    return to === undefined ? ARROWS[key] && towards(places, sizes, here, ARROWS[key]) : Math.min(Math.max(0, to), last);
  }

  /** The hand comes near a mark. */
  #near(node) {
    this.#tell(node);
    if (node.dataset.rail) for (const index of this.rail(node.mark.rail).indexes) this.player.expect(index);
  }

  /** Say the number that a mark stands for, in its one place. */
  #tell(node) {
    const { ours, mark } = node?.closest?.(".stage svg *") ?? {};
    const readout = (ours?.role && mark.readout) ?? "";
    this.#last = readout ? node : null;
    if (this.line) fill(this.line, readout);
  }
}

/** The marks that take turns at the keyboard; one that runs along a rail is always there. */
function stops(svg) {
  return [...svg.querySelectorAll("[role]:not([data-rail], .gone)")];
}
