"""A running mean: how it follows numbers that come one at a time."""

from __future__ import annotations

from loom.scene import Choice, Column, Scene, Table, Value

from .drawing import draw
from .model import ORDERS, State, steps


def say(state: State) -> str:
    last = state.numbers[-1]
    if len(state.numbers) == 1:
        return f"The first number is {last:g}, and so is the mean."
    way = "up" if state.move > 0 else "down"
    moved = f"moves {way} by {abs(state.move):g}, to {state.mean:g}" if state.move else f"stays at {state.mean:g}"
    return f"Number {len(state.numbers)} is {last:g}: the mean {moved}."


def table(order: str) -> Table:
    columns = (
        Column("count", "numbers so far"),
        Column("number", "number"),
        Column("move", "move of the mean", digits=2),
        Column("mean", "mean", digits=2),
    )
    return Table(columns, [(len(one.numbers), one.numbers[-1], one.move, one.mean) for one in steps(order)])


def values(order: str) -> dict[str, Value]:
    done = steps(order)
    return {"mean": Value(done[-1].mean), "count": Value(len(done))}


SCENE = Scene(
    title="How does a mean follow numbers that come one at a time?",
    summary="Each number moves the mean towards itself, by its distance divided by how many numbers have come.",
    params=(Choice("order", "Order of the numbers", ORDERS),),
    sentence="Take the numbers {order}.",
    steps=steps,
    draw=draw,
    say=say,
    table=table,
    values=values,
    opening=4,
    key_steps=(1, 4, -1),
    sources=("welford1962",),
    leaves_out="Five small numbers that binary fractions hold exactly, nearly without rounding. "
    "With millions of them each step rounds a little, and the spread of the numbers matters as much as their mean.",
)
