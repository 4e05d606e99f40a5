"""Check what the reader meets: prompts that lie where their tokens lie, a tree as long as its cache, and knobs."""

import itertools
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.prefix_cache.case import CAPACITIES, CHANGES
from scenes.prefix_cache.scene import SCENE
from scenes.prefix_cache.stage import stage_of
from scenes.prefix_cache.story import now_of
from scenes.prefix_cache.workloads import AGENT, CHAT, CHATS
from tests.boxes import beneath

GRID = list(SCENE.grid())
SOME = [*GRID[::6], GRID[-1]]


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def chapter(name, **params):
    return next(one for one in SCENE.run(**params).chapters if one.name == name)


def right(mark):
    return mark.shape["x"] + mark.shape["width"]


def test_page_opens_with_all_that_can_become_of_a_prompt_found_new_gone_and_computed_again():
    drawn = marks(SCENE.run().steps[SCENE.opening - 1])
    assert (drawn["answer"].text, drawn["finds"].text) == ("87.6%", "2,592 found")
    assert {"hit-root", "hit-own", "new-own", "gone-0", "turns-again"} <= drawn.keys()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_how_much_is_found_stands_beside_how_much_is_asked(params, width):
    for one in SCENE.run(**params).chapters[:-1]:
        drawn = marks(one.states[-1], width)
        gap = bounds(drawn["finds"])[0] - bounds(drawn["asks"])[2]
        assert 6 < gap < 20 and bounds(drawn["finds"])[2] <= WIDTHS[width]


@pytest.mark.parametrize("width", WIDTHS)
def test_each_chat_grows_from_what_is_shared(width):
    drawn = marks(SCENE.run().steps[0], width)
    lines = [[*map(float, re.findall(r"[\d.]+", line))] for line in drawn["stems"].shape["d"].split("M")[1:]]
    assert len(lines) == 6
    for branch, (start, y, end, same) in enumerate(lines):
        assert start == pytest.approx(right(drawn["root"]), abs=0.5)
        assert y == same == pytest.approx(stage_of(WIDTHS[width], SCENE.run().result).middle(branch), abs=0.5)
        assert end < bounds(drawn[f"name-{branch}"])[0]
    assert "stems" not in marks(SCENE.run(workload=AGENT, change=CHANGES[1]).steps[-1], width)


def test_what_is_computed_again_is_named_from_the_first_column_that_shows_it():
    for params in SOME:
        for one in SCENE.run(**params).chapters:
            drawn = marks(one.states[-1])
            assert ("turns-again" in drawn) == any(key.startswith("again-") for key in drawn)


@pytest.mark.parametrize(("params", "answer"), [
    ({"workload": CHAT}, "83.9%"), ({"workload": CHAT, "block": 528}, "72.3%"), ({"workload": AGENT}, "93.4%"),
    ({"workload": CHATS, "capacity": 10_000}, "92.6%"), ({"workload": AGENT, "change": 40}, "0.1%"),
])  # fmt: skip
def test_answer_is_the_rate(params, answer):
    assert marks(SCENE.run(**params).steps[-1])["answer"].text == answer


