"""Check what plays: vectors are made in the order of the words, scores are divided and masked key by key."""

import re

import pytest

from loom.draw import fixed
from loom.scene import WIDTHS
from scenes.attention_pattern.scene import SCENE
from scenes.attention_pattern.weights import TOKENS
from tests.beats import drawn_beats

KEYS = range(len(TOKENS))


def pictures(name, width="wide", **params):
    chapter = next(one for one in SCENE.run(**params).chapters if one.name == name)
    return chapter, drawn_beats(SCENE, chapter.states, width)


def made(drawn, kind):
    """Of how many tokens a vector of this kind has any length."""
    paths = [re.findall(r"M([-\d.]+) [-\d.]+L([-\d.]+) ", drawn[f"{kind}-{token}"].shape["d"]) for token in KEYS]
    assert all(paths)
    return sum(any(start != end for start, end in path) for path in paths)


@pytest.mark.parametrize("width", WIDTHS)
def test_queries_are_made_then_keys_then_values_and_then_one_of_the_queries_asks(width):
    chapter, drawn = pictures("vectors", width)
    assert chapter.times[1] <= 0.3
    counts = [[made(one, kind) for kind in "qkv"] for one in drawn]
    assert counts == [[0, 0, 0], [6, 0, 0], [6, 6, 0], [6, 6, 6], [6, 6, 6]]
    asks = [[one[f"q-{token}"].role for token in KEYS].count("hot thick") for one in drawn]
    assert asks == [6, 6, 6, 6, 1], "until one asks, all are alike"


@pytest.mark.parametrize("width", WIDTHS)
def test_scores_are_divided_from_key_to_key_and_a_number_changes_when_its_bar_has_come_to_rest(width):
    chapter, drawn = pictures("scaled", width)
    asked = chapter.states[0].result
    raw, scaled = asked.of.raw[asked.row].tolist(), asked.of.scaled[asked.row].tolist()
    assert chapter.times[1] <= 0.3
    for beat, one in enumerate(drawn):
        told = [one[f"number-{key}"].text for key in KEYS]
        done = max(0, beat - 1)
        assert told == [fixed(score) for score in [*scaled[:done], *raw[done:]]]
        assert [f"raw-{key}" in one for key in KEYS] == [key < beat for key in KEYS]
        assert one["answer"].text == told[asked.best]
    assert done == len(TOKENS)


@pytest.mark.parametrize("query", TOKENS[:-1])
def test_mask_falls_over_one_later_key_after_another_and_the_number_of_those_in_sight_goes_down(query):
    chapter, drawn = pictures("masked", query=query)
    first = TOKENS.index(query) + 1
    assert chapter.times[1] <= 0.3
    for beat, one in enumerate(drawn):
        fallen = [key for key in KEYS if key >= first and one[f"shut-{key}"].shape["height"]]
        assert len(fallen) == min(beat, len(TOKENS) - first)
        hidden = [key for key in KEYS if one[f"number-{key}"].text == "−∞"]
        assert hidden == fallen[: max(0, beat - 1)], "a score is gone when the mask has come down on it"
        assert one["answer"].text == f"{len(TOKENS) - len(hidden)} of {len(TOKENS)}"
    assert [*hidden] == [*KEYS][first:]
