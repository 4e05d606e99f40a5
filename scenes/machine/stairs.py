"""The staircase: cycles over the ruler of sizes, with a step where data outgrow a memory, and what was measured."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from loom.draw import Box, Mark, memoized

from .._gpus.memory import Gpu
from .._silicon.drawing import rings
from .measured import dots, neighbour
from .model import FAR, REGISTERS, SIZES, Sent, levels_of
from .stage import Stage

TICKS = (200, 400, 600)


def draw_stairs(stage: Stage, sent: Sent, grown: float | None) -> Iterator[Mark]:
    """The stairs as far as data have `grown`; all of them, and where on them the chosen data are."""
    plot = stage.stairs
    x, y = plot.at(sent.size, sent.found.cycles)
    yield from treads(stage, sent.gpu)
    yield from scale(stage, sent.gpu, x)
    over = stage.rail[0][1] - stage.knob_radius - 6 - stage.size  # the name of the size
    if grown is None:
        yield stage.line("here-line", x, y, x, max(y, over), "hot dashed")
    yield from measured(stage, sent.gpu.name)
    if grown is not None:
        yield from draw_growing(stage, sent.gpu, grown)
        return
    yield stage.circle("load", x, y, stage.pick(5, 6), "hot steady")


def draw_growing(stage: Stage, gpu: Gpu, share: float) -> Iterator[Mark]:
    """A cover over the stairs of larger data than there are yet, and a line from the ruler up: how large they are."""
    box, ruler = stage.stairs.box, stage.ruler
    x, top = box.x + share * box.width, stage.stairs.at(SIZES[-1], gpu.hbm_cycles)[1] - 0.8 * stage.size - 6
    cover = Box(x, top, box.right + 4 - x, box.bottom + 2 - top)
    yield stage.rect("stairs-future", cover, "cell steady", round=0)
    yield stage.line("stairs-now", x, top, x, ruler.y, "hot steady")


@memoized
def treads(stage: Stage, gpu: Gpu) -> Iterator[Mark]:
    """One for each memory, from what the one before it holds to what it holds itself."""
    plot, size = stage.stairs, stage.size
    levels, left, xs, ys = levels_of(gpu), float(SIZES[0]), [], []
    for level in levels:
        right = min(level.holds, SIZES[-1])
        xs += [left, right]
        ys += [level.cycles, level.cycles]
        x, y = plot.at(left, level.cycles)
        if level.name != REGISTERS:
            name = level.name.split(",")[0] + (" far" if level.name == FAR else "") + f": {level.cycles}"
            x, y, anchor = (x - 5, y + 0.3 * size, "end") if level.name == FAR else (x + 4, y - 6, "start")
            yield stage.text(f"tread-{level.name}", x, y, name, "label", anchor=anchor)
        left = right
    yield plot.curve("stairs", xs, ys, "memory thick modelled")


@memoized
def scale(stage: Stage, gpu: Gpu, here: float) -> Iterator[Mark]:
    """Lines to read cycles from, each with its number at the right end, or left of the line down from the load."""
    plot, levels, apart = stage.stairs, levels_of(gpu), 6
    ticks = {tick: before.holds for tick in TICKS for before, level in pairwise(levels)
             if before.cycles < tick < level.cycles}  # fmt: skip
    for tick, begin in ticks.items():  # lines under the stairs alone: words stand over them
        (x, y), (end, _) = plot.at(begin, tick), plot.at(SIZES[-1], tick)
        yield stage.line(f"stairs-{tick}", x, y, end, y, "grid")
        crossed = end - here < stage.text_width(f"{tick}") + apart
        right = min(end, here - apart) if crossed else end
        yield stage.text(f"stairs-{tick}-words", right, y - 4, f"{tick}", "note", anchor="end")


@memoized
def measured(stage: Stage, gpu: str) -> Iterator[Mark]:
    """A ring for each size, on a phone two an octave; and one for shared memory that is another block's."""
    seen, other = dots(gpu, stage.pick(2, 8)), neighbour(gpu)
    yield from rings(stage, stage.stairs, "measured", seen, stage.pick(2, 2.5))
    if seen:
        x, y = stage.answer
        yield stage.text("measured-words", x, y + 1.6 * stage.size, f"○ measured on an {gpu}", "note measured")
    if other:
        yield from rings(stage, stage.stairs, "neighbour", (other,), stage.pick(2, 2.5))
        _, y = stage.stairs.at(other.x, other.greatest)
        words = stage.pick("another SM’s shared", "shared memory of another SM")
        yield stage.text("neighbour-words", stage.stairs.box.x, y - 8, words, "note measured")
