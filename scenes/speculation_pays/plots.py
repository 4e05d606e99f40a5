"""The plots: tokens and gain over the number of guesses, and cost and gain over the number of requests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from loom.draw import Mark, Plot, bounds, count, dodge, memoized
from loom.scene import Moment

from .loads import batch_plot, curves_of, height, load_rail
from .model import ALPHAS, BATCHES, DEAR, DRAFT, GAMMAS, LOADS, Case, best, speed_up, tokens
from .stage import Point, Stage, stage_of
from .story import CHECK, COST, GUESSES, PAYS, SHORT, share

FAMILY = (0.5, 0.6, 0.7, 0.8, 0.9)
GRID = np.linspace(0, GAMMAS[-1], 33)
TITLES = {GUESSES: "tokens of one pass", COST: "times as fast", CHECK: "time, in plain steps", PAYS: "times as fast"}


def draw_plot(stage: Stage, moment: Moment) -> Iterator[Mark]:
    case: Case = moment.result.case
    yield from draw_axes(stage.pen.width, moment.phase, case.gamma, case.alpha)
    if moment.phase == GUESSES:
        yield from draw_family(stage.pen.width, case.alpha)
    elif moment.phase == COST:
        yield from draw_costs(stage.pen.width, case.alpha)
    else:
        alpha = case.alpha if moment.phase == PAYS else None
        hand = load_rail(stage.pen.width, alpha, case.gamma, case.load)[BATCHES.index(case.batch)]
        yield from draw_loads(stage.pen.width, alpha, case.gamma, case.load, hand)
    yield knob(stage, moment.phase, case)


def draw_axes(width: float, phase: str, gamma: int, alpha: float) -> Iterator[Mark]:
    """What is measured, in a part of the story, over what."""
    stage = stage_of(width)
    if phase in (GUESSES, COST):
        return titled(stage.by_guesses, phase)
    return titled(batch_plot(width, alpha if phase == PAYS else None, gamma), phase)


@memoized
def titled(plot: Plot, phase: str) -> Iterator[Mark]:
    yield from replace(plot, y=replace(plot.y, label=TITLES[phase])).axes()


@memoized
def draw_family(width: float, alpha: float) -> Iterator[Mark]:
    """Tokens of a pass for several chances to stay, the chosen one over the others, and its limit."""
    stage = stage_of(width)
    plot = stage.by_guesses
    for one in FAMILY:
        if one != alpha:
            yield plot.curve(f"family-{one}", GRID, tokens(one, GRID), "axis")
    limit = 1 / (1 - alpha)
    if limit <= plot.y.span[1]:
        _, y = plot.at(0, limit)
        yield plot.pen.line("limit", plot.box.x, y, plot.box.right, y, "ghost")
        yield plot.pen.text("limit-words", plot.box.x + 4, y - 5, f"at most {limit:.3g}", "note")
    yield plot.curve("tokens", GRID, tokens(alpha, GRID), "data")
    shown = sorted({*FAMILY, alpha}) if min(abs(alpha - one) for one in FAMILY) > 0.04 else list(FAMILY)
    names = {f"{one}": (share(one), float(tokens(one, GAMMAS[-1])), one == alpha) for one in shown}
    yield from names_of_curves(stage, plot, names)


@memoized
def draw_costs(width: float, alpha: float) -> Iterator[Mark]:
    """The gain for guesses that cost nothing, little and much, each with its best number of guesses."""
    stage = stage_of(width)
    plot, names = stage.by_guesses, {}
    yield plot.curve("tokens", GRID, tokens(alpha, GRID), "ghost")
    names["free"] = (stage.pen.pick("free", "for free"), float(tokens(alpha, GAMMAS[-1])), False)
    for draft in (DEAR, DRAFT):
        own = draft == DRAFT
        yield plot.curve(f"gain-{draft}", GRID, speed_up(alpha, GRID, draft), "data" if own else "axis")
        guesses, most = best(alpha, draft)
        if guesses <= GAMMAS[-1]:
            yield plot.pen.circle(f"best-{draft}", *plot.at(guesses, most), 4, "data" if own else "quiet",
                                  read=f"best with {count(guesses, 'guess', 'guesses')}: {most:.2f}×")  # fmt: skip
        each = f"{share(draft)}{stage.pen.pick('', ' a guess')}"
        names[f"{draft}"] = (each, float(speed_up(alpha, GAMMAS[-1], draft)), own)
    yield from names_of_curves(stage, plot, names)


@memoized
def draw_loads(width: float, alpha: float | None, gamma: int, chosen: str, hand: Point) -> Iterator[Mark]:
    """A curve for each model and length of text; the chosen one over the others. Words are clear of the hand."""
    stage = stage_of(width)
    plot = batch_plot(width, alpha, gamma)
    left, y = plot.box.x, plot.at(BATCHES[0], 1)[1]
    roomy = plot.box.bottom - y > 1.6 * plot.pen.size  # for words under the line, which would else go through them
    yield plot.pen.line("even", left, y, plot.box.right, y, "dropped dashed" if alpha else "axis dashed")
    quantity = "gain" if alpha else "cost"  # one does not become the other
    points = list[Point]()
    for load in LOADS:
        role = "data" if load == chosen else "axis"
        for part, places, few in curves_of(width, alpha, gamma, load):
            points += places
            yield plot.pen.path(f"{quantity}-{load}{part}", few, f"{role} dashed" if part else role)
    full = list(draw_full(plot, LOADS[chosen].room, roomy, hand))
    yield from full
    if alpha and roomy:
        reach = plot.pen.knob_radius - 2  # its corners are far from the knob
        (x, y), taken = hand, [bounds(mark) for mark in full]
        yield from below_even(plot, points, [*taken, (x - reach, y - reach, x + reach, y + reach)])
    names = {load: (SHORT[load], height(alpha, gamma, load, BATCHES[-1]), load == chosen) for load in LOADS}
    yield from names_of_curves(stage, plot, names, "load", quantity)


def draw_full(plot: Plot, room: int, low: bool, hand: Point) -> Iterator[Mark]:
    """Where one GPU's memory is full; a model that is too large for it is on as many as it takes.

    The words are at the bottom, or over all curves if they would stand on the line of 1 or under the knob there.
    """
    if room:
        x, left = plot.at(room, 0)[0], room > BATCHES[-1] / 2
        low = low and hand[1] < plot.box.bottom - 3 - 0.75 * plot.pen.size - plot.pen.knob_radius
        yield plot.pen.line("full", x, plot.box.y, x, plot.box.bottom, "memory thin")
        y = plot.box.bottom - 3 if low else plot.box.y + plot.pen.size
        yield plot.pen.text("full-words", x - 5 if left else x + 5, y, f"{room} fill the H100",
                            "memory", anchor="end" if left else "start")  # fmt: skip


def below_even(plot: Plot, points: list[Point], others: list[tuple[float, float, float, float]]) -> Iterator[Mark]:
    """What lies below the line of 1, as near to it as no curve goes through the words."""
    pen, box, words = plot.pen, plot.box, "slower than one by one"
    taken = np.array([*others, *(place * 2 for place in points)])  # left, top, right and bottom
    wide, line = pen.text_width(words), plot.at(BATCHES[0], 1)[1]
    xs = np.arange(box.x + 4, box.right - wide, 8)
    across = (xs - 4 < taken[:, 2:3]) & (taken[:, :1] < xs + wide + 4)
    for y in np.arange(line + pen.size, box.bottom - 3, 2):
        along = (y - pen.size < taken[:, 3]) & (taken[:, 1] < y + 4)
        free = np.flatnonzero(~across[along].any(axis=0))
        if len(free):
            yield pen.text("slower", float(xs[free[0]]), float(y), words, "dropped")
            return


def names_of_curves(
    stage: Stage, plot: Plot, names: dict[str, tuple[str, float, bool]], param: str = "", kind: str = "curve"
) -> Iterator[Mark]:
    """What each curve of a kind is, behind its end; where they are a parameter's values, pressing a name chooses it."""
    pen, box = stage.pen, plot.box
    ends = [plot.at(plot.x.span[1], end)[1] for _, end, _ in names.values()]
    for (key, (words, _, own)), y in zip(names.items(), dodge(ends, 1.25 * pen.size, box.y, box.bottom), strict=True):
        role, at = "label strong" if own else "note", box.right + 18
        name = f"name-{kind}-{key}"  # those of another kind would come by on their way
        if param:
            yield pen.text(name, at, y, words, role, middle=True, set={param: key}, label=f"Choose {words}")
        else:
            yield pen.text(name, at, y, words, role, middle=True)


def knob(stage: Stage, phase: str, case: Case) -> Mark:
    """The present values' place, and a rail of all of them."""
    if phase in (GUESSES, COST):
        rail = guess_rail(stage.pen.width, phase)
        place = rail[GAMMAS.index(case.gamma) * len(ALPHAS) + ALPHAS.index(case.alpha)]
        return stage.pen.knob("gamma-alpha", *place, ("gamma", "alpha"), rail)
    rail = load_rail(stage.pen.width, case.alpha if phase == PAYS else None, case.gamma, case.load)
    return stage.pen.knob("batch", *rail[BATCHES.index(case.batch)], "batch", rail)


@cache
def guess_rail(width: float, phase: str) -> tuple[Point, ...]:
    """A place for each number of guesses with each chance to stay."""
    plot = stage_of(width).by_guesses
    return tuple(
        plot.at(gamma, float(tokens(alpha, gamma) if phase == GUESSES else speed_up(alpha, gamma, DRAFT)))
        for gamma in GAMMAS for alpha in ALPHAS
    )  # fmt: skip
