"""Pieces of the drawing vocabulary, each as a scene: of one picture, of one that grows, or of one that answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from loom.draw import Mark, Pen
from loom.scene import Chapter, Choice, Column, Scene, Table, Value, evenly

WIDE = 840


def piece(
    title: str,
    summary: str,
    example: Callable[..., Iterable[Mark]],
    params: tuple[Choice, ...] = (),
    sentence: str = "",
    grows: tuple[float, float] = (1, 0),
) -> Scene:
    """What `example` draws, as a scene; its table lists the marks.

    It is given a pen, and by name what the reader has chosen. With `grows` it is given a `share`, too, which grows from
    0 to the first number in as many seconds as the second.
    """
    most, seconds = grows
    times = evenly(12, seconds) if seconds else (0.0,)
    beats = [{"share": most * (beat + 1) / len(times)} if seconds else {} for beat in range(len(times))]

    def steps(**chosen: Any) -> tuple[Chapter, ...]:
        return (Chapter([chosen | beat for beat in beats], times),)

    def marks(**chosen: Any) -> list[Mark]:
        return list(example(Pen(WIDE), **chosen, **beats[-1]))

    columns = (Column("key", "key"), Column("element", "element"), Column("role", "role"), Column("text", "says"))
    return Scene(
        title=title,
        summary=summary,
        params=params,
        sentence=sentence,
        steps=steps,
        draw=lambda state, width: example(Pen(width), **state),
        say=lambda _: summary,
        table=lambda **chosen: Table(columns, [(one.key, one.tag, one.role, one.text) for one in marks(**chosen)]),
        values=lambda **chosen: {"marks": Value(len(marks(**chosen)), "marks")},
        key_steps=(1,),
        sources=("svg2",),
        leaves_out="The numbers are made up: this shows a piece of the vocabulary, and models nothing.",
    )
