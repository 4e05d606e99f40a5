"""Number formats and states of a cache: published sizes, tables of the facts sheet, and numbers stored bit by bit."""

import pytest

from loom.scene import WIDTHS
from scenes._gpus.rates import GPUS
from scenes._serving.models import MODELS
from scenes._serving.shapes import SHAPES
from scenes._serving.step import Server
from scenes.kv_cache.model import FORMATS, GB, Case
from scenes.kv_cache.narration import SHOWN, amount
from scenes.kv_cache.scene import KEYS, SCENE, solve
from scenes.linear_attention.shapes import SHAPES as HYBRIDS

STATEFUL = [name for name, shape in SHAPES.items() if shape.stateful]
FORMAT = 3  # the place of the last step


def shipped(name):
    return solve(1, name).cache


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


# facts/serving.md, section 10: bits with scales, bytes of a token of Llama 3 8B, and GB of 131,072 tokens.
@pytest.mark.parametrize(
    ("form", "bits", "token", "size"),
    [("BF16", 16, 131_072, 17.18), ("FP8", 8, 65_536, 8.59), ("NVFP4", 4.5, 36_864, 4.83),
     ("MXFP4", 4.25, 34_816, 4.56), ("INT4", 5, 40_960, 5.37), ("2-bit", 3, 24_576, 3.22)],
)  # fmt: skip
def test_formats_take_what_the_table_says(form, bits, token, size):
    cache = shipped("Llama 3 8B")
    assert FORMATS[form].each == bits
    assert cache.stored(1, form) == token
    assert cache.stored(131_072, form) / GB == pytest.approx(size, abs=0.005)


@pytest.mark.parametrize("name", [name for name, shape in SHAPES.items() if shape.shipped == "GQA"])
@pytest.mark.parametrize("form", FORMATS)
def test_bits_are_those_of_numbers_written_group_by_group(name, form):
    one, cache = FORMATS[form], shipped(name)
    row = 2 * cache.shape.kv_heads * cache.shape.head_dim  # numbers of a token in a layer
    written = sum(one.bits + (one.shared if number % one.group == 0 else 0) for number in range(row))
    layers = cache.shape.kept + cache.shape.windowed
    assert cache.stored(1, form) - cache.states == written * layers / 8


def test_mla_in_fp8_is_the_656_bytes_of_deepseek_s_format():
    # FlashMLA's README; facts/attention.md, table 6d: 40,016 B a token of DeepSeek-V3.2.
    assert shipped("DeepSeek-V3").stored(1, "FP8") == 61 * 656 == 40_016


# facts/serving.md, section 11: layers with a state and without, MiB of all states, bytes of a token.
@pytest.mark.parametrize(
    ("name", "stateful", "kept", "states", "token"),
    [("Qwen3-Next-80B", 36, 12, 73.7, 24_576), ("Kimi Linear 48B", 20, 7, 41.4, 8064)],
)
def test_hybrids_hold_what_the_table_says(name, stateful, kept, states, token):
    cache = shipped(name)
    assert (cache.shape.stateful, cache.shape.kept) == (stateful, kept)
    assert cache.states / 2**20 == pytest.approx(states, abs=0.05)
    assert cache.token == cache.grows(10**6) == token


def test_qwen3_next_holds_a_quarter_of_what_full_layers_would_and_its_states():
    # facts/serving.md, section 11: 6.44 GB at 262,144 tokens against 25.8 GB.
    cache = shipped("Qwen3-Next-80B")
    assert (cache.total(262_144) - cache.states) / GB == pytest.approx(6.44, abs=0.005)
    assert cache.full(262_144) / GB == pytest.approx(25.8, abs=0.05)


@pytest.mark.parametrize("name", STATEFUL)
def test_hybrids_are_those_that_linear_attention_is_shown_with(name):
    shape, other = SHAPES[name], HYBRIDS[name]
    assert (shape.kinds, shape.state, shipped(name).layer_token) == (other.pattern, other.state, 2 * other.token)


@pytest.mark.parametrize("name", STATEFUL)
def test_states_stay_whatever_the_text_and_the_format(name):
    cache = shipped(name)
    for tokens in (1, 1000, 10**6):
        assert cache.total(tokens) - cache.token * tokens == cache.states
        assert cache.stored(tokens, "FP8") - cache.states == pytest.approx(
            (cache.stored(2 * tokens, "FP8") - cache.states) / 2
        )
    assert cache.fits(cache.states + 7 * cache.token) == 7 and cache.fits(cache.states - 1) == 0


def test_a_server_holds_less_than_the_cache_alone_would_find_room_for():
    # facts/serving.md, end of 1b: 426,788 tokens beside the weights of the 8B model, with a tenth of the memory free.
    server = Server(MODELS["8B"], GPUS["H100"])
    beside = int(server.room() / shipped("Llama 3 8B").token)
    assert beside == pytest.approx(426_788, rel=1e-4)
    assert f"{beside:,} tokens" in SCENE.leaves_out and f"{shipped('Llama 3 8B').fits(80 * GB):,}" in SCENE.leaves_out


@pytest.mark.parametrize("name", SHAPES)
def test_last_step_shows_each_format_s_share_of_a_gpu_and_says_it(name):
    run = SCENE.run(model=name, tokens=131_072)
    state, drawn = run.steps[FORMAT], marks(run.steps[FORMAT])
    case: Case = state.result
    for form in SHOWN:
        size = case.cache.stored(case.tokens, form)
        bars = [
            drawn[key].shape["width"] for kind in ("kept", "windowed", "state") if (key := f"{form}-{kind}") in drawn
        ]
        assert sum(bars) == pytest.approx(min(size / (80 * GB), 1) * 340, abs=3)
        assert drawn[f"{form}-size"].text.startswith(amount(round(size)))
        assert amount(round(size)) in SCENE.say(state)
    for key, form in KEYS.items():
        assert run.values[f"cache_{key}"].value == case.cache.stored(case.tokens, form) / GB


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("model", ["Llama 3 8B", "DeepSeek-V3", "Mistral 7B"])
def test_every_format_begins_as_wide_as_the_model_ships_and_tells_its_size_once_it_shrinks(model, width):
    chapter = SCENE.run(model=model).chapters[FORMAT]
    before, after = (marks(state, width) for state in chapter.states)
    assert chapter.times[1] <= 0.3
    kind = "kept" if "BF16-kept" in after else "windowed"
    for form in SHOWN:
        wide, left = (float(frame[f"{form}-{kind}"].shape["width"]) for frame in (before, after))
        assert wide == before[f"BF16-{kind}"].shape["width"]
        assert (left < wide) == (form != "BF16")
        assert (f"{form}-size" in before) == (form == "BF16") and f"{form}-size" in after


def test_heads_that_share_go_together_as_soon_as_the_scene_plays():
    times = SCENE.run().chapters[0].times
    assert len(times) == 2 and times[1] <= 0.3
