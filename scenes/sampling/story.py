"""The chapters: the model's distribution, the rules one after the other, and the draw."""

from __future__ import annotations

from loom.scene import Chapter, evenly

from .model import NUMBERS, PHASES, TRANSFORMERS_ORDER, State, Way

SUMMED = 1.3  # when top-p has added up [s]: the last bar is in its place then


def steps(way: Way) -> list[Chapter]:
    """The model's distribution, each rule that is on, and what is left, on which random numbers fall.

    Top-p is there when it is off too, and greedy decoding has a chapter of its name: so handles stay in hand.
    """
    there = {"plain", "top_p", *filter(way.settings.is_on, TRANSFORMERS_ORDER)}
    rules = {phase: step for step, phase in enumerate(PHASES) if phase in there}
    if way.settings.temperature == 0:
        rules = {"plain": 0, "top_p": 1}
    cuts = [_cut(way, step, phase) for phase, step in rules.items()]
    drawn = [State(way, len(PHASES) - 1, fallen) for fallen in range(len(NUMBERS) + 1)]
    return [*cuts, Chapter(drawn, evenly(len(drawn), 3.6), "drawn")]


def _cut(way: Way, step: int, phase: str) -> Chapter:
    """The chapter of one rule. Top-p adds up before it cuts."""
    if phase == "top_p" and way.settings.is_on("top_p"):
        return Chapter((State(way, step, summing=True), State(way, step)), (0.0, SUMMED), phase)
    return Chapter((State(way, step),), (0.0,), phase)
