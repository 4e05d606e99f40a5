"""The number line: which numbers a format holds, and the gaps between them, for two formats at once."""

from __future__ import annotations

import math
from functools import cache

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .model import PAIRS, WINDOWS, Format, Pair, pair
from .narration import PHASES
from .words import number

COLUMNS = (
    Column("format", "format"),
    Column("bits", "bits"),
    Column("count", "finite values"),
    Column("smallest", "smallest above 0"),
    Column("largest", "largest"),
    Column("range", "range", "powers of two", digits=1),
    Column("below_one", "from 0 to below 1"),
    Column("gap", "gap at 1", digits=4),
    Column("per_binade", "values from 1 to below 2"),
)


@cache  # every format stands in many pairs
def facts(fmt: Format) -> dict[str, Value]:
    """What may be quoted of one format."""
    least, most = fmt.relative_extent
    return {
        "count": Value(len(fmt.values)),
        "bits": Value(fmt.bits, "bits"),
        "largest": Value(fmt.largest),
        "smallest": Value(fmt.smallest),
        "smallest_normal": Value(fmt.smallest_normal),
        "subnormals": Value(fmt.subnormals),
        "range": Value(fmt.binades, "powers of two"),
        "decades": Value(fmt.binades * math.log10(2), "powers of ten"),
        "not_negative": Value(len(fmt.from_zero)),
        "below_one": Value(1 + fmt.uses["below one"]),
        "gap": Value(float(fmt.gap(1.0))),
        "per_binade": Value(fmt.per_power[0]),
        "relative_least": Value(100 * least, "%"),
        "relative_most": Value(100 * most, "%"),
    }


def table(pair: Pair) -> Table:
    rows = []
    for fmt in pair.both:
        own: dict[str, float | str] = {name: value.value for name, value in facts(fmt).items()}
        own |= {"format": fmt.name, "smallest": number(fmt.smallest), "largest": number(fmt.largest)}
        rows.append([own[column.name] for column in COLUMNS])
    return Table(COLUMNS, rows)


def values(pair: Pair) -> dict[str, Value]:
    return {
        **facts(pair.first),
        **{f"second_{name}": value for name, value in facts(pair.second).items()},
        "window": Value(pair.window),
        "inside": Value(pair.inside[0]),
        "second_inside": Value(pair.inside[1]),
    }


SCENE = Scene(
    title="Where do a format’s numbers lie?",
    summary="Each number of a format is a line. A float’s gaps double at each power of two, so they keep in "
    "proportion to the numbers; an integer’s gaps are all the same.",
    params=(
        Choice("formats", "Formats", PAIRS),
        Range("window", "Window", {window: number(window) for window in WINDOWS}, default=32),
    ),
    sentence="Compare {formats}, from 0 to {window}.",
    solve=pair,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=2,
    key_steps=(2,),
    sources=("ocp-ofp8", "ocp-mx", "ieee-754", "fp8-formats", "bf16-study"),
    leaves_out="Numbers below 0 mirror those drawn; two’s complement has one more, −128 or −8. The map ends at 2¹⁶ and "
    "2⁻¹⁶, which BF16 passes on both sides and FP16 below. Infinities and NaN are not drawn. "
    "In use either kind is multiplied by a scale, which stretches the whole line and leaves every "
    "gap ÷ number as it was.",
)
