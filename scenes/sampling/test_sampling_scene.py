"""Check what the reader meets: values, table, words and pictures agree with the model in every state."""

import itertools
import math

import numpy as np
import pytest

from loom.draw import text_width
from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.sampling.drawing import TEMPERATURES
from scenes.sampling.line import SUMS
from scenes.sampling.model import LOGITS_OF, PHASES, TOKENS
from scenes.sampling.rules import OFF as SETTINGS_OFF
from scenes.sampling.scene import SCENE
from scenes.sampling.words import percent
from tests.boxes import box, overlap

DEFAULT = SCENE.defaults
GRID = list(SCENE.grid())
# The softmax of the toy, worked out apart from the model.
PLAIN = {word: math.exp(logit) / math.fsum(map(math.exp, LOGITS_OF.values())) for word, logit in LOGITS_OF.items()}


def states(**params):
    return SCENE.run(**params).steps


def at(phase, **params):
    """The picture with which a chapter ends."""
    return next(state for state in states(**params) if state.phase == phase)


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def frame(phase, width="wide", **params):
    return marks(at(phase, **params), width)


def numbers(**params):
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def said(phase, **params):
    return SCENE.say(at(phase, **params))


def test_toy_has_a_head_and_a_tail():
    shares = sorted(PLAIN.values(), reverse=True)
    assert len(TOKENS) == 12
    assert shares[0] < 0.5 and math.fsum(shares[:4]) > 0.75 and shares[-1] < 0.005
    assert tuple(sorted(TOKENS)) == TOKENS  # by id, not by likelihood


@pytest.mark.parametrize("params", GRID[::3], ids=lambda params: "-".join(map(str, params.values())))
def test_values_table_and_bounds_agree_with_each_other(params):
    values, rows = numbers(**params), SCENE.run(**params).table.rows
    kept = [row for row in rows if row[4] == "yes"]
    assert values["kept"] == len(kept) >= 1
    assert values["kept"] + sum(values[f"cut_{rule}"] for rule in DEFAULT) == values["tokens"] == len(rows)
    assert values["kept_mass"] == pytest.approx(math.fsum(row[3] for row in kept), rel=1e-9)
    assert values["largest"] == pytest.approx(max(row[5] for row in rows), rel=1e-9)
    assert math.fsum(row[2] for row in rows) == pytest.approx(100, rel=1e-13)
    assert math.fsum(row[5] for row in rows) == pytest.approx(100, rel=1e-13)
    bits = -math.fsum(row[5] / 100 * math.log2(row[5] / 100) for row in kept)
    assert values["entropy"] == pytest.approx(bits, abs=1e-12)
    assert values["effective"] == pytest.approx(2**bits, rel=1e-12)
    assert 1 <= values["effective"] <= values["kept"] + 1e-9
    assert values["reached"] >= 100 * params["top_p"] - 1e-9
    least = min(row[3] for row in rows)  # at T = 0.1 less than the last digit of 100%
    assert values["short"] < 100 * params["top_p"] or (params["top_p"] == 1 and 100 - least == 100)
    for row in rows:
        assert row[2] == pytest.approx(100 * PLAIN[row[0]], rel=1e-13)
        assert (row[5] > 0) == (row[4] == "yes")


def test_rule_that_cut_a_token_is_named_in_its_row():
    verdicts = {row[0]: row[4] for row in SCENE.run(temperature=1, top_k=5, top_p=0.9, min_p=0.2).table.rows}
    assert verdicts["stairs"] == "yes"
    assert verdicts["hill"] == "cut by top-p"
    assert verdicts["moon"] == "cut by top-k"
    greedy = SCENE.run(temperature=0).table.rows
    assert [row[4] for row in greedy] == ["yes", *["cut by temperature"] * 11]


def test_five_by_top_k_and_six_by_top_p_are_four_by_both():
    assert (numbers(top_p=1, top_k=5)["kept"], numbers()["kept"], numbers(top_k=5)["kept"]) == (5, 6, 4)


def test_values_print_as_prose_quotes_them():
    shown = {name: str(value) for name, value in SCENE.run().values.items()}
    assert (shown["kept"], shown["kept_mass"], shown["short"]) == ("6", "90.5%", "86.0%")
    assert (shown["entropy_before"], shown["effective_before"], shown["effective"]) == ("2.74\u00a0bits", "6.7", "4.9")
    assert str(SCENE.run(min_p=0.1).values["threshold"]) == "3.7%"
    assert str(SCENE.run(top_p=1).values["kept_mass"]) == "100%"


