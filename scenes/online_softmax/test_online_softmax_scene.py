"""Check the picture of online softmax: what is kept shrinks in place, nothing collapses, and the beam tells O / l."""

import itertools

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.online_softmax.model import ORDERS, SCORES, TILES, VALUES, online_softmax
from scenes.online_softmax.scene import SCENE
from tests.beats import drawn_beats
from tests.boxes import beneath, box, overlap

CHOICES = [*itertools.product(ORDERS, TILES)]


def pictures(order, tile, width="wide"):
    """For each chapter, the marks of its beats by key."""
    run = SCENE.run(order=order, tile=tile)
    return [drawn_beats(SCENE, chapter.states, width)
            for chapter in run.chapters]  # fmt: skip


def place(marks, value):
    """Where a value lies on the beam, by the numbers that stand on it."""
    low, high = (marks[f"beam-{at}"].shape["x"] for at in (8, 15))
    return low + (high - low) * (value - 8) / 7


def middle(mark):
    return mark.shape["x"] + mark.shape["width"] / 2


def area(mark):
    return mark.shape["width"] * mark.shape["height"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("order", "tile"), CHOICES)
def test_beam_balances_at_the_output_of_every_tile(order, tile, width):
    chapters = pictures(order, tile, width)
    for chapter, step in zip(chapters, online_softmax(SCORES, VALUES, tile, order), strict=True):
        marks = chapter[-1]
        assert marks["post"].shape["x1"] == pytest.approx(place(marks, step.output))
        assert marks["answer"].text == f"{step.output:.3f}"
        parts = [mark for key, mark in marks.items() if key == "kept" or key.startswith("gain-")]
        torque = sum(area(part) * (middle(part) - marks["post"].shape["x1"]) for part in parts)
        assert torque == pytest.approx(0, abs=1e-6 * sum(map(area, parts)) * marks["beam"].shape["width"])


@pytest.mark.parametrize(("order", "tile"), CHOICES)
def test_sums_are_rescaled_before_anything_is_added_and_only_where_they_change(order, tile):
    run, steps = SCENE.run(order=order, tile=tile), online_softmax(SCORES, VALUES, tile, order)
    for chapter, step in zip(run.chapters, steps, strict=True):
        phases = [state.phase for state in chapter.states]
        assert ("rescale" in phases) == (0 < step.rescale < 1)
        assert phases[:2] == ["load", "max"] and phases[-2:] == ["weigh", "add"]
    assert sum(chapter.times[-1] for chapter in run.chapters) <= 16


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("order", "tile"), CHOICES)
def test_rescale_makes_what_is_kept_lighter_leaves_its_place_and_is_seen_when_one_steps(order, tile, width):
    for chapter, step in zip(pictures(order, tile, width), online_softmax(SCORES, VALUES, tile, order), strict=True):
        last = chapter[-1]
        assert ("kept-was" in last) == (0 < step.rescale < 1)
        if "kept-was" in last:
            was, now = last["kept-was"], last["kept"]
            assert now.shape["height"] / was.shape["height"] == pytest.approx(step.rescale)
            assert (now.shape["x"], now.shape["y"]) == (was.shape["x"], was.shape["y"])
            assert middle(now) == pytest.approx(place(last, step.before[2] / step.before[1]))
            assert last["kept-factor"].text == f"× {step.rescale:.3f}"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("order", "tile"), CHOICES)
def test_what_a_tile_added_becomes_a_part_of_what_is_kept_and_nothing_collapses(order, tile, width):
    for chapter in pictures(order, tile, width)[1:]:
        joined, later = chapter[:2]
        parts = [mark.shape for key, mark in joined.items() if key.startswith("gain-")]
        whole = joined["kept"].shape
        assert len(parts) == tile and not any(key.startswith("gain-") for key in later)
        assert max(part["y"] + part["height"] for part in parts) == pytest.approx(whole["y"] + whole["height"])
        assert all(part["y"] >= whole["y"] - 1e-9 and part["x"] == whole["x"] for part in parts)
        assert later["kept"].shape == whole


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("order", "tile"), CHOICES)
def test_weights_travel_from_their_keys_to_their_values_and_keep_their_size(order, tile, width):
    for chapter, step in zip(pictures(order, tile, width), online_softmax(SCORES, VALUES, tile, order), strict=True):
        weigh, add = chapter[-2:]
        for key, weight in zip(step.keys.tolist(), step.weights.tolist(), strict=True):
            start, end = weigh[f"gain-{key}"], add[f"gain-{key}"]
            assert middle(start) == pytest.approx(middle(add[f"key-{key}"]))
            assert middle(end) == pytest.approx(place(add, VALUES[key]))
            assert area(start) == pytest.approx(area(end))
            assert end.shape["height"] == pytest.approx({"narrow": 28, "wide": 34}[width] * weight)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("order", "tile"), CHOICES)
