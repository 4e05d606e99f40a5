"""Where things stand, and what is beside the matrix: sums and operations, a million weights, and outputs."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, fixed, headline
from loom.scene import Moment

from .case import ACTIVATIONS, BINS, COLUMNS, DENSE, REACH, ROWS, SAMPLE, Picked
from .narration import trit
from .pace import ERROR, KNOWN, MILLION, ONES, averaged, has_come, sorted_out

GAMMAS = 3.1  # a weight of so many γ is as tall as its row
LINES = (1, -1, 0)  # where activations go, from the upper line down: into a sum, the other, or none


class Stage:
    """The geometry. A column is the same weight's and the same activation's all the way down."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.left, self.pitch = pen.pick((15, 28), (54, 41))  # of the columns; from one to the next
        self.right = self.left + COLUMNS * self.pitch
        self.xs = [self.left + (column + 0.5) * self.pitch for column in range(COLUMNS)]  # their middles
        self.half = self.pitch * 0.3  # of a bar's width
        top, tall, gap = pen.pick((20, 15, 2), (24, 22, 3))
        self.bands = Box(self.left, top, COLUMNS * self.pitch, 0).vstack(*[tall - gap] * ROWS, gap=gap)  # the matrix
        self.title = pen.pick(11, 13)  # the baseline of what heads the stage, and a panel
        self.line = pen.pick(16, 20)  # from one line of words to the next
        bottom, size = self.bands[-1].bottom, pen.size
        # Baselines of the picked row's weights and of the activations.
        self.lines = pen.pick((bottom + size + 4, bottom + 2 * size + 7), (bottom + 22, bottom + 42))
        under, height = pen.pick((8, 50), (14, 118))
        self.walk = Box(self.left, self.lines[1] + under, COLUMNS * self.pitch, height)  # of the picked row's bars
        below, beside = Box(0, self.walk.bottom + 8, pen.width, 118), Box(528, 0, pen.width - 528, self.walk.bottom)
        self.panel = pen.pick(below, beside)  # what else the step is about
        indent, top = pen.pick((58, below.y + self.title + self.line), (68, self.lines[0] + self.line + 22))
        self.sums = Box(self.panel.x + indent, top, self.panel.width - indent, 3 * self.line)

    def square(self, row: int, column: int, gammas: float) -> Box:
        """The square of a weight: its area is the weight's magnitude, in units of γ."""
        band = self.bands[row]
        side = max(band.height * (gammas / GAMMAS) ** 0.5, 2.5)
        return Box(self.xs[column] - side / 2, band.y + (band.height - side) / 2, side, side)


def places_in_sums(stage: Stage, pick: Picked) -> list[tuple[float, float]]:
    """Where each activation goes: behind those that are added, or subtracted, or left out before it."""
    counts, places = {1: 0, -1: 0, 0: 0}, []
    for sign in pick.trits.tolist():
        x = stage.sums.x + stage.pen.pick(26, 30) * (counts[sign] + 0.5)
        places.append((x, stage.sums.y + stage.line * LINES.index(sign)))
        counts[sign] += 1
    return places


def draw_ledger(stage: Stage, moment: Moment, gone: int, done: int) -> Iterator[Mark]:
    """Two sums that the activations go into, and a line for those that go into none.

    `gone` of them have left their columns, and `done` have arrived; a sum makes way for the one that is on its way.
    """
    pen, box, pick = stage.pen, stage.panel, moment.result
    x, y = box.x, stage.sums.y
    yield pen.text("ledger", x, y - stage.line, f"row {pick.row} times x: no multiplication", "label strong")
    for sign, name in zip(LINES, ("add", "subtract", "leave out"), strict=True):
        line = y + stage.line * LINES.index(sign)
        yield pen.text(f"m{sign}", x, line, name, "label" if sign else "note")
        mine = pick.trits[:done] == sign
        if sign and mine.any():
            behind = stage.sums.x + pen.pick(26, 30) * int((pick.trits[:gone] == sign).sum()) + 4
            total = int(ACTIVATIONS[:done][mine].sum())
            yield pen.text(f"l{sign}", behind, line, f"= {total}", "value strong")
    if done == COLUMNS:
        added, subtracted = (int(ACTIVATIONS[pick.trits == sign].sum()) for sign in (1, -1))
        words = f"{added} − {subtracted} = {fixed(pick.sum, 0)}"
        yield pen.text("l", stage.sums.x + 4, y + 3 * stage.line, words, "value strong answer")


