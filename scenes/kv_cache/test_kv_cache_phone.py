"""Check the picture on a phone: layers as columns between the product and the bars, and all of it in one screen."""

import itertools

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._serving.shapes import SHAPES
from scenes.kv_cache.scene import SCENE
from tests.beats import drawn_beats

PHASES = ("layer", "token", "length", "format")
LONGEST = 346  # units
LENGTHS = (1024, 131072, 1048576)


def pictures(step, **params):
    """The marks of each beat of a step, by key."""
    states = SCENE.run(**params).chapters[step].states
    return drawn_beats(SCENE, states, "narrow")


def test_columns_fill_from_layer_to_layer_and_then_with_tokens():
    one, every, grown, _ = (pictures(step)[-1]["layers-0"].shape for step in range(len(PHASES)))
    wide = 328 / SHAPES["Llama 3 8B"].layers
    assert one["width"] == pytest.approx(wide - 1) and every["width"] == pytest.approx(328 - 1)
    assert one["height"] == every["height"] < grown["height"]
    heights = [marks["layers-0"].shape["height"] for marks in pictures(2)]
    assert heights == sorted(set(heights))


@pytest.mark.parametrize("model", SHAPES)
def test_kinds_of_layers_stand_side_by_side_and_words_do_not_touch(model):
    for tokens in LENGTHS:
        for step in range(len(PHASES)):
            marks = pictures(step, model=model, tokens=tokens)[-1]
            assert max(bounds(mark)[3] for mark in marks.values()) <= LONGEST
            columns = [mark for key, mark in marks.items() if key.startswith(("layers-", "windowed-", "state-"))
                       and mark.tag == "rect"]  # fmt: skip
            assert len(columns) <= len({*SHAPES[model].kinds})
            if "rim-words" in marks:
                assert bounds(marks["layers-title"])[2] + 6 <= bounds(marks["rim-words"])[0]
            factors = [bounds(mark) for key, mark in marks.items() if key.startswith("factor-")]
            assert all(right <= WIDTHS["narrow"] + 0.5 for _, _, right, _ in factors)
            assert max(foot for *_, foot in factors) < bounds(marks["layers-title"])[1] + 4


def test_product_of_a_plain_model_stands_in_one_line():
    factors = [mark for key, mark in pictures(2)[-1].items() if key.startswith("factor-")]
    assert len(factors) == 3 and len({mark.shape["y"] for mark in factors}) == 1
    assert all(bounds(one)[2] < bounds(after)[0] for one, after in itertools.pairwise(factors))
