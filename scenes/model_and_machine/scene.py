"""Model and machine: what these pages predict, and what GPUs did, as one ratio for each effect."""

from __future__ import annotations

from loom.draw import quantity
from loom.scene import Choice, Column, Moment, Phase, Range, Scene, Table, Value

from . import serving
from .drawing import draw
from .effects import EFFECTS
from .model import CLOSE, WITHIN, Comparison, Pair, parts, solve
from .story import sliding, sweeping


def numbers(pair: Pair) -> str:
    """What was expected and what came, as a sentence says it."""
    predicted, measured = (quantity(one, pair.unit) for one in (pair.predicted, pair.measured))
    return f"Expected {predicted}, measured {measured}."


def table(found: Comparison) -> Table:
    columns = (
        Column("effect", "effect"),
        Column("unit", "unit"),
        Column("predicted", "model", digits=1),
        Column("measured", "measured", digits=1),
        Column("ratio", "measured over model", "×", digits=2),
    )
    rows = []
    for pair in found.pairs:
        unit, one = scaled(pair)
        rows.append((pair.effect.label, unit, pair.predicted / one, pair.measured / one, pair.ratio))
    return Table(columns, rows)


def scaled(pair: Pair) -> tuple[str, float]:
    """The unit in which the numbers of an effect are short, and how much one of it is."""
    name = quantity(pair.predicted, pair.unit).partition("\u00a0")[2] or pair.unit
    prefix = name.removesuffix(pair.unit)
    return name, {"": 1.0, "µ": 1e-6, "M": 1e6, "G": 1e9, "T": 1e12}[prefix]


def values(found: Comparison) -> dict[str, Value]:
    named = {"count": Value(len(found.pairs)), "close": Value(found.close, "effects")}
    for pair in found.pairs:
        named[f"{pair.effect.id}_model"] = Value(pair.predicted, pair.unit)
        named[f"{pair.effect.id}_measured"] = Value(pair.measured, pair.unit)
        named[f"{pair.effect.id}_ratio"] = Value(pair.ratio, "×", digits=2)
    return named | serving.values(found.part)


def say_listed(moment: Moment) -> str:
    found: Comparison = moment.result
    return (
        f"{len(found.pairs)} numbers that these pages predict, beside what an {found.part} did. "
        f"In {found.close} cases the two agree {found.far}."
    )


def say_allowed(moment: Moment) -> str:
    found: Comparison = moment.result
    least, most = (solve(found.part, found.chosen.effect.id, within) for within in (WITHIN[0], WITHIN[-1]))
    return f"How near is near enough? {least.close} agree {least.far}, and {most.close} {most.far}."


def say_chosen(moment: Moment) -> str:
    return f"{numbers(moment.result.chosen)} {moment.result.chosen.effect.why}"


PHASES = (
    Phase("listed", say_listed, beats=sliding),
    Phase("allowed", say_allowed, beats=sweeping),
    Phase("chosen", say_chosen, beats=lambda _: (0.0, 0.6, 1.5)),
)

SCENE = Scene(
    title="How often is the model right?",
    summary="Measured over predicted, a dot for each of many effects on a real GPU: most stand at 1, and those that do "
    "not are where the models of these pages leave something out.",
    params=(
        Choice("gpu", "GPU", {part: part for part in parts()}),
        Choice("effect", "Effect", {effect.id: effect.label for effect in EFFECTS}, default="stride_16"),
        Range("within", "Agreement", WITHIN, default=CLOSE, unit="%"),
    ),
    sentence="On {gpu}, allow {within}; look\u00a0at {effect}.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(-1,),
    sources=("h100-whitepaper", "hgx-platform"),
    leaves_out="One board of each GPU, with clocks and power limit as found; others may differ by a few percent. A dot "
    "is the median of 20 repetitions or more; the least and the greatest stand in the folder measurements. Predictions "
    "are the textbook’s, from data sheets and latencies that others had measured. The scale is stretched around 1×.",
)
