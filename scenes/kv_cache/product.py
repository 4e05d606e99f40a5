"""The size so far, large, and the product that it is."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, count, headline, memoized

from .compressed import EVERY
from .model import BF16, Cache
from .narration import amount, numbers
from .one_token import token_in


@memoized
def draw_product(pen: Pen, box: Box, cache: Cache, tokens: int, only: str, seen: int) -> Iterator[Mark]:
    """The size so far, large, and the factors that it is made of; `only` of a "layer" or of a "token" in those seen."""
    shape = cache.shape
    size = {"layer": cache.layer_token, "token": token_in(cache, seen)}.get(only, cache.total(tokens))
    one = f"{EVERY['c']} tokens" if shape.compressed else "a token"
    what = {
        "layer": f"{one} in one layer",
        "token": "a token in all layers" if seen == shape.layers else f"a token in {count(seen, 'layer')}",
    }.get(only, "one conversation")
    words = f"{what} of {shape.name}, with\u00a0{cache.scheme}"
    yield from headline(
        pen, box.x, box.y + pen.huge, amount(size), words,
        widest=["8,888 kB"], under=not pen.narrow, right=box.right, shown=True,
    )  # fmt: skip
    long = f"× {count(tokens, 'token')}"
    if 0 < shape.window < tokens and shape.windowed:
        long += f", or {shape.window:,} in {shape.windowed} layers"
    if shape.compressed and shape.window < tokens:
        long += f", and {shape.window} in all layers"
    if shape.stateful:
        long += f", and {shape.stateful} states"
    layers = f"× {count(seen - shape.kinds[:seen].count('s'), 'layer')}"
    if shape.compressed:
        csa, hca = (shape.kinds.count(kind) for kind in "ch")
        layers = f"÷ {EVERY['c']} × {csa} layers + {hca * shape.head_dim * BF16 // EVERY['h']} B"
    lines = [numbers(cache), layers, long]
    shown = {"layer": 1, "token": 2}.get(only, 3)
    places = flowed(pen, lines, box.width) if pen.narrow else [(0.0, 110.0), (0.0, 130.0), (0.0, 150.0)]
    for row, (line, (x, y)) in enumerate(zip(lines[:shown], places, strict=False)):
        yield pen.text(f"factor-{row}", box.x + x, box.y + y, line, "hot strong" if row == shown - 1 else "label")


def flowed(pen: Pen, lines: list[str], width: float) -> list[tuple[float, float]]:
    """Where factors stand on a phone: side by side as in a product, or in the next line where there is no room."""
    places, x, y = [], 0.0, 52.0
    for line in lines:
        room = pen.text_width(line, strong=True)
        if x + room > width:
            x, y = 0.0, y + 17
        places.append((x, y))
        x += room + 4
    return places
