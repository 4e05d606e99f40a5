"""Check what the scene shows and says: windows, bars, rungs and sentences follow the numbers."""

import itertools
import math
import re

import numpy as np
import pytest

from loom.draw import Pen
from loom.draw.extent import bounds
from scenes.scaling_ladder.errors import errors
from scenes.scaling_ladder.model import ELEMENTS, Scheme, tensor
from scenes.scaling_ladder.narration import part
from scenes.scaling_ladder.scene import SCENE
from scenes.scaling_ladder.stored import COUNT, FIRST, OUTLIER, TOKEN
from scenes.scaling_ladder.strip import Stage

WIDTHS = (328, 840)
PRODUCT, NUMBERS, SCALED, ROUNDED, LADDER = range(5)


def state(step, scale="tensor", element="INT8", scaletype="FP32", data="outlier"):
    return SCENE.run(data=data, scale=scale, element=element, scaletype=scaletype).steps[step]


def drawn(shown, width=840):
    return {mark.key: mark for mark in SCENE.draw(shown, width)}


def strokes(mark):
    return mark.shape["d"].count("M") if mark.shape["d"] != "M0 0" else 0


def test_scene_opens_on_what_one_outlier_does_to_int8():
    shown = SCENE.run().steps[SCENE.opening - 1]
    assert (shown.phase, shown.result.data, shown.result.scheme) == ("rounded", "outlier", Scheme("tensor", "INT8"))
    assert "61.2%" in SCENE.say(shown)
    assert (drawn(shown)["cost-rounded"].text, drawn(shown)["cost-rounded"].shape["font-size"]) == ("61.2%", 32)
    assert len(drawn(shown)) <= 78


@pytest.mark.parametrize("width", [328, 840])
@pytest.mark.parametrize("step", [ROUNDED, -1])
def test_one_number_answers_and_how_many_share_a_scale_stands_at_their_bracket(step, width):
    for scale in SCENE.param("scale").values:
        marks = drawn(state(step, scale), width)
        sizes = sorted(float(mark.shape["font-size"]) for mark in marks.values() if "font-size" in mark.shape)
        assert len([size for size in sizes if size > 17]) == 1
        assert marks["sharing"].text.startswith(f"{state(step, scale).result.scheme.sharing():,} share a scale")


