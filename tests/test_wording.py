"""Numbers and lists as a sentence says them."""

from __future__ import annotations

import pytest

from loom.quantity import count, fixed, listed, number, percent, power, times, trimmed
from loom.scene import Range
from tests.plurals import plurals


def test_words_are_listed_as_in_a_sentence():
    assert [listed(words) for words in ((), ("one",), ("one", "two"), ("one", "two", "three"))] == [
        "", "one", "one and two", "one, two and three",
    ]  # fmt: skip
    assert listed(["8", "16"], "or") == "8 or 16"


@pytest.mark.parametrize(("value", "digits", "words"), [(7.5, 3, "7.5"), (0, 3, "0"), (1234.5, 3, "1,230"),
                         (-0.25, 3, "−0.25"), (2.5e-7, 3, "2.5\u00a0×\u00a010⁻⁷"), (100, 1, "100")])  # fmt: skip
def test_number_has_no_zeros_that_say_nothing(value, digits, words):
    assert number(value, digits) == words


def test_decimals_are_fixed_and_a_rounded_nothing_has_no_sign():
    assert [fixed(value) for value in (-1.5, -0.001, 0.0, 1234.567)] == ["−1.50", "0.00", "0.00", "1,234.57"]


def test_one_thing_is_not_counted_as_several():
    assert [count(number, "slot") for number in (0, 1, 2, 1000)] == ["0 slots", "1 slot", "2 slots", "1,000 slots"]
    assert (count(1, "query", "queries"), count(2, "query", "queries")) == ("1 query", "2 queries")
    slots = Range("slots", "Slots", (1, 2.5, 16), unit="slots")
    assert [slots.label_of(number) for number in slots.values] == ["1 slot", "2.5 slots", "16 slots"]
    assert [Range("share", "Share", (1, 12.5), unit=unit).label_of(12.5) for unit in "%×°"] == [
        "12.5%",
        "12.5×",
        "12.5°",
    ]


@pytest.mark.parametrize("text", ["1 slots", "with 1\u00a0tokens", "takes 1 tiles, 12 slots", "1 of 1 GPUs",
                                  "1 tile are 1 block", "Only 1 are there."])  # fmt: skip
def test_one_counted_as_several_is_found_in_a_text(text):
    assert len(plurals(text)) == 1


@pytest.mark.parametrize("text", ["GPU 1 holds 2 slots", "1 pass", "11 slots", "3.1 tokens", "W − 1 tokens", "1 s",
                                  "1,000 words", "1 slot", "Rows 0 and 1 are read.", "Steps of 1 are fine.",
                                  "What lane 1 needs are rows."])  # fmt: skip
def test_words_that_count_nothing_are_left_alone(text):
    assert plurals(text) == []


def test_percentages_and_factors_are_whole_where_they_are():
    assert (percent(12.5), percent(100)) == ("12.5%", "100%")
    assert [times(factor) for factor in (3.0, 2.25, 123.4)] == ["3×", "2.2×", "123×"]


def test_powers_are_raised_and_zeros_trimmed():
    assert (power(2, -9), trimmed("2.50\u00a0×"), trimmed("100")) == ("2⁻⁹", "2.5\u00a0×", "100")
