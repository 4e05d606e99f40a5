"""One choice of the reader's: a super-block in one type, step by step, and 32 of its weights from near."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from .._formats.blocks import decibels
from .data import OUTLIERS, super_block
from .kinds import CODES, KINDS, WEIGHTS, Field, Kind
from .model import Packed, Stored, quantize
from .packing import pack, place

Array = NDArray[np.float64]

SPLIT, IDEAL, ROUNDED, CODED, DECODED, BYTES = range(1, 7)
STEPS = range(SPLIT, BYTES + 1)
SHOWN = 32  # weights seen from near: one sub-block of 32, or two of 16
PARTS = range(1, WEIGHTS // SHOWN + 1)
OWN = 17  # which of them is followed


@dataclass(frozen=True)
class Sub:
    """One sub-block."""

    index: int
    kind: Kind
    ideal: tuple[float, float]  # scale and minimum [1] as the search left them
    kept: tuple[float, float]  # and as they are read back
    counts: tuple[int, int]  # sc and m

    def levels(self, ideal: bool = False) -> Array:
        """What each code stands for [1], the lowest code first; shape (codes,)."""
        scale, minimum = self.ideal if ideal else self.kept
        return np.arange(self.kind.lowest, self.kind.highest + 1, dtype=np.float64) * scale - minimum


@cache
def stored_as(name: str, data: str) -> Stored:
    """The super-block in this type."""
    return quantize(super_block(data)[None], name)


@dataclass(frozen=True)
class Case:
    """The weights and how they are stored. Equal parameters are one object, see `case_of`."""

    name: str
    data: str
    part: int  # 1 … 8: which 32 weights are seen from near

    @property
    def kind(self) -> Kind:
        """The type."""
        return KINDS[self.name]

    @property
    def stored(self) -> Stored:
        """All of the model."""
        return stored_as(self.name, self.data)

    @property
    def packed(self) -> Packed:
        """What the bytes say."""
        return self.stored.packed

    @cached_property
    def numbers(self) -> Array:
        """The weights [1], shape (256,)."""
        return self.stored.numbers.ravel().astype(np.float64)

    @cached_property
    def decoded(self) -> Array:
        """What is read back [1], shape (256,)."""
        return self.packed.decoded.ravel().astype(np.float64)

    @cached_property
    def codes(self) -> list[int]:
        """The codes as their bits read, 0 and up; those of Q8_0 have a sign."""
        return [int(code) for code in (self.packed.codes + self.kind.zero).ravel()]

    @cached_property
    def subs(self) -> list[Sub]:
        """All sub-blocks."""
        ideal = zip(self.stored.ideal_scales[0].tolist(), self.stored.ideal_minima[0].tolist(), strict=True)
        kept = zip(self.packed.scales[0].tolist(), self.packed.minima[0].tolist(), strict=True)
        counts = zip(self.packed.scale_codes[0].tolist(), self.packed.min_codes[0].tolist(), strict=True)
        rows = zip(ideal, kept, counts, strict=True)
        return [Sub(index, self.kind, *row) for index, row in enumerate(rows)]

    @cached_property
    def shown(self) -> list[Sub]:
        """Those seen from near."""
        count = SHOWN // self.kind.size
        return self.subs[(self.part - 1) * count : self.part * count]

    @property
    def start(self) -> int:
        """The first weight seen from near."""
        return (self.part - 1) * SHOWN

    @property
    def own(self) -> int:
        """The weight that is followed."""
        return self.start + OWN

    @property
    def own_sub(self) -> Sub:
        """Its sub-block."""
        return self.subs[self.own // self.kind.size]

    @property
    def own_bits(self) -> str:
        """Its code in binary, the highest bit first."""
        return f"{self.codes[self.own] % 2**self.kind.bits:0{self.kind.bits}b}"

    def own_bytes(self) -> list[tuple[Field, int, int, int]]:
        """Where its bits lie, the highest first: field, byte of the 256 weights, lowest bit, and the byte's value."""
        stored = pack(self.packed)[0]
        fields = sorted((field for field in self.kind.fields if field.part == CODES), key=lambda field: -field.low)
        places = [(field, *place(self.kind, field, self.own)) for field in fields]
        return [(field, at, low, int(stored[at])) for field, at, low in places]

    @cached_property
    def sqnr(self) -> float:
        """Signal to noise of the 256 weights [dB]."""
        return float(decibels(self.numbers, self.decoded))

    @cached_property
    def ideal_sqnr(self) -> float:
        """The same if scales and minima were not rounded [dB]."""
        return float(decibels(self.numbers, self.stored.unrounded.ravel().astype(np.float64)))

    @cached_property
    def normal(self) -> float:
        """The same on the weights that never stand out, 253 of the 256 [dB]."""
        others = np.delete(np.arange(WEIGHTS), OUTLIERS)
        return float(decibels(self.numbers[others], self.decoded[others]))

    @cached_property
    def error(self) -> float:
        """RMS of the error over RMS of the weights [%]."""
        return 100 * _rms(self.decoded - self.numbers) / _rms(self.numbers)

    @cached_property
    def errors(self) -> list[float]:
        """RMS of each sub-block's error [1]."""
        return [_rms(part) for part in (self.decoded - self.numbers).reshape(self.kind.blocks, -1)]

    @property
    def naive(self) -> float:
        """Bits per weight that scales and minima would take as FP32 [bit]."""
        return 32 * (2 if self.kind.min_bits else 1) / self.kind.size

    def rivals(self) -> list[Case]:
        """The same weights in each type."""
        return [case_of(name, self.data, self.part) for name in KINDS]


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(values**2)))


@cache
def case_of(name: str, data: str, part: int) -> Case:
    """The case of these parameters."""
    return Case(name, data, part)


@dataclass(frozen=True)
class State:
    """A case, and how far it has come."""

    case: Case
    step: int
