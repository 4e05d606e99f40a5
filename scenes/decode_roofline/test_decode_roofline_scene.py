"""Check what the reader meets: places, sums, words and values agree with the model in every state."""

import itertools
import re

import numpy as np
import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.decode_roofline.chart import rail
from scenes.decode_roofline.model import BATCHES, CONTEXTS, Load, balance
from scenes.decode_roofline.narration import clock, rate
from scenes.decode_roofline.regions import SHARED
from scenes.decode_roofline.scene import SCENE
from scenes.decode_roofline.stage import NARROW, TIMES, WIDE
from tests.boxes import beneath, box

STAGES = {"narrow": NARROW, "wide": WIDE}
CORNERS = [
    {"model": model, "gpu": gpu, "context": context, "batch": batch}
    for model, gpu, context, batch in itertools.product(
        ("8B", "70B", "gpt-oss", "V3"), ("H100", "H200", "B200"), (1024, 8192, 131_072), (1, 32, 1024)
    )
]
SOME = CORNERS[::4]
EVERYWHERE = [
    {"model": model, "gpu": gpu, "context": context, "batch": batch}
    for (model, gpu), context, batch in itertools.product(
        (("70B", "B200"), ("gpt-oss", "H100"), ("gpt-oss", "B200")), CONTEXTS, (1, 4, 32, 128, 256, 1024)
    )
]


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def values(**params):
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def test_page_opens_with_what_a_user_of_8192_tokens_adds_on_an_h100():
    # 8,192 × 131,072 B / 3.352 TB/s, by hand.
    state = SCENE.run().steps[SCENE.opening]
    assert marks(state)["answer"].text == "+320\u00a0µs"
    assert marks(state)["all-told"].text.startswith("14.7\u00a0ms: ")
    assert "from 14 users on, arithmetic from 295" in SCENE.say(state)


# facts/serving.md, section 1b: milliseconds, and tokens a second of all.
@pytest.mark.parametrize(
    ("params", "step"),
    [({"batch": 256}, 86.5), ({"model": "70B", "gpu": "B200", "batch": 32}, 29.2),
     ({"model": "gpt-oss", "gpu": "H200", "batch": 128}, 21.3), ({"model": "V3", "batch": 1}, 11.1)],
)  # fmt: skip
def test_values_are_those_of_the_sheet(params, step):
    assert values(**params)["step"] * 1000 == pytest.approx(step, abs=0.05)


def test_quoted_values_print_as_prose_writes_them():
    shown = {name: str(value) for name, value in SCENE.run(batch=128).values.items()}
    assert (shown["all"], shown["balance"], shown["fits"]) == ("2,814 tokens/s".replace(" ", "\u00a0"),
                                                               "295\u00a0users", "52\u00a0users")  # fmt: skip
    assert (shown["read"], shown["cache_token"]) == ("15\u00a0GB", "131\u00a0kB")


@pytest.mark.parametrize("params", SOME, ids=str)
def test_table_tells_the_step_of_every_number_of_users(params):
    rows = SCENE.run(**params).table.rows
    assert [row[0] for row in rows] == list(BATCHES)
    here = rows[BATCHES.index(params["batch"])]
    found = values(**params)
    assert here == (params["batch"], 1e3 * found["step"], found["user"], found["all"], found["gpus"])


