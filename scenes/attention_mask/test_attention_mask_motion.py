"""Check what happens while the story of a mask plays: each number changes with the marks that cause it."""

import itertools

import numpy as np
import pytest

from loom.draw.extent import bounds
from scenes.attention_mask.model import path_of
from scenes.attention_mask.scene import SCENE
from tests.beats import drawn_beats

GRID = list(SCENE.grid())
SOME = [params for number, params in enumerate(GRID) if number % 7 == 0]  # of sixteen queries, in turn
PATTERNS = sorted({params["pattern"] for params in GRID})
PITCH = 336 / 16


def film(step, **params):
    """Each picture of a step as its marks by key, at the wide drawing."""
    chapter = SCENE.run(**params).chapters[step - 1]
    return drawn_beats(SCENE, chapter.states)


def number(drawn):
    return float(drawn["answer"].text.split()[0])


def cells(drawn, prefix):
    """How many cells of the map or of a strip are filled by what begins so."""
    boxes = [bounds(mark) for key, mark in drawn.items() if key.startswith(prefix) and not mark.text]
    return round(sum(right - left + 1 for left, _, right, _ in boxes) / PITCH)


@pytest.mark.parametrize("params", GRID, ids=str)
def test_every_step_sets_out_within_300_ms(params):
    for step, chapter in enumerate(SCENE.run(**params).chapters, 1):
        assert chapter.times[1] <= 0.3
        first, second = film(step, **params)[:2]
        assert first != second


@pytest.mark.parametrize("params", SOME, ids=str)
def test_sight_grows_with_each_key_that_is_read(params):
    pictures = film(1, **params)
    seen = [cells(drawn, "sight-0-") for drawn in pictures]
    assert seen == [number(drawn) for drawn in pictures] == sorted(seen)
    threads = [sum(key.startswith("threads-to-") for key in drawn) for drawn in pictures]
    assert threads == seen
    assert seen[0] == 0
    assert number(pictures[-1]) == SCENE.run(**params).result.sight(1)


@pytest.mark.parametrize("params", [one for one in GRID if one["pattern"] == "top-k" and one["query"] > 1], ids=str)
def test_the_indexer_has_looked_at_all_of_the_past_before_any_key_is_read(params):
    before, scanned, *rest = film(1, **params)
    row = f"behind-{params['query'] - 1}"
    assert (cells(before, row), cells(scanned, row)) == (1, params["query"])
    assert number(scanned) == 0
    assert all(cells(drawn, row) == params["query"] for drawn in rest)


@pytest.mark.parametrize("params", SOME, ids=str)
def test_scores_are_those_of_the_rows_that_are_drawn(params):
    pictures, look = film(2, **params), SCENE.run(**params).result
    for drawn in pictures:
        rows = sorted({int(key.split("-")[1]) for key in drawn if key.startswith("seen-")})
        assert number(drawn) == look.stack.masks[:, rows].sum() / 4
    assert [len({key.split("-")[1] for key in drawn if key.startswith("seen-")}) for drawn in pictures][-1] == 16
    turns = [drawn["turn"].shape["y"] for drawn in pictures if "turn" in drawn]
    assert turns == sorted(turns)
    assert "turn" not in pictures[-1]


@pytest.mark.parametrize("params", SOME, ids=str)
def test_the_way_is_longer_by_a_hop_in_each_beat_and_never_torn(params):
    look = SCENE.run(**params).result
    for layers, drawn in enumerate(film(3, **params), 1):
        stations = [drawn[f"hop-{level}"].shape for level in range(5)]
        columns = [round((one["x"] - 502.5) / PITCH) for one in stations]
        assert columns == [*path_of(look, layers), *[look.row] * (4 - layers)]
        assert len({one["y"] for one in stations}) == layers + 1
        assert drawn["relay"].shape["d"].count("L") == 4  # the same commands in every beat, so that it bends


@pytest.mark.parametrize("params", [one for one in GRID if one["query"] == 16], ids=str)
def test_caches_hold_what_the_newest_token_reads_while_the_text_grows(params):
    stack, pictures = SCENE.run(**params).result.stack, film(4, **params)
    for beat, drawn in enumerate(pictures):
        held = [cells(drawn, f"held-{level}-") for level in range(4)]
        assert sum(held) == number(drawn)
        assert held == [int(drawn[f"holds-{level + 1}"].text.split()[1]) for level in range(4)]
        if params["pattern"] in ("window", "window+first"):
            assert sum(held) == (4 * stack.masks[0, 2 * beat - 1].sum() if beat else 0)
            assert [cells(drawn, f"free-{level}-") for level in range(4)] == [2 * beat - one for one in held]


def test_a_window_holds_no_more_however_long_the_text_is_and_a_causal_mask_ever_more():
    window, causal = ([number(drawn) for drawn in film(4, pattern=pattern)] for pattern in ("window", "causal"))
    assert window == [0, 8, *[16] * 7]
    assert np.diff(causal).tolist() == [8] * 8


@pytest.mark.parametrize("pattern", PATTERNS)
def test_words_beside_the_number_stay_where_they_are_while_it_counts(pattern):
    for step in range(1, 5):
        for one, other in itertools.pairwise(film(step, pattern=pattern)):
            places = [{key for key in drawn if key.startswith("answer-words")} for drawn in (one, other)]
            assert places[0] == places[1]
