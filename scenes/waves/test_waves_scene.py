"""Check what the reader meets: the bead's rail, areas of the chart, words and numbers that agree with the model."""

import json
import re

import pytest

from loom.draw.extent import bounds
from loom.draw.piece_cache import drawn_anew
from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.waves import measured
from scenes.waves.model import SCHEDULES, SMS, Launch
from scenes.waves.narration import BEATS, SECONDS, START, percent
from scenes.waves.scene import SCENE
from scenes.waves.stage import NARROW, THIN, TILES, WIDE
from tests.boxes import beneath

GRID = list(SCENE.grid())
SOME = [*GRID[::17], GRID[-1]]
RUN, SAW, COMPARE = range(3)


def frame(params, step, width="wide", beat=-1):
    chapter = SCENE.run(**params).chapters[step]
    return {mark.key: mark for mark in SCENE.draw(chapter.states[beat], WIDTHS[width])}


def test_opening_is_one_tile_more_than_there_are_sms():
    marks = frame({}, SCENE.opening - 1)
    assert (marks["answer"].text, marks["answer"].shape["font-size"]) == ("2×", 32)
    assert any("144 units, not 72" in mark.text for mark in marks.values())
    assert any("busy 45% of the time" in mark.text for mark in marks.values())
    assert "With one tile less it is 89%, in 72" in SCENE.say(SCENE.run().steps[SAW])


def test_full_and_overfull_waves_can_be_chosen():
    assert {wave * SMS + more for wave in range(1, 5) for more in (0, 1)} <= set(TILES)
    assert len(GRID) == len(TILES) * len(SCHEDULES)


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
@pytest.mark.parametrize("params", SOME, ids=str)
def test_bead_stands_on_the_saw_of_its_schedule(params, stage):
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).steps[SAW], stage.width)}
    knob, launch = marks["tiles"], Launch(**params)
    here = stage.plot.at(launch.tiles, launch.busy)
    assert (knob.shape["cx"], knob.shape["cy"]) == here == knob.handle.rail[TILES.index(launch.tiles)]
    assert len(knob.handle.rail) == len(TILES)


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
@pytest.mark.parametrize("params", SOME, ids=str)
def test_areas_of_the_chart_are_sms_times_time(params, stage):
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).steps[SAW], stage.width)}
    launch, window = Launch(**params), stage.window(params["tiles"])
    for at, span in enumerate(launch.spans):
        shape = marks[f"span-{at}"].shape
        assert shape["width"] / stage.chart.width == pytest.approx((span.end - span.start) / window)
        height = (span.last - span.first) / SMS * stage.chart.height
        assert shape["height"] >= THIN and shape["height"] == pytest.approx(height, abs=2 * THIN)
    assert (marks["idle"].shape["d"] == "M0 0") == (not launch.idle)


@pytest.mark.parametrize("params", SOME, ids=str)
def test_narration_differs_and_quotes_the_model(params):
    said = [SCENE.say(state) for state in SCENE.run(**params).steps]
    launch = Launch(**params)
    assert len(set(said)) == 3
    assert f"{launch.time} units" in said[SAW] and percent(launch.busy) in said[SAW]
    assert not re.search(r"\b1 (tiles|blocks|waves|units)\b", " ".join(said))


@pytest.mark.parametrize("schedule", ["tile", "persistent"])
def test_one_tile_each_has_no_next_one_to_hide_behind_and_one_block_is_not_each(schedule):
    for tiles in (1, 100):
        said = SCENE.say(SCENE.run(tiles=tiles, schedule=schedule).steps[RUN])
        assert "the next" not in said
        assert tiles > 1 or not re.search(r"\beach\b", said, re.IGNORECASE)


def test_all_tiles_but_one_run_first_and_the_one_that_opens_a_wave_runs_alone():
    for step, (start, end) in ((RUN, (0, 72)), (SAW, (72, 144))):
        chapter = SCENE.run().chapters[step]
        assert chapter.times[-1] <= SECONDS + START
        ends = range(step == RUN, BEATS + (step == RUN))  # in the first run it stands at the beginning before
        frames = [frame({}, step, beat=beat) for beat in ends]
        places = [(marks["now"].shape["x1"] - WIDE.chart.x) / WIDE.chart.width * WIDE.window(133) for marks in frames]
        assert places == pytest.approx([start + (end - start) * (beat + 1) / BEATS for beat in range(BEATS)], abs=0.3)
        assert [sum(key.startswith("span-") for key in marks) for marks in frames] == [2 if step == RUN else 4] * BEATS
    assert "now" not in frame({}, SAW)
    assert frame({}, RUN, beat=0)["now"].shape["x1"] == WIDE.chart.x and SCENE.run().chapters[RUN].times[1] <= 0.3
    assert SCENE.say(SCENE.run().steps[RUN]).startswith("132 tiles are 132 blocks, in 1 wave")


