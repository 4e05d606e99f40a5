"""The picture: three matrices, the warp in the corner between them, and what one of its lanes holds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, headline
from loom.scene import Moment

from .model import FMAS, LANES, PIECES, REGISTERS, SHAPES, Held, K, M, N, Place, addressed, corner, held
from .narration import NAMES, answers, entry
from .pace import STOPS, WIDTHS, reached, under_way
from .stage import NARROW, WIDE, Stage
from .warpgroup import draw_warpgroup

ROLES = {"a": "data", "b": "data", "d": "work"}
KINDS = {
    "a": "row and columns of two numbers of A",
    "b": "rows and column of two numbers of B",
    "d": "row and column of a sum, in 32 bits",
}


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, chosen = NARROW if width == NARROW.width else WIDE, moment.result
    yield from draw_answer(stage, moment)
    if moment.phase == "wgmma":
        yield from draw_warpgroup(stage, chosen.lane, under_way(WIDTHS, moment), reached(WIDTHS, moment))
        return
    yield from frames(stage)
    yield from draw_names(stage, stage.held(chosen) if moment.phase == "hold" else None)
    matrix = chosen.matrix
    if moment.phase in ("fma", "bring"):
        matrix = "b" if moment.phase == "bring" and moment.beat >= PIECES["a"] else "a"
    yield from draw_lanes(stage, chosen.lane, matrix)
    if moment.phase == "fma":
        yield from draw_sweep(stage, moment)
        return
    if moment.phase == "multiply":
        yield from draw_needs(stage, chosen, under_way(STOPS, moment))
        yield from draw_lenders(stage, chosen, reached(STOPS, moment))
    landed = 6
    if moment.phase == "bring":
        landed = moment.beat + 1
        yield from draw_pieces(stage, chosen, moment.beat)
    yield from draw_held(stage, chosen, landed)
    yield from draw_registers(stage, chosen, landed)
    if moment.phase == "hold":
        yield stage.outlines("lens", [stage.warp, stage.piece(matrix, chosen.piece)], "hot")
        yield from draw_hands(stage, chosen)


@cache
def frames(stage: Stage) -> list[Mark]:
    """The matrices with their cells, cut where pieces of 8 x 8 meet."""
    marks = []
    for name, (rows, columns) in SHAPES.items():
        box, (wide, high) = stage.boxes[name], stage.cell
        lines = [[(box.x, box.y + row * high), (box.right, box.y + row * high)] for row in range(rows + 1)]
        lines += [
            [(box.x + column * wide, box.y), (box.x + column * wide, box.bottom)] for column in range(columns + 1)
        ]
        marks.append(stage.strokes(f"cells-{name}", lines, "grid"))
        edges = [stage.part(name, row, 0, 8, columns) for row in range(0, rows, 8)]
        edges += [stage.part(name, 0, column, rows, 8) for column in range(0, columns, 8)]
        marks.append(stage.outlines(f"edges-{name}", edges, "axis thin"))
    return marks


def draw_names(stage: Stage, held: tuple[float, float] | None) -> Iterator[Mark]:
    """What each matrix is, over its left end; clear of the bead where that is held in its first row."""
    for name, (rows, columns) in SHAPES.items():
        box, y = stage.boxes[name], stage.boxes[name].y - 7
        words = f"{NAMES[name]}{stage.pick('', f', {rows} × {columns}')}" + ("" if name != "d" else " (sums)")
        if held and box.x < held[0] < box.right and box.y < held[1] < box.bottom:
            y = min(y, held[1] - stage.pick(16, 18))  # just over the bead's glow
        yield stage.text(f"name-{name}", box.x, y, words, "label strong")


@cache
def lane_marks(stage: Stage, matrix: str) -> list[Mark]:
    """The warp: 32 lanes to press, as they share a piece of a matrix."""
    words = f"lanes of a piece of {NAMES[matrix]}"
    marks = [stage.text("warp", 0, stage.top - 7, words, "label strong")]
    for lane, box in enumerate(stage.lanes[matrix]):
        marks.append(stage.rect(f"lane-{lane}", box, "cell", round=1, set={"lane": lane}, label=f"Look at lane {lane}"))
    for lane, box in enumerate(stage.lanes[matrix]):
        marks.append(stage.text(f"lane-{lane}-name", *middle(box), str(lane), "note", anchor="middle", middle=True))
    return marks


def middle(box: Box) -> tuple[float, float]:
    return (box.x + box.width / 2, box.y + box.height / 2)


def draw_lanes(stage: Stage, lane: int, matrix: str) -> Iterator[Mark]:
    """The warp, with the lane that is looked at."""
    marks = lane_marks(stage, matrix)
    yield from marks[: LANES + 1]
    yield stage.rect("here", stage.lanes[matrix][lane], "hot soft", round=1)
    for at, name in enumerate(marks[LANES + 1 :]):  # softer ink would not be legible on the fill
        yield name._replace(role=name.role.replace("note", "label strong")) if at == lane else name


def draw_sweep(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """A column of A and a row of B: for each k, every sum gets one product more."""
    step = K // moment.beats
    k = moment.beat * step
    yield stage.rect("column", stage.part("a", 0, k, M, step), "data soft steady", round=0)
    yield stage.rect("row", stage.part("b", k, 0, step, N), "data soft steady", round=0)
    yield stage.rect("growing", stage.boxes["d"], "work soft", round=0)
    box, most = stage.registers, FMAS / LANES
    for at, (key, words, number) in enumerate(
        (("fma", "multiply-adds", moment.progress * most), ("mma", "mma.sync", 1))
    ):
        y = box.y + at * stage.pick(60, 70)
        yield stage.text(f"bar-{key}-name", box.x, y, words)
        bar = Box(box.x, y + 7, box.width, stage.pick(14, 18))
        yield stage.rect(f"bar-{key}-room", bar, "cell soft", round=1)
        yield stage.rect(f"bar-{key}", bar._replace(width=box.width * number / most), "work steady", round=1)


def draw_pieces(stage: Stage, chosen: Held, beat: int) -> Iterator[Mark]:
    """The piece that is under way, and the row of which the lane gives the address."""
    matrix, piece = ("a", beat) if beat < 4 else ("b", beat - 4)
    first = corner(matrix, piece)
    yield stage.rect("piece", stage.piece(matrix, first), "memory soft", round=0)
    mine = addressed(chosen.lane, matrix)
    if mine and mine[0] == piece:
        row = stage.part(matrix, first[0] + mine[1], first[1], 1, 8)
        yield stage.rect("addressed", row, "memory", round=0)
    lanes = [stage.lanes[matrix][lane] for lane in range(8 * piece, 8 * piece + 8)]
    yield stage.outlines("askers", lanes, "memory")


def draw_needs(stage: Stage, chosen: Held, k: int) -> Iterator[Mark]:
    """The rows of A and the columns of B that the lane's sums are made of, up to the first `k` products of each."""
    for at, row in enumerate(chosen.rows):
        yield stage.rect(f"need-row-{at}", stage.part("a", row, 0, 1, k), "work soft steady", round=0)
    for at, column in enumerate(chosen.columns):
        yield stage.rect(f"need-column-{at}", stage.part("b", 0, column, k, 1), "work soft steady", round=0)


