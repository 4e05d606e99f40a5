"""The last chapter in time: the number goes from format to format, and what each makes of it comes after it."""

import math

import pytest

from loom.draw.extent import bounds
from scenes._formats.floats import decoded
from scenes.float_anatomy.nearest import FORMATS, SMALL
from scenes.float_anatomy.scene import SCENE
from scenes.float_anatomy.stage import stage

WIDTHS = (328, 840)
SAMPLE = [{"format": "E4M3", "code8": code} for code in (0, 1, 8, 85, 127, 213)] + [
    {"format": "FP16", "number": "π"}, {"format": "FP32", "number": "1e-40"}, {"format": "E5M2", "code8": 252},
]  # fmt: skip


def played(width, **params):
    """The variant, the chapter's times and its pictures, after the last one of the chapter before."""
    run = SCENE.run(**params)
    states = [run.chapters[-2].states[-1], *run.chapters[-1].states]
    before, *frames = [{mark.key: mark for mark in SCENE.draw(state, width)} for state in states]
    return run.result, run.chapters[-1].times, before, frames


def traveller(one, frame):
    return frame["number" if one.rounds else "value"]


@pytest.mark.parametrize("params", SAMPLE, ids=str)
def test_number_goes_straight_down_to_every_format_and_back_to_the_reader_s(params):
    one, times, _, frames = played(840, **params)
    found = [traveller(one, frame).shape for frame in frames]
    assert len({dot["cx"] for dot in found}) == 1
    rows = [bounds(frames[-1][name]) for name in FORMATS]
    middles = [top + (foot - top) / 2 for _, top, _, foot in rows]
    heights = [dot["cy"] for dot in found]
    assert heights[0] < heights[1]
    assert heights[1:10] == pytest.approx(middles, abs=3)
    assert heights[10] == heights[9]
    assert heights[11] == heights[12] == heights[1 + FORMATS.index(one.fmt.name)]
    assert len(frames) == len(times) == 13 and times[-1] + 0.9 < 6  # it holds for 0.9 s


@pytest.mark.parametrize("params", SAMPLE, ids=str)
def test_format_tells_what_it_makes_of_the_number_once_that_has_landed(params):
    one, _, _, frames = played(328, **params)
    for row, near in enumerate(one.everywhere):
        name, reached = near.fmt.name, row + 2  # the beat in which the number has come to the row
        told = [beat for beat, frame in enumerate(frames) if f"{name}-off" in frame]
        assert told[0] == reached + bool(near.error)
        others = [beat for beat, frame in enumerate(frames) if f"{name}-is" in frame]
        assert others == (told if near.verdict != "exact" else [])  # an exact value is the number itself
        if near.error:
            lengths = [frame[f"off-{name}"].shape["width"] for frame in frames if f"off-{name}" in frame]
            assert lengths[0] == 0 < lengths[1] and len(set(lengths[1:])) == 1
            assert len(lengths) == len(frames) - reached + 1  # without length it is there a beat before it grows
        elif near.verdict == "exact":
            assert [f"exact-{name}" in frame for frame in frames].index(True) == reached


def test_large_answer_counts_the_formats_that_have_told_and_those_that_hold_the_number():
    _, _, before, frames = played(840, format="E4M3", code8=85)
    assert before["is"].text == frames[0]["is"].text == frames[2]["is"].text == "= 13"
    said = [frame["answer"].text for frame in frames if "answer" in frame]
    assert said == ["0 of 1", "0 of 2", "1 of 4", "1 of 4", "2 of 6", "3 of 7", "4 of 8", "5 of 9", "5 of 9", "5 of 9"]
    last = frames[-1]
    assert last["answer"].shape["font-size"] == 32 and not {"is", "sum"} & last.keys()
    assert "formats can spell 13 exactly" in [mark.text for mark in last.values()]


def test_what_is_no_number_has_codes_and_none_of_them_is_exact():
    _, _, _, frames = played(328, format="E4M3", code8=127)
    assert frames[-1]["answer"].text == "6 of 9"
    assert "formats can spell NaN" in [mark.text for mark in frames[-1].values()]


@pytest.mark.parametrize(("params", "same"), [
    ({"format": "E4M3", "code8": 85}, True), ({"format": "BF16", "number": "448"}, True),
    ({"format": "FP16", "number": "π"}, False),
])  # fmt: skip
def test_what_travels_is_the_value_of_the_chapter_before_unless_that_was_rounded(params, same):
    one, _, before, frames = played(840, **params)
    for key in (traveller(one, frames[0]).key, "here" if same else "number-head"):
        assert (key in before) is same
        assert key in frames[-1]


@pytest.mark.parametrize("name", SMALL)
def test_magnitude_has_the_place_of_its_code_on_the_line_of_all_powers_of_two(name):
    at = stage(name, 840, False)
    for code, (x, _) in enumerate(at.rail[: len(at.rail) // 2]):
        value = float(decoded(code, name))
        if value and math.isfinite(value):
            assert at.at(at.share(value)) == pytest.approx(x)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("code", "low"), [(85, 8), (213, -16), (2, 2**-8)])
def test_dotted_lines_lead_from_the_stretch_on_the_line_of_all_powers_to_its_enlargement(code, low, width):
    one, _, _, frames = played(width, format="E4M3", code8=code)
    zoom, axes = bounds(frames[-1]["zoom"]), bounds(frames[-1]["axes"])
    at = stage("E4M3", width, one.negative)
    above = [at.at(at.share(abs(end))) for end in (low, low / 2 if one.negative else low * 2)]
    assert zoom[0] == pytest.approx(min(above[0], axes[0]), abs=0.5)
    assert zoom[2] == pytest.approx(max(above[1], axes[2]), abs=0.5)
    assert "code" in frames[-1] and frames[-1]["code"].handle  # the dot can be dragged here, too


def test_stretch_beyond_the_format_s_largest_value_is_led_to_from_nowhere():
    assert "zoom" not in played(840, format="FP16", number="1e30")[3][-1]
    assert "zoom" in played(840, format="FP16", number="65504")[3][-1]
