"""Formats: all codes up to 16 bits, dense samples beyond, against ml_dtypes, numpy and gfloat."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes._formats.floats import FLOATS, decoded, encoded, fields, finite_values, rounded, spacing

LISTED = [name for name, fmt in FLOATS.items() if fmt.bits <= 16]
CAST = [name for name, fmt in FLOATS.items() if fmt.dtype]
GFLOAT = {"E5M2": "ocp_e5m2", "E4M3": "ocp_e4m3", "E3M2": "ocp_e3m2", "E2M3": "ocp_e2m3", "E2M1": "ocp_e2m1"}
GFLOAT |= {"BF16": "bfloat16", "FP16": "binary16"}


def every_code(name):
    return np.arange(2 ** FLOATS[name].bits)


def typed(name):
    """The values of all codes as the format's own type reads them."""
    dtype = FLOATS[name].dtype
    with np.errstate(invalid="ignore"):  # signalling NaNs
        return every_code(name).astype(f"u{np.dtype(dtype).itemsize}").view(dtype).astype(np.float64)


def cast(values, name):
    """Clipped, and cast by the library that is the oracle; the values must be float32."""
    largest = np.float32(FLOATS[name].largest)
    with np.errstate(under="ignore"):
        return np.clip(values, -largest, largest).astype(FLOATS[name].dtype).astype(np.float64)


def wide_sample(name, count=200_000):
    """Float32 numbers over all of the format's binades and a little beyond, both signs."""
    fmt, rng = FLOATS[name], np.random.default_rng(3)
    low, high = np.log2(fmt.smallest) - 2, min(np.log2(fmt.largest) + 2, 127.9)
    size = 2.0 ** rng.uniform(max(low, -148), high, count)
    return (size * rng.choice([-1, 1], count)).astype(np.float32)


@pytest.mark.parametrize("name", LISTED)
def test_every_code_means_what_the_library_says(name):
    np.testing.assert_array_equal(decoded(every_code(name), name), typed(name))


@pytest.mark.parametrize(("name", "theirs"), GFLOAT.items())
def test_every_code_means_what_a_second_library_says(name, theirs):
    gfloat = pytest.importorskip("gfloat")
    formats = pytest.importorskip("gfloat.formats")
    info = getattr(formats, f"format_info_{theirs}")
    wanted = [gfloat.decode_float(info, int(code)).fval for code in every_code(name)]
    np.testing.assert_array_equal(decoded(every_code(name), name), wanted)


@pytest.mark.parametrize("name", LISTED)
def test_a_value_s_code_is_the_code_it_came_from(name):
    values = typed(name)
    real = np.isfinite(values)
    np.testing.assert_array_equal(encoded(values[real], name), every_code(name)[real])


def test_fp32_and_tf32_read_their_codes_as_numpy_does():
    rng = np.random.default_rng(5)
    codes = np.concatenate([rng.integers(0, 2**32, 100_000), np.arange(4096), np.arange(0, 2**32, 2**20)])
    short = np.unique(codes >> 13)
    with np.errstate(invalid="ignore"):  # signalling NaNs
        whole, wide = (some.astype(np.uint32).view(np.float32).astype(float) for some in (codes, short << 13))
    np.testing.assert_array_equal(decoded(codes, "FP32"), whole)
    np.testing.assert_array_equal(decoded(short, "TF32"), wide)
    real = np.isfinite(wide)
    np.testing.assert_array_equal(encoded(wide[real], "TF32"), short[real])


@pytest.mark.parametrize("name", LISTED)
def test_rounding_equals_the_library_s_at_every_value_every_midpoint_and_just_beside_them(name):
    values = np.append(finite_values(name), FLOATS[name].largest)
    middles = (values[1:] + values[:-1]) / 2
    with np.errstate(under="ignore"):
        spots = np.concatenate([values, middles]).astype(np.float32)
    beside = [np.nextafter(spots, np.float32(limit)) for limit in (-3e38, 3e38)]
    spots = np.concatenate([spots, *beside])
    np.testing.assert_array_equal(rounded(spots, name), cast(spots, name))


@pytest.mark.parametrize("name", CAST)
def test_rounding_equals_the_library_s_on_numbers_of_all_sizes(name):
    numbers = wide_sample(name)
    np.testing.assert_array_equal(rounded(numbers, name), cast(numbers, name))


@pytest.mark.parametrize("name", FLOATS)
@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=8))
def test_rounding_is_idempotent_odd_and_keeps_order(name, numbers):
    numbers = np.sort(numbers)
    once = rounded(numbers, name)
    np.testing.assert_array_equal(rounded(once, name), once)
    np.testing.assert_array_equal(rounded(-numbers, name), -once)
    assert (np.diff(once) >= 0).all()
    assert (
        np.abs(once - np.clip(numbers, -FLOATS[name].largest, FLOATS[name].largest)) <= spacing(numbers, name) / 2
    ).all()


# Facts of the specifications: OFP8 1.0, tables 1 and 2; MX v1.0, tables 2 to 6; IEEE 754-2019, table 3.5.
@pytest.mark.parametrize(("name", "bits", "largest", "normal", "smallest", "finite", "no_number"), [
    ("FP32", 32, (2 - 2**-23) * 2.0**127, 2.0**-126, 2.0**-149, None, None),
    ("TF32", 19, (2 - 2**-10) * 2.0**127, 2.0**-126, 2.0**-136, None, None),
    ("BF16", 16, (2 - 2**-7) * 2.0**127, 2.0**-126, 2.0**-133, 65_279, 254),
    ("FP16", 16, 65504, 2.0**-14, 2.0**-24, 63_487, 2046),
    ("E5M2", 8, 57344, 2.0**-14, 2.0**-16, 247, 6),
    ("E4M3", 8, 448, 2.0**-6, 2.0**-9, 253, 2),
    ("E3M2", 6, 28, 0.25, 0.0625, 63, 0),
    ("E2M3", 6, 7.5, 1, 0.125, 63, 0),
    ("E2M1", 4, 6, 1, 0.5, 15, 0),
])  # fmt: skip
def test_each_format_has_the_constants_of_its_specification(name, bits, largest, normal, smallest, finite, no_number):
    fmt = FLOATS[name]
    assert (fmt.bits, fmt.largest, fmt.smallest_normal, fmt.smallest) == (bits, largest, normal, smallest)
    if finite:
        assert finite_values(name).size == finite
        assert np.isnan(decoded(every_code(name), name)).sum() == no_number
        assert finite_values(name)[-1] == largest


def test_fields_take_a_code_apart():
    assert [int(part) for part in fields(0b1_0111_101, "E4M3")] == [1, 7, 5]


def test_beyond_the_largest_value_numbers_are_clipped_and_infinity_too():
    np.testing.assert_array_equal(rounded([1e9, -np.inf, 464.01], "E4M3"), [448, -448, 448])


@pytest.mark.parametrize(("call", "message"), [
    (lambda: rounded([1.0, np.nan], "E4M3"), "not every format has NaN"),
    (lambda: rounded([1.0], "E9M9"), "unknown format 'E9M9', expected one of FP32"),
    (lambda: decoded([256], "E4M3"), "one of 0 … 255"),
    (lambda: decoded([-1], "E2M1"), "one of 0 … 15"),
    (lambda: finite_values("FP32"), "too many values to list"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
