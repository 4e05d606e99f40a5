"""Check what the reader meets: curves, bars, the handle and the words agree with the times."""

import itertools
import json
import math
import re

import numpy as np
import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.width_pairs import measured
from scenes.width_pairs.model import BATCHES, GPUS, PAIRS
from scenes.width_pairs.narration import seconds
from scenes.width_pairs.plot import curve, rail_of
from scenes.width_pairs.scene import SCENE
from scenes.width_pairs.stage import NARROW, WIDE
from tests.boxes import beneath

BYTES, PRODUCTS, SPEED = range(3)
GRID = [params for params in SCENE.grid() if params["batch"] in (1, 16, 96, 4096)]


def frame(params, step, width="wide", beat=-1):
    return {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).chapters[step].states[beat], WIDTHS[width])}


def values(**params):
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def test_opening_says_in_large_type_how_much_faster_narrow_weights_are_for_a_small_batch():
    assert SCENE.defaults == {"pair": "W4A16", "gpu": "B200", "batch": 16}
    for width, size in (("narrow", 26), ("wide", 32)):
        marks = frame({}, SCENE.opening, width)
        assert (marks["answer"].text, marks["answer"].shape["font-size"]) == ("3.7×", size)
        assert "answer" in marks["answer"].role and len(marks) <= 60


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
@pytest.mark.parametrize("params", GRID[::3], ids=str)
def test_batch_is_dragged_along_the_curve_of_the_chosen_pair(stage, params):
    knob = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).steps[SPEED], stage.width)}["batch"]
    assert knob.handle.rail[BATCHES.index(params["batch"])] == (knob.shape["cx"], knob.shape["cy"])
    box = stage.box
    for batch, (x, y) in zip(BATCHES, knob.handle.rail, strict=True):
        speedup = values(**params | {"batch": batch})["speedup"]
        assert x == pytest.approx(box.x + box.width * math.log(batch / 0.7) / math.log(8192 / 0.7))
        assert y == pytest.approx(box.bottom - box.height * speedup / 4.2)


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
@pytest.mark.parametrize(("gpu", "pair"), [*itertools.product(GPUS, PAIRS)])
def test_curve_passes_through_every_place_of_the_handle(gpu, pair, stage):
    xs, ys = np.array(curve(stage, gpu, pair)).T
    for x, y in rail_of(stage, gpu, pair):
        assert y == pytest.approx(np.interp(x, xs, ys), abs=4)  # less than what the knob covers


@pytest.mark.parametrize("width", WIDTHS)
def test_four_bit_weights_are_alike_for_one_row_and_apart_for_a_prompt_with_their_names_at_the_ends(width):
    marks = frame({}, SPEED, width)
    paths = [marks[f"chosen-{name}" if name == "W4A16" else f"ghost-{name}"].shape["d"] for name in PAIRS]
    heights = [[float(y) for y in re.findall(r"[ML]\S+ ([-.\d]+)", path)] for path in paths]
    starts, ends = ({name: of[at] for name, of in zip(PAIRS, heights, strict=True)} for at in (0, -1))
    assert starts["W4A16"] == pytest.approx(starts["W4A8"]) == pytest.approx(starts["W4A4"])
    assert ends["W4A4"] < ends["W8A8"] < ends["W16A16"]
    assert (ends["W4A8"], ends["W4A16"]) == pytest.approx((ends["W8A8"], ends["W16A16"]))
    named = {name: marks[f"end-{name}"].shape["y"] for name in PAIRS}
    assert sorted(named, key=named.get) == ["W4A4", "W4A8", "W8A8", "W4A16", "W16A16"]
    assert [name for name in PAIRS if "strong" in marks[f"end-{name}"].role] == ["W4A16"]


