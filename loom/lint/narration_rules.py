"""Check what the steps of scenes say: briefly, in sentences, and each something of its own."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from loom.lint.finding import Finding
from loom.scenes.results import SceneData

LONGEST = 190  # characters: five lines on a phone, with which the picture above stays in view
CLOSING = "\"'»”’"  # may follow the end of a sentence


def narration(data: SceneData) -> list[Finding]:
    """Steps that say too much, no whole sentence, or what another step says: each of the three once."""
    first: dict[str, Finding] = {}  # by their hints
    for variant in data.variants:
        said = [data.words[index] for index in data.named(variant).say]
        for step, words in enumerate(said, 1):
            for message, hint in _mistakes(words, said[: step - 1]):
                one = first.setdefault(hint, Finding(message, hint, variant, step, states=-1))
                first[hint] = one._replace(states=one.states + 1)
    return list(first.values())


def _mistakes(words: str, before: list[str]) -> Iterator[tuple[str, str]]:
    if len(words) > LONGEST:
        message = f"a step says {len(words)} characters, and {LONGEST} are enough for one idea"
        yield message, "leave out what the picture shows, or make two steps of it"
    end = words.rstrip(CLOSING)[-1:]
    if not end or not unicodedata.category(end).startswith("P"):
        yield f"what a step says ends in '{words[-12:]}'", "end it as a sentence ends"
    if words in before:
        message = f"a step says the same as step {before.index(words) + 1}"
        yield message, "say what is new in it, or leave it out where nothing is"
