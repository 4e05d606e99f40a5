"""The time from moving a control to the picture that answers it, with the browser's whole speed and with a fourth.

    python benchmarks/hand.py [--all] [SCENE …]

Each scene is met on the page of this site that shows it. Its first slider, or else its first list of choices, is moved
to one value after another, 60 ms apart, as a hand would; a scene whose picture follows neither is only played. Told are
the median and the worst time to the paint that follows, the marks of the picture, the longest task of the browser, and
the processor's own time for a move, which other work on the machine does not lengthen.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
from typing import Any

from generators import OWN
from playwright.sync_api import Browser, CDPSession, sync_playwright

sys.path += [str(OWN), str(OWN / "tests")]  # the browser and the server are the tests'
from browser import launch_options, serving

from loom.build.executor import default_jobs
from loom.build.pipeline import build_site
from loom.model import Output
from loom.options import Options

SCENES = ("coalescing", "attention-mask")
MOVES = 60
WORK = {"all": "Task", "script": "Script", "style": "RecalcStyle", "layout": "Layout"}
# The picture has been painted when a message arrives that was sent in the frame's own callbacks, behind the player's.
DRAG = """async ([id, moves]) => {
  const figure = document.getElementById(id);
  const [slider] = ["input[type=range]", "select"].flatMap((kind) => [...figure.querySelectorAll(`.params ${kind}`)])
    .filter((one) => one.checkVisibility());
  if (!slider) return null;
  const most = slider.options ? slider.options.length - 1 : Number(slider.max);
  const svg = figure.querySelector(".stage svg." + (innerWidth > 700 ? "wide" : "narrow"));
  const tasks = [], times = [];
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) tasks.push(duration); })
    .observe({ type: "longtask" });
  slider.dispatchEvent(new Event("pointerenter"));
  await new Promise((done) => setTimeout(done, 1500));
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now());
    port2.postMessage(0);
  }));
  let changed = 0;
  new MutationObserver((all) => { changed += all.length; })
    .observe(svg, { subtree: true, attributes: true, childList: true });
  for (let move = 0; move < moves; move += 1) {
    const turn = move % (2 * most), place = turn > most ? 2 * most - turn : turn;
    slider[slider.options ? "selectedIndex" : "value"] = place;
    const [began, before] = [performance.now(), changed];
    slider.dispatchEvent(new Event(slider.options ? "change" : "input", { bubbles: true }));
    const time = await painted() - began;
    if (changed > before) times.push(time);
    await new Promise((done) => setTimeout(done, 60));
  }
  slider.dispatchEvent(new Event("change"));
  await new Promise((done) => setTimeout(done, 200));
  return { times, tasks, marks: svg.childElementCount };
}"""
# A scene behind a question answers when the reader has guessed, or does not want to.
OPEN = "id => document.getElementById(id).closest('.predict')?.querySelector('[data-part=reveal]').click()"
PLAY = """async (id) => {
  const tasks = [];
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) tasks.push(duration); })
    .observe({ type: "longtask" });
  const play = document.querySelector(`#${id} [data-part=play]`);
  play.click();
  for (let waited = 0; play.classList.contains("playing") && waited < 100; waited += 1) {
    await new Promise((done) => setTimeout(done, 300));
  }
  return tasks;
}"""


def report(browser: Browser, address: str, scene: str, slowdown: int) -> str:
    """A line of the report; the address is that of the scene's page."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{address}#{scene}")
    page.locator(f"#{scene}").scroll_into_view_if_needed()
    page.evaluate(OPEN, scene)
    page.wait_for_function("id => !document.querySelector(`#${id} .transport`).disabled", arg=scene)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    before = spent(session)
    found: dict[str, Any] | None = page.evaluate(DRAG, [scene, MOVES])
    after = spent(session)
    work = ", ".join(f"{what} {(after[what] - before[what]) / MOVES:.1f}" for what in WORK)
    played = page.evaluate(PLAY, scene)
    page.close()
    if not found or not found["times"]:
        return f"{scene}, 1/{slowdown} of the speed: nothing moves; longest task while playing {longest(played)}"
    times = sorted(found["times"])
    return (
        f"{scene}, 1/{slowdown} of the speed: input to paint {statistics.median(times):.0f} ms, "
        f"nine of ten within {times[9 * len(times) // 10]:.0f}, worst {times[-1]:.0f} ({len(times)} moves, "
        f"{found['marks']} marks); longest task while dragging {longest(found['tasks'])}, "
        f"while playing {longest(played)}; processor's milliseconds for a move: {work}"
    )


def spent(session: CDPSession) -> dict[str, float]:
    """The processor's milliseconds that the page's main thread has taken so far, in all and for what."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    found = {one["name"].removesuffix("Duration"): 1000 * one["value"] for one in metrics}
    return {what: found[name] for what, name in WORK.items()}


def longest(tasks: list[float]) -> str:
    """The longest of the tasks that took over 50 ms; the browser tells of no others."""
    return f"{max(tasks):.0f} ms ({len(tasks)} over 50)" if tasks else "under 50 ms"


def homes(output: Output) -> dict[str, str]:
    """The address of the page that shows each scene; of one that no page shows, in the gallery."""
    found: dict[str, str] = {}
    pages = [path for path in output if path.name == "index.html"]
    for path in sorted(pages, key=lambda path: path.parts[0] == "scenes"):
        for scene in re.findall(r'data-scene="([\w-]+)"', output[path].decode()):
            found.setdefault(scene, str(path).removesuffix("index.html"))
    return found


def main() -> None:
    """Build this site, and move the scenes on its pages."""
    parser = argparse.ArgumentParser(description="How soon a picture answers the hand.")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"by default {' and '.join(SCENES)}")
    parser.add_argument("--all", action="store_true", help="every scene of the site")
    options = parser.parse_args()
    output = build_site(Options(OWN, jobs=default_jobs(), cache=OWN / ".cache" / "loom"))
    pages = homes(output)
    if unknown := [name for name in options.scenes if name not in pages]:
        parser.error(f"no page shows {', '.join(unknown)}; there are {', '.join(sorted(pages))}")
    with serving(output, "/") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        for name in sorted(pages) if options.all else options.scenes or SCENES:
            for slowdown in (1, 4):
                print(report(browser, address + pages[name], name, slowdown), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
