"""Check what the reader meets: values, words and pictures agree with the model in every state."""

import itertools
import math
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.rope.dials import SHOWN
from scenes.rope.extension import METHODS
from scenes.rope.scene import BASES, FACTORS, ROWS, SCENE

GRID = [*SCENE.grid()]
EXTREMES = [params for params in GRID if params["base"] in (BASES[0], BASES[-1]) and params["factor"] in (2, 8, 32)]
NAMES = ("start", "together", "together", "together", "apart", "apart", "waves", "beyond", "near", "extended")


def values(**params):
    """Every value as a plain number."""
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def states(**params):
    return SCENE.run(**params).steps


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def name_of(params):
    return "-".join(map(str, params.values()))


# facts/attention.md sections 3 and 4, d = 128.
@pytest.mark.parametrize(
    ("params", "name", "expected", "tolerance"),
    [
        ({}, "shortest", 6.28, 0.005),
        ({}, "longest", 54_410, 0.5),
        ({"base": 500_000}, "longest", 2.56e6, 5e3),
        ({"base": 1_000_000}, "longest", 5.06e6, 5e3),
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
    assert values(base=base)["unseen"] == expected


@pytest.mark.parametrize(("base", "factor"), [*itertools.product(BASES, FACTORS)])
def test_each_method_pays_with_something_else(base, factor):
    plain, pi, ntk, yarn = (values(base=base, method=method, factor=factor) for method in METHODS)
    assert (pi["unseen"], pi["untouched"], pi["stretched_fully"]) == (0, 0, 64)
    assert pi["neighbours"] == pytest.approx(math.degrees(1) / factor)
    assert (ntk["untouched"], ntk["stretched_fully"]) == (1, 1)
    assert ntk["unseen"] == plain["unseen"] - 1
    assert (yarn["unseen"], yarn["neighbours"]) == (0, plain["neighbours"])
    assert yarn["stretched_fully"] == plain["never_turn"]
    assert pi["longest"] == pytest.approx(plain["longest"] * factor)
    assert ntk["longest"] == pytest.approx(pi["longest"])
    assert yarn["longest"] == pytest.approx(pi["longest"])
    assert pi["beyond"] == yarn["beyond"] == plain["never_turn"]


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


@pytest.mark.parametrize("base", BASES)
def test_score_stays_while_tokens_move_together_and_changes_as_they_part(base):
    story = states(base=base)
    assert tuple(state.name for state in story) == NAMES
    together = [state.score for state in story[:4]]
    assert together == pytest.approx([values(base=base)["score_together"]] * 4, abs=1e-12)
    assert story[5].score == pytest.approx(values(base=base)["score_apart"], abs=1e-12)
    assert story[5].score < story[4].score < story[3].score
    keys = [marks(state)["dial-0-key"].shape for state in story[:4]]
    assert all(one != other for one, other in itertools.pairwise(keys))


@pytest.mark.parametrize("params", EXTREMES, ids=name_of)
def test_arrows_stand_apart_by_the_angle_of_their_distance(params):
    for state in SCENE.run(**params).steps:
        drawn = marks(state)
        for pair in SHOWN:
            angles = {}
            for what in ("key", "query"):
                shape = drawn[f"dial-{pair}-{what}"].shape
                angles[what] = math.atan2(shape["x2"] - shape["x1"], shape["y1"] - shape["y2"])
            theta = (
                2 * math.pi / float((state.rotary.new_waves if state.name == "extended" else state.rotary.waves)[pair])
            )
            off = angles["query"] - angles["key"] - state.distance * theta
            assert math.remainder(off, 2 * math.pi) == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("params", EXTREMES, ids=name_of)
def test_slowest_dial_leaves_the_angles_of_training_and_every_method_brings_it_back(params):
    *_, beyond, _, last = SCENE.run(**params).steps
    assert marks(beyond)["dial-48-verdict"].text == "never seen"
    assert marks(last)["dial-48-verdict"].text == ("never seen" if params["method"] == "none" else "seen")
    assert ("dial-48-unseen" in marks(last)) == (params["method"] in ("none", "ntk-aware"))


@pytest.mark.parametrize("params", GRID, ids=name_of)
def test_narration_differs_from_step_to_step_and_quotes_its_numbers(params):
    story = SCENE.run(**params).steps
    said = [SCENE.say(state) for state in story]
    assert len(set(said)) == len(said)
    for state, words in zip(story[:5], said[:5], strict=True):
        assert f"{state.score:.3f}".replace("-", "−") in words
    known = values(**params)
    assert f"{known['never_turn']} pairs" in said[6]
    assert f"{known['target']:,}" in said[7]
    if params["method"] == "yarn":
        assert f"{known['logit_factor']:.3f}" in said[9]
        assert "base" not in said[9]  # the base is not what YaRN changes
    if params["method"] == "ntk-aware":
        assert f"{known['new_base']:,.0f}" in said[9]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES, ids=name_of)
def test_choices_are_buttons_that_show_what_each_method_costs(params, width):
    drawn = marks(SCENE.run(**params).steps[-1], width)
    assert [drawn[f"choose-{method}"].set["method"] for method in METHODS] == list(METHODS)
    for method in METHODS:
        known = values(**params | {"method": method})
        assert drawn[f"choice-{method}-1"].text == str(known["unseen"])
        assert float(drawn[f"choice-{method}-2"].text.rstrip("°")) == pytest.approx(known["neighbours"], rel=5e-3)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES, ids=name_of)
def test_bars_reach_from_the_old_wavelength_to_the_new_one(params, width):
    state = SCENE.run(**params).steps[-1]
    drawn, lengths = marks(state, width), [0.0] * 64
    for key, wanted in (("bars", ~state.rotary.unseen), ("bars-lost", state.rotary.unseen)):
        bars = re.findall(r"M(\S+) (\S+)L(\S+) (\S+?)(?=M|$)", drawn[key].shape["d"])
        assert [left != right for left, _, right, _ in bars] == wanted.tolist()
        lengths = [max(old, float(bar[2]) - float(bar[0]) - 4) for old, bar in zip(lengths, bars, strict=True)]
    decade = {mark.key: mark.shape["x1"] for mark in SCENE.draw(state, WIDTHS[width]) if mark.tag == "line"}
    unit = (decade["wave-x-tick-10000"] - decade["wave-x-tick-100"]) / 2
    stretch = state.rotary.new_waves / state.rotary.waves
    assert lengths == pytest.approx([unit * math.log10(each) for each in stretch], abs=0.51)  # ends stand on halves


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES, ids=name_of)
def test_no_two_texts_overlap(params, width):
    for step, state in enumerate(SCENE.run(**params).steps, 1):
        boxes = [(mark.key, *bounds(mark)) for mark in SCENE.draw(state, WIDTHS[width]) if mark.tag == "text"]
        for (one, l1, t1, r1, b1), (two, l2, t2, r2, b2) in itertools.combinations(boxes, 2):
            across, down = min(r1, r2) - max(l1, l2), min(b1, b2) - max(t1, t2)
            assert across <= 0.5 or down <= 2.5, (step, one, two, across, down)
