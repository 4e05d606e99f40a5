"""Models and steps against published sizes, the tables of the facts sheet, and counting one by one.

Tables: facts/serving.md; its inputs are the released shapes and the data sheets of the GPUs.
"""

from __future__ import annotations

import itertools
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes._gpus.memory import GPUS as MEMORIES
from scenes._gpus.rates import GPUS
from scenes._serving.models import MODELS, Experts, seen
from scenes._serving.step import Server

GB, MS = 1e9, 1e-3


def server(model, gpu="H100"):
    return Server(MODELS[model], GPUS[gpu])


# §1a: total parameters, matmul parameters of a token, bytes of a decode step; gpt-oss' card has 116.83 B, 5.13 B, and
# 60.8 GiB for its checkpoint, DeepSeek-V3's report 671 B and 37 B.
def test_parameters_and_weights_are_those_of_the_released_models():
    found = {name: (one.parameters, one.active, one.always) for name, one in MODELS.items()}
    assert found["8B"][:2] == (8_030_261_248, 7_504_658_432)
    assert found["70B"][:2] == (70_553_706_496, 69_501_714_432)
    assert found["gpt-oss"][:2] == (116_829_156_672, 5_132_639_232)
    assert found["V3"][:2] == (671_025_397_760, 36_624_596_992)
    read = {name: always / GB for name, (_, _, always) in found.items()}
    expected = {"8B": 15.01, "70B": 139.0, "70B-FP8": 69.5, "gpt-oss": 3.10, "V3": 16.19}
    assert read == {name: pytest.approx(size, rel=1.2e-3) for name, size in expected.items()}
    assert MODELS["gpt-oss"].stored / 2**30 == pytest.approx(60.77, abs=0.005)
    assert [MODELS[name].experts.size for name in ("gpt-oss", "V3")] == [13_236_480, 44_040_192]


def test_matrices_of_deepseek_v3_counted_one_by_one():
    attention = [(7168, 1536), (1536, 128 * 192), (7168, 576), (512, 128 * 256), (128 * 128, 7168)]
    mlp = [(7168, 2048), (7168, 2048), (2048, 7168)]
    wide = [(7168, 18432), (7168, 18432), (18432, 7168)]
    layers = [attention + wide] * 3 + [[*attention, (7168, 256), *mlp * 257]] * 58
    total = sum(rows * columns for layer in layers for rows, columns in layer) + 2 * 129280 * 7168
    assert MODELS["V3"].parameters == total


# §1a: of 128 and of 256.
@pytest.mark.parametrize(
    ("name", "touched"), [("gpt-oss", (4.0, 28.7, 81.7, 125.8)), ("V3", (8.0, 57.4, 163.3, 251.6))]
)
def test_distinct_experts_are_those_of_the_table(name, touched):
    assert MODELS[name].experts.touched([1, 8, 32, 128]) == pytest.approx(touched, abs=0.05)


def test_distinct_experts_are_the_mean_over_all_ways_to_route():
    picks = list(itertools.combinations(range(5), 2))  # a token's two of five experts
    for tokens in (1, 2, 3):
        ways = [len(set().union(*way)) for way in itertools.product(picks, repeat=tokens)]
        assert Experts(5, 2, 1, 1).touched(tokens) == pytest.approx(np.mean(ways))


# §1: T* for H100, H200, B200.
@pytest.mark.parametrize(("name", "tokens"), [("8B", (295, 206, 292)), ("70B-FP8", (295, 206, 292))])
def test_weights_stop_to_matter_at_the_batch_of_the_table(name, tokens):
    assert [round(server(name, gpu).balance) for gpu in ("H100", "H200", "B200")] == list(tokens)


STEPS = {  # §1b: milliseconds with 8,192 tokens each, for 1, 32, 128 and 256 sequences on H100, H200 and B200
    "8B": [(4.80, 3.35, 2.09), (14.7, 10.3, 6.41), (45.5, 31.8, 19.8), (86.5, 61.2, 37.6)],
    "70B": [(42.3, 29.5, 18.4), (67.1, 46.9, 29.2), (144.0, 100.5, 62.7), (246.5, 179.1, 107.3)],
    "gpt-oss": [(1.58, 1.11, 0.69), (15.5, 10.8, 6.73), (30.5, 21.3, 13.3), (42.5, 29.7, 18.5)],
    "V3": [(11.1, 7.77, 4.83), (134.8, 94.8, 58.7), (218.5, 155.3, 95.1), (243.8, 175.6, 106.1)],
}


@pytest.mark.parametrize("name", STEPS)
def test_every_step_of_the_table_takes_what_it_says(name):
    for gpu, times in zip(("H100", "H200", "B200"), zip(*STEPS[name], strict=True), strict=True):
        found = server(name, gpu).step(np.array([1, 32, 128, 256]), 8192).time / MS
        assert found == pytest.approx(times, rel=4e-3)


# §1b: output tokens of the 8B model on an H100 in a second.
@pytest.mark.parametrize(("context", "rates"), [(8192, (208, 2173, 2814, 2960)), (1024, (221, 5556, 13_329, 17_382))])
def test_throughput_is_that_of_the_table(context, rates):
    batch = np.array([1, 32, 128, 256])
    assert batch / server("8B").step(batch, context).time == pytest.approx(rates, rel=3e-3)


