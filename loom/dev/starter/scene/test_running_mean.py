"""Running mean: held against numbers worked out by hand, and against exact fractions."""

from fractions import Fraction

import pytest

from loom.scene import WIDTHS

from .model import LASTS, means, solve
from .scene import SCENE


def test_means_are_those_worked_out_by_hand():
    # 4; 12/2; 18/3; 20/4; 30/5
    assert [state.mean for state in solve(10)] == [4, 6, 6, 5, 6]


@pytest.mark.parametrize("last", LASTS)
def test_number_moves_the_mean_by_its_distance_divided_by_the_count(last):
    for state in solve(last):
        assert state.move == pytest.approx((state.numbers[-1] - state.before) / len(state.numbers), rel=1e-12)


@pytest.mark.parametrize("numbers", [[1.5], [0.1, 0.2, 0.7], [-3.0, 1e6, 3.0], list(range(100))])
def test_mean_is_the_exact_one_after_every_number(numbers):
    for count, state in enumerate(means(numbers), 1):
        exact = sum(map(Fraction, numbers[:count])) / count
        assert state.mean == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("last", LASTS)
def test_every_step_says_where_the_mean_is(last):
    run = SCENE.run(last=last)
    assert all(f"{state.mean:g}" in SCENE.say(moment) for state, moment in zip(run.result, run.steps, strict=True))


@pytest.mark.parametrize("width", WIDTHS.values())
def test_beats_let_the_number_come_before_the_mean_follows(width):
    coming, come = ({mark.key: mark for mark in SCENE.draw(beat, width)} for beat in SCENE.run().chapters[-1].states)
    assert coming["number-5"] == come["number-5"]
    assert (coming["answer"].text, come["answer"].text) == ("5", "6")


@pytest.mark.parametrize("width", WIDTHS.values())
@pytest.mark.parametrize("last", LASTS)
def test_handle_lies_on_top_of_the_bar_that_it_sets(last, width):
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(last=last).steps[-1], width)}
    handle, bar = marks["last"].handle, marks["number-5"].shape
    assert handle and handle.params == ("last",)
    assert handle.rail[LASTS.index(last)] == (bar["x"] + bar["width"] / 2, pytest.approx(bar["y"]))


def test_read_out_of_a_bar_says_its_number():
    marks = SCENE.draw(SCENE.run(last=7).steps[-1], WIDTHS["wide"])
    said = [mark.read for mark in marks if mark.key.startswith("number-")]
    assert said == [f"number {place} is {number}" for place, number in enumerate([4, 8, 6, 2, 7], 1)]
