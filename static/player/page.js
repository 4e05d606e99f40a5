// The page around the scenes: two remembered switches, and a list of contents that follows the reader.
const CHOICES = { theme: ["auto", "light", "dark"], motion: ["on", "off"] };

/** Light or dark, and whether marks move. */
export function switches(page) {
  const root = page.documentElement;
  for (const [name, choices] of Object.entries(CHOICES)) {
    const button = page.querySelector(`[data-switch=${name}]`);
    if (!button) continue;
    const say = () => { button.querySelector("b").textContent = root.dataset[name] ?? choices[0]; };
    button.addEventListener("click", () => {
      const now = choices.indexOf(root.dataset[name] ?? choices[0]);
      root.dataset[name] = choices[(now + 1) % choices.length];
      try {
        localStorage.setItem(`loom-${name}`, root.dataset[name]);
      } catch {
        // Storage is off: the choice holds for this page.
      }
      say();
    });
    say();
  }
}

/** The last heading above the middle of the window is where the reader is. */
export function contents(page) {
  const links = [...page.querySelectorAll(".toc a")];
  const headings = links.map((link) => page.getElementById(decodeURIComponent(link.hash.slice(1))));
  if (!links.length) return;
  let waiting = false;
  const mark = () => {
    waiting = false;
    const here = headings.findLastIndex((heading) => heading.getBoundingClientRect().top < innerHeight / 2);
    for (const [index, link] of links.entries()) {
      if (index === here) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  addEventListener("scroll", () => {
    if (!waiting) requestAnimationFrame(mark);
    waiting = true;
  }, { passive: true });
  mark();
}
