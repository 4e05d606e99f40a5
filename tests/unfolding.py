"""Drawings on their way to the player: put into a file, and what should come out of it again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from loom.draw.marks import Mark, attributes, svg_tag
from loom.draw.svg import Element, element
from loom.scene import Choice, Scene, Table, Value
from loom.scenes.discover import Found
from loom.scenes.encode import Encoder, Story
from loom.scenes.sheet import Sheet, row_of

SCENE = Scene(
    title="A toy", summary="It stands for any.", leaves_out="Everything.", sources=("toy2020",),
    params=(Choice("n", "How many", (1, 2)),),
    steps=lambda n: [n], draw=lambda n, width: [], table=lambda n: Table((), []), values=lambda n: {"v": Value(n)},
)  # fmt: skip


def sheet() -> Sheet:
    """An empty sheet of a scene."""
    return Sheet(Found("toy", "scenes/toy/scene.py", Path("scenes/toy"), SCENE), "narrow")


def encoder(*stories: Sequence[Sequence[Mark]]) -> Encoder:
    """Some variants, each a list of frames, ready to be put into files."""
    found, paper = [], sheet()
    for number, frames in enumerate(stories):
        drawn = [paper.frame(frame, "") for frame in frames]
        assert not [problem for _, problems in drawn for problem in problems]
        words = tuple(f"Step {step} is said." for step in range(len(frames)))
        found.append(Story(number, str(number), words, ((1, "a"),), {"v": "1 B"}, [rows for rows, _ in drawn]))
    return Encoder("toy", paper.marks, found)


def drawn(frame: Iterable[Mark]) -> list[Element]:
    """A frame as it should be shown, from the lowest mark up."""
    return [element(mark) for mark in frame]


def dressed(frame: Iterable[Mark]) -> dict[str, dict[str, Any]]:
    """A frame as it should stand in the page while it is played: each mark's element, words and attributes by key."""
    found = {}
    for mark in frame:
        fields = dict(zip(row_of(mark).kind[1:], row_of(mark).fields, strict=True))
        button = {"data-sets": fields.get("s"), "role": "button", "tabindex": "0", "aria-label": fields.get("l")}
        shown = {name: str(value) for name, value in attributes(mark).items()}
        found[mark.key] = {"element": svg_tag(mark), "words": mark.text, **shown, **(button if mark.set else {})}
    return found
