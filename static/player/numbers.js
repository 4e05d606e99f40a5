// A scene's data as a table, and as a file to save.
const formats = []; // by their digits, shared by all scenes: to make one takes as long as to fill a table
const format = (digits) => formats[digits] ??= new Intl.NumberFormat("en", {
  minimumFractionDigits: digits, maximumFractionDigits: digits, roundingMode: "halfEven",
});

export class Numbers {
  #body;
  #details;
  #filled;

  constructor(figure, digits) {
    this.digits = digits;
    this.#body = figure.querySelector("[data-part=rows]");
    this.#details = this.#body.closest("details");
    this.#details.addEventListener("toggle", () => this.show(this.rows));
    const link = figure.querySelector("[data-part=csv]");
    link.addEventListener("click", () => this.#save(link));
  }

  /** Only a table that is open is filled. */
  show(rows) {
    this.rows = rows;
    if (this.#filled === rows || !this.#details.open) return;
    this.#filled = rows;
    this.#body.replaceChildren(...rows.map((cells) => {
      const row = document.createElement("tr");
      for (const [index, cell] of cells.entries()) row.insertCell().textContent = this.#read(cell, index);
      return row;
    }));
  }

  #read(cell, index) {
    return typeof cell === "string" ? cell : format(this.digits[index]).format(cell).replace("-", "−");
  }

  /** The link leads to the table that shows when it is pressed. */
  #save(link) {
    URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(new Blob([this.#csv()], { type: "text/csv" }));
  }

  #csv() {
    const quoted = (cell) => (/[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell);
    const head = [...this.#body.closest("table").querySelectorAll("thead th")].map((cell) => cell.textContent);
    const lines = [head, ...this.rows].map((row) => row.map(quoted).join(","));
    return `${lines.join("\r\n")}\r\n`;
  }
}
