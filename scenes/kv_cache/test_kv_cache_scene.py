"""Check what the reader meets: values, words and pictures agree with the model in every state that is asked for."""

import itertools
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.kv_cache.model import CAPACITIES, GB, SCHEMES
from scenes.kv_cache.scene import SCENE
from scenes.kv_cache.shapes import SHAPES

LENGTH = 2  # the third step: all tokens of one conversation
EXTREMES = [
    {"model": model, "tokens": tokens, "variant": variant, "precision": precision, "batch": batch}
    for model, (tokens, precision, batch), variant in itertools.product(
        SHAPES, ((1024, "FP8", 1), (131072, "BF16", 1), (1048576, "BF16", 16)), ("as shipped", "MHA", "MQA")
    )
]


def values(**params):
    """Every value as a plain number."""
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def states(**params):
    return SCENE.run(**params).steps


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def wide(mark):
    left, _, right, _ = bounds(mark)
    return right - left


# facts/attention.md, end of 6d, and checks.md A16: what Llama 3 would take with MHA at 131,072 tokens.
@pytest.mark.parametrize(("model", "size"), [("Llama 3 8B", 68.7), ("Llama 3 70B", 343.6), ("Llama 3 405B", 1082)])
def test_llama_with_mha_would_take_what_the_facts_say(model, size):
    assert values(model=model, variant="MHA")["cache"] == pytest.approx(size, rel=5e-4)


def test_mla_of_deepseek_v3_is_57_times_smaller_than_its_mha():
    # facts/attention.md, end of 6d: 3,997,696 B a token, 56.9 times the MLA cache.
    assert values(model="DeepSeek-V3", variant="MHA")["per_token"] == 3_997_696
    assert values(model="DeepSeek-V3")["times"] == pytest.approx(56.9, abs=0.05)


def test_quoted_value_prints_as_the_prose_writes_it():
    assert str(SCENE.run(variant="MHA").values["cache"]) == "68.7\u00a0GB"
    assert values()["per_token"] == 131_072


def test_fp8_halves_and_batch_multiplies():
    for model in SHAPES:
        base = values(model=model)
        assert values(model=model, precision="FP8")["cache"] == base["cache"] / 2
        assert values(model=model, batch=16)["cache"] == pytest.approx(16 * base["cache"], rel=1e-15)


def test_parts_of_the_cache_add_up_and_match_the_table():
    for params in EXTREMES:
        found = values(**params)
        assert found["local"] + found["global"] == pytest.approx(found["cache"], rel=1e-12)
        assert found["cache"] <= found["full"] * (1 + 1e-12)
        table = {row[0]: row for row in SCENE.run(**params).table.rows}
        variant = SHAPES[params["model"]].shipped if params["variant"] == "as shipped" else params["variant"]
        assert table[variant][2] == found["cache"]
        assert table[variant][3] == pytest.approx(found["times"], rel=1e-12)


def test_mistral_never_fills_a_gpu_and_holds_its_window():
    found = values(model="Mistral 7B", tokens=1048576)
    assert (found["fits_80"], found["fits_141"], found["grows"], found["global"]) == (4096, 4096, 0, 0)
    assert "0.7% of a GPU of 80 GB, however long it gets" in SCENE.say(states(model="Mistral 7B")[-1])
    # 1,024 of at most 4,096 tokens: 0.134 of at most 0.537 GB.
    early = states(model="Mistral 7B", tokens=1024)[-1]
    assert "0.2% of a GPU of 80 GB, and never more than 0.7%" in SCENE.say(early)
    assert marks(early)["gpu-80-words"].text == "0.2% full; never more than 0.7%"


def test_gpu_is_full_where_the_value_says():
    # 80e9 / 131,072 = 610,351.6 tokens of Llama 3 8B, by hand.
    assert values()["fits_80"] == 610_351
    assert values(batch=16)["fits_80"] == 610_351 // 16
    assert values(model="Llama 3 405B", variant="MHA", tokens=1048576, batch=16)["gpus_80"] == 1732


