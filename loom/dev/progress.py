"""How far a build is, for a terminal; and where its time went, for those who ask."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from typing import TextIO

# What a build says begins with one of these; the time since it last spoke belongs to it.
STAGES = {
    "load": "files loaded",
    "known": "pages parsed before",
    "read": "pages parsed",
    "recall": "scenes computed before",
    "scene": "scenes computed",
    "page": "pages filled",
    "write": "folder written",
}
SHARED = {"computing": "scene"}  # a scene on its way: counted when it is there


class Progress:
    """Hears what a build says. A terminal shows the last of it; notes are told at the end, wherever that is read."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self.shown = stream, stream.isatty() and not os.environ.get("CI")
        self.counts: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.notes: list[str] = []
        self.line = ""  # the last that was said
        self.last = time.perf_counter()

    def __call__(self, line: str) -> None:
        now, (kind, _, rest) = time.perf_counter(), line.partition(" ")
        if kind == "alive":
            return
        if kind == "note":
            self.notes.append(rest)
        self.counts[kind] += 1
        self.seconds[SHARED.get(kind, kind)] += now - self.last  # type: ignore[assignment]
        self.last = now
        self._show(line)

    def _show(self, line: str) -> None:
        if self.shown and line != self.line:
            print(f"\r\x1b[K{line}", end="", file=self.stream, flush=True)
        self.line = line

    def end(self) -> None:
        """Leave the terminal as it was, but for what its reader has to know."""
        if self.shown:
            print("\r\x1b[K", end="", file=self.stream)
        for note in self.notes:
            print(f"note: {note}", file=self.stream)

    def table(self) -> Iterator[str]:
        """The stages in their order: how many things each did, and how long it took."""
        for kind, name in STAGES.items():
            if self.counts[kind]:
                yield f"{self.counts[kind]:>7,}  {name:<24}{1000 * self.seconds[kind]:>9,.0f} ms"
        yield f"{'':>7}  {'all':<24}{1000 * self.seconds.total():>9,.0f} ms"
