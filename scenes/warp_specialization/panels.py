"""Under the lanes: the threads that issue one product, and the tensor cores' busy share on each generation."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen
from loom.scene import Moment

from .model import GENERATIONS, ISSUERS, WARP, WARPS, Schedule

SINGLES = {"Ampere": (), "Hopper": ("copy",), "Blackwell": ("copy", "MMA")}  # warps of which one thread issues


def draw_issuers(pen: Pen, box: Box, run: Schedule, now: int) -> Iterator[Mark]:
    """Every warp as a block; those that issue a product are hot, a single thread is one line in its warp."""
    count = ISSUERS[run.generation]
    turn = (int((run.product < now).sum()) - 1) % 2  # the warpgroup of the newest product
    one = "thread issues" if count == 1 else "threads issue"
    yield pen.text("issuers", box.x, box.y + pen.size * 0.4, f"{count} {one} one product", "label strong")
    top, height, gap = box.y + pen.size * 1.1, pen.pick(18, 24), 3
    each = (box.width - 3 * 12 - 8 * gap) / (WARPS + 2)
    low = top + height + pen.size + 3
    for warp in range(WARPS):
        x = box.x + warp * (each + gap) + (12 if warp >= WARPS // 2 else 0)
        hot = count > WARP and (count == WARP * WARPS or warp // (WARPS // 2) == turn)
        yield pen.rect(f"warp-{warp}", Box(x, top, each, height), "hot" if hot else "cell")
    for group in range(2):
        x = box.x + group * (4 * (each + gap) + 12)
        yield pen.text(f"group-{group}", x, low, f"group {group + 1}", "note")
    for place, name in enumerate(SINGLES[run.generation]):
        x = box.x + (WARPS + place) * (each + gap) + 12 * (2 + place) - 6
        yield pen.rect(f"single-{place}", Box(x, top, each, height), "cell")
        role = "hot thick" if name == "MMA" else "axis"
        yield pen.line(f"thread-{place}", x + 4, top + 1, x + 4, top + height - 1, role)
        yield pen.text(f"single-{place}-name", x, low, name, "note")


def draw_shares(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """One bar for each generation; pressing it shows that generation."""
    when = {"steady": ", steady state", "end": ", whole run"}.get(moment.phase, f", first {moment.at} units")
    yield pen.text("shares", box.x, box.y + pen.size * 0.4, f"tensor cores busy{when}", "label strong")
    names, after = pen.room(GENERATIONS) + 10, pen.room("100% of 37") + 8
    full = box.width - names - after
    rows = box.inset(top=pen.size * 1.1).rows(len(GENERATIONS), 5)
    for run, row in zip(moment.result.runs, rows, strict=True):
        name, middle, here = run.generation, row.y + row.height / 2, run is moment.result.run
        so_far = {"steady": run.steady, "end": run.busy}
        share = so_far.get(moment.phase, run.worked(0, moment.at) / moment.at)
        yield pen.rect(f"all-{name}", Box(row.x + names, row.y, full, row.height), "cell soft",
                       set={"generation": name}, label=f"show {name}")  # fmt: skip
        yield pen.rect(f"share-{name}", Box(row.x + names, row.y, max(full * share, 1.0), row.height),
                       "kept" if here else "kept soft")  # fmt: skip
        yield pen.text(f"share-{name}-name", row.x, middle, name, "label strong" if here else "label", middle=True)
        words = f"{share:.0%} of {run.total}" if moment.phase == "end" else f"{share:.0%}"
        yield pen.text(f"share-{name}-n", row.x + names + full + 6, middle, words, "value", middle=True)
