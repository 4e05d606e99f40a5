// What the reader touches: transport, parameters, the sentence, the table, the links. All of it is in the page already.
const number = (digits) => new Intl.NumberFormat("en", {
  minimumFractionDigits: digits, maximumFractionDigits: digits, roundingMode: "halfEven",
});

export class Controls {
  constructor(figure, config, player) {
    this.figure = figure;
    this.config = config;
    this.part = (name) => figure.querySelector(`[data-part=${name}]`);
    const on = (name, type, act) => this.part(name).addEventListener(type, act);
    const moved = (act) => () => { player.pause(); act(); };
    on("play", "click", () => player.toggle());
    on("back", "click", moved(() => player.go(player.step - 1)));
    on("forward", "click", moved(() => player.go(player.step + 1)));
    on("restart", "click", moved(() => player.go(1)));
    on("scrub", "input", moved(() => player.go(Number(this.part("scrub").value))));
    on("speed", "change", () => { player.speed = Number(this.part("speed").value); });
    on("csv", "click", () => this.save(this.part("csv")));
    on("link", "click", (event) => this.copy(event));
    for (const [index, param] of config.params.entries()) {
      const input = this.input(index);
      input.addEventListener("change", () => {
        const place = input.type === "checkbox" ? Number(input.checked) : Number(input.value);
        player.choose(`${param.name}=${encodeURIComponent(param.values[place])}`);
      });
      // A slider says its value while it is moved, and chooses when it is let go.
      input.addEventListener("input", () => this.spell(index, Number(input.value)));
    }
  }

  input(index) {
    return document.getElementById(`${this.figure.dataset.scene}-${this.config.params[index].name}`);
  }

  spell(index, place) {
    const output = this.input(index).nextElementSibling;
    if (output?.localName !== "output") return;
    output.textContent = output.dataset.labels.split("|")[place];
    this.input(index).ariaValueText = output.textContent;
  }

  /** Show a state. */
  show(player, variant) {
    this.variant = variant;
    const say = variant.say[player.step - 1];
    if (this.part("say").textContent !== say) this.part("say").textContent = say;
    for (const fieldset of this.figure.querySelectorAll("fieldset")) fieldset.disabled = false;
    const settled = player.settled(player.at);
    for (const [index, place] of player.at.entries()) {
      const input = this.input(index);
      input.disabled = this.config.params[index].when.some(([other, places]) => !places.includes(settled[other]));
      if (input.type === "checkbox") input.checked = Boolean(place);
      else input.value = place;
      this.spell(index, place);
    }
    const scrub = this.part("scrub");
    scrub.max = player.count;
    scrub.value = player.step;
    scrub.ariaValueText = `step ${player.step} of ${player.count}`;
    this.part("count").textContent = `${player.step} / ${player.count}`;
    // Not `disabled`: that would take the focus away from whoever just pressed the button.
    this.part("back").ariaDisabled = player.step <= 1;
    this.part("forward").ariaDisabled = player.step >= player.count;
    this.part("link").href = `#${player.fragment()}`;
    this.table(variant);
  }

  playing(playing) {
    this.part("play").ariaLabel = playing ? "Pause" : "Play";
    this.part("play").classList.toggle("playing", playing);
  }

  table(variant) {
    if (this.shown === variant) return;
    this.shown = variant;
    const rows = variant.rows.map((cells) => {
      const row = document.createElement("tr");
      for (const [index, cell] of cells.entries()) row.insertCell().textContent = this.read(cell, index);
      return row;
    });
    this.part("rows").replaceChildren(...rows);
  }

  read(cell, index) {
    return typeof cell === "string" ? cell : number(this.config.digits[index]).format(cell).replace("-", "−");
  }

  /** The link leads to the table that shows for as long as it takes to save it. */
  save(link) {
    this.file ??= link.href;
    const url = URL.createObjectURL(new Blob([this.csv()], { type: "text/csv" }));
    link.href = url;
    setTimeout(() => {
      URL.revokeObjectURL(url);
      if (link.href === url) link.href = this.file;
    }, 1000);
  }

  csv() {
    const quoted = (cell) => (/[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell);
    const head = [...this.part("rows").closest("table").querySelectorAll("thead th")].map((cell) => cell.textContent);
    const lines = [head, ...this.variant.rows].map((row) => row.map(quoted).join(","));
    return `${lines.join("\r\n")}\r\n`;
  }

  /** The link goes to the state, and into the clipboard where the browser lets it. */
  copy(event) {
    const link = this.part("link");
    this.said ??= link.textContent;
    navigator.clipboard?.writeText(link.href).then(() => {
      link.textContent = "Copied";
      setTimeout(() => { link.textContent = this.said; }, 1500);
    }, () => {});
    event.stopPropagation();
  }
}
