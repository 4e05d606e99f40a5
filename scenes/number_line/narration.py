"""What is said of each step, from its numbers."""

from __future__ import annotations

import math
from dataclasses import replace

from loom.draw import count, listed
from loom.scene import Moment, Phase, evenly

from .model import WINDOWS, Format, Pair
from .words import number, percent


def _first(moment: Moment) -> str:
    pair: Pair = moment.result
    fmt, window, step = pair.first, pair.window, number(pair.first.smallest)
    if window <= fmt.smallest:
        return f"Below {number(window)} there is nothing but 0: the smallest number of {fmt.name} above it is {step}."
    if window <= 2 * fmt.smallest_normal:
        return (
            f"At {number(fmt.smallest_normal)} the exponent can go no lower, and the gaps stop halving: "
            f"{count(fmt.subnormals, 'subnormal number')} of {fmt.name} and 0 stand {step} apart."
        )
    cut = "cut" if fmt.mantissa_bits > 1 else "cuts"
    return (
        f"{count(fmt.mantissa_bits, 'mantissa bit')} of {fmt.name} {cut} each power of two, a box, into "
        f"{2**fmt.mantissa_bits:,} equal gaps. The next box is twice as wide, and so are its gaps."
    )


def _second(moment: Moment) -> str:
    pair: Pair = moment.result
    if all(fmt.smallest >= pair.window for fmt in pair.both):  # no gap is drawn, so none is told of
        after = [f"{number(fmt.smallest)} in {fmt.name}" for fmt in pair.both]
        return f"Neither format has a number but 0 here. The next is {listed(after)}."
    if pair.second.smallest >= pair.window:
        return f"{pair.second.name} has no number but 0 here, however far you zoom in. {whose(pair)}"
    return f"Below {number(pair.window)}, {pair.second.name} has {pair.inside[1]:,} numbers. {whose(pair)}"


def whose(pair: Pair) -> str:
    """Which format's gaps are smaller, and where in the window."""
    runs = pair.finer()
    parts = []
    for which, low, high in [run for run in runs if run[1] < pair.window]:
        if len(runs) == 1:
            where = "everywhere"
        elif low == 0:
            where = f"below {number(high)}" if high < pair.window else "here"
        else:
            where = f"from {number(low)} to {number(high)}" if high < pair.window else f"from {number(low)} up"
        parts.append(f"{('the same', 'larger', 'smaller')[which]} {where}")
    return f"The gaps of {pair.first.name} are {listed(parts)}."


def _relative(moment: Moment) -> str:
    texts, seen = [], moment.result
    if all(fmt.smallest >= seen.window for fmt in seen.both):
        return "Now every power of two is as wide, and neither format has a number but 0 in any of these."
    for fmt in dict.fromkeys(seen.both):
        least, most = map(percent, fmt.relative_extent)
        if fmt.smallest >= seen.window:
            texts.append(f"{fmt.name} has no number but 0 here")
        elif fmt.largest < seen.low:
            texts.append(f"{fmt.name} has ended at {number(fmt.largest)}")
        elif fmt.integer:
            texts.append(f"{fmt.name} falls from {most} at 1 to {least} at {number(fmt.largest)}")
        else:
            start = f"from {number(fmt.smallest_normal)} " if seen.low <= fmt.smallest_normal else ""
            ends = f"{start}{'to' if start else 'up to'} {number(fmt.largest)}"
            texts.append(f"{fmt.name} stays between {least} and {most} {ends}")
    return f"Now every power of two is as wide. Gap ÷ number: {'; '.join(texts)}."


def growing(fmt: Format, window: float) -> tuple[float, ...]:
    """The curve of a format grows, if the window has any number of it but 0."""
    return evenly(2, 1.8, lead=0.25) if fmt.smallest < window else (0.0,)


def seen(moment: Moment) -> Pair:
    """The window that is drawn: when the second format comes it is wider first, and zooms in by half and by half."""
    pair: Pair = moment.result
    wider = 2.0 ** (moment.beats - 1 - moment.beat) if moment.phase == "second" else 1.0
    return pair if wider == 1 else replace(pair, window=pair.window * wider)


def zooming(window: float) -> tuple[float, ...]:
    """Twice by half, as far as the map reaches; only to powers of two, since each picture on the way costs bytes."""
    whole = math.frexp(window)[0] == 0.5
    return evenly(1 + whole * sum(window * wider <= WINDOWS[-1] for wider in (2, 4)), 2.7)


BENDING = (0.0, 1.25)  # when the ruler bends, and when its curves are drawn

PHASES = (
    Phase("first", _first, beats=lambda moment: growing(moment.result.first, moment.result.window)),
    Phase("second", _second, beats=lambda moment: zooming(moment.result.window)),
    Phase("relative", _relative, beats=lambda moment: BENDING),
)
