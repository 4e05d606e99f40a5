"""Check the algebra of layouts against results of C++ CuTe, composed functions, sets, and pycute where installed."""

import ast
import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.cute_layout.algebra import coalesce, complement, composition, logical_divide, swizzle, zipped_divide
from scenes.cute_layout.layout import Layout, compact_stride, join, leaves, natural_coordinate
from scenes.cute_layout.model import LAYOUTS, SWIZZLES, placement

example_budget = settings(max_examples=100, deadline=None, derandomize=True)
# What CUTLASS's C++ CuTe (commit 7107b055) printed, compiled on a host; the first 16 values of each.
EXAMPLES = json.loads(Path(__file__).with_name("worked_examples.json").read_text())
OPERATIONS = {
    "composition": composition,
    "logical_divide": logical_divide,
    "zipped_divide": zipped_divide,
    "complement": lambda layout, most: complement(layout, most.shape),
}


def read(text):
    """A layout, or a tuple of them from a tiler, as CuTe writes it; an integer n is n:1."""
    if text.startswith("<"):
        depth, parts = 0, [""]
        for sign in text[1:-1]:
            depth += (sign == "(") - (sign == ")")
            parts = [*parts, ""] if sign == "," and not depth else [*parts[:-1], parts[-1] + sign]
        return tuple(map(read, parts))
    shape, _, stride = text.partition(":")
    shape = ast.literal_eval(shape)
    return Layout(shape, ast.literal_eval(stride) if stride else compact_stride(shape))


def function(layout):
    """Oracle: the offsets in colexicographic order, by nested loops over the leaves."""
    extents, strides = leaves(layout.shape), leaves(layout.stride)
    backward = itertools.product(*(range(extent) for extent in reversed(extents)))
    return [sum(c * d for c, d in zip(reversed(count), strides, strict=True)) for count in backward]


shapes = st.recursive(st.integers(1, 4), lambda part: st.lists(part, min_size=1, max_size=3).map(tuple), max_leaves=4)


@st.composite
def layouts(draw):
    def nest(part):
        return draw(st.integers(0, 12)) if isinstance(part, int) else tuple(map(nest, part))

    chosen = draw(shapes)
    return Layout(chosen, nest(chosen))


@st.composite
def powers(draw, most=4):
    """Layouts of powers of two, which often compose."""
    count = draw(st.integers(1, 3))
    pick = st.lists(st.sampled_from([1, 2, 4, 8, 16][:most]), min_size=count, max_size=count)
    return Layout(tuple(draw(pick)), tuple(draw(pick)))


@st.composite
def scattered(draw):
    """Layouts that have a complement: each stride a multiple of what the modes before it span; in any order."""
    modes, done = [], 1
    for _ in range(draw(st.integers(1, 3))):
        stride, extent = done * draw(st.integers(1, 3)), draw(st.integers(1, 4))
        modes.append((extent, stride))
        done = extent * stride
    chosen = draw(st.permutations(modes))
    return Layout(tuple(extent for extent, _ in chosen), tuple(stride for _, stride in chosen))


@pytest.mark.parametrize("example", EXAMPLES, ids=[example["id"] for example in EXAMPLES])
def test_every_worked_example_equals_the_result_of_cpp_cute(example):
    first, *others = map(read, example["args"])
    if example["op"] != "coalesce":
        result = OPERATIONS[example["op"]](first, *others)
    else:
        result = join(*map(coalesce, first.modes)) if others else coalesce(first)  # <1,1>: mode by mode
    assert str(result) == example["result"]
    assert function(result)[:16] == example["first"]


# cute.md section 1; CuTe documentation, 01_layout.md.
def test_coordinates_of_the_documentation_are_reproduced():
    assert natural_coordinate(16, (3, (2, 3))) == (1, (1, 2))
    assert natural_coordinate((1, 5), (3, (2, 3))) == (1, (1, 2))
    layout = Layout((3, (2, 3)), (3, (12, 1)))
    assert layout(16) == layout((1, 5)) == layout((1, (1, 2))) == 17
    assert Layout((4, 8), (8, 1))((3, 2)) == Layout((4, 8), (8, 1))(11) == 26
    assert [read(text).cosize for text in ("(4,8):(8,1)", "(2,3):(0,0)", "(4,2):(3,0)")] == [32, 1, 10]
    assert read("(2,(2,2)):(4,(2,1))").grid().tolist() == [[0, 2, 1, 3], [4, 6, 5, 7]]


@given(layout=layouts())
@example_budget
def test_layout_is_the_inner_product_over_loops(layout):
    assert layout.offsets().tolist() == function(layout)
    assert layout.cosize == max(function(layout)) + 1
    for number in range(layout.size):
        assert layout(natural_coordinate(number, layout.shape)) == layout(number)


