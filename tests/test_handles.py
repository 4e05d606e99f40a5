"""What a reader takes hold of, what plays, and what is said of parameters: told to the author where it can't work."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.draw import Axis, Box, Pen, Plot, bounds
from loom.draw.marks import Handle, Mark
from loom.quantity import count
from loom.render.scene_figure import Control, SceneFigure, Segment
from loom.scene import Chapter, Choice, Range, Scene, Table, Toggle, Value
from loom.scenes.info import describe
from loom.scenes.load import LoadedScene
from loom.scenes.mark_rules import mark_mistakes, rail_mistakes
from loom.scenes.validate import beat_problems
from tests.sites import TOY, altered, built, page, seen, toy_site

SCENE = Scene(
    title="A toy", summary="It stands for any.", leaves_out="Everything.", sources=("toy2020",),
    params=(Range("m", "M", (1, 2, 3)), Choice("n", "N", ("a", "b")), Toggle("on", "On"),
            Range("late", "Late", (1, 2), when={"on": (True,)})),
    steps=lambda **_: [1], draw=lambda state, width: [], table=lambda **_: Table((), []),
    values=lambda **_: {"v": Value(1)},
)  # fmt: skip
FOUND = LoadedScene("toy", "scenes/toy/scene.py", Path("scenes/toy"), SCENE)
PEN, WIDE = Pen(328), Pen(840)
RAIL = ((40.0, 50.0), (80.0, 50.0), (120.0, 90.0))


def wrong(mark: Mark, width: str = "narrow") -> list[str]:
    """What is wrong with a mark."""
    return [message for message, _ in mark_mistakes(mark, SCENE, width)]


@pytest.mark.parametrize("at", RAIL)
def test_knob_on_its_rail_is_right_at_both_widths(at):
    assert wrong(PEN.knob("k", *at, "m", RAIL)) == []
    assert wrong(WIDE.knob("k", *at, "m", RAIL), "wide") == []


def test_knob_of_two_parameters_has_a_place_for_each_pair():
    rail = [(40 + 30 * m, 50 + 30 * n) for m in range(3) for n in range(2)]
    assert wrong(PEN.knob("k", 100, 80, ("m", "n"), rail)) == []
    assert wrong(PEN.knob("k", 100, 80, ("m", "n"), rail[:-1])) == ["runs along 5 places for 6 values"]


@pytest.mark.parametrize("rail", [list(RAIL), [list(place) for place in RAIL], np.array(RAIL), iter(RAIL)],
                         ids=["list", "lists", "array", "iterator"])  # fmt: skip
def test_rail_of_any_mark_may_be_whatever_has_points(rail):
    mark = PEN.rect("k", Box(25, 35, 30, 30), "hot", handle=Handle(["m"], rail))
    assert wrong(mark) == [] and hash(mark.handle) == hash(Handle(("m",), RAIL))


def test_handle_of_an_unknown_parameter_is_told_with_what_was_meant():
    [(message, hint)] = mark_mistakes(PEN.knob("k", 40, 50, "mm", RAIL), SCENE, "narrow")
    assert message == "is a handle of the unknown parameter 'mm'"
    assert "'m'" in hint


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_rail_with_too_few_or_too_many_places_is_told(count):
    assert wrong(PEN.knob("k", 40, 50, "m", [(40, 50)] * count)) == [f"runs along {count} places for 3 values"]


def test_handle_that_is_not_where_its_rail_has_the_present_value_is_told():
    def beside(knob: Mark, value: int) -> list[str]:
        return [message for _, message, _ in rail_mistakes([knob], SCENE, {"m": value})]

    here, other = (SCENE.param("m").values[at] for at in (0, 1))
    assert beside(PEN.knob("k", 60, 50, "m", RAIL), here) == ["mark 'k' stands beside its rail"]
    assert beside(PEN.knob("k", *RAIL[0], "m", RAIL), other) == ["mark 'k' stands beside its rail"]
    assert beside(PEN.knob("k", *RAIL[1], "m", RAIL), other) == []
    assert beside(PEN.knob("k", 40.6, 50.6, "m", RAIL), here) == []  # less than can be seen


@pytest.mark.parametrize("odd", [float("nan"), float("inf")])
def test_rail_that_leads_nowhere_is_told(odd):
    assert wrong(PEN.knob("k", 40, 50, "m", (*RAIL[:2], (odd, 0)))) == ["runs along a place that is not finite"]


def test_handle_that_is_a_button_as_well_is_told():
    both = PEN.knob("k", 40, 50, "m", RAIL)._replace(set={"m": "1"}, label="go")
    assert wrong(both) == ["is a handle that can't be moved"]


def test_handle_of_three_parameters_or_none_is_told():
    rail = [(40, 50)] * 12
    assert wrong(PEN.knob("k", 40, 50, ("m", "n", "on"), rail)) == ["is a handle that can't be moved"]
    assert "is a handle that can't be moved" in wrong(PEN.knob("k", 40, 50, (), rail[:1]))


@given(width=st.floats(1, 60), height=st.floats(1, 60), grip=st.booleans())
@settings(max_examples=100, deadline=None, derandomize=True)
def test_handle_that_a_finger_would_miss_is_told(width, height, grip):
    """At 360 CSS px the narrow drawing stands in its own units; a grip has a ring of 8 round it."""
    box = Box(100 - width / 2, 50 - height / 2, width, height)
    mark = PEN.rect("k", box, "grip" if grip else "data", handle=Handle(("m",), ((100.0, 50.0),) * 3))
    small = min(width, height) + 16 * grip < 24
    assert wrong(mark) == (["is a handle smaller than 24 px"] if small else [])


def test_wide_drawing_is_shown_smaller_than_its_units():
    """A handle of 24 units is 20 CSS px where the stage is at its smallest."""
    mark = WIDE.rect("k", Box(88, 38, 24, 24), "data", handle=Handle(("m",), ((100.0, 50.0),) * 3))
    assert wrong(mark, "wide") == ["is a handle smaller than 24 px"]


def beats(*chapters: Chapter) -> list[str]:
    return [seen(problem) for problem in beat_problems(FOUND, chapters, "(m=1)")]


def test_beats_in_order_within_their_time_are_right():
    assert beats(Chapter("a"), Chapter("abc", (0.0, 1.0, 1.0)), Chapter("ab", (0.5, 19.0))) == []


@pytest.mark.parametrize(("states", "times"), [("ab", (0.0,)), ("a", (0.0, 1.0)), ("", ()), ("", (0.0,))])
def test_each_beat_needs_a_time(states, times):
    counts = f"{count(len(states), 'beat')} and {count(len(times), 'time')}"
    assert beats(Chapter("a"), Chapter(states, times)) == [f"scene 'toy': step 2 has {counts} (m=1)"]


@pytest.mark.parametrize("times", [(1.0, 0.5), (-1.0, 0.0), (0.0, float("nan")), (float("inf"), float("inf"))])
def test_times_that_do_not_follow_one_another_are_told(times):
    assert beats(Chapter("ab", times)) == ["scene 'toy': the beats of step 1 are not in order (m=1)"]


def test_beats_that_are_wrong_alike_in_many_steps_are_told_once():
    chapters = [Chapter("a"), *[Chapter("ab", (0.0,))] * 3, *[Chapter("ab", (1.0, 0.0))] * 2]
    assert beats(*chapters) == [
        "scene 'toy': step 2 has 2 beats and 1 time, and 2 more steps like it (m=1)",
        "scene 'toy': the beats of step 5 are not in order, and 1 more step like it (m=1)",
    ]


def test_beats_that_nobody_would_watch_to_the_end_are_told():
    (message,) = beats(*[Chapter("ab", (0.0, 7.0))] * 3)
    assert message == "scene 'toy': its beats take 21 s of the 20 s that a reader may be asked to watch (m=1)"


def sentence(text: str, on: bool) -> list[Segment]:
    """The parts of a scene's sentence, where `late` matters or does not."""
    info = describe("toy", FOUND.path, replace(SCENE, sentence=text))
    controls = [Control(f"toy-{one.name}", one, 0, one.name != "late" or on) for one in info.params]
    others = dict.fromkeys(one.name for one in fields(SceneFigure))
    return SceneFigure(**{**others, "info": info, "controls": controls}).phrase


