"""Check GPTQ's step for two weights against loops that share no code, and the picture against the numbers."""

import itertools
import math
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.gptq.model import ALIKE, WEIGHTS, Case
from scenes.gptq.scene import SCENE
from scenes.gptq.stage import MOST, NARROW, WIDE
from tests.boxes import answer_lines, touching

ALL = [Case(one, two, alike) for one in WEIGHTS for two in WEIGHTS for alike in ALIKE]


def off_by(first, second, alike):
    """Oracle: RMS of the output's error over four inputs whose squares average 1, and their products `alike`."""
    squares = [
        (first * a + second * (alike * a + math.sqrt(1 - alike**2) * b)) ** 2
        for a, b in itertools.product((-1, 1), repeat=2)
    ]
    return math.sqrt(sum(squares) / 4)


def frame(step, width="wide", **params):
    return {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).steps[step], WIDTHS[width])}


def test_errors_are_those_of_four_inputs_worked_one_by_one():
    for case in ALL:
        for found, codes in ((case.plain_error, case.nearest), (case.error, case.chosen)):
            wanted = off_by(codes[0] - case.one, codes[1] - case.two, case.alike)
            assert found == pytest.approx(wanted, abs=1e-9)


def test_second_weight_moves_to_where_no_other_value_makes_up_for_more():
    for case in ALL:
        first = case.nearest[0] - case.one
        best = min((off_by(first, at / 200 - case.two, case.alike), at / 200) for at in range(-200, 401))[1]
        assert case.moved == pytest.approx(best, abs=0.0051)


def test_the_worked_example_by_hand():
    # 0.4 goes to 0 and is off by 0.4; 0.4 + 0.9 · 0.4 = 0.76 goes to 1: 0.4² + 0.6² − 2 · 0.9 · 0.4 · 0.6 = 0.088.
    case = Case(0.4, 0.4, 0.9)
    assert (case.nearest.tolist(), case.chosen.tolist()) == ([0, 0], [0, 1])
    assert case.moved == pytest.approx(0.76)
    assert case.error == pytest.approx(math.sqrt(0.088)) and case.plain_error == pytest.approx(math.sqrt(0.608))


def test_unrelated_inputs_leave_the_second_weight_where_it_was():
    for case in ALL:
        if case.alike == 0:
            assert case.moved == case.two and case.chosen.tolist() == case.nearest.tolist()


def test_making_up_is_never_worse_than_rounding_to_the_nearest_and_not_always_the_best_of_all_codes():
    regrets = []
    for case in ALL:
        assert case.error <= case.plain_error + 1e-12
        codes = itertools.product(range(-2, 4), repeat=2)
        best = min(off_by(one - case.one, two - case.two, case.alike) for one, two in codes)
        regrets.append(case.error - best)
    assert min(regrets) > -1e-9 and max(regrets) > 0.05


def test_contours_have_one_error_all_along():
    for case in ALL[::17]:
        for one, two in case.contour(0.5).tolist():
            assert off_by(one - case.one, two - case.two, case.alike) == pytest.approx(0.5)


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
def test_the_two_weights_are_dragged_over_the_plane(stage):
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(one=0.3, two=0.7).steps[0], stage.width)}
    knob = marks["weights"]
    assert knob.handle.params == ("one", "two") and len(knob.handle.rail) == len(WEIGHTS) ** 2
    assert knob.handle.rail[3 * len(WEIGHTS) + 7] == (knob.shape["cx"], knob.shape["cy"])
    assert knob.shape["cx"] == pytest.approx(stage.plane.x + stage.plane.width * (0.3 + 0.5) / 2)


def test_the_way_grows_step_by_step_and_ends_on_a_code():
    places = [re.findall(r"[ML]([^ML]+)", frame(step)["way"].shape["d"]) for step in range(4)]
    assert [len(dict.fromkeys(found)) for found in places] == [1, 2, 3, 4]
    assert all(len(found) == 4 for found in places)  # so that it grows, and does not come anew
    here, code = frame(3)["here"].shape, frame(3)["code1"].shape  # first 0, second 1
    assert (here["cx"], here["cy"]) == (code["cx"], code["cy"])