@pytest.mark.parametrize("width", WIDTHS)
def test_a_prompt_comes_and_then_lies_along_the_shared_prefix_and_its_own_chat(width):
    come, landed = chapter("other").states
    stage = stage_of(WIDTHS[width], come.result)
    above, below = marks(come, width), marks(landed, width)
    assert above["ask-1-root"].shape["y"] == above["ask-1-own"].shape["y"] < stage.tree.y
    assert below["ask-1-root"].shape["y"] == below["ask-1-own"].shape["y"] == below["held-1"].shape["y"]
    assert below["ask-1-own"].shape["y"] + stage.tall / 2 == stage.middle(1)
    assert above["ask-1-root"].shape["width"] == below["ask-1-root"].shape["width"]
    assert "hit-root" in below and "hit-own" not in below and "hit-root" not in above


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_shared_stands_once_before_all_chats(width):
    drawn = marks(SCENE.run().steps[-1], width)
    root, chats = drawn["root"].shape, [drawn[f"name-{at}"].shape["y"] for at in range(6)]
    assert root["y"] < min(chats) and max(chats) < root["y"] + root["height"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_what_is_found_known_and_new_is_as_long_as_its_tokens(params, width):
    for state in chapter("next", **params).states[-1:]:
        stage, drawn, turn = stage_of(WIDTHS[width], state.result), marks(state, width), state.result.cache.turns[1]
        for name, tokens in (("hit", turn.hit), ("lost", turn.lost), ("new", turn.request.prompt - turn.known)):
            wide = sum(mark.shape["width"] for key, mark in drawn.items() if key in (f"{name}-root", f"{name}-own"))
            assert wide == pytest.approx(tokens * stage.unit)


@pytest.mark.parametrize("params", SOME, ids=str)
def test_tree_is_as_long_as_what_the_cache_holds(params):
    state = SCENE.run(**params).steps[-1]
    stage, drawn, cache = stage_of(840, state.result), marks(state), state.result.cache
    wide = sum(mark.shape["width"] for key, mark in drawn.items() if key.startswith("held-") or key == "root")
    assert wide == pytest.approx(cache.turns[-1].blocks * cache.block * stage.unit, abs=0.5)


def test_what_had_to_go_is_an_outline_behind_what_is_left():
    drawn = marks(SCENE.run().steps[-1])
    assert right(drawn["held-4"]) == pytest.approx(drawn["gone-4"].shape["x"])
    assert "held-0" not in drawn and drawn["gone-0"].read == "2,000 tokens had to go"
    assert not any(key.startswith("gone") for key in marks(SCENE.run(workload=CHAT).steps[-1]))
    assert "full" not in [one.name for one in SCENE.run(workload=CHAT).chapters]


@pytest.mark.parametrize("params", SOME, ids=str)
def test_columns_are_as_tall_as_prompts_and_what_they_find(params):
    state = SCENE.run(**params).steps[-1]
    drawn, turns = marks(state), state.result.cache.turns
    unit = drawn["turn-0"].shape["height"] / turns[0].request.prompt
    for at, turn in enumerate(turns):
        assert drawn[f"turn-{at}"].shape["height"] == pytest.approx(turn.request.prompt * unit)
        assert (f"found-{at}" in drawn) == (turn.hit > 0)
        if turn.hit:
            assert drawn[f"found-{at}"].shape["height"] == pytest.approx(turn.hit * unit)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_knob_stands_on_the_curve_and_runs_along_it(params, width):
    state = SCENE.run(**params).steps[-1]
    drawn, stage = marks(state, width), stage_of(WIDTHS[width], state.result)
    knob, rate = drawn["rate"], 100 * state.result.cache.rate
    assert knob.shape["cy"] == pytest.approx(stage.plot.at(stage.plot.x.span[0], rate)[1])
    assert len(knob.handle.rail) == {CHAT: 3, CHATS: len(CAPACITIES), AGENT: len(CHANGES)}[params["workload"]]
    assert [x for x, _ in knob.handle.rail] == sorted(x for x, _ in knob.handle.rail)


def test_snapshots_stand_behind_each_block_or_where_a_prompt_ended():
    each, last = (marks(chapter("first", block=528, snapshots=kind).states[-1]) for kind in ("each", "last"))
    assert {key for key in each if key.startswith("snapshot")} == {"snapshot-1", "snapshot-0-2"}
    assert {key for key in last if key.startswith("snapshot")} == {"snapshot-0-2"}
    assert "snapshot lies behind" in SCENE.say(chapter("other", block=528, snapshots="last").states[-1])


@pytest.mark.parametrize("params", SOME, ids=str)
def test_requests_come_one_by_one_and_each_once(params):
    pictures = [now_of(state) for one in SCENE.run(**params).chapters[:-1] for state in one.states]
    come = [now.come for now in pictures]
    assert come == [at for at in range(1, pictures[-1].come + 1) for _ in range(2)]
    assert [now.landed for now in pictures] == [False, True] * (len(pictures) // 2)


def test_words_at_the_end_tell_what_was_in_the_way():
    told = {name: SCENE.say(SCENE.run(**params).steps[-1]) for name, params in {
        "memory": {"capacity": 4000}, "enough": {}, "snapshot": {"workload": CHAT, "block": 528},
        "change": {"workload": AGENT, "change": 40}, "nothing": {"workload": CHAT, "block": 1},
    }.items()}  # fmt: skip
    assert "if it held all, 92.6% would be found" in told["memory"]
    assert "because chats end" in told["enough"] and "at a snapshot only" in told["snapshot"]
    assert "at the prompt’s end it would be 93.4%" in told["change"] and "Only what was new" in told["nothing"]


def test_the_next_prompt_is_another_thing_and_does_not_come_from_where_the_last_one_lies():
    states = chapter("full").states
    asks = [{key for key in marks(state) if key.startswith("ask-")} for state in states]
    assert all(one == other for one, other in zip(asks[::2], asks[1::2], strict=True))
    assert not any(one & other for one, other in itertools.pairwise(asks[::2]))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_handles_lie_within_the_picture_with_all_their_glow(params, width):
    for state in SCENE.run(**params).steps:
        for mark in SCENE.draw(state, WIDTHS[width]):
            reach = mark.shape["r"] + 8 if mark.handle else 0
            assert all(reach <= x <= WIDTHS[width] - reach for x, _ in (mark.handle.rail if mark.handle else ()))


@pytest.mark.parametrize("width", WIDTHS)
def test_handle_at_the_prompts_beginning_leaves_the_name_of_0_percent_free(width):
    drawn = marks(SCENE.run(workload=AGENT, change=CHANGES[0]).steps[-1], width)
    knob = drawn["rate"].shape
    assert drawn["share-0-name"].shape["x"] <= knob["cx"] - knob["r"] - 8


@pytest.mark.parametrize("width", WIDTHS)
def test_chats_are_named_where_they_part_and_an_answer_beside_its_end(width):
    drawn = marks(SCENE.run().steps[1], width)
    assert drawn["shared"].text.endswith("shared")
    for name in "ABCDEF":
        left, _, right, _ = bounds(drawn[f"name-{'ABCDEF'.index(name)}"])
        assert drawn[f"name-{'ABCDEF'.index(name)}"].text.endswith(name)
        assert bounds(drawn["root"])[2] < left and right < bounds(drawn["hit-own"])[0]
    assert drawn["answers"].shape["x"] > bounds(drawn["reply-own"])[2]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_columns_say_how_many_prompts_they_are_and_share_and_curve_have_the_colour_of_what_is_found(params, width):
    state = SCENE.run(**params).steps[-1]
    drawn = marks(state, width)
    assert drawn["turns-name"].text.startswith(f"{len(state.result.cache.turns)} prompts")
    assert {drawn[key].role.split()[0] for key in ("answer", "rates", "turns-found-mark")} == {"work"}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_snapshots_are_named_and_no_number_lies_under_the_knob(params, width):
    drawn = marks(SCENE.run(**params).steps[-1], width)
    assert ("snapshot-name" in drawn) == any(key.startswith("snapshot-") and key[9].isdigit() for key in drawn)
    assert beneath(drawn, "rate") == []


@pytest.mark.parametrize("width", WIDTHS)
def test_a_branch_that_is_alone_has_more_room_and_its_prompt_still_comes_over_it(width):
    come, landed = chapter("next", workload=CHAT).states
    alone, among = (stage_of(WIDTHS[width], chapter("next", workload=one).states[0].result) for one in (CHAT, CHATS))
    assert alone.tall > 2 * among.tall
    above, below = (bounds(marks(state, width)["ask-0-own"]) for state in (come, landed))
    assert above[3] + 4 < below[1] and above[1] > marks(come, width)["asks"].shape["y"]


@pytest.mark.parametrize("width", WIDTHS)
def test_name_of_the_last_turn_stands_above_the_axis(width):
    drawn = marks(SCENE.run(workload=AGENT, change=40).steps[-1], width)
    assert drawn["name-19"].shape["y"] < drawn["tokens"].shape["y1"] - 2


@pytest.mark.parametrize("width", WIDTHS)
def test_tree_begins_at_the_edge_unless_names_stand_before_it(width):
    for params in SCENE.grid():
        drawn = marks(SCENE.run(**params).steps[-1], width)
        names = [bounds(mark) for key, mark in drawn.items() if key.startswith("name-")]
        assert bounds(drawn["tokens"])[0] <= 2 or min(left for left, *_ in names) == 0, params


@pytest.mark.parametrize("width", WIDTHS)
def test_knob_where_nothing_is_found_lies_on_no_number(width):
    for block in SCENE.param("block").values:
        run = SCENE.run(workload=AGENT, change=CHANGES[0], block=block)
        assert not [state.phase for state in run.steps if beneath(marks(state, width), "rate", rim=7)]
