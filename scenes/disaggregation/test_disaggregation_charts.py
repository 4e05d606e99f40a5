"""Check what the reader meets in the charts beside the lanes: knobs on their curves, and names clear of both."""

import re

import numpy as np
import pytest

from loom.scene import WIDTHS
from scenes.disaggregation.case import PACES, PROMPTS
from scenes.disaggregation.chart import PREFILLS
from scenes.disaggregation.model import LINKS
from scenes.disaggregation.scene import SCENE
from scenes.disaggregation.stage import NARROW, WIDE
from tests.boxes import beneath, box

GRID = list(SCENE.grid())
SOME = [*GRID[::23], GRID[-1]]
STAGES = {"narrow": NARROW, "wide": WIDE}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_knobs_stand_on_their_curves(params, width):
    steps, stage = SCENE.run(**params).steps, STAGES[width]
    length, pace = marks(steps[3], width)["length"], marks(steps[4], width)["pace"]
    here = stage.times.at(params["prompt"], PREFILLS[params["prompt"]])
    assert (length.shape["cx"], length.shape["cy"]) == here == length.handle.rail[PROMPTS.index(params["prompt"])]
    assert pace.handle.rail[PACES.index(params["pace"])] == (pace.shape["cx"], pace.shape["cy"])
    assert len(length.handle.rail) == len(PROMPTS) and len(pace.handle.rail) == len(PACES)
    heights = [y for _, y in pace.handle.rail]
    assert heights == sorted(heights, reverse=True)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_handles_lie_within_the_picture_with_all_their_glow(params, width):
    for state in SCENE.run(**params).steps:
        for mark in SCENE.draw(state, WIDTHS[width]):
            reach = mark.shape["r"] + 8 if mark.handle else 0
            assert all(reach <= x <= WIDTHS[width] - reach for x, _ in (mark.handle.rail if mark.handle else ()))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("link", LINKS)
def test_no_thin_line_strikes_the_names_in_the_chart_through(link, width):
    drawn = marks(SCENE.run(link=link).steps[3], width)
    words = [box(drawn[key]) for key in ("computed-name", "sent-name", "others")]
    for line in (mark.shape["d"] for key, mark in drawn.items() if key.startswith("send-") and key != f"send-{link}"):
        ends = np.array(re.findall(r"-?[\d.]+", line), dtype=float).reshape(-1, 2)
        for x, y in np.linspace(ends[0], ends[-1], 200):
            assert not any(left < x < right and top < y < bottom for left, top, right, bottom in words)


@pytest.mark.parametrize("width", WIDTHS)
def test_ticks_and_dashed_lines_are_named_and_ticks_are_not_in_the_colour_of_now(width):
    for step, state in enumerate(SCENE.run().steps[:4], 1):
        drawn = marks(state, width)
        assert "prompts come" in drawn["come"].text
        assert all("hot" not in mark.role for key, mark in drawn.items() if key.startswith("come-"))
        if width == "narrow" and step < 4:
            continue  # there is no chart
        assert drawn["others"].text == "other links" and drawn["times-title"].text.endswith("over its tokens")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("link", LINKS)
def test_name_of_the_other_links_lies_at_the_outermost_dashed_line(link, width):
    drawn = marks(SCENE.run(link=link).steps[3], width)
    left, top, right, bottom = box(drawn["others"])
    near = drawn["send-nvlink" if link != "nvlink" else "send-10gbe"]
    (x0, y0), *_, (x1, y1) = np.array(re.findall(r"-?[\d.]+", near.shape["d"]), dtype=float).reshape(-1, 2)
    line = [y0 + (x - x0) / (x1 - x0) * (y1 - y0) for x in (left, right)]
    gap = top - max(line) if link != "nvlink" else min(line) - bottom
    assert -3 < gap < 12


@pytest.mark.parametrize("width", WIDTHS)
def test_knob_of_the_shortest_prompt_is_clear_of_the_numbers_of_the_axis(width):
    drawn = marks(SCENE.run(prompt=PROMPTS[0]).steps[3], width)
    numbers = [box(mark)[2] for key, mark in drawn.items() if re.fullmatch(r"times--?\d-name", key)]
    assert drawn["length"].shape["cx"] - max(numbers) > 16  # units: the knob’s halo


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("link", LINKS)
def test_names_at_the_end_of_the_lines_are_clear_of_the_knobs_of_the_longest_prompts(link, width):
    for prompt in PROMPTS[-2:]:
        drawn = marks(SCENE.run(prompt=prompt, link=link).steps[3], width)
        assert not beneath(drawn, "length", rim=6)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("link", LINKS)
def test_knob_of_what_serves_nobody_leaves_the_numbers_of_its_axis_free(link, width):
    for pace in PACES:
        assert not beneath(marks(SCENE.run(prompt=PROMPTS[-1], link=link, pace=pace).steps[-1], width), "pace", rim=7)


@pytest.mark.parametrize("width", WIDTHS)
def test_knob_of_the_fastest_pace_covers_neither_the_scale_nor_the_dots(width):
    drawn = marks(SCENE.run(pace=PACES[0]).steps[-1], width)
    assert not beneath(drawn, "pace")
    assert list(drawn).index("pace") < list(drawn).index("here-in chunks")
