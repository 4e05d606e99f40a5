"""Batching: requests that share four slots, batch after batch or step by step, and how long they queue."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .case import FEW, NAMES, STREAM, Case
from .drawing import draw
from .model import CONTINUOUS, EIGHT, MEAN, POLICIES, SPAN, STATIC
from .narration import PHASES
from .queueing import LOADS, limit, longest


def table(case: Case) -> Table:
    columns = (
        Column("request", "request"),
        Column("arrival", "arrives", "steps"),
        Column("tokens", "tokens"),
        Column("static_wait", "static: waits", "steps"),
        Column("static_latency", "to its answer", "steps"),
        Column("continuous_wait", "continuous: waits", "steps"),
        Column("continuous_first", "to its first token", "steps"),
        Column("continuous_latency", "to its last", "steps"),
    )
    static, continuous = (POLICIES[policy](EIGHT) for policy in (STATIC, CONTINUOUS))
    rows = zip(NAMES, static, continuous, strict=True)
    return Table(columns, [(name, one.arrival, one.tokens, one.wait, one.latency, other.wait, other.wait + 1,
                            other.latency) for name, one, other in rows])  # fmt: skip


def values(case: Case) -> dict[str, Value]:
    eight, digits = case.eight, 2 if case.policy == STATIC else 4
    found = {
        "steps": Value(eight.steps),
        "used": Value(eight.used(eight.steps), "%"),
        "latency": Value(eight.latency, digits=digits),
        "queued": Value(eight.wait),
        "early": Value(eight.taken(), digits=digits),
        "tokens": Value(eight.tokens),
        "rate": Value(100 * case.rate),
        "wait": Value(case.wait),
        "present": Value(case.present),
        "limit": Value(case.limit, "%"),
        "growth": Value(case.growth),
        "longest": Value(longest()),
        "requests": Value(len(case.stream.served)),
        "left": Value(case.stream.waiting(SPAN)),
        "busy": Value(case.stream.used(SPAN), "%"),
    }
    return found | {f"limit{slots}": Value(limit(STATIC, MEAN, slots), "%") for slots in (8, 32, 128)}


SCENE = Scene(
    title="Who waits for whom?",
    summary="Requests want a token in every step, and a server has four slots. Batch after batch, short requests and "
    "newcomers wait for the longest one; step by step, a free slot is taken at once. A queue runs away when more comes "
    "than the slots that are used can give.",
    params=(
        Choice("traffic", "Requests", {FEW: "eight requests", STREAM: "a stream"}),
        Choice("policy", "Batching", {STATIC: "static", CONTINUOUS: "continuous"}),
        Range("load", "Load", {load: f"{load}%" for load in LOADS}, default=60, when={"traffic": (STREAM,)}),
    ),
    sentence="Serve {traffic} by {policy} batching[ at {load} load].",
    solve=Case,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(-1,),
    still=219,  # the queue and the slots
    sources=("orca", "vllm", "littles-law"),
    leaves_out="Every step takes as long, whoever is in it, and prompts cost nothing: what they cost is the scene on "
    "chunked prefill. Four slots stand for what the cache has room for; servers have tens to hundreds, and take a "
    "request in when blocks for its cache are free. The static server starts as soon as somebody waits and hands over "
    "all answers when its batch ends; it could wait for a full batch, or send finished answers early. Lengths in the "
    "stream are geometric, 100 tokens on average, and times between arrivals exponential, the same draws at every "
    "load; real traffic comes in bursts and waits longer. Mean waits are those of 18,000 requests behind 2,000 that "
    "fill the server; near the limit they still depend on the draws.",
)
