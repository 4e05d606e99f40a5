"""Check what is seen before it is gone: a piece that is given back, a block that is copied, a prompt that would fit."""

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.paged_attention.model import NAMES
from scenes.paged_attention.scene import SCENE
from tests.beats import drawn_beats

ENDS, WRITES = (4, 7), 9  # the steps at which A and C end, and at which E and F are to go separate ways
LAYOUTS = [{}, {"layout": "paged"}, {"layout": "paged", "sharing": False, "block": 4}]


def film(step, width="wide", **params):
    """The marks of each beat of a step, by key."""
    states = SCENE.run(**params).chapters[step - 1].states
    return drawn_beats(SCENE, states, width), states


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", LAYOUTS, ids=str)
@pytest.mark.parametrize(("step", "name"), [(ENDS[0], "A"), (ENDS[1], "C")])
def test_who_ends_is_framed_with_all_that_is_given_back_and_then_gone(step, name, params, width):
    (first, *others), (before, *after) = film(step, width, **params)
    assert first[f"{name}-line"].text == f"ends after {NAMES[name].final} tokens" and f"{name}-token-0" in first
    assert before.changed[1] == sorted(set(before.changed[1])) and len(before.changed[1]) == (
        after[0].now.free - before.now.free
    )
    assert "back" in first
    for marks in others:
        assert "back" not in marks and f"{name}-token-0" not in marks and marks[f"{name}-line"].text == "has ended"


@pytest.mark.parametrize("width", WIDTHS)
def test_prompt_that_would_fit_is_held_against_the_hole_before_all_that_is_asked_for(width):
    beats, states = film(WRITES, width)
    assert [("fits" in marks, "tried" in marks) for marks in beats] == [(False, True), (True, False), (False, True)]
    assert any(mark.text == f"E’s prompt of {NAMES['E'].prompt} would fit" for mark in beats[1].values())
    assert all(state.now == states[-1].now for state in states)
    (left, top, *_), (right_of, *_) = bounds(beats[1]["fits"]), bounds(beats[0]["tried"])
    assert left == pytest.approx(right_of, abs=0.5) and top == pytest.approx(bounds(beats[0]["tried"])[1], abs=0.5)
    assert bounds(beats[1]["fits"])[3] < bounds(beats[0]["tried"])[3]


@pytest.mark.parametrize("block", [2, 16, 32])
def test_block_is_copied_before_it_is_written_to(block):
    copied, end = (state.now for state in film(WRITES, layout="paged", block=block)[1])
    (copy,) = copied.copies
    before = SCENE.run(layout="paged", block=block).steps[WRITES - 2].now
    assert copied.live == before.live + copy.tokens  # which lie in both blocks now
    assert copied.tables[copy.name][-1] == copy.target and copied.refs[copy.source] == 1
    assert [len(slots) for slots in copied.slots.values()] == [len(slots) for slots in before.slots.values()]
    assert {name: len(slots) - 1 for name, slots in end.slots.items()} == {
        name: len(slots) for name, slots in copied.slots.items()
    }