def written(piece: str | Control) -> str:
    """A piece of a sentence; what no line's end may divide stands in brackets."""
    if isinstance(piece, str):
        return piece
    return f"[{piece.lead}<{piece.param.name}>{piece.sign}]" if piece.lead else f"<{piece.param.name}>{piece.sign}"


def told(segments: list[Segment]) -> list[tuple[str, tuple[str, ...], bool]]:
    """What stands in each part, which parameters it is about, and whether it shows."""
    words = ["".join(map(written, one.pieces)) for one in segments]
    return [(text, one.about, one.shown) for text, one in zip(words, segments, strict=True)]


def test_sentence_holds_its_parameters_where_it_names_them():
    assert told(sentence("Take {m} of {n}.", on=False)) == [("Take <m> of <n>.", (), True)]
    assert sentence("", on=True) == []


def test_no_break_space_keeps_a_word_and_its_parameter_on_one_line():
    assert told(sentence("Take top\u00a0{m}, or\u00a0{n}.", on=False)) == [
        ("Take [top\u00a0<m>,] [or\u00a0<n>.]", (), True)
    ]
    assert told(sentence("{m}\u00a0{n}", on=False)) == [("<m>[\u00a0<n>]", (), True)]


@pytest.mark.parametrize("on", [True, False])
def test_part_in_brackets_goes_with_the_parameters_that_it_names(on):
    assert told(sentence("Take {m}[ and {late} later], {on}.", on)) == [
        ("Take <m>", (), True), (" and <late> later", ("late",), on), (", <on>.", (), True),
    ]  # fmt: skip


