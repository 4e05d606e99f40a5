"""Check what the scene of layouts shows: offsets, banks, passes, and that pictures and words agree with them."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.cute_layout.banks import bank_loads, longest_run, passes, read
from scenes.cute_layout.model import LAYOUTS, POINTS, SWIZZLES, solve
from scenes.cute_layout.narration import lines
from scenes.cute_layout.scene import SCENE
from tests.boxes import box

example_budget = settings(max_examples=100, deadline=None, derandomize=True)
KINDS = [("row", name) for name in SWIZZLES] + [(name, "off") for name in LAYOUTS if name != "row"]
# Written out by hand from Shape:Stride, each with loops of its own: the oracle of every picture.
BY_HAND = {
    "row": lambda r, c: 8 * r + c,
    "column": lambda r, c: r + 8 * c,
    "padded": lambda r, c: 9 * r + c,
    "nested": lambda r, c: 2 * r + c % 2 + 16 * (c // 2),
    "tiled": lambda r, c: 4 * (4 * (r // 2) + c // 2) + r % 2 + 2 * (c % 2),
    "zipped": lambda r, c: 8 * (2 * (c % 4) + r % 2) + 4 * (c // 4) + r // 2,
    "composition": lambda r, c: 8 * (2 * r) + c,
}
EXCHANGED = {"off": lambda r, c: c, "<3,0,3>": lambda r, c: c ^ r, "<2,0,3>": lambda r, c: c ^ (r % 4)}
# Turns to read the column and the row of (2, 3), by hand from the banks, and the words from 0 to the last element.
TURNS = {
    ("row", "off"): (8, 1, 64),
    ("row", "<3,0,3>"): (1, 1, 64),
    ("row", "<2,0,3>"): (2, 1, 64),
    ("column", "off"): (1, 8, 64),
    ("padded", "off"): (1, 1, 71),
    ("nested", "off"): (2, 4, 64),
    ("tiled", "off"): (4, 2, 64),
    ("zipped", "off"): (2, 4, 64),
    ("composition", "off"): (4, 1, 56),
}


def params(kind, point="2,3"):
    return {"layout": kind[0], "swizzle": kind[1], "point": point}


def oracle(kind, row, column):
    name, swizzled = kind
    return BY_HAND[name](row, EXCHANGED[swizzled](row, column))


@pytest.mark.parametrize("kind", KINDS)
def test_table_and_pictures_hold_the_offsets_worked_out_by_hand(kind):
    rows = 4 if kind[0] == "composition" else 8
    expected = [[oracle(kind, row, column) for column in range(8)] for row in range(rows)]
    table = SCENE.run(**params(kind)).table
    assert [list(row) for row in table.rows] == [[r, *line] for r, line in enumerate(expected)]
    for state, width in itertools.product(SCENE.run(**params(kind)).steps[:2], WIDTHS.values()):
        shown = {mark.key: mark.text for mark in SCENE.draw(state, width) if mark.key.startswith("offset-")}
        assert shown == {f"offset-{r}-{c}": str(expected[r][c]) for r in range(rows) for c in range(8)}


@pytest.mark.parametrize("kind", KINDS)
def test_every_point_lies_where_its_arithmetic_ends(kind):
    for point in POINTS:
        first, last, *_ = SCENE.run(**params(kind, point)).steps
        row, column = map(int, point.split(","))
        row %= 4 if kind[0] == "composition" else 8
        offset = oracle(kind, row, column)
        values = SCENE.run(**params(kind, point)).values
        assert (values["offset"].value, values["bank"].value) == (offset, offset % 8)
        for brief in (True, False):
            assert lines(first.result, brief)[1].endswith(f"= {offset}")
        assert str(offset) in SCENE.say(first)
        assert f"{offset} mod 8 = {offset % 8}" in SCENE.say(last)
        assert first.result.plain == sum(c * d for c, d in first.result.terms)


@pytest.mark.parametrize("kind", KINDS)
def test_thread_ends_at_the_word_of_the_element_in_the_column_of_its_bank(kind):
    for point, width in itertools.product(("0,0", "2,3", "7,7"), WIDTHS.values()):
        state = SCENE.run(**params(kind, point)).steps[0]
        marks = {mark.key: mark for mark in SCENE.draw(state, width)}
        place, head, end = marks["place"], marks[f"bank-{state.result.bank}"], marks["thread"].shape["d"].split("L")[-1]
        middle = place.shape["x"] + place.shape["width"] / 2
        assert head.shape["x"] == pytest.approx(middle)
        assert "hot" in head.role
        x, y = map(float, end.split())
        assert abs(x - middle) < place.shape["width"]
        assert 0 <= y - place.shape["y"] <= place.shape["height"] + 2
        address = marks[f"address-{state.result.offset // 8}"]  # the row of memory that begins at its multiple of 8
        assert address.text == str(state.result.offset // 8 * 8)
        assert 0 < address.shape["y"] - place.shape["y"] < place.shape["height"] + 1


@pytest.mark.parametrize(("kind", "expected"), TURNS.items())
def test_turns_and_spans_are_those_worked_out_by_hand(kind, expected):
    values = SCENE.run(**params(kind)).values
    assert tuple(values[name].value for name in ("column_degree", "row_degree", "cosize")) == expected
    assert values["unused"].value == expected[2] - values["size"].value


# hardware.md section 6: stride s in words, 32 lanes: the degree is gcd(s, 32), and 1 for s = 0.
@pytest.mark.parametrize("stride", range(66))
def test_conflict_degree_of_a_stride_is_its_common_divisor_with_the_banks(stride):
    offsets = stride * np.arange(32)
    assert read(offsets, banks=32).degree == (math.gcd(stride, 32) if stride else 1)


@given(offsets=st.lists(st.integers(0, 200), min_size=1, max_size=32), banks=st.sampled_from([4, 8, 32]))
@example_budget
def test_bank_loads_count_different_words(offsets, banks):
    counted = Counter(word % banks for word in set(offsets))
    assert bank_loads(np.array(offsets), banks).tolist() == [counted[bank] for bank in range(banks)]


@given(offsets=st.sets(st.integers(0, 200), min_size=1, max_size=32), banks=st.sampled_from([4, 8, 32]))
@example_budget
def test_no_bank_hands_out_two_words_in_one_turn_and_none_idles_before_it_is_done(offsets, banks):
    words = np.array(sorted(offsets))
    order = passes(words, banks)
    pairs = list(zip((words % banks).tolist(), order.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    assert all(nth == 1 or (bank, nth - 1) in pairs for bank, nth in pairs)
    assert order.max() == read(words, banks).degree


@given(offsets=st.lists(st.integers(0, 12), min_size=1, max_size=12))
@example_budget
def test_longest_run_is_the_longest_slice_of_consecutive_offsets(offsets):
    slices = [offsets[a:b] for a in range(len(offsets)) for b in range(a + 1, len(offsets) + 1)]
    expected = max(len(one) for one in slices if one == list(range(one[0], one[0] + len(one))))
    assert longest_run(np.array(offsets)) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_words_of_the_column_move_from_the_grid_to_memory_and_carry_their_turn(kind):
    first, last, *_ = SCENE.run(**params(kind)).steps
    before, after = ({m.key: m for m in SCENE.draw(state, 840)} for state in (first, last))
    words = [key for key in after if key.startswith("word-")]
    assert len(words) == len(first.result.at.offsets)
    assert all(before[key].shape["x"] < 400 < after[key].shape["x"] for key in words)
    for key, offset in zip(words, first.result.down.words, strict=True):
        box, bank, line = (after[name].shape for name in (key, f"bank-{offset % 8}", f"address-{offset // 8}"))
        assert box["x"] + box["width"] / 2 == pytest.approx(bank["x"])
        assert box["y"] < line["y"] < box["y"] + box["height"]
    shown = [int(after[key.replace("word", "pass")].text) for key in words]
    assert max(shown) == SCENE.run(**params(kind)).values["column_degree"].value
    for key, nth in zip(words, shown, strict=True):
        assert after[key].role.split()[0] == ("work" if nth == 1 else "dropped")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", WIDTHS.values())
def test_words_land_one_after_another_and_are_counted_when_they_have(kind, width):
    chapter = SCENE.run(**params(kind)).chapters[1]
    down = chapter.states[0].result.down
    assert len(chapter.states) == len(down.words) + 2 and chapter.times[-1] < 5
    for beat, state in enumerate(chapter.states):
        landed = max(0, beat - 1)  # a word that is sent in one beat has landed in the next
        marks = {mark.key: mark for mark in SCENE.draw(state, width)}
        assert [key for key in marks if key.startswith("pass-")] == [f"pass-{row}" for row in range(landed)]
        shown = marks["passes-answer"].text.partition(" ")[0]
        assert int(shown) == max(down.passes[:landed], default=0)
    assert int(shown) == SCENE.run(**params(kind)).values["column_degree"].value


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", WIDTHS.values())
def test_element_is_held_where_it_stands_in_the_grid(kind, width):
    for point in ("0,0", "2,3", "7,7"):
        state = SCENE.run(**params(kind, point)).steps[0]
        marks = {mark.key: mark for mark in SCENE.draw(state, width)}
        grasp, cell = (bounds(marks[key]) for key in ("grasp", f"cell-{state.result.row}-{state.result.column}"))
        middle = ((cell[0] + cell[2]) / 2, (cell[1] + cell[3]) / 2)
        assert marks["grasp"].handle.rail[POINTS.index(point)] == pytest.approx(middle)
        assert ((grasp[0] + grasp[2]) / 2, (grasp[1] + grasp[3]) / 2) == pytest.approx(middle)
        assert marks["answer-offset"].text == str(state.result.offset)


@pytest.mark.parametrize("width", WIDTHS.values())
def test_opening_shows_what_a_column_costs_and_where_the_element_is_among_its_words(width):
    state = SCENE.run().steps[SCENE.opening - 1]
    marks = {mark.key: mark for mark in SCENE.draw(state, width)}
    assert marks["passes-answer"].text.partition(" ")[0] == "8" and "dropped" in marks["passes-answer"].role
    ring, word = bounds(marks["word"]), bounds(marks[f"word-{state.result.row}"])
    assert ring == pytest.approx((word[0] - 1, word[1] - 1, word[2] + 1, word[3] + 1), abs=0.3)
    assert f"row {state.result.row}" in marks["memory-more"].text  # what is dashed has a name


@pytest.mark.parametrize("swizzled", ["<3,0,3>", "<2,0,3>"])
def test_bits_of_a_swizzle_spell_the_offsets_before_and_after(swizzled):
    for point in POINTS:
        state = SCENE.run(layout="row", swizzle=swizzled, point=point).steps[0]
        before, after = lines(state.result, False)[1].partition(" = ")[0].replace("\u00a0", "").split(" → ")
        assert (int(before, 2), int(after, 2)) == (state.result.plain, state.result.offset)
        assert len(before) == len(after) == 6


def test_every_cell_of_the_grid_can_be_pointed_at():
    for kind in KINDS:
        marks = list(SCENE.draw(SCENE.run(**params(kind)).steps[0], 328))
        pressed = [mark.set["point"] for mark in marks if mark.set]
        assert pressed == list(POINTS[: 32 if kind[0] == "composition" else 64])


def test_row_that_a_composition_has_not_is_taken_modulo_and_said_so():
    state = SCENE.run(layout="composition", point="6,4").steps[0]
    assert state.result.coordinate == (2, 4)
    assert SCENE.say(state).startswith("There are 4 rows: see row 2.")
    assert not SCENE.say(SCENE.run(layout="composition", point="2,4").steps[0]).startswith("There")


def test_both_ways_through_a_composition_end_at_one_offset():
    for point in POINTS[:32]:
        state = SCENE.run(layout="composition", point=point).steps[0]
        texts = [mark.text for mark in SCENE.draw(state, 840) if mark.key.startswith("factor-")]
        assert texts[-1].endswith(f"= {state.result.offset}")


@pytest.mark.parametrize("wrong", [("rows", "off", "2,3"), ("row", "<1,0,1>", "2,3"), ("row", "off", "8,0")])
def test_unknown_choice_is_refused_with_the_known_ones(wrong):
    with pytest.raises(ValueError, match="is none of"):
        solve(*wrong)


@pytest.mark.parametrize("kind", KINDS)
def test_sentences_fit_three_lines_of_a_phone(kind):
    for point in POINTS[::7]:
        said = map(SCENE.say, SCENE.run(**{**params(kind), "point": point}).steps)  # a dot is not read aloud
        assert all(len(words) <= 155 and "·" not in words for words in said)


def test_controls_read_as_a_request():
    assert SCENE.sentence == "Find {point} {layout}[, {swizzle}]."


@pytest.mark.parametrize("kind", KINDS)
def test_on_a_phone_the_thread_runs_beside_the_frame_of_the_column_and_over_no_number_of_a_bank(kind):
    for point in POINTS[::7]:
        marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params(kind, point)).steps[-1], WIDTHS["narrow"])}
        thread = [tuple(map(float, one.split())) for one in marks["thread"].shape["d"][1:].split("L")]
        frame = bounds(marks["column-edge"])
        assert thread[0][0] - frame[2] > 2  # both lines are 2 wide
        heads = [box(marks[f"bank-{bank}"]) for bank in range(8)]
        low = [y for x, y in thread if y > frame[3] and any(left - 1 < x < right + 1 for left, _, right, _ in heads)]
        assert not low or max(low) + 1 < heads[0][1]


@pytest.mark.parametrize("width", WIDTHS.values())
def test_offset_that_is_sought_stands_on_its_own_colour_alone_and_its_frame_cuts_no_neighbour(width):
    for state in SCENE.run().steps:
        marks = {mark.key: mark for mark in SCENE.draw(state, width)}
        row, column = state.result.row, state.result.column
        keys = list(marks)
        assert keys.index(f"word-{row}") < keys.index("here-ground") < keys.index("here")
        assert marks[f"offset-{row}-{column}"].role == "value strong middle"
        frame, around = bounds(marks["grasp"]), [(row - 1, column), (row + 1, column)]
        above, below = (box(marks[f"offset-{r}-{c}"]) for r, c in around)
        assert above[3] < frame[1] and frame[3] < below[1]


@pytest.mark.parametrize("kind", KINDS)
def test_on_a_phone_each_column_of_the_grid_stands_over_the_bank_of_its_number(kind):
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params(kind)).steps[-1], WIDTHS["narrow"])}
    for column in range(8):
        assert marks[f"column-{column}"].shape["x"] == pytest.approx(marks[f"bank-{column}"].shape["x"])


@pytest.mark.parametrize("width", WIDTHS.values())
@pytest.mark.parametrize("point", ["2,3", "7,0", "0,6"])
def test_cure_moves_each_word_along_its_row_of_memory_until_no_two_share_a_bank(point, width):
    chapter, column = SCENE.run(**params(("row", "off"), point)).chapters[2], int(point[2])
    before = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params(("row", "off"), point)).steps[1], width)}
    for done, state in zip((2, 4, 6, 8), chapter.states, strict=True):  # rows that are swizzled
        marks = {mark.key: mark for mark in SCENE.draw(state, width)}
        banks = [column ^ row if row < done else column for row in range(8)]
        for row, bank in enumerate(banks):
            word, head = bounds(marks[f"word-{row}"]), marks[f"bank-{bank}"].shape["x"]
            assert (word[0] + word[2]) / 2 == pytest.approx(head)
            assert word[1] == bounds(before[f"word-{row}"])[1]
            assert marks[f"offset-{row}-{column}"].text == str(8 * row + bank)
        assert int(marks["passes-answer"].text.partition(" ")[0]) == max(Counter(banks).values())
    last = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params(("row", "<3,0,3>"), point)).steps[1], width)}
    assert last == marks  # what choosing the swizzle shows


def test_only_what_is_not_swizzled_and_can_be_is_cured():
    assert [len(SCENE.run(**params(kind)).steps) for kind in KINDS] == [3] + [2] * (len(KINDS) - 1)


@pytest.mark.parametrize("width", [328, 840])
def test_swap_strikes_through_no_number_of_the_word_above(width):
    state = SCENE.run(**params(("row", "<3,0,3>"), "1,1")).steps[0]
    marks = {mark.key: mark for mark in SCENE.draw(state, width)}
    assert bounds(marks["swap"])[0] > bounds(marks["stop-0-text"])[2]
