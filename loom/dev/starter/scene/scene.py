"""Running mean: its controls, its story, its table and its values."""

from __future__ import annotations

from collections.abc import Sequence

from loom.scene import Column, Moment, Phase, Range, Scene, Table, Value, evenly

from .drawing import draw
from .model import LASTS, State, solve


def say_first(moment: Moment) -> str:
    return f"The first number is {moment.result[0].mean:g}, and so is the mean."


def say_further(moment: Moment) -> str:
    state = moment.result[moment.at]
    way = "up" if state.move > 0 else "down"
    moved = f"moves {way} by {abs(state.move):g}, to {state.mean:g}" if state.move else f"stays at {state.mean:g}"
    return f"Number {len(state.numbers)} is {state.numbers[-1]:g}: the mean {moved}."


PHASES = (
    Phase("first", say_first),
    # A step for each number after the first; in each, two beats: the number comes, and the mean follows.
    Phase("further", say_further, lambda states: range(1, len(states)), beats=lambda _: evenly(2, 1.6)),
)


def table(states: Sequence[State]) -> Table:
    columns = (
        Column("count", "numbers so far"),
        Column("number", "number"),
        Column("move", "move of the mean", digits=2),
        Column("mean", "mean", digits=2),
    )
    return Table(columns, [(len(one.numbers), one.numbers[-1], one.move, one.mean) for one in states])


def values(states: Sequence[State]) -> dict[str, Value]:
    return {"mean": Value(states[-1].mean), "count": Value(len(states))}


SCENE = Scene(
    title="How does a mean follow numbers that come one at a time?",
    summary="Each number moves the mean towards itself, by its distance divided by how many numbers have come.",
    params=(Range("last", "Last number", LASTS, default=10),),
    sentence="Let the last number be {last}.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=5,
    key_steps=(1, 4, -1),
    sources=("welford1962",),
    leaves_out="Five small numbers that binary fractions hold exactly, nearly without rounding. "
    "With millions of them each step rounds a little, and the spread of the numbers matters as much as their mean.",
)
