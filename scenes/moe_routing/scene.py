"""Mixture of experts: tokens travel to their experts, and the slots of the last tiles run empty."""

from __future__ import annotations

from loom.scene import Choice, Column, Scene, Table, Value

from . import model
from .drawing import draw
from .flow import SHARED, WAITED, Flow, State
from .narration import say


def flow_of(tokens: int, experts: int, top_k: int, routing: str, capacity: str, tile: int) -> Flow:
    """Route a batch and give every copy its slot."""
    slots = model.capacity_slots(tokens, experts, top_k, capacity)
    run = model.dispatch(model.route(tokens, experts, top_k, routing), experts, slots, tile)
    return Flow(tokens, experts, top_k, slots, run)


def steps(**params: int | str) -> list[State]:
    batch = flow_of(**params)
    return [State(batch, step) for step in range(1, WAITED + 1)]


def table(**params: int | str) -> Table:
    columns = (
        Column("expert", "expert"),
        Column("kept_tokens", "kept", "tokens"),
        Column("tiles", "tiles"),
        Column("padded_slots", "padded", "slots"),
        Column("dropped", "dropped", "tokens"),
    )
    return Table(columns, model.table_rows(flow_of(**params).run))


def values(**params: int | str) -> dict[str, Value]:
    units = {"useful": "%", "slots_run": "slots", "busiest_expert": "tokens", "straggler": "×"}
    totals = model.values(flow_of(**params).run)
    return {name: Value(value, units.get(name, "")) for name, value in totals.items()}


SCENE = Scene(
    title="Where do the tokens go, and which slots run empty?",
    summary="Tokens travel from a queue to their experts. A full expert drops what comes later, "
    "the last tiles are filled up with padding, and the busiest expert keeps the others waiting.",
    params=(
        Choice("tokens", "Tokens", (32, 128)),
        Choice("experts", "Experts", (4, 8, 16)),
        Choice("top_k", "Experts for each token", (1, 2, 4)),
        Choice("routing", "Routing", tuple(model.ROUTINGS), default="skewed"),
        Choice("capacity", "Capacity factor", ("off", "1.0", "1.25", "2.0")),
        Choice("tile", "Slots in a tile", (8, 16)),
    ),
    sentence="Send {tokens} tokens to {top_k} of {experts} experts each, with {routing} routing, "
    "a capacity factor of {capacity} and tiles of {tile} slots.",
    steps=steps,
    draw=draw,
    say=say,
    table=table,
    values=values,
    opening=SHARED,
    key_steps=(1, 5, SHARED, WAITED),
    split=("tokens", "experts", "top_k", "routing", "tile"),
    sources=("switch", "gshard", "megablocks", "scattermoe", "deepseek-v3", "deepgemm"),
    leaves_out="The router is a seeded draw, and all experts are equally fast. "
    "Real tiles have 64 to 128 rows, and the way to an expert on another GPU takes time. "
    "Dropping is first come, first served, as in Switch Transformers, which computed an expert's whole "
    "buffer up to its capacity; here only tiles that hold a token run. "
    "Today's stacks have no capacity and drop nothing, among them MegaBlocks and DeepSeek-V3. "
    "ScatterMoE gathers the tokens inside the kernel, so that no padded copy is ever stored.",
)
