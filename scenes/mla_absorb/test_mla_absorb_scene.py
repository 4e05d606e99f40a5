"""Check what the reader meets: words, picture, handle and beats agree with the model."""

import pytest

from loom.draw import Pen, quantity
from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.mla_absorb.model import ABSORBED, BUILT, Step
from scenes.mla_absorb.pace import QUERIES
from scenes.mla_absorb.places import Places
from scenes.mla_absorb.scene import SCENE
from scenes.mla_absorb.toy import TOY
from tests.boxes import box

EXTREMES = [{"queries": queries} for queries in (1, 128, 203, 8192)]


def chapters(**params):
    return {chapter.name: chapter.states for chapter in SCENE.run(**params).chapters}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def test_page_opens_with_the_effect():
    state = SCENE.run().steps[SCENE.opening]
    assert marks(state)["answer"].text == "119×"
    assert "building costs 119×" in SCENE.say(state)


@pytest.mark.parametrize("params", EXTREMES)
def test_answer_belongs_to_the_way_that_does_more_and_the_words_say_so(params):
    state = SCENE.run(**params).steps[-1]
    drawn, worse = marks(state), state.result.worse
    words = " ".join(mark.text for key, mark in drawn.items() if key.startswith("answer-words"))
    assert ("built" in words) == (worse == BUILT)
    assert ("building costs" if worse == BUILT else "absorbing costs") in SCENE.say(state)
    assert drawn["answer"].text in SCENE.say(state)
    assert ("route-built" in drawn) == (worse == ABSORBED)  # the arrows go the better way


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_knob_stands_on_the_way_that_does_less(params, width):
    knob = marks(SCENE.run(**params).steps[-1], width)["queries"]
    rail = knob.handle.rail
    assert len(rail) == len(QUERIES)
    assert rail[QUERIES.index(params["queries"])] == (knob.shape["cx"], knob.shape["cy"])
    assert [x for x, _ in rail] == sorted({x for x, _ in rail})
    assert [y for _, y in rail] == sorted(y for _, y in rail)  # work for a token never grows with more of them


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("queries", [8, 13, 16])
def test_knob_stands_clear_of_the_name_beside_it(queries, width):
    drawn = marks(SCENE.run(queries=queries).steps[-1], width)
    assert bounds(drawn["queries"])[3] < bounds(drawn["name-mha"])[1]


def test_every_key_is_made_in_a_beat_of_its_own_and_the_scores_last():
    states = chapters()["built"]
    assert len(states) == 5
    made = [sum(key.startswith("keys-0-") for key in marks(state)) for state in states]
    assert made == [1, 2, 3, 4, 4]
    scored = [sum(key.startswith("scores-0-") for key in marks(state)) for state in states]
    assert scored == [0, 0, 0, 0, 4]


def test_absorbed_query_is_there_before_the_first_score_and_no_key_ever_is():
    states = chapters()["absorbed"]
    assert [sum(key.startswith("scores-0-") for key in marks(state)) for state in states] == [0, 0, 1, 2, 3, 4]
    for state in states:
        drawn = marks(state)
        assert ("absorbed-0-2" in drawn) == (state is not states[0])  # the matrix is on its way first
        assert not any(key.startswith("keys-0") for key in drawn) and "keys-unmade" in drawn
    assert drawn["absorbed-0-2"].text == "3"


@pytest.mark.parametrize("width", WIDTHS)
def test_matrix_goes_from_the_keys_to_the_query_and_is_the_same(width):
    built, absorbed = marks(chapters()["built"][-1], width), marks(chapters()["absorbed"][-1], width)
    entries = {key for key in built if key.startswith("key-")}
    assert len(entries) == 8 and entries <= set(absorbed)
    assert all(built[key].text == absorbed[key].text for key in entries)
    left, top, right, _ = bounds(built["key-block"])
    assert bounds(built["keys-block"])[0] > right and top == bounds(built["keys-block"])[1]
    there = bounds(absorbed["key-block"])
    assert bounds(absorbed["query-block"])[2] < there[0] and there[2] < bounds(absorbed["absorbed-block"])[0]
    assert there[0] < left and there[1] > top


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_nothing_stands_where_nothing_is_made(params, width):
    for state in SCENE.run(**params).steps:
        drawn = marks(state, width)
        made = any(key.startswith("keys-0") for key in drawn)
        assert ("keys-unmade" in drawn) + ("values-unmade" in drawn) + made == 1
        assert not (made and "absorbed-block" in drawn)


def test_the_two_matrices_have_names_of_their_own():
    names = [marks(chapters()[chapter][-1])[key].text for chapter, key in
             (("built", "key-name"), ("absorbed", "key-name"), ("values", "value-name"))]  # fmt: skip
    assert names == ["matrix for keys", "matrix for keys", "matrix for values"]


def test_frame_goes_from_latent_to_latent_and_is_gone_at_the_end():
    for name, frame in (("built", "now"), ("absorbed", "now-pair"), ("values", "now-pair")):
        places = [bounds(marks(state)[frame])[2] for state in chapters()[name] if frame in marks(state)]
        assert len(places) >= 3
        assert places == sorted(set(places))
        assert frame not in marks(chapters()[name][-1])


@pytest.mark.parametrize("width", WIDTHS)
def test_frame_around_a_latent_and_its_score_strikes_no_words_through(width):
    for state in [*chapters()["absorbed"], *chapters()["values"]]:
        drawn = marks(state, width)
        if frame := drawn.get("now-pair"):
            none = next(bounds(mark) for key, mark in drawn.items() if key.endswith("-none"))
            corners = [tuple(map(float, one.split("L")[0].split())) for one in frame.shape["d"].split("M")[1:]]
            assert len(corners) == 2 and corners[0][1] < none[1] and corners[1][1] > none[3]
            assert corners[0][1] + 3 * Places(Pen(WIDTHS[width]), 0, False).row < none[1]


