"""The picture: the plane of the two weights, what can be stored in it, and ellipses of equal error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from loom.draw import Axis, Box, Mark, Pen, kept, number
from loom.scene import Moment

from .model import WEIGHTS, Case

SPAN = (-0.75, 1.75)
AXIS = Axis("weight", span=SPAN, clip=True)


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the plane."""

    plane: Box
    answer: tuple[float, float]

    def at(self, one: float, two: float) -> tuple[float, float]:
        box = self.plane
        return (box.x + AXIS.share(one) * box.width, box.bottom - AXIS.share(two) * box.height)


NARROW = Stage(328, Box(52, 62, 224, 224), (0, 24))
WIDE = Stage(840, Box(110, 16, 280, 280), (480, 60))


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, case = NARROW if width == NARROW.width else WIDE, moment.result
    yield from _plane(stage)
    yield from _contours(stage, moment)
    yield from _way(stage, moment)
    yield from _hand(stage, case.one, case.two)
    if moment.since("rounded"):
        yield from _answer(stage, case)


@kept
def _hand(stage: Stage, one: float, two: float) -> Iterator[Mark]:
    rail = [stage.at(*weights) for weights in product(WEIGHTS, WEIGHTS)]
    yield stage.knob("weights", *stage.at(one, two), ("one", "two"), rail, label="The two weights")


@kept
def _plane(stage: Stage) -> Iterator[Mark]:
    """What can be stored: the crossings of whole numbers."""
    box = stage.plane
    lines = []
    for whole in (0, 1):
        (x, y), words = stage.at(whole, whole), number(whole)
        lines += [[(x, box.y), (x, box.bottom)], [(box.x, y), (box.right, y)]]
        yield stage.text(f"one-{whole}", x, box.bottom + stage.size + 2, words, "note", anchor="middle")
        yield stage.text(f"two-{whole}", box.x - 6, y, words, "note", anchor="end", middle=True)
    yield stage.strokes("wholes", lines, "grid")
    for at, (one, two) in enumerate((one, two) for one in (0, 1) for two in (0, 1)):
        yield stage.circle(f"code{at}", *stage.at(one, two), 4, "axis")
    yield stage.text("one-name", box.right, box.bottom + stage.size + 2, "first", "label", anchor="end")
    yield stage.text("two-name", box.x - 6, box.y + stage.size, "second", "label", anchor="end")


def _contours(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Equal error: through the nearest codes, and at last through those that are chosen."""
    case: Case = moment.result
    for key, error, role in (("plain", case.plain_error, "dropped outline"), ("best", case.error, "work outline")):
        if key == "best" and not moment.since("rounded"):
            continue
        yield stage.strokes(key, _pieces(stage, case.contour(error).tolist()), role)


def _pieces(stage: Stage, points: list[list[float]]) -> list[list[tuple[float, float]]]:
    """The parts of a curve that lie in the plane."""
    pieces: list[list[tuple[float, float]]] = [[]]
    for one, two in points:
        if SPAN[0] <= min(one, two) and max(one, two) <= SPAN[1]:
            pieces[-1].append(stage.at(one, two))
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if len(piece) > 1]


def _way(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """From the weights to what is stored: across, along, and to the code."""
    case: Case = moment.result
    first, moved = stage.at(case.nearest[0], case.two), stage.at(case.nearest[0], case.moved)
    steps = [stage.at(case.one, case.two), first, moved, stage.at(*case.chosen)]
    seen = 1 + sum(moment.since(name) for name in ("first", "second", "rounded"))
    if seen > 1:
        yield stage.path("way", steps[:seen], "work thick")
        yield stage.circle("here", *steps[seen - 1], 5, "work")


@kept
def _answer(stage: Stage, case: Case) -> Iterator[Mark]:
    x, y = stage.answer
    words = number(float(f"{case.error:.2g}"))
    yield stage.text("error", x, y, words, "work strong answer", size=stage.huge)
    beside = stage.pick((x + stage.room(words, size=stage.huge, strong=True) + 10, y - 10), (x, y + 24))
    yield stage.text("error-name", *beside, "steps: error of the output (RMS)", "label")
    plain = f"{number(float(f'{case.plain_error:.2g}'))} with each at its nearest"
    yield stage.text("plain-name", beside[0], beside[1] + stage.pick(15, 24), plain, "dropped strong")
