"""The small example: factors to the left and above, and each product at their corner, so that two ways meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Mark, Pen, fixed, number
from loom.scene import Moment

from .model import ABSORBED, BUILT
from .toy import TOY, WORDS

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
    def lefts(self) -> tuple[float, float, float, float]:
        """Of the query, the matrix, the latents and the blend."""
        narrow = (0.0, 42.0, 98.0, 0.0) if self.small else (0.0, 52.0, 126.0, 292.0)
        return self.pen.pick(narrow, (0.0, 86.0, 206.0, 414.0))

    @cached_property
    def cells(self) -> tuple[float, float, float, float]:
        """How wide a number is in each of these columns."""
        narrow = (14.0, 14.0, 20.0, 0.0) if self.small else (22.0, 22.0, 40.0, 34.0)
        return self.pen.pick(narrow, (34.0, 34.0, 48.0, 42.0))

    @cached_property
    def tops(self) -> tuple[float, float, float]:
        """Of the latents, the matrix and its keys, and the query."""
        gap = 18 if self.small else self.pen.pick(20, 24)
        return self.top, self.top + 3 * self.row + gap, self.top + 5 * self.row + 2 * gap

    def box(self, column: int, row: int, shape: tuple[int, int]) -> Box:
        """The matrix of `shape` in one of four columns and three rows."""
        rows, columns = shape
        return Box(self.lefts[column], self.tops[row], columns * self.cells[column], rows * self.row)


def draw_grid(places: Places, moment: Moment) -> Iterator[Mark]:
    """Either half of attention: keys to scores, or weights to the output."""
    pen = places.pen
    latents = TOY.latents.T.tolist()
    box = places.box(2, 0, (3, TOKENS))
    yield from draw_matrix(pen, "latents", box, latents, "memory soft")
    for word, x in zip(WORDS if not places.small else (), middles(box, TOKENS), strict=False):
        yield pen.text(f"word-{word}", x, box.y - 7, word, "note", anchor="middle")
    yield pen.text("latents-name", box.x - 10, box.y + box.height / 2, "latents", "memory", anchor="end", middle=True)
    yield from draw_values(places, moment) if moment.phase == "values" else draw_scores(places, moment)


def draw_scores(places: Places, moment: Moment) -> Iterator[Mark]:
    """The query meets keys, or the absorbed query meets latents: the scores are the same."""
    last, done = moment.phase == "count", round(moment.progress * (TOKENS + 1))
    way = better(moment) if last else moment.phase
    yield from named(places, "key", places.box(1, 1, (2, 3)), TOY.key[0].tolist(), "cell", "matrix")
    yield from named(places, "query", places.box(0, 2, (1, 2)), TOY.query.tolist(), "data soft", "query")
    box, pen = places.box(2, 1, (2, TOKENS)), places.pen
    if last or way == BUILT:
        keys = filled(TOY.keys[0].T.tolist(), done)
        yield from draw_matrix(pen, "keys", box, keys, f"{MADE[BUILT]} soft" if way == BUILT else "ghost")
        yield pen.text("keys-name", box.right + 8, box.y + box.height / 2, "keys", "note", middle=True)
    else:
        yield from unmade(places, "keys")
    if last or way == ABSORBED:
        role, words = f"{MADE[ABSORBED]} soft" if way == ABSORBED else "ghost", pen.pick("absorbed", "query, absorbed")
        yield from named(places, "absorbed", places.box(1, 2, (1, 3)), TOY.absorbed.tolist(), role, words)
    known = TOKENS * (done > TOKENS) if way == BUILT else done - 1
    scores = filled(TOY.scores(way).tolist(), known)
    yield from named(places, "scores", places.box(2, 2, (1, TOKENS)), scores, "pad", "scores")
    yield draw_route(places, way)
    yield from draw_now(places, moment, done)


def filled(lines: Sequence[Sequence[float]], known: int) -> list[list[float | str]]:
    """Numbers of the columns that are known so far."""
    return [[entry if at < known else "" for at, entry in enumerate(line)] for line in lines]


def unmade(places: Places, what: str) -> Iterator[Mark]:
    """The empty place of what would be built."""
    pen, box = places.pen, places.box(2, 1, (2, TOKENS))
    yield pen.rect(f"{what}-unmade", box, "ghost")
    yield pen.text(f"{what}-none", box.x + box.width / 2, box.y + box.height / 2, f"no {what} are made", "note",
                   anchor="middle", middle=True)  # fmt: skip


def draw_route(places: Places, way: str) -> Mark:
    """Arrows along the way to the scores: down over the keys, or to the right over the absorbed query."""
    latents, keys, scores = places.box(2, 0, (3, TOKENS)), places.box(2, 1, (2, TOKENS)), places.box(2, 2, (1, TOKENS))
    query, absorbed = places.box(0, 2, (1, 2)), places.box(1, 2, (1, 3))
    if way == BUILT:
        x = latents.x + latents.width / 2
        ends = [((x, latents.bottom), (x, keys.y)), ((x, keys.bottom), (x, scores.y))]
    else:
        y = scores.y + scores.height / 2
        ends = [((query.right, y), (absorbed.x, y)), ((absorbed.right, y), (scores.x, y))]
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


def draw_now(places: Places, moment: Moment, done: int) -> Iterator[Mark]:
    """A frame around what is worked on: a latent with its key, or with its score."""
    at = done - 1 if moment.phase == BUILT else done - 2
    if moment.phase == "count" or moment.progress == 1 or not 0 <= at < TOKENS:
        return
    lines = places.tops[1] + 2 * places.row if moment.phase == BUILT else places.tops[2] + places.row
    left, wide = places.lefts[2] + at * places.cells[2], places.cells[2]
    yield places.pen.rect("now", Box(left, places.top, wide, lines - places.top), "hot outline")


def draw_values(places: Places, moment: Moment) -> Iterator[Mark]:
    """The weights blend latents; the matrix makes the output of the blend."""
    pen, beat = places.pen, moment.beat
    yield from named(places, "value", places.box(1, 1, (2, 3)), TOY.value[0].tolist(), "cell", "matrix")
    yield from unmade(places, "values")
    weights = [fixed(weight) for weight in TOY.weights(ABSORBED)[0].tolist()]
    yield from named(places, "weights", places.box(2, 2, (1, TOKENS)), [weights], "pad", "weights")
    if beat >= 1:
        box = places.box(3, 0, (3, 1))
        blend = [[fixed(entry)] for entry in TOY.blend[0].tolist()]
        yield from draw_matrix(pen, "blend", box, blend, f"{MADE[ABSORBED]} soft")
        yield pen.text("blend-name", box.x + box.width / 2, box.y - 7, "blend", "note", anchor="middle")
    if beat >= 2:
        above, box = places.box(3, 0, (3, 1)), places.box(3, 1, (2, 1))
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
