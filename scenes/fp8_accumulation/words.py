"""Numbers and remarks as the reader reads them."""

from __future__ import annotations

import math

from loom.draw import plain

from .moments import State


def number(value: float) -> str:
    """A sum or a term: whole eighths in full, or two decimals, or two digits where those would be 0."""
    size = abs(value)
    if size == 0 or size >= 0.1:
        return _trimmed(value, 3 if size < 1000 and (value * 8).is_integer() else 2)
    return _trimmed(value, _first_digit(value) + 1)


def size_of(step: float) -> str:
    """A spacing, exact down to 1/16."""
    if step >= 0.05:
        return _trimmed(step, 4)
    return _trimmed(step, _first_digit(step) + 1) if step >= 1e-9 else "almost 0"


def amount(difference: float) -> str:
    """How far two sums are apart, to about three digits."""
    if difference < 0.01:
        return size_of(difference)
    return plain(difference) if difference >= 100 else _trimmed(difference, 2 + max(_first_digit(difference), 0))


def error(percent: float) -> str:
    """A relative error."""
    if percent < 0.001:
        return "< 0.001 %"
    return f"{percent:.{1 if percent >= 1 else _first_digit(percent) + (percent >= 0.01)}f} %"


def after_the_term(state: State) -> str:
    """What became of the sum, in a few words."""
    if state.lost:
        return "cut to nothing" if state.story.cuts else "rounds back: lost"
    if number(state.after) == number(state.reached):
        off = abs(state.after - state.reached)
        return f"off by {size_of(off)}" if off else "kept in full"
    return f"{'cut' if state.story.cuts else 'rounds'} to {number(state.after)}"


def _first_digit(value: float) -> int:
    """The decimal at which a number below 1 begins."""
    return -math.floor(math.log10(abs(value)))


def _trimmed(value: float, digits: int) -> str:
    text = f"{value:,.{digits}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", "−")
