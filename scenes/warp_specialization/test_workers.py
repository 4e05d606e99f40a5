"""Check who works when: no worker does two things at once, and what is drawn of it is what the schedule says."""

import itertools

import pytest

from loom.scene import WIDTHS
from scenes.warp_specialization.model import EPILOGUES, GENERATIONS, ISSUERS, TILES, WARPS, schedule
from scenes.warp_specialization.narration import now
from scenes.warp_specialization.scene import SCENE
from scenes.warp_specialization.workers import rhythm, workers

CASES = [(name, epilogue) for name in GENERATIONS for epilogue in EPILOGUES]
ROLES = {"copy": "memory thick", "multiply": "work thick", "write": "series-1 thick"}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


@pytest.mark.parametrize(("name", "epilogue"), CASES)
def test_a_worker_does_one_thing_at_a_time_and_all_is_done(name, epilogue):
    run = schedule(name, epilogue)
    crew = workers(run)
    assert sum(one.warps for one in crew if not one.alone) == WARPS
    for one in crew:
        spans = sorted((act.start, act.end) for act in one.acts)
        assert all(start < end for start, end in spans)
        assert all(end <= start for (_, end), (start, _) in itertools.pairwise(spans))
    acts = [act for one in crew for act in one.acts]
    assert sorted(act.start for act in acts if act.what == "multiply") == run.product.tolist()
    assert sorted(act.end for act in acts if act.what == "write") == run.done.tolist()


@pytest.mark.parametrize(("name", "epilogue"), CASES)
def test_as_many_threads_multiply_as_issue_a_product_and_only_then_the_cores_work(name, epilogue):
    run = schedule(name, epilogue)
    for time in range(1, run.total + 1):
        threads = sum(one.threads for one in workers(run) if one.doing(time) == "multiply")
        assert threads == (ISSUERS[name] if run.worked(time - 1, time) else 0)


@pytest.mark.parametrize(("name", "epilogue"), CASES)
def test_copies_begin_when_somebody_has_asked_for_them(name, epilogue):
    run = schedule(name, epilogue)
    asked = sorted(act.start for one in workers(run) for act in one.acts if act.what == "copy")
    asked = [asked[0], *asked]  # the first act is for both stages
    assert len(asked) == TILES
    assert all(ask <= copy for ask, copy in zip(asked, run.copy, strict=True))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("epilogue", EPILOGUES)
def test_warps_that_act_are_drawn_in_the_colour_of_their_lane_and_others_wait(width, epilogue):
    for chapter in SCENE.run(epilogue=epilogue).chapters:
        for state in chapter.states:
            drawn = marks(state, width)
            for run in state.result.runs:
                for one in workers(run):
                    key, doing = f"{run.generation}-{one.name}", one.doing(now(state))
                    assert {role for role in ROLES if f"{key}-{role}" in drawn} == {doing} - {"wait", "done"}
                    if doing in ROLES:
                        assert drawn[f"{key}-{doing}"].role == ROLES[doing]
                        assert one.alone or drawn[f"{key}-{doing}"].shape["d"] == drawn[key].shape["d"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("epilogue", EPILOGUES)
def test_the_stretch_that_the_share_is_of_is_bracketed_once_it_has_passed(width, epilogue):
    run = SCENE.run(epilogue=epilogue)
    for state in (state for chapter in run.chapters for state in chapter.states):
        drawn = marks(state, width)
        for one in state.result.runs:
            start, end = rhythm(one)
            assert (f"{one.generation}-rhythm" in drawn) == (f"{one.generation}-busy" in drawn) == (end <= now(state))
            assert one.worked(start, end) / (end - start) == pytest.approx(one.steady)
    assert {f"{name}-rhythm" for name in GENERATIONS} <= drawn.keys()
    if width == "wide":
        assert drawn["Blackwell-rhythm-words"].text == "8 of 8 units"