def test_opening_says_the_error_in_large_type_beside_that_of_plain_rounding():
    for width, size in (("narrow", 26), ("wide", 32)):
        marks = frame(SCENE.opening, width)
        assert (marks["answer"].text, marks["answer"].shape["font-size"]) == ("0.3", size)
        assert answer_lines(marks)[1].startswith("0.78") and "answer" in marks["answer"].role


def profile(marks):
    return [tuple(map(float, point)) for point in re.findall(r"[ML]([\d.-]+) ([\d.-]+)", marks["profile"].shape["d"])]


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
def test_the_profile_has_the_error_of_each_second_weight_beside_the_first_where_it_is(stage):
    for case in ALL[::23]:
        state = SCENE.run(one=case.one, two=case.two, alike=case.alike).steps[2]
        marks = {mark.key: mark for mark in SCENE.draw(state, stage.width)}
        first = int(case.nearest[0])
        assert marks["profile-name"].text.endswith(f" {first}")
        for x, y in profile(marks):
            second = (stage.plane.bottom - y) / stage.plane.height * 2 - 0.5
            error = (x - stage.profile.x) / stage.profile.width * MOST
            assert error == pytest.approx(off_by(first - case.one, second - case.two, case.alike), abs=0.01)
        assert min(profile(marks))[0] == pytest.approx(marks["off"].shape["cx"], abs=0.2)  # it moved to the least error


@pytest.mark.parametrize("width", WIDTHS)
def test_both_ways_of_rounding_end_on_the_profile_with_their_error_and_say_it(width):
    for case in ALL[::23]:
        marks = frame(3, width, one=case.one, two=case.two, alike=case.alike)
        for second, error in ((case.nearest[1], case.plain_error), (case.chosen[1], case.error)):
            end = marks.get(f"end{int(second)}", marks["off"]).shape
            stage = {328: NARROW, 840: WIDE}[WIDTHS[width]]
            assert (end["cx"], end["cy"]) == pytest.approx(stage.off(error, second))
            words = marks[f"end{int(second)}-value"].text
            assert float(words) == pytest.approx(error, rel=0.06, abs=1e-9)
        assert marks["off"].shape["cx"] == pytest.approx(end["cx"])
        same = case.nearest[1] == case.chosen[1]
        assert ("end0-name" in marks) + ("end1-name" in marks) == 2 - same
        assert ("GPTQ" in marks[f"end{int(second)}-name"].text) or (same and width == "narrow")


def test_plain_rounding_is_on_the_profile_once_the_first_has_come_to_its_nearest_and_gptq_once_it_is_there():
    assert [[key for key in ("end0-name", "end1-name") if key in frame(step)] for step in range(4)] == [
        [], ["end0-name"], ["end0-name"], ["end0-name", "end1-name"]
    ]  # fmt: skip


def test_a_dashed_line_leads_to_the_nearest_crossing_which_is_drawn_as_a_loss():
    for step in range(4):
        marks = frame(step)
        (x, y), code = WIDE.at(0, 0), marks["code0"]
        assert marks["nearest"].shape["d"].endswith(f"{x:g} {y:g}") and "dashed" in marks["nearest"].role
        assert code.role == "dropped" and float(code.read.split()[-1]) == 0.78
        assert [marks[f"code{at}"].role for at in (1, 2, 3)] == ["axis"] * 3


def test_the_large_number_is_the_error_where_the_weights_are_and_under_it_stands_what_the_chapter_did():
    frames = [frame(step, one=0.4, two=0.4, alike=0.9) for step in range(4)]
    assert [marks["answer"].text for marks in frames] == ["0.78", "0.4", "0.17", "0.3"]
    assert [answer_lines(marks)[1] for marks in frames[1:]] == [
        "the first weight is off by 0.4", "the second moves by 0.36", "0.78 with each at its nearest"
    ]  # fmt: skip
    assert [answer_lines(frame(step, one=0.0))[1] for step in (1, 2)] == ["the first weight stays", "the second stays"]


