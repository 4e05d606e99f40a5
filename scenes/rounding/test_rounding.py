"""Check rounding against casts by ml_dtypes, exact fractions, math.trunc, and what is known of sums that get stuck."""

import bisect
import itertools
import math
from fractions import Fraction
from functools import cache

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.rounding.model import MODES, chance, neighbours, rounded_by, stuck_value, updated
from scenes.rounding.story import RUNS, Journey

DTYPES = {"E4M3": ml_dtypes.float8_e4m3fn, "FP16": np.float16, "BF16": ml_dtypes.bfloat16}
UPDATES = (1, 0.1, 0.001, 0.0001)
example_budget = settings(max_examples=100, deadline=None, derandomize=True)
formats = st.sampled_from(sorted(DTYPES))
MODERATE = st.floats(-448, 448) | st.floats(-0.02, 0.02)
DRAWS = st.floats(0, 1, exclude_max=True)


@cache
def enumerated(fmt):
    """Every finite value of the format, ascending, as ml_dtypes and numpy decode its codes."""
    width = np.dtype(DTYPES[fmt]).itemsize * 8
    with np.errstate(invalid="ignore"):  # signalling NaN
        decoded = np.arange(2**width, dtype=f"u{width // 8}").view(DTYPES[fmt]).astype(np.float64)
    return sorted(set(decoded[np.isfinite(decoded)].tolist()))


def both_sides(value, fmt):
    """The enumerated values around a number, the one towards zero first; twice the number if it is one of them."""
    grid = enumerated(fmt)
    at = bisect.bisect_left(grid, value)
    if grid[at] == value:
        return value, value
    low, high = grid[at - 1], grid[at]
    return (low, high) if value > 0 else (high, low)


def cast_after_each_add(start, update, count, fmt):
    """Oracle: a library's cast of every sum."""
    value, path = start, [start]
    for _ in range(count):
        value = float(DTYPES[fmt](value + update))
        path.append(value)
    return path


# facts/formats.md, section 8: adding 1 again and again, each sum to nearest.
@pytest.mark.parametrize(("fmt", "stops"), [("E5M2", 8), ("E4M3", 16), ("BF16", 256), ("FP16", 2048)])
def test_adding_ones_stops_where_the_facts_say(fmt, stops):
    assert stuck_value(1, fmt) == stops


def test_adding_ones_in_fp32_stops_at_two_to_the_24():
    # The same section; 16,777,216 additions would take too long, the last two tell.
    assert rounded_by("nearest", 16_777_215 + 1, "FP32") == 16_777_216
    assert rounded_by("nearest", 16_777_216 + 1, "FP32") == 16_777_216


@pytest.mark.parametrize(("fmt", "stops"), [("E4M3", 32), ("FP16", 4096)])
def test_adding_one_and_a_half_stops_where_the_facts_say(fmt, stops):
    assert stuck_value(1.5, fmt) == stops  # the same section, in brackets


@pytest.mark.parametrize(("fmt", "start", "update"), [*itertools.product(DTYPES, (0.0, 1.0), UPDATES)])
def test_nearest_is_a_library_s_cast_after_each_add(fmt, start, update):
    ours = updated("nearest", start, update, 3000, fmt)[:, 0]
    assert ours.tolist() == cast_after_each_add(start, update, 3000, fmt)


@given(fmt=formats, value=MODERATE)
@example_budget
def test_nearest_is_a_library_s_cast_of_any_number(fmt, value):
    value = float(np.float32(value))  # from float64 ml_dtypes would round twice
    assert rounded_by("nearest", value, fmt) == float(DTYPES[fmt](value))


@given(fmt=formats, value=MODERATE)
@example_budget
def test_neighbours_are_the_enumerated_values_around_a_number(fmt, value):
    inner, outer = neighbours(value, fmt)
    low, high = both_sides(value, fmt)
    assert inner == low
    assert high in (low, outer)


@given(fmt=formats, value=MODERATE)
@example_budget
def test_truncation_is_math_trunc_on_the_grid(fmt, value):
    mantissa, smallest = {"E4M3": (3, -6), "FP16": (10, -14), "BF16": (7, -126)}[fmt]
    power = max(math.frexp(value)[1] - 1, smallest) if value else smallest
    step = Fraction(2) ** (power - mantissa)
    assert rounded_by("truncation", value, fmt) == math.trunc(Fraction(value) / step) * step


@given(fmt=formats, value=MODERATE)
@example_budget
def test_expectation_of_stochastic_rounding_is_the_exact_value(fmt, value):
    (inner, outer), odds = (Fraction(float(x)) for x in neighbours(value, fmt)), Fraction(float(chance(value, fmt)))
    assert 0 <= odds < 1
    assert odds * outer + (1 - odds) * inner == Fraction(value)  # not approximately


@given(fmt=formats, value=MODERATE, draw=DRAWS)
@example_budget
def test_draws_below_the_chance_go_outwards_and_the_others_inwards(fmt, value, draw):
    low, high = both_sides(value, fmt)
    share = 0 if low == high else (Fraction(value) - Fraction(low)) / (Fraction(high) - Fraction(low))
    assert rounded_by("stochastic", value, fmt, draw) == (high if Fraction(draw) < share else low)


