"""The tasks that hold a reader up while a page loads, with a fourth of the browser's speed.

    python benchmarks/loading.py [--repeat N] [PAGE …]

Each page of this site is loaded as it is, and in turn with it the same page as plain text: without scenes and scripts,
with its styles. What the browser takes to read and lay out that many words is so told apart from what the scenes add.
Told are the medians of the total blocking time, which is what tasks behind the first paint take beyond 50 ms each, and
of the longest of these tasks.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
from collections.abc import Mapping
from pathlib import PurePosixPath

from generators import OWN
from playwright.sync_api import Browser, sync_playwright

sys.path += [str(OWN), str(OWN / "tests")]  # the browser and the server are the tests'
from browser import launch_options, serving

from loom.build.executor import default_jobs
from loom.build.pipeline import build_site
from loom.options import Options

SLOWDOWN = 4
SIZES = {1280: 800, 360: 740}
LONG = 50  # milliseconds from which on a task is long
SETTLED = 2500  # milliseconds until all that a page does by itself is done
SCENES_AND_SCRIPTS = re.compile(rb"<(figure|script)\b.*?</\1>|<link[^>]*modulepreload[^>]*>", re.DOTALL)
WATCH = """globalThis.tasks = [];
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) tasks.push([startTime, duration]);
}).observe({ type: "longtask", buffered: true });"""
# A task that ends in the first paint is not behind it.
BEHIND = """() => {
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return tasks.filter(([start]) => start >= paint.startTime).map(([, duration]) => duration);
}"""


def loaded(browser: Browser, address: str, width: int) -> tuple[float, float]:
    """The total blocking time of one load, and its longest task [ms]."""
    page = browser.new_page(viewport={"width": width, "height": SIZES[width]})
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_timeout(SETTLED)
    tasks: list[float] = page.evaluate(BEHIND)
    page.close()
    return sum(task - LONG for task in tasks), max(tasks, default=0)


def report(browser: Browser, addresses: Mapping[str, str], width: int, repeat: int) -> str:
    """A page by its kinds of address, loaded in turns: what else the machine does meets all kinds."""
    found: dict[str, list[tuple[float, float]]] = {kind: [] for kind in addresses}
    for _ in range(repeat):
        for kind, address in addresses.items():
            found[kind].append(loaded(browser, address, width))
    return "; ".join(
        f"{kind}: blocked for {blocked:.0f} ms, longest task {f'{longest:.0f} ms' if longest else 'under 50 ms'}"
        for kind, runs in found.items()
        for blocked, longest in [[statistics.median(column) for column in zip(*runs, strict=True)]]
    )


def main() -> None:
    """Build this site, and load its pages."""
    parser = argparse.ArgumentParser(description="What holds a reader up while a page loads.")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="as in its address; by default all but the gallery's")
    parser.add_argument("--repeat", type=int, default=5, help="loads of each kind; by default 5")
    options = parser.parse_args()
    output = build_site(Options(OWN, jobs=default_jobs(), cache=OWN / ".cache" / "loom"))
    plain = {path: SCENES_AND_SCRIPTS.sub(b"", data) if path.suffix == ".html" else data
             for path, data in output.items()}  # fmt: skip
    names = [str(path.parent) for path in output if path.name == "index.html" and path.parts[0] != "scenes"]
    if unknown := [name for name in options.pages if PurePosixPath(name, "index.html") not in output]:
        parser.error(f"there is no page {', '.join(unknown)}; there are {', '.join(names)}")
    with (
        serving(output, "/") as whole,
        serving(plain, "/") as words,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(**launch_options())
        for name in options.pages or names:
            for width in SIZES:
                addresses = {"as it is": f"{whole}{name}/", "as plain text": f"{words}{name}/"}
                print(f"{name} at {width} px: {report(browser, addresses, width, options.repeat)}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
