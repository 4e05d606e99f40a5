"""The models: how many layers and heads they have, and which layers look through a window."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

LATENT, POSITION = 512, 64  # numbers that MLA keeps of a token: a latent, and one key with the position in it

Whole = NDArray[np.int64]


def held(tokens: ArrayLike, window: int) -> Whole:
    """Tokens whose keys and values a layer still holds: all of them, or the last `window`.

    Parameters
    ----------
    tokens : array_like of int
        Length of the conversation [tokens].
    window : int
        Length of the window [tokens]; 0 for a layer that keeps everything.

    Returns
    -------
    ndarray of int, of the shape of `tokens`
        [tokens]

    References
    ----------
    .. [1] Jiang et al., "Mistral 7B", 2023, arXiv:2310.06825, section 2 (rolling buffer: slot = position mod W).
    """
    counts = np.asarray(tokens, dtype=np.int64)
    return np.minimum(counts, window) if window else counts


@dataclass(frozen=True)
class Shape:
    """What of a model decides the size of its cache.

    `pattern` repeats over the layers from the first one on: "w" has a window, "k" keeps every token, "s" has a state
    of `state` bytes, however long the text. "c" and "h" keep an entry for every 4 and every 128 tokens, and a window.
    """

    name: str
    layers: int
    heads: int  # query heads
    kv_heads: int  # as shipped; 0 for MLA
    head_dim: int
    pattern: str = "k"
    window: int = 0  # tokens
    state: int = 0  # [B]
    index: int = 0  # numbers of an indexer's key, for each token that is kept or each entry of "c"

    @property
    def shipped(self) -> str:
        """The scheme that the model comes with."""
        return "CSA" if self.compressed else "GQA" if self.kv_heads else "MLA"

    @property
    def compressed(self) -> int:
        """Layers that keep entries of many tokens."""
        return self.kinds.count("c") + self.kinds.count("h")

    @cached_property
    def kinds(self) -> str:
        """The kind of each layer, in order."""
        return (self.pattern * self.layers)[: self.layers]

    @cached_property
    def windowed(self) -> int:
        """Layers with a window."""
        return self.kinds.count("w")

    @cached_property
    def kept(self) -> int:
        """Layers that keep every token."""
        return self.kinds.count("k")

    @cached_property
    def stateful(self) -> int:
        """Layers with a state."""
        return self.kinds.count("s")


def recurrent_state(heads: int, channels: int, width: int = 128) -> int:
    """What a layer of linear attention keeps [B]: a matrix for each head in FP32, and inputs of a convolution in BF16.

    Parameters
    ----------
    heads : int
        Heads of values.
    channels : int
        Numbers of a token that a convolution over 4 tokens reads: queries, keys and values. It keeps those of 3.
    width : int
        Of keys and of values.

    References
    ----------
    .. [1] vLLM, mamba_utils.py: shapes and types of the states of gated delta nets and of Kimi's.
    """
    return 4 * heads * width * width + 2 * 3 * channels


# Llama 3: Table 3 of the report. Mistral 7B v0.1: Table 1 of the paper; v0.2 dropped the window. Gemma 3: its
# reference code, five local layers before each global one. gpt-oss: its model card, section 2.2, and reference code,
# windows on even layers. DeepSeek-V3: the configuration in its repository; its head size is that of keys without
# their position part. Qwen3: the model registry of torchtitan. Qwen3-Next: the defaults of its configuration, 16 heads
# of keys and 32 of values in its linear layers. Kimi Linear: its configuration; 32 heads in both kinds of layers, and
# MLA in each fourth of 27 layers and in the last. DeepSeek-V3.2: V3 with an indexer; its configuration has the key's
# size. DeepSeek-V4-Pro: its layers and heads in the issue of sgl-jax, their order in the post of Hugging Face, window
# and indexer in the configuration; 30 layers of CSA and 31 of HCA.
SHAPES = {
    shape.name: shape
    for shape in (
        Shape("Llama 3 8B", 32, 32, 8, 128),
        Shape("Llama 3 70B", 80, 64, 8, 128),
        Shape("Llama 3 405B", 126, 128, 8, 128),
        Shape("Mistral 7B", 32, 32, 8, 128, "w", 4096),
        Shape("Gemma 3 27B", 62, 32, 16, 128, "wwwwwk", 1024),
        Shape("gpt-oss-120b", 36, 64, 8, 64, "wk", 128),
        Shape("DeepSeek-V3", 61, 128, 0, 128),
        Shape("DeepSeek-V3.2", 61, 128, 0, 128, index=128),
        Shape("DeepSeek-V4-Pro", 61, 128, 1, 512, "hh" + "ch" * 29 + "c", 128, index=128),
        Shape("Qwen3-32B", 64, 64, 8, 128),
        Shape("Qwen3-Next-80B", 48, 16, 2, 256, "sssk", state=recurrent_state(32, (2 * 16 + 32) * 128)),
        Shape("Kimi Linear 48B", 27, 32, 0, 128, "sssk" * 6 + "ssk", state=recurrent_state(32, 3 * 32 * 128)),
    )
}
