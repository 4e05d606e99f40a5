"""Check what the steps of scenes say: briefly, in sentences, and each something of its own."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

import msgspec

from loom.errors import Problem
from loom.render.assets import Once
from loom.scenes.results import KnownScene, SceneData
from loom.scenes.validate import context

LONGEST = 190  # characters: five lines on a phone, under a picture that shall stay in view
CLOSING = "\"'»”’"  # may follow the end of a sentence


class Flaw(NamedTuple):
    """A mistake, in the first state that has it, and how many others have it, too."""

    message: str
    hint: str
    variant: str
    step: int
    others: int


def narration_problems(scenes: Iterable[KnownScene], once: Once) -> Iterator[Problem]:
    """Steps of scenes that say too much, no whole sentence, or what another step says."""
    for known in scenes:
        info = known.summary.info
        found = once("narration", partial(_of_scene, known), known.summary.digest)
        for message, hint, variant, step, others in msgspec.convert(found, list[Flaw]):
            state = context(info.params_of(variant), step)
            yield Problem(info.path, 0, 0, message, hint, "narration", state=state, others=others)


def _of_scene(known: KnownScene) -> list[Flaw]:
    return flaws(known.data)


def flaws(data: SceneData) -> list[Flaw]:
    """The mistakes in a scene's narration, each kind of them once."""
    first: dict[str, Flaw] = {}  # by their hints
    for variant in data.variants:
        said = [data.words[index] for index in data.named(variant).say]
        for step, words in enumerate(said, 1):
            for message, hint in _mistakes(words, said[: step - 1]):
                known = first.get(hint)
                first[hint] = (
                    known._replace(others=known.others + 1) if known else Flaw(message, hint, variant, step, 0)
                )
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
