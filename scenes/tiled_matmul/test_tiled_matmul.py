"""Check the counts of the tiled product against loops that really load, and the closed forms against section 7."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.tiled_matmul.model import (
    BANDWIDTH,
    BF16,
    FP32,
    PEAK,
    SIDE,
    TILES,
    Product,
    attainable,
    mainloop_intensity,
    naive_loads,
    ridge,
    tiled_loads,
)  # fmt: skip

exhaustive = settings(max_examples=100, deadline=None, derandomize=True)
small = st.integers(1, 6)


def matrices(m, n, k):
    dice = np.random.RandomState(3)
    return dice.randint(-9, 10, (m, k)).tolist(), dice.randint(-9, 10, (k, n)).tolist()


def walk_naive(a, b):
    """Every output reads its operands from global memory. Returns C and the loads."""
    m, k, n = len(a), len(b), len(b[0])
    loads, c = 0, [[0] * n for _ in range(m)]
    for i, j, p in itertools.product(range(m), range(n), range(k)):
        loads += 2
        c[i][j] += a[i][p] * b[p][j]
    return c, loads


def walk_tiled(a, b, rows, columns, depth):
    """Blocks keep what they loaded in a set, forgotten with each turn. Returns C, loads, and uses of each load."""
    m, k, n = len(a), len(b), len(b[0])
    loads, uses, c = 0, 0, [[0] * n for _ in range(m)]
    for top, left, front in itertools.product(range(0, m, rows), range(0, n, columns), range(0, k, depth)):
        shared = set()
        turn = range(top, top + rows), range(left, left + columns), range(front, front + depth)
        for i, j, p in itertools.product(*turn):
            for wanted in (("a", i, p), ("b", p, j)):
                uses += 1
                if wanted not in shared:
                    shared.add(wanted)
                    loads += 1
            c[i][j] += a[i][p] * b[p][j]
    return c, loads, uses / loads


def test_naive_loops_load_what_the_formula_says_and_compute_the_product():
    a, b = matrices(SIDE, SIDE, SIDE)
    c, loads = walk_naive(a, b)
    assert loads == naive_loads(SIDE, SIDE, SIDE) == 8192
    assert np.array_equal(c, np.array(a) @ np.array(b))


@pytest.mark.parametrize(("rows", "columns"), list(itertools.product(TILES, TILES)))
def test_tiled_loops_load_what_the_toy_says_and_compute_the_product(rows, columns):
    a, b = matrices(SIDE, SIDE, SIDE)
    product = Product(rows, columns)
    c, loads, reuse = walk_tiled(a, b, rows, columns, 1)
    assert np.array_equal(c, np.array(a) @ np.array(b))
    assert loads == product.loads == product.slice * SIDE * product.blocks
    assert reuse == pytest.approx(product.times)
    assert product.uses * SIDE * product.blocks == SIDE**3


@exhaustive
@given(small, small, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
def test_tiled_loads_agree_with_the_loops_whatever_the_shape_and_the_depth(rows, columns, down, across, depth, turns):
    m, n, k = rows * down, columns * across, depth * turns
    a, b = matrices(m, n, k)
    c, loads, _ = walk_tiled(a, b, rows, columns, depth)
    assert loads == tiled_loads(m, n, k, rows, columns)
    assert np.array_equal(c, np.array(a) @ np.array(b))


def test_toy_counts_are_those_of_the_brief():
    assert [Product(tile, tile).loads for tile in TILES] == [8192, 4096, 2048, 1024, 512]
    assert [Product(tile, tile).times for tile in TILES] == [1, 2, 4, 8, 16]
    assert [Product(tile, tile).intensity for tile in TILES] == [0.5, 1, 2, 4, 8]
    assert Product(4, 4).one_output == 32


# facts/hardware.md, section 7: block, traffic relative to naive, FLOP/B in BF16 and in FP32.
SECTION_7 = [
    (1, 1, 1, 0.5, 0.25), (16, 16, 16, 8, 4), (32, 32, 32, 16, 8), (64, 64, 64, 32, 16), (128, 128, 128, 64, 32),
    (128, 256, 170.7, 85.3, 42.7), (256, 256, 256, 128, 64),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "columns", "fewer", "bf16", "fp32"), SECTION_7)
def test_traffic_and_intensity_are_those_of_section_7(rows, columns, fewer, bf16, fp32):
    n = 1024
    assert naive_loads(n, n, n) / tiled_loads(n, n, n, rows, columns) == pytest.approx(fewer, abs=0.05)
    assert float(mainloop_intensity(rows, columns, BF16)) == pytest.approx(bf16, abs=0.05)
    assert float(mainloop_intensity(rows, columns, FP32)) == pytest.approx(fp32, abs=0.05)


@exhaustive
@given(st.integers(1, 512), st.integers(1, 512), st.sampled_from([1, 2, 4, 8]), st.integers(1, 64))
def test_intensity_is_arithmetic_over_bytes_counted_exactly(rows, columns, element, k):
    flop, loaded = 2 * rows * columns * k, tiled_loads(rows, columns, k, rows, columns)
    assert float(mainloop_intensity(rows, columns, element)) == pytest.approx(float(Fraction(flop, loaded * element)))


def test_intensity_takes_many_blocks_at_once():
    assert mainloop_intensity([2, 4], [2, 4], BF16).tolist() == [1, 2]


def test_roof_is_memory_below_the_ridge_and_the_peak_above():
    assert ridge() == pytest.approx(295.2, abs=0.05)  # facts/hardware.md, ridge points: H100, BF16
    assert attainable([1, ridge(), 1024]).tolist() == pytest.approx([BANDWIDTH, PEAK, PEAK])
    assert math.isclose(PEAK, 132 * 2048 * 2 * 1.83e9, rel_tol=1e-4)  # H100 whitepaper
    assert mainloop_intensity(256, 256, BF16) < ridge() / 2


@pytest.mark.parametrize("block", [(3, 4), (4, 3), (0, 4), (4, -1), (16, 4)])
def test_blocks_that_do_not_cover_the_outputs_are_refused(block):
    with pytest.raises(ValueError, match="do not cover"):
        tiled_loads(8, 8, 8, *block)


@pytest.mark.parametrize("wrong", [(0, 1, 2), (1, -1, 2), (1, 1, 0)])
def test_intensity_of_nothing_is_refused(wrong):
    with pytest.raises(ValueError, match="at least 1"):
        mainloop_intensity(*wrong)
