"""Check what plays: bars grow while a model works, a dot runs along a bar, and verdicts come when it has stopped."""

from __future__ import annotations

import pytest

from loom.scene import WIDTHS
from scenes.speculative_decoding.model import WORDS
from scenes.speculative_decoding.scene import SCENE
from tests.beats import drawn_beats


def frames(name, width="wide", **params):
    states = next(one for one in SCENE.run(**params).chapters if one.name == name).states
    return drawn_beats(SCENE, states, width)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_guess_is_named_when_its_step_and_bars_have_grown(width):
    drawn = frames("draft", width)
    for place in range(4):
        before, grows, made = drawn[2 * place : 2 * place + 3]
        bars = [f"step-{place}", *(f"in-{place}-{word}" for word in WORDS)]
        assert {before[key].shape["width"] for key in bars} == {0}
        assert [grows[key].shape for key in bars] == [made[key].shape for key in bars]
        assert f"guess-{place}" not in grows and f"guess-{place}" in made
        assert int(made["answer"].text) == int(grows["answer"].text) + 1 == place + 1


@pytest.mark.parametrize("width", WIDTHS)
def test_one_pass_grows_outlines_at_all_places_at_once(width):
    before, grows, _ = frames("verify", width)
    outlines = [key for key in grows if key.startswith("large-")]
    assert len(outlines) == 5 * len(WORDS)
    assert all(before[key].shape["width"] == 0 < grows[key].shape["width"] for key in [*outlines, "pass"])
    assert all("steady" in grows[key].role for key in [*outlines, "pass"]), "they end together"


@pytest.mark.parametrize("draw", [1, 2, 3])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_dot_runs_along_its_guess_and_then_the_verdict_comes(width, draw):
    drawn = frames("accept", width, draw=draw)
    for place in range(len(drawn) // 2):
        waits, runs, told = drawn[2 * place : 2 * place + 3]
        dart = f"dart-{place}"
        assert waits[dart].shape["cx"] < runs[dart].shape["cx"] == told[dart].shape["cx"]
        assert f"chance-{place}" not in runs and f"chance-{place}" in told
        assert sum(key.startswith("dart-") for key in runs) == place + 1
    assert sum(key.startswith("dart-") for key in drawn[-1]) == len(drawn) // 2


def test_what_a_word_is_drawn_from_grows_before_it_is_there():
    before, grows, drawn = frames("resample")
    gaps = [key for key in drawn if key.startswith("gap-")]
    assert all(before[key].shape["width"] == 0 < grows[key].shape["width"] for key in gaps)
    assert "word-last" not in grows and "word-last" in drawn
    assert [one["answer"].text for one in (before, grows, drawn)] == ["2 of 4", "2 of 4", "3 words"]


@pytest.mark.parametrize("width", WIDTHS)
def test_pairs_are_filled_by_guesses_and_then_by_what_is_drawn_instead(width):
    empty, guessed, filled = frames("pairs", width)
    ones, twos = ([key for key in filled if key.startswith(kind)] for kind in ("one-", "two-"))
    assert {empty[key].shape["width"] for key in (*ones, *twos)} == {0}
    assert [guessed[key].shape for key in ones] == [filled[key].shape for key in ones]
    assert all(guessed[key].shape["width"] == 0 < filled[key].shape["width"] for key in twos)
    assert not any(key.startswith("share-") for key in (*empty, *guessed))


def test_what_the_colours_are_does_not_move_from_one_part_of_the_story_to_the_next():
    names = ("verify", "accept", "resample", "equal", "pairs")
    keys = [{key for key in frames(name)[-1] if key.startswith("key-")} for name in names]
    assert all(keys) and len(set.union(*keys)) == sum(map(len, keys))