def test_drawn_piece_stands_for_the_tensor():
    values, normal = tensor("outlier")
    shown = state(ROUNDED).result
    assert (shown.numbers == values[TOKEN, FIRST : FIRST + COUNT]).all()
    assert np.flatnonzero(~normal[FIRST : FIRST + COUNT]).tolist() == [OUTLIER]
    most = np.abs(values).max(axis=1)
    assert abs(np.mean(most < most[TOKEN]) - 0.5) < 0.05
    for piece in (slice(0, COUNT), slice(COUNT // 2, COUNT)):
        lost = 100 * np.mean(shown.left[piece] == 0)
        assert lost == pytest.approx(shown.errors.zeroed, abs=2)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("scale", ["tensor", "token", "block 128", "block 32", "block 16"])
def test_bars_that_reach_into_the_window_are_kept_and_the_others_are_lost(scale, element, width):
    moment = state(ROUNDED, scale, element)
    shown, marks, stage = moment.result, drawn(moment, width), Stage(Pen(width))
    left = shown.left[stage.first :]
    kept, lost = sum(strokes(marks[key]) for key in marks if key.startswith("kept-")), strokes(marks["lost"])
    assert kept == np.count_nonzero(left)
    seen = np.abs(shown.numbers[stage.first :]) > 2**-7.9  # smaller ones have no height
    assert lost >= np.count_nonzero((left == 0) & seen)
    assert lost <= np.count_nonzero(left == 0)
    windows = [mark for key, mark in marks.items() if re.fullmatch(r"w\d+", key)]
    assert len(windows) == max(1, (COUNT - stage.first) // shown.scheme.sharing())
    tops = {round(stage.y(holds)) for holds in shown.holds[stage.first :]}
    assert {round(mark.shape["y"]) for mark in windows} == tops
    # What lies just above the window's lower edge survives, and what lies on it does not.
    form, scale = shown.scheme.format, shown.scales[-1]
    edge = float(shown.floor[-1])
    assert form.nearest(np.array([edge, edge * 1.01]) / scale).tolist() == [0, form.smallest]
    assert round(windows[-1].shape["y"] + windows[-1].shape["height"]) == stage.y(edge)


@pytest.mark.parametrize("width", WIDTHS)
def test_axis_doubles_in_equal_steps_and_holds_what_is_off_it(width):
    stage = Stage(Pen(width))
    ys = [stage.y(2.0**power) for power in range(-8, 9)]
    gaps = [low - high for low, high in itertools.pairwise(ys)]
    assert max(gaps) - min(gaps) <= 1
    assert (ys[0], ys[-1]) == (stage.strip.bottom, stage.strip.y)
    assert (stage.y(0), stage.y(1e9)) == (ys[0], ys[-1])


@pytest.mark.parametrize("width", WIDTHS)
def test_texts_stay_on_the_stage_in_every_state(width):
    for params in SCENE.grid():
        for shown in SCENE.run(**params).steps:
            marks = drawn(shown, width).values()
            boxes = [bounds(mark) for mark in marks if mark.tag == "text"]
            assert all(x1 >= -2 and x2 <= width + 2 and y2 <= 345 for x1, _, x2, y2 in boxes), (
                params,
                shown.phase,
            )


@pytest.mark.parametrize("width", WIDTHS)
def test_bracket_s_end_is_dragged_from_one_number_to_all(width):
    stage = Stage(Pen(width))
    for place, scale in enumerate(SCENE.param("scale").values):
        knob = drawn(state(ROUNDED, scale), width)["end"]
        assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[place]
    ends = dict(zip(SCENE.param("scale").values, [x for x, _ in knob.handle.rail], strict=True))
    order = ["channel", "block 16", "block 32", "block 128", "token", "tensor"]
    assert [ends[name] for name in order] == sorted(ends.values())
    assert ends["block 16"] == stage.x(stage.first + 16)
    assert ends["block 32"] == stage.x(stage.first + 32)


@pytest.mark.parametrize("width", WIDTHS)
def test_knob_at_its_left_end_is_clear_of_the_axis_s_words(width):
    marks = drawn(state(ROUNDED, "channel"), width)
    knob, (left, top, right, bottom) = marks["end"].shape, bounds(marks["t-8"])
    x, y = min(max(knob["cx"], left), right), min(max(knob["cy"], top), bottom)
    assert math.hypot(x - knob["cx"], y - knob["cy"]) >= Pen(width).knob_radius


def test_rungs_wait_for_the_step_that_measures_them():
    assert not [key for key in drawn(state(SCALED)) if key.startswith("bar-")]
    for name in (ROUNDED, LADDER):
        bars = {key: mark.role for key, mark in drawn(state(name, "token")).items() if key.startswith("bar-")}
        assert len(bars) == 6 and [key for key, role in bars.items() if role == "work"] == ["bar-token"]
    assert drawn(state(LADDER))["clean"].shape["d"].count("M") == 6
    assert not [key for key in drawn(state(LADDER, data="bell")) if key.startswith(("clean", "ghost"))]


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (state(SCALED), "219 / 127 = 1.73"),
        (state(SCALED, "block 32"), "for the last 2.57 / 127 = 0.0202"),
        (state(SCALED, "block 32", "E2M1", "E8M0"), "up to a power of two (E8M0): for the last 0.5"),
        (state(SCALED, "block 16", "E2M1", "E4M3"), "times one FP32 scale (NVFP4)"),
        (state(ROUNDED, "block 16", "E2M1", "E4M3"), "8 bits of scale for 16 make 4.5 bits a number"),
        (state(LADDER, element="E4M3"), "at most 1/16 of all but the tiniest"),
        (state(LADDER, element="E2M1"), "from 0.5 to 2 scales"),
        (state(LADDER, "channel"), "can’t be taken out of the sum"),
        (state(LADDER, element="E4M3"), "hardly matters who shares"),
        (state(LADDER, "token", "E4M3", "E8M0", "bell"), "who shares: smaller groups gain nothing."),
        (state(ROUNDED, element="INT4", data="bell"), "of all numbers become zero"),
        (state(LADDER, "block 16", scaletype="E4M3", data="bell"), "Best is block 128, 41.7 dB"),
    ],
)
def test_sentences_quote_the_numbers_of_their_state(shown, words):
    assert words in SCENE.say(shown)


def test_sentence_of_the_scale_stands_for_every_choice_and_step():
    for params in SCENE.grid():
        said = [SCENE.say(shown) for shown in SCENE.run(**params).steps]
        assert len(set(said)) == len(said) == 5
        assert all(words.count(". ") <= 2 and len(words) <= 200 for words in said)


def test_e4m3_scales_clip_where_they_round_down_and_power_of_two_scales_do_not():
    # What the ladder says of INT8 with E4M3 scales: some of the drawn blocks hold less than their largest number.
    for scaletype, clips in (("E4M3", True), ("E8M0", False)):
        shown = state(ROUNDED, "block 16", "INT8", scaletype, "bell").result
        assert bool((np.abs(shown.numbers) > shown.holds * (1 + 1e-6)).any()) is clips


def test_one_scale_for_the_tensor_rests_in_fp32():
    resting = SCENE.resting({"scale": "tensor", "scaletype": "E8M0"})
    assert resting["scaletype"] == "FP32"
    one, other = (SCENE.run(data="bell", element="INT8", scale="tensor", scaletype=kind) for kind in ("E8M0", "FP32"))
    assert one.values == other.values


def test_values_and_table_are_those_of_the_model():
    params = {"data": "outlier", "element": "INT8", "scale": "channel", "scaletype": "E8M0"}
    found = errors("outlier", Scheme("channel", "INT8", "E8M0"))
    values, table = SCENE.run(**params).values, SCENE.run(**params).table
    assert {name: value.value for name, value in values.items()} == {
        "bits": 8.015625, "sqnr": found.sqnr, "normal": found.normal, "zeroed": found.zeroed, "error": found.error,
    }  # fmt: skip
    assert [row[0] for row in table.rows] == ["tensor", "token", "channel", "block 128", "block 32", "block 16"]
    assert table.rows[2][1:] == (512, 8.015625, found.sqnr, found.normal, found.zeroed, found.error)


def test_grid_stays_small():
    assert sum(1 for _ in SCENE.grid()) == 2 * 4 * (1 + 5 * 3)


@pytest.mark.parametrize("width", WIDTHS)
def test_row_and_column_of_a_result_are_summed_term_by_term(width):
    chapter = SCENE.run().chapters[PRODUCT]
    for beat, shown in enumerate(chapter.states, 1):
        marks = drawn(shown, width)
        cell = marks["y-cell"].shape["width"]
        assert marks["x-row"].shape["width"] == marks["w-column"].shape["height"] == pytest.approx(beat * cell)
        assert marks["x-row"].shape["y"] == marks["y-cell"].shape["y"]
        assert marks["w-column"].shape["x"] == marks["y-cell"].shape["x"]
        left, _, right, _ = bounds(marks["sum-cells"])
        assert marks["sum"].shape["width"] == pytest.approx(beat * (right - left) / 8)
        assert sum(key.startswith("term-") for key in marks) == beat
        assert width == 328 or marks["terms"].text == f"{beat} of 8 products added"
    assert len(chapter.states) == 8


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("scale", "ends"), [("tensor", [8]), ("token", [8]), ("block 32", [4, 8]),
                                             ("channel", range(1, 9))])  # fmt: skip
