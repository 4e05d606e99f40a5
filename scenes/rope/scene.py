"""Rotary position embedding: query and key are turned by their positions, and their product tells the distance."""

from __future__ import annotations

from loom.scene import Column, Range, Scene, Table, Value

from .._rope.rotation import PAIRS
from .drawing import draw
from .model import BASE, DISTANCES, THETA, WAVES, Pose, pose
from .story import MOVES, PHASES

ROWS = (*range(0, PAIRS, 8), PAIRS - 1)
COLUMNS = (
    Column("pair", "pair"),
    Column("theta", "angle per token θ", "rad", digits=8),
    Column("wavelength", "wavelength", "tokens", digits=2),
    Column("angle", "angle between query and key", "rad", digits=4),
    Column("cosine", "cosine", digits=4),
)


def table(here: Pose) -> Table:
    numbers = (THETA, WAVES, here.angles, here.cosines)
    return Table(COLUMNS, [(pair, *(float(each[pair]) for each in numbers)) for pair in ROWS])


def values(here: Pose) -> dict[str, Value]:
    return {
        "distance": Value(here.distance, "tokens"),
        "score": Value(here.score),
        "score_moved": Value(Pose(here.distance, MOVES[-1]).score),
        "turns_fast": Value(here.distance / float(WAVES[0])),
    }


SCENE = Scene(
    title="How do rotations tell a distance?",
    summary="Query and key are arrows that their positions turn. Their product follows from the angles between them, "
    "and so from the distance alone.",
    params=(Range("distance", "Query after the key", DISTANCES, default=16, unit="tokens"),),
    solve=pose,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(1, 2),
    sources=("roformer", "llama-models", "gpt-oss-repo"),
    leaves_out=f"Here the base is {BASE:,}, a head has {2 * PAIRS} numbers, and those of query and key are all equal, "
    "so the product is a plain mean of cosines; a model learns which pairs to use. "
    "Dials turn clockwise, the formula the other way. Llama’s code turns neighbouring numbers and gpt-oss the two "
    "halves of a head: the same, in another order.",
)
