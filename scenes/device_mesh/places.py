"""The ranks that a reader may choose, spread over the pods so that each can be taken hold of."""

from __future__ import annotations

from .model import RACK

LARGE = (
    0, 1000, 2047,
    3072, 4444,
    6700, 8191,
    9999, 11_500,
    12_345, 14_142,
    15_555, 16_383,
)  # fmt: skip
RANKS = {"gpu": tuple(range(RACK)), "early": (0, 1000, 4444, 8191), "rank": LARGE}
HALF = 8192  # GPUs of the first stage


def parameter(gpus: int) -> str:
    """The parameter that chooses a rank of a job of so many GPUs."""
    return "gpu" if gpus == RACK else "early" if gpus == HALF else "rank"
