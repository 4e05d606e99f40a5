"""Check the state against plain loops and closed forms, and the bytes against published figures."""

import math

import numpy as np
import pytest

from scenes.linear_attention.model import Memory, Shape, erased, faded, recalled, written
from scenes.linear_attention.shapes import SHAPES
from scenes.linear_attention.toy import ADDS, ALPHA, DELTA, KEYS, SIDE, VALUES, WORDS, Toy


def looped(keys, values, alphas, betas):
    """S <- alpha S (I - beta k k^T) + beta v k^T, entry by entry with lists."""
    rows, columns = len(values[0]), len(keys[0])
    state = [[0.0] * columns for _ in range(rows)]
    for key, value, alpha, beta in zip(keys, values, alphas, betas, strict=True):
        new = [[0.0] * columns for _ in range(rows)]
        for row in range(rows):
            for column in range(columns):
                kept = math.fsum(
                    state[row][at] * ((at == column) - beta * key[at] * key[column]) for at in range(columns)
                )
                new[row][column] = alpha * kept + beta * value[row] * key[column]
        state = new
    return state


def drawn(tokens, rows, columns, seed=0):
    chance = np.random.default_rng(seed)
    keys = chance.standard_normal((tokens, columns))
    keys /= np.linalg.norm(keys, axis=1, keepdims=True)
    return keys, chance.standard_normal((tokens, rows)), chance.uniform(0, 1, tokens), chance.uniform(0, 1, tokens)


def run(keys, values, alphas, betas):
    state = np.zeros((values.shape[1], keys.shape[1]))
    for key, value, alpha, beta in zip(keys, values, alphas, betas, strict=True):
        state = written(erased(faded(state, alpha), key, beta), key, value, beta)
    return state


@pytest.mark.parametrize("shape", [(1, 1, 1), (7, 3, 5), (12, 4, 4), (3, 6, 2)])
def test_three_parts_make_the_update_of_the_paper(shape):
    case = drawn(*shape)
    expected = np.array(looped(*(one.tolist() for one in case)))
    assert np.allclose(run(*case), expected, rtol=1e-13, atol=1e-14)


def test_without_fading_and_erasing_the_state_is_attention_without_a_softmax():
    keys, values, _, _ = drawn(9, 3, 4)
    state = np.zeros((3, 4))
    for key, value in zip(keys, values, strict=True):
        state = written(state, key, value, 1.0)
    query = np.array([0.3, -1.0, 2.0, 0.5])
    summed = [math.fsum(value[row] * float(key @ query) for key, value in zip(keys, values, strict=True))
              for row in range(3)]  # fmt: skip
    assert recalled(state, query) == pytest.approx(summed, rel=1e-13)


def test_what_is_written_with_full_strength_comes_back_exactly_whatever_lay_there():
    keys, values, alphas, betas = drawn(6, 3, 4)
    alphas[-1] = betas[-1] = 1.0
    assert recalled(run(keys, values, alphas, betas), keys[-1]) == pytest.approx(values[-1], abs=1e-14)


def test_nothing_is_left_under_a_key_that_was_erased_and_all_under_one_across():
    keys, values, alphas, betas = drawn(5, 3, 4)
    state = run(keys, values, alphas, betas)
    key = keys[0]
    across = np.array([key[1], -key[0], 0.0, 0.0])
    after = erased(state, key, 1.0)
    assert recalled(after, key) == pytest.approx(np.zeros(3), abs=1e-15)
    assert recalled(after, across) == pytest.approx(recalled(state, across), rel=1e-12)
    assert np.array_equal(erased(state, key, 0.0), state)


def test_many_heads_are_computed_at_once():
    keys, values, _, _ = drawn(2, 3, 4)
    states = np.random.default_rng(1).standard_normal((2, 3, 4))
    together = written(erased(states, keys, 0.5), keys, values, 0.5)
    for at in range(2):
        alone = written(erased(states[at], keys[at], 0.5), keys[at], values[at], 0.5)
        assert np.allclose(together[at], alone, rtol=1e-14, atol=0)


