// A scene's data: fetched file by file, and read into marks and frames. Its shape is told in loom/scenes/encode.py.
const FORMAT = 7;

/** The files that a scene was asked for; variants that follow one another share one. */
export class Files {
  #asked = {};

  constructor(config) {
    this.config = config;
  }

  /** The file that holds a variant: the last that does not begin behind it. */
  name(at, width) {
    const { params, files } = this.config;
    const number = params.reduce((sum, { values }, index) => sum * values.length + at[index], 0);
    return `${files[width].findLast((first) => first <= number)}.${width}.json`;
  }

  /** What such a file holds. What could not be had is asked for again the next time. */
  load(at, width) {
    const name = this.name(at, width);
    if (!this.#asked[name]) {
      this.#asked[name] = fetch(this.config.data + name).then((answer) => {
        if (!answer.ok) throw new Error(phrase`status ${answer.status}`);
        return answer.json();
      }).then(read);
      this.#asked[name].catch(() => delete this.#asked[name]);
    }
    return this.#asked[name];
  }
}

/** A file: its rows, which become marks when they are first met, and the place of each key in the order of painting. */
export function read(data) {
  if (data.format !== FORMAT) throw new Error(phrase`its data is of another version`);
  const rows = data.marks.flatMap(([tag, names, steps, ...columns]) => {
    const cells = columns.map((column) => column[0].map ? picked(...column) : column);
    return sums(steps).map((rank, at) => {
      const cell = (column) => cells[column][at] ?? cells[column][0]; // one that all rows have is told once
      return () => whole(data.keys[rank], rank, tag, names.map((name, column) => [name, cell(column)]));
    });
  });
  return { ...data, rows, made: [], ranks: new Map(data.keys.map((key, rank) => [key, rank])) };
}

/** A variant of a file: its words whole, and for each step the places of its beats among the frames. */
export function variant(data, key) {
  const found = data.variants[key];
  if (found && !found.whole) {
    found.whole = [];
    found.said = found.say.map((signs) => picked(data.words, signs).join(" "));
    found.names = picked(data.words, found.names);
    found.values = picked(data.words, found.values);
    found.rows = data.tables[found.rows];
    found.beats = data.beats[found.beats];
    let first = 0;
    found.first = [0, ...found.beats.map((beats) => first += beats.length)];
  }
  return found;
}

/** The marks that show at a beat of a step, by key; at its last beat, unless another is named. */
export function frame(data, { whole, frames, first }, step, beat = first[step] - first[step - 1] - 1) {
  const place = first[step - 1] + beat;
  for (let at = whole.length; at <= place; at += 1) {
    const marks = new Map(whole[at - 1]);
    const [added, gone = ""] = frames[at].split(" ");
    for (const row of sums(gone)) marks.delete(mark(data, row).key);
    for (const row of sums(added)) marks.set(mark(data, row).key, mark(data, row));
    whole.push(marks);
  }
  return whole[place];
}

function mark({ rows, made }, row) {
  return made[row] ??= rows[row]();
}

function whole(key, rank, tag, cells) {
  const { X, Y, w = "", s: sets, l: label, h: rail, t: readout, ...attributes } = Object.fromEntries(cells);
  const place = X === undefined ? "" : `${X}px ${Y}px`;
  return { key, rank, tag, attributes, place, words: w, sets, label, rail, readout };
}

/** Some of a list, by their places. */
function picked(list, signs) {
  return numbers(signs).map((place) => list[place]);
}

/** Numbers of which each is told as the step from the one before. */
function sums(signs) {
  let sum = 0;
  return numbers(signs).map((step) => sum += step);
}

/** Numbers as they travel, each of them one character; see loom/scenes/int_text.py. */
function numbers(signs) {
  return Array.from(signs, (sign) => sign.charCodeAt() - 35);
}
