"""Check what plays: the parts of one step, and in the last chapter a dot that comes by every limit."""

from __future__ import annotations

import re

import pytest

from loom.scene import WIDTHS
from scenes.decode_roofline.model import Load
from scenes.decode_roofline.pace import stops
from scenes.decode_roofline.scene import SCENE
from scenes.decode_roofline.stage import NARROW, WIDE
from tests.beats import drawn_beats

STAGES = {"narrow": NARROW, "wide": WIDE}
SOME = [one for one in SCENE.grid() if one["batch"] in (1, 32, 1024)][::5]


def marks(state, width):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_a_dot_comes_by_every_limit_on_the_chart_and_is_never_under_the_knob(params, width):
    load, stage = Load(**params), STAGES[width]
    *drawn, last = (marks(state, width) for state in SCENE.run(**params).chapters[-1].states)
    assert len(drawn) == (1 + len(stops(load)) if stops(load) else 0)
    for frame, users in zip(drawn, [load.batch, *stops(load)], strict=False):
        assert frame["lone-place"].shape["cx"] == stage.map.at(users, load.context)[0]
        assert not {"batch", "place"} & frame.keys() and "more" in frame
    assert "lone-place" not in last and "place" in last


@pytest.mark.parametrize("params", SOME, ids=str)
def test_a_limit_is_shown_when_the_dot_has_come_by_it(params):
    load, chapter = Load(**params), SCENE.run(**params).chapters[-1]
    frames = [marks(state, "wide") for state in chapter.states]
    full = [any(re.fullmatch(r"full-\d+", key) for key in frame) for frame in frames]
    turns = [("turn-overtaking" in frame, "turn-balance" in frame) for frame in frames]
    for at, users in enumerate(stops(load), 2):
        for limit, shown in ((load.limits.fits, full), (load.limits.overtaking, [one[0] for one in turns]),
                             (round(load.limits.balance), [one[1] for one in turns])):  # fmt: skip
            if users == limit:
                assert shown == [False] * at + [True] * (len(frames) - at)


def test_the_dot_takes_three_seconds_at_most():
    for params in SOME:
        assert SCENE.run(**params).chapters[-1].times[-1] < 3


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "params", [{}, {"batch": 1}, {"model": "V3", "context": 131_072}, {"model": "gpt-oss"}], ids=str
)
def test_parts_of_one_user_s_step_follow_each_other_and_are_told_when_they_are_over(params, width):
    chapter = SCENE.run(**params).chapters[0]
    drawn = drawn_beats(SCENE, chapter.states, width)
    assert chapter.times[1] <= 0.3 and len(drawn) == 4
    linear, attention = (next(key for key in drawn[0] if key.startswith(f"alone-{part}-")) for part in (0, 1))
    wide = [[one[key].shape["width"] for key in (linear, attention)] for one in drawn]
    assert wide[0] == [0, 0] and wide[1][0] > 0 == wide[1][1] and wide[2] == wide[3] and wide[2][1] > 0
    assert all("steady" in one[key].role for one in drawn for key in (linear, attention))
    told = [[key in one for key in ("part-linear", "part-attention", "alone-told")] for one in drawn]
    assert told == [[False] * 3, [False] * 3, [True, False, False], [True] * 3]
    lasts = chapter.times[2] - chapter.times[1], chapter.times[3] - chapter.times[2]
    share = wide[3][0] / sum(wide[3])
    assert lasts[0] / sum(lasts) == pytest.approx(min(max(share, 0.15 / 1.8), 1 - 0.15 / 1.8), abs=0.01)
