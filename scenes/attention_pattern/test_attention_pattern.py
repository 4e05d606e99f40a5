"""Check attention against the golden row, plain Python, scipy and torch, and its invariants."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.attention_pattern.model import (
    ask,
    attend,
    attention,
    causal_mask,
    effective_tokens,
    head_attention,
    softmax,
)
from scenes.attention_pattern.scene import SCENE
from scenes.attention_pattern.weights import HEADS, TOKENS, Head, X

GRID = [(query, head) for query in TOKENS for head in HEADS]
# Scores up to some hundreds carry an absolute error of about 1e-13, and exp passes it on to the weights.
CLOSE = {"rel": 1e-10, "abs": 1e-11}
example_budget = settings(max_examples=100, deadline=None, derandomize=True)
ENTRY = st.floats(-8, 8)


@st.composite
def vectors(draw, most=9):
    """Q, K and V of a few tokens."""
    n, d_k, d_v = draw(st.integers(1, most)), draw(st.integers(1, 8)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    spread = draw(st.floats(0.01, 6))
    return tuple(rng.normal(0, spread, (n, width)) for width in (d_k, d_k, d_v))


def plain_attention(Q, K, V, causal):
    """Oracle: nested loops over plain numbers, every sum without rounding error; the mask is a shorter loop."""
    Q, K, V = Q.tolist(), K.tolist(), V.tolist()
    all_weights, output = [], []
    for i, q in enumerate(Q):
        seen = range(i + 1) if causal else range(len(K))
        scores = [math.fsum(a * b for a, b in zip(q, K[j], strict=True)) / math.sqrt(len(q)) for j in seen]
        powers = [math.exp(score - max(scores)) for score in scores]
        weights = [power / math.fsum(powers) for power in powers] + [0.0] * (len(K) - len(scores))
        all_weights.append(weights)
        output.append([math.fsum(w * v[c] for w, v in zip(weights, V, strict=True)) for c in range(len(V[0]))])
    return all_weights, output


# golden/attention-pattern.json: the fourth token's scaled scores and, to one decimal, its weights.
def test_golden_scaled_scores_are_reproduced_to_the_digits_printed():
    scaled = head_attention("describes").scaled[3, :4]
    assert [f"{score:.3f}" for score in scaled] == ["0.226", "2.140", "2.050", "0.570"]
    assert [f"{score:.2f}" for score in scaled] == ["0.23", "2.14", "2.05", "0.57"]


def test_golden_weights_are_reproduced_to_the_digits_printed():
    table = SCENE.run(query="lantern", head="describes").table
    names = [column.name for column in table.columns]
    assert names[:4] == ["token", "raw", "scaled", "weight"]
    assert [row[0] for row in table.rows] == ["a", "rusty", "old", "lantern"]
    assert [f"{row[3]:.{table.columns[3].digits}f}" for row in table.rows] == ["6.5", "44.1", "40.3", "9.2"]


def test_softmax_of_the_golden_scores_gives_the_golden_weights():
    weights = softmax(np.array([[0.226, 2.14, 2.05, 0.57]]))[0]
    assert [f"{100 * weight:.1f}" for weight in weights] == ["6.5", "44.1", "40.3", "9.2"]


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("causal", [True, False])
def test_our_heads_agree_with_plain_python(head, causal):
    found = attend(X, HEADS[head], causal)
    weights, output = plain_attention(found.Q, found.K, found.V, causal)
    assert found.weights == pytest.approx(np.array(weights), **CLOSE)
    assert found.output == pytest.approx(np.array(output), **CLOSE)


@given(of=vectors(), causal=st.booleans())
@example_budget
def test_any_attention_agrees_with_plain_python(of, causal):
    found = attention(*of, causal)
    weights, output = plain_attention(*of, causal)
    assert found.weights == pytest.approx(np.array(weights), **CLOSE)
    assert found.output == pytest.approx(np.array(output), rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("head", HEADS)
def test_our_heads_agree_with_torch(head):
    torch = pytest.importorskip("torch")
    found = head_attention(head)
    Q, K, V = (torch.from_numpy(vectors)[None, None] for vectors in (found.Q, found.K, found.V))
    output = torch.nn.functional.scaled_dot_product_attention(Q, K, V, is_causal=True)[0, 0].numpy()
    assert found.output == pytest.approx(output, rel=1e-12)


@pytest.mark.parametrize("head", HEADS)
def test_our_weights_agree_with_scipy(head):
    special = pytest.importorskip("scipy.special")
    found = head_attention(head)
    assert found.weights == pytest.approx(special.softmax(found.masked, axis=1), rel=1e-13)


@given(of=vectors(), causal=st.booleans())
@example_budget
def test_weights_of_every_query_are_shares_of_one(of, causal):
    weights = attention(*of, causal).weights
    assert ((weights >= 0) & (weights <= 1)).all()
    assert [math.fsum(row) for row in weights.tolist()] == pytest.approx([1.0] * len(weights), rel=1e-14)


@given(of=vectors())
@example_budget
def test_weights_of_masked_keys_are_exactly_zero(of):
    weights = attention(*of).weights
    assert not weights[np.triu_indices(len(weights), 1)].any()


@given(of=vectors(), seed=st.integers(0, 2**32 - 1))
@example_budget
def test_without_a_mask_a_permutation_of_the_tokens_only_permutes_what_comes_out(of, seed):
    Q, K, V = of
    order = np.random.default_rng(seed).permutation(len(Q))
    before, after = attention(Q, K, V, causal=False), attention(Q[order], K[order], V[order], causal=False)
    assert after.weights == pytest.approx(before.weights[np.ix_(order, order)], **CLOSE)
    assert after.output == pytest.approx(before.output[order], rel=1e-9, abs=1e-10)


def test_with_the_mask_the_order_of_the_tokens_matters():
    turned = attend(X[::-1], HEADS["describes"])
    assert abs(turned.weights[::-1, ::-1] - head_attention("describes").weights).max() > 0.1


@given(
    scores=st.lists(st.lists(st.integers(-80, 80), min_size=4, max_size=4), min_size=1, max_size=5),
    shift=st.integers(-(10**6), 10**6),
)
@example_budget
def test_constant_added_to_a_row_changes_no_weight(scores, shift):
    rows = np.array(scores) / 8  # eighths, so that adding the constant rounds nothing
    assert softmax(rows + shift).tolist() == softmax(rows).tolist()


@given(seed=st.integers(0, 2**32 - 1), kept=st.integers(1, len(TOKENS)), head=st.sampled_from(list(HEADS)))
@example_budget
def test_later_tokens_change_nothing_for_earlier_ones(seed, kept, head):
    changed = X.copy()
    changed[kept:] = np.random.default_rng(seed).normal(0, 3, changed[kept:].shape)
    found, original = attend(changed, HEADS[head]), head_attention(head)
    assert found.weights[:kept] == pytest.approx(original.weights[:kept], rel=1e-12)
    assert found.output[:kept] == pytest.approx(original.output[:kept], rel=1e-12)


@given(of=vectors())
@example_budget
def test_output_stays_between_the_smallest_and_largest_value_seen(of):
    found = attention(*of)
    for i, output in enumerate(found.output):
        seen = found.V[: i + 1]
        assert (output >= seen.min(axis=0) - 1e-9).all()
        assert (output <= seen.max(axis=0) + 1e-9).all()


# Vaswani et al. 2017, section 3.2.1, footnote: for independent entries of mean 0 and variance 1, q·k has variance d_k.
@pytest.mark.parametrize("d_k", [4, 16, 64, 256])
def test_variance_of_scores_grows_with_the_entries_and_scaling_takes_that_away(d_k):
    rng = np.random.default_rng(20170612 + d_k)
    Q, K = rng.normal(size=(400, d_k)), rng.normal(size=(400, d_k))
    found = attention(Q, K, K, causal=False)
    # 160,000 scores that share 800 vectors: their variance is off by some percent at most.
    assert found.raw.var() == pytest.approx(d_k, rel=0.1)
    assert found.scaled.var() == pytest.approx(1, rel=0.1)


@pytest.mark.parametrize("n", [1, 2, 6, 31])
def test_causal_mask_leaves_a_triangle_of_half_n_times_n_plus_one(n):
    mask = causal_mask(n)
    assert np.isfinite(mask).sum() == n * (n + 1) // 2
    assert all((mask[i, j] == 0) == (j <= i) for i in range(n) for j in range(n))


@pytest.mark.parametrize(
    ("weights", "expected"), [([1.0, 0, 0], 1), ([0.5, 0.5, 0], 2), ([0.25] * 4, 4), ([0.5, 0.25, 0.25], 2**1.5)]
)
def test_effective_tokens_count_equal_shares(weights, expected):
    assert effective_tokens(np.array(weights)) == pytest.approx(expected, rel=1e-14)


def test_scores_far_apart_neither_overflow_nor_lose_the_largest():
    assert softmax(np.array([[0.0, 1e5], [-1e300, 1e300], [-np.inf, -1e5]])).tolist() == [[0, 1], [0, 1], [0, 1]]


def test_query_whose_keys_are_all_masked_is_refused():
    with pytest.raises(ValueError, match="a key with a finite score"):
        softmax(np.array([[0.0, 1.0], [-np.inf, -np.inf]]))


@pytest.mark.parametrize(("k", "v"), [((3, 5), (3, 2)), ((4, 4), (4, 2)), ((3, 4), (2, 2))])
def test_vectors_that_do_not_belong_together_are_refused_with_their_shapes(k, v):
    with pytest.raises(ValueError, match=r"Q \(3, 4\), K .* are not of the same tokens"):
        attention(np.ones((3, 4)), np.ones(k), np.ones(v))


def test_one_head_of_identity_matrices_attends_by_similarity():
    same = Head(np.eye(8), np.eye(8), np.eye(8))
    assert attend(X, same, causal=False).raw == pytest.approx(X @ X.T)


@pytest.mark.parametrize(
    ("query", "head", "message"), [("lamp", "describes", "query is one of"), ("old", "rhymes", "head is one of")]
)
def test_unknown_token_or_head_is_refused_with_the_known_ones(query, head, message):
    with pytest.raises(ValueError, match=message):
        ask(query, head)
