"""Check the rotation against complex numbers, explicit matrices and both pairings of channels."""

import cmath
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes._rope.rotation import frequencies, rotate, score, score_curve, wavelengths

example_budget = settings(max_examples=100, deadline=None, derandomize=True)
BASES = st.sampled_from([10_000, 150_000, 500_000, 1_000_000])
HALVES = st.integers(1, 40)  # pairs of a head
POSITIONS = st.integers(0, 131_072)
SEEDS = st.integers(0, 2**32 - 1)
# Angles go up to 2e5 rad, where doubles are 3e-11 apart; scores of vectors of length 1 keep ten digits.
CLOSE = 1e-10


def vectors(seed, half):
    """A query and a key of length 1."""
    q, k = np.random.default_rng(seed).normal(size=(2, 2 * half))
    return q / np.linalg.norm(q), k / np.linalg.norm(k)


def turned_as_complex(x, position, base):
    """Oracle: a pair is a complex number, multiplied by e^(i m theta) [roformer, section 3.2.1]."""
    out = []
    for i in range(len(x) // 2):
        theta = base ** (-2 * i / len(x))
        z = complex(x[2 * i], x[2 * i + 1]) * cmath.exp(1j * position * theta)
        out += [z.real, z.imag]
    return out


def rotation_matrix(dim, position, base):
    """Oracle: the block diagonal matrix of RoFormer, equation 15, written out."""
    matrix = [[0.0] * dim for _ in range(dim)]
    for i in range(dim // 2):
        angle = position * base ** (-2 * i / dim)
        a, b = 2 * i, 2 * i + 1
        matrix[a][a] = matrix[b][b] = math.cos(angle)
        matrix[a][b], matrix[b][a] = -math.sin(angle), math.sin(angle)
    return np.array(matrix)


def turned_in_halves(x, position, theta):
    """Oracle: pairs are (x[i], x[i + d/2]), as in gpt-oss's _apply_rotary_emb."""
    first, second = np.split(x, 2)
    cos, sin = np.cos(position * theta), np.sin(position * theta)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin])


@given(seed=SEEDS, half=HALVES, position=POSITIONS, base=BASES)
@example_budget
def test_rotation_is_a_product_of_complex_numbers(seed, half, position, base):
    q, _ = vectors(seed, half)
    expected = turned_as_complex(q.tolist(), position, base)
    assert rotate(q, position, frequencies(base, 2 * half)) == pytest.approx(expected, abs=CLOSE)


@given(seed=SEEDS, half=st.integers(1, 12), position=POSITIONS, base=BASES)
@example_budget
def test_rotation_is_a_block_diagonal_matrix(seed, half, position, base):
    q, _ = vectors(seed, half)
    matrix = rotation_matrix(2 * half, position, base)
    assert rotate(q, position, frequencies(base, 2 * half)) == pytest.approx(matrix @ q, abs=CLOSE)
    assert matrix.T @ matrix == pytest.approx(np.eye(2 * half), abs=1e-14)


@given(seed=SEEDS, half=HALVES, m=POSITIONS, n=POSITIONS, shift=POSITIONS, base=BASES)
@example_budget
def test_score_depends_on_the_distance_alone(seed, half, m, n, shift, base):
    q, k = vectors(seed, half)
    theta = frequencies(base, 2 * half)
    here = rotate(q, m, theta) @ rotate(k, n, theta)
    assert rotate(q, m + shift, theta) @ rotate(k, n + shift, theta) == pytest.approx(here, abs=CLOSE)
    # RoFormer, equation 16: the query unturned, the key turned by n - m.
    assert q @ rotate(k, n - m, theta) == pytest.approx(here, abs=CLOSE)


@given(seed=SEEDS, half=HALVES, position=POSITIONS, base=BASES)
@example_budget
def test_rotation_keeps_the_length_of_a_vector(seed, half, position, base):
    q, _ = vectors(seed, half)
    assert np.linalg.norm(rotate(q, position, frequencies(base, 2 * half))) == pytest.approx(1, abs=1e-13)


@given(seed=SEEDS, half=HALVES, m=POSITIONS, n=POSITIONS, base=BASES)
@example_budget
def test_pairs_of_neighbours_and_pairs_of_halves_give_the_same_scores(seed, half, m, n, base):
    q, k = vectors(seed, half)
    theta = frequencies(base, 2 * half)
    order = np.concatenate([np.arange(0, 2 * half, 2), np.arange(1, 2 * half, 2)])
    neighbours = rotate(q, m, theta) @ rotate(k, n, theta)
    halves = turned_in_halves(q[order], m, theta) @ turned_in_halves(k[order], n, theta)
    assert halves == pytest.approx(neighbours, abs=CLOSE)
    assert turned_in_halves(q[order], m, theta) == pytest.approx(rotate(q, m, theta)[order], abs=CLOSE)


@given(m=POSITIONS, n=POSITIONS, base=BASES)
@example_budget
def test_score_of_equal_numbers_is_the_mean_cosine(m, n, base):
    cosines = [math.cos((m - n) * base ** (-2 * i / 128)) for i in range(64)]
    mean = math.fsum(cosines) / 64
    theta = frequencies(base)
    assert score(m, n, theta) == pytest.approx(mean, abs=CLOSE)
    assert score_curve(np.array([float(abs(m - n))]), theta)[0] == pytest.approx(mean, abs=CLOSE)


def test_score_of_a_token_with_itself_is_one():
    assert score(1000, 1000, frequencies(10_000)) == pytest.approx(1, abs=1e-14)


# facts/attention.md section 3: shortest and longest wavelength for d = 128.
@pytest.mark.parametrize(
    ("base", "longest", "tolerance"), [(10_000, 54_410, 0.5), (500_000, 2.56e6, 5e3), (1_000_000, 5.06e6, 5e3)]
)
def test_wavelengths_are_those_of_the_facts(base, longest, tolerance):
    waves = wavelengths(frequencies(base))
    assert len(waves) == 64
    assert waves[0] == pytest.approx(6.28, abs=0.005)
    assert waves[-1] == pytest.approx(longest, abs=tolerance)
    assert (np.diff(waves) > 0).all()


def test_angles_of_base_10_000_fall_tenfold_every_16_pairs():
    assert frequencies(10_000)[::16] == pytest.approx([1, 0.1, 0.01, 0.001], rel=1e-12)


@pytest.mark.parametrize("dim", [-2, 0, 7])
def test_head_that_cannot_be_paired_is_refused(dim):
    with pytest.raises(ValueError, match=rf"even and positive, not {dim}"):
        frequencies(10_000, dim)


@pytest.mark.parametrize("base", [1, 0.5, -10])
def test_base_that_turns_no_pair_slower_is_refused(base):
    with pytest.raises(ValueError, match=rf"more than 1, not {base}"):
        frequencies(base)
