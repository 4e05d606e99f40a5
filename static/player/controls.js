// What the reader touches beside the picture: transport, parameters, the sentence. All of it is in the page already.
import { Numbers } from "./numbers.js";
import { fill } from "./paint.js";
import { matters } from "./state.js";

// Where a comma stands in a number; loom/render/player_settings.py tells how a value reads that is not written so.
const THOUSANDS = /(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g;

/** Say what a slider stands at, beside it and to a screen reader. */
function tell(input, words) {
  fill(input.nextElementSibling, input.ariaValueText = words);
}

export class Controls {
  #numbers;
  #part;

  constructor(player) {
    const { figure, config } = player;
    this.player = player;
    this.#part = (name) => figure.querySelector(`[data-part=${name}]`);
    this.#numbers = new Numbers(figure, config.digits);
    const on = (name, type, act) => this.#part(name).addEventListener(type, act);
    on("play", "click", () => player.play.toggle());
    on("back", "click", () => player.go(player.step - 1));
    on("forward", "click", () => player.go(player.step + 1));
    on("restart", "click", () => player.go(1));
    on("scrub", "input", ({ target }) => player.go(Number(target.value)));
    on("dots", "click", ({ target }) => target.closest("button") && player.go(Number(target.dataset.step)));
    on("speed", "input", ({ target }) => {
      player.play.speed = 2 ** target.value;
      tell(target, `${player.play.speed}×`);
    });
    on("link", "click", (event) => this.#copy(event));
    for (const index of config.params.keys()) this.#listen(index);
  }

  /** A control acts while it is moved; its data is fetched when the hand comes near. */
  #listen(index) {
    const { player } = this;
    const input = this.#input(index);
    const choose = (how) => {
      const place = Number(input.type === "checkbox" ? input.checked : input.value);
      player.choose(player.at.with(index, place), how);
    };
    const on = (act, ...types) => types.forEach((type) => input.addEventListener(type, act));
    on(() => player.expect(index), "pointerenter", "pointerdown", "focus");
    const range = input.type === "range";
    let held = false; // a key that is held down is one choice, as a drag is
    on(() => { held = true; }, "keydown");
    on(() => { held = false; player.commit(); }, "keyup", "blur");
    if (range) on(() => choose("live"), "input");
    on(() => (range ? held || player.commit() : choose("push")), "change");
  }

  #input(index) {
    const { id, config } = this.player;
    return document.getElementById(`${id}-${config.params[index].name}`);
  }

  label(index) {
    return this.#input(index).ariaLabel;
  }

  /** How a value reads. */
  words(index, place) {
    const input = this.#input(index);
    const { values, unit = "", labels } = this.player.config.params[index];
    return input.options?.[place].text ?? (labels?.[place] || values[place].replace(THOUSANDS, ",") + unit);
  }

  /** Show a state. */
  show(player, story) {
    this.say(player);
    for (const fieldset of player.figure.querySelectorAll("fieldset")) fieldset.disabled = player.closed;
    const settled = player.settled(player.at);
    for (const [index, place] of player.at.entries()) {
      const input = this.#input(index);
      input.checked = place; // each kind of control heeds one of these
      if (Number(input.value) !== place) input.value = place;
      if (input.type === "range") tell(input, this.words(index, place));
    }
    // Controls come and go when the hand has let go: under it they would move what it holds.
    if (!player.live) for (const part of player.figure.querySelectorAll("[data-for]")) {
      part.hidden = !part.dataset.for.split(" ").some((name) => matters(player.config.params[player.index(name)], settled));
    }
    this.steps(player, story.said);
    this.#part("link").href = `#${player.fragment()}`;
    this.#numbers.show(story.rows);
  }

  /** The step's sentence. While the hand moves, a screen reader is told nothing; what it comes to is said anew. */
  say({ story, step, live }) {
    const say = this.#part("say");
    const words = story.said[step - 1];
    if (say.textContent === words && (live || say.ariaLive === "polite")) return;
    say.ariaLive = live ? "off" : "polite";
    say.replaceChildren(words);
  }

  /** Where in the story the reader is: a dot for each chapter, or a slider where there are many. */
  steps({ step, count }, said) {
    const scrub = this.#part("scrub");
    scrub.max = count;
    scrub.value = step;
    scrub.ariaValueText = phrase`step ${step} of ${count}`;
    fill(this.#part("count"), `${step} / ${count}`);
    // Not `disabled`: that would take the focus away from whoever just pressed the button.
    this.#part("back").ariaDisabled = step <= 1;
    this.#part("forward").ariaDisabled = step >= count;
    const dots = this.#part("dots");
    while (dots.children.length > count) dots.lastElementChild.remove();
    while (dots.children.length < count) dots.append(dots.firstElementChild.cloneNode(true));
    for (const [at, { firstElementChild: dot }] of [...dots.children].entries()) {
      dot.dataset.step = at + 1;
      // Behind a question that is not answered yet a dot has its number alone: its sentence may be the answer.
      if (!this.player.closed) dot.title = dot.ariaLabel = phrase`Step ${at + 1}: ${said[at]}`;
      dot.ariaCurrent = at + 1 === step ? "step" : null;
    }
  }

  playing(playing) {
    this.#part("play").ariaLabel = playing ? phrase`Pause` : phrase`Play`;
    this.#part("play").classList.toggle("playing", playing);
  }

  /** The link goes to the state, and into the clipboard where the browser lets it. */
  #copy(event) {
    const link = event.target;
    link.title ||= link.textContent;
    navigator.clipboard?.writeText(link.href).then(() => {
      link.textContent = phrase`Copied`;
      setTimeout(() => { link.textContent = link.title; }, 1500);
    }, () => {});
    event.stopPropagation();
  }
}
