"""Check what the scene says and draws: values, narration, and marks that mean what they show."""

import math
import re

import numpy as np
import pytest

from loom.draw import fixed
from loom.scene import WIDTHS
from scenes.attention_pattern.drawing import layout_of
from scenes.attention_pattern.model import head_attention
from scenes.attention_pattern.scene import SCENE
from scenes.attention_pattern.weights import HEADS, TOKENS
from scenes.attention_pattern.words import STORY, percent
from tests.beats import drawn_beats

PHASES = [phase.name for phase in STORY]
GRID = [(query, head) for query in TOKENS for head in HEADS]


def frame(query, head, phase, width="wide"):
    """The marks of one step, by key."""
    state = next(state for state in SCENE.run(query=query, head=head).steps if state.phase == phase)
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


@pytest.mark.parametrize(("query", "head"), GRID)
def test_values_agree_with_each_other_and_with_the_table(query, head):
    values = {name: value.value for name, value in SCENE.run(query=query, head=head).values.items()}
    rows = SCENE.run(query=query, head=head).table.rows
    weights = [values[f"weight_{word}"] for word in TOKENS]
    assert values["seen"] == len(rows) == TOKENS.index(query) + 1
    assert values["seen"] + values["hidden"] == 6
    assert weights[: len(rows)] == [row[3] for row in rows]
    assert weights[len(rows) :] == [0.0] * (6 - len(rows))
    assert math.fsum(weights) == pytest.approx(100, rel=1e-14)
    assert values["largest"] == max(weights)
    assert values["largest"] + values["rest"] == pytest.approx(100, rel=1e-14)
    assert 1 <= values["effective"] <= len(rows) + 1e-12
    assert values["undivided"] >= values["largest"] - 1e-12
    for row in rows:
        assert row[1] == pytest.approx(2 * row[2], rel=1e-15)  # √4
        assert values[f"scaled_{row[0]}"] == row[2]
    for entry in range(4):
        assert values[f"output_{entry + 1}"] == pytest.approx(math.fsum(row[4 + entry] for row in rows), rel=1e-14)


def test_percentages_are_shown_with_one_decimal():
    shown = {name: str(value) for name, value in SCENE.run(query="lantern", head="describes").values.items()}
    assert [shown[f"weight_{word}"] for word in TOKENS] == ["6.5%", "44.1%", "40.3%", "9.2%", "0%", "0%"]
    assert shown["largest"] == "44.1%"
    assert shown["rest"] == "55.9%"


def test_share_of_later_keys_is_what_they_would_take_without_the_mask():
    scaled = [math.exp(score) for score in head_attention("describes").scaled[4].tolist()]
    values = SCENE.run(query="glows", head="describes").values
    assert values["ahead"].value == pytest.approx(100 * scaled[5] / math.fsum(scaled), rel=1e-13)
    assert SCENE.run(query="softly", head="describes").values["ahead"].value == 0


def test_head_previous_takes_most_from_the_token_before():
    weights = head_attention("previous").weights
    assert (weights[range(1, 6), range(5)] > 0.6).all()


def test_head_describes_takes_lantern_to_its_adjectives():
    lantern = head_attention("describes").weights[3]
    assert set(lantern.argsort()[-2:].tolist()) == {1, 2}
    assert lantern[1:3].sum() > 0.8


@pytest.mark.parametrize(("query", "head"), GRID)
def test_narration_differs_from_step_to_step(query, head):
    said = [SCENE.say(state) for state in SCENE.run(query=query, head=head).steps]
    assert len(set(said)) == len(said) == len(PHASES) - (query == "softly")  # the last token has nothing to hide
    assert all(words.endswith(".") for words in said)


def test_narration_of_the_weights_quotes_the_two_largest():
    said = SCENE.say(SCENE.run(query="lantern", head="describes").steps[PHASES.index("weights")])
    assert "44.1% from “rusty”" in said
    assert "40.3% from “old”" in said


