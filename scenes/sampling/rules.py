"""The four rules that narrow a choice of tokens: temperature, top-k, top-p and min-p. Each turns logits into logits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Ids = NDArray[np.intp]

RULES = ("temperature", "top_k", "top_p", "min_p")
OFF: Mapping[str, float] = {"temperature": 1, "top_k": 0, "top_p": 1, "min_p": 0}


@dataclass(frozen=True)
class Settings:
    """What the reader chose: T, k (0: off), P (1: off) and the share of the largest (0: off)."""

    temperature: float = 1
    top_k: int = 0
    top_p: float = 1
    min_p: float = 0

    def __post_init__(self) -> None:
        allowed = {
            "temperature": 0 <= self.temperature < np.inf,
            "top_k": self.top_k >= 0 and self.top_k == int(self.top_k),
            "top_p": 0 < self.top_p <= 1,
            "min_p": 0 <= self.min_p <= 1,
        }
        wrong = [f"{rule} is {getattr(self, rule)!r}" for rule, good in allowed.items() if not good]
        if wrong:
            raise ValueError(
                f"{', '.join(wrong)}: temperature is 0 or more, top_k a whole number, top_p above 0 and up to 1, "
                "min_p from 0 to 1"
            )

    def is_on(self, rule: str) -> bool:
        """Whether a rule may change anything."""
        return bool(getattr(self, rule) != OFF[rule])


def softmax(logits: Array) -> Array:
    """Probabilities, shape (n,), of logits, shape (n,); a logit of −∞ has the probability 0."""
    shifted = np.exp(logits - logits.max())
    return np.asarray(shifted / shifted.sum())


def ranking(logits: Array) -> Ids:
    """Token ids, shape (n,), from the most to the least likely; of equal ones the lower id comes first."""
    return np.argsort(-logits, kind="stable")


def temper(logits: Array, temperature: float) -> Array:
    """Logits divided by the temperature T; T = 0 keeps only the largest, which is greedy decoding.

    Hugging Face's `TemperatureLogitsWarper` refuses 0 and refers to greedy decoding; vLLM and llama.cpp decode
    greedily. Of equal largest logits the lower id is kept, where the limit T → 0 would share between them.
    """
    if temperature == 0:
        return masked(logits, np.arange(len(logits)) == logits.argmax())
    # From the largest on, so that a small T cannot overflow; softmax does not notice.
    return np.asarray((logits - logits.max()) / temperature)


def top_k_mask(logits: Array, k: int) -> Mask:
    """The k most likely tokens, exactly k of them (0: all): of equal ones the lower id is kept.

    Hugging Face's `TopKLogitsWarper` keeps every token that is as likely as the k-th, so a tie may leave it more.

    References
    ----------
    .. [1] Fan, Lewis, Dauphin, "Hierarchical Neural Story Generation", 2018, arXiv:1805.04833.
    """
    kept = np.zeros(len(logits), dtype=bool)
    kept[ranking(logits)[: k or None]] = True
    return kept


def top_p_mask(probabilities: Array, mass: float) -> Mask:
    """The smallest set of most likely tokens whose probabilities reach `mass`: the one that crosses it is in.

    A token is kept if those before it fall short of `mass`. Equal ones are taken by id; a sum that is `mass`
    but for rounding may count one token more.

    References
    ----------
    .. [1] Holtzman et al., "The Curious Case of Neural Text Degeneration", 2019, arXiv:1904.09751, section 3.1.
    """
    kept = np.ones(len(probabilities), dtype=bool)
    if mass < 1:
        order = ranking(probabilities)
        before = np.concatenate([[0.0], np.cumsum(probabilities[order])[:-1]])
        kept[order] = before < mass
    return kept


def min_p_mask(probabilities: Array, share: float) -> Mask:
    """Tokens at least `share` times as likely as the most likely one. Scaling all probabilities changes nothing.

    References
    ----------
    .. [1] Nguyen et al., "Turning Up the Heat: Min-p Sampling", 2024, arXiv:2407.01082.
    """
    return np.asarray(probabilities >= share * probabilities.max())


def masked(logits: Array, kept: Mask) -> Array:
    """The logits with −∞ for every token that is not kept."""
    return np.where(kept, logits, -np.inf)


def warp(logits: Array, rule: str, value: float) -> Array:
    """Logits after one rule. The rule sees the softmax of what it is given: what is left, renormalised."""
    if rule == "temperature":
        return temper(logits, value)
    if rule == "top_k":
        return masked(logits, top_k_mask(logits, int(value)))
    if rule == "top_p":
        return masked(logits, top_p_mask(softmax(logits), value))
    if rule == "min_p":
        return masked(logits, min_p_mask(softmax(logits), value))
    raise ValueError(f"rule is one of {RULES}, not {rule!r}")
