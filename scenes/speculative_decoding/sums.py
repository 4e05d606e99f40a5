"""Where the words of the answer come from: one place alone, then every pair of words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark
from loom.scene import Moment

from .columns import DRAWN, draw_words
from .model import LARGE, LIKENESS, START, WORDS, Pass
from .stage import MOST_OF_PAIRS, Stage
from .story import percent

MINUS = "−"
LEAST = 1e-9  # less is a float's last digit


def draw_sum(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The first place alone: what is refused goes where guesses are too few."""
    one: Pass = moment.result
    pen, p, q = stage.pen, LARGE[START], one.small[START]
    stays, moved = np.minimum(p, q), moment.progress == 1
    yield from draw_words(stage, stage.single)
    for word, name in enumerate(WORDS):
        read = f"{name}: {percent(stays[word])} as a guess that stays"
        yield pen.rect(f"in-0-{name}", stage.wide_bar(word, 0, stays[word]), "kept", round=0, read=read)
    yield pen.hatches("refused", [stage.wide_bar(word, p[word], q[word] - p[word]) for word in range(len(WORDS))
                                  if q[word] > p[word] + LEAST], "dropped thin")  # fmt: skip
    for word in range(len(WORDS)):
        yield from draw_flows(stage, one, word, moved)
    for word, name in enumerate(WORDS):
        yield pen.rect(f"large-0-{name}", stage.wide_bar(word, 0, p[word]), "data outline", round=0,
                       read=f"{name}: {percent(p[word])} of the large model")  # fmt: skip
    for word in range(len(WORDS)):
        parts = (float(q[word]), float(p[word] - q[word]), float(p[word]))
        yield from (draw_equation if pen.narrow else draw_numbers)(stage, word, *parts, moved)
    yield from () if pen.narrow else draw_heads(stage)
    first = stage.wide_bar(one.words[0], 0, p[one.words[0]])
    yield from draw_drawn(stage, first, WORDS[one.words[0]])
    yield pen.knob("likeness", *stage.rail[LIKENESS.index(one.likeness)], "likeness", stage.rail)


def draw_drawn(stage: Stage, bar: Box, words: str) -> Iterator[Mark]:
    """What the pass before has drawn, before its bar."""
    yield stage.pen.circle("drawn", bar.x - 7, bar.y + bar.height / 2, 3.5, "hot", read=f"this draw: {words}")


def draw_flows(stage: Stage, one: Pass, word: int, moved: bool) -> Iterator[Mark]:
    """What is refused of one word, in the pieces that go to other words."""
    p, q = LARGE[START], one.small[START]
    gaps, whole = [max(0.0, float(a - b)) for a, b in zip(p, q, strict=True)], 1 - one.alike
    beyond, start = max(0.0, float(q[word] - p[word])), float(p[word])
    for other, gap in enumerate(gaps):
        if beyond < LEAST or gap < LEAST:
            continue
        share = beyond * gap / whole
        # Pieces for one word lie in the order in which they come: from the first word that has too much.
        earlier = sum(max(0.0, float(q[at] - p[at])) for at in range(word)) * gap / whole
        box = stage.wide_bar(other, float(q[other]) + earlier, share) if moved else stage.wide_bar(word, start, share)
        name = f"flow-{WORDS[word]}-{WORDS[other]}"
        yield stage.pen.rect(name, box, DRAWN if moved else "dropped", round=0, wait=3 * word)
        start += share


def draw_equation(stage: Stage, word: int, guessed: float, more: float, whole: float, moved: bool) -> Iterator[Mark]:
    """On a phone: what is guessed, what of it is refused or comes on top, and the sum."""
    pen, row, name = stage.pen, stage.single[word], WORDS[word]
    y, right = row.y + row.height / 2, pen.width
    words = percent(guessed)
    if moved:
        yield pen.text(f"out-{name}", right, y, percent(whole), "value strong", anchor="end", middle=True)
        words += f" {'+' if more > 0 else MINUS} {percent(abs(more))} =" if abs(more) > LEAST else " ="
        right -= pen.text_width("55%", strong=True) + 4
    yield pen.text(f"guessed-{name}", right, y, words, "label", anchor="end", middle=True)


