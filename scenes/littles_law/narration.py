"""What is said of bytes in flight: how long the first take, and what rate the area comes to."""

from __future__ import annotations

from loom.draw import count, percent, quantity, significant
from loom.scene import Moment, Phase, evenly

from .model import WARPS, Traffic


def rate(number: float) -> str:
    return f"{significant(float(f'{number / 1e9:.4g}'), 4)}\u00a0GB/s"


def bytes_of(number: float) -> str:
    return f"{number:,.0f}\u00a0B"


def rounded(traffic: Traffic) -> int:
    """The bytes that keep memory busy, no finer than the latency is known [B]: wherever they are said."""
    return round(float(f"{traffic.knee:.2g}"))


def enough(traffic: Traffic) -> str:
    return bytes_of(rounded(traffic))


def product(traffic: Traffic) -> str:
    """Of what they come: the latency by an SM's share of the bandwidth."""
    return f"{quantity(traffic.gpu.latency, 's')} × {traffic.share / 1e9:.3g}\u00a0B/ns"


def sum_of(traffic: Traffic) -> str:
    """How the bytes in flight come about."""
    return (
        f"{count(traffic.warps, 'warp')} × {count(traffic.loads, 'load')} × {traffic.load}\u00a0B = "
        f"{bytes_of(traffic.in_flight)}"
    )


def _wait(moment: Moment) -> str:
    traffic: Traffic = moment.result
    return (
        f"{bytes_of(traffic.in_flight)} are on their way to each SM, a column for each warp. "
        f"Nothing comes for {quantity(traffic.gpu.latency, 's')}; then a new load follows each result."
    )


def _rate(moment: Moment) -> str:
    traffic: Traffic = moment.result
    if traffic.busy:
        return (
            f"Memory is busy all the time. {enough(traffic)} an SM would do: what is more waits in line, and "
            f"each load takes {quantity(traffic.wait, 's')}."
        )
    warps = count(traffic.needed, "such warp")
    end = f"{warps} would be enough." if traffic.needed <= WARPS else f"{warps} would be enough; {WARPS} fit."
    return f"Bytes in flight ÷ latency is the rate, {percent(traffic.used, 2)} of the bandwidth. {end}"


PHASES = (
    Phase("wait", _wait, beats=lambda _: evenly(5, 2.4, lead=0.25)),
    Phase("rate", _rate, beats=lambda _: evenly(3, 3.0, lead=0.4)),
)
