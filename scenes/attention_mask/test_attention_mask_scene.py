"""Check what the reader meets: values, words and pictures agree with the masks in every state."""

import re

import numpy as np
import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.attention_mask.drawing import QUERIES
from scenes.attention_mask.model import relay
from scenes.attention_mask.scene import SCENE
from scenes.attention_mask.stage import runs
from tests.boxes import beneath, box

DEFAULT = SCENE.defaults
RULE, MAP, REACH, CACHE = 1, 2, 3, 4  # steps
GRID = list(SCENE.grid())
NEWEST = [params for params in GRID if params["query"] == 16]
SOME = [params for number, params in enumerate(GRID) if number % 7 == 0]  # of sixteen queries, in turn


def values(**params):
    """Every value as a plain number."""
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def rows(**params):
    table = SCENE.run(**params).table
    return [dict(zip([column.name for column in table.columns], row, strict=True)) for row in table.rows]


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def wide(mark):
    left, _, right, _ = bounds(mark)
    return right - left + 1  # half a unit is kept free on either side


def test_numbers_of_real_models_are_those_of_their_papers():
    found = values()
    # "Mistral 7B", arXiv:2310.06825, section 2: 4,096 × 32, "approximately 131K tokens". Exact windows: 32 × 4,095.
    assert (found["mistral_span"], found["mistral_back"]) == (131_072, 131_040)
    # DeepSeek-V3.2-Exp, section 2.1: 2,048 keys; at 131,072 tokens that is one key in 64.
    assert (found["dsa_share"], found["dsa_part"]) == (100 / 64, 64)
    by_hand = sum(min(2048, row) for row in range(1, 131_073)) / (131_072 * 131_073 / 2)
    assert found["dsa_map_share"] == pytest.approx(100 * by_hand, rel=1e-12)
    assert str(SCENE.run().values["mistral_span"]) == "131,072\u00a0tokens"


# n = 16: 16·17/2 = 136; 16·4 − 4·3/2 = 58; the first 2 add 1 cell in row 5 and 2 in rows 6 to 16: 58 + 23.
@pytest.mark.parametrize(
    ("pattern", "cells", "indexer", "cache", "reach1", "reach", "sight"),
    [
        ("full", 256, 0, 16, 15, 15, 16),
        ("causal", 136, 0, 16, 15, 15, 16),
        ("window", 58, 0, 4, 3, 12, 13),
        ("window+first", 81, 0, 6, 15, 15, 15),
        ("interleaved", (3 * 58 + 136) / 4, 0, (3 * 4 + 16) / 4, 3, 15, 16),
        ("top-k", 58, 136, 16, 14, 15, 14),
    ],
)
def test_values_of_every_pattern_at_the_default(pattern, cells, indexer, cache, reach1, reach, sight):
    found = values(pattern=pattern)
    assert (found["cells"], found["indexer"], found["cache"]) == (cells, indexer, cache)
    assert (found["reach1"], found["reach"], found["sight"]) == (reach1, reach, sight)
    assert found["share"] == pytest.approx(100 * cells / 256)
    assert (found["tokens"], found["causal_cells"]) == (16, 136)


@pytest.mark.parametrize("params", SOME, ids=str)
def test_table_and_values_tell_the_same(params):
    found, table = values(**params), rows(**params)
    assert [row["layer"] for row in table] == [1, 2, 3, 4]
    assert found["cells"] == np.mean([row["cells"] for row in table])
    assert found["cache_all"] == sum(row["cache"] for row in table) == 4 * found["cache"]
    assert (found["reach1"], found["reach"]) == (table[0]["reach"], table[-1]["reach"])
    assert (found["sight1"], found["sight"]) == (table[0]["sight"], table[-1]["sight"])
    assert all(found["indexer"] == row["indexer"] for row in table)
    assert found["reads"] <= table[0]["reads"]


@pytest.mark.parametrize("params", GRID, ids=str)
def test_every_step_says_something_else_and_speaks_of_its_state(params):
    states = SCENE.run(**params).steps
    said = [SCENE.say(state) for state in states]
    assert len(set(said)) == len(said) == CACHE
    assert all(len(words) <= 200 and "  " not in words and "-1" not in words for words in said)
    assert not [
        words for words in said if re.search(r"\b1 (tokens|scores|layers)\b|\ball 1\b|all of them.*: 1\.", words)
    ]
    if params["pattern"] not in ("full", "causal"):
        assert f"{states[MAP - 1].result.stack.cells[0]} scores" in said[MAP - 1]
        known, far = states[0].result.sight(4), states[0].result.back(4)
        every = "both" if params["query"] == 2 else params["query"]
        assert re.search(rf"\b({known}|{far}|{every})\b", said[REACH - 1])


