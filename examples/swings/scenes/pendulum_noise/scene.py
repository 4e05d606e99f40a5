"""Can 5,000 poor readings show what one can't?"""

from __future__ import annotations

from loom.scene import Column, Moment, Phase, Range, Scene, Table, Value

from .drawing import draw
from .model import COUNTS, ERRORS, Readings


def say_dots(moment: Moment) -> str:
    readings = moment.result
    rest = readings.count - readings.shown
    more = f" The other {rest:,} would only hide one another, and come in the next step." if rest else ""
    return f"Each dot is one reading, off by {readings.error} ms or so. Does the period depend on the angle?{more}"


def say_cells(moment: Moment) -> str:
    readings = moment.result
    left = f" {readings.outside} lie above or below." if readings.outside else ""
    return f"All {readings.count:,} readings, counted: the shade of a cell says how many fell into it.{left}"


def say_means(moment: Moment) -> str:
    readings = moment.result
    last = readings.groups[-1]
    return (
        f"Each group of ten degrees has one mean. The last is made of {last.count} readings and good to "
        f"{1000 * last.error:.2g} ms; the bars are twice that."
    )


def table(readings: Readings) -> Table:
    columns = (
        Column("angle", "let go at", "degrees", digits=0),
        Column("count", "readings"),
        Column("mean", "mean period", "s", digits=4),
        Column("error", "standard error", "ms", digits=2),
    )
    return Table(columns, [(one.middle, one.count, one.mean, 1000 * one.error) for one in readings.groups])


def values(readings: Readings) -> dict[str, Value]:
    last = readings.groups[-1]
    return {
        "error": Value(last.error, "s", digits=2),
        "group": Value(last.count, "readings"),
        "count": Value(readings.count, "readings"),
        "shown": Value(readings.shown, "readings"),
    }


SCENE = Scene(
    title="Can 5,000 poor readings show what one can’t?",
    summary="Means of many readings show that a pendulum's period grows with its angle, which no single reading shows.",
    params=(
        Range("count", "Readings", COUNTS, default=5000, unit="readings"),
        Range("error", "Error", ERRORS, default=100, unit="ms"),
    ),
    sentence="Take {count}, each off by {error}.",
    solve=Readings,
    steps=(Phase("dots", say_dots), Phase("cells", say_cells), Phase("means", say_means)),
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(1, 2, 3),
    sources=("denker-pendulum",),
    leaves_out="The errors are normal, independent and the same at all angles; a hand at a stopwatch is late as well, "
    "which no mean takes away. Air slows a real pendulum down. The readings come from a seeded generator.",
)