def test_small_state_is_what_loops_give():
    tokens = len(WORDS)
    expected = looped(KEYS.tolist(), VALUES.tolist(), [ALPHA] * tokens, [1.0] * tokens)
    assert np.allclose(Toy(DELTA).state(tokens - 1), expected, rtol=1e-14, atol=1e-15)
    added = [[math.fsum(VALUES[t][r] * KEYS[t][c] for t in range(tokens)) for c in range(SIDE)] for r in range(SIDE)]
    assert np.array_equal(Toy(ADDS).state(tokens - 1), added)


def test_second_value_under_a_key_replaces_the_first_or_lies_on_top_of_it():
    assert Toy(DELTA).answer.tolist() == VALUES[-1].tolist()
    assert Toy(ADDS).answer.tolist() == (VALUES[0] + VALUES[-1]).tolist()


# serving facts, section 11: layers with a state and with keys, bytes of a state, of all states in MiB, of a token.
@pytest.mark.parametrize(
    ("name", "linear", "full", "state", "mebibytes", "token"),
    [
        ("Qwen3-Next-80B", 36, 12, 2_146_304, 73.7, 24_576),
        ("Qwen3.5-4B", 24, 8, 2_146_304, 49.1, 32_768),
        ("Kimi Linear 48B", 20, 7, 2_097_152 + 73_728, 41.4, 8_064),
        ("Kimi K3", 69, 24, 6_291_456 + 221_184, 428.6, 27_648),
    ],
)
def test_models_take_what_the_fact_sheet_says(name, linear, full, state, mebibytes, token):
    shape = SHAPES[name]
    one = Memory(shape, 1)
    assert (shape.linear, shape.full, shape.state, one.keys) == (linear, full, state, token)
    assert one.states / 2**20 == pytest.approx(mebibytes, abs=0.06)


def test_state_of_kimi_k3_is_that_of_vllm():
    # vLLM, pull request 50855: 0.75 MiB a layer on each of 8 GPUs, without the convolution.
    shape = SHAPES["Kimi K3"]
    assert shape.heads * shape.side**2 * 4 == 8 * 0.75 * 2**20


def test_layers_of_kimi_k3_stand_where_its_configuration_says():
    # 1-based: 4, 8, ..., 92 and 93.
    places = [at for at, kind in enumerate(SHAPES["Kimi K3"].pattern, 1) if kind == "k"]
    assert places == [*range(4, 93, 4), 93]


def test_block_of_vllm_follows_from_the_state_of_qwen():
    # vLLM, issue 40696: 528 tokens, the first multiple of 16 that holds a state.
    assert 16 * math.ceil(Memory(SHAPES["Qwen3.5-4B"], 1).even / 16) == 528


def test_qwen3_next_at_262144_tokens_has_a_quarter_of_the_keys():
    # serving facts, section 11: 6.44 GB against 25.8 GB.
    memory = Memory(SHAPES["Qwen3-Next-80B"], 262_144)
    assert (memory.keys / 1e9, memory.everywhere / 1e9) == pytest.approx((6.44, 25.8), abs=0.04)


@pytest.mark.parametrize("name", SHAPES)
def test_hybrid_is_smaller_exactly_where_a_state_is_smaller_than_what_it_replaces(name):
    for tokens in (1, 256, 500, 524, 525, 1048, 1049, 1884, 1885, 100_000):
        memory = Memory(SHAPES[name], tokens)
        assert (memory.ratio > 1) == (tokens > memory.even)


@pytest.mark.parametrize("tokens", [1, 7, 300])
def test_bytes_are_what_walking_all_layers_gives(tokens):
    shape = Shape("small", "sskskk", 3, 10, 6, side=2)
    total = 0
    for kind in shape.pattern:
        if kind == "s":
            total += sum(4 for _ in range(3 * 2 * 2)) + sum(2 for _ in range(3 * 10))
        else:
            total += sum(2 for _ in range(6 * tokens))
    assert Memory(shape, tokens).total == total
