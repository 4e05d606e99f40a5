"""Check the cache against published counts, the golden table, and a count that walks every layer and token."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes._serving.shapes import LATENT, POSITION, SHAPES, Shape, held
from scenes.kv_cache.model import GB, SCHEMES, Cache, kv_heads, layer_elements
from scenes.kv_cache.scene import SCENE

example_budget = settings(max_examples=100, deadline=None, derandomize=True)
K8, K32, K128 = 8192, 32768, 131072


def shipped(name, batch=1):
    """A model's cache as it ships, in BF16."""
    return Cache(SHAPES[name], SHAPES[name].shipped, 2, batch)


@st.composite
def caches(draw):
    """Any cache of a small model, with any mix of layers."""
    heads = draw(st.sampled_from([1, 2, 4, 8]))
    groups = draw(st.sampled_from([0, *(count for count in (1, 2, 4, 8) if count <= heads)]))
    pattern = draw(st.sampled_from("kw")) + draw(st.text("kws", max_size=3))
    window = draw(st.integers(1, 12)) if "w" in pattern else 0
    state = draw(st.integers(1, 3000)) if "s" in pattern else 0
    shape = Shape("any", draw(st.integers(1, 7)), heads, groups, draw(st.integers(1, 4)), pattern, window, state)
    return Cache(shape, draw(st.sampled_from(SCHEMES)), draw(st.sampled_from([1, 2])), draw(st.integers(1, 3)))


def walked(cache, tokens):
    """Oracle: write every number of every token of every layer into its slot, and count what lies there at the end."""
    shape, stored = cache.shape, 0
    heads = {"MHA": shape.heads, "GQA": shape.kv_heads or 8, "MQA": 1, "MLA": None}[cache.scheme]
    for _ in range(cache.batch):
        for layer in range(shape.layers):
            kind = shape.pattern[layer % len(shape.pattern)]
            if kind == "s":
                stored += shape.state
                continue
            slots = {}
            for position in range(tokens):
                token = [("latent", at) for at in range(512)] + [("position", at) for at in range(64)]
                if heads is not None:
                    names = ("key", "value")
                    token = [
                        (name, head, at) for name in names for head in range(heads) for at in range(shape.head_dim)
                    ]
                slots[position % shape.window if kind == "w" else position] = len(set(token)) * cache.element
            stored += sum(slots.values())
    return stored


# facts/attention.md, table 6d (batch 1, BF16): bytes of a token over all layers; GB at 8K, 32K and 131,072 tokens with
# windows honoured, and the same with every layer keeping all. Inputs: llama-3 Table 3, mistral-7b Table 1, gemma-repo,
# gpt-oss-repo, deepseek-v3 configs, torchtitan. None: no figure, as the model was not trained for that length.
TABLE_6D = [
    ("Llama 3 8B", 131_072, (1.074, 4.295, 17.180), (1.074, 4.295, 17.180)),
    ("Llama 3 70B", 327_680, (2.684, 10.737, 42.950), (2.684, 10.737, 42.950)),
    ("Llama 3 405B", 516_096, (4.228, 16.911, 67.646), (4.228, 16.911, 67.646)),
    ("Mistral 7B", 131_072, (0.537, 0.537, None), (1.074, 4.295, None)),
    ("Gemma 3 27B", 507_904, (1.107, 3.121, 11.174), (None, 16.643, 66.572)),
    ("gpt-oss-120b", 73_728, (0.307, 1.213, 4.837), (None, 2.416, 9.664)),
    ("Qwen3-32B", 262_144, (2.147, 8.590, 34.360), (2.147, 8.590, 34.360)),
    ("DeepSeek-V3", 70_272, (0.576, 2.303, 9.211), (0.576, 2.303, 9.211)),
]


@pytest.mark.parametrize(("name", "token", "windows", "full"), TABLE_6D)
def test_every_figure_of_the_table_of_real_models_is_reproduced(name, token, windows, full):
    cache = shipped(name)
    assert cache.token == token
    for tokens, small, large in zip((K8, K32, K128), windows, full, strict=True):
        assert small is None or cache.total(tokens) / GB == pytest.approx(small, abs=5e-4)
        assert large is None or cache.full(tokens) / GB == pytest.approx(large, abs=5e-4)


