"""Check values and gaps against ml_dtypes, gfloat, numpy and plain fractions, and the facts of the formats."""

import bisect
import itertools
import math
import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.number_line.model import NAMES, Pair, number_format, pair

FLOATS = tuple(name for name in NAMES if not name.startswith("INT"))
SHAPES = {"E2M1": (2, 1), "E2M3": (2, 3), "E3M2": (3, 2), "E4M3": (4, 3), "E5M2": (5, 2), "FP16": (5, 10),
          "BF16": (8, 7)}  # fmt: skip
example_budget = settings(max_examples=100, deadline=None, derandomize=True)


def by_formula(name):
    """Oracle: every code from 0 up by the formula of formats.md section 1, in fractions; special codes left out."""
    exponent_bits, mantissa_bits = SHAPES[name]
    bias, parts = 2 ** (exponent_bits - 1) - 1, 2**mantissa_bits
    ieee = name in ("E5M2", "FP16", "BF16")
    for exponent, mantissa in itertools.product(range(2**exponent_bits), range(parts)):
        if ieee and exponent == 2**exponent_bits - 1:
            continue  # infinity and NaN
        if name == "E4M3" and exponent == 15 and mantissa == 7:
            continue  # 0x7F, its only NaN
        if exponent:
            yield Fraction(2) ** (exponent - bias) * (1 + Fraction(mantissa, parts))
        else:
            yield Fraction(2) ** (1 - bias) * Fraction(mantissa, parts)


# formats.md section 1: bits, largest, smallest normal, smallest, distinct finite values, gap at 1.
@pytest.mark.parametrize(
    ("name", "bits", "largest", "normal", "smallest", "count", "at_one"),
    [
        ("E2M1", 4, 6, 1.0, 0.5, 15, 0.5),
        ("E2M3", 6, 7.5, 1.0, 0.125, 63, 0.125),
        ("E3M2", 6, 28, 0.25, 0.0625, 63, 0.25),
        ("E4M3", 8, 448, 0.015625, 0.001953125, 253, 0.125),
        ("E5M2", 8, 57344, 2**-14, 2**-16, 247, 0.25),
        ("FP16", 16, 65504, 2**-14, 2**-24, 63487, 2**-10),
        ("BF16", 16, 3.3895314e38, 2**-126, 2**-133, 65279, 2**-7),
        ("INT4", 4, 7, 1, 1, 16, 1),
        ("INT8", 8, 127, 1, 1, 256, 1),
    ],
)
def test_formats_have_the_published_ends_counts_and_steps(name, bits, largest, normal, smallest, count, at_one):
    fmt = number_format(name)
    assert (fmt.bits, fmt.smallest_normal, fmt.smallest) == (bits, normal, smallest)
    assert fmt.largest == pytest.approx(largest, rel=1e-8)
    assert len(number_format(name).values) == count
    assert number_format(name).gap(1.0) == at_one


@pytest.mark.parametrize("name", FLOATS)
def test_all_codes_decode_as_in_ml_dtypes(name):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    dtype = {"E2M1": "float4_e2m1fn", "E2M3": "float6_e2m3fn", "E3M2": "float6_e3m2fn", "E4M3": "float8_e4m3fn",
             "E5M2": "float8_e5m2", "BF16": "bfloat16"}.get(name)  # fmt: skip
    bits = number_format(name).bits
    codes = np.arange(2**bits, dtype=np.uint16 if bits > 8 else np.uint8)
    with np.errstate(invalid="ignore"):  # widening a signalling NaN raises the flag
        decoded = codes.view(getattr(ml_dtypes, dtype) if dtype else np.float16).astype(np.float64)
    finite = decoded[np.isfinite(decoded)]
    assert number_format(name).values.tolist() == sorted({value + 0.0 for value in finite.tolist()})
    assert number_format(name).uses["special"] == 2**bits - len(finite)


@pytest.mark.parametrize("name", FLOATS)
def test_all_codes_decode_as_in_gfloat(name):
    gfloat = pytest.importorskip("gfloat")
    formats = pytest.importorskip("gfloat.formats")
    own = {"FP16": "format_info_binary16", "BF16": "format_info_bfloat16"}
    info = getattr(formats, own.get(name, f"format_info_ocp_{name.lower()}"))
    decoded = np.asarray(gfloat.decode_ndarray(info, np.arange(2 ** number_format(name).bits)))
    assert number_format(name).values.tolist() == sorted(
        {value + 0.0 for value in decoded[np.isfinite(decoded)].tolist()}
    )


@pytest.mark.parametrize("name", FLOATS)
def test_values_from_zero_follow_the_formula_exactly(name):
    assert [Fraction(value) for value in number_format(name).from_zero.tolist()] == list(by_formula(name))


def test_integers_are_those_of_two_s_complement():
    assert number_format("INT8").values.tolist() == sorted(struct.unpack("256b", bytes(range(256))))
    assert number_format("INT4").values.tolist() == list(range(-8, 8))


@pytest.mark.parametrize(("name", "each", "below", "held"), [("E4M3", 8, 56, 127), ("E5M2", 4, 60, 124)])
def test_density_is_that_of_the_facts(name, each, below, held):
    # formats.md section 1, density: values per power of two, and how many of those from 0 up lie below 1.
    values = number_format(name).from_zero
    assert number_format(name).per_power[0] == each
    assert (int((values < 1).sum()), len(values)) == (below, held)


def test_top_power_of_two_of_e4m3_lacks_the_code_of_its_nan():
    normal = {power: held for power, held in number_format("E4M3").per_power.items() if power >= -6}
    assert normal.pop(8) == 7
    assert set(normal.values()) == {8}