# 4 layers of 4 keys hop 3 tokens each; 3 local layers below a global one bring 1 + 3 × 3 = 10 in sight.
@pytest.mark.parametrize(
    ("pattern", "step", "words"),
    [
        ("window", 3, "reach 4~×~3~=~12 back. Mistral 7B, W~=~4,096: 32~×~4,095~=~131,040 back, at most."),
        ("window", 3, "4 hops of W~−~1~=~3 reach"),
        ("window", 1, "With a window of W = 4, token 16 reads"),
        ("causal", 3, "One layer has brought all 16 tokens in sight"),
        ("interleaved", 3, "Three local layers bring 10 in sight. Layer 4 is global and reads all 16 at once"),
        ("top-k", 1, "An indexer looks at all 16 tokens so far and scores them. Attention reads only the k = 4 best"),
        ("window+first", 4, "the first 2 and the last 4: 24 of 64 pairs"),
    ],
)
def test_narration_makes_the_point_of_the_pattern(pattern, step, words):
    said = SCENE.say(SCENE.run(pattern=pattern).steps[step - 1])
    assert words in said.replace("\u00a0", "~")  # no line ends within a formula


@pytest.mark.parametrize("params", SOME, ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_picture_fills_exactly_the_cells_of_the_mask(params, width):
    states = SCENE.run(**params).steps
    pitch = (280 if width == "narrow" else 336) / 16
    for state in (states[RULE - 1], states[MAP - 1]):
        drawn = marks(state, width)
        filled = sum(wide(mark) for key, mark in drawn.items() if key.startswith("seen-")) / pitch
        behind = sum(wide(mark) for key, mark in drawn.items() if key.startswith("behind-")) / pitch
        mask = state.result.stack.masks[0]
        assert filled == pytest.approx(mask.sum() if state.phase == "map" else mask[state.result.row].sum())
        if params["pattern"] == "top-k":  # the indexer looks at every key of the past
            assert behind == pytest.approx(136 if state.phase == "map" else state.result.query)
            dots = drawn["looks"].shape["d"].count("M") if behind - filled > 0.5 else 0
            assert dots == pytest.approx(behind - filled)


@pytest.mark.parametrize("params", SOME, ids=str)
def test_strips_show_who_is_in_sight_and_the_answer_counts_them(params):
    chapters = SCENE.run(**params).chapters
    shown = [(state, layers) for state, layers in zip(chapters[REACH - 1].states, range(1, 5), strict=True)]
    for state, layers in [(chapters[0].states[-1], 1), *shown]:
        drawn, look = marks(state), state.result
        cone = look.stack.cone(look.row, layers)
        assert lit(drawn)[:layers] == pytest.approx(cone[:-1].sum(axis=1))
        assert drawn["answer"].text == f"{look.sight(layers)} of 16"
    drawn, held = marks(chapters[-1].states[-1]), chapters[-1].states[-1].result.stack.held
    assert lit(drawn, "held")[:4] == pytest.approx(held.sum(axis=1))
    assert drawn["answer"].text == f"{held.sum()} of 64"


def lit(drawn, what="sight"):
    """How many tokens of each strip are filled."""
    return [sum(wide(mark) for key, mark in drawn.items() if key.startswith(f"{what}-{level}-")) / 21
            for level in range(5)]  # fmt: skip


@pytest.mark.parametrize("params", SOME, ids=str)
def test_hops_of_the_longest_way_are_cells_of_the_map(params):
    state = SCENE.run(**params).steps[REACH - 1]
    drawn, masks = marks(state), state.result.stack.masks
    path = relay(masks, state.result.row)
    for layer in range(1, 5):
        key, reader = path[layer - 1], path[layer]
        hidden = key == reader or (params["pattern"] == "top-k" and layer > 1)
        assert (f"hop-cell-{layer}" in drawn) == (not hidden)
        if not hidden:
            cell = drawn[f"hop-cell-{layer}"].shape
            assert cell["x"] == pytest.approx(50 + 21 * key + 0.5)
            assert masks[layer - 1][reader, key]


@pytest.mark.parametrize("params", NEWEST, ids=str)
def test_threads_lead_to_every_key_that_someone_in_sight_reads(params):
    state = SCENE.run(**params).steps[REACH - 1]
    if params["pattern"] == "top-k":
        return  # there only the threads of those that hand word on: all of them would be a thicket
    cone, drawn = state.result.stack.cone(state.result.row, 4), marks(state, "narrow")
    for layer in range(1, 5):
        links = state.result.stack.masks[layer - 1] | np.eye(16, dtype=bool)  # and each one's own state
        fans = ("threads-1-", "threads-to-") if layer == 1 else f"threads-{layer}-"  # those of the asker one by one
        found = sum(mark.shape["d"].count("M") for key, mark in drawn.items() if key.startswith(fans))
        assert found == links[cone[layer]].sum()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("query", [1, 7, 16])
def test_every_row_can_be_pressed_and_the_one_that_asks_be_pulled(query, width):
    drawn = marks(SCENE.run(query=query).steps[0], width)
    assert [drawn[f"row-{token}"].set["query"] for token in QUERIES] == [str(token) for token in range(1, 17)]
    knob, row = drawn["asker"], drawn[f"row-{query}"].shape
    assert knob.handle.params == ("query",)
    assert knob.handle.rail[query - 1] == (knob.shape["cx"], knob.shape["cy"])
    assert knob.shape["cy"] == pytest.approx(row["y"] + row["height"] / 2)


def test_page_opens_with_the_whole_way_through_the_stack():
    drawn = marks(SCENE.run().steps[SCENE.opening - 1])
    assert drawn["answer"].text == "13 of 16"
    assert "relay" in drawn


@pytest.mark.parametrize("width", WIDTHS)
def test_stage_is_low_and_sparse_enough_at_both_widths(width):
    for params in NEWEST:
        for state in SCENE.run(**params).steps:
            drawn = marks(state, width)
            assert len(drawn) <= 160
            assert max(bounds(mark)[3] for mark in drawn.values()) <= 340


def test_window_and_choice_rest_where_they_do_not_matter():
    assert len(GRID) == 16 * (1 + 1 + 3 + 3 + 3 + 3)
    assert SCENE.resting({"pattern": "causal", "window": 8, "k": 2}) == DEFAULT | {"pattern": "causal"}


def test_runs_are_counted_from_the_newest():
    assert list(runs(np.array([1, 1, 0, 1, 0, 1], dtype=bool))) == [(5, 5), (3, 3), (0, 1)]
    assert list(runs(np.zeros(3, dtype=bool))) == []


@pytest.mark.parametrize("params", SOME, ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_way_through_the_stack_stays_to_the_last_step(params, width):
    reach, cache = (marks(SCENE.run(**params).steps[step - 1], width) for step in (REACH, CACHE))
    for key in ["relay", *[key for key in reach if key.startswith(("threads-", "hop-cell-"))]]:
        assert cache[key].shape == reach[key].shape
    look = SCENE.run(**params).result
    for level, (seen, held) in enumerate(zip(look.cones[4], look.stack.held, strict=False)):
        past = sum(wide(mark) for key, mark in cache.items() if key.startswith(f"past-{level}-"))
        assert past == pytest.approx((seen & ~held).sum() * (17.5 if width == "narrow" else 21))


@pytest.mark.parametrize(("query", "words"), [(1, "token 1 asked"), (16, "token 16 asks")])
def test_caches_of_the_newest_token_stand_under_what_an_older_one_asked(query, words):
    assert marks(SCENE.run(query=query).steps[CACHE - 1])["asker-words"].text == words


@pytest.mark.parametrize("pattern", sorted({params["pattern"] for params in GRID}))
def test_two_tokens_are_both(pattern):
    assert not [said for state in SCENE.run(pattern=pattern, query=2).steps if "all 2 " in (said := SCENE.say(state))]


@pytest.mark.parametrize("params", SOME, ids=str)
def test_rows_and_strips_say_their_numbers(params):
    states = SCENE.run(**params).steps
    look, drawn, kept = states[0].result, marks(states[REACH - 1]), marks(states[CACHE - 1])
    for token in QUERIES:
        reads = look.stack.masks[0][token - 1].sum()
        assert f" reads {reads} key" in drawn[f"row-{token}"].read
    assert drawn["sight-0-0"].read.split()[0] == str(look.cones[4][0].sum())
    for level, held in enumerate(look.stack.held):
        assert kept[f"held-{level}-0"].read.startswith(f"layer {level + 1} holds {held.sum()} key")
        free = [mark.read for key, mark in kept.items() if key.startswith(f"free-{level}-") and mark.read]
        assert set(free) <= {f"layer {level + 1} has let go of {16 - held.sum()} keys and values"}


@pytest.mark.parametrize("width", WIDTHS)
def test_let_go_stands_where_nothing_came_together(width):
    state = SCENE.run().steps[CACHE - 1]
    drawn = {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}
    said = {key.split("-")[1]: mark for key, mark in drawn.items() if mark.text == "let go"}
    assert said
    for level, mark in said.items():
        past = [other.shape["x"] for key, other in drawn.items() if key.startswith(f"past-{level}-")]
        assert all(mark.shape["x"] + 16 < x for x in past)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("query", QUERIES)
def test_what_top_k_leaves_out_is_named_clear_of_the_row_that_asks(query, width):
    drawn = marks(SCENE.run(pattern="top-k", query=query).steps[REACH], width)
    assert drawn["passed"].text == "grey: not chosen"
    frames = [bounds(mark) for key, mark in drawn.items() if key == "asks" or key.startswith(("seen-", "behind-"))]
    for key in ("later", "passed"):
        left, top, right, bottom = box(drawn[key])
        assert not [one for one in frames if one[0] < right and left < one[2] and one[1] < bottom and top < one[3]]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("query", QUERIES)
def test_the_hand_lies_on_no_number_of_another_row(query, width):
    drawn = marks(SCENE.run(query=query).steps[REACH], width)
    knob = drawn["asker"].shape
    assert "map-title" not in beneath(drawn, "asker", rim=5) and "asker-number" not in beneath(drawn, "asker")
    assert box(drawn["asker-number"])[0] >= 0
    for key, mark in drawn.items():
        if key.startswith("row-") and key.endswith("-words"):
            _, top, _, bottom = box(mark)
            assert max(top - knob["cy"], knob["cy"] - bottom) >= knob["r"] + 8 - 1
