"""Check what the reader meets: values, words, table and picture agree with each other in every state."""

import re

import numpy as np
import pytest

from loom.draw import fixed
from loom.scene import WIDTHS
from scenes.ternary.case import (
    ACTIVATIONS,
    BELL,
    COLUMNS,
    DENSE,
    KINDS,
    TRAINED,
    matrix_of,
)
from scenes.ternary.narration import bits, trit
from scenes.ternary.packing import unpacked
from scenes.ternary.scene import SCENE

WEIGHTS, GAMMA, ROUNDED, PRODUCT, SCALED, PACKED = range(1, 7)  # steps
GRID = list(SCENE.grid())
SUM = re.compile(r"(−?[\d.]+) ([×−]) ([\d.]+) = (−?[\d.]+)")


def values(**params):
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def state(step, **params):
    return SCENE.run(**params).steps[step - 1]


def marks(one, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(one, WIDTHS[width])}


def number(text):
    return float(text.replace("−", "-").replace(",", ""))


def test_contract_values_are_those_of_the_fact_table():
    # facts/formats.md, sections 5 and 6: 31.0%, 5.79 dB, 1.6875, 2.0625 and log2 3 = 1.585 bits.
    found = values(data=BELL)
    assert found["zeros"] == pytest.approx(31.0, abs=0.1)
    assert found["sqnr"] == pytest.approx(5.79, abs=0.01)
    assert (found["packed"], found["two_bit"]) == (1.6875, 2.0625)
    assert found["bits"] == pytest.approx(1.585, abs=0.0005)
    assert found["times"] == pytest.approx(256 * 2 / 54)
    assert (found["multiplications"], found["scalings"]) == (60, 6)


@pytest.mark.parametrize("kind", KINDS)
def test_counts_are_those_of_counting_the_matrix_one_weight_at_a_time(kind):
    weights = matrix_of(kind)
    gamma = sum(abs(w) for row in weights.tolist() for w in row) / weights.size
    found, counts = values(data=kind), [0, 0, 0]
    for row in weights.tolist():
        for weight in row:
            counts[0 if weight > gamma / 2 else 1 if weight < -gamma / 2 else 2] += 1
    assert found["gamma"] == pytest.approx(gamma, rel=1e-12)
    assert [found["additions"], found["subtractions"], found["nothing"]] == counts
    assert sum(counts) == found["multiplications"] == DENSE


@pytest.mark.parametrize("kind", KINDS)
def test_table_adds_up_to_the_values_and_its_bytes_hold_the_weights(kind):
    table = SCENE.run(data=kind, row=1).table
    rows = [dict(zip([column.name for column in table.columns], row, strict=True)) for row in table.rows]
    found = values(data=kind)
    for name in ("additions", "subtractions"):
        assert sum(row[name] for row in rows) == found[name]
    for row, weights in zip(rows, matrix_of(kind), strict=True):
        assert row["exact"] == pytest.approx(sum(w * x for w, x in zip(weights, ACTIVATIONS.tolist(), strict=True)))
        trits = unpacked([int(part) for part in row["numbers"].split(", ")])
        assert row["sum"] == sum(int(t) * x for t, x in zip(trits, ACTIVATIONS.tolist(), strict=True))
        assert row["output"] == pytest.approx(found["gamma"] * row["sum"])
        assert row["additions"] + row["subtractions"] + row["zeros"] == COLUMNS


@pytest.mark.parametrize("params", GRID, ids=str)
def test_every_sum_that_is_said_or_shown_comes_out_in_the_digits_shown(params):
    seen = 0
    for one in SCENE.run(**params).steps:
        words = [SCENE.say(one), *(mark.text for mark in SCENE.draw(one, 840))]
        for first, sign, second, result in SUM.findall(" ; ".join(words)):
            exact = number(first) * number(second) if sign == "×" else number(first) - number(second)
            assert exact == pytest.approx(number(result), abs=0.5 + 1e-9), (first, sign, second)
            seen += 1
        for text in words:
            if re.fullmatch(r"\d+( \+ \d+)* = \d+", text):
                left, right = text.split(" = ")
                assert sum(map(int, left.split(" + "))) == int(right)
                seen += 1
    assert seen >= 4  # the two sums of activations are held to the model below


@pytest.mark.parametrize("params", GRID, ids=str)
def test_dense_sum_is_written_out_term_by_term(params):
    one = state(WEIGHTS, **params)
    shown = marks(one)
    words = " ".join(mark.text for key, mark in shown.items() if re.fullmatch(r"l\d", key))
    left, right = words.split("= ")
    terms = [(number(w), int(x)) for w, x in (term.split("·") for term in left.split())]
    assert [x for _, x in terms] == ACTIVATIONS.tolist()
    assert sum(w * x for w, x in terms) == pytest.approx(number(right), abs=0.5 + 1e-9)


def test_narration_differs_from_step_to_step_and_has_two_sentences_at_most():
    for params in GRID:
        said = [SCENE.say(one) for one in SCENE.run(**params).steps]
        assert len(set(said)) == len(said) == 6
        assert max(words.count(". ") for words in said) <= 1


def test_error_of_the_outputs_is_that_of_rounding_and_smallest_for_nearly_ternary_weights():
    errors = {kind: values(data=kind)["output_error"] for kind in KINDS}
    assert min(errors, key=errors.get) == TRAINED
    for kind in KINDS:
        found = values(data=kind)
        assert found["error"] == pytest.approx(100 * 10 ** (-found["sqnr"] / 20))
        assert abs(errors[kind] - found["error"]) < 8  # [%]: six outputs stand for all


def test_words_have_a_real_minus_and_zero_has_none():
    assert (fixed(-3.25, 1), fixed(-0.001, 2), fixed(0.0, 0), trit(-1), trit(0)) == ("−3.2", "0.00", "0", "−1", "0")
    assert (bits(1.6875), bits(2.0625), bits(16), bits(np.log2(3))) == ("1.6875", "2.0625", "16", "1.585")


@pytest.mark.parametrize("params", GRID, ids=str)
def test_each_error_is_named_by_what_it_is_of_and_bytes_that_are_counted_make_the_bits(params):
    said = [SCENE.say(one) for one in SCENE.run(**params).steps]
    assert "the weights’ error" in said[2] and "error of all outputs" in said[4]
    *parts, weights, found = map(
        float, re.search(r"takes (\d+) \D+(\d+) \D+(\d+) of scale for (\d+): ([\d.]+)", said[5]).groups()
    )
    assert 8 * sum(parts) / weights == found