def test_number_is_the_time_so_far_and_then_that_of_all_but_one_tile_until_that_one_has_run():
    shown = [frame({}, step, beat=beat)["answer"].text for step in (RUN, SAW) for beat in range(BEATS + 2 - step)]
    assert shown == ["0", "0", "24", "48"] + ["72"] * (BEATS + 1) + ["2×"]


@pytest.mark.parametrize("params", SOME, ids=str)
def test_number_is_how_many_times_as_long_the_last_tile_makes_it(params):
    marks, launch = frame(params, SAW), Launch(**params)
    if launch.tiles == 1:
        assert marks["answer"].text == f"{launch.time}"
    else:
        ratio = launch.time / Launch(launch.tiles - 1, launch.schedule).time
        assert float(marks["answer"].text.rstrip("×")) == pytest.approx(ratio, abs=0.051)


def test_a_tail_of_one_block_can_be_seen_and_nothing_lies_over_it():
    for stage in (NARROW, WIDE):
        marks = frame({}, SAW, "narrow" if stage is NARROW else "wide")
        strip = marks["span-2"].shape
        assert strip["height"] >= 6
        hatches = [float(y) for y in re.findall(r"[\d.]+ ([\d.]+)", marks["idle"].shape["d"])]
        assert min(hatches) >= strip["y"] + strip["height"] - 0.5


@pytest.mark.parametrize("width", WIDTHS)
def test_schedules_are_bars_on_one_scale_and_can_be_pressed(width):
    marks = frame({}, COMPARE, width)
    for name in SCHEDULES:
        assert marks[f"bar-{name}"].set == {"schedule": name}
        ratio = marks[f"bar-{name}"].shape["width"] / marks["bar-tile"].shape["width"]
        assert ratio == pytest.approx(Launch(133, name).time / 144)


@pytest.mark.parametrize("params", SOME, ids=str)
def test_values_and_table_tell_the_same_times(params):
    found, table = SCENE.run(**params).values, SCENE.run(**params).table
    row = next(row for row in table.rows if row[0] == SCHEDULES[params["schedule"]])
    assert row[3:5] == (found["time"].value, found["busy"].value)
    assert found["best"].value == min(row[3] for row in table.rows)


def written():
    """The result as plain JSON: an oracle that shares no code with the scene."""
    (series,) = json.loads((FOLDER / "h100/waves.json").read_text())["series"]
    return {one["at"]["blocks"]: one for one in series["points"] if one["at"]["on_sm"] == 1}


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
def test_rings_are_the_share_of_the_chains_in_the_measured_time(stage):
    marks, seen = {mark.key: mark for mark in SCENE.draw(SCENE.run().steps[SAW], stage.width)}, written()
    rings = [mark for key, mark in marks.items() if re.fullmatch(r"measured-\d+", key)]
    assert len(rings) == 9
    assert all(dot.least <= dot.y <= dot.greatest for dot in measured.dots())
    left, right = (stage.plot.at(tiles, 0)[0] for tiles in (0, 132))
    floor, ceiling = (stage.plot.at(0, share)[1] for share in (0, 100))
    chain = 10_000 * 4 / 1.98e9  # dependent multiply-adds of 4 cycles each
    for ring in rings:
        blocks = round(132 * (ring.shape["cx"] - left) / (right - left))
        assert f" {blocks} blocks took" in ring.read
        share = (floor - ring.shape["cy"]) / (floor - ceiling)
        assert share == pytest.approx(blocks / 132 * chain / seen[blocks]["median"], rel=1e-3)


def test_one_block_more_takes_a_wave_more_on_silicon_too():
    values, seen = SCENE.run().values, written()
    assert values["measured_ratio"].value == seen[133]["median"] / seen[132]["median"]
    full = values["measured_launch"].value + values["measured_wave"].value
    assert full == pytest.approx(seen[132]["median"])
    assert SCENE.run(tiles=133).table.rows[0][-1] == pytest.approx(1e6 * seen[133]["median"])


def test_only_blocks_of_one_tile_each_were_measured():
    assert "measured-0" not in frame({"schedule": "persistent"}, SAW)
    assert "measured-0" not in frame({}, RUN)
    assert {row[-1] for row in SCENE.run(tiles=133).table.rows[1:]} == {"–"}


