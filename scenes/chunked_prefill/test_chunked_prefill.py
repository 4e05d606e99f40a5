"""Check stalls and streams against the table of facts, arithmetic by hand, and a server that goes token by token.

Sections are those of facts/serving.md.
"""

import itertools
from math import ceil

import numpy as np
import pytest

from scenes.chunked_prefill.engine import COUNT, LONG, SHORT, Visit, arrivals, serve, served
from scenes.chunked_prefill.model import ALONE, BUDGETS, CHUNKS, DECODE, OTHERS, PROMPTS, SERVER, Stall, stall
from scenes.chunked_prefill.timeline import SPANS, late, longest, tokens, waited

EVERY = [(how, prompt, budget) for prompt in PROMPTS for how, budgets in ((ALONE, (512,)), (CHUNKS, BUDGETS))
         for budget in budgets]  # fmt: skip
FEW = [(ALONE, 4096, 512), *((CHUNKS, prompt, budget) for prompt in (4096, 16_384) for budget in (64, 512, 16_416))]

# §4, toy numbers: budget, iterations, worst ITL and TTFT [ms], tokens decoded meanwhile, cache read again [GB].
TABLE = [
    (4128, 1, 68.35, 68.35, 32, 0),
    (2048, 3, 35.6, 74.9, 96, 0.79),
    (1024, 5, 18.6, 77.5, 160, 1.30),
    (512, 9, 9.96, 82.6, 288, 2.26),
    (256, 19, 6.22, 113.9, 608, 5.02),
]


@pytest.mark.parametrize(("budget", "steps", "gap", "first", "decoded", "reread"), TABLE)
def test_a_prompt_in_chunks_takes_as_long_as_in_the_table_of_facts(budget, steps, gap, first, decoded, reread):
    case = Stall(CHUNKS, 4096, budget)
    assert (len(case.turns), case.decoded) == (steps, decoded)
    assert case.gap * 1e3 == pytest.approx(gap, abs=0.05) and case.first * 1e3 == pytest.approx(first, abs=0.05)
    assert case.reread / 1e9 == pytest.approx(reread, abs=0.005)


def test_decoding_alone_and_a_prompt_by_itself_take_as_long_as_in_the_table_of_facts():
    case = Stall(ALONE, 4096, 512)
    assert case.first + DECODE == case.gap and pytest.approx(5.76, abs=0.005) == 1e3 * DECODE
    assert (case.gap * 1e3, case.first * 1e3) == (pytest.approx(72.3, abs=0.05), pytest.approx(66.6, abs=0.05))
    assert case.decoded == case.reread == 0
    assert SERVER.balance == pytest.approx(295.2, abs=0.1)  # §1: T* of an H100


def cost(batch, context, parts):
    """A step by hand [s]: Llama 3 8B's 7,504,658,432 weights in matrices, 8 of 32 heads in the cache, an H100."""
    weights, rate, peak = 7_504_658_432, 3.352e12, 989.4e12
    count = batch + sum(part for part, _ in parts)
    total = max(2 * weights / rate, 2 * weights * count / peak)
    each = 2 * 8 * 128 * 2 * 32  # bytes of a token in the cache
    total += max(batch * context * each / rate, batch * context * 4 * 32 * 128 * 32 / peak)
    for part, done in parts:
        pairs = sum(range(done + 1, done + part + 1))
        total += max(done * each / rate, pairs * 4 * 32 * 128 * 32 / peak)
    return total


@pytest.mark.parametrize(("how", "prompt", "budget"), EVERY)
def test_stalls_are_those_of_arithmetic_by_hand(how, prompt, budget):
    left, done, times = prompt, 0, []
    while left:
        part = left if how == ALONE else min(left, budget - 32)
        times.append(cost(0 if how == ALONE else 32, 1024, [(part, done)]))
        left, done = left - part, done + part
    case = Stall(how, prompt, budget)
    assert case.first == pytest.approx(sum(times))
    assert case.gap == pytest.approx(sum(times) + cost(32, 1024, []) if how == ALONE else max(times))


@pytest.mark.parametrize(("how", "prompt", "budget"), FEW)
def test_the_stream_is_served_as_by_a_server_that_goes_token_by_token(how, prompt, budget):
    asked = [(one.arrival, one.prompt, one.output) for one in arrivals(prompt)]
    now, computed, given = 0.0, [0] * COUNT, [[] for _ in range(COUNT)]
    while any(len(times) < output for times, (_, _, output) in zip(given, asked, strict=True)):
        parts, batch, room = {}, [], budget
        for which, (arrival, size, output) in enumerate(asked):
            if arrival <= now and computed[which] == size and len(given[which]) < output:
                batch.append(which)
        rest = [which for which in range(COUNT) if asked[which][0] <= now and computed[which] < asked[which][1]]
        if how == ALONE and rest:
            parts, batch = {rest[0]: asked[rest[0]][1]}, []
        elif how == CHUNKS:
            room -= len(batch)
            while room > 0 and rest:  # one token after another, to whoever came first
                which = rest[0]
                parts[which] = parts.get(which, 0) + 1
                room -= 1
                if computed[which] + parts[which] == asked[which][1]:
                    rest.pop(0)
        if not batch and not parts:
            now = min(arrival for arrival, *_ in asked if arrival > now)
            continue
        mean = round(np.mean([asked[which][1] + len(given[which]) for which in batch])) if batch else 0
        now += cost(len(batch), mean, [(part, computed[which]) for which, part in parts.items()])
        for which, part in parts.items():
            computed[which] += part
        for which in [*batch, *(which for which in parts if computed[which] == asked[which][1])]:
            given[which].append(now)
    for times, one in zip(given, served(how, prompt, budget), strict=True):
        assert one.times == pytest.approx(times)