def draw_lenders(stage: Stage, chosen: Held, k: int) -> Iterator[Mark]:
    """The lanes that have some of these numbers: those that join at each stop are a mark of their own."""
    known: set[int] = set()
    for at, stop in enumerate(stop for stop in STOPS if stop <= k):
        found = {*chosen.lenders_to(stop)}
        if new := sorted(found - known):
            yield stage.outlines(f"lenders-{at}", [stage.lanes[chosen.matrix][lane] for lane in new], "work")
        known |= found


def draw_held(stage: Stage, chosen: Held, landed: int) -> Iterator[Mark]:
    """What the lane holds, in the matrices. The sums are there from the beginning."""
    for at, name in enumerate(REGISTERS):
        if at < landed or name[0] == "d":
            told = f"{name}: " + " and ".join(entry(name[0], place) for place in held(chosen.lane, name))
            yield stage.rect(name, stage.spot(chosen.lane, name), ROLES[name[0]], round=0, read=told)


def draw_registers(stage: Stage, chosen: Held, landed: int) -> Iterator[Mark]:
    """The registers of the lane, with the places of their numbers; each can be pressed."""
    for at, name in enumerate(REGISTERS):
        box, full = stage.slots[name], at < landed or name[0] == "d"
        now = "hot outline" if name == chosen.register else "cell"
        yield stage.rect(f"slot-{name}", box, now, round=2, set={"register": name}, label=f"Look at register {name}")
        places = brief(held(chosen.lane, name))
        y = box.y + box.height / 2
        if stage.narrow:
            yield stage.text(f"slot-{name}-name", box.x + 6, y, name, "label strong", middle=True)
            yield stage.text(f"slot-{name}-words", box.x + 28, y, places if full else "–", "value", middle=True)
            continue
        yield stage.text(f"slot-{name}-name", box.x + 6, y, name, "label strong", middle=True)
        words = places if full else "–"
        yield stage.text(f"slot-{name}-words", box.right - 5, y, words, "value", anchor="end", middle=True)
    if not stage.narrow:
        for matrix, words in KINDS.items():
            box = stage.slots[f"{matrix}0"]
            yield stage.text(f"kind-{matrix}", box.x, box.y - 7, words, "note")


def brief(places: tuple[Place, ...]) -> str:
    """The places of a register without their matrix: 9, 2–3 for two neighbours in row 9."""
    return ", ".join("–".join(str(number) for number in sorted(set(numbers))) for numbers in zip(*places, strict=True))


def draw_hands(stage: Stage, chosen: Held) -> Iterator[Mark]:
    """A bead that runs over all numbers of the three matrices."""
    yield stage.knob("grasp", *stage.held(chosen), ("lane", "register"), stage.rail, "number")


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    (x, y), (number, words) = stage.answer, answers(moment)
    if moment.phase == "wgmma" and not stage.narrow:  # the picture takes all the width
        yield from headline(stage, 0, 32, number, [words], widest=["128"])
        return
    yield from headline(stage, x, y, number, [words], under=not stage.narrow)
