"""What eight GPUs serve within both targets, against requests that are served one event after the other."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

from scenes._serving.models import MODELS
from scenes.disaggregation.events import REPLY, Machine, serve_chunks, serve_whole
from scenes.disaggregation.goodput import BUDGETS, FLEET, PATIENCE, Curve, Fleet, kept_by
from scenes.disaggregation.model import GPU, LINKS, Prompt

READ, MATH = 3.352e12, 989.4e12  # an H100's memory [B/s] and BF16 peak [FLOP/s]
WEIGHTS, CACHE, HEADS = 7_504_658_432, 131_072, 4 * 32 * 128 * 32  # of Llama 3 8B: weights; bytes, FLOP for a pair


def prompt(tokens=2048):
    return Prompt(MODELS["8B"], tokens)


def step(batch, context, chunks=()):
    """A step by hand: products at the peak for who decodes and at half of it for chunks, then attention of both."""
    taken = sum(chunk for chunk, _ in chunks)
    products = max(2 * WEIGHTS / READ, 2 * WEIGHTS * (batch + 2 * taken) / MATH)
    pairs = [(chunk * done + chunk * (chunk + 1) // 2, done) for chunk, done in chunks]
    attention = sum(max(2 * HEADS * number / MATH, done * CACHE / READ) for number, done in pairs)
    return products + batch * context * CACHE / READ + attention


def come_to_one(rate, requests, seed):
    """When requests come to one GPU of a fleet that gets them by turns."""
    return np.cumsum(np.random.default_rng(seed).exponential(1 / rate, FLEET * requests))[::FLEET].tolist()


def serve_together(tokens, come, budget=0):
    """One GPU that both prefills and decodes, step by step: arrival, first token and mean token of each request."""
    service, context = prompt(tokens).prefill, tokens + REPLY / 2
    now, at, under, live, told = 0.0, 0, [], [], []
    while len(told) < len(come):
        while at < len(come) and come[at] <= now and (budget or not under):
            under.append([come[at], 0])
            at += 1
        if not under and not live:
            now = come[at]
            continue
        chunks, taken = [], 0
        if under and not budget:
            now += service
            under[0][1] = tokens
        else:
            for one in under:
                part = min(tokens - one[1], max(budget - len(live) - taken, 0))
                if part:
                    chunks.append((part, one[1]))
                    one[1] += part
                    taken += part
            now += step(len(live), context, chunks)
            for talk in live:
                talk[0] -= 1
        told += [(came, first - came, (now - first) / (REPLY - 1)) for left, came, first in live if not left]
        live = [one for one in live if one[0]]
        live += [[REPLY - 1, came, now] for came, done in under if done == tokens]
        under = [one for one in under if one[1] < tokens]
    return told


def serve_apart(tokens, link, rate, requests, seed, prefill):
    """A whole fleet with its GPUs dealt out: prompts, their caches on links, and steps, as events in a heap."""
    one, decode = prompt(tokens), FLEET - prefill
    come = np.cumsum(np.random.default_rng(seed).exponential(1 / rate, requests * decode)).tolist()
    events = [(at, 0, number, "came") for number, at in enumerate(come)]
    heapq.heapify(events)
    free, linked, firsts, told = [0.0] * prefill, [0.0] * prefill, {}, []
    busy, waiting, live = [False] * decode, [[] for _ in range(decode)], [[] for _ in range(decode)]
    while events:
        now, _, number, what = heapq.heappop(events)
        server, gpu = number % prefill, number % decode
        if what == "came":
            free[server] = firsts[number] = max(free[server], now) + one.prefill
            heapq.heappush(events, (firsts[number], 1, number, "computed"))
        elif what == "computed":
            linked[server] = max(linked[server], now) + one.cache / LINKS[link]
            heapq.heappush(events, (linked[server], 2, number, "arrived"))
        elif what == "arrived":
            waiting[gpu].append([REPLY - 1, number])
        else:
            gpu, busy[number] = number, False
            for talk in live[gpu]:
                talk[0] -= 1
            told += [(come[who], firsts[who] - come[who], (now - firsts[who]) / (REPLY - 1))
                     for left, who in live[gpu] if not left]  # fmt: skip
            live[gpu] = [talk for talk in live[gpu] if talk[0]]
        if not busy[gpu] and (live[gpu] or waiting[gpu]):
            live[gpu], waiting[gpu], busy[gpu] = live[gpu] + waiting[gpu], [], True
            heapq.heappush(events, (now + step(len(live[gpu]), tokens + REPLY / 2), 3, gpu, "stepped"))
    return told


def share(told, tokens, pace):
    """Of the requests in the middle of the run, those that met both targets."""
    told = sorted(told)[len(told) // 3 : len(told) * 9 // 10]
    return np.mean([first <= PATIENCE * prompt(tokens).prefill and between <= pace for _, first, between in told])


@pytest.mark.parametrize(("tokens", "rate", "budget"), [
    (2048, 40.0, 0), (8192, 12.0, 0), (512, 150.0, 256), (512, 100.0, 2048), (2048, 60.0, 256), (2048, 60.0, 4096),
    (8192, 14.0, 256), (32_768, 2.0, 512),
])  # fmt: skip
def test_tokens_come_when_steps_one_by_one_say_so(tokens, rate, budget):
    """Not to the last digit: a prompt that comes within a hair of a step's end may just miss it in one of the two."""
    come, machine = come_to_one(rate, 150, 5), Machine(prompt(tokens))
    first, last = serve_chunks(machine, come, budget) if budget else serve_whole(machine, come)
    told = np.array(sorted(serve_together(tokens, come, budget)))
    found = np.stack([np.array(first) - come, np.subtract(last, first) / (REPLY - 1)], axis=1)
    off = np.abs(found / told[:, 1:] - 1)
    assert np.median(off, axis=0).max() < 1e-3 and off.max() < 0.05
    assert found.mean(axis=0) == pytest.approx(told[:, 1:].mean(axis=0), rel=3e-3)


