"""Check the scene: its product is that of the rotation, and its handles stand where values are."""

import itertools
import math
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._rope.rotation import frequencies, score
from scenes.rope.dials import FEW, SHOWN
from scenes.rope.model import CURVE, DISTANCES, pose
from scenes.rope.scene import ROWS, SCENE
from tests.beats import drawn_beats
from tests.boxes import beneath, touching

SOME = (1, 2, 7, 16, 104, 1022, 4096)


def pictures(distance, chapter, width="wide"):
    """The marks of every beat of a chapter, by key."""
    states = SCENE.run(distance=distance).chapters[chapter - 1].states
    return drawn_beats(SCENE, states, width)


def shape(drawn, pair, what):
    """The mark of a pair, in whichever turn of its arrows."""
    return next(mark.shape for key, mark in drawn.items() if re.fullmatch(rf"dial-{pair}-{what}(-\w+)?", key))


def angle(line):
    return math.atan2(line["x2"] - line["x1"], line["y1"] - line["y2"])


@pytest.mark.parametrize("distance", SOME)
def test_product_is_that_of_two_rotated_vectors_wherever_they_stand(distance):
    values = {name: value.value for name, value in SCENE.run(distance=distance).values.items()}
    theta = frequencies(10_000)
    assert values["score"] == pytest.approx(score(distance, 0, theta), abs=1e-12)
    assert values["score_moved"] == pytest.approx(values["score"], abs=1e-10)
    assert CURVE[DISTANCES.index(distance)] == pytest.approx(values["score"], abs=1e-10)


def test_table_holds_nine_pairs_whose_cosines_follow_from_their_angles():
    rows = SCENE.run(distance=104).table.rows
    assert [row[0] for row in rows] == list(ROWS)
    for pair, theta, wave, angle, cosine in rows:
        assert theta == pytest.approx(10_000 ** (-pair / 64))
        assert wave == pytest.approx(2 * math.pi / theta)
        assert (angle, cosine) == (pytest.approx(104 * theta), pytest.approx(math.cos(104 * theta)))


@pytest.mark.parametrize("distance", SOME)
@pytest.mark.parametrize("chapter", [1, 2, 3])
def test_arrows_stand_apart_by_the_angle_of_their_distance(distance, chapter):
    drawn = pictures(distance, chapter)[-1]
    for pair in SHOWN:
        key, query = (angle(shape(drawn, pair, what)) for what in ("key", "query"))
        off = query - key - distance * 10_000 ** (-pair / 64)
        assert math.remainder(off, 2 * math.pi) == pytest.approx(0, abs=1e-8)


def test_shadow_of_the_query_on_the_key_is_as_long_as_the_cosine():
    drawn = pictures(104, 1)[-1]
    for pair in SHOWN:
        shadow, key = (shape(drawn, pair, name) for name in ("shadow", "key"))
        dot = sum((shadow[f"{axis}2"] - shadow[f"{axis}1"]) * (key[f"{axis}2"] - key[f"{axis}1"]) for axis in "xy")
        reach = math.dist((key["x1"], key["y1"]), (key["x2"], key["y2"]))
        assert dot / reach**2 == pytest.approx(math.cos(104 * 10_000 ** (-pair / 64)), abs=1e-9)


def test_product_stays_in_every_beat_in_which_both_tokens_move():
    beats = pictures(104, 2)
    assert len(beats) == 8
    assert {marks["answer"].text for marks in beats} == {f"{score(104, 0, frequencies(10_000)):.3f}"}
    assert all(shape(one, 48, "key") != shape(other, 48, "key") for one, other in itertools.pairwise(beats))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("distance", SOME)
def test_arrows_turn_and_never_cut_across_their_dial(distance, width):
    chapters = [pictures(distance, chapter, width) for chapter in (1, 2, 3)]
    told = [*itertools.pairwise([*chapters, chapters[0]]), *((one, one) for one in chapters)]  # on, or once more
    again = [(one[-1], other[0]) for one, other in told]
    steps = [(one[-1], other[-1]) for one, other in itertools.pairwise(chapters)]
    for one, other in [*(both for beats in chapters for both in itertools.pairwise(beats)), *again, *steps]:
        for key in set(one) & set(other):
            if re.match(r"dial-\d+-(key|query)", key) and one[key].tag == "line":
                turn = math.remainder(angle(other[key].shape) - angle(one[key].shape), 2 * math.pi)
                assert abs(turn) <= math.radians(66), key


@pytest.mark.parametrize("width", WIDTHS)
def test_pairs_become_too_fast_to_be_seen_one_after_the_other_and_none_is_in_the_end(width):
    beats = pictures(16, 3, width)
    pairs = SHOWN if width == "wide" else FEW
    first = [next((at for at, drawn in enumerate(beats) if f"dial-{pair}-blur" in drawn), None) for pair in pairs]
    assert first[-1] is None
    assert first[:-1] == sorted(set(first[:-1]))
    for drawn in beats:
        for pair in pairs:  # either the arrow or the disc that it sweeps over
            assert (f"dial-{pair}-blur" in drawn) != any(key.startswith(f"dial-{pair}-query") for key in drawn)
    for chapter in (1, 2, 3):
        assert not any(key.endswith("-blur") for key in pictures(16, chapter, width)[-1])


