"""Check that every ratio is that of the result's own numbers, and that its dot stands there."""

import json
import math
from itertools import pairwise

import pytest

from loom.draw import text_width
from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.model_and_machine import serving
from scenes.model_and_machine.effects import EFFECTS
from scenes.model_and_machine.model import WITHIN, parts, solve
from scenes.model_and_machine.scene import SCENE
from scenes.model_and_machine.story import by_kind
from tests.boxes import box


def written(part, name):
    """A result as plain JSON: an oracle that shares no code with the scene."""
    return json.loads((FOLDER / part.lower() / f"{name}.json").read_text())


def numbers(part, effect, at):
    series = next(one for one in written(part, effect.result)["series"] if one["id"] == effect.series)
    (point,) = (one for one in series["points"] if one["at"] == dict(at))
    return point["predicted"], point["median"]


@pytest.mark.parametrize("part", parts())
@pytest.mark.parametrize("effect", EFFECTS, ids=lambda one: one.id)
def test_a_ratio_is_that_of_the_numbers_in_the_result(part, effect):
    predicted, median = numbers(part, effect, effect.at)
    if effect.over:
        predicted, median = (one / other for one, other in
                             zip((predicted, median), numbers(part, effect, effect.over), strict=True))  # fmt: skip
    found = solve(part, effect.id).chosen
    assert found.predicted == pytest.approx(predicted, rel=1e-12)
    assert found.ratio == pytest.approx(median / predicted, rel=1e-12)
    assert found.least <= found.measured <= found.most


@pytest.mark.parametrize("part", parts())
def test_agreement_is_counted_within_a_tenth(part):
    pairs = solve(part, "hbm").pairs
    assert solve(part, "hbm").close == sum(
        abs(math.log(pair.measured / pair.predicted)) <= math.log(1.1) for pair in pairs
    )


@pytest.mark.parametrize("within", WITHIN)
def test_what_counts_as_agreement_is_the_readers_to_say(within):
    found = solve("H100", "hbm", within)
    far = math.log(1 + within / 100)
    assert found.close == sum(abs(math.log(pair.measured / pair.predicted)) <= far for pair in found.pairs)
    drawn = {mark.key: mark for mark in SCENE.draw(SCENE.run(gpu="H100", within=within).steps[-1], WIDTHS["wide"])}
    assert drawn["answer"].text == f"{found.close} of {len(EFFECTS)}"
    left, edge = box(drawn["agreement"])[0], drawn["edge"].shape["x1"]
    assert drawn["within"].shape["cx"] == edge
    for pair in found.pairs:
        at = drawn[f"dot-{pair.effect.id}"]
        assert (left <= at.shape["cx"] <= edge) == pair.close == ("work" in at.role)


@pytest.mark.parametrize("within", WITHIN)
def test_first_line_of_the_sentence_holds_any_agreement_on_a_phone(within):
    words = SCENE.sentence.split(";")[0].format(gpu="H100", within=f"{within}%") + ";"
    arrow, slider = 21, 137  # of the list, and before its number: as a browser draws them at 16 px
    assert text_width(words, 16) + arrow + slider <= 320  # of 328: fonts differ a little


@pytest.mark.parametrize("within", WITHIN)
def test_words_and_picture_say_alike_how_far_apart_still_agrees(within):
    state = SCENE.run(within=within).steps[0]
    far = "within a factor of 2" if within == 100 else f"within {within}%"
    texts = [mark.text for mark in SCENE.draw(state, WIDTHS["narrow"])]
    assert far in texts and SCENE.say(state).endswith(f"agree {far}.")


