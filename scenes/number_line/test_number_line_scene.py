"""Check that the picture holds every value exactly once, and that words and values are those of the model."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.draw import Pen
from loom.scene import NARROW, WIDE
from scenes.number_line.drawing import draw
from scenes.number_line.lanes import NEAREST, Stage, laid_out
from scenes.number_line.model import AXES, NAMES, number_format, pair
from scenes.number_line.plot import stairs, teeth
from scenes.number_line.scene import SCENE
from scenes.number_line.words import number, percent

example_budget = settings(max_examples=100, deadline=None, derandomize=True)
names, axes, widths = st.sampled_from(NAMES), st.sampled_from(AXES), st.sampled_from((NARROW, WIDE))


def line_of(first, second, axis, width=WIDE):
    return Stage(Pen(width), pair(first, second, axis)).line


def state(first, second, axis, phase):
    return next(step for step in SCENE.run(first=first, second=second, axis=axis).steps if step.phase == phase)


def mark(shown, key, width=WIDE):
    return next(one for one in draw(shown, width) if one.key == key)


@given(first=names, second=names, axis=axes, width=widths)
@example_budget
def test_every_value_is_a_line_or_in_the_block_or_counted_as_beyond(first, second, axis, width):
    line = line_of(first, second, axis, width)
    lane, values = laid_out(number_format(first), line), number_format(first).from_zero
    assert len(lane.lines) + lane.blocked + lane.beyond == len(values)
    assert lane.beyond == sum(value > line.high for value in values.tolist())
    assert (lane.block is None) == (lane.blocked == 0)
    assert np.all(np.diff(lane.lines) >= NEAREST - 1e-9)


@given(first=names, second=names, axis=axes, width=widths)
@example_budget
def test_block_covers_just_the_values_that_are_no_lines(first, second, axis, width):
    line = line_of(first, second, axis, width)
    lane, values = laid_out(number_format(first), line), number_format(first).from_zero
    places = np.setdiff1d(line.at(values[values <= line.high]), lane.lines)
    if lane.block:
        left, right = lane.block
        assert (left, right) == (pytest.approx(places[0]), pytest.approx(max(right, places[-1])))
        assert not np.any((lane.lines > left) & (lane.lines < right - 1e-9))
    else:
        assert places.size == 0


@given(first=names, second=names, axis=axes, width=widths)
@example_budget
def test_places_grow_with_the_values_and_stay_on_the_axis(first, second, axis, width):
    line = line_of(first, second, axis, width)
    places = line.at(number_format(first).from_zero[number_format(first).from_zero <= line.high])
    assert np.all(np.diff(places) >= 0)  # the smallest of BF16 stand on 0, as far as a float64 tells
    assert line.x <= places[0] and places[-1] <= line.right + 1e-9


@given(first=names, second=names)
@example_budget
def test_steps_have_the_gap_of_the_values_under_them(first, second):
    for axis in AXES:
        line = line_of(first, second, axis)
        xs, ys = stairs(number_format(first), line)
        if line.log and line.power < 3:
            continue  # drawn as a slope
        for low, high, size in zip(xs[::2], xs[1::2], ys[::2], strict=True):
            inside = number_format(first).from_zero
            inside = inside[(inside >= low) & (inside < high)]
            assert set(number_format(first).gap(inside).tolist()) <= {size}


@given(first=names, second=names, axis=axes, width=widths)
@example_budget
def test_teeth_stay_between_half_a_step_and_a_step_of_the_mantissa(first, second, axis, width):
    line, fmt = line_of(first, second, axis, width), number_format(first)
    xs, ys = teeth(fmt, line)
    normal = ys[xs >= fmt.smallest_normal]
    least = fmt.relative_extent[0] if fmt.integer else 2.0 ** -(fmt.mantissa_bits + 1)
    assert normal.min() >= least * (1 - 1e-12)
    assert normal.max() == (1 if fmt.integer else 2.0**-fmt.mantissa_bits)


def test_opening_shows_every_line_of_int8_and_says_what_lies_beyond():
    opening = state("E4M3", "INT8", "linear", "beside")
    assert SCENE.run().steps[SCENE.opening - 1] == opening
    assert mark(opening, "b").shape["d"].count("M") == 128
    assert mark(opening, "b-note").text == "all 128 values from 0 to 127"
    assert mark(opening, "a-note").text == "14 of 127 values lie beyond, up to 448 →"


def test_log_lanes_say_how_many_values_a_power_of_two_holds():
    assert mark(state("BF16", "INT8", "log", "beside"), "a-note").text == "up to 128 values in each power of two"
    assert mark(state("BF16", "INT8", "log", "beside"), "b-note").text == "1, 2, 4 … 64 values in a power of two"
    assert mark(state("BF16", "INT4", "log", "beside"), "b-note").text == "1, 2, 4 values in a power of two"


def test_bundles_not_values_are_marks():
    for first, axis, width in itertools.product(NAMES, AXES, (NARROW, WIDE)):
        for step in SCENE.run(first=first, second="E4M3", axis=axis).steps:
            assert len(list(draw(step, width))) <= 70


def test_grid_stays_within_its_budget_of_frames():
    frames = sum(len(SCENE.run(**params).steps) for params in SCENE.grid())
    assert frames == 9 * 9 * 2 * 5 <= 1200


def test_values_of_the_opening_state_are_the_facts():
    values = {name: value.value for name, value in SCENE.run().values.items()}
    assert {name: values[name] for name in ("count", "largest", "below_one", "gap", "per_binade", "beyond")} == {
        "count": 253, "largest": 448, "below_one": 56, "gap": 0.125, "per_binade": 8, "beyond": 14,
    }  # fmt: skip
    assert values["range"] == pytest.approx(np.log2(448 * 512))
    assert values["decades"] == pytest.approx(np.log10(448 * 512))
    assert (values["second_count"], values["second_below_one"], values["second_per_binade"]) == (256, 1, 1)


def test_table_has_a_row_for_each_of_the_two_formats():
    table = SCENE.run(first="E5M2", second="INT4", axis="log").table
    assert [column.name for column in table.columns] == [
        "format", "bits", "count", "smallest", "largest", "range", "below_one", "gap", "per_binade",
    ]  # fmt: skip
    first, second = ([*row[:5], round(float(row[5]), 3), *row[6:]] for row in table.rows)
    assert first == ["E5M2", 8, 247, "2⁻¹⁶", "57,344", 31.807, 60, 0.25, 4]
    assert second == ["INT4", 4, 16, "1", "7", 2.807, 1, 1, 1]


def test_narration_quotes_the_numbers_of_the_state():
    said = [SCENE.say(step) for step in SCENE.run().steps]
    assert "256 codes for 253 different finite numbers" in said[0] and "Of the 127 from 0 up, 56" in said[0]
    assert "8 equal gaps" in said[1] and "4 from 32, 8 from 64" in said[1]
    assert "7 subnormal values" in said[2] and "8 times as wide" in said[2]
    assert "126 values above 0, spread over 17.8" in said[3] and "same from 8 to 16 and larger from 16 up" in said[3]
    assert "between 6.67% and 12.5%" in said[4] and "0.787% at 127" in said[4]


def test_narration_of_a_small_format_names_no_block_and_counts_in_the_singular():
    said = [SCENE.say(step) for step in SCENE.run(first="E2M1", second="INT4", axis="linear").steps]
    assert "block" not in said[0] and said[0].endswith("Of the 8 from 0 up, 2 lie below 1.")
    assert "1 mantissa bit cuts" in said[1] and "one subnormal value, 0.5, stands halfway" in said[2]
    alone = [SCENE.say(step) for step in SCENE.run(first="INT8", second="INT8", axis="log").steps]
    assert "beside itself" in alone[3] and alone[4].count("INT8") == 1


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"), (-0.5, "−0.5"), (7.5, "7.5"), (448, "448"), (65504, "65,504"), (3.3895314e38, "3.39 × 10³⁸"),
        (0.125, "0.125"), (2**-4, "2⁻⁴"), (2**-9, "2⁻⁹"), (2**19, "524,288"), (2.0**20, "2²⁰"),
    ],
)  # fmt: skip
def test_numbers_are_written_short(value, words):
    assert number(value) == words


def test_shares_are_written_with_three_digits():
    assert [percent(share) for share in (1, 0.125, 1 / 15, 1 / 127)] == ["100%", "12.5%", "6.67%", "0.787%"]
