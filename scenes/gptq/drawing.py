"""The picture: the plane of the two weights, and beside it how the error depends on the second of them."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, headline, memoized, number
from loom.scene import Moment

from .model import Case, moved
from .stage import NARROW, SPAN, WIDE, Point, Stage, pieces

CODES = tuple((one, two) for one in (0, 1) for two in (0, 1))  # what weights between 0 and 1 can come to
AROUND = (-2.0, -0.7, -0.36, -0.18, -0.08, 0.0, 0.08, 0.18, 0.36, 0.7, 2.0)  # the least error: close where it bends
WAY = ("weights", "first", "second", "rounded")  # the chapters


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, case = NARROW if width == NARROW.width else WIDE, moment.result
    yield from _plane(stage, case)
    first = moment.phase == "weights"
    yield from _contour(stage, case, *(("plain", case.plain_error) if first else ("best", error_here(moment))))
    yield from _profile(stage, moment)
    yield from _way(stage, moment)
    yield from _knob(stage, case.one, case.two)
    yield from _answer(stage, moment)


@memoized
def _knob(stage: Stage, one: float, two: float) -> Iterator[Mark]:
    yield stage.knob("weights", *stage.at(one, two), ("one", "two"), stage.rail, label="The two weights")


@memoized
def _plane(stage: Stage, case: Case) -> Iterator[Mark]:
    """What can be stored, the crossings of whole numbers, and a dashed line to the nearest."""
    box, right = stage.plane, stage.profile.right
    yield stage.rect("plane", box, "cell soft", round=0)
    lines = []
    for whole in (0, 1):
        (x, y), words = stage.at(whole, whole), number(whole)
        lines += [[(x, box.y), (x, box.bottom)], [(box.x, y), (right, y)]]
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
def _contour(stage: Stage, case: Case, key: str, error: float) -> Iterator[Mark]:
    """Equal error: through the nearest codes, then through the place that the weights have come to."""
    role = {"plain": "dropped dashed", "best": "work steady"}[key]
    yield stage.strokes(key, pieces(stage, case.contour(error).tolist()), role)


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
    """From the weights to where they are now, and across to their error there."""
    at, (one, two) = WAY.index(moment.phase), place_of(moment)
    steps, now = [stage.at(*end) for end in _ends(moment.result)], stage.at(one, two)
    across = stage.off(error_here(moment), two)
    yield stage.path("way", [*steps[: max(at, 1)], *[now] * (4 - max(at, 1))], "work thick steady")
    yield stage.path("across", [now, across], "work dashed steady")
    yield stage.circle("here", *now, 5, "work steady")
    yield stage.circle("off", *across, 5, "work steady")


def _told(case: Case, one: int, two: int) -> str:
    return f"stored as {one} and {two}: the output is off by {short(case.error_of(one, two))}"


def short(error: float) -> str:
    """An error as the picture and its sentence say it."""
    return number(float(f"{error:.2g}"))


def _profile(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The error with the first weight where it is now, and each second; on it what is stored, once it has come there.

    Both ways round the first to its nearest, so both ends lie on one curve.
    """
    case, box, (one, _) = moment.result, stage.profile, place_of(moment)
    words = stage.pick("error, first at", "error with the first at")
    yield stage.text("profile-name", box.x, box.y - 7, f"{words} {number(one, 2)}", "label")
    yield stage.line("profile-zero", box.x, box.y, box.x, box.bottom, "axis")
    least = moved(case.weights, one, case.alike)
    seconds = [min(max(least + by, SPAN[0]), SPAN[1]) for by in AROUND]
    yield stage.path("profile", [stage.off(case.error_of(one, two), two) for two in seconds], "data thin steady")
    if moment.past("first") < 1:
        return
    nearest, chosen = (int(codes[1]) for codes in (case.nearest, case.chosen))
    ends = {nearest: ("each at its nearest", "nearest", "dropped")}
    if moment.past("rounded") == 1:
        same = chosen == nearest
        ends[chosen] = ("GPTQ, and the nearest", "both", "work") if same else ("GPTQ", "GPTQ", "work")
    for second, (name, brief, role) in sorted(ends.items()):
        error = case.error_of(float(case.nearest[0]), second)
        x, y = stage.off(error, second)
        if role == "dropped":  # GPTQ's has the circle of the way that led there
            yield stage.circle(f"end{second}", x, y, 4, role)
        yield stage.text(f"end{second}-value", x + 11, y, short(error), f"{role} strong", middle=True)
        within = y + (14 if second > case.moved else -14)  # on a phone: to where the curve opens
        place = stage.pick((x + 11, within), (x + 19 + stage.text_width(short(error), strong=True), y))
        yield stage.text(f"end{second}-name", *place, stage.pick(brief, name), role, middle=True)


def _answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """How far off the output is where the weights are now, and what the chapter has done to them."""
    case, (x, y), start = moment.result, stage.answer, moment.phase == "weights"
    amount, role = short(case.plain_error if start else error_here(moment)), "dropped" if start else "work"
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
