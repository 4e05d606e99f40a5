"""Check what the reader meets: values, words and pictures agree with the model in every state that is asked for."""

import itertools
import math

import pytest

from loom.draw import Box
from loom.scene import WIDTHS
from scenes._serving.shapes import SHAPES
from scenes.kv_cache.layers import column
from scenes.kv_cache.length import LENGTHS
from scenes.kv_cache.model import SCHEMES
from scenes.kv_cache.narration import SMALL, amount, layers_so_far
from scenes.kv_cache.one_token import token_in
from scenes.kv_cache.scene import SCENE
from tests.boxes import beneath, box

LENGTH = 2  # the place of the step in which the conversation has its length
EXTREMES = [{"model": model, "tokens": tokens} for model in SHAPES for tokens in (1024, 131072, 1048576)]


def values(**params):
    """Every value as a plain number."""
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def states(**params):
    return SCENE.run(**params).steps


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


# facts/attention.md, end of 6d, and checks.md A16: what Llama 3 would take with MHA at 131,072 tokens.
@pytest.mark.parametrize(("model", "size"), [("Llama 3 8B", 68.7), ("Llama 3 70B", 343.6), ("Llama 3 405B", 1082)])
def test_llama_with_mha_would_take_what_the_facts_say(model, size):
    assert values(model=model)["cache_mha"] == pytest.approx(size, rel=5e-4)


def test_mla_of_deepseek_v3_is_57_times_smaller_than_its_mha():
    # facts/attention.md, end of 6d: 3,997,696 B a token, 56.9 times the MLA cache.
    found = values(model="DeepSeek-V3")
    assert found["cache_mha"] * 1e9 / 131072 == pytest.approx(3_997_696)
    assert found["times_mla"] == pytest.approx(56.9, abs=0.05)


def test_quoted_value_prints_as_the_prose_writes_it():
    assert str(SCENE.run().values["cache_mha"]) == "68.7\u00a0GB"
    assert values()["per_token"] == 131_072


def test_parts_of_the_cache_add_up_and_match_the_table():
    for params in EXTREMES:
        found = values(**params)
        assert found["local"] + found["global"] + found["states"] / 1e9 == pytest.approx(found["cache"], rel=1e-12)
        assert found["cache"] - found["states"] / 1e9 <= found["full"] * (1 + 1e-12)
        table = {row[0]: row for row in SCENE.run(**params).table.rows}
        assert table[SHAPES[params["model"]].shipped][2] == found["cache"]
        for scheme in set(SCHEMES) & set(table):
            assert table[scheme][2] == found[f"cache_{scheme.lower()}"]
            assert table[scheme][3] == pytest.approx(found[f"times_{scheme.lower()}"], rel=1e-12)


def test_mistral_never_fills_a_gpu_and_holds_its_window():
    found = values(model="Mistral 7B", tokens=1048576)
    assert (found["fits_80"], found["fits_141"], found["grows"], found["global"]) == (4096, 4096, 0, 0)
    assert "0.7% of a GPU of 80 GB, and never more than 0.7%" in SCENE.say(states(model="Mistral 7B")[LENGTH])


def test_gpu_is_full_where_the_value_says():
    # 80e9 / 131,072 = 610,351.6 tokens of Llama 3 8B, by hand.
    assert values()["fits_80"] == 610_351
    assert "610,351" in SCENE.say(states()[LENGTH])


@pytest.mark.parametrize("params", EXTREMES)
def test_narration_quotes_the_size_in_the_picture(params):
    for state in states(**params):
        assert marks(state)["answer"].text in SCENE.say(state)
    assert marks(states(**params)[LENGTH])[f"{SHAPES[params['model']].shipped}-size"].text in SCENE.say(
        states(**params)[LENGTH]
    )


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_bars_fill_a_gpu_by_their_share_of_it_and_say_how_many_it_takes_beyond(params, width):
    state = states(**params)[LENGTH]
    drawn = marks(state, width)
    for rival in state.result.cache.rivals:
        gpu, total = drawn[f"{rival.scheme}-gpu"].shape, rival.total(params["tokens"])
        parts = [
            drawn[key].shape["width"] for kind in ("kept", "windowed") if (key := f"{rival.scheme}-{kind}") in drawn
        ]
        assert sum(parts) == pytest.approx(min(1, total / SMALL) * gpu["width"], abs=1 * len(parts))
        assert (f"{rival.scheme}-over" in drawn) == (total > SMALL)


