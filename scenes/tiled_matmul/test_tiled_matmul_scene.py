"""Check what the scene says and draws: values, table, narration, and marks whose sizes are the numbers."""

import itertools
import json
import math
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.tiled_matmul import measured
from scenes.tiled_matmul.model import SIDE, TILES, Product
from scenes.tiled_matmul.scene import SCENE
from tests.boxes import beneath, box

BLOCKS = list(itertools.product(TILES, TILES))
SOME = [(1, 1), (4, 4), (2, 16), (16, 1), (16, 16)]


def chapters(rows, columns):
    return {one.name: one.states for one in SCENE.run(rows=rows, columns=columns).chapters}


def frame(block, phase, width="wide", beat=-1):
    """The marks of one beat of a phase, by key."""
    return {mark.key: mark for mark in SCENE.draw(chapters(*block)[phase][beat], WIDTHS[width])}


def cells(marks, key):
    """How many elements a highlight covers."""
    unit = marks["matrix-A"].shape["width"] / SIDE
    return round(marks[key].shape["width"] * marks[key].shape["height"] / unit**2, 6)


def test_grid_is_one_variant_a_block():
    assert [(params["rows"], params["columns"]) for params in SCENE.grid()] == BLOCKS


def test_values_are_the_contract():
    values = {key: value.value for key, value in SCENE.run(rows=4, columns=4).values.items()}
    assert (values["loads"], values["naive"], values["times"], values["intensity"]) == (2048, 8192, 4, 2)
    assert (values["full_intensity_128"], values["full_intensity_256"]) == (64, 128)
    assert SCENE.run(rows=1, columns=1).values["loads"].value == 8192


def test_table_goes_from_naive_to_the_largest_tile():
    table = SCENE.run().table
    assert [row[0] for row in table.rows] == [1, 2, 4, 8, 16, 32, 64, 128, 256]
    assert [row[1] for row in table.rows] == pytest.approx([100 / row[0] for row in table.rows])
    assert [row[2] for row in table.rows] == pytest.approx([row[0] / 2 for row in table.rows])


def test_opening_answers_the_title():
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run().steps[SCENE.opening - 1], WIDTHS["wide"])}
    assert marks["times"].text == "4×"
    assert marks["times"].shape["font-size"] >= 32


@pytest.mark.parametrize("block", BLOCKS)
def test_narration_differs_from_step_to_step_and_quotes_the_counts(block):
    product = Product(*block)
    said = {name: SCENE.say(states[-1]) for name, states in chapters(*block).items()}
    assert len(set(said.values())) == len(said)
    assert f"{product.loads:,} numbers" in said["all"]
    if "block" in said:
        assert f": {product.uses} products" in said["block"]


def test_a_block_of_one_output_does_not_tell_the_first_chapter_twice():
    assert list(chapters(1, 1)) == ["naive", "all", "speed"]
    assert list(chapters(1, 2)) == ["naive", "block", "all", "speed"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("block", SOME[1:])
def test_for_each_k_come_a_part_of_a_column_of_a_and_of_a_row_of_b(block, width):
    rows, columns = block
    for beat in range(SIDE):
        marks = frame(block, "block", width, beat)
        assert (cells(marks, "block-a"), cells(marks, "block-b")) == (rows, columns)
        assert (cells(marks, "block-row"), cells(marks, "block-column")) == (rows * (beat + 1), columns * (beat + 1))
        assert marks["shared-value"].text == f"{(rows + columns) * (beat + 1):,} loads"
        assert marks["alone-value"].text == f"{2 * rows * columns * (beat + 1):,} loads"
        assert marks["multiplied"].text == f"{rows * columns * (beat + 1):,}"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("phase", "block"), [("naive", (4, 4)), ("block", (4, 2))])
def test_every_sum_of_a_block_grows_with_k(phase, block, width):
    outputs, lengths = 1 if phase == "naive" else math.prod(block), []
    for beat in range(SIDE):
        marks = frame(block, phase, width, beat)
        bars = [tuple(map(float, bar.replace("L", " ").split())) for bar in
                marks[f"{phase}-sums"].shape["d"].split("M")[1:]]  # fmt: skip
        assert len(bars) == outputs
        lengths.append(sum(right - left for left, _, right, _ in bars) / outputs)
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[7] < lengths[-1]
    assert lengths[-1] == pytest.approx(marks["matrix-C"].shape["width"] / SIDE - 1, abs=0.5)