def test_beads_slide_one_after_another_and_are_counted_when_they_have_come():
    before, *playing, last = SCENE.run().chapters[0].states
    starting = {mark.key: mark for mark in SCENE.draw(before, WIDTHS["wide"])}
    assert {starting[f"dot-{effect.id}"].shape["cx"] for effect in EFFECTS} == {starting["model"].shape["x1"]}
    ratios = [pair.ratio for pair in SCENE.run().result.pairs]
    assert len(playing) == len(EFFECTS)
    for come, state in enumerate(playing):
        drawn = {mark.key: mark for mark in SCENE.draw(state, WIDTHS["wide"])}
        assert drawn["answer"].text == f"{sum(1 / 1.1 <= ratio <= 1.1 for ratio in ratios[:come])} of {len(EFFECTS)}"
        told = {key.removeprefix("agree-") for key in drawn if key.startswith("agree-")}
        assert told == {name for name, end in (("counted", 5), ("alone", 8)) if come >= end}
        for number, effect in enumerate(EFFECTS):
            dot = drawn[f"dot-{effect.id}"]
            assert bool(dot.read) == (number < come) and ("hot" in dot.role) == (number == come)
            assert number <= come or dot.shape["cx"] == drawn["model"].shape["x1"]  # it leaves from there
        assert "chosen" not in drawn
    assert "chosen" in {mark.key for mark in SCENE.draw(last, WIDTHS["wide"])}
    assert SCENE.run().chapters[0].times[0] == 0


def test_effects_stand_beside_their_kind_in_the_order_in_which_they_are_drawn():
    assert [pair for pairs in by_kind(solve("H100", "hbm")) for pair in pairs] == list(solve("H100", "hbm").pairs)


@pytest.mark.parametrize("within", [10, 30])
def test_edge_sweeps_to_a_factor_of_two_and_back_and_what_it_has_passed_agrees(within):
    *playing, last = SCENE.run(within=within).chapters[1].states
    edges = {other: solve("H100", "hbm", other) for other in (1, 2, 5, 10, 20, 30, 50, 100)}
    sizes = []
    for state in playing:
        drawn = {mark.key: mark for mark in SCENE.draw(state, WIDTHS["wide"])}
        far = " ".join(drawn[key].text for key in drawn if key.startswith("answer-"))
        now = next(one for one in edges.values() if f"agree {one.far}," in far)
        assert drawn["answer"].text == f"{now.close} of {len(EFFECTS)}"
        for pair in now.pairs:
            assert ("work" in drawn[f"dot-{pair.effect.id}"].role) == pair.close
        assert "within" not in drawn and drawn["sweep"].shape["cx"] == drawn["edge"].shape["x1"]
        sizes.append((now.within, drawn["agreement"].shape["width"]))
    landed = [size for size, _ in sizes]
    assert landed == ([10, 10, 1, 2, 5, 10, 20, 50, 100] if within == 10 else [30, 30, 1, 100])
    assert [width for _, width in sizes][1:-1] == sorted(width for _, width in sizes[1:-1])
    assert "within" in {mark.key for mark in SCENE.draw(last, WIDTHS["wide"])}
    words = SCENE.say(last)
    assert f"{edges[1].close} agree within 1%, and {edges[100].close} within a factor of 2." in words


@pytest.mark.parametrize("width", WIDTHS)
def test_before_a_guess_every_prediction_stands_there_and_no_measurement(width):
    state = SCENE.run().steps[-1]
    shown = {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width]) if "answer" not in mark.role}
    middle = shown["model"].shape["x1"]
    corners = shown["models"].shape["d"].split("M")[1:]
    assert len(corners) == len(EFFECTS)
    assert all(0 < middle - float(one.split()[0]) <= 4.5 for one in corners)
    assert not [mark for mark in shown.values() if "measured" in mark.read + mark.label]
    assert not [key for key in shown if key.startswith(("dot-", "gap-", "came-"))]


@pytest.mark.parametrize("width", WIDTHS)
def test_dots_stand_left_of_what_was_predicted_where_less_came(width):
    state = SCENE.run().steps[-1]
    drawn = {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}
    middle = drawn["model"].shape["x1"]
    for pair in state.result.pairs:
        dot = drawn[f"dot-{pair.effect.id}"].shape["cx"]
        assert (dot < middle) == (pair.ratio < 1)
    a_half, twice = drawn["tick-½"].shape["x"], drawn["tick-2×"].shape["x"]
    assert twice - middle == pytest.approx(middle - a_half)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("part", parts())
