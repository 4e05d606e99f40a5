"""When does a small push make a large swing?"""

from __future__ import annotations

from loom.scene import Column, Moment, Phase, Range, Scene, Table, Value

from .drawing import draw
from .model import QUALITIES, RATIOS, Swing


def say_far(moment: Moment) -> str:
    swing = moment.result
    if swing.ratio < 0.5:
        return "Slow pushes: the swing follows them, and goes about as far as a push that never changes would move it."
    if swing.ratio > 2:
        return "Fast pushes: each is over before the swing has moved much, and the next one undoes it."
    return f"Pushed near its own frequency it goes {swing.gain:.3g} times as far as the same push moves it, held still."


def say_late(moment: Moment) -> str:
    swing = moment.result
    return (
        f"The motion is {swing.lag:.0f}° late. At its own frequency it is always late by a quarter of a swing, "
        "so that each push goes the way it moves."
    )


def table(swing: Swing) -> Table:
    columns = (
        Column("ratio", "frequency of the pushes over its own", digits=2),
        Column("gain", "how far it goes", digits=3),
        Column("lag", "how late it is", "degrees", digits=1),
    )
    others = [Swing(swing.quality, ratio) for ratio in (0.5, 0.9, 1.0, 1.1, 2.0)]
    return Table(columns, [(one.ratio, one.gain, one.lag) for one in others])


def values(swing: Swing) -> dict[str, Value]:
    return {"gain": Value(swing.gain), "lag": Value(swing.lag, "degrees")}


SCENE = Scene(
    title="When does a small push make a large swing?",
    summary="A swing that is pushed near its own frequency goes Q times as far as the same push, held still, moves it.",
    params=(
        Range("ratio", "Frequency", RATIOS, default=1.0, unit="times its own"),
        Range("quality", "Q", QUALITIES, default=10.0),
    ),
    sentence="Push a swing of Q {quality} at {ratio} frequency.",
    solve=Swing,
    steps=(Phase("far", say_far), Phase("late", say_late)),
    draw=draw,
    table=table,
    values=values,
    key_steps=(1, 2),
    sources=("feynman-23",),
    leaves_out="Only what remains when the beginning has died away, which takes about Q swings. "
    "Friction grows with speed and the force with the deflection, which holds for small swings alone.",
)
