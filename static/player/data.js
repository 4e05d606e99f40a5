// A scene's data: fetched file by file, and read into marks and frames. Its shape is told in loom/scenes/encode.py.
const FORMAT = 2;

/** The files that a scene was asked for; variants that follow one another share one. */
export class Files {
  constructor(config) {
    this.config = config;
    this.asked = new Map();
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
    if (!this.asked.has(name)) {
      const asked = fetch(this.config.data + name).then((answer) => {
        if (!answer.ok) throw new Error(`its data answered ${answer.status}`);
        return answer.json();
      }).then(read);
      this.asked.set(name, asked);
      asked.catch(() => this.asked.delete(name));
    }
    return this.asked.get(name);
  }
}

/** A file with its marks whole, and the place of each key in the order of painting. */
export function read(data) {
  if (data.format !== FORMAT) throw new Error("its data is of another version");
  const rows = data.marks.flatMap((table) => marks(table, data));
  const ranks = new Map(data.keys.map((key, rank) => [key, rank]));
  return { rows, ranks, words: data.words, variants: data.variants };
}

/** A variant of a file, its frames whole: each the marks that show, by key. */
export function variant({ rows, words, variants }, key) {
  const found = variants[key];
  if (found && !found.whole) {
    let frame = new Map();
    found.say = found.say.map((place) => words[place]);
    found.whole = found.frames.map(([added = [], gone = []]) => {
      frame = new Map(frame);
      for (const row of sums(gone)) frame.delete(rows[row].key);
      for (const row of sums(added)) frame.set(rows[row].key, rows[row]);
      return frame;
    });
  }
  return found;
}

function marks([tag, names, keys, ...columns], data) {
  return sums(keys).map((rank, row) => {
    const fields = Object.fromEntries(names.map((name, column) => [name, columns[column][row]]));
    const { w: words = "", s: sets, l: label, x, y, ...attributes } = fields;
    attributes.class = data.words[attributes.class];
    if (tag === "text") attributes.transform = `translate(${x} ${y})`;
    else if (x !== undefined) Object.assign(attributes, { x, y });
    return { key: data.keys[rank], rank, tag, attributes, words, sets, label };
  });
}

/** Numbers of which each is told as the step from the one before. */
function sums(steps) {
  let sum = 0;
  return steps.map((step) => { sum += step; return sum; });
}
