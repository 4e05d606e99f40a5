"""Check rounding and running sums against published tables, enumerated codes, fractions and other casts."""

import itertools
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.fp8_accumulation.model import (
    ACCUMULATORS,
    rounded,
    running_sum,
    spacing,
    table_rows,
    terms,
    values,
)

from .test_fp8_rounding import nearest

KINDS, COUNTS, PROMOTE = ("golden", "ones", "gaussian"), (64, 256, 1024, 4096), (32, 64, 128, 256, "never")
# exponent bits, mantissa bits, bias, largest: formats.md, section 1 (OCP FP8 specification, IEEE 754)
LAYOUTS = {
    "E4M3": (4, 3, 7, 448.0),
    "E5M2": (5, 2, 15, 57344.0),
    "FP16": (5, 10, 15, 65504.0),
    "BF16": (8, 7, 127, float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)),
}
narrow = pytest.mark.parametrize("accumulator", LAYOUTS)
example_budget = settings(max_examples=60, deadline=None, derandomize=True)
moderate = st.floats(-600, 600, width=32)
wide = moderate | st.floats(-1e5, 1e5, width=32) | st.floats(-1e-4, 1e-4) | st.sampled_from([3e38, -3e38, 0.0])


# --- golden numbers


def test_golden_sequence_gives_the_published_table():
    # facts: golden/fp8-accumulation.json, rows and decimals as printed there
    rows = table_rows("golden", 64)
    printed = [(label, bits, round(total, 1), round(error, 1)) for label, bits, total, error, *_ in rows[:3]]
    assert printed == [("FP8", 3, 32.0, 49.9), ("FP16", 10, 63.9, 0.0), ("FP32", 23, 63.9, 0.0)]
    assert running_sum(terms("golden", 64), "FP32").exact[-1] == pytest.approx(63.917390507597446, rel=1e-15)


def test_table_lists_one_row_per_accumulator_in_the_fixed_order():
    rows = table_rows("golden", 64)
    assert [row[0] for row in rows] == ["FP8", "FP16", "FP32", "FP8", "BF16", "Hopper"]
    assert [row[1] for row in rows] == [3, 10, 23, 2, 7, 13]
    assert [row[4] for row in rows] == ["E4M3", "E5M10", "E8M23", "E5M2", "E8M7", "E8M13"]


# formats.md, section 8: adding 1 stops at 2^p, p significant bits with the hidden one
@pytest.mark.parametrize(("accumulator", "stop"), [("E5M2", 8), ("E4M3", 16), ("BF16", 256), ("FP16", 2048)])
def test_sum_of_ones_stops_where_half_a_step_is_one(accumulator, stop):
    run = running_sum(terms("ones", 4096), accumulator)
    assert (run.final, run.stuck_after, run.ignored.sum()) == (stop, stop, 4096 - stop)


def test_fp32_ignores_one_more_after_two_to_the_24():
    run = running_sum(np.array([2.0**24 - 1, 1.0, 1.0]), "FP32")  # formats.md, section 8: FP32 16,777,216
    assert run.final == 16_777_216 and run.ignored.tolist() == [False, False, True]


# formats.md, section 8, "c = 1.5 in E4M3 stops at 32, FP16 at 4096"
@pytest.mark.parametrize(("accumulator", "stop"), [("E4M3", 32), ("FP16", 4096)])
def test_sum_of_a_constant_stops_at_a_power_of_two(accumulator, stop):
    assert running_sum(np.full(4096, 1.5), accumulator).final == stop


# formats.md, section 8: 64 terms 1 + 0.25 sin(i), exact 64.0241. Its BF16 sum of 64 rounds the sums but not
# the terms; 64.5 is by the brute-force oracle of test_fp8_rounding.py, which gives 64 for unrounded terms.
@pytest.mark.parametrize(
    ("accumulator", "expected"),
    [("E5M2", 16), ("E4M3", 32), ("BF16", 64.5), ("FP16", 64), ("FP32", 64.02415)],
)
def test_terms_around_one_stop_later_than_ones(accumulator, expected):
    run = running_sum(1 + 0.25 * np.sin(np.arange(64)), accumulator)
    assert round(run.final, 5) == expected
    assert run.exact[-1] == pytest.approx(64.0241, abs=5e-5)


