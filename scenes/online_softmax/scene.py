"""Online softmax: four tiles of keys go by, and the running result ends on the exact one."""

from __future__ import annotations

from loom.draw import number
from loom.scene import Choice, Column, Scene, Table, Value

from .balance import EXACT
from .drawing import draw
from .model import ORDERS, TILES, State, TileStep, solve, steps


def say(state: State) -> str:
    """What one tile does to the balance, in the order in which its beats show it."""
    tile, (m_before, _, _) = state.tile, state.tile.before
    before, now, output = number(m_before), number(tile.after[0]), f"{tile.output:.3f}"
    if state.at == 0:
        words = (
            f"Each key weighs e^(score\u00a0−\u00a0m), where m = {now} is the largest score so far. "
            "At their values they balance"
        )
    elif tile.rescale < 1:
        words = (
            f"Tile {tile.tile} lifts m from {before} to {now}: what is kept shrinks in place to "
            f"e^({before}\u00a0−\u00a0{now}) = {tile.rescale:.3f}. With the new keys it balances"
        )
    else:
        words = (
            f"Tile {tile.tile} has no score above m = {before}: what is kept stays as it is. "
            "With the new keys it balances"
        )
    return f"{words} at {output}{', as all 16 at once do' if state.ended else ''}."


def table(tiles: list[TileStep]) -> Table:
    columns = (
        Column("tile", "tile"),
        Column("tile_max", "tile max", digits=1),
        Column("running_max_m", "running max m", digits=1),
        Column("rescale", "rescale", digits=3),
        Column("denominator_l", "denominator l", digits=2),
        Column("output_o_l", "output O/l", digits=3),
    )
    rows = [(one.tile, one.tile_max, one.after[0], one.rescale, one.after[1], one.output) for one in tiles]
    return Table(columns, rows)


def values(tiles: list[TileStep]) -> dict[str, Value]:
    last = tiles[-1]
    return {
        "output": Value(last.output, digits=5),
        "exact": Value(EXACT, digits=5),
        "error": Value(abs(last.output - EXACT)),
        "denominator": Value(last.after[1]),
        "maximum": Value(last.after[0]),
        "tiles": Value(len(tiles)),
        "rescales": Value(sum(0 < one.rescale < 1 for one in tiles)),
    }


SCENE = Scene(
    title="How can a softmax be right before all scores are seen?",
    summary="A running maximum, a running sum and a running output take in one tile of keys after another "
    "and end on exactly the softmax of all of them.",
    params=(
        Choice("order", "Order of the tiles", ORDERS),
        Choice("tile", "Keys in a tile", TILES, default=4),
    ),
    sentence="Take tiles of {tile} keys {order}.",
    solve=solve,
    steps=steps,
    draw=draw,
    say=say,
    table=table,
    values=values,
    opening=2,
    key_steps=(1, 2, -1),
    sources=("online-softmax", "fa1", "fa2", "fa-repo"),
    leaves_out="One query and values of one number each; a real kernel does this for 64 to 256 queries at once, with "
    "vectors of 64 to 512 numbers as values, in tiles of 64 to 224 keys. It computes exponentials to base 2, keeps m "
    "and l in registers in FP32. FlashAttention-4 puts a rescale off until the maximum has grown by a factor of 256 "
    "in the exponentials, and so measures from an older maximum; the quotient O/l is the same.",
)
