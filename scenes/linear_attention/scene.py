"""Linear attention: a state of fixed size in place of keys, and the hybrids that use it."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import LENGTHS, draw
from .model import Memory
from .narration import PHASES, Case
from .shapes import SHAPES
from .toy import ADDS, DELTA


def solve(model: str, tokens: int, rule: str) -> Case:
    return Case(Memory(SHAPES[model], tokens), rule)


def table(case: Case) -> Table:
    columns = (
        Column("model", "model"),
        Column("states", "layers with a state"),
        Column("kept", "layers with keys"),
        Column("state_gb", "states", "GB", digits=3),
        Column("keys_gb", "keys", "GB", digits=3),
        Column("everywhere_gb", "keys in all layers", "GB", digits=3),
    )
    rows = [Memory(shape, case.memory.tokens) for shape in SHAPES.values()]
    return Table(
        columns,
        [
            (one.shape.name, one.shape.linear, one.shape.full, one.states / 1e9, one.keys / 1e9, one.everywhere / 1e9)
            for one in rows
        ],
    )


def values(case: Case) -> dict[str, Value]:
    memory = case.memory
    return {
        "ratio": Value(memory.ratio, "×"),
        "states": Value(memory.states, "B"),
        "keys": Value(memory.keys, "B"),
        "total": Value(memory.total, "B"),
        "everywhere": Value(memory.everywhere, "B"),
        "even": Value(memory.even, "tokens"),
        "layers": Value(memory.shape.layers),
        "linear": Value(memory.shape.linear),
        "full": Value(memory.shape.full),
        "saved": Value(100 * (1 - memory.total / memory.everywhere), "%"),
    }


SCENE = Scene(
    title="What does a state of fixed size save?",
    summary="A state of fixed size fades, erases and writes with each token and never grows. Models keep it in most "
    "layers and keys in the rest, so that their memory grows more slowly; short texts pay for it.",
    params=(
        Choice("model", "Model", tuple(SHAPES)),
        Range("tokens", "Tokens", LENGTHS, default=131072, unit="tokens"),
        Choice("rule", "The small state", {DELTA: "fades, erases and writes", ADDS: "only adds"}),
    ),
    sentence="Let {model} read {tokens}. The small state {rule}.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(-1,),
    sources=(
        "gated-deltanet",
        "linear-transformers",
        "hf-qwen3-next-config",
        "hf-qwen3-5-config",
        "hf-kimi-linear-config",
        "vllm-40696",
        "kimi-k3-llamacpp",
        "vllm-k3-state",
    ),
    leaves_out="The small keys have nothing in common but where one comes again; real ones overlap, and each blurs "
    "the others a little. Real models compute how much fades and is erased from each token, Kimi’s for each entry of "
    "the key; here they are 0.9 and all. The short convolution, norms and gates around the state are not drawn. "
    "States are counted in FP32 with the inputs of the convolution, keys and latents in BF16, for one conversation; "
    "servers keep copies of states besides, to start from again. No model of these would ship with keys in all "
    "layers: that is the same model with its own kind of attention everywhere. Quality is not shown.",
)
