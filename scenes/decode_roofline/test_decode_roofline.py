"""Check steps and limits against the facts sheet, a search one by one, and a server that is walked layer by layer."""

import itertools

import numpy as np
import pytest

from scenes._gpus.rates import GPUS
from scenes._serving.models import MODELS
from scenes.decode_roofline.model import (
    BATCHES,
    CONTEXTS,
    LONGEST,
    Load,
    along,
    balance,
    border,
    full,
    limits,
    memory_bound_from,
    overtaking_tokens,
    server,
)

PAIRS = list(itertools.product(MODELS, ("H100", "H200", "B200")))


def walked(model, gpu, context, batch):
    """Oracle for the dense models: read and multiply every matrix of every layer, then every user's keys and values."""
    layers, hidden, ffn, heads = {"8B": (32, 4096, 14_336, 32), "70B": (80, 8192, 28_672, 64)}[model]
    rate, peak = {"H100": (3.352e12, 989.4e12), "H200": (4.8e12, 989.4e12), "B200": (7.7e12, 2250e12)}[gpu]
    matrices = [(hidden, hidden)] * 2 + [(hidden, 1024)] * 2 + [(hidden, ffn)] * 3
    linear = [matrices] * layers + [[(hidden, 128_256)]]
    read = sum(2 * rows * columns / rate for one in linear for rows, columns in one)
    multiply = sum(2 * batch * rows * columns / peak for one in linear for rows, columns in one)
    cache = sum(2 * 8 * 128 * 2 * context / rate for _ in range(layers) for _ in range(batch))
    attend = sum(2 * 2 * heads * 128 * context / peak for _ in range(layers) for _ in range(batch))
    return max(read, multiply) + max(cache, attend)


@pytest.mark.parametrize("model", ["8B", "70B"])
@pytest.mark.parametrize("gpu", ["H100", "H200", "B200"])
def test_step_is_what_walking_every_layer_and_user_takes(model, gpu):
    for context, batch in itertools.product((256, 8192), (1, 32, 512)):
        assert Load(model, gpu, context, batch).time == pytest.approx(walked(model, gpu, context, batch))


@pytest.mark.parametrize(("model", "gpu"), PAIRS)
def test_limits_are_the_first_numbers_of_users_that_trying_one_by_one_finds(model, gpu):
    one, tried = server(model, gpu), np.arange(1, 6000)
    for context in (256, 8192, 131_072):
        found = limits(model, gpu, context)
        cache, weights = tried * one.model.cache(context), one.model.weights(tried)
        over = np.flatnonzero(cache > weights)
        assert found.overtaking == (tried[over[0]] if len(over) else found.overtaking)
        assert len(over) or found.overtaking >= 6000
        held = one.model.stored + cache <= 0.9 * GPUS[gpu].capacity * found.least
        assert found.fits == (held.sum() if not held.all() else found.fits)
        assert found.least == 1 or one.model.stored + cache[0] > 0.9 * GPUS[gpu].capacity * (found.least - 1)
    multiplied = one.model.linear * tried / one.gpu.peak(one.model.precision)
    turned = np.flatnonzero(multiplied >= one.model.weights(tried) / one.gpu.bandwidth)
    assert tried[turned[0]] == np.ceil(balance(model, gpu))


# facts/serving.md, section 1: tokens in flight whose cache equals the weights. The sheet has 9.55 M for DeepSeek-V3,
# since it counts the embedding, which no step reads as a whole.
@pytest.mark.parametrize(("model", "tokens"), [("8B", 114.5e3), ("70B", 424e3), ("V3", 9.54e6)])
def test_caches_are_as_large_as_weights_at_the_tokens_of_the_sheet(model, tokens):
    assert overtaking_tokens(model) == pytest.approx(tokens, rel=1e-3)


# facts/serving.md, section 1, n°; and by hand, 2M / (kv · ridge − a).
@pytest.mark.parametrize(("model", "tokens"), [("8B", 393), ("70B", 1477)])
def test_step_is_memory_bound_at_any_batch_from_the_tokens_of_the_sheet(model, tokens):
    assert memory_bound_from(model, "H100") == pytest.approx(tokens, abs=0.5)


def test_no_batch_of_a_long_text_is_half_arithmetic_and_some_batch_of_a_short_one_is():
    for model, gpu in PAIRS:
        turn = memory_bound_from(model, gpu)
        if turn == 0:  # MLA on an H200 waits for arithmetic in attention, too
            assert (model, gpu) == ("V3", "H200")
            continue
        users = 10**6
        for context, bound in ((int(turn * 0.9), False), (int(turn * 1.1), True)):
            step = server(model, gpu).step(users, context)
            assert (step.read_cache + step.read_weights > step.multiply + step.attend) == bound


def test_speed_of_one_user_is_bounded_by_the_weights():
    # facts/serving.md, end of 1b: 3.352e12 / 15.01e9 = 223 tokens/s.
    assert Load("8B", "H100", 256, 1).user == pytest.approx(223, abs=0.5)


@pytest.mark.parametrize(("model", "gpu"), PAIRS)
def test_more_users_take_longer_and_get_more_in_all(model, gpu):
    for context in CONTEXTS[::3]:
        some = [Load(model, gpu, context, batch) for batch in BATCHES]
        for one, other in itertools.pairwise(some):
            assert one.time < other.time and one.user > other.user
            assert one.everyone < other.everyone * (1 + 1e-12) or one.served.experts.layers
        steps = sum(Load(model, gpu, context, batch).more for batch in range(1, 64))
        assert some[0].time + steps == pytest.approx(Load(model, gpu, context, 64).time)


@pytest.mark.parametrize(("model", "gpu"), PAIRS)
def test_border_parts_steps_of_which_attention_takes_more_than_half(model, gpu):
    one, batch, tokens = server(model, gpu), along(model, gpu), border(model, gpu)
    above, below = one.step(batch, tokens), one.step(batch, tokens - 1)
    assert np.all(above.attention >= above.linear) and np.all(below.attention < below.linear)


@pytest.mark.parametrize(("model", "gpu"), PAIRS)
def test_line_of_full_gpus_is_where_the_last_token_fits(model, gpu):
    one, batch = server(model, gpu), along(model, gpu)
    for gpus in (limits(model, gpu, 256).least, 64):
        tokens = full(model, gpu, gpus)
        need = one.model.stored + batch * one.model.cache(tokens)
        assert np.all((need >= 0.9 * one.gpu.capacity * gpus) | (tokens == LONGEST))
        assert np.all(one.model.stored + batch * one.model.cache(tokens - 1) < 0.9 * one.gpu.capacity * gpus)
