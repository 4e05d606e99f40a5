"""Check the running mean against numbers worked out by hand, and against exact fractions."""

from fractions import Fraction

import pytest

from .model import NUMBERS, ORDERS, means, solve
from .scene import SCENE


def test_means_are_those_worked_out_by_hand():
    # 4; 12/2; 18/3; 20/4; 30/5
    assert [state.mean for state in solve("as given")] == [4, 6, 6, 5, 6]


def test_ascending_takes_the_smallest_number_first():
    assert [state.numbers for state in solve("ascending")] == [(2, 4, 6, 8, 10)[:count] for count in range(1, 6)]


@pytest.mark.parametrize("order", ORDERS)
def test_number_moves_the_mean_by_its_distance_divided_by_the_count(order):
    for state in solve(order):
        assert state.move == pytest.approx((state.numbers[-1] - state.before) / len(state.numbers), rel=1e-12)


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_ends_on_the_same_mean(order):
    assert SCENE.run(order=order).values["mean"].value == pytest.approx(sum(NUMBERS) / len(NUMBERS), rel=1e-14)


@pytest.mark.parametrize("numbers", [[1.5], [0.1, 0.2, 0.7], [-3.0, 1e6, 3.0], list(range(100))])
def test_mean_is_the_exact_one_after_every_number(numbers):
    for count, state in enumerate(means(numbers), 1):
        exact = sum(map(Fraction, numbers[:count])) / count
        assert state.mean == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("order", ORDERS)
def test_every_step_says_where_the_mean_is(order):
    run = SCENE.run(order=order)
    assert all(f"{state.mean:g}" in SCENE.say(moment) for state, moment in zip(run.result, run.steps, strict=True))