@pytest.mark.parametrize(
    ("phase", "params", "words"),
    [
        ("temperature", {"temperature": 0}, "greedy"),
        ("temperature", {"temperature": 0.5}, "Stairs goes from 33.4% to 57.1%"),
        ("top_k", {"top_k": 5}, "It cuts 7, which had 14.0% together"),
        ("top_p", {}, "It is 86.0% before rocks, 90.5% with it: rocks stays. 6 words with 9.5% are cut"),
        ("min_p", {"top_p": 1, "min_p": 0.2}, "33.4%, and asks for 20% of that: 6.7%. The 8 below that fall short"),
        ("min_p", {"top_k": 1, "min_p": 0.2}, "It is the only one left"),
        ("drawn", {"top_p": 1}, "Nothing was cut"),
        ("drawn", {"top_k": 1}, "gets 100%: stairs"),
        ("drawn", {}, "The 6 words left had 90.5%"),
        ("drawn", {"top_k": 1}, "stairs, every time"),
        ("drawn", {"top_p": 1}, "as without any rule"),
    ],
)
def test_each_step_says_what_its_rule_does(phase, params, words):
    assert words in said(phase, **params)


def test_narration_differs_from_step_to_step_and_is_short():
    for params in GRID:
        lines = [SCENE.say(state) for state in states(**params)]
        assert len(set(lines)) == len(lines)
        assert all(line.endswith(".") and len(line) <= 200 for line in lines)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("phase", ["plain", "temperature", "top_k", "drawn"])
def test_bars_are_as_long_as_tokens_are_likely(phase, width):
    state = at(phase, temperature=1.5, top_k=5)
    drawn = marks(state, width)
    full = drawn["grid-100"].shape["x1"] - drawn["grid-0"].shape["x1"]
    for word, share in zip(TOKENS, state.shown, strict=True):
        if share:
            assert drawn[f"bar-{word}"].shape["width"] == pytest.approx(full * share)
        assert (f"bar-{word}" in drawn) == (share > 0)


@pytest.mark.parametrize("width", WIDTHS)
def test_bars_that_are_added_up_begin_where_the_one_before_ends_and_the_mark_is_in_the_crossing_one(width):
    drawn = frame("top_p", width)
    order = [word for word, _ in sorted(LOGITS_OF.items(), key=lambda item: -item[1])]
    bars = [drawn[f"bar-{word}"].shape for word in order]
    for before, after in itertools.pairwise(bars):
        assert after["x"] == pytest.approx(before["x"] + before["width"])
    hot = [word for word in order if drawn[f"bar-{word}"].role == "hot"]
    assert hot == ["rocks"]
    crossing = drawn["bar-rocks"].shape
    assert crossing["x"] < drawn["threshold"].shape["x1"] < crossing["x"] + crossing["width"]
    assert {word for word in order if drawn[f"bar-{word}"].role == "dropped"} == set(order[6:])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("temperature", [0.3, 0.5, 1, 2])
@pytest.mark.parametrize("mass", SUMS[:-1])
def test_words_at_the_sum_touch_no_line(mass, temperature, width):
    drawn = frame("top_p", width, top_p=mass, temperature=temperature)
    assert not overlap(box(drawn["sum"]), box(drawn["prompt"]), 0)
    if "cut" in drawn:
        left, _, right, _ = bounds(drawn["cut"])
        assert not left < drawn["threshold"].shape["x1"] < right


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("share", [0.05, 0.1, 0.2])
def test_bars_that_fall_short_of_the_line_of_min_p_are_the_ones_cut(share, width):
    drawn = frame("min_p", width, temperature=1.5, top_p=1, min_p=share)
    line = drawn["threshold"].shape["x1"]
    assert max(drawn[f"bar-{word}"].shape["width"] for word in TOKENS) == pytest.approx(
        drawn["grid-100"].shape["x1"] - drawn["grid-0"].shape["x1"]
    )
    for word in TOKENS:
        bar = drawn[f"bar-{word}"]
        assert (bar.shape["x"] + bar.shape["width"] < line) == (bar.role == "dropped") == (f"strike-{word}" in drawn)


def test_cut_tokens_are_struck_out_and_say_by_which_rule():
    drawn = frame("drawn", top_k=5)
    assert [drawn[f"number-{word}"].text for word in ("hill", "rocks")] == ["✗ top-p", "✗ top-k"]
    assert {key for key in drawn if key.startswith("strike-")} == {
        f"strike-{word}" for word in TOKENS if word not in ("stairs", "steps", "tower", "ladder")
    }
    assert frame("temperature", temperature=0)["number-moon"].text == "✗ greedy"


