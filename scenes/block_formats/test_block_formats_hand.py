"""Check what is taken hold of and pressed: it lies on no words, and the other scale is one press away."""

import re

import pytest

from loom.scene import WIDTHS
from scenes.block_formats.case import PEAKS
from scenes.block_formats.ladder import SEEN
from scenes.block_formats.narration import percent
from scenes.block_formats.scene import SCENE
from tests.beats import drawn_beats
from tests.boxes import beneath, touching


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("peak", PEAKS)
@pytest.mark.parametrize("form", ["MXFP4", "NVFP4"])
def test_words_stand_clear_of_the_knob_of_the_largest_number(form, peak, width):
    chapters = SCENE.run(format=form, peak=peak).chapters
    for state in (chapter.states[beat] for chapter in chapters for beat in (0, -1)):
        drawn = {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}
        assert not [key for key in beneath(drawn, "peak") if key.startswith(("flag", "rung-head"))]
        assert not [pair for pair in touching(drawn.values()) if "flag" in str(pair)]


def rounded(width="wide", **params):
    state = SCENE.run(**params).steps[2]
    return state.result, {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def columns(mark):
    """Of boxes drawn as one path: the middle, the top and the foot of each."""
    boxes = [[float(x) for x in re.findall(r"[\d.]+", one)] for one in mark.shape["d"].split("M")[1:]]
    return [((min(one[::2]) + max(one[::2])) / 2, min(one[1::2]), max(one[1::2])) for one in boxes]


@pytest.mark.parametrize("width", WIDTHS)
def test_the_other_scale_is_drawn_column_under_column_and_as_high(width):
    for params in SCENE.grid():
        case, drawn = rounded(width, **params)
        unit = drawn[f"n{case.top}"].shape["height"] / abs(case.decoded[case.top])
        for at, (x, top, foot) in enumerate(columns(drawn["there"])):
            above = drawn[f"n{at}"].shape
            assert x == pytest.approx(above["x"] + above["width"] / 2, abs=0.5)  # paths are rounded to halves
            assert foot - top == pytest.approx(unit * abs(case.other.decoded[at]), abs=0.8)
            assert above["y"] + above["height"] < top
        cut = [at for at in case.other.clipped if abs(case.numbers[at] - case.other.decoded[at]) * unit >= 3]
        assert ("there-over" in drawn) == bool(cut)


@pytest.mark.parametrize("width", WIDTHS)
def test_beside_or_under_both_it_is_said_what_the_largest_and_the_others_lose(width):
    for params in SCENE.grid():
        case, drawn = rounded(width, **params)
        for key, one in (("here", case), ("there", case.other)):
            said = " ".join(mark.text for name, mark in drawn.items() if re.fullmatch(rf"{key}(\d|-loss)", name))
            for words in (f"the largest {percent(one.worst)}", f"31 others {percent(one.rest)}"):
                assert words in said
            assert percent(one.error) in said + drawn["answer"].text


def test_the_other_scale_is_rounded_the_other_way_or_where_all_ways_agree_another_formats():
    for params, other in (
        ({"rule": "floor", "peak": 7.5}, ("MXFP4", "ceil", 2)),
        ({"rule": "ceil", "peak": 7.5}, ("MXFP4", "floor", 1)),
        ({"rule": "even", "peak": 6.75}, ("MXFP4", "ceil", 2)),
        ({"rule": "even", "peak": 7.5}, ("MXFP4", "floor", 1)),
        ({"rule": "ceil", "peak": 5.0}, ("NVFP4", "floor", None)),
        ({"format": "NVFP4", "peak": 7.5}, ("MXFP4", "ceil", 2)),
    ):
        case, drawn = rounded(**params)
        form, rule, scale = other
        assert drawn["other"].set == {"format": form} | ({"rule": rule} if form == "MXFP4" else {})
        assert drawn["there-name"].text == (
            ("MXFP4, " if "format" in params else "") + (f"scale {scale} instead" if scale else "NVFP4 instead")
        )
        assert drawn["other"].label == f"show {case.other.name}"


@pytest.mark.parametrize("width", WIDTHS)
def test_a_tick_is_left_where_a_number_was_if_the_eye_can_see_that_it_moved(width):
    case, drawn = rounded(width)
    tall = drawn[f"n{case.top}"].shape["height"] / float(case.decoded[case.top])
    moved = [at for at in range(32) if abs(abs(case.numbers[at]) - abs(case.decoded[at])) * tall > SEEN]
    assert 0 < len(moved) < 32 and drawn["was"].shape["d"].count("M") == len(moved)


def test_signs_are_drawn_where_it_is_about_codes_alone():
    drawn = drawn_beats(SCENE, SCENE.run().steps)
    assert [at for at, marks in enumerate(drawn) if "minus" in marks] == [3]
    negative = sum(value < 0 for value in SCENE.run().result.numbers)
    assert drawn[3]["minus"].shape["d"].count("M") == negative


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("form", ["MXFP4", "NVFP4"])
def test_what_is_rounded_already_stays_while_more_is_rounded(form, width):
    chapter = SCENE.run(format=form, peak=7.5).chapters[2]
    pictures = drawn_beats(SCENE, chapter.states, width)
    for key, mark in pictures[-1].items():
        if mark.tag == "path":  # one that is built otherwise would leave, and another would come
            built = {re.sub(r"[^A-Z]", "", one[key].shape["d"]) for one in pictures if key in one}
            assert len(built) == 1, key
    assert len({(one["was"].shape["d"], one["there"].shape["d"]) for one in pictures}) == 1
