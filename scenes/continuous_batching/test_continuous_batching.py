"""Check both policies against a schedule made step by step, queueing theory, and the tables of facts.

Sections are those of facts/serving.md.
"""

import itertools
import math
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.continuous_batching.case import NAMES, Case
from scenes.continuous_batching.model import (
    CONTINUOUS,
    EIGHT,
    MEAN,
    POLICIES,
    SLOTS,
    STATIC,
    Request,
    Schedule,
    serve_continuous,
    serve_static,
    stream,
)
from scenes.continuous_batching.queueing import LOADS, limit, longest, mean_wait, shown

budget = settings(max_examples=150, deadline=None)
requests = st.lists(
    st.tuples(st.floats(0, 30).map(lambda time: round(time, 1)), st.integers(1, 12)), min_size=1, max_size=25
).map(lambda found: [Request(*one) for one in sorted(found, key=lambda one: one[0])])


def step_by_step(requests, slots, static):
    """When each request begins and when its answer goes out: one step after another, nothing foreseen."""
    waiting, live, begun, gone = list(range(len(requests))), {}, {}, {}
    step = 0
    while waiting or live:
        here = [one for one in waiting if requests[one].arrival <= step]
        for one in here if not (static and live) else ():
            if len(live) < slots:
                waiting.remove(one)
                live[one], begun[one] = requests[one].tokens, step
        for one in live:
            live[one] -= 1
        step += 1
        if not static or all(left <= 0 for left in live.values()):
            for one in [one for one, left in live.items() if left <= 0]:
                gone[one] = step
                del live[one]
    return [(begun[one], gone[one]) for one in range(len(requests))]


@given(requests, st.integers(1, 6), st.sampled_from([STATIC, CONTINUOUS]))
@budget
def test_schedules_are_those_of_a_server_that_goes_step_by_step(requests, slots, policy):
    served = POLICIES[policy](requests, slots)
    assert [(one.start, one.free) for one in served] == step_by_step(requests, slots, policy == STATIC)


@given(requests, st.integers(1, 6), st.sampled_from([STATIC, CONTINUOUS]))
@budget
def test_a_slot_has_one_request_at_a_time_and_all_it_asked_for(requests, slots, policy):
    served = POLICIES[policy](requests, slots)
    assert [one[:2] for one in served] == [tuple(one) for one in requests]
    for _, group in itertools.groupby(sorted(served, key=lambda one: one.slot), key=lambda one: one.slot):
        turns = sorted(group, key=lambda one: one.start)
        assert all(before.free <= after.start for before, after in itertools.pairwise(turns))
    assert all(0 <= one.slot < slots and one.arrival <= one.start and one.end <= one.free for one in served)


@given(requests, st.integers(1, 6))
@budget
def test_nobody_waits_for_a_slot_step_by_step_while_one_is_free(requests, slots):
    served = serve_continuous(requests, slots)
    for now in range(max(one.free for one in served)):
        live = sum(one.start <= now < one.free for one in served)
        assert live == slots or not any(one.arrival <= now < one.start for one in served)


# §3, toy schedule.
def test_eight_requests_are_served_as_in_the_table_of_facts():
    static, continuous = (Schedule(POLICIES[policy](EIGHT)) for policy in (STATIC, CONTINUOUS))
    assert (static.steps, continuous.steps, static.tokens) == (13, 11, 32)
    assert (static.used(13), continuous.used(11)) == (pytest.approx(61.5, abs=0.05), pytest.approx(72.7, abs=0.05))
    assert (static.latency, static.taken(), continuous.latency) == (8.5, 6.0, 4.375)
    assert (static.wait, continuous.wait) == (2.0, 0.375)
    live = ["".join(name for name, one in zip(NAMES, continuous.served, strict=True) if one.start <= step < one.free)
            for step in range(11)]  # fmt: skip
    assert " ".join(live) == "ABCD ABCD ACDE ACEF ACEF CEGH CGH GH G G G"
    assert [(one.start, one.free) for one in static.served] == [(0, 7)] * 4 + [(7, 13)] * 4
    slots = {name: one.slot for name, one in zip(NAMES, continuous.served, strict=True)}
    assert (slots["E"], slots["F"], {slots["G"], slots["H"]}) == (slots["B"], slots["D"], {slots["A"], slots["F"]})


# §2: mean TTFT of M/D/1 with D = 100 ms is 112.5, 133.3 and 300 ms at 2, 4 and 8 requests a second.
@pytest.mark.parametrize(("load", "first"), [(0.2, 112.5), (0.4, 133.3), (0.8, 300)])
@pytest.mark.parametrize("policy", POLICIES)
def test_one_slot_and_equal_requests_are_the_queue_m_d_1(policy, load, first):
    assert first == pytest.approx(100 + load * 100 / (2 * (1 - load)), abs=0.05)
    same = [one._replace(tokens=100) for one in stream(load, 60_000, seed=1, slots=1)]
    found = Schedule(POLICIES[policy](same, slots=1))
    assert found.wait + 100 == pytest.approx(first + 0.5, rel=0.02)  # half a step: slots are given out between steps


def erlang(load):
    """The mean wait of M/M/c [steps]: exponential service is what geometric lengths of 100 tokens come near to."""
    offered = SLOTS * load / 100
    last = offered**SLOTS / factorial(SLOTS) / (1 - load / 100)
    delayed = last / (sum(offered**busy / factorial(busy) for busy in range(SLOTS)) + last)
    return delayed * MEAN / (SLOTS * (1 - load / 100))


