"""The toy's numbers: six embeddings, and the three matrices of each head.

How they were chosen. An embedding has four entries for what the word is (article, describing, thing, doing) and four
for where it stands: cosine and sine of 60 and 120 degrees times its place. For the head `describes` we wrote down the
queries, keys and values we wanted, moved the first four keys along lantern's query until its scaled scores were the
four of golden/attention-pattern.json, solved X W = those vectors (least squares), rounded W to two decimals, and then
changed single entries of W_K by 0.01 until the scores were the golden ones within 0.0005 again. The head `previous`
turns a position by one place back in W_Q, with small seeded numbers on the word's entries. Nothing here was trained.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TOKENS = ("a", "rusty", "old", "lantern", "glows", "softly")

# shape (6 tokens, d_model = 8)
X: Array = np.array([
    [1.0, 0.1, 0.1, 0.0, 1.0, 0.0, 1.0, 0.0],
    [0.0, 1.0, 0.2, -0.2, 0.5, 0.87, -0.5, 0.87],
    [0.1, 0.9, 0.1, 0.1, -0.5, 0.87, -0.5, -0.87],
    [0.0, 0.1, 1.1, 0.2, -1.0, 0.0, 1.0, 0.0],
    [-0.1, 0.0, 0.2, 1.0, -0.5, -0.87, -0.5, 0.87],
    [0.1, 0.8, -0.2, 0.7, 0.5, -0.87, -0.5, -0.87],
])  # fmt: skip


class Head(NamedTuple):
    """The matrices of one head, each of shape (d_model, d_k) = (8, 4)."""

    W_Q: Array
    W_K: Array
    W_V: Array


DESCRIBES = Head(
    np.array([
        [0.47, 0.75, 0.0, 0.98], [0.73, 0.09, 0.78, 0.66], [0.77, 0.03, 0.71, 0.2], [0.45, 1.31, 0.49, 0.89],
        [-0.6, -0.28, -0.05, -0.15], [0.61, -0.64, -0.48, 0.32], [0.28, -0.28, 0.3, -0.11], [0.25, 0.48, -0.03, 0.13],
    ]),
    np.array([
        [0.11, -0.67, 0.47, 0.85], [0.7, 0.51, 0.52, 0.34], [0.04, 0.22, 0.49, 0.2], [-0.02, 0.01, 0.38, 0.71],
        [0.15, 0.38, -0.51, -0.15], [0.59, -0.92, 0.66, 0.16], [-0.38, -0.07, 0.07, 0.15], [0.01, -0.42, 0.28, 0.12],
    ]),
    np.array([
        [-0.34, 0.63, 0.02, 0.77], [0.88, 0.43, 0.43, 0.29], [0.5, 0.02, 0.64, 0.02], [-0.13, 0.58, 0.27, 0.94],
        [0.41, -0.35, -0.22, -0.13], [0.0, 0.38, -0.17, -0.17], [0.0, -0.22, 0.39, -0.17], [0.33, -0.32, 0.17, 0.15],
    ]),
)  # fmt: skip

PREVIOUS = Head(
    np.array([
        [-0.18, -0.29, -0.05, 0.09], [0.25, 0.02, -0.12, -0.17], [0.16, 0.36, 0.06, -0.27], [-0.21, 0.35, 0.04, -0.38],
        [0.73, -1.26, 0.0, 0.0], [1.26, 0.73, 0.0, 0.0], [0.0, 0.0, -0.73, -1.26], [0.0, 0.0, 1.26, -0.73],
    ]),
    np.array([
        [-0.02, -0.26, -0.14, -0.11], [-0.16, 0.12, -0.01, -0.13], [0.09, 0.18, -0.36, -0.06], [-0.22, -0.04, -0.28, 0],
        [1.46, 0.0, 0.0, 0.0], [0.0, 1.46, 0.0, 0.0], [0.0, 0.0, 1.46, 0.0], [0.0, 0.0, 0.0, 1.46],
    ]),
    np.array([
        [-0.49, 1.28, 0.48, 0.49], [0.95, -0.01, 0.5, 0.53], [0.78, -0.04, 0.05, 0.09], [-0.15, 1.04, 0.63, 0.5],
        [0.32, -0.36, -0.1, -0.15], [-0.23, 0.28, 0.01, 0.27], [0.3, -0.02, -0.24, -0.2], [0.18, 0.4, -0.18, -0.12],
    ]),
)  # fmt: skip

HEADS = {"describes": DESCRIBES, "previous": PREVIOUS}
