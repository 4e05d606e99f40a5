"""The time from saving a page to its new text standing in a browser that looks at it, under `serve`."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from generators import OWN, Generator
from measure import CommandError
from pages import page_name
from playwright.sync_api import Page, sync_playwright

sys.path += [str(OWN), str(OWN / "tests")]  # the browser is the tests'
from browser import launch_options

APART = 0.3  # seconds between two edits
WAIT = 10_000  # milliseconds for one of them
SEEN = """() => {
  globalThis.seen = {};
  new MutationObserver(() => {
    const text = document.querySelector("main").textContent;
    for (const [word] of text.matchAll(/edition-\\d+/g)) seen[word] ??= Date.now();
  }).observe(document, { childList: true, subtree: true, characterData: true });
}"""


def saved_to_shown(generator: Generator, count: int, repeat: int) -> str:
    """A sentence with the median of several edits of one page of a site."""
    with tempfile.TemporaryDirectory(prefix="build-sites-") as name:
        folder = Path(name).resolve()
        generator.prepare(folder, count)
        command = [sys.executable, str(OWN / "build.py"), "serve", "--root", ".", "--out", "site", "--port", "0"]
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
            try:
                assert run.stdout
                address = run.stdout.readline().partition(" ")[0]
                if not address.startswith("http"):
                    raise CommandError("serve did not start")
                times = sorted(_looked_at(address, folder, page_name(count // 2), repeat))
            finally:
                run.terminate()
    return (
        f"serve, {count:,} pages: from saving a page to its text in the browser {statistics.median(times):.0f} ms, "
        f"the median of {len(times)} edits; {times[0]:.0f} to {times[-1]:.0f} ms"
    )


def _looked_at(address: str, folder: Path, name: str, repeat: int) -> list[float]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        page = browser.new_page()
        with page.expect_response(lambda answer: answer.url.endswith("-/events")):
            page.goto(f"{address}{name}/")
        page.evaluate(SEEN)
        times = [_edited(folder / f"content/{name}.md", page, number) for number in range(repeat)]
        browser.close()
    return times


def _edited(path: Path, page: Page, number: int) -> float:
    time.sleep(APART)
    word, before = f"edition-{number:03}", path.read_text()
    saved = time.time() * 1000
    path.write_text(f"{before}\nThese words are new: {word}.\n")
    page.wait_for_function("word => seen[word]", arg=word, timeout=WAIT)
    return float(page.evaluate("word => seen[word]", word)) - saved
