"""Check the period and the schedule against the table of facts, and against a simulation of events."""

import heapq
import math
from collections import deque
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scenes.pipelining.model import (
    COMPUTES,
    LATENCIES,
    LIMITS,
    STAGES,
    TILE,
    TRANSFER,
    WINDOW,
    Pipeline,
    period,
    stage_bytes,
    stages_that_fit,
)

example_budget = settings(max_examples=100, deadline=None, derandomize=True)
CHOICES = [
    (latency, transfer, compute)
    for latency in LATENCIES
    for transfer in (TRANSFER, 300)
    for compute in COMPUTES
    if transfer <= latency
]


@st.composite
def times(draw):
    """Latency, transfer and compute, in cycles; the transfer is a part of the latency."""
    latency = draw(st.integers(1, 900))
    return latency, draw(st.integers(1, latency)), draw(st.integers(1, 900))


def simulate(stages, latency, transfer, compute, tiles):
    """Oracle: free buffers in a queue, one memory pipe, one arithmetic unit, and a heap of events, in plain Python.

    Returns when each tile was asked for, landed, was begun and was done.
    """
    asked, landed, begun, done = {}, {}, {}, {}
    free, waiting, events = deque(range(stages)), deque(), []
    next_load, pipe_free, busy, now = 0, 0, False, 0
    while len(done) < tiles:
        while free and next_load < tiles:
            buffer, tile = free.popleft(), next_load
            next_load += 1
            asked[tile] = now
            pipe_free = max(now + latency - transfer, pipe_free) + transfer  # the pipe is filled at the end of a load
            heapq.heappush(events, (pipe_free, 0, tile, buffer))
        if waiting and not busy:
            tile, buffer = waiting.popleft()
            begun[tile], busy = now, True
            heapq.heappush(events, (now + compute, 1, tile, buffer))
        if len(done) + 1 == tiles and not events:
            break
        now, kind, tile, buffer = heapq.heappop(events)
        if kind == 0:
            landed[tile] = now
            waiting.append((tile, buffer))
        else:
            done[tile], busy = now, False
            free.append(buffer)
    return [[each[tile] for tile in range(tiles)] for each in (asked, landed, begun, done)]


# shared/facts/hardware.md, section 8, the table of periods.
@pytest.mark.parametrize(
    ("latency", "transfer", "compute", "row"),
    [
        (600, 100, 200, (800, 400, 266.7, 200, 200, 200)),
        (600, 300, 200, (800, 400, 300, 300, 300, 300)),
        (800, 100, 100, (900, 450, 300, 225, 180, 150)),
    ],
)
def test_periods_are_those_of_the_golden_table(latency, transfer, compute, row):
    periods = period(np.arange(1, 7), latency, transfer, compute)
    assert [round(float(each), 1) for each in periods] == list(row)


@pytest.mark.parametrize(
    ("latency", "transfer", "compute", "needed"), [(600, 100, 200, 4), (600, 300, 200, 3), (800, 100, 100, 9)]
)
def test_stages_needed_are_those_of_the_golden_formula(latency, transfer, compute, needed):
    # hardware.md, section 8: S* = ceil((L + C) / max(C, T)).
    assert Pipeline(2, latency, transfer, compute).needed == needed


def test_stage_memory_is_that_of_the_golden_line():
    # hardware.md, section 8: 128×128×64 BF16 = 32 KB a stage; the A100 fits 5 (163 KB), the H100 7 (227 KB).
    assert stage_bytes() == 32 * 1024
    assert LIMITS == {"A100": 163, "H100": 227}
    assert [stages_that_fit(limit * 1024, stage_bytes()) for limit in LIMITS.values()] == [5, 7]
    rows, columns, depth = TILE
    assert stage_bytes() == np.zeros((rows, depth), np.float16).nbytes + np.zeros((depth, columns), np.float16).nbytes


@pytest.mark.parametrize("stages", [*STAGES, 6, 9])
@pytest.mark.parametrize(("latency", "transfer", "compute"), CHOICES)
def test_slope_of_the_simulation_is_the_period_for_every_choice(stages, latency, transfer, compute):
    # Counted over whole turns of the buffers, the slope is exact.
    one, turns = Pipeline(stages, latency, transfer, compute), 20
    begun = simulate(stages, latency, transfer, compute, stages * (turns + 3))[2]
    slope = Fraction(begun[stages * (turns + 2)] - begun[stages * 2], stages * turns)
    assert one.period == pytest.approx(float(slope), rel=1e-14)


