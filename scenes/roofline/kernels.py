"""Eight kernels: the operations that each must do, and the bytes that must cross to and from memory."""

from __future__ import annotations

from dataclasses import dataclass

ELEMENTS = 100_000_000  # of the vectors that are copied and added
SIDE = 4096  # of the matrix of gemv
TOKENS, HEADS, HEAD_DIM = 4096, 32, 128  # of attention, each head with keys and values of its own
KERNELS = ("copy", "elementwise", "gemv", "gemm-512", "gemm-1024", "gemm-4096", "prefill", "decode")


@dataclass(frozen=True)
class Work:
    """What a kernel does at the least."""

    flops: float  # [FLOP]
    bytes: float  # [B]

    @property
    def intensity(self) -> float:
        """Operations for each byte moved [FLOP/B]."""
        return self.flops / self.bytes


def gemm(m: int, n: int, k: int, element: float) -> Work:
    """A matrix product C = A B, each matrix read or written once.

    Parameters
    ----------
    m, n, k : int
        A is m x k, B is k x n, C is m x n; with n = 1 it is a matrix times a vector.
    element : float
        Size of an element [B], of all three matrices.

    Returns
    -------
    Work
        One multiplication and one addition for each of m n k products.
    """
    return Work(2.0 * m * n * k, element * (m * k + k * n + m * n))


def attention(queries: int, keys: int, heads: int, head_dim: int, element: float) -> Work:
    """Causal attention whose scores never leave the chip: queries, keys and values are read, outputs written, once.

    Parameters
    ----------
    queries, keys : int
        The queries are those of the last tokens, so `queries` is at most `keys`; each sees its own key and all before.
    heads, head_dim : int
        Each head has keys and values of its own, of `head_dim` elements.
    element : float
        Size of an element [B].

    Returns
    -------
    Work
        2 d operations for each score and 2 d for its share of the output; exponentials are not counted.

    References
    ----------
    .. [1] Dao, "FlashAttention-2", 2023, arXiv:2307.08691, section 4.1: 4 n^2 d FLOPs a head, half of it if causal.
    """
    if queries > keys:
        raise ValueError(f"{queries} queries cannot be the last of {keys} tokens")
    scores = queries * (keys - queries) + queries * (queries + 1) // 2
    return Work(4.0 * heads * head_dim * scores, 2.0 * heads * head_dim * (queries + keys) * element)


def work(kernel: str, element: float) -> Work:
    """FLOPs and bytes of one of the `KERNELS`, with elements of `element` bytes."""
    if kernel not in KERNELS:
        raise ValueError(f"kernel is one of {KERNELS}, not {kernel!r}")
    if kernel == "copy":
        return Work(0.0, 2 * ELEMENTS * element)
    if kernel == "elementwise":
        return Work(float(ELEMENTS), 3 * ELEMENTS * element)
    if kernel == "gemv":
        return gemm(SIDE, 1, SIDE, element)
    if kernel in ("prefill", "decode"):
        return attention(TOKENS if kernel == "prefill" else 1, TOKENS, HEADS, HEAD_DIM, element)
    side = int(kernel.removeprefix("gemm-"))
    return gemm(side, side, side, element)
