"""Check rounding, products and packing against closed forms, plain Python, frozen vectors and the gguf package."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.ternary.case import BELL, HEAVY, KINDS, SPREAD, TRAINED, sample_of, weights_of
from scenes.ternary.model import BITS, EPSILON, absmean, fidelity, operations, partial_sums, ternary
from scenes.ternary.packing import bits_per_weight, packed, stored, tq1_0, tq2_0, unpacked

example_budget = settings(max_examples=100, deadline=None, derandomize=True)
SIGNS = st.sampled_from([-1, 0, 1])
SEEDS = st.integers(0, 2**32 - 1)
# Moderate magnitudes, so that ε is small beside γ.
WEIGHTS = st.lists(st.floats(-50, 50), min_size=1, max_size=40).filter(lambda some: sum(map(abs, some)) > 1)
VECTORS = json.loads((Path(__file__).parent / "test_vectors.json").read_text())


def rounded(weights):
    """Oracle in plain Python: BitNet b1.58, equations 1 to 3; Python's round takes halves to even, too."""
    gamma = math.fsum(abs(w) for w in weights) / len(weights)
    return [max(-1, min(1, round(w / (gamma + 1e-5)))) for w in weights]


def density(x):
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


@pytest.mark.parametrize("name", ["gauss64", "outlier64", "tiny64"])
def test_frozen_vectors_are_rounded_to_their_codes(name):
    # vectors/formats.json, "ternary_absmean", made by an implementation that shares no code with this one.
    vector = VECTORS[name]
    assert absmean(vector["x"]) == pytest.approx(vector["gamma"], rel=1e-6)
    assert ternary(vector["x"], absmean(vector["x"])).tolist() == vector["q"]


@given(weights=WEIGHTS)
@example_budget
def test_rounding_is_that_of_plain_python(weights):
    gamma = math.fsum(map(abs, weights)) / len(weights)
    assert absmean(weights) == pytest.approx(gamma, rel=1e-12)
    safe = [w for w in weights if abs(abs(w) / (gamma + 1e-5) - 0.5) > 1e-9]  # on the edge the last bit of γ decides
    wanted = [t for w, t in zip(weights, rounded(weights), strict=True) if w in safe]
    assert [int(t) for w, t in zip(weights, ternary(weights, gamma), strict=True) if w in safe] == wanted


def test_half_of_gamma_is_where_weights_stop_being_zero():
    gamma = 2.0
    edge = (gamma + EPSILON) / 2
    assert ternary([edge, -edge], gamma).tolist() == [0, 0]  # a tie goes to even
    assert ternary([edge * (1 + 1e-12), -edge * (1 + 1e-12), 1e9], gamma).tolist() == [1, -1, 1]


@given(weights=WEIGHTS)
@example_budget
def test_rounding_is_odd_and_the_best_scale_is_not_beaten(weights):
    gamma = absmean(weights)
    trits = ternary(weights, gamma)
    np.testing.assert_array_equal(ternary(-np.array(weights), gamma), -trits)
    assert trits.any()  # the largest weight is never below the mean
    found = fidelity(weights)

    def miss(scale):
        return float(((np.array(weights) - scale * trits) ** 2).sum())

    # The γ that zeros lower is never above the mean magnitude of the weights that are kept.
    assert found.best >= found.gamma * (1 - 1e-5)
    assert all(miss(found.best) <= miss(found.best * factor) * (1 + 1e-12) for factor in (0.5, 0.99, 1.01, 2))
    assert found.fitted >= found.sqnr - 1e-9


def test_a_matrix_of_zeros_stays_zero():
    assert absmean(np.zeros((2, 3))) == 0
    assert ternary(np.zeros((2, 3)), 0.0).tolist() == [[0, 0, 0], [0, 0, 0]]


