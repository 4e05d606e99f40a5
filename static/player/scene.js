// One scene: input → show(state) → paint. Nothing reads the page to learn the state.
import { keep } from "./address.js";
import { Controls } from "./controls.js";
import { Files, variant } from "./data.js";
import { adopt, paint } from "./paint.js";
import { difference, places, settled } from "./state.js";

const NEAR = "600px"; // how far ahead of the reader a scene fetches its data
const READING = 32; // milliseconds for a character of the sentence, on top of the time for the motion
const MOVING = 1100;
const AGAIN = 5000; // milliseconds until data that could not be had is asked for again; each time twice as long
const TRIES = 4;

export class Player {
  constructor(figure, explain) {
    this.figure = figure;
    this.id = figure.dataset.scene;
    this.config = JSON.parse(figure.dataset.config);
    this.at = [...this.config.start];
    this.step = this.config.step;
    this.files = new Files(this.config);
    this.fails = 0;
    this.marks = new Map();
    this.speed = 1;
    this.explain = explain;
    this.controls = new Controls(figure, this.config, this);
    figure.tabIndex = 0;
    figure.addEventListener("keydown", (event) => this.key(event));
    for (const type of ["focusin", "pointerdown"]) figure.addEventListener(type, () => this.reveal());
    this.observe();
  }

  /** Fetch when near, stop when out of view or hidden, and change to the other drawing when the room changes. */
  observe() {
    const near = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      near.disconnect();
      this.awake = true;
      this.bring();
      new ResizeObserver(() => this.data && this.width() !== this.shownWidth && this.bring()).observe(this.figure);
    }, { rootMargin: NEAR });
    near.observe(this.figure);
    new IntersectionObserver((entries) => entries.at(-1).isIntersecting || this.stop()).observe(this.figure);
    document.addEventListener("visibilitychange", () => document.hidden && this.stop());
  }

  /** The drawing that the style sheet has chosen for the room there is. */
  width() {
    return getComputedStyle(this.figure.querySelector("svg.wide")).display === "none" ? "narrow" : "wide";
  }

  settled(at) {
    return settled(this.config.params, at);
  }

  async load(at) {
    const width = this.width();
    return [width, await this.files.load(this.settled(at), width)];
  }

  /** The variant of some parameters in the data at hand. */
  variant(data, at) {
    return variant(data, this.settled(at).join("."));
  }

  /** Show the state, then do what follows; what goes wrong is said in words, and tried again. */
  bring(then) {
    clearTimeout(this.waiting);
    return this.show().then(then).catch((error) => {
      this.explain(error);
      if (this.fails < TRIES) this.waiting = setTimeout(() => this.bring(), AGAIN * 2 ** this.fails);
      this.fails += 1;
    });
  }

  /** Bring everything to the present state. */
  async show() {
    const [width, data] = await this.load(this.at);
    const variant = this.variant(data, this.at);
    if (!variant) return; // the reader has gone on to parameters in another file
    this.data = data;
    this.fails = 0;
    this.shownWidth = width;
    this.count = variant.whole.length;
    this.step = Math.min(Math.max(1, this.step), this.count);
    const svg = this.figure.querySelector(`svg.${width}`);
    if (!this.marks.has(width)) {
      this.marks.set(width, adopt(svg, this.variant(data, this.config.start)?.whole[this.config.step - 1]));
    }
    paint(svg, this.marks.get(width), variant.whole[this.step - 1], data.ranks, (query) => this.choose(query));
    this.controls.show(this, variant);
    this.explain();
    for (const node of document.querySelectorAll(`[data-value^="${this.id}."]`)) this.follow(node).catch(this.explain);
  }

  /** A number in the prose follows the scene, but for the parameters that its author pinned. */
  async follow(node) {
    const of = (at) => this.settled(this.places(node.dataset.pins, at).at).join(".");
    const key = of(this.at);
    if (!node.moved && key === of(this.config.start)) return; // as it was written
    node.moved = true;
    const [, data] = await this.load(key.split(".").map(Number));
    if (key === of(this.at)) node.textContent = data.variants[key].values[node.dataset.value.slice(this.id.length + 1)];
  }

  places(query, at) {
    return places(this.config.params, query, at);
  }

  /** The state's name for the address: what differs from the opening. */
  fragment() {
    const [now, start] = [this.at, this.config.start].map((at) => this.settled(at));
    const parts = difference(this.config.params, now, start);
    if (this.step !== this.config.step || parts.length) parts.push(`step=${this.step}`);
    return parts.length ? `${this.id}?${parts.join("&")}` : this.id;
  }

  /** A state from the address: what it does not name is as the page opened. */
  restore(query) {
    const { at, step } = this.places(query, this.config.start);
    this.stop();
    if (query) this.reveal();
    this.at = at;
    this.step = step || this.config.step;
    if (this.awake) this.bring(); // one that is far away is brought when the reader comes near
  }

  /** Parameters that the reader chose, in a control or on a mark. */
  choose(query) {
    this.pause();
    this.at = this.places(query, this.at).at;
    this.bring(() => keep("push", this.id));
  }

  go(step) {
    this.step = Math.max(1, step); // its upper end is held when the data is there
    this.bring(() => keep("replace", this.id));
  }

  play() {
    if (this.step >= this.count) this.step = 0;
    this.playing = {}; // a pause takes it away from the ticks that hold it
    this.controls.playing(true);
    this.tick(this.playing);
  }

  tick(mine) {
    if (this.playing !== mine) return;
    if (this.step >= this.count) return this.pause();
    this.step += 1;
    this.bring(() => {
      if (this.playing !== mine) return;
      const said = this.variant(this.data, this.at).say[this.step - 1].length;
      this.timer = setTimeout(() => this.tick(mine), (MOVING + READING * said) / this.speed);
    });
  }

  pause() {
    if (this.playing) keep("replace", this.id);
    this.stop();
  }

  stop() {
    this.playing = null;
    clearTimeout(this.timer);
    this.controls.playing(false);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** A scene behind a question opens when the reader has guessed, or goes to it all the same. */
  reveal() {
    this.figure.closest(".predict")?.classList.add("open");
  }

  key(event) {
    if (event.target.closest("input, select, summary, .table") || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === " " && event.target.closest("button, a, [role=button]")) return;
    const keys = {
      ArrowRight: () => this.go(this.step + 1),
      ArrowLeft: () => this.go(this.step - 1),
      Home: () => this.go(1),
      End: () => this.go(Infinity),
      " ": () => this.toggle(),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    if (event.key !== " ") this.pause();
    keys[event.key]();
  }
}
