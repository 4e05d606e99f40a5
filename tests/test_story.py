"""What a scene's author gives once is run once, and a story goes through its phases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from loom.errors import LoomError
from loom.expected import Mistaken
from loom.scene import Chapter, Moment, Phase, Scene, Table, Value, evenly
from loom.scenes.load import LoadedScene, check_scene

PHASES = (
    Phase("ask", lambda _: "It asks."),
    Phase("pass", lambda moment: f"Pass {moment.at} of {moment.result}.", lambda passes: range(1, passes + 1)),
    Phase("end", lambda _: "It ends."),
)


def scene(solved: list[int]) -> Scene:
    def solve(passes: int) -> int:
        solved.append(passes)
        return passes

    return Scene(
        title="A", summary="B.", sources=("c",), leaves_out="D.", solve=solve, steps=PHASES, draw=lambda *_: (),
        table=lambda passes: Table((), [(passes,)]), values=lambda passes: {"passes": Value(passes)},
    )  # fmt: skip


def test_model_is_solved_once_for_steps_table_and_values():
    solved: list[int] = []
    run = scene(solved).run(passes=2)
    assert (len(run.steps), run.table.rows, run.values["passes"].value) == (4, [(2,)], 2)
    assert solved == [2]


def test_story_goes_through_its_phases_and_each_says_its_own():
    one = scene([])
    said = [one.say(moment) for moment in one.run(passes=2).steps]
    assert said == ["It asks.", "Pass 1 of 2.", "Pass 2 of 2.", "It ends."]


def test_phase_without_moments_to_show_is_left_out():
    assert [moment.phase for moment in scene([]).run(passes=0).steps] == ["ask", "end"]


def test_two_phases_of_one_name_are_refused():
    check_scene(LoadedScene("a", "scenes/a/scene.py", Path("scenes/a"), scene([])))
    twice = replace(scene([]), steps=(*PHASES, PHASES[0]))
    with pytest.raises(LoomError, match="two phases are called 'ask'"):
        check_scene(LoadedScene("a", "scenes/a/scene.py", Path("scenes/a"), twice))


def test_moment_knows_which_phases_are_behind_it():
    last = Moment(1, PHASES, 1)
    assert (last.since("ask"), last.since("pass"), last.since("end")) == (True, True, False)


BEATING = (
    Phase("ask", lambda _: "It asks."),
    Phase("send", lambda _: "It sends.", beats=lambda moment: evenly(4, 2.0)),
    Phase("wait", lambda _: "It waits.", lambda _: (1, 2), beats=lambda moment: (0.0, 0.5) if moment.at == 2 else ()),
)


def test_beats_share_out_the_time_that_they_are_given():
    assert evenly(4, 2.0) == (0.0, 0.5, 1.0, 1.5)
    assert evenly(1, 3.0) == (0.0,)
    assert evenly(2, 3.0, lead=0.25) == (0.0, 0.25, 1.75)


def test_beat_for_what_has_landed_comes_when_the_last_has_had_its_time():
    assert evenly(2, 3.0, landed=True) == (0.0, 1.5, 3.0)
    assert evenly(2, 3.0, lead=0.25, landed=True) == (0.0, 0.25, 1.75, 3.25)
    assert evenly(0, 0.0, lead=0.25, landed=True) == (0.0,)  # nothing set out, so nothing lands


def test_chapter_has_a_moment_for_each_of_its_beats_and_is_called_like_its_phase_and_moment():
    chapters = replace(scene([]), steps=BEATING).run(passes=1).chapters
    assert [(one.name, one.times) for one in chapters] == [
        ("ask", (0.0,)), ("send", (0.0, 0.5, 1.0, 1.5)), ("wait 1", (0.0,)), ("wait 2", (0.0, 0.5)),
    ]  # fmt: skip
    assert [[(moment.beat, moment.beats) for moment in one.states] for one in chapters] == [
        [(0, 1)], [(0, 4), (1, 4), (2, 4), (3, 4)], [(0, 1)], [(0, 2), (1, 2)],
    ]  # fmt: skip


def test_step_is_the_last_beat_of_its_chapter():
    run = replace(scene([]), steps=BEATING).run(passes=1)
    assert [(moment.phase, moment.beat) for moment in run.steps] == [("ask", 0), ("send", 3), ("wait", 0), ("wait", 1)]


def test_progress_grows_with_the_beats_to_the_whole():
    send = replace(scene([]), steps=BEATING).run(passes=1).chapters[1]
    assert [moment.progress for moment in send.states] == [0.25, 0.5, 0.75, 1.0]
    assert Moment(1, BEATING, 0).progress == 1.0


def test_phase_is_past_by_nothing_before_it_by_its_progress_within_and_wholly_behind_it():
    chapters = replace(scene([]), steps=BEATING).run(passes=1).chapters
    assert [moment.past("send") for one in chapters for moment in one.states] == [0, 0.25, 0.5, 0.75, 1, 1, 1, 1]
    with pytest.raises(Mistaken, match="there is no phase 'nowhere'"):
        chapters[0].states[0].past("nowhere")


def test_computed_steps_are_chapters_of_one_picture_unless_they_say_otherwise():
    one = replace(scene([]), solve=None, steps=lambda passes: ["a", Chapter(("b", "c"), (0.0, 1.0)), "d"])
    run = one.run(passes=1)
    assert [chapter.states for chapter in run.chapters] == [("a",), ("b", "c"), ("d",)]
    assert list(run.steps) == ["a", "c", "d"]
