"""Check what the scene says and draws: values, table, narration, and marks whose sizes are the numbers."""

import json
import math
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.coalescing import measured
from scenes.coalescing.model import over_strides, solve
from scenes.coalescing.scene import SCENE
from scenes.coalescing.stage import WIDE

GRID = list(SCENE.grid())
ASK, FETCH, CURVE = range(3)
EDGES = [
    {}, {"stride": 0}, {"stride": 1}, {"stride": 1, "offset": 1}, {"stride": 13}, {"stride": 32, "offset": 8},
    {"pattern": "shuffled", "offset": 4}, {"pattern": "shuffled"}, {"pattern": "random"}, {"pattern": "wide"},
]  # fmt: skip


def name(params):
    return "-".join(map(str, params.values())) or "opening"


def frame(params, step, width="wide", beat=-1):
    """The marks of one beat of a step, by key."""
    chapter = SCENE.run(**SCENE.resting(params)).chapters[step]
    return {mark.key: mark for mark in SCENE.draw(chapter.states[beat], WIDTHS[width])}


def values_of(params):
    return {key: value.value for key, value in SCENE.run(**SCENE.resting(params)).values.items()}


def loaded(params):
    return solve(**SCENE.resting(params)).load


def test_every_stride_up_to_32_is_on_offer_and_what_does_not_matter_is_not():
    assert len(GRID) == 33 * 5 + 5 + 2
    assert {(params["stride"], params["offset"]) for params in GRID if params["pattern"] == "random"} == {(4, 0)}


def test_curve_beside_memory_ends_where_memory_ends():
    assert WIDE.plot.bottom == WIDE.memory.bottom and WIDE.plot.height >= 96


def test_opening_shows_waste_and_says_how_much_is_used():
    values = values_of({})
    assert (values["moved"], values["useful"], values["unused"]) == (512, 128, 384)
    assert (values["sectors"], values["lines"], values["best"], values["efficiency"]) == (16, 4, 4, 25)
    marks = frame({}, SCENE.opening)
    assert marks["answer"].text == "25%"
    assert marks["answer"].shape["font-size"] >= 32
    assert (marks["used"].text, marks["wasted"].text) == ("128 B used,", "384 B not")


def test_wide_loads_use_all_that_is_fetched():
    assert (values_of({"pattern": "wide"})["useful"], values_of({"pattern": "wide"})["efficiency"]) == (512, 100)


@pytest.mark.parametrize("params", GRID, ids=name)
def test_values_agree_with_each_other_and_with_the_table(params):
    values, table = values_of(params), SCENE.run(**params).table
    assert values["moved"] == 32 * values["sectors"] == values["useful"] + values["unused"]
    assert values["efficiency"] == pytest.approx(100 * values["useful"] / values["moved"], rel=1e-14)
    assert values["lanes"] == 32
    wanted = loaded(params).stride if params["pattern"] in ("strided", "wide") else params["pattern"]
    (row,) = [row for row in table.rows if row[0] == wanted]
    names = [column.name for column in table.columns]
    assert names == ["stride", "sectors", "lines", "moved", "useful", "efficiency", "measured"]
    assert all(cell == values[key] for key, cell in zip(names[1:-1], row[1:-1], strict=True))


@pytest.mark.parametrize("pattern", ["strided", "shuffled", "random"])
def test_table_lists_every_stride_and_the_pattern_before_them(pattern):
    rows = SCENE.run(**SCENE.resting({"pattern": pattern})).table.rows
    assert [row[0] for row in rows] == [*([] if pattern == "strided" else [pattern]), *range(33)]


@pytest.mark.parametrize("params", GRID, ids=name)
def test_narration_differs_from_step_to_step_and_quotes_the_counts(params):
    said, values = [SCENE.say(state) for state in SCENE.run(**params).steps], values_of(params)
    assert len(set(said)) == len(said) == 3
    assert f"{values['sectors']} sector" in said[FETCH]
    if values["unused"]:
        assert f"{values['moved']:,} bytes for {values['useful']:,} that are used" in said[FETCH]


def test_narration_names_the_offset_that_would_do_better():
    said = SCENE.say(SCENE.run(**SCENE.resting({"stride": 1, "offset": 1})).steps[CURVE])
    assert "5 sectors for 128 bytes; from offset 0 it would take 4." in said


@pytest.mark.parametrize("params", EDGES, ids=name)
@pytest.mark.parametrize("width", WIDTHS)
def test_each_lane_marks_its_own_bytes_inside_a_sector_and_its_thread_ends_on_them(params, width):
    marks, load = frame(params, FETCH, width), loaded(params)
    for lane, address in enumerate(load.addresses.tolist()):
        sector, asked = marks[f"sector-{address // 32}"].shape, marks[f"asked-{lane}"].shape
        assert asked["x"] == pytest.approx(sector["x"] + address % 32 * sector["width"] / 32)
        assert asked["width"] == pytest.approx(load.element * sector["width"] / 32)
        assert (asked["y"], asked["height"]) == (sector["y"], sector["height"])
        x, y = map(float, marks[f"thread-{lane}"].shape["d"].split("L")[-1].split())
        assert x == pytest.approx(asked["x"] + asked["width"] / 2, abs=0.3)
        assert y == pytest.approx(asked["y"], abs=0.3)


