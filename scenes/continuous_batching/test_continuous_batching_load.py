"""Check how the stream's last chapter plays: the curve of waits grows, and then its limit and the wait are told."""

import pytest

from loom.scene import WIDTHS
from scenes.continuous_batching.case import STREAM
from scenes.continuous_batching.model import POLICIES
from scenes.continuous_batching.scene import SCENE
from tests.beats import drawn_beats

BOTH = pytest.mark.parametrize("width", WIDTHS)
EVERY = pytest.mark.parametrize("policy", POLICIES)
LOADS = pytest.mark.parametrize("load", [5, 60, 120])


def chapters(policy, load, width):
    """The pictures of the stream and of what its load comes to, and the times of the latter."""
    stream, told = SCENE.run(traffic=STREAM, policy=policy, load=load).chapters
    return drawn_beats(SCENE, stream.states, width), drawn_beats(SCENE, told.states, width), told.times


def shown(mark):
    """How much of a curve shows [%]."""
    return float(mark.shape.get("stroke-dasharray", "100").split()[0])


@BOTH
@EVERY
@LOADS
def test_curve_of_the_policy_grows_over_the_load_and_the_other_one_stays_a_ghost(policy, load, width):
    stream, told, times = chapters(policy, load, width)
    key = f"wait-{policy}"
    assert all(one[key].role == "ghost" and shown(one[key]) == 100 for one in stream)
    assert [shown(one[key]) for one in told] == [0, 100, 100]
    assert {one[key].role for one in told} == {"dropped steady"}
    (other,) = set(POLICIES) - {policy}
    assert {one[f"wait-{other}"].role for one in (*stream, *told)} == {"ghost"}
    assert 0 < times[1] <= 0.3 and times[-1] - times[1] > 1


@BOTH
@EVERY
@LOADS
def test_limit_and_wait_are_told_when_the_curve_is_there(policy, load, width):
    stream, told, _ = chapters(policy, load, width)
    *growing, last = told
    assert {one["answer"].text for one in growing} == {stream[-1]["answer"].text} != {last["answer"].text}
    assert not any("limit" in key for one in growing for key in one) and "limit" in last