@given(each=times(), stages=st.integers(1, 12), tiles=st.integers(1, 60))
@example_budget
def test_every_moment_of_every_tile_is_that_of_the_simulation(each, stages, tiles):
    schedule = Pipeline(stages, *each).schedule(tiles)
    asked, landed, begun, done = simulate(stages, *each, tiles)
    assert schedule.asked.tolist() == asked
    assert schedule.landed.tolist() == landed
    assert schedule.start.tolist() == begun
    assert schedule.end.tolist() == done


@given(each=times(), stages=st.integers(1, 12), tiles=st.integers(1, 200))
@example_budget
def test_total_time_is_a_first_round_trip_and_a_period_for_each_further_tile(each, stages, tiles):
    # hardware.md, section 8: total ≈ L + C + (n − 1)·P; exact after whole turns, and never more.
    one = Pipeline(stages, *each)
    total = float(one.schedule(tiles).end[-1])
    line = one.latency + one.compute + (tiles - 1) * one.period
    assert total <= line * (1 + 1e-12)
    assert line - total <= (stages - 1) * (one.period - one.floor) + 1e-6
    if (tiles - 1) % stages == 0:
        assert total == pytest.approx(line, rel=1e-12)


@given(each=times(), stages=st.integers(1, 30))
@example_budget
def test_period_never_goes_below_arithmetic_or_memory_and_never_rises_with_stages(each, stages):
    latency, transfer, compute = each
    here, more = period(np.array([stages, stages + 1]), latency, transfer, compute)
    assert more <= here
    assert here >= max(compute, transfer)
    assert period(1, latency, transfer, compute) == latency + compute


@given(each=times())
@example_budget
def test_period_is_constant_from_the_stages_needed_on_and_longer_before(each):
    one = Pipeline(1, *each)
    periods = one.over(np.arange(1, one.needed + 5))
    assert (periods[one.needed - 1 :] == one.floor).all()
    assert (periods[: one.needed - 1] > one.floor).all()
    assert one.needed == math.ceil(Fraction(one.latency + one.compute, max(one.compute, one.transfer)))


@given(each=times(), stages=st.integers(1, 12))
@example_budget
def test_stall_is_the_share_of_a_steady_turn_in_which_no_tile_is_computed(each, stages):
    one = Pipeline(stages, *each)
    begun = one.schedule(4 * stages).start
    turn = int(begun[3 * stages] - begun[2 * stages])
    assert float(one.stall()) == pytest.approx(100 * (1 - stages * one.compute / turn), abs=1e-9)
    assert 0 <= float(one.stall()) < 100


@given(each=times(), stages=st.integers(1, 12))
@example_budget
def test_bound_names_what_would_shorten_the_period(each, stages):
    one = Pipeline(stages, *each)
    _, transfer, compute = each
    assert (one.bound == "round trip") == (Pipeline(stages + 1, *each).period < one.period)
    assume(one.bound != "round trip")
    assert one.period == {"compute": compute, "memory": transfer}[one.bound]
    assert (one.bound == "memory") == (transfer > compute)


@given(each=times(), stages=st.integers(1, 12))
@example_budget
def test_shown_tiles_are_all_that_are_asked_for_within_the_window(each, stages):
    one = Pipeline(stages, *each)
    assume(WINDOW // one.floor < 300)
    asked, _, _, done = simulate(stages, *each, stages + WINDOW // one.floor + 5)
    assert one.shown.asked.tolist() == [moment for moment in asked if moment < WINDOW]
    assert one.done == sum(moment <= WINDOW for moment in done)


@pytest.mark.parametrize(
    ("stages", "each", "message"),
    [
        (0, (600, 100, 200), "at least one stage, not 0"),
        (2, (600, 0, 200), "above 0 cycles, not 0"),
        (2, (600, 100, -1), "above 0 cycles, not -1"),
        (2, (200, 300, 100), "transfer of 300 cycles does not fit in a latency of 200"),
    ],
)
def test_impossible_pipelines_are_refused(stages, each, message):
    with pytest.raises(ValueError, match=message):
        Pipeline(stages, *each)
    with pytest.raises(ValueError, match=message):
        period(np.array([3, stages]), *each)
