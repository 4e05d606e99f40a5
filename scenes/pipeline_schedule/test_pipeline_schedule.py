"""Check the timetables: published ones, closed forms, and every dependency by brute force."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.pipeline_schedule.model import FEWEST, SCHEDULES, Pipeline, simulate, solve
from scenes.pipeline_schedule.orders import Task

budget = settings(max_examples=60, deadline=None, derandomize=True)
SIZES = [(2, 1), (2, 4), (4, 1), (4, 3), (4, 8), (4, 12), (8, 12), (8, 32), (16, 16), (16, 24), (16, 64)]
CASES = [(schedule, *size) for schedule in SCHEDULES for size in SIZES]

# scaling.md, section 6: forward of a microbatch as a digit, its backward in letters, idle as dots.
TIMELINES = {
    "gpipe": """
12345678.........aabbccddeeffgghh
.12345678......aabbccddeeffgghh..
..12345678...aabbccddeeffgghh....
...12345678aabbccddeeffgghh......""",
    "1f1b": """
1234......aa5bb6cc7dd8ee.ff.gg.hh
.123....aa4bb5cc6dd7ee8ff.gg.hh..
..12..aa3bb4cc5dd6ee7ff8gg.hh....
...1aa2bb3cc4dd5ee6ff7gg8hh......""",
    "interleaved": """
12341234567...aa8bb.5cc6dd7aa8bbcc.dd.ee.ff.gg.hheeffgghh
.123412345..aa6bb7cc8dd5aa6bb7cc8dd.ee.ff.gg.hheeffgghh..
..1234123.aa4bb5cc6dd7aa8bb5cc6dd7ee8ff.gg.hheeffgghh....
...12341aa2bb3cc4dd5aa6bb7cc8dd5ee6ff7gg8hheeffgghh......""",
    "zb-h1": """
