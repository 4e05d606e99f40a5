"""Check what the reader meets: values, words and pictures agree with the model in every state."""

import itertools
import math

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.rope_extension.drawing import FACTORS
from scenes.rope_extension.narration import PHASES
from scenes.rope_extension.rotary import rotary
from scenes.rope_extension.scene import BASES, ROWS, SCENE

GRID = [*SCENE.grid()]
EXTREMES = [params for params in GRID if params["base"] in (BASES[0], BASES[-1]) and params["factor"] in (2, 8, 32)]
METHODS = ("interpolation", "ntk-aware", "yarn")
NAMES = [phase.name for phase in PHASES]


def values(**params):
    """Every value as a plain number."""
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def name_of(params):
    return "-".join(map(str, params.values()))


# facts/attention.md sections 3 and 4, d = 128.
@pytest.mark.parametrize(
    ("params", "name", "expected", "tolerance"),
    [
        ({}, "shortest", 6.28, 0.005),
        ({}, "unextended_longest", 54_410, 0.5),
        ({"base": 500_000}, "unextended_longest", 2.56e6, 5e3),
        ({"base": 1_000_000}, "unextended_longest", 5.06e6, 5e3),
        ({"method": "ntk-aware", "factor": 8}, "new_base", 82_685, 0.5),
        ({"method": "ntk-aware", "factor": 32}, "new_base", 338_097, 0.5),
        ({"method": "yarn", "factor": 32}, "new_base", 10_000, 0),
        ({"method": "yarn", "factor": 8}, "temperature", 1.208, 5e-4),
        ({"method": "yarn", "factor": 32}, "logit_factor", 1.813, 5e-4),
        ({"method": "yarn", "factor": 32}, "target", 131_072, 0),
    ],
)
def test_values_are_those_of_the_facts(params, name, expected, tolerance):
    assert values(**params)[name] == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize("base", BASES)
def test_pairs_that_never_turn_are_counted_from_the_formula(base):
    # 2 pi b^(2i/d) > L exactly when i > (d/2) ln(L / 2 pi) / ln b.
    expected = 63 - math.floor(64 * math.log(4096 / (2 * math.pi)) / math.log(base))
    assert values(base=base)["never_turn"] == expected
    assert int(rotary(base, "none", 8).unseen.sum()) == expected


@pytest.mark.parametrize(("base", "factor"), [*itertools.product(BASES, FACTORS)])
def test_each_method_pays_with_something_else(base, factor):
    pi, ntk, yarn = (values(base=base, method=method, factor=factor) for method in METHODS)
    assert (pi["unseen"], pi["untouched"], pi["stretched_fully"]) == (0, 0, 64)
    assert pi["neighbours"] == pytest.approx(math.degrees(1) / factor)
    assert (ntk["untouched"], ntk["stretched_fully"]) == (1, 1)
    assert ntk["unseen"] == ntk["never_turn"] - 1
    assert (yarn["unseen"], yarn["neighbours"]) == (0, pytest.approx(math.degrees(1)))
    assert yarn["stretched_fully"] == yarn["never_turn"]
    assert pi["longest"] == pytest.approx(pi["unextended_longest"] * factor)
    assert ntk["longest"] == pytest.approx(pi["longest"])
    assert yarn["longest"] == pytest.approx(pi["longest"])
    assert pi["beyond"] == yarn["beyond"] == pi["never_turn"]


@pytest.mark.parametrize("params", GRID, ids=name_of)
def test_table_holds_nine_pairs_whose_numbers_hang_together(params):
    rows = SCENE.run(**params).table.rows
    assert [row[0] for row in rows] == [0, 8, 16, 24, 32, 40, 48, 56, 63] == list(ROWS)
    for pair, theta, wave, turns, new, stretch in rows:
        assert theta == pytest.approx(params["base"] ** (-pair / 64))
        assert wave == pytest.approx(2 * math.pi / theta)
        assert turns == pytest.approx(4096 / wave)
        assert stretch == pytest.approx(new / wave)
        assert 1 - 1e-12 <= stretch <= params["factor"] * (1 + 1e-12)


@pytest.mark.parametrize("params", GRID, ids=name_of)
def test_narration_quotes_the_numbers_of_its_method(params):
    said = [SCENE.say(state) for state in SCENE.run(**params).steps]
    known = values(**params)
    assert len(set(said)) == len(said)
    assert max(map(len, said)) <= 185
    if params["method"] == "yarn":
        assert f"{known['logit_factor']:.3f}" in said[3]
        assert "base" not in said[3]  # the base is not what YaRN changes
    if params["method"] == "ntk-aware":
        assert f"{known['new_base']:,.0f}" in said[3]