# The rows of table 6d that the scene does not offer: they hold the formula to other shapes.
@pytest.mark.parametrize(
    ("shape", "token", "sizes"),
    [
        (Shape("Gemma 2 27B", 46, 32, 16, 128, "wk", 4096), 376_832, {K8: 2.315}),
        (Shape("Gemma 3 1B", 26, 4, 1, 256, "wwwwwk", 512), 26_624, {K8: 0.045, K32: 0.146}),
        (Shape("Gemma 3 4B", 34, 8, 4, 256, "wwwwwk", 1024), 139_264, {K8: 0.289, K32: 0.793, K128: 2.806}),
        (Shape("Gemma 3 12B", 48, 16, 8, 256, "wwwwwk", 1024), 393_216, {K8: 0.872, K32: 2.483, K128: 8.925}),
        (Shape("gpt-oss-20b", 24, 64, 8, 64, "wk", 128), 49_152, {K8: 0.204, K32: 0.808, K128: 3.224}),
        (Shape("Mistral 7B v0.2", 32, 32, 8, 128), 131_072, {K8: 1.074, K32: 4.295}),
        (Shape("Qwen3-8B", 36, 32, 8, 128), 147_456, {K8: 1.208, K32: 4.832, K128: 19.327}),
        (Shape("Qwen3-30B-A3B", 48, 32, 4, 128), 98_304, {K8: 0.805, K32: 3.221, K128: 12.885}),
        (Shape("Qwen3-235B-A22B", 94, 64, 4, 128), 192_512, {K8: 1.577, K32: 6.308, K128: 25.233}),
        (Shape("DeepSeek-V2-Lite", 27, 16, 0, 128), 31_104, {K8: 0.255, K32: 1.019, K128: 4.077}),
        (Shape("DeepSeek-V2", 60, 128, 0, 128), 69_120, {K8: 0.566, K32: 2.265, K128: 9.060}),
    ],
)
def test_models_beside_those_of_the_scene_come_out_too(shape, token, sizes):
    cache = Cache(shape, shape.shipped, 2)
    assert cache.token == token
    for tokens, size in sizes.items():
        assert cache.total(tokens) / GB == pytest.approx(size, abs=5e-4)


def test_layers_with_and_without_a_window_are_as_many_as_the_models_have():
    # facts/attention.md, table 6d: Gemma 3 27B 52/10, gpt-oss-120b 18/18, Mistral 7B v0.1 every layer.
    counts = {name: (shape.windowed, shape.kept) for name, shape in SHAPES.items() if shape.windowed}
    assert counts == {"Gemma 3 27B": (52, 10), "gpt-oss-120b": (18, 18), "Mistral 7B": (32, 0)}
    assert SHAPES["gpt-oss-120b"].kinds.startswith("wk")  # gpt-oss-repo: the first layer is a local one
    assert SHAPES["Gemma 3 27B"].kinds.startswith("wwwwwkw")


# DeepSeek-V2 Table 1: elements of a token over l layers are 2 n_h d_h l, 2 n_g d_h l, 2 d_h l and (d_c + d_R) l.
@pytest.mark.parametrize("name", [name for name, shape in SHAPES.items() if not shape.index])
def test_elements_of_a_token_are_those_of_deepseek_v2_table_1(name):
    shape = SHAPES[name]
    n_h, n_g, d_h, l = shape.heads, shape.kv_heads or 8, shape.head_dim, shape.kept + shape.windowed
    expected = {"MHA": 2 * n_h * d_h * l, "GQA": 2 * n_g * d_h * l, "MQA": 2 * d_h * l, "MLA": (512 + 64) * l}
    assert {scheme: Cache(shape, scheme, 2).elements for scheme in SCHEMES} == expected


# DeepSeek-V2 Table 9 prints 34.6K and 15.6K elements a token for MLA with 60 and with 27 layers.
@pytest.mark.parametrize(("layers", "thousands"), [(60, 34.6), (27, 15.6)])
def test_published_counts_of_elements_are_met_to_their_digits(layers, thousands):
    cache = Cache(Shape("DeepSeek", layers, 128, 0, 128), "MLA", 2)
    assert cache.elements / 1000 == pytest.approx(thousands, abs=0.05)


