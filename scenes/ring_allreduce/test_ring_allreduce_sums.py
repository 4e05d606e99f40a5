"""Check how the first chapter plays: array after array is added to the row that all have to become."""

import pytest

from loom.scene import WIDTHS
from scenes.ring_allreduce.model import toy
from scenes.ring_allreduce.scene import SCENE
from tests.beats import drawn_beats


def film(step, width, **params):
    """The marks of each beat of a step, by key."""
    states = SCENE.run(**params).chapters[step].states
    return drawn_beats(SCENE, states, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpus", [2, 4, 8])
def test_sums_grow_by_the_array_that_was_framed(gpus, width):
    (stands, *beats), numbers = film(0, width, gpus=gpus), toy(gpus)
    assert not [key for key in stands if key.startswith(("sum-", "added"))]
    assert len(beats) == gpus + 1
    for done, marks in enumerate(beats):
        told = [int(mark.text) for key, mark in marks.items() if key.startswith("sum-")]
        assert told == (numbers[:done].sum(axis=0).tolist() if done else [])
        assert ("added" in marks) == (done < gpus)
        if done < gpus:
            frame, first = marks["added"].shape, marks[f"fill-{done}-0"].shape
            assert frame["y"] <= first["y"] and first["y"] + first["height"] <= frame["y"] + frame["height"]


def test_sums_stay_whole_afterwards_and_crowded_chunks_have_none():
    before = film(0, "wide")[-1]
    assert all(marks["sum-0"] == before["sum-0"] for marks in film(1, "wide"))
    (only,) = film(0, "wide", gpus=16)
    assert not [key for key in only if key.startswith(("sum", "added"))]
