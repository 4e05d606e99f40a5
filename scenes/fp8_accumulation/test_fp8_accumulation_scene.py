"""Check what the scene picks from a sum and says about it; the sums themselves are the model's tests."""

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.fp8_accumulation.model import sum_of
from scenes.fp8_accumulation.narration import say
from scenes.fp8_accumulation.scene import SCENE
from scenes.fp8_accumulation.story import CHAPTERS, CHOICES, KEPT, LOOKED_AT, RUNGS, TERM, story
from scenes.fp8_accumulation.words import number
from tests.boxes import answer_lines, beneath

GRID = tuple(SCENE.grid())


def states(accumulator, kind, terms, promote="never"):
    return looked_at(SCENE.run(accumulator=accumulator, promote=promote, kind=kind, terms=terms))


def looked_at(run):
    """Every addition of a story, those that pass by in its beats as well."""
    told = [state for chapter in run.chapters[: len(CHAPTERS)] for state in chapter.states]
    return [state for state in told if state.shows == KEPT]


@pytest.mark.parametrize("kind", SCENE.param("kind").values)
def test_every_choice_has_as_many_steps_and_no_sentence_twice(kind):
    for params in (params for params in GRID if params["kind"] == kind):
        run = SCENE.run(**params)
        assert len(run.steps) == len(CHAPTERS) + (params["accumulator"] == "Hopper")
        seen = looked_at(run)
        assert seen[0].at == 0 and seen[-1].last, params
        assert len({say(state) for state in seen}) == LOOKED_AT, params
        # What was held, was promoted and is held now add up.
        assert all(state.after + state.story.total[state.at] == state.sum for state in seen), params


def test_opening_says_where_the_sum_ends_and_where_it_should():
    state = SCENE.run().steps[SCENE.opening - 1]
    marks = {mark.key: mark for mark in SCENE.draw(state, 840)}
    assert (marks["answer"].text, answer_lines(marks)) == ("32", ["not 63.92"])


@pytest.mark.parametrize("width", [328, 840])
def test_guess_is_asked_of_a_growing_sum_and_answered_where_it_stopped(width):
    step = SCENE.run().steps[SCENE.opening - 1]
    kept_back = {mark.key: "answer" in mark.role.split() for mark in SCENE.draw(step, width)}
    shown = {key for key, hidden in kept_back.items() if not hidden}
    assert {"exact", "end-exact", "asked"} <= shown
    assert {"term", "base", "rung-1", "zoom-words"} <= shown  # the last term between numbers that have no names yet
    assert not any(key.startswith(("remark-", "rounding")) or key.endswith("-label") for key in shown)
    assert {"held", "gap", "end", "end-sum", "answer", "stuck", "zoom-title", "base-label", "lost"}.isdisjoint(shown)
    marks = {mark.key: mark for mark in SCENE.draw(step, width)}
    lengths = [float(marks[key].shape["stroke-dasharray"].split()[0]) for key in ("asked", "held")]
    assert lengths[0] < lengths[1] == 100
    before = next(mark for mark in SCENE.draw(step.story.states[step.story.turn - 2], width) if mark.key == "held")
    assert marks["asked"].shape == before.shape and step.story.states[step.story.turn - 2].sum < 32


@pytest.mark.parametrize("width", [328, 840])
def test_terms_that_are_lost_lie_along_the_axis_as_far_as_the_sum_has_come(width):
    for state in states("E4M3", "golden", 64):
        marks = {mark.key: mark for mark in SCENE.draw(state, width)}
        assert ("lost" in marks) == (state.lost_so_far > 0)
        if state.lost_so_far:
            runs = [float(run) for run in marks["lost"].shape["stroke-dasharray"].split()]
            ignored = sum(runs[::2]) / sum(runs) * 64
            assert ignored == pytest.approx(state.story.run.ignored.sum(), abs=0.01)
            assert marks["end-lost"].text.startswith(f"{state.lost_so_far} ")


def test_first_term_is_told_as_it_is_kept():
    assert say(states("E4M3", "golden", 64)[0]).endswith("the first term, 0.05, becomes 0.051.")
    assert say(states("FP32", "golden", 64)[0]).endswith("the first term, 0.05, fits.")


@pytest.mark.parametrize("width", [328, 840])
@pytest.mark.parametrize("params", GRID[::7], ids=str)
def test_end_of_the_sum_is_held_where_each_accumulator_would_have_it(params, width):
    run = SCENE.run(**params)
    knob = next(mark for mark in SCENE.draw(run.steps[len(CHAPTERS) - 1], width) if mark.key == "end")
    at = SCENE.param("accumulator").values.index(params["accumulator"])
    assert SCENE.param("accumulator").values == CHOICES
    assert knob.handle.rail[at] == pytest.approx((knob.shape["cx"], knob.shape["cy"]))
    sums = [sum_of(params["kind"], params["terms"], name, params["promote"]).partial[-1] for name in CHOICES]
    higher = [y for _, (_, y) in sorted(zip(sums, knob.handle.rail, strict=True))]
    assert higher == pytest.approx(sorted(higher, reverse=True), abs=1.25)
    places = [(round(x, 1), round(y, 1)) for x, y in knob.handle.rail]  # as they travel
    assert len(set(places)) == len(places)  # to take hold of a sum must choose no other accumulator
    assert not [mark for mark in SCENE.draw(run.steps[0], width) if mark.key == "end"]


