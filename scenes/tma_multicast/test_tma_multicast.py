"""Check the counts of multicast against sets of tiles in plain Python, and the closed forms."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.draw import Pen
from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.tma_multicast.layout import Layout
from scenes.tma_multicast.model import TILE_BYTES, Cluster, masks, needs, reads
from scenes.tma_multicast.scene import SCENE
from tests.boxes import beneath

GRID = list(SCENE.grid())
small = st.sampled_from([(m, n) for m in range(1, 17) for n in range(1, 17) if m * n <= 16])
example_budget = settings(max_examples=100, deadline=None, derandomize=True)


def wanted(rows, columns):
    """Oracle: for every block, in order, the set of (matrix, index) that its output tile needs."""
    return [{("A", row), ("B", column)} for row in range(rows) for column in range(columns)]


@given(shape=small)
@example_budget
def test_reads_are_those_of_sets_of_tiles(shape):
    blocks = wanted(*shape)
    assert reads(*shape, False) == sum(len(block) for block in blocks)
    assert reads(*shape, True) == len(set().union(*blocks))


@given(shape=small)
@example_budget
def test_reads_follow_the_closed_forms(shape):
    rows, columns = shape
    assert reads(rows, columns, False) == 2 * rows * columns
    assert reads(rows, columns, True) == rows + columns


@given(shape=small)
@example_budget
def test_every_mask_names_exactly_the_blocks_that_need_the_tile(shape):
    rows, columns = shape
    tiles = [("A", row) for row in range(rows)] + [("B", column) for column in range(columns)]
    for tile, mask in zip(tiles, masks(rows, columns).tolist(), strict=True):
        assert {rank for rank in range(16) if mask >> rank & 1} == {
            rank for rank, block in enumerate(wanted(rows, columns)) if tile in block
        }
        assert mask < 1 << 16  # PTX ISA: the operand has 16 bits


@given(shape=small)
@example_budget
def test_slices_of_a_shared_tile_are_as_many_as_the_blocks_that_get_it(shape):
    rows, columns = shape
    sharing = needs(rows, columns).sum(axis=0).tolist()
    assert sharing == [columns] * rows + [rows] * columns
    # A block asks for 1/sharing of each of its two tiles: together the blocks ask for each tile once.
    asked = needs(rows, columns) / np.array(sharing)
    assert asked.sum(axis=0) == pytest.approx(np.ones(rows + columns))


@given(shape=small)
@example_budget
def test_saving_does_not_depend_on_which_side_is_longer(shape):
    rows, columns = shape
    assert reads(rows, columns, True) == reads(columns, rows, True) <= reads(rows, columns, False)


# hardware.md section 10: A tiles are shared by c_n blocks and B tiles by c_m, so 16 blocks as 4 x 4 save 4 times.
@pytest.mark.parametrize(
    ("cluster", "blocks", "without", "read", "size"),
    [
        ((1, 1), 1, 2, 2, 32768),
        ((2, 1), 2, 4, 3, 49152),
        ((2, 2), 4, 8, 4, 65536),
        ((4, 2), 8, 16, 6, 98304),
        ((4, 4), 16, 32, 8, 131072),
    ],
)
def test_values_of_every_cluster(cluster, blocks, without, read, size):
    rows, columns = cluster
    values = {name: value.value for name, value in SCENE.run(rows=rows, columns=columns).values.items()}
    assert (values["blocks"], values["without"], values["reads"], values["bytes"]) == (blocks, without, read, size)
    assert values["times"] == without / read
    assert (values["a_shared"], values["b_shared"]) == (columns, rows)


def test_a_tile_of_128_by_64_in_bf16_is_16_kib():
    assert TILE_BYTES == 128 * 64 * 2 == 16 * 1024


def test_table_has_a_row_for_each_of_some_clusters():
    table = SCENE.run().table
    assert [row[0] for row in table.rows] == ["1×1", "2×1", "2×2", "4×2", "4×4"]
    assert [row[1:] for row in table.rows][2] == (4, 8, 4, 65536, 2)


@pytest.mark.parametrize("params", GRID, ids=str)
def test_narration_quotes_the_numbers_of_its_state(params):
    said = [SCENE.say(state) for state in SCENE.run(**params).steps]
    values = SCENE.run(**params).values
    assert len(set(said)) == len(said) == 3
    assert params["rows"] * params["columns"] == 1 or f"{values['without'].value} reads" in said[0]
    assert f"{values['reads'].value} reads" in said[1]


def places(state, prefix, width="wide"):
    """The middles of tiles whose keys begin so."""
    found = {}
    for mark in SCENE.draw(state, WIDTHS[width]):
        if mark.key.startswith(prefix) and mark.tag == "rect" and "square" not in mark.key:
            left, top, right, bottom = bounds(mark)
            found[mark.key] = (left + right) / 2, (top + bottom) / 2
    return found


@pytest.mark.parametrize("params", GRID, ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_chapter_ends_with_both_tiles_in_every_block(params, width):
    rows, columns = params["rows"], params["columns"]
    for name, state in zip(("alone", "together", "together"), SCENE.run(**params).steps, strict=True):
        tiles = places(state, f"{name}-", width)
        blocks = {mark.key: bounds(mark) for mark in SCENE.draw(state, WIDTHS[width]) if mark.key.startswith("block-")}
        assert len(tiles) == 2 * rows * columns
        for key, (x, y) in tiles.items():
            left, top, right, bottom = blocks[f"block-{key.split('-', 2)[2]}"]
            assert left < x < right and top < y < bottom


def test_a_shared_tile_is_one_until_it_splits():
    chapter = SCENE.run(rows=1, columns=3).chapters[1]
    together = [places(state, "together-a-0") for state in chapter.states[:4]]
    assert [len(set(tiles.values())) for tiles in together] == [1, 1, 2, 3]
    assert all(len(tiles) == 3 for tiles in together)


@pytest.mark.parametrize("params", GRID, ids=str)
def test_reads_are_counted_once_tiles_have_left_and_in_good_time(params):
    run = SCENE.run(**params)
    ends = [run.values["without"].value, run.values["reads"].value]
    for chapter, end in zip(run.chapters, ends, strict=False):
        counts = [int(next(mark.text for mark in SCENE.draw(state, 840) if mark.key == "answer")) for state in
                  chapter.states]  # fmt: skip
        assert counts == sorted(counts) and counts[:2] == [0, 0] and counts[-1] == end
        assert chapter.times[-1] <= 7


def wires(state):
    return {mark.key.removeprefix("wire-") for mark in SCENE.draw(state, 840) if mark.key.startswith("wire-")}


@pytest.mark.parametrize("params", GRID, ids=str)
def test_a_wire_is_there_once_its_tile_goes_along_it(params):
    for chapter in SCENE.run(**params).chapters[:2]:
        seen = [wires(state) for state in chapter.states]
        assert seen[0] == set() and len(seen[1]) == 1
        assert all(before <= after for before, after in itertools.pairwise(seen))
        assert len(seen[-1]) == 2 * params["rows"] * params["columns"]
        for before, after, state in zip(seen, seen[1:], chapter.states[1:], strict=False):
            tiles = {key.split("-", 1)[1] for key in places(state, f"{chapter.name}-")}
            assert after - before <= tiles


@pytest.mark.parametrize("width", WIDTHS)
def test_no_wire_is_seen_through_a_tile(width):
    for chapter in SCENE.run().chapters[:2]:
        for state in chapter.states:
            marks = list(SCENE.draw(state, WIDTHS[width]))
            keys = [mark.key for mark in marks]
            for key in places(state, f"{chapter.name}-", width):
                under, tile = keys.index(f"under-{key}"), keys.index(key)
                assert under == tile - 1 and marks[under].role == "pad"
                assert bounds(marks[under]) == pytest.approx(bounds(marks[tile]), abs=1)
                assert all(at < under for at, other in enumerate(keys) if other.startswith("wire-"))


def test_what_is_saved_is_said_when_all_tiles_have_arrived():
    *before, last = (
        {mark.key: mark.text for mark in SCENE.draw(state, 840)} for state in SCENE.run().chapters[1].states
    )
    assert not [drawn for drawn in before if "saved" in drawn]
    assert last["saved"] == "2× fewer"


@pytest.mark.parametrize("params", GRID, ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_handle_stands_at_the_corner_of_the_cluster(params, width):
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).steps[-1], WIDTHS[width])}
    knob, (_, _, right, bottom) = marks["corner"], bounds(marks[f"block-{params['rows'] - 1}-{params['columns'] - 1}"])
    x, y = knob.shape["cx"], knob.shape["cy"]
    assert 0 <= x - right < 10 and 0 <= y - bottom < 10
    assert knob.handle.rail[GRID.index(params)] == (x, y)


@pytest.mark.parametrize("width", WIDTHS)
def test_handle_runs_along_the_same_places_whatever_the_cluster(width):
    rails = {
        next(
            mark for mark in SCENE.draw(SCENE.run(**params).steps[-1], WIDTHS[width]) if mark.key == "corner"
        ).handle.rail
        for params in GRID
    }
    assert len(rails) == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_four_blocks_take_more_than_half_of_what_sixteen_take(width):
    knobs = [
        next(
            mark
            for mark in SCENE.draw(SCENE.run(rows=side, columns=side).steps[0], WIDTHS[width])
            if mark.key == "corner"
        )
        for side in (2, 4)
    ]
    origin = Layout(Pen(WIDTHS[width]), 1, 1).area
    small, whole = ((one.shape["cx"] - origin.x) * (one.shape["cy"] - origin.y) for one in knobs)
    assert small > whole / 2


@pytest.mark.parametrize("params", GRID, ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_neither_blocks_nor_those_that_could_join_lie_on_one_another(params, width):
    boxes = [bounds(mark) for mark in SCENE.draw(SCENE.run(**params).steps[0], WIDTHS[width])
             if mark.tag == "rect" and mark.key.startswith("block-")]  # fmt: skip
    assert len(boxes) == 16
    for one, other in itertools.combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_on_a_phone_too_both_rows_of_squares_have_a_name_and_none_lies_under_the_knob():
    for params in GRID:
        for state in SCENE.run(**params).steps:
            drawn = {mark.key: mark for mark in SCENE.draw(state, WIDTHS["narrow"])}
            assert beneath(drawn, "corner") == []
            assert state.phase == "machine" or {"alone-words", "together-words"} <= drawn.keys()
            halo = drawn["corner"].shape["cy"] + drawn["corner"].shape["r"] + 8
            assert all(bounds(mark)[1] > halo for key, mark in drawn.items() if "-square-" in key)


@pytest.mark.parametrize("sides", [(0, 2), (4, 5), (17, 1)])
def test_cluster_beyond_the_mask_is_refused(sides):
    with pytest.raises(ValueError, match="a cluster has 1 to 16 blocks, not"):
        Cluster(*sides)


@pytest.mark.parametrize("params", GRID, ids=str)
def test_a_place_that_is_pressed_stays_the_same_mark_so_that_the_keyboard_stays_on_it(params):
    drawn = SCENE.draw(SCENE.run(**params).steps[0], WIDTHS["wide"])
    before = [mark for mark in drawn if mark.set and mark.tag == "rect"]
    assert len(before) == 16
    for pressed in before:
        chosen = {name: int(side) for name, side in pressed.set.items()}
        after = SCENE.draw(SCENE.run(**chosen).steps[0], WIDTHS["wide"])
        assert any(mark.key == pressed.key and mark.set and "cell" in mark.role for mark in after)