def test_the_stall_of_one_prompt_is_what_the_stream_makes_of_it():
    # In the stream the others' conversations grow while they wait, by one part in a hundred at most.
    for how, budget in ((ALONE, 512), (CHUNKS, 512), (CHUNKS, 2048)):
        others = [Visit(0.0, 1024, 60, done=1024, times=[0.0]) for _ in range(OTHERS)]
        *others, new = serve([*others, Visit(0.0, 4096, 2)], how, budget)
        case = stall(how, 4096, budget)
        assert new.first == pytest.approx(case.first, rel=0.01)
        assert max(others[0].gaps[: len(case.turns) + 1]) == pytest.approx(case.gap, rel=0.01)


@pytest.mark.parametrize(("how", "prompt", "budget"), EVERY)
def test_everybody_gets_all_tokens_in_order_and_first_come_means_first_served(how, prompt, budget):
    visits = served(how, prompt, budget)
    assert [one.prompt for one in visits].count(prompt) == COUNT // LONG and {SHORT, prompt} == {
        one.prompt for one in visits
    }
    for one in visits:
        assert one.done == one.prompt and len(one.times) == one.output and min(one.gaps) > 0
        assert one.arrival <= one.begun < one.times[0]
        assert one.first + one.mean * (one.output - 1) == pytest.approx(one.times[-1] - one.arrival)  # §2: E2E
        assert one.mean == pytest.approx(np.mean(one.gaps)) and one.mean <= max(one.gaps)
    firsts = [one.times[0] for one in visits]
    assert firsts == sorted(firsts)


def test_requests_in_flight_are_the_rate_times_their_stay():
    # Little's law over the time of the stream, by looking at it 20,000 times.
    visits = served(CHUNKS, 4096, 512)
    end = max(one.times[-1] for one in visits)
    looks = np.linspace(0, end, 20_001)[1:]
    present = np.mean([sum(one.arrival <= look < one.times[-1] for one in visits) for look in looks])
    stay = np.mean([one.times[-1] - one.arrival for one in visits])
    assert present == pytest.approx(COUNT / end * stay, rel=1e-3)


@pytest.mark.parametrize("budget", [one for one in BUDGETS if 320 <= one <= 4128])
def test_the_first_token_is_late_because_every_step_decodes_too(budget):
    # And because the last chunk may be too short for its step to be worth reading the weights.
    case, each = stall(CHUNKS, 4096, budget), 2 * 7_504_658_432 / 989.4e12
    decoding = OTHERS * each + cost(OTHERS, 1024, []) - cost(OTHERS, 0, [])
    short = max(0, SERVER.balance - OTHERS - case.turns[-1].chunk) * each
    delay = case.first - stall(ALONE, 4096, budget).first
    assert delay == pytest.approx(len(case.turns) * decoding + short, rel=0.01)


@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_larger_budget_never_shortens_the_gap_and_below_the_balance_hardly_does(prompt):
    gaps = [stall(CHUNKS, prompt, budget).gap for budget in BUDGETS]
    assert all(after > 0.999 * before for before, after in itertools.pairwise(gaps)) and gaps[0] > DECODE
    few = [gap for budget, gap in zip(BUDGETS, gaps, strict=True) if budget < SERVER.balance]
    assert few[-1] / few[0] < 1.25 and stall(ALONE, prompt, 512).gap > gaps[-1]
    assert stall(CHUNKS, prompt, 64).first > 2 * stall(CHUNKS, prompt, 512).first


@pytest.mark.parametrize(("how", "prompt", "budget"), EVERY)
def test_tokens_are_late_by_what_the_prompt_takes(how, prompt, budget):
    case = stall(how, prompt, budget)
    times = tokens(case)
    assert times == sorted(times) and times[0] == -2 * DECODE and times[-1] >= SPANS[prompt]
    shown = [time for time in times if time <= case.first + DECODE]
    delay = sum(after - due for due, after in late(case) if after <= case.first + 2 * DECODE)
    usual = (len(shown) - 1) * DECODE
    assert shown[-1] - times[0] - usual == pytest.approx(delay, abs=1e-9)
    start, end = longest(case)
    assert end - start == pytest.approx(case.gap) or case.first > SPANS[prompt]
    assert waited(case, times[-1]) == pytest.approx(end - start)
    assert waited(case, (start + end) / 2) >= (end - start) / 2
    assert len(case.turns) == (1 if how == ALONE else ceil(prompt / (budget - OTHERS)))
