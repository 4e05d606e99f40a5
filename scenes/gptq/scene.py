"""GPTQ: the second weight moves, so that what rounding takes from the first is made up for."""

from __future__ import annotations

from loom.draw import number
from loom.scene import Choice, Column, Moment, Phase, Range, Scene, Table, Value, evenly

from .drawing import draw, short
from .model import ALIKE, WEIGHTS, Case

NAMES = dict(zip(ALIKE, ("opposite", "unrelated", "alike"), strict=True))


def _weights(moment: Moment) -> str:
    case: Case = moment.result
    wrong = (case.nearest - case.weights).tolist()
    together = wrong[0] * wrong[1] * case.alike
    if wrong == [0, 0]:
        told = "both are whole already, and the output is right"
    elif 0 in wrong:
        told = f"only the {'first' if wrong[0] else 'second'} is off, and so is the output"
    elif together:
        told = f"so the two errors mostly {'add up' if together > 0 else 'cancel'}"
    else:
        told = "so the two errors neither add up nor cancel"
    if 0 in wrong:
        return f"Whole numbers can be stored, and each weight goes to its nearest: {told}."
    return (
        f"Whole numbers can be stored: each weight goes to its nearest. Their inputs are {NAMES[case.alike]} "
        f"(correlation {number(case.alike)}), {told}."
    )


def _first(moment: Moment) -> str:
    case: Case = moment.result
    off = number(round(case.one - float(case.nearest[0]), 9))
    whole = number(case.nearest[0])
    if off == "0":
        return f"The first weight is {whole}, a whole number already: it stays, and nothing is to be made up for."
    return f"The first weight goes to its nearest, {whole}. It is now off by {off}."


def _second(moment: Moment) -> str:
    case: Case = moment.result
    off = number(round(case.one - float(case.nearest[0]), 9))
    if off == "0":
        return f"The first weight is not off, so the second stays at {number(case.two)}."
    alike, off = (f"({words})" if words.startswith("−") else words for words in (number(case.alike), off))
    return (
        f"The second moves by the correlation times that: {number(case.two)} + {alike} × {off} = "
        f"{number(round(case.moved, 9))}. On the dotted line it makes up best."
    )


def _rounded(moment: Moment) -> str:
    case: Case = moment.result
    second, plain = number(case.chosen[1]), number(case.nearest[1])
    told = f"The output is off by {short(case.error)} (RMS)"
    if case.moved == case.two:
        return f"It is rounded to {second}, its nearest. {told}."
    if second == plain:
        return f"Only then is it rounded, to {second}, where it would have gone anyway. {told}."
    rather = f"Only then is it rounded, to {second}, not {plain}."
    return f"{rather} {told}; each at its nearest, {short(case.plain_error)}."


PHASES = (
    Phase("weights", _weights, beats=lambda _: evenly(1, 0.6, lead=0.25)),
    Phase("first", _first, beats=lambda _: evenly(2, 1.2)),
    Phase("second", _second, beats=lambda _: evenly(2, 1.2)),
    Phase("rounded", _rounded, beats=lambda _: evenly(2, 1.2)),
)


def table(case: Case) -> Table:
    columns = (
        Column("way", "way"),
        Column("one", "first", digits=1),
        Column("two", "second", digits=1),
        Column("error", "RMS error of the output", digits=3),
    )
    pairs = (("as trained", case.weights, 0.0), ("each at its nearest", case.nearest, case.plain_error),
             ("GPTQ", case.chosen, case.error))  # fmt: skip
    return Table(columns, [(way, *map(float, two), error) for way, two, error in pairs])


def values(case: Case) -> dict[str, Value]:
    return {
        "off": Value(round(case.one - float(case.nearest[0]), 9)),
        "moved": Value(round(case.moved, 9)),
        "second": Value(float(case.chosen[1])),
        "nearest": Value(float(case.nearest[1])),
        "error": Value(case.error, digits=2),
        "plain_error": Value(case.plain_error, digits=2),
    }


SCENE = Scene(
    title="Why does the second weight move?",
    summary="Two weights are rounded to whole numbers; where their inputs are alike, the second makes up for what "
    "rounding took from the first, and the output is off by less.",
    params=(
        Choice("alike", "Inputs", NAMES, default=0.9),
        Range("one", "First weight", WEIGHTS, default=0.4),
        Range("two", "Second weight", WEIGHTS, default=0.4),
    ),
    sentence="Round {one} and {two}, whose inputs are {alike}.",
    solve=lambda one, two, alike: Case(one, two, alike),
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(-1,),
    sources=("gptq",),
    leaves_out="Real matrices have thousands of columns; GPTQ takes 128 at a time, and measures H on a few texts; "
    "the 8 inputs here are made up. One weight after another is not always best: at some places here the first would "
    "better have been rounded the other way.",
)
