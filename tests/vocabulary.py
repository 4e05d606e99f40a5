"""The pieces of the drawing vocabulary, and which of them some code uses."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

import loom.draw
from loom.draw import Lanes, Pen, Plot, Polar
from loom.draw.marks import MODIFIERS
from loom.draw.pen import More

SEEN_IN_NO_PICTURE = {"bounds", "memoized", "text_width", "tidy", "wrap"}  # they measure, or keep what was drawn
# A text is anchored by an argument, and what these say is a matter of time, or of a guess: see docs/motion.md.
SAID_OTHERWISE = {"start", "middle", "end", "steady", "answer", "measured", "modelled", "hint"}


def pieces() -> set[str]:
    """What `loom.draw` gives to authors, and what a pen, a plot, lanes and a polar plot draw: `plot.curve`."""
    methods = {f"{kind.__name__.lower()}.{name}" for kind in (Pen, Plot, Polar, Lanes) for name in _that_draw(kind)}
    return methods | set(loom.draw.__all__) - SEEN_IN_NO_PICTURE


def options() -> set[str]:
    """What most marks may have besides their shape, and what may stand behind a role."""
    return {*More.__annotations__, "drawn", "close", "rotate"} | MODIFIERS - SAID_OTHERWISE


def used(code: str) -> set[str]:
    """The pieces and options that some code uses; in it a `Plot` is called `plot`, or `PLOT`, and others likewise."""
    return {name for node in ast.walk(ast.parse(code)) for name in _names(node)}


def _that_draw(kind: type) -> Iterator[str]:
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        if name[0] != "_" and "Mark" in str(inspect.signature(method).return_annotation):
            yield name


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            yield f"{owner.lower()}.{name}"
        case ast.keyword(arg=str(name)):
            yield name
        case ast.Constant(value=str(words)):
            yield from set(words.split()) & MODIFIERS
