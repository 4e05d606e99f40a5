// A scene's data as a table, and as a file to save.
const format = (digits) => new Intl.NumberFormat("en", {
  minimumFractionDigits: digits, maximumFractionDigits: digits, roundingMode: "halfEven",
});

export class Numbers {
  #body;
  #filled;
  #formats;

  constructor(figure, digits) {
    this.digits = digits;
    this.#body = figure.querySelector("[data-part=rows]");
    this.#body.closest("details").addEventListener("toggle", () => this.show(this.rows));
    figure.querySelector("[data-part=csv]").addEventListener("click", ({ target }) => this.#save(target));
  }

  /** Only a table that is open is filled. */
  show(rows) {
    this.rows = rows;
    if (this.#filled === rows || !this.#body.closest("details").open) return;
    this.#filled = rows;
    this.#body.replaceChildren();
    for (const cells of rows) {
      const row = this.#body.insertRow();
      for (const [index, cell] of cells.entries()) {
        const place = document.createElement(index ? "td" : "th"); // without a scope: a first cell is its row's header
        place.textContent = this.#read(cell, index);
        row.append(place);
      }
    }
  }

  #read(cell, index) {
    this.#formats ??= this.digits.map(format); // to make one takes as long as to fill a table
    return typeof cell === "string" ? cell : this.#formats[index].format(cell).replace("-", "−");
  }

  /** The link leads to the table that shows when it is pressed. */
  #save(link) {
    URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(new Blob([this.#csv()], { type: "text/csv" }));
  }

  #csv() {
    const quoted = (cell) => (/[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell);
    const head = Array.from(this.#body.parentNode.tHead.rows[0].cells, (cell) => cell.textContent);
    const lines = [head, ...this.rows].map((row) => row.map(quoted).join(","));
    return `${lines.join("\r\n")}\r\n`;
  }
}
