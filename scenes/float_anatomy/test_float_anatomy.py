"""What bits spell: every code up to 16 bits against two libraries, dense samples of FP32 and TF32 against numpy."""

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes._formats.floats import FLOATS
from scenes.float_anatomy.model import CODES, NUMBERS, parts, read, spelled
from scenes.float_anatomy.nearest import FORMATS, SMALL, everywhere, nearest, overflows, special_counts

TYPES = {
    "E2M1": ml_dtypes.float4_e2m1fn, "E2M3": ml_dtypes.float6_e2m3fn, "E3M2": ml_dtypes.float6_e3m2fn,
    "E4M3": ml_dtypes.float8_e4m3fn, "E5M2": ml_dtypes.float8_e5m2, "FP16": np.float16, "BF16": ml_dtypes.bfloat16,
}  # fmt: skip
GFLOAT = {"E5M2": "ocp_e5m2", "E4M3": "ocp_e4m3", "E3M2": "ocp_e3m2", "E2M3": "ocp_e2m3", "E2M1": "ocp_e2m1"}
GFLOAT |= {"BF16": "bfloat16", "FP16": "binary16"}
BITS = {"E2M1": 4, "E2M3": 6, "E3M2": 6, "E4M3": 8, "E5M2": 8, "FP16": 16, "BF16": 16}
example_budget = settings(max_examples=100, deadline=None, derandomize=True)


def each(name, codes):
    return read(FLOATS[name], list(codes), [0.0] * len(codes))


def checked(found, wanted):
    """The three parts of finite values multiply to what the library says, exactly; the rest is ∞ or NaN as there."""
    real = np.isfinite(wanted)
    np.testing.assert_array_equal(found.value, wanted)
    np.testing.assert_array_equal(np.signbit(found.value[real]), np.signbit(wanted[real]))
    np.testing.assert_array_equal(np.ldexp(found.significand, found.power)[real], np.abs(wanted[real]))
    np.testing.assert_array_equal(found.fields[0][real], np.signbit(wanted[real]))
    assert (found.kind == "nan").tolist() == np.isnan(wanted).tolist()
    assert (found.kind == "infinite").tolist() == np.isinf(wanted).tolist()
    assert (found.kind == "zero").tolist() == (wanted == 0).tolist()


