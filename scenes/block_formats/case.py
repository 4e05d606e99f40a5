"""The tensors that are quantised here, and one choice of the reader's: 32 numbers of one in one format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from .._formats.blocks import decibels
from .model import LARGEST, MXFP4, NVFP4, Array, Packed, pack, quantize, relative_error

SHOWN = 32  # numbers in the picture: one block of MXFP4, two of NVFP4
HALF = SHOWN // 2
BF16_BYTES = 2 * SHOWN
PEAKS = tuple(quarter / 4 for quarter in range(16, 37))  # the largest of the numbers: 4 to 9
RULES = ("floor", "even", "ceil")
MASK = 0xFFFFFFFF


def mulberry32(seed: int) -> Iterator[float]:
    """Uniform numbers in [0, 1), multiples of 2^−32: the same integers in every language."""
    state = seed & MASK
    while True:
        state = (state + 0x6D2B79F5) & MASK
        word = ((state ^ (state >> 15)) * (1 | state)) & MASK
        word = (word + (((word ^ (word >> 7)) * (61 | word)) & MASK)) & MASK ^ word
        yield ((word ^ (word >> 14)) & MASK) / 2**32


def bell_curve(seed: int, length: int) -> Array:
    """Nearly Gaussian numbers [1] of deviation 1, each exactly a float32: sums of twelve uniform numbers, less 6."""
    stream = mulberry32(seed)
    sums = [sum(next(stream) for _ in range(12)) - 6 for _ in range(length)]
    return np.float32(sums).astype(np.float64)


@cache  # all formats store the same numbers
def block(peak: float) -> Array:
    """The numbers to store [1], shape (32,): a bell curve of deviation 1, its largest drawn out to `peak`."""
    numbers = bell_curve(1, SHOWN)
    numbers[np.abs(numbers).argmax()] = peak
    numbers.setflags(write=False)
    return numbers


@dataclass(frozen=True, eq=False)  # arrays have no single truth value to compare by
class Case:
    """The numbers and how they are stored; arrays have shape (32,)."""

    format: str
    rule: str
    peak: float  # the largest number [1]
    packed: Packed
    numbers: Array  # [1]
    scales: Array  # of each [1]
    scaled: Array  # each over its scale [1]
    elements: Array  # each as E2M1 holds it [1]
    codes: list[int]  # the four bits of each
    decoded: Array  # what is read back [1]
    stored: list[bytes]  # of each block, scale first

    @property
    def name(self) -> str:
        """The format, and the rule that rounds its scale if there are two."""
        return f"{self.format} {self.rule}" if self.format == MXFP4 else self.format

    @cached_property
    def largest(self) -> list[int]:
        """Of each block, which of the 32 numbers is its largest."""
        places = np.abs(self.packed.numbers).argmax(axis=1)
        return [block * self.packed.size + int(place) for block, place in enumerate(places)]

    @cached_property
    def top(self) -> int:
        """Which number is the largest of all 32."""
        return int(np.argmax(np.abs(self.numbers)))

    @property
    def own(self) -> int:
        """The block, of those in the picture, that holds it."""
        return self.top // self.packed.size

    @cached_property
    def clipped(self) -> list[int]:
        """Numbers beyond the last rung, so that they lose more than rounding would take."""
        return np.flatnonzero(np.abs(self.scaled) > LARGEST * (1 + 1e-6)).tolist()

    @cached_property
    def zeroed(self) -> int:
        """How many numbers are read back as 0 and were something else."""
        return int(np.count_nonzero((self.decoded == 0) & (self.numbers != 0)))

    @property
    def bytes(self) -> int:
        """Of all blocks in the picture [byte]; the tensor's own scale is left out."""
        return sum(len(block) for block in self.stored)

    @property
    def worst(self) -> float:
        """Error of the largest number [%] of it."""
        return 100 * abs(float(self.decoded[self.top] / self.numbers[self.top]) - 1)

    @cached_property
    def sqnr(self) -> float:
        """Signal to noise of the 32 numbers [dB]."""
        return decibels(self.numbers, self.decoded)

    @cached_property
    def error(self) -> float:
        """RMS of the error over RMS of the numbers [%]."""
        return relative_error(self.numbers, self.decoded)

    @cached_property
    def rest(self) -> float:
        """The same of the 31 numbers without the largest [%]."""
        others = np.arange(SHOWN) != self.top
        return relative_error(self.numbers[others], self.decoded[others])

    def pair(self, at: int) -> tuple[int, int, int]:
        """The byte that holds number `at`, counted without scales, and the numbers in its low and its high half."""
        half, start = self.packed.size // 2, at - at % self.packed.size
        low = start + at % half
        return start // 2 + at % half, low, low + half

    @cached_property
    def rivals(self) -> list[Case]:
        """The same numbers in each format."""
        return [*(case_of(MXFP4, rule, self.peak) for rule in RULES), case_of(NVFP4, RULES[0], self.peak)]

    @property
    def other(self) -> Case:
        """The same numbers over other scales: of MXFP4 by another rule, where all rules agree of NVFP4."""
        rivals = [self.rivals[-2], *self.rivals]
        return next(rival for rival in rivals if not np.array_equal(rival.scales, self.scales))


@cache  # each is a rival of three others
def case_of(format: str, rule: str, peak: float) -> Case:
    """The case of these parameters."""
    packed = quantize(block(peak), format, rule)
    return Case(format, rule, peak, packed, packed.numbers.ravel(), np.repeat(packed.scales, packed.size),
                packed.scaled.ravel(), packed.elements.ravel(), packed.codes.ravel().tolist(),
                packed.decoded.ravel(), pack(packed))  # fmt: skip
