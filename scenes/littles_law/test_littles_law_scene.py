"""Check what the reader meets: areas are bytes, the bead runs along the law, the rate comes with the first bytes."""

import json
import re

import pytest

from loom.draw.piece_cache import drawn_anew
from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.littles_law import measured
from scenes.littles_law.model import COUNTS, MEASURED, WARPS
from scenes.littles_law.scene import SCENE
from scenes.littles_law.stage import NARROW, WIDE
from tests.boxes import beneath, box

WAIT, RATE = range(2)
GRID = list(SCENE.grid())[::7]


def frame(params, step, width="wide", beat=-1):
    """The marks of one beat of a step, by key."""
    chapter = SCENE.run(**params).chapters[step]
    return {mark.key: mark for mark in SCENE.draw(chapter.states[beat], WIDTHS[width])}


def test_opening_has_a_bead_on_the_slope_and_says_the_rate():
    marks = frame({}, SCENE.opening)
    assert (marks["needed"].text, marks["needed"].shape["font-size"]) == ("8,800\u00a0B", 32)
    assert marks["rate"].text == "1,551\u00a0GB/s"
    assert marks["used"].text == "46% of 3,352\u00a0GB/s"
    assert "queue" not in marks


@pytest.mark.parametrize("stage", [NARROW, WIDE])
@pytest.mark.parametrize("params", GRID, ids=str)
def test_areas_are_bytes(params, stage):
    traffic = SCENE.run(**params).result
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).steps[RATE], stage.width)}
    unit = stage.nanosecond * stage.height / (traffic.share / 1e9)  # of one byte
    room, drawn = marks["room"].shape, marks["in-flight"].shape
    assert room["width"] * room["height"] / unit == pytest.approx(traffic.knee)
    area = drawn["width"] * drawn["height"] / unit
    assert area == pytest.approx(min(traffic.in_flight, traffic.knee))
    if "queue" in marks and "→" not in marks["wait"].text:
        queue = marks["queue"].shape
        assert area + queue["width"] * queue["height"] / unit == pytest.approx(traffic.in_flight)
    assert ("queue" in marks) == (traffic.in_flight >= traffic.knee)


def test_nothing_has_come_before_the_latency_is_over():
    beats = len(SCENE.run().chapters[WAIT].states)
    told = [frame({}, WAIT, beat=beat)["rate"].text for beat in range(beats)]
    assert set(told[:-1]) == {"0\u00a0GB/s"} and told[-1] == "1,551\u00a0GB/s"
    drawn = [frame({}, WAIT, beat=beat) for beat in range(beats)]
    box = drawn[0]["in-flight"].shape
    fronts = [marks["front"].shape["x1"] - box["x"] for marks in drawn]
    assert fronts == pytest.approx([(beat + 1) / beats * box["width"] for beat in range(beats)])
    for marks, front in zip(drawn[:-1], fronts, strict=False):  # what has not set out yet lies under a cover
        cover = marks["yet"].shape
        assert (cover["x"] - box["x"], cover["x"] + cover["width"]) == pytest.approx((front, box["x"] + box["width"]))
        assert cover["height"] == box["height"] and marks["yet"].role == "cell steady"
    assert "yet" not in drawn[-1]


@pytest.mark.parametrize("width", WIDTHS)
def test_columns_of_warps_stand_there_in_every_picture(width):
    for params in ({}, {"warps": 3}, {"gpu": "B200", "loads": 4}):
        seen = {frame(params, step, width, beat)["loads"].shape["d"] for step in (WAIT, RATE) for beat in range(4)}
        assert len(seen) == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_enough_is_told_when_the_law_is_drawn_and_not_before(width):
    early = [frame({}, WAIT, width), *(frame({}, RATE, width, beat) for beat in range(3))]
    for marks in early:
        assert not {"needed", "part", "knee", "missing"} & {*marks}
        assert marks["in-all"].text == "4,096\u00a0B" and "8,800" not in "".join(one.text for one in marks.values())
    assert {"needed", "part", "knee", "missing"} <= {*frame({}, RATE, width)} and "in-all" not in frame({}, RATE, width)


@pytest.mark.parametrize("width", WIDTHS)
def test_words_behind_the_rate_stay_where_they_are_when_it_comes(width):
    first, last = (frame({}, 0, width, beat) for beat in (0, -1))
    assert first["rate"].text != last["rate"].text
    assert first["used"].shape["x"] == last["used"].shape["x"]


