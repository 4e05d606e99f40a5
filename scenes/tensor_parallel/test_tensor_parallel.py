"""Check the cut layer: the small example by hand and uncut, and times against published numbers and closed forms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes._clusters.links import NETWORK, NVLINK, PEAK
from scenes.tensor_parallel.model import GPUS, LINKS, NAMES, TOKENS, Split, sent_by_each
from scenes.tensor_parallel.toy import EXACT, MIDDLE, A, B, Toy, X

budget = settings(max_examples=60, deadline=None, derandomize=True)


def layer(gpus=8, link="nvlink", model="405B"):
    return Split(gpus, "columns", link, model)


def test_small_example_is_that_of_the_table_of_facts():
    # scaling.md, section 15, S4
    assert EXACT.tolist() == [[-5, 16, 2, -2], [-1, 11, -22, 20]]
    first, second = Toy(2, "columns").results
    assert first.tolist() == [[-11, 9, 4, -1], [6, 4, -8, 20]]
    assert second.tolist() == [[6, 7, -2, -1], [-7, 7, -14, 0]]
    assert Toy(2, "rows").result.tolist() == [[-11, 18, 7, -4], [2, 7, -23, 17]]


def test_uncut_product_is_that_of_loops_over_its_numbers():
    middle = [[max(0, sum(X[t, i] * A[i, j] for i in range(4))) for j in range(8)] for t in range(2)]
    result = [[sum(middle[t][j] * B[j, k] for j in range(8)) for k in range(4)] for t in range(2)]
    assert EXACT.tolist() == result


@pytest.mark.parametrize("gpus", [1, 2, 4])
def test_columns_then_rows_are_exact_after_one_sum(gpus):
    toy = Toy(gpus, "columns")
    assert toy.result.tolist() == EXACT.tolist() and toy.wrong == 0
    assert sum(toy.middles).tolist() == MIDDLE.tolist()
    owned = np.array([(middle != 0).any(axis=0) for middle in toy.middles])
    assert (owned.sum(axis=0) == 1).all()  # no column of the middle is shared


@pytest.mark.parametrize("gpus", [2, 4])
def test_rows_first_are_parts_of_every_number_and_wrong_without_a_sum_between(gpus):
    toy = Toy(gpus, "rows")
    assert sum(toy.middles).tolist() == MIDDLE.tolist()
    assert toy.wrong > EXACT.size / 2
    assert (np.maximum(sum(toy.middles), 0) @ B).tolist() == EXACT.tolist()  # a second sum mends it


def test_a_single_gpu_makes_no_mistake_in_either_order_and_large_splits_show_four():
    assert Toy(1, "rows").wrong == 0
    assert Toy.of(16, "columns").gpus == 4 and Toy.of(2, "rows").gpus == 2


def test_times_of_a_405b_layer_are_those_of_the_table_of_facts():
    one, far = layer(), layer(link="network")
    assert one.buffer == 268_435_456
    assert one.sent == pytest.approx(1.879e9, rel=1e-3)
    assert 1e3 * one.compute == pytest.approx(6.60, abs=0.005)
    assert 1e3 * one.communication == pytest.approx(2.09, abs=0.005)
    assert 1e3 * far.communication == pytest.approx(18.8, abs=0.05)
    assert one.heads == 16


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("model", NAMES)
@pytest.mark.parametrize("gpus", GPUS)
def test_bytes_and_ratio_are_those_of_closed_forms(gpus, model, link):
    one = layer(gpus, link, model)
    shape, wire = one.shape, {"nvlink": NVLINK, "network": NETWORK}[link]
    assert one.sent == pytest.approx(2 * 8 * TOKENS * shape.hidden * (gpus - 1) / gpus)  # megatron-ptdp, BF16
    ratio = 4 * shape.hidden * (gpus - 1) * PEAK / (wire * shape.layer_weights)  # without a number of tokens
    assert one.ratio == pytest.approx(ratio)
    assert one.share == pytest.approx(100 * ratio / (1 + ratio))
    assert gpus * one.weights == 2 * shape.layer_weights
    assert sum(one.parts) == pytest.approx(2 * TOKENS * shape.layer_weights / gpus / PEAK)


@pytest.mark.parametrize(("wire", "ratio"), [(NVLINK, 0.418), (NETWORK, 3.76)])
def test_ratio_of_a_plain_layer_is_the_published_one(wire, ratio):
    # scaling.md, section 5: (t − 1)·C / (3·h·W) for a layer of 12·h² weights, h = 12,288, t = 8
    hidden, gpus = 12_288, 8
    sums = 2 * sent_by_each(2 * TOKENS * hidden, gpus) / wire
    products = 2 * TOKENS * 12 * hidden**2 / gpus / PEAK
    assert sums / products == pytest.approx(ratio, rel=2e-3)
    assert sums / products == pytest.approx((gpus - 1) * PEAK / (3 * hidden * wire))


@given(st.integers(2, 64), st.integers(1, 40))
@budget
def test_what_each_gpu_sends_is_what_a_ring_of_chunks_sends(gpus, chunk):
    # a reduce-scatter and an all-gather of `gpus` chunks: in each of n − 1 steps a GPU passes one chunk on
    sent = sum(chunk for half in range(2) for step in range(gpus - 1))
    assert sent_by_each(gpus * chunk, gpus) == pytest.approx(sent)


def test_more_gpus_wait_for_a_larger_share_and_a_network_makes_it_worse():
    for model in NAMES:
        shares = [layer(gpus, model=model).share for gpus in GPUS]
        assert shares == sorted(shares) and shares[0] == 0
        assert all(layer(gpus, "network", model).share > layer(gpus, model=model).share for gpus in GPUS[1:])