@pytest.mark.parametrize("name", TYPES)
def test_sign_power_and_mantissa_of_every_code_multiply_to_the_library_s_value(name):
    codes = np.arange(2 ** BITS[name])
    with np.errstate(invalid="ignore"):  # signalling NaNs
        wanted = codes.astype(f"u{np.dtype(TYPES[name]).itemsize}").view(TYPES[name]).astype(float)
    found = parts(codes, name)
    checked(found, wanted)
    tiny = float(ml_dtypes.finfo(TYPES[name]).smallest_normal)
    assert (found.kind == "subnormal").tolist() == ((wanted != 0) & (np.abs(wanted) < tiny)).tolist()
    for one in each(name, codes[:: max(1, len(codes) // 2048)]):
        assert (one.power, one.significand) == (found.power[one.code], found.significand[one.code])
        assert one.kind == found.kind[one.code]


@pytest.mark.parametrize(("name", "theirs"), GFLOAT.items())
def test_every_code_is_taken_apart_as_by_a_second_library(name, theirs):
    gfloat, formats = pytest.importorskip("gfloat"), pytest.importorskip("gfloat.formats")
    info = getattr(formats, f"format_info_{theirs}")
    kinds = {"ZERO": "zero", "SUBNORMAL": "subnormal", "NORMAL": "normal", "INFINITE": "infinite", "NAN": "nan"}
    found = parts(np.arange(2 ** BITS[name]), name)
    for code in range(2 ** BITS[name]):
        other = gfloat.decode_float(info, code)
        assert kinds[other.fclass.name] == found.kind[code], code
        assert other.fval == found.value[code] or found.kind[code] == "nan"
        assert (other.signbit, other.exp, other.significand) == tuple(found.fields[:, code])
        if found.kind[code] in ("normal", "subnormal"):
            assert (other.expval, other.fsignificand) == (found.power[code], found.significand[code])


def wide_codes():
    """FP32 codes: random ones, all exponents at both ends of the mantissa, and the subnormals nearest to zero."""
    rng, exponents = np.random.default_rng(8), np.arange(256) << 23
    ends = [exponents + offset for offset in (0, 1, 2, 2**22, 2**23 - 2, 2**23 - 1)]
    codes = np.concatenate([rng.integers(0, 2**31, 4000), *ends, np.arange(300), rng.integers(1, 2**23, 500)])
    return np.concatenate([codes, codes + 2**31])


@pytest.mark.parametrize(("name", "shift"), [("FP32", 0), ("TF32", 13)])
def test_wide_codes_are_read_as_numpy_reads_their_bits(name, shift):
    codes = np.unique(wide_codes() >> shift)
    with np.errstate(invalid="ignore"):
        wanted = (codes << shift).astype(np.uint32).view(np.float32).astype(float)
    found = parts(codes, name)
    checked(found, wanted)
    subnormal = (wanted != 0) & (np.abs(wanted) < np.finfo(np.float32).smallest_normal)
    assert (found.kind == "subnormal").tolist() == subnormal.tolist()


@pytest.mark.parametrize("name", ["E2M1", "E2M3", "E3M2", "E4M3", "E5M2", "FP16"])
def test_neighbours_are_the_ones_beside_it_in_the_sorted_list_of_all_values(name):
    values = parts(np.arange(2 ** BITS[name]), name).value
    ordered = sorted(set(values[np.isfinite(values)].tolist()))
    place = {value: index for index, value in enumerate(ordered)}
    for one in each(name, range(0, 2 ** BITS[name], 41 if name == "FP16" else 1)):
        if not one.finite:
            assert one.neighbours == (None, None)
            continue
        at = place[one.value]
        below = ordered[at - 1] if at else None
        above = ordered[at + 1] if at + 1 < len(ordered) else None
        assert one.neighbours == (below, above), one


def test_neighbours_and_spacing_of_fp32_are_numpy_s():
    for one in each("FP32", wide_codes()[::5]):
        if not one.finite:
            continue
        single = np.float32(one.value)
        with np.errstate(over="ignore"):
            sides = [float(np.nextafter(single, np.float32(end))) for end in (-np.inf, np.inf)]
        assert one.neighbours == tuple(side if math.isfinite(side) else None for side in sides)
        if one.value and abs(one.value) < FLOATS["FP32"].largest:
            assert one.spacing == abs(float(np.spacing(single)))


# facts/formats.md section 1: finite values (±0 once), codes of ∞, codes of NaN.
@pytest.mark.parametrize(("name", "finite", "infinities", "nans"), [
    ("FP32", 4_278_190_079, 2, 16_777_214),
    ("BF16", 65_279, 2, 254),
    ("FP16", 63_487, 2, 2_046),
    ("E5M2", 247, 2, 6),
    ("E4M3", 253, 0, 2),
    ("E3M2", 63, 0, 0),
    ("E2M3", 63, 0, 0),
    ("E2M1", 15, 0, 0),
])  # fmt: skip
def test_special_values_are_counted_as_the_specifications_do(name, finite, infinities, nans):
    assert special_counts(name) == {"finite": finite, "infinities": infinities, "nans": nans}


@pytest.mark.parametrize("name", BITS)
def test_special_values_are_counted_as_there_are_codes(name):
    found, counts = parts(np.arange(2 ** BITS[name]), name), special_counts(name)
    kinds = found.kind.tolist()
    assert (kinds.count("infinite"), kinds.count("nan")) == (counts["infinities"], counts["nans"])
    assert len(set(found.value[np.isfinite(found.value)].tolist())) == counts["finite"]


@pytest.mark.parametrize("name", BITS)
@example_budget
@given(st.floats(-1e6, 1e6) | st.floats(-2.0, 2.0) | st.floats(-1e-6, 1e-6))
def test_no_value_of_a_format_is_nearer_than_the_one_that_is_shown(name, number):
    found = nearest([number], name)[0]
    fmt = FLOATS[name]
    sides = [side for side in read(fmt, [found.code], [number])[0].neighbours if side is not None]
    off = abs(Fraction(found.value) - Fraction(number))
    assert all(off <= abs(Fraction(side) - Fraction(number)) for side in sides)
    if found.verdict != "overflow" and any(off == abs(Fraction(side) - Fraction(number)) for side in sides):
        assert found.code % 2 == 0 or abs(number) > fmt.largest  # ties to even
    assert (found.verdict == "exact") == (off == 0)
    assert (found.verdict == "zero") == (found.value == 0 != number)
    if number:
        assert found.error == pytest.approx(float(off / abs(Fraction(number))), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("name", ["E5M2", "FP16", "BF16"])
@example_budget
@given(st.floats(0.5, 2.5), st.sampled_from([-1, 1]))
def test_a_number_overflows_where_the_library_s_cast_gives_infinity(name, times, sign):
    number = np.float32(sign * min(times * FLOATS[name].largest, float(np.finfo(np.float32).max)))
    with np.errstate(over="ignore"):
        cast = float(number.astype(TYPES[name]))
    assert overflows(float(number), FLOATS[name]) == math.isinf(cast)


# facts/formats.md section 1: FP16 overflows at 65,520 and not before; E4M3 keeps 464, a tie, and nothing above it.
@pytest.mark.parametrize(("name", "number", "over"), [
    ("FP16", 65519.99, False), ("FP16", 65520.0, True), ("E4M3", 464.0, False), ("E4M3", 464.01, True),
    ("E2M1", 6.5, False), ("E2M1", 7.0, True),
])  # fmt: skip
def test_overflow_begins_half_a_step_above_the_largest_value(name, number, over):
    assert overflows(number, FLOATS[name]) is over
    assert overflows(-number, FLOATS[name]) is over


# facts/formats.md section 1: 2^−25 is a tie in FP16 and becomes 0; 65,504 is its largest; 1e-8 is below 2^−25.
def test_wide_numbers_end_where_the_formats_do():
    verdicts = {near.fmt.name: near.verdict for near in everywhere([65504.0])[0]}
    assert verdicts == dict.fromkeys(["FP16", "TF32", "FP32"], "exact") | {"BF16": "rounded"} | dict.fromkeys(
        SMALL, "overflow")  # fmt: skip
    assert nearest([65504.0], "BF16")[0].value == 65536
    assert [near.verdict for near in nearest([2.0**-25, 1e-8], "FP16")] == ["zero", "zero"]
    assert nearest([16777217.0], "FP32")[0].value == 16777216


def test_infinity_nan_and_the_two_zeros_have_the_codes_of_the_types():
    for name in FORMATS:
        for number in (math.inf, -math.inf, math.nan, 0.0, -0.0):
            found = nearest([number], name)[0]
            has = FLOATS[name].nan if math.isnan(number) else FLOATS[name].infinite or math.isfinite(number)
            assert (found.code is not None) == has
            if has:
                one = read(FLOATS[name], [found.code], [number])[0]
                assert one.value == number or (math.isnan(number) and one.kind == "nan")
                assert math.isnan(number) or one.negative == (math.copysign(1, number) < 0)


@pytest.mark.parametrize("name", [name for name in FORMATS if FLOATS[name].bits not in CODES])
def test_a_picked_number_is_written_with_the_bits_of_the_cast(name):
    for label, number in NUMBERS.items():
        one = spelled(name, number=label)
        wanted = number(FLOATS[name])
        if name == "TF32" or overflows(wanted, FLOATS[name]):
            continue
        dtype = TYPES.get(name, np.float32)
        with np.errstate(all="ignore"):
            bits = np.array([wanted], dtype=np.float64).astype(dtype).view(f"u{np.dtype(dtype).itemsize}")[0]
        assert one.code == int(bits), label


@pytest.mark.parametrize(("call", "message"), [
    (lambda: spelled("E9M9"), "unknown format 'E9M9'"),
    (lambda: spelled("FP16", number="e"), "unknown number 'e', expected one of π"),
    (lambda: spelled("E4M3", code8=256), "one of 0 … 255"),
    (lambda: nearest([1.0], "INT8"), "unknown format 'INT8'"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