@pytest.mark.parametrize(("query", "head"), GRID)
def test_weights_that_follow_the_sum_make_it(query, head):
    said = SCENE.say(SCENE.run(query=query, head=head).steps[-2])
    shares = [float(share) for share in re.findall(r"[\d.]+(?=%)", said.partition("100%: ")[2])]
    assert bool(shares) == (query == TOKENS[1])
    assert not shares or sum(shares) == pytest.approx(100, abs=0.11)


def test_tokens_are_quoted_so_that_none_reads_as_an_article():
    for query, head in GRID:
        run = SCENE.run(query=query, head=head)
        headlines = [
            mark.text for state in run.steps for mark in SCENE.draw(state, 840) if mark.key.startswith("answer")
        ]
        said = " ".join([*map(SCENE.say, run.steps), *headlines])
        assert not re.search(r"\b(from|of|with|by|is what) (rusty|old|lantern|glows|softly|a( is| takes|[.,]|$))", said)
        assert "itself would" not in said.replace("the token itself would", "")


def test_narration_of_the_mask_says_when_the_highest_score_is_shut_out():
    masked = PHASES.index("masked")
    said = SCENE.say(SCENE.run(query="glows", head="describes").steps[masked])
    assert "adds −∞ to later scores, also to the highest." in said
    assert "Without it, 49.0% of the weight would go there." in said
    assert "highest" not in SCENE.say(SCENE.run(query="lantern", head="describes").steps[masked])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("query", "head"), GRID)
def test_bars_are_as_long_as_weights_are_large(query, head, width):
    marks, row = frame(query, head, "weights", width), TOKENS.index(query)
    weights = head_attention(head).weights[row]
    whole = marks["zero"].shape["y1"] - marks["whole"].shape["y1"]
    bars = [marks[f"bar-{key}"].shape["height"] for key in range(row + 1)]
    assert bars == pytest.approx([max(1.0, whole * weight) for weight in weights[: row + 1]])
    assert not any(f"bar-{key}" in marks for key in range(row + 1, 6))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("query", "head"), GRID)
def test_parts_of_the_output_stack_up_to_it(query, head, width):
    marks, row = frame(query, head, "blend", width), TOKENS.index(query)
    output = head_attention(head).output[row]
    # The bar of 100% is as long as the largest value; a unit and a half is the gap between two of its parts.
    first, last = marks["share-0"].shape, marks[f"share-{row}"].shape
    full = last["x"] + last["width"] + 1.5 - first["x"]
    ends = [marks[f"part-{row}-{entry}"].shape for entry in range(4)]
    reach = np.array([shape["x"] + shape["width"] - first["x"] for shape in ends]) / full
    assert reach == pytest.approx(output / max(head_attention(name).V.max() for name in HEADS), abs=1.1 / full)


@pytest.mark.parametrize("width", WIDTHS)
def test_tokens_are_buttons_for_their_query_and_its_frame_is_a_handle_over_them(width):
    marks = frame("old", "previous", "weights", width)
    for place, word in enumerate(TOKENS):
        assert marks[f"token-{place}"].set == {"query": word}
    handle, tokens = marks["asks"].handle, [marks[f"token-{place}"].shape for place in range(6)]
    assert handle.params == ("query",)
    assert [x for x, _ in handle.rail] == pytest.approx([box["x"] + box["width"] / 2 for box in tokens])


def beats(query, head, phase, width="wide"):
    """The marks of each beat of a chapter, by key."""
    run = SCENE.run(query=query, head=head)
    states = next(chapter.states for chapter in run.chapters if chapter.name == phase)
    return drawn_beats(SCENE, states, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("query", "head"), GRID)
def test_query_visits_one_key_a_beat_and_is_back_at_its_token_at_the_end(query, head, width):
    pictures, row = beats(query, head, "raw", width), TOKENS.index(query)
    assert [len(set(marks) & {f"bar-{key}" for key in range(6)}) for marks in pictures] == [0, 0, 1, 2, 3, 4, 5, 6]
    places = [marks[f"q-{row}"].shape["d"] for marks in pictures]
    assert len(set(places[:6])) == 6
    assert places[6] == places[7] == places[row]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("query", "head"), GRID)
