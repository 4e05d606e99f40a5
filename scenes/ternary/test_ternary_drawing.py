"""Check the picture: what is drawn is as large, as many and where the numbers say, at both widths."""

import re
from itertools import pairwise

import numpy as np
import pytest

from loom.draw import fixed
from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.ternary.case import (
    ACTIVATIONS,
    BELL,
    COLUMNS,
    DENSE,
    KINDS,
    ROWS,
    case_of,
    matrix_of,
    picked,
    sample_of,
)
from scenes.ternary.narration import trit
from scenes.ternary.scene import SCENE
from scenes.ternary.test_ternary_scene import (
    GAMMA,
    GRID,
    PACKED,
    PRODUCT,
    ROUNDED,
    SCALED,
    WEIGHTS,
    marks,
    number,
    state,
    values,
)
from tests.boxes import answer_lines


@pytest.mark.parametrize("width", WIDTHS)
def test_area_of_a_square_is_the_size_of_its_weight(width):
    weights = matrix_of(BELL)
    shown = marks(state(WEIGHTS), width)
    areas = np.array([[shown[f"w{row}{column}"].shape["width"] ** 2 for column in range(COLUMNS)]
                      for row in range(ROWS)])  # fmt: skip
    large = np.abs(weights) > 0.2  # tiny ones keep a side that can be seen
    ratios = areas[large] / np.abs(weights)[large]
    assert ratios == pytest.approx(ratios[0], rel=1e-6)
    hollow = [["outline" in shown[f"w{row}{column}"].role for column in range(COLUMNS)] for row in range(ROWS)]
    np.testing.assert_array_equal(hollow, weights < 0)


def test_rounded_squares_have_one_size_and_zeros_are_dots():
    shown = marks(state(ROUNDED))
    trits = case_of(BELL).trits
    sides = {abs(int(trits[row, column])): shown[f"w{row}{column}"].shape["width"]
             for row in range(ROWS) for column in range(COLUMNS)}  # fmt: skip
    assert sides[1] > 4 * sides[0]
    assert all(("quiet" in shown[f"w{r}{c}"].role) == (trits[r, c] == 0) for r in range(ROWS) for c in range(COLUMNS))


def test_weights_about_to_become_zero_are_marked_as_lost():
    shown = marks(state(GAMMA))
    trits = case_of(BELL).trits
    lost = [[shown[f"w{row}{column}"].role.startswith("dropped") for column in range(COLUMNS)] for row in range(ROWS)]
    np.testing.assert_array_equal(lost, trits == 0)
    assert [shown[f"t{column}"].role.startswith("dropped") for column in range(COLUMNS)] == lost[0]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("step", [WEIGHTS, PRODUCT, SCALED])
def test_bars_hand_the_sum_on_from_column_to_column(step, width):
    for params in GRID:
        one = state(step, **params)
        shown = marks(one, width)
        zero = shown["zero"].shape["y1"]
        level = zero
        terms = one.result.weights if step == WEIGHTS else one.result.trits
        for column in range(COLUMNS):
            box = shown[f"t{column}"].shape
            top, bottom = box["y"], box["y"] + box["height"]
            start, end = (bottom, top) if terms[column] > 0 else (top, bottom)
            assert start == pytest.approx(level, abs=1e-6)
            assert ("outline" in shown[f"t{column}"].role) == (terms[column] < 0)
            level = end
        result = one.result
        result = result.exact if step == WEIGHTS else result.sum if step == PRODUCT else result.output
        assert (zero - level) * result >= 0


def test_multiplying_by_gamma_shrinks_the_whole_walk_by_it():
    for params in GRID:
        before, after = (marks(state(step, **params)) for step in (PRODUCT, SCALED))
        gamma = case_of(params["data"]).gamma
        for column in range(COLUMNS):
            tall = [shown[f"t{column}"].shape["height"] for shown in (before, after)]
            assert tall[1] == pytest.approx(tall[0] * gamma, abs=1e-9)


