"""Check rounding and running sums against published tables, enumerated codes, fractions and other casts."""

import bisect
import itertools
import math
from fractions import Fraction
from functools import cache

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


@cache
def enumerated(accumulator):
    """Every finite value ≥ 0 in the order of its code, decoded by hand: an even index is an even mantissa."""
    exponent_bits, mantissa_bits, bias, largest = LAYOUTS[accumulator]
    codes = itertools.product(range(2**exponent_bits), range(2**mantissa_bits))
    decoded = (2.0 ** (max(e, 1) - bias) * ((e > 0) + m / 2**mantissa_bits) for e, m in codes)
    return [value for value in decoded if value <= largest]  # the codes above are infinity and NaN


def nearest(exact, accumulator):
    """Nearest enumerated value to a number of any precision, ties to the even code, clipped at the last."""
    magnitudes, magnitude = enumerated(accumulator), Fraction(abs(exact))
    above = bisect.bisect_left(magnitudes, magnitude)
    if above == len(magnitudes):
        above -= 1
    elif above:
        middle = (Fraction(magnitudes[above - 1]) + Fraction(magnitudes[above])) / 2
        above -= magnitude < middle or (magnitude == middle and above % 2 == 1)
    return magnitudes[above] * (-1 if exact < 0 else 1)


def cut(exact, bits, exponent):
    """Exact fraction cut towards zero to `bits` fraction bits of 2^exponent."""
    step = Fraction(2) ** (exponent - bits)
    return int(exact / step) * step


def binade(exact):
    return max(math.frexp(exact)[1] - 1, -126) if exact else -126


def tensor_core_sum(products, interval):
    """The Hopper toy of formats.md, section 8, in exact fractions, without any code of the model."""
    total = held = Fraction(0)
    for start in range(0, len(products), 32):
        addends = [held, *(Fraction(float(np.float32(p))) for p in products[start : start + 32])]
        top = max(binade(addend) for addend in addends)
        held = sum(cut(addend, 13, top) for addend in addends)
        held = cut(held, 13, binade(held))
        if (start + 32) % interval == 0 or start + 32 >= len(products):
            total, held = Fraction(float(np.float32(float(total + held)))), Fraction(0)
    return float(total)


def beside_midpoints(accumulator):
    middle = np.convolve(enumerated(accumulator), [0.5, 0.5], mode="valid")
    return np.concatenate([np.nextafter(middle, 0), middle, np.nextafter(middle, np.inf)])


# --- golden numbers


def test_golden_sequence_gives_the_published_table():
    # facts: golden/fp8-accumulation.json, rows and decimals as printed there
    rows = table_rows(terms("golden", 64))
    printed = [(label, bits, round(total, 1), round(error, 1)) for label, bits, total, error, *_ in rows[:3]]
    assert printed == [("FP8", 3, 32.0, 49.9), ("FP16", 10, 63.9, 0.0), ("FP32", 23, 63.9, 0.0)]
    assert running_sum(terms("golden", 64), "FP32").exact[-1] == pytest.approx(63.917390507597446, rel=1e-15)


def test_table_lists_one_row_per_accumulator_in_the_fixed_order():
    rows = table_rows(terms("golden", 64))
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
# the terms; 64.5 is by the brute-force oracle below, which gives 64 for unrounded terms.
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


# formats.md, section 8: percent lost by the toy on K products; the sheet does not say of what, but products
# of Gaussians in E4M3 give its numbers. Tolerance: half of the last printed digit; with signs the losses
# scatter around zero by 0.003, so that a mean over 40 trials adds as much again.
@pytest.mark.parametrize(
    ("count", "promote", "signed", "printed", "tolerance"),
    [
        (1024, "never", False, 1.5, 0.05),
        (4096, "never", False, 7.0, 0.05),
        (4096, 128, False, 0.06, 0.005),
        (4096, "never", True, 0.002, 0.001),
    ],
)
def test_hopper_toy_loses_what_the_facts_sheet_measured(count, promote, signed, printed, tolerance):
    rng, losses = np.random.default_rng(0), []
    for _ in range(40):
        a, b = rounded(rng.standard_normal((2, count)), "E4M3")
        products = a * b if signed else np.abs(a * b)
        run = running_sum(products, "Hopper", promote)
        losses.append(100 * abs(run.exact[-1] - run.final) / np.abs(products).sum())
    assert np.mean(losses) == pytest.approx(printed, abs=tolerance)


