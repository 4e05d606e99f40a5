"""Check how activations go that are computed again: layer by layer, each number when its wall has shrunk."""

import pytest

from loom.scene import WIDTHS
from scenes.training_memory.scene import SCENE
from scenes.training_memory.story import AGAIN, size
from tests.beats import drawn_beats

CASES = [{}, {"model": "8B", "stage": 0}, {"split": "tp8pp16", "stage": 2}]


def film(width="wide", **params):
    """The marks of each beat of the last chapter, by key, and the choice."""
    run = SCENE.run(**params)
    states = run.chapters[-1].states
    assert states[0].phase == AGAIN
    return drawn_beats(SCENE, states, width), run.result


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", CASES, ids=str)
def test_activations_shrink_on_the_chosen_wall_and_are_told_when_they_have(params, width):
    beats, one = film(width, **params)
    parts, spared = len(beats) // 2, one.activations - one.recomputed
    for at, marks in enumerate(beats):
        gone = (at + 1) // 2 / parts  # of each two pictures, the second tells what the first has done
        assert marks["part-activations-size"].text == size(one.activations - gone * spared)
        assert marks["answer"].text == marks[f"total-{one.stage}"].text
        assert marks["answer"].text == size(one.states + one.activations - gone * spared)


@pytest.mark.parametrize("width", WIDTHS)
def test_other_walls_and_the_chart_follow_when_all_layers_have(width):
    beats, one = film(width)
    for key in ("gpus", "curve-3"):
        found = [marks[key] for marks in beats]
        assert len({str(mark) for mark in found[:-2]}) == 1 and found[-1] == found[-2] != found[0]
    for key in (f"total-{zero}" for zero in range(4) if zero != one.stage):
        found = [marks[key].text for marks in beats]
        assert len(set(found[:-1])) == 1 and found[-1] != found[0]
