"""Check what the reader sees: stems against the numbers, bars against the errors, words against the values."""

import itertools
import math
import re

import numpy as np
import pytest

from loom.draw import Pen
from loom.draw.extent import bounds
from scenes.outliers.drawing import MOST, drawn, fields
from scenes.outliers.model import CURES, FORMATS, LOUD, SHOWN, STRENGTHS, TOKENS, case
from scenes.outliers.scene import SCENE
from scenes.outliers.trial import share, size

WIDTHS = (328, 840)
STEPS = ACTIVATIONS, CRUSHED, CURED, AGAIN, COMPARED = ("activations", "crushed", "cured", "again", "compared")
GRID = list(itertools.product(FORMATS, CURES, STRENGTHS))
ONE_WIDTH = [(WIDTHS[at % 2], *params) for at, params in enumerate(GRID)]  # the strengths alternate between them
ONE_WIDTH += [(WIDTHS[at % 2 - 1], *params) for at, params in enumerate(GRID) if params[2] in (1, 100)]


def state_of(step, fmt, cure, strength):
    return next(one for one in SCENE.run(format=fmt, cure=cure, strength=strength).steps if one.phase == step)


def marks_of(step, width, fmt="INT8", cure="rotation", strength=100):
    return {mark.key: mark for mark in SCENE.draw(state_of(step, fmt, cure, strength), width)}


def segments(mark):
    """The (x1, y1, x2, y2) of each line of a mark made of strokes."""
    found = re.findall(r"M(\S+) (\S+?)L(\S+) ([^M]+)", mark.shape["d"])
    return [tuple(map(float, one)) for one in found]


def test_grid_is_the_contract_and_every_variant_has_five_steps():
    assert {param.name: param.values for param in SCENE.params} == {
        "format": ("INT8", "E4M3", "E2M1"),
        "cure": ("none", "smoothing", "rotation"),
        "strength": (1, 10, 50, 100),
    }
    assert len(list(SCENE.grid())) == len(GRID) == 36
    for params in SCENE.grid():
        assert [state.phase for state in SCENE.run(**params).steps] == list(STEPS)


@pytest.mark.parametrize(("fmt", "strength"), [*itertools.product(FORMATS, STRENGTHS)])
def test_before_is_what_is_measured_without_a_cure(fmt, strength):
    none = SCENE.run(format=fmt, cure="none", strength=strength).values
    assert none["before"] == none["sqnr"]
    for cure in CURES:
        values = SCENE.run(format=fmt, cure=cure, strength=strength).values
        assert values["before"] == none["sqnr"]
        assert values["error"].value == pytest.approx(100 / 10 ** (values["sqnr"].value / 20))
        assert values["zeroed_before"] == none["zeroed"]
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
def test_dashes_on_the_zero_line_are_the_quiet_values_that_became_zero(width, fmt, cure, strength):
    for step, stage in ((CRUSHED, "none"), (AGAIN, cure)):
        one = case(fmt, stage, strength)
        marks = marks_of(step, width, fmt, cure, strength)
        shown = one.x_hat[:, :SHOWN]
        if strength > 1 and stage != "rotation":
            shown = np.delete(shown, LOUD, axis=1)
        dashes, stems = segments(marks["bz"]), segments(marks["bq"])
        assert len(dashes) == np.count_nonzero(shown == 0)
        assert len(dashes) + len(stems) == shown.size
        assert marks["bz"].role == "dropped"
        zero = fields(Pen(width), state_of(step, fmt, cure, strength))[1].zero
        assert all(y1 == y2 == zero for _, y1, _, y2 in dashes)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("step", [ACTIVATIONS, CRUSHED, AGAIN])
def test_stems_are_as_tall_as_their_values_and_stand_in_the_order_of_channels_and_tokens(width, step):
    state = state_of(step, "INT8", "rotation", 100)
    field, marks = fields(Pen(width), state)[1], marks_of(step, width)
    values = drawn(state)[0].T  # by channel, then token
    stems = sorted(stem for key in ("bl", "bq", "bz") for stem in segments(marks[key]) if stem[3] != stem[1])
    unit = field.box.height / 2 / state.result.span
    wanted = [value for channel in values for value in channel if abs(round(value * unit)) >= 1]
    for (x1, y1, x2, y2), value in zip(stems, wanted, strict=True):
        assert x1 == x2
        assert y1 - y2 == pytest.approx(np.clip(value, -state.result.span, state.result.span) * unit, abs=0.76)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("strength", STRENGTHS[1:])