def test_zeros_of_a_bell_curve_are_those_of_the_error_function():
    # γ = √(2/π) σ, so zeros are P(|x| < γ/2) = erf(0.39894/√2): 31.0%. A million samples: 0.05 points of deviation.
    found = fidelity(sample_of(BELL))
    edge = math.sqrt(2 / math.pi) / 2
    assert found.gamma == pytest.approx(2 * edge, rel=3e-3)
    assert found.zeros == pytest.approx(100 * math.erf(edge / math.sqrt(2)), abs=0.2)
    assert found.zeros == pytest.approx(31.0, abs=0.2)


def test_sqnr_of_a_bell_curve_is_that_of_its_integrals():
    gamma = math.sqrt(2 / math.pi)
    edge = gamma / 2
    inside = math.erf(edge / math.sqrt(2)) - 2 * edge * density(edge)
    beyond = 1 - inside - 2 * gamma * 2 * density(edge) + gamma**2 * math.erfc(edge / math.sqrt(2))
    wanted = -10 * math.log10(inside + beyond)
    assert wanted == pytest.approx(5.79, abs=0.005)  # facts/formats.md, sections 6 and 9
    assert fidelity(sample_of(BELL)).sqnr == pytest.approx(wanted, abs=0.02)
    best = 2 * density(edge) / math.erfc(edge / math.sqrt(2))
    assert fidelity(sample_of(BELL)).best == pytest.approx(best, rel=3e-3)


def test_heavy_tails_are_those_of_laplace():
    # With scale b, γ = b, so zeros are 1 − e^(−1/2): 39.35%. Error: ∫ x² e^−x to ½, then ∫ (x − 1)² e^−x; signal 2.
    found = fidelity(sample_of(HEAVY))
    assert found.zeros == pytest.approx(100 * (1 - math.exp(-0.5)), abs=0.2)
    inside, beyond = 2 - 3.25 * math.exp(-0.5), 1.25 * math.exp(-0.5)
    assert found.sqnr == pytest.approx(10 * math.log10(2 / (inside + beyond)), abs=0.03)
    assert found.sqnr == pytest.approx(4.06, abs=0.03)  # facts/formats.md, section 9: "Ternary absmean", Laplace


def test_nearly_ternary_weights_lose_size_and_little_else():
    # All three values equally likely and a narrow: γ = a (2 + s √(2/π)) / 3, and every sign is kept.
    found = fidelity(sample_of(TRAINED))
    scale, spread = math.sqrt(1.5), SPREAD
    gamma = scale * (2 + spread * math.sqrt(2 / math.pi)) / 3
    signal = scale**2 * (2 / 3 + spread**2)
    noise = 2 / 3 * (scale - gamma) ** 2 + scale**2 * spread**2
    assert found.gamma == pytest.approx(gamma, rel=3e-3)
    assert found.sqnr == pytest.approx(10 * math.log10(signal / noise), abs=0.03)
    assert found.fitted == pytest.approx(10 * math.log10(signal / (scale * spread) ** 2), abs=0.03)
    assert found.zeros == pytest.approx(100 / 3, abs=0.2)


@pytest.mark.parametrize("kind", KINDS)
def test_made_up_weights_have_a_root_mean_square_of_one_and_no_lean(kind):
    sample = sample_of(kind)
    assert math.sqrt(np.mean(sample**2)) == pytest.approx(1, abs=0.01)
    assert sample.mean() == pytest.approx(0, abs=0.005)
    np.testing.assert_array_equal(sample_of(kind), sample)


@st.composite
def products(draw):
    """Ternary rows and as many 8-bit activations as a row has."""
    columns = draw(st.integers(1, 12))
    row = st.lists(SIGNS, min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=1, max_size=5)), draw(
        st.lists(st.integers(-128, 127), min_size=columns, max_size=columns)
    )


@given(product=products())
@example_budget
def test_adding_and_subtracting_gives_the_product_of_plain_python(product):
    trits, x = product
    sums = partial_sums(trits, x)
    counts = {1: 0, -1: 0, 0: 0}
    for row, found in zip(trits, sums.tolist(), strict=True):
        total = 0
        for at, (weight, activation) in enumerate(zip(row, x, strict=True)):
            counts[weight] += 1
            total += weight * activation
            assert found[at] == total
    assert tuple(operations(trits)) == (counts[1], counts[-1], counts[0])


