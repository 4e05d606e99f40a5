"""Check the law against a memory that serves one load after another, and against what was worked out and measured."""

import heapq
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes._gpus.memory import GPUS
from scenes.littles_law.model import COUNTS, LOADS, MEASURED, WIDTHS, Traffic, rate_reached, solve

example_budget = settings(max_examples=60, deadline=None, derandomize=True)


def serve(tokens: int, service: int, latency: int, until: int) -> tuple[float, int]:
    """Loads a tick of a memory that passes one load on in `service` ticks, and how long the last load took.

    `tokens` loads are on their way; each takes `latency` ticks if it does not have to wait, and is sent again at once.
    """
    sent = [(0, token) for token in range(tokens)]
    free, done, took = 0, 0, 0
    while sent:
        began, token = heapq.heappop(sent)
        if began > until:
            continue
        free = max(free, began) + service  # in line, until those before it have passed
        back = free + latency - service
        done, took = done + (free <= until), back - began
        heapq.heappush(sent, (back, token))
    return done / until, took


@pytest.mark.parametrize("tokens", [1, 2, 5, 9, 10, 11, 20])
@pytest.mark.parametrize(("service", "latency"), [(10, 100), (1, 7), (30, 100)])
def test_rate_and_wait_are_those_of_a_memory_that_serves_loads_one_by_one(tokens, service, latency):
    rate, took = serve(tokens, service, latency, 200_000)
    expected = float(rate_reached(tokens, latency, 1 / service))
    assert rate == pytest.approx(expected, rel=0.01)
    assert took == pytest.approx(tokens / expected, rel=0.01)


@given(st.floats(1, 1e6), st.floats(1e-9, 1e-3), st.floats(1e9, 1e13))
@example_budget
def test_bytes_in_flight_are_rate_times_wait_and_the_bandwidth_is_the_limit(in_flight, latency, bandwidth):
    rate = float(rate_reached(in_flight, latency, bandwidth))
    assert rate <= bandwidth
    assert in_flight / rate >= latency * (1 - 1e-12)
    assert rate == bandwidth or in_flight / rate == pytest.approx(latency)


# By hand, from the figures of the white papers and raw results: GB/s x ns / SMs, and loads of 128 B in it, rounded up.
@pytest.mark.parametrize(
    ("gpu", "knee", "needed"),
    [
        ("A100", 2039 * 550 / 1.41 / 108, 58),
        ("H100", 3352 * 690 / 1.98 / 132, 70),
        ("B200", 7700 * 850 / 1.965 / 148, 176),
    ],
)
def test_knee_is_bandwidth_times_latency(gpu, knee, needed):
    traffic = solve(gpu, 4, 1, 1)
    assert traffic.knee == pytest.approx(knee)
    assert traffic.needed == needed == math.ceil(knee / 128)


def test_one_narrow_load_a_warp_fills_an_a100_only():
    assert [solve(gpu, 4, 1, 64).busy for gpu in GPUS] == [True, False, False]
    assert [solve(gpu, 16, 1, 64).busy for gpu in GPUS] == [True, True, True]


@pytest.mark.parametrize("gpu", GPUS)
def test_it_does_not_matter_which_factor_is_doubled(gpu):
    one = solve(gpu, 4, 1, 4)
    four = [solve(gpu, 16, 1, 4), solve(gpu, 4, 4, 4), solve(gpu, 4, 1, 16), solve(gpu, 4, 2, 8)]
    assert {case.in_flight for case in four} == {4 * one.in_flight}
    assert [case.rate for case in four] == pytest.approx([4 * one.rate] * 4)


def test_law_is_a_bound_on_what_was_measured_and_close_well_below_the_knee():
    for gpu, points in MEASURED.items():
        for in_flight, reached in points:
            bound = GPUS[gpu].sms * float(rate_reached(in_flight, GPUS[gpu].latency, solve(gpu, 4, 1, 1).share))
            assert reached * 1e9 <= bound
            if in_flight <= 8192:
                assert reached * 1e9 >= 0.93 * bound
        assert points[-1][0] > 2 * solve(gpu, 4, 1, 1).knee


@pytest.mark.parametrize("gpu", GPUS)
def test_more_warps_never_lower_the_rate(gpu):
    for width in WIDTHS:
        for loads in LOADS:
            cases = [Traffic(GPUS[gpu], width, loads, warps) for warps in COUNTS]
            assert [case.rate for case in cases] == sorted(case.rate for case in cases)
            assert all(case.wait >= case.gpu.latency * (1 - 1e-12) for case in cases)


def test_wrong_figures_are_refused():
    with pytest.raises(ValueError, match="positive"):
        rate_reached(1, 0, 1)
    with pytest.raises(ValueError, match="fewer than 0"):
        rate_reached(-1, 1, 1)
    with pytest.raises(ValueError, match="gpu is one of"):
        solve("V100", 4, 1, 1)
