"""A pass as a grid: a column for each place, a row for each word, with both models' chances as bars."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, paragraph
from loom.scene import Moment

from .model import WORDS, Pass
from .pace import begun, drafted, falling, grows, looked_at
from .stage import Stage
from .story import percent

DRAWN = "series-2"  # what the large model draws in place of a guess; words in it are amber as well


def draw_grid(stage: Stage, moment: Moment) -> Iterator[Mark]:
    one: Pass = moment.result
    columns = stage.columns(one.guesses_asked + 1)
    looked = looked_at(moment)
    yield from draw_words(stage, stage.rows)
    yield from draw_lines(stage, moment)
    yield from draw_span(stage, moment, columns)
    yield from draw_further(stage, moment, columns[-1])
    for place in range(one.guesses_asked):
        yield from draw_guess(stage, moment, columns[place], place)
    if moment.phase == "resample":
        yield from draw_last(stage, moment, columns[one.stay])
    if moment.since("verify"):
        for place, column in enumerate(columns):
            yield from draw_outlines(stage, moment, column, place)
    for place in range(looked):
        yield from draw_verdict(stage, one, columns[place], place)
    yield from draw_darts(stage, moment, columns)
    for place in range(one.guesses_asked + 1):
        if wasted(one, place, looked):
            yield stage.pen.text(f"unused-{place}", columns[place].x, stage.chances, "unused", "note")


def draw_words(stage: Stage, rows: list[Box]) -> Iterator[Mark]:
    """The words of the language, before their rows."""
    for word, row in zip(WORDS, rows, strict=True):
        yield stage.pen.text(f"name-{word}", 0, row.y + row.height / 2, word, "label", middle=True)


def draw_further(stage: Stage, moment: Moment, column: Box) -> Iterator[Mark]:
    """The place after all guesses: the large model's own, empty while the small one guesses."""
    pen = stage.pen
    if not wasted(moment.result, moment.result.guesses_asked, looked_at(moment)):
        yield pen.text("further", column.x, stage.head, "+1", "note")
    if moment.phase == "draft":
        place = Box(column.x, stage.field.y, column.width, stage.rows[-1].bottom - stage.field.y)
        told = "the place after all guesses: here the large model alone has a word"
        yield pen.rect("further-place", place, "ghost soft", round=2, read=told)
        if not pen.narrow:
            words = "one more word, from the large model alone"
            yield from paragraph(pen, "further-words", place.x + 10, place.y + 22, words, place.width - 20, "note")


def wasted(one: Pass, place: int, looked: int) -> bool:
    """Whether a place lies behind a refused guess, and that is known by now."""
    return one.refused and place > one.stay and looked > one.stay