@pytest.mark.parametrize("params", SOME, ids=str)
def test_table_shows_at_least_two_digits_of_every_number(params):
    table = SCENE.run(**params).table
    assert table.columns[1].unit == "ms"
    for row in table.rows:
        for column, cell in zip(table.columns, row, strict=True):
            assert cell == pytest.approx(round(cell, column.digits), rel=0.05)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_bars_are_as_long_as_what_is_waited_for(params, width):
    load, drawn = Load(**params), marks(SCENE.run(**params).steps[-1], width)
    unit = STAGES[width].bars.width / (load.time + load.more)
    for number, time in enumerate((load.step.linear, load.step.attention)):
        key = "all" if load.batch > 1 else "alone"
        bars = [mark for name, mark in drawn.items() if name.startswith(f"{key}-{number}") and "behind" not in name]
        assert [mark.shape["width"] for mark in bars] == [pytest.approx(max(float(time) * unit, 0.5), abs=0.051)]
    behind = [mark for name, mark in drawn.items() if name.startswith("all-0") and "behind" in name]
    hidden = round(min(float(load.step.read_weights), float(load.step.multiply)) * unit)
    assert [mark.shape["width"] for mark in behind] == ([hidden] if hidden > 2 and load.batch > 1 else [])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_what_one_more_user_adds_stands_at_the_end_of_the_last_bar_in_the_answer_s_colour(params, width):
    load, stage = Load(**params), STAGES[width]
    for state in SCENE.run(**params).steps[1:]:
        drawn = marks(state, width)
        added, unit = drawn["more"].shape, stage.bars.width / (load.time + load.more)
        assert added["x"] == pytest.approx(stage.bars.x + load.time * unit, abs=0.5)
        assert added["width"] == pytest.approx(max(load.more * unit, 1), abs=0.5)
        assert added["x"] + added["width"] <= stage.bars.right + 1.1
        assert added["y"] == stage.bars.y + stage.pitch * (load.batch > 1)
        assert {"hot"} <= set(drawn["more"].role.split()) & set(drawn["answer"].role.split())


@pytest.mark.parametrize("width", WIDTHS)
def test_each_user_s_cache_can_be_told_from_the_next_ones_as_long_as_it_is_wide_enough(width):
    run = SCENE.run(model="70B", gpu="H200", batch=32)
    drawn, load = marks(run.steps[-1], width), run.result
    assert drawn["cuts"].shape["d"].upper().count("M") == 31
    slices = drawn["all-1-series-1"].shape["width"] / 32
    assert slices == pytest.approx(drawn["more"].shape["width"], abs=0.5) and load.batch == 32
    assert "cuts" not in marks(SCENE.run(model="70B", gpu="H200", batch=1024).steps[-1], width)
    assert "cuts" not in marks(run.steps[0], width)


@pytest.mark.parametrize("width", WIDTHS)
def test_what_all_get_stands_beside_what_each_gets_and_what_one_gets_alone(width):
    drawn = marks(SCENE.run(model="70B", gpu="H200", batch=32).steps[-1], width)
    assert drawn["alone-told"].text == "29.5\u00a0ms: 33.9 tokens/s"
    assert drawn["all-told"].text == "46.9\u00a0ms: 683 tokens/s, 21.3 each"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_knobs_stand_at_the_server_s_users_and_tokens_on_chart_and_map(params, width):
    load, stage = Load(**params), STAGES[width]
    for state in SCENE.run(**params).steps[1:]:
        drawn = marks(state, width)
        assert {"batch", "place"} & set(drawn)
        if batch := drawn.get("batch"):
            assert (batch.shape["cx"], batch.shape["cy"]) == pytest.approx(stage.chart.at(load.batch, load.time))
            assert batch.handle.params == ("batch",) and len(batch.handle.rail) == len(BATCHES)
        if place := drawn.get("place"):
            assert (place.shape["cx"], place.shape["cy"]) == stage.map.at(load.batch, load.context)
            rail = place.handle.rail
            assert place.handle.params == ("batch", "context") and len(rail) == len(BATCHES) * len(CONTEXTS)
            at = BATCHES.index(load.batch) * len(CONTEXTS) + CONTEXTS.index(load.context)
            assert rail[at] == (place.shape["cx"], place.shape["cy"])


def test_phone_shows_the_chart_until_the_limits_are_told_and_then_the_map_in_its_place():
    shown = [{"line-step", "map-foot"} & set(marks(state, "narrow")) for state in SCENE.run().steps]
    assert shown == [{"line-step"}, {"line-step"}, {"map-foot"}]
    assert all({"line-step", "map-foot"} <= set(marks(state)) for state in SCENE.run().steps)


