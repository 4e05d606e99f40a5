"""Costs against sums by hand, queues and fleets against requests that are served one event after the other."""

from __future__ import annotations

import heapq
from itertools import pairwise

import numpy as np
import pytest

from scenes._serving.models import MODELS
from scenes.disaggregation.goodput import FLEET, PATIENCE, REPLY, Fleet
from scenes.disaggregation.lanes import ARRIVALS, SHOWN, scenarios
from scenes.disaggregation.model import GPU, LINKS, Prompt, mean_first_token, mean_link_wait, mean_wait

READ, MATH = 3.352e12, 989.4e12  # an H100's memory [B/s] and BF16 peak [FLOP/s]
WEIGHTS, CACHE, HEADS = 7_504_658_432, 131_072, 4 * 32 * 128 * 32  # of Llama 3 8B: multiplied, [B] a token, FLOP a pair


def prompt(tokens=2048, model="8B"):
    return Prompt(MODELS[model], tokens)


# Section 5 of the facts sheet: GB, ms of prefill at half of the peak, ms over NVLink 4, 400 Gb/s and 100 Gb/s.
@pytest.mark.parametrize(("model", "tokens", "size", "prefill", "sent"), [
    ("8B", 2048, 0.268, 64, (0.6, 5.4, 21.5)),
    ("8B", 32_768, 4.295, 1563, (9.5, 85.9, 343.6)),
    ("70B", 8192, 2.684, 2480, (6.0, 53.7, 214.7)),
    ("70B", 131_072, 42.95, 82_348, (95.4, 859, 3435)),
    ("gpt-oss", 32_768, 1.213, 1000, (2.7, 24.3, 97.0)),
    ("V3", 8192, 0.576, 1552, (1.3, 11.5, 46.1)),
    ("V3", 131_072, 9.21, 106_178, (20.5, 184, 737)),
])  # fmt: skip
def test_caches_prefills_and_transfers_are_those_of_the_table(model, tokens, size, prefill, sent):
    one = prompt(tokens, model)
    assert one.cache / 1e9 == pytest.approx(size, rel=5e-3)
    assert 1e3 * one.prefill == pytest.approx(prefill, rel=8e-3)
    for link, told in zip(("nvlink", "nic", "100gbe"), sent, strict=True):
        assert 1e3 * one.transfer(link) == pytest.approx(told, rel=2e-3, abs=0.05)


def test_prefill_is_the_sum_by_hand():
    pairs = 2048 * 2049 // 2
    assert prompt().prefill == pytest.approx((2 * WEIGHTS * 2048 + HEADS * pairs) / (MATH / 2), rel=1e-3)


@pytest.mark.parametrize(("model", "tokens", "gigabytes"),
                         [("8B", 2048, 4.2), ("8B", 131_072, 1.3), ("70B", 8192, 1.1), ("V3", 8192, 0.4),
                          ("V3", 131_072, 0.09)])  # fmt: skip
def test_a_link_of_this_rate_hides_the_copy(model, tokens, gigabytes):
    one = prompt(tokens, model)
    assert one.hides / 1e9 == pytest.approx(gigabytes, rel=0.08)
    assert one.cache / one.hides == pytest.approx(one.prefill)


@pytest.mark.parametrize(("rate", "milliseconds"), [(2, 112.5), (4, 400 / 3), (8, 300)])  # section 2 of the sheet
def test_first_tokens_of_prefills_of_100_ms(rate, milliseconds):
    assert 1e3 * mean_first_token(0.1, rate) == pytest.approx(milliseconds)


def test_a_queue_that_is_never_empty_has_no_mean():
    assert mean_wait(0.1, 10) == np.inf and mean_wait(0.1, 9.99) < np.inf


def test_mean_wait_is_that_of_a_queue_served_one_by_one():
    random, service, rate = np.random.default_rng(1), 0.1, 6.0
    come, free, waits = 0.0, 0.0, []
    for pause in random.exponential(1 / rate, 200_000):
        come += pause
        start = max(come, free)
        waits.append(start - come)
        free = start + service
    assert mean_wait(service, rate) == pytest.approx(np.mean(waits), rel=0.03)