def test_bars_and_layers_grow_by_as_much_in_every_beat_of_a_growing_conversation():
    drawn = [marks(state) for state in SCENE.run().chapters[LENGTH].states]
    assert len(drawn) == 4
    for key, side, end in (("MHA-kept", "width", 68.72 / 80 * 340), ("layers-0", "height", 100 * 131072 / 610351)):
        sides = [one[key].shape[side] for one in drawn]
        assert sides == pytest.approx([end * beat / 4 for beat in range(1, 5)], rel=1e-3)
    assert drawn[-1]["answer"].text == "17.2\u00a0GB"


@pytest.mark.parametrize("model", [model for model in SHAPES if not SHAPES[model].windowed + SHAPES[model].stateful])
@pytest.mark.parametrize("tokens", [131072, LENGTHS[-1]])
def test_columns_fill_their_box_by_the_share_of_a_gpu_that_the_cache_takes(model, tokens):
    state = states(model=model, tokens=tokens)[LENGTH]
    drawn, cache = marks(state), state.result.cache
    if cache.shape.compressed:
        return  # its kinds of layers hold different numbers of entries
    share = drawn["layers-0"].shape["height"] / drawn["rim"].shape["x2"] * 250 / 100
    assert share == pytest.approx(min(1, cache.total(tokens) / SMALL), rel=1e-3)
    assert f"full at {cache.fits(SMALL):,} tokens" in drawn["rim-words"].text


def test_a_cache_that_windows_bound_is_never_full():
    assert "never full" in marks(states(model="Mistral 7B")[LENGTH])["rim-words"].text


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("model", SHAPES)
def test_layers_add_up_to_what_a_token_leaves_in_all_of_them(model, width):
    chapter = SCENE.run(model=model).chapters[1]
    drawn, cache = [marks(state, width) for state in chapter.states], chapter.states[-1].result.cache
    counts = [layers_so_far(state) for state in chapter.states]
    assert set(cache.shape.kinds[: counts[0] - 1]) <= {"s"} and token_in(cache, counts[0]) > 0
    assert counts == sorted(counts) and counts[-1] == cache.shape.layers
    sizes = [token_in(cache, layers) for layers in counts]
    assert sizes == sorted(sizes) and sizes[-1] == cache.token
    assert [one["answer"].text for one in drawn] == [amount(size) for size in sizes]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("tokens", [1024, LENGTHS[1], 131072])
def test_words_say_the_length_at_which_the_dot_stands(width, tokens):
    for chapter in SCENE.run(tokens=tokens).chapters[LENGTH:]:
        for state in chapter.states:
            drawn = marks(state, width)
            said = int(drawn["length-title"].text.split()[0].replace(",", ""))
            dot = drawn["growing" if "growing" in drawn else "tokens"].shape
            start, wide = (400, 420) if width == "wide" else (16, 296)
            assert dot["cx"] == pytest.approx(start + wide * math.log2(said / 1024) / 10, abs=0.5)


