"""The storage types: how many weights share a scale, how many bits each part gets, and in which order bytes lie.

.. [1] ggml-org, ggml, src/ggml-common.h (struct block_q2_K … block_q6_K, block_q4_0, block_q4_1, block_q8_0).
.. [2] ikawrakow, k-quants, llama.cpp pull request 1684, 2023. Its text gives Q2_K 2.5625 bits; the struct has 2.625.
"""

from __future__ import annotations

from dataclasses import dataclass

WEIGHTS = 256  # of a super-block
CODES, SCALES, SUPER = "codes", "scales", "super"
PARTS = (CODES, SCALES, SUPER)  # what bytes are spent on


@dataclass(frozen=True)
class Field:
    """A run of bytes of a struct. A run of codes holds `bits` bits of each, from bit `low` on.

    Its first byte holds those bits of weights 0, `run`, 2 · `run` … from the lowest bits up, the next byte of 1,
    1 + `run` …, and after `run` bytes it goes on with the weights that follow.
    """

    name: str
    part: str
    bytes: int
    low: int = 0
    bits: int = 0
    run: int = 0

    @property
    def above(self) -> int:
        """The bit after the last one held."""
        return self.low + self.bits


@dataclass(frozen=True)
class Kind:
    """One type. A weight is d · sc · (q − zero) − dmin · m, with sc and m of its sub-block.

    Q4_1 stores −dmin in each block, and calls it m; it may have either sign.
    """

    name: str
    blocks: int  # sub-blocks in 256 weights
    bits: int  # of a code q [bit]
    zero: int  # the code of 0, where there is no minimum
    scale_bits: int  # of a sub-block's sc [bit]
    min_bits: int  # of a sub-block's m [bit]; 0: there is none
    fields: tuple[Field, ...]  # of the struct, in order
    structs: int = 1  # in 256 weights; 1: they share one d

    @property
    def size(self) -> int:
        """Weights in a sub-block."""
        return WEIGHTS // self.blocks

    @property
    def nested(self) -> bool:
        """Whether the sub-blocks' scales are themselves quantised."""
        return self.structs == 1

    @property
    def lowest(self) -> int:
        """The smallest code, as q − zero."""
        return -127 if self.bits == 8 else -self.zero

    @property
    def highest(self) -> int:
        """The largest code, as q − zero."""
        return 127 if self.bits == 8 else 2**self.bits - 1 - self.zero

    @property
    def bytes(self) -> int:
        """Of 256 weights [byte]."""
        return self.structs * sum(field.bytes for field in self.fields)

    def spent(self, part: str) -> float:
        """Bits per weight on one part [bit]."""
        return 8 * self.structs * sum(field.bytes for field in self.fields if field.part == part) / WEIGHTS

    @property
    def total(self) -> float:
        """Bits per weight [bit]."""
        return 8 * self.bytes / WEIGHTS


_D, _DMIN = Field("d", SUPER, 2), Field("dmin", SUPER, 2)
_NIBBLES = Field("qs", CODES, 128, 0, 4, 32)
_PAIRS = Field("qs", CODES, 64, 0, 2, 32)

KINDS = {
    kind.name: kind
    for kind in (
        Kind("Q2_K", 16, 2, 0, 4, 4, (Field("scales", SCALES, 16), _PAIRS, _D, _DMIN)),
        Kind("Q3_K", 16, 3, 4, 6, 0, (Field("hmask", CODES, 32, 2, 1, 32), _PAIRS, Field("scales", SCALES, 12), _D)),
        Kind("Q4_K", 8, 4, 0, 6, 6, (_D, _DMIN, Field("scales", SCALES, 12), _NIBBLES)),
        Kind("Q5_K", 8, 5, 0, 6, 6,
             (_D, _DMIN, Field("scales", SCALES, 12), Field("qh", CODES, 32, 4, 1, 32), _NIBBLES)),
        Kind("Q6_K", 16, 6, 32, 8, 0,
             (Field("ql", CODES, 128, 0, 4, 64), Field("qh", CODES, 64, 4, 2, 32), Field("scales", SCALES, 16), _D)),
        Kind("Q4_0", 8, 4, 8, 16, 0, (Field("d", SCALES, 2), Field("qs", CODES, 16, 0, 4, 16)), structs=8),
        Kind("Q4_1", 8, 4, 0, 16, 16,
             (Field("d", SCALES, 2), Field("m", SCALES, 2), Field("qs", CODES, 16, 0, 4, 16)), structs=8),
        Kind("Q8_0", 8, 8, 0, 16, 0, (Field("d", SCALES, 2), Field("qs", CODES, 32, 0, 8, 32)), structs=8),
    )
}  # fmt: skip


def kind_of(name: str) -> Kind:
    """The type of this name; raises ValueError for an unknown one."""
    if name not in KINDS:
        raise ValueError(f"unknown type '{name}', expected one of {', '.join(KINDS)}")
    return KINDS[name]
