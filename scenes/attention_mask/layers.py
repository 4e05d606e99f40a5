"""The picture of the stack: strips of tokens, threads from each reader to what it reads, and the longest relay."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Mark

from .masks import Flags
from .model import relay
from .moments import CACHE, MAP, State
from .stage import Stage, Stroke, runs


def draw_layers(at: Stage, state: State) -> Iterator[Mark]:
    """Strips from the tokens up; between two of them a layer, whose threads lead down to what is read."""
    pen, stack = at.pen, state.stack
    yield pen.text("title", 0 if pen.narrow else at.map.right + 70, at.title, headline(state), "kept strong")
    for layer in range(1, stack.layers + 1):
        yield from draw_name(at, state, layer)
    for level in range(stack.layers + 1):
        yield pen.rect(f"strip-{level}", at.strip(level), "cell", round=0)
    if state.step == CACHE:
        yield from draw_cache(at, state)
    else:
        yield from draw_threads(at, state)
        yield from draw_sight(at, state)
    walls = [wall for level in range(stack.layers + 1) for wall in at.walls(at.strip(level))]
    yield pen.strokes("strip-grid", walls, "grid")
    yield from draw_words(at, state)
    if state.step != CACHE:
        yield from draw_relay(at, state)
    for token in (1, 4, 8, 12, 16):
        x, y = at.centre(token - 1), at.strips.bottom + pen.size + 3
        yield pen.text(f"token-{token}", x, y, str(token), "note", anchor="middle")


def headline(state: State) -> str:
    """The result of the step."""
    stack = state.stack
    if state.step == CACHE:
        return f"held: {int(np.count_nonzero(stack.held))} of {stack.held.size} pairs of key and value"
    layers = f"{state.layers} layer{'s' if state.layers > 1 else ''}"
    ahead = stack.pattern == "full" and state.query < stack.n
    end = "before it and after it" if ahead else f"back to token {state.query - state.back}"
    return f"after {layers}: {state.sight} of {stack.n} in sight, {end}"


def draw_name(at: Stage, state: State, layer: int) -> Iterator[Mark]:
    """What stands left of a layer: its number, and its kind where layers differ, or what it holds."""
    pen, stack = at.pen, state.stack
    above, below = at.strip(layer), at.strip(layer - 1)
    middle = (above.bottom + below.y) / 2 if state.step != CACHE else below.y + below.height / 2
    words = [f"layer {layer}"]
    if state.step == CACHE:
        words.append(f"holds {int(np.count_nonzero(stack.held[layer - 1]))}")
    elif stack.pattern == "interleaved":
        words.append(stack.kind(layer))
    live = layer <= state.layers
    for number, line in enumerate(words):
        y = middle + (number - (len(words) - 1) / 2) * 1.2 * pen.size
        strong = live and number and (line == "global" or state.step == CACHE)
        role = ("kept" if pen.narrow else "kept strong") if strong else "label" if live else "note"
        x = at.strips.x - 3 if pen.narrow else at.strips.x - 14
        yield pen.text(f"layer-{layer}-{number}", x, y, line, role, anchor="end", middle=True)


def threads(at: Stage, mask: Flags, readers: Flags, layer: int) -> Iterator[Stroke]:
    """From each reader above a layer down to every key that it reads, and to its own state."""
    top, foot = at.strip(layer).bottom, at.strip(layer - 1).y
    for reader in np.flatnonzero(readers):
        for key in np.flatnonzero(mask[reader] | (np.arange(at.n) == reader)):
            yield (round(at.centre(int(reader)), 1), round(top, 1)), (round(at.centre(int(key)), 1), round(foot, 1))


def draw_threads(at: Stage, state: State) -> Iterator[Mark]:
    """The threads of everything in sight; with the whole map, those of all other tokens too."""
    stack, rows = state.stack, state.stack.cone(state.row, state.layers)
    if state.step == MAP:
        yield at.pen.strokes("weave", threads(at, stack.masks[0], ~rows[1], 1), "axis thin soft")
    for layer in range(1, state.layers + 1):
        yield at.pen.strokes(
            f"threads-{layer}", threads(at, stack.masks[layer - 1], rows[layer], layer), "kept thin soft"
        )


def draw_sight(at: Stage, state: State) -> Iterator[Mark]:
    """Whose states flow into the token that asks."""
    rows = state.stack.cone(state.row, state.layers)
    for level in range(state.layers):
        for number, (first, last) in enumerate(runs(rows[level])):
            yield at.pen.rect(f"sight-{level}-{number}", at.stretch(at.strip(level), first, last), "kept", round=1)


def draw_words(at: Stage, state: State) -> Iterator[Mark]:
    """What stands in the strips, on what is not in sight or no longer held."""
    if state.step == CACHE:
        for level, held in enumerate(state.stack.held):
            for number, (first, last) in enumerate(runs(~held)):
                yield from word_in(at, f"free-{level}-{number}-words", "let go", level, first, last)
        return
    unseen = ~state.stack.cone(state.row, state.layers)[0] & (np.arange(at.n) < state.query)
    if unseen.any():
        yield from word_in(at, "unseen", "unseen", 0, *max(runs(unseen), key=lambda run: run[1] - run[0]))
    if not at.pen.narrow:
        strip = at.strip(0)
        middle = strip.y + strip.height / 2
        yield at.pen.text("tokens", strip.x - 14, middle, "tokens", "note", anchor="end", middle=True)


def word_in(at: Stage, key: str, words: str, level: int, first: int, last: int) -> Iterator[Mark]:
    """Words in a stretch of a strip, if there is room."""
    if at.pen.room(words) + 6 <= (last - first + 1) * at.pitch:
        x, y = (at.centre(first) + at.centre(last)) / 2, at.strip(level).y + at.strip_height / 2
        yield at.pen.text(key, x, y, words, "note", anchor="middle", middle=True)


def draw_relay(at: Stage, state: State) -> Iterator[Mark]:
    """The token that asks, and the longest way down from it."""
    pen, top = at.pen, at.strip(state.layers)
    path = relay(state.stack.masks[: state.layers], state.row)
    places = [(at.centre(token), at.strip(level).y + at.strip_height / 2) for level, token in enumerate(path)]
    yield pen.path("relay", places, "hot")
    for level, token in enumerate(path):
        yield pen.rect(f"hop-{level}", at.stretch(at.strip(level), token, token), "hot", round=1)
    words = f"token {state.query} asks"
    right = at.centre(state.row) + at.pitch / 2
    x, anchor = (right, "end") if right - pen.room(words, strong=True) > at.strips.x else (at.strips.x, "start")
    yield pen.text("asker-words", x, top.y - 5, words, "hot strong", anchor=anchor)


def draw_cache(at: Stage, state: State) -> Iterator[Mark]:
    """Each layer's keys and values come from the strip under it: those it still holds, and those it has let go."""
    for level, held in enumerate(state.stack.held):
        for number, (first, last) in enumerate(runs(~held)):
            yield at.pen.rect(f"free-{level}-{number}", at.stretch(at.strip(level), first, last), "ghost", round=1)
        for number, (first, last) in enumerate(runs(held)):
            yield at.pen.rect(f"sight-{level}-{number}", at.stretch(at.strip(level), first, last), "kept", round=1)
