// Play is time: chapters follow one another, each with its words and its beats, and hold at their ends.
const PACE = 420; // milliseconds of a transition; see tokens.css
const READING = 24; // milliseconds for a character of what is said, of which the motion takes its part
const HOLD = 900; // the least that a chapter stands still at its end
const LONGEST = 24000; // milliseconds that a whole story may take

export class Play {
  #again;
  #due;
  #timer;
  #turn;

  constructor(player) {
    this.player = player;
    this.speed = 1;
  }

  toggle() {
    if (this.#turn) this.#pause();
    else this.start();
  }

  /** From the end, or once through to it and on from the start if the reader finds the scene further on. */
  start() {
    const { player } = this;
    this.#again = player.untouched && player.step > 1 && player.step < player.count;
    const first = player.step === 1 && player.beat === null && player.story?.beats[0][1]; // its motion was not seen
    player.untouched = false;
    if (first || (player.step >= player.count && !this.#midway())) player.step = 0;
    this.#turn = {}; // a pause takes it away from the loop that holds it
    player.controls.playing(true);
    this.#run(this.#turn).catch((error) => {
      this.stop();
      player.explain(error);
    });
  }

  /** Whether the reader stopped within a chapter. */
  #midway() {
    const { step, beat, story } = this.player;
    return beat !== null && beat < story.beats[step - 1].length - 1;
  }

  async #run(turn) {
    const { player } = this;
    if (!player.story) await player.show();
    let from = this.#midway() ? player.beat + 1 : 0;
    while (this.#turn === turn) {
      if (!from) player.step = player.step >= player.count ? 1 : player.step + 1;
      if (!await this.chapter(turn, from)) return;
      from = 0;
      if (player.step >= player.count && !this.#again) return this.#pause();
      if (player.step >= player.count) this.#again = false;
    }
  }

  /** Show the beats of a chapter from one of them on, and hold; false if the reader stopped it. */
  async chapter(turn, from) {
    const { player } = this;
    const { beats, said } = player.story;
    const times = still() ? [0] : beats[player.step - 1];
    let moved = 0;
    this.#due = performance.now();
    for (let beat = Math.min(from, times.length - 1); beat < times.length; beat += 1) {
      const time = from && beat === from ? 0 : times[beat];
      if (time && !await this.#wait(turn, time)) return false;
      moved += time;
      const begins = player.step === 1 && !beat; // what is at the end of its way is back at once
      this.#pace(begins ? 0 : (times[beat + 1] ?? times[beat]) || PACE);
      player.beat = times.length > 1 ? beat : null;
      await player.show();
      if (this.#turn !== turn) return false;
    }
    player.beat = null;
    return this.#wait(turn, PACE + this.#hold(said[player.step - 1], moved) * this.#share());
  }

  /** How long a chapter stands still when its last mark has come to rest. */
  #hold(words, moved) {
    return Math.max(HOLD, READING * words.length - moved) - PACE;
  }

  /** The part of its holding that each chapter may take, for the whole to end in time. */
  #share() {
    const { beats, said } = this.player.story;
    const motions = beats.map((times) => (still() ? 0 : sum(times)));
    const holds = said.map((words, at) => this.#hold(words, motions[at]));
    return Math.min(1, Math.max(0, LONGEST - sum(motions) - PACE * said.length) / sum(holds));
  }

  /** How long marks take to move: no longer than until the next beat. To say it anew styles every mark anew. */
  #pace(gap) {
    const { style } = this.player.figure.querySelector(".stage");
    style.setProperty("--pace", `${Math.min(PACE, gap) / this.speed}ms`);
    style.setProperty("--gap", `${gap / this.speed}ms`);
  }

  /** Wait until some time after what was last waited for: what is late is made up for. */
  #wait(turn, time) {
    this.#due += time / this.speed;
    return new Promise((done) => {
      this.#timer = setTimeout(() => done(this.#turn === turn), this.#due - performance.now());
    });
  }

  /** Stop where it is, and say so in the address. */
  #pause() {
    this.stop();
    this.player.keep("replace");
  }

  stop() {
    this.#turn = null;
    clearTimeout(this.#timer);
    this.#pace(PACE);
    this.player.controls.playing(false);
  }
}

function sum(times) {
  return times.reduce((all, time) => all + time, 0);
}

/** Whether the reader wants no motion. */
export function still() {
  return document.documentElement.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
