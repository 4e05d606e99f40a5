"""The scaling ladder: one scale for a tensor, a token, a channel or a block, and what each costs and saves."""

from __future__ import annotations

from loom.scene import Choice, Column, Scene, Table, Value

from .drawing import draw
from .errors import errors
from .ladder import EACH
from .model import BLOCKS, ELEMENTS, SCALE_BITS, SCALES, Scheme
from .narration import PHASES
from .stored import Stored, resting, store

KINDS = {"outlier": "a bell curve with outliers", "bell": "a bell curve"}
COLUMNS = (
    Column("scale", "numbers that share a scale"),
    Column("numbers", "how many"),
    Column("bits", "bits per number", "bits", digits=3),
    Column("sqnr", "signal to noise", "dB", digits=2),
    Column("normal", "without outlier channels", "dB", digits=2),
    Column("zeroed", "become zero", "%", digits=1),
    Column("error", "relative error", "%", digits=2),
)


def figures(data: str, scheme: Scheme) -> tuple[float, ...]:
    """Bits per number, and what they buy: see the columns of the table."""
    found = errors(data, scheme)
    return scheme.bits(), found.sqnr, found.normal, found.zeroed, found.error


def table(stored: Stored) -> Table:
    schemes = [resting(name, stored.scheme.element, stored.scheme.scaletype) for name in SCALES]
    return Table(COLUMNS, [(each.scale, each.sharing(), *figures(stored.data, each)) for each in schemes])


def values(stored: Stored) -> dict[str, Value]:
    found = zip(COLUMNS[2:], figures(stored.data, stored.scheme), strict=True)
    return {column.name: Value(figure, column.unit) for column, figure in found}


SCENE = Scene(
    title="How many should share a scale?",
    summary="A few outliers stretch the scale that they share with others, and the others round to zero; "
    "smaller groups, or elements that are floats, save them.",
    params=(
        Choice("data", "Numbers", KINDS),
        Choice("element", "Each number", ELEMENTS),
        Choice("scale", "A scale for", EACH),
        Choice("scaletype", "Scales in", tuple(SCALE_BITS), when={"scale": ("token", "channel", *BLOCKS)}),
    ),
    sentence="Store {data} as {element}, a scale for {scale}[ in {scaletype}].",
    solve=store,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=4,
    key_steps=(4,),
    sources=("ocp-mx", "mxfp8-recipes", "nvfp4-pretraining", "smoothquant"),
    leaves_out="Real activations are no bell curve, and their outliers differ in size. "
    "Integers here are symmetric, every scale comes from the largest magnitude (calibrated ones may clip it), "
    "and the one scale of a whole tensor is not counted in the bits. "
    "Decibels measure rounding, not how well a model answers.",
)
