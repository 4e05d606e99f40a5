"""The picture: the plane of the two weights, what can be stored in it, and ellipses of equal error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from loom.draw import Axis, Box, Mark, Pen, headline, memoized, number
from loom.scene import Moment

from .model import WEIGHTS, Case

SPAN = (-0.5, 1.5)
AXIS = Axis("weight", span=SPAN, clip=True)
CODES = tuple((one, two) for one in (0, 1) for two in (0, 1))  # what weights between 0 and 1 can come to
MOST = 2.0  # steps: the longest bar
WAY = ("weights", "first", "second", "rounded")  # the chapters
Point = tuple[float, float]


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the plane, and the place of the errors."""

    plane: Box
    answer: Point
    rows: Box

    def at(self, one: float, two: float) -> Point:
        box = self.plane
        return (box.x + AXIS.normalize(one) * box.width, box.bottom - AXIS.normalize(two) * box.height)

    @cached_property
    def rail(self) -> list[Point]:
        """The places of all weights."""
        return [self.at(one, two) for one in WEIGHTS for two in WEIGHTS]


NARROW = Stage(328, Box(74, 40, 176, 176), (0, 24), Box(0, 256, 328, 62))
WIDE = Stage(840, Box(110, 16, 280, 280), (480, 48), Box(480, 160, 352, 136))


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, case = NARROW if width == NARROW.width else WIDE, moment.result
    yield from _plane(stage, case)
    yield from _contour(stage, case, "plain", case.plain_error)
    if moment.since("first"):
        yield from _contour(stage, case, "best", error_here(moment))
    yield from _way(stage, moment)
    yield from _knob(stage, case.one, case.two)
    yield from _errors(stage, case, moment.since("rounded"))
    yield from _answer(stage, moment)


@memoized
def _knob(stage: Stage, one: float, two: float) -> Iterator[Mark]:
    yield stage.knob("weights", *stage.at(one, two), ("one", "two"), stage.rail, label="The two weights")


@memoized
def _plane(stage: Stage, case: Case) -> Iterator[Mark]:
    """What can be stored: the crossings of whole numbers."""
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
        yield stage.circle(f"code{at}", *stage.at(one, two), 4, "axis", read=_told(case, one, two))
    yield stage.text("one-name", box.right, box.bottom + stage.size + 2, "first", "label", anchor="end")
    yield stage.text("two-name", box.x - 6, box.y + stage.size, "second", "label", anchor="end")


@memoized
def _contour(stage: Stage, case: Case, key: str, error: float) -> Iterator[Mark]:
    """Equal error: through the nearest codes, or through the place that the weights have come to."""
    role = {"plain": "dropped dashed", "best": "work steady"}[key]
    yield stage.strokes(key, _pieces(stage, case.contour(error).tolist()), role)


def _pieces(stage: Stage, points: list[list[float]]) -> list[list[Point]]:
    """The parts of a curve that lie in the plane, up to its edges."""
    pieces: list[list[Point]] = [[]]
    for (here, within), (there, next_within) in pairwise((point, _within(point)) for point in points):
        if within:
            pieces[-1].append(stage.at(*here))
        if within != next_within:
            pieces[-1].append(stage.at(*_edge(here, there) if within else _edge(there, here)))
            if within:
                pieces.append([])
    if _within(points[-1]):  # where the curve begins, too
        pieces[-1].append(stage.at(*points[-1]))
        if len(pieces) > 1:
            pieces[0] = pieces.pop() + pieces[0]
    return [piece for piece in pieces if len(piece) > 1]


def _within(point: list[float]) -> bool:
    one, two = point
    return SPAN[0] <= one <= SPAN[1] and SPAN[0] <= two <= SPAN[1]


def _edge(within: list[float], beyond: list[float]) -> Point:
    """Where a line leaves the plane."""
    ends = [min(max(end, SPAN[0]), SPAN[1]) for end in beyond]
    share = min((end - start) / (far - start)
                for start, far, end in zip(within, beyond, ends, strict=True) if far != end)  # fmt: skip
    one, two = (start + share * (far - start) for start, far in zip(within, beyond, strict=True))
    return one, two


