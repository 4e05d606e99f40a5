"""Online softmax: four tiles of keys go by, and the running result ends on the exact one."""

from __future__ import annotations

from collections.abc import Sequence

from loom.scene import Choice, Column, Scene, Table, Value

from .drawing import EXACT, TILES, draw
from .model import ORDERS, SCORES, VALUES, State, online_softmax, steps


def say(state: State) -> str:
    tile, (m_before, _, _) = state.tile, state.tile.before
    scores = ", ".join(f"{score:g}" for score in SCORES[tile.keys]).replace("-", "−")
    last = state.at == len(state.tiles) - 1
    if state.phase == "load":
        return f"Tile {tile.tile} arrives with the scores {scores}. Only these {len(tile.keys)} are held at once."
    if state.phase == "max":
        if m_before == -float("inf"):
            return f"Its largest score, {tile.tile_max:g}, becomes the running maximum m."
        if tile.tile_max > m_before:
            return f"Its largest score is {tile.tile_max:g}, more than m = {m_before:g}: the running maximum moves up."
        return f"Its largest score is {tile.tile_max:g}, no more than m = {m_before:g}: the running maximum stays."
    if state.phase == "rescale":
        if state.at == 0:
            return "Nothing has been summed yet, so there is nothing to rescale: the factor is e^(−∞) = 0."
        if tile.rescale == 1:
            seen = "the sum" if state.at == 1 else f"the sums over {state.at} tiles"
            return f"The maximum did not move, so {seen} keep their size: the factor is 1."
        power = f"e^({m_before:g}\u00a0−\u00a0{tile.after[0]:g})".replace("(-", "(−")
        return (
            f"Both sums were measured against {m_before:g}. "
            f"To measure them against {tile.after[0]:g}, multiply both by {power} = {tile.rescale:.3f}."
        )
    end = f", the exact softmax of all {len(SCORES)} keys." if last else f"; the exact result is {EXACT:.3f}."
    return f"Tile {tile.tile} is added: l = {tile.after[1]:.2f} and O/l = {tile.output:.3f}{end}"


def table(order: str, tile: int) -> Table:
    columns = (
        Column("tile", "tile"),
        Column("tile_max", "tile max", digits=1),
        Column("running_max_m", "running max m", digits=1),
        Column("rescale", "rescale", digits=3),
        Column("denominator_l", "denominator l", digits=2),
        Column("output_o_l", "output O/l", digits=3),
    )
    rows: Sequence[Sequence[float | str]] = [
        (step.tile, step.tile_max, step.after[0], step.rescale, step.after[1], step.output)
        for step in online_softmax(SCORES, VALUES, tile, order)
    ]
    return Table(columns, rows)


def values(order: str, tile: int) -> dict[str, Value]:
    done = online_softmax(SCORES, VALUES, tile, order)
    return {
        "output": Value(done[-1].output, digits=5),
        "exact": Value(EXACT, digits=5),
        "error": Value(abs(done[-1].output - EXACT)),
        "denominator": Value(done[-1].after[1]),
        "maximum": Value(done[-1].after[0]),
        "tiles": Value(len(done)),
        "rescales": Value(sum(0 < step.rescale < 1 for step in done)),
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
