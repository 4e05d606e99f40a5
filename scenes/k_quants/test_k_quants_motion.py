"""Check what moves: the cut, levels, scales, errors and bytes are counted when they have come, and not before."""

import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.k_quants.case import OWN, case_of
from scenes.k_quants.kinds import KINDS, PARTS
from scenes.k_quants.scene import SCENE
from scenes.k_quants.stage import stage_of
from scenes.k_quants.test_k_quants_drawing import lines
from tests.beats import drawn_beats
from tests.boxes import beneath

SPLIT, IDEAL, DECODED, BYTES = 0, 1, 4, 5


def film(step, width="wide", **params):
    """The marks of each beat of a step, by key."""
    states = SCENE.run(**params).chapters[step].states
    return drawn_beats(SCENE, states, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", KINDS)
def test_a_block_is_counted_when_the_cut_has_come_to_its_end(name, width):
    *cutting, last = film(SPLIT, width, type=name)
    ends = [bounds(last[f"b{at}"])[2] for at in range(KINDS[name].blocks)]
    cut = cutting[0]["uncut"].shape["x"]  # where it is: to where it goes is in the next picture
    for beat in cutting:
        told = re.search(r": (\d+)", beat["head"].text)
        assert sum(end <= cut for end in ends) == (int(told[1]) if told else 0)
        assert beat["uncut"].shape["x"] + beat["uncut"].shape["width"] == pytest.approx(ends[-1])
        cut = beat["uncut"].shape["x"]
    assert cut == ends[-1] and f": {len(ends)} " in last["head"].text
    assert not {"uncut", "cut"} & last.keys()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", KINDS)
def test_levels_set_out_where_they_start_and_go_apart(name, width):
    beats, (sub, *_) = film(IDEAL, width, type=name), case_of(name, "bell", 1).shown
    heights = [[line[0][1] for line in lines(beat["level0"])] for beat in beats if "level0" in beat]
    (start,) = stage_of(WIDTHS[width], case_of(name, "bell", 1)).levels([-sub.ideal[1]])
    assert heights[0] == [pytest.approx(start, abs=0.26)] * len(heights[0]) and len(set(heights[1])) > 2
    assert all(after == heights[1] for after in heights[2:])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", KINDS)
def test_bits_that_scales_take_grow_with_the_blocks_that_have_theirs(name, width):
    kind, spent = KINDS[name], []
    for beat in film(IDEAL, width, type=name, part=3):
        scaled = sum(beat[f"s{at}"].shape["height"] > 0 for at in range(kind.blocks))
        spent.append(scaled * 32 * (2 if kind.min_bits else 1) / 256)
        assert float(beat["naive-bits"].text if "naive-bits" in beat else 0) == spent[-1]
        assert beat["naive"].shape["width"] / beat["whole"].shape["width"] == pytest.approx(spent[-1] / kind.total)
    assert spent[0] == 0 and spent == sorted(spent) and spent[-1] == case_of(name, "bell", 3).naive


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", KINDS)
def test_errors_fall_from_between_weights_and_levels(name, width):
    case, beats = case_of(name, "bell", 1), film(DECODED, width, type=name)
    stage = stage_of(WIDTHS[width], case)
    drawn = [[(line[0][1], line[1][1]) for line in lines(beat["lost"])] for beat in beats]
    weights, levels = (stage.levels(some[case.near].tolist()) for some in (case.numbers, case.decoded))
    assert drawn[0] == [pytest.approx(ends, abs=0.26) for ends in zip(weights, levels, strict=True)]
    assert [start for start, _ in drawn[1]] == [pytest.approx(beats[-1]["error-zero"].shape["y1"], abs=0.26)] * len(
        weights
    )
    assert drawn[1] == drawn[-1] and ["error-sum" in beat for beat in beats] == [False, False, True]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", KINDS)
def test_bytes_come_out_of_the_bar_of_bits_and_are_counted_when_they_have_come(name, width):
    beats, kind = film(BYTES, width, type=name), KINDS[name]
    whole = bounds(beats[0]["whole"])
    for key in (key for key in beats[0] if key.startswith("field-")):
        left, top, right, bottom = bounds(beats[0][key])
        assert whole[0] - 0.1 <= left and right <= whole[2] + 0.1 and (top, bottom) == whole[1::2]
    before = set()
    for beat in beats:
        told = int(beat["bytes"].text.split()[0]) if "bytes" in beat else 0
        assert told == kind.bytes * sum(kind.spent(part) for part in before) / kind.total
        before = {part for part in PARTS for key in beat if key.startswith(f"field-{part}")
                  and bounds(beat[key])[1] != whole[1]}  # fmt: skip
    assert told == kind.bytes


@pytest.mark.parametrize("width", WIDTHS)
def test_line_at_the_bytes_of_the_weight_sets_out_under_its_code(width):
    first, *_, last = (beat for beat in film(BYTES, width) if "spots" in beat)
    assert [line[0][0] for line in lines(first["spots"])] == [pytest.approx(last[f"q{OWN}"].shape["x"], abs=0.26)]
    assert lines(first["spots"]) != lines(last["spots"])


def test_hand_over_the_weights_lies_lightly_on_the_words_about_them():
    for step in (SPLIT, IDEAL, DECODED):
        assert "head0" not in beneath(film(step, "narrow")[-1], "part", rim=6)
