"""One update under the lens: the arrow, the rule of rounding over the gap, and where the value goes."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, memoized
from loom.scene import Moment

from .lens import Lens, lens
from .story import Told
from .words import amount, number, percent, step_of

HOPS = 8  # updates that are seen one by one


def draw_lens(moment: Moment, width: float) -> Iterator[Mark]:
    told: Told = moment.result
    story, view = told.story, lens(told.story, width)
    pen = view.pen
    title = f"{story.fmt.name} near {number(story.exact, story)}: steps of {step_of(story.gap[1] - story.gap[0])}"
    if not (pen.narrow and summed_up(moment)):  # on a phone what comes of it stands there
        yield pen.text("title", 0, pen.size, title, "label strong")
    if story.base < view.span[0]:
        base = number(story.base, story)
        words = f"{base} is farther left" if moment.phase == "grid" else f"from {base}{pen.pick('', ', farther left')}"
        yield pen.text("away", 0, view.flight - 0.6 * pen.size, words, "note")
    if moment.since("round"):
        yield from _rule(view, told.mode)
    yield from view.rung_marks
    if moment.since("sum"):
        yield from _arrow(view, moment.phase != "sum" or moment.beat > 0)
    if summed(moment):
        yield from _update(view)
    if moment.since("round"):
        yield from _held(view, told)
    if moment.past("round") == 1:
        yield from _verdict(view, told, moment.past("many") == 1)
    yield from _dots(view, told, moment)
    if moment.since("sum"):
        yield from _hand(view)


def _dots(view: Lens, told: Told, moment: Moment) -> Iterator[Mark]:
    """Where the value is: before the update, with all of it, and rounded; then update after update."""
    story = told.story
    if moment.phase == "few" and moment.progress < 1:
        at, trying = turn(moment)
        value = float(story.near.paths[told.mode][at])
        yield from _dot(view, value + story.update if trying else value, "work" if trying else "data")
    elif moment.phase in ("grid", "sum") or (moment.phase == "round" and moment.progress < 1):
        yield from _dot(view, *((story.exact, "work") if summed(moment) else (story.base, "data")))
    elif told.mode != "stochastic":
        yield from _dot(view, told.kept, "data")
    else:
        for key, value, share in zip(("held", "other"), story.gap, (1 - story.chance, story.chance), strict=True):
            yield view.pen.circle(key, view.x(value), view.axis, 2 + 5 * share**0.5, "data")


def _dot(view: Lens, place: float, role: str) -> Iterator[Mark]:
    if 6 <= view.x(place) <= view.pen.width - 6:
        yield view.pen.circle("held", view.x(place), view.axis, 5.5, role)


def turn(moment: Moment) -> tuple[int, bool]:
    """How many of the few updates are done, and whether the next is just being tried: each of the first is seen."""
    count, beat = moment.result.story.near.count, moment.beat
    if beat < 2 * HOPS:
        return (beat + 1) // 2, beat % 2 == 0
    sweeps = moment.beats - 2 * HOPS
    return HOPS + round((count - HOPS) * (beat - 2 * HOPS + 1) / sweeps), False


def summed_up(moment: Moment) -> bool:
    """Whether a number tells what has come of the updates so far."""
    return moment.phase == "few" or moment.past("many") == 1


def summed(moment: Moment) -> bool:
    """Whether the update has been added: its arrow has come to its end."""
    return moment.since("round") or (moment.phase == "sum" and moment.progress == 1)


@memoized
def _hand(view: Lens) -> Iterator[Mark]:
    """The end of the arrow, which can be taken hold of; a sum has terms of one size."""
    story, y = view.story, view.flight
    if story.task == "weight":
        rail = [(x, y) for x in view.rail]
        yield view.pen.knob("hand", view.x(story.exact), y, "update", rail, label="Size of an update")


@memoized
def _rule(view: Lens, mode: str) -> Iterator[Mark]:
    """Over the gap: how likely a number at each place is to go up, and how likely this one is."""
    pen, foot, top = view.pen, view.axis, view.top
    left, right = map(view.x, view.story.gap)
    yield pen.rect("field", Box(left, top, right - left, foot - top), "cell soft", round=0)
    middle = (left + right) / 2
    shapes = {
        "nearest": [(left, foot), (middle, foot), (middle, top), (right, top)],
        "stochastic": [(left, foot), (left, foot), (right, top), (right, top)],
        "truncation": [(left, foot), (left, foot), (right, foot), (right, foot)],
    }
    yield pen.path("rule", shapes[mode], "kept outline thick")
    for index, words in enumerate(pen.pick(["chance of", "going up"], ["chance of going up"])):
        y = top + 0.8 * pen.size + index * 1.2 * pen.size
        yield pen.text(f"rule-{index}", left - 8, y, words, "note", anchor="end")
    yield pen.text("rule-all", right + 6, top, "100%", "note", middle=True)
    yield pen.text("rule-none", right + 6, foot - 0.8 * pen.size, "0%", "note", middle=True)


@memoized
def _arrow(view: Lens, grown: bool) -> Iterator[Mark]:
    """The update as an arrow from the value to the exact sum; before it has grown, without length."""
    start, end, y = max(view.x(view.story.base), 0), view.x(view.story.exact), view.flight
    yield view.pen.line("update", start, y, end if grown else start, y, "hot")


@memoized
def _update(view: Lens) -> Iterator[Mark]:
    """What the arrow comes to, and lines from both of its ends down to the axis."""
    pen, story, y = view.pen, view.story, view.flight
    start, end = max(view.x(story.base), 0), view.x(story.exact)
    ends = [start, end] if story.base >= view.span[0] else [end]  # the knob may cover the arrow, not how long it is
    yield pen.strokes("drop", [[(x, y), (x, view.axis)] for x in ends], "axis dashed")
    words = f"+ {number(story.update, story)} = {number(story.exact, story)}, exactly"
    left = end + 18 + pen.text_width(words, strong=True) > pen.width
    y -= 0.9 * pen.size * left  # left of the head it would lie on the shaft
    yield pen.text("update-label", end - 18 if left else end + 18, y, words, "label strong", middle=True,
                   anchor="end" if left else "start")  # fmt: skip


@memoized
def _held(view: Lens, told: Told) -> Iterator[Mark]:
    """How likely it is that the value goes up."""
    pen, story = view.pen, view.story
    up = {"nearest": float(told.kept > story.gap[0]), "truncation": 0.0}.get(told.mode, story.chance)
    yield pen.circle("odds", view.x(story.exact), view.axis - up * (view.axis - view.top), 4, "work",
                     read=f"chance of going up: {percent(up)}")  # fmt: skip


@memoized
def _verdict(view: Lens, told: Told, late: bool) -> Iterator[Mark]:
    """Under the numbers: where the update goes, and how often; in the end also where it went no further."""
    pen, story = view.pen, view.story
    if told.mode == "stochastic" and story.chance:
        for index, share in enumerate((1 - story.chance, story.chance)):
            x = view.x(story.gap[index])
            yield pen.text(f"odds-{index}", x, view.bottom, percent(share), "kept strong answer", anchor="middle")
        return
    words, role = verdict(told)
    if late and told.stuck_at:
        words, role = f"here to {number(told.kept, story)}; lost at {amount(told.stuck_at)}", "dropped"
    half = pen.text_width(words, strong=True) / 2
    middle = min(max(view.x(sum(story.gap) / 2), half), pen.width - half)
    yield pen.text("verdict", middle, view.bottom, words, f"{role} strong answer", anchor="middle")


def verdict(told: Told) -> tuple[str, str]:
    """What rounding does to the update, in a few words, and whether that is a loss."""
    exact, kept = told.story.exact, number(told.kept, told.story)
    if told.story.chance == 0:
        return f"{kept}: nothing to round", "kept"
    if told.lost:
        return f"back to {kept}: the update is lost", "dropped"
    return f"to {kept}: {amount(abs(told.kept - exact), 2)} too {'much' if told.kept > exact else 'little'}", "label"
