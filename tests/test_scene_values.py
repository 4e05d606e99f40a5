"""Whatever stands in a scene, and whatever its functions give, is shown or told at its place, without a traceback."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import loom.draw
from loom.draw import Axis, Bar, Box, Entry, Grid, Handle, Lanes, Mark, Pen, Plot, Polar, Span, first_clear, memoized
from loom.errors import Problem
from loom.scene import Choice, Column, Phase, Range, Table, Toggle, Value
from loom.scene.story import say_phase
from loom.scenes.diagnose import pieces as known_pieces
from tests.wrong import GOOD, drawn, fresh, odd, told

examples = settings(max_examples=25, deadline=None, derandomize=True)
RAW = ("Traceback", " at 0x", "TypeError", "AttributeError", "KeyError", "UnboundLocalError")


def look(problems: Iterable[Problem]) -> None:
    """Every problem has a place, and says in words what is wrong."""
    for one in problems:
        assert one.path.startswith("scenes/") and one.line, str(one)
        assert not any(raw in str(one) for raw in RAW), str(one)


FIELDS = [*GOOD, "solve", "key_steps", "opening", "sentence"]


@pytest.mark.parametrize("field", FIELDS)
@given(value=odd)
@examples
def test_any_field_of_a_scene_may_be_anything(field, value):
    look(told(**{field: fresh(value)}))


@pytest.mark.parametrize("part", ["steps", "draw", "say", "table", "values", "solve"])
@given(value=odd)
@examples
def test_any_function_of_a_scene_may_give_anything(part, value):
    def give(*_: Any, **__: Any) -> Any:
        return fresh(value)

    given = {"steps": lambda _: [1], "table": lambda _: GOOD["table"](), "values": lambda _: GOOD["values"]()}
    look(told(**({"solve": give, **given} if part == "solve" else {part: give})))


@pytest.mark.parametrize("part", ["steps", "draw"])
@given(value=odd)
@examples
def test_any_function_of_a_scene_may_yield_anything(part, value):
    def give(*_: Any, **__: Any) -> Any:
        yield fresh(value)

    look(told(**{part: give}))


@given(value=odd)
@examples
def test_any_cell_and_any_value_may_be_anything(value):
    columns = (Column("at", "step"), Column("share", "share"))
    look(told(table=lambda **_: Table(columns, [(1, fresh(value))])))
    look(told(table=lambda **_: Table(columns, [fresh(value)])))
    look(told(table=lambda **_: Table(columns, fresh(value))))
    look(told(table=lambda **_: Table(fresh(value), [(1, 2)])))
    look(told(values=lambda **_: {"size": fresh(value)}))
    if isinstance(value, (str, int, float, bytes, type(None))):
        look(told(values=lambda **_: {value: Value(1)}))


RECORDS: list[tuple[Callable[..., Any], dict[str, Any], Callable[[Any], dict[str, Any]]]] = [
    (Column, {"name": "at", "label": "step", "unit": "s", "digits": 1},
     lambda one: {"table": lambda **_: Table((one,), [(1,)])}),
    (Value, {"value": 1.5, "unit": "B", "digits": 3}, lambda one: {"values": lambda **_: {"size": one}}),
    (Choice, {"name": "mode", "label": "Mode", "options": ("fast", "slow"), "default": "slow", "unit": "s", "when": {}},
     lambda one: {"params": (one,), "steps": lambda **_: [1]}),
    (Range, {"name": "mode", "label": "Mode", "options": (1, 2), "default": 2, "unit": "s", "when": {}},
     lambda one: {"params": (one,), "steps": lambda **_: [1]}),
    (Toggle, {"name": "mode", "label": "Mode", "default": True, "when": {}},
     lambda one: {"params": (one,), "steps": lambda **_: [1]}),
    (Phase, {"name": "first", "say": lambda moment: "Said.", "moments": lambda result: [0, 1],
             "beats": lambda moment: [0, 0.5]},
     lambda one: {"steps": (one,), "say": say_phase}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("record", "good", "used", "field"),
    [pytest.param(*one, field, id=f"{one[0].__name__}-{field}") for one in RECORDS for field in one[1]],
)
@given(value=odd)
@examples
def test_any_field_of_a_record_may_be_anything(record, good, used, field, value):
    assert told(make=lambda: used(record(**good))) == ()
    look(told(make=lambda: used(record(**{**good, field: fresh(value)}))))


PLACE = Box(10, 40, 200, 100)
PEN = Pen(600)  # its type is large enough at either width
AXES = (Axis("x", "s", (0, 5)), Axis("y", span=(1, 9)))
PLOT = Plot(PEN, Box(60, 40, 200, 100), *AXES)
POLAR = Polar(PEN, (90, 90), 40, AXES[0])
LANES = Lanes(PEN, PLACE, ("a", "b"), 10)
MORE: dict[str, Any] = {"set": {"mode": "slow"}, "label": "go", "wait": 1, "read": "5 B"}
RAIL = [(40, 40), (70, 40)]  # a place for each value of the toy's parameter


def written(name: str, **given: Any) -> Mark:
    """A text that a function of words makes."""
    return PEN.text("k", 0, 20, getattr(loom.draw, name)(**given))


PIECES: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "Pen": (lambda **given: Pen(**given).text("k", 0, 20, "a"), {"width": 600}),
    "Pen.rect": (PEN.rect, {"key": "k", "box": PLACE, "role": "data", "round": 1, **MORE}),
    "Pen.circle": (PEN.circle, {"key": "k", "x": 30, "y": 30, "radius": 3, "role": "data", **MORE}),
    "Pen.line": (PEN.line, {"key": "k", "x1": 30, "y1": 30, "x2": 3, "y2": 3, "role": "axis", **MORE}),
    "Pen.path": (PEN.path, {"key": "k", "points": [(1, 2), (3, 4)], "role": "data", "close": True, "drawn": 0.5,
                            **MORE}),
    "Pen.strokes": (PEN.strokes, {"key": "k", "lines": [[(1, 2), (3, 4)]], "role": "axis", **MORE}),
    "Pen.text": (PEN.text, {"key": "k", "x": 30, "y": 30, "words": "a", "role": "label", "anchor": "end", "size": 14,
                            "middle": True, "rotate": 30, **MORE}),
    "Pen.outline": (PEN.outline, {"key": "k", "rings": [[(1, 2), (30, 4), (9, 40)]], "role": "data solid", **MORE}),
    "Pen.outlines": (PEN.outlines, {"key": "k", "boxes": [PLACE], "role": "axis", **MORE}),
    "Pen.hatch": (PEN.hatch, {"key": "k", "box": PLACE, "role": "pad", "gap": 5, **MORE}),
    "Pen.hatches": (PEN.hatches, {"key": "k", "boxes": [PLACE], "role": "pad", "gap": 5, **MORE}),
    "Pen.text_width": (lambda **given: PEN.line("k", 0, 0, PEN.text_width(**given), 5),
                       {"words": "a", "size": 12, "strong": True}),
    "Pen.knob": (PEN.knob, {"key": "k", "x": 40, "y": 40, "params": ("mode",), "rail": RAIL, "label": "mode"}),
    "memoized": (lambda **given: next(iter(memoized(**given)())), {"piece": lambda: [PEN.rect("k", PLACE)]}),
    "first_clear": (first_clear, {"places": [PEN.text("k", 30, 30, "a")], "of": [PEN.line("l", 1, 2, 3, 4)], "gap": 3}),
    "Handle": (lambda **given: PEN.rect("k", Box(20, 20, 40, 40), handle=Handle(**given)),
               {"params": ("mode",), "rail": tuple(RAIL)}),
    "Pen.pick": (lambda **given: PEN.line("k", 0, 0, PEN.pick(**given), 5), {"narrow": 5, "wide": 9}),
    "Box": (lambda **given: PEN.rect("k", Box(**given)), {"x": 1, "y": 2, "width": 3, "height": 4}),
    "Box.inset": (lambda **given: PEN.rect("k", PLACE.inset(**given)), {"left": 1, "top": 2, "right": 3, "bottom": 4}),
    "Box.vstack": (lambda gap, each: [PEN.rect("k", PLACE.vstack(each, gap=gap)[0])], {"gap": 1, "each": 5}),
    "Box.hstack": (lambda gap, each: [PEN.rect("k", PLACE.hstack(each, gap=gap)[0])], {"gap": 1, "each": 5}),
    "Box.columns": (lambda **given: PEN.rect("k", PLACE.columns(**given)[0]), {"count": 2, "gap": 3}),
    "Box.rows": (lambda **given: PEN.rect("k", PLACE.rows(**given)[0]), {"count": 2, "gap": 3}),
    "Axis": (lambda **given: Plot(PEN, Box(60, 40, 200, 100), Axis(**given), AXES[1]).axes(),
             {"label": "x", "unit": "s", "span": (1, 5), "log": True, "ticks": (1, 2), "clip": True,
              "decades": True, "diverging": True}),
    "Axis.normalize": (lambda **given: PEN.line("k", 0, 0, AXES[0].normalize(**given), 5), {"value": 2}),
    "Axis.normalize_all": (lambda **given: PEN.line("k", 0, 0, AXES[0].normalize_all(**given)[0], 5),
                           {"values": [2, 3]}),
    "Axis.samples": (lambda **given: PEN.line("k", 0, 0, AXES[0].samples(**given)[0], 5), {"count": 4}),
    "Axis.tick_values": (lambda **given: PEN.line("k", 0, 0, len(AXES[0].tick_values(**given)), 5), {"wanted": 4}),
    "Plot": (lambda **given: Plot(**given).axes(),
             {"pen": PEN, "box": Box(60, 40, 200, 100), "x": AXES[0], "y": AXES[1], "key": "p"}),
    "Plot.at": (lambda **given: PEN.circle("k", *PLOT.at(**given), 2), {"x": 1, "y": 2}),
    "Plot.places": (lambda **given: PEN.circle("k", *PLOT.places(**given)[0], 2), {"xs": [1, 2], "ys": [2, 3]}),
    "Plot.axes": (PLOT.axes, {"x_ticks": 3, "y_ticks": 4, "x_grid": True}),
    "Plot.area": (PLOT.area, {"key": "k", "xs": [1, 2], "tops": [3, 4], "floors": [1, 2], "role": "data"}),
    "Plot.scatter": (PLOT.scatter, {"key": "k", "xs": [1, 2], "ys": [3, 4], "role": "data", "side": 3}),
    "Plot.error_bars": (PLOT.error_bars,
                        {"key": "k", "xs": [1, 2], "lows": [1, 2], "highs": [3, 4], "role": "axis", "cap": 2}),
    "Plot.curve": (PLOT.curve, {"key": "k", "xs": [1, 2], "ys": [3, 4], "role": "data", "drawn": 0.5}),
    "Plot.stairs": (PLOT.stairs, {"key": "k", "xs": [1, 2], "ys": [3, 4], "role": "data", "drawn": 0.5}),
    "Plot.hspan": (PLOT.hspan, {"key": "k", "y_low": 2, "y_high": 4, "role": "cell"}),
    "Plot.point": (PLOT.point, {"key": "k", "x": 2, "y": 4, "role": "hot", "label": "a", "radius": 3}),
    "Plot.hline": (PLOT.hline, {"key": "k", "y": 4, "label": "a", "role": "ghost"}),
    "Bar": (lambda **given: loom.draw.horizontal_bars(PEN, PLACE, [Bar(**given)], 9),
            {"key": "k", "name": "a", "value": 5, "shown": "5", "role": "data", "ghost": 4}),
    "horizontal_bars": (loom.draw.horizontal_bars,
                        {"pen": PEN, "box": PLACE, "bars": [Bar("k", "a", 5)], "maximum": 9, "names": 30}),
    "vertical_bars": (loom.draw.vertical_bars,
                      {"pen": PEN, "box": PLACE, "bars": [Bar("k", "a", 5, "5")], "maximum": 9, "gap": 3}),
    "Grid": (lambda **given: PEN.rect("k", Grid(**given).cell(0, 1)),
             {"box": PLACE, "rows": 2, "columns": 3, "gap": 1}),
    "Grid.cell": (lambda **given: PEN.rect("k", Grid(PLACE, 2, 3).cell(**given)), {"row": 0, "column": 1}),
    "Grid.nth": (lambda **given: PEN.rect("k", Grid(PLACE, 2, 3).nth(**given)), {"index": 2}),
    "square_grid": (lambda **given: PEN.rect("k", loom.draw.square_grid(**given).nth(1)),
                    {"x": 1, "y": 2, "rows": 2, "columns": 3, "side": 9, "gap": 1}),
    "cell": (loom.draw.cell, {"pen": PEN, "key": "k", "box": PLACE, "words": "a", "role": "pad", "text_role": "value",
                              **MORE}),
    "matrix": (loom.draw.matrix, {"pen": PEN, "key": "k", "grid": Grid(PLACE, 1, 2), "words": [["a", "b"]],
                                  "roles": [["cell", "pad"]]}),
    "Lanes": (lambda **given: Lanes(**given).draw(),
              {"pen": PEN, "box": PLACE, "names": ("a", "b"), "length": 10, "gap": 4}),
    "Lanes.draw": (LANES.draw, {}),
    "Lanes.row": (lambda **given: PEN.rect("k", LANES.row(**given)), {"lane": 1}),
    "Lanes.slot": (lambda **given: PEN.rect("k", LANES.slot(**given)), {"lane": 1, "start": 2, "end": 4}),
    "Lanes.spans": (LANES.spans, {"lane": 1, "spans": [Span("k", 1, 2)]}),
    "Lanes.now": (LANES.now, {"key": "k", "at": 4}),
    "Span": (lambda **given: LANES.spans(0, [Span(**given)]),
             {"key": "k", "start": 1, "end": 9, "role": "pad", "words": "a"}),
    "Mark": (Mark,
             {"key": "k", "tag": "circle", "role": "data", "shape": {"cx": 9, "cy": 9, "r": 2}, "text": "", **MORE}),
    "formula": (loom.draw.formula, {"pen": PEN, "key": "k", "x": 30, "y": 30, "tex": "x_i^2", "role": "label",
                                    "anchor": "end", "size": 20, "middle": True, "rotate": 30, "read": "x i squared"}),
    "bracket": (loom.draw.bracket, {"pen": PEN, "key": "k", "start": 20, "end": 90, "y": 30, "words": "a", "depth": 5,
                                    "below": False, "role": "axis"}),
    "hatching": (lambda **given: PEN.strokes("k", loom.draw.hatching(**given)),
                 {"box": PLACE, "left": 20, "right": 90, "gap": 6}),
    "arrow": (loom.draw.arrow, {"pen": PEN, "key": "k", "start": (1, 2), "end": (3, 4), "role": "axis", "head": 4}),
    "quiver": (loom.draw.quiver, {"plot": PLOT, "key": "k", "xs": [1, 2], "ys": [3, 4], "u": [1, 0], "v": [0, 2],
                                  "maximum": 2, "reach": 20, "role": "data"}),
    "field": (loom.draw.field, {"plot": PLOT, "key": "k", "values": [[1, 2], [2, 4]], "shade": AXES[1], "levels": 4,
                                "cells": True}),
    "contours": (loom.draw.contours, {"plot": PLOT, "key": "k", "values": [[1, 2], [2, 4]], "heights": [1.5, 3],
                                      "role": "axis", "labels": True}),
    "colorbar": (loom.draw.colorbar, {"pen": PEN, "key": "k", "box": PLACE, "shade": AXES[1], "levels": 4, "ticks": 3}),
    "shade_role": (lambda **given: PEN.rect("k", PLACE, loom.draw.shade_role(**given)),
              {"at": 2, "levels": 4, "diverging": True}),
    "Entry": (lambda **given: loom.draw.legend(PEN, "k", PLACE, [Entry(**given)]),
              {"words": "a", "role": "hot", "kind": "dot"}),
    "legend": (loom.draw.legend, {"pen": PEN, "key": "k", "box": PLACE, "entries": [Entry("a")]}),
    "equal_aspect": (lambda **given: PEN.rect("k", loom.draw.equal_aspect(**given)),
                     {"box": PLACE, "x": AXES[0], "y": AXES[1]}),
    "Polar": (lambda **given: Polar(**given).axes(),
              {"pen": PEN, "middle": (90, 90), "radius": 40, "r": AXES[0], "key": "p"}),
    "Polar.at": (lambda **given: PEN.circle("k", *POLAR.at(**given), 2), {"angle": 1, "r": 2}),
    "Polar.axes": (POLAR.axes, {"rings": 2, "spokes": 6}),
    "Polar.curve": (POLAR.curve, {"key": "k", "angles": [1, 2], "rs": [3, 4], "role": "hot", "close": True}),
    "Polar.area": (POLAR.area, {"key": "k", "angles": [1, 2], "rs": [3, 4], "role": "hot"}),
    "side_labels": (loom.draw.side_labels, {"pen": PEN, "key": "k", "x": 9, "wanted": [20, 30], "words": ["a", "b"],
                                            "low": 10, "high": 90, "anchor": "end", "role": "label"}),
    "paragraph": (loom.draw.paragraph, {"pen": PEN, "key": "k", "x": 9, "y": 30, "words": "a b", "room": 200,
                                        "role": "note"}),
    "headline": (loom.draw.headline, {"pen": PEN, "x": 9, "y": 40, "number": "8", "words": "a b", "role": "work",
                                      "key": "k", "widest": ["88"], "right": 90, "tone": "note", "rest": "label",
                                      "size": 12}),
    "wrap": (lambda **given: PEN.text("k", 0, 20, loom.draw.wrap(**given)[0]), {"text": "a b", "size": 12, "room": 90}),
    "dodge": (lambda **given: PEN.line("k", 0, 0, loom.draw.dodge(**given)[0], 5),
               {"wanted": [1, 2], "gap": 5, "low": 0, "high": 90}),
    "text_width": (lambda **given: PEN.line("k", 0, 0, loom.draw.text_width(**given), 5),
                   {"text": "a", "size": 12, "strong": True}),
    "bounds": (lambda **given: PEN.line("k", *loom.draw.bounds(**given)), {"mark": PEN.circle("k", 9, 9, 2)}),
    "bounding_box": (lambda **given: PEN.rect("k", loom.draw.bounding_box(**given)),
               {"marks": [PEN.circle("k", 9, 9, 2)], "margin": 2}),
    "tidy": (lambda **given: PEN.line("k", 0, 0, loom.draw.tidy(**given), 5), {"number": 5.2}),
    **{name: (partial(written, name), given)
       for name, given in {
           "count": {"number": 2, "one": "warp", "many": "warps"}, "fixed": {"value": 2.5, "decimals": 1},
           "listed": {"words": ["a", "b"], "last": "or"}, "number": {"value": 2.5, "digits": 2},
           "percent": {"value": 2.5, "digits": 2}, "significant": {"value": 2.5, "digits": 2}, "times": {"factor": 2.5},
           "power": {"base": 2, "exponent": -9}, "quantity": {"value": 2.5, "unit": "B", "digits": 2},
           "superscript": {"exponent": 3}, "maths": {"text": "x_0^2"}, "trimmed": {"text": "2.50"},
       }.items()},
}  # fmt: skip


def drawing(name: str, **wrong: Any) -> list[Problem]:
    """What is said of a scene that draws with a piece."""
    piece, good = PIECES[name]

    def draw(state: Any, width: float) -> Any:
        made = piece(**{**good, **{argument: fresh(value) for argument, value in wrong.items()}})
        if inspect.isgenerator(made) or type(made) is list:
            yield from made
        else:
            yield made

    return drawn(draw)


@pytest.mark.parametrize("name", [name for name, (_, given) in PIECES.items() if given])
@given(data=st.data())
@settings(max_examples=8, deadline=None, derandomize=True)
def test_any_argument_of_a_piece_may_be_anything(name, data):
    argument = data.draw(st.sampled_from(list(PIECES[name][1])))
    look(drawing(name, **{argument: data.draw(odd)}))


@pytest.mark.parametrize("name", PIECES)
def test_every_piece_draws_what_is_right(name):
    assert drawing(name) == []


def test_marks_at_fractions_outside_of_the_stage_are_told():
    (wrong,) = drawing("Pen.line", x2=Fraction(-1000, 3))
    assert "leaves the narrow stage (-333 to 30 of 328)" in wrong.message


def test_every_piece_is_tried():
    public = {piece.name for piece in known_pieces().values()}
    assert public - set(PIECES) == set()
