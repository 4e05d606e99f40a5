"""The story of a query: its phases, what is said of each, and numbers in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from loom.draw import fixed
from loom.scene import Moment, Phase, evenly

from .model import Asked, softmax
from .weights import TOKENS, Array


def percent(weight: float) -> str:
    """A weight with one decimal, but for the whole, and for 0 where the mask is."""
    return {0: "0", 1: "100%"}.get(weight, f"{100 * weight:.1f}%")


def vector(entries: Array) -> str:
    """A vector's entries in brackets."""
    return f"({', '.join(fixed(float(entry)) for entry in entries)})"


def shared(moment: Moment) -> bool:
    """Whether the weights are there: in their chapter e is raised to the scores first."""
    return moment.since("weights") and (moment.phase != "weights" or moment.progress == 1)


def setting_out(moment: Moment) -> int:
    """How many keys have been set moving in this chapter, one a beat behind the picture of before."""
    return min(moment.beat, moment.beats - 2)


def landed(moment: Moment) -> int:
    """How many of these have come to rest: their numbers have changed."""
    return max(0, moment.beat - 1)


def hidden_from(moment: Moment) -> int:
    """The first key that is not hidden while the mask goes from key to key, or those behind it."""
    row: int = moment.result.row
    return row + 1 + landed(moment) if moment.phase == "masked" else len(TOKENS)


def answer(moment: Moment) -> tuple[str, str]:
    """The number to look at, and what it is."""
    asked: Asked = moment.result
    run, row, best = asked.of, asked.row, asked.best
    made = run.raw[row, : landed(moment) if moment.phase == "raw" else len(TOKENS)]
    if not moment.since("raw") or not made.size:
        return "4 numbers", "make a query, a key or a value"
    best = int(made.argmax()) if moment.phase == "raw" else best
    query, key = quoted(asked.query), itself(asked, best)
    if not moment.since("masked"):
        divided = moment.phase == "scaled" and best < landed(moment)
        scores = run.scaled if divided else run.raw
        return fixed(float(scores[row, best])), f"is the score of {query} with {key}"
    if not moment.since("weights"):
        hidden = hidden_from(moment) - row - 1
        return f"{len(TOKENS) - hidden} of {len(TOKENS)}", f"keys may be seen by {query}"
    if not shared(moment):
        return fixed(math.exp(float(run.scaled[row, best]))), f"is e to the score of {query} with {key}"
    return percent(run.weights[row, best]), f"is what {query} takes from {key}"


def say_vectors(asked: Asked) -> str:
    return (
        "A head turns each token into a query, what it looks for; a key, what it is found by; and a value, what it "
        f"hands over. {quoted(asked.query)} asks."
    )


def say_raw(asked: Asked) -> str:
    score = fixed(float(asked.of.raw[asked.row, asked.best]))
    return (
        "The query visits every key. Entry by entry the two are multiplied, and the 4 products are added up to a "
        f"score: {score} with {itself(asked, asked.best)}."
    )


def say_scaled(asked: Asked) -> str:
    run, row, best = asked.of, asked.row, asked.best
    raw, scaled = fixed(float(run.raw[row, best])), fixed(float(run.scaled[row, best]))
    words = f"Each score is divided by the root of the number of entries, √4 = 2: {raw} becomes {scaled}."
    if row:
        unscaled = float(softmax(run.raw[row, : row + 1]).max())
        key = "the token itself" if best == row else quoted(TOKENS[best])
        words += f" Undivided, {key} would get {percent(unscaled)} of the weight."
    return words


def say_masked(asked: Asked) -> str:
    run, row = asked.of, asked.row
    ahead = percent(float(softmax(run.scaled[row])[row + 1 :].sum()))
    words = "No token may look ahead: the causal mask adds −∞ to later scores"
    highest = ", also to the highest" if run.scaled[row].argmax() > row else ""
    return f"{words}{highest}. Without it, {ahead} of the weight would go there."


def say_weights(asked: Asked) -> str:
    row = asked.of.weights[asked.row]
    if not asked.row:
        return f"Softmax turns scores into weights that add up to 100%. {quoted(asked.query)} sees only itself: 100%."
    first, second = (int(key) for key in row.argsort()[::-1][:2])
    most = ": " if asked.row == 1 else ". The largest are "  # two make up all
    return (
        f"Softmax raises e to each score and divides by the sum of all, so the weights add up to 100%{most}"
        f"{percent(row[first])} from {itself(asked, first)} and {percent(row[second])} from {itself(asked, second)}."
    )


def say_blend(asked: Asked) -> str:
    output = vector(asked.of.output[asked.row])
    if not asked.row:
        return f"With one key to see, nothing is mixed: the output of {quoted(asked.query)} is its own value, {output}."
    return (
        "Each value is multiplied by its weight, and the results are added entry by entry: "
        f"the output of {quoted(asked.query)} is {output}."
    )


def quoted(token: str) -> str:
    """A token in a sentence: one of them is the word a."""
    return f"“{token}”"


def itself(asked: Asked, key: int) -> str:
    """A key's token, as seen from the query."""
    return "itself" if key == asked.row else quoted(TOKENS[key])


def phase(
    name: str, tell: Callable[[Asked], str], beats: Callable[[Moment], Sequence[float]] = lambda _: (0.0,)
) -> Phase:
    return Phase(name, lambda moment: tell(moment.result), beats=beats)


def masking(moment: Moment) -> Sequence[float]:
    """A later key a beat; the last token has nothing ahead of it to be hidden."""
    later = len(TOKENS) - 1 - moment.result.row
    return evenly(later, 0.6 * later, lead=0.25, landed=True)


STORY = (
    # Queries, keys, values, and then the one that asks.
    phase("vectors", say_vectors, lambda _: evenly(3, 2.4, lead=0.25, landed=True)),
    phase("raw", say_raw, lambda _: evenly(len(TOKENS) + 2, 4.4)),  # a key a beat, and two for the last to fall
    phase("scaled", say_scaled, lambda _: evenly(len(TOKENS), 2.4, lead=0.25, landed=True)),
    Phase(
        "masked",
        lambda moment: say_masked(moment.result),
        lambda asked: () if asked.row == len(TOKENS) - 1 else (0,),
        masking,
    ),
    phase("weights", say_weights, lambda _: (0.0, 1.2)),  # e to the scores, then their shares
    phase("blend", say_blend, lambda moment: evenly(moment.result.row + 2, 0.5 * (moment.result.row + 2))),
)
