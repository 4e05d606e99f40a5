"""A layer that several GPUs share: what each of them holds, sends and computes in its forward pass."""

from __future__ import annotations

from dataclasses import dataclass

from .._clusters.links import NETWORK, NVLINK, PEAK
from .._clusters.models import MODELS, Model
from .toy import Toy

BF16 = 2  # bytes of a number
TOKENS = 8192  # one sequence at a time
SUMS = 2  # all-reduces in a layer's forward, and as many in its backward: one behind attention, one behind the MLP
LINKS = {"nvlink": NVLINK, "network": NETWORK}
GPUS = (1, 2, 4, 8, 16)
NAMES = {name.rsplit(maxsplit=1)[-1]: name for name in reversed(MODELS)}


def sent_by_each(size: float, gpus: int) -> float:
    """Bytes that each GPU sends in an all-reduce of `size` bytes: a reduce-scatter and an all-gather, by a ring."""
    return 2 * (gpus - 1) / gpus * size


@dataclass(frozen=True)
class Split:
    """A layer of a model over `gpus` GPUs that talk over one link.

    References
    ----------
    .. [1] Shoeybi et al., "Megatron-LM", 2019, arXiv:1909.08053, section 3.
    .. [2] Narayanan et al., 2021, arXiv:2104.04473, section 3.2: 8·b·s·h·(t − 1)/t numbers for each layer.
    """

    gpus: int
    order: str  # "columns" first, or "rows" first without a sum between
    link: str
    model: str  # its size

    @property
    def shape(self) -> Model:
        return MODELS[NAMES[self.model]]

    @property
    def toy(self) -> Toy:
        return Toy.of(self.gpus, self.order)

    @property
    def weights(self) -> float:
        """Bytes of the layer's matrices that each GPU holds."""
        return BF16 * self.shape.layer_weights / self.gpus

    @property
    def heads(self) -> float:
        """Query heads that each GPU holds."""
        return self.shape.heads / self.gpus

    @property
    def buffer(self) -> int:
        """What is summed over the GPUs each time: a vector for each token [B]."""
        return TOKENS * self.shape.hidden * BF16

    @property
    def each(self) -> float:
        """What each GPU sends for one sum [B]."""
        return sent_by_each(self.buffer, self.gpus)

    @property
    def sent(self) -> float:
        """What each GPU sends for the layer, forward and backward [B]."""
        return 2 * SUMS * self.each

    @property
    def parts(self) -> tuple[float, float]:
        """The forward's arithmetic in attention's matrices and in the MLP, at an H100's peak [s]."""
        flops = 2 * TOKENS * self.shape.layer_weights
        mlp = 2 * TOKENS * 3 * self.shape.hidden * self.shape.ffn
        return (flops - mlp) / self.gpus / PEAK, mlp / self.gpus / PEAK

    @property
    def compute(self) -> float:
        """[s]"""
        return sum(self.parts)

    @property
    def communication(self) -> float:
        """The forward's sums, in which nobody computes [s]."""
        return SUMS * self.each / LINKS[self.link]

    @property
    def total(self) -> float:
        """[s]"""
        return self.compute + self.communication

    @property
    def ratio(self) -> float:
        """Communication against arithmetic: whatever the number of tokens, it is the same."""
        return self.communication / self.compute

    @property
    def share(self) -> float:
        """How much of the forward is waited [%]."""
        return 100 * self.communication / self.total

    def over(self, gpus: int) -> Split:
        """The same with another number of GPUs."""
        return Split(gpus, self.order, self.link, self.model)

    def over_link(self, link: str) -> Split:
        """The same over another link."""
        return Split(self.gpus, self.order, link, self.model)
