"""Check what the reader meets: bars as long as probabilities, dots that tell verdicts, and sums that come out."""

from __future__ import annotations

import itertools

import pytest

from loom.draw import Pen
from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.speculative_decoding.columns import DRAWN
from scenes.speculative_decoding.model import LARGE, LIKENESS, START, WORDS, Pass
from scenes.speculative_decoding.scene import SCENE

GRID = list(SCENE.grid())
SOME = [*GRID[::5], GRID[-1]]


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def chapter(name, **params):
    return next(one for one in SCENE.run(**params).chapters if one.name == name)


def right(mark):
    return mark.shape["x"] + mark.shape["width"]


def test_page_opens_with_refused_guesses_that_make_up_what_others_lack():
    state = SCENE.run().steps[SCENE.opening - 1]
    drawn = marks(state)
    assert state.phase == "equal" and drawn["answer"].text == "20%"
    assert [drawn[f"{kind}-and"].text for kind in ("guessed", "drawn", "out", "large")] == ["37%", "+18%", "55%", "55%"]
    assert drawn["refused-on"].text == "−18%" and "refused-and" not in drawn
    assert "drawn instead with 18%: 55%" in SCENE.say(state)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_bars_are_as_long_as_both_models_probabilities(params, width):
    drawn, one = marks(chapter("verify", **params).states[-1], width), Pass(**solved(params))
    unit = drawn["large-0-and"].shape["width"] / LARGE[START][1]
    for place, (word, name) in itertools.product(range(one.guesses_asked), enumerate(WORDS)):
        assert drawn[f"large-{place}-{name}"].shape["width"] == pytest.approx(unit * one.large_at(place)[word])
        assert drawn[f"in-{place}-{name}"].shape["width"] == pytest.approx(unit * one.small_at(place)[word])
    assert f"large-{one.guesses_asked}-on" in drawn and f"in-{one.guesses_asked}-on" not in drawn


def solved(params):
    return {"likeness": params["likeness"], "guesses_asked": params["guesses"], "draw": params["draw"]}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_dot_within_the_outline_keeps_a_guess(params, width):
    drawn, one = marks(chapter("accept", **params).states[-1], width), Pass(**solved(params))
    for place in range(min(one.stay + 1, one.guesses_asked)):
        name = WORDS[one.guesses[place]]
        inside = drawn[f"dart-{place}"].shape["cx"] < right(drawn[f"large-{place}-{name}"])
        assert inside == (f"word-{place}" in drawn) == drawn[f"chance-{place}"].text.endswith("✓")
        assert inside != (f"strike-{place}" in drawn)
    unused = {f"unused-{place}" for place in range(one.stay + 1, one.guesses_asked + 1)} if one.refused else set()
    assert {key for key in drawn if key.startswith("unused-")} == unused


@pytest.mark.parametrize("params", SOME, ids=str)
def test_last_word_is_drawn_from_what_guesses_lack(params):
    drawn, one = marks(chapter("resample", **params).states[-1]), Pass(**solved(params))
    assert drawn["word-last"].text == WORDS[one.last]
    assert drawn[f"gap-{WORDS[one.last]}"].role == DRAWN
    strong = [key for key, mark in drawn.items() if key.startswith("gap-") and mark.role == DRAWN]
    assert len(strong) == 1
    if one.refused:
        assert f"gap-{WORDS[one.guesses[one.stay]]}" not in drawn


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("likeness", LIKENESS)
def test_what_is_refused_moves_and_fills_each_outline_exactly(likeness, width):
    before, after = (marks(state, width) for state in chapter("equal", likeness=likeness).states)
    flows = [key for key in after if key.startswith("flow-")]
    assert flows == [key for key in before if key.startswith("flow-")]
    for name in WORDS:
        outline, stays = after[f"large-0-{name}"], after[f"in-0-{name}"]
        pieces = sorted((after[key].shape["x"], right(after[key])) for key in flows if key.endswith(f"-{name}"))
        ends = [right(stays), *itertools.chain.from_iterable(pieces), right(outline)]
        for start, end in zip(ends[::2], ends[1::2], strict=True):
            assert start == pytest.approx(end, abs=1e-9)
        beyond = [before[key] for key in flows if key.startswith(f"flow-{name}-")]
        assert all(mark.role == "dropped" and mark.shape["x"] >= right(outline) - 1e-9 for mark in beyond)
    knob = after["likeness"]
    assert knob.handle.rail[LIKENESS.index(likeness)] == (knob.shape["cx"], knob.shape["cy"])
    assert knob.shape["cx"] == pytest.approx(right(after["in-0-and"]))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_every_pair_fills_its_outline(params, width):
    drawn = marks(chapter("pairs", **params).states[-1], width)
    assert drawn["answer"].text == "0%"
    for pair in itertools.product(WORDS, repeat=2):
        key = "-".join(pair)
        filled = max(drawn[f"one-{key}"].shape["width"], drawn.get(f"two-{key}", EMPTY).shape["width"])
        assert filled == pytest.approx(drawn[f"pair-{key}"].shape["width"], abs=1e-9)
        with_guesses, without = drawn[f"pair-{key}"].read.split(": ")[1].split(" with guesses, ")
        assert f"{with_guesses} without" == without


class EMPTY:
    shape = {"width": 0.0}


def test_guesses_come_one_by_one_and_are_judged_one_by_one():
    drafts, verdicts = (chapter(name).states for name in ("draft", "accept"))
    assert [marks(state)["answer"].text for state in drafts[::2]] == ["0", "1", "2", "3", "4"]
    assert [marks(state)["answer"].text for state in verdicts[::2]] == [f"{stay} of 4" for stay in (0, 1, 2, 2)]
    assert marks(chapter("resample").states[-1])["answer"].text == "3 words"
    assert len(chapter("accept", draw=2).states) == 3 and len(chapter("accept", draw=3).states) == 9


