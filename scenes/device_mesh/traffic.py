"""What each dimension of a mesh sends in one step of training, and over which wires."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from .._clusters.links import NETWORK as NIC_RATE
from .._clusters.links import NODE
from .._clusters.links import NVLINK as NVLINK_RATE
from .._clusters.models import LLAMA_8B, LLAMA_405B, Model
from .model import NETWORK, NVLINK, PODS, Mesh

BF16, FP32 = 2, 4  # bytes of a number
DIMENSIONS = ("tp", "cp", "pp", "dp")


@dataclass(frozen=True)
class Run:
    """A run of training: a model, the sizes of its groups, and what one step takes in.

    References
    ----------
    .. [1] Llama Team, "The Llama 3 Herd of Models", 2024, arXiv:2407.21783, Table 4 and section 3.3.2.
    """

    model: Model
    tp: int
    cp: int
    pp: int
    dp: int
    sequence: int  # tokens
    sequences: int  # of a step

    @property
    def sizes(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in DIMENSIONS}

    @property
    def microbatches(self) -> int:
        """Sequences that one replica takes, one after the other."""
        return self.sequences // self.dp


# In Table 4 the last of these rows has a DP that does not multiply to 16,384; 8 does, and gives the row's tokens.
RUNS = {
    "paper": Run(LLAMA_8B, 2, 2, 2, 2, 8192, 16),
    "stage-1": Run(LLAMA_405B, 8, 1, 16, 64, 8192, 2048),
    "stage-2": Run(LLAMA_405B, 8, 1, 16, 128, 8192, 2048),
    "long": Run(LLAMA_405B, 8, 16, 16, 8, 131_072, 128),
}


@cache  # the same for all ranks
def mesh_of(run: Run, order: tuple[str, ...]) -> Mesh:
    return Mesh(run.sizes, order)


@dataclass(frozen=True, eq=False)
class Placed:
    """A run on a mesh, seen from one GPU."""

    run: Run
    order: tuple[str, ...]
    rank: int

    @cached_property
    def mesh(self) -> Mesh:
        return mesh_of(self.run, self.order)

    def at(self, name: str) -> int:
        """The GPU's coordinate."""
        return self.mesh.place(self.rank, name)

    @property
    def replica(self) -> int:
        """GPUs that hold one copy of the model."""
        return self.mesh.gpus // self.run.dp

    def sent(self, name: str) -> float:
        """Bytes that a GPU sends along a dimension in one step, averaged over all stages.

        Tensor parallelism reduces an activation four times a layer; context parallelism gathers keys and values and
        reduces their gradients; a pipeline hands activations on and gradients back; data parallelism gathers BF16
        weights and reduces FP32 gradients. A ring of n sends (n − 1)/n of what it gathers or reduces, each time.
        """
        run, model = self.run, self.run.model
        size = self.mesh.sizes[name]
        ring = (size - 1) / size
        tokens, layers = run.sequence / run.cp, model.layers / run.pp
        activation = tokens * model.hidden * BF16
        each_layer = run.microbatches * layers
        return {
            "tp": each_layer * 4 * 2 * activation * ring,
            "cp": each_layer * 2 * run.sequence * 2 * model.kv_width / run.tp * BF16 * ring,
            "pp": run.microbatches * 2 * activation / run.tp * ring,
            "dp": model.parameters / (run.tp * run.pp) * (BF16 + FP32) * ring,
        }[name]

    @cached_property
    def total(self) -> float:
        """Bytes that a GPU sends in one step."""
        return sum(self.sent(name) for name in DIMENSIONS)

    def over(self, wire: str) -> float:
        """Bytes of a GPU that go over a kind of wire in one step, on average."""
        return sum(self.sent(name) * self.mesh.hops[name][wire] for name in DIMENSIONS)

    @cached_property
    def shares(self) -> dict[str, float]:
        """Of all bytes, those over each kind of wire [%]."""
        return {wire: 100 * self.over(wire) / self.total for wire in (NVLINK, NETWORK, PODS)}

    def seconds(self, name: str, order: tuple[str, ...] = ()) -> float:
        """How long a dimension's bytes take by themselves, each wire at its peak [s].

        GPUs of a group that share a node share its traffic to other nodes, each over its own network card.
        """
        mesh = mesh_of(self.run, order or self.order)
        size, stride = mesh.sizes[name], mesh.strides[name]
        inside = min(size, max(1, NODE // stride))
        within = self.sent(name) / NVLINK_RATE if inside > 1 else 0.0
        return max(within, self.sent(name) / inside / NIC_RATE if inside < size else 0.0)
