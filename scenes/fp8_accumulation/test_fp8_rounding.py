"""Rounding to each format: every code, every midpoint, and independent oracles."""

import bisect
import itertools
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
    spacing,
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


def beside_midpoints(accumulator):
    middle = np.convolve(enumerated(accumulator), [0.5, 0.5], mode="valid")
    return np.concatenate([np.nextafter(middle, 0), middle, np.nextafter(middle, np.inf)])


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
