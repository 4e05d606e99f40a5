"""Check what the reader takes hold of: bars that are pressed, handles within the picture, and words that stay clear."""

import re

import numpy as np
import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.paged_attention.model import BLOCKS
from scenes.paged_attention.scene import SCENE
from tests.boxes import beneath, box

GRID = list(SCENE.grid())
PAGED = [params for params in GRID if params["layout"] == "paged"]


def states_of(**params):
    return SCENE.run(**params).steps


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def test_bar_can_be_pressed_to_see_its_memory():
    drawn = marks(states_of()[0])
    assert [drawn[f"{layout}-track"].set for layout in ("contiguous", "paged")] == [
        {"layout": "contiguous"}, {"layout": "paged"},
    ]  # fmt: skip


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", PAGED, ids=str)
def test_end_of_the_first_block_is_a_handle_for_the_size_of_all(params, width):
    drawn = marks(states_of(**params)[0], width)
    knob, first = drawn["block-end"], drawn["row-0"].shape
    slot = first["width"] / 32
    assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[BLOCKS.index(params["block"])]
    for block, (x, _) in zip(BLOCKS, knob.handle.rail, strict=True):
        assert x == pytest.approx(min(first["x"] + min(block, 32) * slot, WIDTHS[width] - 15))
    assert first["y"] < knob.handle.rail[-1][1] < drawn["row-1"].shape["y"]  # a block of two rows ends with the second
    assert drawn["memory-head"].text == f"a block: {SCENE.param('block').label_of(params['block'])}"


@pytest.mark.parametrize("width", WIDTHS)
def test_memory_is_chosen_by_a_handle_before_its_name_and_has_no_blocks_to_size_in_one_piece(width):
    for at, layout in enumerate(("contiguous", "paged")):
        drawn = marks(states_of(layout=layout)[0], width)
        knob = drawn["layout"]
        assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[at]
        assert abs(knob.shape["cy"] - drawn[f"{layout}-name"].shape["y"]) < 8
        assert ("block-end" in drawn) == (layout == "paged")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", GRID[::3], ids=str)
def test_handles_lie_within_the_picture_with_all_their_glow(params, width):
    for state in SCENE.run(**params).steps:
        for mark in SCENE.draw(state, WIDTHS[width]):
            reach = mark.shape["r"] + 8 if mark.handle else 0
            left = reach if mark.key == "layout" else 0  # the end of a block of one slot stands where it is
            assert all(left <= x <= WIDTHS[width] - reach for x, _ in (mark.handle.rail if mark.handle else ()))


@pytest.mark.parametrize("params", [params for params in PAGED if params["block"] >= 16], ids=str)
def test_no_arrow_strikes_the_words_of_a_request_through_on_a_phone(params):
    for state in states_of(**params):
        drawn = marks(state, "narrow")
        words = [box(mark) for key, mark in drawn.items() if key.endswith("-line")]
        arrows = "".join(str(mark.shape["d"]) for key, mark in drawn.items() if key.endswith("-arrows"))
        for arrow in re.findall(r"M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)", arrows):
            x1, y1, x2, y2 = map(float, arrow)
            for x, y in np.linspace((x1, y1), (x2, y2), 200):
                assert not any(left < x < right and top < y < bottom for left, top, right, bottom in words)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("layout", ["contiguous", "paged"])
def test_prompts_stay_in_a_column_beside_the_words_while_their_requests_come_and_wait(layout, width):
    places = set()
    for chapter in SCENE.run(layout=layout).chapters:
        for drawn in (marks(state, width) for state in chapter.states):
            for name in "ABCDEF":
                line, prompt = drawn.get(f"{name}-line"), drawn.get(f"{name}-token-0")
                if line and line.text.startswith(("arrives", "waits")):
                    places.add(prompt.shape["x"])
                    assert bounds(line)[2] + 4 < prompt.shape["x"] and prompt.shape["width"] > 10
    assert len(places) == 1


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", PAGED[::2], ids=str)
def test_no_words_lie_under_a_knob(params, width):
    for drawn in (marks(state, width) for state in states_of(**params)):
        assert not beneath(drawn, "layout", rim=7.5) and "memory-head" not in beneath(drawn, "block-end", rim=7.5)
