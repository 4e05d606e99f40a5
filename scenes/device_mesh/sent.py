"""All that one GPU sends in a step, as one bar: what stays in the node, then what goes across, of each dimension."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, listed

from .groups import ROLES
from .model import NETWORK, NVLINK, PODS, RACK
from .narration import size, split
from .stage import Stage
from .traffic import DIMENSIONS, Placed

LAST = 2  # beat of the last step: first nothing is sent, then what stays in the node, then the rest


def draw_sent(stage: Stage, placed: Placed, phase: str, beat: int = LAST) -> Iterator[Mark]:
    """The bar, in the colours of wires; in the chapter of a dimension, others step back.

    It has grown as far as the beat says: parts that are to come have no width.
    """
    bar, left = stage.sent, stage.sent.x
    parts = [(name, wire, placed.sent(name) * placed.mesh.hops[name][wire])
             for wire in (NVLINK, NETWORK, PODS) for name in split(placed)]  # fmt: skip
    parts = [one for one in parts if one[2]]
    unit = (bar.width - len(parts) + 1) / placed.total
    for name, wire, sent in parts:
        role = ROLES[wire] + (" soft" if phase in DIMENSIONS and phase != name else "")
        wide = sent * unit if beat >= (1 if wire == NVLINK else LAST) else 0.0
        # A bar of its own in the end: that of the chapters before would have to shrink to grow again.
        key = f"whole-{name}-{wire}" if phase in ("all", "experts") else f"{name}-{wire}"
        yield stage.rect(key, Box(left, bar.y, wide, bar.height), role, round=0,
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
