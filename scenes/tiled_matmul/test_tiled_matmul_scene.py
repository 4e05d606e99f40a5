"""Check what the scene says and draws: values, table, narration, and marks whose sizes are the numbers."""

import itertools
import math
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.tiled_matmul.model import SIDE, TILES, Product
from scenes.tiled_matmul.scene import SCENE

NAIVE, LOAD, REUSE, DONE, SPEED = range(5)
STATES = list(itertools.product(TILES, range(5), WIDTHS))


def frame(tile, step, width="wide"):
    """The marks of one step, by key."""
    return {mark.key: mark for mark in SCENE.draw(SCENE.run(tile=tile).steps[step], WIDTHS[width])}


def cells(tile, step, key, width="wide"):
    """How many elements a highlight covers."""
    marks = frame(tile, step, width)
    unit = marks["a-floor"].shape["width"] / SIDE
    return round(marks[key].shape["width"] * marks[key].shape["height"] / unit**2, 6)


def test_grid_is_one_variant_a_tile():
    assert [params["tile"] for params in SCENE.grid()] == [1, 2, 4, 8]


def test_values_are_the_contract():
    values = {key: value.value for key, value in SCENE.run(tile=4).values.items()}
    assert (values["loads"], values["naive"], values["times"], values["intensity"]) == (256, 1024, 4, 2)
    assert (values["full_intensity_128"], values["full_intensity_256"], values["reuse"]) == (64, 128, 4)
    assert SCENE.run(tile=1).values["loads"].value == 1024


def test_table_has_a_row_for_each_tile_and_halves_from_row_to_row():
    table = SCENE.run(tile=4).table
    assert [column.name for column in table.columns] == ["tile", "relative", "intensity_bf16", "intensity_fp32"]
    assert [row[0] for row in table.rows] == [2**power for power in range(9)]
    assert table.rows[0] == (1, 100, 0.5, 0.25)
    for (tile, share, bf16, fp32), (_, half, double, _) in itertools.pairwise(table.rows):
        assert (half, double, fp32) == (share / 2, 2 * bf16, bf16 / 2), tile


@pytest.mark.parametrize("tile", TILES)
def test_narration_differs_from_step_to_step_and_quotes_the_counts(tile):
    said, product = [SCENE.say(state) for state in SCENE.run(tile=tile).steps], Product(tile)
    assert len(set(said)) == len(said) == 5
    assert all(re.search(r"[^.]\.$", words) for words in said)
    assert "16 loads, and 64 outputs make 1,024" in said[NAIVE]
    assert f"{product.pair} elements are loaded" in said[LOAD]
    assert f"{product.pair_uses:,}" in said[REUSE]
    assert f"{product.loads:,}" in said[DONE]
    assert f"{product.intensity:g} FLOP" in said[SPEED]
    assert "295" in said[SPEED]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("tile", TILES)
def test_accented_elements_are_those_loaded(tile, width):
    product = Product(tile)
    for step, count in ((NAIVE, product.one_output), (LOAD, product.pair), (DONE, product.pair * product.turns)):
        assert cells(tile, step, "a-loaded", width) + cells(tile, step, "b-loaded", width) == count


def test_naive_output_reads_its_row_and_its_column():
    marks = frame(4, NAIVE)
    row, column, output = (marks[key].shape for key in ("a-loaded", "b-loaded", "c-now"))
    assert row["width"] == SIDE * output["width"] == column["height"]
    assert (row["y"], row["height"]) == (output["y"], output["height"])
    assert (column["x"], column["width"]) == (output["x"], output["width"])


@pytest.mark.parametrize("tile", TILES)
def test_both_counts_are_for_the_same_work(tile):
    """Nothing is multiplied yet when the first tiles are loaded; then one pair of tiles, then everything."""
    product = Product(tile)
    wanted = [(16, 0), (0, 2 * tile**2), (2 * tile**3, 2 * tile**2), *[(1024, product.loads)] * 2]
    assert [product.so_far(moment.phase) for moment in SCENE.run(tile=tile).steps] == wanted


@pytest.mark.parametrize("tile", TILES)
def test_staged_tiles_come_from_where_they_are_loaded(tile):
    before, after = frame(tile, NAIVE), frame(tile, LOAD)
    for key in "ab":
        assert before[f"{key}-staged"].shape == after[f"{key}-loaded"].shape
        assert after[f"{key}-staged"].shape["x"] + after[f"{key}-staged"].shape["width"] < after["b-floor"].shape["x"]


@pytest.mark.parametrize("tile", TILES)
def test_one_element_serves_as_many_outputs_as_it_is_reused(tile):
    assert cells(tile, REUSE, "c-row") == cells(tile, REUSE, "c-column") == Product(tile).reuse


@pytest.mark.parametrize("tile", TILES)
def test_strips_meet_in_the_block_that_they_make(tile):
    marks = frame(tile, DONE)
    assert marks["c-now"].shape["x"] == marks["b-loaded"].shape["x"]
    assert marks["c-now"].shape["y"] == marks["a-loaded"].shape["y"]
    assert cells(tile, DONE, "c-now") == tile**2


@pytest.mark.parametrize(("tile", "step", "width"), STATES)
def test_bars_are_as_long_as_the_loads(tile, step, width):
    marks, moment = frame(tile, step, width), SCENE.run(tile=tile).steps[step]
    unit, (naive, tiled) = marks["naive-all"].shape["width"] / 1024, moment.result.so_far(moment.phase)
    assert marks["naive-bar"].shape["width"] == pytest.approx(naive * unit)
    assert marks["tiled-bar"].shape["width"] == pytest.approx(tiled * unit)


@pytest.mark.parametrize("tile", TILES)
def test_dot_stays_at_naive_until_the_last_step_and_then_lies_on_the_roof(tile):
    spots = [(mark.shape["cx"], mark.shape["cy"]) for mark in (frame(tile, step)["here"] for step in range(5))]
    assert len(set(spots[:4])) == 1
    marks = frame(tile, SPEED)
    left, foot = marks["speed-x-tick-1"].shape, marks["speed-x-tick-8"].shape
    octave = (foot["x1"] - left["x1"]) / 3
    assert spots[4][0] == pytest.approx(left["x1"] + octave * math.log2(tile / 2))
    start, ridge, _ = (tuple(map(float, one.split())) for one in marks["roof"].shape["d"][1:].split("L"))
    share = (spots[4][0] - start[0]) / (ridge[0] - start[0])
    assert spots[4][1] == pytest.approx(start[1] + share * (ridge[1] - start[1]), abs=0.4)


def test_other_toy_tiles_can_be_pressed_in_the_last_step():
    assert {mark.set["tile"] for mark in frame(4, SPEED).values() if mark.set} == {"1", "2", "8"}
    assert not any(mark.set for mark in frame(4, DONE).values())


@pytest.mark.parametrize(("tile", "step", "width"), STATES)
def test_texts_do_not_run_into_each_other(tile, step, width):
    texts = [mark for mark in frame(tile, step, width).values() if mark.tag == "text"]
    boxes = [(mark.key, *bounds(mark)) for mark in texts]
    for (one, left, top, right, bottom), (other, l, t, r, b) in itertools.combinations(boxes, 2):
        assert right <= l or r <= left or bottom <= t + 1 or b <= top + 1, f"{one} meets {other}"


@pytest.mark.parametrize("tile", TILES)
def test_opening_is_small(tile):
    assert len(frame(tile, SCENE.opening, "narrow")) <= 80
