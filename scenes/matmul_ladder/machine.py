"""What a rung changes, as a machine: the way of a tile from memory through one SM or two, and out again."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen

from .model import RUNGS, STAGES

TENSOR, SWIZZLE, STORED, PAIRED, STAGED, DOUBLED, STAYING = range(2, len(RUNGS) + 1)  # rungs, by what they bring
COPIES = 8  # of a tile that is not swizzled, one for each strip of it
SM = 48.0  # the width of an SM
APART = 10.0  # from SM to SM
# What a rung changes is one of these rows.
CHANGED = {1: "threads", TENSOR: "cores", SWIZZLE: "shared", STORED: "output", PAIRED: "cores", STAGED: "shared",
           DOUBLED: "output", STAYING: "A, B"}  # fmt: skip


def draw_machine(pen: Pen, rung: int, x: float, y: float) -> Iterator[Mark]:
    """Rows from A and B down to C, and their names; what the rung has changed is in the colour of now."""
    inner, outer = (y, y + 122), ("A, B", "C")
    wide = 2 * SM + APART
    for name, top in zip(outer, inner, strict=True):
        told = RUNGS[rung - 1].change if name == "C" else ""
        yield pen.rect(f"machine-{name}", Box(x, top, wide, 14), "memory soft", round=1, read=told)
    rows = {"A, B": y + 7, "C": y + 129}
    if rung < TENSOR:
        rows["threads"] = y + 68
        yield from _threads(pen, x, y, wide)
    else:
        rows |= {"shared": y + 44, "cores": y + 73, "output": y + 97}
        yield from _sms(pen, rung, x, y)
    for name, middle in rows.items():
        role = "hot strong" if name == CHANGED[rung] else "note"
        yield pen.text(f"machine-{name}-name", pen.width, middle, name, role, anchor="end", middle=True)
    if rung >= STAYING:
        way = [(x - 1, y + 129), (x - 8, y + 129), (x - 8, y + 7), (x - 1, y + 7), (x - 5, y + 3), (x - 1, y + 7),
               (x - 5, y + 11)]  # fmt: skip
        yield pen.path("machine-again", way, "hot")


def _threads(pen: Pen, x: float, y: float, wide: float) -> Iterator[Mark]:
    """No SM is told apart: each number of the result has a thread of its own, straight from memory to memory."""
    lines = [[(x + 3 + at * (wide - 6) / 31, y + 16), (x + 3 + at * (wide - 6) / 31, y + 120)] for at in range(32)]
    yield pen.strokes("machine-threads", lines, "hot thin")


def _sms(pen: Pen, rung: int, x: float, y: float) -> Iterator[Mark]:
    """One SM, or a pair: stages in shared memory, one multiplication, the output."""
    lefts = [x, x + SM + APART] if rung >= PAIRED else [x]
    frames = [Box(left, y + 26, SM, 84) for left in lefts]
    role = "hot" if rung == PAIRED else "axis"
    yield pen.outlines("machine-sms", frames, f"{role} thin")
    copies, straight = COPIES if rung < SWIZZLE else 1, [left + 7 for left in lefts]
    lines = [[(at + 5.0 * copy, y + 15), (at + 5.0 * copy, y + 31)] for at in straight for copy in range(copies)]
    key, role = "copies" if copies == 1 else "strips", _role(rung, SWIZZLE, PAIRED)
    yield pen.strokes(f"machine-{key}", lines, f"{role} thin")
    yield from _tiles(pen, rung, lefts, y)
    long = lefts[-1] + SM - x - 6
    yield pen.rect("machine-cores", Box(x + 3, y + 64, long, 18), _role(rung, TENSOR, PAIRED, usual="work"), round=1)
    yield from _output(pen, rung, lefts, y)


def _tiles(pen: Pen, rung: int, lefts: list[float], y: float) -> Iterator[Mark]:
    """Tiles in shared memory: in strips until they are swizzled; one, or a ring of stages."""
    for sm, left in enumerate(lefts):
        first = Box(left + 3, y + 32, 8, 24)
        if rung < SWIZZLE:
            yield pen.strokes("machine-tile-strips", [strip.corners for strip in first.rows(COPIES, 1)], "data solid")
            continue
        for stage in range(STAGES if rung >= STAGED else 1):
            role = _role(rung, SWIZZLE, usual="data") if stage == 0 else _role(rung, STAGED, usual="data")
            yield pen.rect(f"machine-tile-{sm}-{stage}", first._replace(x=left + 3 + 8.5 * stage), role, round=1)


def _output(pen: Pen, rung: int, lefts: list[float], y: float) -> Iterator[Mark]:
    """The output: thread by thread, later packed in a buffer or two, from which TMA stores it."""
    if rung < STORED:
        lines = [[(left + 5 + 5.4 * at, y + 84), (left + 5 + 5.4 * at, y + 120)] for left in lefts for at in range(8)]
        yield pen.strokes("machine-stores", lines, "axis thin")
        return
    buffers = 2 if rung >= DOUBLED else 1
    for sm, left in enumerate(lefts):
        for at in range(buffers):
            role = _role(rung, STORED, usual="data") if at == 0 else _role(rung, DOUBLED, usual="data")
            yield pen.rect(f"machine-buffer-{sm}-{at}", Box(left + 3 + 22 * at, y + 90, 20, 14), role, round=1)
    middles = [left + 13 + 22 * at for left in lefts for at in range(buffers)]
    yield pen.strokes(
        "machine-store", [[(at, y + 105), (at, y + 121)] for at in middles], f"{_role(rung, STORED, DOUBLED)} thin"
    )


def _role(rung: int, *bringing: int, usual: str = "axis") -> str:
    """The colour of now for what this very rung has brought."""
    return "hot" if rung in bringing else usual
