"""Check schedules against a simulation that hands out blocks one by one, and shares against closed forms."""

import heapq
import itertools
import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenes.waves.model import MOST, SCHEDULES, Launch, launches, teeth

example_budget = settings(max_examples=150, deadline=None, derandomize=True)
TILES = st.integers(1, MOST)


def handed_out(durations):
    """Oracle: each block goes to the SM that is free first; when the last one is done."""
    free = [0] * 132
    for duration in durations:
        heapq.heapreplace(free, free[0] + duration)
    return max(free)


def kept(tiles):
    """Oracle: 132 blocks take tiles in turn; the epilogue of one runs beside the loop of the next."""
    own = [0] * 132
    for tile in range(tiles):
        own[tile % 132] += 1
    return max(64 * count + 8 for count in own if count)


def streamed(tiles):
    """Oracle: every step of every tile goes to an SM, in order; a tile that two SMs share is stored twice."""
    steps = [(tile, step) for tile in range(tiles) for step in range(64)]
    least, more = divmod(len(steps), 132)
    owners, at = {}, 0
    for sm in range(132):
        for tile, _ in steps[at : at + least + (sm < more)]:
            owners.setdefault(tile, set()).add(sm)
        at += least + (sm < more)
    shared = any(len(found) > 1 for found in owners.values())
    return math.ceil(len(steps) / 132) + (16 if shared else 8)


@given(tiles=TILES)
@example(tiles=1)
@example(tiles=132)
@example(tiles=133)
@example(tiles=MOST)
@example_budget
def test_every_schedule_takes_as_long_as_its_simulation(tiles):
    assert {name: launch.time for name, launch in launches(tiles).items()} == {
        "tile": handed_out([72] * tiles),
        "split-2": handed_out([40] * 2 * tiles),
        "split-4": handed_out([24] * 4 * tiles),
        "persistent": kept(tiles),
        "stream": streamed(tiles),
    }


@given(tiles=TILES, schedule=st.sampled_from(list(SCHEDULES)))
@example_budget
def test_all_steps_of_all_tiles_are_done_once_and_no_sm_does_two_at_a_time(tiles, schedule):
    launch = Launch(tiles, schedule)
    assert sum((span.end - span.start) * (span.last - span.first) for span in launch.spans if span.main) == 64 * tiles
    for sm in (0, 1, 64, 130, 131):
        own = sorted((span.start, span.end) for span in launch.spans if span.main and span.first <= sm < span.last)
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(own))
    assert launch.busy == pytest.approx(100 * 64 * tiles / (132 * launch.time))


@given(tiles=TILES, schedule=st.sampled_from(list(SCHEDULES)))
@example_budget
def test_idle_stretches_are_all_that_is_left_of_the_chart(tiles, schedule):
    launch, last = Launch(tiles, schedule), [0] * 132
    for span in launch.spans:
        for sm in range(span.first, span.last):
            last[sm] = max(last[sm], span.end)
    idle = {sm: span.start for span in launch.idle for sm in range(span.first, span.last)}
    assert idle == {sm: end for sm, end in enumerate(last) if end < launch.time}


# ceil(blocks / 132) waves: facts/silicon.md, section 10, measures 21.9 and 40.5 µs for 132 and 133 equal blocks.
@pytest.mark.parametrize(
    ("tiles", "waves", "tail"), [(1, 1, 1), (132, 1, 132), (133, 2, 1), (264, 2, 132), (512, 4, 116)]
)
def test_waves_and_tail_are_quotient_and_rest(tiles, waves, tail):
    launch = Launch(tiles, "tile")
    assert (launch.rounds, launch.tail, launch.time) == (waves, tail, 72 * waves)


def test_one_tile_more_than_a_wave_halves_the_busy_time():
    assert Launch(132, "tile").busy == pytest.approx(100 * 64 / 72)
    assert Launch(133, "tile").busy == pytest.approx(100 * 133 * 64 / (132 * 144))
    assert Launch(133, "stream").time == 65 + 16


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_between_its_points_the_saw_is_straight(schedule):
    xs, ys = teeth(schedule)
    assert xs == sorted(set(xs)) and xs[0] == 1 and xs[-1] == MOST
    for left, right, low, high in zip(xs, xs[1:], ys, ys[1:], strict=False):
        for tiles in range(left, right + 1, max(1, (right - left) // 3)):
            straight = low + (high - low) * (tiles - left) / (right - left)
            assert Launch(tiles, schedule).busy == pytest.approx(straight, abs=1.5 if schedule == "stream" else 1e-9)


@given(tiles=TILES)
@example_budget
def test_blocks_that_stay_are_never_slower_than_one_block_for_each_tile(tiles):
    assert Launch(tiles, "persistent").time <= Launch(tiles, "tile").time
    assert Launch(tiles, "stream").blocks == min(132, 64 * tiles)  # one without a step has nothing to stay for


def test_share_of_a_part_of_the_time_counts_only_what_is_behind():
    launch = Launch(133, "tile")
    assert launch.busy_until(64) == 100
    assert launch.busy_until(72) == pytest.approx(100 * 64 / 72)
    assert launch.busy_until(launch.time) == launch.busy


def test_impossible_launches_are_refused():
    with pytest.raises(ValueError, match="there is at least one tile, not 0"):
        Launch(0, "tile")
    with pytest.raises(ValueError, match=r"a schedule is one of \('tile', .*not 'split-3'"):
        Launch(1, "split-3")


@given(tiles=TILES, schedule=st.sampled_from(list(SCHEDULES)))
@example_budget
def test_mainloop_epilogue_and_idle_make_up_the_time_and_the_first_is_the_busy_share(tiles, schedule):
    launch = Launch(tiles, schedule)
    main, after, idle = launch.parts_of_time
    assert main + after + idle == pytest.approx(launch.time) and min(after, idle) >= -1e-9
    assert idle == pytest.approx(sum((span.end - span.start) * (span.last - span.first) for span in launch.idle) / 132)
    assert 100 * main / launch.time == pytest.approx(launch.busy)
