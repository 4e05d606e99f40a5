"""A prefix cache: conversations share a tree of blocks, and a prompt is computed from where it leaves the tree."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Scene, Table, Value

from .case import BLOCKS, CAPACITIES, CHANGES, Case
from .drawing import draw
from .model import CHUNK, EACH, HYBRID, LAST, STATE, TOKEN, hundred_chats
from .story import PHASES, name_of
from .workloads import AGENT, CHAT, CHATS, END


def table(case: Case) -> Table:
    columns = (
        Column("request", "request"),
        Column("prompt", "prompt", "tokens"),
        Column("before", "there before", "tokens"),
        Column("found", "found", "tokens"),
        Column("computed", "computed", "tokens"),
        Column("evicted", "had to go for it", "tokens"),
        Column("held", "in memory after it", "tokens"),
    )
    rows = [
        (name_of(case, turn), turn.request.prompt, turn.known, turn.hit, turn.request.prompt - turn.hit,
         turn.evicted * case.block, turn.blocks * case.block)
        for turn in case.cache.turns
    ]  # fmt: skip
    return Table(columns, rows)


def values(case: Case) -> dict[str, Value]:
    cache, work = case.cache, case.cache.workload
    again = [turn.lost for turn in cache.turns]
    return {
        "rate": Value(100 * cache.rate, "%"),
        "unbounded": Value(100 * case.unbounded, "%"),
        "best": Value(100 * sum(work.known) / work.prompts, "%"),
        "hundred": Value(100 * hundred_chats(case.block, case.snapshots), "%"),
        "requests": Value(len(cache.turns)),
        "prompts": Value(work.prompts, "tokens"),
        "found": Value(cache.found, "tokens"),
        "computed": Value(work.prompts - cache.found, "tokens"),
        "again": Value(cache.lost, "tokens"),
        "again_most": Value(max(again), "tokens"),
        "evicted": Value(cache.evicted * case.block, "tokens"),
        "tree": Value(work.tree, "tokens"),
        "memory": Value(cache.most, "tokens"),
        "state": Value(STATE, "bytes"),
        "token": Value(TOKEN, "bytes"),
        "state_tokens": Value(STATE // TOKEN, "tokens"),
        "hybrid_block": Value(HYBRID, "tokens"),
        "short": Value(100 * HYBRID / 552, "%"),
        "long": Value(100 * HYBRID / 979, "%"),
    }


SCENE = Scene(
    title="How much of a prompt is found?",
    summary="Prompts that begin alike share a tree of cached blocks. Each is computed only from where it leaves the "
    "tree; when memory is full, leaves that nobody has used for longest go first.",
    params=(
        Choice("workload", "Workload", {CHAT: "one chat", CHATS: "six chats", AGENT: "an agent’s loop"}, default=CHATS),
        Choice("block", "Blocks", {size: count(size, "token") for size in BLOCKS}, default=16),
        Choice(
            "snapshots",
            "A snapshot",
            {EACH: "each block", LAST: "each prompt"},
            when={"block": (HYBRID,), "workload": (CHATS, AGENT)},
        ),
        Choice(
            "capacity",
            "Memory",
            {size: f"{size:,} tokens" for size in CAPACITIES},
            default=6000,
            when={"workload": (CHATS,)},
        ),
        Choice(
            "change",
            "Changes",
            {place: f"at token {place:,}" if place else "at its end" for place in CHANGES},
            default=END,
            when={"workload": (AGENT,)},
        ),
    ),
    sentence="Serve {workload}, blocks of {block}[, a snapshot behind {snapshots}][, memory {capacity}]"
    "[; its prompt changes {change}].",
    solve=lambda workload, block, snapshots, capacity, change: Case(workload, block, snapshots, capacity, change),
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=5,
    key_steps=(2, -1),
    sources=("vllm-prefix", "sglang-paper", "vllm-40696", "vllm-45238", "vllm-hybrid"),
    leaves_out="The workloads are made up: a system prompt of 1,000 tokens, and turns of 100 tokens with replies of "
    "300; or 20,000 tokens of instructions and tools, results of 2,000 and replies of 500. A request ends before the "
    "next begins, so what runs never competes with what waits; servers run many at once and evict only what none of "
    "them uses. Tokens that fill no whole block are not kept. vLLM finds blocks by a hash of all tokens up to their "
    "end, and may hold equal blocks twice; SGLang keeps a tree and can serve first who finds most. Both evict what was "
    "used least recently, the ends of prompts first, and both can move blocks to slower memory instead. "
    f"A hybrid’s block of {HYBRID} tokens is that of Qwen3.5-4B in vLLM, which for it kept a "
    f"snapshot at the end of each step of prefill, of at most {CHUNK:,} tokens here; snapshots after each block "
    "take memory that is not counted. A hit spares prefill, not decoding: each new "
    "token still reads the whole cache.",
)