1234...aA5bB6cC7dD8eEfFgGhH
.123..a4bA5cB6dC7eD8fEgFhGH
..12.a3b4cA5dB6eC7fD8gEhFGH
...1a2b3c4dA5eB6fC7gD8hEFGH""",
}


def timeline(case):
    """The timetable as letters, a column for each forward, or for each half one."""
    scale = 2 if case.schedule == "interleaved" else 1
    rows = [["."] * round(case.time * scale) for _ in range(case.stages)]
    for row, slots in zip(rows, case.slots, strict=True):
        for slot in slots:
            kind, _, _, number, _ = slot.turn[0]
            letter = {"F": str(number + 1), "B": chr(97 + number), "W": chr(65 + number)}[kind]
            for place in range(round(slot.start * scale), round(slot.end * scale)):
                row[place] = letter
    return "\n".join("".join(row) for row in rows)


@pytest.mark.parametrize("schedule", TIMELINES)
def test_four_stages_and_eight_microbatches_take_their_turns_as_in_the_table_of_facts(schedule):
    assert timeline(solve(schedule, 4, 8)) == TIMELINES[schedule].strip()


def test_dualpipe_fills_as_in_the_figure_of_its_repository_and_takes_as_long():
    # deepseek-ai/DualPipe, images/dualpipe.png: 8 ranks, 20 microbatches, 66 cells of one forward; what is white in the
    # first 24. Later some white cells stand beside a turn there that is taken as soon as it can be here.
    case = solve("dualpipe", 8, 20)
    white = [[(20, 23)], [(0, 1), (18, 20)], [(0, 2), (16, 17)], [(0, 3)]]
    assert case.time == 66
    for device in range(8):
        gaps = case.gaps(device)
        assert [gap for gap in gaps if gap[1] < 24] == white[min(device, 7 - device)]
        assert sum(end - start for start, end in gaps) == 6


def test_dualpipe_puts_off_the_weights_that_its_figure_shows_in_blue():
    # The same figure: microbatches with a number in a blue cell, of the four devices above the middle and of the last.
    found = [
        [task.microbatch for slot in slots for task in slot.turn if task.kind == "W" and task.route == 0]
        for slots in solve("dualpipe", 8, 20).slots
    ]
    assert found[:4] == [[6, 7, 8, 9], [7, 8, 9], [7, 8, 9], [8, 9]]
    assert found[7] == [0, 1, 2]


@pytest.mark.parametrize(("p", "m"), [(4, 4), (4, 8), (4, 16), (8, 32), (16, 16)])
def test_times_are_those_of_closed_forms(p, m):
    forward, backward = 1, 2  # of a stage; half of a backward is for the weights
    assert solve("gpipe", p, m).time == solve("1f1b", p, m).time == (m + p - 1) * (forward + backward)
    assert solve("interleaved", p, m).idle == (p - 1) * (forward + backward) / 2
    assert solve("zb-h1", p, m).idle == (p - 1) * (forward + 1 - 1)
    assert solve("dualpipe", p, max(m, 2 * p)).idle == (p / 2 - 1) * (3 + backward - 3 * 1)


@pytest.mark.parametrize(
    ("p", "m", "share", "ratio"), [(4, 4, 42.9, 75.0), (4, 8, 27.3, 37.5), (4, 16, 15.8, 18.75), (16, 16, 48.4, 93.75)]
)
def test_both_definitions_of_the_bubble_are_those_of_the_table_of_facts(p, m, share, ratio):
    case = solve("1f1b", p, m)
    assert case.share == pytest.approx(share, abs=0.05) and case.share == pytest.approx(100 * (p - 1) / (m + p - 1))
    assert case.ratio == ratio == 100 * (p - 1) / m
    assert case.share == pytest.approx(100 * case.ratio / (100 + case.ratio))


@pytest.mark.parametrize(
    ("schedule", "peaks"),
    [("gpipe", [8, 8, 8, 8]), ("1f1b", [4, 3, 2, 1]), ("interleaved", [5.5, 4.5, 3.5, 2.5]), ("zb-h1", [4, 4, 4, 4]),
     ("dualpipe", [5, 5, 5, 5])],
)  # fmt: skip
def test_each_device_holds_as_many_microbatches_as_published(schedule, peaks):
    # scaling.md, section 15, S3; for DualPipe the README: stages + 1.
    assert solve(schedule, 4, 8).peaks == peaks


@pytest.mark.parametrize("p", [2, 4, 8, 16])
def test_memory_of_the_first_stage_follows_the_papers(p):
    m = 4 * p
    assert solve("1f1b", p, m).peaks == list(range(p, 0, -1))
    assert solve("interleaved", p, m).peaks[0] == p * (1 + (p - 1) / (2 * p))  # seq-parallel, section 4.2.3
    assert solve("dualpipe", p, m).peaks == [p + 1] * p


@pytest.mark.parametrize(("schedule", "stages", "asked"), CASES)
def test_every_dependency_holds_and_no_device_does_two_things_at_once(schedule, stages, asked):
    case = solve(schedule, stages, asked)
    places = stages * (2 if schedule == "interleaved" else 1)
    found = {}
    for device, slots in enumerate(case.slots):
        assert all(before.end <= after.start for before, after in itertools.pairwise(slots))
        for slot in slots:
            assert len(slot.turn) == 1 or [task.kind for task in slot.turn] == ["F", "B"]
            assert slot.end - slot.start == sum(task.length for task in slot.turn)
            for kind, route, place, number, _ in slot.turn:
                assert device == (place % stages if route == 0 else stages - 1 - place)
                assert (kind, route, place, number) not in found
                found[kind, route, place, number] = slot
    numbers = {key[1::2] for key in found}
    assert len(numbers) == case.microbatches
    for route, number in numbers:
        way = [found["F", route, place, number] for place in range(places)]
        back = [found["B", route, place, number] for place in reversed(range(places))]
        assert all(before.end <= after.start for before, after in itertools.pairwise([*way, *back]))
    for kind, route, place, number in found:
        if kind == "W":
            assert found["B", route, place, number].end <= found["W", route, place, number].start


@pytest.mark.parametrize(("schedule", "stages", "asked"), CASES)
def test_all_devices_do_the_whole_batch_and_wait_equally_long(schedule, stages, asked):
    case = solve(schedule, stages, asked)
    for device, slots in enumerate(case.slots):
        assert sum(slot.end - slot.start for slot in slots) == 3 * case.microbatches
        assert sum(end - start for start, end in case.gaps(device)) == case.idle == case.time - case.ideal
    assert case.idle_until(case.time) == pytest.approx(case.share)


@pytest.mark.parametrize(("schedule", "stages", "asked"), CASES)
def test_no_device_waits_for_nothing(schedule, stages, asked):
    ends = {slot.end for slots in solve(schedule, stages, asked).slots for slot in slots}
    for slots in solve(schedule, stages, asked).slots:
        assert all(slot.start == 0 or slot.start in ends for slot in slots)


@given(st.sampled_from([*SCHEDULES]), st.sampled_from([2, 4, 6, 8]), st.integers(1, 20))
@budget
def test_held_microbatches_are_those_between_first_work_and_last(schedule, stages, half):
    case = Pipeline(schedule, stages, 2 * half)
    parts = 2 if schedule == "interleaved" else 1
    for device, slots in enumerate(case.slots):
        spans = {}
        for slot in slots:
            for task in slot.turn:
                start, end = spans.get(task[1:4], (math.inf, 0.0))
                spans[task[1:4]] = (min(start, slot.start), max(end, slot.end))
        moments = {start for start, _ in spans.values()}
        most = max(sum(start <= now < end for start, end in spans.values()) for now in moments) / parts
        assert case.peaks[device] == most
        for now in moments:  # just before what begins then
            held = sum(start < now <= end for start, end in spans.values()) / parts
            assert case.held_at(device, now) == pytest.approx(held)
        assert case.held_at(device, case.time) == case.held_at(device, case.time + 1) == 0


@given(st.sampled_from([*SCHEDULES]), st.sampled_from([2, 4, 8]))
@budget
def test_more_microbatches_are_never_a_larger_share_of_idle_time(schedule, stages):
    shares = [solve(schedule, stages, count).share for count in (2, 4, 8, 16, 32, 64)]
    assert shares == sorted(shares, reverse=True)


def test_schedules_take_as_many_microbatches_as_they_need():
    assert solve("dualpipe", 16, 8).microbatches == 32 and solve("interleaved", 16, 8).microbatches == 16
    assert solve("zb-h1", 16, 8).microbatches == 8 and set(FEWEST) <= set(SCHEDULES)
    with pytest.raises(ValueError, match="at least twice as many microbatches, not 8 and 14"):
        SCHEDULES["dualpipe"](8, 14)
    with pytest.raises(ValueError, match="even number of stages"):
        SCHEDULES["dualpipe"](3, 14)
    with pytest.raises(ValueError, match="at least 8 microbatches on 8 stages, not 4"):
        SCHEDULES["interleaved"](8, 4)


def test_orders_that_wait_for_one_another_are_refused():
    first, second = Task("F", 0, 0, 0, 1.0), Task("F", 0, 1, 0, 1.0)
    back = Task("B", 0, 1, 0, 2.0)
    with pytest.raises(ValueError, match="for ever"):
        simulate([[(first,)], [(back,), (second,)]])