@pytest.mark.parametrize("params", GRID[::5], ids=str)
def test_terms_pass_by_without_words_until_something_happens(params):
    run = SCENE.run(**params)
    for chapter in (*run.chapters[:2], run.chapters[3]):
        *passing, end = chapter.states
        assert all(state.passing for state in passing) and not end.passing
        assert [state.at for state in chapter.states] == sorted({state.at for state in chapter.states})
        remarks = [sum(mark.key.startswith("remark") for mark in SCENE.draw(state, 840)) for state in chapter.states]
        assert not any(remarks[:-1]) and remarks[-1]
        assert chapter.times[-1] < 6
    turn = run.steps[2]
    if turn.story.stalls and 1 < turn.story.states.index(turn) != LOOKED_AT // 2:
        assert turn.at == turn.story.run.stuck_after and turn.lost


@pytest.mark.parametrize("width", WIDTHS.values())
@pytest.mark.parametrize("params", GRID[::5], ids=str)
def test_addition_that_tells_most_is_shown_part_by_part(params, width):
    """What can be held there, then the term, then what is kept of it; only then do the sums go on."""
    chapter = SCENE.run(**params).chapters[2]
    told, at = chapter.states[-1].story, chapter.states[-1].at
    assert [state.shows for state in chapter.states] == [RUNGS, TERM, KEPT] and len({*map(say, chapter.states)}) == 1
    rungs, term, kept = ({mark.key: mark for mark in SCENE.draw(state, width)} for state in chapter.states)
    assert rungs["term"].shape["height"] == 0 < term["term"].shape["height"] and term["term"] == kept["term"]
    assert rungs["zoom-title"] == kept["zoom-title"] and rungs["base-label"] == kept["base-label"]
    assert [[f"remark-{key}" in one for key in ("reach", "keeps")] for one in (rungs, term, kept)] == [
        [False, False], [True, False], [True, True],
    ]  # fmt: skip
    assert "rounding" not in rungs and "rounding" not in term
    assert rungs["held-now"] == term["held-now"] != kept["held-now"]
    earlier = number(float(told.run.partial[at - 1]))
    assert f"after {at:,} term" in term["held-now"].read and f": {earlier}; exact" in term["held-now"].read


def test_lost_term_is_counted_when_it_has_been_rounded_back():
    drawn = [{mark.key: mark for mark in SCENE.draw(state, 840)} for state in SCENE.run().chapters[2].states]
    assert [one["end-lost"].text for one in drawn] == ["11 terms lost", "11 terms lost", "12 terms lost"]


def test_a_later_step_shows_a_term_that_is_short_of_halfway():
    state = next(state for state in states("E4M3", "golden", 64) if state.exact > 45)
    assert (state.before, state.after, state.step_up, state.step_down) == (32, 32, 4, 2)  # E4M3 around 32
    assert state.lost and state.term < 2 and state.exact > 45


def test_sums_that_stall_show_their_last_change_and_the_first_term_after_it():
    for accumulator, kind, terms in (("E5M2", "golden", 256), ("FP16", "ones", 4096), ("BF16", "golden", 1024)):
        told = story(accumulator, "never", kind, terms)
        assert told.stalls and {told.run.stuck_after - 1, told.run.stuck_after} <= set(told.moments)


def test_a_tie_is_told_as_a_tie():
    first = next(state for state in states("E4M3", "ones", 64) if state.lost)
    assert say(first) == (
        "From 16 on, numbers lie 2 apart: 16 + 1 = 17 is exactly halfway to 18, "
        "and a tie goes to the even neighbour, 16. The sum is stuck."
    )


def test_a_promotion_empties_the_tensor_core_and_keeps_the_total():
    first, after = (state for state in states("Hopper", "ones", 4096, 128) if state.at in (127, 128))
    assert (first.promoted, first.register, first.sum) == (True, 0, 128)
    assert (after.before, after.register, after.sum) == (0, 1, 129)


def test_the_last_step_says_how_much_is_lost():
    assert say(states("E4M3", "golden", 64)[-1]).endswith("it should be 63.92: 31.9 is lost, 49.9%.")
    assert say(states("Hopper", "golden", 4096, 128)[-1]).endswith("Without promotion it would be 8.1%.")
    assert say(states("FP32", "ones", 64)[-1]) == "All 64 terms are in, and the sum is exact: 64."


def test_sums_that_read_the_same_are_not_set_against_each_other():
    assert say(states("Hopper", "gaussian", 64, 256)[-1]).startswith("All 64 terms are in: 5.48, 0.004% off, but")
    for params in GRID:
        for state in looked_at(SCENE.run(**params)):
            marks = {mark.key: mark for mark in SCENE.draw(state, 328)}
            if "answer" in marks:
                assert answer_lines(marks) != [f"not {marks['answer'].text}"], params


@pytest.mark.parametrize("width", [328, 840])
def test_no_word_for_a_sum_lies_under_the_knob_at_its_end_or_leaves_the_stage(width):
    for params in GRID:
        drawn = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).steps[len(CHAPTERS) - 1], width)}
        assert not beneath(drawn, "end", rim=7), params
        assert all(bounds(mark)[2] <= width for mark in drawn.values() if mark.tag == "text"), params