def test_scores_stand_the_same_at_the_end_of_both_ways():
    ends = [marks(chapters()[name][-1]) for name in ("built", "absorbed")]
    texts = [[drawn[f"scores-0-{at}"].text for at in range(4)] for drawn in ends]
    assert texts[0] == texts[1] == ["1", "4", "4", "2"]


def test_blend_grows_by_each_latent_times_its_weight_and_then_the_output_is_made_of_it():
    *frames, last = [marks(state) for state in chapters()["values"]]
    blends = [[float(one[f"blend-{row}-0"].text) for row in range(3)] for one in (*frames, last)]
    weights = TOY.weights(ABSORBED)[0]
    for at, blend in enumerate(blends[:-1]):
        assert blend == pytest.approx(weights[:at] @ TOY.latents[:at], abs=0.006)
    assert blends[-1] == blends[-2] and not any("output-block" in one for one in frames) and "output-block" in last


@pytest.mark.parametrize("width", WIDTHS)
def test_frame_opens_over_the_first_latent_within_300_ms(width):
    told = next(one for one in SCENE.run().chapters if one.name == "values")
    shut, opened = (bounds(marks(state, width)["now-pair"]) for state in told.states[:2])
    assert shut[0] == shut[2] == opened[0] < opened[2] and 0 < told.times[1] <= 0.3


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_dots_run_from_where_both_ways_do_the_same_and_the_answer_grows_with_the_gap(params, width):
    states = chapters(**params)["count"]
    *frames, last = [marks(state, width) for state in states]
    ratios = [float(one["answer"].text.rstrip("×")) for one in (*frames, last)]
    assert ratios == sorted(ratios) and (not frames or ratios[0] < 1.3)
    assert all(one["worse"].shape["cx"] == one["better"].shape["cx"] and "queries" not in one for one in frames)
    assert not frames or frames[-1]["worse"].shape == last["worse"].shape
    assert "better" not in last and "gap" in last
    assert all("scores-0-3" in one and "now-pair" not in one for one in (*frames, last)), "the small head rests"


@pytest.mark.parametrize("width", WIDTHS)
def test_bars_are_as_long_as_what_is_read(width):
    drawn = marks(SCENE.run().steps[-1], width)
    full = drawn["cache-MHA"].shape["width"]
    for scheme in ("GQA", "MLA"):
        share = Step(1, 8192).read(scheme) / Step(1, 8192).read("MHA")
        assert drawn[f"cache-{scheme}"].shape["width"] == pytest.approx(max(share * full, 1.5))


@pytest.mark.parametrize("params", EXTREMES)
def test_small_head_stays_on_the_stage_of_a_phone_to_the_last_chapter(params):
    last = marks(SCENE.run(**params).steps[-1], "narrow")
    for name, entries in {"latents": 12, "key": 6, "query": 2, "scores": 4}.items():
        assert sum(key.startswith(f"{name}-") and key[-1].isdigit() for key in last) == entries
    assert "curve-built" in last and "cache-MLA" in last


@pytest.mark.parametrize("width", WIDTHS)
def test_bar_says_what_it_stands_for(width):
    drawn = marks(SCENE.run().steps[-1], width)
    for scheme in ("MHA", "GQA", "MLA"):
        assert (
            drawn[f"cache-{scheme}"].read == f"{scheme}: {quantity(Step(1, 8192).read(scheme), 'B')} for 8,192 tokens"
        )


@pytest.mark.parametrize("params", EXTREMES)
def test_table_and_values_say_the_same(params):
    run = SCENE.run(**params)
    rows = {row[0]: row for row in run.table.rows}
    assert rows["MLA, built"][2] == pytest.approx(run.values["built"].value / 1e9)
    assert rows["MLA, absorbed"][2] == pytest.approx(run.values["absorbed"].value / 1e9)
    assert rows["MHA"][1] / rows["MLA, built"][1] == pytest.approx(56.9, abs=0.05)
    assert run.values["ratio"].value >= 1


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_answer_stands_at_the_top_left_and_its_words_beside_it_in_their_half(params, width):
    for state in SCENE.run(**params).steps:
        drawn = marks(state, width)
        words = [bounds(mark) for key, mark in drawn.items() if key.startswith("answer-words")]
        assert drawn["answer"].shape["x"] == 0
        assert len(words) <= 2 and max(right for _, _, right, _ in words) <= min(WIDTHS[width], 480)
        if state.phase == "count":
            assert len(words) == 1


def test_work_is_said_with_the_latents_that_it_reads_and_those_drawn_are_some_of_them():
    for state in SCENE.run().steps:
        drawn = marks(state)
        words = " ".join(mark.text for key, mark in drawn.items() if key.startswith("answer-words"))
        assert "8,192 latents" in words and drawn["latents-shown"].text == "4 of 8,192"
    assert all("8,192 latents" in SCENE.say(state) for state in SCENE.run().steps[:2])


@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_goes_through_the_name_of_the_plain_cache(width):
    drawn = marks(SCENE.run().steps[-1], width)
    left, top, right, bottom = box(drawn["name-mha"])
    lines = [[float(mark.shape[end]) for end in ("y1", "y2")] for mark in drawn.values() if mark.tag == "line"
             and mark.shape["x1"] < right and mark.shape["x2"] > left]  # fmt: skip
    assert len(lines) > 3
    assert not [line for line in lines if top < max(line) and min(line) < bottom]
    before, after = ([float(point.split()[0]) for point in line.split("L")]
                     for line in drawn["curve-mha"].shape["d"].split("M")[1:])  # fmt: skip
    assert before[0] < before[1] < left < right < after[0] < after[1]
