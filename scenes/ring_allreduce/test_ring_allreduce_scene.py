"""Check what the reader meets: exact arrays at every step, frames that go down the ring, curves and words."""

import itertools
import re

import pytest

from loom.scene import WIDTHS
from scenes.ring_allreduce.drawing import OWN
from scenes.ring_allreduce.model import RING, AllReduce, exchange, toy
from scenes.ring_allreduce.pace import LEAD, RACE, SOONEST
from scenes.ring_allreduce.scene import SCENE
from scenes.ring_allreduce.stage import CROWDED, NARROW, SIZES, WIDE
from tests.boxes import answer_lines

GRID = list(SCENE.grid())
SOME = [*GRID[::5], GRID[-1]]
STAGES = {"narrow": NARROW, "wide": WIDE}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def pictures(params):
    """At rest: the start, each step when its chunks have landed, and the times when all are over."""
    start, scatter, gather, time = (one.states for one in SCENE.run(**params).chapters)
    return [start[-1], *scatter[2::2], *gather[1::2], time[-1]]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpus", [2, 4, 8])
def test_numbers_are_those_of_the_exchange_at_every_step(gpus, width):
    told = exchange(toy(gpus))
    shown = pictures({"gpus": gpus})[:-1]
    assert len(shown) == len(told)
    for state, arrays in zip(shown, told, strict=True):
        drawn = marks(state, width)
        found = [[int(drawn[f"number-{gpu}-{chunk}"].text) for chunk in range(gpus)] for gpu in range(gpus)]
        assert found == arrays.tolist()


def test_sixteen_gpus_show_summands_as_heights_and_numbers_as_read_outs():
    told, ones = exchange(toy(CROWDED)), exchange(toy(CROWDED) * 0 + 1)
    for state, arrays, held in zip(pictures({"gpus": CROWDED})[:-1:7], told[::7], ones[::7], strict=True):
        drawn = marks(state)
        most = max(mark.shape["height"] for key, mark in drawn.items() if key.startswith("fill-"))
        for gpu, chunk in itertools.product(range(CROWDED), repeat=2):
            fill = drawn[f"fill-{gpu}-{chunk}"]
            assert fill.read.startswith(f"{arrays[gpu, chunk]}, from {held[gpu, chunk]} GPU")
            tall = most * held[gpu, chunk] / CROWDED
            if held[gpu, chunk] == 1:  # a sixteenth could not be seen: all of it, in the colour of its GPU
                tall = most
                assert fill.role == f"{OWN[gpu % len(OWN)]} soft"
            assert fill.shape["height"] == pytest.approx(tall, abs=0.6)
        assert "number-0-0" not in drawn


def test_numbers_are_said_only_where_they_are_drawn():
    for gpus in (2, 4, 8, CROWDED):
        words = SCENE.say(SCENE.run(gpus=gpus).steps[0])
        assert ("shown as a number each" in words and ": " in words) == (gpus < CROWDED)


def test_fuller_chunks_are_darker():
    drawn = marks(pictures({"gpus": 8})[4])
    by_read = {mark.read.split("from ")[1]: mark.shape["opacity"] for key, mark in drawn.items()
               if key.startswith("fill-") and "opacity" in mark.shape}  # fmt: skip
    assert len(by_read) == 4  # of two summands and more; the first is in the colour of its GPU
    assert sorted(by_read, key=by_read.get) == sorted(by_read)


@pytest.mark.parametrize("width", WIDTHS)
def test_frames_stand_one_gpu_further_down_the_ring_from_beat_to_beat(width):
    rows = STAGES[width].table(8).rows
    for chapter in SCENE.run(gpus=8).chapters[1:3]:
        stood = []
        for state in chapter.states[-2::-2][::-1]:  # as they set out
            path = marks(state, width)["parcels"].shape["d"]
            corners = [tuple(map(float, box.split("L")[0].split())) for box in path.split("M")[1:]]
            stood.append([next(gpu for gpu, row in enumerate(rows) if row.y <= y <= row.bottom) for _, y in corners])
        assert all([(gpu + 1) % 8 for gpu in before] == after for before, after in itertools.pairwise(stood))


def test_answer_counts_chunks_and_ends_below_two():
    for gpus, last in ((2, "1×"), (4, "1.5×"), (8, "1.75×"), (16, "1.875×")):
        words = [marks(state)["answer"].text for state in pictures({"gpus": gpus})]
        assert (words[0], words[-1]) == ("0×", last)
        shares = [float(word.rstrip("×")) for word in words]
        assert shares == sorted(shares) and shares[-1] < 2
    assert answer_lines(marks(SCENE.run().steps[-1]))[1] == "14 chunks, together 175\u00a0MB"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_knob_stands_on_the_ring_s_curve(params, width):
    stage, drawn = STAGES[width], marks(SCENE.run(**params).steps[-1], width)
    case = AllReduce(params["gpus"], params["size"], params["link"])
    knob = drawn["size"]
    assert (knob.shape["cx"], knob.shape["cy"]) == stage.plot.at(case.size, case.times()[RING])
    assert knob.handle.rail[SIZES.index(case.size)] == (knob.shape["cx"], knob.shape["cy"])


