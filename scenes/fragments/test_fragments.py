"""Check the fragments against CuTe's layouts, a list from the instruction's figures, and a product in plain loops."""

import itertools

import numpy as np
import pytest

from scenes.fragments.model import (
    LANES,
    PIECES,
    REGISTERS,
    SHAPES,
    Held,
    addressed,
    corner,
    fragment,
    held,
    warpgroup_sums,
)

# include/cute/atom/mma_traits_sm80.hpp: ALayout, BLayout and CLayout of SM80_16x8x16_F32BF16BF16F32_TN, from (lane,
# number) to an offset that runs down the columns. CuTe's B is N x K.
TV_LAYOUTS = {
    "a": (((4, 8), (2, 2, 2)), ((32, 1), (16, 8, 128))),
    "b": (((4, 8), (2, 2)), ((16, 1), (8, 64))),
    "d": (((4, 8), (2, 2)), ((32, 1), (16, 8))),
}
TALL = {"a": 16, "b": 8, "d": 16}  # the rows that an offset runs down
# include/cute/atom/mma_traits_sm90_gmma.hpp: CLayout_64xN.
WGMMA = (((4, 8, 4), (2, 2, None)), ((128, 1, 16), (64, 8, 512)))


def count(shape):
    return shape if isinstance(shape, int) else count_all(shape)


def count_all(shape):
    product = 1
    for part in shape:
        product *= count(part)
    return product


def offset(number, shape, stride):
    """Oracle: a layout at an integer: counted through, first part fastest, each digit times its stride."""
    if isinstance(shape, int):
        return number * stride
    total = 0
    for part, step in zip(shape, stride, strict=True):
        total += offset(number % count(part), part, step)
        number //= count(part)
    return total


def by_layout(matrix, lane, number):
    shape, stride = TV_LAYOUTS[matrix]
    at = offset(lane, shape[0], stride[0]) + offset(number, shape[1], stride[1])
    row, column = at % TALL[matrix], at // TALL[matrix]
    return (column, row) if matrix == "b" else (row, column)


@pytest.mark.parametrize("matrix", SHAPES)
def test_every_number_lies_where_cutes_layout_puts_it(matrix):
    found = fragment(matrix)
    for lane in range(LANES):
        for number in range(found.shape[1]):
            assert tuple(found[lane, number]) == by_layout(matrix, lane, number)


@pytest.mark.parametrize("matrix", SHAPES)
def test_the_lanes_share_out_a_matrix_without_rest(matrix):
    places = [tuple(place) for lane in fragment(matrix).tolist() for place in lane]
    rows, columns = SHAPES[matrix]
    assert sorted(places) == list(itertools.product(range(rows), range(columns)))


@pytest.mark.parametrize("columns", [8, 16, 64, 256])
def test_sums_of_a_warpgroup_lie_where_cutes_layout_puts_them(columns):
    found = warpgroup_sums(columns)
    (threads, (pair, half, _)), (steps, jumps) = WGMMA
    for thread in range(128):
        for number in range(columns // 2):
            at = offset(thread, threads, steps) + offset(number, (pair, half, columns // 8), jumps)
            assert tuple(found[thread, number]) == (at % 64, at // 64)


# facts/cute.md, section 4.
@pytest.mark.parametrize(
    ("lane", "sums"),
    [
        (0, ((0, 0), (0, 1), (8, 0), (8, 1))),
        (1, ((0, 2), (0, 3), (8, 2), (8, 3))),
        (4, ((1, 0), (1, 1), (9, 0), (9, 1))),
        (31, ((7, 6), (7, 7), (15, 6), (15, 7))),
    ],
)
def test_sums_of_single_lanes_are_those_of_the_figure(lane, sums):
    assert Held(lane, "d0").sums == sums


def test_both_numbers_of_a_register_are_neighbours_along_k():
    for lane, register in itertools.product(range(LANES), REGISTERS[:6]):
        (row, column), other = held(lane, register)
        assert other == ((row, column + 1) if register[0] == "a" else (row + 1, column))


def test_warp_multiplies_by_what_its_lanes_hold():
    a, b = np.random.default_rng(1).integers(-9, 9, (16, 16)), np.random.default_rng(2).integers(-9, 9, (16, 8))
    register = {  # what each lane holds, by the places of CuTe's layouts alone
        (lane, matrix, number): whole[by_layout(matrix, lane, number)]
        for matrix, whole in (("a", a), ("b", b))
        for lane in range(LANES)
        for number in range(whole.size // LANES)
    }
    spread = {name: np.zeros(SHAPES[name], int) for name in "ab"}
    for (lane, matrix, number), value in register.items():  # put back by the model's places
        spread[matrix][tuple(fragment(matrix)[lane, number])] = value
    for lane in range(LANES):
        for row, column in Held(lane, "d0").sums:
            products = sum(int(spread["a"][row, k]) * int(spread["b"][k, column]) for k in range(16))
            assert products == (a @ b)[row, column]


@pytest.mark.parametrize("matrix", PIECES)
def test_ldmatrix_leaves_each_lane_the_registers_of_its_fragment(matrix):
    # PTX ISA, ldmatrix: of a piece, lane i receives row i / 4, columns 2 (i mod 4) and the next; transposed, if asked.
    for piece, lane in itertools.product(range(PIECES[matrix]), range(LANES)):
        top, left = corner(matrix, piece)
        places = [(lane // 4, 2 * (lane % 4) + half) for half in range(2)]
        if matrix == "b":
            places = [(column, row) for row, column in places]
        assert held(lane, f"{matrix}{piece}") == tuple((top + row, left + column) for row, column in places)


@pytest.mark.parametrize(("matrix", "lanes"), [("a", 32), ("b", 16)])
def test_eight_lanes_give_the_addresses_of_each_piece(matrix, lanes):
    asked = [addressed(lane, matrix) for lane in range(LANES)]
    assert asked[:lanes] == list(itertools.product(range(PIECES[matrix]), range(8)))
    assert asked[lanes:] == [None] * (LANES - lanes)


@pytest.mark.parametrize("lane", range(LANES))
def test_most_of_what_a_lane_needs_is_with_others(lane):
    one = Held(lane, "a0")
    needed = {("a", row, k) for row, _ in one.sums for k in range(16)}
    needed |= {("b", k, column) for _, column in one.sums for k in range(16)}
    own = {
        (matrix, *by_layout(matrix, lane, number)) for matrix, much in (("a", 8), ("b", 4)) for number in range(much)
    }
    assert (one.needed, one.own) == (len(needed), len(needed & own))
    assert one.own in (8, 12)


def test_unknown_matrices_and_widths_are_refused():
    with pytest.raises(ValueError, match=r"a matrix is one of \('a', 'b', 'd'\), not 'c'"):
        fragment("c")
    for columns in (0, 12, 264):
        with pytest.raises(ValueError, match=f"N is a multiple of 8 up to 256, not {columns}"):
            warpgroup_sums(columns)
