"""The picture: a bar for each token, the line of 100% that a random number falls on, and what each rule has left."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate

from loom.draw import Box, Mark, headline, memoized

from .layout import COUNT, Layout, layout_of
from .line import draw_cuts, draw_falls, draw_hits, draw_line
from .model import LOGITS_OF, ORDER, PHASES, PROMPT, TOKENS, State, Way
from .rules import RULES
from .words import NAMES, percent, setting

TEMPERATURES = tuple(tenth / 10 if tenth % 10 else tenth // 10 for tenth in range(21))  # whole ones as links name them

LANDS = 5  # how much later than its bar sets out a sum comes, in twentieths of a second


def draw(state: State, width: float) -> Iterator[Mark]:
    at, way = layout_of(width), alike(state)
    yield from draw_answer(at, state.left)
    yield from draw_axis(at, at.crossed(state), at.pen.knob_radius if state.stacked else 3, measure(state))
    yield from draw_shares(at, way, state.step, state.summing)
    if state.truncates or state.stacked:
        yield from draw_cuts(at, state, at.bars_of(state))
    if state.phase == "drawn":
        yield from draw_falls(at, state.fallen)
        yield from draw_hits(at, State(way, state.step, state.fallen))
    if state.phase in ("temperature", "top_k", "top_p"):
        line = at.crossed(state)
        yield from draw_heat(at, state.step, state.way.settings.top_k, state.way.settings.temperature, line)
    if not at.pen.narrow:
        yield from draw_chain(at, state)


_ALIKE: dict[tuple[object, ...], Way] = {}  # by what shows of a way, 1,030 in all: `memoized` needs one for each


def alike(state: State) -> Way:
    """The first way that gave the tokens the same shares at this step, and cut them by the same rules.

    Sums that top-p asks for often cut the same tokens, and rules to come show in no token: most pictures recur.
    """
    way, step = state.way, state.step
    cuts = [stage.cut.tobytes() for stage in state.done]
    shown = (state.truncates, state.crossing, len(state.added), step and way.settings.temperature)
    return _ALIKE.setdefault((step, *shown, *cuts), way)


@memoized
def draw_shares(at: Layout, way: Way, step: int, summing: bool) -> Iterator[Mark]:
    """Each token with its bar and its part of the line: they stay as they are while numbers fall on it."""
    state = State(way, step, summing=summing)
    bars = at.bars_of(state)
    yield from draw_bars(at, state, bars)
    yield from draw_names(at, state, bars)
    yield from draw_line(at, state)


@memoized
def draw_answer(at: Layout, left: int) -> Iterator[Mark]:
    """The sentence that goes on, and how many words may come next by now."""
    pen, box = at.pen, at.answer
    size, base = pen.pick((pen.size, 40), (pen.large, pen.large - 5))  # the handle of the sum has room below it
    yield pen.text("prompt", 0, base, f"“{PROMPT} …”", "label", size=size)
    number, words = f"{left} of {COUNT}", "words may come next" if left > 1 else "word may come next"
    y, widest = box.y + pen.huge - pen.pick(3, 0), [f"{COUNT} of {COUNT}"]
    yield from headline(pen, box.x, y, number, [words], widest=widest, under=not pen.narrow)


@memoized
def draw_heat(at: Layout, step: int, top_k: int, temperature: float, line: float) -> Iterator[Mark]:
    """The end of the longest bar, by which the temperature can be taken hold of; its name lies on no threshold."""
    rail = heat_rail(at, step, top_k)
    place = rail[TEMPERATURES.index(temperature)]
    yield at.pen.knob("heat", *place, "temperature", rail)
    words, wide, x = f"T = {temperature:g}", at.pen.text_width("T = 0.5", strong=True), place[0] + 16
    clear = x + wide <= at.bars.right and not x - 4 < line < x + wide + 4
    if PHASES[step] != "temperature" and clear:  # elsewhere a sentence or a chain says it
        yield at.pen.text("heat-words", x, place[1], words, "hot strong", middle=True)


@cache
def heat_rail(at: Layout, step: int, top_k: int) -> list[tuple[float, float]]:
    """Where the longest bar ends at each temperature; top-p and min-p come too late to matter."""
    return [at.heated(step, temperature, top_k) for temperature in TEMPERATURES]


def measure(state: State) -> str:
    """What the bars are measured in."""
    return "of the largest" if state.measured else "added up" if state.stacked else "probability"


@memoized
def draw_axis(at: Layout, crossed: float, reach: float, words: str) -> Iterator[Mark]:
    """Ticks from 0 to 100%, and what is measured by them."""
    pen, bars = at.pen, at.bars
    yield pen.text("measure", at.numbers, bars.y - 11, words, "note", anchor="end")
    for tick in (0, 25, 50, 75, 100):
        x, words = bars.x + bars.width * tick / 100, f"{tick}%" if tick else "0"
        yield pen.line(f"grid-{tick}", x, bars.y - 3, x, bars.bottom, "grid" if tick else "axis")
        # A number under the threshold would be struck out, and one under its knob covered.
        if abs(x - crossed) > at.rooms[words] / 2 + reach:
            yield pen.text(f"tick-{tick}", x, bars.y - 11, words, "note", anchor="middle")


def draw_bars(at: Layout, state: State, bars: list[Box]) -> Iterator[Mark]:
    """What each token has, and the outline of what it had at first. To be added up, bars move in turn."""
    for rank, (token, bar) in enumerate(zip(ORDER, bars, strict=True)):
        if state.shown[token] > 0:
            role, read = state.role(token, "dropped"), f"{TOKENS[token]}: {percent(state.shown[token])}"
            wait = min(2 * rank, 15) if token in state.added and role == "data" else 0  # the others have turned already
            yield at.pen.rect(f"bar-{TOKENS[token]}", bar, role, wait=wait, read=read)
    if state.phase in ("temperature", "drawn"):
        yield at.pen.outlines("at-first", at.first, "ghost")


def draw_names(at: Layout, state: State, bars: list[Box]) -> Iterator[Mark]:
    """Each token, struck out once it is cut; and its probability, the sum up to it, or the rule that cut it."""
    pen, sums = at.pen, accumulate(state.shown[token] for token in ORDER)
    for rank, (token, row, total) in enumerate(zip(ORDER, at.rows, sums, strict=True)):
        word, rule, middle = TOKENS[token], state.cut_by(token), row.y + row.height / 2
        key, verdict, role, wait = "number", percent(state.shown[token]), "value", 0
        yield pen.text(f"name-{word}", 0, middle, word, "note" if rule else "label", middle=True)
        if rule:
            verdict, role = f"✗ {'greedy' if rule == 'temperature' else NAMES[rule]}", "dropped"
            yield pen.line(f"strike-{word}", -1, middle, at.rooms[word] + 1, middle, "dropped thin")
        elif token in state.added:
            key, verdict, role = "sum", percent(total), "hot" if token == state.crossing else "value"
            wait = min(2 * rank + LANDS, 15) if role == "value" else 0
        yield pen.text(f"{key}-{word}", at.numbers, middle, verdict, role, anchor="end", middle=True, wait=wait)
        if state.phase == "plain":
            words = f"{'' if rank else 'logit '}{LOGITS_OF[word]:.1f}"
            yield pen.text(f"logit-{word}", bars[rank].right + 8, middle, words, "note", middle=True)


def draw_chain(at: Layout, state: State) -> Iterator[Mark]:
    """The rules that are on, in their order, and how many words each has left."""
    way, stages = state.way, {stage.rule: stage for stage in state.done}
    rules = [rule for rule in RULES if way.settings.is_on(rule)]
    for row, rule in enumerate(rules):
        behind = state.step - PHASES.index(rule)
        left = stages[rule].left if rule in stages else None
        yield from draw_link(at, row, rule, setting(way.settings, rule), left, now=behind == 0)


@memoized
def draw_link(at: Layout, row: int, rule: str, words: str, left: int | None, *, now: bool) -> Iterator[Mark]:
    """A rule of the chain; how many words it has left is not known before its step."""
    pen, box = at.pen, at.chain
    y = box.y + 40 * row
    yield pen.text(f"rule-{rule}", box.x, y, words, "hot strong" if now else "note" if left is None else "label")
    track = Box(box.x, y + 7, box.width - 60, 9)
    yield pen.rect(f"track-{rule}", track, "cell")
    if left is not None:
        width = track.width * left / COUNT
        yield pen.rect(f"left-{rule}", track._replace(width=width), "hot" if now else "kept")
        yield pen.text(f"left-{rule}-words", track.right + 8, y + 15, str(left), "value")
