"""Check the motion: what is counted, grows or is told follows the mark that causes it."""

import itertools
import re

import numpy as np
import pytest

from loom.draw import Pen
from scenes.scaling_ladder.model import Scheme
from scenes.scaling_ladder.scene import SCENE
from scenes.scaling_ladder.stored import COUNT
from scenes.scaling_ladder.strip import Stage

WIDTHS = (328, 840)
NUMBERS, SCALED, ROUNDED, LADDER = range(1, 5)


def state(step):
    return SCENE.run().steps[step]


def drawn(shown, width=840):
    return {mark.key: mark for mark in SCENE.draw(shown, width)}


def strokes(mark):
    return mark.shape["d"].count("M")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("data", ["outlier", "bell"])
def test_outlier_channels_are_counted_when_the_look_has_passed_them(data, width):
    chapter, box = SCENE.run(data=data).chapters[NUMBERS], drawn(state(NUMBERS), width)["map"].shape
    loud = np.flatnonzero(~chapter.states[0].result.tensor.normal)
    there = box["x"]  # where the look was in the picture before
    for shown in chapter.states:
        marks = drawn(shown, width)
        told = int(marks["loud" if width == 328 else "share"].text)
        if "look" in marks:
            assert told == np.count_nonzero(box["x"] + loud * box["width"] / 4096 < there)
            there = marks["look"].shape["x1"]
            assert marks["map-cover"].shape["x"] == there
    assert (told, "map-cover" in marks) == (len(loud), False)
    assert there == box["x"] + box["width"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scale", SCENE.param("scale").values)
def test_group_grows_before_its_window_comes_and_before_it_is_counted(scale, width):
    pictures = [drawn(shown, width) for shown in SCENE.run(scale=scale).chapters[SCALED].states]
    counts = [int(marks["share"].text.replace(",", "")) if "share" in marks else 1 for marks in pictures]
    grown = [marks["grows"].shape["width"] for marks in pictures]
    windows = [[mark for key, mark in marks.items() if re.fullmatch(r"w\d+|windows", key)] for marks in pictures]
    for at in range(1, len(pictures)):
        if at % 2:  # the group grows, and what stood for the one before stays
            assert grown[at] > grown[at - 1] or scale == "channel"
            assert (counts[at], windows[at]) == (counts[at - 1], windows[at - 1])
        else:
            assert grown[at] == grown[at - 1]
            assert counts[at] > counts[at - 1] and windows[at] != windows[at - 1]
    assert counts[-1] == Scheme(scale, "INT8").sharing()
    assert not windows[0]


@pytest.mark.parametrize("width", WIDTHS)
def test_what_becomes_zero_is_counted_behind_what_rounds(width):
    stage, found = Stage(Pen(width)), state(ROUNDED).result
    ended = stage.x(stage.first)
    for shown in SCENE.run().chapters[ROUNDED].states[:9]:
        marks = drawn(shown, width)
        rounded = round((ended - stage.strip.x) / stage.pitch)
        assert int(marks["lost-here"].text) == np.count_nonzero(found.left[stage.first :][:rounded] == 0)
        raw = sum(strokes(mark) for key, mark in marks.items() if key.startswith("bars-"))
        assert raw <= COUNT - stage.first - rounded
        ended = marks["rounds"].shape["x1"]
    assert ended == stage.strip.right


def test_decibels_are_told_when_the_height_that_they_measure_has_grown():
    before, grows, told = (drawn(shown) for shown in SCENE.run().chapters[LADDER].states)
    assert before["gap"].shape["height"] == 0 < grows["gap"].shape["height"] == told["gap"].shape["height"]
    assert ["cost-ladder" in marks for marks in (before, grows, told)] == [False, False, True]


def test_bars_of_the_ladder_come_one_after_another_and_are_as_long_as_their_decibels():
    chapter = SCENE.run(scale="channel").chapters[ROUNDED]
    pictures = [drawn(one) for one in chapter.states]
    long = [{key for key in shown if key.startswith("bar-") and shown[key].shape["width"]} for shown in pictures]
    assert [len(bars) for bars in long[8:]] == [0, 1, 2, 3, 4, 5, 6, 6]  # when all numbers are rounded
    assert all(a <= b for a, b in itertools.pairwise(long))
    for before, shown in itertools.pairwise(pictures):  # what is told has landed
        told = {key[3:] for key in shown if key.startswith("db-")}
        assert all(before[f"bar-{name}"] == shown[f"bar-{name}"] for name in told)
    marks, found = drawn(chapter.states[-1]), chapter.states[0].result
    for rung in found.rungs("INT8"):
        name = rung.scheme.scale
        share = marks[f"bar-{name}"].shape["width"] / marks[f"track-{name}"].shape["width"]
        assert share == pytest.approx(rung.level / 48, abs=0.51 / marks[f"track-{name}"].shape["width"])
        assert marks[f"track-{name}"].set == {"scale": name}
        assert marks[f"db-{name}"].text == f"{rung.level:.1f} dB"