def test_share_of_draws_that_go_up_is_the_chance():
    draws = np.random.default_rng(1).random(100_000)
    for value in (1.001, 1.1, 16.5, 0.03):
        ups = rounded_by("stochastic", np.full(draws.size, value), "E4M3", draws) > value
        odds = float(chance(value, "E4M3"))
        assert abs(ups.mean() - odds) < 4 * math.sqrt(odds * (1 - odds) / draws.size)


@given(fmt=formats, a=MODERATE, b=MODERATE, draw=DRAWS, mode=st.sampled_from(MODES))
@example_budget
def test_rounding_keeps_the_order_of_numbers(fmt, a, b, draw, mode):
    low, high = sorted((a, b))
    near = math.nextafter(low, math.inf)
    for first, second in ((low, high), (low, near)):
        # With one draw for both: away from zero is up for one sign and down for the other.
        if first * second >= 0 or mode != "stochastic":
            assert rounded_by(mode, first, fmt, draw) <= rounded_by(mode, second, fmt, draw)


@pytest.mark.parametrize(("fmt", "mode"), [*itertools.product(DTYPES, MODES)])
def test_number_of_the_format_is_never_changed(fmt, mode):
    grid = np.array(enumerated(fmt))
    assert (rounded_by(mode, grid, fmt, np.zeros(grid.size)) == grid).all()  # a draw of 0 is the likeliest to go up
    assert (chance(grid, fmt) == 0).all()


@given(fmt=formats, value=MODERATE, draw=DRAWS, mode=st.sampled_from(MODES))
@example_budget
def test_rounding_is_odd_and_gives_one_of_the_two_neighbours(fmt, value, draw, mode):
    result = float(rounded_by(mode, value, fmt, draw))
    assert result in both_sides(value, fmt)
    assert rounded_by(mode, -value, fmt, draw) == -result


@given(fmt=formats, value=MODERATE)
@example_budget
def test_truncation_never_grows_and_nearest_is_never_farther(fmt, value):
    errors = {mode: abs(float(rounded_by(mode, value, fmt, 0.0)) - value) for mode in MODES}
    assert abs(float(rounded_by("truncation", value, fmt))) <= abs(value)
    assert errors["nearest"] <= min(errors["truncation"], errors["stochastic"])


def test_numbers_beyond_the_largest_are_held_at_it():
    for mode in MODES:
        assert rounded_by(mode, [1e9, -460.0, 450.0], "E4M3", 0.0).tolist() == [448, -448, 448]


def test_runs_differ_but_the_first_does_not_depend_on_their_number_or_length():
    many = updated("stochastic", 1.0, 0.001, 300, "BF16", 20)
    assert len({tuple(run) for run in many.T}) == 20
    assert (updated("stochastic", 1.0, 0.001, 300, "BF16")[:, 0] == many[:, 0]).all()
    assert (updated("stochastic", 1.0, 0.001, 40, "BF16")[:, 0] == many[:41, 0]).all()
    assert (updated("stochastic", 1.0, 0.001, 300, "BF16", 20) == many).all()


@pytest.mark.parametrize(("fmt", "update", "count"), [("E4M3", 1, 100), ("BF16", 0.001, 1000), ("FP16", 0.1, 1000)])
def test_mean_of_many_runs_is_the_exact_sum_within_its_error(fmt, update, count):
    ends = Journey(fmt, 0.0, update, count).walks[-1]
    assert ends.size == RUNS
    assert abs(ends.mean() - update * count) < 4 * ends.std() / math.sqrt(RUNS)


@given(fmt=formats, update=st.floats(1e-4, 2), start=st.sampled_from([0.0, 1.0]), mode=st.sampled_from(MODES))
@example_budget
def test_counts_of_a_journey_are_those_of_its_path(fmt, update, start, mode):
    journey = Journey(fmt, start, update, 40, runs=1)
    path = journey.paths[mode].tolist()
    changes = [step for step, (a, b) in enumerate(itertools.pairwise(path), 1) if a != b]
    assert path == sorted(path) and set(path) <= set(enumerated(fmt))
    assert journey.stuck(mode) == max(changes, default=0)
    assert journey.lost(mode) == 40 - len(changes)
    assert mode != "truncation" or all(x <= exact + 1e-9 for x, exact in zip(path, journey.exact, strict=True))


@pytest.mark.parametrize("call", [rounded_by, lambda mode, x, fmt: updated(mode, 1.0, x, 3, fmt)])
def test_mistakes_are_refused(call):
    with pytest.raises(ValueError, match="unknown mode 'up', expected one of nearest, stochastic, truncation"):
        call("up", 0.5, "E4M3")
    with pytest.raises(ValueError, match="unknown format 'FP7'"):
        call("nearest", 0.5, "FP7")
    with pytest.raises(ValueError, match="only finite numbers have neighbours"):
        call("truncation", math.inf, "E4M3")


def test_stochastic_rounding_without_draws_and_impossible_journeys_are_refused():
    with pytest.raises(ValueError, match="needs random draws"):
        rounded_by("stochastic", 1.05, "E4M3")
    with pytest.raises(ValueError, match="count must be at least 1, not 0"):
        updated("nearest", 1.0, 0.1, 0, "E4M3")
    with pytest.raises(ValueError, match=r"E4M3 has no 1\.05"):
        updated("nearest", 1.05, 0.1, 3, "E4M3")
    with pytest.raises(ValueError, match="the update must be positive, not 0"):
        stuck_value(0, "E4M3")