# §1b: tokens whose cache fits beside the weights in nine tenths of the memory. The sheet rounds the weights to four
# digits first, 16.06 GB of the 8B model for one.
@pytest.mark.parametrize(
    ("name", "gpu", "tokens"),
    [("8B", "H100", 426_788), ("8B", "H200", 845_642), ("8B", "B200", 1_113_433), ("70B", "B200", 63_781),
     ("70B-FP8", "H200", 343_933), ("gpt-oss", "H100", 183_105)],
)  # fmt: skip
def test_tokens_that_fit_are_those_of_the_sheet(name, gpu, tokens):
    one = server(name, gpu)
    assert one.room() / one.model.cache_token == pytest.approx(tokens, rel=4e-4)


def test_conversations_that_fit_and_gpus_that_hold_them():
    assert server("8B").fits(8192) == 52
    assert server("70B").room() < 0
    assert server("70B").fits(8192) == 0
    for name, gpu, batch in itertools.product(MODELS, ("H100", "B200"), (1, 17, 256)):
        one = server(name, gpu)
        number = int(one.gpus(batch, 4096))
        assert number == ceil((one.model.stored + batch * one.model.cache(4096)) / (0.9 * one.gpu.capacity))
        assert one.fits(4096, number) >= batch
        assert number == 1 or one.fits(4096, number - 1) < batch


# §4: 32 sequences of 1,024 tokens decode beside a prompt of 4,096, on the 8B model and an H100 at its peak. Worst gap
# between tokens, time to the prompt's first token, cache read again, for each number of tokens in an iteration.
@pytest.mark.parametrize(
    ("budget", "gap", "first", "again"),
    [(4128, 68.4, 68.4, 0), (2048, 35.6, 74.9, 0.79), (1024, 18.6, 77.5, 1.30), (512, 9.96, 82.6, 2.26),
     (256, 6.22, 113.9, 5.02)],
)  # fmt: skip
def test_chunked_prefill_takes_what_the_toy_of_the_sheet_does(budget, gap, first, again):
    one = server("8B")
    starts = np.arange(0, 4096, budget - 32)
    steps = one.step(32, 1024, chunk=np.minimum(budget - 32, 4096 - starts), done=starts)
    assert steps.time.max() / MS == pytest.approx(gap, rel=3e-3)
    assert steps.time.sum() / MS == pytest.approx(first, rel=2e-3)
    assert starts.sum() * one.model.cache_token / GB == pytest.approx(again, abs=0.005)
    assert one.step(32, 1024).time / MS == pytest.approx(5.76, abs=0.005)


# §5: one H100 at half of its BF16 peak; the size of the cache [GB] and the time of prefill [ms].
@pytest.mark.parametrize(
    ("name", "tokens", "size", "time"),
    [("8B", 2048, 0.268, 64), ("8B", 32_768, 4.295, 1563), ("70B", 8192, 2.684, 2480), ("70B", 131_072, 42.95, 82_348),
     ("gpt-oss", 32_768, 1.213, 1000), ("V3", 8192, 0.576, 1552), ("V3", 131_072, 9.21, 106_178)],
)  # fmt: skip
def test_prompts_cost_what_the_sheet_says(name, tokens, size, time):
    one = MODELS[name]
    work = one.linear * tokens + one.prefill_attention(tokens)
    assert work / (0.5 * GPUS["H100"].peak("BF16")) / MS == pytest.approx(time, rel=6e-3)
    assert one.cache(tokens) / GB == pytest.approx(size, rel=2e-3)


# §9: how much longer five positions for each of so many sequences take than one.
@pytest.mark.parametrize(
    ("batch", "short", "long"),
    [(32, 1.0, 1.0), (64, 1.05, 1.02), (128, 1.54, 1.11), (256, 2.01, 1.17), (512, 2.10, 1.18)],
)
def test_verifying_guesses_costs_what_the_sheet_says(batch, short, long):
    one = server("8B")
    for context, times in ((1024, short), (8192, long)):
        longer = one.step(batch, context, positions=5).time / one.step(batch, context).time
        assert longer == pytest.approx(times, abs=0.0055)


@given(done=st.integers(0, 30), tokens=st.integers(0, 30), window=st.integers(0, 20))
def test_pairs_are_those_that_looking_at_every_token_counts(done, tokens, window):
    pairs = sum(
        key <= query and (not window or query - key < window)
        for query in range(done, done + tokens) for key in range(query + 1)
    )  # fmt: skip
    assert seen(done + tokens, window) - seen(done, window) == pairs


@pytest.mark.parametrize("name", MODELS)
def test_chunks_of_a_prompt_add_up_to_the_whole(name):
    one, starts = MODELS[name], np.arange(0, 1000, 300)
    chunks = one.prefill_attention(np.minimum(300, 1000 - starts), starts)
    assert chunks.sum() == pytest.approx(float(one.prefill_attention(1000)))


def test_gpus_of_both_tables_have_the_same_memory():
    for name, gpu in MEMORIES.items():
        assert (GPUS[name].capacity, GPUS[name].bandwidth) == (gpu.hbm, gpu.hbm_rate)