def test_operations_are_drawn_to_one_scale_and_fill_the_dense_bar():
    shown = marks(state(PRODUCT))
    found, full = values(), marks(state(WEIGHTS))["ox"].shape["width"] + 1
    for key, name in (("p", "additions"), ("m", "subtractions"), ("z", "nothing"), ("x", "scalings")):
        assert (shown[f"o{key}"].shape["width"] + 1) / full == pytest.approx(found[name] / DENSE)
    assert shown["oz"].shape["x"] + shown["oz"].shape["width"] + 1 == pytest.approx(840)


def test_drawn_bits_spell_the_number_of_their_five_weights():
    for params in GRID:
        one = state(PACKED, **params)
        shown = marks(one)
        for group in range(2):
            byte = int("".join(shown[f"i{group}{place}"].text for place in range(8)), 2)
            digits = "".join(shown[f"b{column}"].text for column in range(group * 5, group * 5 + 5))
            assert byte == int(digits, 3) == one.result.numbers[group]
            assert shown[f"s{group}-label"].text.endswith(f"= {byte}")
            signs = [shown[f"a{column}"].text for column in range(group * 5, group * 5 + 5)]
            assert [trit(int(digit) - 1) for digit in digits] == signs


def test_output_bars_and_their_ghosts_have_one_scale():
    for kind in KINDS:
        shown, case = marks(state(SCALED, data=kind)), case_of(kind)
        for row in range(ROWS):
            mine, ghost = shown[f"q{row}"].shape["width"], shown[f"e{row}"].shape["width"]
            assert mine / ghost == pytest.approx(abs(case.outputs[row] / case.exact[row, -1]))


def test_histogram_holds_nearly_all_weights_and_shares_add_up():
    for kind in KINDS:
        case = case_of(kind)
        assert 0.96 < case.histogram.sum() <= 1
        assert sum(case.shares) == pytest.approx(100)
        assert case.shares[1] == case.fidelity.zeros
        sample = sample_of(kind)
        edge = np.abs(sample).mean() / 2
        wanted = [100 * np.mean(sample < -edge), 100 * np.mean(sample > edge)]
        assert (case.shares[0], case.shares[2]) == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize("width", WIDTHS)
def test_pressing_a_row_picks_it_and_the_stage_is_low_enough(width):
    for params in GRID:
        for one in SCENE.run(**params).steps:
            drawn = list(SCENE.draw(one, WIDTHS[width]))
            pressed = [mark.set for mark in drawn if mark.set]
            kinds = [{"data": kind} for kind in KINDS] if width == "wide" and one.phase == "scaled" else []
            assert pressed == [*({"row": str(row)} for row in range(1, ROWS + 1)), *kinds]
            assert max(bounds(mark)[3] for mark in drawn) <= 346
            assert len(drawn) <= 150


@pytest.mark.parametrize("width", WIDTHS)
def test_texts_of_a_line_keep_apart(width):
    for params in GRID:
        for one in SCENE.run(**params).steps:
            boxes = [(*bounds(mark), mark.key) for mark in SCENE.draw(one, WIDTHS[width]) if mark.tag == "text"]
            for here, there in pairwise(sorted(boxes, key=lambda box: (round(box[1]), box[0]))):
                if round(here[1]) == round(there[1]):
                    assert here[2] < there[0] + 0.5, (here[4], there[4], params)


