"""The small example: the matrix that makes keys stands beside them, or slides down to the query and works on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from loom.draw import Box, Mark, Pen, fixed, number
from loom.scene import Moment

from .model import ABSORBED, BUILT
from .toy import TOY, WORDS, filled

MADE = {BUILT: "series-1", ABSORBED: "work"}  # what each way makes on its way to the scores
TOKENS = len(WORDS)
Point = tuple[float, float]


@dataclass(frozen=True)
class Places:
    """Where the matrices stand."""

    pen: Pen
    top: float
    small: bool  # where it makes room for what both ways cost

    @property
    def row(self) -> float:
        return 14 if self.small else self.pen.pick(30, 28)

    @cached_property
    def lefts(self) -> tuple[float, ...]:
        """Of the query, the matrix beside it, what it makes of it, the latents, and the blend."""
        narrow = (0.0, 38.0, 84.0, 130.0, 0.0) if self.small else (0.0, 43.0, 102.5, 162.0, 296.0)
        return self.pen.pick(narrow, (0.0, 74.0, 174.0, 274.0, 446.0))

    @cached_property
    def cells(self) -> tuple[float, ...]:
        """How wide a number is in each of these columns."""
        narrow = (14.0, 12.0, 12.0, 16.0, 0.0) if self.small else (16.5, 16.5, 16.5, 32.0, 28.0)
        return self.pen.pick(narrow, (28.0, 28.0, 28.0, 40.0, 40.0))

    @cached_property
    def tops(self) -> tuple[float, float, float]:
        """Of the latents, the matrix and its keys, and the query."""
        gap = 18 if self.small else self.pen.pick(20, 24)
        return self.top, self.top + 3 * self.row + gap, self.top + 5 * self.row + 2 * gap

    def box(self, column: int, row: int, shape: tuple[int, int]) -> Box:
        """The matrix of `shape` in one of five columns and three rows."""
        rows, columns = shape
        return Box(self.lefts[column], self.tops[row], columns * self.cells[column], rows * self.row)

    def maker(self, way: str) -> Box:
        """The matrix that makes keys: to their left, or between the query and what it makes of it."""
        if way == BUILT:
            return self.box(2, 1, (2, 3))
        beside = self.box(1, 2, (2, 3))
        return beside._replace(y=beside.y - self.row / 2)


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
    pen, last, box = places.pen, moment.progress == 1, places.box(3, 1, (2, TOKENS))
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


def unmade(places: Places, what: str) -> Iterator[Mark]:
    """The empty place of what would be built."""
    pen, box = places.pen, places.box(3, 1, (2, TOKENS))
    x, y, words = box.x + box.width / 2, box.y + box.height / 2, f"no {what}{' are made' * (not places.small)}"
    yield pen.rect(f"{what}-unmade", box, "ghost")
    yield pen.text(f"{what}-none", x, y, words, "note", anchor="middle", middle=True)


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


def draw_arrows(pen: Pen, key: str, ends: Sequence[tuple[Point, Point]]) -> Mark:
    """Short arrows from block to block, as one mark."""
    lines: list[list[Point]] = []
    for (x1, y1), (x2, y2) in ends:
        across, down, head = 1.0 * (x2 > x1), 1.0 * (y2 > y1), 4
        tip, tail = (x2 - 2 * across, y2 - 2 * down), (x1 + 2 * across, y1 + 2 * down)
        back = tip[0] - head * across, tip[1] - head * down
        wings = [(back[0] + side * head * down, back[1] + side * head * across) for side in (1, -1)]
        lines += [[tail, tip], [wings[0], tip, wings[1]]]
    return pen.strokes(key, lines, "axis")


def draw_now(places: Places, way: str, at: int) -> Mark:
    """A frame around what is worked on: a latent with its key, or with its score."""
    bottom = places.tops[1] + 2 * places.row if way == BUILT else places.tops[2] + places.row
    left, wide = places.lefts[3] + at * places.cells[3], places.cells[3]
    return places.pen.rect("now", Box(left, places.top, wide, bottom - places.top), "hot outline")


def draw_values(places: Places, moment: Moment) -> Iterator[Mark]:
    """The weights blend latents; the matrix makes the output of the blend."""
    pen, beat = places.pen, moment.beat
    yield from named(places, "value", places.maker(BUILT), TOY.value[0].tolist(), "cell", "matrix for values")
    yield from unmade(places, "values")
    weights = [fixed(weight) for weight in TOY.weights(ABSORBED)[0].tolist()]
    yield from named(places, "weights", places.box(3, 2, (1, TOKENS)), [weights], "pad", "weights")
    if beat >= 1:
        box = places.box(4, 0, (3, 1))
        blend = [[fixed(entry)] for entry in TOY.blend[0].tolist()]
        yield from draw_matrix(pen, "blend", box, blend, f"{MADE[ABSORBED]} soft")
        yield pen.text("blend-name", box.x + box.width / 2, box.y - 7, "blend", "note", anchor="middle")
    if beat >= 2:
        above, box = places.box(4, 0, (3, 1)), places.box(4, 1, (2, 1))
        x = box.x + box.width / 2
        yield draw_arrows(pen, "route-values", [((x, above.bottom), (x, box.y))])
        output = [[fixed(entry)] for entry in TOY.output(ABSORBED)[0].tolist()]
        yield from draw_matrix(pen, "output", box, output, f"{MADE[ABSORBED]} soft")
        yield pen.text(
            "output-name", box.x + box.width / 2, box.bottom + pen.size + 3, "output", "note", anchor="middle"
        )


def better(moment: Moment) -> str:
    """The way that does less at the present number of new tokens."""
    return ABSORBED if moment.result.worse == BUILT else BUILT


def named(
    places: Places, key: str, box: Box, entries: Sequence[Sequence[float | str]], role: str, name: str
) -> Iterator[Mark]:
    """A matrix with its name under it."""
    pen = places.pen
    yield from draw_matrix(pen, key, box, entries, role)
    yield pen.text(f"{key}-name", box.x + box.width / 2, box.bottom + pen.size + 3, name, "note", anchor="middle")


def draw_matrix(pen: Pen, key: str, box: Box, entries: Sequence[Sequence[float | str]], role: str) -> Iterator[Mark]:
    """A block of numbers; one that is not known yet is left out."""
    yield pen.rect(f"{key}-block", box, role)
    height = box.height / len(entries)
    for row, line in enumerate(entries):
        for column, (x, entry) in enumerate(zip(middles(box, len(line)), line, strict=True)):
            words = entry if isinstance(entry, str) else number(entry)
            if words:
                yield pen.text(f"{key}-{row}-{column}", x, box.y + (row + 0.5) * height, words, "value",
                               anchor="middle", middle=True)  # fmt: skip


def middles(box: Box, count: int) -> list[float]:
    """The middles of so many columns of a box."""
    return [box.x + (at + 0.5) * box.width / count for at in range(count)]
