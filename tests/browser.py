"""The browser, the server, and what the browser tests see of a page."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from loom.dev.server import server
from loom.model import Output
from tests.servers import running

PAGES = ("./", "second/", "tall/")
PHONE, TABLET, DESKTOP = 360, 768, 1280

# How far the player has moved what it draws from the origin: a text, or a path.
MOVED = """((node) => {
  const [x, y = 0] = node.style.translate.split(" ").map(parseFloat);
  return Number.isNaN(x) ? null : [x, y];
})"""
# What there is to see of a mark, however it is written: static pictures place and shape it in fewer bytes.
SEEN = """(node) => {
  const told = (name) => node.getAttribute(name), { d, fontSize } = getComputedStyle(node);
  const rounded = (number) => Math.round(10 * number) / 10 || 0, number = /-?[\\d.]+(e-\\d+)?/g;
  const moved = MOVED(node) ?? [0, 0];
  const at = ["x", "y"].map(told), numbers = at.map((from, on) => Number(from) + moved[on]);
  const place = node.localName === "text" ? [told("transform") ?? numbers, fontSize] : at;
  const names = ["class", "width", "height", "rx", "cx", "cy", "r", "opacity", "pathLength", "stroke-dasharray"];
  let count = 0; // the browser tells the points of a path in pairs, from the origin of the drawing
  const path = d.replace(number, (one) => rounded(Number(one) + moved[count++ % 2]));
  return [node.localName, node.textContent, ...place, path, ...names.map(told)].join("; ");
}""".replace("MOVED", MOVED)
# Runs before a page's own scripts: policy violations become console messages, layout shifts are summed up.
LISTENERS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} refused ${event.blockedURI} ${event.sample}`));
globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def launch_options() -> dict[str, Any]:
    """The browser: the one that is named, the system's (the lighter one without windows first), or Playwright's own."""
    system = map(shutil.which, ("chromium-headless-shell", "chromium"))
    found = os.environ.get("LOOM_CHROMIUM") or next(filter(None, system), None)
    off = ("quic", "sync", "background-networking", "component-update")
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    options = {"args": [*root, "--no-first-run", *(f"--disable-{name}" for name in off)]}
    return {**options, "executable_path": shutil.which(found) or found} if found else options


@contextmanager
def serving(output: Output, base_path: str) -> Iterator[str]:
    """The address of a site that is being served."""
    with running(server(output, base_path, 0)) as port:
        yield f"http://127.0.0.1:{port}{base_path}"


class Visit:
    """Opens pages of a site, and hears all that they say and ask for.

    A page that is asked for without further settings is used again by later tests, emptied: to make one takes
    longer than most tests. Every other page has a browser context of its own.
    """

    def __init__(self, browser: Browser, address: str, spares: dict[tuple[str, bool], Page]) -> None:
        self.browser, self.address, self.spares = browser, address, spares
        self.origin = "/".join(address.split("/")[:3])
        self.noise: list[str] = []
        self.requests: list[str] = []
        self.borrowed: dict[tuple[str, bool], Page] = {}
        self.contexts: list[BrowserContext] = []
        self.ears: dict[Any, Any] = {
            "request": lambda request: self._asked(request.url),
            "console": lambda message: self.noise.append(f"{message.type}: {message.text}"),
            "weberror": lambda error: self.noise.append(f"error: {error.error}"),
        }

    def __call__(self, path: str = "./", *, width: int = DESKTOP, height: int = 800, **settings: Any) -> Page:
        key = (self.address, settings.get("java_script_enabled", True))
        if settings.keys() - {"java_script_enabled"} or key in self.borrowed:
            page = self.blank(width=width, height=height, **settings)
        else:
            page = self.spares.pop(key, None) or self._context(**settings).new_page()
            self.borrowed[key] = page
            self._listen(page.context)
            page.set_viewport_size({"width": width, "height": height})
        page.goto(path)
        return page

    def blank(self, *, width: int = DESKTOP, height: int = 800, **settings: Any) -> Page:
        """An empty page in a context of its own."""
        context = self._context(viewport={"width": width, "height": height}, **settings)
        self.contexts.append(context)
        self._listen(context)
        return context.new_page()

    def again(self, page: Page, path: str) -> Page:
        """Another tab of the same reader."""
        other = page.context.new_page()
        other.goto(path)
        return other

    def data(self) -> list[str]:
        """The data files asked for so far, without their folders."""
        return [url.rsplit("/", 1)[1] for url in self.requests if url.endswith(".json")]

    def end(self, clean: bool) -> None:
        """Close what was opened; what can be used again is emptied and kept, if nothing went wrong."""
        for key, page in self.borrowed.items():
            for event, ear in self.ears.items():
                page.context.remove_listener(event, ear)
            if not clean or len(page.context.pages) > 1:
                page.context.close()
                continue
            page.unroute_all()
            page.evaluate("localStorage.clear()")
            page.emulate_media(media="screen", color_scheme="light", forced_colors="none", reduced_motion="reduce")
            page.goto("about:blank")
            self.spares[key] = page
        for context in self.contexts:
            context.close()

    def _context(self, **settings: Any) -> BrowserContext:
        """Marks jump, to save the time of moving, unless motion is asked for."""
        context = self.browser.new_context(base_url=self.address, **{"reduced_motion": "reduce", **settings})
        context.add_init_script(LISTENERS)
        return context

    def _listen(self, context: BrowserContext) -> None:
        for event, ear in self.ears.items():
            context.on(event, ear)

    def _asked(self, url: str) -> None:
        self.requests.append(url)
        if not url.startswith((self.origin, "blob:", "data:", "about:")):
            self.noise.append(f"foreign request: {url}")


class Figure:
    """A scene on a page, as a reader would name its parts."""

    def __init__(self, page: Page, name: str, *, ready: bool = True) -> None:
        self.page, self.name = page, name
        self.root = page.locator(f"[data-scene='{name}']")
        self.picture = self.root.locator(".stage svg:visible")
        if ready:
            self.root.scroll_into_view_if_needed()
            expect(self.part("play")).to_be_enabled()

    def part(self, name: str) -> Locator:
        """A control or a text that the player moves."""
        return self.root.locator(f"[data-part={name}]")

    def go(self, step: int) -> None:
        """Press the dot of a step, or move the slider there where there are too many for dots."""
        dot, scrub = self.part("dots").locator(f"[data-step='{step}']"), self.part("scrub")
        scrub.fill(str(step)) if scrub.is_visible() else dot.click()
        self.at(step)

    def details(self) -> None:
        """Open the data table."""
        self.root.get_by_text("Show as data").click()

    def menu(self, name: str) -> Locator:
        """A control of the menu, opened."""
        if not self.part(name).is_visible():
            self.root.get_by_label("More controls").click()
        return self.part(name)

    def param(self, name: str) -> Locator:
        """A parameter's input."""
        return self.page.locator(f"[id='{self.name}-{name}']")

    def mark(self, key: str) -> Locator:
        """A mark of the picture that shows, unless it is on its way out."""
        return self.picture.locator(f"> [data-key='{key}']:not(.gone)")

    def note_transitions(self) -> None:
        """From now on a mark has what began to change as `data-ran`, also when the browser's own clock has ended it."""
        self.picture.evaluate(
            "svg => svg.addEventListener('transitionrun', ({ target, propertyName }) => {"
            " target.dataset.ran = propertyName; })"
        )

    def at(self, step: int) -> None:
        """The scene shows this step."""
        expect(self.part("count")).to_have_text(re.compile(rf"^{step} / "))

    def rows(self) -> list[list[str]]:
        """The data table as it is once it has been opened; then it is closed again, if it was."""
        return self.part("rows").evaluate("""body => {
            const details = body.closest("details"), { open } = details;
            details.open = true;
            details.dispatchEvent(new Event("toggle"));
            const rows = [...body.rows].map(row => [...row.cells].map(c => c.textContent));
            details.open = open;
            return rows;
        }""")

    def marks(self, *without: str) -> list[dict[str, str]]:
        """Every mark of the picture: its attributes, but for those named."""
        found = self.picture.evaluate(
            """svg => [...svg.children].filter(node => !node.classList.contains("gone"))
            .map(node => {
              const { style, ...told } = Object.fromEntries([...node.attributes].map(a => [a.name, a.value]));
              const place = MOVED(node)?.join(" ");
              return { element: node.localName, words: node.textContent, ...told, ...(place && { place }) };
            })""".replace("MOVED", MOVED)
        )
        return [{name: value for name, value in mark.items() if name not in without} for mark in found]

    def seen(self) -> list[str]:
        """What there is to see of every mark of the picture, from the lowest up."""
        return self.picture.locator("> :not(.gone)").evaluate_all(f"all => all.map({SEEN})")

    def state(self) -> dict[str, Any]:
        """Everything that a link to a state should bring back."""
        inputs = self.root.locator(".params").locator("input, select")
        return {
            "marks": sorted(self.marks("data-new"), key=lambda mark: mark["data-key"]),
            "inputs": inputs.evaluate_all(
                "all => all.map(one => [one.id, one.type === 'checkbox' ? one.checked : one.value])"
            ),
            "say": self.part("say").text_content(),
            "count": self.part("count").text_content(),
            "rows": self.rows(),
        }


def fragment(page: Page) -> str:
    """The part of the address behind '#'."""
    return page.evaluate("location.hash")
