"""The rungs: what each kernel does otherwise than the one before, and why it came out as it did."""

from __future__ import annotations

from dataclasses import dataclass

UNKNOWN = "not known"  # a cause that we have not found out


@dataclass(frozen=True)
class Rung:
    """One kernel: its name in the results, what readers call it, what it changes, and why it came out as it did.

    `limit` is what the model's least time is of; `cause` is what held the kernel up where it fell short of that.
    """

    id: str
    result: str
    name: str
    change: str
    why: str
    limit: str
    cause: str = ""


RUNGS = (
    Rung("strided", "strided", "strided", "Lanes of a warp take rows of A, so each reads another line.",
         "L1 hands over one line a cycle, and this kernel takes four bytes of it.",
         "L1"),
    Rung("coalesced", "coalesced", "coalesced", "Lanes take columns: a warp reads one line of B and one number of A.",
         "Twelve times as fast for a swap of two indices. Why a third is missing we have not found out.",
         "L1", UNKNOWN),
    Rung("shared_16", "shared 16", "shared, 16 × 16", "Tiles of A and B wait in shared memory.",
         "Loads are a sixteenth, but shared memory hands over no more a cycle than L1 did: only the waiting is gone.",
         "shared memory"),
    Rung("shared_32", "shared 32", "shared, 32 × 32", "Tiles of twice the side, and half the loads.",
         "Loads were not what held it up. The compiler reads A four numbers at a time, and so passes the model.",
         "shared memory"),
    Rung("registers_4", "registers 4x4", "4 × 4 in registers", "Each thread has 16 sums and uses a number four times.",
         "The first cure for the real illness: half a word of shared memory for each multiplication, not two.",
         "shared memory"),
    Rung("registers_8", "registers 8x8", "8 × 8 in registers", "Each thread keeps 64 sums.",
         "A thread needs 123 registers, so an SM holds 16 warps, and a block doesn’t multiply while its tile comes.",
         "FP32 peak", "waiting for its tiles"),
    Rung("wmma_16", "wmma 16x16", "tensor cores, 16 × 16", "A warp multiplies fragments in BF16, straight from memory.",
         "Each fragment is used once, and the warp waits for the next.",
         "L1", "waiting for fragments"),
    Rung("wmma_64", "wmma 64x64", "tensor cores, 64 × 64", "A warp uses each fragment four times.",
         "Loading and multiplying still take turns: tensor cores do less than a tenth of what they could.",
         "BF16 peak", "loading in turn"),
    Rung("triton_128", "Triton 128x128", "Triton, 128 × 128", "Blocks share tiles in shared memory, four steps ahead.",
         "While one step is multiplied, the next are on their way: nine times as fast on the same tensor cores.",
         "BF16 peak", UNKNOWN),
    Rung("triton_256", "Triton 128x256", "Triton, 128 × 256", "Tiles of twice the width, a quarter fewer loads.",
         "L2 has less to hand over, and the tensor cores more to do with it.",
         "BF16 peak", UNKNOWN),
    Rung("cublas_fp32", "cuBLAS fp32", "cuBLAS, FP32", "NVIDIA’s library, without tensor cores.",
         "A quarter faster than our 8 × 8, and three quarters of the peak.",
         "FP32 peak", UNKNOWN),
    Rung("cublas_tf32", "cuBLAS tf32", "cuBLAS, TF32", "The same numbers cut to 19 bits, for the tensor cores.",
         "Nearly eight times as fast as in FP32, and four fifths of the peak.",
         "TF32 peak", UNKNOWN),
    Rung("cublas_bf16", "cuBLAS bf16", "cuBLAS, BF16", "Half the bytes, twice the rate.",
         "Random numbers cost power, and power costs clock: products of zeros are a seventh faster.",
         "BF16 peak", "power"),
)  # fmt: skip
NAMES = {rung.id: rung.name for rung in RUNGS}