# --- rounding


@narrow
def test_rounding_leaves_every_code_as_it_is(accumulator):
    dtype = ACCUMULATORS[accumulator].dtype
    width = np.dtype(dtype).itemsize * 8
    with np.errstate(invalid="ignore"):  # signalling NaN
        decoded = np.arange(2**width, dtype=f"u{width // 8}").view(dtype).astype(np.float64)
    decoded = decoded[np.isfinite(decoded)]
    np.testing.assert_array_equal(rounded(decoded, accumulator), decoded)
    assert sorted(set(np.abs(decoded))) == enumerated(accumulator)


@narrow
def test_rounding_agrees_with_ml_dtypes_at_and_beside_every_midpoint(accumulator):
    fmt = ACCUMULATORS[accumulator]
    middle = np.convolve(enumerated(accumulator), [0.5, 0.5], mode="valid").astype(np.float32)
    samples = np.concatenate([np.nextafter(middle, np.float32(0)), middle, np.nextafter(middle, np.float32(np.inf))])
    cast = np.clip(samples, -fmt.largest, fmt.largest).astype(fmt.dtype).astype(np.float64)
    np.testing.assert_array_equal(rounded(samples.astype(np.float64), accumulator), cast)
    np.testing.assert_array_equal(rounded(-samples.astype(np.float64), accumulator), -cast)


@narrow
def test_rounding_finds_the_nearest_enumerated_value_beside_every_midpoint(accumulator):
    samples = beside_midpoints(accumulator)[:: 8 if accumulator in ("FP16", "BF16") else 1]
    assert rounded(samples, accumulator).tolist() == [nearest(x, accumulator) for x in samples.tolist()]


def test_a_number_just_above_a_midpoint_is_no_tie():
    # A cast of this float64 by ml_dtypes 0.6.0 goes through float32, sees a tie and answers 1.0.
    assert rounded(1 + 2.0**-4 + 2.0**-40, "E4M3") == 1.125


@narrow
@given(value=st.floats(allow_nan=False, allow_infinity=False))
@example_budget
def test_rounding_finds_the_nearest_enumerated_value_of_any_double(accumulator, value):
    assert rounded(value, accumulator) == nearest(value, accumulator)


@given(value=st.floats(-3.4e38, 3.4e38))
@example_budget
def test_rounding_to_fp32_agrees_with_a_cast_by_numpy(value):
    assert rounded(value, "FP32") == np.float32(value)


@narrow
def test_rounding_clips_at_the_largest_finite_value(accumulator):
    largest = LAYOUTS[accumulator][3]
    assert rounded(np.array([1e39, -1e39, 1.03 * largest]), accumulator).tolist() == [
        largest,
        -largest,
        largest,
    ]


@pytest.mark.parametrize("accumulator", ["E4M3", "E5M2"])
def test_rounding_agrees_with_torch_below_saturation(accumulator):
    torch = pytest.importorskip("torch")
    dtype = {"E4M3": torch.float8_e4m3fn, "E5M2": torch.float8_e5m2}[accumulator]
    largest = LAYOUTS[accumulator][3]
    spread = largest * np.random.default_rng(5).uniform(-1, 1, 50_000) ** 9
    samples = np.concatenate([spread, beside_midpoints(accumulator)]).astype(np.float32)
    cast = torch.tensor(samples.tolist(), dtype=torch.float32).to(dtype).to(torch.float64).tolist()
    assert rounded(samples.astype(np.float64), accumulator).tolist() == cast


# --- spacing and constants


