"""Numbers are written as a reader reads them, and an author's own wording is held to the model."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from loom.quantity import SCALED, agrees, quantity, significant, unbroken
from loom.scene import Value

example_budget = settings(max_examples=200, deadline=None, derandomize=True)
UNITS = ["", "%", "×", "tokens", *sorted(SCALED)]


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [
        (0, 3, "0"),
        (-0.0, 3, "0"),
        (7, 3, "7"),
        (-7, 3, "−7"),
        (131072, 3, "131,072"),
        (1e14, 3, "100,000,000,000,000"),
        (3.14159, 3, "3.14"),
        (3.14159, 5, "3.1416"),
        (31.4159, 3, "31.4"),
        (9.996, 3, "10.0"),
        (99.96, 3, "100"),
        (0.09996, 3, "0.100"),
        (1234.56, 3, "1,235"),
        (1234.56, 6, "1,234.56"),
        (0.1353352832, 3, "0.135"),
        (0.00012345, 3, "0.000123"),
        (-2.5, 3, "−2.50"),
        (1.5e-7, 3, "1.50\u00a0×\u00a010⁻⁷"),
        (math.inf, 3, "inf"),
    ],
)
def test_plain_numbers(value, digits, expected):
    assert significant(value, digits) == expected


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (68_719_476_736, "B", "68.7 GB"),  # golden/kv-cache.json, exact_gb: MHA
        (4_831_838_208, "B", "4.83 GB"),
        (3.35e12, "B/s", "3.35 TB/s"),
        (989e12, "FLOP/s", "989 TFLOP/s"),
        (1e9, "Hz", "1 GHz"),
        (0.0125, "s", "12.5 ms"),
        (2.5e-6, "s", "2.50 µs"),
        (4e-9, "s", "4 ns"),
        (64, "B", "64 B"),
        (-1500, "J", "−1.50 kJ"),
        (49.934, "%", "49.9%"),
        (14.22, "×", "14.2×"),
        (16, "tokens", "16\u00a0tokens"),
        (1500, "tokens", "1,500\u00a0tokens"),
        (1, "tokens", "1\u00a0token"),
        (1, "KV heads", "1\u00a0KV head"),
        (1, "passes", "1\u00a0pass"),
        (1, "queries", "1\u00a0query"),
        (1, "loss", "1\u00a0loss"),
        (1, "tokens/s", "1\u00a0tokens/s"),
        (0, "B", "0\u00a0B"),
        (12, "", "12"),
    ],
)
def test_quantities_take_a_prefix_where_their_unit_does(value, unit, expected):
    assert quantity(value, unit).replace("\u00a0", " ") == expected.replace("\u00a0", " ")


def test_value_reads_with_its_unit_and_digits():
    assert str(Value(14.053912, digits=5)) == "14.054"
    assert str(Value(3)) == "3"


@given(value=st.floats(1e-4, 1e12), digits=st.integers(1, 8))
@example_budget
def test_written_number_is_the_value_rounded(value, digits):
    written = float(significant(value, digits).replace(",", ""))
    assert abs(written - value) <= 10.0 ** (math.floor(math.log10(value)) + 1 - digits) / 2 * (1 + 1e-9) or (
        value >= 10**digits and abs(written - value) <= 0.5  # whole digits are never rounded away
    )


@given(
    value=st.floats(1e-8, 9.9e16) | st.integers(1, 10**12), sign=st.sampled_from([1, -1]), unit=st.sampled_from(UNITS)
)
@example_budget
def test_what_loom_writes_agrees_with_the_value(value, sign, unit):
    assert agrees(quantity(sign * value, unit), sign * value, unit)


@pytest.mark.parametrize(
    ("value", "unit"),
    [
        pytest.param(1.234e-7, "", id="exponent"),
        pytest.param(-3.4028e38, "", id="large exponent"),
        pytest.param(1.234e18, "B", id="beyond-peta"),  # quantity rounds to 1,230 PB, agrees wants every whole digit
    ],
)
def test_what_loom_writes_of_very_small_and_large_values_agrees_too(value, unit):
    assert agrees(quantity(value, unit), value, unit)


@pytest.mark.parametrize(("value", "unit", "expected"), [(999.6e9, "B", "1 TB"), (0.9999, "s", "1 s")])
def test_rounding_up_carries_into_the_next_prefix(value, unit, expected):
    assert quantity(value, unit).replace("\u00a0", " ") == expected


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("68.7 GB", 68_719_476_736, "B"),
        ("68.72 GB", 68_719_476_736, "B"),
        ("69 GB", 68_719_476_736, "B"),
        ("0.0687 TB", 68_719_476_736, "B"),
        ("68,719 MB", 68_719_476_736, "B"),
        ("about 69\u00a0GB of memory", 68_719_476_736, "B"),
        ("49.9 %", 49.934, "%"),
        ("50%", 49.934, "%"),
        ("14.2×", 14.222, "×"),
        ("131,072 tokens", 131072, "tokens"),
        ("1 token", 1, "tokens"),
        ("131 072", 131072, ""),
        ("−7.5", -7.5, ""),
        ("-7.5", -7.5, ""),
        ("1.5e-7", 1.5e-7, ""),
        ("2e3", 2400, ""),
        ("1.18 × 10⁻³⁸", 1.1754943508222875e-38, ""),
        ("3.4 × 10³⁸", 3.4028234663852886e38, ""),
        ("0.5", 0.45, ""),  # exactly between two
        ("3.35 TB/s", 3.35e12, "B/s"),
        ("32, says the model", 32, ""),
    ],
)
def test_number_rounded_to_the_digits_written_agrees(text, value, unit):
    assert agrees(text, value, unit)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("68.8 GB", 68_719_476_736, "B"),
        ("68 GB", 68_719_476_736, "B"),
        ("68.7 MB", 68_719_476_736, "B"),
        ("68.7", 68_719_476_736, "B"),
        ("68.7 GB/s", 68_719_476_736, "B"),
        ("70 GB", 68_719_476_736, "B"),
        ("49.9", 49.934, "%"),
        ("49.9 GB", 49.934, "%"),
        ("7.5", -7.5, ""),
        ("two", 2, ""),
        ("", 0, ""),
        ("1.4e-7", 1.5e-7, ""),
        ("3e3", 2400, ""),
        ("1e400", 2400, ""),
        ("1 × 10⁹⁹⁹", math.inf, ""),
        ("3, 4 tokens", 34, "tokens"),
        ("12,34 tokens", 1234, "tokens"),
        (f"1e{'9' * 5000}", 1e300, ""),
    ],
)
def test_other_number_or_unit_does_not_agree(text, value, unit):
    assert not agrees(text, value, unit)


@given(value=st.floats(0.01, 1e6), digits=st.integers(0, 6), off=st.integers(1, 50))
@example_budget
def test_number_that_is_off_by_a_last_digit_never_agrees(value, digits, off):
    written = round(value, digits) + off * 10.0**-digits
    assume(abs(written - value) > 10.0**-digits * 0.51)
    assert agrees(f"{value:.{digits}f}", value, "")
    assert not agrees(f"{written:.{digits}f}", value, "")


@pytest.mark.parametrize("text", ["10 %", "3.35 TB/s", "0.44 ms", "989 TFLOP/s", "4 kB", "2 ×", "64 bytes"])
def test_no_line_ends_between_a_number_and_its_unit(text):
    assert unbroken(f"It takes {text}, or more.") == f"It takes {text}, or more.".replace(
        text, text.replace(" ", "\xa0")
    )


@pytest.mark.parametrize("text", ["in 2024 more", "32 threads", "step 3 shows", "a B", "5 m8n8k4", "8 sums"])
def test_line_may_end_elsewhere(text):
    assert unbroken(text) == text
