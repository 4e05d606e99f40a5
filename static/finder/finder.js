// The search page: the index is fetched when the reader first asks, and results are links to sections and scenes.
const form = document.querySelector(".finder");
const field = form.querySelector("input");
const said = document.querySelector(".found");
const list = document.querySelector(".results");
const PAGES = 10, PLACES = 4; // as many pages are shown, and as many places of each
const PATIENCE = 400; // milliseconds after which a reader who waits is told so
let index, latest = 0;

/** The index, fetched once. After a failure the next question tries again. */
function opened() {
  const folder = new URL(form.dataset.index, location.href);
  index ??= import(new URL("pagefind.js", folder)).then(async (found) => {
    await found.options({ baseUrl: new URL(form.dataset.site, location.href).pathname, excerptLength: 24 });
    await found.init();
    return found;
  }).catch((error) => {
    index = undefined;
    throw error;
  });
  return index;
}

/** Words as they are compared: letters and digits alone, without accents. */
const plain = (text) => text.normalize("NFD").toLowerCase().replace(/y/g, "i").replace(/[^\p{L}\p{N}]/gu, "");

/** Whether a place has a word that was meant. Pagefind drops letters from the end of one until it finds something. */
function meant(place, asked) {
  const found = [...place.excerpt.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, word]) => plain(word));
  return !found.length || asked.some((word) => found.some((one) =>
    one.includes(word.slice(0, Math.max(3, Math.ceil(word.length / 2)))) || (one.length > 1 && word.includes(one))));
}

/** What is said at a place. Excerpts are text with `<mark>`s in it, all else escaped. */
function excerpt(place) {
  const words = document.createElement("p");
  words.innerHTML = place.excerpt.trim();
  cut(words, overlap(place.title, words.textContent));
  if (/^\p{Ll}/u.test(words.textContent)) words.prepend("…\u00a0");
  if (!/[.?!]$/.test(words.textContent)) words.append("\u00a0…");
  return words;
}

/** How long a text goes on with the last words of the heading over it, and with what ends them. */
function overlap(title, text) {
  for (const { index } of title.matchAll(/(?<=^| )\S/g)) {
    const rest = title.slice(index);
    if (text.startsWith(rest) && !/^\p{L}/u.test(text.slice(rest.length))) {
      return rest.length + /^[.\s]*/.exec(text.slice(rest.length))[0].length;
    }
  }
  return 0;
}

/** Take letters from the beginning of an element. */
function cut(element, count) {
  for (const node of [...element.childNodes]) {
    const { length } = node.textContent;
    node.textContent = node.textContent.slice(count);
    count = Math.max(0, count - length);
    if (!node.textContent) node.remove();
  }
}

/** A link to a place. */
function result(place, page) {
  const item = document.createElement("li"), link = document.createElement("a");
  const title = document.createElement("b"), where = document.createElement("small");
  title.textContent = place.title;
  where.textContent = place.title === page ? "" : ` ${page}`;
  link.href = place.url;
  link.append(title, where);
  item.append(link, excerpt(place));
  return item;
}

/** The places of a page that were meant, those first that say most; headings weigh more than text. */
function places(page, asked) {
  const weight = (place) => place.weighted_locations.reduce((sum, one) => sum + one.balanced_score, 0);
  return page.sub_results.filter((place) => meant(place, asked)).toSorted((one, other) => weight(other) - weight(one));
}

/** Links to what is found, that which is called so first, and whether there is more. */
async function search(words) {
  const { results } = await (await opened()).search(words);
  const pages = await Promise.all(results.slice(0, PAGES).map((one) => one.data()));
  const asked = words.split(/\s+/).map(plain);
  const called = (item) => plain(item.querySelector("b").textContent) === plain(words);
  const found = pages.map((page) => places(page, asked));
  const items = found.flatMap((all, at) => all.slice(0, PLACES).map((place) => result(place, pages[at].meta.title)));
  const more = results.length > PAGES || found.some((all) => all.length > PLACES);
  return { items: items.toSorted((one, other) => called(other) - called(one)), more };
}

/** Look for what stands in the field, unless something else does meanwhile. */
async function look() {
  const words = field.value.trim(), turn = ++latest;
  history.replaceState(null, "", words ? `?q=${encodeURIComponent(words)}` : location.pathname);
  const say = (text, items = []) => {
    if (turn !== latest) return;
    list.replaceChildren(...items);
    said.textContent = text;
  };
  const waiting = setTimeout(say, PATIENCE, phrase`Looking …`);
  try {
    const { items, more } = words ? await search(words) : { items: [] };
    const count = items.length > 1 ? phrase`${items.length} places` : phrase`1 place`;
    say(!words ? "" : !items.length ? phrase`Nothing is found for “${words}”.` : more ? phrase`The first ${count}` : count, items);
  } catch {
    say(phrase`The index can’t be had just now. Is there a connection?`);
  }
  clearTimeout(waiting);
}

/** Move among the field and the results. */
function move(step) {
  const stops = [field, ...list.querySelectorAll("a")];
  const next = stops.indexOf(document.activeElement) + step;
  stops[Math.max(0, Math.min(stops.length - 1, next))].focus();
}

let typing;
field.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(look, 120);
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  clearTimeout(typing);
  await look();
  list.querySelector("a")?.focus();
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "ArrowDown") move(1);
  else if (event.key === "ArrowUp") move(-1);
  else if (event.key === "Escape") {
    field.value = "";
    clearTimeout(typing);
    look();
    field.focus();
  } else if (event.key === "/" && event.target !== field) field.focus();
  else return;
  event.preventDefault();
});

field.disabled = false;
field.value = new URLSearchParams(location.search).get("q") ?? "";
if (field.value) look();
field.focus();
