"""Check the ladder against the published figures, its factors against exact fractions, its bars against its speeds."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.scene import WIDTHS
from scenes.matmul_ladder.drawing import draw
from scenes.matmul_ladder.model import CUBLAS, PEAK, RUNGS, SCALES, SPEEDS, factors, share, two_digits
from scenes.matmul_ladder.scene import SCENE

example_budget = settings(max_examples=100, deadline=None, derandomize=True)

# Taha, Liu, Wang, Dakkak, "Matrix Multiplication on Blackwell", 2025, M = N = K = 4096, BF16, B200; TFLOP/s.
PUBLISHED = [
    ("Part 1", "5"),  # "Our kernel gave us 5 TFLOPs"
    ("Part 2", "155.0"),  # kernel 2
    ("Part 2", "288.3"),  # kernel 3, "Performance"
    ("Part 2", "293.6"),  # kernel 4, "Performance"
    ("Part 3", "360.2"),  # kernel 5
    ("Part 3", "1,429"),  # kernel 6
    ("Part 3", "1,493"),  # kernel 7: "an additional 64 TFlops"
    ("Part 4", "1,772"),  # introduction
]
EXACT = [Fraction(words.replace(",", "")) for _, words in PUBLISHED]


def steps(scale):
    return SCENE.run(scale=scale).steps


def frame(scale, step, width="narrow"):
    """The marks of a step, counted from 1, by key."""
    return {mark.key: mark for mark in draw(steps(scale)[step - 1], WIDTHS[width])}


def length(mark):
    return float(mark.shape["width"])


def test_every_figure_is_the_published_one_with_the_digits_of_its_source():
    assert [(f"Part {rung.part}", rung.shown) for rung in RUNGS] == PUBLISHED
    assert [Fraction(rung.speed).limit_denominator(10) for rung in RUNGS] == EXACT


def test_library_and_peak_are_those_of_part_1():
    values = SCENE.run(scale="linear").values
    assert (str(values["cublas"]), str(values["peak"])) == ("1,763\u00a0TFLOP/s", "2,250\u00a0TFLOP/s")


def test_values_are_those_that_prose_quotes():
    values = {name: str(value) for name, value in SCENE.run(scale="log").values.items()}
    assert values == SCENE_VALUES == {name: str(value) for name, value in SCENE.run(scale="linear").values.items()}


SCENE_VALUES = {
    "first": "5\u00a0TFLOP/s", "last": "1,772\u00a0TFLOP/s", "cublas": "1,763\u00a0TFLOP/s",
    "peak": "2,250\u00a0TFLOP/s", "times": "350×", "share": "78.8%", "of_cublas": "100.5%", "rungs": "8",
}  # fmt: skip


def test_table_gives_each_rung_its_factor_and_its_share_of_the_peak():
    table = SCENE.run(scale="linear").table
    assert [column.name for column in table.columns] == ["rung", "changed", "speed", "times", "share", "source"]
    before = [EXACT[0], *EXACT[:-1]]
    for row, speed, last, (part, _) in zip(table.rows, EXACT, before, PUBLISHED, strict=True):
        assert row[3] == pytest.approx(float(speed / last), rel=1e-14)
        assert row[4] == pytest.approx(float(speed / 2250 * 100), rel=1e-14)
        assert row[5] == part
    assert [row[0] for row in table.rows] == list(range(1, 9))


@pytest.mark.parametrize(
    ("rung", "of_cublas"),
    [(1, 0.3), (3, 16.4), (5, 20), (6, 81), (7, 85)],  # Parts 2 and 3, after each kernel
)
def test_shares_of_the_library_round_to_those_of_the_posts(rung, of_cublas):
    got = share(RUNGS[rung - 1].speed, CUBLAS)
    digits = len(str(of_cublas).partition(".")[2])
    assert round(got, digits) == of_cublas


def test_last_rung_passes_the_library_by_half_a_percent_and_stays_below_the_peak():
    # Part 4 says 100.6 %; its rounded figures give 100.51 %.
    assert share(1772.0, CUBLAS) == pytest.approx(100.6, abs=0.1)
    assert 1763 < RUNGS[-1].speed < PEAK


def test_every_rung_is_faster_also_the_one_that_its_text_calls_slower():
    assert all(here < there for here, there in itertools.pairwise(EXACT))
    assert (factors(SPEEDS) > 1).all()
    said = SCENE.say(steps("linear")[3])
    assert "0.7\u00a0% slower" in said
    assert "1.8\u00a0% faster" in said


def test_overlap_is_the_largest_step_but_the_first():
    gains = factors(SPEEDS)
    assert np.argsort(gains)[::-1][:2].tolist() == [0, 4]
    assert gains[4] == pytest.approx(1429 / 360.2, rel=1e-15)


@given(speeds=st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=20))
@example_budget
def test_factors_multiply_to_the_last_over_the_first(speeds):
    got = factors(np.array(speeds))
    assert len(got) == len(speeds) - 1
    assert math.prod(got.tolist()) == pytest.approx(float(Fraction(speeds[-1]) / Fraction(speeds[0])), rel=1e-12)


@given(factor=st.floats(1, 1e6))
@example_budget
def test_two_digits_are_within_one_part_in_twenty(factor):
    assert abs(two_digits(factor) - factor) <= factor / 20
    assert len(f"{two_digits(factor):.15e}".split("e")[0].rstrip("0").replace(".", "")) <= 2


@pytest.mark.parametrize("speeds", [[0.0, 1.0], [1.0, -2.0], [math.nan, 1.0], [1.0, math.inf]])
def test_speeds_that_are_no_speeds_are_refused(speeds):
    with pytest.raises(ValueError, match=r"speeds are positive numbers of TFLOP/s, not \["):
        factors(np.array(speeds))


def test_unknown_scale_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"scale is one of \('linear', 'log'\), not 'square'"):
        steps("square")


@pytest.mark.parametrize("width", WIDTHS)
def test_lengths_are_proportional_to_speeds_on_the_linear_axis(width):
    marks = frame("linear", 9, width)
    unit = length(marks["gain-0"]) / 5
    for index, speed in enumerate(EXACT):
        whole = length(marks[f"gain-{index}"]) + (length(marks[f"base-{index}"]) if index else 0)
        assert whole == pytest.approx(float(speed) * unit, rel=1e-9)
    assert length(marks["rest"]) == pytest.approx((2250 - 1772) * unit, rel=1e-9)


@pytest.mark.parametrize("width", WIDTHS)
def test_gains_are_proportional_to_the_logarithms_of_the_factors_on_the_other(width):
    marks = frame("log", 9, width)
    unit = length(marks["gain-0"]) / math.log(5)
    for index in range(1, len(EXACT)):
        assert length(marks[f"gain-{index}"]) == pytest.approx(
            unit * math.log(EXACT[index] / EXACT[index - 1]), rel=1e-9
        )


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("width", WIDTHS)
def test_lines_stand_at_the_library_and_at_the_end_of_the_peak(scale, width):
    marks = frame(scale, 9, width)
    bar = marks["gain-7"].shape
    end = float(bar["x"]) + float(bar["width"])
    assert float(marks["cublas"].shape["x1"]) < end < float(marks["peak"].shape["x1"])


@pytest.mark.parametrize("scale", SCALES)
def test_each_step_adds_one_rung_and_only_the_newest_is_hot(scale):
    assert len(steps(scale)) == 9
    for step in range(1, 10):
        bars = {key: mark.role for key, mark in frame(scale, step).items() if key.startswith("gain-")}
        assert len(bars) == min(step, 8)
        hot = [key for key, role in bars.items() if role == "hot"]
        assert hot == ([f"gain-{step - 1}"] if step < 9 else [])


def test_first_rung_is_no_gain_where_the_axis_has_no_zero():
    assert (frame("linear", 9)["gain-0"].role, frame("log", 9)["gain-0"].role) == ("kept", "cell")


@pytest.mark.parametrize("scale", SCALES)
def test_narration_differs_from_step_to_step_and_quotes_the_speed(scale):
    said = [SCENE.say(state) for state in steps(scale)]
    assert len(set(said)) == 9
    for words, (_, speed) in zip(said, PUBLISHED, strict=False):
        assert f"{speed}\u00a0TFLOP/s" in words


def test_opening_has_few_marks():
    assert len(frame("linear", SCENE.opening)) <= 60
