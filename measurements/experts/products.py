"""Experts' products: padded to the fullest, grouped by Triton, grouped by PyTorch; many rows and few."""

from __future__ import annotations

import sys
from functools import partial

import torch

from measurements.experts.kernels import multiply
from measurements.experts.routing import OUT, ROUTINGS, TILE, WIDTH, loads, tiles
from measurements.harness.pytorch import Call, demand_close, emit, rates, seconds_in_turns

MANY, FEW = 8192, 512  # rows
TOLERANCE = 5e-3


class Work:
    """Rows for each expert, their weights, and what should come out."""

    def __init__(self, rows: int, routing: str, weights: torch.Tensor) -> None:
        self.loads, self.weights = loads(rows, len(weights), routing), weights
        self.rows_run: dict[str, int] = {}  # by method
        self.x = torch.randn(rows, WIDTH, dtype=torch.bfloat16, device="cuda")
        self.out = torch.full((rows, OUT), torch.nan, dtype=torch.bfloat16, device="cuda")
        parts = zip(self.x.split(self.loads.tolist()), weights, strict=True)
        self.wanted = torch.cat([part.double() @ own.double().T for part, own in parts if len(part)])

    def grouped(self) -> Call:
        """One launch by tiles of 128 rows."""
        table = torch.from_numpy(tiles(self.loads)).cuda()
        self.rows_run["grouped"] = len(table) * TILE
        return partial(multiply, self.x, self.weights, self.out, table)

    def padded(self) -> Call:
        """A batch of products, each as large as the fullest expert's."""
        fullest = int(self.loads.max())
        x = torch.zeros(len(self.loads), fullest, WIDTH, dtype=torch.bfloat16, device="cuda")
        there = torch.arange(fullest)[None, :] < torch.from_numpy(self.loads)[:, None]
        x[there.cuda()] = self.x
        out = torch.bmm(x, self.weights.mT)
        self.rows_run["padded"] = len(self.loads) * fullest
        demand_close("padded", out[there.cuda()], self.wanted, TOLERANCE)
        return partial(torch.bmm, x, self.weights.mT, out=out)

    def library(self) -> Call:
        """PyTorch's own grouped product."""
        ends = torch.from_numpy(self.loads.cumsum()).int().cuda()
        return partial(torch._grouped_mm, self.x, self.weights.mT, offs=ends)


def many_rows(weights: torch.Tensor) -> None:
    """Speed of each method under each routing, rows that nobody wanted not counted."""
    calls: dict[tuple[str, str], Call] = {}
    for routing in ROUTINGS:
        work = Work(MANY, routing, weights)
        calls["padded", routing], calls["grouped", routing] = work.padded(), work.grouped()
        demand_close(f"grouped, {routing}", calls["grouped", routing](), work.wanted, TOLERANCE)
        try:
            library = work.library()
            demand_close(f"PyTorch's, {routing}", library(), work.wanted, TOLERANCE)
            calls["library", routing] = library
        except (AttributeError, RuntimeError) as error:
            print(f"no grouped product of PyTorch's: {error}", file=sys.stderr)
        for method, rows in work.rows_run.items():
            emit("rows_run", [rows / MANY], method=method, routing=routing)
    for (method, routing), times in seconds_in_turns(calls, burst=3).items():
        emit("speed", rates(2.0 * MANY * WIDTH * OUT, times), method=method, routing=routing)


def few_rows(weights: torch.Tensor) -> None:
    """Time of a grouped product with so few rows that the weights are all it waits for."""
    calls: dict[str, Call] = {}
    for routing in ROUTINGS:
        work = Work(FEW, routing, weights)
        calls[routing] = work.grouped()
        demand_close(f"few rows, {routing}", calls[routing](), work.wanted, TOLERANCE)
    for routing, times in seconds_in_turns(calls, burst=3).items():
        emit("few_rows", times, experts=len(weights), routing=routing)


if __name__ == "__main__":
    all_weights = torch.randn(256, OUT, WIDTH, dtype=torch.bfloat16, device="cuda")
    many_rows(all_weights[:64])
    for experts in (64, 256):
        few_rows(all_weights[:experts])