@pytest.mark.parametrize("width", WIDTHS)
def test_weights_stand_on_the_scale_of_the_gpus_and_cross_no_words(width):
    for model, size in (("Llama 3 8B", 16.06), ("gpt-oss-120b", 65.2)):
        for state in states(model=model)[LENGTH:]:
            drawn = marks(state, width)
            gpu = next(mark.shape for key, mark in drawn.items() if key.endswith("-gpu"))
            lines = [[[float(end) for end in point.split()] for point in line.split("L")]
                     for line in drawn["weights"].shape["d"].split("M")[1:]]  # fmt: skip
            names = [box(mark) for mark in drawn.values() if mark.tag == "text"]
            assert len(lines) == 4
            for (x, top), (_, bottom) in lines:
                assert x - gpu["x"] == pytest.approx(size / 80 * gpu["width"], abs=1)
                assert not [one for one in names if one[0] < x < one[2] and one[1] < bottom and top < one[3]]
    assert all("weights" not in marks(state) for state in states(model="Llama 3 70B"))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_length_is_a_handle_that_stands_at_its_tokens(params, width):
    for state in states(**params)[LENGTH:]:
        knob = marks(state, width)["tokens"]
        assert knob.handle.params == ("tokens",)
        assert knob.handle.rail[LENGTHS.index(params["tokens"])] == (knob.shape["cx"], knob.shape["cy"])
        assert [x for x, _ in knob.handle.rail] == sorted(x for x, _ in knob.handle.rail)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_length_can_be_taken_hold_of_where_one_token_is_measured(width):
    for state in states()[:LENGTH]:
        assert not {"tokens", "length", "length-title"} & marks(state, width).keys()


def test_layers_stand_as_tall_as_the_tokens_that_they_hold():
    cache = states(model="gpt-oss-120b")[LENGTH].result.cache
    tall = {kind: column(Box(0, 0, 250, 100), cache.shape, cache.layer_token, 1024, 2048, kind) for kind in "kw"}
    assert tall == {"k": 50, "w": pytest.approx(100 * 128 / 2048)}


def test_windows_are_named_where_they_cut_and_nowhere_else():
    for params in EXTREMES:
        state = states(**params)[LENGTH]
        cache = state.result.cache
        spared = cache.full(params["tokens"]) > cache.total(params["tokens"])
        assert (f"{cache.scheme}-full" in marks(state)) == spared
        assert spared == (state.result.cut or bool(cache.shape.stateful and params["tokens"] > 2**13))
        assert ("layers" in marks(state)["factor-2"].text) == state.result.cut


def test_page_opens_with_the_model_as_it_ships():
    state = states()[SCENE.opening - 1]
    shipped = [mark.key for mark in SCENE.draw(state, 840) if "as shipped" in mark.text]
    assert shipped == ["GQA-heads"]


@pytest.mark.parametrize("width", WIDTHS)
def test_before_a_guess_the_shipped_way_stands_there_and_no_other(width):
    for state in states():
        if state.phase == "format":
            continue
        shown = {key for key, mark in marks(state, width).items() if "answer" not in mark.role}
        sizes = {key for key in shown if key.endswith(("-size", "-kept", "-token"))}
        assert sizes in ({"GQA-size", "GQA-kept"}, {"GQA-token-size", "GQA-token"})


@pytest.mark.parametrize("model", SHAPES)
def test_one_layer_is_drawn_first_and_then_all_of_them(model):
    columns = [
        [mark.shape["width"] for key, mark in marks(state).items() if key.startswith(("layers-", "windowed-", "state-"))
         and mark.tag == "rect"] for state in states(model=model)[:2]
    ]  # fmt: skip
    layers = SHAPES[model].layers
    assert len(columns[0]) == 1 and columns[0][0] == pytest.approx(250 / layers - 1)
    assert sum(columns[1]) + len(columns[1]) == pytest.approx(250)


@pytest.mark.parametrize("model", SHAPES)
def test_no_line_between_layers_is_as_wide_as_half_a_layer(model):
    for state in states(model=model):
        assert ("layers-cuts" in marks(state)) == (SHAPES[model].layers < 84)


def test_length_is_as_fine_as_a_ninth_from_one_to_the_next():
    assert {1024, 131072, 1048576} <= set(LENGTHS)
    assert all(1 < high / low < 9 / 8 for low, high in itertools.pairwise(LENGTHS))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES, ids=str)
def test_no_words_lie_under_the_knob_of_the_length(params, width):
    assert beneath(marks(states(**params)[-1], width), "tokens") == []


def test_its_length_is_the_parameter_whose_values_share_files():
    assert SCENE.params[-1].name == "tokens"  # under the hand two of 16 files are fetched; if it were first, all
