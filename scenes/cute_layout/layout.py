"""Layouts: nested shapes and strides, and the two ways to write a coordinate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod
from operator import mul

import numpy as np
from numpy.typing import NDArray

IntTuple = int | tuple["IntTuple", ...]
Offsets = NDArray[np.int64]


def spell(value: IntTuple, gap: str = "") -> str:
    """How CuTe writes an integer or a nested tuple: `(8,(2,4))`; with a gap after each comma if one is given."""
    if isinstance(value, int):
        return str(value)
    return f"({f',{gap}'.join(spell(part, gap) for part in value)})"


def leaves(value: IntTuple) -> tuple[int, ...]:
    """The integers of a nested tuple from left to right, without their nesting."""
    return (value,) if isinstance(value, int) else tuple(leaf for part in value for leaf in leaves(part))


def compact_stride(shape: IntTuple) -> IntTuple:
    """The strides of the compact column-major layout of `shape`: the product of all leaves before each."""
    steps = iter(accumulate(leaves(shape), mul, initial=1))

    def nest(part: IntTuple) -> IntTuple:
        return next(steps) if isinstance(part, int) else tuple(nest(one) for one in part)

    return nest(shape)


@dataclass(frozen=True)
class Layout:
    """A function from coordinates to offsets, written Shape:Stride.

    Parameters
    ----------
    shape : int or nested tuple of int
        How many coordinates there are in each direction [elements].
    stride : int or nested tuple of int
        How far one step in each direction goes in memory [elements]; nested like `shape`.

    References
    ----------
    .. [1] Cecka, "CuTe Layout Representation and Algebra", 2026, arXiv:2603.02298.
    .. [2] NVIDIA, CuTe documentation, 01_layout.md.
    """

    shape: IntTuple
    stride: IntTuple

    def __post_init__(self) -> None:
        if not congruent(self.shape, self.stride):
            raise ValueError(f"the stride {spell(self.stride)} is not nested like the shape {spell(self.shape)}")
        if min(leaves(self.shape), default=0) < 1:
            raise ValueError(f"every extent of the shape {spell(self.shape)} must be at least 1")

    def __str__(self) -> str:
        return f"{spell(self.shape)}:{spell(self.stride)}"

    @cached_property
    def modes(self) -> tuple[Layout, ...]:
        """The layouts of the directions; a layout of one integer is its own only mode."""
        if isinstance(self.shape, int) or isinstance(self.stride, int):
            return (self,)
        return tuple(Layout(*pair) for pair in zip(self.shape, self.stride, strict=True))

    @property
    def terms(self) -> tuple[tuple[int, int], ...]:
        """Extent and stride of each leaf, from left to right."""
        return tuple(zip(leaves(self.shape), leaves(self.stride), strict=True))

    @property
    def size(self) -> int:
        """How many coordinates it has [elements]."""
        return prod(leaves(self.shape))

    @property
    def cosize(self) -> int:
        """How much memory it spans: the last coordinate's offset, and one more [elements]."""
        return self(self.size - 1) + 1

    def __call__(self, coordinate: IntTuple) -> int:
        """The offset of a coordinate of any nesting [elements]: natural coordinate · stride."""
        natural = leaves(natural_coordinate(coordinate, self.shape))
        return sum(c * d for c, d in zip(natural, leaves(self.stride), strict=True))

    def offsets(self) -> Offsets:
        """The offsets of the integer coordinates 0, 1, 2 …, shape (size,) [elements]."""
        return np.array([self(number) for number in range(self.size)], dtype=np.int64)

    def grid(self) -> Offsets:
        """The offsets of a layout of two modes, shape (size of mode 0, size of mode 1) [elements]."""
        if len(self.modes) != 2:
            raise ValueError(f"{self} has {len(self.modes)} modes; a grid needs rows and columns")
        return self.offsets().reshape([mode.size for mode in self.modes], order="F")


def congruent(left: IntTuple, right: IntTuple) -> bool:
    """Whether two tuples are nested in the same way."""
    if isinstance(left, int) or isinstance(right, int):
        return isinstance(left, int) and isinstance(right, int)
    return len(left) == len(right) and all(congruent(*pair) for pair in zip(left, right, strict=True))


def join(*layouts: Layout) -> Layout:
    """One layout with the given ones as its modes."""
    return Layout(tuple(layout.shape for layout in layouts), tuple(layout.stride for layout in layouts))


def natural_coordinate(coordinate: IntTuple, shape: IntTuple) -> IntTuple:
    """The coordinate nested like `shape`. An integer counts colexicographically: the first mode turns fastest.

    Parameters
    ----------
    coordinate : int or nested tuple of int
        An integer wherever the whole part of the shape is counted through; at most as deep as `shape`.
    shape : int or nested tuple of int
        What the result is nested like.

    Returns
    -------
    int or nested tuple of int
        c_k = floor(i / product of the extents before k) mod s_k; the last one is not reduced.

    References
    ----------
    .. [1] NVIDIA, CuTe documentation, 01_layout.md, "Layout coordinates".
    """
    if isinstance(shape, int):
        if not isinstance(coordinate, int):
            raise ValueError(f"the coordinate {spell(coordinate)} does not fit the shape {spell(shape)}")
        return coordinate
    if isinstance(coordinate, int):
        return tuple(_digits(coordinate, shape))
    if len(coordinate) != len(shape):
        raise ValueError(f"the coordinate {spell(coordinate)} does not fit the shape {spell(shape)}")
    return tuple(natural_coordinate(*pair) for pair in zip(coordinate, shape, strict=True))


def _digits(number: int, shape: tuple[IntTuple, ...]) -> Iterator[IntTuple]:
    for part in shape[:-1]:
        extent = prod(leaves(part))
        yield natural_coordinate(number % extent, part)
        number //= extent
    yield natural_coordinate(number, shape[-1])
