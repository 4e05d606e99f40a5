"""The picture: two tokens on a strip, four dials, a plot over tokens below, and at last the methods to choose from."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen

from .dials import draw_dials, draw_strip
from .extension import METHODS
from .narration import degrees
from .scores import SHORT, STYLES, draw_scores
from .story import State, rotary
from .waves import draw_waves

HEADS = ("new angles", "neighbours")


def draw(state: State, width: float) -> Iterator[Mark]:
    pen, tall = Pen(width), 136 if state.extended else 188
    strip, dials, plot, table = pen.pick(
        (Box(4, 2, 320, 44), Box(0, 54, 328, 140), Box(30, 228, 290, tall), Box(0, 412, 328, 50)),
        (Box(6, 4, 828, 50), Box(0, 74, 840, 104), Box(36, 214, 788, 172), Box(532, 265, 292, 112)),
    )
    yield from draw_strip(pen, strip, state)
    yield from draw_dials(pen, dials, state)
    yield from (draw_waves if state.on_waves else draw_scores)(pen, plot, state)
    if state.extended:
        yield from _choices(pen, table, state)


def _choices(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """The methods, each with what it costs: on a phone side by side, elsewhere one under the other."""
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
        yield pen.text(f"head-{index}", x, y, words, "note", anchor=pen.pick("start", "middle"))
    for method, places, frame in zip(METHODS, cells, frames, strict=True):
        yield from _choice(pen, state, method, places, frame)


def _columns(pen: Pen, box: Box) -> list[Box]:
    """A column for each method, as wide as its name needs."""
    start = box.x + pen.room(HEADS) + 5
    names = [pen.room(SHORT[method], strong=True) for method in METHODS]
    spare = (box.right - start - sum(names)) / len(names)
    whole = Box(start + 1, box.y - 3, 0, 4.05 * pen.size + 5)
    return whole.beside(*(name + spare - 2 for name in names), gap=2)


def _choice(pen: Pen, state: State, method: str, places: list[tuple[float, float]], frame: Box) -> Iterator[Mark]:
    """A method, how many pairs meet new angles under it, and how far the fastest pair turns for one token."""
    model = state.rotary
    here, other = method == model.method, rotary(model.base, method, model.factor)
    yield pen.rect(f"choose-{method}", frame, "hot outline" if here else "cell", set={"method": method},
                   label=f"extend with {SHORT[method]}")  # fmt: skip
    if method in STYLES:  # the look of its line
        x, y, length = pen.pick((frame.x + 3, frame.y, frame.width - 6), (frame.x + 9, frame.y + frame.height / 2, 18))
        yield pen.line(f"sample-{method}", x, y, x + length, y, STYLES[method])
    texts = (SHORT[method], str(other.unseen.sum()), degrees(float(other.new_theta[0])))
    for column, (words, (x, y)) in enumerate(zip(texts, places, strict=True)):
        role = "hot strong" if here and column == 0 else "label"
        yield pen.text(f"choice-{method}-{column}", x, y, words, role, anchor="middle")
