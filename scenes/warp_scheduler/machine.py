"""The last step: the same picture with what an H100 was given, and under the formula's slots those that it used."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, count, memoized
from loom.scene import Moment, evenly

from .._silicon.drawing import rings
from .curve import percent, plot_of
from .measured import PART, ROUND, dots, expected, latency, result, used
from .model import Load

SWEEPS = 3  # beats in which the playhead goes over the warps


def sweeping(_: Moment) -> tuple[float, ...]:
    """The playhead stands, and runs evenly; when it has come, what the GPU used is set against the formula."""
    return evenly(SWEEPS, 3.0, lead=0.25, landed=True)


def clock(moment: Moment) -> tuple[float, float]:
    """The share of the time to which the playhead goes in this beat, and which lies behind it: only that counts."""
    if moment.phase == "machine" and moment.progress < 1:
        return min(moment.beat / SWEEPS, 1), max(moment.beat - 1, 0) / SWEEPS
    now = moment.progress if moment.phase in ("alone", "together") else 1.0
    return now, now if now == 1 else now - 1 / moment.beats


def asked(_: Load) -> tuple[int, ...]:
    """Only where somebody has measured."""
    return (0,) if result() else ()


def given(load: Load) -> Load:
    """What the GPU was given, with as many warps as the reader has."""
    return Load(load.warps, latency(), ROUND)


def say_machine(moment: Moment) -> str:
    """Of the reader's warps; where these were not measured, of the nearest that were as well."""
    warps, seen = moment.result.warps, used()
    nearest = min(seen, key=lambda one: (abs(one - warps), -one))
    should, did = percent(expected(warps)), percent(seen[nearest])
    first = (
        f"An {PART}’s own load of {latency()} cycles, then {ROUND} multiply-adds: {count(warps, 'warp')} should use "
        f"{should} of its slots"
    )
    if nearest != warps:
        return f"{first}. The nearest measured, {count(nearest, 'warp')}, used {did}."
    if should == did:
        return f"{first}, and {'do' if warps > 1 else 'does'}."
    return f"{first}. They use {did}: they all load at once."


def draw_given(pen: Pen, rows: Box) -> Iterator[Mark]:
    """Over the rows, what the warps do here: the numbers chosen do not count in this step."""
    words = f"an {PART}: {ROUND} multiply-adds, then {latency()} cycles"
    yield pen.text("machine-given", rows.right, 0.8 * pen.size, words, anchor="end")


def told(warps: int) -> str:
    """How many of its slots the GPU used."""
    seen = used().get(warps)
    return f"{percent(seen)} used" if seen else f"not measured with {count(warps, 'warp')}"


@memoized
def draw_used(pen: Pen, lane: Box, warps: int, done: bool) -> Iterator[Mark]:
    """How many slots the GPU used, as a length, when the formula is `done`: when it used them was not recorded."""
    seen, middle = used().get(warps, 0.0), lane.y + lane.height / 2
    filled = lane._replace(width=lane.width * seen / 100)
    wide, x = pen.text_width(told(warps), strong=True), filled.x + 8
    beside = bool(seen) and wide + 16 > filled.width
    if beside:
        x = filled.right + 8
    yield pen.outlines("machine-lane", [lane], "grid measured")
    yield pen.text("machine-name", lane.x - 8, middle, f"an {PART}", "label measured", anchor="end", middle=True)
    if seen and not done:  # from here it grows
        yield pen.rect("machine-used", lane._replace(width=0), "axis measured", round=0)
    if not done:
        return
    if seen:  # words are not struck through by the hatching around them
        empty = lane.inset(left=x + wide + 5 - lane.x if beside else filled.width)
        yield pen.hatches("machine-empty", [empty], "dropped thin measured", pen.pick(8, 10))
        words = f"measured on an {PART}: {percent(seen)} of the slots"
        yield pen.rect("machine-used", filled, "axis measured", round=0, read=words)
    yield pen.text("machine-told", x, middle, told(warps), "label measured strong halo", middle=True)


@memoized
def draw_rings(pen: Pen, box: Box) -> Iterator[Mark]:
    """What was measured, and on what, around the corner of the formula's line."""
    yield from rings(pen, plot_of(pen, box), "round-measured", dots(used()), pen.pick(2, 2.5))
    words, base = f"○ on an {PART}", box.bottom + 9 + 2 * pen.size  # before the name of the axis
    yield pen.text("round-words", box.x, base, words, "note measured")