def test_part_in_brackets_stays_while_one_of_its_parameters_matters():
    assert told(sentence("[{late} or {m}] go.", on=False))[0] == ("<late> or <m>", ("late", "m"), True)


@pytest.mark.parametrize(
    ("steps", "plays"),
    [("[0]", False), ("range(count - 1)", True), ("[Chapter((0, 1), (0.0, 0.3))]", True)],
    ids=["always one picture", "more for another choice", "beats"],
)
def test_transport_is_there_where_a_choice_has_more_than_one_picture(tmp_path, steps, plays):
    code = altered(
        TOY,
        ("    return [(count, mode, twice, at) for at in range(count)]", f"    return [*{steps}]"),
        ("import Choice", "import Chapter, Choice"),
        ("40 * (state[3] + 1)", "40 + 40 * state"),
        ('f"step {state[3] + 1}"', 'f"step {state + 1}"'),
        ("Step {state[3] + 1} of {state[0]}.", "Step {state + 1}."),
    )
    root = toy_site(tmp_path, index="# Toy\n\n:::{scene} toy\n:::\n", **{"scenes/toy/scene.py": code})
    assert (page(built(root)).find(".//fieldset[@class='transport controls']").get("hidden") is None) == plays


def test_words_under_an_axis_can_be_clear_of_a_knob_that_stands_on_it():
    plot = Plot(Pen(328), Box(50, 30, 200, 100), Axis("load", "%", (0, 100)), Axis("wait", "ms", (0, 9)))
    plain, lower = ({mark.key: bounds(mark)[1] for mark in plot.axes(drop=drop)} for drop in (0, 7))
    below = {key for key in plain if key.startswith("plot-x-") and "axis" not in key and "tick" not in key}
    assert len(below) == 7 and {key: plain[key] + 7 for key in below} == {key: lower[key] for key in below}
    assert all(plain[key] == lower[key] for key in plain.keys() - below)
    assert min(lower[key] for key in below) >= plot.box.bottom + plot.pen.knob_radius - 1