@pytest.mark.parametrize("params", SOME, ids=str)
def test_longest_bar_is_the_slowest_and_the_fastest_is_told_by_colour_and_weight(params):
    drawn, case = marks(SCENE.run(**params).steps[-1]), AllReduce(**params)
    times = case.times()
    widths = {name: drawn[f"took-{name}"].shape["width"] for name in times}
    for one, other in itertools.combinations(times, 2):
        assert widths[one] / widths[other] == pytest.approx(times[one] / times[other])
    assert [name for name in times if drawn[f"took-{name}"].role == "work steady"] == [case.fastest]
    assert "strong" in drawn[f"name-{case.fastest}"].role


def test_strip_turns_where_the_ring_overtakes_the_tree():
    drawn = marks(SCENE.run(gpus=8, link="network").steps[-1])
    assert drawn["turn-tree"].shape["x1"] == pytest.approx(WIDE.plot.at(8e6, 1e-3)[0])
    assert "turn-ring" not in drawn
    assert "Below 8\u00a0MB the tree’s few hops win" in SCENE.say(SCENE.run().steps[-1])


def test_sixteen_gpus_have_no_nvlink_of_their_own():
    assert {params["link"] for params in GRID if params["gpus"] == 16} == {"network"}
    assert {params["link"] for params in GRID if params["gpus"] == 8} == {"network", "nvlink"}


def test_values_are_those_of_the_default():
    values = SCENE.run().values
    assert str(values["sent"]) == "175\u00a0MB" and str(values["times"]) == "1.75×"
    assert str(values["crossover"]) == "8\u00a0MB" and values["steps"].value == 14
    assert values["best"].value == values["ring"].value < values["tree"].value
    assert values["busbw"].value == pytest.approx(values["algbw"].value * 1.75)


@pytest.mark.parametrize("width", WIDTHS)
def test_what_a_gpu_begins_with_has_its_colour_until_another_s_numbers_are_added(width):
    start, *_, last = (marks(state, width) for state in pictures({"gpus": 4})[:-1])
    rows = [{start[f"fill-{gpu}-{chunk}"].role for chunk in range(4)} for gpu in range(4)]
    assert all(len(roles) == 1 for roles in rows) and len(set.union(*rows)) == 4
    assert {last[f"fill-{gpu}-{chunk}"].role for gpu in range(4) for chunk in range(4)} == {"work soft"}


def right_ends(path):
    """Of the boxes that a path draws, one under the other."""
    return [max(float(corner.split()[0]) for corner in box.rstrip("Z").split("L")) for box in path.split("M")[1:]]


@pytest.mark.parametrize("gpus", [2, 4, 8, 16])
def test_meter_grows_as_the_answer_does_and_ends_short_of_twice_an_array(gpus):
    for state in pictures({"gpus": gpus})[:-1]:
        drawn = marks(state, "narrow")
        rail, sent = (drawn[key].shape["width"] for key in ("meter", "sent"))
        assert 2 * sent / rail == pytest.approx(float(drawn["answer"].text.rstrip("×")), abs=0.01)
        assert sent < rail and drawn["once"].shape["x1"] == drawn["meter"].shape["x"] + rail / 2
        assert all("answer" in drawn[key].role.split() for key in ("meter", "sent", "once", "twice"))


@pytest.mark.parametrize("gpus", [2, 4, 8, 16])
def test_all_gpus_have_bars_as_long_as_the_answer_that_end_short_of_twice_an_array(gpus):
    for state in pictures({"gpus": gpus})[:-1]:
        drawn = marks(state)
        once, twice = (drawn[f"times-{times}"].shape["x"] for times in (1, 2))
        ends = right_ends(drawn["sent"].shape["d"])
        assert len(ends) == gpus and len(set(ends)) == 1 and ends[0] < twice
        sent = (ends[0] - once) / (twice - once) + 1
        assert sent == pytest.approx(float(drawn["answer"].text.rstrip("×")), abs=0.02)


