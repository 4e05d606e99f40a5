"""How many bytes of keys and values a conversation leaves behind, layer by layer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from numpy.typing import ArrayLike

from .._gpus.rates import GPUS
from .._serving.shapes import LATENT, POSITION, Shape, Whole, held

SCHEMES = ("MHA", "GQA", "MQA", "MLA")  # how the heads of a layer share keys and values
HYPOTHETICAL_GROUPS = 8  # KV heads of GQA where the model ships another scheme
BF16 = 2  # bytes
GB = 10**9


class Format(NamedTuple):
    """How numbers of a cache are stored: their own bits, and those of scale and offset of a group."""

    bits: int
    shared: int = 0  # bits
    group: int = 1  # numbers

    @property
    def each(self) -> float:
        """Bits of a number with its share."""
        return self.bits + self.shared / self.group


# NVFP4: a scale in E4M3 for 16 numbers. MXFP4: one in E8M0 for 32. INT4 and 2-bit: scale and offset in FP16 for 32.
FORMATS = {
    "BF16": Format(16),
    "FP8": Format(8),
    "NVFP4": Format(4, 8, 16),
    "2-bit": Format(2, 16 + 16, 32),
    "MXFP4": Format(4, 8, 32),
    "INT4": Format(4, 16 + 16, 32),
}
# DeepSeek's own: 512 numbers in FP8 with 4 scales in FP32, and the 64 of the position in BF16 [B].
LATENT_FP8 = 512 + 4 * 4 + 2 * 64
INDEX_FP8 = 128 + 4  # an indexer's key in FP8, with a scale in FP32 [B]
CAPACITIES = (GPUS["H100"].capacity, GPUS["H200"].capacity)  # memory of an H100, which an A100 has too; of an H200


def kv_heads(shape: Shape, scheme: str) -> int:
    """How many heads of a layer have keys and values of their own; 0 for MLA, which keeps one latent for all.

    Parameters
    ----------
    shape : Shape
        The model. GQA takes its own number of KV heads if it ships GQA, and 8 otherwise.
    scheme : str
        One of `SCHEMES`.

    References
    ----------
    .. [1] Shazeer, "Fast Transformer Decoding", 2019, arXiv:1911.02150 (MQA).
    .. [2] Ainslie et al., "GQA", 2023, arXiv:2305.13245, section 2.2.
    """
    own = shape.kv_heads if shape.shipped == "GQA" else HYPOTHETICAL_GROUPS
    counts = {"MHA": shape.heads, "GQA": own, "MQA": 1, "MLA": 0, "CSA": 0}
    if scheme not in counts:
        raise ValueError(f"scheme is one of {', '.join(map(repr, SCHEMES))}, not {scheme!r}")
    return counts[scheme]


def layer_elements(shape: Shape, scheme: str) -> int:
    """Values that one token leaves in one layer: 2 K d for K heads of d values, or 512 + 64 for MLA.

    MLA has no factor 2: keys and values come from one latent. A model that chooses keeps an indexer's key beside it.

    References
    ----------
    .. [1] DeepSeek-AI, "DeepSeek-V2", 2024, arXiv:2405.04434, Table 1, sections 2.1.2 and 3.1.2.
    """
    heads, index = kv_heads(shape, scheme), shape.index if scheme == shape.shipped else 0
    return (2 * heads * shape.head_dim if heads else LATENT + POSITION) + index


@dataclass(frozen=True)
class Cache:
    """The keys and values of `batch` conversations of one model under one scheme. All sizes in bytes."""

    shape: Shape
    scheme: str
    element: int  # bytes of one number
    batch: int = 1

    @cached_property
    def layer_token(self) -> int:
        """One token, one layer, one conversation [B]."""
        return layer_elements(self.shape, self.scheme) * self.element

    @cached_property
    def elements(self) -> int:
        """Values of one token over all layers, before any window drops them."""
        return layer_elements(self.shape, self.scheme) * (self.shape.layers - self.shape.stateful)

    @cached_property
    def token(self) -> int:
        """One token in all layers of one conversation, before any window drops it [B]."""
        return self.elements * self.element

    @cached_property
    def states(self) -> int:
        """States of layers that keep no token [B]; as large for any text and any way to share heads."""
        return self.batch * self.shape.stateful * self.shape.state

    def parts(self, tokens: ArrayLike) -> tuple[Whole, Whole]:
        """Layers that keep everything, and layers with a window, at `tokens` tokens a conversation [B]."""
        shape, each = self.shape, self.layer_token * self.batch
        kept = shape.kept + shape.compressed  # with a scheme that does not compress
        return each * kept * held(tokens, 0), each * shape.windowed * held(tokens, shape.window)

    def total(self, tokens: int) -> int:
        """All of the cache at `tokens` tokens [B]."""
        return int(sum(self.parts(tokens))) + self.states

    def stored(self, tokens: int, form: str) -> float:
        """The same with its numbers in one of `FORMATS` [B]; states stay as they are.

        References
        ----------
        .. [1] FlashMLA, README: 656 bytes for a token of MLA in FP8.
        .. [2] SGLang, pull request 11309: 975,424 tokens of DeepSeek-V3.2 in 43.67 GiB, 788 bytes for each and layer.
        """
        each = FORMATS[form].each / 8
        if form == "FP8" and not kv_heads(self.shape, self.scheme):
            index = INDEX_FP8 if self.shape.index else 0
            each = (LATENT_FP8 + index) / layer_elements(self.shape, self.scheme)
        return float(sum(self.parts(tokens))) / self.element * each + self.states

    def full(self, tokens: int) -> int:
        """What it would be if every layer kept every token [B]."""
        return self.layer_token * self.shape.layers * self.batch * tokens

    def grows(self, tokens: int) -> int:
        """What one more token adds to one conversation of `tokens` tokens [B]."""
        still = self.shape.windowed if tokens < self.shape.window else 0
        return self.layer_token * (self.shape.kept + self.shape.compressed + still)

    def fits(self, capacity: int) -> int | None:
        """The longest conversations whose cache fits into `capacity` bytes [tokens]; None: any length does.

        A cache grows by one amount while windows fill, then by another, so two divisions find the answer.
        """
        shape, each = self.shape, self.layer_token * self.batch
        capacity = max(capacity - self.states, 0)
        early = capacity // (each * (shape.layers - shape.stateful))
        if not shape.windowed or early < shape.window:
            return early
        if not shape.kept:
            return None
        return (capacity - each * shape.windowed * shape.window) // (each * shape.kept)

    def holds(self, capacity: int) -> int:
        """The most tokens that a layer holds at once within `capacity` bytes [tokens].

        The same as `fits`, but finite for a cache that never fills: if every layer has a window, then the window.
        """
        fitting = self.fits(capacity)
        return self.shape.window if fitting is None else fitting

    def gpus(self, tokens: int, capacity: int) -> int:
        """How many GPUs of `capacity` bytes the cache alone takes; a started one counts."""
        return -(-self.total(tokens) // capacity)

    @cached_property
    def schemes(self) -> list[Cache]:
        """The cache under every scheme of `SCHEMES`, all else equal."""
        return [Cache(self.shape, scheme, self.element, self.batch) for scheme in SCHEMES]

    @cached_property
    def rivals(self) -> list[Cache]:
        """The same; a scheme of the model's own takes the place of MLA."""
        return self.schemes if self.scheme in SCHEMES else [*self.schemes[:-1], self]


@dataclass(frozen=True)
class Case:
    """A conversation of `tokens` tokens, and its cache as the model ships."""

    cache: Cache
    tokens: int

    @property
    def cut(self) -> bool:
        """Whether windows drop some tokens at this length."""
        return 0 < self.cache.shape.window < self.tokens
