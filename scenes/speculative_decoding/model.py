"""Speculative decoding on a language of four words: one pass, and the distribution of what comes out, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

WORDS = ("on", "and", "up", "over")
START = 0  # the prompt ends with “on”
# The large model: the probability of each next word, a row for each word before it.
LARGE: Array = np.array(
    [
        [0.10, 0.55, 0.20, 0.15],
        [0.40, 0.05, 0.30, 0.25],
        [0.15, 0.50, 0.05, 0.30],
        [0.20, 0.50, 0.25, 0.05],
    ]
)
LIKENESS = tuple(round(step / 10, 1) for step in range(11))
SEEDS = {1: 22, 2: 2, 3: 39}  # of the random numbers of each draw: some guesses stay, none, all


def opposite(rows: Array) -> Array:
    """Rows in which the likeliest word has the probability of the unlikeliest, and so on."""
    found = np.empty_like(rows)
    for row, out in zip(rows, found, strict=True):
        order = np.argsort(row)
        out[order] = row[order[::-1]]
    return found


def small_model(likeness: float) -> Array:
    """A model that is like the large one by so much, 0 to 1, and for the rest has its preferences upside down."""
    mixed: Array = likeness * LARGE + (1 - likeness) * opposite(LARGE)
    return mixed


def kept(p: Array, q: Array) -> Array:
    """Probability that a guess from `q` is each word, and stays: q · min(1, p/q).

    Parameters
    ----------
    p, q : ndarray, shape (..., n_words)
        Distributions of the large and of the small model.

    References
    ----------
    .. [1] Leviathan, Kalman, Matias, "Fast Inference from Transformers via Speculative Decoding", ICML 2023,
       arXiv:2211.17192, section 2.3 and appendix A.1.
    """
    return np.minimum(p, q)


def residual(p: Array, q: Array) -> Array:
    """What is drawn from after a guess was refused: norm(max(0, p − q)); `p` itself where no guess can be."""
    gap = np.maximum(0.0, p - q)
    whole = gap.sum(axis=-1, keepdims=True)
    return np.where(whole > 0, gap / np.where(whole > 0, whole, 1.0), p)


def spoken(p: Array, q: Array) -> Array:
    """The distribution of the word that comes out: of a guess that stays, or of the draw that takes its place."""
    stays = kept(p, q)
    out: Array = stays + (1 - stays.sum(axis=-1, keepdims=True)) * residual(p, q)
    return out


def draw_word(shares: Array, number: float) -> int:
    """The word that a random number from 0 to 1 falls on."""
    return min(int((shares.cumsum() <= number).sum()), len(shares) - 1)


@dataclass(frozen=True)
class Pass:
    """One pass after the prompt: guesses of the small model, looked over by the large one."""

    likeness: float
    guesses_asked: int
    draw: int

    @cached_property
    def small(self) -> Array:
        return small_model(self.likeness)

    @cached_property
    def numbers(self) -> Array:
        """Random numbers: for guesses, for verdicts, and for the word that is drawn last, shape (3, 5)."""
        return np.random.default_rng(SEEDS[self.draw]).random((3, 5))

    @cached_property
    def guesses(self) -> tuple[int, ...]:
        found: list[int] = []
        for number in self.numbers[0, : self.guesses_asked]:
            found.append(draw_word(self.small[(START, *found)[-1]], float(number)))
        return tuple(found)

    @cached_property
    def before(self) -> tuple[int, ...]:
        """The word before each place, one more than there are guesses."""
        return (START, *self.guesses)

    def large_at(self, place: int) -> Array:
        return LARGE[self.before[place]]

    def small_at(self, place: int) -> Array:
        return self.small[self.before[place]]

    def chance(self, place: int) -> float:
        """That the guess at a place stays if all before it do: min(1, p/q)."""
        word = self.guesses[place]
        return float(min(1.0, self.large_at(place)[word] / self.small_at(place)[word]))

    def fallen(self, place: int) -> float:
        """Where on the guess's probability a random number falls: it stays if that is within the large model's."""
        return float(self.numbers[1, place] * self.small_at(place)[self.guesses[place]])

    @cached_property
    def stay(self) -> int:
        """Guesses before the first that is refused."""
        refused = (place for place in range(self.guesses_asked) if self.numbers[1, place] >= self.chance(place))
        return next(refused, self.guesses_asked)

    @property
    def refused(self) -> bool:
        return self.stay < self.guesses_asked

    @cached_property
    def last(self) -> int:
        """The word of the large model that ends the pass: in place of a refused guess, or after all of them."""
        p = self.large_at(self.stay)
        shares = residual(p, self.small_at(self.stay)) if self.refused else p
        return draw_word(shares, float(self.numbers[2, 0]))

    @property
    def words(self) -> tuple[int, ...]:
        """What the pass gives."""
        return (*self.guesses[: self.stay], self.last)

    @cached_property
    def alike(self) -> float:
        """Share of guesses for the first word that stay: Σ min(p, q)."""
        return float(kept(LARGE[START], self.small[START]).sum())

    @cached_property
    def expected(self) -> float:
        """Words of one pass on average, over all guesses and verdicts."""
        alive, stays = np.ones(len(WORDS)), kept(LARGE, self.small)
        total = 0.0
        for _ in range(self.guesses_asked + 1):
            total += float(alive[START])
            alive = stays @ alive
        return total

    @cached_property
    def pairs(self) -> tuple[Array, Array]:
        """Probabilities of the next two words, each of shape (n_words, n_words).

        First those of pairs without a word that took a refused guess's place, then those with one or two: where it
        was the first, the second is the first of another pass.
        """
        first, filled = kept(LARGE[START], self.small[START]), np.maximum(0.0, LARGE[START] - self.small[START])
        again = spoken(LARGE, self.small)
        # With one guess to a pass, the second word is the large model's own, for free.
        inside, second = (again, kept(LARGE, self.small)) if self.guesses_asked > 1 else (LARGE, LARGE)
        guessed = first[:, None] * second
        return guessed, first[:, None] * inside - guessed + filled[:, None] * again

    @cached_property
    def plain_pairs(self) -> Array:
        """The same without guesses: the large model, word by word."""
        return LARGE[START][:, None] * LARGE

    @cached_property
    def change(self) -> float:
        """The most that guesses change at the probability of any pair; 0 but for the last digit of floats."""
        found = float(np.abs(self.pairs[0] + self.pairs[1] - self.plain_pairs).max())
        return found if found > 1e-12 else 0.0