def test_all_243_groups_come_back_from_their_numbers():
    numbers = np.arange(243)
    groups = unpacked(numbers).reshape(-1, 5)
    assert len({tuple(group) for group in groups.tolist()}) == 243
    np.testing.assert_array_equal(packed(groups)[:, 0], numbers)
    # By hand: 1 2 0 2 1 is 81 + 54 + 6 + 1.
    assert packed([0, 1, -1, 1, 0]).tolist() == [142]
    assert [int("".join(map(str, group + 1)), 3) for group in groups] == numbers.tolist()  # Python reads base 3


def test_stored_bytes_give_up_their_digits_by_multiplying_with_three():
    for number, byte in enumerate(stored(np.arange(243)).tolist()):
        digits, rest = [], byte
        for _ in range(5):
            digits.append(rest * 3 // 256)
            rest = rest * 3 % 256
        assert int("".join(map(str, digits)), 3) == number


@pytest.mark.parametrize("name", ["TQ1_0", "TQ2_0"])
@given(seed=SEEDS, power=st.integers(-10, 6), tenth=st.integers(1024, 2047))
@example_budget
def test_blocks_are_byte_for_byte_those_of_gguf(name, seed, power, tenth):
    gguf = pytest.importorskip("gguf")
    quants = pytest.importorskip("gguf.quants")
    scale = tenth / 1024 * 2.0**power  # exact in FP16
    trits = np.append(
        1, np.random.default_rng(seed).integers(-1, 2, 255)
    )  # gguf takes its scale from the largest weight
    weights = (trits * scale).astype(np.float32)[None]
    mine = {"TQ1_0": tq1_0, "TQ2_0": tq2_0}[name](trits, scale)
    kind = gguf.GGMLQuantizationType[name]
    np.testing.assert_array_equal(mine, quants.quantize(weights, kind)[0])
    np.testing.assert_array_equal(quants.dequantize(mine[None], kind), weights)


def test_bits_of_a_weight_are_those_of_the_formats():
    # facts/formats.md, section 5: 54 and 66 bytes for 256 weights.
    one, two = tq1_0(np.zeros(256, int), 1.0), tq2_0(np.zeros(256, int), 1.0)
    assert (one.size, two.size) == (54, 66)
    assert (bits_per_weight(one), bits_per_weight(two)) == (1.6875, 2.0625)
    assert math.log(3) / math.log(2) == pytest.approx(BITS, rel=1e-15)
    assert BITS < 8 / 5 < bits_per_weight(one)


@pytest.mark.parametrize(("call", "message"), [
    (lambda: absmean([]), "at least one"),
    (lambda: absmean([1.0, math.nan]), "finite"),
    (lambda: ternary([math.inf], 1.0), "finite"),
    (lambda: ternary([1.0], -1.0), "γ must be finite and not negative"),
    (lambda: ternary([1.0], math.nan), "γ must be finite"),
    (lambda: fidelity([0.0, 0.0]), "all 0"),
    (lambda: operations([0, 2]), "−1, 0 or 1"),
    (lambda: partial_sums([[1, 0.5]], [1, 2]), "−1, 0 or 1"),
    (lambda: partial_sums([[1, 0, 1]], [1, 2]), "rows of 3 weights need as many activations, not 2"),
    (lambda: packed([1, 0, 1, 0]), "groups of five"),
    (lambda: packed([1, 0, 1, 0, 2]), "−1, 0 or 1"),
    (lambda: unpacked([243]), "from 0 to 242"),
    (lambda: unpacked([-1]), "from 0 to 242"),
    (lambda: tq1_0([1] * 255, 1.0), "a block holds 256 weights, not 255"),
    (lambda: tq2_0([3] * 256, 1.0), "−1, 0 or 1"),
    (lambda: weights_of("flat", (2,), 0), "unknown kind of weights 'flat', expected one of bell"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
