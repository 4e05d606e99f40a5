"""Check the ladder against the published figures, its factors against exact fractions, its bars against its speeds."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.matmul_ladder.drawing import draw
from scenes.matmul_ladder.model import CUBLAS, PEAK, RUNGS, SPEEDS, Climb, factors, share, two_digits
from scenes.matmul_ladder.scene import SCENE
from tests.boxes import answer_lines

example_budget = settings(max_examples=100, deadline=None, derandomize=True)

# Taha, Liu, Wang, Dakkak, "Matrix Multiplication on Blackwell", 2025, M = N = K = 4096, BF16, B200; TFLOP/s.
PUBLISHED = [
    ("Part 1", "5"),  # "Our kernel gave us 5 TFLOPs"
    ("Part 2", "155.0"),  # kernel 2
    ("Part 2", "288.3"),  # kernel 3, "Performance"
    ("Part 2", "293.6"),  # kernel 4, "Performance"
    ("Part 3", "360.2"),  # kernel 5
    ("Part 3", "1,429"),  # kernel 6
    ("Part 3", "1,493"),  # kernel 7: "an additional 64 TFlops"
    ("Part 4", "1,772"),  # introduction
]
EXACT = [Fraction(words.replace(",", "")) for _, words in PUBLISHED]


BASES = range(1, 8)


def marks(state, width="narrow"):
    """The marks of a picture by key."""
    return {mark.key: mark for mark in draw(state, WIDTHS[width])}


def last(base=1, width="narrow"):
    return marks(SCENE.run(base=base).steps[-1], width)


def test_every_figure_is_the_published_one_with_the_digits_of_its_source():
    assert [(f"Part {rung.part}", rung.shown) for rung in RUNGS] == PUBLISHED
    assert [Fraction(rung.speed).limit_denominator(10) for rung in RUNGS] == EXACT


def test_library_and_peak_are_those_of_part_1():
    values = SCENE.run().values
    assert (str(values["cublas"]), str(values["peak"])) == ("1,763\u00a0TFLOP/s", "2,250\u00a0TFLOP/s")


def test_values_are_those_that_prose_quotes():
    values = {name: str(value) for name, value in SCENE.run(base=6).values.items()}
    assert values == SCENE_VALUES == {name: str(value) for name, value in SCENE.run().values.items()}


SCENE_VALUES = {
    "first": "5\u00a0TFLOP/s", "last": "1,772\u00a0TFLOP/s", "cublas": "1,763\u00a0TFLOP/s",
    "peak": "2,250\u00a0TFLOP/s", "times": "350×", "share": "78.8%", "of_cublas": "100.5%", "rungs": "8",
}  # fmt: skip


def test_table_gives_each_rung_its_factor_and_its_share_of_the_peak():
    table = SCENE.run().table
    assert [column.name for column in table.columns] == ["rung", "changed", "speed", "times", "share", "source"]
    before = [EXACT[0], *EXACT[:-1]]
    for row, speed, last, (part, _) in zip(table.rows, EXACT, before, PUBLISHED, strict=True):
        assert row[3] == pytest.approx(float(speed / last), rel=1e-14)
        assert row[4] == pytest.approx(float(speed / 2250 * 100), rel=1e-14)
        assert row[5] == part
    assert [row[0] for row in table.rows] == list(range(1, 9))


@pytest.mark.parametrize(
    ("rung", "of_cublas"),
    [(1, 0.3), (3, 16.4), (5, 20), (6, 81), (7, 85)],  # Parts 2 and 3, after each kernel
)
def test_shares_of_the_library_round_to_those_of_the_posts(rung, of_cublas):
    got = share(RUNGS[rung - 1].speed, CUBLAS)
    digits = len(str(of_cublas).partition(".")[2])
    assert round(got, digits) == of_cublas


def test_last_rung_passes_the_library_by_half_a_percent_and_stays_below_the_peak():
    # Part 4 says 100.6 %; its rounded figures give 100.51 %.
    assert share(1772.0, CUBLAS) == pytest.approx(100.6, abs=0.1)
    assert 1763 < RUNGS[-1].speed < PEAK


def test_every_rung_is_faster_also_the_one_that_its_text_calls_slower():
    assert all(here < there for here, there in itertools.pairwise(EXACT))
    assert (factors(SPEEDS) > 1).all()
    said = SCENE.say(SCENE.run().steps[3])
    assert "0.7% slower" in said
    assert "1.8% faster" in said


def test_overlap_is_the_largest_step_but_the_first():
    gains = factors(SPEEDS)
    assert np.argsort(gains)[::-1][:2].tolist() == [0, 4]
    assert gains[4] == pytest.approx(1429 / 360.2, rel=1e-15)


@given(speeds=st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=20))
@example_budget
def test_factors_multiply_to_the_last_over_the_first(speeds):
    got = factors(np.array(speeds))
    assert len(got) == len(speeds) - 1
    assert math.prod(got.tolist()) == pytest.approx(float(Fraction(speeds[-1]) / Fraction(speeds[0])), rel=1e-12)


@given(factor=st.floats(1, 1e6))
@example_budget
def test_two_digits_are_within_one_part_in_twenty(factor):
    assert abs(two_digits(factor) - factor) <= factor / 20
    written = f"{two_digits(factor):.12e}"  # at more digits, 9.2 is 9.199999999999999
    assert len(written.split("e")[0].rstrip("0").replace(".", "")) <= 2


@pytest.mark.parametrize("speeds", [[0.0, 1.0], [1.0, -2.0], [math.nan, 1.0], [1.0, math.inf]])
def test_speeds_that_are_no_speeds_are_refused(speeds):
    with pytest.raises(ValueError, match=r"speeds are positive numbers of TFLOP/s, not \["):
        factors(np.array(speeds))


@pytest.mark.parametrize("base", [0, 8])
def test_climb_begins_at_a_rung_below_the_last(base):
    with pytest.raises(ValueError, match=f"a climb begins at rung 1 to 7, not {base}"):
        Climb(base)


def length(mark, width):
    return float(mark.shape["height" if width == "wide" else "width"])


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("width", WIDTHS)
def test_what_a_rung_adds_is_as_long_as_the_logarithm_of_its_factor(width, base):
    drawn = last(base, width)
    unit = length(drawn["gain-8"], width) / math.log(1772 / 1493)
    for rung in range(base + 1, 9):
        factor = float(EXACT[rung - 1] / EXACT[rung - 2])
        assert length(drawn[f"gain-{rung}"], width) == pytest.approx(math.log(factor) * unit, rel=1e-9)
    assert length(drawn[f"gain-{base}"], width) == 0
    assert drawn[f"under-{base}"].read and not drawn[f"gain-{base}"].read  # nothing is read from what can't be seen


@pytest.mark.parametrize("width", WIDTHS)
def test_every_rung_begins_where_the_one_before_ends(width):
    drawn = last(width=width)
    for low, high in itertools.pairwise(range(1, 9)):
        one, next_ = drawn[f"gain-{low}"].shape, drawn[f"gain-{high}"].shape
        end, start = (one["y"], next_["y"] + next_["height"]) if width == "wide" else (
            one["x"] + one["width"], next_["x"])  # fmt: skip
        assert start == pytest.approx(end, abs=1e-9)


def test_last_rung_ends_between_the_lines_of_the_library_and_of_the_peak():
    wide, narrow = last(width="wide"), last()
    assert wide["peak"].shape["y1"] < wide["gain-8"].shape["y"] < wide["cublas"].shape["y1"]
    end = narrow["gain-8"].shape["x"] + narrow["gain-8"].shape["width"]
    assert narrow["cublas"].shape["x1"] < end < narrow["peak"].shape["x1"]


@pytest.mark.parametrize("base", BASES)
def test_step_grows_first_and_then_its_numbers_are_told(base):
    chapters = SCENE.run(base=base).chapters
    assert len(chapters) == 9 - base
    for rung, chapter in enumerate(chapters, base):
        before, after = (marks(state) for state in chapter.states[:2])
        assert len(chapter.states) == 3
        assert before[f"gain-{rung}"] == after[f"gain-{rung}"]
        assert after["speed"].text == f"{RUNGS[rung - 1].shown} TFLOP/s" != before["speed"].text or rung == base
        grown = [key for key in after if key.startswith(("gain", "pile")) and after[key].role == "hot"]
        grown = [key for key in grown if length(after[key], "narrow") > 0]
        assert grown == [f"gain-{rung}", f"pile-{rung}"] * (rung > base)


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("width", WIDTHS)
def test_rungs_that_are_not_climbed_stand_as_outlines(width, base):
    first = marks(SCENE.run(base=base).steps[0], width)
    assert {key for key in first if key.startswith("ahead")} == {
        f"ahead-{rung}" for rung in range(1, 9) if rung != base
    }
    assert {f"ahead-{rung}" for rung in range(1, base)} == {key for key in last(base, width) if key.startswith("ahead")}


@pytest.mark.parametrize(("base", "words"), [(1, "350×"), (4, "6.04×"), (5, "4.92×"), (6, "1.24×")])
def test_answer_is_the_factor_from_where_the_climb_began(base, words):
    assert last(base)["answer"].text == words


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("width", WIDTHS)
def test_large_number_is_how_far_the_climb_has_come_and_what_the_rung_bought_stands_at_its_bar_too(width, base):
    for rung, state in enumerate(SCENE.run(base=base).steps, base):
        drawn = marks(state, width)
        far = float(f"{float(EXACT[rung - 1] / EXACT[base - 1]):.{1 if base == 1 else 2}e}")
        assert float(drawn["answer"].text.rstrip("×")) == far and "answer" in drawn["answer"].role
        if rung > base:
            assert drawn[f"factor-{rung}"].text.startswith("×")
            assert f"speed-{rung}" in drawn if width == "wide" else RUNGS[rung - 1].shown in drawn["speed"].text


def test_large_number_of_the_opening_answers_the_title():
    assert f"{last()['answer'].text} as fast?" in SCENE.title


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("width", WIDTHS)
def test_all_factors_stand_on_each_other_from_where_the_climb_began_to_the_last(width, base):
    drawn, across = last(base, width), "x" if width == "wide" else "y"
    pile = [mark.shape for key, mark in drawn.items() if key.startswith("pile-")]
    assert len(pile) == 8 - base
    size = "height" if width == "wide" else "width"
    for rung, shape in enumerate(pile, base + 1):
        gain = drawn[f"gain-{rung}"].shape
        low = (shape["y"] + shape["height"], gain["y"] + gain["height"]) if width == "wide" else (shape["x"], gain["x"])
        assert low[0] == pytest.approx(low[1])
        assert gain[size] - 1 <= shape[size] or shape[size] == 0.5
    assert len({shape[across] for shape in pile}) == 1
    thick = pile[0]["width" if width == "wide" else "height"]
    assert drawn["whole"].shape[across] == pytest.approx(pile[0][across] + thick / 2, abs=6)  # its name stands by it


@pytest.mark.parametrize("base", BASES)
def test_gain_travels_from_its_bar_to_the_pile_as_its_numbers_are_told(base):
    for rung, chapter in enumerate(SCENE.run(base=base).chapters[1:], base + 1):
        before, after = (marks(state, "wide") for state in chapter.states[:2])
        assert before[f"pile-{rung}"].shape["x"] == before[f"gain-{rung}"].shape["x"] < after[f"pile-{rung}"].shape["x"]
        assert after[f"pile-{rung}"].read and not before[f"pile-{rung}"].read


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("width", WIDTHS)
def test_handle_stands_on_the_step_of_its_rung(width, base):
    drawn = last(base, width)
    knob, at = drawn["base"], drawn[f"gain-{base}"].shape
    assert len(knob.handle.rail) == 7 and knob.handle.rail[base - 1] == (knob.shape["cx"], knob.shape["cy"])
    middle = at["y"] if width == "wide" else at["y"] + at["height"] / 2
    assert knob.shape["cy"] == pytest.approx(middle)
    assert list(knob.handle.rail) == sorted(knob.handle.rail)


def test_a_finger_that_goes_down_takes_the_handle_of_a_phone_along():
    rail = last(1, "narrow")["base"].handle.rail
    assert len({x for x, _ in rail}) == 1 and len({y for _, y in rail}) == 7


@pytest.mark.parametrize("base", BASES)
def test_narration_differs_from_step_to_step_and_quotes_its_factor(base):
    said = [SCENE.say(state) for state in SCENE.run(base=base).steps]
    assert len(set(said)) == len(said) == 9 - base
    for rung, words in enumerate(said, base):
        factor = f"{float(EXACT[rung - 1] / EXACT[rung - 2]):.2f}" if rung > 2 else "31"
        assert rung in (1, 4) or f"{factor} times as fast" in words


def test_opening_has_few_marks():
    assert len(last()) <= 78


def test_names_of_neighbouring_rungs_do_not_run_together():
    drawn = [mark for mark in SCENE.draw(SCENE.run().steps[-1], WIDTHS["wide"]) if mark.key.startswith("name-")]
    rows = {}
    for mark in drawn:
        left, _, right, _ = bounds(mark)
        rows.setdefault(mark.shape["y"], []).append((left, right))
    for row in rows.values():
        assert all(before[1] + 6 <= after[0] for before, after in itertools.pairwise(sorted(row)))


def test_a_phones_handle_lies_on_no_name_and_names_stand_in_the_rows_of_their_bars():
    for state in SCENE.run(base=1).steps:
        drawn = marks(state)
        for rung in range(1, 9):
            _, top, right, bottom = bounds(drawn[f"name-{rung}"])
            row = drawn.get(f"gain-{rung}", drawn.get(f"ahead-{rung}")).shape
            assert right <= drawn["base"].shape["cx"] - 14
            assert (top + bottom) / 2 == pytest.approx(row["y"] + row["height"] / 2, abs=2)


def test_what_a_rung_bought_is_told_apart_from_where_the_climb_began():
    assert answer_lines(last()) == ["as fast as four lines of code"]
    assert last()["factor-8"].text == "×1.19"
    assert "The source, whose 5 is rounded, says 28." in SCENE.say(SCENE.run().steps[1])