def test_nothing_of_one_output_turns_into_a_block():
    own = [key for key in frame((4, 4), "naive") if key.startswith("naive-")]
    assert own
    assert not set(own) & frame((4, 4), "block").keys()


@pytest.mark.parametrize("block", SOME)
def test_blocks_fill_all_of_c_and_load_what_they_should(block):
    product, done = Product(*block), []
    for beat in range(len(chapters(*block)["all"])):
        marks = frame(block, "all", beat=beat)
        done.append(sum(cells(marks, key) for key in marks if key.startswith("finished")))
        loaded = int(marks["shared-value"].text.removesuffix(" loads").replace(",", ""))
        assert loaded / product.loads == pytest.approx(done[-1] / SIDE**2)
    assert done == sorted(set(done))
    assert done[-1] == SIDE**2


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("block", BLOCKS)
def test_corner_is_taken_hold_of_just_outside_the_block(block, width):
    marks = frame(block, "speed", width)
    knob = marks["corner"]
    assert knob.handle.params == ("rows", "columns")
    assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[BLOCKS.index(block)]
    unit, (_, _, right, bottom) = marks["matrix-C"].shape["width"] / SIDE, bounds(marks["matrix-C"])
    beyond = [right - (SIDE - block[1]) * unit, bottom - (SIDE - block[0]) * unit]
    assert [x - y for x, y in zip(knob.handle.rail[BLOCKS.index(block)], beyond, strict=True)] == pytest.approx(
        [knob.shape["cx"] - beyond[0]] * 2
    )
    assert 0 < knob.shape["cx"] - beyond[0] < 8
    assert not [key for phase in ("naive", "speed") for key in beneath(frame(block, phase, width), "corner")]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("block", BLOCKS)