def test_loud_channel_alone_stands_out_on_the_whole_scale(width, strength):
    stems = segments(marks_of(ACTIVATIONS, width, strength=strength)["al"])
    assert len(stems) == TOKENS
    tall = [abs(y1 - y2) for _, y1, _, y2 in segments(marks_of(ACTIVATIONS, width, strength=strength)["aq"])]
    field = fields(Pen(width), state_of(ACTIVATIONS, "INT8", "none", strength))[0]
    assert max(abs(y1 - y2) for _, y1, _, y2 in stems) == pytest.approx(field.box.height / 2, abs=1)
    assert max(tall, default=0) <= field.box.height / 2 * 4.4 / case("INT8", "none", strength).largest + 1


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("fmt", "strength"), [*itertools.product(FORMATS, STRENGTHS)])
def test_every_stem_of_the_close_up_ends_on_a_line_or_in_the_shade_or_beyond(width, fmt, strength):
    state = state_of(CRUSHED, fmt, "none", strength)
    marks, field = marks_of(CRUSHED, width, fmt, "none", strength), fields(Pen(width), state)[1]
    lines = {y1 for _, y1, _, _ in segments(marks["bg"])} | {field.box.y, field.box.bottom}
    _, top, _, bottom = bounds(marks["bd"])
    for _, _, _, y in segments(marks["bq"]):
        assert top <= y <= bottom or y in lines
    gaps = np.diff(sorted(lines - {field.box.y, field.box.bottom}))
    assert (gaps >= 2).all()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_bars_are_as_long_as_the_decibels_and_choose_what_they_show(width, strength):
    marks = marks_of(COMPARED, width, strength=strength)
    for fmt, cure in itertools.product(FORMATS, CURES):
        one = case(fmt, cure, strength)
        left, _, right, _ = bounds(marks[f"{fmt}-{cure}-b"])
        start, _, end, _ = bounds(marks[f"{fmt}-{cure}-t"])
        assert (left, (right - left) / (end - start)) == (start, pytest.approx(one.sqnr / MOST))
        assert one.sqnr < MOST
        assert marks[f"{fmt}-{cure}-t"].set == {"format": fmt, "cure": cure}
        assert marks[f"{fmt}-{cure}-d"].text == f"{one.sqnr:.1f}"
        assert marks[f"{fmt}-{cure}-e"].text == share(one.error)
    assert [key for key, mark in marks.items() if key.endswith("-b") and "hot" in mark.role] == ["INT8-rotation-b"]


@pytest.mark.parametrize("width", WIDTHS)
def test_cure_step_shows_the_tower_as_it_was_and_smoothing_hands_w_a_loud_row(width):
    smooth, turned = (marks_of(CURED, width, cure=cure) for cure in CURES[1:])
    for marks in (smooth, turned):
        before = segments(marks_of(ACTIVATIONS, width)["al"])
        after = segments(marks["al"])
        _, top, _, bottom = bounds(marks["was"])
        assert top == pytest.approx(min(y for *_, y in before), abs=0.5)
        assert bottom == pytest.approx(max(y for *_, y in before), abs=0.5)
        assert max(abs(y1 - y2) for _, y1, _, y2 in after) < (bottom - top) / 8
    loud = max(abs(y1 - y2) for _, y1, _, y2 in segments(smooth["wl"]))
    assert loud > 4 * max(abs(y1 - y2) for _, y1, _, y2 in segments(smooth["wq"]))
    assert segments(turned["wl"]) == []
    assert smooth["say"].text == "X/s · sW = X·W"


@pytest.mark.parametrize(("width", "fmt", "cure", "strength"), ONE_WIDTH)
def test_no_two_texts_touch_and_all_stay_on_the_stage(width, fmt, cure, strength):
    for step in STEPS:
        marks = marks_of(step, width, fmt, cure, strength)
        boxes = {key: bounds(mark) for key, mark in marks.items() if mark.tag == "text"}
        for (one, a), (other, b) in itertools.combinations(boxes.items(), 2):
            apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] + 4 or b[3] <= a[1] + 4
            assert apart, (step, one, other)
        assert all(box[0] >= -2 and box[2] <= width + 2 for box in boxes.values())
        assert max(bounds(mark)[3] for mark in marks.values()) <= (460 if width < 500 else 430)
        assert len(marks) <= 70


def test_narration_quotes_the_numbers_of_its_state():
    said = {state.phase: SCENE.say(state) for state in SCENE.run(format="INT8", cure="rotation", strength=100).steps}
    none, turned = case("INT8", "none", 100), case("INT8", "rotation", 100)
    assert f"100 times as loud: it reaches {none.largest:.0f}" in said[ACTIVATIONS]
    assert f"left with {none.levels} of them, and {none.zeroed:.0f}% of" in said[CRUSHED]
    assert f"{none.largest / 127:.2f} apart" in said[CRUSHED]
    assert f"is {turned.largest:.3g}: {turned.peak:.3g} times" in said[AGAIN]
    assert f"{turned.sqnr:.1f} dB instead of {none.sqnr:.1f}" in said[COMPARED]
    assert "12 times its smallest" in SCENE.say(state_of(COMPARED, "E2M1", "none", 1))


@pytest.mark.parametrize(("fmt", "cure", "strength"), GRID)
def test_every_sentence_begins_with_a_capital_and_no_step_says_more_than_three(fmt, cure, strength):
    for state in SCENE.run(format=fmt, cure=cure, strength=strength).steps:
        sentences = re.split(r"(?<=[.:]) (?=[A-Z0-9])", SCENE.say(state))
        assert not re.search(r"\. [a-z]", SCENE.say(state))
        assert len([one for one in sentences if one.endswith(".")]) <= 3


@pytest.mark.parametrize(
    ("percent", "words"),
    [(0, "0%"), (100, "100%"), (99.998, "99.9%"), (99.6, "99.6%"), (64.2, "64%"), (9.96, "10%"), (1.14, "1.1%"),
     (0.032, "0.03%"), (0.0015, "almost none")],
)  # fmt: skip
def test_only_none_is_written_as_0_percent_and_only_all_as_100(percent, words):
    assert share(percent) == words


def test_magnitudes_have_three_digits_or_two_below_a_tenth():
    assert [size(number) for number in (232.9, 19.4, 1.834, 0.363, 0.05408)] == [
        "233",
        "19.4",
        "1.83",
        "0.363",
        "0.054",
    ]
    assert not any("e" in size(case(*one).step) for one in GRID if one[0] != "E4M3")
    assert all(math.isfinite(case(*one).step) for one in GRID)