def test_lists_of_the_small_formats_are_those_of_the_facts():
    assert number_format("E2M1").from_zero.tolist() == [0, 0.5, 1, 1.5, 2, 3, 4, 6]
    assert number_format("E3M2").from_zero[-7:].tolist() == [10, 12, 14, 16, 20, 24, 28]
    assert number_format("E2M3").from_zero.tolist() == [
        *np.arange(0, 2, 0.125),
        *np.arange(2, 4, 0.25),
        *np.arange(4, 8, 0.5),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_gaps_are_the_differences_of_neighbours(name):
    values = number_format(name).from_zero
    assert number_format(name).gap(values[:-1]).tolist() == np.diff(values).tolist()


def test_gaps_of_fp16_are_numpy_s():
    values = number_format("FP16").from_zero[:-1]
    assert number_format("FP16").gap(values).tolist() == np.spacing(values.astype(np.float16)).astype(float).tolist()


@given(name=st.sampled_from(FLOATS), data=st.data())
@example_budget
def test_gap_doubles_at_every_power_of_two_and_nowhere_else(name, data):
    values, fmt = number_format(name).from_zero, number_format(name)
    place = data.draw(st.integers(1, len(values) - 2))
    before, after = (float(number_format(name).gap(values[at])) for at in (place - 1, place))
    is_power = math.frexp(values[place])[0] == 0.5
    doubles = is_power and values[place] > fmt.smallest_normal
    assert after == (2 * before if doubles else before)


@given(name=st.sampled_from(FLOATS), data=st.data())
@example_budget
def test_relative_gap_of_normal_values_keeps_within_a_factor_of_two(name, data):
    values, mantissa = number_format(name).from_zero, SHAPES[name][1]
    normal = values[values >= number_format(name).smallest_normal]
    value = data.draw(st.sampled_from(range(len(normal))))
    share = float(number_format(name).relative_gap(normal[value]))
    assert 2.0 ** -(mantissa + 1) < share <= 2.0**-mantissa
    least, most = number_format(name).relative_extent
    assert least <= share <= most == 2.0**-mantissa


@pytest.mark.parametrize("name", ["INT4", "INT8"])
def test_relative_gap_of_an_integer_is_one_over_the_value(name):
    values = number_format(name).from_zero[1:]
    assert number_format(name).relative_gap(values).tolist() == [1 / value for value in values.tolist()]
    assert number_format(name).relative_extent == (1 / number_format(name).largest, 1.0)
    assert list(number_format(name).per_power.values()) == [2**k for k in range(number_format(name).bits - 1)]


@given(name=st.sampled_from(NAMES))
@example_budget
def test_every_code_is_counted_once(name):
    uses, values = number_format(name).uses, number_format(name).values
    assert sum(uses.values()) == 2 ** number_format(name).bits
    assert uses["negative"] + uses["below one"] + uses["one up"] + 1 == len(values)
    assert uses["special"] == {"E4M3": 2, "E5M2": 8, "FP16": 2048, "BF16": 256}.get(name, 0)


def both(first, second):
    return Pair(number_format(first), number_format(second))


@given(first=st.sampled_from(NAMES), second=st.sampled_from(NAMES), share=st.floats(0.001, 0.999), power=st.booleans())
@example_budget
def test_finer_agrees_with_neighbours_found_by_search(first, second, share, power):
    top = min(number_format(name).from_zero[-1] for name in (first, second))
    value = top * share if not power else top * 2.0 ** (-20 * share)

    def between(name):
        values = number_format(name).from_zero.tolist()
        at = bisect.bisect_right(values, value)
        return values[at] - values[at - 1]

    which = next(which for which, low, high in both(first, second).finer() if low <= value < high)
    assert which == (between(first) > between(second)) - (between(first) < between(second))


@given(first=st.sampled_from(NAMES), second=st.sampled_from(NAMES))
@example_budget
def test_runs_of_finer_gaps_join_without_holes_and_turn_with_the_formats(first, second):
    runs = both(first, second).finer()
    top = min(number_format(name).largest for name in (first, second))
    assert (runs[0][1], runs[-1][2]) == (0, top)
    assert all(a[2] == b[1] and a[0] != b[0] for a, b in itertools.pairwise(runs))
    assert both(second, first).finer() == [(-which, low, high) for which, low, high in runs]


def test_e4m3_is_finer_than_int8_below_8_and_coarser_from_16():
    assert both("E4M3", "INT8").finer() == [(-1, 0, 8), (0, 8, 16), (1, 16, 127)]
    assert both("INT8", "INT8").finer() == [(0, 0, 127)]


def test_what_is_no_format_value_pair_or_window_is_refused():
    with pytest.raises(ValueError, match=r"a format is one of E2M1, .*, not 'FP7'"):
        number_format("FP7")
    with pytest.raises(ValueError, match="only a value above 0"):
        number_format("E4M3").relative_gap(np.array([1.0, 0.0]))
    with pytest.raises(ValueError, match=r"formats are one of .*, not 'E4M3'"):
        pair("E4M3", 1.0)
    with pytest.raises(ValueError, match="a window ends above 0, not at -1"):
        pair("E4M3 and INT8", -1.0)


def test_numbers_in_a_window_are_those_from_0_to_below_its_end():
    assert pair("E4M3 and INT8", 1.0).inside == (56, 1)
    assert pair("E4M3 and INT8", 128.0).inside == (112, 128)
    assert pair("E2M1 and INT4", 65536.0).inside == (8, 8)