@pytest.mark.parametrize("params", GRID[::3], ids=str)
def test_bars_are_as_long_as_their_times_on_one_scale(params):
    marks = frame(params, SPEED)
    units = []
    for name in PAIRS:
        found = values(**params | {"pair": name})
        for key, time in (("move", found["memory_time"]), ("multiply", found["arithmetic_time"])):
            width = marks[f"{key}-{name}"].shape["width"]
            if width > 0.5:
                units.append(width / time)
    assert units == pytest.approx([units[0]] * len(units))


@pytest.mark.parametrize("batch", [16, 128, 4096])
def test_all_bars_grow_with_the_playhead_and_stop_and_a_time_is_told_when_its_bar_has_come_to_its_end(batch):
    found = {name: values(batch=batch, pair=name) for name in PAIRS}
    unit = WIDE.bar.width / max(one["time"] for one in found.values())
    for step, key, time in ((BYTES, "move", "memory_time"), (PRODUCTS, "multiply", "arithmetic_time")):
        beats = [
            frame({"batch": batch}, step, beat=beat)
            for beat in range(len(SCENE.run(batch=batch).chapters[step].states))
        ]
        passed = 0.0
        for marks in (one for one in beats if "now" in one):
            now = marks["now"].shape["x1"] - WIDE.rows.x - WIDE.bar.x
            for name, one in found.items():
                assert marks[f"{key}-{name}"].shape["width"] == pytest.approx(
                    max(min(unit * one[time], now), 0.5), abs=0.1
                )
                landed = unit * one[time] <= passed + 0.01
                assert (f"time-{name}" in marks) == (landed or (step == PRODUCTS and one["memory_time"] == one["time"]))
            passed = now
        assert "now" not in beats[-1] and "now" in beats[0]
        assert SCENE.run(batch=batch).chapters[step].times[0] == 0


def test_large_number_is_of_what_has_landed_and_the_chosen_bar_is_laid_along_the_first_until_that_is_covered():
    told = [[frame({}, step, beat=beat).get("answer") for beat in range(len(SCENE.run().chapters[step].states))]
            for step in (BYTES, PRODUCTS)]  # fmt: skip
    moved, multiplied = [[mark and mark.text for mark in one] for one in told]
    assert moved == [None, None, "4.70\u00a0µs", "4.70\u00a0µs", "4.70\u00a0µs"]
    assert multiplied == [*2 * ["4.70\u00a0µs"], *2 * ["954\u00a0ns"], "1×", "2×", "3×", "3.7×"]
    last = frame({}, PRODUCTS)
    laid = sorted(mark.shape["x"] for key, mark in last.items() if key.startswith("laid-"))
    chosen, first = last["move-W4A16"].shape, last["move-W16A16"].shape
    assert [x - chosen["x"] for x in laid] == pytest.approx([place * chosen["width"] for place in range(4)])
    assert bounds(last["laid-last"])[2] == pytest.approx(first["x"] + first["width"])
    assert not any(key.startswith("laid-") for key in frame({"pair": "W16A16"}, PRODUCTS))


def test_dot_passes_all_batches_only_forwards_and_uncovers_the_curves_and_is_gone_before_the_chosen_one_comes():
    beats = [frame({}, SPEED, beat=beat) for beat in range(len(SCENE.run().chapters[SPEED].states))]
    places = [marks["probe"].shape["cx"] for marks in beats[:-1]]
    rail = beats[-1]["batch"].handle.rail
    assert places == sorted(places) and (places[0], places[-1]) == (rail[0][0], rail[-1][0])
    assert places[-2] == places[-1] and "batch" not in beats[-2]  # it is at the end for a while
    assert beats[-1]["batch"].shape["cx"] == rail[BATCHES.index(16)][0] and "probe" not in beats[-1]
    for marks, x in zip(beats[:-2], places, strict=False):
        assert marks["future"].shape["x"] == x and bounds(marks["future"])[2] > rail[-1][0]
    assert "future" not in beats[-1] and "future" not in beats[-2]
    told = [marks["answer"].text for marks in beats]
    assert (told[0], told[1], told[-2], told[-1]) == ("3.7×", "3.8×", "1×", "3.7×")
    words = [next(mark.text for key, mark in marks.items() if key.endswith("-1") and "words" in key) for marks in beats]
    assert words[1] == "batch 1: memory limits" and words[-2] == "batch 4,096: arithmetic limits"
    assert frame({}, PRODUCTS)["batch"].shape == beats[-1]["batch"].shape  # where it sets out from


