// The search page: the index is fetched when the reader first asks, and results are links to sections and scenes.
const form = document.querySelector(".finder");
const field = form.querySelector("input");
const said = document.querySelector(".found");
const list = document.querySelector(".results");
const PAGES = 10, PLACES = 4; // as many pages are shown, and as many places of each
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

/** A link to a place. Excerpts come from the index as text with `<mark>`s in it, all else escaped. */
function result(place, page) {
  const item = document.createElement("li"), link = document.createElement("a");
  const title = document.createElement("b"), where = document.createElement("small"), text = document.createElement("span");
  title.textContent = place.title;
  where.textContent = place.title === page ? "" : ` ${page}`;
  text.innerHTML = place.excerpt;
  link.href = place.url;
  link.append(title, where, text);
  item.append(link);
  return item;
}

/** Look for what stands in the field, unless something else does meanwhile. */
async function look() {
  const words = field.value.trim(), turn = ++latest;
  history.replaceState(null, "", words ? `?q=${encodeURIComponent(words)}` : location.pathname);
  try {
    const found = words ? await (await opened()).search(words) : { results: [] };
    const pages = await Promise.all(found.results.slice(0, PAGES).map((one) => one.data()));
    if (turn !== latest) return;
    list.replaceChildren(...pages.flatMap((page) => page.sub_results
      .toSorted((one, other) => other.weighted_locations.length - one.weighted_locations.length)
      .slice(0, PLACES).map((place) => result(place, page.meta.title))));
    const count = list.children.length;
    said.textContent = !words ? "" : count ? `${count} place${count > 1 ? "s" : ""}` : `Nothing is found for “${words}”.`;
  } catch {
    if (turn !== latest) return;
    list.replaceChildren();
    said.textContent = "The index can’t be had just now. Is there a connection?";
  }
}

/** Move among the field and the results. */
function move(step) {
  const places = [field, ...list.querySelectorAll("a")];
  const next = places.indexOf(document.activeElement) + step;
  places[Math.max(0, Math.min(places.length - 1, next))].focus();
}

let waiting;
field.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(look, 120);
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  clearTimeout(waiting);
  await look();
  list.querySelector("a")?.focus();
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "ArrowDown") move(1);
  else if (event.key === "ArrowUp") move(-1);
  else if (event.key === "Escape") {
    field.value = "";
    clearTimeout(waiting);
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
