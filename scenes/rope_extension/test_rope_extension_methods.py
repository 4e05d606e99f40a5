"""Check the extension methods against the YaRN paper's definitions and the code of gpt-oss and DeepSeek-V3."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes._rope.rotation import frequencies, rotate, wavelengths
from scenes.rope_extension.drawing import FACTORS
from scenes.rope_extension.extension import METHODS, coded_yarn, extended, kept_share, ntk_base, temperature
from scenes.rope_extension.rotary import rotary
from scenes.rope_extension.scene import BASES

example_budget = settings(max_examples=100, deadline=None, derandomize=True)
GRID = [*itertools.product(BASES, FACTORS)]
REAL_BASES = st.floats(2_000, 5e6)
REAL_FACTORS = st.floats(1, 64)


def paper_yarn(base, factor, dim=128, trained=4096, alpha=1, beta=32):
    """Oracle: YaRN, section 3.2, equations 17 to 20, pair by pair."""
    out = []
    for i in range(dim // 2):
        theta = 1 / base ** (2 * i / dim)
        turns = trained / (2 * math.pi / theta)
        gamma = 0 if turns < alpha else 1 if turns > beta else (turns - alpha) / (beta - alpha)
        out.append((1 - gamma) * theta / factor + gamma * theta)
    return out


def deepseek_yarn(base, factor, dim=128, trained=4096, fast=32, slow=1):
    """Oracle: DeepSeek-V3, inference/model.py at 9b4e978, precompute_freqs_cis, in plain Python."""

    def pair_with(turns):
        return dim * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(base))

    low, high = max(math.floor(pair_with(fast)), 0), min(math.ceil(pair_with(slow)), dim - 1)
    out = []
    for i in range(dim // 2):
        smooth = 1 - min(max((i - low) / (high - low), 0), 1)
        theta = 1 / base ** (2 * i / dim)
        out.append(theta / factor * (1 - smooth) + theta * smooth)
    return out


def gpt_oss_yarn(base, factor, dim=64, trained=4096, alpha=1, beta=32):
    """Oracle: gpt-oss, gpt_oss/torch/model.py at 0568dfc, RotaryEmbedding, in plain Python."""
    low, high = (dim / 2 * math.log(trained / (turns * 2 * math.pi)) / math.log(base) for turns in (beta, alpha))
    assert 0 < low < high < dim / 2 - 1
    out = []
    for i in range(dim // 2):
        mask = 1 - min(max((i - low) / (high - low), 0), 1)
        wave = base ** (2 * i / dim)
        out.append(1 / (factor * wave) * (1 - mask) + 1 / wave * mask)
    return out


def unchanged(new, base):
    return {i for i, theta in enumerate(new) if math.isclose(theta, base ** (-2 * i / (2 * len(new))), rel_tol=1e-12)}


def divided(new, base, factor):
    return unchanged([theta * factor for theta in new], base)


# facts/attention.md section 4 (calc by YaRN, definition 1): b = 10,000, d = 128.
@pytest.mark.parametrize(("factor", "base"), [(2, 20_221), (4, 40_890), (8, 82_685), (16, 167_199), (32, 338_097)])
def test_ntk_aware_base_is_that_of_the_facts(factor, base):
    assert ntk_base(10_000, factor) == pytest.approx(base, abs=0.5)


# YaRN equation 25 prints 1.208 for s = 8; the others and their squares: facts/attention.md section 4.
@pytest.mark.parametrize(
    ("factor", "root", "logit"), [(4, 1.139, None), (8, 1.208, 1.459), (16, 1.277, None), (32, 1.347, 1.813)]
)
def test_temperature_of_yarn_is_that_of_the_paper(factor, root, logit):
    assert temperature("yarn", factor) == pytest.approx(root, abs=5e-4)
    if logit:
        assert temperature("yarn", factor) ** 2 == pytest.approx(logit, abs=5e-4)


@pytest.mark.parametrize("method", ["none", "interpolation", "ntk-aware"])
def test_only_yarn_has_a_temperature(method):
    assert temperature(method, 32) == 1


@given(base=REAL_BASES, factor=REAL_FACTORS)
@example_budget
def test_ntk_aware_stretches_the_slowest_pair_by_the_factor_and_the_fastest_not_at_all(base, factor):
    stretch = frequencies(base) / extended(base, "ntk-aware", factor)
    assert stretch[0] == 1
    assert stretch[-1] == pytest.approx(factor, rel=1e-12)
    assert (np.diff(stretch) >= -1e-12).all()


@given(base=REAL_BASES, factor=REAL_FACTORS, position=st.integers(0, 131_072), seed=st.integers(0, 2**32 - 1))
@example_budget
def test_interpolation_is_the_rotation_of_a_divided_position(base, factor, position, seed):
    x = np.random.default_rng(seed).uniform(-1, 1, 128)
    inside = rotate(x, position / factor, frequencies(base))
    assert rotate(x, position, extended(base, "interpolation", factor)) == pytest.approx(inside, abs=1e-9)


@given(base=REAL_BASES, factor=REAL_FACTORS)
@example_budget
def test_yarn_is_the_blend_of_the_paper(base, factor):
    assert extended(base, "yarn", factor) == pytest.approx(paper_yarn(base, factor), rel=1e-12)


@given(base=REAL_BASES, factor=REAL_FACTORS)
@example_budget
def test_yarn_stretches_every_pair_between_not_at_all_and_by_the_factor_and_keeps_their_order(base, factor):
    new = extended(base, "yarn", factor)
    stretch = frequencies(base) / new
    assert ((stretch >= 1 - 1e-12) & (stretch <= factor * (1 + 1e-12))).all()
    assert (np.diff(wavelengths(new)) > 0).all()


def test_ramp_begins_after_one_turn_and_ends_at_32():
    assert kept_share(np.array([0.5, 1, 16.5, 32, 600])).tolist() == [0, 0, 0.5, 1, 1]


@pytest.mark.parametrize(("base", "factor"), GRID)
def test_ramp_over_pairs_is_that_of_gpt_oss(base, factor):
    assert coded_yarn(base, factor) == pytest.approx(gpt_oss_yarn(base, factor, dim=128), rel=1e-12)
    assert coded_yarn(base, factor, 64) == pytest.approx(gpt_oss_yarn(base, factor), rel=1e-12)


@pytest.mark.parametrize(("base", "factor"), GRID)
def test_paper_and_code_keep_the_same_pairs_and_stretch_the_same_pairs_fully(base, factor):
    ours, code = extended(base, "yarn", factor).tolist(), deepseek_yarn(base, factor)
    for other in (code, gpt_oss_yarn(base, factor, dim=128)):
        assert unchanged(ours, base) == unchanged(other, base)
        assert divided(ours, base, factor) == divided(other, base, factor)
        assert len(unchanged(ours, base)) == rotary(base, "yarn", factor).untouched
        assert len(divided(ours, base, factor)) == rotary(base, "yarn", factor).fully


def test_code_keeps_more_of_the_frequencies_between():
    ours, code = extended(10_000, "yarn", 32), np.array(gpt_oss_yarn(10_000, 32, dim=128))
    assert (code >= ours * (1 - 1e-12)).all()
    assert rotary(10_000, "yarn", 32).code_gap == pytest.approx((code / ours).max(), rel=1e-12)
    assert rotary(10_000, "yarn", 32).code_gap > 3.5
    assert rotary(10_000, "ntk-aware", 32).code_gap == 1


@pytest.mark.parametrize("method", METHODS)
def test_factor_of_one_changes_nothing(method):
    assert extended(10_000, method, 1) == pytest.approx(frequencies(10_000), rel=1e-14)
    assert temperature(method, 1) == 1


@pytest.mark.parametrize(("base", "method", "factor"), [*itertools.product((10_000, 1_000_000), METHODS, (2, 4))])
def test_unseen_pairs_are_those_whose_angles_lie_far_from_every_angle_of_training(base, method, factor):
    # Brute force over whole distances: in training, neighbouring angles of a pair are at most theta apart.
    model = rotary(base, method, factor)
    for pair in range(64):
        theta, new = (float(angles[pair]) for angles in (model.theta, model.new_theta))
        seen = np.sort(np.arange(4097) * theta % (2 * np.pi))
        ring = np.concatenate([seen[-1:] - 2 * np.pi, seen, seen[:1] + 2 * np.pi])
        asked = np.arange(4096 * factor + 1) * new % (2 * np.pi)
        after = np.searchsorted(ring, asked).clip(1, len(ring) - 1)
        gap = np.minimum(ring[after] - asked, asked - ring[after - 1]).max()
        assert (gap > theta) == model.unseen[pair], pair


def test_unknown_method_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"method is one of .*'yarn'.*not 'alibi'"):
        extended(10_000, "alibi", 8)


def test_factor_that_shortens_is_refused():
    with pytest.raises(ValueError, match=r"at least 1, not 0.5"):
        extended(10_000, "yarn", 0.5)