def test_bars_are_on_their_way_to_the_batch_that_the_dot_is_bound_for_and_numbers_are_of_where_it_was():
    count, before = len(SCENE.run().chapters[SPEED].states), 16
    for beat in range(count):
        marks = frame({}, SPEED, beat=beat)
        place = marks["batch" if beat == count - 1 else "probe"].shape["cx"]
        batch = BATCHES[int(np.argmin([abs(place - x) for x, _ in rail_of(WIDE, "B200", "W4A16")]))]
        told = int(marks["batch-head"].text.removeprefix("batch ").replace(",", ""))
        assert told == (16 if beat == count - 1 else before)
        whole, before = values(batch=batch, pair="W16A16")["time"], batch
        for name in PAIRS:
            found = values(batch=batch, pair=name)
            assert marks[f"time-{name}"].text == seconds(values(batch=told, pair=name)["time"])
            for key, time in (("move", found["memory_time"]), ("multiply", found["arithmetic_time"])):
                assert marks[f"{key}-{name}"].shape["width"] == pytest.approx(WIDE.bar.width * time / whole, abs=0.5)


def test_times_have_three_digits_each():
    texts = {
        mark.text for params in SCENE.grid() for key, mark in frame(params, SPEED).items() if key.startswith("time-")
    }
    assert all(len(re.sub(r"\D", "", text)) == 3 for text in texts)
    assert any(text.startswith("9.00") for text in texts) or seconds(9e-6) == "9.00\u00a0µs"
    assert seconds(17e-9) == "17.0\u00a0ns" and seconds(122e-6) == "122\u00a0µs"


@pytest.mark.parametrize("params", GRID[::3], ids=str)
def test_the_longer_of_two_times_is_dark_and_the_words_stand_at_its_end(params):
    marks = frame(params, SPEED)
    for name in PAIRS:
        bars = [marks[f"{key}-{name}"] for key in ("move", "multiply")]
        longer, shorter = sorted(bars, key=lambda bar: -bar.shape["width"])
        assert "soft" not in longer.role.split() and "soft" in shorter.role.split()
        end = longer.shape["x"] + longer.shape["width"]
        assert 0 < marks[f"time-{name}"].shape["x"] - end < 10
        assert bounds(marks[f"time-{name}"])[2] + 4 < bounds(marks[f"error-{name}"])[0]


def test_rows_are_buttons_that_choose_their_pair():
    marks = frame({}, SPEED)
    assert [marks[f"row-{name}"].set for name in PAIRS] == [{"pair": name} for name in PAIRS]


@pytest.mark.parametrize("params", GRID, ids=str)
def test_words_name_the_limit_and_the_gpu_that_has_no_products_of_four_bits(params):
    says, found = [SCENE.say(state) for state in SCENE.run(**params).steps], values(**params)
    limit = "memory" if found["memory_time"] > found["arithmetic_time"] else "arithmetic"
    assert f"At a batch of {params['batch']:,}, {limit} is the limit" in says[SPEED]  # the dot passes others
    assert ("none of 4 bits" in says[PRODUCTS]) == (params["gpu"] == "H100" and params["pair"] == "W4A4")
    assert ("1 row, X," in says[BYTES]) == (params["batch"] == 1)
    assert ("scales counted" in says[BYTES]) == (params["pair"] != "W16A16")
    assert f"{params['pair']}’s rounding costs" in says[SPEED]
    assert len(set(says)) == 3


