"""From logits to the tokens that may come next: four rules in order, how wide the choice is, and a draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from .rules import Array, Ids, Mask, Settings, ranking, softmax, warp

# Hugging Face transformers: `_get_logits_processor` in generation/utils.py (commit 000034a4).
TRANSFORMERS_ORDER = ("temperature", "top_k", "top_p", "min_p")
# vLLM: the docstring of `Sampler` in vllm/v1/sample/sampler.py, step 7 (commit 3e342658).
VLLM_ORDER = ("temperature", "min_p", "top_k", "top_p")
# llama.cpp: the default of `common_params_sampling.samplers` in common/common.h (commit 001d906a), these four of nine.
LLAMA_CPP_ORDER = ("top_k", "top_p", "min_p", "temperature")
ELSEWHERE = {"vllm": VLLM_ORDER, "llama_cpp": LLAMA_CPP_ORDER}

# Our own sentence, and logits made up for it: a clear head and a tail. By token id, which says nothing of likelihood.
PROMPT = "The lighthouse keeper climbed the"
LOGITS_OF = {
    "cliff": 3.8, "fence": 2.1, "hill": 4.3, "ladder": 4.9, "mast": 2.6, "moon": 1.2,
    "rocks": 4.0, "roof": 2.9, "stairs": 6.0, "steps": 5.5, "tower": 5.2, "wall": 3.3,
}  # fmt: skip
TOKENS = tuple(LOGITS_OF)
LOGITS = np.array(list(LOGITS_OF.values()))
PLAIN = softmax(LOGITS)  # the model's own distribution, at T = 1
ORDER = ranking(LOGITS).tolist()  # token ids from the most to the least likely: no rule changes this order
# Five random numbers, the same for every choice of rules: what differs between two draws is the rules' doing.
NUMBERS = np.random.default_rng(18).random(5)
PHASES = ("plain", *TRANSFORMERS_ORDER, "drawn")


@dataclass(frozen=True)
class Stage:
    """One rule at work: probabilities before and after it, the tokens that it cut and those alive; shapes (n,)."""

    rule: str
    before: Array
    after: Array
    cut: Mask
    alive: Mask

    @cached_property
    def left(self) -> int:
        """Tokens alive."""
        return int(self.alive.sum())

    @cached_property
    def choices(self) -> float:
        """As many equally likely tokens would leave as much open."""
        return effective_choices(self.after)


def apply_rules(logits: Array, settings: Settings, order: Sequence[str] = TRANSFORMERS_ORDER) -> list[Stage]:
    """Pass logits through the rules, each of which renormalises what the one before has left.

    Parameters
    ----------
    logits : ndarray, shape (n,)
        The model's score of every token; finite, and at least one.
    settings : Settings
        The value of every rule.
    order : sequence of str
        The rules in the order of their application. There is a stage for each; what the last leaves is drawn from.
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

    Probabilities, shape (n,), add up to 1; none of the tokens, shape (m,), is of probability 0.
    """
    order = ranking(probabilities)
    order = order[probabilities[order] > 0]
    places = np.searchsorted(np.cumsum(probabilities[order]), numbers, side="right")
    return np.asarray(order[np.minimum(places, len(order) - 1)])


@dataclass(frozen=True, eq=False)  # `solve` makes one for each choice of rules
class Way:
    """The toy's logits on their way through the rules."""

    settings: Settings
    stages: list[Stage]

    @property
    def final(self) -> Array:
        """What is drawn from."""
        return self.stages[-1].after


@dataclass(frozen=True)
class State:
    """How far along its way the picture is."""

    way: Way
    step: int  # place in PHASES
    fallen: int = 0  # random numbers that have fallen on the line
    summing: bool = False  # whether top-p still adds up, and has cut nothing yet

    @property
    def phase(self) -> str:
        return PHASES[self.step]

    @property
    def ended(self) -> bool:
        """Whether all rules are behind it."""
        return self.step > len(self.way.stages)

    @property
    def stage(self) -> Stage:
        """The rule at work; before the first and after the last, the nearest."""
        return self.way.stages[min(max(self.step - 1, 0), len(self.way.stages) - 1)]

    @cached_property
    def truncates(self) -> bool:
        """Whether the rule at work is on and takes tokens away, rather than reshaping all."""
        return self.phase in TRANSFORMERS_ORDER[1:] and self.way.settings.is_on(self.phase) and not self.summing

    @property
    def stacked(self) -> bool:
        """Whether bars begin where the one before ends, to be added up: to 100% where top-p is off."""
        return self.phase == "top_p"

    @property
    def measured(self) -> bool:
        """Whether bars are measured against the longest."""
        return self.phase == "min_p" and self.truncates

    @cached_property
    def shown(self) -> list[float]:
        """What the bars show: what the rule meets, but temperature's and the last steps' results."""
        met = PLAIN if self.phase == "plain" else self.stage.before
        shares: list[float] = (self.stage.after if self.phase == "temperature" or self.ended else met).tolist()
        return shares

    @property
    def done(self) -> list[Stage]:
        """The rules that have cut by now."""
        return self.way.stages[: self.step - self.summing]

    @property
    def left(self) -> int:
        """Words that may come next by now."""
        return self.done[-1].left if self.done else len(TOKENS)

    @cached_property
    def added(self) -> list[int]:
        """The tokens whose shares are added up by now: while top-p looks for its sum, up to the one that crosses."""
        return [token for token in ORDER if self.stacked and (self.stage.alive[token] or not self.summing)]

    @cached_property
    def crossing(self) -> int:
        """The token with which the sum reaches top-p, while that rule is at work; else −1."""
        return [one for one in ORDER if self.stage.alive[one]][-1] if self.stacked and self.truncates else -1

    @cached_property
    def stage_cuts(self) -> list[int]:
        """What the rule at work cuts, whose bars are still there to see: the most likely first."""
        return [token for token in ORDER if self.stage.cut[token]] if self.truncates else []

    def cut_by(self, token: int) -> str:
        """The rule that has cut a token by now, or nothing."""
        return next((stage.rule for stage in self.done if stage.cut[token]), "")

    def role(self, token: int, cut: str) -> str:
        """Of what stands for a token; `cut` if the rule at work cuts it."""
        if token in self.stage_cuts:
            return cut
        return "hot" if token == self.crossing else "kept" if self.ended else "data"


@cache
def solve(temperature: float, top_k: int, top_p: float, min_p: float) -> Way:
    """The toy's distribution, and each rule in turn."""
    settings = Settings(temperature, top_k, top_p, min_p)
    return Way(settings, apply_rules(LOGITS, settings))
