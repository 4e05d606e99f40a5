"""Check the lines of the field against all values that a format can keep, and how numbers are spelled."""

import itertools
import math

import numpy as np
import pytest

from scenes._formats.floats import finite_values
from scenes.outliers.ladder import COUNTS, LINES, SPAN, ladder, on_the_way_down, on_the_way_up
from scenes.outliers.model import CURES, FORMATS, LOUD, STRENGTHS, case
from scenes.outliers.trial import share, size

CASES = list(itertools.product(FORMATS, CURES, STRENGTHS))


def kept(one):
    """All values that a case can keep, by another way: every code times the scale."""
    codes = np.arange(-127.0, 128) if one.fmt == "INT8" else finite_values(one.fmt)
    return codes * one.scale


def test_lines_beside_a_loud_channel_are_the_five_values_that_are_left():
    one = case("INT8", "none", 100)
    lines = ladder(one, 0.3).lines
    seen = lines[lines < SPAN]
    assert seen.tolist() == pytest.approx([one.largest / 127, 2 * one.largest / 127])
    assert one.levels == 2 * seen.size + 1 == 5
    assert set(np.unique(np.delete(one.x_hat, LOUD, axis=1) + 0.0)) <= {0.0, *seen, *-seen}


@pytest.mark.parametrize("apart", [0.1, 0.3])
@pytest.mark.parametrize(("fmt", "cure", "strength"), CASES)
def test_every_line_is_a_value_that_can_be_kept_and_what_is_left_out_lies_in_the_wash(fmt, cure, strength, apart):
    one = case(fmt, cure, strength)
    lines, close = ladder(one, apart)
    seen, near = lines[lines < SPAN], kept(one)
    near = near[(near > 0) & (near < SPAN)]
    assert len(lines) == LINES and (np.diff(lines) >= 0).all()
    assert all(np.isclose(near, line).any() for line in seen)
    assert not seen.size or np.diff([0.0, *seen]).min() >= apart - 1e-9
    if seen.size < LINES:  # else there are more lines than the field has room for
        assert all(value <= close * (1 + 1e-9) or np.isclose(seen, value).any() for value in near)


def test_counts_are_those_of_the_formats():
    assert COUNTS == {"INT8": 255, "E4M3": 253, "E2M1": 15}
    assert all(len(np.unique(kept(case(fmt, "none", 1)) + 0.0)) == count for fmt, count in COUNTS.items())


@pytest.mark.parametrize(("fmt", "cure", "strength"), [one for one in CASES if one[1] != "none"])
def test_scales_on_the_way_end_with_the_largest_value_before_and_after_the_cure(fmt, cure, strength):
    up, down = on_the_way_up(fmt, strength), on_the_way_down(fmt, strength, cure)
    assert up[-1] == case(fmt, "none", strength) and down[-1] == case(fmt, cure, strength)
    assert [one.largest for one in up] == sorted(one.largest for one in up)
    assert all(down[-1].largest < one.largest < up[-1].largest for one in down[:-1])


@pytest.mark.parametrize(
    ("percent", "words"),
    [(0, "0%"), (100, "100%"), (99.998, "99.9%"), (99.6, "99.6%"), (64.2, "64%"), (9.96, "10%"), (1.14, "1.1%"),
     (0.032, "0.03%"), (0.0015, "almost none")],
)  # fmt: skip
def test_only_none_is_written_as_0_percent_and_only_all_as_100(percent, words):
    assert share(percent) == words


def test_magnitudes_have_three_digits_or_two_below_a_tenth():
    written = ["233", "19.4", "1.83", "0.363", "0.054"]
    assert [size(number) for number in (232.9, 19.4, 1.834, 0.363, 0.05408)] == written
    assert not any("e" in size(case(*one).step) for one in CASES if one[0] != "E4M3")
    assert all(math.isfinite(case(*one).step) for one in CASES)