def test_table_has_a_row_for_each_pair_and_agrees_with_the_values():
    for params in GRID:
        table = SCENE.run(**params).table
        assert [row[0] for row in table.rows] == list(PAIRS)
        (row,) = [row for row in table.rows if row[0] == params["pair"]]
        found = values(**params)
        wanted = (found["bytes"] / 1e6, 1e6 * found["memory_time"], 1e6 * found["arithmetic_time"], found["speedup"])
        assert row[1:5] == pytest.approx(wanted) and round(row[5]) == found["knee"]


@pytest.mark.parametrize("width", WIDTHS)
def test_all_stays_on_one_screen(width):
    for gpu, pair, batch in itertools.product(GPUS, PAIRS, (1, 4096)):
        for step in (BYTES, PRODUCTS, SPEED):
            marks = frame({"gpu": gpu, "pair": pair, "batch": batch}, step, width)
            assert max(bounds(mark)[3] for mark in marks.values()) <= 340


def test_measured_rates_are_those_of_the_result_and_bear_out_what_is_said_of_them():
    told = json.loads((FOLDER / "h100/precision.json").read_text())["series"][0]["points"]
    medians = {one["at"]["format"]: one["median"] for one in told}
    values = SCENE.run().values
    assert values["measured_fp8_promoted"].value == pytest.approx(medians["fp8 promoted"] / 1e12)
    assert medians["fp8"] / medians["bf16"] == pytest.approx(1.9, abs=0.05)
    for name, peak in (("bf16", 989.4e12), ("fp8", 1978.9e12)):
        assert 0.75 <= medians[name] / peak < 0.8


def test_nothing_measured_leaves_the_model_alone(monkeypatch):
    monkeypatch.setattr(measured, "results", lambda name: {})
    assert measured.values() == {}


@pytest.mark.parametrize("width", WIDTHS)
def test_ring_is_the_measured_gain_of_the_narrow_format_at_the_rows_that_were_measured(width):
    told = json.loads((FOLDER / "h100/precision.json").read_text())["series"][0]["points"]
    rates = {one["at"]["format"]: one["median"] for one in told}
    drawn = frame({"gpu": "H100", "pair": "W8A8", "batch": 4096}, SPEED, width)
    one, two = (float(y) for y in re.findall(r"M\S+ ([-.\d]+)", drawn["grid"].shape["d"])[:2])
    ring, knob = drawn["measured-0"].shape, drawn["batch"].shape
    assert ring["cy"] - one == pytest.approx((two - one) * (rates["fp8"] / rates["bf16"] - 1), abs=0.5)
    assert ring["cx"] - knob["cx"] == pytest.approx((drawn["x4096"].shape["x"] - drawn["x64"].shape["x"]) / 6)
    for name, pair in (("bf16", "W16A16"), ("fp8", "W8A8")):
        rows = {row[0]: row[-1] for row in SCENE.run(gpu="H100").table.rows}
        assert rows[pair] == pytest.approx(rates[name] / 1e12) and rows["W4A16"] == "–"
    for others in (
        {"gpu": "B200", "pair": "W8A8"},
        {"gpu": "H100", "pair": "W4A16"},
        {"gpu": "H100", "pair": "W16A16"},
    ):
        assert "measured-0" not in frame(others, SPEED, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", GRID, ids=str)
def test_nothing_lies_under_the_batch(params, width):
    assert beneath(frame(params, SPEED, width), "batch") == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("batch", BATCHES)
def test_times_of_all_pairs_stand_under_their_batch_clear_of_the_other_heads(batch, width):
    for step, beat in ((BYTES, -1), (SPEED, 6), (SPEED, -1)):  # whichever batch the dot passes meanwhile
        marks = frame({"batch": batch}, step, width, beat)
        assert beat != -1 or marks["batch-head"].text == f"batch {batch:,}"
        left, _, right, _ = bounds(marks["batch-head"])
        assert bounds(marks["multiply-head"])[2] + 6 <= left and right + 6 <= bounds(marks["error-head"])[0]


def test_one_row_is_not_called_rows():
    batch = next(one for one in SCENE.params if one.name == "batch")
    assert (batch.label_of(1), batch.label_of(16)) == ("1 row", "16 rows")
