"""Dense models of the Llama 3 family: their shapes, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass

VOCABULARY = 128_256  # tokens; embedding and output head do not share their weights


@dataclass(frozen=True)
class Model:
    """A transformer with grouped-query attention and SwiGLU.

    References
    ----------
    .. [1] Llama Team, "The Llama 3 Herd of Models", 2024, arXiv:2407.21783, Table 3.
    """

    name: str
    layers: int
    hidden: int
    ffn: int  # width of the MLP's middle
    heads: int
    kv_heads: int

    @property
    def kv_width(self) -> int:
        """Numbers in the keys of one token, and as many in its values."""
        return self.hidden // self.heads * self.kv_heads

    @property
    def layer_weights(self) -> int:
        """Weights in the matrices of one layer: query and output, key and value, and three of the MLP."""
        return 2 * self.hidden * (self.hidden + self.kv_width) + 3 * self.hidden * self.ffn

    @property
    def parameters(self) -> int:
        """All parameters: matrices and two norms in each layer, embedding, head and last norm."""
        layers = self.layers * (self.layer_weights + 2 * self.hidden)
        return layers + 2 * VOCABULARY * self.hidden + self.hidden


LLAMA_8B = Model("Llama 3 8B", 32, 4096, 14_336, 32, 8)
LLAMA_70B = Model("Llama 3 70B", 80, 8192, 28_672, 64, 8)
LLAMA_405B = Model("Llama 3 405B", 126, 16_384, 53_248, 128, 8)
MODELS = {model.name: model for model in (LLAMA_8B, LLAMA_70B, LLAMA_405B)}