@narrow
def test_spacing_is_the_gap_to_the_next_enumerated_value(accumulator):
    magnitudes = np.array(enumerated(accumulator))
    np.testing.assert_array_equal(spacing(magnitudes[:-1], accumulator), np.diff(magnitudes))
    np.testing.assert_array_equal(spacing(-magnitudes[:-1], accumulator), np.diff(magnitudes))


@given(value=st.floats(0, 2.0**127, width=32))
@example_budget
def test_spacing_of_fp32_agrees_with_numpy(value):
    assert spacing(value, "FP32") == np.spacing(np.float32(value))


@pytest.mark.parametrize("accumulator", [*LAYOUTS, "FP32"])
def test_constants_agree_with_ml_dtypes(accumulator):
    fmt, info = ACCUMULATORS[accumulator], ml_dtypes.finfo(ACCUMULATORS[accumulator].dtype)
    ours = (fmt.mantissa_bits, fmt.largest, fmt.smallest_normal)
    assert ours == (info.nmant, float(info.max), float(info.smallest_normal))


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


# --- Hopper


@given(
    addends=st.lists(wide, min_size=1, max_size=70) | st.lists(st.floats(0.5, 2), min_size=60, max_size=140),
    interval=st.sampled_from([32, 64, "never"]),
)
@example_budget
def test_hopper_toy_agrees_with_exact_fractions(addends, interval):
    scaled = np.array(addends) / 4096  # so that no sum overflows
    expected = tensor_core_sum(scaled.tolist(), len(addends) + 31 if interval == "never" else interval)
    assert running_sum(scaled, "Hopper", interval).final == expected


def test_hopper_toy_keeps_14_significant_bits():
    run = running_sum(np.array([1.0, 2.0**-13, 2.0**-14]), "Hopper")
    assert run.final == 1 + 2.0**-13  # cut, not rounded
    assert run.ignored.tolist() == [False, False, True]
    assert running_sum(np.array([1.0] + 4 * [2.0**-14]), "Hopper").final == 1.0  # two whole steps lost, in halves


def test_hopper_register_keeps_13_fraction_bits_when_a_sum_carries():
    # Two terms below 2 on a grid of 2^-13 add to 3.x, which has a grid of 2^-12.
    run = running_sum(np.array([1.5, 1.5 + 2.0**-13]), "Hopper")
    assert (run.final, run.spacing[-1]) == (3.0, 2.0**-12)


@given(seed=st.integers(0, 2**32 - 1), groups=st.integers(1, 40), interval=st.sampled_from(PROMOTE[:-1]))
@example_budget
def test_promotion_never_worsens_a_sum_of_terms_in_one_binade(seed, groups, interval):
    # In one binade the register's steps are no longer than those of the total, so nothing is cut from that.
    addends = np.random.default_rng(seed).uniform(1, 1.999, 32 * groups).astype(np.float32)
    never, promoted = (running_sum(addends, "Hopper", p) for p in ("never", interval))
    assert never.final <= promoted.final <= promoted.exact[-1]


def test_promotion_may_lose_when_terms_grow():
    # 0.75 + 0.25 fills a step of 8192 only if the two meet before it comes.
    addends = np.zeros(128)
    addends[[0, 64, 96]] = 0.75, 0.25, 8192
    assert [running_sum(addends, "Hopper", p).final for p in ("never", 64)] == [8193.0, 8192.75]


@pytest.mark.parametrize("count", COUNTS)
def test_promotion_helps_on_the_positive_sequence_more_the_shorter_the_interval(count):
    errors = [running_sum(terms("golden", count), "Hopper", p).error for p in ("32", "128", "never")]
    assert errors[0] < errors[1] <= errors[2]


def test_promotion_changes_no_other_accumulator():
    plain, promoted = (table_rows(terms("golden", 256), p) for p in ("never", 64))
    assert plain[:-1] == promoted[:-1] and plain[-1] != promoted[-1]


def test_spacing_of_hopper_restarts_with_its_register():
    steps = running_sum(terms("ones", 256), "Hopper", 128).spacing
    assert (steps[127], steps[128], steps[255]) == (2.0**-6, 2.0**-13, 2.0**-6)


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