def test_products_of_a_key_pile_up_to_its_score(query, head, width):
    pictures, unit = beats(query, head, "raw", width), layout_of(WIDTHS[width]).score
    scores = head_attention(head).raw[TOKENS.index(query)].tolist()
    for key, score in enumerate(scores):
        made, fallen = pictures[key], pictures[key + 1]
        pile = [mark for name, mark in fallen.items() if name.startswith((f"product-{key}-", f"taken-{key}-"))]
        assert len(pile) == 4
        signs = [-1 if mark.role == "cell" else 1 for mark in pile]
        total = sum(sign * mark.shape["height"] for sign, mark in zip(signs, pile, strict=True))
        assert total == pytest.approx(score * unit)
        assert [made[mark.key].shape["height"] for mark in pile] == [mark.shape["height"] for mark in pile]


def test_number_that_answers_changes_when_a_higher_score_has_landed():
    shown = [marks["answer"].text for marks in beats("lantern", "describes", "raw")]
    assert shown == ["4 numbers", "4 numbers", "0.45", *["4.28"] * 5]


def test_values_reach_the_output_one_key_a_beat():
    pictures = beats("lantern", "describes", "blend")
    top = pictures[0]["lane-0"].shape["y"]
    arrived = [sum(marks[f"part-{key}-0"].shape["y"] == top for key in range(4)) for marks in pictures]
    assert arrived == [0, 1, 2, 3, 4, 4][: len(arrived)]
    assert "output-0" not in pictures[-2] and "output-0" in pictures[-1]


def test_page_opens_with_the_answer_and_all_that_leads_to_it():
    run = SCENE.run()
    marks = {mark.key: mark for mark in SCENE.draw(run.steps[SCENE.opening], WIDTHS["wide"])}
    assert marks["answer"].text == "44.1%"
    assert {"bar-1", "part-1-0", "output-0"} <= set(marks)


@pytest.mark.parametrize("width", WIDTHS)
def test_frames_stay_small(width):
    for query, head in GRID:
        for phase in (chapter.name for chapter in SCENE.run(query=query, head=head).chapters):
            assert len(frame(query, head, phase, width)) <= 110


@pytest.mark.parametrize(("number", "shown"), [(-0.001, "0.00"), (-0.21, "−0.21"), (2.0, "2.00")])
def test_scores_are_written_with_a_true_minus_and_no_negative_zero(number, shown):
    assert fixed(number) == shown


def test_weight_of_a_masked_key_is_written_as_a_plain_zero():
    assert (percent(0.0), percent(0.0649973), percent(0.9996), percent(1.0)) == ("0", "6.5%", "100.0%", "100%")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("query", "head"), GRID)
def test_room_of_the_output_is_there_from_the_start_with_its_name_and_fills_at_the_end(query, head, width):
    for phase in [state.phase for state in SCENE.run(query=query, head=head).steps]:
        marks = frame(query, head, phase, width)
        assert marks["output-name"].text == f"output of {query}" and {f"lane-{entry}" for entry in range(4)} <= set(
            marks
        )
        assert ("share-0" in marks) == (phase in ("weights", "blend")) and ("part-0-0" in marks) == (phase == "blend")
        assert marks["answer"].role.startswith("kept" if phase in ("weights", "blend") else "value")


@pytest.mark.parametrize(("query", "head"), GRID)
def test_shares_are_there_when_e_to_the_scores_has_been_divided_and_not_before(query, head):
    chapter = next(one for one in SCENE.run(query=query, head=head).chapters if one.name == "weights")
    raised, divided = ({mark.key: mark for mark in SCENE.draw(state, WIDTHS["wide"])} for state in chapter.states)
    asked = chapter.states[0].result
    power = fixed(math.exp(asked.of.scaled[asked.row, asked.best]))
    assert raised["answer"].text == raised[f"number-{asked.best}"].text == power
    assert divided["answer"].text == divided[f"number-{asked.best}"].text
    assert not {"arc-0", "share-0"} & set(raised) and {"arc-0", "share-0"} <= set(divided)
