"""Where the codes of a format go: a bar for each kind of value."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Bar, Box, Mark, lying_bars

from .model import code_uses, number_format
from .stage import Stage

WORDS = {
    "negative": "below 0",
    "zero": "0",
    "below one": "between 0 and 1",
    "one up": "1 and more",
    "special": "∞ or no number",
}
SHADES = {"negative": "quiet", "zero": "data", "below one": "hot", "one up": "series-1", "special": "pad"}


def draw_codes(stage: Stage) -> Iterator[Mark]:
    """One bar for each use of codes, and their sum over them."""
    pen, box, fmt = stage.pen, stage.below, number_format(stage.state.first)
    uses = code_uses(fmt.name)
    yield pen.text("codes", box.x, box.y - 8, f"{fmt.bits} bits: {2**fmt.bits:,} codes", "note")
    shown = {"zero": " (+0 and −0)"} if not fmt.integer else {}
    bars = [
        Bar(f"c-{place}", WORDS[use], number, f"{number:,}{shown.get(use, '')}", SHADES[use])
        for place, (use, number) in enumerate(uses.items())
    ]
    tall = min(box.height / len(bars), 28.0 if pen.narrow else 36.0)
    rows = Box(0 if pen.narrow else box.x, box.y, box.width + box.x if pen.narrow else box.width, tall * len(bars))
    yield from lying_bars(pen, rows, bars, max(uses.values()))
