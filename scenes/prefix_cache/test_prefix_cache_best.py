"""Check the last chapter's comparison: a dot runs along the curve from the reader's choice to the best there is."""

import pytest

from loom.scene import WIDTHS
from scenes.prefix_cache.model import HYBRID
from scenes.prefix_cache.scene import SCENE
from scenes.prefix_cache.workloads import AGENT, CHAT, CHATS
from tests.boxes import beneath, box

BOTH = pytest.mark.parametrize("width", WIDTHS)
GRID = list(SCENE.grid())


def whole(width="wide", **params):
    """The result, the times of the last chapter's pictures, and the marks of each, by key."""
    run = SCENE.run(**params)
    last = run.chapters[-1]
    assert last.name == "whole"
    return run.result, last.times, [{mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}
                                    for state in last.states]  # fmt: skip


def better(params):
    """The most that any value of what the curve is over would find [%]."""
    name = {CHAT: "block", CHATS: "capacity", AGENT: "change"}[params["workload"]]
    found = [SCENE.run(**{**params, name: value}).values["rate"].value for value in SCENE.param(name).values]
    return max(found), SCENE.run(**params).values["rate"].value


@BOTH
def test_dot_comes_from_under_the_knob_and_goes_from_stop_to_stop(width):
    _, times, frames = whole(width, capacity=5000)
    stops = frames[0]["rate"].handle.rail[1:]
    at = [(one["best"].shape["cx"], one["best"].shape["cy"]) for one in frames]
    assert at == [*stops, stops[-1]] and 0 < times[1] <= 0.3
    assert all("steady" in one["best"].role for one in frames)
    assert ["best-share" in one for one in frames] == [False] * (len(frames) - 1) + [True]


@pytest.mark.parametrize("params", [one for one in GRID if one["snapshots"] == "each"], ids=str)
def test_dot_ends_where_most_is_found_and_says_how_much_or_there_is_none(params):
    most, here = better(params)
    _, times, frames = whole(**params)
    if here < most:
        assert frames[-1]["best-share"].text == f"{most:.1f}%" and len(times) > 2
    else:
        assert len(frames) == 1 and "best" not in frames[0]


@pytest.mark.parametrize(
    "params", [{"capacity": 4000}, {"capacity": 5000}, {"workload": AGENT, "change": 10_000}], ids=str
)
def test_dot_shows_what_the_sentence_says_would_be_found(params):
    _, _, frames = whole(**params)
    said = SCENE.say(SCENE.run(**params).steps[-1])
    assert f"would be {frames[-1]['best-share'].text}" in said or f"{frames[-1]['best-share'].text} would be" in said


@BOTH
def test_its_number_stands_on_the_stage_and_under_no_knob(width):
    for params in GRID:
        _, _, frames = whole(width, **params)
        assert "best-share" not in beneath(frames[-1], "rate"), params
        if "best-share" in frames[-1]:
            (left, top, right, low), title, here = (
                box(frames[-1][key]) for key in ("best-share", "curve-title", "here")
            )
            assert left >= 0 and right <= WIDTHS[width], params
            assert not left < here[0] < right or low <= here[1], params  # no line through it
            assert top > title[3] or left > title[2], params


def test_with_more_memory_a_hybrid_s_dot_stops_where_more_finds_no_more():
    result, _, _ = whole(block=HYBRID, capacity=4000)
    assert [place for place, _ in result.way] == [4000, 5000, 6000, 8000]
