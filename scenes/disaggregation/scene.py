"""Prompts whole, in chunks, or on GPUs of their own: who waits, what travels, and when it pays."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Range, Scene, Table, Value

from .._serving.models import MODELS
from .case import NAMES, PACES, PROMPTS, Case
from .decoder import PAST, TALKS
from .drawing import draw
from .events import LEAST, REPLY
from .goodput import BUDGETS, FLEET, PATIENCE
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
        "gap_together": Value(case.whole.longest, "s"),
        "gap_chunks": Value(case.chunks.longest, "s"),
        "gap_apart": Value(case.apart.longest, "s"),
        "step_together": Value(min(case.whole.gaps), "s"),
        "served_together": Value(case.served[0]),
        "served_chunks": Value(case.served[1]),
        "served_apart": Value(case.served[2]),
        "gain": Value(case.gain, "×"),
        "budget": Value(case.budget, "tokens"),
        "split": Value(case.fleet.split(case.pace / 1000)),
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
    title="Do prompts need their own GPU?",
    summary="On a GPU that does both, a new prompt keeps every conversation waiting for its next token, unless it is "
    "cut into chunks. On a GPU of its own it keeps nobody waiting, but its cache has to travel; against chunks, that "
    "serves more requests only where prompts are long and targets tight.",
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
    opening=3,
    key_steps=(3, -1),
    sources=("distserve", "sarathi", "vllm-disagg", "splitwise", "llama-3"),
    leaves_out=f"Llama 3 8B in BF16 on H100s: prompts at half of the peak rate, whole or in chunks, decoding as fast "
    f"as memory can be read, links at their full rate and nothing else on them. In the lanes {TALKS} conversations of "
    f"{PAST:,} tokens are under way all the time, and prompts come at made-up times. Caches leave when "
    "the prefill is done; engines can send them layer by layer while it runs. The last chart plays requests at random "
    f"with replies of {REPLY} tokens, dealt to {FLEET} GPUs by turns, at least {LEAST} to each, and asks for the "
    "highest rate at which nine in ten of them have a first token within "
    f"{PATIENCE:g} times its prefill and a mean time between tokens within the pace; another seed moves it by a few "
    f"percent. Each way is tuned: chunks have the best of {len(BUDGETS)} budgets, from {BUDGETS[0]} to {BUDGETS[-1]:,} "
    "tokens a step, apart the best split into whole GPUs. Real chunks of 256 tokens compute more slowly than whole "
    "prompts: they look better here than they are. Fleets also have prompts of many lengths, give each phase its "
    "own parallelism, and may compute short prompts where they decode.",
)
