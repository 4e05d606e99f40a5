"""Check what the scene says and draws: values, table, narration, and marks whose places are the cycles."""

import itertools
import math
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.pipelining.model import steady_span
from scenes.pipelining.scene import SCENE

ALONE, AHEAD, STEADY, SHARED = range(4)  # the steps

GRID = list(SCENE.grid())
EDGES = [
    {}, {"stages": 1}, {"stages": 4}, {"stages": 5}, {"stages": 4, "transfer": 300}, {"stages": 2, "transfer": 300},
    {"stages": 5, "latency": 800, "compute": 100}, {"stages": 1, "latency": 800, "compute": 400},
    {"stages": 5, "latency": 200, "compute": 400}, {"stages": 3, "latency": 200, "compute": 100},
    {"stages": 5, "latency": 800, "compute": 100, "transfer": 300},
]  # fmt: skip


def name(params):
    return "-".join(map(str, params.values())) or "opening"


def run(params):
    return SCENE.run(**SCENE.resting(params))


def pipeline(params):
    return run(params).result


def frame(params, step, width="wide"):
    """The marks of one step, by key."""
    return {mark.key: mark for mark in SCENE.draw(run(params).steps[step], WIDTHS[width])}


def values_of(params):
    return {key: value.value for key, value in run(params).values.items()}


def cycle_of(marks, window):
    """Where a place on the stage lies in time."""
    left, right = (marks[f"time-{turn}"].shape["x1"] for turn in (0, 3))
    return lambda x: (x - left) / (right - left) * window


def test_grid_is_small_and_leaves_out_transfers_longer_than_the_latency():
    assert len(GRID) == 5 * 3 * (3 * 2 + 1)
    assert {params["transfer"] for params in GRID if params["latency"] == 200} == {100}


def test_opening_shows_two_buffers_that_halve_the_period_and_do_not_end_the_wait():
    values = values_of({})
    assert (values["period"], values["stall"], values["speedup"], values["needed"]) == (400, 50, 2, 4)
    assert (values["shared"], values["fits_a100"], values["fits_h100"]) == (64, 5, 7)
    assert SCENE.opening - 1 == STEADY


@pytest.mark.parametrize("params", GRID, ids=name)
def test_table_has_a_row_for_one_to_six_stages_and_agrees_with_the_values(params):
    table, values = run(params).table, values_of(params)
    assert [column.name for column in table.columns] == ["stages", "period", "stall", "speedup", "shared"]
    assert [row[0] for row in table.rows] == [1, 2, 3, 4, 5, 6]
    row = table.rows[params["stages"] - 1]
    assert list(row[1:]) == [values[key] for key in ("period", "stall", "speedup", "shared")]
    assert table.rows[0][3] == 1
    assert [row[4] for row in table.rows] == [32, 64, 96, 128, 160, 192]


@pytest.mark.parametrize("params", GRID, ids=name)
def test_narration_differs_from_step_to_step_and_quotes_the_numbers(params):
    said, values = [SCENE.say(state) for state in run(params).steps], values_of(params)
    assert len(set(said)) == len(said) == 4
    assert all(re.search(r"[^.]\.$", words) for words in said)
    assert f"L = {params['latency']} cycles, the arithmetic C = {params['compute']}" in said[ALONE]
    assert f"{values['trip']:,.0f} cycles a tile" in said[ALONE]
    assert f"{values['done']:.0f} tile" in said[AHEAD]
    each = values["period"]
    assert (f"{each:,.0f} cycles" if each == round(each) else f"{each:,.1f} cycles") in said[STEADY]
    stall = str(run(params).values["stall"])
    assert f"waits {stall} of the time" in said[STEADY] or (stall == "0%" and "never waits" in said[STEADY])
    assert f"{values['shared']:.0f} KB; one block can have 163 KB on an A100, room for 5" in said[SHARED]
    assert f"take {values['needed_shared']:.0f} KB" in said[SHARED]


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"stages": 4}, "after the first load the arithmetic never waits"),
        ({"stages": 5}, "4 stages would have done it, 1 fewer"),
        ({"stages": 3, "transfer": 300}, "no number of stages changes that. These 3 stages are just enough"),
        ({"stages": 4, "transfer": 300}, "Already 3 stages would reach that pace"),
        ({"stages": 2, "transfer": 300}, "From 3 stages on, memory sets the pace, T = 300"),
        ({"stages": 3, "latency": 200, "compute": 100}, "The memory pipe, T = 100 cycles a tile, is full too"),
        ({"stages": 5, "compute": 100}, "its round trip takes L + C = 700 cycles. Shared by 5"),
    ],
)
def test_steady_state_is_explained_by_what_bounds_it(params, words):
    assert words in SCENE.say(run(params).steps[STEADY])


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({}, "they fit on both"),
        ({"compute": 100}, "take 224 KB: they fit on the H100 only"),
        ({"compute": 100, "latency": 800}, "take 288 KB, more than either has"),
    ],
)
def test_last_step_tells_where_the_stages_needed_fit(params, words):
    assert words in SCENE.say(run(params).steps[SHARED])


