"""Check how the runs of stochastic rounding are told: update by update, and their mean when all have come."""

import pytest

from loom.scene import WIDTHS
from scenes.rounding.model import MODES
from scenes.rounding.scene import SCENE
from tests.beats import drawn_beats


def film(width, **params):
    """The marks of each beat of the last two chapters, by key."""
    return [drawn_beats(SCENE, chapter.states, width) for chapter in SCENE.run(**params).chapters[-2:]]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("mode", MODES)
def test_runs_go_on_together_under_a_cover_and_are_named_when_they_have_come(mode, width):
    many, (*beats, last) = film(width, mode=mode)
    covers = [beat["runs-future"].shape for beat in beats]
    x, right = last["x"].shape["x1"], last["x"].shape["x2"]
    assert covers[0]["x"] == x and covers[-1]["x"] == right and len(beats) > 3
    assert [cover["x"] for cover in covers] == sorted({cover["x"] for cover in covers})
    assert all(beat["runs-now"].shape["x1"] == beat["runs-future"].shape["x"] for beat in beats)
    assert "runs-future" not in last and "runs-now" not in last
    assert all("e-truncation" in last and beat["e-exact"] == many[-1]["e-exact"] for beat in beats)
    assert all(("e-stochastic" in beat) == (mode == "stochastic") for beat in beats) and "e-stochastic" in last
    assert all(beat["final"] == many[-1]["final"] for beat in beats)  # one run's, until the mean has come


@pytest.mark.parametrize("mode", ["nearest", "truncation"])
def test_way_that_was_looked_at_stays_and_lies_over_the_cover(mode):
    many, beats = film("wide", mode=mode)
    for beat in beats[:-1]:
        keys = [*beat]
        assert keys.index("band") < keys.index("m-stochastic") < keys.index("runs-future") < keys.index("path")
        assert beat["path"].shape["d"] == many[-1]["path"].shape["d"] and f"m-{mode}" not in beat


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", [{}, {"format": "E4M3", "update": 0.05}, {"task": "sum"}], ids=str)
def test_arrow_grows_before_the_value_goes_to_the_sum(params, width):
    grid, added = (drawn_beats(SCENE, chapter.states, width) for chapter in SCENE.run(**params).chapters[:2])
    lengths = [marks["update"].shape["x2"] - marks["update"].shape["x1"] for marks in added]
    assert lengths[0] == 0 < lengths[1] == lengths[2]
    assert ["update-label" in marks for marks in added] == ["exact" in marks for marks in added] == [False, False, True]
    for key in ("now", *(["held"] if "held" in grid[-1] else [])):
        assert [marks[key] == grid[-1][key] for marks in added] == [True, True, False]