@pytest.mark.parametrize("stage", [NARROW, WIDE])
@pytest.mark.parametrize("params", [{}, {"gpu": "B200", "width": 16, "loads": 4}, {"gpu": "A100"}], ids=str)
def test_bead_runs_along_the_law(params, stage):
    run = SCENE.run(**params)
    knob = next(mark for mark in SCENE.draw(run.steps[-1], stage.width) if mark.key == "warps")
    assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[COUNTS.index(run.result.warps)]
    for warps, (x, y) in zip(COUNTS, knob.handle.rail, strict=True):
        traffic = run.result.at(warps)
        assert (x, y) == stage.plot.at(traffic.in_flight, traffic.rate / 1e9)
    places = [x for x, _ in knob.handle.rail]
    assert places == sorted(set(places))


@pytest.mark.parametrize("width", WIDTHS)
def test_bead_stands_on_a_line_before_the_law_is_drawn_over_it(width):
    for params in ({}, {"warps": 1}, {"gpu": "B200", "width": 16, "loads": 4}):
        wait, told = frame(params, WAIT, width), frame(params, RATE, width)
        assert wait["rail"].shape["d"] == told["law"].shape["d"] and "rail" not in told
        assert "law" not in wait and wait["warps"].handle.rail == told["warps"].handle.rail


def rings_of(marks):
    return [mark.shape for key, mark in marks.items() if re.fullmatch(r"measured-\d+", key)]


def test_rings_stand_on_the_gpus_that_were_measured():
    assert len(rings_of(frame({"gpu": "B200"}, RATE))) == len(MEASURED["B200"])
    assert not rings_of(frame({"gpu": "A100"}, RATE))
    assert len(rings_of(frame({}, RATE))) <= 13
    assert not rings_of(frame({}, WAIT))


def points():
    """The result as plain JSON: an oracle that shares no code with the scene."""
    (series,) = json.loads((FOLDER / "h100/littles_law.json").read_text())["series"]
    return [(one["at"], one["median"] / 1e9) for one in series["points"]]


@pytest.mark.parametrize("stage", [NARROW, WIDE])
def test_rings_are_the_worst_and_the_best_mix_of_so_many_bytes(stage):
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run().steps[RATE], stage.width)}
    by_bytes = {}
    for at, rate in points():
        by_bytes.setdefault(at["in_flight"], []).append(rate)
    wanted = [stage.plot.at(many, reached)
              for many in (128, 1024, 4096, 8192, 16384, 32768, 131072)
              for reached in sorted({min(by_bytes[many]), max(by_bytes[many])})]  # fmt: skip
    assert [(ring["cx"], ring["cy"]) for ring in rings_of(marks)] == wanted


def test_no_mix_beats_the_law():
    law = SCENE.run(gpu="H100").result
    for at, rate in points():
        assert rate < min(at["in_flight"] / law.gpu.latency * law.gpu.sms, law.gpu.hbm_rate) / 1e9


def test_table_says_what_the_very_mix_brought():
    told = {row[0]: row[-1] for row in SCENE.run(gpu="H100", width=16, loads=2).table.rows}
    wanted = {at["warps"]: rate for at, rate in points() if (at["width"], at["loads"]) == (16, 2)}
    assert told[16] == wanted[16]
    assert told[20] == "–"
    assert {row[-1] for row in SCENE.run(gpu="B200").table.rows} == {"–"}


def test_scene_draws_without_results(monkeypatch):
    monkeypatch.setattr(measured, "results", lambda name: {})
    measured.series.cache_clear()
    params = {"gpu": "H100", "warps": 56}
    with drawn_anew():
        assert not any(key.startswith("measured") for key in (*frame(params, RATE), *SCENE.run(**params).values))
        assert len(rings_of(frame({"gpu": "B200"}, RATE))) == len(MEASURED["B200"])
    measured.series.cache_clear()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("warps", [1, 2, 3, 32])
def test_loads_keep_flowing_while_the_rate_is_told(width, warps):
    *beats, last = (frame({"warps": warps}, RATE, width, beat) for beat in range(4))
    keys = [key for key in beats[0] if key.startswith("follows-")]
    assert len(keys) == {1: 1, 2: 1, 3: 3, 32: 3}[warps]
    block = beats[0]["in-flight"].shape
    for at, key in enumerate(keys):
        ends = [marks[key].shape["x"] + marks[key].shape["width"] - block["x"] for marks in beats]
        assert ends == sorted(ends) and max(ends) <= block["width"] + 1e-6
        waits = 3 * at // len(keys)  # it is sent when the one before it has gone its part of the way
        assert ends[:waits] == [0] * waits and ends[waits] > 0
    assert not {*keys} & {*last}


