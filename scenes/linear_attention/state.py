"""The small state: its cells, the token that comes, and what it gives when it is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loom.draw import Mark, Pen, memoized, number, paragraph
from loom.scene import Moment

from .cells import draw_answer_column, draw_cells, frame, name_under, over_bar, shown
from .kept import draw_kept
from .model import Shape
from .narration import FILLED, PARTS, Case
from .places import Places
from .toy import ALPHA, DELTA, KEYS, SIDE, VALUES, WORDS, Toy

WAITING = ("come", "fade")  # parts in which the key has not been applied yet


def draw_state(pen: Pen, moment: Moment) -> Iterable[Mark]:
    """The token that is read, and the state when it has been: a model and its conversation change hardly any of it."""
    case: Case = moment.result
    if moment.phase == "count":
        return draw_moment(pen, case.toy, moment.phase, 0, case.memory.shape)
    return draw_moment(pen, case.toy, moment.phase, moment.beat)


@memoized
def draw_moment(pen: Pen, toy: Toy, phase: str, beat: int, shape: Shape | None = None) -> Iterator[Mark]:
    """A beat of a phase; at last, beside the state of a real layer."""
    places = Places(pen, pen.narrow and shape is not None)
    asked, token, part = phase in ("ask", "count"), token_of(phase, beat), part_of(toy, phase, beat)
    if not places.small:
        yield from draw_words(places, token, "hot strong" if not asked else "label strong")
    key, value, state = places.key, places.column(-1), places.state
    yield frame(pen, "key", key.columns(SIDE), "cell")
    for at, (box, entry) in enumerate(zip(key.columns(SIDE), KEYS[token].tolist(), strict=True)):
        yield pen.text(f"key-{at}", box.x + box.width / 2, box.y + box.height / 2, shown(entry),
                       "value" if entry else "note", anchor="middle", middle=True)  # fmt: skip
    yield pen.text("key-name", key.right + places.gap + 2, key.y + key.height / 2, "key", "note", middle=True)
    if not asked:
        yield frame(pen, "value", value.rows(SIDE), "cell")
        yield name_under(pen, "value", value)
        for at, (box, entry) in enumerate(zip(value.rows(SIDE), VALUES[token].tolist(), strict=True)):
            yield over_bar(pen, f"value-{at}", box, entry)
    yield from draw_cells(places, toy, token, part)
    yield name_under(pen, "state", state)
    if not shape:
        yield from draw_kept(places, token, phase == "ask")
    if phase == "again" and toy.rule == DELTA:
        yield from draw_parts(places, part)
    if shape:
        yield from draw_real(places, shape)
    there = phase == "count" or (phase == "ask" and beat > 0)
    if asked:
        yield from draw_answer_column(places, toy, there)
    if not shape:
        picked = key.columns(SIDE)[int(KEYS[token].argmax())]
        column = picked if part in WAITING else picked._replace(height=state.bottom - key.y)
        yield pen.rect("now", places.column(1) if there else column, "hot outline")


def draw_real(places: Places, shape: Shape) -> Iterator[Mark]:
    """How the state of a real layer compares with the small one."""
    pen, state = places.pen, places.state
    words = f"a real layer keeps {shape.heads} such states, of {shape.side} × {shape.side} numbers"
    x, y = (180.0, state.y + 4.2 * pen.size) if places.small else (state.x, state.bottom + 2.4 * pen.size + 5)
    yield from paragraph(pen, "real", x, y, words, (pen.width if places.small else 440) - x)


def token_of(phase: str, beat: int) -> int:
    """The token that is read, or was read last; each of the first comes in one beat and is written in the next."""
    return beat // 2 if phase == "fill" else FILLED


def part_of(toy: Toy, phase: str, beat: int) -> str:
    """Which part of the token's work is done; behind it, all of it is."""
    if phase == "again" and toy.rule == DELTA:
        return PARTS[beat]
    return "come" if phase in ("fill", "again") and beat % 2 == 0 else "write"


def draw_words(places: Places, token: int, role: str) -> Iterator[Mark]:
    """The words read so far; the last of them is at work."""
    pen, x = places.pen, places.pen.pick(22.0, 30.0)
    for at, word in enumerate(WORDS):
        y = places.key.y - pen.pick(14, 24)
        yield pen.text(f"word-{word}", x, y, word, role if at == token else "note" if at > token else "label")
        x += pen.text_width(word, strong=True) + pen.pick(11, 13)


def draw_parts(places: Places, part: str) -> Iterator[Mark]:
    """What is done with one token, in order."""
    pen, state = places.pen, places.state
    words = {"fade": f"fade × {number(ALPHA)}", "erase": "erase", "write": "write"}
    for name, box in zip(PARTS, state.inset(-20, 0, -20).columns(3), strict=True):
        role = "hot strong" if name == part else "note"
        yield pen.text(f"part-{name}", box.x + box.width / 2, state.bottom + 2.4 * pen.size + 5, words[name], role,
                       anchor="middle")  # fmt: skip
