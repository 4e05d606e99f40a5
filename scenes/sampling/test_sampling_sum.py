"""Check how top-p adds up: bars move in turn, sums stand in their rows, and nothing is cut before they do."""

from itertools import accumulate, pairwise

import pytest

from loom.scene import WIDTHS
from scenes.sampling.model import LOGITS_OF
from scenes.sampling.scene import SCENE
from scenes.sampling.words import percent
from tests.beats import drawn_beats

WORDS = sorted(LOGITS_OF, key=lambda word: -LOGITS_OF[word])  # the likeliest first
SOME = [{}, {"temperature": 1.5, "min_p": 0.1}, {"top_k": 5}, {"temperature": 0.3, "top_p": 0.975}, {"top_p": 0.3}]


def film(width="wide", **params):
    """The pictures of top-p's chapter as their marks by key, and their times."""
    chapter = next(one for one in SCENE.run(**params).chapters if one.name == "top_p")
    return drawn_beats(SCENE, chapter.states, width), chapter


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_bars_move_in_turn_and_have_come_to_rest_before_anything_is_cut(params, width):
    (summing, cut), chapter = film(width, **params)
    bars = [summing[f"bar-{word}"] for word in WORDS if f"bar-{word}" in summing]
    added = [bar for bar in bars if cut[bar.key].role != "dropped"]
    assert all(before.wait < after.wait or before.wait == 15 for before, after in pairwise(added))
    assert bars[1].wait * 0.05 < 0.3
    assert max(bar.wait for bar in bars) * 0.05 + 0.42 <= chapter.times[1]
    assert {bar.role for bar in bars} == {"data"}
    assert not {"crossing", "cut", "lost"} & summing.keys()
    for bar in bars:
        turned = cut[bar.key]
        assert (turned.shape == bar.shape) == (bar in added)
        assert turned.role == "data" or not turned.wait  # what turns, turns at once
        assert bar in added or bar.shape["x"] == summing["grid-0"].shape["x1"]  # the sum has stopped before it


@pytest.mark.parametrize("params", SOME, ids=str)
def test_each_row_has_the_sum_up_to_it_and_the_one_that_crosses_is_in_the_colour_of_now(params):
    (summing, cut), chapter = film(**params)
    state = chapter.states[-1]
    shares = sorted((float(share) for share in state.stage.before), reverse=True)
    sums = [*accumulate(shares)]
    kept = [word for word in WORDS if f"sum-{word}" in cut]
    assert kept == [word for word in WORDS if f"sum-{word}" in summing] == WORDS[: len(kept)]
    for word, total in zip(kept, sums, strict=False):
        assert summing[f"sum-{word}"].text == percent(total)
    assert [word for word in kept if cut[f"sum-{word}"].role.startswith("hot")] == kept[-1:]
    waits = [summing[f"sum-{word}"].wait - summing[f"bar-{word}"].wait for word in kept]
    assert waits[0] == 5 and min(waits) >= 0  # a sum comes when its bar does
    least = params.get("top_p", 0.9)
    before = 0.0 if len(kept) == 1 else sums[len(kept) - 2]
    assert before < least <= sums[len(kept) - 1] + 1e-9


@pytest.mark.parametrize("params", SOME, ids=str)
def test_words_are_counted_out_when_their_bars_turn_red(params):
    (summing, cut), _ = film(**params)
    before, after = (int(drawn["answer"].text.split()[0]) for drawn in (summing, cut))
    red = sum(mark.role == "dropped" for key, mark in cut.items() if key.startswith("bar-"))
    assert before - after == red
    assert before == (5 if "top_k" in params else 12)
    assert "left-top_p" not in summing and cut["left-top_p-words"].text == str(after)


def test_without_top_p_there_is_nothing_to_wait_for():
    (only,), _ = film(top_p=1)
    assert only["answer"].text == "12 of 12"
    assert only["sum-moon"].text == "100%"
