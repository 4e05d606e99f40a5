"""The line of 100%, where each token has a part as long as it is likely, what falls on it, and where rules cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from loom.draw import Box, Mark, memoized

from .layout import COUNT, Layout
from .model import NUMBERS, ORDER, PLAIN, TOKENS, State, draw_tokens
from .words import percent

SUMS = tuple(step / 40 for step in range(12, 41))  # what top-p may ask for


def draw_line(at: Layout, state: State) -> Iterator[Mark]:
    pen, box, stage, cuts = at.pen, at.line, state.stage, state.stage_cuts
    stays = float(stage.before[stage.alive].sum())
    words = "100% again" if state.ended and not stage.alive.all() else f"{percent(stays)} stay" if cuts else "100%"
    yield pen.text("line-name", at.numbers, box.y + box.height / 2, words, "label", anchor="end", middle=True)
    parts = segments(box, state.shown)
    for token, part in parts:
        yield pen.rect(f"part-{TOKENS[token]}", part, state.role(token, "dropped soft"), round=0)
    if cuts:
        yield pen.hatch("lost", box.inset(left=box.width * stays), "dropped thin")
    if state.ended:  # the line as the model gave it
        y = at.plain.y + at.plain.height / 2 + 3
        yield pen.text("plain-name", at.numbers, y, "at first", "note", anchor="end", middle=True)
        parts_then = [part.corners for _, part in segments(at.plain, PLAIN.tolist())]
        yield pen.strokes("plain", parts_then, "quiet soft solid")
    foot = at.plain.bottom if state.ended else box.bottom
    for token, part in parts:
        word = TOKENS[token]
        if at.rooms[word] + 4 <= part.width and token not in cuts:
            x = part.x + part.width / 2
            yield pen.text(f"part-name-{word}", x, foot + pen.size + 3, word, "note", anchor="middle")


@memoized
def draw_falls(at: Layout, fallen: int) -> Iterator[Mark]:
    """Where the random numbers fall that have fallen by now."""
    for number, share in enumerate(NUMBERS[:fallen].tolist()):
        x = at.line.x + at.line.width * share
        yield at.pen.line(f"fall-{number}", x, at.line.y - 5, x, at.plain.bottom + 3, "hot")


def segments(box: Box, shares: Sequence[float]) -> list[tuple[int, Box]]:
    """The part of each token that has one, the most likely first."""
    ends = accumulate(shares[token] for token in ORDER)
    parts = []
    for token, end in zip(ORDER, ends, strict=True):
        wide = box.width * shares[token]
        start = box.x + box.width * (end - shares[token])
        parts.append((token, Box(start, box.y, max(wide - 1, wide / 2), box.height)))
    return [(token, part) for token, part in parts if shares[token] > 0]


@memoized
def draw_hits(at: Layout, state: State) -> Iterator[Mark]:
    """Five draws: a dot in the row of each word drawn, a ring where the same random number falls without any rule."""
    pen, radius, final, bars = at.pen, at.pen.pick(4.0, 5.0), state.way.final, at.bars_of(state)
    taken = dict.fromkeys(ORDER, 0)  # dots and rings in each token's row
    last = None  # the ring in the lowest row of a token that was cut
    drawn, at_first = (draw_tokens(one, NUMBERS[: state.fallen]).tolist() for one in (final, PLAIN))
    for number, (hit, ring) in enumerate(zip(drawn, at_first, strict=True)):
        for kind, token in (("hit", hit), ("ring", ring)) if hit != ring else (("hit", hit),):
            bar = bars[ORDER.index(token)]
            start = max(bar.right, at.bars.x + at.bars.width * float(PLAIN[token]))
            inside = start + 14 * radius > at.bars.right  # five dots have no room after a bar of 100%
            x = (at.bars.x if inside else start) + radius * (2 + 2.6 * taken[token])
            taken[token] += 1
            # A rectangle as round as a circle, because only rectangles can be outlines in a colour.
            dot = Box(x - radius, bar.y + bar.height / 2 - radius, 2 * radius, 2 * radius)
            role = "cell" if inside else "hot" if kind == "hit" else "hot outline"
            yield pen.rect(f"{kind}-{number}", dot, role, round=radius)
            if not final[token] and (last is None or dot.y >= last.y):
                last = dot
    if last:
        y = last.y + last.height / 2
        yield pen.text("ring-label", last.right + 6, y, "without any rule", "note", middle=True)


def draw_cuts(at: Layout, state: State, boxes: list[Box]) -> Iterator[Mark]:
    pen, bars, settings, stage = at.pen, at.bars, state.way.settings, state.stage
    if state.phase == "top_k":  # a line under row k
        y = bars.y + bars.height * settings.top_k / COUNT
        yield pen.line("threshold", 0, y, bars.right, y, "hot dashed")
        yield pen.text("threshold-label", bars.right, y - 5, f"k = {settings.top_k}", "hot strong", anchor="end")
    else:  # a line at the sum asked for, or at a share of the longest bar
        x, most = at.crossed(state), float(stage.before.max())
        high = bars.y - pen.pick(29, 31)
        words = f"{percent(most)} × {settings.min_p:g} = {percent(settings.min_p * most)}"
        words = f"sum {100 * settings.top_p:g}%" if state.stacked else words
        foot = at.line.bottom if state.stacked else bars.bottom
        yield pen.line("threshold", x, high, x, foot, "hot dashed")
        if state.stacked:  # the sum can be taken hold of
            yield pen.knob("sum", x, high, "top_p", [(bars.x + bars.width * share, high) for share in SUMS])
        yield pen.text("threshold-label", x - 15, high, words, "hot strong", anchor="end", middle=True)
    if state.stage_cuts:  # how many, and how much they had, in the first one's row where no bar is
        bars_cut = [boxes[ORDER.index(token)] for token in state.stage_cuts]
        words = f"{len(state.stage_cuts)} cut, {percent(stage.before[stage.cut].sum())}"
        x, y = room_for(at, words, bars_cut, at.crossed(state)) if state.stacked else (bars.right, bars_cut[0].y)
        y, anchor = y + bars_cut[0].height / 2, "start" if state.stacked else "end"
        yield pen.text("cut", x, y, words, "dropped strong", anchor=anchor, middle=True)
    if state.crossing >= 0:
        yield from draw_crossing(at, boxes[ORDER.index(state.crossing)])


def room_for(at: Layout, words: str, cut: list[Box], line: float) -> tuple[float, float]:
    """Where words begin in the first row with room: before the line that crosses it, or on either side of its bar."""
    need, start = at.pen.text_width(words, strong=True), at.bars.x + 8
    places = (
        (x, bar.y)
        for bar in cut
        for x, end in ((start, line - 4), (line + 6, bar.x - 4), (bar.right + 6, at.bars.right))
        if x + need <= end
    )
    return next(places, (start, cut[0].y))


def draw_crossing(at: Layout, bar: Box) -> Iterator[Mark]:
    """The token whose probability crosses the sum asked for stays. Said on the side of its bar that has room.

    Behind the first bar stands the temperature.
    """
    words, y = "crosses: stays", bar.y + bar.height / 2
    room = at.pen.text_width(words) + 12
    away = 13 if bar.y < at.rows[2].y else 6  # in the second row the temperature's knob is near
    if bar.x - at.bars.x > room - 6 + away:
        yield at.pen.text("crossing", bar.x - away, y, words, "hot", anchor="end", middle=True)
    elif bar.x > at.bars.x and at.bars.right - bar.right > room:
        yield at.pen.text("crossing", bar.right + 6, y, words, "hot", middle=True)
