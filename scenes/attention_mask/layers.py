"""The places at one width, and the picture of the stack: strips of tokens, threads, and the longest relay."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

import numpy as np

from loom.draw import Box, Mark, Pen, count, tidy
from loom.scene import Moment

from .masks import Flags
from .model import LAYERS, TOKENS, path_of
from .narration import layers_of

Stroke = tuple[tuple[float, float], ...]


def runs(flags: Flags) -> list[tuple[int, int]]:
    """The stretches of True in a row as (first, last), the newest first: its key stays when older ones come and go."""
    found: list[tuple[int, int]] = []
    for at in np.flatnonzero(flags).tolist():
        if found and found[-1][1] == at - 1:
            found[-1] = (found[-1][0], at)
        else:
            found.append((at, at))
    return found[::-1]


class Stage:
    """The places at one width: the map over the layers on a phone, beside them where there is room."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.map = pen.pick(Box(46, 60, 280, 16 * 6.5), Box(50, 62, 336, 16 * 15))  # the cells of all queries and keys
        self.answer = pen.pick((0.0, pen.huge), (440.0, pen.huge))
        # From the strip above all layers down to that of the tokens.
        self.strips = pen.pick(Box(46, self.map.bottom + 23, 280, 101), Box(502, 76, 336, self.map.bottom - 76))
        self.pitch = self.map.width / TOKENS  # from one key to the next, on the map as in the strips
        self.rows = self.map.rows(TOKENS)  # of the map
        self.tall = pen.pick(12, 16)  # of a strip: room for words

    def strip(self, level: int) -> Box:
        """The strip of states after `level` layers; 0 are the tokens, at the bottom."""
        apart = (self.strips.height - self.tall) / LAYERS
        return Box(self.strips.x, self.strips.bottom - self.tall - level * apart, self.strips.width, self.tall)

    def centre(self, column: int) -> float:
        """The middle of a token's column in the strips."""
        return self.strips.x + (column + 0.5) * self.pitch

    def stretch(self, row: Box, first: int, last: int) -> Box:
        """The cells `first` to `last` of a row or a strip."""
        return Box(row.x + first * self.pitch + 0.5, row.y + 0.5, (last - first + 1) * self.pitch - 1, row.height - 1)

    def walls(self, box: Box) -> list[Stroke]:
        """The lines between the cells of a box."""
        return [((x, box.y), (x, box.bottom)) for x in (box.x + cut * self.pitch for cut in range(1, TOKENS))]


