"""Expert parallelism: a token's trip to experts on other GPUs, and the GPU that everybody waits for."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .loads import LIMITS, SKEWS
from .model import BACK, OUT, Case
from .narration import PHASES
from .placing import LOCAL, PLACED
from .router import EXPERTS, GPUS, NODES, PICKED, TOKENS

COLUMNS = (
    Column("node", "node"),
    Column("visits", "visits"),
    Column("fullest", "fullest GPU", "visits"),
    Column("share", "fullest over mean", "×", digits=2),
)


def table(case: Case) -> Table:
    nodes = case.loads.reshape(NODES, LOCAL)
    return Table(COLUMNS, [(node, int(loads.sum()), int(loads.max()), float(loads.max() / case.mean))
                           for node, loads in enumerate(nodes)])  # fmt: skip


def values(case: Case) -> dict[str, Value]:
    return {
        "dispatch": Value(case.dispatch, "B"),
        "combine": Value(case.combine, "B"),
        "naive": Value(PICKED * OUT, "B"),
        "naive_back": Value(PICKED * BACK, "B"),
        "copy": Value(OUT, "B"),
        "result": Value(BACK, "B"),
        "nodes": Value(case.nodes),
        "gpus": Value(case.batch.gpus),
        "wanted": Value(case.batch.wanted),
        "slowest": Value(case.slowest, "×"),
        "fullest": Value(int(case.loads.max()), "visits"),
        "mean": Value(case.mean, "visits"),
        "expert": Value(float(case.batch.counts.max() / case.batch.counts.mean()), "×"),
        "dispatch_time": Value(case.dispatch_time, "s"),
        "combine_time": Value(case.combine_time, "s"),
        "work": Value(case.work, "s"),
        "waiting": Value(case.waiting, "s"),
        "time": Value(case.time, "s"),
    }


SCENE = Scene(
    title="What does a visit to experts cost?",
    summary=f"A token leaves for {PICKED} experts on {GPUS} GPUs, one copy for each node that it visits, and comes "
    "back as one sum from each. The GPU whose experts are picked most keeps all others waiting.",
    params=(
        Range("popularity", "Skew", {skew: f"{skew:g}" for skew in SKEWS}, default=0.5),
        Choice("limit", "Nodes", LIMITS, default=4),
        Choice("placement", "Experts", PLACED),
    ),
    sentence="Let tokens visit {limit}, experts {placement}, skew\u00a0{popularity}.",
    solve=Case,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=2,
    key_steps=(2, -1),
    sources=("deepseek-v3", "deepep", "eplb"),
    leaves_out=f"The shape is that of DeepSeek-V3: {EXPERTS} experts in a layer, {PICKED} for each token, at most 4 "
    f"nodes in training, a hidden width of 7,168. The routers are toys: seeded draws for {TOKENS:,} tokens, "
    "equally popular experts or a Zipf law with the skew as its exponent, the most popular first; the token that is "
    "followed is of the first, with experts in order. A trained router is kept near balance by a bias on its choices, "
    "and its experts do not lie in order of popularity. Placing knows the counts of this very batch without a limit; "
    "deployments use those of earlier traffic, and for prefill, DeepSeek’s balancer keeps a router’s groups together; "
    "here the experts of a node are a group. Copies are one more expert on each GPU, shared by turns; in its report "
    "V3 has 32 in prefill, 9 experts on each of 32 GPUs. Times are for a card of 50 GB/s and FP8 arithmetic at an "
    f"H100’s peak where each GPU brings {TOKENS:,} tokens, one part after another. "
    "In truth a visit to the own node needs no network, NVLink takes time too, popular nodes receive more, and "
    "V3 computes one batch while another travels. The shared expert, which every GPU has, is left out.",
)
