"""A step in two or three sentences."""

from __future__ import annotations

from loom.draw import count, plain

from .model import LIMITS
from .moments import AHEAD, ALONE, FITS, SHARED, STAGE_KB, STEADY, State
from .words import cycles, percent, short, tiles_of_a_stage


def say(state: State) -> str:
    return {ALONE: _alone, AHEAD: _ahead, STEADY: _steady, SHARED: _shared}[state.step](state)


def _alone(state: State) -> str:
    one = state.alone
    return (
        "A matrix product goes tile by tile: load a tile into a buffer in shared memory, the small memory beside the "
        "arithmetic, then compute on it. "
        f"With one buffer, a load takes L = {one.latency} cycles, the arithmetic C = {one.compute}, "
        f"and only then the next load begins: {cycles(one.period)} a tile, "
        f"of which the arithmetic waits {percent(float(one.stall()))}."
    )


def _ahead(state: State) -> str:
    one = state.chosen
    most = one.window // one.compute
    if one.stages == 1:
        return (
            "A buffer cannot be filled while it is read, so one buffer, or stage, means waiting for every load: "
            f"{state.alone.done} tiles in {cycles(one.window)}. Arithmetic that never waits would do {most}. "
            "Add a stage to load ahead."
        )
    return (
        f"With {one.stages} buffers, called stages, {one.stages} loads begin at once, and each later one as soon as "
        f"its buffer has been read. The memory pipe passes one tile at a time, T = {one.transfer} cycles each. "
        f"In {cycles(one.window)} {count(one.done, 'tile')} are done, "
        f"not {state.alone.done}; arithmetic that never waits would do {most}."
    )


def _steady(state: State) -> str:
    return {"round trip": _bound_by_trip, "compute": _bound_by_compute, "memory": _bound_by_memory}[state.chosen.bound](
        state
    )


def _bound_by_trip(state: State) -> str:
    one = state.chosen
    shared = "" if one.stages == 1 else f"Shared by {one.stages} stages, that is a tile every {cycles(one.period)}. "
    limit = "the arithmetic never waits" if one.compute >= one.transfer else f"memory sets the pace, T = {one.transfer}"
    return (
        f"In the steady state each buffer is always in use: its round trip takes L + C = {cycles(one.trip)}. "
        f"{shared}The arithmetic waits {percent(float(one.stall()))} of the time. From {one.needed} stages on, {limit}."
    )


def _bound_by_compute(state: State) -> str:
    one = state.chosen
    spare = one.stages - one.needed
    more = (
        f"{count(one.needed, 'stage')} would have done it, {spare} fewer."
        if spare
        else f"It takes these {one.stages} stages: with {one.stages - 1}, "
        f"a tile would take {cycles(float(one.over(one.stages - 1)))}."
    )
    tie = f" The memory pipe, T = {one.transfer} cycles a tile, is full too." if one.compute == one.transfer else ""
    return (
        f"The next tile is always there in time: one every C = {cycles(one.compute)}, "
        f"and after the first load the arithmetic never waits.{tie} {more}"
    )


def _bound_by_memory(state: State) -> str:
    one = state.chosen
    more = (
        f"Already {count(one.needed, 'stage')} would reach that pace."
        if one.stages > one.needed
        else f"These {one.stages} stages are just enough for it."
    )
    return (
        f"Now memory is the limit: a tile fills its pipe for T = {cycles(one.transfer)}, longer than the arithmetic's "
        f"C = {one.compute}. The arithmetic waits {percent(float(one.stall()))} of the time, "
        f"and no number of stages changes that. {more}"
    )


def _shared(state: State) -> str:
    one = state.chosen
    limits = ", and ".join(f"{limit} KB on an {gpu}, room for {FITS[gpu]}" for gpu, limit in LIMITS.items())
    return (
        f"A stage holds {tiles_of_a_stage()}: {short(STAGE_KB)} KB of 1,024 bytes. "
        f"{count(one.stages, 'stage')} {'takes' if one.stages == 1 else 'take'} {plain(one.stages * STAGE_KB)} KB; "
        f"one block can have {limits}. {_room(state)}"
    )


def _room(state: State) -> str:
    needed = state.chosen.needed
    words = f"The {count(needed, 'stage')} after which more do not help take {plain(needed * STAGE_KB)} KB"
    fitting = [gpu for gpu, most in FITS.items() if needed <= most]
    if len(fitting) == len(FITS):
        return f"{words}: they fit on both."
    return f"{words}: they fit on the {fitting[0]} only." if fitting else f"{words}, more than either has."
