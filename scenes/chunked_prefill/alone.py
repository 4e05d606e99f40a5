"""One prompt and 32 others: chunks on the prompt's lane, a line for every token of the others, and the uncut prompt."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, bracket, memoized, quantity

from .model import ALONE, BUDGETS, CHUNKS, OTHERS, SERVER, Stall, stall
from .stage import Stage
from .timeline import SPANS, late, longest, tokens

MS = 1e3
NAMED = {"gap": 2048, "first": 1536}  # tokens: near which curves have their names
FINEST = 3  # units: narrower chunks are drawn as one
WAITS = {"gap": "longest gap", "first": "first token"}


def asked(case: Stall) -> str:
    """The manner of what answers a question: only how chunks do is asked, beside the prompt that is not cut."""
    return "" if case.how == ALONE else " answer"


def draw_stall(stage: Stage, case: Stall, now: float) -> Iterator[Mark]:
    """Everything that happens while it is looked at, and how long it took as soon as it has."""
    yield from draw_prompt(stage, case)
    words = prompt_words(case) if now > 0 else f"a prompt of {case.prompt:,} tokens"
    yield stage.text("prompt", stage.x(0, case.prompt), stage.lane.y - 7, words, "memory strong")
    yield from draw_others(stage, case)
    if now >= min(case.first, SPANS[case.prompt]):
        yield from draw_first(stage, case)
    if longest(case)[1] <= now:
        yield from draw_longest(stage, case)
    if case.how == CHUNKS and longest(uncut(case))[1] <= now:
        yield from draw_uncut(stage, uncut(case))


def uncut(case: Stall) -> Stall:
    """The same prompt, computed by itself."""
    return stall(ALONE, case.prompt, BUDGETS[0])


@memoized
def draw_uncut(stage: Stage, case: Stall) -> Iterator[Mark]:
    """How long the prompt, and the others' wait, would be if it were computed by itself: dashed."""
    lane, (left, right) = stage.lane, (stage.x(time, case.prompt) for time in longest(case))
    wide, y = stage.x(case.first, case.prompt) - left, stage.others.bottom + stage.pick(28, 32)
    yield stage.rect("uncut-prompt", Box(left, lane.y - 1, wide, lane.height + 2), "ghost", round=0)
    yield stage.path("uncut-wait", [(left, y - 4), (left, y), (right, y), (right, y - 4)], "ghost")
    words = f"{quantity(case.gap, 's')} by itself"
    x = max((left + right) / 2, stage.others.x + stage.text_width(words) / 2)
    yield stage.text("uncut-words", x, y + 3 + stage.size, words, "label", anchor="middle")


@memoized
def draw_prompt(stage: Stage, case: Stall) -> Iterator[Mark]:
    lane, start = stage.lane, stage.x(0, case.prompt)
    yield stage.rect("lane", lane, "cell soft", round=0)
    spans = [(stage.x(turn.start, case.prompt), stage.x(turn.end, case.prompt)) for turn in case.turns]
    gap = 1
    if len(spans) == 1 or spans[0][1] - spans[0][0] < FINEST:
        spans, gap = [(start, spans[-1][1])], 0
    boxes = [Box(left, lane.y, right - left - gap, lane.height) for left, right in spans if left < lane.right]
    yield stage.strokes("chunks", (box.corners[:4] for box in boxes), "memory solid")


def prompt_words(case: Stall) -> str:
    """How the prompt is cut."""
    if len(case.turns) == 1:
        return f"a prompt of {case.prompt:,} tokens"
    most, last = case.turns[0].chunk, case.turns[-1].chunk
    return f"{len(case.turns)} chunks of {'up to ' * (last < most)}{most:,} tokens"


def draw_first(stage: Stage, case: Stall) -> Iterator[Mark]:
    """The time from the prompt's arrival to its first token, below its lane."""
    start = stage.x(0, case.prompt)
    cut = case.first > SPANS[case.prompt]
    end, base = stage.x(case.first, case.prompt), stage.lane.bottom + 6
    yield stage.path("first", [(start, base - 3), (start, base), (end, base), *([] if cut else [(end, base - 3)])],
                     "memory")  # fmt: skip
    words = f"{quantity(case.first, 's')} to its first token" + " →" * cut
    half = stage.text_width(words, strong=True) / 2
    middle = min(max((start + end) / 2, start + half), stage.lane.right - half)
    yield stage.text("first-words", middle, base + 4 + stage.size, words, "memory strong", anchor="middle")