def test_nothing_that_balances_covers_words(order, tile, width):
    for marks in (chapter[-1] for chapter in pictures(order, tile, width)):
        things = [mark for key, mark in marks.items() if key in ("kept", "kept-was", "foot") or key.startswith("gain-")]
        words = [mark for mark in marks.values() if mark.tag == "text" and not mark.key.startswith("value-")]
        assert not [(one.key, word.key) for one in things for word in words if overlap(box(one), box(word))]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("order", "tile"), CHOICES)
def test_weights_on_their_way_fly_over_no_words_of_the_sum(order, tile, width):
    for *_, weigh, add in pictures(order, tile, width):
        words = [box(mark) for key, mark in add.items() if key.startswith("answer")]
        for key in (key for key in weigh if key.startswith("gain-")):
            start, end = box(weigh[key]), box(add[key])
            for part in range(21):
                now = tuple(one + (other - one) * part / 20 for one, other in zip(start, end, strict=True))
                assert not any(overlap(now, one) for one in words), key


def test_words_never_say_that_no_sum_changes_while_keys_are_added():
    for order, tile in CHOICES:
        said = [SCENE.say(state) for state in SCENE.run(order=order, tile=tile).steps]
        assert not any("no sum changes" in words for words in said)


@pytest.mark.parametrize(("order", "tile"), CHOICES)
def test_words_of_a_tile_quote_its_result(order, tile):
    run = SCENE.run(order=order, tile=tile)
    for state in run.steps:
        assert f"{state.tile.output:.3f}" in SCENE.say(state)
    assert "as all 16 at once do" in SCENE.say(run.steps[-1])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("order", "tile"), CHOICES)
def test_end_of_the_first_tile_is_a_handle_for_the_size_of_all(order, tile, width):
    for chapter in pictures(order, tile, width):
        marks = chapter[-1]
        knob = marks["tile-end"]
        places = [x for x, _ in knob.handle.rail]
        assert knob.handle.params == ("tile",) and places == sorted(places)
        assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[TILES.index(tile)]
        nearest = min((mark.shape["x"] + mark.shape["width"] for key, mark in marks.items() if key.startswith("key-")),
                      key=lambda end: abs(end - knob.shape["cx"]))  # fmt: skip
        left = sorted(mark.shape["x"] for key, mark in marks.items() if key.startswith("key-"))
        assert sum(x < knob.shape["cx"] for x in left) == tile and abs(nearest - knob.shape["cx"]) < 1


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("order", "tile"), CHOICES)
def test_rows_have_names_and_no_words_lie_under_the_knob(order, tile, width):
    for marks in (marks for chapter in pictures(order, tile, width) for marks in chapter):
        names = [marks[f"{name}-row"] for name in ("score", "weight", "value")]
        assert [mark.text for mark in names] == ["score", "weight", "value"]
        first = min(marks[f"key-{key}"].shape["x"] for key in range(16))
        assert all(bounds(mark)[2] <= first for mark in names)
        assert not beneath(marks, "tile-end")


def test_last_picture_balances_on_the_exact_line():
    *_, before, last = pictures("as given", 4)
    assert last[-1]["post"].shape["x1"] == pytest.approx(last[-1]["exact"].shape["x1"])
    assert "work" in last[-1]["answer"].role and "work" not in before[-1]["answer"].role


def test_page_opens_with_a_rescale():
    assert 0 < SCENE.run().steps[SCENE.opening - 1].tile.rescale < 1
