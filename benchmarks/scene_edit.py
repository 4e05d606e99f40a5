"""The time from saving a scene's drawing to its new picture standing in a browser that looks at it, under `serve`.

The scene has 20 variants of 61 steps. `python benchmarks/scene_edit.py` prints the median of several edits, and the
time until the whole grid was there.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from generators import OWN
from playwright.sync_api import Page, sync_playwright

sys.path += [str(OWN), str(OWN / "tests")]  # the browser is the tests'
from browser import launch_options

from loom.dev.new import new_site

APART = 0.3  # seconds between two edits
TARGET = 400  # milliseconds to the new picture
WAIT = 60_000  # milliseconds for one of them
PAGE = "---\nsummary: Two carts.\n---\n# Momentum\n\n:::{scene} momentum\n:::\n"
SCENE = '''\
import numpy as np

from loom.draw import Box, Pen
from loom.scene import Column, Range, Scene, Table, Value

STEPS = 61


def solve(mass, speed):
    """Two carts meet, and bounce: where they are at each moment."""
    time = np.linspace(0, 3, STEPS)
    one, two = np.empty(STEPS), np.empty(STEPS)
    x, y, v, w = 0.0, 6.0, speed, 0.0
    for at in range(STEPS):
        one[at], two[at] = x, y
        if x + 1 >= y and v > w:
            v, w = ((mass - 1) * v + 2 * w) / (mass + 1), ((1 - mass) * w + 2 * mass * v) / (mass + 1)
        x, y = x + v * 0.05, y + w * 0.05
    return {"time": time, "one": one, "two": two, "mass": mass, "speed": speed, "end": (v, w)}


def steps(result):
    return [(result, at) for at in range(STEPS)]


def draw(state, width):
    result, at = state
    pen = Pen(width)
    scale = (width - 90) / 16
    yield pen.text("edition", 0, 14, "edition-000", "label")
    for number in range(17):
        yield pen.line(f"tick-{number}", number * scale, 96, number * scale, 102, "grid")
    for name, x, role in (("one", result["one"][at], "data"), ("two", result["two"][at], "kept")):
        place = min(max(x, 0), 15) * scale
        yield pen.rect(name, Box(place, 60, scale, 30), role)
        yield pen.text(f"{name}-name", place, 54, name, "label")
    for number in range(at + 1):
        for name, row in (("one", 130), ("two", 150)):
            place = min(max(result[name][number], 0), 15) * scale
            yield pen.circle(f"{name}-{number}", place, row + 10, 2, "quiet")


def say(state):
    result, at = state
    return f"After {result['time'][at]:.2f} s the first cart is at {result['one'][at]:.2f} m."


def table(result):
    columns = (Column("time", "Time", "s", digits=2), Column("one", "First cart", "m", digits=2))
    return Table(columns, list(zip(result["time"], result["one"])))


def values(result):
    return {"end": Value(float(result["end"][0]), "m/s", digits=2)}


SCENE = Scene(
    title="What does a light cart do to a heavy one?",
    summary="Two carts meet and bounce.",
    params=(Range("mass", "Mass", (1, 2, 3, 4, 5)), Range("speed", "Speed", (2.0, 2.5, 3.0, 3.5))),
    solve=solve, steps=steps, draw=draw, say=say, table=table, values=values,
    sources=(SOURCE,), leaves_out="Friction.",
)
'''
SEEN = """() => {
  const look = () => {
    const found = document.querySelector("main")?.textContent.match(/edition-\\d+/);
    if (found) globalThis.seen ??= { word: found[0], at: Date.now() };
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
}"""


def prepare(folder: Path) -> Path:
    """A site with the scene; the scene's file."""
    new_site(folder)
    references = (folder / "content/references.yml").read_text()
    source = next(line for line in references.splitlines() if line.startswith("- id:")).partition(":")[2].strip()
    path = folder / "scenes/momentum/scene.py"
    path.parent.mkdir()
    path.write_text(SCENE.replace("SOURCE", repr(source)))
    (folder / "content/momentum.md").write_text(PAGE)
    return path


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=7)
    repeat = parser.parse_args().repeat
    with tempfile.TemporaryDirectory(prefix="build-sites-") as name:
        path = prepare(Path(name).resolve() / "site")
        command = [sys.executable, str(OWN / "build.py"), "serve", "--root", str(path.parents[2]), "--port", "0",
                   "--out", f"{name}/out"]  # fmt: skip
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
            try:
                assert run.stdout
                address = run.stdout.readline().partition(" ")[0]
                assert address.startswith("http"), "serve did not start"
                first, whole = zip(*_looked_at(address, path, repeat), strict=True)
            finally:
                run.terminate()
    for what, times in (("its new picture", first), ("its whole grid", whole)):
        found = sorted(times)
        print(f"from saving a scene to {what}: {statistics.median(found):.0f} ms, the median of {len(found)} edits; "
              f"{found[0]:.0f} to {found[-1]:.0f} ms")  # fmt: skip
    print(f"target: a new picture in {TARGET} ms: {'yes' if statistics.median(first) <= TARGET else 'no'}")


def _looked_at(address: str, path: Path, repeat: int) -> list[tuple[float, float]]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        page = browser.new_page()
        page.add_init_script(f"({SEEN})()")
        with page.expect_response(lambda answer: answer.url.endswith("-/events")):
            page.goto(f"{address}momentum/")
        time.sleep(1)
        times = [_edited(path, page, number) for number in range(1, repeat + 1)]
        browser.close()
    return times


def _edited(path: Path, page: Page, number: int) -> tuple[float, float]:
    """Milliseconds until the first look, and until there is nothing left to compute."""
    time.sleep(APART)
    text, word = path.read_text(), f"edition-{number:03}"
    saved = time.time() * 1000
    path.write_text(text.replace(f"edition-{number - 1:03}", word))
    page.wait_for_function("word => globalThis.seen?.word === word", arg=word, timeout=WAIT)
    first = float(page.evaluate("seen.at")) - saved
    page.wait_for_function(
        "word => seen?.word === word && !document.querySelector('[data-config*=partial]')", arg=word, timeout=WAIT
    )
    return first, time.time() * 1000 - saved


if __name__ == "__main__":
    main()
