"""What is said of each step."""

from __future__ import annotations

from .kernels import ELEMENTS, HEADS, SIDE, TOKENS
from .machines import GIGA
from .model import MEMORY
from .moments import CEILING, INTENSITY, SLOPE, State
from .words import bandwidth, element, flops, peak, rate, ratio, share, size, time


def say(state: State) -> str:
    if state.step == SLOPE:
        return _slope(state)
    if state.step == CEILING:
        return _ceiling(state)
    return _intensity(state) if state.step == INTENSITY else _meet(state)


def _slope(state: State) -> str:
    speed = state.case.bandwidth
    return (
        f"The memory of the {state.gpu.part} moves {bandwidth(speed)} (1 GB = 10⁹ bytes). A kernel, a program that "
        f"runs on the GPU, that does 1 FLOP (floating-point operation) for each byte can reach {rate(speed)}; "
        "with ten times as many for each byte, ten times that."
    )


def _ceiling(state: State) -> str:
    case, used = state.case, state.computes_in
    top = peak(case.peak)
    most = f"{used} tensor cores, the units that multiply small matrices, do at most {top}"
    if used == "FP32":
        most = f"however many FLOPs a byte brings, the cores that compute in FP32 do at most {top}"
    elif state.falls_back:
        most = f"the {state.name} has no {state.precision} tensor-core rate and falls back to {used}, at most {top}"
    most = most[0].upper() + most[1:]
    return (
        f"{most}: a ceiling. At the ridge, {peak(case.peak, '')} ÷ {rate(case.bandwidth, 4, '')} = "
        f"{ratio(case.ridge)}, memory and arithmetic are both used in full."
    )


def _what(state: State) -> str:
    """What the kernel computes, and what it moves."""
    kernel, b = state.kernel, element(state.precision)
    millions = f"{ELEMENTS // 10**6} million"
    if kernel == "copy":
        return f"copy reads {millions} elements of {b} and writes them again"
    if kernel == "elementwise":
        return f"elementwise, add in the picture, adds two vectors of {millions} elements of {b}: two read, one written"
    if kernel == "gemv":
        return f"gemv multiplies a matrix of {SIDE:,} × {SIDE:,} elements of {b} by a vector: each is used once"
    if kernel == "prefill":
        return (
            f"prefill is attention over {TOKENS:,} new tokens in {HEADS} heads: its scores stay on the chip, "
            f"and elements of {b} are read or written once"
        )
    if kernel == "decode":
        return (
            f"decode is attention of one new token, in {HEADS} heads, over a KV cache, the stored keys and values of "
            f"{TOKENS:,} tokens: each element of {b} is used by one query alone"
        )
    side = int(kernel.removeprefix("gemm-"))
    return (
        f"{kernel} multiplies two matrices of {side:,} × {side:,} elements of {b}; each of them is used {side:,} times"
    )


def _intensity(state: State) -> str:
    work = state.case.work
    what = _what(state)
    if not work.flops:
        return f"The kernel {what}. That moves {size(work.bytes)} without any FLOP: its intensity is {ratio(0)}."
    return f"The kernel {what}. {flops(work.flops)} ÷ {size(work.bytes)} = {ratio(work.intensity)}: its intensity."


def _meet(state: State) -> str:
    case = state.case
    memory, arithmetic = time(case.memory_time), time(case.arithmetic_time)
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