def test_query_walks_token_by_token_to_its_distance():
    walked = [int(marks["distance"].text.split()[1]) for marks in pictures(16, 1)]
    assert walked == list(range(1, 17))


def test_query_goes_through_all_distances_and_comes_back_to_its_own():
    walked = [int(marks["distance"].text.split()[1].replace(",", "")) for marks in pictures(16, 3)]
    assert walked[:-1] == sorted(walked[:-1])
    assert walked[-2] > 2000
    assert walked[-1] == 16


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("distance", SOME)
def test_dot_is_the_only_handle_and_stands_at_the_distance(distance, width):
    """On a dial no finger could follow: it scrolls the page where the rail turns, and near tokens share a place."""
    for chapter in (1, 2, 3):
        drawn, place = pictures(distance, chapter, width)[-1], DISTANCES.index(distance)
        assert [key for key, mark in drawn.items() if mark.handle] == ["here"]
        knob = drawn["here"]
        assert knob.handle.params == ("distance",)
        assert knob.handle.rail[place] == pytest.approx((knob.shape["cx"], knob.shape["cy"]), abs=1e-6)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("distance", SOME)
def test_dot_on_the_curve_hides_no_number_or_name_of_the_axes(distance, width):
    drawn = pictures(distance, 1, width)[-1]
    left, top, right, bottom = bounds(drawn["here"])
    names = [bounds(mark) for key, mark in drawn.items() if mark.tag == "text" and key.startswith("plot-")]
    assert names
    assert not [
        box for box in names if box[0] < right and left < box[2] and box[1] < bottom - 0.5 and top + 0.5 < box[3]
    ]


def test_fast_pairs_have_gone_round_where_slow_ones_have_not():
    drawn = pictures(1022, 1)[-1]
    assert "turns" in drawn["angle-0"].text
    assert drawn["angle-48"].text.endswith("°")


@pytest.mark.parametrize("distance", SOME)
def test_words_are_short_and_differ_from_chapter_to_chapter(distance):
    said = [SCENE.say(state) for state in SCENE.run(distance=distance).steps]
    assert len(set(said)) == 3
    assert max(map(len, said)) <= 200


@pytest.mark.parametrize(
    ("distance", "walk", "apart"),
    [(1, "has turned by 57.3°.", "(57.3° at 1 token)"), (133, "has made 21.2 turns.", "(21.2 turns at 133 tokens)")],
)
def test_an_angle_of_less_than_a_turn_is_told_in_degrees_and_turns_are_made(distance, walk, apart):
    said = [SCENE.say(state) for state in SCENE.run(distance=distance).steps]
    assert said[0].endswith(walk)
    assert apart in said[2]


@pytest.mark.parametrize(("width", "pairs", "radius"), [("wide", SHOWN, 65), ("narrow", FEW, 38)])
def test_dials_are_large_enough_to_be_read_and_say_how_fast_they_turn(width, pairs, radius):
    drawn = pictures(16, 3, width)[-1]
    dials = {key: mark for key, mark in drawn.items() if re.fullmatch(r"dial-\d+", key)}
    assert list(dials) == [f"dial-{pair}" for pair in pairs]
    for pair, dial in zip(pairs, dials.values(), strict=True):
        assert dial.shape["r"] >= radius
        each = float(re.search(r"turns ([\d.]+)°", dial.read)[1])
        assert each == pytest.approx(math.degrees(10_000 ** (-pair / 64)), rel=5e-3)


@pytest.mark.parametrize("width", WIDTHS)
def test_all_words_lie_within_the_picture(width):
    for mark in pictures(16, 3, width)[-1].values():
        if mark.tag == "text":
            left, _, right, _ = bounds(mark)
            assert 0 <= left < right <= WIDTHS[width]


@pytest.mark.parametrize("width", WIDTHS)
def test_letters_of_neighbouring_dials_are_apart(width):
    for distance in DISTANCES:
        for drawn in (pictures(distance, chapter, width)[-1] for chapter in (1, 2, 3)):
            assert not touching([mark for key, mark in drawn.items() if "-letter" in key], across=-1, down=0)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("distance", DISTANCES)
def test_no_words_lie_under_the_knob(distance, width):
    drawn = pictures(distance, 3, width)[-1]
    assert beneath(drawn, "here") == []
    assert "plot-y-title" in drawn


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("distance", SOME)
def test_each_pair_has_a_bar_as_long_as_its_cosine_and_a_line_lies_at_their_mean(distance, width):
    drawn = pictures(distance, 1, width)[-1]
    bars = [list(map(float, re.split("[ ML]", bar)[1:])) for bar in re.findall(r"M[^M]+", drawn["cosines"].shape["d"])]
    zero = drawn["cosines-zero"].shape["y1"]
    unit = {"wide": 38, "narrow": 19}[width]
    told = [(zero - tip) / unit for _, _, _, tip in bars]
    assert told == pytest.approx(pose(distance).cosines.tolist(), abs=0.6 / unit)
    assert zero - drawn["mean"].shape["y1"] == pytest.approx(unit * pose(distance).score)


def test_bars_of_all_pairs_stay_in_every_beat_in_which_both_tokens_move_and_change_as_the_query_walks():
    assert len({marks["cosines"].shape["d"] for marks in pictures(104, 2)}) == 1
    walked = pictures(16, 1)
    assert len({marks["cosines"].shape["d"] for marks in walked}) == len(walked)
