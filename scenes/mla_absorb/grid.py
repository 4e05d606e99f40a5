"""The small example: the matrix that makes keys stands beside them, or slides down to the query and works on it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from loom.draw import Box, Mark
from loom.scene import Moment

from .blend import draw_pair, draw_values
from .model import ABSORBED, BUILT
from .places import MADE, TOKENS, Places, draw_arrows, draw_matrix, middles, named, unmade
from .toy import TOY, WORDS, filled


def draw_grid(places: Places, moment: Moment) -> Iterator[Mark]:
    """Either half of attention: keys to scores, or weights to the output."""
    pen = places.pen
    latents = TOY.latents.T.tolist()
    box = places.box(3, 0, (3, TOKENS))
    yield from draw_matrix(pen, "latents", box, latents, "memory soft")
    for word, x in zip(WORDS if not places.small else (), middles(box, TOKENS), strict=False):
        yield pen.text(f"word-{word}", x, box.y - 7, word, "note", anchor="middle")
    middle = box.y + box.height / 2
    yield pen.text("latents-name", box.x - 10, middle, "latents", "memory", anchor="end", middle=True)
    some = f"{TOKENS} of {moment.result.context:,}"
    yield pen.text("latents-shown", box.x - 10, middle + 1.2 * pen.size, some, "note", anchor="end", middle=True)
    yield from draw_values(places, moment) if moment.phase == "values" else draw_scores(places, moment)


def draw_scores(places: Places, moment: Moment) -> Iterator[Mark]:
    """The query meets keys, or the absorbed query meets latents: the scores are the same."""
    way = better(moment) if moment.phase == "count" else moment.phase
    pen, last, box = places.pen, moment.progress == 1 or moment.phase == "count", places.box(3, 1, (2, TOKENS))
    done = TOKENS if last else moment.beat + (1 if way == BUILT else -1)  # columns
    name = "for keys" if places.small else "matrix for keys"
    yield from named(places, "key", places.maker(way), TOY.key[0].tolist(), "cell", name)
    yield from named(places, "query", places.box(0, 2, (1, 2)), TOY.query.tolist(), "data soft", "query")
    if way == BUILT:
        yield from draw_matrix(pen, "keys", box, filled(TOY.keys[0].T.tolist(), done), f"{MADE[BUILT]} soft")
        yield pen.text("keys-name", box.right + 6, box.y + box.height / 2, "keys", "note", middle=True)
    else:
        yield from unmade(places, "keys")
    there = way == BUILT or last or moment.beat > 0  # the matrix comes to the query before it works
    if way == ABSORBED and there:
        words = pen.pick("absorbed", "query, absorbed")
        where, made = places.box(2, 2, (1, 3)), TOY.absorbed.tolist()
        yield from named(places, "absorbed", where, made, f"{MADE[ABSORBED]} soft", words)
    known = TOKENS * last if way == BUILT else done
    scores = filled(TOY.scores(way).tolist(), known)
    yield from named(places, "scores", places.box(3, 2, (1, TOKENS)), scores, "pad", "scores")
    if there:
        yield draw_route(places, way)
    if not last and 0 < done <= TOKENS:
        yield draw_now(places, way, done - 1)


def draw_route(places: Places, way: str) -> Mark:
    """Arrows along the way to the scores: down over the keys, or to the right over the absorbed query."""
    latents, keys, scores = (places.box(3, row, (3 - row, TOKENS)) for row in range(3))
    query, matrix, absorbed = places.box(0, 2, (1, 2)), places.maker(way), places.box(2, 2, (1, 3))
    x, y = latents.x + latents.width / 2, scores.y + scores.height / 2
    if way == BUILT:
        beside = matrix.y + matrix.height / 2
        ends = [((x, latents.bottom), (x, keys.y)), ((x, keys.bottom), (x, scores.y)),
                ((matrix.right, beside), (keys.x, beside)), ((query.right, y), (scores.x, y))]  # fmt: skip
    else:
        ends = [((one.right, y), (other.x, y)) for one, other in pairwise((query, matrix, absorbed, scores))]
    return draw_arrows(places.pen, f"route-{way}", ends)


def draw_now(places: Places, way: str, at: int) -> Mark:
    """A frame around what is worked on: a latent with its key, or two around it and its score: nothing is between."""
    if way == BUILT:
        left, wide, row = places.lefts[3] + at * places.cells[3], places.cells[3], places.row
        return places.pen.rect("now", Box(left, places.top, wide, places.tops[1] + 2 * row - places.top), "hot outline")
    return draw_pair(places, at)


def better(moment: Moment) -> str:
    """The way that does less at the present number of new tokens."""
    return ABSORBED if moment.result.worse == BUILT else BUILT
