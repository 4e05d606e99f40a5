"""Check what the scene says and draws: values, table, narration, and marks whose sizes are the numbers."""

import math
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.coalescing.model import Load, over_strides
from scenes.coalescing.scene import SCENE

GRID = list(SCENE.grid())
ASK, FETCH, COUNT, CURVE = range(4)
EDGES = [
    {}, {"stride": 0}, {"stride": 1}, {"stride": 1, "offset": 1}, {"stride": 8}, {"stride": 32, "element": 16},
    {"element": 2, "stride": 2, "offset": 8}, {"pattern": "shuffled", "offset": 4}, {"pattern": "shuffled"},
    {"pattern": "random"}, {"pattern": "random", "element": 2}, {"pattern": "random", "element": 16},
]  # fmt: skip


def name(params):
    return "-".join(map(str, params.values())) or "opening"


def frame(params, step, width="wide"):
    """The marks of one step, by key."""
    return {mark.key: mark for mark in SCENE.draw(SCENE.run(**SCENE.resting(params)).steps[step], WIDTHS[width])}


def values_of(params):
    return {key: value.value for key, value in SCENE.run(**SCENE.resting(params)).values.items()}


def test_grid_is_small_and_drops_what_does_not_matter():
    assert len(GRID) == 4 * 8 * 4 + 4 * 4 + 4
    assert {(params["stride"], params["offset"]) for params in GRID if params["pattern"] == "random"} == {(4, 0)}


def test_opening_shows_waste():
    values = values_of({})
    assert (values["moved"], values["useful"], values["unused"]) == (512, 128, 384)
    assert (values["sectors"], values["lines"], values["best"], values["efficiency"]) == (16, 4, 4, 25)
    assert "unused" in frame({}, SCENE.opening)


@pytest.mark.parametrize("params", GRID, ids=name)
def test_values_agree_with_each_other_and_with_the_table(params):
    values, table = values_of(params), SCENE.run(**params).table
    assert values["moved"] == 32 * values["sectors"] == values["useful"] + values["unused"]
    assert values["efficiency"] == pytest.approx(100 * values["useful"] / values["moved"], rel=1e-14)
    assert values["lanes"] == 32
    wanted = params["stride"] if params["pattern"] == "strided" else params["pattern"]
    (row,) = [row for row in table.rows if row[0] == wanted]
    names = [column.name for column in table.columns]
    assert names == ["stride", "sectors", "lines", "moved", "useful", "efficiency"]
    assert all(cell == values[key] for key, cell in zip(names[1:], row[1:], strict=True))


@pytest.mark.parametrize("pattern", ["strided", "shuffled", "random"])
def test_table_lists_every_stride_and_the_pattern_before_them(pattern):
    rows = SCENE.run(**SCENE.resting({"pattern": pattern})).table.rows
    assert [row[0] for row in rows] == [*([] if pattern == "strided" else [pattern]), *range(33)]


@pytest.mark.parametrize("params", GRID, ids=name)
def test_narration_differs_from_step_to_step_and_quotes_the_counts(params):
    said, values = [SCENE.say(state) for state in SCENE.run(**params).steps], values_of(params)
    assert len(set(said)) == len(said) == 4
    assert all(re.search(r"[^.]\.$", words) for words in said)
    sectors, efficiency = f"{values['sectors']:,}", f"{SCENE.run(**params).values['efficiency']}"
    assert f"touch {sectors if values['sectors'] > 1 else 'only one'}" in said[FETCH]
    assert f"= {values['moved']:,} bytes move, and {values['useful']:,} are used" in said[COUNT]
    assert f"an efficiency of {efficiency}." in said[COUNT]
    assert efficiency in said[CURVE] or params["pattern"] == "shuffled"


def test_narration_names_the_offset_that_would_do_better():
    said = SCENE.say(SCENE.run(**SCENE.resting({"stride": 1, "offset": 1})).steps[CURVE])
    assert "5 sectors; from offset 0 it would take 4, the ring at 100%" in said


@pytest.mark.parametrize("params", EDGES, ids=name)
@pytest.mark.parametrize("width", WIDTHS)
def test_bars_are_as_long_as_the_columns_that_the_bytes_came_in(params, width):
    marks, values = frame(params, COUNT, width), values_of(params)
    pitch = marks["moved"].shape["width"] / values["sectors"]
    assert marks["useful"].shape["width"] == pytest.approx(pitch * values["useful"] / 32)
    last = marks[f"sector-{values['sectors'] - 1}"]
    assert last.shape["x"] + last.shape["width"] == pytest.approx(values["sectors"] * pitch, abs=2)
    assert f"sector-{values['sectors']}" not in marks


