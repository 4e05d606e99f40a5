// The page: two remembered switches, contents that follow the reader, definitions where words stand, and its scenes.
import { watch } from "./address.js";
import { Player } from "./scene.js";

const CHOICES = { theme: ["auto", "light", "dark"], motion: ["on", "off"] };

/** Light or dark, and whether marks move. */
function switches() {
  const root = document.documentElement;
  for (const button of document.querySelectorAll("[data-switch]")) {
    const name = button.dataset.switch;
    const choices = CHOICES[name];
    const say = () => {
      button.querySelector("b").textContent = phrase(root.dataset[name] ?? choices[0], "auto", "light", "dark", "on", "off");
    };
    button.addEventListener("click", () => {
      root.dataset[name] = choices[(choices.indexOf(root.dataset[name] ?? choices[0]) + 1) % choices.length];
      try {
        localStorage.setItem(`loom-${name}`, root.dataset[name]);
      } catch {
        // Storage is off: the choice holds for this document.
      }
      say();
    });
    say();
  }
}

/** The last heading above the middle of the window is where the reader is. */
function contents() {
  const links = [...document.querySelectorAll(".toc a")];
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const mark = () => {
    const here = headings.findLastIndex((heading) => heading.getBoundingClientRect().top < innerHeight / 2);
    links.forEach((link, index) => { link.ariaCurrent = index === here || null; });
  };
  addEventListener("scroll", mark, { passive: true }); // browsers tell it once a frame
  requestAnimationFrame(mark); // not yet: where headings are, is known when the page is laid out
}

/** What is open over the text closes when the page is scrolled, or the focus leaves both it and its button. */
function menus() {
  const close = () => document.querySelector(":not(:focus) + :popover-open:not(:focus-within)")?.hidePopover();
  addEventListener("scroll", close);
  addEventListener("focusin", close);
}

const PAUSE = 250; // milliseconds of hovering before a card opens, so that a passing pointer opens none

/** Definitions and references where they are mentioned: on hover, on focus and on tap; Esc closes. */
function cards() {
  const card = document.createElement("div");
  card.className = "card";
  card.id = "-card";
  card.popover = "auto"; // the browser closes it on Esc and on a press elsewhere
  let timer, owner;
  let closing; // the focus that comes back to the word then must not open the card again

  const held = () => card.matches(":hover, :focus-within") || owner.matches(":hover, :focus");
  const close = () => {
    clearTimeout(timer);
    timer = setTimeout(() => owner && !held() && card.matches(":popover-open") && card.hidePopover(), PAUSE);
  };
  const open = (link) => {
    clearTimeout(timer);
    const source = document.getElementById(link.hash.slice(1));
    if (!source || (owner === link && card.matches(":popover-open"))) return;
    const list = source.parentNode.cloneNode();
    list.append(source.cloneNode(true));
    for (const node of list.querySelectorAll("[id]")) node.removeAttribute("id");
    card.replaceChildren(list);
    link.after(card); // where it is read, so that Tab goes on into it
    card.showPopover();
    owner?.removeAttribute("aria-describedby");
    link.setAttribute("aria-describedby", "-card");
    owner = link;
  };

  for (const link of document.querySelectorAll("a.term, a.cite")) {
    link.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse") timer = setTimeout(() => open(link), PAUSE);
    });
    link.addEventListener("pointerleave", close);
    link.addEventListener("focus", () => !closing && link.matches(":focus-visible") && open(link));
    link.addEventListener("blur", close);
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault(); // the card has the way on, to the glossary or to the source
      open(link);
    });
  }
  card.addEventListener("beforetoggle", () => {
    closing = true;
    setTimeout(() => { closing = false; });
  });
  card.addEventListener("pointerleave", close);
  card.addEventListener("focusout", close);
}

switches();
contents();
menus();
cards();
watch(new Map([...document.querySelectorAll("[data-scene]")].map((figure) => [figure.id, new Player(figure)])));
