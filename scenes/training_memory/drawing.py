"""The picture: what one GPU holds, a wall for each stage of ZeRO, and how it falls with the number of ranks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, headline
from loom.scene import Moment

from .chart import draw_chart
from .model import STAGES
from .stage import GAP, NARROW, WIDE, Stage, Wall
from .story import NAMES, PARTS, SIZE, among, growing, landed, shown, size, spared_of, stacks, verdict

ROLES = dict(zip(PARTS, ("series-1", "series-6", "series-2", "series-4"), strict=True))
THIN = 0.8  # units: thinner parts of a wall that is not chosen can't be seen


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    told, moment = landed(moment), growing(moment)
    one, found, here = moment.result, stacks(moment), shown(moment)
    walls = [stage.wall(zero, one.model, one.split) for zero in STAGES]
    stand = stacks(told) if told else {}
    if told:
        of = shown(told)
        yield from draw_answer(stage, sum(stand[of]), f"{among(one)}, {NAMES[of]}")
        yield from draw_parts(stage, stand[of])
    for zero, parts in found.items():
        yield from draw_wall(stage, walls[zero], zero, parts, zero == here)
    yield from draw_ground(stage, one.model, one.split, here)
    for zero, parts in found.items():
        spared = spared_of(moment) if zero == here else 0.0
        yield from draw_spared(stage, walls[zero], zero, sum(parts), spared, sum(stand.get(zero, ())))
    fits = sum(found[here]) <= SIZE
    for zero, wall in enumerate(walls):
        tile = Box(wall.x, wall.foot - wall.side, wall.side, wall.side)
        yield stage.rect(f"tile-{zero}", tile, f"{'work' if fits and zero == here else 'axis'} outline", round=0)
    yield from draw_chart(stage, moment)


def draw_answer(stage: Stage, total: float, told: str) -> Iterator[Mark]:
    """What the chosen stage leaves on each GPU, and which GPU holds it."""
    role = "work" if total <= SIZE else "dropped"
    lines = (told, verdict(total))
    yield from headline(stage, 0, stage.huge, size(total), lines, role, widest=["8.88\u00a0MB"], rest="note")


def draw_parts(stage: Stage, parts: tuple[float, ...]) -> Iterator[Mark]:
    """What the number is made of: a swatch, a name and bytes for each part, in the order of the walls."""
    side = 0.75 * stage.size
    for name, part, (x, y) in zip(PARTS, parts, stage.parts, strict=True):
        if part:
            yield stage.rect(f"key-{name}", Box(x, y - side, side, side), ROLES[name], round=1)
            yield stage.text(f"part-{name}", x + side + 6, y, name, "label")
            after = 6 if stage.below else 14 + stage.text_width(name)
            yield stage.text(f"part-{name}-size", x + side + after, y + stage.below, size(part), "value")


def draw_wall(stage: Stage, wall: Wall, zero: int, parts: tuple[float, ...], chosen: bool) -> Iterator[Mark]:
    """One stage's parts, one after another, all to one scale."""
    start = 0.0
    for name, part in zip(PARTS, parts, strict=True):
        if part and (chosen or part / SIZE * wall.side >= THIN):
            role = f"{ROLES[name]} solid" if chosen else f"{ROLES[name]} soft solid"
            yield stage.path(f"{name}-{zero}", wall.part(start, start + part), role, close=True,
                             read=f"{NAMES[zero]}, {name}: {size(part)}")  # fmt: skip
        start += part


def draw_spared(stage: Stage, wall: Wall, zero: int, total: float, spared: float,
                told: float) -> Iterator[Mark]:  # fmt: skip
    """How much a wall holds, over it, once it stands so tall.

    It stands beside it where a ghost of activations that need not be kept goes on above.
    """
    before, x, y = total + spared, wall.x, wall.top(total + spared) - 5
    role = "value" if not spared else "value strong"
    if spared / SIZE * wall.side >= 1:
        yield stage.path(f"spared-{zero}", wall.part(total, before), "ghost", close=True,
                         read=f"{NAMES[zero]}, activations computed again: {size(spared)}")  # fmt: skip
        if wall.columns(before) == 1 and wall.top(total) - y > 2 * stage.size:
            yield stage.text(f"before-{zero}", x, y, size(before), "note")
            x, y = x + wall.side + 6, min(wall.top(total) + 0.7 * stage.size, wall.foot - 4)
            if stage.text_width(size(told), strong=True) + 8 < wall.side:  # there is room on the wall, in the ghost
                x, y = wall.x + 5, wall.top(total) - 5
    if told:
        yield stage.text(f"total-{zero}", x, y, size(told), role)


@cache
def draw_ground(stage: Stage, model: str, split: str, here: int) -> list[Mark]:
    """The joints between tiles, what a tile is, the ground, and the stages' names."""
    box, joints, size_of = stage.bars, [], f"each tile: an H100’s {size(SIZE)}"
    marks = [stage.text("tile", box.x, stage.pick(80, 94), size_of, "note")]
    for zero in STAGES:
        wall = stage.wall(zero, model, split)
        columns = int((box.width / len(STAGES) - GAP) / wall.side)
        top, right = wall.foot - wall.rows * wall.side, wall.x + columns * wall.side
        ys = [wall.foot - row * wall.side for row in range(1, wall.rows)]
        xs = [wall.x + column * wall.side for column in range(1, columns)]
        joints += [[(wall.x, y), (right, y)] for y in ys] + [[(x, top), (x, wall.foot)] for x in xs]
        role = "label strong" if zero == here else "label"
        marks.append(stage.text(f"name-{zero}", wall.x, box.bottom + stage.size + 5, NAMES[zero], role,
                                set={"stage": zero}, label=f"Choose {NAMES[zero]}"))  # fmt: skip
    line = stage.line("ground", box.x, box.bottom, box.right - GAP, box.bottom, "axis")
    return [stage.strokes("joints", joints, "sign"), line, *marks]
