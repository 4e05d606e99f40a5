"""Pipelining: how many tiles must be on their way so that the arithmetic never waits for memory."""

from __future__ import annotations

from loom.draw import count, percent, plain
from loom.scene import Choice, Column, Moment, Phase, Range, Scene, Table, Value

from .drawing import draw
from .model import COMPUTES, ELEMENT, FITS, LATENCIES, LIMITS, STAGE_KB, STAGES, TILE, TRANSFERS, Pipeline, solve
from .timeline import cycles


def say_alone(moment: Moment) -> str:
    one = moment.result.alone
    return (
        "A matrix product goes tile by tile: load a tile into a buffer in shared memory, the small memory beside the "
        "arithmetic, then compute on it. "
        f"With one buffer, a load takes L = {one.latency} cycles, the arithmetic C = {one.compute}, "
        f"and only then the next load begins: {cycles(one.period)} a tile, "
        f"of which the arithmetic waits {percent(one.stall())}."
    )


def say_ahead(moment: Moment) -> str:
    one = moment.result
    most = one.window // one.compute
    if one.stages == 1:
        return (
            "A buffer cannot be filled while it is read, so one buffer, or stage, means waiting for every load: "
            f"{one.alone.done} tiles in {cycles(one.window)}. Arithmetic that never waits would do {most}. "
            "Add a stage to load ahead."
        )
    return (
        f"With {one.stages} buffers, called stages, {one.stages} loads begin at once, and each later one as soon as "
        f"its buffer has been read. The memory pipe passes one tile at a time, T = {one.transfer} cycles each. "
        f"In {cycles(one.window)} {count(one.done, 'tile')} are done, "
        f"not {one.alone.done}; arithmetic that never waits would do {most}."
    )


def say_steady(moment: Moment) -> str:
    say = {"round trip": _bound_by_trip, "compute": _bound_by_compute, "memory": _bound_by_memory}
    return say[moment.result.bound](moment.result)


def _bound_by_trip(one: Pipeline) -> str:
    shared = "" if one.stages == 1 else f"Shared by {one.stages} stages, that is a tile every {cycles(one.period)}. "
    limit = "the arithmetic never waits" if one.compute >= one.transfer else f"memory sets the pace, T = {one.transfer}"
    return (
        f"In the steady state each buffer is always in use: its round trip takes L + C = {cycles(one.trip)}. "
        f"{shared}The arithmetic waits {percent(one.stall())} of the time. From {one.needed} stages on, {limit}."
    )


def _bound_by_compute(one: Pipeline) -> str:
    spare = one.stages - one.needed
    more = (
        f"{count(one.needed, 'stage')} would have done it, {spare} fewer."
        if spare
        else f"It takes these {one.stages} stages: with {one.stages - 1}, "
        f"a tile would take {cycles(float(one.over(one.stages - 1)))}."
    )
    tie = f" The memory pipe, T = {one.transfer} cycles a tile, is full too." if one.compute == one.transfer else ""
    return (
        f"The next tile is always there in time: one every C = {cycles(one.compute)}, "
        f"and after the first load the arithmetic never waits.{tie} {more}"
    )


def _bound_by_memory(one: Pipeline) -> str:
    more = (
        f"Already {count(one.needed, 'stage')} would reach that pace."
        if one.stages > one.needed
        else f"These {one.stages} stages are just enough for it."
    )
    return (
        f"Now memory is the limit: a tile fills its pipe for T = {cycles(one.transfer)}, longer than the arithmetic's "
        f"C = {one.compute}. The arithmetic waits {percent(one.stall())} of the time, "
        f"and no number of stages changes that. {more}"
    )


def say_shared(moment: Moment) -> str:
    one, (rows, columns, depth) = moment.result, TILE
    limits = ", and ".join(f"{limit} KB on an {gpu}, room for {FITS[gpu]}" for gpu, limit in LIMITS.items())
    fitting = [gpu for gpu, most in FITS.items() if one.needed <= most]
    where = "both" if len(fitting) == len(FITS) else f"the {fitting[0]} only" if fitting else ""
    return (
        f"A stage holds a tile of A, {rows} × {depth}, and one of B, {depth} × {columns}, in BF16, {ELEMENT} bytes a "
        f"number: {STAGE_KB} KB of 1,024 bytes. "
        f"{count(one.stages, 'stage')} {'takes' if one.stages == 1 else 'take'} {plain(one.stages * STAGE_KB)} KB; "
        f"one block can have {limits}. The {count(one.needed, 'stage')} after which more do not help take "
        f"{plain(one.needed * STAGE_KB)} KB{f': they fit on {where}' if where else ', more than either has'}."
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
    steps=(
        Phase("alone", say_alone),
        Phase("ahead", say_ahead),
        Phase("steady", say_steady),
        Phase("shared", say_shared),
    ),
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
