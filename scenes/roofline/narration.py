"""The phases of the story, each with the sentences that it says, and how rates and intensities are read."""

from __future__ import annotations

from loom.draw import quantity, significant
from loom.scene import Moment, Phase, evenly

from .._gpus.rates import GIGA, TERA
from .kernels import ELEMENTS, HEADS, SIDE, TOKENS
from .measured import LARGE, SIZE, SMALL, dots, multiplied
from .measured import SIDE as PRODUCT
from .model import ANY, MEMORY, Chosen
from .reached import coming


def bandwidth(value: float) -> str:
    return f"{significant(value / GIGA, 4)}\u00a0GB/s"


def rate(value: float, digits: int = 4, unit: str = "\u00a0TFLOP/s") -> str:
    return f"{significant(float(f'{value / TERA:.{digits}g}'), digits)}{unit}"


def peak(value: float, unit: str = "\u00a0TFLOP/s") -> str:
    """As data sheets print it: 989.4, 2,250."""
    return f"{value / TERA:,.1f}".removesuffix(".0") + unit


def ratio(intensity: float, unit: str = "\u00a0FLOP/B") -> str:
    """An intensity; a hair off a whole number still shows its decimals."""
    text = f"{intensity:#.3g}" if intensity < 10 else f"{intensity:,.{int(intensity % 1 > 0)}f}"
    return f"{text if intensity else 0}{unit}"


def share(percent: float) -> str:
    return f"{significant(float(f'{percent:.3g}'), 3)}%"


def short(kernel: str) -> str:
    """The name at a dot."""
    return "add" if kernel == "elementwise" else kernel


def told(kernel: str) -> str:
    """What a kernel does."""
    if kernel.startswith("gemm"):
        side = f"{int(kernel.removeprefix('gemm-')):,}"
        return f"{kernel} multiplies two matrices of {side} × {side}"
    return {
        "copy": f"copy moves {ELEMENTS // 10**6} million numbers and computes nothing",
        "elementwise": f"add adds two vectors of {ELEMENTS // 10**6} million numbers",
        "gemv": f"gemv multiplies a matrix of {SIDE:,} × {SIDE:,} by a vector",
        "prefill": f"prefill is attention over {TOKENS:,} new tokens in {HEADS} heads",
        "decode": f"decode is attention of one new token over {TOKENS:,} stored ones",
    }[kernel]


def _roof(moment: Moment) -> str:
    chosen, case = moment.result, moment.result.case
    used = chosen.computes_in
    units = "the cores" if used == "FP32" else f"{used} tensor cores"
    if chosen.falls_back:
        units = f"{used} tensor cores (there are none for {chosen.precision})"
    return (
        f"Up to {ratio(case.ridge)}, memory sets the pace: {bandwidth(case.bandwidth)} times the intensity. "
        f"Beyond, {units} do, at {peak(case.peak)}."
    )


def _meet(moment: Moment) -> str:
    chosen, case = moment.result, moment.result.case
    if not case.work.flops:
        return f"The kernel {told(chosen.kernel)}: its intensity is 0, and memory is the limit."
    limit = "Memory" if case.bound == MEMORY else "Arithmetic"
    end = f"{limit} is the limit: {rate(case.attainable, 3)}, {share(case.share)} of the peak."
    if chosen.kernel == ANY:
        return f"A kernel does {ratio(case.intensity, ' FLOP')} for each byte that it moves. {end}"
    sizes = f"{quantity(case.work.flops, 'FLOP')} ÷ {quantity(case.work.bytes, 'B')}"
    return f"The kernel {told(chosen.kernel)}: {sizes} = {ratio(case.intensity)}. {end}"


def asked(chosen: Chosen) -> tuple[int, ...]:
    """Only where somebody has measured."""
    return (0,) if dots(chosen.name, chosen.precision) else ()


def _machine(moment: Moment) -> str:
    chosen: Chosen = moment.result
    large, small, again = (f"{size // unit}\u00a0{name}" for size, unit, name in
                           ((LARGE, 2**30, "GiB"), (SMALL, 2**20, "MiB"), (SIZE, 2**20, "MiB")))  # fmt: skip
    reached, start = multiplied(chosen.name, chosen.precision), f"Measured on an {chosen.name}: without"
    if reached:
        start = (
            f"On an {chosen.name} a product of {PRODUCT:,} × {PRODUCT:,} reached {rate(reached, 3)}, "
            f"{significant(round(100 * reached / chosen.case.peak))}% of the peak. Without"
        )
    return (
        f"{start} reuse, {large} comes to the slope, {small} lies far under it, and {again} that stay in L2 above it."
    )


def _back(moment: Moment) -> tuple[float, ...]:
    """From the end of the roof to the chosen kernel: to the ridge, and on from there if memory is the limit."""
    return (0.0, 0.5, 0.9, 1.3) if moment.result.case.bound == MEMORY else (0.0, 0.9)


PHASES = (
    Phase("roof", _roof, beats=lambda _: evenly(7, 3.5, lead=0.25)),
    Phase("meet", _meet, beats=_back),
    Phase("machine", _machine, asked, coming),
)
