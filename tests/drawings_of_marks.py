"""Small drawings of marks and of what is built of them without a plot; `tests/drawings.py` keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from loom.draw import (
    Axis,
    Bar,
    Box,
    Grid,
    Handle,
    Lanes,
    Mark,
    Pen,
    Plot,
    Span,
    bracket,
    cell,
    count,
    dodge,
    fixed,
    hatching,
    headline,
    horizontal_bars,
    listed,
    matrix,
    number,
    paragraph,
    percent,
    power,
    quantity,
    side_labels,
    significant,
    square_grid,
    superscript,
    times,
    trimmed,
    vertical_bars,
)

PEN = Pen(328)
TIMES = np.linspace(0, 8, 33)


def marks() -> Iterator[Mark]:
    """The five marks, in modifiers that change how they are drawn."""
    yield PEN.rect("box", Box(0, 10, 40, 30), "work soft", wait=3)
    yield PEN.circle("dot", 70, 25, 15, "memory outline", read="70 to the right")
    yield PEN.line("line", 100, 40, 140, 10, "axis dashed")
    yield PEN.path("open", [(160, 40), (180, 10), (200, 40)], "data thin")
    yield PEN.path("closed", [(210, 40), (230, 10), (250, 40)], "data thick", close=True)
    yield PEN.path("filled", [(260, 40), (280, 10), (300, 40)], "hot soft solid", close=True)
    yield PEN.text("words", 328, 60, "words", "value strong", anchor="end", middle=True)


def many_as_one() -> Iterator[Mark]:
    """Seats, some of them taken, steps beside them, two that are filled, and an outline with a hole."""
    seats = Grid(Box(30, 10, 200, 62), 3, 8, gap=4)
    boxes = [seats.nth(at) for at in range(24)]
    yield PEN.outlines("seats", boxes)
    yield PEN.hatches("taken", boxes[3:15:2])
    yield PEN.hatch("last", boxes[23], "quiet", gap=3)
    yield PEN.strokes("steps", [[(0, y), (20, y)] for y in range(10, 70, 8)], "axis thin")
    yield PEN.strokes("mine", [box.corners for box in boxes[17:19]], "hot solid")
    hole = Box(270, 25, 20, 30).corners[:4]
    yield PEN.outline("ring", [Box(250, 10, 60, 60).corners[:4], hole[::-1]], "kept soft solid")


def hands() -> Iterator[Mark]:
    """A knob on its rail, a handle of two parameters, and a button."""
    rail = [(20.0 + 30 * at, 20.0 + 5 * at) for at in range(5)]
    yield PEN.knob("knob", *rail[3], "hour", rail, "choose an hour")
    places = tuple((200.0 + 30 * across, 30.0 + 30 * down) for down in range(2) for across in range(3))
    yield PEN.rect("window", Box(215, 45, 30, 30), "hot outline", handle=Handle(("row", "column"), places))
    yield PEN.rect("button", Box(20, 60, 60, 26), "cell", set={"hour": 12, "late": True}, label="go to noon")


def lines_that_grow() -> Iterator[Mark]:
    """Three quarters of a curve, of stairs, of a path and of a hatching, and what they are compared with."""
    plot = Plot(PEN, Box(44, 30, 270, 120), Axis("time", "s", (0, 8)), Axis("swing", "m", (-1, 1)))
    swing = np.exp(-TIMES / 4) * np.cos(2 * TIMES)
    yield plot.hspan("allowed", -0.25, 0.25)
    yield from plot.axes()
    yield from plot.hline("most", 0.75, "the most")
    yield plot.curve("curve", TIMES, swing, drawn=0.75)
    yield plot.stairs("stairs", TIMES[::4], swing[::4], "series-1", drawn=0.75)
    yield PEN.path("path", plot.places(TIMES, -swing), "series-2", drawn=0.75)
    clock = Box(44, 200, 270, 14)
    yield PEN.strokes("gone", hatching(clock, clock.x, clock.x + 0.75 * clock.width), "pad")


def bars() -> Iterator[Mark]:
    """Bars both ways, one with what it was, one that is nothing."""
    lying = [Bar("a", "first", 10, "10 GB"), Bar("b", "the second", 2.5, "2.5 GB", "hot", ghost=5), Bar("c", "none", 0)]
    yield from horizontal_bars(PEN, Box(0, 10, 328, 70), lying, 10)
    standing = [Bar(f"day-{at}", day, cups, str(cups), ghost=2) for at, (day, cups) in
                enumerate(zip("MTWTF", (3, 2, 4, 0, 5), strict=True))]  # fmt: skip
    yield from vertical_bars(PEN, Box(0, 100, 328, 110), standing, 5)


def cells() -> Iterator[Mark]:
    """A matrix of squares, a cell of padding, one whose number has no room, and the cells of a grid."""
    words = [["1", "2", "3"], ["4", "", "123,456"]]
    roles = [["cell", "hot soft", "cell"], ["cell", "pad", "cell"]]
    yield from matrix(PEN, "m", square_grid(4, 10, 2, 3, 32), words, roles)
    grid = Grid(Box(140, 10, 180, 66), 2, 4, gap=6)
    yield from cell(PEN, "one", grid.cell(1, 2), "6", "work soft", text_role="hot", read="the seventh")
    yield PEN.outlines("others", [grid.nth(at) for at in range(8) if at != 6])


def lanes() -> Iterator[Mark]:
    """Two lanes with work and waiting, words where they have room, and a moment."""
    lanes = Lanes(PEN, Box(0, 14, 328, 60), ("copy", "compute"), 8)
    yield from lanes.draw()
    yield from lanes.spans(0, [Span("load", 0, 3, "memory soft", "load"), Span("more", 3, 3.5, "memory soft", "more")])
    yield from lanes.spans(1, [Span("wait", 0, 3, "pad"), Span("sum", 3, 8, "work soft", "sum")])
    yield lanes.now("now", 4)


def annotations() -> Iterator[Mark]:
    """Brackets under and over, labels that are pushed apart, their leaders, and a paragraph."""
    yield from bracket(PEN, "under", 4, 100, 30, "twelve bytes")
    yield from bracket(PEN, "over", 4, 100, 110, "a line", below=False, depth=4, role="hot")
    wanted = [20, 24, 26, 80]
    places = dodge(wanted, 1.25 * PEN.size, 14, 120)
    yield PEN.strokes("leaders", [[(120, y), (140, at)] for y, at in zip(wanted, places, strict=True)], "axis thin")
    yield from side_labels(PEN, "side", 144, wanted, ["one", "two", "three", "far from them"], 14, 120)
    yield from paragraph(PEN, "prose", 232, 20, "A few words in lines that are no wider than their room.", 96)


def headlines() -> Iterator[Mark]:
    """Large numbers: with a line beside them, with two, with room for a wider number, and with words under it."""
    yield from headline(PEN, 0, 30, "12 GB", "on each", "work", key="one")
    yield from headline(PEN, 0, 80, "4.9×", "as fast as what is read one by one", key="two", right=190, tone="note")
    yield from headline(PEN, 0, 130, "9%", ["idle", "of the time"], "dropped", key="wide", widest=["100%"], rest="note")
    yield from headline(PEN, 220, 80, "7", "banks of 32", key="under", under=True, size=PEN.large, shown=True)


def numbers() -> Iterator[Mark]:
    """Numbers as they are written."""
    written = [number(7.5004), significant(7.5004), trimmed("7.50"), fixed(-1234.5, 1), percent(12.5), times(2.5),
               power(2, -9), superscript(-9), quantity(6.87e10, "B"), count(2, "warp"),
               listed(["a", "b", "c"])]  # fmt: skip
    for at, words in enumerate(written):
        yield PEN.text(f"number-{at}", 164 * (at % 2), 20 + 20 * (at // 2), words, "value")


DRAWINGS: tuple[Callable[[], Iterator[Mark]], ...] = (
    marks, many_as_one, hands, lines_that_grow, bars, cells, lanes, annotations, headlines, numbers
)  # fmt: skip
