"""Check how a number says a place: from GPU 0 along one dimension after the other to the chosen one."""

import re

import pytest

from loom.scene import WIDTHS
from scenes.device_mesh.drawing import rail_of
from scenes.device_mesh.places import RANKS, parameter
from scenes.device_mesh.scene import SCENE
from scenes.device_mesh.stage import NARROW, WIDE
from scenes.device_mesh.traffic import DIMENSIONS
from tests.beats import drawn_beats

STAGES = {"narrow": NARROW, "wide": WIDE}
GRID = tuple(SCENE.grid())[::3]


def pictures(width, **params):
    chapter = SCENE.run(**params).chapters[0]
    return chapter, drawn_beats(SCENE, chapter.states, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", GRID, ids=str)
def test_places_are_counted_one_dimension_after_another_until_the_gpu_is_found(params, width):
    chapter, drawn = pictures(width, **params)
    placed, mesh = chapter.states[0].result, chapter.states[0].result.mesh
    names = [name for name in DIMENSIONS if placed.at(name)]
    totals = [0]
    for name in names:
        totals.append(totals[-1] + placed.at(name) * mesh.strides[name])
    assert totals[-1] == placed.rank and len(drawn) == (len(names) + 2 if names else 1)
    for beat, one in enumerate(drawn):
        done = max(beat - 1, 0) if names else 0
        number, words = re.fullmatch(r"GPU ([\d,]+) = (.*)", one["title"].text).groups()
        assert int(number.replace(",", "")) == eval(words.replace("·", "*")) == totals[done]
        assert ("counts" in one) == (beat < len(drawn) - 1)
        strong = [name for name in DIMENSIONS if f"{name}-name" in one and "strong" in one[f"{name}-name"].role]
        assert strong == (names[beat - 1 : beat] if beat else [])
    assert not names or chapter.times[1] <= 0.3


@pytest.mark.parametrize("width", WIDTHS)
def test_what_counts_sets_out_from_gpu_0_and_comes_to_the_hand(width):
    _, (first, *_, before, last) = pictures(width)
    placed = SCENE.run().result
    rail = rail_of(STAGES[width], placed.mesh.gpus)
    ranks = RANKS[parameter(placed.mesh.gpus)]
    places = [(one["counts"].shape["cx"], one["counts"].shape["cy"]) for one in (first, before)]
    assert places == [pytest.approx(rail[ranks.index(rank)], abs=0.06) for rank in (0, placed.rank)]
    assert "copy-words" in last and "copy-words" not in before, "whose copy it is in is told when it has been found"
