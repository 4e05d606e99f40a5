"""Waves: how tiles are shared out over SMs, and what an unfilled last round costs."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Range, Scene, Table, Value

from . import measured
from .drawing import draw
from .model import EPILOGUE, SCHEDULES, SMS, STEPS, Launch, launches
from .narration import PHASES, fastest
from .stage import TILES


def table(launch: Launch) -> Table:
    """All schedules of the tiles, whichever is chosen."""
    columns = (
        Column("schedule", "schedule"),
        Column("blocks", "blocks"),
        Column("waves", "waves"),
        Column("time", "time", "units"),
        Column("busy", "tensor cores busy", "%", digits=1),
        Column("measured", f"as many blocks measured on an {measured.PART}", "µs", digits=1),
    )
    seen = measured.times().get(launch.tiles)
    rows = [
        (SCHEDULES[name], one.blocks, one.rounds, one.time, one.busy,
         1e6 * seen.median if seen and name == "tile" else "–")
        for name, one in launches(launch.tiles).items()
    ]  # fmt: skip
    return Table(columns, rows)


def values(launch: Launch) -> dict[str, Value]:
    return {
        "busy": Value(launch.busy, "%", digits=2),
        "time": Value(launch.time, "units"),
        "waves": Value(launch.rounds),
        "tail": Value(launch.tail),
        "blocks": Value(launch.blocks),
        "best": Value(fastest(launch.tiles).time, "units"),
        **measured.values(),
    }


SCENE = Scene(
    title="What does one tile more cost?",
    summary=f"Tiles of a result are computed in waves on {SMS} SMs; a last wave that is not full leaves SMs idle. "
    "Splitting the loop over k, staying blocks and stream-K shorten or fill it.",
    params=(
        Range("tiles", "Tiles", {tiles: count(tiles, "tile") for tiles in TILES}, default=133),
        Choice("schedule", "Schedule", {name: SCHEDULES[name] for name in SCHEDULES}),
    ),
    sentence="Compute {tiles} with {schedule}.",
    solve=Launch,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=2,
    key_steps=(2,),
    sources=("h100-whitepaper", "cutlass-efficient-gemm", "cutlass-stream-k"),
    leaves_out=f"Times are invented: {STEPS} units for a tile’s loop and {EPILOGUE} for its epilogue, one block on "
    "each SM, and all tiles alike. Real blocks drift apart, share bandwidth and L2, and on a chip at its power limit "
    "idle SMs let the others run faster. Starting a block costs time too, which blocks that stay pay once. The parts "
    "of split-K are added up by a second kernel or in the epilogue, for which nothing more is charged here; stream-K, "
    "for which a second epilogue is, in practice leaves whole waves alone and shares out less than two. An SM that "
    "holds two blocks overlaps their epilogues by itself. Tiles of 128 × 128 are meant where a size of C is named. "
    "The rings are of blocks that only compute, as long as a chain of 10,000 multiply-adds takes, one on an SM at a "
    "time: the share is that of the chains in the whole time. Such blocks have no epilogue; what is missing at a full "
    "wave is the launch, which is paid once, so that the rings climb where the toy’s teeth end at one height.",
)