def test_mla_is_as_large_as_two_and_a_quarter_groups_of_heads():
    # DeepSeek-V2 Table 1: about 4.5 d_h elements a layer, GQA with 2.25 groups.
    assert layer_elements(SHAPES["DeepSeek-V3"], "MLA") == 4.5 * 128 == 2 * 2.25 * 128
    assert LATENT + POSITION == 576


@given(cache=caches(), tokens=st.integers(0, 30))
@settings(example_budget, max_examples=60)
def test_cache_is_what_walking_every_layer_and_token_leaves_in_its_slots(cache, tokens):
    small = replace(cache, batch=min(cache.batch, 2))
    assert small.total(tokens) == walked(small, tokens)


@given(cache=caches(), length=st.integers(0, 30), spare=st.integers(0, 2000))
@example_budget
def test_what_fits_is_the_longest_length_that_fits(cache, length, spare):
    capacity = cache.total(length) + spare
    limit = cache.fits(capacity)
    if limit is None:
        assert cache.shape.kept == 0
        assert cache.total(10**6) <= capacity  # no length fills it
        assert cache.holds(capacity) == cache.shape.window == held(10**6, cache.shape.window)
        return
    assert cache.holds(capacity) == limit
    assert cache.total(limit) <= capacity < cache.total(limit + 1)


@given(cache=caches(), tokens=st.integers(0, 40))
@example_budget
def test_one_more_token_adds_what_is_said_and_windows_only_ever_save(cache, tokens):
    one = replace(cache, batch=1)
    assert one.total(tokens + 1) - one.total(tokens) == one.grows(tokens)
    assert 0 <= cache.total(tokens) - cache.states <= cache.full(tokens)
    assert cache.total(tokens) == cache.batch * one.total(tokens)
    assert sum(int(part) for part in cache.parts(tokens)) + cache.states == cache.total(tokens)
    if not cache.shape.stateful and (tokens <= cache.shape.window or not cache.shape.windowed):
        assert cache.total(tokens) == cache.full(tokens)


@given(cache=caches(), tokens=st.integers(1, 40), capacity=st.integers(1, 10_000))
@example_budget
def test_gpus_are_as_many_as_hold_the_cache_and_not_one_more(cache, tokens, capacity):
    number = cache.gpus(tokens, capacity)
    assert (number - 1) * capacity < cache.total(tokens) <= number * capacity


def test_tokens_may_come_as_an_array():
    cache, lengths = shipped("Gemma 3 27B"), np.array([1, 1024, 1025, K128])
    kept, windowed = cache.parts(lengths)
    assert [cache.total(int(tokens)) for tokens in lengths] == (kept + windowed).tolist()
    assert held(lengths, 1024).tolist() == [1, 1024, 1024, 1024]
    assert held(lengths, 0).tolist() == lengths.tolist()


def test_mqa_is_smaller_than_mha_by_the_number_of_heads():
    for shape in SHAPES.values():  # checks.md A17
        assert Cache(shape, "MHA", 2).token == shape.heads * Cache(shape, "MQA", 2).token


def test_unknown_scheme_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"scheme is one of 'MHA', 'GQA', 'MQA', 'MLA', not 'GQE'"):
        kv_heads(SHAPES["Llama 3 8B"], "GQE")


def test_golden_table_is_reproduced_exactly_and_to_every_digit_shown():
    # golden/kv-cache.json, with its exact figures.
    table = SCENE.run(tokens=K128).table
    assert [column.label for column in table.columns] == ["variant", "KV heads", "cache GB", "times smaller than MHA"]
    exact = {"MHA": 68.719476736, "GQA": 17.179869184, "MQA": 2.147483648, "MLA": 4.831838208}
    assert {row[0]: row[2] for row in table.rows} == exact
    shown = [[cell if isinstance(cell, str) else f"{cell:.{column.digits}f}"
              for cell, column in zip(row, table.columns, strict=True)] for row in table.rows]  # fmt: skip
    assert shown == [["MHA", "32", "68.7", "1.0"], ["GQA", "8", "17.2", "4.0"], ["MQA", "1", "2.1", "32.0"],
                     ["MLA", "latent", "4.8", "14.2"]]  # fmt: skip
