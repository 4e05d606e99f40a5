"""Check GPTQ's step for two weights against loops that share no code, and the picture against the numbers."""

import itertools
import math
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.gptq.model import ALIKE, INPUTS, WEIGHTS, Case, inputs
from scenes.gptq.scene import SCENE
from scenes.gptq.stage import NARROW, WIDE
from tests.boxes import answer_lines

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


def test_inputs_have_mean_squares_of_one_and_the_correlation_as_their_mean_product_so_bars_have_the_error_as_rms():
    for case in ALL[::17]:
        first, second = inputs(case.alike).tolist()
        for one, two, wanted in ((first, first, 1), (second, second, 1), (first, second, case.alike)):
            assert sum(a * b for a, b in zip(one, two, strict=True)) / INPUTS == pytest.approx(wanted, abs=1e-9)
        sums = sum(case.pulls(*case.chosen.tolist())).tolist()
        assert math.sqrt(sum(error**2 for error in sums) / INPUTS) == pytest.approx(case.error, abs=1e-7)


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
def test_the_two_weights_are_dragged_over_the_plane(stage):
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(one=0.3, two=0.7).steps[0], stage.width)}
    knob = marks["weights"]
    assert knob.handle.params == ("one", "two") and len(knob.handle.rail) == len(WEIGHTS) ** 2
    assert knob.handle.rail[3 * len(WEIGHTS) + 7] == (knob.shape["cx"], knob.shape["cy"])
    assert knob.shape["cx"] == pytest.approx(stage.plane.x + stage.plane.width * (0.3 + 0.5) / 2)


def test_the_way_grows_step_by_step_and_ends_on_a_code():
    assert "way" not in frame(0)
    places = [re.findall(r"[ML]([^ML]+)", frame(step)["way"].shape["d"]) for step in range(1, 4)]
    assert [len(dict.fromkeys(found)) for found in places] == [2, 3, 4]
    assert all(len(found) == 4 for found in places)  # so that it grows, and does not come anew
    here, code = frame(3)["here"].shape, frame(3)["code1"].shape  # first 0, second 1
    assert (here["cx"], here["cy"]) == (code["cx"], code["cy"])


def test_opening_says_the_error_in_large_type_beside_that_of_plain_rounding():
    for width, size in (("narrow", 26), ("wide", 32)):
        marks = frame(SCENE.opening, width)
        assert (marks["answer"].text, marks["answer"].shape["font-size"]) == ("0.3", size)
        assert answer_lines(marks)[1].startswith("0.78") and "answer" in marks["answer"].role


def bars(mark):
    """How far each bar of a row reaches up from its zero [units]."""
    boxes = re.findall(r"M\S+ ([\d.-]+)L\S+ ([\d.-]+)L", mark.shape["d"])
    return [float(zero) - float(end) for zero, end in boxes]


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
def test_each_row_has_the_error_of_a_weight_times_each_input_and_the_third_their_sum(stage):
    for case in ALL[::23]:
        chapters = SCENE.run(one=case.one, two=case.two, alike=case.alike).chapters
        for step, state in ((step, state) for step, chapter in enumerate(chapters) for state in chapter.states):
            marks = {mark.key: mark for mark in SCENE.draw(state, stage.width)}
            place = marks["here" if step else "off"].shape
            off = ((place["cx"] - stage.plane.x) / stage.plane.width * 2 - 0.5 - case.one,
                   (stage.plane.bottom - place["cy"]) / stage.plane.height * 2 - 0.5 - case.two)  # fmt: skip
            first, second = ([by * meets for meets in row] for by, row in zip(off, inputs(case.alike), strict=True))
            rows = (
                ("first", first),
                ("second", second),
                ("sum" if step else "plain", [a + b for a, b in zip(first, second, strict=True)]),
            )
            for key, wanted in rows:
                assert bars(marks[key]) == pytest.approx([stage.unit * height for height in wanted], abs=0.51)
            assert float(marks["answer"].text) == pytest.approx(off_by(*off, case.alike), rel=0.06, abs=2e-3)