@pytest.mark.parametrize("width", WIDTHS)
def test_users_come_beat_by_beat_and_their_bar_grows_while_that_of_one_stays(width):
    shared = SCENE.run(batch=128).chapters[1]
    assert shared.times[1] <= 0.3  # the first of all motions, as the chapter before is one picture
    pictures = [marks(state, width) for state in shared.states]
    assert [one["all-who"].text for one in pictures[1:]] == [f"{users} users" for users in (4, 16, 32, 64, 128)]
    grown = [one["all-1-series-1"].shape["width"] for one in pictures[1:]]
    assert grown == sorted(set(grown))
    assert len({tuple(one["alone-0-memory"].shape.items()) for one in pictures}) == 1
    assert ["more" in one for one in pictures] == [False] * 5 + [True]
    assert ["fact-held" in one for one in pictures] == [False] * 5 + [width == "wide"]


def test_every_step_that_can_be_chosen_lies_within_the_chart():
    for params in CORNERS:
        assert TIMES[0] < Load(**params).time < TIMES[1]


@pytest.mark.parametrize("params", SOME, ids=str)
def test_line_of_the_step_goes_through_the_places_of_its_knob(params):
    drawn = marks(SCENE.run(**params).steps[-1])
    points = [tuple(map(float, pair.split())) for pair in drawn["line-step"].shape["d"][1:].split("L")]
    for x, y in rail(WIDE, params["model"], params["gpu"], params["context"]):
        (left, low), (right, high) = next(pair for pair in itertools.pairwise(points) if pair[1][0] >= x - 0.06)
        assert y == pytest.approx(low + (high - low) * (x - left) / (right - left), abs=0.6)


def test_regions_meet_where_linear_layers_turn_and_name_attention_where_arithmetic_holds_it_up():
    drawn = marks(SCENE.run(model="70B", gpu="H100").steps[-1])
    assert {"region-weights", "region-arithmetic", "region-arithmetic-name"} <= set(drawn)
    assert drawn["region-above-name"].text == "cache"
    for width, (model, gpu) in itertools.product(
        WIDTHS, itertools.product(("8B", "70B", "gpt-oss", "V3"), ("H100", "H200", "B200"))
    ):
        found = marks(SCENE.run(model=model, gpu=gpu).steps[-1], width)
        assert ("region-arithmetic" in found) == (balance(model, gpu) < BATCHES[-1])
    mla = marks(SCENE.run(model="V3", gpu="H200").steps[-1])
    assert mla["region-above-name"].text == "attention" and "region-arithmetic" not in mla
    assert "line-attention" in mla and "line-attention" not in drawn


@pytest.mark.parametrize("params", SOME, ids=str)
def test_full_lines_are_of_the_gpus_that_hold_one_user_and_of_more(params):
    load, drawn = Load(**params), marks(SCENE.run(**params).steps[-1])
    lines = {int(key.split("-")[1]) for key in drawn if key.startswith("full-") and key.split("-")[-1].isdigit()}
    assert lines <= {load.limits.least, *SHARED}
    assert "dashed" not in drawn[f"full-{load.limits.least}"].role


@pytest.mark.parametrize("params", SOME, ids=str)
def test_words_quote_the_picture(params):
    run, load = SCENE.run(**params), Load(**params)
    said = [SCENE.say(state) for state in run.steps]
    assert clock(load.alone.read_weights) in said[0]
    assert [state.phase for state in run.steps] == ["alone", "shared", "limits"]
    if load.batch > 1:
        assert rate(load.user) in said[1]
        assert ("as from one GPU" in said[1]) == (load.gpus > 1)
    fact = marks(run.steps[-1])["fact-held"]
    assert ("dropped" in fact.role) == (load.gpus > load.limits.least)


def test_strip_behind_the_weights_has_its_name_and_time():
    run = SCENE.run(model="70B", gpu="H200", batch=32)
    drawn = marks(run.steps[-1])
    assert drawn["part-behind"].text == f"arithmetic {clock(run.result.step.multiply)}"
    assert drawn["all-0-work-behind"].shape["width"] > 24
    assert "part-behind" not in marks(run.steps[0])


