"""The other half of attention: weights blend latents one by one, and the matrix makes the output of the blend."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, fixed
from loom.scene import Moment

from .model import ABSORBED, BUILT
from .places import MADE, TOKENS, Places, draw_arrows, draw_matrix, named, unmade
from .toy import TOY


def draw_values(places: Places, moment: Moment) -> Iterator[Mark]:
    """The blend so far, of as many latents as have been framed with their weights; then the output."""
    pen, blended = places.pen, min(moment.beat, TOKENS)
    yield from named(places, "value", places.maker(BUILT), TOY.value[0].tolist(), "cell", "matrix for values")
    yield from unmade(places, "values")
    weights = TOY.weights(ABSORBED)[0]
    cells = [[fixed(weight) for weight in weights.tolist()]]
    yield from named(places, "weights", places.box(3, 2, (1, TOKENS)), cells, "pad", "weights")
    above = places.box(4, 0, (3, 1))
    blend = weights[:blended] @ TOY.latents[:blended]
    yield from draw_matrix(pen, "blend", above, [[fixed(entry)] for entry in blend.tolist()], f"{MADE[ABSORBED]} soft")
    yield pen.text("blend-name", above.x + above.width / 2, above.y - 7, "blend", "note", anchor="middle")
    if moment.progress < 1:
        yield draw_pair(places, blended - 1)
        return
    box = places.box(4, 1, (2, 1))
    x = box.x + box.width / 2
    yield draw_arrows(pen, "route-values", [((x, above.bottom), (x, box.y))])
    output = [[fixed(entry)] for entry in TOY.output(ABSORBED)[0].tolist()]
    yield from draw_matrix(pen, "output", box, output, f"{MADE[ABSORBED]} soft")
    yield pen.text("output-name", x, box.bottom + pen.size + 3, "output", "note", anchor="middle")


def draw_pair(places: Places, at: int) -> Mark:
    """Frames around a latent and what stands for it below, its score or its weight; what is between is left out.

    Before the first of them the frames are shut, on the left edge.
    """
    left, wide, row = places.lefts[3] + max(at, 0) * places.cells[3], places.cells[3] * (at >= 0), places.row
    boxes = [Box(left, places.top, wide, 3 * row), Box(left, places.tops[2], wide, row)]
    return places.pen.outlines("now-pair", boxes, "hot")