@pytest.mark.parametrize("model", SHAPES)
def test_as_shipped_is_drawn_and_said_as_the_scheme_that_it_is(model):
    for shipped, named in zip(states(model=model), states(model=model, variant=SHAPES[model].shipped), strict=True):
        assert shipped == named
        assert list(SCENE.draw(shipped, 840)) == list(SCENE.draw(named, 840))
        assert "If " not in SCENE.say(shipped)


@pytest.mark.parametrize("model", SHAPES)
def test_scheme_that_the_model_does_not_ship_is_told_as_hypothetical_everywhere(model):
    for scheme in SCHEMES:
        for state in states(model=model, variant=scheme):
            words = " ".join(mark.text for mark in SCENE.draw(state, 328))
            assert words.count("hypothetical") == len(SCHEMES) - 1
            assert words.count("as shipped") == 1
            assert SCENE.say(state).startswith(f"If {model} had used {scheme}, ") == (scheme != SHAPES[model].shipped)


@pytest.mark.parametrize("params", EXTREMES)
def test_narration_quotes_the_size_in_the_picture(params):
    for state in states(**params):
        product = marks(state)[f"link-{state.index + 1}-product"].text.removeprefix("= ")
        assert product in SCENE.say(state)
        assert product == marks(state)[f"{state.result.cache.scheme}-size"].text


def test_last_step_always_says_that_weights_are_not_counted():
    for params in EXTREMES:
        assert "weights" in SCENE.say(states(**params)[-1])
        assert "weights are not counted" in marks(states(**params)[-1])["panel-title"].text


@pytest.mark.parametrize("width", WIDTHS)
def test_bars_and_gpus_have_one_scale(width):
    for params in EXTREMES:
        state = states(**params)[-1]
        drawn, unit = marks(state, width), {"narrow": 328, "wide": 470}[width] / state.result.span
        for rival in state.result.rivals:
            for kind, size in zip(("kept", "windowed"), rival.parts(state.result.tokens), strict=True):
                if size:
                    bar = drawn[f"{rival.scheme}-{kind}"]
                    assert wide(bar) == pytest.approx(max(int(size) * unit, 1), abs=0.01)
        for capacity in CAPACITIES:
            number = state.result.cache.gpus(state.result.tokens, capacity)
            box = drawn[f"gpu-{capacity // GB}-box"]
            assert wide(box) == pytest.approx(number * capacity * unit, abs=0.51)  # on halves


def test_boxes_of_gpus_are_as_many_as_are_needed_or_say_how_many_one_stands_for():
    for params in EXTREMES:
        state = states(**params)[-1]
        drawn = marks(state)
        for capacity in CAPACITIES:
            number, key = state.result.cache.gpus(state.result.tokens, capacity), f"gpu-{capacity // GB}"
            boxes = drawn[f"{key}-box"].shape["d"].count("M")  # the outline, and a line between two
            group = re.search(r", (\d+) to a box", drawn[f"{key}-words"].text)
            assert boxes == -(-number // (int(group.group(1)) if group else 1)), params


def test_layers_stand_as_tall_as_the_tokens_that_they_hold():
    state = states(model="gpt-oss-120b", tokens=1024)[LENGTH]
    drawn = marks(state)
    columns = [drawn[f"layers-{number}"].shape["height"] for number in range(36)]
    assert columns[1] == pytest.approx(84)
    assert columns[0] / columns[1] == pytest.approx(128 / 1024)


def test_windows_are_named_where_they_cut_and_nowhere_else():
    for params in EXTREMES:
        state = states(**params)[LENGTH]
        assert (f"{SHAPES[params['model']].shipped}-full" in marks(state)) == state.result.cut
        assert ("write over their oldest" in SCENE.say(state)) == state.result.cut


def test_bar_can_be_pressed_to_choose_its_scheme():
    drawn = marks(states()[-1])
    assert {scheme: drawn[f"{scheme}-track"].set for scheme in SCHEMES} == {s: {"variant": s} for s in SCHEMES}
