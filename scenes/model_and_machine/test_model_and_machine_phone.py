"""Check what a kind of effects comes to on a phone: no band's edge and no name is in the way of its words."""

import pytest

from loom.scene import WIDTHS
from scenes.model_and_machine.effects import EFFECTS
from scenes.model_and_machine.model import WITHIN, parts
from scenes.model_and_machine.scene import SCENE
from tests.boxes import box


def told(drawn):
    """The words of the kinds."""
    return {key: box(mark) for key, mark in drawn.items() if key.startswith(("kind-", "agree-"))}


@pytest.mark.parametrize("part", parts())
@pytest.mark.parametrize("within", WITHIN)
def test_neither_edge_of_the_band_goes_through_the_words(within, part):
    for chapter in SCENE.run(gpu=part, within=within).chapters:
        for state in chapter.states:
            drawn = {mark.key: mark for mark in SCENE.draw(state, WIDTHS["narrow"])}
            low = drawn["agreement"].shape["x"]
            assert all(right < low for _, _, right, _ in told(drawn).values())


@pytest.mark.parametrize("part", parts())
def test_words_stand_clear_of_names_and_beads(part):
    drawn = {mark.key: mark for mark in SCENE.draw(SCENE.run(gpu=part).steps[0], WIDTHS["narrow"])}
    others = [box(mark) for key, mark in drawn.items() if key.startswith(("name-", "dot-", "gap-"))]
    for left, top, right, bottom in told(drawn).values():
        assert not [
            one for one in others if left < one[2] and one[0] < right and top + 2 < one[3] and one[1] < bottom - 2
        ]


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda one: one.id)
def test_the_frame_of_the_effect_that_is_looked_at_goes_through_no_words(effect):
    drawn = {mark.key: mark for mark in SCENE.draw(SCENE.run(effect=effect.id).steps[-1], WIDTHS["narrow"])}
    frame = drawn["chosen"].shape
    edges = frame["y"], frame["y"] + frame["height"]
    for _, top, _, bottom in told(drawn).values():
        assert not [edge for edge in edges if top + 2 < edge < bottom - 2]
