"""Where do two waves undo each other?"""

from __future__ import annotations

from loom.scene import Column, Moment, Phase, Range, Scene, Table, Value

from .drawing import draw
from .model import DISTANCES, Pair


def say_one(moment: Moment) -> str:
    return "One source alone sends crests and troughs in circles; nothing is missing anywhere."


def say_both(moment: Moment) -> str:
    return "With both, crest meets crest along some lines, and crest meets trough along others: there nothing moves."


def say_mean(moment: Moment) -> str:
    pair = moment.result
    ways = f"{2 * len(pair.angles)} directions"
    return (
        f"Over time some places stay still. Far away they lie in {ways}, the first {pair.angles[0]:.1f}° off: "
        "there one way is longer by half a wavelength."
    )


def table(pair: Pair) -> Table:
    columns = (
        Column("order", "still direction"),
        Column("longer", "one way is longer by", "wavelengths", digits=1),
        Column("angle", "off straight ahead", "degrees", digits=1),
    )
    return Table(columns, [(at + 1, at + 0.5, angle) for at, angle in enumerate(pair.angles)])


def values(pair: Pair) -> dict[str, Value]:
    return {
        "distance": Value(pair.distance),
        "angle": Value(pair.angles[0], "degrees"),
        "directions": Value(2 * len(pair.angles)),
    }


SCENE = Scene(
    title="Where do two waves undo each other?",
    summary="Two sources that swing together leave still directions, where one way is longer by half a wavelength.",
    params=(Range("distance", "Distance", DISTANCES, default=2.0, unit="wavelengths"),),
    sentence="Put the sources {distance} apart.",
    solve=Pair,
    steps=(Phase("one", say_one), Phase("both", say_both), Phase("mean", say_mean)),
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(1, 2, 3),
    sources=("feynman-29",),
    leaves_out="Waves get weaker on their way; here they do not, so that only their meeting shows. "
    "The sources are points, swing exactly together and send one wavelength. "
    "The field is computed at 90 × 90 places, and changes evenly between them.",
)
