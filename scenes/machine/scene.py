"""The machine: a GPU's memories to scale, and where a load finds its number."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .._gpus.memory import MB
from . import measured
from .drawing import draw
from .model import HBM, MACHINES, SIZES, Sent, solve, spelled
from .narration import PHASES


def table(sent: Sent) -> Table:
    """All levels of the chosen GPU, whatever the size."""
    columns = (
        Column("level", "level"),
        Column("holds", "holds"),
        Column("cycles", "cycles"),
        Column("time", "time", "ns", digits=3),
        Column("rate", "of all SMs", "TB/s", digits=3),
        Column("measured", "measured by us", "cycles"),
    )
    seen = measured.by_level(sent.gpu.name)
    rows = [
        (level.name, f"{level.holds / 1e9:.0f} GB" if level.name == HBM else spelled(level.holds), level.cycles,
         1e9 * level.cycles / sent.gpu.clock, level.rate / 1e12 if level.rate else "not known",
         seen.get(level.name, "–"))
        for level in sent.levels
    ]  # fmt: skip
    return Table(columns, rows)


def values(sent: Sent) -> dict[str, Value]:
    gpu = sent.gpu
    return {
        "cycles": Value(sent.found.cycles, "cycles"),
        "time": Value(sent.seconds, "s"),
        "sms": Value(gpu.sms),
        "on_chip": Value(gpu.on_chip / MB, "MB"),
        "registers": Value(gpu.sms * 256 / 1024, "MB"),
        "hbm_times": Value(gpu.hbm / gpu.on_chip, digits=2),
        "narrows": Value(gpu.register_rate / gpu.hbm_rate, digits=2),
        **measured.values(gpu.name),
    }


SCENE = Scene(
    title="How far away is a number?",
    summary="A GPU’s memories drawn to scale: what they hold as area, the cycles to reach them as length and the bytes "
    "they hand over each second as width. A load goes outward until it meets the first that holds its data.",
    params=(
        Choice("gpu", "GPU", {name: gpu.part for name, gpu in MACHINES.items()}, default="H100"),
        Range("size", "Data", {size: spelled(size) for size in SIZES}, default=1 << 30),
    ),
    sentence="On {gpu}, a thread reads {size} again and again.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(3,),
    still=164,  # the plan, without the way
    sources=("rrze-gpu-benches", "h100-whitepaper", "ampere-blog", "cuda-cc-tables", "b200-query", "chips-b200",
             "semianalysis-blackwell", "cuda-best-practices"),
    leaves_out="The latencies are those of one thread that follows a chain of addresses, with nothing else under way; "
    "under load they grow. Real steps are not so sharp: a part of L1 may be reserved, replacement is not perfect, and "
    "with shared memory in use L1 is smaller: on an H100 of ours it held between 208 and 224 KB, and L2’s near half "
    "some 24 MB. Its far half is farther than the GH200’s; its SMs may lie elsewhere on the die. Past 64 GB, beyond "
    "this ruler, an H200 took nearly 50 cycles more, perhaps to translate addresses. "
    "An A100 and a GH200 (for the H100) were measured, and an H200 for "
    "the rate of a Hopper’s L2. For a B200 L2’s two halves were not told apart, we know of no rate of its L2 that "
    "we trust, and its HBM was measured with copies that also wait for each other: the 850 cycles are a little "
    "too many. Registers answer only for what one thread holds. The chip’s parts lie as they are easiest to "
    "compare, not as on silicon; what computes is not to scale. The way to HBM fills the width for each GPU. "
    "The rates are those of all SMs together.",
)  # fmt: skip
