"""The number line: which numbers a format holds, and the gaps between them, for two formats at once."""

from __future__ import annotations

import math

from loom.scene import Choice, Column, Scene, Table, Value

from .drawing import draw
from .model import (
    AXES,
    NAMES,
    all_values,
    code_uses,
    gap,
    number_format,
    reach,
    relative_extent,
    steps,
    values_from_zero,
    values_per_power,
)
from .narration import say
from .words import number


def table(first: str, second: str, axis: str) -> Table:
    columns = (
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
    rows = []
    for name in (first, second):
        fmt, own = number_format(name), facts(name)
        row = [own[key].value for key in ("count", "range", "below_one", "gap", "per_binade")]
        rows.append((name, fmt.bits, row[0], number(fmt.smallest), number(fmt.largest), *row[1:]))
    return Table(columns, rows)


def facts(name: str) -> dict[str, Value]:
    """What may be quoted of one format."""
    fmt, uses = number_format(name), code_uses(name)
    least, most = relative_extent(name)
    return {
        "count": Value(len(all_values(name))),
        "bits": Value(fmt.bits, "bits"),
        "largest": Value(fmt.largest),
        "smallest": Value(fmt.smallest),
        "smallest_normal": Value(fmt.smallest_normal),
        "subnormals": Value(fmt.subnormals),
        "range": Value(fmt.binades, "powers of two"),
        "decades": Value(fmt.binades * math.log10(2), "powers of ten"),
        "not_negative": Value(len(values_from_zero(name))),
        "below_one": Value(1 + uses["below one"]),
        "gap": Value(float(gap(1.0, name))),
        "per_binade": Value(values_per_power(name)[0]),
        "relative_least": Value(100 * least, "%"),
        "relative_most": Value(100 * most, "%"),
    }


def values(first: str, second: str, axis: str) -> dict[str, Value]:
    held = values_from_zero(first)
    view = reach(first, second)
    return {
        **facts(first),
        **{f"second_{name}": value for name, value in facts(second).items()},
        "view": Value(view),
        "beyond": Value(int((held > view).sum())),
    }


SCENE = Scene(
    title="Which numbers can a format hold, and how far apart are they?",
    summary="Each value of a format is a line on an axis. A float's gaps double at each power of two, so they keep in "
    "proportion to the values; an integer's gaps are all the same.",
    params=(
        Choice("first", "First format", NAMES, default="E4M3"),
        Choice("second", "Second format", NAMES, default="INT8"),
        Choice("axis", "Axis", AXES),
    ),
    sentence="Put {first} over {second}, on a {axis} axis.",
    steps=steps,
    draw=draw,
    say=say,
    table=table,
    values=values,
    opening=4,
    key_steps=(4, -1),
    split=("first", "axis"),
    sources=("ocp-ofp8", "ocp-mx", "ieee-754", "fp8-formats", "bf16-study"),
    leaves_out="Values below 0 mirror those drawn; two's complement has one more, −128 or −8. The linear axis ends "
    "at the power of two that the shorter format needs; infinities and codes that are no number (NaN) are counted, "
    "not drawn. In use either kind is multiplied by a scale, which stretches the whole line and leaves every "
    "gap ÷ value as it was. Where the teeth of that curve would be too fine, a box spans them.",
)
