"""Coffee: its control, its story, its table and its values."""

from __future__ import annotations

from loom.scene import Column, Moment, Phase, Range, Scene, Table, Value, evenly

from .drawing import draw
from .model import BEDTIME, CUP, HALF_LIVES, Decay, solve


def say_drink(moment: Moment) -> str:
    return f"A cup brings {CUP:g} mg. After {moment.result.half_life:g} hours half of it is left."


def say_wait(moment: Moment) -> str:
    twice = 2 * moment.result.half_life
    return f"After as many hours again, {twice:g} in all, half of that half is left: {moment.result.left(twice):g} mg."


def say_bed(moment: Moment) -> str:
    return f"At bedtime, {BEDTIME:g} hours after the cup, {moment.result.left(BEDTIME):.0f} mg are left."


PHASES = (
    Phase("drink", say_drink),
    Phase("wait", say_wait, beats=lambda _: evenly(12, 3.0)),
    Phase("bed", say_bed),
)


def table(decay: Decay) -> Table:
    columns = (Column("hours", "after", "h"), Column("left", "caffeine left", "mg", digits=1))
    return Table(columns, [(hours, decay.left(hours)) for hours in range(0, 17, 2)])


def values(decay: Decay) -> dict[str, Value]:
    return {"left": Value(decay.left(BEDTIME), "mg", digits=2), "half_life": Value(decay.half_life, "h", digits=2)}


SCENE = Scene(
    title="How much of a cup of coffee do you take to bed?",
    summary="The caffeine of one cup falls by half in every half-life; at bedtime a good part of it is left.",
    params=(Range("half_life", "Half-life", HALF_LIVES, default=5.0, unit="hours"),),
    sentence="Let half of it go in {half_life}.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    sources=("iom2001",),
    leaves_out="Caffeine needs most of an hour to reach the blood, and its half-life depends on sleep, smoking, "
    "pregnancy and much else. Here it is there at once, and goes at one pace.",
)
