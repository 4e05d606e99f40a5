"""One choice of the reader's: a super-block in one type, and 32 of its weights from near."""

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

    def level_of(self, code: int, ideal: bool = False) -> float:
        """What a code stands for [1]."""
        scale, minimum = self.ideal if ideal else self.kept
        return code * scale - minimum

    def levels(self, ideal: bool = False) -> list[float]:
        """What each code stands for [1], the lowest code first."""
        return [self.level_of(code, ideal) for code in range(self.kind.lowest, self.kind.highest + 1)]


@dataclass(frozen=True, eq=False)
class Case:
    """The weights and how they are stored. Equal parameters are one object, see `case_of`."""

    name: str
    data: str
    part: int  # 1 … 8: which 32 weights are seen from near
    stored: Stored  # all of the model
    packed: Packed  # what the bytes say
    kind: Kind
    numbers: Array  # the weights [1], shape (256,)
    decoded: Array  # what is read back [1], shape (256,)
    codes: list[int]  # as their bits read, 0 and up; those of Q8_0 have a sign
    subs: list[Sub]

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
    def near(self) -> slice:
        """All weights seen from near."""
        return slice(self.start, self.start + SHOWN)

    @property
    def own(self) -> int:
        """The weight that is followed."""
        return self.start + OWN

    @property
    def own_sub(self) -> Sub:
        """Its sub-block."""
        return self.subs[self.own // self.kind.size]

    @cached_property
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

    @property
    def ideal_error(self) -> float:
        """RMS of the error over RMS of the weights, if scales and minima were not rounded [%]."""
        return 100 * float(10 ** (-self.ideal_sqnr / 20))

    @property
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

    @property
    def rivals(self) -> list[Case]:
        """The same weights in each type."""
        return [case_of(name, self.data, self.part) for name in KINDS]


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(values**2)))


@cache  # the same for all parts of a super-block
def stored_as(name: str, data: str) -> Stored:
    """The super-block in this type."""
    return quantize(super_block(data)[None], name)


@cache  # every type is compared with the others
def case_of(name: str, data: str, part: int) -> Case:
    """The case of these parameters."""
    stored = stored_as(name, data)
    packed, kind = stored.packed, stored.packed.kind
    numbers, decoded = stored.numbers.ravel().astype(np.float64), packed.decoded.ravel().astype(np.float64)
    both = (
        (stored.ideal_scales, stored.ideal_minima),
        (packed.scales, packed.minima),
        (packed.scale_codes, packed.min_codes),
    )
    pairs = [zip(scales[0].tolist(), minima[0].tolist(), strict=True) for scales, minima in both]
    subs = [Sub(index, kind, *three) for index, three in enumerate(zip(*pairs, strict=True))]
    codes = (packed.codes + kind.zero).ravel().tolist()
    return Case(name, data, part, stored, packed, kind, numbers, decoded, codes, subs)
