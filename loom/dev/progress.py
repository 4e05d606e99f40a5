"""Show the progress of a build in a terminal, and a table of the time that each stage took."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from typing import TextIO

from loom.progress import ProgressEvent, Stage

# For each stage, the line in the terminal, and the name in the table of times. The time since the previous event counts
# for an event's stage.
STAGES = {
    Stage.LOADED: ("load", "files loaded"),
    Stage.PAGE_KNOWN: ("known {subject}", "pages parsed before"),
    Stage.PAGE_PARSED: ("read {subject}", "pages parsed"),
    Stage.SCENE_KNOWN: ("recall scene {subject}", "scenes computed before"),
    Stage.SCENE_COMPUTED: ("scene {subject} ({total} variants)", "scenes computed"),
    Stage.PAGE_RENDERED: ("page {subject}", "pages filled"),
    Stage.WRITING: ("write", "folder written"),
}
UNTIMED = {Stage.LINKS_CHECKED: "asked for {done} of {total} addresses of other sites", Stage.NOTE: "note {subject}"}


def scene_progress(event: ProgressEvent) -> str:
    """The progress of a scene with its number of computed variants: `rope 3/12`."""
    return f"{event.subject} {event.done}/{event.total}" if event.total else event.subject


def line_of(event: ProgressEvent) -> str:
    """The line for an event."""
    if event.stage is Stage.SCENE_COMPUTING:
        return f"computing {scene_progress(event)}"
    shape = STAGES[event.stage][0] if event.stage in STAGES else UNTIMED[event.stage]
    return shape.format(**event._asdict())


class ProgressDisplay:
    """Shows the last event of a build, if the output is a terminal; notes are printed at the end in any case."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self.shown = stream, stream.isatty() and not os.environ.get("CI")
        self.counts: Counter[Stage] = Counter()
        self.seconds: Counter[Stage] = Counter()
        self.notes: list[str] = []
        self.last: ProgressEvent | None = None
        self.time = time.perf_counter()  # of the last event

    def __call__(self, event: ProgressEvent) -> None:
        if event.stage is Stage.ALIVE:
            return
        now, stage = time.perf_counter(), event.stage
        if stage is Stage.NOTE:
            self.notes.append(event.subject)
        self.counts[stage] += 1
        timed = Stage.SCENE_COMPUTED if stage is Stage.SCENE_COMPUTING else stage
        self.seconds[timed] += now - self.time  # type: ignore[assignment]
        self.time = now
        if self.shown and event != self.last:
            print(f"\r\x1b[K{line_of(event)}", end="", file=self.stream, flush=True)
        self.last = event

    def end(self) -> None:
        """Clear the progress line, and print the notes."""
        if self.shown:
            print("\r\x1b[K", end="", file=self.stream)
        for note in self.notes:
            print(f"note: {note}", file=self.stream)

    def table(self) -> Iterator[str]:
        """The table of times: for each stage the number of events, and the time."""
        for stage, (_, name) in STAGES.items():
            if self.counts[stage]:
                yield f"{self.counts[stage]:>7,}  {name:<24}{1000 * self.seconds[stage]:>9,.0f} ms"
        yield f"{'':>7}  {'all':<24}{1000 * self.seconds.total():>9,.0f} ms"