@pytest.mark.parametrize("params", EDGES, ids=name)
@pytest.mark.parametrize("width", WIDTHS)
def test_each_lane_marks_its_own_bytes_inside_the_sector_that_its_thread_reaches(params, width):
    marks = frame(params, FETCH, width)
    load = Load(**SCENE.resting(params))
    for lane in range(32):
        column, asked = marks[f"sector-{load.slots[lane]}"].shape, marks[f"asked-{lane}"].shape
        byte = column["height"] / 32
        assert asked["x"] == column["x"]
        assert asked["y"] == pytest.approx(column["y"] + int(load.addresses[lane]) % 32 * byte)
        assert asked["height"] == pytest.approx(load.element * byte - 1)
        x, y = map(float, marks[f"thread-{lane}"].shape["d"].split("L")[-1].split())
        assert column["x"] - 0.1 <= x <= column["x"] + column["width"] + 0.1
        assert y == pytest.approx(column["y"], abs=0.1)


def test_waste_is_hatched_from_the_second_step_on_and_only_where_there_is_some():
    assert "unused" not in frame({}, ASK)
    assert len(frame({}, FETCH)["unused"].shape["d"]) > 100
    assert frame({"stride": 1}, FETCH)["unused"].shape["d"] == "M0 0"


def test_hatching_stays_inside_the_columns():
    for params in EDGES:
        marks = frame(params, FETCH)
        if marks["unused"].shape["d"] != "M0 0":
            left, top, right, bottom = bounds(marks["unused"])
            last = marks[f"sector-{values_of(params)['sectors'] - 1}"].shape
            assert left >= marks["sector-0"].shape["x"] - 0.1
            assert right <= last["x"] + last["width"] + 0.1
            assert top >= last["y"] - 0.1
            assert bottom <= last["y"] + last["height"] + 0.1


@pytest.mark.parametrize("params", [{}, {"element": 2, "offset": 8}, {"element": 16}], ids=name)
def test_dot_lies_on_the_curve_at_this_stride(params):
    stops = set()
    for stride in (1, 2, 3, 4, 8, 16, 32):
        marks = frame({**params, "stride": stride}, CURVE)
        points = [tuple(map(float, one.split())) for one in marks["curve"].shape["d"][1:].split("L")]
        here = marks["here"].shape
        assert math.dist(points[stride - 1], (here["cx"], here["cy"])) < 0.4  # the curve stands on halves
        stops.add(here["cx"])
    assert len(stops) == 7


def test_height_on_the_curve_is_the_efficiency():
    marks, floor = frame({}, CURVE), frame({}, CURVE)["eff-x-axis"].shape["y1"]
    unit = (floor - marks["eff-y-grid-100"].shape["y1"]) / 100
    points = [tuple(map(float, one.split())) for one in marks["curve"].shape["d"][1:].split("L")]
    for load, (_, y) in zip(over_strides(4, 0)[1:], points, strict=True):
        assert (floor - y) / unit == pytest.approx(load.efficiency, abs=0.3)


def test_ring_stands_where_offset_0_would_do_better_and_nowhere_else():
    marks = frame({"stride": 1, "offset": 1}, CURVE)
    ring, grid = marks["aligned"].shape, marks["eff-y-grid-100"].shape
    assert ring["y"] + ring["height"] / 2 == pytest.approx(grid["y1"])
    assert ring["x"] + ring["width"] / 2 == pytest.approx(marks["here"].shape["cx"])
    for params in GRID[::5]:
        better = len(Load(**{**params, "offset": 0}).sectors) < len(Load(**params).sectors)
        assert ("aligned" in frame(params, CURVE)) == (better and params["pattern"] == "strided")


def test_shuffle_stands_at_stride_1_and_a_gather_is_a_level():
    shuffled, gather = frame({"pattern": "shuffled"}, CURVE), frame({"pattern": "random"}, CURVE)
    assert shuffled["here"].shape["cx"] == frame({"stride": 1}, CURVE)["here"].shape["cx"]
    assert "here" not in gather
    assert gather["level"].shape["y1"] == gather["level"].shape["y2"]


def test_dots_of_the_other_strides_can_be_pressed():
    marks = frame({"stride": 4}, CURVE)
    pressed = {mark.set["stride"] for mark in marks.values() if mark.set}
    assert pressed == {"0", "1", "2", "3", "8", "16", "32"}
    assert {mark.set["pattern"] for mark in marks.values() if mark.set} == {"strided"}


@pytest.mark.parametrize("params", EDGES, ids=name)
@pytest.mark.parametrize("width", WIDTHS)
def test_texts_do_not_run_into_each_other(params, width):
    for step in (ASK, FETCH, COUNT, CURVE):
        texts = [mark for mark in frame(params, step, width).values() if mark.tag == "text"]
        boxes = [(mark.key, *bounds(mark)) for mark in texts]
        for index, (one, left, top, right, bottom) in enumerate(boxes):
            for other, l, t, r, b in boxes[index + 1 :]:
                apart = right <= l or r <= left or bottom <= t + 1 or b <= top + 1
                assert apart, f"{one} meets {other} in step {step + 1}"
