"""The picture: a pass over guesses as a grid of bars, then where the words of the answer come from."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, headline
from loom.scene import Moment

from .columns import DRAWN, draw_grid
from .stage import Stage, stage_of
from .story import answer_of
from .sums import draw_pairs, draw_sum

STAYS, INSTEAD, LARGE = ("kept", "stays"), (DRAWN, "drawn instead"), ("data outline", "large model p")
KEYS = {  # what the colours are in each part of the story
    "verify": (("series-1 soft", "small model q"), LARGE),
    "accept": (STAYS, ("dropped", "refused"), LARGE),
    "resample": (STAYS, ("dropped", "refused"), INSTEAD),
    "equal": (STAYS, ("hatch", "refused"), INSTEAD, LARGE),
    "pairs": (STAYS, INSTEAD, LARGE),
}


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = stage_of(width)
    yield from draw_answer(stage, moment)
    draw_stage = {"equal": draw_sum, "pairs": draw_pairs}.get(moment.phase, draw_grid)
    yield from draw_stage(stage, moment)
    yield from draw_key(stage, moment)


def draw_key(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What the colours are: at the right over the columns, or below them on a phone, and at the left over the sums."""
    pen, side = stage.pen, 10.0
    entries = KEYS.get(moment.phase, ())
    rooms = [side + 5 + pen.text_width(words) for _, words in entries]
    gap = pen.pick(9, 18)
    left = 0 if pen.narrow else stage.sums.x
    x = left if pen.narrow or moment.phase == "equal" else pen.width - sum(rooms) - gap * (len(rooms) - 1)
    for (role, words), room in zip(entries, rooms, strict=True):
        box = Box(x, stage.key - side + 1, side, side)
        key = f"{moment.phase}-{words.replace(' ', '-')}"  # those of another part of the story stand elsewhere
        if role == "hatch":
            yield pen.hatches(f"key-hatch-{key}", [box], "dropped thin")
        else:
            yield pen.rect(f"key-{key}", box, role, round=1)
        yield pen.text(f"key-{key}-words", x + side + 5, stage.key, words, "note")
        x += room + gap


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The number of this part of the story, and what it counts."""
    pen = stage.pen
    answer, words = answer_of(moment)
    yield from headline(pen, 0, pen.huge, answer, words, right=pen.pick(pen.width, 640))
