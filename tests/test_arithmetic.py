"""Sums in prose are done again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.lint.claims import equations

HOLD = [
    "989 ÷ 3.35 = 295, so it waits",
    "That makes 2 × 4,096² = 33.6 million operations.",
    "4 × 8,192² × 128 = 34.4 GFLOP",
    "34.4 G ÷ (537 M + 8.4 M) = 63",
    "it takes 2 × 32 layers × 8 KV heads × 128 numbers × 2 bytes = 131,072 bytes",
    "131,072 × 131,072 B = 17.2 GB",
    "8,192² = 67 million entries",
    "10⁹ ÷ 4 = 250,000,000",
    "2 × 10⁻³ = 0.002",
    "multiplied by e^(3 − 5) = 0.135",
    "(1 + 2) × (3 − 5) = −6",
    "2 + 3 × 4 − 6 ÷ 3 = 12",
    "13 ÷ 64 = 20 %",
    "64 GiB ÷ 4 = 16 GiB",
    "64 GiB + 0 B = 68.7 GB",
    "1 × 3.35 = 3.35 TFLOP/s",  # the unit is understood on the left
    "4 × 134.2 MB = 537 MB",  # 134.2 was rounded
    "400 ÷ 3 ≈ 135",
    "7 ÷ 2 = 4",  # a half may go either way
]
FAIL = [
    ("989 ÷ 3.35 = 259", 989 / 3.35),
    ("2 × 32 × 8 × 128 × 2 = 131,073", 131072),
    ("131,072 × 131,072 B = 17.3 GB", 131072**2),
    ("13 ÷ 64 = 21 %", 13 / 64),
    ("400 ÷ 3 ≈ 140", 400 / 3),
    ("8,192² = 68 million", 8192**2),
    ("e^(3 − 5) = 0.315", 0.1353352832366127),
    ("2 + 3 × 4 = 20", 14),
    ("64 GiB ÷ 4 = 16 GB", 16 * 2**30),
]


@pytest.mark.parametrize("text", HOLD)
def test_sum_that_comes_out_holds(text):
    (found,) = equations(text)
    assert found.holds, found


@pytest.mark.parametrize(("text", "result"), FAIL)
def test_sum_that_does_not_come_out_is_found_with_its_result(text, result):
    (found,) = equations(text)
    assert not found.holds
    assert found.result == pytest.approx(result)


@pytest.mark.parametrize("text", ["k = 1", "T = 0.5 and then 8", "a ÷ b = c", "from 3 to 5", "the 2 × 3 grid", "x² = 4",
                                  "version 3 = the last"])  # fmt: skip
def test_what_is_no_equation_between_numbers_is_left_alone(text):
    assert list(equations(text)) == []


@pytest.mark.parametrize(
    "text", ["10⁹⁹⁹⁹ = 3 kB", "2 × 3 = 10⁹⁹⁹⁹", "0.5⁻⁹⁹⁹⁹ = 3 kB", "e^(1000) = 3", "9" * 400 + " × 2 = 3",
             "10" + "⁹" * 5000 + " = 3", "(" * 5000 + "1 + 1" + ")" * 5000 + " = 2", "2 × 3.5" + "⁹" * 5 + " = 7"],
    ids=["left", "right", "small", "power of e", "digits", "digits of a power", "brackets", "rounded"],
)  # fmt: skip
def test_number_that_is_too_large_to_be_worked_out_is_left_alone(text):
    assert list(equations(text)) == []


def test_division_by_zero_does_not_hold():
    (found,) = equations("4 ÷ 0 = 4")
    assert not found.holds


def test_every_equation_of_a_sentence_is_done():
    assert [one.holds for one in equations("512 ÷ 989 = 0.52 and 1 ÷ 3.9 = 0.62, so")] == [True, False]


numbers = st.integers(1, 9999)


@given(st.lists(st.tuples(st.sampled_from("+−×÷"), numbers), min_size=1, max_size=5), numbers)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_products_come_before_sums_as_in_python(rest, first):
    text = f"{first:,}" + "".join(f" {sign} {number:,}" for sign, number in rest)
    python = text.replace(",", "").replace("×", "*").replace("÷", "/").replace("−", "-")
    result = eval(python)  # the oracle: digits and four signs that we made ourselves
    (found,) = equations(f"{text} = {result:,.3f}".replace("= -", "= −"))
    assert found.result == pytest.approx(result, rel=1e-12, abs=1e-9)
    assert found.holds
