"""Check what the reader sees: stems against the numbers, bars against the loudness, words against the values."""

import itertools
import re

import numpy as np
import pytest

from loom.draw import Pen
from loom.draw.extent import bounds
from scenes.outliers.model import (
    CHANNELS,
    CURES,
    FORMATS,
    LOUD,
    SHOWN,
    STRENGTHS,
    TOKENS,
    case,
    matrices,
    mixed_channels,
    on_the_way,
)
from scenes.outliers.scene import SCENE
from scenes.outliers.stage import stage_of
from scenes.outliers.trial import share, size
from tests.boxes import beneath

WIDTHS = (328, 840)
STEPS = ACTIVATIONS, CRUSHED, CURED, AGAIN, PRODUCT = ("activations", "crushed", "cured", "again", "product")
HEALING = ("rotation", "smoothing")
GRID = list(itertools.product(FORMATS, HEALING, STRENGTHS))
ONE_WIDTH = [(WIDTHS[at % 2], *params) for at, params in enumerate(GRID)]  # the strengths alternate between them
ONE_WIDTH += [(WIDTHS[at % 2 - 1], *params) for at, params in enumerate(GRID) if params[2] in (1, 100)]


def chapter_of(step, fmt="INT8", cure="rotation", strength=100):
    return next(
        one for one in SCENE.run(format=fmt, cure=cure, strength=strength).chapters if one.states[-1].phase == step
    )


def state_of(step, fmt, cure, strength):
    return chapter_of(step, fmt, cure, strength).states[-1]


def pictured(state, width=840):
    return {mark.key: mark for mark in SCENE.draw(state, width)}


def marks_of(step, width, fmt="INT8", cure="rotation", strength=100):
    return pictured(state_of(step, fmt, cure, strength), width)


def segments(mark):
    """The (x1, y1, x2, y2) of each line of a mark made of strokes."""
    found = re.findall(r"M(\S+) (\S+?)L(\S+) ([^M]+)", mark.shape["d"])
    return [tuple(map(float, one)) for one in found]


def field(width):
    return stage_of(width).field


def test_grid_is_the_contract_and_every_variant_has_five_steps():
    assert {param.name: param.values for param in SCENE.params} == {
        "format": ("INT8", "E4M3", "E2M1"),
        "strength": (1, 10, 20, 35, 50, 75, 100),
        "cure": ("rotation", "smoothing"),
    }
    assert len(list(SCENE.grid())) == len(GRID) == 42
    for params in SCENE.grid():
        assert [state.phase for state in SCENE.run(**params).steps] == list(STEPS)


def test_scene_opens_with_what_the_loud_channel_costs_under_the_hand():
    marks, one = pictured(SCENE.run().steps[SCENE.opening - 1]), case("INT8", "none", 100)
    assert marks["answer"].text == share(one.zeroed) == "64%" and marks["left"].text == "5 of 255"
    assert marks["answer"].role == "dropped strong answer" and marks["answer"].shape["font-size"] == Pen(840).huge
    assert marks["strength"].handle and "without" not in marks


@pytest.mark.parametrize("cure", HEALING)
def test_story_ends_with_the_cured_share_in_green_under_that_without_the_cure(cure):
    marks, (before, after) = marks_of(PRODUCT, 840, cure=cure), (case("INT8", one, 100) for one in ("none", cure))
    assert (marks["without"].text, marks["answer"].text) == (share(before.zeroed), share(after.zeroed))
    assert marks["answer"].role == "work strong answer" and marks["without-what"].text == f"without {cure}"
    assert marks["left"].text == f"{after.levels} of 255"
    off = marks["error0"].shape["width"] / marks["error1"].shape["width"]
    assert off == pytest.approx(before.error / after.error)


@pytest.mark.parametrize(("fmt", "strength"), [*itertools.product(FORMATS, STRENGTHS)])
def test_before_is_what_is_measured_without_a_cure(fmt, strength):
    none = case(fmt, "none", strength)
    for cure in HEALING:
        values = SCENE.run(format=fmt, cure=cure, strength=strength).values
        assert values["before"].value == none.sqnr
        assert values["zeroed_before"].value == none.zeroed
        assert values["error"].value == pytest.approx(100 / 10 ** (values["sqnr"].value / 20))
        assert values["peak"].value >= 1


