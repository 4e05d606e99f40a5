"""What has come at a beat: channels that are looked at, groups that grow, numbers that are rounded, rungs."""

from __future__ import annotations

from functools import cache

from loom.scene import Moment, evenly

from .model import SCALES
from .stored import Stored, store

LEAD = 0.25  # how long the picture before anything sets out stands [s]
STRETCHES, LOOK = 8, 2.4  # of the map that the look passes, and how long it takes [s]
GROW, HOLD = 0.35, 0.4  # that a group takes to grow, and that what it means for the window then stands [s]
PIECES, ROUND = 8, 2.0  # of the strip that are rounded one after another, and how long all of them take [s]
RUNG = 0.35  # that the bar of a rung takes [s]


def on_the_way(scale: str) -> tuple[str, ...]:
    """The groups that grow one out of the other up to the chosen one; a channel lies across the others."""
    if scale == "channel":
        return (scale,)
    along = [name for name in reversed(SCALES) if name != "channel"]
    return tuple(along[: along.index(scale) + 1])


def look_beats(_: Moment) -> tuple[float, ...]:
    """A stretch after the other; then the look is over."""
    return evenly(STRETCHES, LOOK, lead=LEAD, landed=True)


def group_beats(moment: Moment) -> tuple[float, ...]:
    """One number; then each group grows, and when it has, its window comes."""
    starts = [LEAD + (GROW + HOLD) * at for at in range(len(on_the_way(moment.result.scheme.scale)))]
    return (0.0, *(round(time, 2) for start in starts for time in (start, start + GROW)))


def rounding_beats(_: Moment) -> tuple[float, ...]:
    """A piece after the other; then the rungs; then what their numbers are without outliers."""
    rungs = (round(LEAD + ROUND + RUNG * (at + 1), 2) for at in range(len(SCALES)))
    return (*evenly(PIECES, ROUND, lead=LEAD, landed=True), *rungs)


def gap_beats(_: Moment) -> tuple[float, ...]:
    """The errors; then how far the numbers stand above them is measured; then it is told."""
    return (0.0, LEAD, LEAD + 2 * RUNG)


def looked(moment: Moment) -> tuple[float, float] | None:
    """How far the look has come and how far it is on its way to, as parts of the map; none if it is over."""
    if moment.phase != "numbers" or moment.progress == 1:
        return None
    return max(moment.beat - 1, 0) / STRETCHES, moment.beat / STRETCHES


def group_shown(moment: Moment) -> tuple[str, str]:
    """The group on the map, and the one whose window is there; an empty name is a single number, or no window."""
    names = ("", *on_the_way(moment.result.scheme.scale))
    if moment.phase != "scales":
        return names[-1], names[-1]
    return names[(moment.beat + 1) // 2], names[moment.beat // 2]


@cache
def _as_chosen(data: str, element: str, scale: str, scaletype: str) -> Stored:
    return store(data, element, scale, scaletype)


def shown(moment: Moment) -> Stored | None:
    """The numbers with the window that is there; none before the first."""
    stored, (_, scale) = moment.result, group_shown(moment)
    if not scale or scale == stored.scheme.scale:
        return stored if scale else None
    return _as_chosen(stored.data, stored.scheme.element, scale, stored.scheme.scaletype)


def pieces_rounded(moment: Moment) -> int | None:
    """Pieces of the strip that the rounding has passed; none in chapters that round nothing."""
    return min(max(moment.beat - 1, 0), PIECES) if moment.phase == "rounded" else None


def rounding(moment: Moment) -> bool:
    """Whether there are numbers left to round."""
    return moment.phase == "rounded" and moment.beat <= PIECES


def rungs_grown(moment: Moment) -> int:
    """Rungs whose bars have set out; the last of them is on its way until all are there."""
    if moment.phase != "rounded":
        return len(SCALES)
    return min(max(moment.beat - PIECES, 0), len(SCALES))


def rungs_told(moment: Moment) -> int:
    """Rungs whose bars have landed."""
    if moment.phase != "rounded":
        return len(SCALES)
    return min(max(moment.beat - PIECES - 1, 0), len(SCALES))


def measured_gap(moment: Moment) -> tuple[bool, bool]:
    """Whether the height from the errors to the numbers grows, and whether it is told."""
    return moment.beat > 0 or moment.beats == 1, moment.progress == 1