@pytest.mark.parametrize("width", WIDTHS)
def test_headline_says_what_is_in_flight_of_what_is_needed(width):
    marks = frame({}, RATE, width)
    assert (marks["part"].text, marks["needed"].text) == ("4,096 of", "8,800\u00a0B")
    assert "part" not in frame({"width": 16}, RATE, width)


def test_each_warp_has_a_column():
    moves = [frame({"warps": warps}, RATE)["loads"].shape["d"].count("M") for warps in (2, 8, WARPS)]
    assert moves == [1, 7, 63]


@pytest.mark.parametrize("params", GRID, ids=str)
def test_narration_says_the_rate_or_the_queue(params):
    words = [SCENE.say(state) for state in SCENE.run(**params).steps]
    traffic = SCENE.run(**params).result
    assert f"{traffic.in_flight:,}\u00a0B" in words[WAIT]
    assert ("waits in line" in words[RATE]) == traffic.busy
    for sentence in words:
        assert re.search(r"[^.]\.$", sentence), sentence
        assert len(sentence) <= 180


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_measured_is_named_under_the_line_of_the_scale(width):
    marks = frame({}, RATE, width)
    lines = [mark.shape for key, mark in marks.items() if "grid" in mark.role.split() and key.startswith("law-y")]
    highest = min(shape["y1"] for shape in lines)
    assert highest < box(marks["measured-words-0"])[1]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", GRID, ids=str)
def test_no_name_lies_under_the_knob_or_its_ring(params, width):
    for step in (WAIT, RATE):
        under = beneath(frame(params, step, width), "warps", rim=3)
        assert not [key for key in under if key == "knee" or key.startswith("measured-words")]


@pytest.mark.parametrize("width", WIDTHS)
def test_what_the_area_lacks_is_said_in_it_until_memory_is_busy(width):
    assert frame({}, RATE, width)["missing"].text == "4,704\u00a0B are missing"
    assert "missing" not in frame({}, WAIT, width, beat=0)
    assert "missing" not in frame({"width": 16}, RATE, width)


@pytest.mark.parametrize(("gpu", "told"), [("A100", "7,400"), ("H100", "8,800"), ("B200", "23,000")])
def test_bytes_that_are_enough_are_one_number_wherever_they_are_said(gpu, told):
    marks = frame({"gpu": gpu}, RATE)
    missing = int(marks["missing"].text.split("\u00a0")[0].replace(",", ""))
    assert missing + SCENE.run(gpu=gpu).result.in_flight == int(told.replace(",", ""))
    busy = SCENE.say(SCENE.run(gpu=gpu, width=16, loads=4, warps=WARPS).steps[RATE])
    said = (marks["needed"].text, marks["knee"].text, marks["room"].read, busy)
    assert all(f"{told}\u00a0B" in words for words in said)


def test_control_sentence_reads_for_one_warp_as_for_many():
    read = [
        SCENE.sentence.format(gpu="H100", warps=warps, loads="1 load", width="4 B") for warps in ("1 warp", "2 warps")
    ]
    assert read[0].replace("1 warp", "2 warps") == read[1]
    assert "1 warp, each with 1 load of 4 B a thread on the way." in read[0]


def test_law_grows_with_its_step():
    assert "law" not in frame({}, WAIT)
    drawn = [frame({}, RATE, beat=beat)["law"].shape["stroke-dasharray"] for beat in range(4)]
    lengths = [float(one.split()[0]) for one in drawn]
    assert lengths == sorted(set(lengths)) and lengths[-1] == 100


@pytest.mark.parametrize("stage", [NARROW, WIDE])
@pytest.mark.parametrize("params", GRID, ids=str)
def test_area_is_held_by_its_upper_end_which_rises_and_then_goes_right(params, stage):
    run = SCENE.run(**params)
    marks = {mark.key: mark for mark in SCENE.draw(run.steps[RATE], stage.width)}
    knob, area = marks["edge"], marks["queue" if run.result.busy else "in-flight"].shape
    assert (knob.shape["cx"], knob.shape["cy"]) == pytest.approx((area["x"] + area["width"], area["y"]), abs=0.1)
    assert knob.handle.params == ("warps",)
    assert knob.handle.rail[COUNTS.index(run.result.warps)] == (knob.shape["cx"], knob.shape["cy"])
    xs, ys = zip(*knob.handle.rail, strict=True)
    assert list(xs) == sorted(xs) and list(ys) == sorted(ys, reverse=True)
    assert not beneath(marks, "edge")
    assert "edge" not in {mark.key for mark in SCENE.draw(run.chapters[WAIT].states[0], stage.width)}
