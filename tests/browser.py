"""A small site for the browser tests, the server it stands on, and what the tests see of a page."""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

from loom.model import Output
from loom.serve import server

PAGES = ("./", "second/", "tall/")
PHONE, TABLET, DESKTOP = 360, 768, 1280

# Runs before a page's own scripts: policy violations become console messages, layout shifts are summed up.
LISTENERS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} refused ${event.blockedURI} ${event.sample}`));
globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""

# A second scene: a slider, a switch and a choice that depends on it, files split by the switch, marks to press.
DOTS = """
from loom.draw import Box, Pen
from loom.scene import Choice, Column, Range, Scene, Table, Toggle, Value

LONG = "A rather long sentence, which takes more than one line on a phone, and says that all of them are lit now"


def draw(state, width):
    count, ringed, ring, step = state
    pen = Pen(width)
    gap = width / 8
    yield pen.line("floor", 0, 90, width, 90, "axis")
    for place, choice in enumerate((2, 4, 6)):
        box = Box(place * gap * 1.5, 100, gap * 1.5 - 8, 30)
        yield pen.rect(f"pick-{choice}", box, "cell", set={"count": choice}, label=f"Show {choice} dots")
        yield pen.text(f"pick-{choice}-text", box.x + 8, 118, str(choice), "value")
    for number in range(1, count + 1):
        yield pen.circle(f"dot-{number}", gap * number, 40, 10, "hot" if number <= step else "data", wait=number % 3)
    if step % 2:
        yield pen.circle("spark", gap * step, 40, 4, "kept")
    more = {} if ringed else {"set": {"ringed": True}, "label": "Ring it"}
    yield pen.rect("runner", Box(gap * step - 5, 60, 10, 10), "hot", **more)
    if ringed:
        yield pen.circle("ring", gap * count, 40, 16, f"hot outline {ring}")
    yield pen.text("said", 4, 150, f"{step} of {count}", "note")


SCENE = Scene(
    title="How many dots are lit?",
    summary="Dots light up one by one.",
    params=(
        Range("count", "Dots", (2, 4, 6), default=4, unit="dots"),
        Toggle("ringed", "Ring the last"),
        Choice("ring", "Kind of ring", ("thin", "thick"), when={"ringed": (True,)}),
    ),
    sentence="Show {count} and a ring {ringed}.",
    split=("ringed",),
    steps=lambda count, ringed, ring: [(count, ringed, ring, step) for step in range(1, count + 1)],
    draw=draw,
    say=lambda state: f"Dot {state[3]} of {state[0]} is lit." if state[3] < state[0] else f"{LONG}: {state[0]}.",
    table=lambda count, ringed, ring: Table(
        (Column("dot", "dot"), Column("share", "share", "%", digits=1), Column("name", "name, quoted")),
        [(number, -100 * number / 3, f'the "{number}", {ring}') for number in range(1, count + 1)],
    ),
    values=lambda count, ringed, ring: {"weight": Value(1500 * count + ringed, "g")},
    sources=("fa1",),
    leaves_out="Everything.",
    key_steps=(1, -1),
)
"""


def launch_options() -> dict[str, Any]:
    """The browser: the one that is named, the system's, or Playwright's own."""
    found = os.environ.get("LOOM_CHROMIUM") or shutil.which("chromium")
    off = ("quic", "sync", "background-networking", "component-update")
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    options = {"args": [*root, "--no-first-run", *(f"--disable-{name}" for name in off)]}
    return {**options, "executable_path": shutil.which(found) or found} if found else options


@contextmanager
def serving(output: Output, base_path: str) -> Iterator[str]:
    """The address of a site that is being served."""
    with server(output, base_path, 0) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}{base_path}"
        running.shutdown()
        thread.join()


class Visit:
    """Opens pages in browser contexts of their own, and hears all that they say and ask for."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.origin = "/".join(address.split("/")[:3])
        self.noise: list[str] = []
        self.requests: list[str] = []

    def blank(self, *, width: int = DESKTOP, height: int = 800, **settings: Any) -> Page:
        """An empty page that listens. Its marks jump, to save the time of moving, unless motion is asked for."""
        settings.setdefault("reduced_motion", "reduce")
        context = self.browser.new_context(
            base_url=self.address, viewport={"width": width, "height": height}, **settings
        )
        context.set_default_timeout(5000)
        context.add_init_script(LISTENERS)
        context.on("request", lambda request: self._asked(request.url))
        context.on("console", lambda message: self.noise.append(f"{message.type}: {message.text}"))
        context.on("weberror", lambda error: self.noise.append(f"error: {error.error}"))
        return context.new_page()

    def __call__(self, path: str = "./", **settings: Any) -> Page:
        page = self.blank(**settings)
        page.goto(path)
        return page

    def again(self, page: Page, path: str) -> Page:
        """Another tab of the same reader."""
        other = page.context.new_page()
        other.goto(path)
        return other

    def data(self) -> list[str]:
        """The data files asked for so far, without their folders."""
        return [url.rsplit("/", 1)[1] for url in self.requests if url.endswith(".json")]

    def _asked(self, url: str) -> None:
        self.requests.append(url)
        if not url.startswith((self.origin, "blob:", "data:")):
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

    def param(self, name: str) -> Locator:
        """A parameter's input."""
        return self.page.locator(f"[id='{self.name}-{name}']")

    def mark(self, key: str) -> Locator:
        """A mark of the picture that shows, unless it is on its way out."""
        return self.picture.locator(f"> [data-key='{key}']:not(.gone)")

    def at(self, step: int) -> None:
        """The scene shows this step."""
        expect(self.part("count")).to_have_text(re.compile(rf"^{step} / "))

    def rows(self) -> list[list[str]]:
        """The data table as it is shown."""
        return self.part("rows").evaluate("body => [...body.rows].map(row => [...row.cells].map(c => c.textContent))")

    def marks(self, *without: str) -> list[dict[str, str]]:
        """Every mark of the picture: its attributes, but for those named."""
        found = self.picture.evaluate("""svg => [...svg.children].filter(node => !node.classList.contains("gone"))
            .map(node => ({ element: node.localName, words: node.textContent,
                ...Object.fromEntries([...node.attributes].map(a => [a.name, a.value])) }))""")
        return [{name: value for name, value in mark.items() if name not in without} for mark in found]

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
