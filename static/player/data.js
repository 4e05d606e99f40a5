// A scene's data: fetched file by file, and read into marks and frames. Its shape is told in loom/scenes/encode.py.
const FORMAT = 5;

/** The files that a scene was asked for; variants that follow one another share one. */
export class Files {
  #asked;

  constructor(config) {
    this.config = config;
    this.#asked = new Map();
  }

  /** The file that holds a variant: the last that does not begin behind it. */
  name(at, width) {
    const { params, files } = this.config;
    const number = params.reduce((sum, { values }, index) => sum * values.length + at[index], 0);
    return `${sums(files[width]).findLast((first) => first <= number)}.${width}.json`;
  }

  /** What such a file holds. What could not be had is asked for again the next time. */
  load(at, width) {
    const name = this.name(at, width);
    if (!this.#asked.has(name)) {
      const asked = fetch(this.config.data + name).then((answer) => {
        if (!answer.ok) throw new Error(`status ${answer.status}`);
        return answer.json();
      }).then(read);
      this.#asked.set(name, asked);
      asked.catch(() => this.#asked.delete(name));
    }
    return this.#asked.get(name);
  }
}

/** A file, and the place of each key in the order of painting. */
export function read(data) {
  if (data.format !== FORMAT) throw new Error("its data is of another version");
  let start = 0;
  const groups = data.marks.map(([tag, names, steps, ...columns]) => {
    const keys = sums(steps);
    start += keys.length;
    return { tag, names, keys, columns, start: start - keys.length };
  });
  const ranks = new Map(data.keys.map((key, rank) => [key, rank]));
  return { ...data, groups, ranks, rows: [] };
}

/** A variant of a file: its words whole, and for each step the places of its beats among the frames. */
export function variant(data, key) {
  const found = data.variants[key];
  if (found && !found.whole) {
    found.whole = [];
    found.said = found.say.map((place) => data.words[place]);
    found.rows = data.tables[found.rows];
    found.names = found.names.map((place) => data.words[place]);
    found.beats ??= found.say.map(() => [0]);
    found.first = sums([0, ...found.beats.map((beats) => beats.length)]);
  }
  return found;
}

/** The marks that show at a beat of a step, by key; at its last beat, unless another is named. */
export function frame(data, { whole, frames, first }, step, beat = first[step] - first[step - 1] - 1) {
  const place = first[step - 1] + beat;
  for (let at = whole.length; at <= place; at += 1) {
    const marks = new Map(whole[at - 1]);
    const [added = [], gone = []] = frames[at];
    for (const row of sums(gone)) marks.delete(mark(data, row).key);
    for (const row of sums(added)) marks.set(mark(data, row).key, mark(data, row));
    whole.push(marks);
  }
  return whole[place];
}

/** A row as a mark, made when it is first met. */
function mark(data, row) {
  return data.rows[row] ??= whole(data, row);
}

function whole({ groups, keys }, row) {
  const { tag, names, keys: places, columns, start } = groups.findLast((group) => group.start <= row);
  const fields = Object.fromEntries(names.map((name, column) => [name, cell(columns[column], row - start)]));
  if (tag === "text") {
    fields.transform ??= `translate(${fields.x} ${fields.y})`;
    delete fields.x;
    delete fields.y;
  }
  const { w = "", s: sets, l: label, h: rail, t: told, ...attributes } = fields;
  const rank = cell(places, row - start);
  return { key: keys[rank], rank, tag, attributes, words: w, sets, label, rail, told };
}

/** What a column says in a row: what it says in each, in all, or the one of its few answers that has its place there. */
function cell(column, at) {
  if (!column.map) return column;
  return column[0].map ? column[0][column[1][at]] : column[at];
}

/** Numbers of which each is told as the step from the one before; a negative one is so many steps of one. */
function sums(steps) {
  let sum = 0;
  return steps.flatMap((step) => step < 0 ? Array.from({ length: -step }, () => sum += 1) : sum += step);
}