@pytest.mark.parametrize("params", EXTREMES, ids=name_of)
def test_number_that_answers_counts_the_pairs_that_meet_new_angles(params):
    run, known = SCENE.run(**params), values(**params)
    shown = [marks(state)["answer"].text for state in run.steps]
    assert shown[:2] == [f"{known['never_turn']} pairs"] * 2
    assert shown[2] == "57.3°"
    assert shown[3] in (f"{known['unseen']} pairs", f"{known['unseen']} pair")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES, ids=name_of)
def test_target_is_a_handle_that_stands_at_its_length(params, width):
    beyond = marks(SCENE.run(**params).steps[1], width)
    knob = beyond["target-knob"]
    assert knob.handle.params == ("factor",)
    assert knob.handle.rail[FACTORS.index(params["factor"])] == (knob.shape["cx"], knob.shape["cy"])
    asked = beyond["asked"].shape
    assert knob.shape["cx"] == pytest.approx(asked["x"] + asked["width"])
    assert [x for x, _ in knob.handle.rail] == sorted(x for x, _ in knob.handle.rail)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("factor", FACTORS)
def test_text_is_as_long_as_the_logarithm_of_its_tokens(width, factor):
    drawn = marks(SCENE.run(base=10000, factor=factor).steps[1], width)
    octave = drawn["trained"].shape["width"] / 3  # the bar begins at an eighth of the trained length
    assert drawn["asked"].shape["width"] == pytest.approx(octave * math.log2(factor))


def places(mark):
    """The points of a path."""
    return [tuple(map(float, point.split())) for point in mark.shape["d"][1:].split("L")]


def shown(mark):
    """How much of a path shows, of 1."""
    return float(mark.shape.get("stroke-dasharray", "100").split()[0]) / 100


def turn(clock, mark):
    """How far round a clock an arc goes, from the angles of its corners and from how much of it shows [rad]."""
    angles = [math.atan2(x - clock.shape["cx"], clock.shape["cy"] - y) for x, y in places(mark)]
    return shown(mark) * sum((there - here) % (2 * math.pi) for here, there in itertools.pairwise(angles))


@pytest.mark.parametrize("params", EXTREMES, ids=name_of)
def test_a_clock_is_whole_if_its_pair_came_round_and_else_as_far_round_as_its_angle(params):
    drawn, known = marks(SCENE.run(**params).steps[0]), values(**params)
    clocks = [drawn[f"clock-{pair}"] for pair in range(64)]
    parts = [pair for pair in range(64) if shown(drawn[f"seen-{pair}"]) < 1]
    assert parts == [*range(64 - known["never_turn"], 64)]
    for pair in parts:
        angle = 4096 * params["base"] ** (-pair / 64)
        assert turn(clocks[pair], drawn[f"seen-{pair}"]) == pytest.approx(angle, abs=0.03)


def red(drawn):
    """The red arcs of the wall, by their pairs."""
    return {pair: drawn[f"new-{pair}"] for pair in range(64) if f"new-{pair}" in drawn}


@pytest.mark.parametrize("params", EXTREMES, ids=name_of)
def test_red_arcs_are_as_many_as_pairs_that_meet_new_angles_and_end_at_the_target(params):
    steps, known = SCENE.run(**params).steps, values(**params)
    for state, count in ((steps[1], known["never_turn"]), (steps[3], known["unseen"])):
        assert len(red(marks(state))) == count
    drawn = marks(steps[1])
    for pair, arc in red(drawn).items():
        angle = 4096 * params["base"] ** (-pair / 64)
        new = min(params["factor"] * angle, 2 * math.pi) - angle
        assert turn(drawn[f"clock-{pair}"], arc) == pytest.approx(new, abs=0.03)


def test_dial_turns_through_what_was_seen_and_then_on_to_what_is_new():
    chapters = SCENE.run().chapters
    for chapter, key in zip(chapters[:2], ("seen", "unseen"), strict=True):
        assert len(chapter.states) == 8
        lengths = [len(set(marks(state)[key].shape["d"].split("L"))) for state in chapter.states]
        ends = [marks(state)["tip-48"].shape for state in chapter.states]
        assert lengths[-1] > 20
        assert len({(end["cx"], end["cy"]) for end in ends}) == 8


@pytest.mark.parametrize("params", EXTREMES, ids=name_of)
def test_method_starts_from_the_angles_of_training_and_takes_them_to_its_own(params):
    chapters = SCENE.run(**params).chapters
    beyond, *method = (red(marks(state)) for state in (chapters[1].states[-1], *chapters[3].states))
    assert method[0] == beyond != method[-1]
    last = marks(chapters[3].states[-1])
    assert {f"way-{method}" for method in METHODS} <= set(last)