@pytest.mark.parametrize(("sending", "rate"), [(0.15, 5.0), (0.12, 7.0), (0.08, 7.0)])
def test_wait_for_a_link_is_that_of_prompts_passed_on_one_by_one(sending, rate):
    random, service = np.random.default_rng(2), 0.1
    come, free, linked, waits = 0.0, 0.0, 0.0, []
    for pause in random.exponential(1 / rate, 200_000):
        come += pause
        free = max(come, free) + service
        start = max(free, linked)
        waits.append(start - free)
        linked = start + sending
    assert mean_link_wait(service, sending, rate) == pytest.approx(np.mean(waits), rel=0.05, abs=1e-12)


def step(batch, context):
    """A decode step by hand: weights and caches are read; batches here are too small for arithmetic to matter."""
    return max(2 * WEIGHTS / READ, 2 * WEIGHTS * batch / MATH) + batch * context * CACHE / READ


def serve_together(tokens, rate, seconds, seed=0):
    """One GPU that does both, one event after the other: mean first token and mean token of those that ended."""
    random, service, context = np.random.default_rng(seed), prompt(tokens).prefill, tokens + REPLY / 2
    come = np.cumsum(random.exponential(1 / rate, int(rate * seconds)))
    now, at, live, firsts, paces = 0.0, 0, [], [], []
    while at < len(come):
        if come[at] <= now:
            now += service
            firsts.append(now - come[at])
            live.append([REPLY - 1, now])
            at += 1
        elif live:
            now += step(len(live), context)
            for one in live:
                one[0] -= 1
            paces += [(now - start) / (REPLY - 1) for left, start in live if not left]
            live = [one for one in live if one[0]]
        else:
            now = come[at]
    skip = len(paces) // 10
    return np.mean(firsts[skip:]), np.mean(paces[skip:])


def serve_apart(tokens, link, rate, seconds, seed=0):
    """One GPU for prompts, one for decoding: prompts, their caches on the link, and steps, as events in a heap."""
    random, one, context = np.random.default_rng(seed), prompt(tokens), tokens + REPLY / 2
    events = [(at, "came", at) for at in np.cumsum(random.exponential(1 / rate, int(rate * seconds)))]
    heapq.heapify(events)
    free = linked = 0.0
    busy, waiting, live, firsts, paces = False, [], [], [], []
    while events:
        now, what, since = heapq.heappop(events)
        if what == "came":
            free = max(free, now) + one.prefill
            firsts.append(free - now)
            heapq.heappush(events, (free, "computed", free))
        elif what == "computed":
            linked = max(linked, now) + one.cache / LINKS[link]
            heapq.heappush(events, (linked, "arrived", since))
        elif what == "arrived":
            waiting.append([REPLY - 1, since])
        else:
            busy = False
            for talk in live:
                talk[0] -= 1
            paces += [(now - start) / (REPLY - 1) for left, start in live if not left]
            live = [talk for talk in live if talk[0]]
        if not busy and (live or waiting):
            live, waiting, busy = live + waiting, [], True
            heapq.heappush(events, (now + step(len(live), context), "stepped", 0.0))
    skip = len(paces) // 10
    return np.mean(firsts[skip:]), np.mean(paces[skip:-skip])


@pytest.mark.parametrize(("tokens", "rate", "off"), [(2048, 4.0, 0.03), (2048, 7.0, 0.06), (8192, 1.0, 0.07)])
def test_a_fleet_together_is_about_as_fast_as_requests_served_one_by_one(tokens, rate, off):
    rates, first, between = Fleet(prompt(tokens), "nic").together
    told = [float(np.interp(rate * FLEET, rates, found)) for found in (first, between)]
    assert serve_together(tokens, rate, 2000 / rate) == pytest.approx(told, rel=off)


def test_bunches_of_long_prompts_make_waits_longer_than_means_tell():  # what the scene says it leaves out
    rates, _, between = Fleet(prompt(32_768), "nic").together
    told, found = np.interp(0.3 * FLEET, rates, between), serve_together(32_768, 0.3, 10_000)[1]
    assert told < found < 1.3 * told


