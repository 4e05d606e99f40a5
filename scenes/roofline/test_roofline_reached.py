"""Check how what was measured comes: ring after ring leaves the roof and says its name where it has come."""

from itertools import pairwise

import pytest

from loom.scene import WIDTHS
from scenes.roofline.scene import SCENE
from tests.beats import drawn_beats

BOTH = pytest.mark.parametrize("width", WIDTHS)
EVERY = pytest.mark.parametrize("precision", ["BF16", "FP8", "FP4"])


def machine(precision, width="wide"):
    """The times of the chapter's pictures, and the marks of each, by key."""
    told = next(one for one in SCENE.run(precision=precision).chapters if one.name == "machine")
    return told.times, drawn_beats(SCENE, told.states, width)


def rings(drawn):
    return {key: mark for key, mark in drawn.items() if key.startswith("measured-") and mark.tag == "circle"}


def roof(drawn, x):
    """The height of the roof over a place."""
    (left, low), (ridge, high) = (tuple(map(float, end.split())) for end in drawn["slope"].shape["d"][1:].split("L"))
    return min(low, max(high, low + (high - low) * (x - left) / (ridge - left)))


@BOTH
@EVERY
def test_each_ring_stands_on_the_roof_for_a_beat_and_then_goes_to_what_was_reached(precision, width):
    times, frames = machine(precision, width)
    last, known = rings(frames[-1]), {}
    assert 0 < times[1] <= 0.3 and len(frames) == len(last) + 2
    for drawn in frames[:-2]:
        found = rings(drawn)
        [new] = found.keys() - known.keys()
        assert found[new].shape["cy"] == pytest.approx(
            roof(drawn, found[new].shape["cx"]), abs=0.3
        )  # lines stand on halves
        assert found[new].role == "axis modelled" and not found[new].read, "nothing has been measured yet"
        assert all(found[key] == last[key] for key in known)
        known = found
    assert rings(frames[-2]) == last and all(mark.read and "measured" in mark.role for mark in last.values())


@EVERY
def test_a_name_comes_when_its_ring_has_come_and_stays(precision):
    _, frames = machine(precision)
    names = [[key for key in drawn if key.startswith("measured-") and key.endswith("-name")] for drawn in frames]
    assert [len(one) for one in names] == [0, *range(len(frames) - 1)]
    for before, drawn, found in zip(frames, frames[1:], names[1:], strict=False):
        assert {key.removesuffix("-name") for key in found} <= rings(before).keys()
        assert all(drawn[key] == frames[-1][key] for key in found)


def test_rings_come_in_the_order_of_the_sentence():
    _, frames = machine("BF16")
    told = [next(mark.text for key, mark in drawn.items() if key.endswith("-name") and key.startswith("measured-")
                 and key not in before) for before, drawn in pairwise(frames[1:])]  # fmt: skip
    assert told == ["8,192²", "4,097²", "1 GiB", "1 MiB", "14 MiB"]
    said = SCENE.say(SCENE.run(precision="BF16").steps[-1]).replace("\u00a0", " ")
    assert said.index("8,192 × 8,192") < said.index("1 GiB") < said.index("1 MiB") < said.index("14 MiB")
