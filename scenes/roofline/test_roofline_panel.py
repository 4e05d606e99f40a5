"""What stands beside the roof while the dot goes along it: what limits where it is, and the two times."""

import itertools

import pytest

from loom.scene import WIDTHS
from scenes.roofline.scene import SCENE
from tests.beats import drawn_beats


def pictures(width, chapter, **params):
    states = SCENE.run(**params).chapters[chapter].states
    return drawn_beats(SCENE, states, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpu", ["A100", "H100", "B200"])
def test_along_the_roof_the_time_to_compute_grows_until_it_is_the_longer_one(gpu, width):
    drawn = pictures(width, 0, gpu=gpu)
    times = [[one[f"time-{side}"].shape["width"] for side in ("memory", "arithmetic")] for one in drawn]
    shares = [arithmetic / memory for memory, arithmetic in times]
    assert shares == sorted(shares) and shares[0] < 0.05 and shares[-1] > 20
    said = [one["limit"].text for one in drawn]
    before = said.index("arithmetic")
    assert (
        0 < before < len(said) - 1 and set(said[:before]) <= {"memory", "both"} and {*said[before:]} == {"arithmetic"}
    )
    for (memory, arithmetic), words in zip(times, said, strict=True):
        assert words == "both" or (memory > arithmetic) == (words == "memory")


def test_on_its_way_back_it_says_what_limits_where_it_sets_off():
    assert [one["limit"].text for one in pictures("wide", 1)] == ["arithmetic", "both", "memory", "memory"]
    assert [one["limit-rate"].text.split()[0] for one in pictures("wide", 1)] == ["sets", "set", "sets", "sets"]
    assert [one["limit"].text for one in pictures("wide", 1, kernel="prefill")] == ["arithmetic", "arithmetic"]


def test_on_its_way_down_the_slope_the_dot_is_never_far_from_what_is_said_of_it():
    for params in ({}, {"kernel": "copy"}, {"gpu": "B200", "precision": "FP4", "intensity": 0.125}):
        places = [one["probe"].shape["cx"] for one in pictures("wide", 1, **params)[:-1]]
        legs = [left - right for left, right in itertools.pairwise(places)]
        assert len(legs) == 2 and max(legs) < 190 and max(legs) - min(legs) < 0.01 * sum(legs)
