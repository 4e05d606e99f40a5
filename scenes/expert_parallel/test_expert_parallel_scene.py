"""Check what the reader meets: the map and its traveller, bars that keep their proportions, and a knob on its curve."""

import itertools
import re

import pytest

from loom.draw import bounds
from loom.scene import WIDTHS
from scenes.expert_parallel.loads import LIMITS, SKEWS
from scenes.expert_parallel.model import BACK, OUT, Case, trip
from scenes.expert_parallel.narration import HOPS
from scenes.expert_parallel.placing import LOCAL, PLACED
from scenes.expert_parallel.router import GPUS, NODES, PICKED
from scenes.expert_parallel.scene import SCENE
from scenes.expert_parallel.times import longest
from tests.boxes import box, overlap

EXTREMES = [dict(zip(("popularity", "limit", "placement"), one, strict=True))
            for one in itertools.product((0, 0.5, 1), LIMITS, PLACED)]  # fmt: skip


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def chapter(name, **params):
    return next(one for one in SCENE.run(**params).chapters if one.name == name)


def bars(drawn):
    """Of each GPU: the left, upper, right and lower edge of its bar, or of its cell on the map."""
    paths = [one for node in range(NODES) for one in drawn[f"gpus-{node}"].shape["d"].split("M")[1:]]
    places = [[*map(float, re.findall(r"[-\d.]+", one))] for one in paths]
    return [(one[0], one[1], one[4], one[5]) for one in places]


def middle(mark):
    return mark.shape["cx"], mark.shape["cy"]


def extent(mark):
    """From the left to the right end of a path of boxes."""
    xs = [float(x) for x in re.findall(r"[ML]([-\d.]+)", mark.shape["d"])]
    return max(xs) - min(xs)


def test_page_opens_with_the_copies_that_reach_all_experts_and_their_bytes():
    drawn = marks(SCENE.run().steps[SCENE.opening - 1])
    assert drawn["answer"].text == "29.6\u00a0kB"
    assert drawn["out-size"].text == "29.6\u00a0kB of 59.1\u00a0kB"
    assert [middle(drawn[f"visit-{at}"]) for at in range(PICKED)] == [
        middle(drawn[f"spot-{at}"]) for at in range(PICKED)
    ]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("limit", LIMITS)
def test_copies_cross_the_network_once_for_each_node_and_then_fan_out(limit, width):
    states = chapter("send", limit=limit).states
    assert len(states) == HOPS
    nodes = len(trip(limit).nodes)
    pictures = [marks(state, width) for state in states]
    home, out, network, entries, experts = pictures
    for drawn in pictures:
        assert sum(key.startswith("copy-") for key in drawn) == nodes
        assert any(key.startswith("visit-") for key in drawn) == (drawn in (entries, experts))
    assert {middle(home[f"copy-{at}"]) for at in range(nodes)} == {middle(home["token"])}
    assert len({network[f"copy-{at}"].shape["cy"] for at in range(nodes)}) == 1
    for at, node in enumerate(trip(limit).nodes):
        shape = network[f"node-{node}"].shape
        assert network[f"copy-{at}"].shape["cx"] == pytest.approx(shape["x"] + shape["width"] / 2)
        assert out[f"copy-{at}"].shape["cy"] == network[f"copy-{at}"].shape["cy"], "it runs along the network"
        assert out[f"copy-{at}"].shape["cx"] == middle(out["copy-0"])[0]
    assert len({middle(entries[f"visit-{at}"]) for at in range(PICKED)}) == nodes
    assert [middle(experts[f"visit-{at}"]) for at in range(PICKED)] == [
        middle(experts[f"spot-{at}"]) for at in range(PICKED)
    ]


@pytest.mark.parametrize("limit", LIMITS)
def test_results_come_back_the_same_way(limit):
    out, back = chapter("send", limit=limit).states, chapter("back", limit=limit).states
    for state, turned in zip(out, reversed(back), strict=True):
        one, other = marks(state), marks(turned)
        moving = [key for key in one if key.startswith(("visit-", "copy-"))]
        assert [middle(one[key]) for key in moving] == [middle(other[key]) for key in moving]
        assert not [key for key in other if key.startswith("visit-") and key not in one]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("limit", LIMITS)
def test_weights_are_as_long_as_their_bytes_with_a_place_for_each_copy(limit, width):
    drawn, nodes = marks(chapter("back", limit=limit).states[-1], width), len(trip(limit).nodes)
    for key in ("out", "back"):
        naive, sent = drawn[f"{key}-naive"], drawn[f"{key}-sent"]
        assert extent(sent) / extent(naive) == pytest.approx(nodes / PICKED, abs=0.03)
        assert (sent.shape["d"].count("M"), naive.shape["d"].count("M")) == (nodes, PICKED)
    assert extent(drawn["back-naive"]) / extent(drawn["out-naive"]) == pytest.approx(BACK / OUT, rel=0.01)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("limit", LIMITS)
