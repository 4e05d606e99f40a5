"""Costs against sums by hand, queues against requests served one by one, and what lanes may and may not do."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from scenes._serving.models import MODELS
from scenes.disaggregation.lanes import ARRIVALS, apart, in_chunks, whole
from scenes.disaggregation.model import Prompt, mean_first_token, mean_link_wait, mean_wait

MATH = 989.4e12  # an H100's BF16 peak [FLOP/s]
WEIGHTS, HEADS = 7_504_658_432, 4 * 32 * 128 * 32  # of Llama 3 8B: what multiplies a token, FLOP for each pair


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


@pytest.mark.parametrize("link", ["nic", "10gbe"])
@pytest.mark.parametrize("tokens", [512, 2048, 32_768])
def test_lanes_do_one_thing_at_a_time_and_each_prompt_once(tokens, link):
    for scenario in (whole(tokens), apart(tokens, link)):
        for lane in scenario.lanes.values():
            ordered = sorted(lane, key=lambda one: one.start)
            assert all(one.end <= other.start + 1e-9 for one, other in pairwise(ordered))
        told = [one.prompt for lane in scenario.lanes.values() for one in lane if one.what == "prefill"]
        assert sorted(told) == list(range(len(ARRIVALS)))
        service = prompt(tokens).prefill
        spans = [one.end - one.start for lane in scenario.lanes.values() for one in lane if one.what == "prefill"]
        assert spans == pytest.approx([service] * len(ARRIVALS))


@pytest.mark.parametrize("tokens", [512, 2048, 32_768])
def test_a_prompt_stalls_its_gpu_if_it_is_whole_and_apart_nobody(tokens):
    service = prompt(tokens).prefill
    assert service < whole(tokens).longest < service + 0.01
    assert apart(tokens, "nic").longest < min(0.011, whole(tokens).longest / 2.5)


@pytest.mark.parametrize("budget", [256, 1024])
@pytest.mark.parametrize("tokens", [512, 2048, 32_768])
def test_in_chunks_decoding_never_stops_and_no_prompt_is_quicker_than_by_itself(tokens, budget):
    scenario, service = in_chunks(tokens, budget), prompt(tokens).prefill
    for gpu in range(2):
        lane = scenario.lanes[f"chunks-{gpu}"]
        (run,) = [one for one in lane if one.what == "decode"]
        assert run.start == 0 and run.end >= scenario.shown
        cut = [one for one in lane if one.what == "chunks"]
        assert [one.prompt for one in cut] == list(range(gpu, len(ARRIVALS), 2))
        assert all(one.end <= other.start + 1e-9 for one, other in pairwise(cut))
    assert min(scenario.first) > service * (1 - 1e-9)


@pytest.mark.parametrize("budget", [256, 512])
@pytest.mark.parametrize("tokens", [2048, 8192])
def test_steps_of_the_first_prompt_are_sums_by_hand(tokens, budget):
    """Products at half of the peak for the chunk and at the peak for 16 others, their caches, and the chunk's pairs."""
    scenario, chunk, past = in_chunks(tokens, budget), budget - 16, 16 * 2048 * 131_072 / 3.352e12
    cut = next(one for one in scenario.lanes["chunks-0"] if one.what == "chunks")
    found = [end - start for start, end in pairwise(scenario.steps["chunks-0"]) if cut.start <= start < cut.end - 1e-9]
    told, done = [], 0
    while done < tokens:
        part = min(chunk, tokens - done)
        pairs = part * done + part * (part + 1) // 2
        told.append(max(2 * WEIGHTS * (16 + 2 * part) / MATH, 2 * WEIGHTS / 3.352e12) + past + 2 * HEADS * pairs / MATH)
        done += part
    assert found[:-1] == pytest.approx(told[:-1], rel=1e-3)  # the last may have a part of the next prompt


def test_prompts_apart_wait_for_each_other_as_arithmetic_says():
    service, found = prompt().prefill, apart(2048, "nic")
    free, told = 0.0, []
    for at in ARRIVALS:
        free = max(free, at) + 1
        told.append((free - at) * service)
    assert found.first == pytest.approx(told)
    assert max(found.first) == pytest.approx(1.4 * service)


def test_a_slow_link_makes_caches_queue():
    sent = apart(2048, "10gbe").lanes["link"]
    assert all(one.end == pytest.approx(other.start) for one, other in pairwise(sent))
    assert sent[0].start == pytest.approx(1.6 * prompt().prefill)
