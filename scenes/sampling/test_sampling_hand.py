"""Check what the reader takes hold of: the sum and the temperature stay in hand to both ends of their rails."""

import pytest

from loom.scene import WIDTHS
from scenes.sampling.drawing import TEMPERATURES
from scenes.sampling.line import SUMS
from scenes.sampling.scene import SCENE
from tests.boxes import beneath, box

DEFAULT = SCENE.defaults


def chapter(name, **params):
    return next(one for one in SCENE.run(**params).chapters if one.name == name)


def frame(name, width="wide", **params):
    return {mark.key: mark for mark in SCENE.draw(chapter(name, **params).states[-1], WIDTHS[width])}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", [{}, {"temperature": 2, "top_p": 0.3}, {"top_k": 5, "temperature": 0.3}])
def test_sum_and_temperature_are_handles_that_stand_where_they_are_set(params, width):
    drawn, settings = frame("top_p", width, **params), {**DEFAULT, **params}
    for key, name, values in (("sum", "top_p", SUMS), ("heat", "temperature", TEMPERATURES)):
        knob = drawn[key]
        assert knob.handle.params == (name,)
        place = knob.handle.rail[values.index(settings[name])]
        assert place == pytest.approx((knob.shape["cx"], knob.shape["cy"]))
    first = drawn["bar-stairs"].shape
    assert drawn["heat"].shape["cx"] == pytest.approx(first["x"] + first["width"])
    assert drawn["sum"].shape["cx"] == drawn["threshold"].shape["x1"]
    ends = [x for x, _ in drawn["heat"].handle.rail]
    assert ends == sorted(ends, reverse=True)  # what is colder takes more for the likeliest


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", [{}, {"temperature": 2}, {"top_k": 5}, {"temperature": 1.5, "min_p": 0.1}])
def test_sum_that_was_dragged_to_the_end_is_where_it_can_be_dragged_back(params, width):
    drawn = frame("top_p", width, top_p=1, **params)
    knob = drawn["sum"]
    assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[-1]
    assert drawn["threshold-label"].text == "sum 100%" and "cut" not in drawn and "crossing" not in drawn
    assert not any("hot" in mark.role for key, mark in drawn.items() if key.startswith(("bar-", "part-")))
    said = SCENE.say(chapter("top_p", top_p=1, **params).states[-1])
    assert said.endswith("nothing is cut, top-p is off.")


@pytest.mark.parametrize("width", WIDTHS)
def test_temperature_that_was_dragged_to_greedy_is_where_it_can_be_dragged_back(width):
    drawn = frame("top_p", width, temperature=0)
    knob, bar = drawn["heat"], drawn["bar-stairs"].shape
    assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[0]
    assert knob.shape["cx"] == pytest.approx(bar["x"] + bar["width"])


@pytest.mark.parametrize("temperature", [0.1, 0.9, 2])
def test_temperature_has_its_handle_in_its_own_chapter(temperature):
    drawn = frame("temperature", temperature=temperature)
    bar = drawn["bar-stairs"].shape
    assert drawn["heat"].shape["cx"] == pytest.approx(bar["x"] + bar["width"])
    assert "heat-words" not in drawn and "heat-words" in frame("top_p")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("temperature", [0, 0.5, 1, 2])
@pytest.mark.parametrize("mass", [0.3, 0.525, 0.9])
def test_no_sentence_and_no_tick_lies_under_a_knob(mass, temperature, width):
    for state in SCENE.run(temperature=temperature, top_p=mass).steps:
        drawn = {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}
        covered = {key for knob in {"heat", "sum"} & drawn.keys() for key in beneath(drawn, knob)}
        assert not [key for key in covered if key == "prompt" or key.startswith("tick-")]


def test_what_may_come_next_is_called_a_word_throughout():
    said = " ".join(SCENE.say(state) for params in ({}, {"top_k": 5}) for state in SCENE.run(**params).steps)
    assert "word" in said and "token" not in said


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_said_of_the_second_row_is_beside_the_glow_of_the_temperature(width):
    params = [{"temperature": 0.3}, {"top_p": 0.35}, {"temperature": 0.5, "top_p": 0.6}]
    drawn = [frame("top_p", width, **one) for one in params]
    assert any("crossing" in one for one in drawn)
    assert not [one for one in drawn if "crossing" in beneath(one, "heat", rim=7)]


@pytest.mark.parametrize("width", WIDTHS)
def test_temperature_is_not_struck_out_by_the_sum(width):
    for temperature in TEMPERATURES:
        for mass in SUMS[::3]:
            drawn = frame("top_p", width, temperature=temperature, top_p=mass)
            if "heat-words" in drawn:
                left, _, right, _ = box(drawn["heat-words"])
                assert not left - 1 < drawn["threshold"].shape["x1"] < right + 1
