"""Check how the last step plays: the formula's slots fill under a playhead, then the GPU's are set against them."""

import pytest

from loom.scene import WIDTHS
from scenes.warp_scheduler.machine import SWEEPS
from scenes.warp_scheduler.measured import used
from scenes.warp_scheduler.scene import SCENE
from tests.beats import drawn_beats


def film(width="wide", **params):
    """The marks of each beat of the last chapter, by key."""
    states = SCENE.run(**params).chapters[-1].states
    return drawn_beats(SCENE, states, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("warps", [1, 8, 16])
def test_slots_come_to_light_and_then_the_measured_share_grows_under_them(width, warps):
    beats = film(width, warps=warps)
    *covered, done = beats
    places = [marks["machine-future"].shape["x"] for marks in covered]
    assert len(places) == SWEEPS + 2 - 1 and places == sorted(set(places))
    assert all(marks["machine-now"].shape["x1"] == place for marks, place in zip(covered, places, strict=True))
    assert "machine-future" not in done and "machine-now" not in done
    assert all("round-words" not in marks and "machine-told" not in marks for marks in covered)
    assert "round-words" in done and "machine-told" in done
    if used().get(warps):
        assert all(marks["machine-used"].shape["width"] == 0 for marks in covered)
        assert done["machine-used"].shape["width"] > 0


def test_share_counts_what_lies_behind_the_playhead():
    shares = [marks["answer"].text for marks in film(warps=8)]
    assert shares[0] == "–" and shares[-1] == "100%"
