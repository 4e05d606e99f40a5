"""Formulas in labels: what TeX becomes in one text, what becomes several, and what is refused."""

from __future__ import annotations

import pytest

from loom.draw import Pen, bounding_box, bounds, formula, maths
from loom.expected import Mistaken

PEN = Pen(328)


@pytest.mark.parametrize(
    ("tex", "plain"),
    [
        (r"\omega_0^2", "ω₀²"), (r"2\pi r", "2πr"), (r"x_{12} \le 10^{-3}", "x₁₂ ≤ 10⁻³"), ("no math", "no math"),
        (r"\Delta E \approx 0", "ΔE ≈ 0"), ("10^-3", "10⁻³"), ("x_12 - 1", "x₁₂ − 1"), (r"\text{t-test}", "t-test"),
        (r"\frac{a + b}{2\pi}", "(a + b)/(2π)"), (r"\frac{1}{2}mv^2", "(1/2)mv²"), (r"2\frac{1}{3}", "2(1/3)"),
        (r"G\frac{m_1 m_2}{r^2}", "Gm₁ m₂/r²"),
        (r"\sin \frac{x}{2}", "sin (x/2)"), (r"x\frac{1}{2}", "x(1/2)"), (r"2\frac{a}{b}", "2a/b"),
        (r"\frac{1}{2} + x", "1/2 + x"), (r"\sqrt{k/m}", "√(k/m)"), (r"\sqrt{2}", "√2"), (r"\sqrt{x}y", "(√x)y"),
        (r"\frac{a}{b}^2", "(a/b)²"), (r"\frac{(x - 1)^2}{4}", "(x − 1)²/4"), (r"\sin \theta", "sin θ"), (r"5\%", "5%"),
    ],
)  # fmt: skip
def test_math_in_a_label_is_plain_characters(tex, plain):
    assert maths(tex) == plain


@pytest.mark.parametrize(
    ("tex", "message"),
    [
        ("x^n", r"'\^n' can't be written in one text"),
        ("a_{ij}", "'_ij' can't be"),
        (r"\alhpa", "the unknown command"),
        (r"\frac{a}", r"ends where '\\frac' needs something"),
        ("x^", r"ends where '\^' needs something"),
        ("e^{-kt", "a '{' that nothing closes"),
        ("a}", "a '}' too many"),
        ("x^{}", "has an empty"),
        ("x^1^2", "two scripts that are raised behind 'x'"),
        ("$x$", r"has a '\$' alone"),
        ("a\\", "alone"),
        ("e^{x_i}", "raises or lowers letters within what is"),
    ],
)
def test_math_that_no_label_can_hold_is_told_with_a_way_out(tex, message):
    with pytest.raises(Mistaken, match=message) as told:
        maths(tex)
    assert all(hint for _, hint in told.value.mistakes)


def test_command_that_a_label_does_not_know_is_told_with_the_nearest_one():
    for tex, hint in ((r"\alhpa", r"did you mean '\alpha'?"), (r"\begin", "whole formulas stand in the prose, in $…$")):
        with pytest.raises(Mistaken) as told:
            maths(tex)
        assert told.value.mistakes[0][1] == hint


def test_letters_of_a_formula_are_raised_and_lowered_smaller_and_one_after_the_other():
    e, power, plus, low, high = formula(PEN, "f", 10, 50, "e^{-kt} + x_i^n", size=20)
    assert [mark.text for mark in (e, power, plus, low, high)] == ["e", "−kt", "+ x", "n", "i"]
    assert power.shape["y"] < 50 < high.shape["y"] and low.shape["y"] < 50 and e.shape["y"] == plus.shape["y"] == 50
    assert power.shape["font-size"] == low.shape["font-size"] == 15 and low.shape["x"] == high.shape["x"]
    assert bounds(e)[2] < power.shape["x"] and bounds(power)[2] < plus.shape["x"] and bounds(plus)[2] < low.shape["x"]
    assert bounds(low)[3] < bounds(high)[3] and formula_of("x_2^3") == ["x₂³"]


def formula_of(tex):
    return [mark.text for mark in formula(PEN, "f", 10, 50, tex)]


def test_scripts_of_a_formula_are_no_smaller_than_can_be_read():
    assert [mark.shape["font-size"] for mark in formula(PEN, "f", 0, 20, "x_i")] == [12, 11]
    assert [mark.shape["font-size"] for mark in formula(Pen(840), "f", 0, 20, "x_i")] == [14.5, 13.2]


@pytest.mark.parametrize(("anchor", "ends"), [("start", (100, None)), ("end", (None, 100))])
def test_formula_is_placed_by_its_anchor_as_a_text_is(anchor, ends):
    marks = [*formula(PEN, "f", 100, 50, "y_{max} - e^{-kt}", anchor=anchor, read="y max minus e to the minus k t")]
    left, right = bounding_box(marks, 0).x, bounding_box(marks, 0).right
    assert all(want is None or found == pytest.approx(want) for found, want in zip((left, right), ends, strict=True))
    assert [mark.read for mark in marks if mark.read] == ["y max minus e to the minus k t"]
    (turned, up) = formula(PEN, "f", 100, 50, "e^n", rotate=-90)
    assert up.shape["x"] < turned.shape["x"] == 100 and up.shape["y"] < turned.shape["y"] == 50


def test_many_spaces_take_the_room_of_one_as_they_do_on_a_page():
    one, many = ([*formula(PEN, "f", 0, 20, tex)] for tex in ("a b_i", "a   b_i"))
    assert [mark.shape["x"] for mark in one] == [mark.shape["x"] for mark in many]


def test_formula_without_scripts_lies_where_its_text_would():
    (one,) = formula(PEN, "f", 100, 50, r"2\pi r", anchor="end", size=20)
    assert bounds(one) == pytest.approx(bounds(PEN.text("t", 100, 50, "2πr", anchor="end", size=20)))