@pytest.mark.parametrize("stride", [1, 2, 3, 4, 5, 8])
def test_share_of_the_picture_that_is_green_is_the_share_that_is_used(stride):
    marks = frame({"stride": stride}, FETCH)
    area = {part: sum(mark.shape["width"] * mark.shape["height"] for key, mark in marks.items() if key.startswith(part))
            for part in ("asked", "sector")}  # fmt: skip
    assert 100 * area["asked"] / area["sector"] == pytest.approx(values_of({"stride": stride})["efficiency"])


def test_threads_set_off_one_after_another_and_sectors_come_after_them():
    for step, key, whole in ((ASK, "asked-", 32), (FETCH, "sector-", 16)):
        beats = range(len(SCENE.run().chapters[step].states))
        counts = [sum(one.startswith(key) for one in frame({}, step, beat=beat)) for beat in beats]
        assert counts == sorted(set(counts))
        assert counts[-1] == whole
    assert not any(key.startswith("sector-") for key in frame({}, ASK))


def test_numbers_grow_with_the_sectors_that_have_come():
    for beat in range(8):
        marks = frame({}, FETCH, beat=beat)
        come = sum(key.startswith("sector-") for key in marks)
        assert marks["fetched"].text == f"{come} sectors = {32 * come} B"
        assert marks["answer"].text == "25%"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EDGES, ids=name)
def test_bytes_asked_for_and_fetched_stand_side_by_side_to_one_scale_until_the_curve_comes(params, width):
    load, marks = loaded(params), frame(params, FETCH, width)
    unit = marks["track-fetched"].shape["width"] / 1024
    lengths = {key: marks[f"tally-{key}"].shape["width"] / unit for key in ("asked for-used", "moved", "fetched-used")}
    told = {"asked for-used": load.useful, "moved": load.moved, "fetched-used": load.useful}
    assert lengths == pytest.approx(told)
    assert marks["tally-fetched-size"].text == f"{load.moved:,} B"
    asked = frame(params, ASK, width)
    assert asked["tally-moved"].shape["width"] == 0 and asked["tally-fetched-size"].text == ""
    assert not any(key.startswith(("tally", "track")) for key in frame(params, 2, width))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EDGES, ids=name)
def test_before_anything_is_fetched_only_the_bytes_asked_for_are_told(params, width):
    marks = frame(params, ASK, width)
    told = [mark.text for key, mark in marks.items() if key.startswith("wanted-words")]
    assert marks["wanted"].text == f"{loaded(params).useful} B"
    assert "work" in marks["wanted"].role.split()
    assert " ".join(told) == "asked for by 32 threads"
    assert not {"answer", "fetched", "used", "wasted"} & marks.keys()
    assert not any(key.startswith("wanted") for key in frame(params, FETCH, width))
    first = frame(params, ASK, width, beat=0)
    threads = sum(key.startswith("asked-") for key in first)
    assert any(mark.text.endswith(f"by {threads} threads") for mark in first.values())


@pytest.mark.parametrize("width", WIDTHS)
def test_stride_is_dragged_along_the_words_that_thread_1_may_ask_for(width):
    for offset, stride in ((0, 1), (0, 7), (4, 20), (8, 23)):
        marks = frame({"stride": stride, "offset": offset}, CURVE, width)
        knob, asked = marks["stride"], marks["asked-1"].shape
        assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[stride]
        assert knob.shape["cx"] == pytest.approx(asked["x"] + asked["width"] / 2)
        assert [x for x, _ in knob.handle.rail] == sorted({x for x, _ in knob.handle.rail})


@pytest.mark.parametrize("width", WIDTHS)
def test_offset_is_dragged_along_the_words_that_thread_0_may_ask_for(width):
    for place, offset in enumerate(SCENE.param("offset").values):
        marks = frame({"offset": offset}, CURVE, width)
        knob, asked = marks["offset"], marks["asked-0"].shape
        assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[place]
        assert knob.shape["cx"] == pytest.approx(asked["x"] + asked["width"] / 2)


def test_there_is_nothing_to_drag_where_stride_and_offset_do_not_matter():
    held = [{mark.key for mark in frame(params, CURVE).values() if mark.handle}
            for params in ({}, {"pattern": "shuffled"}, {"pattern": "random"}, {"pattern": "wide"})]  # fmt: skip
    assert held == [{"stride", "offset"}, {"offset"}, set(), set()]


@pytest.mark.parametrize("params", [{}, {"offset": 8}], ids=name)
def test_dot_lies_on_the_curve_at_this_stride(params):
    for stride in (1, 2, 3, 4, 8, 16, 32):
        marks = frame({**params, "stride": stride}, CURVE)
        points = [tuple(map(float, one.split())) for one in marks["curve"].shape["d"][1:].split("L")]
        here = marks["here"].shape
        assert math.dist(points[stride - 1], (here["cx"], here["cy"])) < 0.4  # the curve stands on halves