@pytest.mark.parametrize("load", [load for load in LOADS if load < 100])
def test_waits_step_by_step_are_nearly_those_of_erlangs_formula(load):
    assert mean_wait(CONTINUOUS, load) - 0.5 == pytest.approx(erlang(load), rel=0.06, abs=0.6)


@pytest.mark.parametrize(("load", "near"), [(40, 0.05), (60, 0.05), (80, 0.06)])
def test_over_many_streams_waits_are_those_of_erlangs_formula(load, near):
    waits = [Schedule(serve_continuous(stream(load / 100, 20_000, seed))[2000:]).wait for seed in range(20, 28)]
    assert np.mean(waits) - 0.5 == pytest.approx(erlang(load), rel=near)


def test_queue_in_the_mean_is_the_rate_times_the_wait():
    # Little's law, with the queue looked at once in every step.
    for policy, load in ((STATIC, 35), (CONTINUOUS, 85)):
        served = POLICIES[policy](stream(load / 100, 4000, seed=5))
        found = Schedule(served)
        span = served[-1].arrival
        changes = np.zeros(math.ceil(max(one.start for one in served)) + 2)
        for one in served:
            changes[math.ceil(one.arrival)] += 1
            changes[one.start] -= 1
        looked = changes.cumsum()
        rate = len(served) / span
        assert looked.sum() / span == pytest.approx(rate * (found.wait - 0.5), rel=0.01)
        assert looked[:3000:20].tolist() == [found.waiting(now) for now in range(0, 3000, 20)]
        times = [time for time, _ in found.queue]
        area = sum(waiting * (after - time) for (time, waiting), after in zip(found.queue, times[1:], strict=False))
        assert area / span == pytest.approx(rate * found.wait)


@pytest.mark.parametrize(("policy", "load"), [(STATIC, 30), (CONTINUOUS, 60)])
def test_requests_that_are_present_are_counted_as_littles_law_says(policy, load):
    served = POLICIES[policy](stream(load / 100, 20_000, seed=3))
    looks = np.linspace(served[2000].arrival, served[-1].arrival, 4000)
    come = np.searchsorted([one.arrival for one in served], looks, side="right")
    done = np.searchsorted(sorted(one.end for one in served), looks, side="right")
    assert Case(policy, load).present == pytest.approx(np.mean(come - done), rel=0.04)


# §3: 1/H_B.
@pytest.mark.parametrize(("slots", "share"), [(8, 36.8), (32, 24.6), (128, 18.4)])
def test_a_static_batch_uses_one_over_the_harmonic_number_of_its_slots(slots, share):
    assert share == pytest.approx(100 / sum(1 / place for place in range(1, slots + 1)), abs=0.05)
    assert limit(STATIC, slots=slots) == pytest.approx(share, rel=0.03)
    assert limit(STATIC, mean=10_000, slots=slots) == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize("slots", [1, 4, 32])
def test_full_batches_use_as_much_as_the_formula_of_the_longest_says(slots):
    lengths = np.random.default_rng(7).geometric(1 / MEAN, 4000 * slots)
    served = serve_static([Request(0, int(tokens)) for tokens in lengths], slots)
    steps = max(one.free for one in served)
    assert 100 * lengths.sum() / (slots * steps) == pytest.approx(limit(STATIC, slots=slots), rel=0.015)
    assert steps / 4000 == pytest.approx(longest(slots=slots), rel=0.015)


@pytest.mark.parametrize("slots", [1, 2, 4, 8])
def test_the_longest_of_some_lengths_follows_from_inclusion_and_exclusion(slots):
    q = 1 - 1 / MEAN
    terms = [(-1) ** (k + 1) * comb(slots, k) / (1 - q**k) for k in range(1, slots + 1)]
    assert longest(slots=slots) == pytest.approx(sum(terms))


@pytest.mark.parametrize(("policy", "load"), [(STATIC, 60), (STATIC, 120), (CONTINUOUS, 110), (CONTINUOUS, 120)])
def test_beyond_its_limit_a_queue_grows_at_the_rate_that_is_told(policy, load):
    served = Schedule(POLICIES[policy](stream(load / 100, 60_000, seed=2)))
    end = served.served[-1].arrival
    grown = (served.waiting(end) - served.waiting(end / 4)) / (0.75 * end) * 1000
    assert Case(policy, load).endless and grown == pytest.approx(Case(policy, load).growth, rel=0.12)


@pytest.mark.parametrize("policy", POLICIES)
def test_more_load_is_never_less_waiting_and_step_by_step_is_never_more(policy):
    waits = [mean_wait(policy, load) for load in LOADS if load < limit(policy)]
    assert waits == sorted(waits)
    assert all(mean_wait(CONTINUOUS, load) < mean_wait(STATIC, load) for load in LOADS if load < limit(STATIC))


def test_every_load_shows_the_same_requests_closer_together():
    few, many = (shown(CONTINUOUS, load).served for load in (50, 100))
    assert len(few) < len(many) and [one.tokens for one in few] == [one.tokens for one in many[: len(few)]]
    assert [one.arrival for one in few] == pytest.approx([2 * one.arrival for one in many[: len(few)]])
