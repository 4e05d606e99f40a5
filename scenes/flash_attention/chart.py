"""The chart: bytes against the memory on the chip, with the bound of the theorem, and a knob."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Mark, dodge, memoized

from .model import KIB, Case, bound_bytes
from .narration import amount
from .stage import MEMORIES, Stage


@cache
def curve(tokens: int, dim: int, causal: bool) -> tuple[int, ...]:
    """Bytes that the tiles move, for each memory."""
    return tuple(Case(tokens, dim, memory * KIB, causal).tiled for memory in MEMORIES)


@memoized
def draw_chart(stage: Stage, case: Case, bound: bool) -> Iterator[Mark]:
    """A knob for the memory: on its curve, or on a bare rail where there is no room for the chart."""
    plot, counted = stage.plot(case), curve(case.tokens, case.dim, case.causal)
    bare = stage.narrow and not bound
    box = plot.box
    foot = box.bottom + stage.pick(stage.knob_radius + 0.75 * stage.size, 6 + stage.size)  # on a phone under the knob
    yield stage.line("rail", box.x, box.bottom, box.right, box.bottom, "axis")
    for tick in plot.x.ticks:
        x, _ = plot.at(tick, plot.y.span[0])
        yield stage.line(f"tick-{tick}", x, box.bottom, x, box.bottom + 4, "axis")
        yield stage.text(f"tick-{tick}-words", x, foot, str(tick), "note", anchor="middle")
    x, y = (box.right, box.bottom + 10 + 2 * stage.size) if not stage.narrow else (328, foot)
    yield stage.text("rail-title", x, y, "KB on the chip", "note", anchor="end")
    rail = [plot.at(memory, moved) for memory, moved in zip(MEMORIES, counted, strict=True)]
    if bare:
        rail = [(x, box.bottom) for x, _ in rail]
    else:
        yield from draw_lines(stage, case, bound, rail)
    here = rail[MEMORIES.index(case.memory // KIB)]
    yield stage.knob("memory", *here, "memory", rail, "memory on the chip")


def draw_lines(stage: Stage, case: Case, bound: bool, rail: list[tuple[float, float]]) -> Iterator[Mark]:
    """The count, what a plain program moves, what any has to, and the theorem's line."""
    plot, ends = stage.plot(case), (MEMORIES[0], MEMORIES[-1])
    lines = {"stored": ((case.plain, case.plain), "dropped"), "each once": ((case.once, case.once), "memory")}
    if bound:
        lines["N²d²/M"] = (tuple(bound_bytes(case.tokens, case.dim, memory * KIB) for memory in ends), "note")
    yield stage.path("count", rail, "data")
    heights = []
    for name, (moved, role) in lines.items():
        points = [plot.at(memory, size) for memory, size in zip(ends, moved, strict=True)]
        heights.append(points[1][1])
        yield stage.path(
            f"line-{name}", points, "ghost" if role == "note" else f"{role} dashed", read=f"{name}: {amount(moved[1])}"
        )
    low, high = plot.box.y - 4, plot.box.bottom + stage.pick(-3, 4)
    for (name, (_, role)), y in zip(lines.items(), dodge(heights, 1.2 * stage.size, low, high), strict=True):
        # Clear of the knob, which may stand at the end of the lines.
        yield stage.text(f"words-{name}", plot.box.right + stage.knob_radius + 1, y, name, role, middle=True)


def draw_runners(stage: Stage, case: Case, memory: int) -> Iterator[Mark]:
    """What the tiles move with so much memory, and the theorem's line there: while memory doubles, both halve."""
    plot = stage.plot(case)
    counted, least = Case(case.tokens, case.dim, memory, case.causal).tiled, bound_bytes(case.tokens, case.dim, memory)
    yield stage.circle("run-bound", *plot.at(memory / KIB, least), 4, "data steady")
    yield stage.circle("run-count", *plot.at(memory / KIB, counted), 5, "hot steady")