@pytest.mark.parametrize("params", EDGES, ids=name)
@pytest.mark.parametrize("width", WIDTHS)
def test_compute_lane_is_filled_by_tiles_and_waits_and_nothing_else(params, width):
    marks, one = frame(params, STEADY, width), pipeline(params)
    cycle = cycle_of(marks, one.window)
    spans = sorted(
        (mark.shape["x"] - 0.5, mark.shape["x"] + mark.shape["width"] + 0.5)
        for key, mark in marks.items()
        if re.fullmatch(r"(compute|wait)-\d+", key)
    )
    assert cycle(spans[0][0]) == pytest.approx(0, abs=1e-6)
    assert cycle(spans[-1][1]) == pytest.approx(one.window, rel=1e-9)
    for (_, end), (start, _) in itertools.pairwise(spans):
        assert start == pytest.approx(end, abs=1e-6)


@pytest.mark.parametrize("params", EDGES, ids=name)
def test_a_tile_is_computed_where_its_buffer_is_read_and_never_before_it_has_landed(params):
    marks, one = frame(params, STEADY), pipeline(params)
    for tile in range(len(one.shown.start)):
        load, read, compute = (marks.get(f"{key}-{tile}") for key in ("load", "read", "compute"))
        assert load.shape["y"] == marks[f"lane-buffer-{tile % one.stages + 1}"].shape["y"]
        if read:
            assert (read.shape["x"], read.shape["width"]) == (compute.shape["x"], compute.shape["width"])
            assert read.shape["x"] >= load.shape["x"] + load.shape["width"]
            assert read.shape["y"] == load.shape["y"]


@pytest.mark.parametrize("params", EDGES, ids=name)
@pytest.mark.parametrize("width", WIDTHS)
def test_tiles_of_one_lane_do_not_overlap(params, width):
    marks = frame(params, STEADY, width)
    for lane in ("pipe", *(f"buffer-{number}" for number in range(1, 6))):
        row = marks[f"lane-{lane}"].shape["y"]
        spans = sorted(
            (mark.shape["x"], mark.shape["x"] + mark.shape["width"])
            for key, mark in marks.items()
            if re.fullmatch(r"(load|pipe|held|read)-\d+", key) and mark.shape["y"] == row
        )
        assert all(start >= end - 1e-6 for (_, end), (start, _) in itertools.pairwise(spans))


@pytest.mark.parametrize("params", GRID, ids=name)
def test_bracket_spans_the_period_times_its_tiles(params):
    one = pipeline(params)
    tiles, start, end = steady_span(one)
    assert end - start == pytest.approx(tiles * one.period)
    assert one.trip <= start < end <= one.window
    marks = frame(params, STEADY)
    cycle = cycle_of(marks, one.window)
    left, _, right, _ = bounds(marks["steady"])
    assert (cycle(left), cycle(right)) == pytest.approx((start, end), abs=one.window / 900)  # it stands on halves
    assert sum(start < moment <= end for moment in one.schedule(99).end.tolist()) == tiles


def test_bars_are_as_high_as_the_periods_and_quiet_where_stages_do_not_help():
    marks, rows = frame({}, STEADY), run({}).table.rows
    unit = marks["period-1"].shape["height"] / 800
    for stages, each, *_ in rows:
        assert marks[f"period-{stages}"].shape["height"] == pytest.approx(each * unit)
    roles = [marks[f"period-{number}"].role for number in range(1, 10)]
    assert roles == ["data", "hot", "data", "data", *["quiet"] * 5]


def test_other_numbers_of_stages_can_be_pressed_on_bars_and_on_lanes():
    marks = frame({"stages": 2}, STEADY)
    for kind in ("period-", "lane-buffer-"):
        assert {mark.set["stages"] for key, mark in marks.items() if mark.set and key.startswith(kind)} == set("1345")
    assert not [mark for mark in frame({"stages": 2}, ALONE).values() if mark.set]


@pytest.mark.parametrize("width", WIDTHS)
def test_limits_stand_behind_the_last_stage_that_fits(width):
    marks = frame({"stages": 5, "latency": 800, "compute": 100}, SHARED, width)
    assert sum(re.fullmatch(r"memory-\d", key) is not None for key in marks) == 9
    for gpu, fits in (("A100", 5), ("H100", 7)):
        x, last, beyond = marks[f"limit-{gpu}"].shape["x1"], marks[f"memory-{fits - 1}"], marks[f"memory-{fits}"]
        assert last.shape["x"] + last.shape["width"] < x < beyond.shape["x"] + beyond.shape["width"]


@pytest.mark.parametrize("params", GRID, ids=name)
@pytest.mark.parametrize("width", WIDTHS)
def test_marks_are_few_and_texts_do_not_run_into_each_other(params, width):
    for step in (ALONE, AHEAD, STEADY, SHARED):
        marks = frame(params, step, width)
        assert len(marks) <= 190
        boxes = [(mark.key, *bounds(mark)) for mark in marks.values() if mark.tag == "text"]
        for index, (one, left, top, right, bottom) in enumerate(boxes):
            assert math.isfinite(left + top + right + bottom)
            for other, l, t, r, b in boxes[index + 1 :]:
                apart = right <= l or r <= left or bottom <= t + 1 or b <= top + 1
                assert apart, f"{one} meets {other} in step {step + 1}"
