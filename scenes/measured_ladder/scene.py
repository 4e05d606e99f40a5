"""The ladder of a matrix product on GPUs that we asked: what was expected of each rung, and what came."""

from __future__ import annotations

from loom.scene import Choice, Column, Moment, Phase, Scene, Table, Value

from .climb import climbing, setting
from .drawing import draw, shown
from .model import SIDE, TERA, Ladder, known, solve
from .rungs import NAMES


def table(ladder: Ladder) -> Table:
    columns = (
        Column("rung", "kernel"),
        Column("predicted", "model", "TFLOP/s", digits=2),
        Column("measured", "measured", "TFLOP/s", digits=2),
        Column("least", "least", "TFLOP/s", digits=2),
        Column("most", "most", "TFLOP/s", digits=2),
        Column("ratio", "measured over model", "×", digits=2),
    )
    rows = [(one.rung.name, one.predicted, one.measured, one.least, one.most, one.ratio) for one in ladder.speeds]
    return Table(columns, rows)


def values(ladder: Ladder) -> dict[str, Value]:
    named = {"times": Value(ladder.times, "×")}
    for one in ladder.speeds:
        named[f"{one.rung.id}_model"] = Value(one.predicted, "TFLOP/s")
        named[f"{one.rung.id}_measured"] = Value(one.measured, "TFLOP/s")
        named[f"{one.rung.id}_ratio"] = Value(one.ratio, "×", digits=2)
    for point in ladder.series("off_grid", "FLOP/s").points:
        named[f"side_{point.at['side']:.0f}"] = Value(point.median / TERA, "TFLOP/s")
    for name, unit, scale in (("burst", "FLOP/s", TERA), ("sustained", "FLOP/s", TERA), ("clock", "Hz", 1e9),
                              ("power", "W", 1.0)):  # fmt: skip
        for point in ladder.series(name, unit).points:
            spoken = {"FLOP/s": "TFLOP/s", "Hz": "GHz"}.get(unit, unit)
            named[f"{name}_{point.at['data']}"] = Value(point.median / scale, spoken)
    for point in ladder.series("stages", "FLOP/s").points:
        named[f"stages_{point.at['tile']}_{point.at['stages']:.0f}"] = Value(point.median / TERA, "TFLOP/s")
    return named


def say_model(moment: Moment) -> str:
    one = moment.result.chosen
    limit = one.rung.limit
    whose = f"The {limit}" if limit.endswith("peak") else f"{limit[0].upper()}{limit[1:]}"
    return f"{one.rung.change} {whose} would allow {shown(one.predicted)} TFLOP/s."


def say_measured(moment: Moment) -> str:
    one = moment.result.chosen
    return f"{shown(one.measured)} TFLOP/s came, where {shown(one.predicted)} were expected. {one.rung.why}"


SCENE = Scene(
    title="What held each kernel up?",
    summary=f"One product of {SIDE:,} rows and columns by thirteen kernels, from four lines to NVIDIA’s library: what "
    "a simple model expects of each, and what a real GPU did.",
    params=(
        Choice("gpu", "GPU", {part: part for part in known()}),
        Choice("rung", "Kernel", NAMES, default="wmma_64"),
    ),
    sentence="On an {gpu}, run {rung}.",
    solve=solve,
    steps=(Phase("model", say_model, beats=setting), Phase("measured", say_measured, beats=climbing)),
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(-1,),
    sources=("h100-whitepaper", "hgx-platform"),
    leaves_out="The first six kernels multiply in FP32 outside the tensor cores. The model gives an SM one wavefront, "
    "128 bytes from L1 or from shared memory, a cycle at 1.98 GHz, counts a word for every operand that a thread "
    "takes, and caps the result at the data sheet’s peak, tensor cores at 1.83 GHz. Waiting is left out of it, and so "
    "is power: hence the gaps of the later rungs. Formats change on the way, from FP32 to BF16. One board of each GPU, "
    "its clocks and power limit as found; a ring is the median of 20 repetitions, of five for the slowest kernel. "
    "Those of Triton and cuBLAS are bursts of some milliseconds after a short rest, lest the power limit cut in. "
    "Output was compared with double precision. What is said of causes was not measured apart, but for loads and "
    "sectors, which counters gave. Triton’s tiles have four stages. The programs are in the folder "
    "measurements/matmul.",
)
