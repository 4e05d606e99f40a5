"""Pieces of the drawing vocabulary, each as a scene of one picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from loom.draw import Mark, Pen
from loom.scene import Column, Scene, Table, Value

WIDE = 840


def piece(title: str, summary: str, example: Callable[[Pen], Iterable[Mark]]) -> Scene:
    """What `example` draws, as a scene; its table lists the marks."""
    marks = list(example(Pen(WIDE)))
    columns = (Column("key", "key"), Column("element", "element"), Column("role", "role"), Column("text", "says"))
    rows = [(mark.key, mark.tag, mark.role, mark.text) for mark in marks]
    return Scene(
        title=title,
        summary=summary,
        steps=lambda: (None,),
        draw=lambda _, width: example(Pen(width)),
        say=lambda _: summary,
        table=lambda: Table(columns, rows),
        values=lambda: {"marks": Value(len(marks), "marks")},
        key_steps=(1,),
        sources=("svg2",),
        leaves_out="The numbers are made up: this shows a piece of the vocabulary, and models nothing.",
    )
