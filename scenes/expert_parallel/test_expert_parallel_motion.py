"""Check what plays: experts that are picked, and a batch that all GPUs work off until one is left."""

import itertools

import pytest

from loom.scene import WIDTHS
from scenes.expert_parallel.loads import LIMITS
from scenes.expert_parallel.model import Case, trip
from scenes.expert_parallel.placing import EACH, LOCAL, PLACED
from scenes.expert_parallel.router import GPUS, PICKED, affinities
from scenes.expert_parallel.scene import SCENE
from tests.beats import drawn_beats

SOME = [dict(zip(("popularity", "limit", "placement"), one, strict=True))
        for one in itertools.product((0, 0.5, 1), (4, 8), PLACED)]  # fmt: skip


def pictures(name, width="wide", **params):
    chapter = next(one for one in SCENE.run(**params).chapters if one.name == name)
    return chapter, drawn_beats(SCENE, chapter.states, width)


def test_experts_are_picked_one_by_one_the_most_liked_first():
    for limit in LIMITS:
        found, liked = trip(limit), affinities(0.0)
        assert sorted(found.liked) == [*found.experts]
        token = next(at for at, row in enumerate(liked) if set(row.argsort()[-1:]) == {found.liked[0]}
                     and all(row[one] > row[other] for one, other in itertools.pairwise(found.liked)))  # fmt: skip
        assert limit < 8 or {*liked[token].argsort()[-PICKED:]} == {*found.experts}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("limit", LIMITS)
def test_count_of_experts_and_of_nodes_goes_up_as_each_is_picked(limit, width):
    chapter, drawn = pictures("pick", width, limit=limit)
    assert chapter.times[1] <= 0.3 and len(drawn) == PICKED + 1
    for number, one in enumerate(drawn):
        first = trip(limit).liked[:number]
        assert [f"spot-{at}" in one for at in range(PICKED)] == [expert in first for expert in trip(limit).experts]
        nodes = {expert // EACH // LOCAL for expert in first}
        assert {node for node in range(8) if one[f"node-{node}-name"].role == "label strong"} == nodes
        assert one["answer"].text == f"{number} of 256"
        words = " ".join(mark.text for key, mark in one.items() if key.startswith("answer-"))
        assert (f"in {len(nodes)} node" in words) == bool(nodes)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME)
def test_batch_is_worked_off_evenly_until_the_fullest_gpu_is_done(params, width):
    chapter, drawn = pictures("load", width, **params)
    case, (flat, covered, *hidden, ended) = Case(**params), drawn
    assert "to-come" not in flat and "to-come" not in ended
    assert flat["gpus-0"] == covered["gpus-0"] != hidden[0]["gpus-0"], "bars rise when a cover is over them"
    assert "fullest-bar" not in covered and covered["to-come"] == hidden[0]["to-come"]
    left = [one["to-come"].shape["height"] - 1 for one in hidden]
    full = ended["fullest-bar"].shape["height"]
    assert (
        left[0] == full and left[-1] == 0 and left[1] == pytest.approx(full * (1 - case.mean / max(case.loads)), abs=1)
    )
    ways = [one - other for one, other in itertools.pairwise(left)]
    lasts = [end - start for start, end in itertools.pairwise(chapter.times[3:])]
    assert [way / full for way in ways] == pytest.approx([last / sum(lasts) for last in lasts], abs=1 / full + 0.01)
    for one, line in zip(hidden, left, strict=True):
        assert one["worked-off"].shape["y1"] == pytest.approx(ended["peak"].shape["y1"] + line, abs=0.51)


def test_number_goes_up_when_as_much_has_been_worked_off_and_says_who_is_still_at_work():
    chapter, drawn = pictures("load")
    loads, mean = Case(0.5, 4, "order").loads, 512
    assert [one["answer"].text for one in drawn] == ["0×", "0×", "0×", "0×", "1×", "3.62×", "6.24×"]
    words = [" ".join(mark.text for key, mark in one.items() if key.startswith("answer-")) for one in drawn]
    assert f"{GPUS} of {GPUS} GPUs are still at work" in words[3]
    assert f"{(loads > mean).sum()} of {GPUS} GPUs are still at work" in words[4]
    assert words[-1].endswith("that 63 others wait for")
    ended = [("fullest" in one, "peaks" in one, "choice-order" in one) for one in drawn]
    assert ended == [(False,) * 3] * 6 + [(True,) * 3], "what else there could be comes when this is known"
    assert SCENE.run().steps[3] == chapter.states[-1]