@pytest.mark.parametrize(("tokens", "link", "rate"), [(2048, "nic", 9.0), (8192, "nic", 2.5), (2048, "10gbe", 3.0)])
def test_a_fleet_apart_is_as_fast_as_requests_served_one_by_one(tokens, link, rate):
    rates, first, between = Fleet(prompt(tokens), link).apart(4)
    told = [float(np.interp(rate * FLEET / 2, rates, found)) for found in (first, between)]
    assert serve_apart(tokens, link, rate, 3000 / rate) == pytest.approx(told, rel=0.05)


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("tokens", [512, 2048, 131_072])
def test_what_is_served_within_targets_meets_them_and_a_little_more_does_not(tokens, link):
    fleet = Fleet(prompt(tokens), link)
    for pace in (0.008, 0.015, 0.1):
        served = float(fleet.best_together(pace))
        rates, first, between = fleet.together
        for rate, within in ((0.995 * served, True), (1.005 * served, False)):
            met = np.interp(rate, rates, first) <= PATIENCE * fleet.service and np.interp(rate, rates, between) <= pace
            assert met == within or not served or rate > rates[-1]
        assert served <= fleet.most_together * (1 + 1e-9)
        assert float(fleet.best_apart(pace)) <= fleet.most_apart * (1 + 1e-9)


@pytest.mark.parametrize("tokens", [512, 2048, 8192, 32_768])
def test_apart_serves_more_within_a_tight_pace_and_never_more_altogether(tokens):
    fleet = Fleet(prompt(tokens), "nic")
    assert fleet.best_apart(0.008) > 1.2 * fleet.best_together(0.008)
    assert fleet.best_apart(0.1) < fleet.best_together(0.1)
    assert fleet.most_apart <= fleet.most_together * (1 + 1e-9)


@pytest.mark.parametrize("link", ["nic", "10gbe"])
@pytest.mark.parametrize("tokens", [512, 2048, 32_768])
def test_lanes_do_one_thing_at_a_time_and_each_prompt_once(tokens, link):
    for scenario in scenarios(tokens, link):
        for lane in scenario.lanes.values():
            ordered = sorted(lane, key=lambda one: one.start)
            assert all(one.end <= other.start + 1e-9 for one, other in pairwise(ordered))
        told = [one.prompt for lane in scenario.lanes.values() for one in lane if one.what == "prefill"]
        assert sorted(told) == list(range(len(ARRIVALS)))
        service = prompt(tokens).prefill
        spans = [one.end - one.start for lane in scenario.lanes.values() for one in lane if one.what == "prefill"]
        assert spans == pytest.approx([service] * len(ARRIVALS))


@pytest.mark.parametrize("tokens", [512, 2048, 32_768])
def test_a_prompt_together_stalls_its_gpu_and_apart_nobody(tokens):
    together, apart = scenarios(tokens, "nic")
    service = prompt(tokens).prefill
    assert service < together.longest < service + 0.01
    assert apart.longest < 0.011 and apart.longest < together.longest / 2.5


def test_prompts_apart_wait_for_each_other_as_arithmetic_says():
    service, apart = prompt().prefill, scenarios(2048, "nic")[1]
    free, told = 0.0, []
    for at in ARRIVALS:
        free = max(free, at) + 1
        told.append((free - at) * service)
    assert apart.first == pytest.approx(told)
    assert max(apart.first) == pytest.approx(1.4 * service)


def test_a_slow_link_makes_caches_queue():
    sent = scenarios(2048, "10gbe")[1].lanes["link"]
    assert all(one.end == pytest.approx(other.start) for one, other in pairwise(sent))
    assert sent[0].start == pytest.approx(1.6 * prompt().prefill)


def test_batches_fit_into_memory():
    for tokens in (512, 2048, 32_768, 131_072):
        fleet = Fleet(prompt(tokens), "nic")
        assert (1 + fleet.others[-1]) * (tokens + REPLY) * CACHE <= 0.9 * GPU.capacity - 2 * 8_030_261_248
    assert max(ARRIVALS) + 1 < SHOWN