def draw_numbers(stage: Stage, word: int, guessed: float, more: float, whole: float, moved: bool) -> Iterator[Mark]:
    """Where there is room, the same in columns, and beside it the large model's own."""
    pen, row, name = stage.pen, stage.single[word], WORDS[word]
    cells = [("guessed", percent(guessed), "label"), ("refused", f"{MINUS}{percent(-more)}", "dropped"),
             ("drawn", f"+{percent(more)}", "memory"), ("out", percent(whole), "value strong"),
             ("large", percent(whole), "label")]  # fmt: skip
    for (kind, words, role), x in zip(cells, stage.numbers, strict=True):
        absent = more > -LEAST if kind == "refused" else more < LEAST or not moved if kind == "drawn" else False
        if not absent and (moved or kind != "out"):
            yield pen.text(f"{kind}-{name}", x, row.y + row.height / 2, words, role, anchor="end", middle=True)


def draw_heads(stage: Stage) -> Iterator[Mark]:
    """What the columns of numbers are, in the colour of their numbers."""
    roles = {"guessed": "note", "refused": "dropped", "drawn": "memory", "comes out": "label strong",
             "large model": "note"}  # fmt: skip
    for (name, role), x in zip(roles.items(), stage.numbers, strict=True):
        lines = name.split()
        for at, line in enumerate(lines):
            y = stage.sums.y - 12 - (len(lines) - 1 - at) * 17
            yield stage.pen.text(f"head-{name}-{at}", x, y, line, role, anchor="end")


def draw_pairs(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Every pair of words: a column for the first, a row for the second."""
    one: Pass = moment.result
    pen, columns = stage.pen, stage.columns(len(WORDS))
    yield from draw_words(stage, stage.rows)
    title = "the first word, and in the rows the one after it"
    yield pen.text("pairs", columns[0].x, stage.head - pen.pick(19, 31), title, "note")
    for left, (name, column) in enumerate(zip(WORDS, columns, strict=True)):
        yield pen.text(f"first-{name}", column.x, stage.head, f"{name} …", "label strong")
        for right, other in enumerate(WORDS):
            guessed, drawn = (float(part[left, right]) for part in one.pairs)
            plain = float(one.plain_pairs[left, right])
            yield from draw_pair(stage, column, (f"{name}-{other}", right), (guessed, drawn, plain), moment.beat)
    if len(one.words) > 1:
        first, second = one.words[:2]
        bar = stage.bar(columns[first], second, 0, float(one.plain_pairs[first, second]), MOST_OF_PAIRS)
        yield from draw_drawn(stage, bar, f"{WORDS[first]} {WORDS[second]}")


def draw_pair(
    stage: Stage, column: Box, pair: tuple[str, int], shares: tuple[float, float, float], beat: int
) -> Iterator[Mark]:
    """One pair: from guesses alone, with a word drawn instead of one, and the outline of how likely it is without."""
    pen, (key, row), (guessed, drawn, plain) = stage.pen, pair, shares
    if drawn > LEAST:  # beneath what is guessed, so that it is as long as the outline, however much is guessed
        yield pen.rect(f"two-{key}", stage.bar(column, row, 0, plain if beat > 1 else 0, MOST_OF_PAIRS), DRAWN, round=0)
    one = stage.bar(column, row, 0, guessed if beat > 0 else 0, MOST_OF_PAIRS)
    yield pen.rect(f"one-{key}", one, "kept", round=0)
    outline = stage.bar(column, row, 0, plain, MOST_OF_PAIRS)
    words = f"{key.replace('-', ' ')}: {percent(guessed + drawn, 3)} with guesses, {percent(plain, 3)} without"
    yield pen.rect(f"pair-{key}", outline, "data outline", round=0, read=words)
    if not pen.narrow and beat > 1:
        y = outline.y + outline.height / 2
        yield pen.text(f"share-{key}", outline.right + 6, y, percent(guessed + drawn, 2), "note", middle=True)