@pytest.mark.parametrize("gpus", [4, 8, 16])
def test_the_ring_shares_out_what_one_gpu_would_have_to_send(gpus):
    *before, last = [marks(state) for state in pictures({"gpus": gpus})[:-1]]
    once, twice = (last[f"times-{times}"].shape["x"] for times in (1, 2))
    alone = [(end - once) / (twice - once) + 1 for end in right_ends(last["hub"].shape["d"])]
    assert alone == pytest.approx([gpus - 1, *[1] * (gpus - 1)], abs=0.05)
    assert last["hub-name"].text == f"all through GPU 0: {gpus - 1}×"
    total = sum((end - once) / (twice - once) + 1 for end in right_ends(last["sent"].shape["d"]))
    assert total == pytest.approx(sum(alone), abs=0.4)
    assert last["total"].text == f"together {2 * (gpus - 1)} arrays, either way"
    assert not any("total" in drawn for drawn in before), "it is told when the last chunk is there"


def test_two_gpus_send_as_much_either_way():
    drawn = marks(pictures({"gpus": 2})[-2])
    assert not {"hub", "hub-name", "total"} & drawn.keys()


@pytest.mark.parametrize("width", WIDTHS)
def test_times_are_shown_when_all_is_sent_in_the_place_of_what_was(width):
    *before, last = [marks(state, width) for state in pictures({"gpus": 4})]
    assert "curve-ring" in last and "sent" not in last
    assert all("curve-ring" not in drawn and "sent" in drawn for drawn in before)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpus", [2, 4, 8])
def test_all_arrays_end_as_the_row_of_sums_that_stood_there_from_the_start(gpus, width):
    start, *_, last = (marks(state, width) for state in pictures({"gpus": gpus})[:-1])
    sums = [start[f"sum-{chunk}"].text for chunk in range(gpus)]
    assert [[last[f"number-{gpu}-{chunk}"].text for chunk in range(gpus)] for gpu in range(gpus)] == [sums] * gpus
    assert [start[f"sum-{chunk}"].shape["x"] for chunk in range(gpus)] == [
        start[f"number-0-{chunk}"].shape["x"] for chunk in range(gpus)
    ]


def test_two_sums_are_listed_and_more_go_on():
    two, four = (SCENE.say(SCENE.run(gpus=gpus).steps[0]) for gpus in (2, 4))
    assert two.endswith("10 and 12.") and four.endswith(" and so on.")


def test_slider_stands_first_in_its_sentence_so_that_on_a_phone_no_width_of_its_value_moves_it():
    assert re.match(r"\w+ \{size\}", SCENE.sentence)


@pytest.mark.parametrize("width", WIDTHS)
def test_numbers_change_when_the_chunk_has_landed_and_lengths_grow_while_it_travels(width):
    sent = "sent"
    for chapter, first in zip(SCENE.run(gpus=4).chapters[1:3], (1, 0), strict=True):
        drawn = [marks(state, width) for state in chapter.states]
        for before, out, done in zip(drawn[first - 1 :: 2] if first else [None, *drawn[1::2]], drawn[first::2],
                                     drawn[first + 1 :: 2], strict=False):  # fmt: skip
            assert out["parcels"].shape == done["parcels"].shape and out[sent].shape == done[sent].shape
            assert out["answer"].text != done["answer"].text
            if before:
                assert out["parcels"].shape != before["parcels"].shape and out[sent].shape != before[sent].shape
                numbers = [key for key in out if key.startswith("number-")]
                assert [out[key].text for key in numbers] == [before[key].text for key in numbers]


def test_before_the_first_step_frames_stand_round_what_each_gpu_will_send():
    first = marks(SCENE.run(gpus=4).chapters[1].states[0])
    assert first["answer"].text == "0×"
    corners = [tuple(map(float, box.split("L")[0].split())) for box in first["parcels"].shape["d"].split("M")[1:]]
    table = WIDE.table(4)
    assert corners == [pytest.approx(table.fill(gpu, gpu, 4).corners[0], abs=0.3) for gpu in range(4)]


@pytest.mark.parametrize("params", SOME, ids=str)
def test_bars_grow_side_by_side_and_each_time_is_told_when_it_is_over(params):
    one, chapter = AllReduce(**params), SCENE.run(**params).chapters[-1]
    drawn, most = [marks(state) for state in chapter.states], max(one.times().values())
    assert {drawn[0][f"took-{name}"].shape["width"] for name in one.times()} == {0}
    for name, time in one.times().items():
        widths = [frame[f"took-{name}"].shape["width"] for frame in drawn]
        assert widths == sorted(widths)
        told = next(at for at, frame in enumerate(drawn) if f"took-{name}-time" in frame)
        assert widths[told - 1] == pytest.approx(widths[-1], abs=0.06 * max(widths)) and widths[told] == widths[-1]
        over = (chapter.times[told] - LEAD) / RACE * most
        assert over == pytest.approx(time, abs=2 * SOONEST * most)


def test_no_two_marks_say_the_same():
    for state in SCENE.run().steps:
        said = [mark.read for mark in marks(state).values() if mark.read]
        assert len(said) == len({*said})
