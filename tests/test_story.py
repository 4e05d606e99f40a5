"""What a scene's author gives once is run once, and a story goes through its phases."""

from __future__ import annotations

from loom.scene import Moment, Phase, Scene, Table, Value

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


def test_moment_knows_which_phases_are_behind_it():
    last = Moment(1, PHASES, 1)
    assert (last.since("ask"), last.since("pass"), last.since("end")) == (True, True, False)
