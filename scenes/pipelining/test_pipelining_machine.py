"""Check how the last chapter plays: an H100's own rhythm comes to light, and what it took is told when it has."""

import pytest

from loom.scene import WIDTHS
from scenes.pipelining.machine import SWEEPS
from scenes.pipelining.scene import SCENE
from tests.beats import drawn_beats


def film(width="wide", **params):
    """The marks of each beat of the last chapter, by key."""
    states = SCENE.run(**params).chapters[-1].states
    return drawn_beats(SCENE, states, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("stages", [1, 2, 5])
def test_lanes_come_to_light_and_then_it_is_told_what_a_tile_took(width, stages):
    *covered, done = film(width, stages=stages)
    places = [marks["machine-future"].shape["x"] for marks in covered]
    assert len(places) == SWEEPS + 1 and places == sorted(set(places))
    assert [marks["machine-now"].shape["x1"] for marks in covered] == places
    assert "machine-future" not in done and "now" in done and "machine-told" in done
    for marks in covered:
        assert not {"machine-told", "needed", "steady-words", "now"} & {*marks}
        assert not any(key.startswith("measured") for key in marks)
        assert all(marks[key] == done[key] for key in done if key.startswith(("load-", "read-", "compute-")))


@pytest.mark.parametrize("width", WIDTHS)
def test_tiles_are_done_when_the_playhead_has_passed_them(width):
    beats = film(width)
    counts = [int(marks["done"].text.split()[0]) for marks in beats[:-1]]
    assert counts == sorted(counts) and counts[:2] == [0, 0] and counts[-1] > 0
    for marks, count, before in zip(beats[1:-1], counts[1:], beats, strict=False):
        x = before["machine-future"].shape["x"]  # where the playhead sets out from
        passed = [box for key, mark in marks.items() if key.startswith("compute-") and (box := mark.shape).get("width")
                  and box["x"] + box["width"] <= x + 0.5]  # fmt: skip
        assert len(passed) == count
