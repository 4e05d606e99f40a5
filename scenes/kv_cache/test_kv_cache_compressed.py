"""Indexers and compressed entries: published sizes, a count that walks every token, and what engines measured."""

import pytest

from scenes._serving.shapes import SHAPES
from scenes.kv_cache.model import GB
from scenes.kv_cache.scene import SCENE, solve

MILLION = 2**20
V32, V4 = solve(1, "DeepSeek-V3.2").cache, solve(1, "DeepSeek-V4-Pro").cache


def test_v32_keeps_a_key_of_its_indexer_beside_each_latent():
    # facts/serving.md, section 11: 1,408 B for a token in each layer in BF16, 83.9 GiB at 2^20 tokens.
    assert V32.layer_token == 1408 and V32.total(MILLION) / 2**30 == pytest.approx(83.9, abs=0.05)
    assert V32.layer_token - solve(1, "DeepSeek-V3").cache.layer_token == 2 * 128


def test_v32_in_fp8_takes_what_a_server_logged():
    # SGLang #11309: 975,424 tokens, "KV size: 43.67 GB", which are GiB.
    assert V32.stored(1, "FP8") == 61 * (656 + 132)
    assert V32.stored(975_424, "FP8") / 2**30 == pytest.approx(43.67, abs=0.005)


def walked(tokens):
    """Oracle: each layer of V4-Pro meets one token after the other; numbers that lie there in the end, by kind."""
    layers = ["h", "h", *("ch" * 29), "c"]
    assert (layers.count("c"), layers.count("h")) == (30, 31)
    found = {"entry": 0, "key": 0, "window": 0}
    for kind in layers:
        every, pending = {"c": 4, "h": 128}[kind], 0
        window = []
        for token in range(tokens):
            window = [*window, token][-128:]
            pending += 1
            if pending == every:
                pending = 0
                found["entry"] += 512
                found["key"] += 128 * (kind == "c")
        found["window"] += 512 * len(window)
    return found


@pytest.mark.parametrize("tokens", [0, 1, 3, 4, 127, 128, 129, 300])
def test_v4_holds_what_walking_every_token_leaves(tokens):
    found = walked(tokens)
    kept, window = V4.parts(tokens)
    assert (kept, window) == (2 * (found["entry"] + found["key"]), 2 * found["window"])
    assert V4.total(tokens) == 2 * sum(found.values())
    vectors = (found["entry"] + found["window"]) // 512
    assert V4.stored(tokens, "FP8") == vectors * 584 + found["key"] // 128 * 68
    assert V4.stored(tokens, "NVFP4") == sum(found.values()) * 4.5 / 8


def test_v4_at_a_million_tokens_is_as_large_as_published():
    # facts/serving.md, section 11: 9.617 GiB in BF16 without windows, 8.72 times less than V3.2; 10.5% in both FP8s.
    windows = 61 * 128 * 1024
    assert (V4.total(MILLION) - windows) / 2**30 == pytest.approx(9.617, abs=5e-4)
    assert V32.total(MILLION) / (V4.total(MILLION) - windows) == pytest.approx(8.72, abs=0.005)
    assert V4.stored(MILLION, "FP8") / V32.stored(MILLION, "FP8") == pytest.approx(0.105, abs=5e-4)


def test_v4_leaves_so_many_bytes_of_a_token_on_average():
    assert V4.token == V4.grows(MILLION) == (V4.total(2 * MILLION) - V4.total(MILLION)) / MILLION == 9848


@pytest.mark.parametrize("capacity", [0, 10**6, 80 * GB, 141 * GB])
def test_what_fits_of_v4_is_the_longest_text_that_fits(capacity):
    limit = V4.fits(capacity)
    assert V4.total(limit) <= capacity < V4.total(limit + 1)


def test_page_of_attention_prints_what_the_scene_says():
    assert str(SCENE.run(model="DeepSeek-V4-Pro", tokens=131_072).values["cache"]) == "1.30\u00a0GB"


@pytest.mark.parametrize("name", ["DeepSeek-V3.2", "DeepSeek-V4-Pro"])
def test_words_name_the_indexer_and_the_entries(name):
    said = [SCENE.say(state) for state in SCENE.run(model=name).steps]
    assert "indexer" in said[0] and ("every 128 tokens" in said[1]) == bool(SHAPES[name].compressed)
    assert all(len(words) <= 200 for words in said)