def test_the_end_says_that_plain_rounding_loses_more_only_where_it_does_and_in_the_digits_of_the_sentence():
    for case in ALL[::7]:
        marks = frame(-1, one=case.one, two=case.two, alike=case.alike)
        same = case.nearest.tolist() == case.chosen.tolist()
        second = next(mark for mark in marks.values() if mark.text == answer_lines(marks)[1])
        assert (second.text == "as with each at its nearest") == same == ("dropped" not in second.role)
        said = SCENE.say(SCENE.run(one=case.one, two=case.two, alike=case.alike).steps[-1])
        assert f"The output is off by {marks['answer'].text} (RMS)" in said
        assert same or said.endswith(f"each at its nearest, {second.text.split()[0]}.")


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
def test_weights_move_in_beats_on_an_ellipse_of_the_error_that_they_have_on_the_way(stage):
    for case in ALL[::29]:
        chapters = SCENE.run(one=case.one, two=case.two, alike=case.alike).chapters
        assert [len(chapter.states) for chapter in chapters] == [1, 2, 3, 3]
        for state in (state for chapter in chapters[1:] for state in chapter.states):
            marks = {mark.key: mark for mark in SCENE.draw(state, stage.width)}
            x, y = marks["here"].shape["cx"], marks["here"].shape["cy"]
            one, two = ((x - stage.plane.x) / stage.plane.width * 2 - 0.5,
                        (stage.plane.bottom - y) / stage.plane.height * 2 - 0.5)  # fmt: skip
            off = off_by(one - case.one, two - case.two, case.alike)
            assert float(marks["answer"].text) == pytest.approx(off, rel=0.06, abs=2e-3)
            wanted = [stage.at(*point) for point in case.contour(off).tolist()]
            places = re.findall(r"[ML]([\d.-]+) ([\d.-]+)", marks["best"].shape["d"])
            for place in (tuple(map(float, found)) for found in places[3:-3:9]):
                assert min(math.dist(place, point) for point in wanted) < 0.1 * stage.plane.width


def test_curves_end_at_the_edge_of_the_plane():
    for case in ALL[::7]:
        box = WIDE.plane
        for step, key in ((0, "plain"), (3, "best")):
            drawn = frame(step, one=case.one, two=case.two, alike=case.alike)
            for piece in drawn[key].shape["d"].split("M")[1:]:
                points = [tuple(map(float, point.split())) for point in piece.split("L")]
                for x, y in (points[0], points[-1]) if math.dist(points[0], points[-1]) > 0.2 else ():
                    assert min(abs(x - box.x), abs(x - box.right), abs(y - box.y), abs(y - box.bottom)) < 0.2


def test_words_differ_from_step_to_step_and_signs_stand_in_brackets():
    for one, two, alike in itertools.product(WEIGHTS[::2], WEIGHTS[::3], ALIKE):
        says = [SCENE.say(state) for state in SCENE.run(one=one, two=two, alike=alike).steps]
        assert len(set(says)) == 4 and all(len(words) <= 190 for words in says)
        assert not says[1].endswith("off by 0.")
        assert not any("· −" in words or "+ −" in words or "-" in words for words in says)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_two_texts_touch_and_all_stays_on_the_stage(width):
    for one, two, alike in itertools.product((0.0, 0.5, 1.0), (0.0, 0.5, 1.0), ALIKE):
        for step in range(4):
            marks = frame(step, width, one=one, two=two, alike=alike)
            assert not touching(marks.values(), across=0, down=3)
            assert max(bounds(mark)[3] for mark in marks.values()) <= 340


def test_the_two_ways_and_the_two_curves_differ_in_more_than_their_hue():
    for dashed, solid in (("plain", "best"), ("nearest", "way")):
        drawn = {**frame(0), **frame(-1)}
        assert "dashed" in drawn[dashed].role.split() and "dashed" not in drawn[solid].role.split()
