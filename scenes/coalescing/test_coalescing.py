"""Check a warp's load against a count over byte addresses, the closed form, and published counts."""

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.coalescing.model import (
    GATHERED,
    OFFSETS,
    PATTERNS,
    STRIDES,
    Load,
    bytes_asked,
    element_indices,
    over_strides,
    saturating_stride,
    units_touched,
)

example_budget = settings(max_examples=100, deadline=None, derandomize=True)
ADDRESSES = st.lists(st.integers(0, 5000), min_size=1, max_size=32)
LOADS = st.builds(
    Load, st.sampled_from(PATTERNS), st.sampled_from((1, 2, 4, 8, 16, 32)), st.integers(0, 70), st.integers(0, 70)
)
ELEMENTS = (2, 4, 8, 16)
THE_READERS = [Load(*choice) for choice in itertools.product(PATTERNS, ELEMENTS, (0, 1, 2, 3, 4, 8, 16, 32), OFFSETS)]


def bytes_wanted(addresses, element):
    """Oracle: every byte address, one by one, in a set."""
    return {address + k for address in addresses for k in range(element)}


def units_by_hand(addresses, element, unit):
    """Oracle: the set of address // unit over all bytes."""
    return sorted({byte // unit for byte in bytes_wanted(addresses, element)})


def sectors_in_closed_form(base, byte_stride, element):
    """Facts, section 4: 32 lanes, elements that no sector boundary cuts."""
    if byte_stride == 0:
        return 1
    return 32 if byte_stride > 32 else math.ceil((base % 32 + 31 * byte_stride + element) / 32)


# The vendor's rule in numbers; FP32, aligned: stride, sectors, efficiency [%].
@pytest.mark.parametrize(
    ("stride", "sectors", "efficiency"),
    [
        (1, 4, 100),
        (2, 8, 50),
        (3, 12, 100 / 3),
        (4, 16, 25),
        (5, 20, 20),
        (8, 32, 12.5),
        (16, 32, 12.5),
        (32, 32, 12.5),
    ],
)
def test_strides_of_fp32_take_the_published_sectors(stride, sectors, efficiency):
    load = Load("strided", 4, stride, 0)
    assert len(load.sectors) == sectors
    assert load.efficiency == pytest.approx(efficiency, rel=1e-14)


def test_broadcast_is_one_sector_and_its_shared_bytes_count_once():
    load = Load("strided", 4, 0, 0)
    assert (len(load.sectors), load.moved, load.useful, load.efficiency, load.best) == (1, 32, 4, 12.5, 1)


# CUDA C++ Best Practices Guide, "A Sequential but Misaligned Access Pattern": five 32-byte segments instead of four.
@pytest.mark.parametrize("offset", range(1, 8))
def test_offsets_of_one_to_seven_floats_cost_a_fifth_sector(offset):
    load = Load("strided", 4, 1, offset)
    assert (len(load.sectors), load.efficiency) == (5, 80)


def test_offset_of_eight_floats_is_aligned_to_sectors_again():
    assert len(Load("strided", 4, 1, 8).sectors) == 4


@pytest.mark.parametrize("offset", range(65))
def test_floats_side_by_side_lie_in_two_lines_unless_they_begin_one(offset):
    assert len(Load("strided", 4, 1, offset).lines) == (1 if offset % 32 == 0 else 2)


@pytest.mark.parametrize(("element", "sectors"), [(2, 2), (4, 4), (8, 8), (16, 16)])  # fp16, fp32, 64-bit, float4
def test_side_by_side_elements_of_any_size_waste_nothing(element, sectors):
    load = Load("strided", element, 1, 0)
    assert len(load.sectors) == load.best == sectors
    assert load.efficiency == 100


# Every 38th row of facts/vectors/memory.json, "coalescing": base [B], stride [elements], element [B], sectors, lines.
VECTORS = [
    (0, 0, 1, 1, 1), (38, 0, 1, 1, 1), (12, 1, 1, 2, 1), (50, 1, 1, 2, 1), (24, 2, 1, 3, 1), (62, 2, 1, 3, 1),
    (36, 3, 1, 4, 2), (10, 4, 1, 5, 2), (48, 4, 1, 5, 2), (22, 5, 1, 6, 2), (60, 5, 1, 6, 2), (34, 8, 1, 8, 3),
    (8, 16, 1, 16, 4), (46, 16, 1, 16, 5), (20, 17, 1, 18, 5), (58, 17, 1, 18, 5), (32, 32, 1, 32, 9),
    (6, 33, 1, 32, 9),
    (44, 33, 1, 32, 9), (36, 0, 2, 1, 1), (48, 1, 2, 3, 1), (60, 2, 2, 5, 2), (8, 4, 2, 9, 3), (20, 5, 2, 11, 3),
    (32, 8, 2, 16, 5), (44, 16, 2, 32, 9), (56, 17, 2, 32, 9), (4, 33, 2, 32, 17), (32, 0, 4, 1, 1), (56, 2, 4, 9, 3),
    (16, 5, 4, 20, 5), (40, 16, 4, 32, 16), (0, 33, 4, 32, 32), (48, 2, 8, 17, 5), (32, 16, 8, 32, 32),
    (32, 2, 16, 32, 9),
]  # fmt: skip


@pytest.mark.parametrize(("base", "stride", "element", "sectors", "lines"), VECTORS)
def test_vectors_of_the_facts_are_met(base, stride, element, sectors, lines):
    load = Load("strided", element, stride, base // element)
    assert load.addresses[0] == base
    assert (len(load.sectors), len(load.lines)) == (sectors, lines)


@given(addresses=ADDRESSES, element=st.integers(1, 40), unit=st.sampled_from((1, 8, 32, 64, 128)))
@example_budget
def test_touched_units_equal_the_count_over_byte_addresses(addresses, element, unit):
    # Elements need not be aligned here, and lanes may overlap.
    taken = np.array(addresses, dtype=np.int64)
    assert units_touched(taken, element, unit).tolist() == units_by_hand(addresses, element, unit)
    assert bytes_asked(taken, element).tolist() == sorted(bytes_wanted(addresses, element))


@given(load=LOADS)
@example_budget
def test_a_load_equals_the_count_over_byte_addresses(load):
    addresses = load.addresses.tolist()
    asked = bytes_wanted(addresses, load.element)
    sectors = units_by_hand(addresses, load.element, 32)
    assert load.sectors.tolist() == sectors
    assert load.lines.tolist() == units_by_hand(addresses, load.element, 128)
    assert (load.moved, load.useful) == (32 * len(sectors), len(asked))
    assert load.efficiency == pytest.approx(100 * len(asked) / (32 * len(sectors)), rel=1e-14)
    assert load.best == min(count for count in range(1, 33) if 32 * count >= len(asked))
    assert [[32 * sector + byte in asked for byte in range(32)] for sector in sectors] == load.used.tolist()
    assert [sectors[slot] for slot in load.slots.tolist()] == [address // 32 for address in addresses]


def test_closed_form_holds_for_every_aligned_start_and_stride():
    for element, offset, stride in itertools.product((1, 2, 4, 8, 16), range(0, 64, 3), (*STRIDES, 33, 70)):
        load = Load("strided", element, stride, offset)
        assert len(load.sectors) == sectors_in_closed_form(offset * element, stride * element, element)


@pytest.mark.parametrize("element", ELEMENTS)
def test_each_lane_has_a_sector_of_its_own_from_the_saturating_stride_on_and_not_before(element):
    for offset in (*OFFSETS, 3, 7, 15):
        alone = [load.stride for load in over_strides(element, offset) if len(load.sectors) == 32]
        assert alone == list(range(saturating_stride(element), 33))


@given(load=LOADS, seed=st.integers(0, 2**32 - 1))
@example_budget
def test_only_the_set_of_addresses_matters_not_which_lane_asks(load, seed):
    mixed = load.addresses.tolist()
    random.Random(seed).shuffle(mixed)
    assert units_touched(np.array(mixed), load.element, 32).tolist() == load.sectors.tolist()


@given(load=LOADS, lines=st.integers(1, 50))
@example_budget
def test_moving_all_addresses_by_whole_lines_moves_sectors_and_lines_and_changes_no_count(load, lines):
    moved = load.addresses + 128 * lines
    assert units_touched(moved, load.element, 32).tolist() == (load.sectors + 4 * lines).tolist()
    assert units_touched(moved, load.element, 128).tolist() == (load.lines + lines).tolist()


@given(load=LOADS)
@example_budget
def test_counts_keep_their_bounds(load):
    assert 1 <= load.best <= len(load.sectors) <= 32  # an element at its natural alignment never lies in two sectors
    assert len(load.lines) <= len(load.sectors) <= 4 * len(load.lines)
    assert 0 < load.useful <= min(load.moved, 32 * load.element)
    assert 0 < load.efficiency <= 100


@pytest.mark.parametrize("load", THE_READERS[::5], ids=str)
def test_unused_stretches_are_just_the_fetched_bytes_that_no_lane_asked_for(load):
    asked = bytes_wanted(load.addresses.tolist(), load.element)
    fetched = {32 * sector + byte for sector in load.sectors.tolist() for byte in range(32)}
    hatched = [32 * int(load.sectors[slot]) + byte for slot, start, length in load.unused_runs
               for byte in range(start, start + length)]  # fmt: skip
    assert len(hatched) == len(set(hatched)) == load.moved - load.useful
    assert set(hatched) == fetched - asked


@pytest.mark.parametrize("offset", OFFSETS)
def test_shuffle_is_a_permutation_of_stride_1_and_really_mixes(offset):
    shuffled = element_indices("shuffled", 1, offset)
    assert sorted(shuffled.tolist()) == [offset + lane for lane in range(32)]
    assert sum(shuffled == offset + np.arange(32)) < 6
    assert element_indices("shuffled", 32, offset).tolist() == shuffled.tolist()


def test_gather_takes_distinct_elements_of_its_array_and_is_the_same_every_time():
    taken = element_indices("random", 1, 0).tolist()
    assert len(set(taken)) == 32
    assert min(taken) >= 0
    assert max(taken) < GATHERED
    assert element_indices("random", 8, 4).tolist() == taken
    assert taken != sorted(taken)


def test_unknown_pattern_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"pattern is one of .*'shuffled'.*not 'sorted'"):
        Load("sorted", 4, 1, 0).moved  # noqa: B018


@pytest.mark.parametrize(("stride", "offset"), [(-1, 0), (1, -1)])
def test_negative_stride_or_offset_is_refused(stride, offset):
    with pytest.raises(ValueError, match="at least 0"):
        element_indices("strided", stride, offset)


def test_an_element_without_bytes_is_refused():
    with pytest.raises(ValueError, match="at least 1 byte, not 0"):
        units_touched(np.arange(32), 0, 32)