def test_a_scale_is_applied_as_soon_as_all_terms_that_share_it_are_added_and_the_answer_counts_them(scale, ends, width):
    for done, shown in enumerate(SCENE.run(scale=scale).chapters[PRODUCT].states, 1):
        marks = drawn(shown, width)
        applied = [key for key in marks if re.fullmatch(r"scale-\d", key)]
        assert len(applied) == sum(end <= done for end in ends) == int(marks["applied"].text)
        terms = [bounds(marks[f"term-{at}"]) for at in range(done)]
        for key, start, end in zip(applied, [0, *ends], ends, strict=False):
            left, _, right, _ = bounds(marks[key])
            assert all((left < term[0] and term[2] < right) == (start <= at < end) for at, term in enumerate(terms))
    assert len(applied) == len(ends)


@pytest.mark.parametrize(
    ("scale", "rows", "channels", "words"),
    [("tensor", 4, 8, "once to every sum"), ("token", 1, 8, "once, at the end"), ("channel", 4, 1, "can’t be taken"),
     ("block 32", 1, 4, "from one block to the next")],
)  # fmt: skip
def test_group_in_the_product_is_as_large_as_the_scale_says_and_what_it_means_for_the_sum_is_told(
    scale, rows, channels, words
):
    shown = state(PRODUCT, scale)
    marks = drawn(shown)
    cell, group = marks["y-cell"].shape["width"], marks["shared"].shape
    assert (group["height"], group["width"]) == (pytest.approx(rows * cell), pytest.approx(channels * cell))
    assert words in SCENE.say(shown)


