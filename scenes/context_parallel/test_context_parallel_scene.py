"""Check what the reader meets: the triangle, lanes that wait, keys that travel, and a long sequence with its knob."""

import itertools

import pytest

from loom.draw import bounds
from loom.scene import WIDTHS
from scenes.context_parallel.chart import LENGTHS
from scenes.context_parallel.cost import Case
from scenes.context_parallel.model import LAYOUTS, TOKENS, Ring
from scenes.context_parallel.scene import SCENE
from tests.boxes import beneath

EXTREMES = [dict(zip(("layout", "ranks", "tokens"), one, strict=True))
            for one in itertools.product(LAYOUTS, (2, 4, 8), (LENGTHS[0], 16_384, LENGTHS[-1]))]  # fmt: skip


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def chapter(name, **params):
    return next(one for one in SCENE.run(**params).chapters if one.name == name)


def test_page_opens_with_gpus_that_wait():
    drawn = marks(SCENE.run().steps[SCENE.opening - 1])
    assert drawn["answer"].text == "1.7×"
    assert drawn["now-words-58"].text == "58"
    assert [drawn[f"total-{rank}"].text for rank in range(4)] == ["10", "26", "42", "58"]
    assert "41% of the time" in SCENE.say(SCENE.run().steps[1])


@pytest.mark.parametrize("width", WIDTHS)
def test_after_the_guess_lanes_end_at_the_time_without_a_mask(width):
    own, ring = (marks(chapter(name, ranks=4, layout="contiguous").states[-1], width) for name in ("own", "ring"))
    lane, end = ring["lane-3"].shape, ring["now-line"].shape["x1"]
    assert "bare" not in own  # it is half of what the guess is about
    assert ring["bare"].text == "without a mask 64"
    assert (end - lane["x"]) / lane["width"] == pytest.approx(58 / 64)
    assert "58 pairs; without a mask it would be 64" in SCENE.say(chapter("ring", layout="contiguous").states[-1])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_each_step_is_as_long_as_its_slowest_gpu(layout, ranks, width):
    ring = Ring(layout, ranks)
    drawn = marks(chapter("ring", layout=layout, ranks=ranks).states[-1], width)
    left, unit = drawn["lane-0"].shape["x"], drawn["lane-0"].shape["width"] / Ring("contiguous", ranks).bare
    for step, end in enumerate(ring.ends):
        ends = [drawn[f"span-{rank}-{step}"].shape for rank in range(ranks)]
        assert max(shape["x"] + shape["width"] for shape in ends) == pytest.approx(left + end * unit - 1)
        assert len({shape["x"] for shape in ends}) == 1
    assert any(key.startswith("waits") for key in drawn) == (ring.waiting > 0)


def test_keys_go_to_the_next_gpu_in_each_step_and_waiting_pushes_the_rest_back():
    states = chapter("ring", ranks=4).states
    for step, state in enumerate(states[:-1]):
        drawn = marks(state)
        for rank in range(4):
            assert drawn[f"chip-{rank}"].shape["y"] == drawn[f"lane-{(rank + step) % 4}"].shape["y"]
    before, first = marks(SCENE.run(ranks=4).steps[0]), marks(states[1])
    assert first["rest-2"].shape["x"] > before["rest-2"].shape["x"]
    assert "rest-0" not in first


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_lit_blocks_hold_the_pairs_of_the_step(layout, ranks):
    ring = Ring(layout, ranks)
    for step, state in enumerate(chapter("ring", layout=layout, ranks=ranks).states[:-1]):
        drawn = marks(state)
        cell = drawn["row-0"].shape["width"] + 1
        lit = [mark.shape for key, mark in drawn.items() if key.startswith(f"block-{step}-")]
        area = sum((one["width"] + 1) * (one["height"] + 1) for one in lit) / cell**2
        assert area == pytest.approx(ring.pairs[:, step].sum())
        assert sum(f"row-{query}" in drawn for query in range(TOKENS)) == TOKENS
    assert not [key for key in marks(SCENE.run(layout=layout, ranks=ranks).steps[1]) if key.startswith("block")]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_knob_stands_on_the_slower_of_work_and_transfer(params, width):
    for state in SCENE.run(**params).steps[-2:]:
        drawn = marks(state, width)
        knob, at = drawn["tokens"], LENGTHS.index(params["tokens"])
        assert knob.handle.rail[at] == (knob.shape["cx"], knob.shape["cy"])
        places = [x for x, _ in knob.handle.rail]
        assert places == sorted(places) and len(set(places)) == len(LENGTHS)