def test_units_of_the_values_are_those_of_the_contract():
    units = {name: value.unit for name, value in SCENE.run().values.items()}
    assert {name: units[name] for name in ("sqnr", "before", "zeroed", "peak", "error")} == {
        "sqnr": "dB", "before": "dB", "zeroed": "%", "peak": "", "error": "%"
    }  # fmt: skip


@pytest.mark.parametrize(("fmt", "cure", "strength"), GRID)
def test_table_holds_the_values_of_every_format_and_cure_at_this_loudness(fmt, cure, strength):
    table = SCENE.run(format=fmt, cure=cure, strength=strength).table
    names = [column.name for column in table.columns]
    rows = {(row[0], row[1]): dict(zip(names, row, strict=True)) for row in table.rows}
    assert set(rows) == set(itertools.product(FORMATS, CURES))
    values = SCENE.run(format=fmt, cure=cure, strength=strength).values
    for name in ("peak", "zeroed", "weights", "sqnr", "error"):
        assert rows[fmt, cure][name] == values[name].value


@pytest.mark.parametrize(("width", "fmt", "cure", "strength"), ONE_WIDTH)
def test_red_stems_are_the_values_that_became_zero_as_tall_as_they_were(width, fmt, cure, strength):
    for step, stage in ((CRUSHED, "none"), (PRODUCT, cure)):
        marks = marks_of(step, width, fmt, cure, strength)
        one, place = case(fmt, stage, strength), field(width)
        for channel in range(SHOWN):
            values, kept = (array[: place.tokens, channel] for array in (one.x, one.x_hat))
            left = [line[3] for line in segments(marks[f"q{channel}"])]
            assert left == [place.height(value) for value in kept]
            told = f"channel {channel}: {np.count_nonzero(one.x_hat[:, channel] == 0)} of {TOKENS} become 0"
            assert marks[f"q{channel}"].read == told
            if channel == LOUD and strength > 1 and stage != "rotation":
                continue  # grey, since it is out of the field
            lost = [line[3] for line in segments(marks[f"z{channel}"])]
            assert lost == [place.height(value if at == 0 else 0.0) for value, at in zip(values, kept, strict=True)]
            assert marks[f"z{channel}"].role == "dropped"


def test_lost_stems_lie_within_the_red_band_and_kept_ones_beyond():
    marks, place = marks_of(CRUSHED, 840), field(840)
    top, bottom = marks["crush"].shape["y"], marks["crush"].shape["y"] + marks["crush"].shape["height"]
    assert place.zero - top == pytest.approx(case("INT8", "none", 100).step / 2 * place.unit, abs=1)
    for channel in range(SHOWN):
        if channel != LOUD:
            assert all(top - 1 <= y <= bottom + 1 for *_, y in segments(marks[f"z{channel}"]))
        assert not any(top < y < bottom for *_, y in segments(marks[f"q{channel}"]) if y != place.zero)


