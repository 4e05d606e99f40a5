"""Check how a read ends: that it is done, what had to wait, and that a better layout is drawn and not only named."""

import pytest

from loom.draw import Pen
from loom.scene import WIDTHS
from scenes.bank_conflicts.cure import cures
from scenes.bank_conflicts.scene import SCENE
from tests.boxes import box

BOTH = pytest.mark.parametrize("width", WIDTHS)
READS = [
    {},
    {"layout": "swizzled"},
    {"layout": "padded", "access": "stride", "stride": 12},
    {"access": "broadcast"},
    {"width": 128},
]


def read_of(params, name):
    """The read that a chapter ends with: that of a better layout, where one is tried."""
    result = SCENE.run(**params).result
    if name == "others" and cures(result):
        return result.rivals[cures(result)[-1]]
    return result.request


def pictures(params, width):
    """The last picture of each chapter, by the chapter's name."""
    run = SCENE.run(**params)
    return {one.name: {mark.key: mark for mark in SCENE.draw(one.states[-1], WIDTHS[width])} for one in run.chapters}


@BOTH
@pytest.mark.parametrize("params", READS, ids=str)
def test_a_read_that_is_done_says_so_and_after_how_many_passes(params, width):
    for name, marks in pictures(params, width).items():
        read = read_of(params, name)
        made = "1 pass" if read.passes == 1 else f"{read.passes} passes"
        assert ("done" in marks) == (name != "ask")
        if name != "ask":
            assert marks["done"].text == f"all 32 lanes have their words, after {made}"


@BOTH
@pytest.mark.parametrize("params", READS, ids=str)
def test_words_leave_their_pattern_and_those_that_waited_in_the_colour_of_loss(params, width):
    for name, marks in pictures(params, width).items():
        if name == "ask":
            assert "waited" not in marks and "at-once" not in marks
            continue
        read = read_of(params, name)
        late = {place for place, served in zip(read.places, read.served_in, strict=True)
                if served > 1 and read.degree > 1}  # fmt: skip
        for key, role, found in (("waited", "dropped", late), ("at-once", "work", {*read.places} - late)):
            if found:
                assert marks[key].role == f"{role} soft solid" and marks[key].shape["d"].count("M") == len(found)
            else:
                assert key not in marks


def test_the_cures_are_drawn():
    states = SCENE.run().chapters[-1].states
    assert len(states) == 6
    for layout, start in (("swizzled", 0), ("padded", 3)):
        pictures = [
            {mark.key: mark for mark in SCENE.draw(state, WIDTHS["wide"])} for state in states[start : start + 3]
        ]
        words = [[marks[f"words-{lane}"].shape for lane in range(32)] for marks in pictures]
        banks = [len({shape["x"] for shape in found}) for found in words]
        assert banks == [1, 32, 32]  # in one bank, in all of them, and at their lanes
        assert [shape["y"] for shape in words[0]][:24] == [shape["y"] for shape in words[1]][:24]  # each in its row
        assert [marks["answer"].text for marks in pictures] == ["32", "32", "1"]
        made = {name: pictures[-1][f"{name}-made"].shape["width"] for name in ("plain", "padded", "swizzled")}
        assert [name for name, width in made.items() if width] == [layout]


@BOTH
@pytest.mark.parametrize("params", [{"access": "stride", "stride": 2}, {"column": 0}, {"column": 30}], ids=str)
def test_the_glow_of_the_hand_leaves_the_names_of_the_banks_clear(params, width):
    for marks in pictures(params, width).values():
        knob = marks[next(iter({"column", "stride"} & marks.keys()))].shape
        reach = Pen(WIDTHS[width]).knob_radius
        for end in ("first", "all", "last"):
            assert box(marks[f"bank-{end}"])[1] >= knob["cy"] + reach
