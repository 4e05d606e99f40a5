"""Check how the staircase plays: it comes to light as data grow, and then it is seen where the chosen ones are."""

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.machine.model import MACHINES
from scenes.machine.pace import SWEEPS
from scenes.machine.scene import SCENE
from tests.beats import drawn_beats


def film(width, **params):
    """The marks of each beat of the last chapter, by key."""
    states = SCENE.run(**params).chapters[-1].states
    return drawn_beats(SCENE, states, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpu", MACHINES)
def test_data_grow_along_the_ruler_under_a_cover_and_the_load_comes_last(gpu, width):
    *beats, last = film(width, gpu=gpu)
    places = [marks["stairs-now"].shape["x1"] for marks in beats]
    assert len(places) == SWEEPS + 1 and places == sorted(set(places))
    assert [marks["stairs-future"].shape["x"] for marks in beats] == places
    assert all("load" not in marks and "here-line" not in marks for marks in beats)
    assert "stairs-future" not in last and "load" in last and "here-line" in last


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpu", MACHINES)
def test_cover_hides_all_stairs_and_nothing_of_the_answer(gpu, width):
    first = film(width, gpu=gpu)[0]
    left, top, right, bottom = bounds(first["stairs-future"])
    for key, mark in first.items():
        if key.startswith(("answer", "measured-words")):
            assert bounds(mark)[3] <= top + 3
        if key == "stairs" or key.startswith("tread-"):
            box = bounds(mark)
            assert left - 4 <= box[0] and top - 3 <= box[1] and box[2] <= right + 1 and box[3] <= bottom + 3
