"""One step of decoding in Triton: attention over a part of the keys for each program, then a merge of the parts."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

DIM, KEYS, PARTS = 128, 64, 16  # of a head; keys of a step; parts that the merge takes at a time
LEAST_ROWS = 16  # of a product in the tensor cores


@triton.jit(do_not_specialize=["splits"])
def attend(q, k, v, sums, outputs, keys, scale, splits,
           group: tl.constexpr, rows: tl.constexpr, dim: tl.constexpr, step: tl.constexpr):  # fmt: skip
    """Attention of a KV head's `group` queries over one of `splits` parts of its keys.

    q has (heads, group, dim) numbers, k and v (heads, keys, dim); sums, for the log-sum-exp in base 2, has (heads,
    group, splits), and outputs (heads, group, splits, dim). `splits` divides `keys` into multiples of `step`.
    """
    head, split = tl.program_id(0).to(tl.int64), tl.program_id(1)
    query, lane, key = tl.arange(0, rows), tl.arange(0, dim), tl.arange(0, step)
    asked = query < group
    part = keys // splits
    at = head * keys * dim + (split * part + key[:, None]).to(tl.int64) * dim + lane[None, :]
    from_k, from_v = k + at, v + at
    asking = tl.load(q + (head * group + query[:, None]) * dim + lane[None, :], mask=asked[:, None], other=0.0)
    top = tl.full((rows,), float("-inf"), tl.float32)
    total = tl.zeros((rows,), tl.float32)
    output = tl.zeros((rows, dim), tl.float32)
    for _ in range(0, part, step):
        scores = tl.dot(asking, tl.trans(tl.load(from_k))) * scale
        newest = tl.maximum(top, tl.max(scores, 1))
        weights = tl.exp2(scores - newest[:, None])
        shrink = tl.exp2(top - newest)
        total = total * shrink + tl.sum(weights, 1)
        output = tl.dot(weights.to(v.dtype.element_ty), tl.load(from_v), output * shrink[:, None])
        top = newest
        from_k += step * dim
        from_v += step * dim
    place = (head * group + query) * splits + split
    tl.store(sums + place, top + tl.log2(total), mask=asked)
    tl.store(outputs + place[:, None] * dim + lane[None, :], output / total[:, None], mask=asked[:, None])


@triton.jit(do_not_specialize=["splits"])
def merge(sums, outputs, merged, splits, dim: tl.constexpr, step: tl.constexpr):
    """Weigh the parts of one query by their log-sum-exps, `step` parts at a time."""
    query = tl.program_id(0).to(tl.int64)
    lane, part = tl.arange(0, dim), tl.arange(0, step)
    top, total, output = float("-inf"), 0.0, tl.zeros((dim,), tl.float32)
    for first in range(0, splits, step):
        there = first + part < splits
        place = query * splits + first + part
        found = tl.load(sums + place, mask=there, other=float("-inf"))
        parts = tl.load(outputs + place[:, None] * dim + lane[None, :], mask=there[:, None], other=0.0)
        newest = tl.maximum(top, tl.max(found, 0))
        weights = tl.exp2(found - newest)
        shrink = tl.exp2(top - newest)
        total = total * shrink + tl.sum(weights, 0)
        output = output * shrink + tl.sum(weights[:, None] * parts, 0)
        top = newest
    tl.store(merged + query * dim + lane, (output / total).to(merged.dtype.element_ty))


class Decoding:
    """One step over these keys and values, in so many parts, with memory of its own for the parts."""

    def __init__(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, splits: int) -> None:
        heads, group, _ = q.shape
        if k.shape[1] % (splits * KEYS):
            raise ValueError(f"{k.shape[1]} keys don't fall into {splits} parts of whole steps of {KEYS}")
        self.q, self.k, self.v, self.splits = q, k, v, splits
        self.sums = torch.empty(heads, group, splits, dtype=torch.float32, device=q.device)
        self.outputs = torch.empty(heads, group, splits, DIM, dtype=torch.float32, device=q.device)
        self.merged = torch.full_like(q, torch.nan)

    def __call__(self) -> torch.Tensor:
        heads, group, _ = self.q.shape
        rows, scale = max(group, LEAST_ROWS), DIM**-0.5 * 1.4426950408889634  # scores in base 2
        attend[(heads, self.splits)](
            self.q, self.k, self.v, self.sums, self.outputs, self.k.shape[1], scale, self.splits,
            group, rows, DIM, KEYS, num_warps=4, num_stages=3,
        )  # fmt: skip
        merge[(heads * group,)](self.sums, self.outputs, self.merged, self.splits, DIM, PARTS, num_warps=4)
        return self.merged
