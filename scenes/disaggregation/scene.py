"""Prefill and decode on the same GPUs or apart: who waits, what travels, and when it pays."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Range, Scene, Table, Value

from .._serving.models import MODELS
from .case import NAMES, PACES, PROMPTS, Case
from .drawing import draw
from .goodput import FLEET, PATIENCE, REPLY
from .lanes import PAST, TALKS
from .model import Prompt, mean_first_token
from .story import PHASES

SHOWN = {"8b": "8B", "70b": "70B", "oss": "gpt-oss", "v3": "V3"}  # models of the table, by how values call them
TURN = 0.1  # [s]: a prefill of the queue that prose works out


def table(case: Case) -> Table:
    columns = (
        Column("model", "model"),
        Column("cache", "cache of the prompt", "MB", digits=1),
        Column("prefill", "prefill", "ms", digits=1),
        Column("transfer", "transfer", "ms", digits=2),
        Column("share", "of the prefill", "%", digits=2),
        Column("hides", "hidden from", "GB/s", digits=2),
    )
    prompts = [Prompt(MODELS[name], case.tokens) for name in SHOWN.values()]
    return Table(columns, [
        (one.model.name, one.cache / 1e6, 1e3 * one.prefill, 1e3 * one.transfer(case.link),
         100 * one.transfer(case.link) / one.prefill, one.hides / 1e9)
        for one in prompts
    ])  # fmt: skip


def values(case: Case) -> dict[str, Value]:
    found = {
        "gap_together": Value(case.together.longest, "s"),
        "gap_apart": Value(case.apart.longest, "s"),
        "step_together": Value(min(case.together.gaps), "s"),
        "mean_together": Value(case.together.mean, "s"),
        "mean_apart": Value(case.apart.mean, "s"),
        "served_together": Value(case.served[0]),
        "served_apart": Value(case.served[1]),
        "gain": Value(case.gain, "×"),
        "split": Value(case.fleet.split(case.pace / 1000)),
        "most_together": Value(case.fleet.most_together),
        "most_apart": Value(case.fleet.most_apart),
        **{f"queue_{rate}": Value(float(mean_first_token(TURN, rate)), "s", digits=4) for rate in (2, 4, 8)},
    }
    for key, name in SHOWN.items():
        one = Prompt(MODELS[name], case.tokens)
        found |= {
            f"cache_{key}": Value(one.cache, "B"),
            f"prefill_{key}": Value(one.prefill, "s"),
            f"transfer_{key}": Value(one.transfer(case.link), "s"),
            f"hides_{key}": Value(one.hides, "B/s"),
        }
    return found


SCENE = Scene(
    title="What if prompts are computed elsewhere?",
    summary="On a GPU that does both, a new prompt keeps every conversation waiting for its next token. On a GPU of "
    "its own it does not, but its cache has to travel; more requests fit within tight targets, not more altogether.",
    params=(
        Range("prompt", "Prompt", {tokens: count(tokens, "token") for tokens in PROMPTS}, default=2048),
        Choice("link", "Link", NAMES, default="nic"),
        Choice("pace", "A token every", {pace: f"{pace} ms" for pace in PACES}, default=10),
    ),
    sentence="Prompts of {prompt} over {link}, a token every {pace}.",
    solve=lambda prompt, link, pace: Case(prompt, link, pace),
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=2,
    key_steps=(2, -1),
    sources=("distserve", "vllm-disagg", "splitwise", "llama-3"),
    leaves_out=f"Llama 3 8B in BF16 on H100s: prefill at half of the peak rate, decoding as fast as memory can be "
    f"read, links at their full rate and nothing else on them. In the lanes {TALKS} conversations of {PAST:,} tokens "
    "are under way all the time, prompts come at times made up for the picture, and one that comes goes before "
    "decoding. Servers of today cut prompts into chunks that share steps with decoding: that bounds the wait without a "
    "second GPU, and is the fairer rival where only the longest wait counts. Caches leave when the prefill is done; "
    "engines can send them layer by layer while it runs. The last chart has "
    f"{FLEET} GPUs on both sides, requests at random with replies of {REPLY} tokens, and means instead of the share of "
    f"requests that meet both targets: a first token within {PATIENCE:g} times its prefill, others at the pace. Apart, "
    "the split that serves most is taken, in whole GPUs, and for prompts of one length. Together, bunches of long "
    "prompts make waits longer than means tell: by a few percent at 2,048 tokens, by up to a quarter at 32,768. Fleets "
    "also give each phase its own parallelism, and may compute short prompts where they decode.",
)
