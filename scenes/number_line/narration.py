"""What is said of each step, from its numbers."""

from __future__ import annotations

from loom.draw import count, listed
from loom.scene import WIDTHS, Moment, Phase

from .lanes import stage
from .model import Format, Pair
from .words import number, percent


def _values(moment: Moment) -> str:
    pair: Pair = moment.result
    fmt, uses = pair.first, pair.first.uses
    upper = uses["below one"] + uses["one up"] + 1
    crowded = any(stage(pair, width).lanes[0].block for width in WIDTHS.values())
    block = "; where lines would touch, a block stands for them" if crowded else ""
    return (
        f"{fmt.name} has {fmt.bits} bits, which make {2**fmt.bits:,} codes for {len(fmt.values):,} different finite "
        f"numbers. Of the {upper:,} from 0 up, {uses['below one'] + 1:,} lie below 1{block}."
    )


def _gaps(moment: Moment) -> str:
    fmt: Format = moment.result.first
    if fmt.integer:
        return (
            f"The gaps of an integer are all the same: 1, from 0 to {number(fmt.largest)}. So each power of two "
            f"holds twice as many values as the one before, {list(fmt.per_power.values())[-1]} in the last."
        )
    top = moment.result.reach
    cut = "cut" if fmt.mantissa_bits > 1 else "cuts"
    gaps = [f"{number(float(fmt.gap(value)))} from {number(value)}" for value in (top / 4, top / 2)]
    return (
        f"The {fmt.exponent_bits} exponent bits choose a power of two, and {count(fmt.mantissa_bits, 'mantissa bit')} "
        f"{cut} the way to the next one into {2**fmt.mantissa_bits:,} equal gaps. So the gap doubles at each power of "
        f"two, the taller lines: {', '.join(gaps)}."
    )


def _zero(moment: Moment) -> str:
    fmt: Format = moment.result.first
    if fmt.integer:
        return (
            "Under the lens nothing changes: between 0 and 1 there is no value, and the gap around 0 is like any other."
        )
    step = number(fmt.smallest)
    down = (
        f"{fmt.subnormals:,} subnormal values lead down to 0 in even steps of {step}."
        if fmt.subnormals > 1
        else f"one subnormal value, {step}, stands halfway to 0."
    )
    last = (
        "On a log axis 0 itself has no place; it stands apart on the left."
        if moment.result.log
        else f"Without them the gap at 0 would be {2**fmt.mantissa_bits:,} times as wide as the next."
    )
    return f"At {number(fmt.smallest_normal)} the exponent can go no lower, and the gap stops halving: {down} {last}"


def _beside(moment: Moment) -> str:
    pair: Pair = moment.result
    first, second = pair.both
    if first == second:
        return f"{first.name} beside itself: choose another second format to compare range and gaps."
    return (
        f"{first.name} has {len(first.from_zero) - 1:,} values above 0, spread over {first.binades:.1f} powers of two; "
        f"{second.name} {len(second.from_zero) - 1:,} over {second.binades:.1f}. {whose(pair)}"
    )


def whose(pair: Pair) -> str:
    """Which format's gaps are smaller, and where."""
    runs = pair.finer()
    parts = []
    for which, low, high in runs:
        if len(runs) == 1:
            where = "everywhere"
        elif low == 0:
            where = f"below {number(high)}"
        else:
            where = f"from {number(low)} up" if high == pair.top else f"from {number(low)} to {number(high)}"
        parts.append(f"{('the same', 'larger', 'smaller')[which]} {where}")
    return f"The gaps of {pair.first.name} are {listed(parts)}."


def _relative(moment: Moment) -> str:
    texts = []
    for fmt in dict.fromkeys(moment.result.both):
        least, most = map(percent, fmt.relative_extent)
        if fmt.integer:
            texts.append(f"that of {fmt.name} falls from {most} at 1 to {least} at {number(fmt.largest)}")
        else:
            ends = f"from {number(fmt.smallest_normal)} to {number(fmt.largest)}"
            texts.append(f"that of {fmt.name} stays between {least} and {most} {ends}")
    return f"Divide each gap by its value: {'; '.join(texts)}."


PHASES = (
    Phase("values", _values),
    Phase("gaps", _gaps),
    Phase("zero", _zero),
    Phase("beside", _beside),
    Phase("relative", _relative),
)
