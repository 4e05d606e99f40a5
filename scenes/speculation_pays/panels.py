"""What one pass gives, place by place, and what it takes beside plain steps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, count, fixed, memoized
from loom.scene import Moment

from .model import BATCHES, DRAFT, LOADS, check_cost, reached, steps_of
from .model import tokens as tokens_of
from .stage import Stage, stage_of
from .story import CHECK, GUESSES, PAYS, milliseconds, share

ALONE_STEPS = 8  # plain steps that the panel is wide, for a user alone
STEPS = (2, 3, 4, 6.5)  # and in a batch: as many as any of a plan's cases needs
LEAST = 2.0  # units: less between two bars' ends is not seen
# What is waited for: bytes, or arithmetic.
ROLES = {"weights": "memory", "arithmetic": "work", "cache": "memory soft", "attention": "work soft"}
ROLES_SAID = {"cache": "the cache", "attention": "arithmetic"}


def draw_panel(stage: Stage, moment: Moment) -> Iterator[Mark]:
    case, width = moment.result.case, stage.pen.width
    if moment.phase == GUESSES:
        yield from draw_places(width, moment.beat, case.alpha)
    elif moment.phase == CHECK:
        yield from draw_steps(width, moment.beat + 1, case.batch, case.load, panel_steps(case.gamma))
    else:
        busy = moment.phase == PAYS
        steps = panel_steps(case.gamma, case.alpha) if busy else ALONE_STEPS
        yield from draw_times(width, case.gamma, case.tokens, case.check if busy else 1.0, steps, moment.progress)


@cache
def panel_steps(gamma: int, alpha: float | None = None) -> float:
    """Plain steps that the panel is wide: for a step that looks over guesses, or for all that gives their tokens."""
    most = max(check_cost(load, batch, gamma) for load in LOADS for batch in BATCHES)
    if alpha is not None:
        most = max(most + gamma * DRAFT, float(tokens_of(alpha, gamma)))
    return next((steps for steps in STEPS if steps >= most), most)


@memoized
def draw_places(width: float, gamma: int, alpha: float) -> Iterator[Mark]:
    """A column for each place: how often it gives a token, and how often it is computed in vain."""
    stage = stage_of(width)
    pen, panel = stage.pen, stage.panel.inset(top=stage.pen.pick(28, 42), bottom=stage.pen.size + 4)
    for place, (chance, column) in enumerate(
        zip(reached(gamma, alpha), panel.columns(9, pen.pick(4, 6)), strict=False)
    ):
        full = column.inset(top=(1 - chance) * column.height)
        words = f"place {place + 1} gives a token in {share(chance)} of passes"
        yield pen.rect(f"place-{place}", column, "cell", round=0)
        yield pen.rect(f"reached-{place}", full, "kept", round=0, read=words)
        if chance < 1:
            yield pen.hatch(f"vain-{place}", column.inset(bottom=full.height), "dropped thin")
        middle = column.x + column.width / 2
        yield pen.text(f"share-{place}", middle, column.y - 5, share(chance), "value", anchor="middle")
        yield pen.text(f"name-{place}", middle, panel.bottom + pen.size + 3, str(place + 1), "note", anchor="middle")
    yield pen.text(
        "places", panel.x, panel.y - pen.size - pen.pick(8, 14), "how often a pass gives so many tokens", "note"
    )


@memoized
def draw_times(width: float, gamma: int, tokens: float, check: float, scale: float, past: float) -> Iterator[Mark]:
    """As many tokens one by one, and by a pass with its guesses: what is done when some of the time is past."""
    stage = stage_of(width)
    pen, unit = stage.pen, stage.panel.width / scale
    first, second = rows(stage)
    drafts = gamma * DRAFT
    now = past * max(tokens, drafts + check)
    small, large = pen.pick(("small ", "large "), ("", ""))  # on a phone the bar's parts have no names below
    sums = f"{small}{gamma} × {DRAFT} + {large}{fixed(check)} = {fixed(drafts + check)} steps"
    yield from head(stage, "plain", first, "one by one", f"{fixed(tokens)} steps" if now >= tokens else "")
    yield from head(stage, "pass", second, "with guesses", sums if now >= drafts + check else "")
    yield pen.rect("plain", first._replace(width=min(now, tokens) * unit), "series-6 soft steady", round=0,
                   read=f"{fixed(tokens)} plain steps of the large model")  # fmt: skip
    cuts = [
        [(x, first.y), (x, first.bottom)] for at in range(1, 8) if (x := first.x + at * unit) < first.x + tokens * unit
    ]
    yield pen.strokes("cuts", cuts, "grid")
    yield pen.rect("draft", second._replace(width=min(now, drafts) * unit), "series-1 steady", round=0,
                   read=f"{count(gamma, 'step')} of the small model")  # fmt: skip
    start, done = second.x + drafts * unit, min(max(now - drafts, 0), check)
    yield from draw_saved(stage, first, second, tokens, drafts + check, unit, now)
    yield pen.rect("check", second._replace(x=start, width=done * unit), "series-6 steady", round=0,
                   read=f"one pass of the large model: {fixed(check)} plain steps")  # fmt: skip
    if not pen.narrow:
        y = second.bottom + pen.size + 6
        yield pen.text("draft-name", second.x, y, "small model", "note")
        after = second.x + pen.text_width("small model") + 16
        yield pen.text("check-name", max(start, after), y, "large model", "note")


def draw_saved(
    stage: Stage, first: Box, second: Box, plain: float, guessed: float, unit: float, now: float
) -> Iterator[Mark]:
    """What is left of the longer way when the shorter has arrived: steps that guesses save, or lose."""
    if now < max(plain, guessed) or abs(plain - guessed) * unit < LEAST:
        return
    saves, pen = plain > guessed, stage.pen
    row = second if saves else first
    box = row._replace(x=row.x + min(plain, guessed) * unit, width=abs(plain - guessed) * unit)
    words = f"{fixed(abs(plain - guessed))} {'saved' if saves else 'lost'}"
    yield pen.rect("saved", box, "ghost", round=0, read=f"{words}, in plain steps of the large model")
    if pen.text_width(words) + 8 < box.width:
        role = "work strong" if saves else "dropped strong"
        yield pen.text("saved-words", box.x + box.width / 2, box.y + box.height / 2, words, role,
                       anchor="middle", middle=True)  # fmt: skip


def rows(stage: Stage) -> list[Box]:
    """The two bars, each below its words."""
    pen = stage.pen
    return [
        row.inset(top=pen.pick(17, 28)) for row in stage.panel.inset(bottom=pen.pick(0, 50)).rows(2, pen.pick(6, 22))
    ]


def head(stage: Stage, key: str, row: Box, name: str, words: str) -> Iterator[Mark]:
    """What a bar is, and its sum."""
    pen, y = stage.pen, row.y - stage.pen.pick(4, 8)
    yield pen.text(f"{key}-name", row.x, y, name, "label strong")
    if words:
        yield pen.text(f"{key}-words", row.x + pen.text_width(name, strong=True) + 8, y, words, "label")


@memoized
def draw_steps(width: float, gamma: int, batch: int, load: str, scale: float) -> Iterator[Mark]:
    """A plain step and one that looks over guesses, each with its linear layers and its attention."""
    stage, steps = stage_of(width), steps_of(load, batch, gamma)
    pen, plain = stage.pen, float(steps[0].time)
    unit = stage.panel.width / scale / plain
    names = ("plain step", f"{count(gamma + 1, 'position')}")
    for key, row, name, step in zip(("plain", "pass"), rows(stage), names, steps, strict=True):
        linear, attention = float(step.linear), float(step.attention)
        weights = "weights" if step.read_weights >= step.multiply else "arithmetic"
        cached = "cache" if step.read_cache >= step.attend else "attention"
        sums = f"{weights} {milliseconds(linear)} + {cached} {milliseconds(attention)} = {milliseconds(step.time)} ms"
        yield from head(stage, key, row, name, sums)
        yield pen.rect(f"{key}-{weights}", row._replace(width=linear * unit), ROLES[weights], round=0,
                       read=f"linear layers: {weights}, {milliseconds(linear)} ms")  # fmt: skip
        rest = row._replace(x=row.x + linear * unit, width=attention * unit)
        yield pen.rect(f"{key}-{cached}", rest, ROLES[cached], round=0,
                       read=f"attention: {ROLES_SAID[cached]}, {milliseconds(attention)} ms")  # fmt: skip
