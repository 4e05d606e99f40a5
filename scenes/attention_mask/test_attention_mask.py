"""Check masks, reach and caches against loops, graph searches, closed forms, and an attention that really runs."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.attention_mask.masks import (
    causal_mask,
    index_scores,
    top_k_mask,
    toy_scores,
    window_first_mask,
    window_mask,
)
from scenes.attention_mask.model import (
    PATTERNS,
    Look,
    Stack,
    causal_cells,
    cone,
    product_span,
    relay,
    window_cells,
    window_reach,
)

CAUSAL = tuple(pattern for pattern in PATTERNS if pattern != "full")
example_budget = settings(max_examples=100, deadline=None, derandomize=True)
sizes, few = st.integers(1, 20), st.integers(1, 24)
stacks = st.builds(
    Stack, st.sampled_from(PATTERNS), few, few, st.integers(1, 5), st.integers(1, 12), st.integers(1, 5),
    st.integers(0, 5),
)  # fmt: skip


def reads(stack, layer, query):
    """Oracle: the keys of one query, by asking of each key whether the rule lets it through."""
    past = range(query + 1)
    if stack.pattern == "full":
        return set(range(stack.n))
    if stack.pattern == "top-k":
        scores = toy_scores(stack.n, layer)
        return {key for _, key in sorted((float(scores[query, key]), key) for key in past)[-stack.k :]}
    if stack.pattern == "causal" or (stack.pattern == "interleaved" and layer % stack.every == 0):
        return set(past)
    near = {key for key in past if key > query - stack.window}
    return near | {key for key in past if stack.pattern == "window+first" and key < stack.first}


def heard(stack, layers):
    """Oracle: which inputs each token has word of, carried upwards as sets, layer by layer."""
    known = [{token} for token in range(stack.n)]
    for layer in range(1, layers + 1):
        known = [
            known[query].union(*(known[key] for key in reads(stack, layer, query))) for query in range(stack.n)
        ]  # fmt: skip
    return known


def set_of(flags):
    return set(np.flatnonzero(flags).tolist())


@given(stack=stacks)
@example_budget
def test_mask_lets_through_what_the_rule_says_cell_by_cell(stack):
    for layer, query in itertools.product(range(1, stack.layers + 1), range(stack.n)):
        assert set_of(stack.masks[layer - 1, query]) == reads(stack, layer, query)


@given(n=sizes, window=few)
@example_budget
def test_window_is_the_mask_of_the_gpt_oss_reference_code(n, window):
    # gpt_oss/torch/model.py, sdpa(): triu(-inf, diagonal=1) + tril(-inf, diagonal=-sliding_window), added to scores.
    hidden = np.triu(np.full((n, n), np.inf), k=1) + np.tril(np.full((n, n), np.inf), k=-window)
    assert (window_mask(n, window) == (hidden == 0)).all()


@given(n=sizes, window=few)
@example_budget
def test_cells_follow_their_closed_forms(n, window):
    assert causal_mask(n).sum() == causal_cells(n) == sum(range(1, n + 1))
    rows = [min(window, query + 1) for query in range(n)]
    assert window_mask(n, window).sum(axis=1).tolist() == rows
    assert top_k_mask(toy_scores(n, 1), window).sum(axis=1).tolist() == rows
    assert window_cells(n, window) == sum(rows)


@given(stack=stacks)
@example_budget
def test_no_row_is_empty_and_no_causal_rule_reads_ahead(stack):
    assert stack.masks.any(axis=2).all()
    if stack.pattern in CAUSAL:
        assert not (stack.masks & ~causal_mask(stack.n)).any()
    assert stack.cells.tolist() == [int(mask.sum()) for mask in stack.masks]


@given(n=sizes, more=st.integers(0, 5), first=st.integers(0, 5))
@example_budget
def test_window_or_choice_as_long_as_the_text_is_causal(n, more, first):
    assert (window_mask(n, n + more) == causal_mask(n)).all()
    assert (top_k_mask(toy_scores(n, 1), n + more) == causal_mask(n)).all()
    assert (window_first_mask(n, 1, n + more) == causal_mask(n)).all()
    assert (window_first_mask(n, 3, 0) == window_mask(n, 3)).all()


@given(pattern=st.sampled_from(CAUSAL), size=few, layers=st.integers(1, 4), query=st.integers(0, 11))
@example_budget
def test_wider_windows_larger_choices_and_more_layers_never_hide_anything(pattern, size, layers, query):
    small, large = (Stack(pattern, size + more, size + more, 2, 12) for more in (0, 1))
    assert not (small.masks & ~large.masks).any()
    assert not (small.cone(query, layers)[0] & ~large.cone(query, layers)[0]).any()
    assert Look(small, query + 1).sight(layers) >= (Look(small, query + 1).sight(layers - 1) if layers > 1 else 1)
    assert Look(small, query + 1).back(layers) <= query


@given(stack=stacks, query=st.integers(0, 11))
@example_budget
def test_sight_is_what_sets_carried_upwards_have_heard(stack, query):
    query %= stack.n
    for layers in range(1, stack.layers + 1):
        known = heard(stack, layers)[query]
        assert set_of(stack.cone(query, layers)[0]) == known
        assert (Look(stack, query + 1).sight(layers), Look(stack, query + 1).back(layers)) == (
            len(known),
            query - min(known),
        )


@given(stack=stacks, query=st.integers(0, 11))
@example_budget
def test_every_row_of_the_cone_is_found_by_a_search_down_the_layers(stack, query):
    level = {query % stack.n}
    rows = cone(stack.masks, query % stack.n)
    for layer in range(stack.layers, -1, -1):
        assert set_of(rows[layer]) == level
        level = level.union(*(reads(stack, layer, token) for token in level)) if layer else level


@given(n=sizes, window=few, layers=st.integers(1, 6), query=st.integers(0, 19))
@example_budget
def test_windows_reach_one_token_less_than_their_width_further_with_each_layer(n, window, layers, query):
    query %= n
    stack = Stack("window", window, n=n, layers=layers)
    assert Look(stack, query + 1).back(layers) == min(query, window_reach(window, layers))
    assert Look(stack, query + 1).sight(layers) == Look(stack, query + 1).back(layers) + 1
    # Mistral's text lets query i read i - W to i: a window of W + 1 keys, whose reach is the product W·L.
    assert window_reach(window + 1, layers) == product_span(window, layers)


@given(stack=stacks, query=st.integers(0, 11))
@example_budget
def test_relay_is_a_way_from_the_oldest_token_in_sight_to_the_query(stack, query):
    query %= stack.n
    path = relay(stack.masks, query)
    assert (path[0], path[-1], len(path)) == (min(heard(stack, stack.layers)[query]), query, stack.layers + 1)
    for layer, (below, above) in enumerate(itertools.pairwise(path), 1):
        assert below == above or below in reads(stack, layer, above)


def run(stack, inputs, held=None):
    """An attention that really runs, with residual paths: the states after each layer. `held` cuts the last row."""
    states = [inputs]
    for layer in range(stack.layers):
        x, rng = states[-1], np.random.default_rng(layer)
        q, k, v = (x @ rng.normal(size=(4, 4)) for _ in range(3))
        mask = stack.masks[layer].copy()
        if held is not None:
            mask[-1] &= held[layer]
        weights = np.where(mask, np.exp(np.tanh(q @ k.T)), 0)
        states.append(x + weights / weights.sum(axis=1, keepdims=True) @ v)
    return states[-1]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_token_changes_the_output_of_a_query_exactly_if_it_is_in_sight(pattern):
    stack = Stack(pattern, 3, 3, 3, n=12, layers=3)
    inputs = np.random.default_rng(5).normal(size=(stack.n, 4))
    before = run(stack, inputs)
    for token in range(stack.n):
        moved = inputs.copy()
        moved[token] += 1
        changed = (run(stack, moved) != before).any(axis=1)
        assert changed.tolist() == [bool(stack.cone(query, 3)[0][token]) for query in range(stack.n)]


@pytest.mark.parametrize("pattern", CAUSAL)
def test_newest_token_needs_nothing_but_what_is_held(pattern):
    stack = Stack(pattern, 3, 3, 2, n=12)
    inputs = np.random.default_rng(6).normal(size=(stack.n, 4))
    whole = run(stack, inputs)
    assert (run(stack, inputs, stack.held) == whole).all()
    needed = stack.masks[:, -1]
    for layer, key in np.argwhere(needed):
        less = stack.held.copy()
        less[layer, key] = False
        assert (run(stack, inputs, less)[-1] != whole[-1]).any()


@given(pattern=st.sampled_from(CAUSAL), size=few, n=st.integers(1, 12))
@example_budget
def test_what_is_let_go_is_never_asked_for_again(pattern, size, n):
    now, later = (Stack(pattern, size, size, 2, n=count) for count in (n, n + 3))
    assert not (later.masks[:, n:, :n] & ~now.held[:, None]).any()


def test_full_sight_includes_later_tokens_and_everything_is_held():
    stack = Stack("full")
    assert Look(stack, 4).sight(1) == 16
    assert stack.held.all()


@given(n=sizes, heads=st.integers(1, 3), seed=st.integers(0, 2**16))
@example_budget
def test_index_scores_are_equation_1_of_deepseek_term_by_term(n, heads, seed):
    rng = np.random.default_rng(seed)
    queries, keys, weights = rng.normal(size=(n, heads, 2)), rng.normal(size=(n, 2)), rng.normal(size=(n, heads))
    scores = index_scores(queries, keys, weights)
    for t, s in itertools.product(range(n), repeat=2):
        terms = [w * max(0.0, float(q[0] * keys[s, 0] + q[1] * keys[s, 1]))
                 for w, q in zip(weights[t], queries[t], strict=True)]  # fmt: skip
        assert scores[t, s] == pytest.approx(sum(terms), rel=1e-12, abs=1e-12)


@given(scores=st.lists(st.lists(st.integers(-2, 2), min_size=6, max_size=6), min_size=6, max_size=6), k=few)
@example_budget
def test_choice_among_equal_scores_falls_on_the_later_key(scores, k):
    chosen = top_k_mask(np.array(scores, dtype=float), k)
    for query, row in enumerate(scores):
        best = sorted(((score, key) for key, score in enumerate(row[: query + 1])), reverse=True)[:k]
        assert set_of(chosen[query]) == {key for _, key in best}


def test_layers_choose_differently():
    masks = Stack("top-k").masks
    assert all((one != other).any() for one, other in itertools.pairwise(masks))


@pytest.mark.parametrize(("every", "kinds"), [(4, "local local local global"), (2, "local global local global")])
def test_interleaved_layers_begin_local_and_end_global(every, kinds):
    # Both Gemma 3 and gpt-oss begin with a local layer: facts/attention.md, section 7.
    assert [Stack("interleaved", every=every).kind(layer) for layer in (1, 2, 3, 4)] == kinds.split()


def test_unknown_pattern_and_empty_rules_are_refused():
    with pytest.raises(ValueError, match=r"pattern is one of .*'top-k'.*not 'dilated'"):
        Stack("dilated")
    with pytest.raises(ValueError, match="at least 1 key, not 0"):
        window_mask(4, 0)
    with pytest.raises(ValueError, match="at least 1 key is chosen, not 0"):
        top_k_mask(np.zeros((4, 4)), 0)
