"""Check the counts of multicast against sets of tiles in plain Python, and the closed forms."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.draw import Pen
from scenes.tma_multicast.drawing import Layout
from scenes.tma_multicast.model import CLUSTERS, TILE_BYTES, masks, needs, reads, shape_of
from scenes.tma_multicast.scene import SCENE

GRID = [*itertools.product(CLUSTERS, (False, True))]
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
        ("1x1", 1, 2, 2, 32768),
        ("2x1", 2, 4, 3, 49152),
        ("2x2", 4, 8, 4, 65536),
        ("4x2", 8, 16, 6, 98304),
        ("4x4", 16, 32, 8, 131072),
    ],
)
def test_values_of_every_cluster(cluster, blocks, without, read, size):
    values = {name: value.value for name, value in SCENE.run(cluster=cluster, multicast=True).values.items()}
    assert (values["blocks"], values["without"], values["reads"], values["bytes"]) == (blocks, without, read, size)
    assert values["times"] == without / read
    rows, columns = map(int, cluster.split("x"))
    assert (values["a_shared"], values["b_shared"]) == (columns, rows)
    alone = {name: value.value for name, value in SCENE.run(cluster=cluster, multicast=False).values.items()}
    assert (alone["reads"], alone["times"], alone["bytes"]) == (without, 1, without * 16384)


def test_a_tile_of_128_by_64_in_bf16_is_16_kib():
    assert TILE_BYTES == 128 * 64 * 2 == 16 * 1024


def test_table_has_one_row_for_every_cluster():
    table = SCENE.run(cluster="2x2", multicast=True).table
    assert [row[0] for row in table.rows] == ["1×1", "2×1", "2×2", "4×2", "4×4"]
    assert [row[1:] for row in table.rows][2] == (4, 8, 4, 65536, 2)


@pytest.mark.parametrize(("cluster", "multicast"), GRID)
def test_narration_quotes_the_numbers_of_its_state(cluster, multicast):
    said = [SCENE.say(state) for state in SCENE.run(cluster=cluster, multicast=multicast).steps]
    values = SCENE.run(cluster=cluster, multicast=multicast).values
    assert len(set(said)) == len(said) == 4
    assert f"{values['without'].value} tiles" in said[1]
    assert f"{values['reads'].value} tiles" in said[2]


@pytest.mark.parametrize(("cluster", "multicast"), GRID)
def test_lanes_that_leave_a_tile_are_as_many_as_its_reads(cluster, multicast):
    state = SCENE.run(cluster=cluster, multicast=multicast).steps[2]
    marks = {mark.key: mark for mark in SCENE.draw(state, 328)}
    starts = {(key[7], str(mark.shape["d"]).split("L")[0]) for key, mark in marks.items() if key.startswith("thread")}
    assert len(starts) == state.result.reads
    assert sum(key.startswith("thread") for key in marks) == state.result.without


@pytest.mark.parametrize("cluster", CLUSTERS)
@pytest.mark.parametrize("width", [328, 840])
def test_threads_end_at_the_slot_of_their_block(cluster, width):
    rows, columns = shape_of(cluster)
    plan = Layout(Pen(width), rows, columns)
    for row, column in itertools.product(range(rows), range(columns)):
        end, slot = plan.thread(row, column, "a", shared=True)[-1], plan.slot(row, column, "a")
        assert end == (slot.x + slot.width / 2, slot.y)
        cell = plan.blocks[row][column]
        assert cell.x <= slot.x and slot.bottom <= cell.bottom


def test_opening_picture_is_light_enough_to_stand_in_the_page_twice():
    opening = SCENE.run().steps[SCENE.opening - 1]
    assert len(list(SCENE.draw(opening, 328))) <= 80


@pytest.mark.parametrize("cluster", ["2", "2x", "0x2", "axb", "2x-1", ""])
def test_cluster_that_is_not_two_positive_numbers_is_refused(cluster):
    with pytest.raises(ValueError, match=r"a cluster is written as '2x4'"):
        shape_of(cluster)


def test_cluster_beyond_the_mask_is_refused():
    with pytest.raises(ValueError, match="at most 16 blocks, not 4x5"):
        shape_of("4x5")
