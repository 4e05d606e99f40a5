"""The value update after update: its path in the chart, where it is now, and what comes of it in the end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark, Pen, dodge, memoized
from loom.scene import Moment

from .chart import Chart, chart
from .model import MODES
from .story import RUNS, Told
from .update import summed, summed_up, turn
from .words import amount, number

SWEEPS = 3  # beats of the runs
WRONG = 0.05  # a share of the exact value, from which on the result is told as a loss


def draw_chart(moment: Moment, width: float) -> Iterator[Mark]:
    told: Told = moment.result
    view, last = chart(told.story, not moment.since("many"), width), moment.phase == "runs"
    pen, top = view.pen, view.box.y - 0.8 * view.pen.size
    yield pen.text("y-title", 0, top, told.story.task, "label strong")
    words = f"each line: a number of {told.story.fmt.name}" if view.close and view.lines else ""
    if last and np.ptp(told.story.far.walks[-1]):
        words = f"{RUNS} runs: mean, and nine in ten"
    if words:
        yield pen.text("remark", view.box.right, top, words, "note", anchor="end")
    if moment.phase == "many":
        yield from _possible(view)
    yield from view.axes
    if last:
        yield view.band
        yield from _ways(view, told, {*MODES} - {told.mode} | {"stochastic"})
        yield from _sweep(view, moment)
    if summed(moment):
        yield view.curves["exact"]._replace(key="exact", role="ghost")
    if last:
        yield from _ways(view, told, {told.mode} - {"stochastic"})
    if moment.since("few") and (not last or told.mode == "stochastic"):
        yield _grown(view, moment)._replace(role="data thin answer" if last else "data answer")
    if not last:
        yield from _now(view, moment)
    if last or (moment.since("few") and moment.progress == 1):
        yield from _names(view, told, last and moment.progress == 1)


@memoized
def _ways(view: Chart, told: Told, modes: set[str]) -> Iterator[Mark]:
    """Some of the three ways to round, the chosen one strong and the line that it was; of random draws the mean."""
    for mode in sorted(modes, key=MODES.index):
        chosen, key = mode == told.mode, "mean" if mode == "stochastic" else mode
        role = "kept" if mode == "stochastic" else "data" if chosen else "quiet"
        same = chosen and mode != "stochastic"
        yield view.curves[key]._replace(
            key="path" if same else f"m-{mode}", role=f"{role} answer" if chosen else f"{role} thin answer"
        )


def _sweep(view: Chart, moment: Moment) -> Iterator[Mark]:
    """A cover over the updates that the runs have still to make, and a line where they are; in the end both are gone.

    What is known already lies over it: the exact value, and the way to round that was looked at.
    """
    if moment.progress == 1:
        return
    box = view.box
    x = box.x + box.width * min(moment.beat / SWEEPS, 1)
    yield view.pen.rect("runs-future", Box(x, box.y, box.right + 1 - x, box.height), "cell steady", round=0)
    yield view.pen.line("runs-now", x, box.y, x, box.bottom, "hot steady")


@memoized
def _possible(view: Chart) -> Iterator[Mark]:
    """Where the value begins, the field through which it goes, and the line where it ends, whatever one guesses."""
    left, foot = view.plot.at(0, float(view.journey.exact[0]))
    right, top = view.plot.at(view.journey.count, float(view.journey.exact[-1]))
    yield view.pen.rect("ground", Box(left, top, right - left, foot - top), "cell soft", round=0)
    yield view.pen.line("last", right, foot, right, top, "axis dashed")
    yield view.pen.circle("start", left, foot, 4.5, "data")


def done(moment: Moment) -> int:
    """How many of the updates in the chart have been made."""
    journey = moment.result.story.near if moment.phase == "few" else moment.result.story.far
    if moment.phase == "few":
        return journey.count if moment.progress == 1 else turn(moment)[0]
    return round(journey.count * moment.past("many"))


def _grown(view: Chart, moment: Moment) -> Mark:
    """The value up to now: the curve is drawn as far as it has come."""
    told, at = moment.result, done(moment)
    whole = view.curves[told.mode]
    share = 1 if at == view.journey.count else view.shares[told.mode][at]
    dashes: dict[str, float | str] = {"pathLength": 100, "stroke-dasharray": f"{100 * share:.1f} 200"}
    return whole._replace(key="path", shape={**whole.shape, **dashes})


def draw_answer(moment: Moment, width: float) -> Iterator[Mark]:
    """How many of the few updates are lost, or by chance count; what all make of the value, and what they should."""
    told, pen = moment.result, Pen(width)
    if not summed_up(moment):
        return
    if moment.phase == "few":
        count, made, gone = told.story.near.count, done(moment), lost(moment)
        # By chance nothing is lost on average: there the updates that move the value are counted.
        fair = told.mode == "stochastic"
        shown, words = (made - gone, "updates moved it") if fair else (gone, "updates lost")
        yield from _summary(pen, "tally", f"{shown} of {count}", words, gone > 0 and not fair, f"{count} of {count}")
        return
    far = told.story.far
    final, exact = float(far.paths[told.mode][-1]), float(far.exact[-1])
    mean = moment.phase == "runs" and moment.progress == 1 and told.mode == "stochastic"
    final = float(told.story.mean[-1]) if mean else final
    wrong = abs(final - exact) > WRONG * exact
    number = amount(final) + (f", not {amount(exact)}" if wrong else "")
    words = (f"mean of {RUNS} runs" if mean else f"after {far.count:,} updates") + (
        "" if wrong else f"; exactly {amount(exact)}"
    )
    yield from _summary(pen, "final", number, words, wrong, number)


def lost(moment: Moment) -> int:
    """How many of the few updates that have been made changed nothing."""
    path = moment.result.story.near.paths[moment.result.mode]
    return int(np.count_nonzero(np.diff(path[: done(moment) + 1]) == 0))


def _summary(pen: Pen, key: str, number: str, words: str, bad: bool, widest: str) -> Iterator[Mark]:
    """A number that sums up, the largest of the picture, with room for the widest that it becomes."""
    room = pen.text_width(widest, size=pen.huge, strong=True) + 8
    x, anchor, role = pen.pick(0.0, pen.width), pen.pick("start", "end"), "dropped" if bad else "work"
    yield pen.text(key, x, pen.pick(24, 28), number, f"{role} strong answer", size=pen.huge, anchor=anchor)
    yield pen.text(f"{key}-words", x + pen.pick(room, -room), pen.pick(23, 27), words, "label", anchor=anchor)


def _now(view: Chart, moment: Moment) -> Iterator[Mark]:
    """Where the value is: at its start, after one update, or at the end."""
    told, journey = moment.result, view.journey
    at = done(moment) if moment.since("few") else 0
    end = at, float(journey.paths[told.mode][at])
    kept = told.kept if moment.past("round") == 1 else told.story.exact
    added = (1, told.story.exact) if summed(moment) else (0, journey.start)
    places = {"grid": (0, journey.start), "sum": added, "round": (1, kept)}
    place = view.plot.at(*places.get(moment.phase, end))
    if moment.since("few"):
        exact = view.plot.at(at, float(journey.exact[at]))
        if abs(exact[1] - place[1]) > 8:
            yield view.pen.line("gap", *exact, *place, "dropped answer")
    yield view.pen.circle("now", *place, 4.5, "work" if moment.phase == "sum" and summed(moment) else "data answer")


@memoized
def _names(view: Chart, told: Told, last: bool) -> Iterator[Mark]:
    """Names and last values beside the right ends of the curves; the modes' are buttons."""
    pen, box, journey = view.pen, view.box, view.journey
    ends = {"exact": float(journey.exact[-1])}
    ends |= {mode: float(journey.paths[mode][-1]) for mode in (MODES if last else [told.mode])}
    if last:
        ends["stochastic"] = float(view.story.mean[-1])
    heights = [view.plot.at(0, value)[1] for value in ends.values()]
    places = dodge(heights, 1.35 * pen.size, box.y, box.bottom - 4)
    for (key, value), y in zip(ends.items(), places, strict=True):
        near = view.close and not pen.narrow
        text = f"{key} {number(value, view.story) if near else amount(value, pen.pick(3, 4))}"
        role = "note" if key == "exact" else "label strong answer" if key == told.mode else "label answer"
        if last and key in MODES and key != told.mode:
            back = Box(box.right + 6, y - 0.6 * pen.size, pen.text_width(text) + 8, 1.2 * pen.size)
            yield pen.rect(f"b-{key}", back, "cell soft", set={"mode": key}, label=f"show {key}")
        yield pen.text(f"e-{key}", box.right + 10, y, text, role, middle=True)
