"""Check the rule against every guess and verdict, one by one in fractions, and against chance."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes.speculative_decoding.model import LARGE, LIKENESS, SEEDS, START, WORDS, Pass, kept, residual, spoken

COUNT = range(len(WORDS))
ORACLE = [[Fraction(round(100 * share), 100) for share in row] for row in LARGE.tolist()]


def drafter(likeness):
    """The small model in fractions: the large one, mixed with its ranks turned over."""
    rows = []
    for row in ORACLE:
        order = sorted(COUNT, key=lambda word: row[word])
        turned = {word: row[other] for word, other in zip(order, reversed(order), strict=True)}
        rows.append([likeness * row[word] + (1 - likeness) * turned[word] for word in COUNT])
    return rows


def outcomes(small, guesses, start):
    """Every pass that can be, guess by guess and verdict by verdict: its words and its probability."""
    for draft in itertools.product(COUNT, repeat=guesses):
        chance, before, words = Fraction(1), start, []
        for guess in draft:
            chance *= small[before][guess]
            before = guess
        if not chance:
            continue
        before = start
        for guess in draft:
            p, q = ORACLE[before], small[before]
            stays = min(Fraction(1), p[guess] / q[guess])
            lack = [max(Fraction(0), a - b) for a, b in zip(p, q, strict=True)]
            for word in COUNT if stays < 1 else ():
                yield (*words, word), chance * (1 - stays) * lack[word] / sum(lack)
            chance, before = chance * stays, guess
            words.append(guess)
        for word in COUNT:
            yield (*words, word), chance * ORACLE[before][word]


def rows_of_words(small, guesses, length):
    """Probability of every row of so many words, pass after pass."""
    found, open_rows = {}, {(): Fraction(1)}
    while open_rows:
        words, share = open_rows.popitem()
        for more, chance in outcomes(small, guesses, words[-1] if words else START):
            row = (*words, *more)[:length]
            target = found if len(row) == length else open_rows
            target[row] = target.get(row, 0) + share * chance
    return found


@pytest.mark.parametrize("guesses", [1, 2, 3])
@pytest.mark.parametrize("likeness", [Fraction(0), Fraction(3, 5), Fraction(1)])
def test_every_row_of_three_words_is_exactly_as_likely_as_without_guesses(likeness, guesses):
    found = rows_of_words(drafter(likeness), guesses, 3)
    for a, b, c in itertools.product(COUNT, repeat=3):
        assert found.get((a, b, c), 0) == ORACLE[START][a] * ORACLE[a][b] * ORACLE[b][c]


@pytest.mark.parametrize("guesses", [1, 2, 3, 4])
@pytest.mark.parametrize("likeness", [0.0, 0.3, 0.6, 1.0])
def test_pairs_and_words_of_a_pass_are_those_of_the_enumeration(likeness, guesses):
    one, small = Pass(likeness, guesses, 1), drafter(Fraction(round(10 * likeness), 10))
    pairs = rows_of_words(small, guesses, 2)
    for pair in itertools.product(COUNT, repeat=2):
        assert sum(one.pairs)[pair] == pytest.approx(float(pairs[pair]), abs=1e-15)
        assert one.plain_pairs[pair] == pytest.approx(float(pairs[pair]), abs=1e-15)
    mean = sum(chance * len(words) for words, chance in outcomes(small, guesses, START))
    assert one.expected == pytest.approx(float(mean), abs=1e-14)


@pytest.mark.parametrize("guesses", [1, 2])
def test_pairs_without_a_refusal_are_those_whose_guesses_all_stay(guesses):
    small, one = drafter(Fraction(3, 5)), Pass(0.6, guesses, 1)
    for a, b in itertools.product(COUNT, repeat=2):
        first = min(ORACLE[START][a], small[START][a])
        second = min(ORACLE[a][b], small[a][b]) if guesses > 1 else ORACLE[a][b]
        assert one.pairs[0][a, b] == pytest.approx(float(first * second), abs=1e-15)


# facts/serving.md §9: p = (.5, .3, .2), q = (.2, .5, .3); accept 1, .6, .667; min (.2, .3, .2), β .7; r = (1, 0, 0).
def test_worked_example_of_three_words():
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.5, 0.3])
    assert np.minimum(1, p / q) == pytest.approx([1, 0.6, 2 / 3])
    assert kept(p, q) == pytest.approx([0.2, 0.3, 0.2]) and kept(p, q).sum() == pytest.approx(0.7)
    assert residual(p, q) == pytest.approx([1, 0, 0])
    assert spoken(p, q) == pytest.approx(p, abs=1e-15)


@given(st.lists(st.tuples(st.integers(1, 1000), st.integers(0, 1000)), min_size=2, max_size=9))
def test_whatever_the_guesses_the_answer_is_the_large_model_s(weights):
    p, q = (np.array(side) / max(sum(side), 1) for side in zip(*weights, strict=True))
    if q.sum():
        assert spoken(p, q) == pytest.approx(p, abs=1e-12)


def test_chance_of_one_pass_draws_words_as_often_as_the_enumeration_says():
    rng, count, lengths, firsts = np.random.default_rng(7), 20_000, 0, np.zeros(len(WORDS))
    one = Pass(0.6, 4, 1)
    for _ in range(count):
        draw = Pass(0.6, 4, 1)
        draw.__dict__["numbers"] = rng.random((3, 5))
        lengths += len(draw.words)
        firsts[draw.words[0]] += 1
    assert lengths / count == pytest.approx(one.expected, abs=4 * 1.6 / count**0.5)
    assert firsts / count == pytest.approx(LARGE[START], abs=4 * 0.5 / count**0.5)


@pytest.mark.parametrize("draw", SEEDS)
@pytest.mark.parametrize("guesses", [1, 2, 3, 4])
@pytest.mark.parametrize("likeness", LIKENESS)
def test_a_pass_keeps_guesses_up_to_the_first_that_is_refused(likeness, guesses, draw):
    one = Pass(likeness, guesses, draw)
    inside = [one.fallen(at) < one.large_at(at)[one.guesses[at]] for at in range(guesses)]
    assert one.stay == (inside.index(False) if False in inside else guesses)
    assert one.words[:-1] == one.guesses[: one.stay] and len(one.words) == one.stay + 1
    if one.refused:
        assert one.large_at(one.stay)[one.last] > one.small_at(one.stay)[one.last]
        assert one.large_at(one.stay)[one.guesses[one.stay]] < one.small_at(one.stay)[one.guesses[one.stay]]


def test_a_better_small_model_gives_more_words_and_a_double_gives_all():
    means = [Pass(likeness, 4, 1).expected for likeness in LIKENESS]
    assert means == sorted(means) and means[-1] == pytest.approx(5)
    assert [Pass(likeness, 4, 1).alike for likeness in (0.0, 1.0)] == pytest.approx([0.5, 1])


def test_the_three_draws_keep_some_none_and_all():
    assert [Pass(0.6, 4, draw).stay for draw in SEEDS] == [2, 0, 4]
    assert [WORDS[word] for word in Pass(0.6, 4, 1).words] == ["and", "on", "and"]


def test_rows_are_distributions():
    for rows in (LARGE, *(Pass(likeness, 1, 1).small for likeness in LIKENESS)):
        assert rows.sum(axis=1) == pytest.approx(1) and rows.min() > 0


def test_a_change_of_what_comes_out_would_be_told():
    one = Pass(0.6, 4, 1)
    guessed, taken = one.pairs
    assert one.change == 0
    wrong = Pass(0.6, 4, 1)
    vars(wrong)["pairs"] = guessed + 0.01 * (guessed == guessed.max()), taken
    assert wrong.change == pytest.approx(0.01)
