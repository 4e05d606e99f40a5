"""Check the routing model against the golden table, published formulas, a plain loop and its invariants."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.moe_routing.model import (
    ROUTINGS,
    balance_loss,
    capacity_slots,
    dispatch,
    expected_padding,
    route,
    router_probabilities,
    table_rows,
    values,
)

# Small layers in many shapes.
LAYERS = tuple(itertools.product((32, 128), (4, 8, 16), (1, 2, 4)))
GRID = tuple(itertools.product(LAYERS, ROUTINGS, ("off", "1.0", "1.25", "2.0"), (8, 16)))
example_budget = settings(max_examples=120, deadline=None, derandomize=True)


def run_scene(tokens, experts, top_k, routing, factor, tile):
    capacity = capacity_slots(tokens, experts, top_k, factor)
    return dispatch(route(tokens, experts, top_k, routing), experts, capacity, tile)


@st.composite
def dispatch_arguments(draw):
    """Distinct random choices, beyond the grid, with any capacity and tile."""
    experts = draw(st.integers(1, 20))
    top_k = draw(st.integers(1, experts))
    token = st.permutations(range(experts)).map(lambda order: order[:top_k])
    choices = np.array(draw(st.lists(token, min_size=1, max_size=30)))
    return choices, experts, draw(st.none() | st.integers(0, 40)), draw(st.integers(1, 20))


def assert_invariants(run, choices, experts, capacity):
    assert run.kept_tokens.sum() + run.dropped.sum() == choices.size
    assert (run.kept_tokens + run.dropped == np.bincount(choices.ravel(), minlength=experts)).all()
    assert (run.kept_tokens == np.bincount(run.expert[run.kept], minlength=experts)).all()
    assert ((run.padded_slots >= 0) & (run.padded_slots < run.tile)).all()
    assert (run.tiles * run.tile == run.kept_tokens + run.padded_slots).all()
    assert run.slots_run == run.kept_tokens.sum() + run.padded_slots.sum()
    assert (choices[run.token, run.rank] == run.expert).all()
    assert ((run.slot == -1) == ~run.kept).all()
    for e in range(experts):  # contiguous from 0, in arrival order: so no two share a slot
        assert run.slot[run.kept & (run.expert == e)].tolist() == list(range(run.kept_tokens[e]))
    assert capacity is None or run.kept_tokens.max() <= capacity
    assert 0 <= run.useful <= 100
    assert 1 <= run.straggler <= experts


def dispatch_by_loop(choices, experts, capacity, tile):
    """Oracle: serve one assignment after another."""
    queues, dropped, slots = [[] for _ in range(experts)], [0] * experts, []
    for token, row in enumerate(choices.tolist()):
        for rank, e in enumerate(row):
            if capacity is not None and len(queues[e]) >= capacity:
                dropped[e] += 1
                slots.append((token, rank, e, -1))
            else:
                slots.append((token, rank, e, len(queues[e])))
                queues[e].append(token)
    loads = [len(queue) for queue in queues]
    tiles = [math.ceil(load / tile) for load in loads]
    padded = [-load % tile for load in loads]
    names = [f"E{e}" for e in range(experts)]
    return slots, [list(row) for row in zip(names, loads, tiles, padded, dropped, strict=True)]


def test_balanced_top_1_matches_the_golden_table():
    # golden/moe-routing.json: balanced, top-1, 4 experts, capacity off, 32 tokens, tiles of 8.
    run = run_scene(32, 4, 1, "balanced", "off", 8)
    assert table_rows(run) == [["E0", 8, 1, 0, 0], ["E1", 8, 1, 0, 0], ["E2", 8, 1, 0, 0], ["E3", 8, 1, 0, 0]]
    golden = {"useful": 100, "slots_run": 32, "busiest_expert": 8}
    assert values(run) == golden | {"padded": 0, "dropped": 0, "tiles": 4, "straggler": 1}


# Switch Transformers (arXiv:2101.03961) section 2.2 eq. 3: tokens / experts · factor; rounded up.
@pytest.mark.parametrize(
    ("layer", "factor", "slots"),
    [
        ((32, 4, 1), 1.0, 8),
        ((32, 4, 1), "1.25", 10),
        ((32, 4, 1), 2.0, 16),
        ((32, 16, 4), 1.25, 10),
        ((10, 3, 1), 1.0, 4),
        ((10, 1, 1), 1.1, 11),  # 11.000000000000002 in binary floats
        ((32, 4, 1), "off", None),
    ],
)
def test_capacity_is_the_even_share_times_the_factor_rounded_up(layer, factor, slots):
    assert capacity_slots(*layer, factor) == slots


def test_a_small_batch_is_dropped_and_padded_as_by_hand():
    # E0 is asked by tokens 0, 1, 2 and E1 by 2, 0, 1; with one slot each, the first asker wins.
    run = dispatch(np.array([[0, 1], [0, 1], [1, 0]]), experts=3, capacity=1, tile=4)
    assert run.kept.tolist() == [True, True, False, False, False, False]
    assert run.slot.tolist() == [0, 0, -1, -1, -1, -1]
    assert table_rows(run) == [["E0", 1, 1, 3, 2], ["E1", 1, 1, 3, 2], ["E2", 0, 0, 0, 0]]
    totals = {"padded": 6, "dropped": 4, "tiles": 2, "straggler": 1.5}
    assert values(run) == totals | {"useful": 25.0, "slots_run": 8, "busiest_expert": 1}


def test_results_are_plain_python_numbers():
    run = run_scene(32, 4, 2, "skewed", "1.25", 8)
    assert {type(cell) for row in table_rows(run) for cell in row} == {str, int}
    assert {type(value) for value in values(run).values()} == {int, float}


def test_every_state_of_the_grid_keeps_the_invariants():
    for layer, routing, factor, tile in GRID:
        choices, capacity = route(*layer, routing), capacity_slots(*layer, factor)
        assert_invariants(dispatch(choices, layer[1], capacity, tile), choices, layer[1], capacity)


def test_every_state_of_the_grid_agrees_with_a_plain_loop():
    for layer, routing, factor, tile in GRID:
        arguments = route(*layer, routing), layer[1], capacity_slots(*layer, factor), tile
        assert table_rows(dispatch(*arguments)) == dispatch_by_loop(*arguments)[1]


@example_budget
@given(dispatch_arguments())
def test_any_dispatch_keeps_the_invariants(arguments):
    choices, experts, capacity, tile = arguments
    assert_invariants(dispatch(choices, experts, capacity, tile), choices, experts, capacity)


@example_budget
@given(dispatch_arguments())
def test_any_dispatch_agrees_with_a_plain_loop(arguments):
    run = dispatch(*arguments)
    slots, rows = dispatch_by_loop(*arguments)
    assert list(zip(run.token, run.rank, run.expert, run.slot, strict=True)) == slots
    assert table_rows(run) == rows


@example_budget
@given(dispatch_arguments(), st.integers(2, 6))
def test_a_smaller_tile_never_pads_more_than_its_multiple(arguments, multiple):
    choices, experts, capacity, tile = arguments
    small = dispatch(choices, experts, capacity, tile)
    large = dispatch(choices, experts, capacity, tile * multiple)
    assert (small.padded_slots <= large.padded_slots).all()


def test_when_nothing_is_kept_nothing_runs_and_nobody_waits():
    run = dispatch(np.array([[0], [1]]), experts=2, capacity=0, tile=8)
    assert (run.slots_run, run.useful, run.straggler, run.dropped.tolist()) == (0, 100.0, 1.0, [1, 1])


@example_budget
@given(st.sampled_from(list(ROUTINGS)), st.integers(1, 12), st.integers(1, 20), st.data())
def test_each_token_chooses_distinct_experts_in_falling_probability(routing, experts, blocks, data):
    tokens, top_k = blocks * experts, data.draw(st.integers(1, experts))
    choices = route(tokens, experts, top_k, routing)
    probabilities = router_probabilities(tokens, experts, routing)
    assert choices.shape == (tokens, top_k)
    assert all(len(set(row)) == top_k for row in choices.tolist())
    assert probabilities.sum(axis=1) == pytest.approx(np.ones(tokens))
    chosen = np.take_along_axis(probabilities, choices, axis=1)
    assert (chosen == -np.sort(-probabilities, axis=1)[:, :top_k]).all()
    assert (choices == route(tokens, experts, top_k, routing)).all()


@example_budget
@given(st.sampled_from(list(ROUTINGS)), st.integers(1, 12), st.integers(1, 10), st.integers(1, 10))
def test_a_larger_batch_begins_with_the_smaller_one(routing, experts, blocks, more):
    small = route(blocks * experts, experts, experts, routing)
    large = route((blocks + more) * experts, experts, experts, routing)
    assert (large[: len(small)] == small).all()


@example_budget
@given(st.integers(1, 16), st.integers(1, 12), st.integers(1, 8), st.data())
def test_balanced_loads_are_equal_and_pad_nothing_when_the_tile_divides_them(experts, blocks, tile, data):
    tokens, top_k = blocks * experts * tile, data.draw(st.integers(1, experts))
    run = run_scene(tokens, experts, top_k, "balanced", "1.0", tile)
    assert run.kept_tokens.tolist() == [tokens * top_k // experts] * experts
    assert (run.padded_slots.sum(), run.dropped.sum(), run.useful, run.straggler) == (0, 0, 100, 1)


@pytest.mark.parametrize("layer", [layer for layer in LAYERS if layer[2] < layer[1]])
def test_straggler_and_balance_loss_rise_from_balanced_to_skewed_to_collapsed(layer):
    tokens, experts, _ = layer
    stragglers = [run_scene(*layer, routing, "off", 8).straggler for routing in ROUTINGS]
    losses = [balance_loss(route(*layer, r), router_probabilities(tokens, experts, r)) for r in ROUTINGS]
    assert stragglers[0] == 1 < stragglers[1] < stragglers[2]
    assert losses[0] == pytest.approx(1) and 1.01 < losses[1] < losses[2] <= experts


@example_budget
@given(st.integers(2, 16), st.integers(2, 12), st.data())
def test_straggler_never_falls_with_popularity_when_few_experts_are_chosen(experts, blocks, data):
    tokens, top_k = blocks * experts * 4, data.draw(st.integers(1, experts - 1))
    stragglers = [run_scene(tokens, experts, top_k, routing, "off", 8).straggler for routing in ROUTINGS]
    assert stragglers == sorted(stragglers)


def test_choosing_every_expert_leaves_nothing_to_balance():
    for routing in ROUTINGS:
        probabilities = router_probabilities(32, 4, routing)
        assert balance_loss(route(32, 4, 4, routing), probabilities) == pytest.approx(1)


def test_balance_loss_is_the_formula_of_the_paper():
    # arXiv:2101.03961 eq. 4-6 by hand: f = (3/4, 1/4), P = (0.6, 0.4), 2 · (0.45 + 0.1) = 1.1.
    probabilities = np.array([[0.7, 0.3], [0.6, 0.4], [0.8, 0.2], [0.3, 0.7]])
    assert balance_loss(np.array([[0], [0], [0], [1]]), probabilities) == pytest.approx(1.1)
    # All on one of three experts: the loss is the number of experts.
    assert balance_loss(np.zeros((5, 1), int), np.tile([1.0, 0.0, 0.0], (5, 1))) == pytest.approx(3)


def test_skewed_loads_fall_about_as_zipf_and_arrive_mixed():
    # Zipf over four experts: 1, 1/2, 1/3, 1/4 of 25/12, so 15.4, 7.7, 5.1 and 3.8 of 32 tokens.
    choices = route(32, 4, 1, "skewed").ravel()
    loads = np.bincount(choices)
    assert loads == pytest.approx([15.36, 7.68, 5.12, 3.84], abs=1.5)
    assert loads.tolist() == sorted(loads, reverse=True)
    assert np.count_nonzero(np.diff(choices)) >= 16  # sorted arrivals would change expert three times
    many = np.bincount(route(40_000, 4, 1, "skewed").ravel())
    assert many / 40_000 == pytest.approx([0.48, 0.24, 0.16, 0.12], abs=0.01)


@pytest.mark.parametrize("layer", LAYERS)
def test_collapsed_routing_concentrates_every_rank(layer):
    tokens, _, top_k = layer
    choices = route(*layer, "collapsed")
    assert np.count_nonzero(choices[:, 0]) <= 0.1 * tokens
    # Without a preference, the first top_k experts would get top_k / experts of the choices.
    assert np.count_nonzero(choices < top_k) >= 0.85 * choices.size


# Fact sheet "MoE", with T = 128: E_active · T / 2; the exact mean lies within 5 % of that estimate.
@pytest.mark.parametrize(
    ("tokens", "experts", "estimate", "real"), [(4096, 256, 16_384, 32_768), (32_768, 128, 8_192, 262_144)]
)
def test_large_layers_pad_about_half_a_tile_per_expert(tokens, experts, estimate, real):
    assert tokens * 8 == real
    assert expected_padding(tokens, experts, 8, 128) == pytest.approx(estimate, rel=0.05)


def test_small_batches_pad_far_more_than_half_a_tile_per_active_expert():
    # No expert of eight tokens fills 128 rows: exactly E_active · T minus the real rows.
    active = 256 * (1 - (1 - 8 / 256) ** 8)
    assert expected_padding(8, 256, 8, 128) == pytest.approx(active * 128 - 64)


@pytest.mark.parametrize(
    ("arguments", "padding"),
    [
        ((2, 2, 1, 2), 1.0),  # loads 2+0, 1+1, 1+1, 0+2: padding 0, 2, 2, 0
        ((100, 8, 2, 1), 0.0),  # tiles of one row
        ((10, 3, 3, 8), 18.0),  # every expert gets all ten
        ((10, 1, 1, 16), 6.0),
    ],
)
def test_expected_padding_matches_cases_counted_by_hand(arguments, padding):
    assert expected_padding(*arguments) == pytest.approx(padding, abs=1e-9)


def test_expected_padding_matches_a_simulation():
    rng = np.random.default_rng(0)
    order = np.argsort(rng.random((2000, 20, 6)), axis=2)[:, :, :2]  # 20 tokens, 2 of 6 experts, 2000 times
    padded = [dispatch(choices, 6, None, 4).padded_slots.sum() for choices in order]
    error = np.std(padded) / np.sqrt(len(padded))
    assert expected_padding(20, 6, 2, 4) == pytest.approx(np.mean(padded), abs=4 * error)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: route(32, 4, 5, "skewed"), "top_k"),
        (lambda: route(32, 4, 0, "skewed"), "top_k"),
        (lambda: route(0, 4, 1, "skewed"), "counts"),
        (lambda: route(32, 4, 1, "sticky"), "unknown routing 'sticky', expected one of balanced"),
        (lambda: route(30, 4, 1, "balanced"), "multiple of experts"),
        (lambda: capacity_slots(32, 4, 5, 1.0), "top_k"),
        (lambda: capacity_slots(32, 4, 1, 0), "positive"),
        (lambda: dispatch(np.array([[4]]), 4, None, 8), "choices"),
        (lambda: dispatch(np.array([[-1]]), 4, None, 8), "choices"),
        (lambda: dispatch(np.array([1]), 4, None, 8), "choices"),
        (lambda: dispatch(np.array([[1]]), 4, None, 0), "tile"),
        (lambda: dispatch(np.array([[1]]), 4, -1, 8), "capacity"),
        (lambda: expected_padding(32, 4, 5, 8), "top_k"),
        (lambda: expected_padding(32, 4, 1, 0), "counts"),
    ],
)
def test_arguments_out_of_range_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
