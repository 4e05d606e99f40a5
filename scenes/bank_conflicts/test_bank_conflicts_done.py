"""Check what is left of a read when all its passes are made: that it is done, and what had to wait."""

import pytest

from loom.scene import WIDTHS
from scenes.bank_conflicts.scene import SCENE
from tests.boxes import touching

BOTH = pytest.mark.parametrize("width", WIDTHS)
READS = [
    {},
    {"layout": "swizzled"},
    {"layout": "padded", "access": "stride", "stride": 12},
    {"access": "broadcast"},
    {"width": 128},
]


def pictures(params, width):
    """The last picture of each chapter, by the chapter's name."""
    run = SCENE.run(**params)
    return {one.name: {mark.key: mark for mark in SCENE.draw(one.states[-1], WIDTHS[width])} for one in run.chapters}


@BOTH
@pytest.mark.parametrize("params", READS, ids=str)
def test_a_read_that_is_done_says_so_and_after_how_many_passes(params, width):
    read = SCENE.run(**params).result.request
    made = "1 pass" if read.passes == 1 else f"{read.passes} passes"
    for name, marks in pictures(params, width).items():
        assert ("done" in marks) == (name != "ask")
        if name != "ask":
            assert marks["done"].text == f"all 32 lanes have their words, after {made}"
            assert not touching(marks.values())


@BOTH
@pytest.mark.parametrize("params", READS, ids=str)
def test_where_words_had_to_wait_stays_marked_in_the_colour_of_loss(params, width):
    read = SCENE.run(**params).result.request
    late = {place for place, served in zip(read.places, read.served_in, strict=True) if served > 1}
    for name, marks in pictures(params, width).items():
        if name == "ask" or read.degree == 1:
            assert "waited" not in marks
            continue
        assert marks["waited"].role == "dropped thin" and marks["waited"].shape["d"].count("M") == len(late)
