// One scene: input → show() → paint. Nothing reads the page to learn the state.
import { dragging, keep } from "./address.js";
import { Controls } from "./controls.js";
import { Files, frame, variant } from "./data.js";
import { guess } from "./guess.js";
import { Hand } from "./hand.js";
import { pressed } from "./keys.js";
import { paint } from "./paint.js";
import { Play, still } from "./play.js";
import { quotes } from "./quotes.js";
import { difference, places, settings, settled } from "./state.js";

const NEAR = "600px"; // how far ahead of the reader a scene is hydrated and fetches its data
const AGAIN = 5000; // milliseconds until data that could not be had is asked for again; each time twice as long
const TRIES = 4;

export class Player {
  #drawing;
  #hand;
  #follow;
  #waiting;
  #width;

  constructor(figure) {
    this.figure = figure;
    this.id = figure.id;
    this.config = settings(figure.dataset.config);
    this.at = [...this.config.start];
    this.step = this.config.step;
    this.beat = null; // the beat of the step that shows while it plays; its last otherwise
    this.untouched = true;
    const near = (entries) => entries.at(-1).isIntersecting && this.hydrate();
    new IntersectionObserver(near, { rootMargin: NEAR }).observe(figure);
    guess(this);
    figure.tabIndex = 0;
    figure.addEventListener("focusin", () => this.hydrate());
    figure.addEventListener("keydown", (event) => pressed(this, event));
  }

  /** Take up what stands in the page; from now on the scene answers. */
  hydrate() {
    if (this.hydrated) return;
    this.files = new Files(this.config);
    this.fails = 0;
    this.play = new Play(this);
    this.controls = new Controls(this);
    this.#hand = new Hand(this);
    this.#follow = quotes(this.id);
    this.hydrated = true;
    this.update();
    new ResizeObserver(() => {
      const was = this.#width;
      this.#width = null;
      if (this.width() !== was && this.data) this.update(); // here to ask for it costs nothing
    }).observe(this.figure);
    new IntersectionObserver((entries) => entries.at(-1).isIntersecting || this.play.stop()).observe(this.figure);
    document.addEventListener("visibilitychange", () => this.play.stop());
  }

  /** The question before the scene that the reader has not answered yet. */
  get closed() {
    return this.figure.closest(".predict:not(.open):not(:has(.guess :checked))");
  }

  /** The drawing that the style sheet has chosen for the room there is: to ask for it, the page is laid out. */
  width() {
    return this.#width ??= getComputedStyle(this.figure.querySelector("svg.wide")).display === "none" ? "narrow" : "wide";
  }

  index(name) {
    return this.config.params.findIndex((param) => param.name === name);
  }

  settled(at) {
    return settled(this.config.params, at);
  }

  places(query, at) {
    return places(this.config.params, query, at);
  }

  load(at) {
    return this.files.load(this.settled(at), this.width());
  }

  /** Fetch all that a parameter can lead to from here, before the reader moves it. */
  expect(index) {
    for (const place of this.config.params[index].values.keys()) {
      this.load(this.at.with(index, place)).catch(() => {}); // told when it is needed
    }
  }

  /** Show the state, then do what follows; what goes wrong is said in words, and tried again. */
  update(then) {
    clearTimeout(this.#waiting);
    return this.show().then(then).catch((error) => {
      this.explain(error);
      if (this.fails < TRIES) this.#waiting = setTimeout(() => this.update(), AGAIN * 2 ** this.fails++);
    });
  }

  /** Bring everything to the present state. */
  async show() {
    const width = this.width();
    const data = await this.load(this.at);
    const story = variant(data, this.settled(this.at).join("."));
    if (!story) return; // the reader has gone on to parameters in another file
    Object.assign(this, { data, story, fails: 0, count: story.say.length });
    const same = this.chapter ? story.names.indexOf(this.chapter) + 1 : 0; // where other parameters have other chapters
    this.step = Math.min(Math.max(1, same || this.step), this.count);
    if (!this.live) this.chapter = null; // where the hand began is where it comes back to
    const svg = this.figure.querySelector(`svg.${width}`);
    const marks = frame(data, story, this.step, this.beat ?? undefined);
    this.#hand.closed = this.closed;
    paint(svg, marks, data.ranks, this.live || still(), (node, mark) => this.#hand.bind(node, mark));
    this.#hand.settle(svg);
    this.controls.show(this, story);
    this.explain();
    this.#follow(this).catch((error) => this.explain(error));
  }

  /** Say in words that it can't play, as long as it can't; its picture, its sentences and its table stay. */
  explain(error) {
    this.figure.classList.toggle("still", !!error);
    this.figure.querySelector(".trouble").textContent = error
      && phrase`This scene can’t be played here (${error.message}). Its picture and words stay.`;
  }

  /** Whether the hand still moves something. */
  get live() {
    return this.figure.classList.contains("live");
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
    if (query) this.figure.closest(".predict")?.classList.add("open");
    Object.assign(this, { at, step: step || this.config.step, beat: null, chapter: null });
    if (!this.hydrated) return; // one that is far away is updated when the reader comes near
    this.play.stop();
    this.update();
  }

  keep(how) {
    keep(how, this.id);
  }

  /** Parameters that the reader chose, in a control or on a mark; "live" while the hand still moves. */
  choose(at, how) {
    this.play.stop();
    this.untouched = false;
    this.chapter ??= this.story?.names[this.step - 1];
    this.at = at;
    this.beat = null;
    if (how !== "live") return this.update(() => this.keep(how));
    dragging();
    this.figure.classList.add("live");
    this.#drawing ??= requestAnimationFrame(() => { // once for all that the hand does until then
      this.#drawing = null;
      this.update(() => this.keep("replace"));
    });
  }

  /** The hand has let go. */
  commit() {
    if (!this.live) return;
    cancelAnimationFrame(this.#drawing);
    this.#drawing = null;
    this.figure.classList.remove("live");
    this.update(() => this.keep("push"));
  }

  go(step) {
    this.play.stop();
    this.untouched = false;
    Object.assign(this, { step: Math.max(1, step), beat: null, chapter: null }); // its upper end is held when the data is there
    this.update(() => this.keep("replace"));
  }
}
