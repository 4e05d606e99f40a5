"""Paged attention: requests come, grow and end; one memory keeps a piece for each, the other hands out blocks."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Range, Scene, Table, Toggle, Value

from .drawing import draw
from .model import BLOCKS, MEAN_LENGTH, NAMES, SLOTS, TELLING, tail_waste
from .narration import name_of, say
from .steps import CONTIGUOUS, PAGED, Telling, solve, steps

FOR_PAGED = {"layout": (PAGED,)}


def table(telling: Telling) -> Table:
    columns = (
        Column("step", "step"),
        Column("event", "event"),
        Column("live", "live tokens", "tokens"),
        Column("allocated", "slots taken", "slots"),
        Column("waste_inside", "taken, no token", "slots"),
        Column("waste_outside", "free, of no use", "slots"),
        Column("live_share", "live share", "%", digits=1),
        Column("waiting", "waiting", "requests"),
    )
    rows = [
        (step, name_of(now.event), now.live, now.taken, now.inside, now.outside, now.live_share, len(now.waiting))
        for step, now in enumerate(telling.chosen, 1)
    ]
    return Table(columns, rows)


def values(telling: Telling) -> dict[str, Value]:
    story, tail = telling.chosen, tail_waste(telling.block)
    told, last = story[TELLING - 1], story[-1]
    return {
        "live": Value(told.live_share, "%"),
        "live_memory": Value(100 * told.live / SLOTS, "%"),
        "worst_live": Value(min(now.live_share for now in story), "%"),
        "last_live": Value(last.live_share, "%"),
        "waiting": Value(len(told.waiting)),
        "admitted": Value(len(last.running)),
        "refused": Value(len(last.waiting)),
        "free": Value(told.free, "slots"),
        "hole": Value(max((size for _, size in told.holes), default=0), "slots"),
        "need": Value(NAMES[told.event.names].most, "slots"),
        "tail": Value(tail, "tokens"),
        "tail_share": Value(100 * tail / (MEAN_LENGTH + tail), "%", digits=2),
        "saved": Value(last.saved, "tokens"),
        "copies": Value(sum(len(now.copies) for now in story)),
    }


SCENE = Scene(
    title="Why can free memory be of no use?",
    summary="Requests come, grow token by token and end. If each reserves one piece of memory, free slots lie in holes "
    "that are too small; in blocks of a few tokens, any free block will do.",
    params=(
        Choice("layout", "Memory", {CONTIGUOUS: "in one piece", PAGED: "in blocks"}),
        Range("block", "Slots in a block", {size: count(size, "slot") for size in BLOCKS}, default=16, when=FOR_PAGED),
        Toggle("sharing", "Equal prompts stored once", default=True, when=FOR_PAGED),
    ),
    sentence="Keep each request {layout}[ of {block}][, prompts shared: {sharing}].",
    solve=solve,
    steps=steps,
    draw=draw,
    say=say,
    table=table,
    values=values,
    opening=TELLING,
    key_steps=(TELLING,),
    sources=("vllm", "modular-paged"),
    leaves_out="A real memory holds tens of thousands of tokens. The lengths in this story are made up, so its "
    "percentages are its own. In the paper’s measurements, tokens filled 20.4% to 38.2% of the memory in three "
    "versions of an earlier system, and 96.3% in vLLM. Their pieces came from a buddy allocator or the like, not from "
    "the first hole that fits. Dashed and hatched slots are told apart with knowledge that no server has. "
    "When blocks run out while requests write, vLLM drops the latest request and brings its cache back later; "
    "here, blocks suffice. The paper also shares the last, partly filled block of a prompt, as here; a prefix cache "
    "may share whole blocks only. "
    "Small blocks waste least, but a kernel reads them less well, so 16 is common. Tables have a price too: the "
    "paper’s attention kernel took 20% to 26% longer than one that needs none.",
)