def test_rounding_the_terms_first_explains_the_bf16_sum_of_the_facts_sheet():
    sums = [0.0, 0.0]
    for term in (1 + 0.25 * np.sin(np.arange(64))).tolist():
        addends = nearest(term, "BF16"), term
        sums = [nearest(Fraction(a) + Fraction(b), "BF16") for a, b in zip(sums, addends, strict=True)]
    assert sums == [64.5, 64.0]


# --- running sums


@narrow
@given(addends=st.lists(wide, min_size=1, max_size=40))
@example_budget
def test_every_partial_sum_is_the_nearest_value_to_the_exact_addition(accumulator, addends):
    run, total, expected = running_sum(np.array(addends), accumulator), 0.0, []
    for addend in addends:
        total = nearest(Fraction(total) + Fraction(nearest(addend, accumulator)), accumulator)
        expected.append(total)
    assert run.partial.tolist() == expected
    before = [0.0, *expected[:-1]]
    unchanged = [a != 0 and b == c for a, b, c in zip(addends, before, expected, strict=True)]
    assert run.ignored.tolist() == unchanged


@pytest.mark.parametrize(("accumulator", "largest"), [("E4M3", 448), ("E5M2", 57344), ("FP16", 65504)])
def test_overflowing_sum_stays_at_the_largest_value_and_comes_back(accumulator, largest):
    run = running_sum(np.array([largest, largest, -largest / 2]), accumulator)
    assert run.partial.tolist() == [largest, largest, largest / 2]


@pytest.mark.parametrize("accumulator", ["E4M3", "E5M2", "FP16", "BF16"])
@given(count=st.integers(1, 3000))
@example_budget
def test_sum_of_ones_counts_up_to_the_stop_and_never_beyond(accumulator, count):
    stop = 2 ** (ACCUMULATORS[accumulator].mantissa_bits + 1)
    run = running_sum(terms("ones", count), accumulator)
    np.testing.assert_array_equal(run.partial, np.minimum(np.arange(count) + 1, stop))


@given(addends=st.lists(st.floats(2.0**-7, 400, width=32), min_size=2, max_size=60))
@example_budget
def test_ignored_terms_are_those_below_half_a_step_or_a_tie_at_an_even_sum(addends):
    run = running_sum(np.array(addends), "E4M3")
    before, term = run.partial[:-1], rounded(run.terms[1:], "E4M3")
    half = run.spacing[:-1] / 2
    even = before / run.spacing[:-1] % 2 == 0
    expected = (term < half) | ((term == half) & even) | (before == 448)
    np.testing.assert_array_equal(run.ignored[1:], expected)


def test_subtraction_below_a_power_of_two_meets_half_the_spacing():
    # Half of the spacing at 16 is 1, yet 15.25 is nearer to 15: steps below a power of two are half as long.
    run = running_sum(np.array([16.0, -0.75]), "E4M3")
    assert (run.final, run.ignored.any()) == (15.0, False)


def test_fp32_adds_strictly_one_after_the_other():
    total, expected = np.float32(0), []
    for term in terms("golden", 1024).astype(np.float32):
        total += term
        expected.append(float(total))
    assert running_sum(terms("golden", 1024), "FP32").partial.tolist() == expected


@given(addends=st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=200))
@example_budget
def test_fp32_sum_stays_within_its_error_bound(addends):
    # Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., eq. 4.4: n·u/(1 - n·u) · Σ|x|. One
    # more u is for rounding the terms, which below the smallest normal costs half a step each instead.
    run, n, u = running_sum(np.array(addends), "FP32"), len(addends), 2.0**-24
    bound = (n + 1) * u / (1 - (n + 1) * u) * np.abs(addends).sum() + n * 2.0**-150
    exact = sum(Fraction(a) for a in addends)
    assert abs(Fraction(run.final) - exact) <= Fraction(bound)


