"""Words that say "1 slots": found in whatever a scene says."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from loom.scenes.results import SceneData

# A one by itself, and the word behind it; '3.1 tokens' and 'W − 1 tokens' are something else.
ONE = re.compile(r"(?<![\d.,−–-])(?<![−+×·÷]\s)\b1[\s\u00a0]([A-Za-z]{2,}s)\b")
# 'Only 1 are', '1 tile are'; 'rows 0 and 1 are', 'steps of 1 are', 'what lane 1 needs are' are not.
ARE = re.compile(r"(?<![\d.,−–-])(?<!and\s)(?<!of\s)\b1[\s\u00a0](?:[a-z]*[a-rt-z][\s\u00a0])?are\b")
# Words in -s that are no plurals: 'GPU 1 holds', '1 pass', '1 times as large'.
NONE = frozenset(
    [
        "adds", "arrives", "as", "asks", "begins", "bias", "brings", "class", "comes", "computes", "does", "ends",
        "gathers", "gets", "gives", "goes", "guess", "has", "holds", "is", "keeps", "leads", "less", "lies", "lifts",
        "loss", "makes", "minus", "ms", "needs", "ns", "owns", "pass", "plus", "reads", "runs", "says", "sees", "sends",
        "stands", "starts", "stays", "stores", "takes", "times", "waits", "was", "works", "writes",
    ]
)  # fmt: skip


def plurals(text: str) -> list[str]:
    """What of a text counts one thing as several."""
    several = [found.group() for found in ONE.finditer(text) if found[1].lower() not in NONE]
    return several + ARE.findall(text)


def said(data: SceneData) -> Iterator[str]:
    """All that a scene says: narration, labels, and what its files hold, which is in pictures, tables and values."""
    yield from (data.info.summary, data.info.leaves_out, *data.words)
    for param in data.info.params:
        yield from param.labels
    for raw in data.files.values():
        yield from _texts(msgspec.json.decode(raw))


def _texts(part: object) -> Iterator[str]:
    """The texts in some JSON."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, (list, dict)):
        for one in part.values() if isinstance(part, dict) else part:
            yield from _texts(one)