def test_name_of_the_block_under_the_roof_stands_above_the_axis(block, width):
    marks = frame(block, "speed", width)
    assert box(marks["here-name"])[3] < marks["ridge"].shape["y2"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("block", SOME)
def test_hand_is_at_the_corner_of_an_outline_in_every_chapter(block, width):
    for phase in chapters(*block):
        marks = frame(block, phase, width)
        outline, knob = marks["block-block" if phase == "block" else "held"], marks["corner"].shape
        assert ("held" in marks) == (phase != "block")
        _, _, right, bottom = bounds(outline)
        assert 0 < knob["cx"] - right < 8 and 0 < knob["cy"] - bottom < 8


@pytest.mark.parametrize("block", BLOCKS)
def test_bars_are_as_long_as_the_loads_are_many(block):
    marks, product = frame(block, "all"), Product(*block)
    share = marks["shared-bar"].shape["width"] / marks["alone-bar"].shape["width"]
    assert share == pytest.approx(product.loads / product.naive)


@pytest.mark.parametrize("width", WIDTHS)
def test_bars_grow_with_what_is_multiplied(width):
    long = [
        frame((4, 4), phase, width, beat)[key].shape["width"]
        for key in ("alone-bar", "shared-bar")
        for phase, beat in (("block", 0), ("block", -1), ("all", 7), ("all", -1))
    ]
    assert long[:4] == sorted(set(long[:4])) and long[4:] == sorted(set(long[4:]))
    assert "shared-bar" not in frame((4, 4), "naive", width)  # nothing is shared yet


@pytest.mark.parametrize("block", SOME)
def test_what_comes_for_one_k_is_seen_from_near_until_the_speed_takes_its_place(block):
    rows, columns = block
    marks = frame(block, "all")
    assert {key for key in marks if re.fullmatch(r"block-slice-\d+", key)} == {
        f"block-slice-{at}" for at in range(rows + columns)
    }
    assert (marks["near-loaded"].text, marks["near-multiplied"].text) == (f"{rows} + {columns}", f"{rows} × {columns}")
    assert not [key for key in frame(block, "speed") if "slice" in key or key.startswith("near-")]


@pytest.mark.parametrize("width", WIDTHS)
def test_roofline_is_there_in_the_last_step_only_and_its_dot_lies_on_it(width):
    assert [any(key.startswith("speed-") for key in frame((4, 4), phase, width)) for phase in chapters(4, 4)] == [
        False, False, False, True,
    ]  # fmt: skip
    marks = frame((4, 4), "speed", width)
    (ax, ay), (bx, by), _ = [tuple(map(float, one.split())) for one in marks["roof"].shape["d"][1:].split("L")]
    here = marks["here"].shape
    on_it = ay + (here["cx"] - ax) / (bx - ax) * (by - ay)
    assert here["cy"] == pytest.approx(on_it, abs=0.5)


def told(series):
    """The points of a series of the result, as its file has them."""
    result = json.loads((FOLDER / "h100/matmul.json").read_text())
    return next(one["points"] for one in result["series"] if one["id"] == series)


def test_measured_speed_is_that_of_the_best_number_of_stages():
    values = SCENE.run().values
    for tile in ("64x64", "128x128", "128x256"):
        speeds = [one["median"] for one in told("stages") if one["at"]["tile"] == tile]
        assert values[f"measured_{tile}"].value == pytest.approx(max(speeds) / 1e12)


def test_counted_loads_are_those_of_the_table():
    rows = {row[0]: row for row in SCENE.run().table.rows}
    for one, tile in zip(told("l1_bytes"), (16, 32, 64, 128), strict=True):
        assert rows[tile][-1] == pytest.approx(100 * one["median"] / (2 * 4096**3 * 4))
        assert rows[tile][-1] == pytest.approx(rows[tile][1], rel=1e-5)
    assert rows[8][-1] == "–"


def test_scene_stands_without_results(monkeypatch):
    monkeypatch.setattr(measured, "results", lambda name: {})
    for kept in (measured.loaded, measured.fastest):
        kept.cache_clear()
    run = SCENE.run()
    assert {row[-1] for row in run.table.rows} == {"–"}
    assert not any(name.startswith("measured") for name in run.values)
    for kept in (measured.loaded, measured.fastest):
        kept.cache_clear()


@pytest.mark.parametrize("width", WIDTHS)
def test_real_products_stand_above_what_hbm_alone_would_feed(width):
    drawn = frame((4, 4), "speed", width)
    decades = (drawn["speed-y-tick-1"].shape["y"] - drawn["speed-y-tick-1000"].shape["y"]) / 3
    for at, side in enumerate((64, 128)):
        best = max(one["median"] for one in told("stages") if one["at"]["tile"] == f"{side}x{side}")
        ring, dot = drawn[f"measured-{at}"].shape, drawn[f"tile-{side}"].shape
        fed = 3.352e12 * side / 2  # a tile's FLOPs for each byte in BF16 are half its side
        assert best > fed and dot["cy"] - ring["cy"] == pytest.approx(decades * math.log10(best / fed))
        assert ring["cx"] == pytest.approx(dot["cx"])


@pytest.mark.parametrize("width", WIDTHS)
def test_real_tiles_and_what_was_measured_are_named_and_nothing_lies_under_the_corner(width):
    for block in BLOCKS:
        drawn = frame(block, "speed", width)
        assert drawn["tile-name"].text == "tiles of 64 to 256" and "measured" in drawn["measured-words"].text
        assert beneath(drawn, "corner") == []


def test_one_multiplication_is_one():
    said = [frame((4, 4), "naive", beat=beat)["multiplied-name"].text for beat in (0, 1)]
    assert said == ["multiplication until now takes", "multiplications until now take"]


@pytest.mark.parametrize("width", WIDTHS)
def test_name_of_the_block_parts_the_line_behind_it(width):
    assert "halo" in frame((4, 1), "speed", width)["here-name"].role


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("block", SOME)
def test_dot_climbs_the_roof_and_every_block_is_there_when_it_has_been_passed(block, width):
    *climbs, last = [frame(block, "speed", width, beat) for beat in range(len(chapters(*block)["speed"]))]
    places = [(one["climbs"].shape["cx"], -one["climbs"].shape["cy"]) for one in climbs]
    assert places == sorted(set(places)) and "climbs" not in last
    for key in ("here", "tile-64", "tile-128", "tile-256"):
        came = next(at for at, (x, _) in enumerate(places) if x == pytest.approx(last[key].shape["cx"]))
        assert [key in one for one in (*climbs, last)] == [False] * (came + 1) + [True] * (len(climbs) - came)
    assert not any("measured-words" in one for one in climbs)
