"""The five phases of the story, and how places are called."""

from __future__ import annotations

from loom.scene import Moment, Phase, evenly

from .model import FMAS, LANES, PIECE, Held, Place, addressed
from .pace import STOPS, WIDTHS, following, reached, widening

NAMES = {"a": "A", "b": "B", "d": "C"}
ORDINALS = ("first", "second", "third", "fourth")


def entry(matrix: str, place: Place) -> str:
    """A place as it is written: A[9, 2]."""
    return f"{NAMES[matrix]}[{place[0]},\u00a0{place[1]}]"


def contents(held: Held) -> str:
    return " and ".join(entry(held.matrix, place) for place in held.places)


def _fma(_: Moment) -> str:
    return (
        f"16 × 8 sums of 16 products each are {FMAS:,} multiply-adds. In ordinary instructions each lane does one at a "
        f"time: {FMAS:,} ÷ {LANES} = {FMAS // LANES} instructions."
    )


def _bring(moment: Moment) -> str:
    held = moment.result
    found = addressed(held.lane, "a")
    assert found is not None  # A has a matrix for each eight lanes
    return (
        f"ldmatrix brings six pieces of {PIECE} × {PIECE}, four of A. Lane {held.lane} gives the address of row "
        f"{found[1]} of the {ORDINALS[found[0]]}; it gets two numbers of each."
    )


def _hold(moment: Moment) -> str:
    held = moment.result
    return (
        f"Register {held.register} of lane {held.lane} holds {contents(held)}. "
        "In all, a lane has 8 numbers of A, 4 of B, and 4 sums."
    )


def _multiply(moment: Moment) -> str:
    held = moment.result
    rows, columns = (" and ".join(map(str, found)) for found in (held.rows, held.columns))
    return (
        f"Its sums need rows {rows} of A and columns {columns} of B. The lane has {held.own} of these {held.needed}; "
        f"{len(held.lenders)} others, outlined, have the rest."
    )


def _wgmma(moment: Moment) -> str:
    first, second = moment.result.rows
    return (
        "wgmma reads A and B from shared memory. The pattern is the same, repeated to the right: in each warp, "
        f"lane {moment.result.lane} has part of rows {first} and {second}."
    )


PHASES = (
    Phase("fma", _fma, beats=lambda _: evenly(3, 3.0, lead=0.25)),
    Phase("bring", _bring, beats=lambda _: evenly(5, 3.5, lead=0.5)),
    Phase("hold", _hold),
    Phase("multiply", _multiply, beats=following),
    Phase("wgmma", _wgmma, beats=widening),
)


def answers(moment: Moment) -> tuple[str, str]:
    """The large answer of each phase, and what it is the answer to."""
    held, lane = moment.result, f"lane {moment.result.lane}"
    match moment.phase:
        case "fma":
            return f"{round(moment.progress * FMAS / LANES)}", "instructions; with a tensor core, 1"
        case "bring":
            return f"{2 * (moment.beat + 1)}", f"numbers have come to {lane}"
        case "hold":
            return lane, f"has {contents(held)}"
        case "multiply":
            return f"{held.own_to(reached(STOPS, moment))} of {held.needed}", f"numbers that {lane} needs are its own"
    columns = reached(WIDTHS, moment)
    return f"{columns // 2}", f"sums in each thread, at N = {columns}"