def test_the_loss_of_plain_rounding_stays_behind_the_smaller_sum_in_the_same_row():
    plain, *ways = (frame(step) for step in range(4))
    assert "dropped" in plain["plain"].role and "sum" not in plain and "soft" not in plain["plain"].role
    for marks in ways:
        assert marks["plain"].shape == plain["plain"].shape and "soft" in marks["plain"].role
        assert list(marks).index("plain") < list(marks).index("sum")
    first, second = bars(ways[-1]["first"]), bars(ways[-1]["second"])
    assert sum(one * two < 0 for one, two in zip(first, second, strict=True)) >= INPUTS - 1  # they cancel
    first, second = bars(plain["first"]), bars(plain["second"])
    assert sum(one * two > 0 for one, two in zip(first, second, strict=True)) >= INPUTS - 1  # they add up


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
def test_no_bar_reaches_into_the_words_above_it_or_out_of_the_stage(stage):
    for case in ALL[::3]:
        for chapter in SCENE.run(one=case.one, two=case.two, alike=case.alike).chapters:
            marks = {mark.key: mark for mark in SCENE.draw(chapter.states[-1], stage.width)}
            for row, keys in enumerate((["first"], ["second"], ["plain", "sum"])):
                for key in keys:
                    if key in marks:
                        assert max(bars(marks[key])) < stage.zeros[row] - bounds(marks[f"row{row}"])[3] + 1
                        below = bounds(marks[f"row{row + 1}" if row < 2 else "inputs"])[1]
                        assert -min(bars(marks[key])) < below - stage.zeros[row] + 1


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
def test_the_second_weight_moves_to_a_dotted_line_that_leads_from_edge_to_edge_through_the_weights(stage):
    for case in ALL[::7]:
        marks = {mark.key: mark for mark in SCENE.draw(
            SCENE.run(one=case.one, two=case.two, alike=case.alike).steps[2], stage.width)}  # fmt: skip
        (x1, y1), (x2, y2) = (
            tuple(map(float, end)) for end in re.findall(r"[ML](\S+) ([^ML]+)", marks["best"].shape["d"])
        )
        box = stage.plane
        for x, y in ((x1, y1), (x2, y2)):
            assert min(abs(x - box.x), abs(x - box.right), abs(y - box.y), abs(y - box.bottom)) < 0.1
            assert box.x - 0.1 <= x <= box.right + 0.1 and box.y - 0.1 <= y <= box.bottom + 0.1
        for place in (marks["here"].shape, marks["weights"].shape):
            assert y1 + (y2 - y1) * (place["cx"] - x1) / (x2 - x1) == pytest.approx(place["cy"], abs=0.3)


def test_words_of_the_first_step_say_whether_the_two_errors_add_up_for_the_inputs_that_are_drawn():
    for case in ALL:
        said = SCENE.say(SCENE.run(one=case.one, two=case.two, alike=case.alike).steps[0])
        first, second = case.pulls(*case.nearest.tolist()).tolist()
        same = [one * two > 0 for one, two in zip(first, second, strict=True) if abs(one * two) > 1e-12]
        assert ("add up." in said and "neither" not in said) == (sum(same) > INPUTS / 2)
        assert ("mostly cancel." in said) == (len(same) == INPUTS and sum(same) < INPUTS / 2)
        assert ("neither" in said) == (len(same) == INPUTS and sum(same) == INPUTS / 2)
        assert ("only the" in said or "both are whole" in said) == (not same)


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


def test_words_differ_from_step_to_step_and_signs_stand_in_brackets():
    for one, two, alike in itertools.product(WEIGHTS[::2], WEIGHTS[::3], ALIKE):
        says = [SCENE.say(state) for state in SCENE.run(one=one, two=two, alike=alike).steps]
        assert len(set(says)) == 4
        assert not says[1].endswith("off by 0.")
        assert not any("·" in words or "× −" in words or "+ −" in words or "-" in words for words in says)


@pytest.mark.parametrize("width", WIDTHS)
def test_all_stays_on_the_stage(width):
    for one, two, alike in itertools.product((0.0, 0.5, 1.0), (0.0, 0.5, 1.0), ALIKE):
        for step in range(4):
            marks = frame(step, width, one=one, two=two, alike=alike)
            assert max(bounds(mark)[3] for mark in marks.values()) <= 340


def test_the_two_ways_differ_in_more_than_their_hue():
    for dashed, solid in (("nearest", "way"),):
        drawn = {**frame(0), **frame(-1)}
        assert "dashed" in drawn[dashed].role.split() and "dashed" not in drawn[solid].role.split()


def test_second_weight_that_did_not_move_is_rounded_without_more_words():
    for one in (0.0, 1.0):
        assert SCENE.say(SCENE.run(one=one).steps[-1]).startswith("It is rounded to 0, its nearest.")
