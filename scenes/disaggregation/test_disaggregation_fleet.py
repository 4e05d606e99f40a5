"""What eight GPUs serve, against requests that are served one event after the other."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

from scenes._serving.models import MODELS
from scenes.disaggregation.goodput import FLEET, PATIENCE, REPLY, Fleet
from scenes.disaggregation.model import GPU, LINKS, Prompt

READ, MATH = 3.352e12, 989.4e12  # an H100's memory [B/s] and BF16 peak [FLOP/s]
WEIGHTS, CACHE = 7_504_658_432, 131_072  # of Llama 3 8B: what multiplies a token, and what it leaves [B]


def prompt(tokens=2048):
    return Prompt(MODELS["8B"], tokens)


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


def test_batches_fit_into_memory():
    for tokens in (512, 2048, 32_768, 131_072):
        fleet = Fleet(prompt(tokens), "nic")
        assert (1 + fleet.others[-1]) * (tokens + REPLY) * CACHE <= 0.9 * GPU.capacity - 2 * 8_030_261_248
