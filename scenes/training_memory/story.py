"""What is kept at each point of the story, and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from loom.draw import number, quantity
from loom.scene import Moment, Phase, evenly

from .model import CAPACITIES, STAGES, TOKENS, ZERO, Training, floor, smallest

PARTS = ("weights", "gradients", "optimizer", "activations")
NAMES = {0: "no ZeRO", 1: "ZeRO-1", 2: "ZeRO-2", 3: "ZeRO-3"}
PLAIN, ZEROS, KEPT, AGAIN = "states", "zero", "activations", "recompute"
SIZE = CAPACITIES["H100"]


@cache
def size(value: float) -> str:
    return quantity(value, "B")


def extra(phase: str, one: Training) -> float:
    """The activations on top of the states, in a chapter of the story [B]."""
    return {PLAIN: 0.0, ZEROS: 0.0, KEPT: one.activations, AGAIN: one.recomputed}[phase]


def spared_of(moment: Moment) -> float:
    """The activations that are computed again and need not be kept: of ever more layers [B]."""
    one: Training = moment.result
    return (one.activations - one.recomputed) * moment.past(AGAIN)


def growing(moment: Moment) -> Moment:
    """The moment whose walls a picture shows or lets grow: of each two pictures, the second has them grown."""
    return moment if moment.beats == 1 else replace(moment, beat=moment.beat // 2, beats=moment.beats // 2)


def landed(moment: Moment) -> Moment | None:
    """The moment whose walls have grown, and may be told; none where nothing has."""
    if moment.beats == 1 or moment.beat % 2:
        return growing(moment)
    if moment.beat:
        return replace(growing(moment), beat=moment.beat // 2 - 1)
    every = len(PARTS)
    return replace(moment, index=moment.index - 1, beat=every - 1, beats=every) if moment.index else None


def stacks(moment: Moment) -> dict[int, tuple[float, ...]]:
    """The four parts for each stage that is shown so far [B]; activations are seen to come and go on the chosen one."""
    one, last = moment.result, round(len(STAGES) * moment.past(ZEROS))
    if moment.phase == PLAIN:
        parts = [*one.states_at(0), 0.0]
        return {0: tuple(part if at <= moment.beat else 0.0 for at, part in enumerate(parts))}
    top = extra(told_as(moment), one)
    mine = one.activations * moment.past(KEPT) - spared_of(moment)
    return {stage: (*one.states_at(stage), mine if stage == one.stage else top) for stage in STAGES[: max(last, 1)]}


def told_as(moment: Moment) -> str:
    """The phase that others than the chosen stage show, and the chart: they follow when all layers have."""
    return KEPT if moment.phase == AGAIN and moment.progress < 1 else moment.phase


def shown(moment: Moment) -> int:
    """The stage that the answer counts: the chosen one, or the last that is shown so far."""
    return min(moment.result.stage, max(stacks(moment)))


def among(one: Training) -> str:
    """On which GPUs that is."""
    gpus = one.gpus * one.parts.gpus
    return f"on each of {gpus:,} GPUs" if gpus > 1 else "on one GPU"


def verdict(value: float) -> str:
    """Which GPU holds so much."""
    fits = smallest(value)
    if fits:
        this = f"{'an' if fits.startswith('H') else 'a'} {fits}’s {size(CAPACITIES[fits])}"
        return f"fits in {this}" if value <= SIZE else f"fits no H100, but fits {this}"
    return f"{number(value / SIZE)} times an H100’s {size(SIZE)}"


def _plain(moment: Moment) -> str:
    one: Training = moment.result
    held = size(sum(one.states_at(0)))
    parts = one.parts
    start = f"A parameter takes {ZERO.weights} + {ZERO.gradients} + {ZERO.optimizer} bytes. "
    if parts.gpus == 1:
        return f"{start}All {number(one.parameters / 1e9)} billion of them need {held}, before the first token comes."
    layers = f" and layers into {parts.pipeline} stages" if parts.pipeline > 1 else ""
    return f"{start}With matrices cut over {parts.tensor} GPUs{layers}, each holds {held} before the first token comes."


def _zero(moment: Moment) -> str:
    one: Training = moment.result
    left = size(floor(one.parameters, one.stage))
    if not one.stage:
        return f"Without ZeRO every rank holds the same {left}, however many there are."
    divided = ("the optimizer’s state", "optimizer and gradients", "weights, gradients and optimizer")[one.stage - 1]
    start = f"{NAMES[one.stage]} divides {divided} among the ranks. "
    if one.stage == 3:
        return f"{start}Twice the ranks leave half of it on each."
    return f"{start}No number of ranks takes away the other {left}."


def _kept(moment: Moment) -> str:
    one: Training = moment.result
    flight = f", with {one.parts.pipeline} texts under way" if one.parts.pipeline > 1 else ""
    return (
        f"The way forward over {TOKENS:,} tokens leaves {size(one.activations)} of activations for the way back"
        f"{flight}. ZeRO divides none of them: each rank has tokens of its own."
    )


def _again(moment: Moment) -> str:
    one: Training = moment.result
    whole = one.states + one.recomputed
    saved = f"If each layer keeps its input alone and is computed again, {size(one.recomputed)} stay. "
    need = one.fewest(one.recomputed)
    if whole <= SIZE:
        return f"{saved}{size(whole)} fit in an H100’s {size(SIZE)}."
    if need:
        return f"{saved}{size(whole)} are too much for {size(SIZE)}; divided among {need:,} ranks they fit."
    return f"{saved}{size(whole)} are too much for {size(SIZE)}, with any number of GPUs."


PHASES = (
    Phase(PLAIN, _plain, beats=lambda _: evenly(2 * 3 - 1, 2.0, lead=0.25)),
    Phase(ZEROS, _zero, beats=lambda _: evenly(2 * len(STAGES), 3.2)),
    Phase(KEPT, _kept, beats=lambda _: evenly(2 * 4, 2.8)),
    Phase(AGAIN, _again, beats=lambda _: evenly(2 * 4, 2.8)),
)
