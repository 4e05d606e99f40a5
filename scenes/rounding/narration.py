"""What happens in each step, in one or two sentences."""

from __future__ import annotations

from loom.scene import Moment, Phase, evenly

from .._formats.floats import spacing
from .model import SEED
from .pace import grid_beats
from .path import SWEEPS
from .story import RUNS, Story, Told
from .update import HOPS
from .words import amount, number, percent, step_of


def _grid(moment: Moment) -> str:
    """Which numbers there are."""
    story: Story = moment.result.story
    base, step = number(story.base, story), step_of(story.step)
    if story.task == "weight":
        start = f"A model’s weight of {base} is stored in {story.fmt.name}"
    elif story.base:
        start = f"A running sum has grown to {base} in {story.fmt.name}"
    else:
        start = f"A running sum starts at {base} in {story.fmt.name}"
    if story.base < story.fmt.smallest_normal:
        return f"{start}. The smallest number above 0 is {step}, and there is nothing up to it."
    bits = story.fmt.mantissa_bits
    kept = f"{bits} bits after a number’s leading 1 (the mantissa)"
    return f"{start}, which keeps {kept}. From {base} on, its numbers lie {step} apart."


def _addition(moment: Moment) -> str:
    """Where the exact sum lies."""
    story: Story = moment.result.story
    inner, outer = (number(value, story) for value in story.gap)
    update, exact = number(story.update, story), number(story.exact, story)
    if story.chance == 0:
        return (
            f"An update of {update} leads to {exact}. {story.fmt.name} has that number, so there is nothing to round."
        )
    way = f"{percent(story.chance)} of the way from {inner} to {outer}"
    return f"An update of {update} leads to {exact}, {way}. {story.fmt.name} has no number there."


def _rounding(moment: Moment) -> str:
    """What each mode makes of it."""
    told: Told = moment.result
    story = told.story
    inner, outer = (number(value, story) for value in story.gap)
    result, half = number(told.kept, story), step_of((story.gap[1] - story.gap[0]) / 2)
    if story.chance == 0:
        return f"A number that the format has stays as it is, under every way to round: the {story.task} is {result}."
    if told.mode == "truncation":
        gone = "the update is lost" if told.lost else f"the {story.task} is {result}, never more than it should be"
        return f"Truncation cuts off the bits that do not fit, so all of the gap falls to {inner}: {gone}."
    if told.mode == "nearest":
        if story.chance == 0.5:
            even = f"a tie goes to the neighbour whose last bit is 0 (ties to even), {result}"
            return f"{number(story.exact, story)} is exactly halfway, and {even}. The update is lost."
        if told.lost:
            return (
                f"The nearest number is {result}, and the update is lost, like every update below half a step, {half}."
            )
        return f"Whatever is past the middle of the gap rounds to {outer}, the rest to {inner}: here to {result}."
    up = f"A random draw takes it up to {outer} with probability {percent(story.chance)}, else down to {inner}"
    odds = f"{percent(story.chance)} of {outer} and {percent(1 - story.chance)} of {inner}"
    return f"{up}. On average nothing is lost: {odds} make {number(story.exact, story)}."


def _few(moment: Moment) -> str:
    """A handful of updates."""
    told: Told = moment.result
    story, journey = told.story, told.story.near
    lost, count = journey.lost(told.mode), journey.count
    end, exact = (number(float(path[-1]), story) for path in (journey.paths[told.mode], journey.exact))
    if lost == count:
        if told.mode == "stochastic":
            return f"None of the first {count:,} draws goes up; exactly, the {story.task} would be {exact}."
        again = f"Each of {count:,} updates starts from {end} and falls back to {end}"
        return f"{again}. Exactly, the {story.task} would have come to {exact}."
    if lost == 0:
        same = "as it should be" if end == exact else f"where {exact} would be exact"
        return f"All {count:,} updates move the {story.task}: it comes to {end}, {same}."
    if told.mode == "stochastic":
        whole = "the others moved it by whole steps" if count - lost > 1 else "the other moved it by a whole step"
        done = f"Of {count:,} updates {lost:,} changed nothing; {whole}, more than was asked for"
        return f"{done}. The {story.task} is {end}; it should be {exact}."
    moved = f"{count - lost:,} of {count:,} updates move the {story.task}, to {end}"
    return f"{moved}; then it is stuck. Exactly it would be {exact}."


def _many(moment: Moment) -> str:
    """The whole run."""
    told: Told = moment.result
    story, journey = told.story, told.story.far
    count, lost, stuck = journey.count, journey.lost(told.mode), journey.stuck(told.mode)
    end, exact = (amount(float(path[-1])) for path in (journey.paths[told.mode], journey.exact))
    if lost == count:
        return f"After {count:,} updates the {story.task} is still {end}. Exactly it would be {exact}: all are lost."
    if told.mode == "stochastic":
        one = f"One run of {count:,} updates, its draws from the seed {SEED}, ends at {end}; exact is {exact}"
        return f"{one}. {lost:,} changed nothing, each of the others more than was asked for." if lost else f"{one}."
    if lost:
        stops = f"The {story.task} stops at {end}, after update {stuck:,}"
        if told.stuck_at:  # the lens shows another place
            stops += f": there numbers lie {step_of(float(spacing(told.stuck_at, story.fmt.name)))} apart"
        return f"{stops}. The other {count - stuck:,} are lost: exact is {exact}."
    if end == exact:
        return (
            f"After {count:,} updates the {story.task} is {end}, exactly: every sum on the way fits {story.fmt.name}."
        )
    return f"No update is lost, but each is rounded: after {count:,} the {story.task} is {end}, and exact is {exact}."


def _runs(moment: Moment) -> str:
    """What stochastic rounding does on average."""
    told: Told = moment.result
    story = told.story
    low, high = (amount(float(edge[-1])) for edge in story.band)
    mean, exact = amount(float(story.mean[-1])), amount(float(story.far.exact[-1]))
    if low == high:
        return f"Nothing is rounded, so {RUNS} runs of stochastic rounding all end at {mean}, as every other way does."
    wide = f"nine in ten end between {low} and {high}, around a mean of {mean}; exact is {exact}"
    if told.mode == "stochastic":
        scatter = "Every run errs, but not in one direction"
        return f"Of {RUNS} runs, each with its own draws, {wide}. {scatter}."
    end = amount(float(story.far.paths[told.mode][-1]))
    name = "Rounding to nearest" if told.mode == "nearest" else "Truncation"
    return f"{name} gives {end} every time. Of {RUNS} runs of stochastic rounding, {wide}."


PHASES = (
    Phase("grid", _grid, beats=grid_beats),
    Phase("sum", _addition, beats=lambda _: (0.0, 0.25, 0.75)),
    Phase("round", _rounding, beats=lambda _: (0.0, 0.6)),
    Phase("few", _few, beats=lambda _: evenly(2 * HOPS + 4, 5.0)),
    Phase("many", _many, beats=lambda _: evenly(8, 2.4)),
    Phase("runs", _runs, beats=lambda _: evenly(SWEEPS, 2.6, 0.25, landed=True)),
)