def _ends(case: Case) -> list[Point]:
    """Where the weights are at the end of each chapter: as they were, across, along, and at their code."""
    first, second = case.chosen.tolist()
    return [(case.one, case.two), (first, case.two), (first, case.moved), (first, second)]


def place_of(moment: Moment) -> Point:
    """Where the two weights have come to."""
    ends = _ends(moment.result)
    (one, two), (to, up) = ends[max(WAY.index(moment.phase) - 1, 0)], ends[WAY.index(moment.phase)]
    return one + moment.progress * (to - one), two + moment.progress * (up - two)


def error_here(moment: Moment) -> float:
    """How far off the output is there."""
    return moment.result.error_of(*place_of(moment))


def _way(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """From the weights to where they are now."""
    at = WAY.index(moment.phase)
    steps, now = [stage.at(*end) for end in _ends(moment.result)], stage.at(*place_of(moment))
    yield stage.path("way", [*steps[: max(at, 1)], *[now] * (4 - max(at, 1))], "work thick steady")
    yield stage.circle("here", *now, 5, "work steady")


def _told(case: Case, one: int, two: int) -> str:
    return f"stored as {one} and {two}: the output is off by {_short(case.error_of(one, two))}"


def _short(error: float) -> str:
    return number(float(f"{error:.2g}"))


@memoized
def _errors(stage: Stage, case: Case, rounded: bool) -> Iterator[Mark]:
    """How far off the output is for each crossing, on one scale for all weights."""
    box, tall = stage.rows, stage.pick(9, 16)
    words = stage.pick("error of the output, stored as", "error of the output if the two are stored as")
    yield stage.text("errors", box.x, box.y - stage.pick(8, 12), words, "note")
    for at, ((one, two), row) in enumerate(zip(CODES, box.rows(len(CODES)), strict=True)):
        code, error, middle = [one, two], case.error_of(one, two), row.y + row.height / 2
        chosen = rounded and code == case.chosen.tolist()
        role, name = ("work", "GPTQ") if chosen else ("data soft", "")
        if code == case.nearest.tolist():
            role, name = ("work", "GPTQ, and the nearest") if chosen else ("dropped", "each at its nearest")
        left = box.x + stage.pick(52, 70)
        bar = Box(left, middle - tall / 2, max(error / MOST * (box.width - stage.pick(190, 220)), 1.0), tall)
        yield stage.text(f"stored{at}", box.x, middle, f"{one} and {two}", "label", middle=True)
        yield stage.rect(f"bar{at}", bar, role, round=1, read=_told(case, one, two))
        words = _short(error)
        yield stage.text(f"bar{at}-value", bar.right + 6, middle, words, "value", middle=True)
        if name:
            x = bar.right + 14 + stage.text_width(words)
            yield stage.text(f"bar{at}-name", x, middle, name, role, middle=True)


def _answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """How far off the output is where the weights are now, and what the chapter has done to them."""
    case, (x, y), start = moment.result, stage.answer, moment.phase == "weights"
    amount, role = _short(case.plain_error if start else error_here(moment)), "dropped" if start else "work"
    off, up = (number(round(value, 9)) for value in (case.one - float(case.nearest[0]), case.moved - case.two))
    second = {
        "weights": "with each at its nearest",
        "first": f"the first weight is off by {off}" if off != "0" else "the first weight stays",
        "second": f"the second moves by {up}" if up != "0" else "the second stays",
        "rounded": f"{_short(case.plain_error)} with each at its nearest",
    }[moment.phase]
    lines = ["steps: error of the output (RMS)", second if moment.progress == 1 else ""]
    rest = "dropped strong" if moment.phase == "rounded" else "label"
    yield from headline(stage, x, y, amount, lines, role, widest=["0.99"], under=not stage.narrow, rest=rest)