def test_rows_gather_by_kind_in_the_order_of_their_ratios(part, width):
    ids = [effect.id for effect in EFFECTS]
    ratios = {pair.effect.id: pair.ratio for pair in SCENE.run(gpu=part).result.pairs}
    counted, alone = ["wide_word", "tile_bytes", "ones", "stored", "tiled"], ["l2_far", "hbm", "bank_32"]
    crowd = [one for one in ids if one not in counted + alone]
    wanted = [one for group in (counted, alone, crowd) for one in sorted(group, key=ratios.__getitem__)]
    for state in SCENE.run(gpu=part).steps:
        drawn = {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}
        assert sorted(ids, key=lambda one: drawn[f"dot-{one}"].shape["cy"]) == wanted


@pytest.mark.parametrize("width", WIDTHS)
def test_each_kind_says_how_often_it_agrees_and_no_line_crosses_its_words(width):
    first = SCENE.run().chapters[0].states[0]
    assert not any(mark.key.startswith("agree-") for mark in SCENE.draw(first, WIDTHS[width]))
    for params in ({}, {"gpu": "H200"}):
        marks = list(SCENE.draw(SCENE.run(**params).steps[-1], WIDTHS[width]))
        drawn = {mark.key: mark for mark in marks}
        told = [drawn[f"agree-{name}"].text for name in ("counted", "alone", "all at once")]
        assert params or told == ["4 of 5", "3 of 3", "3 of 10"]
        agree, count = (sum(int(words.split(" of ")[at]) for words in told) for at in (0, 1))
        assert drawn["answer"].text == f"{agree} of {count}"
        for name in ("agree-", "kind-"):
            for one in (mark for mark in marks if mark.key.startswith(name)):
                assert "answer" in one.role
                left, top, right, bottom = box(one)
                for gap in (box(mark) for mark in marks if mark.key.startswith("gap-")):
                    assert not (top < gap[3] and gap[1] < bottom and gap[0] < right and left < gap[2])


@pytest.mark.parametrize("part", parts())
def test_kinds_stand_apart_and_what_they_come_to_stands_beside_their_rows(part):
    run = SCENE.run(gpu=part)
    drawn = {mark.key: mark for mark in SCENE.draw(run.steps[-1], WIDTHS["wide"])}
    rows = sorted(drawn[f"dot-{effect.id}"].shape["cy"] for effect in EFFECTS)
    steps = [below - above for above, below in pairwise(rows)]
    wide = [at for at, step in enumerate(steps, 1) if step > min(steps) + 4]
    assert wide == [5, 8]
    for name, first, last in zip(("counted", "alone", "all at once"), (0, 5, 8), (4, 7, 17), strict=True):
        left, top, _, bottom = box(drawn[f"agree-{name}"])
        assert rows[first] - 7 < top and box(drawn[f"kind-{name}"])[3] < rows[last] + 7
        assert left > max(box(mark)[2] for key, mark in drawn.items() if key.startswith("came-")) and top < bottom


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda one: one.id)
def test_beside_what_was_predicted_both_numbers_of_the_chosen_effect_stand_once_its_bead_has_come(effect):
    back, out, last = SCENE.run(effect=effect.id).chapters[2].states
    pair = SCENE.run(effect=effect.id).result.chosen
    marks = list(SCENE.draw(last, WIDTHS["wide"]))
    drawn = {mark.key: mark for mark in marks}
    told, dot = drawn[f"dot-{effect.id}"].read, drawn[f"dot-{effect.id}"].shape
    expected, measured = drawn["from-to"].text.split(" → ")
    assert told.endswith(f"expected {expected}, measured {measured}")
    left, _, right, _ = box(drawn["from-to"])
    assert right < dot["cx"] if pair.ratio >= 1 else left > dot["cx"]
    if not pair.close:
        assert drawn[f"came-{effect.id}"].text == f"{pair.ratio:.2f}×"
    for state, role, x in ((back, "data", drawn["model"].shape["x1"]), (out, "hot", dot["cx"])):
        before = {mark.key: mark for mark in SCENE.draw(state, WIDTHS["wide"])}
        assert "from-to" not in before and role in before[f"dot-{effect.id}"].role
        assert before[f"dot-{effect.id}"].shape["cx"] == x and before["answer"].text == drawn["answer"].text


