"""Check what the reader meets: cells, words, beats, curves and the handle agree with the model."""

import itertools

import pytest

from loom.draw import quantity
from loom.scene import WIDTHS
from scenes.linear_attention.drawing import LENGTHS
from scenes.linear_attention.scene import SCENE
from scenes.linear_attention.shapes import SHAPES
from scenes.linear_attention.toy import ADDS, DELTA, KEYS, VALUES, WORDS, Toy
from tests.boxes import beneath, box

EXTREMES = [
    {"model": model, "tokens": tokens, "rule": rule}
    for model, rule in zip(SHAPES, itertools.cycle((DELTA, ADDS)), strict=False)
    for tokens in (256, 1024, 131072, 1048576)
]


def chapters(**params):
    return {chapter.name: chapter.states for chapter in SCENE.run(**params).chapters}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def said(drawn):
    return " ".join(mark.text for key, mark in drawn.items() if key.startswith("answer-words"))


def cells(state):
    drawn = marks(state)
    texts = [[drawn.get(f"cell-{row}-{column}-text") for column in range(4)] for row in range(4)]
    return [[float(mark.text) if mark else 0.0 for mark in row] for row in texts]


def bars(state, width="wide"):
    """The bars of the token that is read, by their rows."""
    column = KEYS[min(state.beat // 2, 4) if state.phase == "fill" else 4].argmax()
    return {row: mark for row in range(4) if (mark := marks(state, width).get(f"cell-{row}-{column}"))}


def test_page_opens_with_the_effect():
    state = SCENE.run().steps[SCENE.opening]
    assert marks(state)["answer"].text == "3.9×"
    assert "12.9\u00a0GB" in SCENE.say(state)


@pytest.mark.parametrize("params", EXTREMES)
def test_answer_says_more_where_the_text_is_too_short(params):
    run = SCENE.run(**params)
    words = said(marks(run.steps[-1]))
    assert words.startswith("less" if run.values["ratio"].value >= 1 else "more")
    assert ("Below" in SCENE.say(run.steps[-1])) == (run.values["ratio"].value < 1)


@pytest.mark.parametrize("rule", [DELTA, ADDS])
def test_cells_show_the_state_behind_each_token(rule):
    coming, written = chapters(rule=rule)["fill"][::2], chapters(rule=rule)["fill"][1::2]
    for token, (before, after) in enumerate(zip(coming, written, strict=True)):
        assert cells(after) == pytest.approx(Toy(rule).state(token), abs=0.005)
        old = Toy(rule).state(token - 1) if token else 0 * Toy(rule).state(0)
        assert cells(before) == pytest.approx((0.9 if rule == DELTA else 1) * old, abs=0.005)


@pytest.mark.parametrize("width", WIDTHS)
def test_value_waits_beside_the_state_and_slides_into_the_column_of_its_key(width):
    for before, after in zip(chapters()["fill"][::2], chapters()["fill"][1::2], strict=True):
        drawn = marks(before, width)
        beside, column = drawn["value"].shape, box(marks(after, width)["now"])
        assert bars(before, width).keys() == bars(after, width).keys()
        for row, bar in bars(before, width).items():
            there = bars(after, width)[row].shape
            assert beside["x"] <= bar.shape["x"] < bar.shape["x"] + bar.shape["width"] <= beside["x"] + beside["width"]
            assert column[0] <= there["x"] and there["x"] + there["width"] <= column[2]
            assert (there["y"], there["width"]) == (bar.shape["y"], bar.shape["width"])
        assert drawn["now"].shape["height"] == drawn["key"].shape["height"]  # the key picks before the value moves


@pytest.mark.parametrize("rule", [DELTA, ADDS])
def test_answer_is_a_copy_of_the_column_that_the_key_picks(rule):
    over, beside = (marks(state) for state in chapters(rule=rule)["ask"])
    found = [key for key in over if key.startswith("found-bar")]
    assert found and "found" not in over
    for key in found:
        row, inner = key[-1], beside["found"].shape
        assert over[key].shape == over[f"cell-{row}-0"].shape
        assert beside[key].shape["y"] == over[key].shape["y"]
        assert inner["x"] <= beside[key].shape["x"] <= inner["x"] + inner["width"]


@pytest.mark.parametrize("width", WIDTHS)
def test_memory_of_a_model_comes_when_it_is_counted(width):
    for name, states in chapters().items():
        assert all(("plot-x-axis" in marks(state, width)) == (name == "count") for state in states)


def test_key_that_comes_again_fades_erases_and_writes_in_three_beats():
    states = chapters(rule=DELTA)["again"]
    assert len(states) == 3
    parts = Toy(DELTA).parts[4]
    for state, part in zip(states, ("fade", "erase", "write"), strict=True):
        assert cells(state) == pytest.approx(parts[part], abs=0.005)
        assert "hot" in marks(state)[f"part-{part}"].role
    assert [row[0] for row in cells(states[1])] == [0, 0, 0, 0]


def test_state_that_only_adds_has_no_parts():
    states = chapters(rule=ADDS)["again"]
    assert len(states) == 2
    assert not any(key.startswith("part-") for state in states for key in marks(state))


def test_longer_and_darker_bars_are_larger_numbers():
    state = chapters()["ask"][-1]
    drawn, found = marks(state), cells(state)
    seen = sorted(
        (found[row][column], *(drawn[f"cell-{row}-{column}"].shape[name] for name in ("opacity", "width")))
        for row in range(4) for column in range(4) if found[row][column]
    )  # fmt: skip
    assert len(seen) == sum(key.startswith("cell-") and not key.endswith("-text") for key in drawn)
    assert [shade for _, shade, _ in seen] == sorted(shade for _, shade, _ in seen)
    assert all(width / number == pytest.approx(seen[-1][2] / seen[-1][0], rel=0.01) for number, _, width in seen)


def test_strips_below_the_state_compare_its_numbers_with_those_of_all_keys_and_values_on_a_phone():
    states = [*chapters()["fill"][1::2], chapters()["again"][-1]]
    for read, state in enumerate(states, 1):
        drawn = marks(state, "narrow")
        kept = box(drawn["kept"])
        keys = [box(drawn[f"keys-{at}"]) for at in range(read)]
        one = (kept[2] - kept[0]) / Toy(DELTA).state(0).size
        stored = KEYS[:read].size + VALUES[:read].size
        assert (keys[-1][2] - keys[0][0]) / one == pytest.approx(stored)
        assert drawn["keys-numbers"].text == str(stored) and str(stored) in said(drawn)
        assert keys[0][0] == kept[0] and f"keys-{read}" not in drawn


def test_every_word_leaves_its_key_and_its_value_beside_the_state_which_stays_as_large():
    states = [*chapters()["fill"][1::2], chapters()["again"][-1]]
    for read, state in enumerate(states, 1):
        drawn = marks(state)
        assert f"keys-{read - 1}" in drawn and f"keys-{read}" not in drawn
        for name, entries in (("keys", KEYS), ("values", VALUES)):
            for at, row in itertools.product(range(read), range(4)):
                mark = drawn.get(f"{name}-{at}-{row}")
                assert (float(mark.text) if mark else 0.0) == entries[at][row]
        assert drawn["keys-numbers"].text == str(8 * read) and str(8 * read) in said(drawn)
    kept = [drawn[key] for key in ("keys-0", "values-0")]
    assert box(kept[0])[3] < box(kept[1])[1] and box(kept[1])[3] == box(drawn["state"])[3]


def test_when_the_state_is_asked_all_keys_are_framed_that_attention_would_compare():
    drawn = marks(chapters()["ask"][-1])
    left, top, right, bottom = box(drawn["keys-asked"])
    for at in range(len(WORDS)):
        x, y, end, low = box(drawn[f"keys-{at}"])
        assert left < x and end < right and top < y and low < bottom
    assert drawn["keys-note"].text == "attention would compare this key with all 5"
    assert "keys-asked" not in marks(chapters()["again"][-1])


def test_what_is_kept_is_painted_as_the_curves_of_the_same_things():
    drawn, counted = marks(chapters()["again"][-1], "narrow"), marks(chapters()["count"][-1])
    assert drawn["kept"].role == counted["states"].role
    assert {drawn["keys-0"].role, marks(chapters()["again"][-1])["keys-0"].role} == {counted["everywhere"].role}


def test_small_state_stays_on_the_stage_of_a_phone_beside_the_memory_of_a_model():
    last, before = (marks(chapters()[name][-1], "narrow") for name in ("count", "ask"))
    small = {key for key in before if key.startswith(("cell-", "key-", "found-"))}
    assert small <= set(last)
    assert [last[key].text for key in small] == [before[key].text for key in small]
    assert "plot-x-axis" in last and "layers-s" in last


@pytest.mark.parametrize(
    ("rule", "column", "words"),
    [(DELTA, 0, "glows wrote 2"), (DELTA, 3, "lantern wrote 2; 1.80 of it is left"), (ADDS, 0, "glows wrote 2")],
)
def test_number_of_the_state_says_who_wrote_it_and_what_is_left(rule, column, words):
    assert marks(chapters(rule=rule)["ask"][-1])[f"cell-3-{column}"].read == words


def test_number_that_is_not_erased_yet_is_still_that_of_the_first_word():
    assert marks(chapters(rule=DELTA)["again"][0])["cell-2-0"].read == "a wrote 1; 0.66 of it is left"


@pytest.mark.parametrize("params", EXTREMES)
def test_what_is_read_off_the_curves_and_the_strip_is_what_the_model_takes(params):
    run = SCENE.run(**params)
    drawn, memory = marks(run.steps[-1]), run.result.memory
    for name in ("states", "everywhere"):
        assert drawn[f"{name}-here"].read.endswith(f": {run.values[name]}")
    assert quantity(memory.states / memory.shape.linear, "B") in drawn["layers"].read
    assert quantity(memory.keys / memory.shape.full, "B") in drawn["layers"].read


def test_frame_goes_from_key_to_key():
    places = [marks(state)["now"].shape["x"] for state in chapters()["fill"][1::2]]
    assert places == sorted(set(places))
    assert marks(chapters()["again"][-1])["now"].shape["x"] == places[0]


def test_sentence_names_what_is_blurred():
    assert "can’t be told apart" in SCENE.say(chapters(rule=ADDS)["ask"][-1])
    assert f"nothing of “{WORDS[0]}”" in SCENE.say(chapters(rule=DELTA)["ask"][-1])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_knob_stands_on_the_curve_of_the_model_as_it_ships(params, width):
    knob = marks(SCENE.run(**params).steps[-1], width)["tokens"]
    rail = knob.handle.rail
    assert len(rail) == len(LENGTHS)
    assert rail[LENGTHS.index(params["tokens"])] == (knob.shape["cx"], knob.shape["cy"])
    assert [x for x, _ in rail] == sorted({x for x, _ in rail})
    assert [y for _, y in rail] == sorted((y for _, y in rail), reverse=True)


def test_conversation_grows_from_beat_to_beat_up_to_its_length():
    states = chapters()["count"]
    places = [marks(state)["growing"].shape["cx"] for state in states[:-1]]
    places.append(marks(states[-1])["tokens"].shape["cx"])
    assert len(places) == 4
    assert places == sorted(set(places))
    assert len(chapters(tokens=256)["count"]) == 1


@pytest.mark.parametrize("name", SHAPES)
def test_strip_has_a_line_for_each_layer(name):
    drawn = marks(SCENE.run(model=name).steps[-1])
    assert drawn["layers-s"].shape["d"].count("M") == SHAPES[name].linear
    assert drawn["layers-k"].shape["d"].count("M") == SHAPES[name].full


@pytest.mark.parametrize("params", EXTREMES)
def test_table_values_and_words_say_the_same(params):
    run = SCENE.run(**params)
    row = {one[0]: one for one in run.table.rows}[params["model"]]
    values = run.values
    assert row[3] + row[4] == pytest.approx(values["total"].value / 1e9)
    assert values["everywhere"].value / values["total"].value == pytest.approx(values["ratio"].value)
    assert values["linear"].value + values["full"].value == values["layers"].value
    assert str(values["keys"]) in SCENE.say(run.steps[-1])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("model", SHAPES)
def test_name_of_the_whole_stands_under_its_curve_and_above_the_line_of_the_states(model, width):
    drawn = marks(SCENE.run(model=model, tokens=1048576).steps[-1], width)
    left, top, _, bottom = box(drawn["total-name"])
    total, states = ([[float(one) for one in point.split()] for point in drawn[key].shape["d"][1:].split("L")]
                     for key in ("total", "states"))  # fmt: skip
    assert bottom < states[0][1] - 1
    assert all(top > y for x, y in total if x >= left)


def test_number_of_tokens_is_not_parted_from_its_unit():
    assert "1,048,576\u00a0tokens" in said(marks(SCENE.run(model="Kimi K3", tokens=1048576).steps[-1], "narrow"))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("model", SHAPES)
def test_knob_of_the_shortest_text_lies_on_no_number_of_the_axis(model, width):
    assert not beneath(marks(SCENE.run(model=model, tokens=LENGTHS[0]).steps[-1], width), "tokens", rim=4)