def test_the_token_s_own_node_is_named(limit, width):
    drawn, home = marks(SCENE.run(limit=limit).steps[0], width), trip(limit).home // LOCAL
    assert [node for node in range(NODES) if "token" in drawn[f"node-{node}-name"].text] == [home]


@pytest.mark.parametrize("width", WIDTHS)
def test_visited_experts_lie_within_their_gpus(width):
    for limit in LIMITS:
        drawn = marks(SCENE.run(limit=limit).steps[0], width)
        for at, gpu in enumerate(trip(limit).gpus):
            (x, y), (left, top, right, bottom) = middle(drawn[f"spot-{at}"]), bars(drawn)[gpu]
            assert left < x < right and top < y < bottom


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_gpus_of_the_map_become_bars_of_their_loads(params, width):
    before, after = (marks(SCENE.run(**params).steps[at], width) for at in (2, 3))
    loads = Case(**params).loads.tolist()
    tall = [bottom - top for _, top, _, bottom in bars(after)]
    unit = max(tall) / max(loads)
    assert len(bars(before)) == len(tall) == GPUS
    assert tall == pytest.approx([load * unit for load in loads], abs=1.2)
    left, top, *_ = bars(after)[loads.index(max(loads))]
    fullest = after["fullest-bar"].shape
    assert (fullest["x"], fullest["y"]) == pytest.approx((left, top), abs=0.51)
    assert not overlap(box(after["fullest"]), box(after["mean-words"]))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_names_of_the_levels_stand_at_their_bar_and_over_no_other(params, width):
    drawn = marks(SCENE.run(**params).steps[-1], width)
    name, mean, fullest = (box(drawn[key]) for key in ("fullest", "mean-words", "fullest-bar"))
    if "before" in drawn:  # its outline may stand in the way, from the left
        points = [tuple(map(float, pair.split())) for pair in drawn["before"].shape["d"][1:].split("L")]
        assert not [x for x, y in points if name[0] < x < name[2] and name[1] < y < name[3]]
        higher = [x for x, y in points if y < fullest[1]]
        assert name[0] < max([fullest[2], *(x + 30 for x in higher)])
    else:
        assert name[0] <= fullest[2] and fullest[0] <= name[2]
    peak = drawn["peak"].shape["y1"]
    assert not mean[1] < peak < mean[3]
    assert not [one for one in bars(drawn) if overlap(mean, one, 0.5)]


def test_loads_of_experts_in_order_stand_behind_much_better_ones():
    assert "before" in marks(SCENE.run(placement="copies").steps[3])
    assert "before" not in marks(SCENE.run(placement="copies", popularity=0).steps[3])
    assert "before" not in marks(SCENE.run().steps[3])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_knob_stands_on_its_curve(params, width):
    knob = marks(SCENE.run(**params).steps[3], width)["popularity"]
    assert knob.handle.rail[SKEWS.index(params["popularity"])] == middle(knob)
    heights = [y for _, y in knob.handle.rail]
    assert heights[0] >= heights[-1]


@pytest.mark.parametrize("width", WIDTHS)
def test_the_layer_s_time_takes_the_place_of_the_curve(width):
    load, wait = (marks(SCENE.run().steps[step], width) for step in (3, 4))
    assert "peaks" in load and "part-out" not in load
    assert "part-out" in wait and "peaks" not in wait


@pytest.mark.parametrize("params", EXTREMES)
def test_parts_of_the_time_follow_one_another(params):
    states = chapter("wait", **params).states
    drawn, case = marks(states[-1]), Case(**params)
    parts = [drawn[f"part-{key}"].shape for key in ("out", "work", "wait", "back")]
    for one, other in itertools.pairwise(parts):
        assert one["x"] + one["width"] == pytest.approx(other["x"])
    lengths = [case.dispatch_time, case.work, case.waiting, case.combine_time]
    widths = [part["width"] for part in parts]
    assert widths == pytest.approx([sum(widths) * length / case.time for length in lengths], abs=0.01)
    assert [sum(key.startswith("part") and key.endswith("time") for key in marks(state)) for state in states] == [
        0, 1, 2, 3, 4,
    ]  # fmt: skip


def test_pressing_a_bar_places_the_experts():
    for state, width in itertools.product(SCENE.run().steps[3:], WIDTHS):
        drawn = marks(state, width)
        assert {drawn[f"choice-{name}"].set["placement"] for name in PLACED} == set(PLACED)
        assert not any(drawn[f"choice-{name}"].role.startswith("hot") for name in PLACED)


@pytest.mark.parametrize("params", EXTREMES)
def test_story_moves_for_sixteen_seconds_at_most(params):
    run = SCENE.run(**params)
    assert sum(one.times[-1] for one in run.chapters) <= 16