@pytest.mark.parametrize("width", WIDTHS)
def test_halving_of_the_share_is_a_step_down_of_equal_height(width):
    marks = frame({}, CURVE, width)
    top, below = (marks[f"eff-y-grid-{tick}"].shape["y1"] for tick in (100, 25))
    points = [tuple(map(float, one.split())) for one in marks["curve"].shape["d"][1:].split("L")]
    for load, (_, y) in zip(over_strides(4, 0)[1:], points, strict=True):
        assert (y - top) / ((below - top) / 2) == pytest.approx(math.log2(100 / load.efficiency), abs=0.05)


def written(series):
    """Points of the result as plain JSON: an oracle that shares no code with the scene."""
    told = json.loads((FOLDER / "h100/coalescing.json").read_text())
    return next(one["points"] for one in told["series"] if one["id"] == series)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("params", "element"), [({"stride": 16}, 4), ({"pattern": "wide"}, 16)])
def test_rings_stand_where_the_result_says(params, element, width):
    rates = {one["at"]["stride"]: one["median"] for one in written("useful") if one["at"]["element"] == element}
    marks = frame(params, CURVE, width)
    top, below = (marks[f"eff-y-grid-{tick}"].shape["y1"] for tick in (100, 25))
    left, right = (marks[f"eff-x-tick-{tick}"].shape["x1"] for tick in (1, 2))
    rings = [mark.shape for key, mark in marks.items() if re.fullmatch(r"measured-\d+", key)]
    assert 8 <= len(rings) <= 12
    for ring in rings:
        stride = 2 ** ((ring["cx"] - left) / (right - left))
        fallen = math.log2(rates[1] / rates[round(stride)])
        assert stride == pytest.approx(round(stride))
        assert (ring["cy"] - top) / ((below - top) / 2) == pytest.approx(fallen, abs=0.01)


def test_rings_bend_at_16_where_the_count_bends_at_8():
    rates = {stride: values_of({})[f"measured_{stride}"] for stride in (1, 8, 16, 32)}
    assert 100 * rates[8] / rates[1] == pytest.approx(12.5, abs=1)
    assert rates[16] < 0.55 * rates[8]
    assert rates[32] > 0.8 * rates[16]
    assert values_of({})["measured_word_16"] == pytest.approx(64, rel=1e-3)


@pytest.mark.parametrize(("params", "element", "knee", "count"), [({}, 4, 8, 12.5), ({"pattern": "wide"}, 16, 2, 50)])
def test_less_than_the_count_was_measured_beyond_the_knee_and_not_at_it(params, element, knee, count):
    rates = {one["at"]["stride"]: one["median"] for one in written("useful") if one["at"]["element"] == element}
    for stride in range(knee, 33):
        assert (100 * rates[stride] / rates[1] < count) == (stride > knee)
    said = SCENE.say(SCENE.run(**params).steps[CURVE])
    alone = f"From stride {knee}, each thread has its own sector: {count:g}%."
    assert f"{alone} Farther on, an H100 was slower still." in said


def test_only_loads_that_were_measured_have_rings():
    assert not any(key.startswith("measured") for key in frame({"offset": 1}, CURVE))
    rows = {row[0]: row[-1] for row in SCENE.run(**SCENE.resting({"pattern": "random"})).table.rows}
    assert (rows["random"], rows[0], rows[1]) == ("–", "–", 100)


def test_scene_draws_without_results(monkeypatch):
    monkeypatch.setattr(measured, "results", lambda name: {})
    measured.useful.cache_clear()
    assert not any(key.startswith("measured") for key in (*frame({"stride": 31}, CURVE), *values_of({"stride": 31})))
    assert "measured" not in SCENE.say(SCENE.run(stride=31).steps[CURVE])
    measured.useful.cache_clear()


def test_shuffle_stands_at_stride_1_and_a_gather_is_a_level():
    shuffled, gather = frame({"pattern": "shuffled"}, CURVE), frame({"pattern": "random"}, CURVE)
    assert shuffled["here"].shape["cx"] == frame({"stride": 1}, CURVE)["here"].shape["cx"]
    assert "here" not in gather
    assert gather["level"].shape["y1"] == gather["level"].shape["y2"]


@pytest.mark.parametrize("params", EDGES, ids=name)
@pytest.mark.parametrize("width", WIDTHS)
def test_texts_do_not_run_into_each_other(params, width):
    for step in (ASK, FETCH, CURVE):
        texts = [mark for mark in frame(params, step, width).values() if mark.tag == "text"]
        boxes = [(mark.key, *bounds(mark)) for mark in texts]
        for index, (one, left, top, right, bottom) in enumerate(boxes):
            for other, l, t, r, b in boxes[index + 1 :]:
                apart = right <= l or r <= left or bottom <= t + 1 or b <= top + 1
                assert apart, f"{one} meets {other} in step {step + 1}"
