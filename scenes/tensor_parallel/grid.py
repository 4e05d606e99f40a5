"""The small example: factors to the left and above, their product at the corner, and a colour for each GPU."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from loom.draw import Box, Grid, Mark, Pen, fixed, memoized
from loom.scene import Moment

from .places import Places
from .toy import EXACT, A, B, Ints, Toy, X

Bools = NDArray[np.bool_]
# Beats of the sum: half of each part is made, and all; parts leave what makes them, lie on each other, are one, and the
# other order.
MADE, LEFT, MERGED, SUMMED, OTHER, LAST = 2, 3, 4, 5, 6, 8
OWN = ("series-1", "series-2", "series-4", "series-6")  # of each GPU


def draw_grid(pen: Pen, moment: Moment, alone: bool) -> Iterator[Mark]:
    """The example with the stage to itself, or beside what a real layer takes."""
    toy = moment.result.toy
    by_columns = toy.order == "columns" or toy.gpus == 1
    places = Places(pen, alone, toy.gpus, by_columns)
    yield from draw_held(places, toy, by_columns, moment.result.gpus > toy.gpus)
    yield from draw_middles(places, moment, toy, by_columns)
    if moment.since("sum"):
        yield from draw_results(places, moment, toy)
    if places.beside:
        beat = moment.beat if moment.phase == "sum" else -1
        yield from draw_parts(places, toy, beat >= 0, beat >= LEFT, beat >= SUMMED)


@memoized
def draw_held(places: Places, toy: Toy, by_columns: bool, fewer: bool) -> Iterator[Mark]:
    """What each GPU holds: all of X and parts of both matrices, or parts of X and A, and all of B."""
    pen, shared = places.pen, np.full(8, -1)
    own_x, own_a, own_b = (shared[:4], toy.owners(8), toy.owners(8)) if by_columns else (toy.owners(4),) * 2 + (shared,)
    for key, grid, found in (("x", places.band(0, 0), X), ("a", places.a, A), ("b", places.b, B)):
        owners = {
            "x": np.broadcast_to(own_x, X.shape),
            "a": np.broadcast_to(own_a if by_columns else own_a[:, None], A.shape),
            "b": np.broadcast_to(own_b[:, None], B.shape),
        }[key]
        yield from numbers(pen, key, grid, found, owners)
    a, b = places.a.box, places.b.box
    below = places.band(0, 0).box.bottom + pen.size + 2
    yield pen.text("name-x", 0, below, "X", "label strong")
    if fewer:
        yield pen.text("fewer", *pen.pick((0, below + 1.3 * pen.size), (16, below)), f"on {toy.gpus} GPUs", "note")
    yield pen.text("name-a", a.x - 6, a.y + pen.size - 2, "A", "label strong", anchor="end")
    yield pen.text("name-b", b.x - 6, b.y + pen.size - 2, "B", "label strong", anchor="end")
    for gpu in range(toy.gpus if toy.gpus > 1 else 0):
        words = f"{gpu + 1}" if gpu and by_columns and pen.narrow else f"GPU {gpu + 1}"
        if by_columns:
            x = a.x + (gpu + 0.5) * a.width / toy.gpus
            yield pen.text(f"holder-{gpu}", x, a.y - 5, words, "note", anchor="middle")
        else:
            y = a.y + (gpu + 0.5) * a.height / toy.gpus
            yield pen.text(f"holder-{gpu}", a.x - 18, y, words, "note", anchor="end", middle=True)


def draw_middles(places: Places, moment: Moment, toy: Toy, by_columns: bool) -> Iterator[Mark]:
    """The middle, as far as it is made: each GPU makes its next column in every beat, and at last cuts off below 0."""
    pen, turns = places.pen, 8 // toy.gpus
    made, cut = (moment.beat + 1, False) if moment.phase == "middle" else (turns, True)
    made, cut = (turns, True) if made > turns else (made, cut)
    bands = 1 if by_columns else toy.gpus
    for gpu in range(bands):
        grid = places.band(1, gpu)
        found = sum(toy.middles[1:], toy.middles[0]) if by_columns else toy.middles[gpu]
        done = np.tile(np.arange(turns), toy.gpus) < made if by_columns else np.arange(8) < made * toy.gpus
        owners = toy.owners(8) if by_columns else np.full(8, gpu)
        shown = np.maximum(found, 0) if cut else found
        yield from numbers(pen, f"middle-{gpu}", grid, shown, np.broadcast_to(owners, found.shape),
                           np.broadcast_to(done, found.shape))  # fmt: skip
    last = places.band(1, bands - 1).box
    words = "ReLU(X·A)" if cut else "X·A"
    words = words if by_columns else f"parts of X·A{', ReLU of each' * cut}"
    yield pen.text("name-middle", last.x, last.bottom + pen.size + 2, words, "label strong" if cut else "label")


def draw_results(places: Places, moment: Moment, toy: Toy) -> Iterator[Mark]:
    """Each GPU's part of the result; then all of them move onto the first, and are one sum beside the uncut product."""
    pen, told = places.pen, moment.phase == "sum"
    beat = moment.beat if told else LAST
    left, merged, summed = (toy.gpus > 1 and beat >= least for least in (LEFT, MERGED, SUMMED))
    made = np.arange(4) < 4 * beat / MADE
    for gpu in reversed(range(toy.gpus)):
        grid = places.band(2, 0) if merged else places.aside() if left else places.part(gpu)
        if not summed:
            yield from numbers(pen, f"result-{gpu}", grid, toy.results[gpu], np.full(EXACT.shape, gpu),
                               np.broadcast_to(made, EXACT.shape), plain=left)  # fmt: skip
            if not left and toy.gpus > 1 and not places.beside:
                name = pen.pick(f"{gpu + 1}", f"GPU {gpu + 1}")
                middle = grid.box.y + grid.box.height / 2
                yield pen.text(f"result-{gpu}-name", grid.box.right + 4, middle, name, "note", middle=True)
    if summed:
        yield from draw_sum(places, toy, told)
        if told and beat >= OTHER and toy.order == "columns":
            yield from draw_other(places, Toy.of(toy.gpus, "rows"))


