"""Released hybrids: how their layers are mixed, and how large a state and a token are."""

from __future__ import annotations

from .model import Shape

LATENT = 512 + 64  # of MLA

# Qwen3-Next: the defaults of its configuration; 16 heads of keys and 32 of values, 128 wide, so that the convolution
# has 2 * 16 * 128 + 32 * 128 channels; attention with 2 heads of 256. Qwen3.5-4B: the same states, 4 heads of 256; its
# state and its keys are what vLLM's block of 528 tokens follows from. Kimi Linear: 32 heads of 128 for queries, keys
# and values; MLA in each fourth of 27 layers and in the last. Kimi K3: 96 such heads; MLA in each fourth of 93 layers
# and in the last, as llama.cpp prints them.
SHAPES = {
    shape.name: shape
    for shape in (
        Shape("Qwen3-Next-80B", "sssk" * 12, 32, 2 * 16 * 128 + 32 * 128, 2 * 2 * 256),
        Shape("Qwen3.5-4B", "sssk" * 8, 32, 2 * 16 * 128 + 32 * 128, 2 * 4 * 256),
        Shape("Kimi Linear 48B", "sssk" * 6 + "ssk", 32, 3 * 32 * 128, LATENT),
        Shape("Kimi K3", "sssk" * 23 + "k", 96, 3 * 96 * 128, LATENT),
    )
}
