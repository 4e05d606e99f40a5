"""The picture: the plane of the two weights, and beside it how their errors add up in the output, input by input."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, headline, memoized, number
from loom.scene import Moment

from .model import INPUTS, Case, moved
from .stage import NARROW, SPAN, WIDE, Point, Stage

CODES = tuple((one, two) for one in (0, 1) for two in (0, 1))  # what weights between 0 and 1 can come to
WAY = ("weights", "first", "second", "rounded")  # the chapters


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, case = NARROW if width == NARROW.width else WIDE, moment.result
    yield from _plane(stage, case)
    yield from _rows(stage, case)
    yield from _bars(stage, moment)
    yield from _way(stage, moment)
    yield from _knob(stage, case.one, case.two)
    yield from _answer(stage, moment)


@memoized
def _knob(stage: Stage, one: float, two: float) -> Iterator[Mark]:
    yield stage.knob("weights", *stage.at(one, two), ("one", "two"), stage.rail, label="The two weights")


@memoized
def _plane(stage: Stage, case: Case) -> Iterator[Mark]:
    """What can be stored, the crossings of whole numbers, and a dashed line to the nearest."""
    box = stage.plane
    yield stage.rect("plane", box, "cell soft", round=0)
    lines = []
    for whole in (0, 1):
        (x, y), words = stage.at(whole, whole), number(whole)
        lines += [[(x, box.y), (x, box.bottom)], [(box.x, y), (box.right, y)]]
        yield stage.text(f"one-{whole}", x, box.bottom + stage.size + 2, words, "note", anchor="middle")
        yield stage.text(f"two-{whole}", box.x - 6, y, words, "note", anchor="end", middle=True)
    yield stage.strokes("wholes", lines, "grid")
    for at, (one, two) in enumerate(CODES):
        role = "dropped" if [one, two] == case.nearest.tolist() else "axis"
        yield stage.circle(f"code{at}", *stage.at(one, two), 4, role, read=_told(case, one, two))
    yield stage.text("one-name", box.right, box.bottom + stage.size + 2, "first", "label", anchor="end")
    yield stage.text("two-name", box.x, box.y - 7, "second", "label")
    first, second = case.nearest.tolist()
    yield stage.path("nearest", [stage.at(case.one, case.two), stage.at(first, second)], "dropped dashed")


@memoized
def _rows(stage: Stage, case: Case) -> Iterator[Mark]:
    """The zero of each row, and what its bars stand for."""
    yield stage.strokes("zeros", [[(stage.left, zero), (stage.right, zero)] for zero in stage.zeros], "axis thin")
    words = f"{INPUTS} inputs, correlation {number(case.alike)}"
    base = stage.pick(294, stage.plane.bottom + stage.size + 2)
    yield stage.text("inputs", stage.right, base, words, "note", anchor="end")


def _bars(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """For each input the error of the first weight, that of the second, and their sum, the error of the output."""
    case, (one, two) = moment.result, place_of(moment)
    (first, second), plain = case.pulls(one, two), moment.phase == "weights"
    rows = ((0, "first", "data solid steady", first), (1, "second", "data solid steady", second))
    tall = (0.5, 1.0, 1.0)  # steps, as far as a row reaches from its zero, times the largest input
    off = (number(round(one - case.one, 9), 2), number(round(two - case.two, 9), 2))
    pale = "" if plain else stage.pick("", " (pale: each at its nearest)")
    words = (f"{off[0]} × first input", f"{_plus(off[1])} × second input", f"= error of the output{pale}")
    for row, (reach, said) in enumerate(zip(tall, words, strict=True)):
        base = stage.zeros[row] - 1.72 * reach * stage.unit - stage.pick(6, 10)
        yield stage.text(f"row{row}", stage.left, base, said, "label")
    thick, thin = stage.pick((10, 4), (20, 10))
    for row, key, role, heights in rows:
        yield stage.strokes(key, stage.bars(row, heights, thick), role)
    nearest = case.pulls(one, two) if plain else case.pulls(*case.nearest.tolist())
    role = "dropped solid steady" if plain else "dropped solid soft steady"
    read = f"with each weight at its nearest the output is off by {short(case.plain_error)}"
    yield stage.strokes("plain", stage.bars(2, nearest.sum(axis=0), thick), role, read=read)
    if not plain:
        yield stage.strokes("sum", stage.bars(2, first + second, thin), "work solid steady")


def _plus(words: str) -> str:
    return f"− {words[1:]}" if words.startswith("−") else f"+ {words}"


def _ends(case: Case) -> list[Point]:
    """Where the weights are at the end of each of GPTQ's steps: as they were, across, along, and at their code."""
    first, second = case.chosen.tolist()
    return [(case.one, case.two), (first, case.two), (first, case.moved), (first, second)]


def place_of(moment: Moment) -> Point:
    """Where the two weights have come to: at first each to its nearest, then on GPTQ's way."""
    case, at = moment.result, WAY.index(moment.phase)
    ends = _ends(case)
    first, second = case.nearest.tolist()
    (one, two), (to, up) = (ends[at - 1], ends[at]) if at else (ends[0], (first, second))
    return one + moment.progress * (to - one), two + moment.progress * (up - two)


def error_here(moment: Moment) -> float:
    """How far off the output is there."""
    return moment.result.error_of(*place_of(moment))


def _way(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """From the weights to where they are now; dotted, the second that makes up best for each first."""
    case, at, now = moment.result, WAY.index(moment.phase), stage.at(*place_of(moment))
    if not at:
        yield stage.circle("off", *now, 5, "dropped steady")
        return
    yield from _best(stage, case)
    steps = [stage.at(*end) for end in _ends(case)]
    yield stage.path("way", [*steps[:at], *[now] * (4 - at)], "work thick steady")
    yield stage.circle("here", *now, 5, "work steady")


@memoized
def _best(stage: Stage, case: Case) -> Iterator[Mark]:
    """A line through the weights, whose slope is the correlation turned round, from edge to edge."""
    ends = []
    for edge in SPAN:
        far = moved(case.weights, edge, case.alike)
        held = min(max(far, SPAN[0]), SPAN[1])
        ends.append((edge if held == far else case.one + (case.two - held) / case.alike, held))
    yield stage.path("best", [stage.at(*end) for end in ends], "ghost")


def _told(case: Case, one: int, two: int) -> str:
    return f"stored as {one} and {two}: the output is off by {short(case.error_of(one, two))}"


def short(error: float) -> str:
    """An error as the picture and its sentence say it."""
    return number(float(f"{error:.2g}"))


def _answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """How far off the output is where the weights are now, and what the chapter has done to them."""
    case, (x, y), start = moment.result, stage.answer, moment.phase == "weights"
    amount, role = short(error_here(moment)), "dropped" if start else "work"
    off, up = (number(round(value, 9)) for value in (case.one - float(case.nearest[0]), case.moved - case.two))
    same = bool((case.chosen == case.nearest).all())
    second = {
        "weights": "with each at its nearest",
        "first": f"the first weight is off by {off}" if off != "0" else "the first weight stays",
        "second": f"the second moves by {up}" if up != "0" else "the second stays",
        "rounded": "as with each at its nearest" if same else f"{short(case.plain_error)} with each at its nearest",
    }[moment.phase]
    lines = ["steps: error of the output (RMS)", second if moment.progress == 1 else ""]
    rest = "dropped strong" if moment.phase == "rounded" and not same else "label"
    yield from headline(stage, x, y, amount, lines, role, widest=["0.99"], under=not stage.narrow, rest=rest)
