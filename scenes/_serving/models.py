"""What a server has to know of a model: bytes of weights and cache, and FLOPs, for each token and step.

Sizes follow from the released shapes; see the tests for the totals that were published.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._clusters.models import LLAMA_8B, LLAMA_70B, VOCABULARY, Model
from .shapes import LATENT, POSITION, SHAPES, Shape, held

BF16, FP8 = 2, 1  # bytes
Reals = NDArray[np.float64]


class Experts(NamedTuple):
    """The experts of each layer that has some: how many, how many a token goes to, and bytes of one in one layer."""

    number: int
    picked: int
    layers: int
    size: int

    def touched(self, tokens: ArrayLike) -> Reals:
        """Distinct experts of a layer that so many tokens go to, if all are as likely: E (1 - (1 - k/E)^T)."""
        return self.number * (1 - (1 - self.picked / self.number) ** np.asarray(tokens, dtype=np.float64))


DENSE = Experts(1, 1, 0, 0)


@dataclass(frozen=True)
class Served:
    """A model as it is served. All methods take arrays."""

    name: str
    shape: Shape
    parameters: int
    active: int  # parameters that multiply one token: no embedding, and of the experts those that it goes to
    stored: int  # [B]: all weights in memory
    always: int  # [B]: weights that a step reads whoever comes
    experts: Experts = DENSE
    precision: str = "BF16"  # of the linear layers' arithmetic
    element: int = BF16  # [B]: one number of the cache

    def weights(self, tokens: ArrayLike) -> Reals:
        """Weights that a step with so many tokens reads [B]: an expert once, however many tokens it gets."""
        one = self.experts
        return self.always + one.layers * one.size * one.touched(tokens)

    @property
    def linear(self) -> int:
        """Of the linear layers, for each token [FLOP]: a multiplication and an addition for each parameter."""
        return 2 * self.active

    @property
    def cache_layer(self) -> int:
        """What one token leaves in one layer [B]: keys and values of the KV heads, or MLA's latent and position."""
        numbers = 2 * self.shape.kv_heads * self.shape.head_dim or LATENT + POSITION
        return numbers * self.element

    @property
    def cache_token(self) -> int:
        """What one more token adds to the cache of a long conversation [B]: layers with a window drop one for it."""
        return self.cache_layer * self.shape.kept

    def cache(self, context: ArrayLike) -> Reals:
        """The cache of one conversation of so many tokens, windows honoured [B]; a decode step reads all of it."""
        shape = self.shape
        slots = shape.kept * held(context, 0) + shape.windowed * held(context, shape.window)
        return np.asarray(self.cache_layer * slots, dtype=np.float64)

    def decode_attention(self, context: ArrayLike) -> Reals:
        """Scores and weighted values of one new token over its conversation, in all layers [FLOP].

        4 d H for each pair of a query token and a key. MLA works on the latent itself: 2 H (576 + 512).

        References
        ----------
        .. [1] DeepSeek-AI, "DeepSeek-V2", 2024, arXiv:2405.04434, section 2.1.2.
        """
        shape = self.shape
        each = 4 * shape.head_dim if shape.kv_heads else 2 * (2 * LATENT + POSITION)
        pairs = shape.kept * held(context, 0) + shape.windowed * held(context, shape.window)
        return np.asarray(each * shape.heads * pairs, dtype=np.float64)

    def prefill_attention(self, tokens: ArrayLike, done: ArrayLike = 0) -> Reals:
        """The same for a prompt's next `tokens` behind `done` others; each sees itself and those before it [FLOP].

        MLA expands the latents to keys of 128 + 64 numbers and values of 128 for a prompt.
        """
        shape = self.shape
        each = 4 * shape.head_dim if shape.kv_heads else 2 * (2 * shape.head_dim + POSITION)
        end = np.add(tokens, done)
        kept, windowed = (seen(end, window) - seen(done, window) for window in (0, shape.window))
        return np.asarray(each * shape.heads * (shape.kept * kept + shape.windowed * windowed), dtype=np.float64)


def seen(tokens: ArrayLike, window: int) -> NDArray[np.int64]:
    """Pairs of a token and a key that it sees, itself among them, over the first `tokens` of a text."""
    counts = np.asarray(tokens, dtype=np.int64)
    inside = held(counts, window)
    return inside * (inside + 1) // 2 + (counts - inside) * window


def llama(model: Model, precision: str = "BF16") -> Served:
    """A dense model, with its cache in the precision of its weights."""
    size = {"BF16": BF16, "FP8": FP8}[precision]
    active = model.layers * model.layer_weights + VOCABULARY * model.hidden
    return Served(f"{model.name}, {precision}", SHAPES[model.name], model.parameters, active, size * model.parameters,
                  size * active, precision=precision, element=size)  # fmt: skip


def gpt_oss() -> Served:
    """gpt-oss-120b: experts in MXFP4, the rest in BF16, arithmetic in BF16.

    A block of 32 numbers of 4 bits has a scale of 8. All linear layers have biases, and each head a sink.

    References
    ----------
    .. [1] OpenAI, "gpt-oss-120b & gpt-oss-20b Model Card", 2025, arXiv:2508.10925, Table 1 and section 2.
    """
    shape, hidden, vocabulary, experts, picked = SHAPES["gpt-oss-120b"], 2880, 201_088, 128, 4
    queries, keys = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    attention = hidden * (queries + 2 * keys) + queries * hidden + queries + 2 * keys + hidden + shape.heads
    router = hidden * experts + experts
    matrices, biases = 3 * hidden * hidden, 2 * hidden + hidden
    always = shape.layers * (attention + router) + hidden * vocabulary
    embedding, norms = hidden * vocabulary, (2 * shape.layers + 1) * hidden
    size = matrices // 32 * 17 + BF16 * biases
    return Served(
        shape.name, shape,
        always + shape.layers * experts * (matrices + biases) + embedding + norms,
        always + shape.layers * picked * (matrices + biases),
        BF16 * (always + embedding + norms) + shape.layers * experts * size,
        BF16 * always, Experts(experts, picked, shape.layers, size),
    )  # fmt: skip


def deepseek_v3() -> Served:
    """DeepSeek-V3 without its module for multi-token prediction: a byte for every weight, the cache in BF16.

    References
    ----------
    .. [1] DeepSeek-AI, "DeepSeek-V3 Technical Report", 2024, arXiv:2412.19437, section 4.2.
    """
    shape, hidden, vocabulary, dense = SHAPES["DeepSeek-V3"], 7168, 129_280, 3
    head, rank = shape.head_dim, 1536
    queries = hidden * rank + rank * shape.heads * (head + POSITION)
    latents = hidden * (LATENT + POSITION) + LATENT * shape.heads * 2 * head
    attention = queries + latents + shape.heads * head * hidden
    expert, number, sparse = 3 * hidden * 2048, 256, shape.layers - dense
    always = shape.layers * attention + dense * 3 * hidden * 18_432 + sparse * (expert + hidden * number)
    always += hidden * vocabulary
    experts = Experts(number, 8, sparse, expert)
    parameters = always + sparse * number * expert + hidden * vocabulary
    active = always + sparse * experts.picked * expert
    return Served(shape.name, shape, parameters, active, parameters, always, experts, "FP8")


MODELS = {
    "8B": llama(LLAMA_8B),
    "70B": llama(LLAMA_70B),
    "70B-FP8": llama(LLAMA_70B, "FP8"),
    "gpt-oss": gpt_oss(),
    "V3": deepseek_v3(),
}
