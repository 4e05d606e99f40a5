"""What is said of each rung: the change in plain words, the speed, and the factor."""

from __future__ import annotations

from .model import (
    CUBLAS,
    OUTPUT_TILE,
    PEAK,
    RUNGS,
    SAID_MORE,
    SAID_OF_CUBLAS,
    SAID_SLOWER,
    SAID_TIMES,
    SIDE,
    SPEEDS,
    STAGES,
    State,
    factors,
    share,
    two_digits,
)

COUNTS = {5: "Five"}


def times(rung: int) -> str:
    """The factor of a rung (from 0) over the one before; with the digits that its figures have."""
    factor = float(factors(SPEEDS)[rung - 1])
    return f"{two_digits(factor):.0f}" if rung == 1 else f"{factor:.2f}"


def say(state: State) -> str:
    if state.closing:
        return say_end()
    speed = f"{state.rung.shown}\u00a0TFLOP/s"
    if state.climbed == 1:
        equal = " On this axis equal lengths are equal factors." if state.scale == "log" else ""
        return (
            f"As published: two {SIDE:,} × {SIDE:,} matrices in BF16, multiplied on one B200. A kernel of four "
            f"lines, one thread for each number of the result, reaches {speed}: {state.rung.shown} trillion "
            f"additions and multiplications a second, {share(state.rung.speed, PEAK):.1f}\u00a0% "
            f"of the listed peak.{equal}"
        )
    return SAYINGS[state.climbed - 2](speed, times(state.climbed - 1))


def say_tiles(speed: str, factor: str) -> str:
    return (
        f"Each block of threads computes a tile of {OUTPUT_TILE} × {OUTPUT_TILE} numbers. TMA, a copy engine, brings "
        f"tiles into shared memory, and tensor cores, units for small matrix products, multiply them. "
        f"{speed}, {factor} times as fast; the source says {SAID_TIMES}."
    )


def say_swizzle(speed: str, factor: str) -> str:
    return (
        "A swizzle exchanges the 16-byte pieces of each row, so that rows below each other lie in different banks of "
        f"shared memory, and one copy does the work of eight. {speed}, {factor} times as fast."
    )


def say_store(speed: str, factor: str) -> str:
    gain = 100 * (float(factors(SPEEDS)[2]) - 1)
    return (
        f"The output is packed in shared memory, and TMA stores it. {speed}: the source’s text calls that "
        f"{SAID_SLOWER}\u00a0% slower, but its figures make it {gain:.1f}\u00a0% faster. Memory still sets the pace."
    )


def say_pairs(speed: str, factor: str) -> str:
    return (
        "Two SMs, the processors of the GPU, share one larger multiplication, and multicast sends a tile to several "
        f"SMs at once. {speed}, {factor} times as fast. Copying and multiplying still take turns."
    )


def say_stages(speed: str, factor: str) -> str:
    return (
        f"{COUNTS[STAGES]} stages: while one tile is multiplied, the next are on their way. One warp (32 threads that "
        f"execute together) starts the copies, another the multiplications. {speed}, {factor} times as fast."
    )


def say_buffers(speed: str, factor: str) -> str:
    return (
        "Two small buffers: one part of the output is stored while the next is moved. The memory that this saves "
        f"holds more stages. The source gives {SAID_MORE:.0f}\u00a0TFLOP/s more, so {speed}, {factor} times as fast."
    )


def say_stay(speed: str, factor: str) -> str:
    return (
        "Blocks stay on their SMs and fetch one tile after another, so that storing overlaps the next tile and "
        f"nothing is set up anew. {speed}, {factor} times as fast: past the {CUBLAS:,.0f} of cuBLAS, NVIDIA’s library."
    )


def say_end() -> str:
    last, first = RUNGS[-1], RUNGS[0]
    whole = two_digits(last.speed / first.speed)
    reached = float(share(last.speed, PEAK))
    return (
        f"From {first.shown} to {last.shown}\u00a0TFLOP/s: about {whole:.0f} times. That is "
        f"{share(last.speed, CUBLAS):.1f}\u00a0% of cuBLAS (the source says {SAID_OF_CUBLAS}\u00a0%), but "
        f"{reached:.1f}\u00a0% of the peak of {PEAK:,.0f}: {100 - reached:.1f}\u00a0% are still left."
    )


SAYINGS = (say_tiles, say_swizzle, say_store, say_pairs, say_stages, say_buffers, say_stay)