@pytest.mark.parametrize("width", WIDTHS)
def test_activations_leave_their_columns_one_by_one_for_the_sum_that_they_belong_to(width):
    for params in GRID[::4]:
        states = SCENE.run(**params).chapters[PRODUCT - 1].states
        assert len(states) == COLUMNS + 1
        for done, one in enumerate(states):
            shown, pick = marks(one, width), one.result
            line = {sign: shown[f"m{sign}"].shape["y"] for sign in (1, -1, 0)}
            for column, sign in enumerate(pick.trits.tolist()):
                wanted = line[sign] if column <= done else shown["n-x"].shape["y"]
                assert shown[f"b{column}"].shape["y"] == pytest.approx(wanted, abs=0.5)
            assert sum(f"t{column}" in shown for column in range(COLUMNS)) == done
            assert ("sum-0" in shown) == (done > 0)  # while the first is on its way, nothing has come of it
            assert not done or number(shown["sum-0"].text) == pick.case.sums[pick.row - 1][done - 1]
            for sign in (1, -1):
                mine = ACTIVATIONS[:done][pick.trits[:done] == sign]
                assert f"l{sign}" not in shown or number(shown[f"l{sign}"].text.strip("= ")) == mine.sum()
            assert ("answer" in shown) == (done == COLUMNS)  # told when the last one has landed


@pytest.mark.parametrize("width", WIDTHS)
def test_activations_in_a_sum_are_still_read_over_their_bars_and_those_of_a_weight_of_0_drop_out(width):
    for params in GRID[::4]:
        states, after = SCENE.run(**params).chapters[PRODUCT - 1].states, state(SCALED, **params)
        for done, one in [*enumerate(states), (COLUMNS, after)]:
            shown, trits = marks(one, width), one.result.trits.tolist()
            here = [column for column in range(done) if trits[column]]
            assert [column for column in range(COLUMNS) if f"g{column}" in shown] == here
            for column in here:
                ghost, bar = shown[f"g{column}"], shown[f"t{column}"].shape
                assert ghost.text == str(ACTIVATIONS[column]) and ghost.shape["y"] == shown["n-x"].shape["y"]
                assert ghost.shape["x"] == pytest.approx(bar["x"] + bar["width"] / 2)
        assert not [key for key in marks(after, width) if re.fullmatch(r"b\d", key)]


@pytest.mark.parametrize("width", WIDTHS)
def test_sums_before_and_after_scaling_and_the_exact_one_stand_on_one_scale(width):
    for params in GRID:
        shown, pick = marks(state(SCALED, **params), width), picked(**params)
        zero = shown["zero"].shape["y1"]
        one = (zero - shown["unscaled"].shape["y1"]) / pick.sum
        path = [tuple(map(float, point.split())) for point in shown["exact"].shape["d"][1:].split("L")]
        assert (zero - path[-1][1]) / one == pytest.approx(pick.exact, abs=0.6 / abs(one))
        level = zero - pick.output * one
        last = shown[f"t{COLUMNS - 1}"].shape
        assert min(abs(last["y"] - level), abs(last["y"] + last["height"] - level)) < 0.01
        output, whole, exact = (fixed(value, 0) for value in (pick.output, pick.sum, pick.exact))
        named, product = [shown[f"sum-{at}"].text for at in range(3)], f"{whole} × γ = {output}"
        if width == "narrow":
            assert named == [output, whole, exact] and shown["unscaled-name"].text == product
        else:
            assert named == [product, f"{whole} sum", f"{exact} exact"]
        assert max(bounds(shown[f"sum-{at}"])[2] for at in range(3)) < (328.5 if width == "narrow" else 590)


@pytest.mark.parametrize("width", WIDTHS)
def test_knob_stands_beside_the_row_that_is_followed(width):
    for row in range(1, ROWS + 1):
        shown = marks(state(PRODUCT, data=BELL, row=row), width)
        knob, band = shown["row"], shown[f"r{row - 1}"].shape
        assert knob.handle.params == ("row",) and len(knob.handle.rail) == ROWS
        assert knob.handle.rail[row - 1] == (knob.shape["cx"], knob.shape["cy"])
        assert knob.shape["cy"] == pytest.approx(band["y"] + band["height"] / 2)


@pytest.mark.parametrize("width", WIDTHS)
def test_scene_opens_with_the_multiplications_that_are_left(width):
    shown = marks(SCENE.run().steps[SCENE.opening - 1], width)
    assert shown["answer"].text == str(ROWS) and "answer" in shown["answer"].role
    assert f"not {DENSE}" in answer_lines(shown)[0]


