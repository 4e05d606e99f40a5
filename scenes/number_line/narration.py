"""What is said of each step, from its numbers."""

from __future__ import annotations

from loom.draw import Pen, count
from loom.scene import WIDTHS

from .lanes import laid_out
from .model import (
    Format,
    State,
    all_values,
    code_uses,
    finer,
    gap,
    number_format,
    reach,
    relative_extent,
    values_from_zero,
    values_per_power,
)
from .stage import Stage
from .words import number, percent


def say(state: State) -> str:
    """One or two sentences about a step."""
    first, second = number_format(state.first), number_format(state.second)
    if state.step == "values":
        return say_values(first, crowded(state))
    if state.step == "gaps":
        return say_gaps(first, reach(first.name, second.name))
    if state.step == "zero":
        return say_zero(first, state.log)
    if state.step == "beside":
        return say_beside(first, second)
    return say_relative(first, second)


def say_values(fmt: Format, block: str) -> str:
    values, uses = all_values(fmt.name), code_uses(fmt.name)
    upper = uses["below one"] + uses["one up"] + 1
    return (
        f"{fmt.name} has {fmt.bits} bits, which make {2**fmt.bits:,} codes for {len(values):,} different finite "
        f"numbers. Of the {upper:,} from 0 up, {uses['below one'] + 1:,} lie below 1{block}."
    )


def crowded(state: State) -> str:
    """What a block is, where the lane has one at either width."""
    lines = [Stage(Pen(width), state).line for width in WIDTHS.values()]
    if all(laid_out(state.first, line).block is None for line in lines):
        return ""
    return "; where lines would touch, a block stands for them"


def say_gaps(fmt: Format, end: float) -> str:
    if fmt.integer:
        counts = list(values_per_power(fmt.name).values())
        return (
            f"The gaps of an integer are all the same: 1, from 0 to {number(fmt.largest)}. "
            f"So each power of two holds twice as many values as the one before, {counts[-1]} in the last."
        )
    parts, top = 2**fmt.mantissa_bits, min(reach(fmt.name, fmt.name), end)
    low, high = top / 4, top / 2
    cut = "cut" if fmt.mantissa_bits > 1 else "cuts"
    gaps = [f"{number(float(gap(value, fmt.name)))} from {number(value)}" for value in (low, high)]
    return (
        f"The {fmt.exponent_bits} exponent bits choose a power of two, and {count(fmt.mantissa_bits, 'mantissa bit')} "
        f"{cut} the way to the next one into {parts:,} equal gaps. So the gap doubles at each power of two, "
        f"the taller lines: {', '.join(gaps)}."
    )


def say_zero(fmt: Format, log: bool) -> str:
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
    return (
        f"At {number(fmt.smallest_normal)} the exponent can go no lower, and the gap stops halving: {down} "
        + ("On a log axis 0 itself has no place; it stands apart on the left." if log else
           f"Without them the gap at 0 would be {2**fmt.mantissa_bits:,} times as wide as the next.")
    )  # fmt: skip


def say_beside(first: Format, second: Format) -> str:
    if first == second:
        return f"{first.name} beside itself: choose another second format to compare range and gaps."
    many = [len(values_from_zero(fmt.name)) - 1 for fmt in (first, second)]
    return (
        f"{first.name} has {many[0]:,} values above 0, spread over {first.binades:.1f} powers of two; "
        f"{second.name} {many[1]:,} over {second.binades:.1f}. {whose(first, second)}"
    )


def whose(first: Format, second: Format) -> str:
    """Which format's gaps are smaller, and where."""
    runs = finer(first.name, second.name)
    words = {-1: "smaller", 0: "the same", 1: "larger"}
    parts = []
    for place, (which, low, high) in enumerate(runs):
        last = place == len(runs) - 1
        where = "everywhere" if len(runs) == 1 else f"below {number(high)}" if not place else (
            f"from {number(low)} up" if last else f"from {number(low)} to {number(high)}")  # fmt: skip
        parts.append(f"{words[which]} {where}")
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"The gaps of {first.name} are {listed}."


def say_relative(first: Format, second: Format) -> str:
    texts = []
    for fmt in (first,) if first == second else (first, second):
        least, most = relative_extent(fmt.name)
        if fmt.integer:
            texts.append(
                f"that of {fmt.name} falls from {percent(most)} at 1 to {percent(least)} at {number(fmt.largest)}"
            )
        else:
            texts.append(
                f"that of {fmt.name} stays between {percent(least)} and {percent(most)} "
                f"from {number(fmt.smallest_normal)} to {number(fmt.largest)}"
            )
    return f"Divide each gap by its value: {'; '.join(texts)}."