@pytest.mark.parametrize("width", WIDTHS)
def test_scale_climbs_to_the_loud_channel_and_passes_what_the_hand_would_show(width):
    states = chapter_of(CRUSHED).states
    assert len(states) == len(STRENGTHS)
    for strength, state in zip(STRENGTHS, states, strict=True):
        marks, dragged = pictured(state, width), marks_of(CRUSHED, width, strength=strength)
        for key in ("scale", "levels", "crush", "answer", "step", "q0", "z0", "q7", "z7"):
            assert (marks[key].shape, marks[key].text) == (dragged[key].shape, dragged[key].text)
    tall = [pictured(state, width)["scale"].shape["height"] for state in states]
    assert tall == sorted(tall) and tall[-1] == marks["bar1"].shape["height"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("cure", HEALING)
def test_scale_follows_the_cured_values_down_and_then_they_are_rounded(width, cure):
    states = chapter_of(AGAIN, cure=cure).states
    pictures = [pictured(state, width) for state in states]
    tall = [marks["scale"].shape["height"] for marks in pictures]
    assert tall == sorted(tall, reverse=True) and tall[-1] == tall[-2] < tall[0]
    after = case("INT8", cure, 100)
    assert tall[-1] == pytest.approx(stage_of(width).height(after.largest))
    assert ["answer" in marks for marks in pictures] == ["z0" in marks for marks in pictures]
    assert [at for at, marks in enumerate(pictures) if "answer" in marks] == [len(states) - 1]


def test_rotation_halves_the_tower_again_and_again_while_more_channels_get_a_share():
    states = chapter_of(CURED).states
    towers = [[pictured(state)[f"bar{channel}"].shape["height"] for channel in range(SHOWN)] for state in states]
    loudest = [max(tower) for tower in towers]
    assert loudest == sorted(loudest, reverse=True) and loudest[0] > 40 * loudest[-1]
    for before, after in itertools.pairwise(loudest[:3]):
        assert after == pytest.approx(before / 2, rel=0.05)  # two doublings: each takes a factor of the root of 2
    assert [sum(bar > 5 for bar in tower) for tower in towers[:3]] == [1, 4, 8]


@pytest.mark.parametrize("cure", HEALING)
def test_cure_on_its_way_begins_with_x_and_ends_with_the_cured_x(cure):
    np.testing.assert_array_equal(on_the_way(cure, 100, 0.0), matrices(100)[0])
    np.testing.assert_allclose(on_the_way(cure, 100, 1.0), case("INT8", cure, 100).x, rtol=1e-12)
    assert (mixed_channels(0), mixed_channels(0.5), mixed_channels(1)) == (1, 64, CHANNELS)
    np.testing.assert_allclose(np.linalg.norm(on_the_way("rotation", 100, 0.5)), np.linalg.norm(matrices(100)[0]))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_loud_channel_is_a_bar_with_a_knob_whose_rail_has_its_height_at_every_loudness(width, strength):
    marks = marks_of(CRUSHED, width, strength=strength)
    knob, bar = marks["strength"], marks[f"bar{LOUD}"]
    assert knob.handle.params == ("strength",)
    place = knob.handle.rail[STRENGTHS.index(strength)]
    assert place == (knob.shape["cx"], knob.shape["cy"]) == (pytest.approx(bar.shape["x"] + bar.shape["width"] / 2),
                                                               bar.shape["y"])  # fmt: skip
    heights = [y for _, y in knob.handle.rail]
    assert heights == sorted(heights, reverse=True)
    quiet = max(marks[f"bar{channel}"].shape["height"] for channel in range(SHOWN) if channel != LOUD)
    assert bar.shape["height"] == pytest.approx(quiet * strength, rel=0.8, abs=2)


@pytest.mark.parametrize(("width", "fmt", "cure", "strength"), ONE_WIDTH)
def test_texts_stay_on_the_stage(width, fmt, cure, strength):
    for step in STEPS:
        marks = marks_of(step, width, fmt, cure, strength)
        boxes = {key: bounds(mark) for key, mark in marks.items() if mark.tag == "text"}
        assert all(box[0] >= -2 and box[2] <= width + 2 for box in boxes.values())
        assert max(bounds(mark)[3] for mark in marks.values()) <= 340
        assert len(marks) <= 90


def test_narration_quotes_the_numbers_of_its_state():
    said = {state.phase: SCENE.say(state) for state in SCENE.run(format="INT8", cure="rotation", strength=100).steps}
    none, turned = case("INT8", "none", 100), case("INT8", "rotation", 100)
    assert f"100 times as loud as the others and reaches {none.largest:.0f}" in said[ACTIVATIONS]
    assert f"{none.largest / 127:.2f} apart, and {none.zeroed:.0f}% of" in said[CRUSHED]
    assert f"largest value is now {turned.largest:.3g}" in said[AGAIN]
    assert f"{turned.sqnr:.1f} dB of signal over error instead of {none.sqnr:.1f}" in said[PRODUCT]
    assert "nothing is gained" not in said[AGAIN]


@pytest.mark.parametrize(("fmt", "cure", "strength"), GRID)
def test_every_sentence_begins_with_a_capital(fmt, cure, strength):
    for state in SCENE.run(format=fmt, cure=cure, strength=strength).steps:
        assert not re.search(r"\. [a-z]", SCENE.say(state))


@pytest.mark.parametrize("width", WIDTHS)
def test_values_are_shown_exactly_until_they_are_rounded_and_the_cure_moves_them(width):
    place = field(width)
    for step, stage in ((ACTIVATIONS, "none"), (CURED, "rotation")):
        marks = marks_of(step, width)
        for channel in range(SHOWN):
            values = case("INT8", stage, 100).x[: place.tokens, channel]
            assert [line[3] for line in segments(marks[f"q{channel}"])] == [place.height(value) for value in values]
        assert "z0" not in marks
    *_, on_its_way, cured = chapter_of(CURED).states
    before, after = (segments(pictured(state, width)["q0"]) for state in (on_its_way, cured))
    assert len(before) == len(after) and before != after  # as many strokes: they move
    assert pictured(cured, width)["was"].shape["height"] == marks_of(CRUSHED, width)["bar1"].shape["height"]


@pytest.mark.parametrize(("fmt", "cure", "strength"), GRID)
def test_bracket_at_the_share_is_as_tall_as_the_band_that_becomes_zero(fmt, cure, strength):
    for step in (CRUSHED, PRODUCT):
        state = state_of(step, fmt, cure, strength)
        marks, one = pictured(state), state.result.before if step == CRUSHED else state.result.after
        ends = [float(y) for y in re.findall(r"[ML]\S+ ([-.\d]+)", marks["ak"].shape["d"])]
        assert (min(ends), max(ends)) == (field(840).height(one.step / 2), field(840).height(-one.step / 2))
        assert min(ends) <= field(840).zero <= max(ends)


@pytest.mark.parametrize("width", WIDTHS)
def test_dotted_lines_lead_from_the_foot_of_the_scale_to_the_upper_half_of_the_field(width):
    marks, place = marks_of(CRUSHED, width), field(width)
    (_, top, _, far_top), (_, floor, _, zero) = segments(marks["lens"])
    assert floor == marks["floor"].shape["y2"] and (far_top, zero) == (place.box.y, place.zero)
    tall = marks["scale"].shape["height"] * place.span / case("INT8", "none", 100).largest
    assert floor - top == pytest.approx(tall, abs=1)


@pytest.mark.parametrize("width", WIDTHS)
def test_largest_value_after_the_cure_stands_over_its_bars_once_the_cure_is_done(width):
    *_, on_its_way, cured = chapter_of(CURED).states
    assert "top" not in pictured(on_its_way, width)
    assert pictured(cured, width)["top"].text == size(case("INT8", "rotation", 100).largest) == "6.87"


def test_share_that_stays_is_said_to_be_as_before():
    for params in SCENE.grid():
        words = next(SCENE.say(state) for state in SCENE.run(**params).steps if state.phase == AGAIN)
        shares = re.search(r"steps: (.+) become 0, where it was (.+)\.", words)
        assert not shares or shares[1] != shares[2]
    same = SCENE.say(chapter_of(AGAIN, "E2M1", strength=1).states[-1])
    assert "4.26, hardly less, and 14% become 0, as before." in same  # it was 4.36


@pytest.mark.parametrize("width", WIDTHS)
def test_steps_that_the_scale_leaves_are_said_over_the_field_while_there_is_a_scale(width):
    assert ["step" in marks_of(step, width) for step in STEPS] == [False, True, True, True, True]
    for fmt, words in (("INT8", "steps of {}"), ("E2M1", "first step {}")):
        for step, cure in ((CRUSHED, "none"), (CURED, "none"), (PRODUCT, "rotation")):
            assert marks_of(step, width, fmt)["step"].text == words.format(size(case(fmt, cure, 100).step))
    assert ("near 0" if width < 400 else "shrink towards 0") in marks_of(PRODUCT, width, "E4M3")["step"].text


@pytest.mark.parametrize("width", WIDTHS)
def test_values_that_leave_the_field_are_named_beside_them(width):
    marks = marks_of(CRUSHED, width)
    last, following = (segments(marks[f"q{channel}"]) for channel in (LOUD, LOUD + 1))
    assert max(x for x, *_ in last) < marks["a-loud"].shape["x"] <= min(x for x, *_ in following)
    assert marks["a-loud"].shape["y"] < min(y for *_, y in following)
    assert "a-loud" not in marks_of(CRUSHED, width, strength=1)
    assert not [key for key in beneath(marks_of(PRODUCT, width, strength=1), "strength") if "answer" in key]