@memoized
def draw_parts(places: Places, toy: Toy, begun: bool, sent: bool, summed: bool) -> Iterator[Mark]:
    """Room for the part of each GPU, which stays there when it is sent, and the way to their sum."""
    pen, total = places.pen, places.band(2, 0).box
    for gpu in range(toy.gpus):
        grid = places.part(gpu)
        box = grid.box
        yield pen.text(f"part-{gpu}-name", box.right + 4, box.y + box.height / 2, f"GPU {gpu + 1}", "note", middle=True)
        if gpu:
            yield pen.text(f"plus-{gpu}", box.x - 12, box.y + box.height / 2, "+", "label strong", anchor="middle",
                           middle=True)  # fmt: skip
        if sent:
            yield from numbers(pen, f"part-{gpu}", grid, toy.results[gpu], np.full(EXACT.shape, gpu))
        else:
            yield pen.rect(f"room-{gpu}", box, "ghost", round=0)
    if begun and places.by_columns:
        x, y = box.x + box.width / 2, total.y + total.height / 2
        yield pen.path("to-sum", [(x, box.bottom + 5), (x, y), (total.right + 5, y), (total.right + 10, y - 4),
                                  (total.right + 5, y), (total.right + 10, y + 4)], "axis outline")  # fmt: skip
        if summed:  # the parts came by here
            yield pen.text("to-sum-words", x + 8, y, "one sum", "note", middle=True)


def draw_sum(places: Places, toy: Toy, compared: bool) -> Iterator[Mark]:
    """The sum, each number right or wrong, and while they are compared what it should be, if it is not that."""
    pen, grid, right = places.pen, places.band(2, 0), toy.result == EXACT
    for key, role, chosen in (("right", "work soft solid", right), ("wrong", "dropped soft solid", ~right)):
        if chosen.any():
            yield pen.strokes(f"sum-{key}", [grid.cell(*at).corners for at in np.argwhere(chosen).tolist()], role)
    yield from words_of(pen, "sum", grid, toy.result, "value strong")
    if compared:
        below, words = places.band(2, 0).box, "the same as uncut"
        if toy.wrong:
            below, words = places.band(2, 1).box, "what it should be"
            yield pen.rect("uncut", below, "ghost", round=0)
            yield from words_of(pen, "uncut", places.band(2, 1), EXACT, "note")
        yield pen.text("uncut-name", below.right, below.bottom + pen.size + 3, words, "note", anchor="end")


def draw_other(places: Places, toy: Toy) -> Iterator[Mark]:
    """What the other order would make of the same matrices: a button, with what is wrong in red."""
    pen, wrong = places.pen, toy.result != EXACT
    grid = places.results(places.band(2, 0).box.bottom + pen.pick(30, 36))
    box = grid.box
    yield pen.rect("rows-first", box.inset(-2, -2, -2, -2), "dropped outline", round=1, set={"order": "rows"},
                   label="rows first")  # fmt: skip
    yield pen.strokes("rows-first-wrong", [grid.cell(*at).corners for at in np.argwhere(wrong).tolist()],
                      "dropped soft solid")  # fmt: skip
    yield from words_of(pen, "rows-first", grid, toy.result, "value")
    words = f"rows first: {toy.wrong} of {EXACT.size} wrong"
    yield pen.text("rows-first-words", box.x - 10, box.y + box.height / 2, words, "dropped", anchor="end", middle=True)


def numbers(
    pen: Pen, key: str, grid: Grid, found: Ints, owners: Ints, done: Bools | None = None, *, plain: bool = False
) -> Iterator[Mark]:
    """A matrix whose cells have the colour of their GPU, one mark for each; what is not made yet is an outline.

    Cells that come later are there from the first, without a width: so those that are there stay as they are.
    """
    there = np.ones(found.shape, dtype=bool) if done is None else done
    if not there.all():
        yield joined(pen, f"{key}-later", [grid.cell(*at) for at in np.argwhere(~there).tolist()], "axis thin soft")
    for owner in np.unique(owners).tolist():
        cells = [grid.cell(*at)._replace(**({} if there[at] else {"width": 0.0}))
                 for at in np.ndindex(found.shape) if owners[at] == owner]  # fmt: skip
        if owner < 0:
            yield joined(pen, f"{key}-all", cells, "axis thin soft")
        else:
            yield pen.strokes(f"{key}-{OWN[owner]}", [cell.corners for cell in cells], f"{OWN[owner]} soft solid")
    if not plain:
        yield from words_of(pen, key, grid, found, "value", there)


def joined(pen: Pen, key: str, cells: list[Box], role: str) -> Mark:
    """Outlines of cells, which share a line with those beside them."""
    return pen.outlines(key, [cell.inset(-0.5, -0.5, -0.5, -0.5) for cell in cells], role)


def words_of(pen: Pen, key: str, grid: Grid, found: Ints, role: str, there: Bools | None = None) -> Iterator[Mark]:
    """The numbers of a matrix, each in its cell."""
    for row, column in np.ndindex(found.shape):
        if there is None or there[row, column]:
            box = grid.cell(row, column)
            yield pen.text(f"{key}-{row}-{column}-text", box.x + box.width / 2, box.y + box.height / 2,
                           fixed(found[row, column], 0), role, anchor="middle", middle=True,
                           size=pen.pick(pen.size, 16))  # fmt: skip
