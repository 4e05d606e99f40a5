"""The four phases of the story, each with the sentences that it says, and how rates and intensities are read."""

from __future__ import annotations

from loom.draw import plain, quantity
from loom.scene import Moment, Phase

from .kernels import ELEMENTS, HEAD_DIM, HEADS, SIDE, TOKENS
from .machines import ELEMENT_BYTES, GIGA, TERA
from .model import MEMORY, Chosen


def bandwidth(value: float) -> str:
    return f"{plain(value / GIGA, 4)}\u00a0GB/s"


def rate(value: float, digits: int = 4, unit: str = "\u00a0TFLOP/s") -> str:
    return f"{plain(float(f'{value / TERA:.{digits}g}'), digits)}{unit}"


def peak(value: float, unit: str = "\u00a0TFLOP/s") -> str:
    """As data sheets print it: 989.4, 2,250."""
    return f"{value / TERA:,.1f}".removesuffix(".0") + unit


def ratio(intensity: float, unit: str = "\u00a0FLOP/B") -> str:
    """An intensity; a hair off a whole number still shows its decimals."""
    text = f"{intensity:#.3g}" if intensity < 10 else f"{intensity:,.1f}"
    return f"{text if intensity else 0}{unit}"


def share(percent: float) -> str:
    return f"{plain(float(f'{percent:.3g}'), 3)}%"


def short(kernel: str) -> str:
    """The name at a dot."""
    return "add" if kernel == "elementwise" else kernel


def told(chosen: Chosen) -> tuple[str, str, str]:
    """What the kernel computes and moves, and how its FLOPs and its bytes come about."""
    kernel, b, million = chosen.kernel, f"{ELEMENT_BYTES[chosen.precision]:g}\u00a0B", f"{ELEMENTS // 10**6} million"
    if kernel.startswith("gemm"):
        side = f"{int(kernel.removeprefix('gemm-')):,}"
        what = f"multiplies two matrices of {side} × {side} elements of {b}; each of them is used {side} times"
        return f"{kernel} {what}", f"2 × {side} × {side} × {side}", f"3 × {side} × {side} × {b}"
    heads = f"{HEADS} × {HEAD_DIM}"
    return {
        "copy": (
            f"copy reads {million} elements of {b} and writes them again",
            "no arithmetic",
            f"2 × {ELEMENTS:,} × {b}",
        ),
        "elementwise": (
            f"elementwise, add in the picture, adds two vectors of {million} elements of {b}: two read, one written",
            f"1 × {ELEMENTS:,}",
            f"3 × {ELEMENTS:,} × {b}",
        ),
        "gemv": (
            f"gemv multiplies a matrix of {SIDE:,} × {SIDE:,} elements of {b} by a vector: each is used once",
            f"2 × {SIDE:,} × {SIDE:,}",
            f"({SIDE:,} + 2) × {SIDE:,} × {b}",
        ),
        "prefill": (
            f"prefill is attention over {TOKENS:,} new tokens in {HEADS} heads: its scores stay on the chip, "
            f"and elements of {b} are read or written once",
            f"2 × {heads} × {TOKENS:,} × {TOKENS + 1:,}",
            f"4 × {heads} × {TOKENS:,} × {b}",
        ),
        "decode": (
            f"decode is attention of one new token, in {HEADS} heads, over a KV cache, the stored keys and values of "
            f"{TOKENS:,} tokens: each element of {b} is used by one query alone",
            f"4 × {heads} × {TOKENS:,}",
            f"2 × {heads} × {TOKENS + 1:,} × {b}",
        ),
    }[kernel]


def _slope(moment: Moment) -> str:
    speed = moment.result.case.bandwidth
    return (
        f"The memory of the {moment.result.gpu.part} moves {bandwidth(speed)} (1 GB = 10⁹ bytes). A kernel, a program "
        f"that runs on the GPU, that does 1 FLOP (floating-point operation) for each byte can reach {rate(speed)}; "
        "with ten times as many for each byte, ten times that."
    )


def _ceiling(moment: Moment) -> str:
    chosen, case = moment.result, moment.result.case
    used, top = chosen.computes_in, peak(case.peak)
    most = f"{used} tensor cores, the units that multiply small matrices, do at most {top}"
    if used == "FP32":
        most = f"However many FLOPs a byte brings, the cores that compute in FP32 do at most {top}"
    elif chosen.falls_back:
        most = f"The {chosen.name} has no {chosen.precision} tensor-core rate and falls back to {used}, at most {top}"
    return (
        f"{most}: a ceiling. At the ridge, {peak(case.peak, '')} ÷ {rate(case.bandwidth, 4, '')} = "
        f"{ratio(case.ridge)}, memory and arithmetic are both used in full."
    )


def _intensity(moment: Moment) -> str:
    work, what = moment.result.case.work, told(moment.result)[0]
    size = quantity(work.bytes, "B")
    if not work.flops:
        return f"The kernel {what}. That moves {size} without any FLOP: its intensity is {ratio(0)}."
    return f"The kernel {what}. {quantity(work.flops, 'FLOP')} ÷ {size} = {ratio(work.intensity)}: its intensity."


def _meet(moment: Moment) -> str:
    case = moment.result.case
    memory, arithmetic = quantity(case.memory_time, "s"), quantity(case.arithmetic_time, "s")
    if not case.work.flops:
        return (
            f"Memory is the limit: the bytes take {memory}, and there is no arithmetic to wait for. "
            "On this picture, with its logarithmic axes, 0 lies infinitely far to the left."
        )
    if case.bound == MEMORY:
        return (
            f"Memory is the limit: at {ratio(case.intensity)}, {case.bandwidth / GIGA:,.0f} GB/s feed no more than "
            f"{rate(case.attainable, 3)}, {share(case.share)} of the peak. "
            f"The bytes take {memory}; the arithmetic needs {arithmetic} of it."
        )
    return (
        f"Arithmetic is the limit: {ratio(case.intensity)} is right of the ridge, where the ceiling allows "
        f"{peak(case.attainable)}, {share(case.share)} of the peak. The arithmetic takes {arithmetic}; "
        f"the bytes need {memory} of it."
    )


PHASES = (Phase("slope", _slope), Phase("ceiling", _ceiling), Phase("intensity", _intensity), Phase("meet", _meet))