def test_page_opens_with_what_its_prediction_asks_and_shows_no_pair_that_came_round():
    state = SCENE.run().steps[SCENE.opening - 1]
    assert state.phase == "waves"
    drawn = marks(state)
    assert drawn["answer"].text == "18 pairs"
    clocks = {mark.role for key, mark in drawn.items() if key.startswith("clock-")}
    assert clocks == {"cell"}  # all are alike before a guess
    assert all("answer" in mark.role for key, mark in drawn.items() if key.startswith("seen-"))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES, ids=name_of)
def test_what_was_seen_and_what_is_new_stays_while_neighbours_are_told_apart(params, width):
    beyond, near = (marks(state, width) for state in SCENE.run(**params).steps[1:3])
    stay = [key for key in beyond if key.startswith(("clock-", "seen-", "new-", "trained", "asked"))]
    assert len(stay) > 64
    assert all(near[key] == beyond[key] for key in stay)
    assert "hands" in near and "hands" not in beyond


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("factor", FACTORS)
def test_dial_of_neighbours_shows_what_stretching_all_pairs_would_leave_of_their_angle(factor, width):
    drawn = marks(SCENE.run(factor=factor).steps[2], width)
    ghost, arrow = (drawn[key].shape for key in ("stretched", "arrow-0"))
    left, right = (math.atan2(line["x2"] - line["x1"], line["y1"] - line["y2"]) for line in (ghost, arrow))
    assert (right, left) == (pytest.approx(1), pytest.approx(1 / factor))
    said = float(drawn["dial-words-2"].text.split("°")[0])
    assert said == pytest.approx(math.degrees(1) / factor, rel=5e-3)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES, ids=name_of)
def test_choices_are_buttons_that_show_what_each_method_costs(params, width):
    drawn = marks(SCENE.run(**params).steps[-1], width)
    assert [drawn[f"choose-{method}"].set["method"] for method in METHODS] == list(METHODS)
    for method in METHODS:
        known = values(**params | {"method": method})
        assert drawn[f"new-{method}"].text == f"{known['unseen']} pairs"
        assert float(drawn[f"near-{method}"].text.rstrip("°")) == pytest.approx(known["neighbours"], rel=5e-3)


def test_clocks_say_the_wavelengths_of_their_pairs():
    drawn = marks(SCENE.run(base=10000).steps[0])
    for pair in range(64):
        wave = 2 * math.pi * 10000 ** (pair / 64)
        told = drawn[f"clock-{pair}"].read
        assert told.startswith(f"pair {pair}: ")
        assert float(told.split()[-2].replace(",", "")) == pytest.approx(wave, abs=0.51)


@pytest.mark.parametrize("width", WIDTHS.values())
def test_number_has_the_colour_of_the_angles_that_it_counts(width):
    def roles(method):
        steps = SCENE.run(method=method).steps
        return [
            next(mark.role.split()[0] for mark in SCENE.draw(state, width) if mark.key == "answer") for state in steps
        ]

    assert roles("yarn") == roles("interpolation") == ["value", "dropped", "value", "work"]
    assert roles("ntk-aware")[-1] == "dropped"


def test_chart_of_the_stretches_says_on_a_phone_too_what_it_measures():
    drawn = {mark.key: mark for mark in SCENE.draw(SCENE.run().steps[-1], WIDTHS["narrow"])}
    assert drawn["stretch-title-0"].text.startswith("λ stretched by") and "63" in drawn["stretch-title-1"].text


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("factor", FACTORS)
def test_bar_has_a_tick_for_each_doubling_and_its_words_stand_apart(factor, width):
    for state in SCENE.run(factor=factor).steps:
        drawn = marks(state, width)
        places = [float(one.split()[0]) for one in drawn["doublings"].shape["d"].split("M")[1:]]
        left, _, right, _ = bounds(drawn["text"])
        assert places == pytest.approx([left + (right - left) * at / 8 for at in range(9)], abs=0.5)
        trained = bounds(drawn["trained"])[2]
        assert places[3] == pytest.approx(trained, abs=0.5) and drawn["shortest"].text == f"{4096 // 2**3}"
        words = sorted(bounds(drawn[key]) for key in ("shortest", "trained-label", "target-label", "longest")
                       if key in drawn)  # fmt: skip
        assert all(one[2] + 4 < other[0] for one, other in itertools.pairwise(words))
        assert ("longest" in drawn) or factor >= 4
