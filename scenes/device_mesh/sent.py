"""All that one GPU sends in a step, as one bar: what stays in the node, then what goes across, of each dimension."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, listed

from .groups import ROLES
from .model import NETWORK, NVLINK, PODS, RACK
from .narration import size, split
from .stage import Stage
from .traffic import DIMENSIONS, Placed


def draw_sent(stage: Stage, placed: Placed, phase: str) -> Iterator[Mark]:
    """The bar, in the colours of wires; in the chapter of a dimension, others step back."""
    bar, left = stage.sent, stage.sent.x
    parts = [(name, wire, placed.sent(name) * placed.mesh.hops[name][wire])
             for wire in (NVLINK, NETWORK, PODS) for name in split(placed)]  # fmt: skip
    parts = [one for one in parts if one[2]]
    unit = (bar.width - len(parts) + 1) / placed.total
    for name, wire, sent in parts:
        role = ROLES[wire] + (" soft" if phase in DIMENSIONS and phase != name else "")
        yield stage.rect(f"{name}-{wire}", Box(left, bar.y, sent * unit, bar.height), role, round=0,
                         read=f"{name.upper()}, {wire}: {size(sent)}")  # fmt: skip
        left += sent * unit + 1
    if stage.narrow and placed.mesh.gpus == RACK:
        return
    inside = listed([name.upper() for name, wire, _ in parts if wire == NVLINK])
    names = listed([name.upper() for name in split(placed) if placed.mesh.hops[name][NVLINK] < 1])
    across = size(placed.total - placed.over(NVLINK))
    base = bar.bottom + stage.size
    if inside:
        yield stage.text("sent-inside", bar.x, base, f"{inside} in the node", ROLES[NVLINK])
    words = stage.pick(f"{names} across", f"{names} to other nodes: {across}")
    yield stage.text("sent-across", bar.right, base, words, ROLES[NETWORK], anchor="end")
