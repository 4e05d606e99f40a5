// A long list shows only the entries that hold some words. Only pages with such a list fetch this.
const input = document.querySelector("[data-part=filter]");
input.addEventListener("input", () => {
  const entries = [...document.querySelectorAll("[data-part=entries] > *")];
  const words = input.value.toLowerCase();
  for (const entry of entries) entry.hidden = !entry.textContent.toLowerCase().includes(words);
  const { length } = entries.filter(({ hidden }) => !hidden);
  document.querySelector("[data-part=found]").textContent = words && phrase`${length} of ${entries.length}`;
});
