"""From logits to the tokens that may come next: four rules in order, how wide the choice is, and a draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .rules import Array, Ids, Mask, Settings, ranking, softmax, warp

# Hugging Face transformers: `_get_logits_processor` in generation/utils.py (commit 000034a4).
TRANSFORMERS_ORDER = ("temperature", "top_k", "top_p", "min_p")
# vLLM: the docstring of `Sampler` in vllm/v1/sample/sampler.py, step 7 (commit 3e342658).
VLLM_ORDER = ("temperature", "min_p", "top_k", "top_p")
# llama.cpp: the default of `common_params_sampling.samplers` in common/common.h (commit 001d906a), these four of nine.
LLAMA_CPP_ORDER = ("top_k", "top_p", "min_p", "temperature")

# Our own sentence, and logits made up for it: a clear head and a tail. By token id, which says nothing of likelihood.
PROMPT = "The lighthouse keeper climbed the"
LOGITS_OF = {
    "cliff": 3.8, "fence": 2.1, "hill": 4.3, "ladder": 4.9, "mast": 2.6, "moon": 1.2,
    "rocks": 4.0, "roof": 2.9, "stairs": 6.0, "steps": 5.5, "tower": 5.2, "wall": 3.3,
}  # fmt: skip
TOKENS = tuple(LOGITS_OF)
LOGITS = np.array(list(LOGITS_OF.values()))
# Five random numbers, the same for every choice of rules: what differs between two draws is the rules' doing.
NUMBERS = np.random.default_rng(18).random(5)
PHASES = ("plain", *TRANSFORMERS_ORDER, "left", "drawn")


@dataclass(frozen=True)
class Stage:
    """One rule at work: probabilities before and after it, the tokens that it cut and those alive; shapes (n,)."""

    rule: str
    before: Array
    after: Array
    cut: Mask
    alive: Mask


def apply_rules(logits: Array, settings: Settings, order: Sequence[str] = TRANSFORMERS_ORDER) -> list[Stage]:
    """Pass logits through the rules, each of which renormalises what the one before has left.

    Parameters
    ----------
    logits : ndarray, shape (n,)
        The model's score of every token; finite.
    settings : Settings
        The value of every rule.
    order : sequence of str
        The rules in the order of their application.

    Returns
    -------
    list of Stage
        One per rule; the last one's `after` is what is drawn from.

    Raises
    ------
    ValueError
        If there are no logits, or some that are not finite.
    """
    if not len(logits) or not np.isfinite(logits).all():
        raise ValueError("logits are finite, and at least one")
    stages = []
    for rule in order:
        warped = warp(logits, rule, getattr(settings, rule))
        alive = np.isfinite(warped)
        stages.append(Stage(rule, softmax(logits), softmax(warped), np.isfinite(logits) & ~alive, alive))
        logits = warped
    return stages


def entropy(probabilities: Array) -> float:
    """Shannon entropy [bits]; 0 for a certain token, log2 n for n equal ones."""
    possible = probabilities[probabilities > 0]
    return max(0.0, float(-(possible * np.log2(possible)).sum()))


def effective_choices(probabilities: Array) -> float:
    """2^entropy: how many equally likely tokens would leave as much open."""
    return float(2 ** entropy(probabilities))


def draw_tokens(probabilities: Array, numbers: Array) -> Ids:
    """The tokens that random numbers from 0 up to 1 fall on, on a line where tokens lie in order of probability.

    Parameters
    ----------
    probabilities : ndarray, shape (n,)
        They add up to 1.
    numbers : ndarray, shape (m,)
        Each at least 0 and below 1.

    Returns
    -------
    ndarray, shape (m,)
        Token ids; never one of probability 0.
    """
    order = ranking(probabilities)
    order = order[probabilities[order] > 0]
    places = np.searchsorted(np.cumsum(probabilities[order]), numbers, side="right")
    return np.asarray(order[np.minimum(places, len(order) - 1)])


@dataclass(frozen=True)
class State:
    """The whole way of the toy's logits, and how far along it the picture is."""

    settings: Settings
    stages: tuple[Stage, ...]
    step: int  # place in PHASES

    @property
    def phase(self) -> str:
        return PHASES[self.step]

    @property
    def stage(self) -> Stage:
        """The rule at work; before the first and after the last, the nearest."""
        return self.stages[min(max(self.step - 1, 0), len(self.stages) - 1)]

    @cached_property
    def plain(self) -> Array:
        """The model's own distribution, at T = 1."""
        return softmax(LOGITS)

    @cached_property
    def order(self) -> Ids:
        """Token ids from the most to the least likely: no rule changes this order."""
        return ranking(LOGITS)

    @property
    def final(self) -> Array:
        """What is drawn from."""
        return self.stages[-1].after

    def past(self, phase: str) -> bool:
        """Whether this phase has come."""
        return self.step >= PHASES.index(phase)

    @property
    def works(self) -> bool:
        """Whether the step is a rule, and the rule is on."""
        return self.phase in TRANSFORMERS_ORDER and self.settings.is_on(self.phase)

    @property
    def truncates(self) -> bool:
        """Whether the rule at work takes tokens away, rather than reshaping all."""
        return self.works and self.phase != "temperature"

    @property
    def shown(self) -> Array:
        """What the bars show: what the rule meets, but temperature's and the last steps' results."""
        if self.step == 0:
            return self.plain
        return self.stage.after if self.phase == "temperature" or self.past("left") else self.stage.before

    @property
    def stacked(self) -> bool:
        """Whether bars begin where the one before ends, to be added up."""
        return self.phase == "top_p" and self.works

    @property
    def measured(self) -> bool:
        """Whether bars are measured against the longest."""
        return self.phase == "min_p" and self.works

    @property
    def crossing(self) -> int:
        """The token with which the sum reaches top-p, while that rule is at work; else −1."""
        return int(self.order[self.stage.alive[self.order]][-1]) if self.stacked else -1

    def stage_cuts(self, token: int) -> bool:
        """Whether the rule at work cuts this token, and its bar is still there to see."""
        return self.truncates and bool(self.stage.cut[token])

    def cut_by(self, token: int) -> str:
        """The rule that has cut a token by now, or nothing."""
        done = self.stages[: self.step]
        return next((stage.rule for stage in done if stage.cut[token]), "")


def steps(temperature: float, top_k: int, top_p: float, min_p: float) -> list[State]:
    """The toy's distribution, each rule in turn, what is left, and five draws."""
    settings = Settings(temperature, top_k, top_p, min_p)
    stages = tuple(apply_rules(LOGITS, settings))
    return [State(settings, stages, step) for step in range(len(PHASES))]
