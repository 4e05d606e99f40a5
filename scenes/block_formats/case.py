"""One choice of the reader's: 32 numbers of a tensor in one format, step by step, beside the other formats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from .._formats.blocks import decibels
from .data import tensor
from .model import LARGEST, MXFP4, NVFP4, RULES, Array, Packed, pack, quantize, relative_error

SHOWN = 32  # numbers in the picture: one block of MXFP4, two of NVFP4
HALF = SHOWN // 2
BF16_BYTES = 2 * SHOWN
NUMBERS, AMAX, SCALE, ROUNDED, CODES, DECODED, ERROR = range(1, 8)
STEPS = range(NUMBERS, ERROR + 1)


@dataclass(frozen=True)
class Case:
    """The numbers and how they are stored. Equal parameters are one object, see `case_of`."""

    format: str
    rule: str
    data: str
    block: int  # 1 or 2: which 32 numbers of the tensor

    @property
    def name(self) -> str:
        """The format, and the rule that rounds its scale if there are two."""
        return f"{self.format} {self.rule}" if self.format == MXFP4 else self.format

    @cached_property
    def packed(self) -> Packed:
        """Only the blocks in the picture; NVFP4's tensor scale is that of the whole tensor."""
        return quantize(tensor(self.data), self.format, self.rule).part((self.block - 1) * SHOWN, SHOWN)

    @cached_property
    def numbers(self) -> Array:
        """All 32, in order [1]."""
        return self.packed.numbers.ravel()

    @cached_property
    def decoded(self) -> Array:
        """What is read back of them [1]."""
        return self.packed.decoded.ravel()

    @cached_property
    def scaled(self) -> Array:
        """Each over its scale [1]."""
        return self.packed.scaled.ravel()

    @cached_property
    def elements(self) -> Array:
        """Each as E2M1 holds it [1]."""
        return self.packed.elements.ravel()

    @cached_property
    def codes(self) -> list[int]:
        """The four bits of each."""
        return [int(code) for code in self.packed.codes.ravel()]

    @cached_property
    def scales(self) -> Array:
        """The scale of each [1]."""
        return np.repeat(self.packed.scales, self.packed.size)

    @cached_property
    def stored(self) -> list[bytes]:
        """The bytes of each block, scale first."""
        return pack(self.packed)

    @cached_property
    def largest(self) -> list[int]:
        """Of each block, which of the 32 numbers is its largest."""
        size = self.packed.size
        return [start + int(np.argmax(np.abs(self.numbers[start : start + size]))) for start in range(0, SHOWN, size)]

    @cached_property
    def top(self) -> int:
        """Which number is the largest of all 32."""
        return int(np.argmax(np.abs(self.numbers)))

    @property
    def own(self) -> int:
        """The block, of those in the picture, that holds it."""
        return self.top // self.packed.size

    @property
    def amax(self) -> float:
        """The largest magnitude in the picture [1]."""
        return float(abs(self.numbers[self.top]))

    @property
    def tensor_amax(self) -> float:
        """The largest magnitude of the whole tensor [1]."""
        return float(np.abs(tensor(self.data)).max())

    @cached_property
    def clipped(self) -> list[int]:
        """Numbers beyond the last rung, so that they lose more than rounding would take."""
        return [int(at) for at in np.flatnonzero(np.abs(self.scaled) > LARGEST * (1 + 1e-6))]

    @cached_property
    def zeroed(self) -> list[int]:
        """Numbers that are read back as 0 and were something else."""
        return [int(at) for at in np.flatnonzero((self.decoded == 0) & (self.numbers != 0))]

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
        return float(decibels(self.numbers, self.decoded))

    @cached_property
    def error(self) -> float:
        """RMS of the error over RMS of the numbers [%]."""
        return relative_error(self.numbers, self.decoded)

    def pair(self, at: int) -> tuple[int, int, int]:
        """The byte that holds number `at`, counted without scales, and the numbers in its low and its high half."""
        size = self.packed.size
        half, start = size // 2, at - at % size
        low = start + at % half
        return start // 2 + at % half, low, low + half

    def rivals(self) -> list[Case]:
        """The same numbers in each format."""
        mine = [(MXFP4, rule) for rule in RULES]
        return [case_of(name, rule, self.data, self.block) for name, rule in [*mine, (NVFP4, RULES[0])]]

    @cached_property
    def span(self) -> float:
        """The largest magnitude that any of the formats has a rung or a number for [1]."""
        return float(max(max(rival.amax, LARGEST * float(rival.packed.scales.max())) for rival in self.rivals()))


@cache
def case_of(format: str, rule: str, data: str, block: int) -> Case:
    """The case of these parameters."""
    return Case(format, rule, data, block)


@dataclass(frozen=True)
class State:
    """A case, and how far it has come."""

    case: Case
    step: int
