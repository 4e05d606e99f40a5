"""Drawings on their way to the player: put into a file, and what should come out of it again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from loom.draw.marks import Mark, svg_tag
from loom.draw.svg import Element, element
from loom.scene import WIDTHS, Choice, Scene, Table, Value
from loom.scenes.encode import Encoder, VariantFrames
from loom.scenes.load import LoadedScene
from loom.scenes.mark_table import MarkTable, row_of
from loom.scenes.results import LETTERS
from loom.scenes.run import Frame, VariantRun

SCENE = Scene(
    title="A toy", summary="It stands for any.", leaves_out="Everything.", sources=("toy2020",),
    params=(Choice("n", "How many", (1, 2)),),
    steps=lambda n: [n], draw=lambda n, width: [], table=lambda n: Table((), []), values=lambda n: {"v": Value(n)},
)  # fmt: skip


def sheet() -> MarkTable:
    """An empty sheet of a scene."""
    return MarkTable(SCENE, "narrow")


def encoder(*stories: Sequence[Sequence[Mark]]) -> Encoder:
    """Some variants, each a list of frames, ready to be put into files."""
    return beating(*[[[frame] for frame in story] for story in stories])


def beating(*stories: Sequence[Sequence[Sequence[Mark]]]) -> Encoder:
    """Some variants, each a list of steps, each of them a list of beats that follow one another by 100 ms."""
    found, paper = [], sheet()
    for number, steps in enumerate(stories):
        drawn = [paper.frame(frame) for beats in steps for frame in beats]
        assert not [problem for _, problems in drawn for problem in problems]
        words = tuple(f"Step {step} is said. It is 1 B." for step in range(len(steps)))
        times = tuple((0, *[100] * (len(beats) - 1)) for beats in steps)
        rows = [rows for rows, _ in drawn]
        found.append(VariantFrames(number, str(number), words, ((1, "a"),), {"v": "1 B"}, rows, beats=times))
    return Encoder("toy", paper.marks, found)


def drawn(frame: Iterable[Mark]) -> list[Element]:
    """A frame as it should be shown, from the lowest mark up."""
    return [element(mark) for mark in frame]


def last_frames(found: LoadedScene, params: Mapping[str, Any]) -> dict[str, list[Frame]]:
    """The frames of one variant at both widths, one for each step: that of its last beat."""
    run = VariantRun(found, params)
    chapters = run.chapters()
    return {
        name: [run.frame(chapter.states[-1], width, step) for step, chapter in enumerate(chapters, 1)]
        for name, width in WIDTHS.items()
    }


def dressed(frame: Iterable[Mark]) -> dict[str, dict[str, Any]]:
    """A frame as it should stand in the page while it is played: each mark's element, words and attributes by key."""
    found = {}
    for mark in frame:
        fields = dict(zip(row_of(mark).kind[1:], row_of(mark).fields, strict=True))
        ours: dict[str, Any] = {}
        if mark.set:
            ours = {"data-sets": fields.get("s"), "role": "button", "aria-label": fields.get("l")}
        elif mark.handle:
            ours = {"role": "slider"}
        elif mark.read:
            ours = {"role": "img", "aria-label": mark.read}
        shown = {name: str(value) for name, value in fields.items() if name not in LETTERS}
        if "X" in shown:
            shown["place"] = f"{shown.pop('X')} {shown.pop('Y')}"
        found[mark.key] = {"element": svg_tag(mark), "words": mark.text, **shown, **ours}
    return found