def test_scene_draws_without_results(monkeypatch):
    monkeypatch.setattr(measured, "results", lambda name: {})
    measured.times.cache_clear()
    with drawn_anew():
        assert not any(key.startswith("measured") for key in (*frame({"tiles": 121}, SAW), *SCENE.run().values))
    measured.times.cache_clear()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_the_last_step_sets_the_least_time_larger_than_all_others(params, width):
    marks = frame(params, COMPARE, width)
    sizes = {name: marks[f"took-{name}"].shape["font-size"] for name in SCHEDULES}
    largest = max(sizes, key=sizes.get)
    assert list(sizes.values()).count(sizes[largest]) == 1
    assert int(marks[f"took-{largest}"].text) == min(int(marks[f"took-{name}"].text) for name in SCHEDULES)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_in_the_last_step_all_schedules_have_as_much_green(params, width):
    marks = frame(params, COMPARE, width)
    boxes = [re.findall(r"[\d.]+", box) for box in marks["useful"].shape["d"].split("M")[1:]]
    lefts, rights = ([float(box[at]) for box in boxes] for at in (0, 2))
    unit = marks["bar-tile"].shape["width"] / Launch(params["tiles"], "tile").time
    assert len(rights) == len(SCHEDULES)
    for left, right in zip(lefts, rights, strict=True):
        assert (right - left) / unit == pytest.approx(64 * params["tiles"] / SMS, abs=1 / unit)
    assert "useful" not in frame(params, SAW, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_in_the_last_step_idle_time_is_hatched_on_paper_as_in_the_legend(params, width):
    marks = frame(params, COMPARE, width)
    lines = [float(x) for x, _ in re.findall(r"([\d.]+) ([\d.]+)", marks["unused"].shape["d"])]
    for name in SCHEDULES:
        bar, after = (marks[f"{part}-{name}"] for part in ("bar", "after"))
        assert (bar.role, after.role) == ("pad", "quiet")
        end = after.shape["x"] + after.shape["width"]
        unit = bar.shape["width"] / int(marks[f"took-{name}"].text)
        assert after.shape["x"] == pytest.approx(bar.shape["x"] + 64 * params["tiles"] / SMS * unit)
        assert end <= bar.shape["x"] + bar.shape["width"] + 1e-6
    first = min(marks[f"after-{name}"].shape["x"] + marks[f"after-{name}"].shape["width"] for name in SCHEDULES)
    assert min(lines, default=first) >= first - 0.5 or marks["unused"].shape["d"] == "M0 0"
    assert not any(key.startswith("after-") for key in frame(params, SAW, width))


@pytest.mark.parametrize("width", WIDTHS)
def test_where_one_tile_more_costs_a_wave_the_chart_tells_both_times(width):
    marks = frame({"tiles": 133}, SAW, width)
    assert (marks["less-time"].text, marks["time"].text) == ("132 tiles: 72", "133 tiles: 144")
    assert "less" not in frame({"tiles": 132}, SAW, width)
    assert "less" not in frame({"tiles": 133, "schedule": "stream"}, SAW, width)
    shown = [
        {"less-time", "time"} & {*frame({}, step, width, beat)}
        for step in (RUN, SAW)
        for beat in range(BEATS + 2 - step)
    ]
    assert shown == [set()] * (BEATS + 1) + [{"less-time"}] * (BEATS + 1) + [{"less-time", "time"}]


def words_of(tiles, step):
    return SCENE.say(SCENE.run(tiles=tiles, schedule="stream").steps[step])


def test_stream_k_speaks_of_shared_tiles_and_full_waves_only_where_there_are_any():
    assert "68 SMs have none" in words_of(1, SAW) and "unfilled" not in words_of(1, SAW)
    assert "no tile is shared" in words_of(132, SAW) and "second round" not in words_of(264, SAW)
    assert "no two meet" in words_of(132, 0)
    assert "second round of sums" in words_of(133, SAW) and "they add up" in words_of(133, 0)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_no_word_lies_under_the_ring_of_the_bead(params, width):
    assert not beneath(frame(params, SAW, width), "tiles")


@pytest.mark.parametrize("width", WIDTHS)
def test_chosen_name_is_bold_and_ends_before_its_bar(width):
    for schedule in SCHEDULES:
        marks = frame({"schedule": schedule}, COMPARE, width)
        assert bounds(marks[f"name-{schedule}"])[2] <= marks[f"bar-{schedule}"].shape["x"] - 4


def test_one_sm_is_called_by_its_number():
    told = [mark.read for mark in frame({}, SAW).values() if mark.read.startswith("SM")]
    assert told == ["SMs 0 to 131: mainloop", "SMs 0 to 131: epilogue", "SM 0: mainloop", "SM 0: epilogue"]
