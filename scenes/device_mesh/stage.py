"""Where GPUs stand: all pods, rack by rack; one rack, GPU by GPU; and the sixteen of the small example."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from loom.draw import Box, Pen

from .._clusters.links import NODE
from .model import POD, RACK

NODES_A_ROW, ROWS = 16, 24  # of a pod: 8 racks side by side, so that 128 GPUs are a row
A_ROW = NODES_A_ROW * NODE
Point = tuple[float, float]
Slot = tuple[int, int, int]  # pod, row, column of a node


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places."""

    answer: Point
    pod: Box  # the first of the pods
    gap: float  # between pods
    title: Point
    rack: Box  # the rack that is drawn larger
    rows: Box  # one for each dimension
    few: Box  # sixteen GPUs, node by node
    few_rows: Box
    sent: Box  # the bar of all that is sent

    def pod_box(self, pod: int) -> Box:
        return self.pod._replace(x=self.pod.x + pod * (self.pod.width + self.gap))

    def node_box(self, pod: int, row: int, column: int, columns: int = 1, rows: int = 1) -> Box:
        """A rectangle of nodes of one pod."""
        box = self.pod_box(pod)
        wide, high = box.width / NODES_A_ROW, box.height / ROWS
        return Box(box.x + column * wide, box.y + row * high, columns * wide, rows * high)

    def used(self, gpus: int, pod: int) -> Box:
        """The rows of a pod that a job of so many GPUs has."""
        rows = min(ROWS, max(0, -(-(gpus - pod * POD) // A_ROW)))
        return self.node_box(pod, 0, 0, NODES_A_ROW, rows)

    def spot(self, rank: int) -> Point:
        """The middle of a GPU's node, among all pods."""
        box = self.node_box(*slot(rank))
        return box.x + box.width / 2, box.y + box.height / 2

    def in_rack(self, rank: int) -> Box:
        """A GPU in its rack: two nodes, one over the other, each with two rows of four."""
        node, at = divmod(rank % RACK, NODE)
        return self._eight(self.rack.rows(2, self.pick(2, 4))[node], at, 4)

    def among_few(self, rank: int) -> Box:
        """One of the sixteen."""
        node, at = divmod(rank, NODE)
        nodes = self.few.rows(2, 2) if self.narrow else self.few.columns(2, 16)
        return self._eight(nodes[node], at, 4)

    def met(self, box: Box) -> Point:
        """Where lines end in one of the sixteen, and the hand stands: on a row and in a column without words."""
        return self.pick((box.x + 30, box.y + 0.76 * box.height), (box.right - 18, box.y + 31))

    def _eight(self, node: Box, at: int, columns: int) -> Box:
        """The cells of a node, under the line that holds its name."""
        rows = node.inset(top=self.size + 4).rows(NODE // columns, 2)
        return rows[at // columns].columns(columns, 2)[at % columns]


def slot(rank: int) -> Slot:
    """The pod, the row and the column of a GPU's node."""
    pod, inside = divmod(rank, POD)
    row, rest = divmod(inside, A_ROW)
    return pod, row, rest // NODE


def patches(slots: Iterable[Slot]) -> list[tuple[int, int, int, int, int]]:
    """Nodes as few rectangles: pod, row, column, and how many columns and rows."""
    runs: dict[tuple[int, int, int], list[int]] = {}  # pod, column and width: the rows that have such a run
    for (pod, row), line in groupby(sorted(set(slots)), key=lambda one: one[:2]):
        columns = [column for _, _, column in line]
        for _, run in groupby(enumerate(columns), key=lambda pair: pair[1] - pair[0]):
            found = [column for _, column in run]
            runs.setdefault((pod, found[0], len(found)), []).append(row)
    patches = []
    for (pod, column, width), rows in runs.items():
        for _, stack in groupby(enumerate(rows), key=lambda pair: pair[1] - pair[0]):
            found = [row for _, row in stack]
            patches.append((pod, found[0], column, width, len(found)))
    return patches


NARROW = Stage(328, answer=(0, 26), pod=Box(6, 82, 47, 102), gap=7, title=(0, 214), rack=Box(0, 219, 164, 106),
               rows=Box(176, 221, 152, 105), few=Box(0, 56, 328, 140), few_rows=Box(0, 222, 328, 104),
               sent=Box(0, 38, 328, 8))  # fmt: skip
WIDE = Stage(840, answer=(0, 32), pod=Box(6, 108, 88, 204), gap=10, title=(604, 15), rack=Box(604, 34, 234, 138),
             rows=Box(604, 190, 234, 140), few=Box(0, 84, 578, 250), few_rows=Box(604, 80, 234, 200),
             sent=Box(0, 46, 578, 14))  # fmt: skip