@given(layout=layouts())
@example_budget
def test_coalesced_layout_is_the_same_function_with_nothing_left_to_merge(layout):
    result = coalesce(layout)
    assert function(result) == function(layout)
    assert all(s0 * d0 != d1 for (s0, d0), (_, d1) in itertools.pairwise(result.terms))
    assert result == Layout(1, 0) or all(extent > 1 for extent, _ in result.terms)


def composed(outer, inner):
    """The composition if there is one, and why not."""
    try:
        return composition(outer, inner), ""
    except ValueError as error:
        return None, str(error)


@given(outer=st.one_of(powers(), layouts()), inner=st.one_of(powers(3), layouts()))
@example_budget
def test_composition_is_the_composed_function_or_refused(outer, inner):
    result, problem = composed(outer, inner)
    if result is None:
        assert "is not a layout" in problem
        return
    assert function(result) == [outer(place) for place in function(inner)]
    for coordinate in itertools.product(*(range(mode.size) for mode in inner.modes)):
        if len(coordinate) > 1:  # a coordinate of the inner layout is one of the result
            assert result(coordinate) == outer(inner(coordinate))


@given(extents=st.lists(st.sampled_from([2, 4]), min_size=2, max_size=3), data=st.data())
@example_budget
def test_powers_of_two_in_order_always_compose(extents, data):
    outer = Layout(tuple(extents), tuple(data.draw(st.integers(1, 9)) for _ in extents))
    size = math.prod(extents)
    first = data.draw(st.sampled_from([2**power for power in range(size.bit_length())]))
    for inner in (Layout(first, size // first), Layout((first, size // first), (size // first, 1))):
        assert function(composition(outer, inner)) == [outer(place) for place in function(inner)]


def test_shape_that_does_not_divide_is_refused_where_pycute_is_silently_short():
    # cute.md section 5, trap 1: pycute gives 4:1; the truth is no layout of one mode, and none of two refines 6.
    outer, inner = read("(4,6):(1,5)"), read("6:1")
    truth = [outer(place) for place in function(inner)]
    assert truth == [0, 1, 2, 3, 5, 6]
    pairs = [(6, 1), (2, 3), (3, 2)]
    found = [pair for pair in pairs for strides in itertools.product(range(7), repeat=2)
             if function(Layout(pair, strides)) == truth]  # fmt: skip
    assert not found
    with pytest.raises(ValueError, match=r"\(4,6\):\(1,5\) ∘ 6:1 is not a layout: 6 is not a multiple of 4 \(shape\)"):
        composition(outer, inner)


@pytest.mark.parametrize(
    ("outer", "inner", "why"),
    [("(4,6):(1,5)", "2:3", r"4 and 3 do not divide \(stride\)"), ("(2,2):(1,10)", "(2,2):(1,1)", "carry into each")],
)
def test_other_inadmissible_compositions_say_why(outer, inner, why):
    with pytest.raises(ValueError, match=why):
        composition(read(outer), read(inner))


@given(layout=scattered(), factor=st.integers(1, 4))
@example_budget
def test_complement_is_disjoint_and_covers(layout, factor):
    most = layout.cosize * factor
    rest = complement(layout, most)
    reached = [a + b for a in function(layout) for b in function(rest)]
    assert len(set(reached)) == len(reached)
    assert set(range(most)) <= set(reached)
    assert [stride for _, stride in rest.terms] == sorted(stride for _, stride in rest.terms)


@pytest.mark.parametrize(
    ("layout", "why"), [("(4,4):(1,2)", "repeats an offset"), ("(2,2):(2,3)", "3 is not a multiple of 4")]
)
def test_layout_without_a_complement_is_refused(layout, why):
    # The first is cute.md section 5, trap 3, where CuTe's own result has size 0.
    with pytest.raises(ValueError, match=why):
        complement(read(layout), 32)


@given(rows=st.integers(1, 4), columns=st.integers(1, 4), tall=st.integers(1, 3), wide=st.integers(1, 3))
@example_budget
def test_modes_of_zipped_divide_are_the_tile_and_which_tile(rows, columns, tall, wide):
    height, width = rows * tall, columns * wide
    matrix = Layout((height, width), (width, 1))
    divided = zipped_divide(matrix, (Layout(tall, 1), Layout(wide, 1)))
    offsets = np.arange(height * width).reshape(height, width)
    for tile in range(rows * columns):  # tiles, and the elements in each, count down the columns
        down, across = tile % rows * tall, tile // rows * wide
        block = offsets[down : down + tall, across : across + wide]
        assert [divided((place, tile)) for place in range(tall * wide)] == block.ravel(order="F").tolist()
    assert str(divided.modes[0]) == str(composition(matrix, (Layout(tall, 1), Layout(wide, 1))))


@given(bits=st.integers(0, 4), base=st.integers(0, 4), more=st.integers(0, 2), up=st.booleans())
@example_budget
def test_swizzle_is_an_involution_a_bijection_and_the_bits_say_so(bits, base, more, up):
    shift = -(bits + more) if up else bits + more
    offsets = np.arange(2 ** (bits + base + abs(shift)))
    result = swizzle(offsets, bits, base, shift)
    assert sorted(result.tolist()) == offsets.tolist()
    assert swizzle(result, bits, base, shift).tolist() == offsets.tolist()
    for offset in offsets[:: max(1, len(offsets) // 64)].tolist():
        places = [offset >> place & 1 for place in range(16)]  # bit by bit
        source = base + max(0, shift)
        for one in range(bits):
            places[source + one - shift] ^= offset >> (source + one) & 1
        assert result[offset] == sum(bit << place for place, bit in enumerate(places))


# cute.md section 4, executed with pycute and C++ CuTe.
def test_swizzles_of_the_worked_examples_are_reproduced():
    grid = np.arange(64).reshape(8, 8)
    swizzled = swizzle(grid, 3, 0, 3)
    assert swizzled[1].tolist() == [9, 8, 11, 10, 13, 12, 15, 14]
    assert swizzled[7].tolist() == list(range(63, 55, -1))
    assert swizzle(grid[:4], 2, 0, 3)[2].tolist() == [18, 19, 16, 17, 22, 23, 20, 21]
    given_bytes = np.array([128, 144, 256, 520, 1000, 64])
    assert swizzle(given_bytes, 3, 4, 3).tolist() == [144, 128, 288, 584, 920, 64]
    assert swizzle(np.array([16, 72]), 3, 3, -3).tolist() == [144, 8]


def test_swizzle_that_would_change_its_own_bits_is_refused():
    with pytest.raises(ValueError, match=r"Swizzle<3,0,2>: the shift is less than the number of bits"):
        swizzle(np.arange(8), 3, 0, 2)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Layout((2, 4), (1, (2, 4))), r"\(1,\(2,4\)\) is not nested like the shape \(2,4\)"),
        (lambda: Layout((2, 0), (1, 2)), "at least 1"),
        (lambda: Layout((2, 4), (1, 2))((1, 2, 3)), r"\(1,2,3\) does not fit the shape \(2,4\)"),
        (lambda: Layout((2, 4), (1, 2))(((0, 1), 2)), r"\(0,1\) does not fit the shape 2"),
        (lambda: Layout((2, 2, 2), (1, 2, 4)).grid(), "has 3 modes; a grid needs rows and columns"),
    ],
)
def test_what_is_no_layout_and_no_coordinate_is_refused(make, why):
    with pytest.raises(ValueError, match=why):
        make()


@pytest.fixture(scope="module")
def pycute():
    module = pytest.importorskip("pycute", reason="of the wheel nvidia-cutlass")
    if not hasattr(module, "zipped_divide"):
        pytest.skip("this pycute is another package")
    return module


@given(outer=powers(), inner=powers(3))
@example_budget
def test_pycute_gives_the_same_text_wherever_the_composition_is_a_layout(pycute, outer, inner):
    def text(layout):
        return str(layout).replace(" ", "").replace(",)", ")")

    theirs = [pycute.Layout(layout.shape, layout.stride) for layout in (outer, inner)]
    assert text(pycute.coalesce(theirs[0])) == text(coalesce(outer))
    result, _ = composed(outer, inner)
    if result is not None:
        assert text(pycute.composition(*theirs)) == text(result)


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_grid_of_the_scene_is_that_of_pycute(pycute, name):
    layout, matrix = LAYOUTS[name], pycute.Layout((8, 8), (8, 1))
    theirs = pycute.Layout(layout.shape, layout.stride)
    if name == "zipped":
        theirs = pycute.zipped_divide(matrix, (pycute.Layout(2, 1), pycute.Layout(4, 1)))
    if name == "composition":
        theirs = pycute.composition(matrix, pycute.Layout(32, 2))
    rows, columns = layout.grid().shape
    for swizzled, bits in SWIZZLES.items() if name == "row" else [("off", None)]:
        exchange = pycute.Swizzle(*bits) if bits else int
        expected = [[exchange(theirs(row, column)) for column in range(columns)] for row in range(rows)]
        assert placement(name, swizzled).offsets.tolist() == expected


def test_span_reaches_to_the_last_element_whatever_the_swizzle():
    assert [placement(name, "off").span for name in ("row", "column", "padded")] == [64, 64, 71]
    assert {placement("row", bits).span for bits in SWIZZLES} == {64}
