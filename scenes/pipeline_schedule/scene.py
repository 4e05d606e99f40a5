"""Schedules of a pipeline: where its GPUs are idle, and what each schedule gives for less of it."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Range, Scene, Table, Value

from .curve import COUNTS
from .drawing import draw
from .model import SCHEDULES, Pipeline, solve
from .narration import NAMES, PHASES

STAGES = {number: count(number, "GPU") for number in (2, 4, 8, 16)}
BATCHES = {one: count(one, "microbatch", "microbatches") for one in COUNTS}
OPTIONS = {name: NAMES[name] for name in SCHEDULES}


def table(case: Pipeline) -> Table:
    columns = (
        Column("schedule", "schedule"),
        Column("microbatches", "microbatches"),
        Column("time", "time", "forwards", digits=1),
        Column("share", "of the time", "%", digits=1),
        Column("ratio", "of the work", "%", digits=1),
        Column("first", "held by GPU 1", digits=1),
    )
    cases = [solve(name, case.stages, case.asked) for name in SCHEDULES]
    return Table(columns, [(NAMES[one.schedule], one.microbatches, one.time, one.share, one.ratio,
                            one.peaks[0]) for one in cases])  # fmt: skip


def values(case: Pipeline) -> dict[str, Value]:
    return {
        "share": Value(case.share, "%", digits=3),
        "ratio": Value(case.ratio, "%", digits=3),
        "time": Value(case.time),
        "ideal": Value(case.ideal),
        "idle": Value(case.idle),
        "peak": Value(case.peaks[0]),
        "last": Value(case.peaks[-1]),
        "shown": Value(case.microbatches),
    }


SCENE = Scene(
    title="Where is the idle time of a pipeline?",
    summary="Each GPU holds some layers and waits for the one before it, and on the way back for the one behind. More "
    "microbatches make the gaps matter less; schedules trade memory, messages and copies of weights for smaller gaps.",
    params=(
        Choice("stages", "Stages", STAGES, default=4),
        Choice("schedule", "Schedule", OPTIONS, default="1f1b"),
        Range("microbatches", "Microbatches", BATCHES, default=8),
    ),
    sentence="Send {microbatches} through {stages} by {schedule}.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(2, -1),
    sources=("gpipe", "megatron-ptdp", "zero-bubble", "dualpipe", "seq-parallel", "megatron-repo", "llama-3"),
    leaves_out="What is sent arrives at once, all stages take the same time, and a backward takes twice a forward. "
    "Real stages differ: the first has the embedding, the last the head and the loss. Interleaving, here with two "
    "parts of the model on a GPU, sends twice as many messages. It takes at least as many microbatches as there are "
    "GPUs, and DualPipe twice as many: for fewer, that many are shown. A microbatch counts as held until all its "
    "gradients are there; what the weights’ gradients still need is less than the rest, and with recomputation a stage "
    "holds only its inputs. DualPipe’s main point is not shown: its pairs hide the messages between experts behind "
    "arithmetic. Here a pair takes as long as its two halves. Without a bubble at the end, the optimizer’s step can’t "
    "wait for a norm over all gradients. ZB-H2, V-shaped schedules and DualPipeV are left out. Where turns are too "
    "many or too narrow to be seen, a stretch of them is shared by height as they share its time.",
)