def draw_lines(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What the lines above and below the bars are."""
    pen = stage.pen
    yield pen.text("guess-name", 0, stage.head, "guess", "note")
    if moment.since("accept"):
        yield pen.text("chance-name", 0, stage.chances, "chance", "note")
        yield pen.text("out-name", 0, stage.out, pen.pick("output", "comes out"), "label strong")


def draw_span(stage: Stage, moment: Moment, columns: list[Box]) -> Iterator[Mark]:
    """Which model is at work over which places: a step for each, or one pass over all. They grow as it works."""
    pen = stage.pen
    y = stage.head - pen.pick(19, 24)
    if moment.phase == "draft":
        for place, column in enumerate(columns[:-1]):
            width = column.width if place < begun(moment) else 0
            yield pen.rect(f"step-{place}", Box(column.x, y - 1.5, width, 3), "series-1", round=0)
        words, role = "small model, a step for each guess", "label"
    else:
        width = columns[-1].right - columns[0].x if grows(moment, "verify", 1) else 0
        yield pen.rect("pass", Box(columns[0].x, y - 0.5, width, 1), "data outline steady", round=0)  # ink, as outlines
        words, role = "large model, one pass over all places", "label"
    yield pen.text("span", columns[0].x, y - 7, words, role)


def draw_guess(stage: Stage, moment: Moment, column: Box, place: int) -> Iterator[Mark]:
    """The small model's chances at one place, and its guess; what exceeds the large model's is too much."""
    one, pen, looked = moment.result, stage.pen, looked_at(moment)
    guess, gone = one.guesses[place], wasted(one, place, looked)
    made, there = place < drafted(moment), place < begun(moment)
    p, q = one.large_at(place), one.small_at(place)
    for word, name in enumerate(WORDS):
        judged = place < looked and word == guess
        inside = min(p[word], q[word]) if judged else q[word] if there else 0
        role = f"{'kept' if judged else 'series-1'}{'' if word == guess and made and not gone else ' soft'}"
        read = f"place {place + 1}, {name}: {percent(q[word])} of the small model, {percent(p[word])} of the large"
        told = read if there else ""
        yield pen.rect(f"in-{place}-{name}", stage.bar(column, word, 0, inside), role, round=0, read=told)
    if place < looked and q[guess] > p[guess]:
        beyond = stage.bar(column, guess, p[guess], q[guess] - p[guess])
        yield pen.rect(f"out-{place}", beyond, "dropped", round=0)
    if made:
        yield pen.text(f"guess-{place}", column.x, stage.head, WORDS[guess], "note" if gone else "label strong")


def draw_outlines(stage: Stage, moment: Moment, column: Box, place: int) -> Iterator[Mark]:
    """The large model's chances at one place: they grow at all places at once."""
    one, there = moment.result, grows(moment, "verify", 1)
    p, lost = one.large_at(place), wasted(one, place, looked_at(moment))
    for word, name in enumerate(WORDS):
        role = "axis outline" if lost else "data outline steady"
        read = f"place {place + 1}, {name}: {percent(p[word])} of the large model" if there else ""
        box = stage.bar(column, word, 0, p[word] if there else 0)
        yield stage.pen.rect(f"large-{place}-{name}", box, role, round=0, read=read)


def draw_darts(stage: Stage, moment: Moment, columns: list[Box]) -> Iterator[Mark]:
    """A random number for each guess runs along its bar; that of the next waits where the bar begins."""
    one, pen, gone = moment.result, stage.pen, falling(moment)
    waits = moment.phase == "accept" and gone == looked_at(moment) and moment.progress < 1
    for place in range(gone + waits):
        bar = stage.bar(columns[place], one.guesses[place], 0, one.fallen(place) if place < gone else 0)
        yield pen.circle(f"dart-{place}", bar.right, bar.y + bar.height / 2, pen.pick(3.5, 5), "hot")


def draw_verdict(stage: Stage, one: Pass, column: Box, place: int) -> Iterator[Mark]:
    """The chance of a guess, and the word if it stays."""
    pen, word = stage.pen, one.guesses[place]
    stays = place < one.stay
    words, role = f"{percent(one.chance(place), 0)} {'✓' if stays else '✗'}", "value" if stays else "dropped strong"
    yield pen.text(f"chance-{place}", column.x, stage.chances, words, role)
    if stays:
        yield pen.text(f"word-{place}", column.x, stage.out, WORDS[word], "kept strong", size=pen.large)
    else:
        x = column.x + pen.text_width(WORDS[word], strong=True)
        y = stage.head - 0.35 * pen.size
        yield pen.line(f"strike-{place}", column.x - 1, y, x + 1, y, "dropped")


def draw_last(stage: Stage, moment: Moment, column: Box) -> Iterator[Mark]:
    """What the large model's own word is drawn from grows, and then there is the word."""
    pen, one, drawn = stage.pen, moment.result, moment.progress == 1
    p = one.large_at(one.stay)
    q = one.small_at(one.stay) if one.refused else 0 * p
    for word, name in enumerate(WORDS):
        if p[word] > q[word]:
            gap = float(p[word] - q[word]) if moment.beat else 0.0
            box = stage.bar(column, word, float(q[word]), gap)
            yield pen.rect(f"gap-{name}", box, DRAWN if word == one.last else f"{DRAWN} soft", round=0)
    if drawn:
        yield pen.text("word-last", column.x, stage.out, WORDS[one.last], "memory strong", size=pen.large)
