"""The three phases of the story, each with the sentences that it says, and how amounts are written."""

from __future__ import annotations

from functools import lru_cache

from loom.draw import count, number, quantity, significant
from loom.scene import Moment, Phase

from .model import BITS, SIDE, TERA, Case
from .story import moving, multiplying, sweeping


@lru_cache(1 << 10)  # the same times are told in many pictures
def seconds(value: float) -> str:
    """Three digits of a time, also where the last of them are naughts."""
    amount, unit = quantity(value, "s").split("\u00a0")
    return f"{float(amount):#.3g}\u00a0{unit}".replace(".\u00a0", "\u00a0")


def rate(value: float) -> str:
    return f"{significant(float(f'{value / TERA:.3g}'), 3)}\u00a0TFLOP/s"


def times(value: float) -> str:
    """3.6×, and 1× where nothing is gained."""
    return f"{number(float(f'{value:.2g}'))}×"


def lost(percent: float) -> str:
    return f"{number(float(f'{percent:.2g}'))}%"


def _bytes(moment: Moment) -> str:
    case: Case = moment.result
    bits = number(BITS[case.pair.weights])
    scales = ", scales counted" if BITS[case.pair.weights] % 1 else ""
    return (
        f"A batch of {count(case.batch, 'row')}, X, times a W of {SIDE:,} × {SIDE:,}. With {bits} bits for each weight"
        f"{scales}, {case.pair.name} moves {quantity(case.bytes, 'B')}, in {seconds(case.memory_time)}."
    )


def _products(moment: Moment) -> str:
    case: Case = moment.result
    wanted, used = case.pair.wider, case.computes_in
    how = f"at the rate of the wider, {used}" if case.pair.weights != case.pair.activations else f"in {used}"
    if wanted != used:
        how = f"in {used}, as an {case.gpu.name} has none of 4 bits"
    return (
        f"Tensor cores multiply meanwhile, {how}: {rate(case.peak)}, so {seconds(case.arithmetic_time)}. "
        f"The longer time counts."
    )


def _speed(moment: Moment) -> str:
    case: Case = moment.result
    knee = f"from {significant(round(case.knee))} on"
    limit = f"memory is the limit; {knee}, it is arithmetic"
    if not case.memory_bound:
        limit = f"arithmetic is the limit, as it is {knee}"
    here = f"At a batch of {significant(case.batch)}, {limit}."
    return f"{here} {case.pair.name}’s rounding costs {lost(case.error)} of the product."


PHASES = (
    Phase("bytes", _bytes, beats=moving),
    Phase("products", _products, beats=multiplying),
    Phase("speed", _speed, beats=sweeping),
)
