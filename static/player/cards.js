// Definitions and references where they are mentioned: on hover, on focus and on tap; Esc closes.
const PAUSE = 250; // milliseconds of hovering before a card opens, so that a passing pointer opens none

export function cards(page) {
  const card = page.createElement("div");
  card.className = "card";
  card.id = "card";
  card.popover = "auto"; // the browser closes it on Esc and on a press elsewhere
  page.body.append(card);
  let timer = 0;
  let shownFor = null;

  const close = () => {
    clearTimeout(timer);
    timer = setTimeout(() => !card.matches(":hover") && card.hidePopover(), PAUSE);
  };
  const open = (link) => {
    clearTimeout(timer);
    const source = page.getElementById(link.hash.slice(1));
    if (!source || (shownFor === link && card.matches(":popover-open"))) return;
    card.replaceChildren(...source.cloneNode(true).childNodes);
    for (const node of card.querySelectorAll("[id]")) node.removeAttribute("id");
    card.showPopover();
    place(card, link);
    shownFor?.removeAttribute("aria-describedby");
    link.setAttribute("aria-describedby", "card");
    shownFor = link;
  };

  for (const link of page.querySelectorAll("a.term, a.cite")) {
    link.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse") timer = setTimeout(() => open(link), PAUSE);
    });
    link.addEventListener("pointerleave", close);
    link.addEventListener("focus", () => link.matches(":focus-visible") && open(link));
    link.addEventListener("blur", close);
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault(); // the card has the way on, to the glossary or to the source
      open(link);
    });
  }
  card.addEventListener("pointerleave", close);
}

/** Under the link, or over it where there is no room; never past the window's edge. */
function place(card, link) {
  const [at] = link.getClientRects();
  const { offsetWidth: width, offsetHeight: height } = card;
  const left = Math.max(8, Math.min(at.left, innerWidth - width - 8));
  const top = at.bottom + 6 + height > innerHeight ? Math.max(8, at.top - height - 6) : at.bottom + 6;
  card.style.left = `${left}px`;
  card.style.top = `${top}px`;
}
