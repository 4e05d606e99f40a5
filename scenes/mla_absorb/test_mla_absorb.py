"""Check both ways against plain loops, and the counts against published figures and brute force."""

import math
import random

import numpy as np
import pytest

from scenes.mla_absorb.model import ABSORBED, BUILT, Head, Step, break_even, matrix_flops, pair
from scenes.mla_absorb.toy import TOY, WORDS


def looped(query, key, value, latents):
    """One head by the definition alone, with lists: keys and values built one by one."""

    def applied(matrix, latent):
        return [math.fsum(entry * one for entry, one in zip(row, latent, strict=True)) for row in matrix]

    keys, values = ([applied(matrix, latent) for latent in latents] for matrix in (key, value))
    scores = [math.fsum(a * b for a, b in zip(query, one, strict=True)) for one in keys]
    raised = [math.exp(score / math.sqrt(len(query))) for score in scores]
    weights = [one / math.fsum(raised) for one in raised]
    output = [
        math.fsum(weight * one[at] for weight, one in zip(weights, values, strict=True)) for at in range(len(values[0]))
    ]
    return scores, weights, output


def drawn(heads, size, made, latent, tokens, seed=0):
    chance = np.random.default_rng(seed)
    shapes = ((heads, size), (heads, size, latent), (heads, made, latent), (tokens, latent))
    return Head(*(chance.standard_normal(shape) for shape in shapes))


CASES = [TOY, drawn(2, 2, 2, 3, 3), drawn(1, 1, 1, 1, 1), drawn(3, 4, 5, 2, 7), drawn(2, 6, 3, 8, 1)]


@pytest.mark.parametrize("head", CASES)
@pytest.mark.parametrize("way", [BUILT, ABSORBED])
def test_either_way_gives_what_plain_loops_give_to_machine_precision(head, way):
    for at in range(len(head.query)):
        scores, weights, output = looped(head.query[at], head.key[at], head.value[at], head.latents)
        assert head.scores(way)[at] == pytest.approx(scores, rel=1e-14, abs=1e-14)
        assert head.weights(way)[at] == pytest.approx(weights, rel=1e-13)
        assert head.output(way)[at] == pytest.approx(output, rel=1e-13, abs=1e-14)


def test_integers_of_two_heads_come_out_exactly():
    # Worked by hand in the fact sheet, section 15.6.
    head = Head(
        np.array([[1.0, 2], [1, -1]]),
        np.array([[[1.0, 0, 1], [0, 1, 1]], [[2, 1, 0], [1, 0, 1]]]),
        np.array([[[1.0, 1, 0], [0, 1, 1]], [[1, 0, 2], [0, 1, 0]]]),
        np.array([[1.0, 0, 1], [0, 2, 1], [1, 1, 0]]),
    )
    assert head.absorbed.tolist() == [[1, 2, 3], [1, 1, -1]]
    for way in (BUILT, ABSORBED):
        assert head.scores(way).tolist() == [[4, 7, 3], [0, 1, 2]]


def test_words_of_the_page_get_scores_that_can_be_checked_in_the_head():
    assert TOY.absorbed.tolist() == [[1, 2, 3]]
    assert dict(zip(WORDS, TOY.scores(ABSORBED)[0], strict=True)) == {"a": 1, "rusty": 4, "old": 4, "lantern": 2}
    assert TOY.keys[0, 1].tolist() == [2, 1]


def test_a_pair_takes_what_published_shapes_say():
    # serving facts, section 8: 278,528 FLOPs a cached token absorbed and 81,920 built; 2 x 512 x 32,768 for matrices.
    assert (pair(ABSORBED), pair(BUILT), pair("MHA")) == (278_528, 81_920, 65_536)
    assert matrix_flops() == 2 * 512 * 32_768


def counted(way, queries, context, heads=3, latent=5, position=2, size=4):
    """Multiplications and additions, one by one, at a small shape."""
    flops = 0
    for _ in range(heads):
        for _ in range(context if way == BUILT else queries):
            for _ in range(size):
                flops += 2 * latent + 2 * latent  # a row of the keys' matrix, and one of the values'
        for _ in range(queries):
            for _ in range(context):
                flops += 2 * (size + position + size) if way == BUILT else 2 * (latent + position + latent)
    return flops


@pytest.mark.parametrize(("queries", "context"), [(1, 1), (1, 9), (4, 9), (9, 9)])
@pytest.mark.parametrize("way", [BUILT, ABSORBED])
def test_arithmetic_is_what_counting_product_by_product_gives(monkeypatch, way, queries, context):
    for name, small in {"HEADS": 3, "LATENT": 5, "POSITION": 2, "HEAD": 4}.items():
        monkeypatch.setattr(f"scenes.mla_absorb.model.{name}", small)
    assert Step(queries, context).flops(way) == counted(way, queries, context)


def test_one_query_costs_119_times_more_if_all_keys_are_built():
    # serving facts, section 8, at 8,192 tokens: 2.28 + 0.034 GFLOP against 274.9 + 0.67.
    step = Step(1, 8192)
    assert step.flops(ABSORBED) / 1e9 == pytest.approx(2.28 + 0.034, abs=0.005)
    assert step.flops(BUILT) / 1e9 == pytest.approx(274.9 + 0.67, abs=0.05)
    assert (step.worse, round(step.ratio)) == (BUILT, 119)


def test_ways_change_places_where_break_even_says():
    # 171 new tokens for a context without end: 2 x 512 x 32,768 / 196,608 = 170.67.
    assert float(break_even(10**9)) == pytest.approx(170.67, abs=0.01)
    for context in (1, 16, 171, 8192, 131_072):
        even = float(break_even(context))
        for queries in range(1, 2 * math.ceil(even) + 2):
            assert (Step(queries, context).worse == BUILT) == (queries < even)


def test_break_even_may_be_asked_for_many_contexts_at_once():
    assert break_even([128, 8192]) == pytest.approx([float(break_even(128)), float(break_even(8192))])


@pytest.mark.parametrize(("queries", "intensity"), [(1, 241.8), (2, 483.6), (3, 725.3)])
def test_flops_for_each_byte_are_those_of_the_fact_sheet(queries, intensity):
    assert queries * pair(ABSORBED) * 8192 / Step(queries, 8192).read("MLA") == pytest.approx(intensity, abs=0.05)


def test_cache_holds_576_numbers_a_token_and_57_times_as_many_under_mha():
    # DeepSeek-V2, Table 1: 2 n_h d_h, 2 n_g d_h and d_c + d_R numbers; 1,152 B a token and layer in BF16.
    step = Step(1, 1)
    assert (step.read("MHA"), step.read("GQA"), step.read("MLA")) == (2 * 128 * 128 * 2, 2 * 8 * 128 * 2, 1152)
    assert step.read("MHA") / step.read("MLA") == pytest.approx(56.9, abs=0.05)


def test_order_of_tokens_changes_nothing_but_the_order_of_scores():
    head, order = CASES[3], list(range(7))
    random.Random(1).shuffle(order)
    mixed = Head(head.query, head.key, head.value, head.latents[order])
    assert mixed.scores(ABSORBED) == pytest.approx(head.scores(ABSORBED)[:, order], rel=1e-13)
    assert mixed.output(ABSORBED) == pytest.approx(head.output(ABSORBED), rel=1e-12)
