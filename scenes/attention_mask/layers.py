"""The picture of the stack: strips of tokens, the names of the layers, what is in sight and what caches hold."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from loom.draw import Mark, count
from loom.scene import Moment

from .masks import Flags
from .model import LAYERS, TOKENS
from .pace import ended, held, in_sight, layers_of, turn, written
from .stage import Stage, runs
from .threads import draw_threads, way


def draw_layers(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Strips from the tokens up; between two of them a layer, whose threads lead down to what is read."""
    pen, cache = stage.pen, moment.phase == "cache"
    for layer in range(1, LAYERS + 1):
        yield from draw_name(stage, moment, layer)
    for level in range(LAYERS + 1):
        yield pen.rect(f"strip-{level}", stage.strip(level), "cell", round=0)
    yield from draw_threads(stage, moment)
    yield from draw_caches(stage, moment) if cache else draw_sight(stage, moment)
    yield strip_grid(stage)
    if (row := turn(moment)) is not None:
        yield pen.rect("turn-token", stage.stretch(stage.strip(1), row, row), "hot outline steady", round=1)
    yield from draw_relay(stage, moment)
    yield from draw_words(stage, moment)
    for token in (1, 4, 8, 12, 16):
        x, y = stage.centre(token - 1), stage.strips.bottom + pen.size + 3
        yield pen.text(f"token-{token}", x, y, str(token), "note", anchor="middle")


@lru_cache(maxsize=2)
def strip_grid(stage: Stage) -> Mark:
    """The lines between the tokens of all strips, the same in every picture of one width."""
    walls = [wall for level in range(LAYERS + 1) for wall in stage.walls(stage.strip(level))]
    return stage.pen.strokes("strip-grid", walls, "grid")


def draw_name(stage: Stage, moment: Moment, layer: int) -> Iterator[Mark]:
    """What stands left of a layer: its number or its kind; and of the strip under it, what the layer holds."""
    pen, stack, cache = stage.pen, moment.result.stack, moment.phase == "cache"
    above, below = stage.strip(layer), stage.strip(layer - 1)
    x, middle = stage.strips.x - pen.pick(3, 14), (above.bottom + below.y) / 2
    kinds = [stack.kind(layer)] if stack.pattern == "interleaved" else []
    words = [f"layer {layer}", *kinds]
    words = words[-1:] if cache or pen.narrow else words  # more than one line is in the way of what stands at strips
    live = layer <= layers_of(moment)
    for number, line in enumerate([] if cache and pen.narrow else words):
        y = middle + (number - (len(words) - 1) / 2) * 1.2 * pen.size
        role = pen.pick("kept", "kept strong") if live and line == "global" else "label" if live else "note"
        yield pen.text(f"layer-{layer}-{number}", x, y, line, role, anchor="end", middle=True)
    if cache:
        line = f"holds {np.count_nonzero(held(moment)[layer - 1])}"
        y, role = below.y + below.height / 2, pen.pick("kept", "kept strong")
        yield pen.text(f"holds-{layer}", x, y, line, role, anchor="end", middle=True)


def draw_sight(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What is in sight, on its way up through the layers."""
    layers = layers_of(moment)
    for level in range(layers):
        seen = in_sight(moment) if layers == 1 else moment.result.cones[layers][level]
        words = f"{count(int(np.count_nonzero(seen)), 'token')}"
        told = f"{words} hand word on through layer {level + 1}" if level else f"{words} in sight"
        told = told if ended(moment) or layers > 1 else ""
        yield from draw_runs(stage, "sight", level, seen, "kept", told)


def draw_caches(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What the layers hold once so many tokens are written; of what came together there, most is never read again."""
    there, kept, last = written(moment), held(moment), ended(moment)
    for level in range(LAYERS):
        keys = kept[level]
        gone = there[level] & ~keys
        told = f"layer {level + 1} has let go of {np.count_nonzero(gone)} keys and values" if last else ""
        past = gone & moment.result.cones[LAYERS][level]
        yield from draw_runs(stage, "past", level, past, "kept soft steady", told)
        yield from draw_runs(stage, "free", level, gone, "ghost steady", told)
        words = f"{count(int(np.count_nonzero(keys)), 'key')}, and as many values"
        holds = f"layer {level + 1} holds {words}" if last else ""
        yield from draw_runs(stage, "held", level, keys, "kept steady", holds)
    if moment.result.stack.pattern != "full":
        x = stage.strips.x + np.count_nonzero(there[0]) * stage.pitch
        yield stage.pen.line("newest", x, stage.strip(LAYERS - 1).y - 4, x, stage.strips.bottom + 4, "hot steady")


def draw_runs(stage: Stage, key: str, level: int, flags: Flags, role: str, told: str = "") -> Iterator[Mark]:
    """Stretches of a strip, and what they say."""
    for number, (first, last) in enumerate(runs(flags)):
        box = stage.stretch(stage.strip(level), first, last)
        yield stage.pen.rect(f"{key}-{level}-{number}", box, role, round=1, read=told)


def word_in(stage: Stage, key: str, words: str, level: int, first: int, last: int,
            role: str = "note") -> Iterator[Mark]:  # fmt: skip
    """Words in a stretch of a strip, if there is room."""
    if stage.pen.text_width(words) + 6 <= (last - first + 1) * stage.pitch:
        x, y = (stage.centre(first) + stage.centre(last)) / 2, stage.strip(level).y + stage.tall / 2
        yield stage.pen.text(key, x, y, words, role, anchor="middle", middle=True)


def draw_relay(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The longest way down from the token that asks: above the layers passed, all its stations stand at that token."""
    cache, stations = moment.phase == "cache", way(moment)
    places = [(stage.centre(token), stage.strip(level).y + stage.tall / 2) for level, token in stations]
    yield stage.pen.path("relay", places, "axis thin" if cache else "hot")
    for number, (level, token) in enumerate(stations):
        if not cache or number == LAYERS:
            yield stage.pen.rect(f"hop-{number}", stage.stretch(stage.strip(level), token, token), "hot", round=1)


def draw_words(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What has not been heard of, or been let go; and who asks."""
    pen, look, strip, cache = stage.pen, moment.result, stage.strip(0), moment.phase == "cache"
    layers, last = layers_of(moment), ended(moment)
    unseen = ~look.cones[layers][0] & (np.arange(TOKENS) < look.query)
    if unseen.any() and not cache and (last or moment.phase != "rule"):
        yield from word_in(stage, "unseen", "unseen", 0, *max(runs(unseen), key=lambda run: run[1] - run[0]))
    if cache and last:
        yield from draw_free(stage, moment)
    if not (pen.narrow or cache):
        yield pen.text("tokens", strip.x - 14, strip.y + stage.tall / 2, "tokens", "note", anchor="end", middle=True)
    past = cache and look.query < TOKENS  # what is held then is held for the tokens after the newest
    words, right = f"token {look.query} {'asked' if past else 'asks'}", stage.centre(look.row) + stage.pitch / 2
    fits = right - pen.text_width(words, strong=True) > stage.strips.x
    x, anchor = (right, "end") if fits else (stage.strips.x, "start")
    yield pen.text("asker-words", x, stage.strip(layers).y - 5, words, "hot strong", anchor=anchor)


def draw_free(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What stands in the strips, on what is no longer held: clear of what came together there."""
    look = moment.result
    for level, kept in enumerate(look.stack.held):
        for number, (first, last) in enumerate(runs(~kept & ~look.cones[LAYERS][level])):
            yield from word_in(stage, f"free-{level}-{number}-words", "let go", level, first, last, "label")
