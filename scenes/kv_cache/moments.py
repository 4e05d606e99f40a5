"""The four steps of the product, and what each of them has multiplied so far."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .model import GB, SCHEMES, Cache

LAYER, TOKEN, LENGTH, GPUS = 1, 2, 3, 4  # one token in one layer, in all layers, all tokens, beside GPUs
CAPACITIES = (80 * GB, 141 * GB)  # memory of an A100 or H100, of an H200 [B]


@dataclass(frozen=True)
class State:
    """A cache at one step. The model, the length and the batch are the reader's."""

    cache: Cache
    tokens: int
    step: int

    @property
    def hypothetical(self) -> bool:
        """Whether the model does not come with this scheme."""
        return self.cache.scheme != self.cache.shape.shipped

    @property
    def window(self) -> bool:
        """Whether some layers have a window."""
        return self.cache.shape.windowed > 0

    @property
    def cut(self) -> bool:
        """Whether windows drop some tokens at this length."""
        return self.window and self.tokens > self.cache.shape.window

    def rivals(self) -> list[Cache]:
        """The cache under every scheme, all else equal."""
        return [replace(self.cache, scheme=scheme) for scheme in SCHEMES]

    def parts(self, cache: Cache) -> tuple[int, int]:
        """Bytes at this step in layers that keep everything and in layers with a window."""
        shape = cache.shape
        if self.step == LAYER:
            return cache.layer_token, 0
        if self.step == TOKEN:
            return cache.layer_token * shape.kept, cache.layer_token * shape.windowed
        kept, windowed = (replace(cache, batch=1) if self.step == LENGTH else cache).parts(self.tokens)
        return int(kept), int(windowed)

    def full(self, cache: Cache) -> int:
        """The same if every layer kept every token [B]."""
        steps = {LAYER: cache.layer_token, TOKEN: cache.token, LENGTH: cache.token * self.tokens}
        return steps.get(self.step, cache.full(self.tokens))
