"""The scaling ladder: one scale for a tensor, a token, a channel or a block, and what each costs and saves."""

from __future__ import annotations

from loom.scene import Choice, Column, Scene, Table, Value

from .drawing import draw
from .errors import errors
from .model import BLOCKS, ELEMENTS, SCALE_BITS, SCALES
from .narration import EACH, say
from .states import ROUNDED, resting, steps

KINDS = {"outlier": "a bell curve with outlier channels", "bell": "a bell curve"}


def table(data: str, element: str, scale: str, scaletype: str) -> Table:
    columns = (
        Column("scale", "numbers that share a scale"),
        Column("numbers", "how many"),
        Column("bits", "bits per number", "bits", digits=3),
        Column("sqnr", "signal to noise", "dB", digits=2),
        Column("normal", "without outlier channels", "dB", digits=2),
        Column("zeroed", "become zero", "%", digits=1),
        Column("error", "relative error", "%", digits=2),
    )
    rows: list[tuple[float | str, ...]] = []
    for name in SCALES:
        scheme = resting(name, element, scaletype)
        found = errors(data, scheme)
        rows.append((name, scheme.sharing(), scheme.bits(), found.sqnr, found.normal, found.zeroed, found.error))
    return Table(columns, rows)


def values(data: str, element: str, scale: str, scaletype: str) -> dict[str, Value]:
    scheme = resting(scale, element, scaletype)
    found = errors(data, scheme)
    return {
        "bits": Value(scheme.bits(), "bits"),
        "sqnr": Value(found.sqnr, "dB"),
        "normal": Value(found.normal, "dB"),
        "zeroed": Value(found.zeroed, "%"),
        "error": Value(found.error, "%"),
    }


SCENE = Scene(
    title="How many numbers should share one scale?",
    summary="A few outliers stretch the scale that they share with others, and the others round to zero; "
    "smaller groups, or elements that are floats, save them.",
    params=(
        Choice("data", "Numbers", {name: KINDS[name] for name in ("outlier", "bell")}),
        Choice("element", "Each number", ELEMENTS),
        Choice("scale", "A scale for", {name: EACH[name] for name in SCALES}),
        Choice("scaletype", "Scales in", tuple(SCALE_BITS), when={"scale": ("token", "channel", *BLOCKS)}),
    ),
    sentence="Store {data} as {element}, with a scale for {scale}, kept in {scaletype}.",
    steps=steps,
    draw=draw,
    say=say,
    table=table,
    values=values,
    opening=ROUNDED + 1,
    key_steps=(ROUNDED + 1, -1),
    split=("data", "element", "scale"),
    sources=("ocp-mx", "mxfp8-recipes", "nvfp4-pretraining", "smoothquant"),
    leaves_out="Real activations are no bell curve, and their outliers differ in size. "
    "Integers here are symmetric, every scale comes from the largest magnitude (calibrated ones may clip it on "
    "purpose), and the one scale of a whole tensor is not counted in the bits. "
    "Tensor cores apply a scale for 16 or 32 numbers themselves; for 128, or for a token, software does. "
    "Decibels measure rounding, not how well a model answers.",
)