@pytest.mark.parametrize("likeness", LIKENESS)
def test_as_much_is_drawn_instead_as_is_refused_and_that_is_told_once_it_has_moved(likeness):
    before, after = (marks(state) for state in chapter("equal", likeness=likeness).states)
    drawn = sum(mark.shape["width"] for key, mark in after.items() if key.startswith("flow-"))
    whole = sum(after[f"large-0-{name}"].shape["width"] for name in WORDS)
    assert before["answer"].text == after["answer"].text == f"{100 * drawn / whole:.0f}%"
    told = ["the same" in " ".join(mark.text for key, mark in one.items() if key.startswith("answer-"))
            for one in (before, after)]  # fmt: skip
    assert told == [False, likeness < 1]


def test_heads_of_refused_and_drawn_have_the_colour_of_their_numbers():
    drawn = marks(SCENE.run().steps[4])
    for kind, word in (("refused", "on"), ("drawn", "and")):
        assert drawn[f"head-{kind}-0"].role == drawn[f"{kind}-{word}"].role


def test_a_single_word_is_not_told_apart_from_one():
    assert SCENE.say(chapter("resample", likeness=0.0).states[-1]).endswith("So the pass gives 1 word.")
    assert SCENE.say(chapter("resample").states[-1]).endswith("So the pass gives 3 words, not one.")


def test_guesses_behind_a_refused_one_go_with_it():
    said = SCENE.say(chapter("accept").states[-1])
    assert said.endswith("“on” has 36% and is refused, and the one behind it goes too.")


def test_values_are_those_that_prose_quotes():
    shown = {name: str(value) for name, value in SCENE.run().values.items()}
    assert (shown["alike"], shown["refused"], shown["tokens"]) == ("80%", "20%", "3\u00a0tokens")
    assert (shown["p_and"], shown["q_and"], shown["refilled_and"]) == ("55%", "37%", "18%")
    assert shown["expected"] == "3.38\u00a0tokens" and shown["difference"] == "0%"
    for params in GRID:
        assert SCENE.run(**params).values["difference"].value == 0


@pytest.mark.parametrize("params", SOME, ids=str)
def test_table_adds_up(params):
    for _, large, _, stays, drawn, out in SCENE.run(**params).table.rows:
        assert stays + drawn == pytest.approx(out) == pytest.approx(large)


@pytest.mark.parametrize("width", WIDTHS)
def test_place_after_all_guesses_waits_for_the_large_models_own_word(width):
    for params in SOME:
        steps = SCENE.run(**params).steps
        drafted, passed, judged, last = (marks(step, width) for step in steps[:4])
        one = steps[0].result
        place = drafted["further-place"].shape
        assert all(right(drafted[f"in-{at}-{word}"]) < place["x"] for at in range(one.guesses_asked) for word in WORDS)
        assert passed[f"large-{one.guesses_asked}-{WORDS[0]}"].shape["x"] == pytest.approx(place["x"], abs=0.5)
        assert drafted["further"].text == passed["further"].text == "+1"
        assert ("further" in judged) == ("further" in last) == (not one.refused)


@pytest.mark.parametrize("width", WIDTHS)
def test_what_comes_out_is_the_largest_of_the_words(width):
    found = marks(SCENE.run().steps[3], width)
    assert "strong" in found["out-name"].role and bounds(found["out-name"])[2] < found["in-0-on"].shape["x"]
    pen = Pen(WIDTHS[width])
    tall = [bounds(found[key])[3] - bounds(found[key])[1] for key in ("word-0", "chance-0")]
    assert tall[0] / tall[1] == pytest.approx(pen.large / pen.size, rel=0.05)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_single_line_beside_the_number_stands_on_its_line(width):
    for name in ("accept", *(("equal",) if width == "wide" else ())):
        drawn = marks(chapter(name).states[-1], width)
        number, words = (mark.shape["y"] for key, mark in drawn.items() if key.startswith("answer"))
        assert number == words


def test_story_takes_twelve_seconds_at_most():
    for params in GRID:
        run = SCENE.run(**params)
        assert sum(one.times[-1] for one in run.chapters) <= 12


@pytest.mark.parametrize("width", WIDTHS)
def test_every_colour_has_its_word_once_two_models_are_there(width):
    for one in SCENE.run().chapters[1:]:
        drawn = marks(one.states[-1], width)
        words = {mark.text for key, mark in drawn.items() if key.startswith("key-") and mark.tag == "text"}
        roles = {mark.role.split()[0] for key, mark in drawn.items() if key.startswith(("in-", "out-", "gap-", "two-"))}
        told = {"kept": "stays", "dropped": "refused", DRAWN: "drawn instead"}
        assert {told[role] for role in roles & told.keys()} <= words, one.name
        assert not any("hot" in mark.role for key, mark in drawn.items() if key.startswith(("gap-", "flow-", "two-")))


def test_guesses_that_stay_are_counted_so_far_until_all_that_matter_are_looked_at():
    *before, last = next(one for one in SCENE.run().chapters if one.name == "accept").states
    words = [next(mark.text for mark in SCENE.draw(state, WIDTHS["wide"]) if mark.key.startswith("answer-words"))
             for state in (*before, last)]  # fmt: skip
    assert all(one.endswith("so far") for one in words[:-1]) and words[-1].endswith("stay")


def test_no_two_marks_say_the_same():
    for state in SCENE.run().steps:
        said = [mark.read for mark in marks(state).values() if mark.read]
        assert len(said) == len({*said})
