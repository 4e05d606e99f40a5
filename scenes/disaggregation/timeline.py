"""The lanes: what both GPUs do, together and apart, under a playhead."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, kept

from .case import Case
from .lanes import ARRIVALS, SHOWN, Scenario, Stretch, scenarios
from .stage import APART_LANES, LANES, TOGETHER_LANES, Stage
from .story import clock

FINE = 3.0  # units: steps that are shorter are not told apart
LETTERS = "ABCDE"
NARROW_NAMES = {"prefill": "prefill", "decode": "decode"}  # where there is no room for more
ROLES = {"prefill": "data soft", "send": "memory", "decode": "work"}


def draw_lanes(stage: Stage, case: Case, together: float, apart: float) -> Iterator[Mark]:
    """Both groups, as far as their playheads have come [prefills]."""
    yield from floors(stage, case.prompt.prefill)
    for name, lanes, scenario, now in (
        ("together", TOGETHER_LANES, case.together, together), ("apart", APART_LANES, case.apart, apart)
    ):  # fmt: skip
        if now:
            for lane in lanes:
                yield from stretches(stage, lane, case.tokens, case.link)
            if now >= SHOWN:
                yield from longest(stage, name, scenario, case)
            else:
                yield from playhead(stage, name, lanes, now)


@kept
def floors(stage: Stage, service: float) -> Iterator[Mark]:
    """Names, empty lanes, when prompts come, and how long the stretch of time is."""
    for title, y, lanes in zip(("together", "apart"), stage.titles, (TOGETHER_LANES, APART_LANES), strict=True):
        words = "together: each does both" if title == "together" else "apart: one for each"
        yield stage.text(f"{title}-title", stage.left, y, words, "label strong")
        box = stage.group(lanes)
        marks = [[(stage.x(at), box.y - 4), (stage.x(at), box.y)] for at in ARRIVALS]
        yield stage.strokes(f"{title}-come", marks, "hot")
    for lane, name in LANES.items():
        row = stage.row(lane)
        yield stage.rect(f"lane-{lane}", row, "cell soft", round=2)
        words = stage.pick(NARROW_NAMES.get(lane, name), name)
        yield stage.text(f"name-{lane}", 0, row.y + row.height / 2, words, "note", middle=True)
    y = stage.row("decode").bottom + 4
    yield stage.line("time", stage.left, y, stage.right, y, "axis")
    yield stage.text("time-start", stage.left, y + stage.size + 2, "0", "note")
    yield stage.text("time-end", stage.right, y + stage.size + 2, clock(SHOWN * service), "note", anchor="end")


@kept
def stretches(stage: Stage, lane: str, tokens: int, link: str) -> Iterator[Mark]:
    """What a lane does, with the letters of its prompts, and the ends of steps where they can be told apart."""
    scenario = scenarios(tokens, link)[lane in APART_LANES]
    service = scenario.shown / SHOWN
    for at, one in enumerate(scenario.lanes[lane]):
        box = box_of(stage, lane, one, service)
        if not box.width:
            continue
        key = f"{lane}-{LETTERS[one.prompt]}" if one.prompt >= 0 else f"{lane}-{at}"
        told = f"{one.what}: {clock(one.end - one.start)}"
        yield stage.rect(key, box, ROLES[one.what], round=1, read=told)
        if one.what == "prefill":
            yield stage.text(f"{key}-letter", box.x + box.width / 2, box.y + box.height / 2, LETTERS[one.prompt],
                             "value strong", anchor="middle", middle=True)  # fmt: skip
    row, ends = stage.row(lane), scenario.steps.get(lane, ())
    if ends and stage.x(min(scenario.gaps) / service) - stage.left > FINE:
        places = [stage.x(end / service) for end in ends if end < scenario.shown]
        yield stage.strokes(f"{lane}-steps", [[(x, row.y), (x, row.bottom)] for x in places], "grid")


def box_of(stage: Stage, lane: str, one: Stretch, service: float) -> Box:
    row = stage.row(lane)
    left, right = stage.x(one.start / service), stage.x(one.end / service)
    return Box(left, row.y, right - left, row.height)


def playhead(stage: Stage, name: str, lanes: tuple[str, ...], now: float) -> Iterator[Mark]:
    """A cover over what has not happened yet, and the line of now."""
    box, x = stage.group(lanes), stage.x(now)
    yield stage.rect(f"{name}-future", Box(x, box.y - 1, box.right - x + 1, box.height + 2), "cell steady", round=0)
    yield stage.line(f"{name}-now", x, box.y - 5, x, box.bottom + 3, "hot steady")


def longest(stage: Stage, name: str, scenario: Scenario, case: Case) -> Iterator[Mark]:
    """The longest wait for a next token, over the prompt that makes it."""
    y, role = stage.titles[name == "apart"], "dropped strong answer" if name == "together" else "work strong answer"
    words = f"{clock(scenario.longest)} without a token" if name == "together" else f"{clock(scenario.longest)} at most"
    yield stage.text(f"{name}-longest", stage.right, y, words, role, anchor="end")
    if name == "together":
        stall = scenario.lanes["both-0"]
        last = [one for one in stall if one.what == "prefill"][-1]
        box = box_of(stage, "both-0", last, case.prompt.prefill)
        yield stage.outlines("stall", [box], "dropped")