@pytest.mark.parametrize("width", WIDTHS)
def test_line_of_100_percent_is_whole_and_its_hatched_end_is_what_is_lost(width):
    for params in ({"top_p": 0.5}, {"top_k": 8, "min_p": 0.2}, {"temperature": 0.5}):
        for state in states(**params):
            drawn = marks(state, width)
            parts = [mark.shape for key, mark in drawn.items() if key.startswith("part-") and mark.tag == "rect"]
            assert parts[0]["x"] == drawn["grid-0"].shape["x1"]
            end = max(part["x"] + part["width"] for part in parts)
            assert end == pytest.approx(drawn["grid-100"].shape["x1"], abs=1.1)
            assert ("lost" in drawn) == bool(state.truncates and state.stage.cut.any())


def test_dots_stand_in_the_rows_of_the_words_that_are_said():
    drawn = frame("drawn")
    rows = {drawn[f"name-{word}"].shape["y"]: word for word in TOKENS}
    gap = drawn["name-steps"].shape["y"] - drawn["name-stairs"].shape["y"]

    def word_of(dot):
        middle = dot.shape["y"] + dot.shape["height"] / 2
        return next(word for y, word in rows.items() if abs(y - middle) < gap / 2)

    words = [word_of(drawn[f"hit-{number}"]) for number in range(5)]
    assert f"{', '.join(words[:-1])} and {words[-1]}." in said("drawn")
    rings = {word_of(mark) for key, mark in drawn.items() if key.startswith("ring-") and mark.tag == "rect"}
    assert rings == {"ladder", "roof"}
    assert drawn["ring-label"].text == "without any rule"


@pytest.mark.parametrize("params", GRID[::3], ids=lambda params: "-".join(map(str, params.values())))
def test_only_rules_that_are_on_and_top_p_have_a_step(params):
    greedy = params["temperature"] == 0
    on = ["top_p", *(rule for rule in DEFAULT if SETTINGS_OFF[rule] != params[rule])]
    expected = ["plain", *(["temperature"] if greedy else [rule for rule in PHASES if rule in on]), "drawn"]
    assert [state.phase for state in states(**params)] == expected


def test_random_numbers_fall_one_a_beat():
    chapter = SCENE.run().chapters[-1]
    fallen = [sum(key.startswith("fall-") for key in marks(state)) for state in chapter.states]
    assert fallen == [0, 1, 2, 3, 4, 5]


def test_page_opens_where_top_p_cuts():
    state = states()[SCENE.opening - 1]
    assert state.phase == "top_p"
    assert marks(state)["answer"].text == "6 of 12"


def test_frames_stay_small():
    for params in GRID:
        for state in states(**params):
            assert len(marks(state, "narrow")) <= 150


@pytest.mark.parametrize(
    ("share", "shown"), [(0.0, "0.0%"), (0.0004, "<0.1%"), (0.0006, "0.1%"), (0.3336, "33.4%"), (1.0, "100%")]
)
def test_percentages_say_when_they_are_less_than_shown(share, shown):
    assert percent(share) == shown


def test_percentage_of_a_share_that_is_1_but_for_rounding_is_100():
    assert percent(float(np.nextafter(1, 0))) == "100%"


def test_both_knobs_have_small_steps():
    for values, most in ((TEMPERATURES, 0.1), (SUMS, 0.025)):
        assert all(after - before == pytest.approx(most) for before, after in itertools.pairwise(values))
    assert "sum 92.5%" in {mark.text for mark in marks(at("top_p", top_p=0.925)).values()}
    assert "reaches 92.5%." in SCENE.say(at("top_p", top_p=0.925))


@pytest.mark.parametrize("params", [{}, {"top_k": 5}, {"min_p": 0.1, "temperature": 2}])
def test_what_each_rule_has_left_stands_beside_its_track_and_on_the_stage(params):
    for state in states(**params):
        drawn = marks(state)
        for key in [key for key in drawn if key.startswith("left-") and key.endswith("-words")]:
            track = drawn[key.replace("left", "track").removesuffix("-words")].shape
            left, _, right, _ = bounds(drawn[key])
            assert track["x"] + track["width"] < left and right < 840 - 20


@pytest.mark.parametrize("params", GRID[::3], ids=str)
def test_a_sentence_takes_three_lines_of_a_phone(params):
    assert all(text_width(SCENE.say(state), 1) <= 57.5 for state in SCENE.run(**params).steps)


def test_few_words_that_min_p_cuts_are_named_and_many_are_counted():
    assert said("min_p", temperature=2, top_p=1, min_p=0.1).endswith("Moon falls short.")
    assert "The 11 below that" in said("min_p", temperature=0.1, top_p=1, min_p=0.1)


def test_no_line_ends_between_the_halves_of_a_rule_s_name():
    names = ("top-\u2060k", "top-\u2060p", "min-\u2060p")
    assert all(name in SCENE.sentence for name in names)
