"""Fields: a number at every place of a plot, as shades of one colour scale or as lines of equal height."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from loom.draw.axes import Plot, tick_row
from loom.draw.axis import Axis, labelled
from loom.draw.box import Box
from loom.draw.finite import finite
from loom.draw.lines import sign
from loom.draw.marks import LEVELS, SIDE, Mark, Point
from loom.draw.pen import Pen
from loom.expected import Between, Mistaken

EVENLY = 8  # the rings of a shade are padded to a multiple of this: the player can then change the path in place
Rows = Sequence[Sequence[float]]
Shades = Annotated[int, Between(2, LEVELS)]


def shade_role(at: int, levels: Shades = LEVELS, *, diverging: bool = False) -> str:
    """The role of shade `at` of `levels`, counted from 0 for the least; at most sixteen can be told apart.

    On the `diverging` scale, half of the shades lie below the middle.
    """
    if not diverging:
        return f"level-{round(at * (LEVELS - 1) / (_known(levels) - 1))}"
    half = _known(levels, diverging) // 2
    away = at - half + 1 if at >= half else half - at
    return f"{'above' if at >= half else 'below'}-{round(away * SIDE / half)}"


def field(plot: Plot, key: str, values: Rows, shade: Axis, *, levels: Shades = 12,
          cells: bool = False) -> Iterator[Mark]:  # fmt: skip
    """A field over a whole plot: `values[row][column]`, the first row at the bottom, evenly spread as its axes measure.

    Every shade is one mark, an area as high or higher, painted over the one below; it says its span when it is pointed
    at. The first and the last number of a row stand on the sides of the plot, and between two numbers the field changes
    evenly; with `cells` each number has a box of its own. NaN is where there is nothing.
    `shade` is what the colour scale measures; `colorbar` draws it. If it is `diverging`, the middle of its span lies
    between two shades, and signs stand where the field is over half of the way to either end.
    """
    # Imported here, so that a build that computes no scene does not import numpy.
    from loom.draw.terrain import areas, grid, is_whole, measured, signs

    heights = measured(grid(values), shade)
    edges = [words for _, words in labelled(shade.samples(_known(levels, shade.diverging) + 1), shade.signed)]
    for at in range(levels):
        role = shade_role(at, levels, diverging=shade.diverging)
        read = f"{shade.label}: {edges[at]} to {edges[at + 1]} {shade.unit}".rstrip()
        if at == 0 and is_whole(heights):
            yield plot.pen.rect(f"{key}-0", plot.box, role, round=0, read=read)
        else:
            rings = areas(heights, at / levels, plot.box, cells)
            nothing = [[plot.box[:2]] * 2] * (-len(rings) % EVENLY)
            yield plot.pen.outline(f"{key}-{at}", [*rings, *nothing], role, read=read)
    if shade.diverging:
        gap = 14 if cells else plot.pen.pick(20, 26)
        yield plot.pen.strokes(f"{key}-signs", signs(heights, plot.box, cells, gap), "sign")


def contours(plot: Plot, key: str, values: Rows, heights: Sequence[float], role: str = "axis",
             labels: bool = False) -> Iterator[Mark]:  # fmt: skip
    """Contour lines of a field, one mark for each height; with `labels`, each has its number where there is room."""
    from loom.draw.terrain import grid, lines

    finite(f"the contours '{key}'", heights=heights)
    numbers, taken = grid(values), list[Point]()
    for at, (height, words) in enumerate(labelled([float(one) for one in heights])):
        drawn = lines(numbers, height, plot.box)
        yield plot.pen.strokes(f"{key}-{at}", drawn, role)
        middles = [line[len(line) // 2] for line in drawn if labels]
        if free := [middle for middle in middles if _is_free(plot, middle, words, taken)]:
            taken.append(free[0])
            yield plot.pen.text(f"{key}-{at}-label", *free[0], words, "note halo", anchor="middle", middle=True)


def _is_free(plot: Plot, place: Point, words: str, taken: Sequence[Point]) -> bool:
    """Whether a label has room at a place: within the plot, and clear of the labels `taken`."""
    (x, y), room, size = place, plot.pen.text_width(words), plot.pen.size
    inner = plot.box.inset(room / 2, size, room / 2, size)
    apart = all(abs(x - other) > room + 6 or abs(y - down) > 1.4 * size for other, down in taken)
    return apart and inner.x < x < inner.right and inner.y < y < inner.bottom


def colorbar(pen: Pen, key: str, box: Box, shade: Axis, *, levels: Shades = 12, ticks: int = 4) -> Iterator[Mark]:
    """The colour scale of a field: its shades side by side in a box, its title over them, numbers below."""
    both = shade.diverging
    for at, strip in enumerate(box.columns(_known(levels, both))):
        lap = 0.5 if at < levels - 1 else 0  # overlap with the next, so that no seam shows
        role = shade_role(at, levels, diverging=both)
        yield pen.rect(f"{key}-{at}", strip._replace(width=strip.width + lap), role, round=0)
    if both:
        middle, far = box.y + box.height / 2, 3 * box.width / 8  # of the outer half of either side
        ends = [sign((box.x + box.width / 2 + way * far, middle), way) for way in (-1, 1)]
        yield pen.strokes(f"{key}-signs", [stroke for end in ends for stroke in end], "sign")
    labels = labelled(shade.tick_values(ticks), shade.signed)
    yield from tick_row(
        pen, key, box, [(box.x + shade.normalize(tick) * box.width, tick, words) for tick, words in labels]
    )
    yield pen.text(f"{key}-title", box.x, box.y - 0.5 * pen.size, shade.title, "note")


def _known(levels: int, diverging: bool = False) -> int:
    if not 2 <= levels <= LEVELS:
        raise Mistaken((f"a colour scale has {levels} shades", f"choose 2 to {LEVELS}"))
    if diverging and levels % 2:
        raise Mistaken((f"a colour scale that goes both ways has {levels} shades", "choose an even number of them"))
    return levels
