"""The chart of a prompt: what it costs to compute, and to send, over its tokens."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Mark, bounds, memoized

from .._serving.models import MODELS
from .case import NAMES, PROMPTS
from .model import LINKS, Prompt
from .stage import Stage
from .story import clock

MODEL = MODELS["8B"]
PREFILLS = {tokens: Prompt(MODEL, tokens).prefill for tokens in PROMPTS}  # [s]
CACHES = [Prompt(MODEL, tokens).cache for tokens in PROMPTS]  # [B]
Point = tuple[float, float]
KNOB = 18.0  # units from the middle of the knob to beside its halo
GAP = 3.0  # units between the end of a line and words


@memoized
def draw_times(stage: Stage, tokens: int, link: str) -> Iterator[Mark]:
    """Prefill and transfer over the prompt's length, on logarithmic scales, with a knob on the prefill."""
    plot, box = stage.times, stage.chart
    for power in range(-4, 3, 1 if not stage.narrow else 2):
        y = plot.at(PROMPTS[0], 10.0**power)[1]
        yield stage.line(f"times-{power}", box.x, y, box.right, y, "grid" if power > -4 else "axis")
        yield stage.text(f"times-{power}-name", box.x - 6, y, clock(10.0**power), "note", anchor="end", middle=True)
    for tick in plot.x.ticks:
        x = plot.at(tick, 1)[0]
        yield stage.line(f"tokens-{tick:g}", x, box.bottom, x, box.bottom + 4, "axis")
        yield stage.text(f"tokens-{tick:g}-name", x, box.bottom + 5 + stage.size, f"{tick:,}", "note", anchor="middle")
    yield stage.text("times-title", box.x, box.y - stage.pick(9, 12), "one prompt, over its tokens", "note")
    yield from costs(stage, link)
    here = Prompt(MODEL, tokens)
    x, y = plot.at(tokens, here.prefill)
    low = plot.at(tokens, here.transfer(link))[1]
    yield stage.line("between", x, y, x, low, "hot thin")
    yield stage.circle("sent", x, low, 4, "memory", read=f"over {NAMES[link]}: {clock(here.transfer(link))}")
    yield stage.knob("length", x, y, "prompt", [plot.at(size, time) for size, time in PREFILLS.items()])


@memoized
def costs(stage: Stage, link: str) -> Iterator[Mark]:
    """The curves: prefill, the chosen link with its name, and the others."""
    plot, words = stage.times, list(names(stage, link))
    for name, rate in LINKS.items():
        sent = [size / rate for size in CACHES]
        if name == link:
            yield plot.curve(f"send-{name}", PROMPTS, sent, "memory")
        else:
            clear = before(words, [plot.at(size, time) for size, time in zip(PROMPTS, sent, strict=True)])
            yield stage.path(f"send-{name}", clear, "memory thin dashed soft")
    yield plot.curve("computed", PROMPTS, list(PREFILLS.values()), "data")
    yield from words


def before(words: list[Mark], line: list[Point]) -> list[Point]:
    """A line up to the first words that it would strike through: straight from its first place to its last."""
    (x0, y0), (x1, y1) = line[0], line[-1]
    for left, top, right, bottom in map(bounds, words):
        across = [x for x in np.linspace(left - GAP, right, 41) if top < y0 + (x - x0) / (x1 - x0) * (y1 - y0) < bottom]
        if across and across[0] < x1:
            x1, y1 = float(across[0]), float(y0 + (across[0] - x0) / (x1 - x0) * (y1 - y0))
    return [(x0, y0), (x1, y1)]


def names(stage: Stage, link: str) -> Iterator[Mark]:
    """The names of the prefill's line, of the chosen link's, and of all dashed ones at the outermost."""
    plot = stage.times
    yield other_links(stage, link)
    sent = [size / LINKS[link] for size in CACHES]
    upper = sent[0] > PREFILLS[PROMPTS[0]]
    for key, words, ends, above, drop, role in (
        ("computed-name", "prefill", list(PREFILLS.values()), not upper, 10, "label strong"),  # below the knob
        ("sent-name", NAMES[link], sent, upper, 0, "memory strong"),
    ):
        # Below a rising curve words hang from where they begin, above it they stand at its end.
        wide = stage.chart.right - plot.at(PROMPTS[0], 1)[0]
        back = min(stage.text_width(words, strong=True) / wide * (len(PROMPTS) - 1), len(PROMPTS) - 2)
        low = np.interp(len(PROMPTS) - 1 - back, range(len(PROMPTS)), [plot.at(PROMPTS[0], end)[1] for end in ends])
        y = (
            plot.at(PROMPTS[0], ends[-1])[1] - stage.pick(11, 6)
            if above
            else float(low) + stage.size + stage.pick(drop, 0)
        )
        right = stage.chart.right - (KNOB if above else 0)  # clear of the knob of the longest prompt
        yield stage.text(key, right, y, words, role, anchor="end")


def other_links(stage: Stage, link: str) -> Mark:
    """What dashed lines are: below the end of the lowest, or where that is the chosen one, over the highest."""
    plot, words, fastest, *_, slowest = stage.times, "other links", *LINKS
    lowest = link != fastest
    rate, over = (LINKS[fastest], -stage.size) if lowest else (LINKS[slowest], GAP + 2)
    ends = [plot.at(PROMPTS[end], CACHES[end] / rate) for end in (0, -1)]
    wide, (left, right) = stage.text_width(words), (x for x, _ in ends)
    start = right - wide if lowest else left + 0.3 * (right - left)
    y = np.interp(start if lowest else start + wide, (left, right), [y for _, y in ends])
    return stage.text("others", start, float(y) - over, words, "memory")