def test_bytes_are_told_when_copies_have_crossed_the_network():
    (*_, pick), (start, door, *send), back = (chapter(name).states for name in ("pick", "send", "back"))
    assert {marks(state)["answer"].text for state in (pick, start, door)} == {"8 of 256"}
    assert {marks(state)["answer"].text for state in (*send, *back[:-2])} == {"29.6\u00a0kB"}
    assert {marks(state)["answer"].text for state in back[-2:]} == {"57.3\u00a0kB"}
    for state in (pick, *chapter("send").states, *back):
        drawn = marks(state)
        assert ("out-sent" in drawn, "back-sent" in drawn) == (state in (*send, *back), state in back[-2:])


def test_the_layer_s_time_adds_up_as_its_parts_end():
    """To three digits, as its parts are told: 16.0 ms and not 16 ms."""
    told = [marks(state)["answer"].text for state in chapter("wait").states]
    assert told == ["0\u00a0ms", "2.34\u00a0ms", "3.80\u00a0ms", "11.4\u00a0ms", "16.0\u00a0ms"]
    assert marks(chapter("wait").states[-1])["choice-order-time"].text == "16.0\u00a0ms"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_time_with_every_placement_stands_to_the_scale_of_the_chosen_one_s_parts(params, width):
    drawn, case = marks(SCENE.run(**params).steps[-1], width), Case(**params)
    unit = drawn["part-work"].shape["width"] / case.work
    for name in PLACED:
        row, one = drawn[f"choice-{name}"].shape, Case(case.popularity, case.limit, name)
        assert row["width"] == pytest.approx(unit * one.time)
        parts = [drawn[f"part-{key}" if name == case.placement else f"part-{key}-{name}"].shape
                 for key in ("out", "work", "wait", "back")]  # fmt: skip
        assert [part["width"] for part in parts] == pytest.approx([unit * long for long in one.parts])
        assert parts[-1]["x"] + parts[-1]["width"] == pytest.approx(row["x"] + row["width"])


def test_no_layer_takes_longer_than_the_longest_at_the_largest_skew():
    assert longest() == max(Case(*one).time for one in itertools.product(SKEWS, LIMITS, PLACED))


@pytest.mark.parametrize("width", WIDTHS)
def test_row_goes_on_to_the_time_at_the_largest_skew(width):
    drawn, last = (marks(SCENE.run(popularity=skew).steps[-1], width) for skew in (0.5, 1))
    end = last["choice-order"].shape["x"] + last["choice-order"].shape["width"]
    assert bounds(drawn["worst-order"])[2] == pytest.approx(end, abs=1.1) and "worst-order" not in last
    assert "worst-copies" not in drawn  # nothing to speak of
    if width == "wide":
        assert drawn["worst-order-words"].text == "30.4\u00a0ms at skew 1"


@pytest.mark.parametrize("width", WIDTHS)
def test_more_skew_lengthens_the_waiting_and_not_the_work(width):
    one, other = (marks(SCENE.run(popularity=skew).steps[-1], width) for skew in (0, 1))
    wait, more = one["part-wait"].shape["width"], other["part-wait"].shape["width"]
    assert more / wait == pytest.approx(Case(1, 4, "order").waiting / Case(0, 4, "order").waiting, rel=0.05)
    assert one["part-work"].shape["width"] == other["part-work"].shape["width"]
    assert max(box(mark)[2] for key, mark in other.items() if key.startswith("part-")) <= WIDTHS[width]


@pytest.mark.parametrize("width", WIDTHS)
def test_time_in_which_all_wait_for_the_fullest_reaches_to_its_top_and_is_told_where_there_is_much(width):
    much, little = (marks(SCENE.run(placement=name).steps[3], width) for name in ("order", "copies"))
    loads = Case(0.5, 4, "order").loads
    share = 1 - loads.sum() / loads.max() / GPUS
    assert much["waits-words"].text.endswith(f"GPU 0: {100 * share:.0f}%") and "waits-words" not in little
    for drawn in (much, little):
        tops = [float(one.split(" ")[1].split("L")[0]) for one in drawn["waits"].shape["d"].split("M")[1:]]
        assert tops == pytest.approx([drawn["fullest-bar"].shape["y"]] * NODES, abs=0.51)


def test_tokens_of_all_gpus_are_told_apart_from_those_of_each():
    load, wait = (SCENE.say(chapter(name).states[-1]) for name in ("load", "wait"))
    assert load.startswith("4,096 tokens, from all GPUs together, make 32,768 visits")
    assert wait.startswith("If each GPU brings 4,096 tokens of its own,")


def test_rows_at_the_largest_skew_say_whose_they_are():
    drawn = marks(SCENE.run().steps[-1])
    assert [drawn[f"worst-{name}"].read.split(":")[0] for name in ("order", "balanced")] == ["in order", "balanced"]
