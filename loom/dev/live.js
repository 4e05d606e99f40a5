// While a site is written: its pages follow the author's edits. Sent by the development server only.
const source = new EventSource(new URL("events", import.meta.url));
const base = new URL("../", import.meta.url).pathname;
let shown = Number(document.querySelector("script[data-version]").dataset.version); // what the site was when this page left it
const FOCUS = "loom-focus"; // what this tab had the keyboard on when its page was loaded anew
let exchanges = 0;

focusAgain(sessionStorage.getItem(FOCUS));
sessionStorage.removeItem(FOCUS);

source.onmessage = async (event) => {
  const news = JSON.parse(event.data);
  show(news.problems);
  compute(news.computing);
  const missed = news.first && news.version !== shown;
  shown = news.version;
  if (missed) return refresh();
  if (news.problems.length) return;
  if (news.style) restyle(news.style);
  else if (news.everything || news.pages.includes(here()) || (news.pages.length && searching())) await refresh();
};

/** The file of this page, as the server calls it. */
function here() {
  const path = decodeURIComponent(location.pathname.slice(base.length));
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}

/** Whether this is the search page: every edit may be found on it. */
function searching() {
  return document.querySelector(".finder");
}

/** A page with scenes, or with a search, is loaded anew, and comes back as it was; of another, the text is exchanged. */
async function refresh() {
  const answer = await fetch(location.href, { cache: "no-store" });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const style = "link[rel=stylesheet]";
  const same = fresh.querySelector(style)?.href === document.querySelector(style)?.href;
  if (!answer.ok || !same || searching() || [fresh, document].some((one) => one.querySelector("[data-scene]"))) {
    sessionStorage.setItem(FOCUS, focused());
    location.reload();
    return;
  }
  const had = focused();
  document.title = fresh.title;
  for (const part of ["body > header", "main", "body > footer"]) {
    const [old, now] = [document, fresh].map((one) => one.querySelector(part));
    if (old && now) old.replaceWith(document.adoptNode(now));
  }
  exchanges += 1;
  const player = document.querySelector("script[type=module][src$='/main.js']");
  if (player) await import(`${player.src}?exchange=${exchanges}`); // its cards and switches belong to what was exchanged
  focusAgain(had);
}

/** What the keyboard is on, as a selector that finds its like in the page to come; empty if it is on nothing. */
function focused() {
  const node = document.activeElement;
  if (!node || node === document.body) return "";
  const attributes = ["type", "name", "value", "data-part", "aria-label", "href"];
  const parts = attributes.filter((one) => node.hasAttribute(one)).map((one) => `[${one}=${CSS.escape(node.getAttribute(one))}]`);
  const around = node.parentElement.closest("[id]");
  return `${around ? `#${CSS.escape(around.id)} ` : ""}${node.localName}${node.id && `#${CSS.escape(node.id)}`}${parts.join("")}`;
}

/** Put the keyboard where it was, as soon as that is there: a scene draws its handles when it is near. */
function focusAgain(selector, tries = 100) {
  if (!selector || !tries || document.activeElement !== document.body) return;
  const node = [...document.querySelectorAll(selector)].find((one) => one.checkVisibility());
  node?.focus({ preventScroll: true });
  if (document.activeElement !== node) setTimeout(focusAgain, 50, selector, tries - 1);
}

function restyle(name) {
  const old = document.querySelector("link[rel=stylesheet]");
  const fresh = old.cloneNode();
  fresh.href = base + name;
  fresh.onload = () => old.remove(); // no moment without a style
  old.after(fresh);
}

/** How far scenes are of which the page shows but one state. */
function compute(words) {
  let note = document.querySelector(".live-computing");
  if (!words) return note?.remove();
  if (!note) {
    note = document.createElement("aside");
    note.className = "live-computing";
    note.setAttribute("role", "status");
    document.body.append(note);
  }
  note.textContent = `computing ${words}`;
}

/** What is wrong, over the page as it last was. */
function show(problems) {
  document.querySelector(".live-problems")?.remove();
  if (!problems.length) return;
  const box = document.createElement("aside");
  box.className = "live-problems";
  box.setAttribute("role", "alert");
  for (const { text, excerpt } of problems) {
    const words = document.createElement("p");
    words.textContent = text;
    box.append(words);
    if (!excerpt) continue;
    const lines = document.createElement("pre");
    lines.textContent = excerpt;
    box.append(lines);
  }
  document.body.append(box);
}
