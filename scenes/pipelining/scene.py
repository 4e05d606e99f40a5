"""Pipelining: how many tiles must be on their way so that the arithmetic never waits for memory."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .model import COMPUTES, FITS, LATENCIES, STAGE_KB, STAGES, TRANSFERS, Pipeline, solve
from .narration import PHASES


def table(one: Pipeline) -> Table:
    columns = (
        Column("stages", "stages"),
        Column("period", "period", "cycles/tile", digits=1),
        Column("stall", "compute waits", "%", digits=1),
        Column("speedup", "speed-up", "×", digits=2),
        Column("shared", "shared memory", "KB of 1,024 B"),
    )
    periods = [(stages, float(one.over(stages))) for stages in range(1, 7)]
    rows = [(stages, each, one.stall(each), one.trip / each, stages * STAGE_KB) for stages, each in periods]
    return Table(columns, rows)


def values(one: Pipeline) -> dict[str, Value]:
    return {
        "period": Value(one.period, "cycles"),
        "stall": Value(one.stall(), "%"),
        "needed": Value(one.needed),
        "speedup": Value(one.trip / one.period, "×"),
        "shared": Value(one.stages * STAGE_KB, "KB"),
        "stage": Value(STAGE_KB, "KB"),
        "needed_shared": Value(one.needed * STAGE_KB, "KB"),
        "trip": Value(one.trip, "cycles"),
        "done": Value(one.done),
        "window": Value(one.window, "cycles"),
        "fits_a100": Value(FITS["A100"]),
        "fits_h100": Value(FITS["H100"]),
    }


SCENE = Scene(
    title="How many tiles must be on their way so that the arithmetic never waits?",
    summary="Loads that run ahead into a few buffers hide the latency of memory, until the arithmetic or the memory "
    "pipe is busy all the time and further buffers only cost shared memory.",
    params=(
        Range("stages", "Stages", {number: count(number, "stage") for number in STAGES}, default=2),
        Range("latency", "Load lands after", LATENCIES, default=600, unit="cycles"),
        Range("compute", "Arithmetic takes", COMPUTES, default=200, unit="cycles"),
        Choice(
            "transfer",
            "Memory pipe",
            {number: f"{number} cycles" for number in TRANSFERS},
            default=100,
            when={"latency": [latency for latency in LATENCIES if latency >= max(TRANSFERS)]},
        ),
    ),
    sentence="Let each tile fill the memory pipe for {transfer}.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(3, 4),
    sources=("modular-mm2fa", "cutlass-efficient-gemm", "modular-bw3"),
    leaves_out="One block on one SM, and every load takes the same time. Real latency varies, more so as the memory "
    "pipe fills, so a stage more than the formula asks for is no waste. Where several blocks share an SM, one "
    "computes while another waits: that hides latency as well, but the blocks share the memory. Asking for a load, "
    "barriers and the loop itself cost cycles too, and so does the epilogue, which writes the result and may need "
    "shared memory of its own. The times are round numbers, set apart from the tile: in "
    "truth a larger tile takes longer to load and to compute, and leaves room for fewer stages.",
)