def test_each_step_has_its_number_and_bars_say_theirs():
    steps = {state.phase: {mark.key: mark for mark in SCENE.draw(state, 840)} for state in SCENE.run().steps}
    assert steps["gamma"]["share"].text == "0.759" and steps["rounded"]["share"].text == "31.0%"
    assert steps["weights"]["t0"].read == "−0.14 × 34 = −4.8"
    assert steps["product"]["t2"].read == "+1 × 12 = 12" and steps["product"]["t4"].read == "−1 × 57 = −57"
    assert steps["rounded"]["h0"].read.startswith("31.0% of 1,048,576")
    assert steps["scaled"]["q1"].read == "row 2: −61, exact −202"
    assert steps["packed"]["z2"].read.endswith("1.6875 bits a weight")


@pytest.mark.parametrize("width", WIDTHS)
def test_what_each_output_is_off_by_is_hatched_from_it_to_the_exact_one(width):
    for kind in KINDS:
        shown = marks(state(SCALED, data=kind), width)
        left, _, right, _ = bounds(shown["lost"])
        zero, ends = shown["outputs-zero"].shape["x1"], [0.0, 0.0]
        unit = shown["e0"].shape["width"] / abs(case_of(kind).exact[0, -1])
        for here, there in zip(case_of(kind).outputs, case_of(kind).exact[:, -1], strict=True):
            ends = [min(ends[0], here, there), max(ends[1], here, there)]
        assert (left, right) == pytest.approx([zero + end * unit for end in ends], abs=3)


def test_error_of_the_outputs_stands_among_those_of_the_other_kinds_of_weights():
    for kind in KINDS:
        shown = marks(state(SCALED, data=kind))
        widths = [shown[f"{one}-bar"].shape["width"] / case_of(one).error for one in KINDS]
        assert widths == pytest.approx([widths[0]] * len(KINDS))
        assert [one for one in KINDS if "soft" not in shown[f"{one}-bar"].role] == [kind]
        assert shown["error"].text == shown[f"{kind}-value"].text == f"{case_of(kind).error:.0f}%"
        assert shown["error"].text in marks(state(SCALED, data=kind), "narrow")["outputs"].text


@pytest.mark.parametrize("width", WIDTHS)
def test_rounded_weights_show_how_far_each_has_moved(width):
    for params in GRID:
        one = state(ROUNDED, **params)
        moved = [abs(float(stroke.split("L")[0].split()[1]) - float(stroke.split("L")[1].split()[1]))
                 for stroke in marks(one, width)["off"].shape["d"].split("M")[1:]]  # fmt: skip
        pick, shown = one.result, marks(one, width)
        unit = max(shown[f"t{column}"].shape["height"] for column in range(COLUMNS))  # of a weight of γ
        wanted = np.abs(pick.weights / pick.case.gamma - pick.trits) * unit
        assert moved == pytest.approx(wanted.tolist(), abs=0.6)


@pytest.mark.parametrize("width", WIDTHS)
def test_words_that_travel_from_step_to_step_stay_the_same(width):
    steps = [marks(one, width) for one in SCENE.run().steps]
    for before, after in pairwise(steps):
        both = [(before[key], mark) for key, mark in after.items() if mark.text and key in before]
        far = [(old.text, new.text) for old, new in both if abs(old.shape["x"] - new.shape["x"]) > 50]
        assert all(old == new for old, new in far), far


def test_number_on_its_way_parts_those_that_it_passes_over():
    for gone, one in enumerate(SCENE.run().chapters[PRODUCT - 1].states):
        apart = [key for key, mark in marks(one).items() if key[0] == "b" and "halo" in mark.role]
        assert apart == [f"b{column}" for column in range(min(gone + 1, COLUMNS))]