@pytest.mark.parametrize("width", WIDTHS)
def test_typical_error_is_told_in_the_colour_of_errors_and_not_in_that_of_now(width):
    marks = drawn(state(LADDER), width)
    assert marks["side-1-name"].text == "its error"
    assert "dropped" in marks["side-1"].role and "dropped" not in marks["side-0"].role
    assert "hot" not in marks["rms-error"].role
    assert "dropped" not in drawn(state(SCALED), width)["side-1"].role


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("step", [SCALED, LADDER])
def test_each_amount_beside_the_strip_stands_closer_to_its_name_than_to_the_other(step, width):
    marks = drawn(state(step, "tensor"), width)
    first, name, second = (marks[key].shape["y"] for key in ("side-0", "side-0-name", "side-1"))
    assert second - name >= name - first + 5


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scale", ["tensor", "block 32", "block 16"])
def test_decibels_are_the_height_from_the_typical_error_to_the_typical_number(scale, width):
    marks, stage = drawn(state(LADDER, scale), width), Stage(Pen(width))
    gap, level = marks["gap"], float(marks["cost-ladder"].text.split()[0])
    doubling = stage.strip.height / 16
    assert gap.shape["height"] == pytest.approx(level / (20 * math.log10(2)) * doubling, abs=1.1)
    assert gap.role == marks[f"bar-{scale}"].role == marks["cost-ladder"].role.split()[0]
    assert gap.shape["y"] == pytest.approx(marks["rms-number"].shape["y1"])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("element", ELEMENTS)
def test_what_the_lines_of_the_ladder_are_is_written_at_one_of_them(element, width):
    marks = drawn(state(LADDER, element=element), width)
    left, top, right, bottom = bounds(marks["ghost-name"])
    clean = [tuple(map(float, one.split("L")[0].split())) for one in marks["clean"].shape["d"].split("M")[1:]]
    x, _ = clean[0 if width == 328 else -1]
    assert left - 30 <= x <= right
    lows, highs = bounds(marks["clean"])[3], bounds(marks["clean"])[1]
    assert min(abs(top - lows), abs(bottom - highs)) < 20


def test_what_is_nearly_all_or_none_is_said_to_be_so():
    parts = ["none", "almost none", "12.3%", "almost all", "all"]
    assert [part(percentage) for percentage in (0.0, 0.01, 12.34, 99.96, 100.0)] == parts
