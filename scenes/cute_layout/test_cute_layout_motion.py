"""Check what plays: the way from word 0 to the offset, term by term, with the sum that it comes to."""

import pytest

from loom.scene import WIDTHS
from scenes.cute_layout.scene import SCENE
from tests.beats import drawn_beats

# What is said under the grid at each beat of the first chapter, where the place is on its way to, and the large number.
WALKS = {
    ("row", "off", "2,3"): (
        ["", "", "offset = 2·8 = 16", "offset = 2·8 + 3·1 = 19"], [0, 16, 19, 19], ["0", "0", "16", "19"],
    ),
    ("row", "<3,0,3>", "2,3"): (
        ["", "", "", "", "010\u00a0011 → 010\u00a0001 = 17"], [0, 16, 19, 17, 17], ["0", "0", "16", "19", "17"],
    ),
    ("tiled", "off", "5,6"): (
        ["", "", "offset = 1·1 = 1", "offset = 1·1 + 2·16 + 0·2 = 33", "offset = 1·1 + 2·16 + 0·2 + 3·4 = 45"],
        [0, 1, 33, 45, 45], ["0", "0", "1", "33", "45"],
    ),
    ("row", "off", "0,0"): (["offset = 0·8 + 0·1 = 0"], [0], ["0"]),
}  # fmt: skip


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("which", WALKS, ids=" ".join)
def test_offset_is_summed_up_term_by_term_on_the_way_to_its_word(which, width):
    told, places, numbers = WALKS[which]
    layout, swizzle, point = which
    chapter = SCENE.run(layout=layout, swizzle=swizzle, point=point).chapters[0]
    drawn = drawn_beats(SCENE, chapter.states, width)
    words = drawn[-1]["words"].shape["d"].split("M")[1:]
    assert [one["sum-1"].text for one in drawn] == told
    assert [one["answer-offset"].text for one in drawn] == [one["place-text"].text for one in drawn] == numbers
    for one, place in zip(drawn, places, strict=True):
        x, y = map(float, words[place].split("L")[0].split())
        assert (one["place"].shape["x"], one["place"].shape["y"]) == pytest.approx((x, y), abs=0.6)
    assert ["thread" in one for one in drawn] == [False] * (len(drawn) - 1) + [True], "it leads to what has been found"
    assert len(drawn) == 1 or chapter.times[1] <= 0.3
    left = [sum(key.startswith("stop-") and not key.endswith("text") for key in one) for one in drawn]
    assert left == [min(beat, len(drawn) - 2) if len(drawn) > 1 else 0 for beat in range(len(drawn))]


@pytest.mark.parametrize("width", WIDTHS)
def test_stop_to_which_a_swizzle_leads_back_has_one_number_in_it(width):
    chapter = SCENE.run(layout="row", swizzle="<3,0,3>", point="1,1").chapters[0]  # 0, 8, 9, and back to 8
    drawn = drawn_beats(SCENE, chapter.states, width)
    assert [one["answer-offset"].text for one in drawn] == ["0", "0", "8", "9", "8"]
    assert ["stop-1" in one for one in drawn] == [False, False, True, False, False]