def test_words_say_whether_the_transfer_hides():
    for params in EXTREMES:
        case = Case(**params)
        hidden = params["tokens"] >= case.hides_from
        said = SCENE.say(chapter("hide", **params).states[-1])
        assert ("behind" in said) == hidden and ("can’t hide" in said) == (not hidden)


@pytest.mark.parametrize("params", EXTREMES)
def test_bars_are_as_long_as_the_times_they_tell(params):
    drawn, case = marks(SCENE.run(**params).steps[-1]), Case(**params)
    times = {"ring": case.ring_time, "gather": case.gather_time, "ulysses": case.ulysses_time}
    lengths = {key: sum(drawn[f"way-{key}-{part}"].shape["width"] for part in ("bare", "equal", "extra"))
               for key in times}  # fmt: skip
    for key, time in times.items():
        assert lengths[key] / lengths["ring"] == pytest.approx(time / times["ring"], rel=1e-9)


def test_pressing_a_bar_chooses_its_cut():
    drawn = marks(SCENE.run().steps[0])
    assert {drawn[f"choice-{layout}"].set["layout"] for layout in LAYOUTS} == set(LAYOUTS)
    assert [drawn[f"choice-{layout}-time"].text for layout in LAYOUTS] == ["58", "40", "34"]


def test_merging_changes_nothing_but_the_last_digits():
    for layout, ranks in itertools.product(LAYOUTS, (2, 4, 8)):
        assert SCENE.run(layout=layout, ranks=ranks).values["error"].value < 1e-14