def draw_operations(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """All rows: how many multiplications are left, a bar as long as the dense product's, and what is left of it."""
    pen, box = stage.pen, stage.panel
    words = f"multiplications, not {DENSE}, for all {ROWS} rows"
    yield from headline(pen, box.x, pen.pick(box.bottom - 4, 28.0), str(ROWS), [words], "work")
    if pen.narrow:
        return
    plus, minus, nothing = moment.result.case.operations
    bars = [
        ("", [("x", ROWS, "work"), ("y", DENSE - ROWS, "ghost")]),
        (f"{plus} additions, {minus} subtractions, {nothing} left out",
         [("p", plus, "work"), ("m", minus, "work outline"), ("z", nothing, "ghost")]),
    ]  # fmt: skip
    for at, (name, pieces) in enumerate(bars):
        row = Box(box.x, 38 + 62 * at, box.width, 18)
        if name:
            yield pen.text(f"o{at}", box.x, row.y - 7, name, "label")
        places = row.hstack(*(box.width * number / DENSE for _, number, _ in pieces))
        for (key, _, role), place in zip(pieces, places, strict=True):
            yield pen.rect(f"o{key}", place.inset(right=1), role, round=0)


def draw_histogram(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """How many of a million weights have each size, in units of γ, and what becomes of them."""
    pen, box, case, counted = stage.pen, stage.panel, moment.result.case, has_come(moment, "rounded", MILLION)
    words = f"{SAMPLE:,} such weights" + " become" * (sorted_out(moment) and not counted)
    yield pen.text("many", box.x, box.y + stage.title, words, "note")
    yield from draw_share(stage, moment)
    over, under = pen.pick((38, 34), (64, 84))
    plot = box.inset(top=over, bottom=under)
    unit, middle = plot.width / (2 * REACH), plot.x + plot.width / 2
    yield pen.line("floor", plot.x, plot.bottom, plot.right, plot.bottom, "axis")
    heights = plot.bottom - plot.height * case.histogram / case.histogram.max()
    edges = [(plot.x + (at + side) * plot.width / BINS, y) for at, y in enumerate(heights) for side in (0, 1)]
    yield pen.path("bell", edges, "ghost" if counted else "data")
    if not has_come(moment, "gamma", KNOWN):
        return
    cuts = [[(x, plot.y - 6), (x, plot.bottom)] for x in (middle - unit / 2, middle + unit / 2)]
    yield pen.strokes("cuts", cuts, "axis dashed")
    # Each of the three values: which weights become it, or how many [%] have; half of them would fill the plot.
    for value, share, name in zip((-1, 0, 1), case.shares, ("−γ", "0", "γ"), strict=True):
        place, above, words = middle + value * unit, middle + value * unit * 1.9, trit(value)
        if moment.phase == "rounded":  # from the first beat, flat: so that they grow
            tall = counted * min(share / 50, 1.0) * plot.height
            bar = ("dropped", "data", "data outline")[value]
            yield pen.rect(f"h{value}", Box(place - 0.2 * unit, plot.bottom - tall, 0.4 * unit, tall), bar, round=0,
                           read=f"{share:.1f}% of {SAMPLE:,} weights become {trit(value)}" * counted)  # fmt: skip
        if has_come(moment, "rounded", ERROR):
            above, words = place, f"{share:.1f}%"
        role = "label" if value else "dropped strong"
        if sorted_out(moment):
            yield pen.text(f"hs{value}", above, plot.y - 10, words, role, anchor="middle")
        yield pen.text(f"hx{value}", place, plot.bottom + pen.size + 4, name, "note", anchor="middle")


def draw_share(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The mean so far, and what everything is divided by; once it is rounded, how much of it is gone."""
    pen, box, case = stage.pen, stage.panel, moment.result.case
    done = averaged(moment)
    if not done:
        return
    amount, words, role = fixed(float(abs(case.weights[:done]).mean()), 3), "γ, the mean magnitude", "value"
    if done < ROWS:
        words = "mean magnitude so far"
    if has_come(moment, "rounded", ONES):
        amount, words, role = str(case.operations.nothing), f"of {DENSE} become 0", "dropped"
    if has_come(moment, "rounded", ERROR):
        amount, role = f"{case.fidelity.zeros:.1f}%", "dropped"
        words = f"become 0; the error is {case.fidelity.error:.0f}%"
    y = box.bottom - pen.pick(2, 14)
    yield from headline(pen, box.x, y, amount, [words], role, key="share", widest=["00.0%"])
