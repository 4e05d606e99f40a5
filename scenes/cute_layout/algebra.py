"""The algebra of layouts: simplify, compose, complement, divide; and the swizzle, which is no layout."""

from __future__ import annotations

import numpy as np

from .layout import Layout, Offsets, join

Tiler = Layout | tuple[Layout, ...]


def coalesce(layout: Layout) -> Layout:
    """The same function of integers with as few modes as possible.

    Neighbours (s0, s1):(d0, d1) with s0·d0 = d1 become (s0·s1):d0; modes of extent 1 go. The result is flat.

    References
    ----------
    .. [1] NVIDIA, CuTe documentation, 02_layout_algebra.md, "Coalesce".
    """
    kept: list[tuple[int, int]] = []
    for extent, stride in layout.terms:
        if extent == 1:
            continue
        if kept and kept[-1][0] * kept[-1][1] == stride:
            kept[-1] = kept[-1][0] * extent, kept[-1][1]
        else:
            kept.append((extent, stride))
    return _flat(kept) if kept else Layout(1, 0)


def composition(outer: Layout, inner: Tiler) -> Layout:
    """R = outer ∘ inner, so that R(c) = outer(inner(c)) for every coordinate c of `inner`.

    Parameters
    ----------
    outer : Layout
        What places: from integers to offsets.
    inner : Layout or tuple of Layout
        What picks: from coordinates to integers. A tuple composes mode by mode.

    Raises
    ------
    ValueError
        If no layout is that function mode by mode: an extent and a stride do not divide each other
        (stride divisibility), a rest is cut unevenly (shape divisibility), or the modes of `inner`
        carry into each other.

    References
    ----------
    .. [1] NVIDIA, CuTe documentation, 02_layout_algebra.md, "Composition".
    .. [2] Shah, "A note on the algebra of CuTe layouts", 2024: the admissibility conditions.
    """
    if isinstance(inner, tuple):
        return join(*(composition(*pair) for pair in zip(outer.modes, inner, strict=True)))
    result = _compose(outer, inner)
    wanted = [outer(int(place)) for place in inner.offsets()]
    if result.offsets().tolist() != wanted:
        raise ValueError(f"{outer} ∘ {inner} is not a layout: the modes of {inner} carry into each other")
    return result


def _compose(outer: Layout, inner: Layout) -> Layout:
    if not isinstance(inner.shape, int) or not isinstance(inner.stride, int):
        return join(*(_compose(outer, mode) for mode in inner.modes))
    rest, step = inner.shape, inner.stride
    if step == 0:
        return Layout(rest, 0)
    *terms, (_, last) = coalesce(outer).terms
    kept = []
    for extent, stride in terms:
        if extent % step and step % extent:
            raise ValueError(f"{outer} ∘ {inner} is not a layout: {extent} and {step} do not divide (stride)")
        here = min(max(1, extent // step), rest)
        if rest % here:
            raise ValueError(f"{outer} ∘ {inner} is not a layout: {rest} is not a multiple of {here} (shape)")
        if here != 1:
            kept.append((here, step * stride))
        rest, step = rest // here, -(-step // extent)
    if rest != 1 or not kept:
        kept.append((rest, step * last))
    return _flat(kept)


def complement(layout: Layout, most: int) -> Layout:
    """The layout that reaches what `layout` leaves out: together they reach every offset below `most` once.

    Parameters
    ----------
    layout : Layout
        No two coordinates of which share an offset.
    most : int
        How far to fill up [elements].

    Returns
    -------
    Layout
        In the order of growing strides; 1:0 where nothing is left out. There is none if the strides of `layout` do not
        divide each other in turn.

    References
    ----------
    .. [1] NVIDIA, CuTe documentation, 02_layout_algebra.md, "Complement".
    """
    if len(set(layout.offsets().tolist())) < layout.size:
        raise ValueError(f"{layout} has no complement: it repeats an offset")
    done, kept = 1, []
    for stride, extent in sorted((stride, extent) for extent, stride in layout.terms if extent > 1):
        if stride % done:
            raise ValueError(f"{layout} has no complement: the stride {stride} is not a multiple of {done}")
        kept.append((stride // done, done))
        done = extent * stride
    return coalesce(_flat([*kept, (-(-most // done), done)]))


def logical_divide(layout: Layout, tiler: Tiler) -> Layout:
    """`layout` cut into tiles: mode 0 is the tile, mode 1 says which tile. A tuple divides mode by mode.

    References
    ----------
    .. [1] NVIDIA, CuTe documentation, 02_layout_algebra.md, "Logical divide".
    """
    if isinstance(tiler, tuple):
        return join(*(logical_divide(*pair) for pair in zip(layout.modes, tiler, strict=True)))
    return composition(layout, join(tiler, complement(tiler, layout.size)))


def zipped_divide(layout: Layout, tiler: tuple[Layout, ...]) -> Layout:
    """`layout` divided mode by mode, the tiles' modes gathered in mode 0 and the rests in mode 1.

    References
    ----------
    .. [1] NVIDIA, CuTe documentation, 02_layout_algebra.md, "Zipped, tiled, flat divides".
    """
    parts = [mode.modes for mode in logical_divide(layout, tiler).modes]
    return join(*(join(*part) for part in zip(*parts, strict=True)))


def swizzle(offsets: Offsets, bits: int, base: int, shift: int) -> Offsets:
    """Swizzle<bits,base,shift>: XOR some higher bits of each offset into lower ones.

    Parameters
    ----------
    offsets : ndarray of int, any shape
        Not negative [elements].
    bits, base, shift : int
        How many bits take part, how many low bits stay as they are, how far the others move.
        A negative shift moves lower bits up.

    Returns
    -------
    ndarray, the same shape
        Swizzled offsets [elements]: the same ones below 2**(bits + base + |shift|), in another order.

    References
    ----------
    .. [1] NVIDIA, CUTLASS, include/cute/swizzle.hpp.
    """
    if abs(shift) < bits:
        raise ValueError(f"Swizzle<{bits},{base},{shift}>: the shift is less than the number of bits")
    taken = offsets & (((1 << bits) - 1) << (base + max(0, shift)))
    moved = taken >> shift if shift >= 0 else taken << -shift
    return np.asarray(offsets ^ moved, dtype=np.int64)


def _flat(terms: list[tuple[int, int]]) -> Layout:
    if len(terms) == 1:
        return Layout(*terms[0])
    return Layout(tuple(extent for extent, _ in terms), tuple(stride for _, stride in terms))
