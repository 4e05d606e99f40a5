"""Check loads and bytes against golden numbers, a router written out token by token, and the hypergeometric law."""

import itertools
import math

import numpy as np
import pytest

from scenes.expert_parallel.model import BACK, FP8_PEAK, OUT, Case, distinct, free_picks, placed, routed, trip
from scenes.expert_parallel.placing import EACH, LOCAL, PLACED, pack, place
from scenes.expert_parallel.router import EXPERTS, GPUS, NODES, PICKED, TOKENS, affinities, pick

CHOICES = [*itertools.product((8, 4, 2), (0.0, 0.5, 1.0), PLACED)]


# facts/scaling.md, section 7: 4,096 tokens, 256 experts, 8 each, default_rng(0), 4 experts on each of 64 GPUs.
def test_golden_loads_of_an_even_router_are_reproduced():
    case = Case(0.0, 8, "order")
    assert case.batch.counts.max() == 155
    assert case.batch.counts.max() / 128 == pytest.approx(1.2109, abs=5e-5)
    assert case.loads.max() == 561
    assert case.slowest == pytest.approx(1.0957, abs=5e-5)


def test_golden_loads_of_a_skewed_router_are_reproduced():
    case = Case(0.5, 8, "order")
    assert case.batch.counts.max() / 128 == pytest.approx(7.3516, abs=5e-5)
    assert case.slowest == pytest.approx(5.4316, abs=5e-5)
    assert Case(0.5, 8, "balanced").slowest == pytest.approx(2.1563, abs=6e-5)


def test_golden_bytes_and_times_of_four_nodes_are_reproduced():
    # The same section: FP8 with scales out, BF16 back; 121.1 and 234.9 MB for 4,096 tokens of a GPU.
    assert (OUT, BACK) == (7392, 14_336)
    assert PICKED * OUT == 59_136
    assert pytest.approx(121.1e6, rel=1e-3) == TOKENS * 4 * OUT
    assert pytest.approx(2.42e-3, abs=5e-6) == TOKENS * 4 * OUT / 50e9
    assert pytest.approx(4.70e-3, abs=5e-6) == TOKENS * 4 * BACK / 50e9
    case = Case(0.0, 4, "order")
    assert case.dispatch_time / case.nodes == pytest.approx(2.42e-3 / 4, rel=1e-3)
    assert case.combine_time / case.nodes == pytest.approx(4.70e-3 / 4, rel=1e-3)