@pytest.mark.parametrize("width", WIDTHS)
def test_a_hand_can_tell_what_agrees_within_one_percent_from_ten(width):
    knob = {mark.key: mark for mark in SCENE.draw(SCENE.run().steps[0], WIDTHS[width])}["within"]
    places = [x for x, _ in knob.handle.rail]
    apart = places[WITHIN.index(10)] - places[WITHIN.index(1)]
    assert places == sorted(places) and apart > (places[-1] - places[0]) / 4


@pytest.mark.parametrize("width", WIDTHS)
def test_each_bead_is_on_a_wire(width):
    drawn = {mark.key: mark for mark in SCENE.draw(SCENE.run().steps[0], WIDTHS[width])}
    places = sorted(drawn[f"dot-{effect.id}"].shape["cy"] for effect in EFFECTS)
    heights = [float(line.split()[1].split("L")[0]) for line in drawn["wires"].shape["d"].split("M")[1:]]
    assert heights == pytest.approx(places, abs=0.5)  # strokes stand on whole units


def test_a_row_is_pressed_to_look_at_its_effect():
    drawn = {mark.key: mark for mark in SCENE.draw(SCENE.run().steps[0], WIDTHS["narrow"])}
    assert drawn["name-hbm"].set == {"effect": "hbm"}
    chosen = {mark.key: mark for mark in SCENE.draw(SCENE.run(effect="hbm").steps[0], WIDTHS["narrow"])}["chosen"]
    _, top, _, bottom = box(chosen)
    assert top < drawn["dot-hbm"].shape["cy"] < bottom


def test_what_was_measured_is_quoted_with_its_unit():
    values = SCENE.run(gpu=parts()[0]).values
    assert values["ones_measured"].value == 16384
    assert str(values["bank_32_model"]) == "85\u00a0cycles"
    assert values["wave_model"].value == 2


@pytest.mark.parametrize("part", parts())
def test_launches_and_tokens_are_those_of_the_results(part):
    def series(name, wanted):
        points = next(one["points"] for one in written(part, name)["series"] if one["id"] == wanted)
        return {tuple(one["at"].values()): one["median"] for one in points}

    found = {name: value.value for name, value in SCENE.run(gpu=part).values.items()}
    assert found["launch"] == series("launches", "stream")[1000,] and found["launches"] == 80 * 10 * found["launch"]
    assert found["replayed"] == series("launches", "graph")[1000,] < found["launch"] / 3
    times = {(one["at"]["by"], one["at"]["method"]): one["median"]
             for one in written(part, "sampling")["series"][0]["points"] if one["at"]["batch"] == 256}  # fmt: skip
    assert found["token_sorted"] == times["torch", "top-p"] > 15 * times["hand", "top-p"]
    assert found["token_once"] == times["hand", "sample"]
    assert found["token_drawn"] == times["hand", "top-p"] and found["token_greatest"] == times["hand", "argmax"]
    assert found["token_read"] == pytest.approx(256 * 128_256 * 4 / {"H100": 3.352e12, "H200": 4.8e12}[part], rel=1e-4)


def test_nothing_is_told_of_what_nobody_measured(monkeypatch):
    monkeypatch.setattr(serving, "results", lambda name: {})
    assert serving.values("H100") == {}


def test_limits_are_plain_words_without_marks_of_a_text_format():
    assert not set("`*_[]") & set(SCENE.leaves_out)


def test_name_is_hot_while_its_bead_goes_and_quiet_unless_machine_and_model_differ():
    found = SCENE.run().result
    for chapter in SCENE.run().chapters[:2]:
        for state in chapter.states:
            drawn = {mark.key: mark for mark in SCENE.draw(state, WIDTHS["narrow"])}
            for effect in EFFECTS:
                name, dot = drawn[f"name-{effect.id}"].role.split()[0], drawn[f"dot-{effect.id}"].role.split()[0]
                other = "label" if effect == found.chosen.effect else "note"
                assert name == {"hot": "hot", "dropped": "label"}.get(dot, other)


def test_names_do_not_tell_before_a_guess_which_predictions_fail():
    drawn = SCENE.draw(SCENE.run().steps[SCENE.opening], WIDTHS["wide"])
    roles = [mark.role for mark in drawn if mark.key.startswith("name-")]
    assert sorted(set(roles)) == ["label strong", "note"] and roles.count("note") == len(EFFECTS) - 1