@pytest.mark.parametrize("width", WIDTHS)
def test_handles_at_one_user_leave_the_names_of_times_and_tokens_free(width):
    run = SCENE.run(batch=1)
    drawn = marks(run.steps[0], width) | marks(run.steps[-1], width)
    for knob, scale in ((drawn["batch"].shape, "time-"), (drawn["place"].shape, "tokens-")):
        names = [mark for key, mark in drawn.items() if key.startswith(scale)]
        assert names and all(name.shape["x"] <= knob["cx"] - knob["r"] - 7 for name in names)
        assert all(bounds(name)[0] >= 0 for name in names)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", CORNERS, ids=str)
def test_no_line_strikes_the_names_of_regions_through(params, width):
    drawn = marks(SCENE.run(**params).steps[-1], width)
    words = [box(mark) for key, mark in drawn.items() if key.startswith("region-") and mark.tag == "text"]
    lines = [mark.shape["d"] for key, mark in drawn.items() if key.startswith("full-") and mark.tag == "path"]
    assert words and lines
    for piece in (piece for line in lines for piece in line.split("M")[1:]):
        numbers = np.array(re.findall(r"-?[\d.]+", piece), dtype=float).reshape(-1, 2)
        for x, y in np.concatenate([np.linspace(*ends, 200) for ends in itertools.pairwise(numbers)]):
            assert not any(left < x < right and top < y < bottom for left, top, right, bottom in words)


def test_users_that_were_dragged_down_to_one_can_be_dragged_up_again():
    for batch in BATCHES:
        assert [one.name for one in SCENE.run(batch=batch).chapters] == ["alone", "shared", "limits"]
    drawn = marks(SCENE.run(batch=1).steps[1], "narrow")
    knob = next(mark for mark in drawn.values() if mark.handle)
    assert knob.handle.params == ("batch",) and (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[0]
    assert "with nobody" in SCENE.say(SCENE.run(batch=1).steps[1])


@pytest.mark.parametrize("width", WIDTHS)
def test_what_one_more_adds_comes_when_users_share_also_where_there_is_one(width):
    run = SCENE.run(batch=1)
    assert ["more" in marks(state, width) for state in run.steps] == [False, True, True]
    assert SCENE.say(run.steps[1]).endswith(f"One more adds {clock(run.result.more)}.")


@pytest.mark.parametrize("model", ["8B", "V3"])
def test_chart_and_map_share_the_width_and_no_name_of_a_line_comes_near_the_map(model):
    drawn = marks(SCENE.run(model=model).steps[-1])
    names = max(bounds(mark)[2] for key, mark in drawn.items() if key.startswith("line-") and key.endswith("-name"))
    title = bounds(drawn["map-title"])[0]
    assert 8 < title - names < 40
    assert WIDE.chart_box.width + WIDE.map_box.width > 0.55 * WIDE.width


@pytest.mark.parametrize("width", WIDTHS)
def test_names_have_the_hue_of_what_they_name_and_no_region_s_name_lies_on_another(width):
    steps = SCENE.run(model="70B", gpu="H200", context=8192).steps
    drawn = marks(steps[0], width) | marks(steps[-1], width)
    assert drawn["line-cache-name"].role.split()[0] == drawn["line-cache"].role.split()[0] == "series-1"
    assert drawn["part-attention"].role == "series-1"
    left, _, right, _ = bounds(drawn["region-arithmetic"])
    name = bounds(drawn["region-arithmetic-name"])
    assert name[0] >= left and (name[2] <= right or name[0] > right)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EVERYWHERE, ids=str)
def test_no_name_lies_under_a_knob(params, width):
    for state in SCENE.run(**params).steps:
        drawn = marks(state, width)
        assert not [key for knob in {"batch", "place"} & set(drawn) for key in beneath(drawn, knob, rim=5)]