def touched(bins):
    """Oracle: how many of some equal bins 8 of 256 experts fall into, on average."""
    return bins * (1 - math.comb(EXPERTS - EXPERTS // bins, PICKED) / math.comb(EXPERTS, PICKED))


def test_visits_of_an_even_router_follow_the_hypergeometric_law():
    assert touched(8) == pytest.approx(5.2947, abs=5e-5)
    assert touched(64) == pytest.approx(7.6758, abs=5e-5)
    batch = routed(8, 0.0, "order")
    assert batch.nodes == pytest.approx(touched(8), abs=0.04)  # 3 standard errors of 4,096 tokens
    assert batch.gpus == pytest.approx(touched(64), abs=0.03)


@pytest.mark.parametrize(("limit", "skew", "placement"), CHOICES)
def test_every_token_makes_eight_visits_to_different_experts(limit, skew, placement):
    batch, where = routed(limit, skew, placement), placed(placement, skew)
    assert batch.counts.sum() == batch.loads.sum() == TOKENS * PICKED
    picked = pick(affinities(skew), where.node, limit)
    assert (distinct(picked) == PICKED).all()
    nodes = distinct(where.visited(picked) // LOCAL)
    assert nodes.max() <= limit
    assert batch.nodes == pytest.approx(nodes.mean())


def chosen(liked, node, limit):
    """Oracle: one token's experts, by sorting, as the report tells it."""
    ranking = []
    for one in set(node):
        best = sorted((liked[e] for e in range(len(liked)) if node[e] == one), reverse=True)
        ranking.append((sum(best[: PICKED // limit]), one))
    allowed = {one for _, one in sorted(ranking, reverse=True)[:limit]}
    return set(sorted((e for e in range(len(liked)) if node[e] in allowed), key=lambda e: -liked[e])[:PICKED])


@pytest.mark.parametrize(("limit", "skew"), [(1, 0.5), (2, 0.5), (4, 0.0), (4, 0.5), (8, 0.5)])
@pytest.mark.parametrize("placement", PLACED)
def test_router_picks_what_the_report_says_token_by_token(limit, skew, placement):
    affinity, node = affinities(skew)[:60], placed(placement, skew).node
    for row, found in zip(affinity.tolist(), pick(affinity, node, limit).tolist(), strict=True):
        assert set(found) == chosen(row, node.tolist(), limit)


def test_a_tighter_limit_costs_favourites_and_saves_bytes():
    for skew, placement in itertools.product((0.0, 0.5), PLACED):
        free, four, two = (Case(skew, limit, placement) for limit in (8, 4, 2))
        assert free.batch.wanted == PICKED > four.batch.wanted > two.batch.wanted
        assert free.dispatch > four.dispatch > two.dispatch


@pytest.mark.parametrize("skew", [0.0, 0.5, 1.0])
def test_all_gpus_hold_as_many_experts_and_all_experts_are_somewhere(skew):
    for name, each in (("order", EACH), ("balanced", EACH), ("copies", EACH + 1)):
        where = placed(name, skew)
        assert np.bincount(where.gpu, minlength=GPUS).tolist() == [each] * GPUS
        assert set(where.expert.tolist()) == set(range(EXPERTS))
        assert np.bincount(where.node).tolist() == [EXPERTS // NODES] * NODES
        for expert in range(EXPERTS):
            assert len(set((where.gpu[where.expert == expert] // LOCAL).tolist())) == 1


def test_copies_take_turns():
    where = placed("copies", 0.5)
    hot = int(where.copies.argmax())
    picked = np.array([[hot]] * 100)
    loads = np.bincount(where.visited(picked).ravel(), minlength=GPUS)
    assert set(np.flatnonzero(loads)) == set(where.gpu[where.expert == hot])
    assert where.copies[hot] > 1
    held = np.bincount(where.gpu[where.expert == hot], minlength=GPUS)  # packing may put two of them together
    each = loads[held > 0] / held[held > 0]
    assert each.max() - each.min() <= 1


def test_packing_puts_the_largest_load_first_and_keeps_room():
    # By hand: 9 | 8 | 7, then 6 goes to the 7, 5 to the 8, and 1 to the bin that has room left.
    assert pack(np.array([9.0, 5.0, 7.0, 6.0, 8.0, 1.0]), 3).tolist() == [0, 1, 2, 2, 1, 0]
    assert pack(np.array([9.0, 1.0, 1.0, 1.0]), 2).tolist() == [0, 1, 1, 0]


def test_placing_cannot_beat_the_largest_expert_but_copies_can():
    largest = np.bincount(free_picks(0.5).ravel()).max() / 512
    assert largest == pytest.approx(7.35 / 4, abs=0.01)
    assert Case(0.5, 8, "balanced").slowest > largest > Case(0.5, 8, "copies").slowest
    assert Case(0.5, 8, "copies").slowest < 1.1


def test_time_is_that_of_the_fullest_gpu():
    case = Case(0.5, 4, "order")
    flops = int(case.loads.max()) / TOKENS * GPUS * TOKENS * 3 * 2 * 7168 * 2048
    alone = case.dispatch_time + case.combine_time + flops / FP8_PEAK
    assert case.time == pytest.approx(alone, rel=1e-12)
    assert FP8_PEAK == 1978.8e12


@pytest.mark.parametrize("limit", [8, 4, 2])
def test_followed_token_is_one_of_the_batch_and_comes_from_elsewhere(limit):
    found = trip(limit)
    picks = pick(affinities(0.0), np.arange(EXPERTS) // (EXPERTS // NODES), limit)
    assert set(found.experts) in [set(row) for row in picks.tolist()]
    assert len(found.nodes) == {8: 5, 4: 4, 2: 2}[limit]
    assert found.home // LOCAL not in found.nodes


@pytest.mark.parametrize("limit", [0, 3, 5])
def test_limit_that_does_not_divide_the_experts_is_refused(limit):
    with pytest.raises(ValueError, match="does not divide"):
        pick(affinities(0.0), placed("order", 0.0).node, limit)


def test_experts_in_order_lie_four_to_a_gpu():
    where = place("order", np.ones(EXPERTS, dtype=np.int64))
    assert where.gpu.tolist() == [expert // 4 for expert in range(256)]
