"""The lanes: what two GPUs do in three ways, under a playhead."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from loom.draw import Box, Mark, memoized, quantity

from .case import NAMES, Case
from .lanes import APART, ARRIVALS, CHUNKS, SHOWN, WHOLE, Scenario, Stretch
from .stage import GROUPS, LANES, Stage
from .story import clock

FINE = 3.0  # units: steps that are shorter are not told apart
SEEN = 0.4  # units: what is narrower is not seen
LETTERS = "ABCDE"
MADE, SENT, READ = range(3)  # where a cache is: where its prompt is computed, before the link, where it is decoded from
NARROW_NAMES = {"prefill": "prefill", "decode": "decode"}  # where there is no room for more
ROLES = {"prefill": "data soft", "chunks": "data soft", "send": "memory", "decode": "work"}
TITLES = {WHOLE: "together, prompts whole", CHUNKS: "together, in chunks", APART: "apart: one for each"}


def draw_lanes(stage: Stage, case: Case, come: dict[str, float]) -> Iterator[Mark]:
    """The lanes of some ways, each as far as its playhead has come [prefills]."""
    yield from floors(stage, case.prompt.prefill, tuple(come))
    for way, now in come.items():
        title = f"apart, over {NAMES[case.link]}" if way == APART and stage.narrow else TITLES[way]
        yield stage.text(f"title-{way}", stage.left, stage.title(way), title, "label strong")
        if now:
            for lane in GROUPS[way]:
                yield from stretches(stage, lane, scenario_of(case, way), case.pace / 1000)
            if way == APART:
                yield from draw_queue(stage, case)
            if now >= SHOWN:
                yield from longest(stage, way, scenario_of(case, way), case)
            else:
                yield from playhead(stage, way, now)


def scenario_of(case: Case, way: str) -> Scenario:
    return {WHOLE: case.whole, CHUNKS: case.chunks, APART: case.apart}[way]


@memoized
def floors(stage: Stage, service: float, ways: tuple[str, ...]) -> Iterator[Mark]:
    """Names, empty lanes, when prompts come, and how long the stretch of time is."""
    for way in ways:
        box = stage.group(GROUPS[way])
        marks = [[(stage.x(at), box.y - 4), (stage.x(at), box.y)] for at in ARRIVALS]
        yield stage.strokes(f"come-{way}", marks, "data")
    for lane, name in [(lane, LANES[lane]) for way in ways for lane in GROUPS[way]]:
        row = stage.row(lane)
        yield stage.rect(f"lane-{lane}", row, "cell soft", round=2)
        words = stage.pick(NARROW_NAMES.get(lane, name), name)
        yield stage.text(f"name-{lane}", 0, row.y + row.height / 2, words, "note", middle=True)
    y = stage.row("decode").bottom + 4
    yield stage.line("time", stage.left, y, stage.right, y, "axis")
    middle = (stage.left + stage.right) / 2
    yield stage.text("come", middle, y + stage.size + 2, "ticks over the lanes: prompts come", "note", anchor="middle")
    yield stage.text("time-start", stage.left, y + stage.size + 2, "0", "note")
    yield stage.text("time-end", stage.right, y + stage.size + 2, clock(SHOWN * service), "note", anchor="end")


@memoized
def stretches(stage: Stage, lane: str, scenario: Scenario, pace: float) -> Iterator[Mark]:
    """What a lane does, with the letters of its prompts, the ends of steps that can be told apart, and late tokens."""
    service = scenario.shown / SHOWN
    letters: list[Mark] = []
    for at, one in enumerate(scenario.lanes[lane]):
        box = box_of(stage, lane, one, service)
        if not box.width:
            continue
        key = f"{lane}-{LETTERS[one.prompt]}" if one.prompt >= 0 else f"{lane}-{at}"
        whose = f" of {LETTERS[one.prompt]}" if one.prompt >= 0 else ""
        told = f"{one.what}{whose}: {clock(one.end - one.start)}"
        if one.what == "send":
            told = f"cache of prompt {LETTERS[one.prompt]} on the link: {clock(one.end - one.start)}"
        if one.what == "chunks":
            yield stage.rect(f"{key}-floor", box, "cell", round=0)
        yield stage.rect(key, box, ROLES[one.what], round=1, read=told)
        if one.what in {"prefill", "chunks"}:
            x, y = box.x + box.width / 2, box.y + box.height / 2
            role = "value strong halo" if one.what == "chunks" else "value strong"
            letter = stage.text(f"{key}-letter", x, y, LETTERS[one.prompt], role, anchor="middle", middle=True)
            letters.append(letter)
    row, ends = stage.row(lane), scenario.steps.get(lane, [])
    if ends and stage.x(min(scenario.gaps) / service) - stage.left > FINE:
        places = [stage.x(end / service) for end in ends if end < scenario.shown]
        yield stage.strokes(f"{lane}-steps", [[(x, row.y), (x, row.bottom)] for x in places], "grid")
    slow = [pair for pair in pairwise([0.0, *ends]) if pair[1] - pair[0] > pace] if scenario.longest > pace else []
    late = [(stage.x((before + pace) / service), stage.x(after / service)) for before, after in slow]
    tall = stage.pick(4, 5)
    boxes = [Box(left, row.y, right - left, tall) for left, right in late if right - left > SEEN]
    if boxes:
        yield stage.strokes(f"{lane}-late", [one.corners[:4] for one in boxes], "dropped solid")
    yield from letters  # over the ends of steps


def box_of(stage: Stage, lane: str, one: Stretch, service: float) -> Box:
    """A stretch on its lane, that of a cache in a row of its own; below chunks of a prompt, decoding goes on."""
    row = stage.way(one.prompt) if one.what == "send" else stage.row(lane)
    left, right = stage.x(one.start / service), stage.x(one.end / service)
    tall = row.height - stage.pick(7, 8) if one.what == "chunks" else row.height
    return Box(left, row.y, right - left, tall)


@memoized
def draw_queue(stage: Stage, case: Case) -> Iterator[Mark]:
    """How long caches wait before the link is free for them."""
    scenario = case.apart
    service = scenario.shown / SHOWN
    for computed, carried in zip(scenario.lanes["prefill"], scenario.lanes["link"], strict=True):
        left, right = stage.x(computed.end / service), stage.x(carried.start / service)
        if right - left > SEEN:
            way = stage.way(computed.prompt)
            y = way.y + way.height / 2
            yield stage.line(f"queue-{LETTERS[computed.prompt]}", left, y, right, y, "memory dashed",
                             read=f"waits for the link: {clock(carried.start - computed.end)}")  # fmt: skip


@memoized
def draw_caches(stage: Stage, case: Case, place: int) -> Iterator[Mark]:
    """The caches of the prompts: where each is computed, before the link, or with its letter where it is decoded from.

    A cache that has not come when the lanes end stays on the link.
    """
    scenario, wide, margin = case.apart, stage.pick(4.0, 6.0), stage.pick(2.0, 3.0)
    service, size = scenario.shown / SHOWN, quantity(case.prompt.cache, "B")
    for turn, (computed, carried) in enumerate(zip(scenario.lanes["prefill"], scenario.lanes["link"], strict=True)):
        comes, letter = carried.end < scenario.shown, LETTERS[computed.prompt]
        x = stage.x((carried.end if place == READ else computed.end) / service)
        row = stage.row("prefill" if place == MADE else "decode").inset(top=margin, bottom=margin)
        if place == SENT or (place == READ and not comes):
            row = stage.way(computed.prompt)
        told = f"cache of prompt {letter}: {size}, {clock(carried.end - carried.start)} on the link"
        box = Box(x - wide, row.y, wide, row.height)
        yield stage.rect(f"cache-{letter}", box, "memory", round=1, wait=3 * turn, read=told)
        if place == READ and comes:
            side, anchor = (x + 3, "start") if x + 3 + stage.size < stage.right else (box.x - 3, "end")
            yield stage.text(f"cache-{letter}-letter", side, row.y + row.height / 2, letter, "value strong halo",
                             anchor=anchor, middle=True, wait=3 * turn)  # fmt: skip


def playhead(stage: Stage, way: str, now: float) -> Iterator[Mark]:
    """A cover over what has not happened yet, and the line of now."""
    box, x = stage.group(GROUPS[way]), stage.x(now)
    yield stage.rect(f"future-{way}", Box(x, box.y - 1, box.right - x + 1, box.height + 2), "cell steady", round=0)
    yield stage.line(f"now-{way}", x, box.y - 5, x, box.bottom + 3, "hot steady")


def longest(stage: Stage, way: str, scenario: Scenario, case: Case) -> Iterator[Mark]:
    """The longest wait for a next token, red if it is longer than the pace."""
    late = scenario.longest > case.pace / 1000
    words, role = f"{clock(scenario.longest)} at most", "dropped strong answer" if late else "work strong answer"
    yield stage.text(f"longest-{way}", stage.right, stage.title(way), words, role, anchor="end")
