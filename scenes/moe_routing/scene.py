"""Mixture of experts: tokens travel to their experts, and the slots of the last tiles run empty."""

from __future__ import annotations

from loom.scene import Choice, Column, Scene, Table, Value

from . import measured
from .drawing import draw
from .model import ROUTINGS, table_rows
from .model import values as totals
from .story import CAPACITIES, STORY, TILE, Flow, flow_of

COLUMNS = (
    Column("expert", "expert"),
    Column("kept_tokens", "kept", "tokens"),
    Column("tiles", "tiles"),
    Column("padded_slots", "padded", "slots"),
    Column("dropped", "dropped", "tokens"),
)
MEASURED = measured.values()
UNITS = {"useful": "%", "slots_run": "slots", "busiest_expert": "tokens", "straggler": "×"}


def values(flow: Flow) -> dict[str, Value]:
    return {name: Value(value, UNITS.get(name, "")) for name, value in totals(flow.run).items()} | MEASURED


SCENE = Scene(
    title="Where do the tokens go?",
    summary="Tokens travel from a queue to their experts. A full expert drops what comes later, "
    "the last tiles are filled up with padding, and the busiest expert keeps the others waiting.",
    params=(
        Choice("routing", "Routing", tuple(ROUTINGS), default="skewed"),
        Choice("experts", "Experts", (4, 8, 16)),
        Choice("capacity", "Capacity factor", CAPACITIES, default="off"),
    ),
    sentence="{experts} experts, {routing}, capacity {capacity}.",
    solve=flow_of,
    steps=STORY,
    draw=draw,
    table=lambda flow: Table(COLUMNS, table_rows(flow.run)),
    values=values,
    opening=-1,  # all that unevenness costs at once; Play starts over from here
    key_steps=(1, -1),
    sources=("switch", "gshard", "megablocks", "scattermoe", "deepseek-v3", "deepgemm"),
    leaves_out="The router is a seeded draw of one expert for each token, and all experts are equally fast. "
    f"Tiles have {TILE} slots here, whatever the load; DeepGEMM’s Mega MoE picks one of six heights from 16 to 240 by "
    "the tokens that it expects. The way to an expert on another GPU takes time. "
    "Dropping is first come, first served, as in Switch Transformers, which computed an expert’s whole "
    "buffer up to its capacity; here only tiles that hold a token run. "
    "Today’s libraries, MegaBlocks among them, can do without a capacity, and DeepSeek-V3 drops nothing. "
    "With few rows for each expert a real GPU waits for the experts’ weights, not for slots: padding costs nothing "
    "there, and skew helps, because an expert without tokens leaves its weights unread. "
    "ScatterMoE gathers the tokens inside the kernel, so that no padded copy is ever stored.",
)
