"""Pipelining: how many tiles must be on their way so that the arithmetic never waits for memory."""

from __future__ import annotations

from loom.draw import count, percent, significant
from loom.scene import Choice, Column, Moment, Phase, Scene, Table, Value, evenly

from . import measured
from .drawing import draw
from .machine import asked, say_machine, sweeping
from .model import COMPUTES, FITS, LATENCIES, STAGE_KB, STAGES, TRANSFER, UNIT, WINDOW, Pipeline, solve
from .rhythm import measuring

PACE = 0.3  # seconds for a unit of time


def say_fill(moment: Moment) -> str:
    one = moment.result
    loads = f"{one.stages} loads are on their way at once" if one.stages > 1 else "one load is on its way at a time"
    return (
        f"A tile lands in its buffer {one.latency} cycles after it is asked for. Until then the arithmetic can only "
        f"wait. With {count(one.stages, 'buffer')}, {loads}."
    )


def say_run(moment: Moment) -> str:
    one = moment.result
    if one.stages == 1:
        return (
            "A buffer can’t be filled while it is read, so one buffer means waiting for every load: "
            f"{count(one.done, 'tile')} in {WINDOW:,} cycles."
        )
    return (
        f"A buffer is filled again as soon as it has been read. In {WINDOW:,} cycles {count(one.done, 'tile')} are "
        f"done, where one buffer would have done {one.alone.done}."
    )


def say_steady(moment: Moment) -> str:
    one = moment.result
    if one.bound == "compute":
        spare = f"; {one.needed} would have done it" if one.stages > one.needed else ""
        return (
            f"The next tile is always there in time: one every {one.compute} cycles, and the arithmetic never waits. "
            f"That takes {count(one.stages, 'buffer')}{spare}."
        )
    shared = f", shared by {one.stages}: a tile every {significant(round(one.period))}" if one.stages > 1 else ""
    return (
        f"A buffer’s round trip takes {one.latency} + {one.compute} = {one.trip:,} cycles{shared}. The arithmetic "
        f"waits {percent(one.stall())} of the time; from {one.needed} buffers on, never."
    )


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
        "window": Value(WINDOW, "cycles"),
        "fits_a100": Value(FITS["A100"]),
        "fits_h100": Value(FITS["H100"]),
        **measured.values(),
    }


SCENE = Scene(
    title="How many buffers until the arithmetic never waits?",
    summary="Loads that run ahead into a few buffers hide the latency of memory, until the arithmetic is busy all the "
    "time and further buffers only cost shared memory.",
    params=(
        Choice("stages", "Buffers", {number: count(number, "buffer") for number in STAGES}, default=2),
        Choice("latency", "Load takes", LATENCIES, default=600),
        Choice("compute", "Arithmetic takes", COMPUTES, default=200),
    ),
    sentence="Have {stages}; a load takes {latency} cycles, the arithmetic {compute}.",
    solve=solve,
    steps=(
        Phase("fill", say_fill, beats=lambda moment: _units(moment.result.latency)),
        Phase("run", say_run, beats=lambda moment: _units(WINDOW - moment.result.latency)),
        Phase("steady", say_steady, beats=measuring),
        Phase("machine", say_machine, asked, sweeping),
    ),
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(1, 3),
    sources=("modular-mm2fa", "cutlass-efficient-gemm", "modular-bw3"),
    leaves_out="One block on one SM, and every load takes the same time; the memory pipe passes one tile at a time, "
    f"{TRANSFER} cycles each, so loads that were asked for together land one after another. Real latency varies, more "
    "so as the pipe fills, so a buffer more than the formula asks for is no waste. Where several blocks share an SM, "
    "one computes while another waits: that hides latency as well, but the blocks share the memory. Asking for a "
    "load, barriers and the loop itself cost cycles too, and so does the epilogue, which writes the result and may "
    "need shared memory of its own. The times are round numbers, set apart from the tile: in truth a larger tile "
    "takes longer to load and to compute, and leaves room for fewer buffers. Buffers are called stages in CUTLASS. "
    "On the H100, tiles have 4 KB, and loops and barriers count as arithmetic; with every SM at work the formula was "
    "up to 28% too fast.",
)


def _units(cycles: int) -> tuple[float, ...]:
    return evenly(cycles // UNIT, PACE * cycles / UNIT)