@memoized
def draw_others(stage: Stage, case: Stall) -> Iterator[Mark]:
    """A line for each token that everybody else gets; red is by how much it comes late."""
    box, end = stage.others, stage.others.right
    yield stage.text("others", box.x, box.y - 7, f"{OTHERS} others: a line is a token for each", "note")
    yield stage.rect("others-room", box, "cell soft", round=0)
    spans = [(stage.x(due, case.prompt), stage.x(came, case.prompt)) for due, came in late(case)]
    boxes = [Box(left, box.y, right - left, box.height) for left, right in spans if right - left >= 0.5]
    yield stage.strokes("late", (one.corners[:4] for one in boxes), "dropped solid soft")
    if not stage.narrow:
        threads = ([(box.x, row.y), (end, row.y)] for row in box.rows(OTHERS)[1:])
        yield stage.strokes("threads", threads, "grid thin")
    places = [stage.x(time, case.prompt) for time in tokens(case)]
    yield stage.strokes("tokens", ([(x, box.y), (x, box.bottom)] for x in places if x < end), "work")


def draw_longest(stage: Stage, case: Stall) -> Iterator[Mark]:
    """A bracket below the longest time without a token."""
    box = stage.others
    left, right = (stage.x(time, case.prompt) for time in longest(case))
    yield from bracket(stage, "gap", left, right, box.bottom + 3, depth=4, role=f"dropped{asked(case)}")
    words = quantity(case.gap, "s")
    half = stage.text_width(words, strong=True) / 2
    x = min(max((left + right) / 2, box.x + half), box.right - half)
    yield stage.text(
        "gap-words", x, box.bottom + 11 + stage.size, words, f"dropped strong{asked(case)}", anchor="middle"
    )


@memoized
def draw_price(stage: Stage, case: Stall, both: bool, seen: bool) -> Iterator[Mark]:
    """The others' longest gap over the tokens of a step, with the knob; then the prompt's first token, too.

    Where there is no knob, a dot says what the gap is once it has been `seen`.
    """
    plot = stage.plot
    yield from plot.axes()
    cases = [stall(CHUNKS, case.prompt, budget) for budget in BUDGETS]
    if both:
        x, _ = plot.at(SERVER.balance, 10)
        yield stage.line("balance", x, plot.box.y, x, plot.box.bottom, "axis dashed thin")
        yield stage.text("balance-words", x + 4, plot.box.y + stage.size, f"{SERVER.balance:.0f} tokens", "note")
        yield from draw_wait(stage, case, "first", [one.first * MS for one in cases], seen)
    yield from draw_wait(stage, case, "gap", [one.gap * MS for one in cases], seen)
    if case.how == CHUNKS:
        rail = [plot.at(budget, one.gap * MS) for budget, one in zip(BUDGETS, cases, strict=True)]
        yield stage.knob("budget", *rail[BUDGETS.index(case.budget)], "budget", rail, "tokens in a step")


def draw_name(stage: Stage, key: str, time: float, role: str) -> Mark:
    """The name of a wait: above the curve of the first token, and below the rise of the gap, clear of the knob.

    On a phone both stand over the plot: inside, the knob would come by.
    """
    plot, words = stage.plot, WAITS[key]
    if stage.narrow:
        x = plot.box.right - (stage.text_width("longest gap", strong=True) + 14) * (key == "first")
        return stage.text(f"name-{key}", x, plot.box.y - 0.75 * stage.size, words, role, anchor="end")
    x, y = plot.at(NAMED[key], time)
    if key == "gap":
        low = y + stage.knob_radius + 0.75 * stage.size
        return stage.text("name-gap", plot.box.right, low, words, role, anchor="end")
    return stage.text("name-first", x, y - 18, words, role)


def draw_wait(stage: Stage, case: Stall, key: str, times: list[float], seen: bool) -> Iterator[Mark]:
    """One of the two waits [ms] for every budget, with its name, and a dot for the present one."""
    plot, tone = stage.plot, {"gap": "dropped", "first": "memory"}[key]
    yield plot.curve(f"curve-{key}", BUDGETS, times, f"{'ghost' if case.how == ALONE else tone} answer")
    yield draw_name(stage, key, times[BUDGETS.index(NAMED[key])], f"{tone} strong{asked(case)}")
    if key == "first" or (seen and case.how == ALONE):
        place, time = case.prompt if case.how == ALONE else case.budget, {"gap": case.gap, "first": case.first}[key]
        told = f"{WAITS[key]}: {quantity(time, 's')}"
        yield stage.circle(f"here-{key}", *plot.at(place, time * MS), 5, f"{tone}{asked(case)}", read=told)


def draw_runners(stage: Stage, case: Stall, budget: int, there: bool) -> Iterator[Mark]:
    """Both waits with so many tokens in a step: dots that run, and once they are `there` say what they stand for."""
    one = stall(CHUNKS, case.prompt, budget)
    for key, time in (("gap", one.gap), ("first", one.first)):
        words = f"in chunks of {budget - OTHERS}, {WAITS[key]}: {quantity(time, 's')}"
        role, told = ("work", words) if there else ("hot", "")
        yield stage.circle(f"run-{key}", *stage.plot.at(budget, time * MS), 5, f"{role}{asked(case)}", read=told)
