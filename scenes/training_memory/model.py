"""What training keeps on one GPU: weights, gradients, optimizer state and activations, and how they are divided."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import NamedTuple

from .._clusters.models import MODELS, Model
from .._gpus.rates import GPUS

GIGA = 10**9
CAPACITIES = {name: GPUS[name].capacity for name in ("H100", "H200", "B200")}  # [B]
STAGES = (0, 1, 2, 3)
TOKENS = 8192  # of a microbatch: one sequence
BF16 = 2  # bytes


class Recipe(NamedTuple):
    """Bytes that training keeps for each parameter."""

    weights: int
    gradients: int
    optimizer: int


ZERO = Recipe(2, 2, 12)  # BF16 beside FP32 copies of parameter, mean and mean square
MEGATRON = Recipe(2, 4, 12)  # gradients in FP32


class Split(NamedTuple):
    """How one replica of the model is divided: each matrix over `tensor` GPUs, the layers over `pipeline` stages."""

    tensor: int = 1
    pipeline: int = 1

    @property
    def gpus(self) -> int:
        return self.tensor * self.pipeline


SPLITS = {"none": Split(), "tp8": Split(8), "tp8pp16": Split(8, 16)}


def states(parameters: float, ranks: int, stage: int, recipe: Recipe = ZERO) -> tuple[float, float, float]:
    """Weights, gradients and optimizer state on each of so many data-parallel ranks [B].

    Stage 1 divides the optimizer state among the ranks, stage 2 the gradients too, and stage 3 also the weights.

    References
    ----------
    .. [1] Rajbhandari et al., "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models", 2019,
       arXiv:1910.02054, section 5.
    """
    if stage not in STAGES or ranks < 1:
        raise ValueError(f"a stage is one of {STAGES} and there is at least 1 rank, not {stage} and {ranks}")
    weights, gradients, optimizer = (
        size * parameters / (ranks if stage >= least else 1) for size, least in zip(recipe, (3, 2, 1), strict=True)
    )
    return weights, gradients, optimizer


def floor(parameters: float, stage: int, recipe: Recipe = ZERO) -> float:
    """What of them stays on each rank, however many there are [B]."""
    return parameters * sum(size for size, least in zip(recipe, (3, 2, 1), strict=True) if stage < least)


def kept_for_a_token(model: Model) -> int:
    """Activations that one layer keeps of one token until the backward pass, in BF16 with FlashAttention [B].

    What goes into both norms and what comes out of them, queries and attention's output, keys and values, and gate,
    up and their product in the MLP: 12 h + 4 h_kv + 6 f.

    References
    ----------
    .. [1] Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models", 2022,
       arXiv:2205.05198, section 4, where GPT's layer is counted.
    """
    return BF16 * (6 * model.hidden + 2 * model.kv_width + 3 * model.ffn)


def layers_in_flight(layers: int, pipeline: int) -> int:
    """Layers times microbatches whose activations the first stage of a pipeline holds: 1F1B has a microbatch under way
    for each stage."""
    return ceil(layers / pipeline) * pipeline


@dataclass(frozen=True)
class Training:
    """A Llama 3 in training, one sequence on each rank at a time."""

    model: str
    stage: int
    gpus: int  # data-parallel ranks; each is a GPU, or as many as a replica is split over
    split: str = "none"

    def __post_init__(self) -> None:
        if self.split not in SPLITS:
            raise ValueError(f"a split is one of {tuple(SPLITS)}, not {self.split!r}")

    @property
    def shape(self) -> Model:
        return MODELS[f"Llama 3 {self.model}"]

    @property
    def parts(self) -> Split:
        return SPLITS[self.split]

    @property
    def parameters(self) -> float:
        """Of each GPU's part of the model, before ZeRO."""
        return self.shape.parameters / self.parts.gpus

    def states_at(self, stage: int) -> tuple[float, float, float]:
        return states(self.parameters, self.gpus, stage)

    @cached_property
    def states(self) -> float:
        """[B]"""
        return sum(self.states_at(self.stage))

    @cached_property
    def activations(self) -> float:
        """All that is kept [B]; tensor parallelism divides it with the sequence in between."""
        return self._activations(kept_for_a_token(self.shape))

    @cached_property
    def recomputed(self) -> float:
        """What is kept if each layer keeps its input alone, and is computed once more [B]."""
        return self._activations(BF16 * self.shape.hidden)

    def _activations(self, bytes_for_a_token: int) -> float:
        layers = layers_in_flight(self.shape.layers, self.parts.pipeline)
        return layers * TOKENS * bytes_for_a_token / self.parts.tensor

    def fewest(self, activations: float, capacity: float = CAPACITIES["H100"]) -> int:
        """The GPUs with which states and these activations fit on each of them; 0 if no number is enough."""
        kept = floor(self.parameters, self.stage)
        shared, room = self.parameters * sum(ZERO) - kept, capacity - activations - kept
        return self.parts.gpus * max(1, ceil(shared / room)) if room > 0 else 0


def smallest(size: float) -> str:
    """The first GPU that holds so much [B], or nothing."""
    return next((name for name, capacity in CAPACITIES.items() if size <= capacity), "")