def draw_layers(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Strips from the tokens up; between two of them a layer, whose threads lead down to what is read."""
    pen, cache = stage.pen, moment.phase == "cache"
    for layer in range(1, LAYERS + 1):
        yield from draw_name(stage, moment, layer)
    for level in range(LAYERS + 1):
        yield pen.rect(f"strip-{level}", stage.strip(level), "cell", round=0)
    yield from draw_sight(stage, moment)
    yield strip_grid(stage)
    yield from draw_relay(stage, moment)
    if cache:
        yield from draw_free(stage, moment)
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
        line = f"holds {np.count_nonzero(stack.held[layer - 1])}"
        y, role = below.y + below.height / 2, pen.pick("kept", "kept strong")
        yield pen.text(f"holds-{layer}", x, y, line, role, anchor="end", middle=True)


@cache
def links(stage: Stage, layer: int) -> list[list[str]]:
    """As written in a path: the thread from each token above a layer down to each one below it."""
    top, foot = (tidy(round(y, 1)) for y in (stage.strip(layer).bottom, stage.strip(layer - 1).y))
    xs = [tidy(round(stage.centre(token), 1)) for token in range(TOKENS)]
    return [[f"M{reader} {top}L{key} {foot}" for key in xs] for reader in xs]


def threads(stage: Stage, name: str, mask: Flags, readers: Flags, layer: int, role: str) -> Mark:
    """From each reader above a layer down to every key that it reads, and to its own state."""
    read = np.argwhere((mask | np.eye(TOKENS, dtype=bool)) & readers[:, None]).tolist()
    thread = links(stage, layer)
    return Mark(name, "path", role, {"d": "".join(thread[reader][key] for reader, key in read) or "M0 0"})


def draw_sight(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The threads of everything in sight, with the whole map those of all other tokens too; then what is in sight.

    Under top-k only the threads of those that hand word on: all of them would be a thicket.
    """
    look, layers = moment.result, layers_of(moment)
    masks, rows = look.stack.masks, look.cones[layers]
    if moment.phase == "map":
        yield threads(stage, "weave", masks[0], ~rows[1], 1, "axis thin soft")
    path = path_of(look, layers)
    for layer in range(1, layers + 1):
        readers = np.arange(TOKENS) == path[layer] if look.stack.pattern == "top-k" else rows[layer]
        yield threads(stage, f"threads-{layer}", masks[layer - 1], readers, layer, "kept thin soft")
    for level in range(layers):
        seen = rows[level]
        if moment.phase == "cache":  # of what came together down there, most is never read again
            held = look.stack.held[level]
            gone = f"layer {level + 1} has let go of {np.count_nonzero(~held)} keys and values"
            yield from draw_runs(stage, "past", level, seen & ~held, "kept soft", gone)
            yield from draw_runs(stage, "free", level, ~held, "ghost", gone)
            holds = f"layer {level + 1} holds {count(int(np.count_nonzero(held)), 'key')}, and as many values"
            yield from draw_runs(stage, "sight", level, held, "kept", holds)
        else:
            words = f"{count(int(np.count_nonzero(seen)), 'token')}"
            told = f"{words} hand word on through layer {level + 1}" if level else f"{words} in sight"
            yield from draw_runs(stage, "sight", level, seen, "kept", told)


def draw_runs(stage: Stage, key: str, level: int, flags: Flags, role: str, told: str) -> Iterator[Mark]:
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
    """What has not been heard of; the token that asks, and the longest way down from it."""
    pen, look, strip, cache = stage.pen, moment.result, stage.strip(0), moment.phase == "cache"
    unseen = ~look.cones[layers_of(moment)][0] & (np.arange(TOKENS) < look.query)
    if unseen.any() and not cache:
        yield from word_in(stage, "unseen", "unseen", 0, *max(runs(unseen), key=lambda run: run[1] - run[0]))
    if not (pen.narrow or cache):
        yield pen.text("tokens", strip.x - 14, strip.y + stage.tall / 2, "tokens", "note", anchor="end", middle=True)
    path = path_of(look, layers_of(moment))
    places = [(stage.centre(token), stage.strip(level).y + stage.tall / 2) for level, token in enumerate(path)]
    yield pen.path("relay", places, "axis thin" if cache else "hot")
    for level, token in enumerate(path[-1:] if cache else path, len(path) - 1 if cache else 0):
        yield pen.rect(f"hop-{level}", stage.stretch(stage.strip(level), token, token), "hot", round=1)
    past = cache and look.query < TOKENS  # what is held then is held for the tokens after the newest
    words, right = f"token {look.query} {'asked' if past else 'asks'}", stage.centre(look.row) + stage.pitch / 2
    fits = right - pen.text_width(words, strong=True) > stage.strips.x
    x, anchor = (right, "end") if fits else (stage.strips.x, "start")
    yield pen.text("asker-words", x, stage.strip(layers_of(moment)).y - 5, words, "hot strong", anchor=anchor)


def draw_free(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What stands in the strips, on what is no longer held: clear of what came together there."""
    look = moment.result
    rows = look.cones[layers_of(moment)]
    for level, held in enumerate(look.stack.held):
        for number, (first, last) in enumerate(runs(~held & ~rows[level])):
            yield from word_in(stage, f"free-{level}-{number}-words", "let go", level, first, last, "label")