# Loads at which memory is far from full, since the oracles know of no limit.
@pytest.mark.parametrize(("tokens", "pace", "budget"), [
    (2048, 0.010, 0), (8192, 0.015, 0), (2048, 0.010, 256), (2048, 0.015, 512), (8192, 0.010, 256),
    (32_768, 0.010, 512),
])  # fmt: skip
def test_nine_in_ten_requests_together_meet_both_targets_at_goodput_and_fewer_beyond(tokens, pace, budget):
    fleet = Fleet(prompt(tokens), "nic")
    curve = fleet.chunks[BUDGETS.index(budget)] if budget else fleet.whole
    rate = float(curve.within(pace))
    below, beyond = (
        np.mean(
            [
                share(serve_together(tokens, come_to_one(factor * rate, 400, seed), budget), tokens, pace)
                for seed in (1, 2)
            ]
        )
        for factor in (0.9, 1.12)
    )
    assert below > 0.9 > beyond


@pytest.mark.parametrize(("tokens", "link", "pace"), [(2048, "nic", 0.01), (8192, "nic", 0.008), (2048, "10gbe", 0.01)])
def test_nine_in_ten_requests_apart_meet_both_targets_at_goodput_and_fewer_beyond(tokens, link, pace):
    fleet = Fleet(prompt(tokens), link)
    prefill, rate = fleet.split(pace), float(fleet.best(pace)[2])
    below, beyond = (
        np.mean([share(serve_apart(tokens, link, factor * rate, 400, seed, prefill), tokens, pace) for seed in (1, 2)])
        for factor in (0.88, 1.15)
    )
    assert below > 0.9 > beyond


def test_goodput_counts_requests_that_meet_both_targets_and_not_means():
    first, between = np.full(300, 0.1), np.full(300, 0.01)
    first[::15], between[5::15] = 9.0, 9.0  # one in fifteen misses each target: two in fifteen miss one of them
    assert kept_by(first, between, 0.2) == 9.0
    between[5::15] = 0.01
    assert kept_by(first, between, 0.2) == 0.01
    first[::7] = 9.0
    assert kept_by(first, between, 0.2) == np.inf


def test_a_rate_within_a_pace_lies_between_the_rates_that_were_tried():
    curve = Curve(np.array([1.0, 2.0, 3.0]), np.array([0.01, 0.02, np.inf]))
    assert curve.within([0.009, 0.015, 0.02, 5.0]) == pytest.approx([0, 1.5, 2, 2])
    assert Curve(np.array([1.0]), np.array([np.inf])).within(1.0) == 0


@pytest.mark.parametrize("tokens", [512, 2048, 8192, 32_768])
def test_chunks_beat_whole_prompts_where_the_pace_is_tight(tokens):
    one, other, _ = Fleet(prompt(tokens), "nic").best(0.008)
    assert other > 1.25 * one


def test_apart_pays_against_chunks_where_prompts_are_long_and_the_pace_is_tight():
    gain = {(tokens, pace): apart / max(one, other) for tokens in (2048, 8192, 32_768) for pace in (0.008, 0.01, 0.1)
            for one, other, apart in [Fleet(prompt(tokens), "nic").best(pace)]}  # fmt: skip
    assert gain[32_768, 0.008] > 1.4 and gain[32_768, 0.01] > 1.2
    assert gain[2048, 0.01] < 0.95 and all(gain[tokens, 0.1] < 1 for tokens in (2048, 8192, 32_768))


def test_a_link_that_is_quicker_than_prefill_only_makes_caches_later():
    quick, slow = (Fleet(prompt(), link).apart(4) for link in ("nvlink", "100gbe"))
    assert slow.rates == pytest.approx(quick.rates)
    gap = prompt().transfer("100gbe") - prompt().transfer("nvlink")
    known = np.isfinite(quick.paces)
    assert slow.paces[known] - quick.paces[known] == pytest.approx(np.full(known.sum(), gap / (REPLY - 1)))


def test_batches_fit_into_memory():
    for tokens in (512, 2048, 32_768, 131_072):
        assert Machine(prompt(tokens)).room * (tokens + REPLY) * CACHE <= 0.9 * GPU.capacity - 2 * 8_030_261_248
