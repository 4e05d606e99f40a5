"""Check how lanes ask: their threads run to the banks some at a time, and what needs a pass of its own piles up."""

import re

import pytest

from loom.scene import WIDTHS
from scenes.bank_conflicts.scene import SCENE

READS = [{}, {"access": "row"}, {"access": "stride", "stride": 2}, {"access": "broadcast"}, {"width": 128}]
EVERY = pytest.mark.parametrize("params", READS, ids=str)


def pictures(params, width="wide"):
    """The read, and the pictures in which it is asked for."""
    run = SCENE.run(**params)
    return run.result.request, [
        {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])} for state in run.chapters[0].states
    ]


@pytest.mark.parametrize("width", WIDTHS)
@EVERY
def test_threads_hang_until_their_lanes_ask_eight_at_a_time_and_then_reach_the_banks(params, width):
    found = pictures(params, width)[1]
    for turn, marks in enumerate(found):
        for lane in range(32):
            d = [float(number) for number in re.findall(r"[\d.]+", marks[f"thread-{lane}"].shape["d"])]
            word = marks[f"words-{lane}"].shape
            if lane < 8 * turn:
                assert d[-2] == pytest.approx(word["x"] + word["width"] / 2, abs=0.3)
                assert d[-1] >= marks["tile"].shape["y"] - 4.5
            else:
                assert d[-4:-2] == d[-2:] and d[-2] == d[0]  # straight down
    assert len(found) == 6


@EVERY
def test_bar_grows_with_the_passes_that_are_asked_for_and_the_number_follows_when_threads_are_there(params):
    read, found = pictures(params)
    for turn, marks in enumerate(found):
        needed, told = (max(read.served_in[: 8 * max(times, 0)], default=0) for times in (turn, turn - 1))
        assert marks["answer"].text == str(told)
        assert marks["plain-words"].text.split()[0] == str(told)
        assert 32 * marks["plain-all"].shape["width"] == pytest.approx(
            needed * (marks["plain-row"].shape["width"] - 12)
        )
    assert found[-1]["answer"].text == str(read.passes)


def test_words_of_a_column_pile_up_in_their_bank_as_they_are_asked_for():
    _, found = pictures({})
    assert [marks["answer"].text for marks in found] == ["0", "0", "8", "16", "24", "32"]
    assert [marks["bytes-0"].text for marks in found[1:4]] == ["for 0 bytes;", "for 32 bytes;", "for 64 bytes;"]
    waiting = [sum("dropped" in marks[f"words-{lane}"].role for lane in range(32)) for marks in found]
    assert waiting == [0, 7, 15, 23, 31, 31]
