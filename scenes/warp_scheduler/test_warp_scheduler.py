"""Check the scheduler against a simulation of every cycle, the facts table, and what must hold for any warps."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.warp_scheduler.model import (
    NOBODY,
    SIMULATED,
    SLOTS,
    Load,
    bytes_in_flight,
    issued_by,
    slots_used,
    stretches,
    warps_to_saturate,
)
from scenes.warp_scheduler.scene import SCENE

example_budget = settings(max_examples=100, deadline=None, derandomize=True)
NUMBERS = {"warps": st.integers(1, 24), "instructions": st.integers(1, 20), "latency": st.integers(0, 120)}


def cycle_by_cycle(warps, instructions, latency, cycles, turns=False):
    """Oracle: every cycle, ask each warp whether it is ready; stay with the same one, or else the longest ready.

    With `turns` the scheduler changes warps after every instruction instead.
    """
    left, ready = [instructions] * warps, [0] * warps
    last, who = 0, []
    for now in range(cycles):
        able = [warp for warp in range(warps) if ready[warp] <= now]
        if not able:
            who.append(NOBODY)
            continue
        if turns:
            warp = min(able, key=lambda one: (one - last - 1) % warps)
        else:
            inside = [one for one in able if 0 < left[one] < instructions]
            warp = inside[0] if inside else min(able, key=lambda one: (ready[one], one))
        last = warp
        who.append(warp)
        left[warp] -= 1
        if not left[warp]:
            left[warp], ready[warp] = instructions, now + 1 + latency
    return who


# hardware.md section 5, the table of the toy model.
@pytest.mark.parametrize(
    ("instructions", "latency", "saturate", "with_16"),
    [(1, 20, 21, "76%"), (4, 28, 8, "100%"), (20, 400, 21, "76%"), (10, 400, 41, "39%"), (8, 600, 76, "21%")],
)
def test_facts_table_is_reproduced(instructions, latency, saturate, with_16):
    assert warps_to_saturate(instructions, latency) == saturate
    assert f"{100 * float(slots_used(16, instructions, latency)):.0f}%" == with_16


# hardware.md section 5: 16 warp slots a scheduler; 4 · L warp-instructions in flight an SM, so L a scheduler.
def test_latency_of_20_needs_as_many_instructions_in_flight():
    assert SLOTS == 16
    assert warps_to_saturate(1, 20 - 1) == 20


# hardware.md section 5, Little's law for bytes: 8.6 KiB an SM of the H100, 592 KiB on the A100 of 40 GB (1,555 GB/s).
def test_bytes_in_flight_are_bandwidth_times_latency():
    values = SCENE.run().values
    assert f"{values['bytes_in_flight_h100_sm'].value / 1024:.1f}" == "8.6"
    assert f"{bytes_in_flight(1555e9, 390e-9) / 1024:.0f}" == "592"
    assert values["bytes_in_flight_h100"].value == 132 * values["bytes_in_flight_h100_sm"].value


@pytest.mark.parametrize("params", list(SCENE.grid()), ids=lambda params: "-".join(map(str, params.values())))
def test_formula_and_simulation_agree_over_20000_cycles(params):
    values = SCENE.run(**params).values
    assert values["cycles"].value == 20_000
    assert abs(values["used"].value - values["simulated"].value) <= 0.5  # percent: 0.005 of the slots


@pytest.mark.parametrize("numbers", [(1, 1, 20), (4, 10, 100), (16, 20, 20), (16, 1, 400), (8, 4, 28)])
def test_simulation_of_every_cycle_gives_the_same_slots(numbers):
    assert issued_by(*numbers, SIMULATED).tolist() == cycle_by_cycle(*numbers, SIMULATED)


@given(**NUMBERS, cycles=st.integers(0, 500))
@example_budget
def test_any_warps_issue_as_in_the_simulation_of_every_cycle(warps, instructions, latency, cycles):
    got = issued_by(warps, instructions, latency, cycles).tolist()
    assert got == cycle_by_cycle(warps, instructions, latency, cycles)


@given(**NUMBERS, turns=st.integers(1, 4))
@example_budget
def test_whole_turns_use_exactly_the_share_of_the_formula(warps, instructions, latency, turns):
    load = Load(warps, latency, instructions)
    who = cycle_by_cycle(warps, instructions, latency, turns * load.turn)
    exact = min(Fraction(1), Fraction(warps * instructions, instructions + latency))
    assert Fraction(sum(one != NOBODY for one in who), len(who)) == exact
    assert load.used == pytest.approx(float(100 * exact), rel=1e-14)
    assert who.count(NOBODY) == turns * load.idle


@given(**NUMBERS)
@example_budget
def test_saturation_is_the_first_number_of_warps_that_leaves_no_slot_empty(warps, instructions, latency):
    enough = warps_to_saturate(instructions, latency)
    assert enough == math.ceil(Fraction(instructions + latency, instructions))
    assert NOBODY not in cycle_by_cycle(enough, instructions, latency, 3 * enough * instructions)
    if enough > 1:
        assert NOBODY in cycle_by_cycle(enough - 1, instructions, latency, instructions + latency)
    assert Load(warps, latency, instructions).hidden == (Load(warps, latency, instructions).idle == 0)


@given(**NUMBERS)
@example_budget
def test_every_warp_issues_whole_runs_and_waits_no_less_than_the_latency(warps, instructions, latency):
    who = issued_by(warps, instructions, latency, 4 * Load(warps, latency, instructions).turn)
    for warp in range(warps):
        at = np.flatnonzero(who == warp)
        starts = at[::instructions]
        assert all(
            (at[k : k + instructions] - at[k] <= instructions - 1).all() for k in range(0, len(at), instructions)
        )
        assert (np.diff(starts) >= instructions + latency).all()


@given(**NUMBERS)
@example_budget
def test_one_more_warp_never_uses_fewer_slots(warps, instructions, latency):
    one, two = slots_used([warps, warps + 1], instructions, latency)
    assert 0 < one <= two <= 1
    assert two == 1 or two - one == pytest.approx(instructions / (instructions + latency), rel=1e-9)


@pytest.mark.parametrize(("warps", "instructions", "latency"), [(4, 10, 100), (8, 10, 100), (4, 20, 100)])
def test_changing_warps_after_every_instruction_leaves_more_slots_empty(warps, instructions, latency):
    # What `leaves_out` says of the other order.
    ours, theirs = (sum(one != NOBODY for one in cycle_by_cycle(warps, instructions, latency, 20_000, turns=turns))
                    for turns in (False, True))  # fmt: skip
    assert theirs < 0.95 * ours


def test_stretches_end_before_the_first_cycle_that_is_not_theirs():
    assert stretches(np.array([1, 1, 0, 1], dtype=bool)) == [(0, 2), (3, 4)]
    assert stretches(np.zeros(3, dtype=bool)) == []


@pytest.mark.parametrize(("warps", "instructions", "latency"), [(0, 1, 20), (1, 0, 20), (1, 1, -1)])
def test_numbers_that_make_no_scheduler_are_refused(warps, instructions, latency):
    with pytest.raises(ValueError, match=rf"1 warp and 1 instruction or more.*not {warps}, {instructions} and"):
        issued_by(warps, instructions, latency, 10)
    with pytest.raises(ValueError, match="or more, not"):
        slots_used(warps - 1, instructions, latency)


def test_bandwidth_and_latency_below_zero_are_refused():
    with pytest.raises(ValueError, match="0 or more"):
        bytes_in_flight(-1.0, 1e-9)
