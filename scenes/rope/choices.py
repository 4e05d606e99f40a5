"""The methods side by side, each with what it costs; pressing one chooses it."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen

from .axis import STYLES
from .extension import METHODS
from .story import Rotary, State
from .words import SHORT, degrees

HEADS = ("new angles", "neighbours")


def results(rotary: Rotary) -> tuple[str, str]:
    """How many pairs meet new angles, and how far the fastest pair turns for one token."""
    return f"{int(rotary.unseen.sum())}", degrees(float(rotary.new_theta[0]))


def draw_choices(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """A small table: on a phone its methods stand side by side, elsewhere one under the other."""
    if pen.narrow:
        line, frames = pen.size * 1.35, _columns(pen, box)
        ys = [box.y + pen.size * 1.1 + row * line for row in range(3)]
        cells = [[(frame.x + frame.width / 2, y) for y in ys] for frame in frames]
        heads = [(box.x, y) for y in ys[1:]]
    else:
        line = pen.size * 1.55
        xs = (box.x + 78, box.x + 167, box.x + 250)
        cells = [[(x, box.y + (row + 2) * line) for x in xs] for row in range(len(METHODS))]
        heads = [(x, box.y + line) for x in xs[1:]]
        frames = [Box(box.x, y - line * 0.72, box.width, line - 2) for (_, y), *_ in cells]
    for index, (words, (x, y)) in enumerate(zip(HEADS, heads, strict=True)):
        yield pen.text(f"head-{index}", x, y, words, "note", anchor="start" if pen.narrow else "middle")
    for method, places, frame in zip(METHODS, cells, frames, strict=True):
        yield from _choice(pen, state.rotary, method, places, frame)


def _columns(pen: Pen, box: Box) -> list[Box]:
    """A column for each method, as wide as its name needs."""
    start = box.x + pen.room(HEADS) + 5
    names = [pen.room(SHORT[method], strong=True) for method in METHODS]
    spare = (box.right - start - sum(names)) / len(names)
    frames = []
    for name in names:
        frames.append(Box(start + 1, box.y - 3, name + spare - 2, 4.05 * pen.size + 5))
        start += name + spare
    return frames


def _choice(pen: Pen, rotary: Rotary, method: str, places: list[tuple[float, float]], frame: Box) -> Iterator[Mark]:
    here = method == rotary.method
    yield pen.rect(f"choose-{method}", frame, "hot outline" if here else "cell", set={"method": method},
                   label=f"extend with {SHORT[method]}")  # fmt: skip
    if method in STYLES:  # the look of its line
        x, y = (frame.x + 3, frame.y) if pen.narrow else (frame.x + 9, frame.y + frame.height / 2)
        yield pen.line(f"sample-{method}", x, y, x + (frame.width - 6 if pen.narrow else 18), y, STYLES[method])
    texts = (SHORT[method], *results(rotary.with_method(method)))
    for column, (words, (x, y)) in enumerate(zip(texts, places, strict=True)):
        role = "hot strong" if here and column == 0 else "label"
        yield pen.text(f"choice-{method}-{column}", x, y, words, role, anchor="middle")
