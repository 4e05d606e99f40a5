"""Check how each request is told: answers are held step by step, and then set beside those of the other policy."""

import re
from itertools import pairwise

import pytest

from loom.scene import WIDTHS
from scenes.continuous_batching.model import CONTINUOUS, EIGHT, POLICIES, STATIC
from scenes.continuous_batching.scene import SCENE
from scenes.continuous_batching.stage import NARROW, WIDE
from tests.beats import drawn_beats

STAGES = {"narrow": NARROW, "wide": WIDE}
BOTH = pytest.mark.parametrize("width", WIDTHS)
EVERY = pytest.mark.parametrize("policy", POLICIES)


def each(policy, width="wide"):
    """The times of the chapter's pictures, and the marks of each, by key."""
    told = next(one for one in SCENE.run(policy=policy).chapters if one.name == "each")
    return told.times, drawn_beats(SCENE, told.states, width)


def starts(mark):
    """Where each line of a mark begins: x and y."""
    return [tuple(map(float, one)) for one in re.findall(r"M([-\d.]+) ([-\d.]+)", mark.shape["d"])]


@BOTH
def test_answers_are_held_a_step_more_in_each_beat_until_their_batch_ends(width):
    stage, unit = STAGES[width], STAGES[width].each.width / 12
    _, frames = each(STATIC, width)
    for beat, frame in enumerate(frames):
        for name, one in zip("ABCDEFGH", POLICIES[STATIC](EIGHT), strict=True):
            held = one.free - one.end
            assert (f"each-{name}-holds" in frame) == (held > 0 and beat <= held + 1)
            assert (f"each-{name}-held" in frame) == (held > 0 and beat > held)
            if growing := frame.get(f"each-{name}-holds"):
                assert growing.shape["x"] == pytest.approx(stage.each.x + (one.end - one.arrival) * unit)
                assert growing.shape["width"] == pytest.approx(min(beat, held) * unit) and "steady" in growing.role


@EVERY
def test_a_request_s_number_comes_when_its_answer_is_handed_over(policy):
    _, frames = each(policy)
    for beat, frame in enumerate(frames):
        for name, one in zip("ABCDEFGH", POLICIES[policy](EIGHT), strict=True):
            assert (f"each-{name}-steps" in frame) == (one.free - one.end <= max(beat - 1, 0))


def test_mean_grows_with_the_bars_and_says_so_until_it_is_whole():
    _, frames = each(STATIC)
    assert [float(frame["answer"].text.split()[0]) for frame in frames] == [6, 6, 6.75, 7.5, 8, 8.375, 8.5, 8.5, 8.5]
    words = [frame["answer-words-0"].text for frame in frames]
    assert ["so far" in one for one in words] == [True] * 6 + [False] * 3


@BOTH
@EVERY
def test_marks_of_the_other_policy_set_out_from_where_the_answers_are(policy, width):
    other, unit = {STATIC: CONTINUOUS, CONTINUOUS: STATIC}[policy], STAGES[width].each.width / 12
    _, frames = each(policy, width)
    for frame, shown in zip(frames[-3:], (policy, other, other), strict=True):
        ends = [x - STAGES[width].each.x for x, _ in starts(frame["contrast"])]
        assert ends == pytest.approx([one.latency * unit for one in POLICIES[shown](EIGHT)], abs=0.1)
    assert ["contrast-words" in frame for frame in frames[-3:]] == [False, False, True]
    assert not any("contrast" in frame for frame in frames[:-3])


@EVERY
def test_something_moves_within_300_ms_and_each_beat_has_its_time(policy):
    times, _ = each(policy)
    assert 0 < times[1] <= 0.3 and all(0.3 <= after - before <= 0.8 for before, after in pairwise(times[1:]))
