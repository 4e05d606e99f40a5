"""A scene of many steps for the tests of the player: its picture stays when that of the page changes."""

from __future__ import annotations

from loom.draw import number
from loom.scene import Choice, Column, Scene, Table, Value

from .drawing import EXACT, TILES, draw
from .model import ORDERS, SCORES, State, TileStep, solve  # the page's own

PHASES = ("load", "max", "rescale", "add")


def steps(tiles: list[TileStep]) -> list[State]:
    """Every phase of every tile."""
    return [State(tiles, at, phase) for at in range(len(tiles)) for phase in PHASES]


def say(state: State) -> str:
    tile, (m_before, _, _) = state.tile, state.tile.before
    before, now, largest = number(m_before), number(tile.after[0]), number(tile.tile_max)
    if state.phase == "load":
        scores = ", ".join(number(score) for score in SCORES[tile.keys])
        return f"Tile {tile.tile} arrives with the scores {scores}. Only these {len(tile.keys)} are held at once."
    if state.phase == "max":
        if state.at == 0:
            return f"Its largest score, {largest}, becomes the running maximum m."
        if tile.tile_max > m_before:
            return f"Its largest score is {largest}, more than m = {before}: the running maximum moves up."
        return f"Its largest score is {largest}, no more than m = {before}: the running maximum stays."
    if state.phase == "rescale":
        if state.at == 0:
            return "Nothing has been summed yet, so there is nothing to rescale: the factor is e^(−∞) = 0."
        if tile.rescale == 1:
            seen = "the sum" if state.at == 1 else f"the sums over {state.at} tiles"
            return f"The maximum did not move, so {seen} keep their size: the factor is 1."
        power = f"e^({before}\u00a0−\u00a0{now})"
        return (
            f"Both sums were measured against {before}. "
            f"To measure them against {now}, multiply both by {power} = {tile.rescale:.3f}."
        )
    last = state.at == len(state.tiles) - 1
    end = f", the exact softmax of all {len(SCORES)} keys." if last else f"; the exact result is {EXACT:.3f}."
    return f"Tile {tile.tile} is added: l = {tile.after[1]:.2f} and O/l = {tile.output:.3f}{end}"


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
    sentence="Take the tiles {order}, with {tile} keys in each.",
    solve=solve,
    steps=steps,
    draw=draw,
    say=say,
    table=table,
    values=values,
    opening=7,
    key_steps=(4, 7, 8, -1),
    sources=("online-softmax", "fa1", "fa2"),
    leaves_out="One query and values of one number each; a real kernel does this for 64 to 256 queries at once, with "
    "vectors of 64 to 256 numbers as values, in tiles of 64 to 128 keys. It computes exponentials to base 2, keeps m "
    "and l in registers in FP32, and newer kernels skip a rescale whose factor is close to 1 until the end.",
)
