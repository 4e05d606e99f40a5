"""An author at work: a site that is served while it is written, and a browser that looks at it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Error, Page

from loom.dev.live import Live
from loom.dev.serve import follow_edits, open_server
from loom.dev.watch import edits
from loom.options import Options


@dataclass
class Desk:
    """The folder of the site, and a page of the browser."""

    root: Path
    page: Page
    address: str

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text)

    def open(self, path: str) -> Page:
        with self.page.expect_response(lambda answer: answer.url.endswith("-/events")):
            self.page.goto(self.address + path)
        return self.page


@contextmanager
def at_work(options: Options, chromium: Browser, base: str = "/") -> Iterator[Desk]:
    """Serve the site of some options until the end."""
    live, stop = Live(options), threading.Event()
    live.follow()
    with open_server(live, base, 0) as running:
        threads = [
            threading.Thread(target=running.serve_forever),
            threading.Thread(target=follow_edits, args=(live, running, edits(live.options, stop))),
        ]
        for thread in threads:
            thread.start()
        context = chromium.new_context(reduced_motion="reduce")
        page = context.new_page()
        yield Desk(options.root, page, f"http://127.0.0.1:{running.server_port}{base}")
        _leave(page)
        context.close()
        stop.set()
        running.shutdown()
        for thread in threads:
            thread.join()
        live.close()


def _leave(page: Page) -> None:
    """Go where nothing is loaded anew: a context that is closed while its page is may wait for ever."""
    while page.url != "about:blank":
        with suppress(Error):  # the page has just begun to load anew
            page.goto("about:blank")