# --- sequences and summaries


@given(kind=st.sampled_from(KINDS), count=st.integers(1, 500), more=st.integers(0, 500))
@example_budget
def test_longer_sequence_begins_with_the_shorter_one(kind, count, more):
    np.testing.assert_array_equal(terms(kind, count + more)[:count], terms(kind, count))


@pytest.mark.parametrize("accumulator", ACCUMULATORS)
def test_running_sum_of_a_longer_sequence_begins_with_that_of_the_shorter(accumulator):
    shorter, longer = (running_sum(terms("gaussian", n), accumulator) for n in (256, 1024))
    np.testing.assert_array_equal(longer.partial[:256], shorter.partial)


def test_golden_sequence_covers_its_interval_evenly():
    sequence = terms("golden", 1024)
    assert sequence.min() >= 0.05 and sequence.max() < 1.95
    assert np.histogram(sequence, 8, (0.05, 1.95))[0] == pytest.approx(np.full(8, 128), abs=2)


def test_gaussian_products_have_the_moments_of_two_independent_normals():
    products = terms("gaussian", 4096)
    assert abs(products.mean()) < 4 / np.sqrt(4096)  # standard error of a unit variance
    assert products.var() == pytest.approx(1, abs=4 * np.sqrt(8 / 4096))  # fourth moment 3 · 3, so var(x²) = 8


@pytest.mark.parametrize(("kind", "count"), tuple(itertools.product(KINDS, COUNTS)))
def test_every_choice_gives_finite_results(kind, count):
    for accumulator, promote in itertools.product(ACCUMULATORS, PROMOTE):
        run = running_sum(terms(kind, count), accumulator, promote)
        shown = values(run)
        assert all(type(value) in (float, int) and np.isfinite(value) for value in shown.values())
        assert 1 <= shown["stuck_after"] <= count and shown["ignored"] <= count
        assert shown["error"] < 100


def test_values_of_the_opening_figure_are_those_of_the_golden_row():
    shown = values(running_sum(terms("golden", 64), "E4M3"))
    # By hand: in [32, 64) E4M3 steps by 2^(5 - 3) = 4, and half of that exceeds every term.
    assert (shown["sum"], shown["spacing"]) == (32.0, 4.0)
    assert shown["ignored"] >= 64 - shown["stuck_after"]
    assert list(shown) == ["sum", "exact", "error", "spacing", "stuck_after", "ignored"]


def test_terms_that_are_all_too_small_never_change_the_sum():
    run = running_sum(np.full(3, 1e-6), "E4M3")
    assert (run.final, run.stuck_after, run.error) == (0.0, 0, 100.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: terms("golden", 0), "count must be at least 1"),
        (lambda: terms("uniform", 4), "expected one of golden, ones, gaussian"),
        (lambda: spacing(1.0, "FP4"), "expected one of E4M3, FP16, FP32, E5M2, BF16, Hopper"),
        (lambda: rounded(1.0, "FP4"), "unknown accumulator 'FP4'"),
        (lambda: running_sum(np.ones(4), "FP4"), "unknown accumulator 'FP4'"),
        (lambda: running_sum(np.ones(4), "Hopper", 48), "positive multiple of 32, not 48"),
        (lambda: running_sum(np.ones(4), "Hopper", 0), "positive multiple of 32, not 0"),
        (lambda: running_sum(np.ones((2, 2)), "FP16"), "one-dimensional"),
        (lambda: running_sum(np.array([]), "FP16"), "at least one"),
        (lambda: running_sum(np.array([np.nan]), "E4M3"), "finite"),
    ],
)
def test_impossible_requests_are_refused_with_a_reason(call, message):
    with pytest.raises(ValueError, match=message):
        call()