@pytest.mark.parametrize("params", EXTREMES)
def test_story_moves_for_seventeen_seconds_at_most(params):
    run = SCENE.run(**params)
    assert sum(one.times[-1] for one in run.chapters) <= 17


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("layout", ["contiguous", "striped"])
@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_queries_look_at_their_keys_one_after_another_and_pairs_are_counted_when_they_have(layout, ranks, width):
    story, ring = chapter("own", layout=layout, ranks=ranks), Ring(layout, ranks)
    drawn = [marks(state, width) for state in story.states]
    unit = drawn[-1]["rest-0"].shape["width"] + 1
    assert story.times[1] <= 0.3
    for beat, one in enumerate(drawn):
        asking, told = min(4 * beat, TOKENS), max(4 * (beat - 1), 0)
        assert [bool(one[f"row-{query}"].shape["width"]) for query in range(TOKENS)] == [
            query < asking for query in range(TOKENS)
        ]
        for rank in range(ranks):
            mine = [query + 1 for query in range(TOKENS) if ring.owner[query] == rank]
            wide = one[f"rest-{rank}"].shape["width"]
            pairs = sum(pairs for pairs in mine if pairs <= asking)
            assert wide == pytest.approx(max(pairs * unit / int(ring.totals[0]) - 1, 0), abs=0.02)
            counted = sum(pairs for pairs in mine if pairs <= told)
            assert (f"total-{rank}" in one) == bool(counted)
            assert not counted or one[f"total-{rank}"].text == str(counted)
        assert one["answer"].text == (str(told * (told + 1) // 2) if told < TOKENS else drawn[-1]["answer"].text)
    said = [mark.text for key, mark in drawn[0].items() if key.startswith("answer-words")]
    assert drawn[-1]["answer"].text.endswith("×") and "of 136 pairs" in " ".join(said)


@pytest.mark.parametrize("width", WIDTHS)
def test_neither_a_gpu_nor_the_chosen_cut_has_the_hand_s_colour_or_that_of_what_is_sent(width):
    drawn = marks(SCENE.run(ranks=4).steps[0], width)
    roles = [drawn[key].role.split()[0] for key in drawn if key.startswith(("rest-", "chip-", "choice-", "row-"))]
    assert roles and not {"hot", "series-3", "memory", "series-2"} & set(roles)
    assert len({drawn[f"rest-{rank}"].role for rank in range(4)}) == 4


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_play_shows_that_in_zigzag_short_rows_fill_up_long_ones_and_that_it_takes_less_time(ranks, width):
    first, *_, before, last = (marks(state, width) for state in chapter("fold", ranks=ranks).states)
    assert {key: mark.shape for key, mark in first.items() if key.startswith("row-")} == {
        key: mark.shape for key, mark in marks(SCENE.run(ranks=ranks).steps[0], width).items() if key.startswith("row-")
    }
    for query in range(TOKENS // 2):
        early, late = last[f"row-{query}"], last[f"row-{TOKENS - 1 - query}"]
        assert early.role == late.role and early.shape["y"] == late.shape["y"]
        assert early.shape["x"] == pytest.approx(late.shape["x"] + late.shape["width"] + 1)
        assert early.shape["width"] + late.shape["width"] == pytest.approx(
            (TOKENS + 1) * (first["row-0"].shape["width"] + 1) - 2
        )
    slow, fair = Ring("contiguous", ranks).time, Ring("zigzag", ranks).time
    assert before["answer"].text != last["answer"].text == "1×"
    assert last["sooner"].text == f"{slow - fair} sooner" and "sooner" not in before
    assert last["now-line"].shape["x1"] < before["now-line"].shape["x1"]


def test_each_gpu_s_early_rows_go_to_its_late_ones_in_a_beat_of_their_own():
    drawn = [marks(state) for state in chapter("fold", ranks=4).states]
    moved = [{key for key in now if key.startswith("row-") and now[key].shape != was[key].shape}
             for was, now in itertools.pairwise(drawn)]  # fmt: skip
    assert moved == [{"row-0", "row-1"}, {"row-2", "row-3"}, {"row-4", "row-5"}, {"row-6", "row-7"}, set()]


def test_zigzag_opens_filled_up_and_goes_round_the_ring_row_by_row():
    assert [one.name for one in SCENE.run(layout="zigzag").chapters] == ["own", "ring", "hide", "gather"]
    own, ring = (marks(chapter(name, layout="zigzag").states[-1]) for name in ("own", "ring"))
    assert own["row-0"].shape["y"] == own["row-15"].shape["y"] and "key-15" not in own
    assert ring["row-0"].shape["y"] < ring["row-15"].shape["y"] and "key-15" in ring


@pytest.mark.parametrize("width", WIDTHS)
def test_a_gpu_s_pairs_stand_at_the_end_of_its_bar_until_it_waits(width):
    drawn = marks(SCENE.run().steps[0], width)
    for rank in range(4):
        bar = drawn[f"rest-{rank}"].shape
        assert 0 < drawn[f"total-{rank}"].shape["x"] - bar["x"] - bar["width"] < 10


@pytest.mark.parametrize("params", EXTREMES)
def test_a_bar_grows_at_one_place_and_its_time_comes_when_it_has_landed(params):
    story = chapter("gather", **params)
    beats = [marks(state) for state in story.states]
    for (was, now), key in itertools.product(itertools.pairwise(beats), ("ring", "gather", "ulysses")):
        grown = [now[f"way-{key}-{part}"].shape["width"] - was[f"way-{key}-{part}"].shape["width"]
                 for part in ("bare", "equal", "extra")]  # fmt: skip
        assert sum(sorted(grown)[:-1]) < 7  # units: of what is too short for a beat of its own
    assert ["way-ring-time" in drawn for drawn in beats] == [False] * (len(beats) - 1) + [True]
    assert beats[-2]["way-ring-equal"].shape == beats[-1]["way-ring-equal"].shape


@pytest.mark.parametrize("width", WIDTHS)
def test_no_count_of_pairs_is_there_before_the_guess(width):
    drawn = marks(SCENE.run().steps[0], width)
    counts = [key for key, mark in drawn.items() if key.startswith(("total-", "choice-")) and mark.text.isdigit()]
    assert len(counts) == 7 and all("answer" in drawn[key].role.split() for key in counts)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_long_sequence_says_that_the_fold_before_was_of_another_cut(layout):
    said = SCENE.say(chapter("hide", layout=layout).states[-1])
    assert (f"{layout} again" in said) == (layout != "zigzag")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_number_of_a_gpu_stands_right_behind_its_lane_while_keys_go_round(params, width):
    for state in chapter("ring", **params).states:
        drawn = marks(state, width)
        for rank in range(params["ranks"]):
            lane, (left, _, right, _) = drawn[f"lane-{rank}"].shape, bounds(drawn[f"total-{rank}"])
            assert 0 < left - lane["x"] - lane["width"] < 10 and right <= WIDTHS[width]


@pytest.mark.parametrize("width", WIDTHS)
def test_name_of_the_work_is_clear_of_the_knob_of_the_longest_sequence(width):
    assert not beneath(marks(SCENE.run(tokens=LENGTHS[-1]).steps[-1], width), "tokens")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("layout", ["contiguous", "striped", "zigzag"])
def test_names_of_both_curves_are_clear_of_the_knob_of_every_sequence(layout, width):
    for tokens in LENGTHS:
        for state in SCENE.run(tokens=tokens, layout=layout, ranks=8).steps[-2:]:
            assert not beneath(marks(state, width), "tokens", rim=6), tokens
