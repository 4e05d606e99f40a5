"""The story of a query: its phases, what is said of each, titles, and numbers in words."""

from __future__ import annotations

from collections.abc import Callable

from loom.draw import fixed, listed
from loom.scene import Moment, Phase

from .model import Asked, softmax
from .weights import TOKENS, Array

SUBSCRIPTS = "₁₂₃₄₅₆"
LETTERS = (
    ("q", "the query: what a token looks for"),
    ("k", "the key: what it is found by"),
    ("v", "the value: what it hands over"),
)


def percent(weight: float) -> str:
    """A weight with one decimal, or 0 where the mask is."""
    return f"{100 * weight:.1f}%" if weight else "0"


def vector(entries: Array) -> str:
    """A vector's entries in brackets."""
    return f"({', '.join(fixed(float(entry)) for entry in entries)})"


def map_title(moment: Moment) -> str:
    """What the map's squares are."""
    if not moment.since("raw"):
        return "a row per query, a column per key"
    if moment.since("weights"):
        return "weights of every query"
    return "scores of every query" + (", ÷ 2" if moment.since("scaled") else "")


def panel_title(moment: Moment, narrow: bool) -> str:
    """What is worked out in the panel; on a phone the labels of the output take its place."""
    asked: Asked = moment.result
    query, key = SUBSCRIPTS[asked.row], SUBSCRIPTS[asked.best]
    if not moment.since("raw"):
        return "every token has three vectors"
    if not moment.since("weights"):
        return f"q{query}·k{key}, {asked.query} with {TOKENS[asked.best]}"
    return "" if narrow else f"the output o{query} of {asked.query}"


def say_vectors(asked: Asked) -> str:
    query = vector(asked.of.Q[asked.row])
    return (
        f"One head turns every token into three vectors of 4 numbers, with the same three matrices for all: a query q, "
        f"a key k and a value v. {name(asked)} asks, with q = {query}."
    )


def say_raw(asked: Asked) -> str:
    scores = asked.of.raw[asked.row]
    high, low = int(scores.argmax()), int(scores.argmin())
    most, least = (f"{fixed(float(scores[key]))} with {itself(asked, key)}" for key in (high, low))
    return (
        "The query meets every key. For their score q·k, the two are multiplied entry by entry and the products "
        f"added up: {most}, {least}."
    )


def say_scaled(asked: Asked) -> str:
    run, row, best = asked.of, asked.row, asked.best
    raw, scaled = float(run.raw[row, best]), float(run.scaled[row, best])
    words = (
        f"Longer vectors would give larger scores, so each is divided by the root of their length d_k: √4 = 2. "
        f"The {fixed(raw)} of {TOKENS[best]} becomes {fixed(scaled)}."
    )
    if row:
        unscaled = float(softmax(run.raw[row, : row + 1]).max())
        words += (
            f" Undivided, it would end with {percent(unscaled)} of the weight, not {percent(run.weights[row, best])}."
        )
    return words


def say_masked(asked: Asked) -> str:
    run, row = asked.of, asked.row
    later = [TOKENS[key] for key in range(row + 1, len(TOKENS))]
    if not later:
        return (
            "No token may look ahead: a causal mask adds −∞ to the scores of later keys. "
            f"{name(asked)} is the last token, so it keeps all {len(TOKENS)}."
        )
    ahead = float(softmax(run.scaled[row])[row + 1 :].sum())
    words = f"No token may look ahead: the causal mask adds −∞ to the scores of later keys, here {listed(later)}."
    highest = " This shuts out the highest of all scores." if run.scaled[row].argmax() > row else ""
    return f"{words}{highest} Without the mask, {percent(ahead)} of the weight would go there."


def say_weights(asked: Asked) -> str:
    row = asked.of.weights[asked.row]
    if not asked.row:
        return (
            "Softmax turns scores into weights that add up to 100%. "
            f"{name(asked)} is the first token and sees only itself: {percent(row[0])}."
        )
    first, second = (int(key) for key in row.argsort()[::-1][:2])
    return (
        "Softmax raises e to each score and divides by the sum of all, so the weights add up to 100%. "
        f"{name(asked)} takes {percent(row[first])} from {itself(asked, first)} "
        f"and {percent(row[second])} from {itself(asked, second)}."
    )


def say_weighed(asked: Asked) -> str:
    run, best = asked.of, asked.best
    weight = float(run.weights[asked.row, best])
    return (
        "Every value v is multiplied by the weight of its key. "
        f"Of v{SUBSCRIPTS[best]} = {vector(run.V[best])} {percent(weight)} is left: {vector(weight * run.V[best])}."
    )


def say_blend(asked: Asked) -> str:
    seen, output = asked.row + 1, vector(asked.of.output[asked.row])
    if seen == 1:
        return f"With one key to see, nothing is mixed: the output of {asked.query} is its own value, {output}."
    own = (
        f"Its own value, {vector(asked.of.V[asked.row])}, counts for {percent(asked.of.weights[asked.row, asked.row])}."
    )
    return f"The {seen} weighted values are added entry by entry: the output of {asked.query} is {output}. {own}"


def name(asked: Asked) -> str:
    """The query token at the start of a sentence."""
    return f"“{asked.query}”"


def itself(asked: Asked, key: int) -> str:
    """A key's token, as seen from the query."""
    return "itself" if key == asked.row else TOKENS[key]


def phase(name: str, tell: Callable[[Asked], str]) -> Phase:
    return Phase(name, lambda moment: tell(moment.result))


STORY = (
    phase("vectors", say_vectors),
    phase("raw", say_raw),
    phase("scaled", say_scaled),
    phase("masked", say_masked),
    phase("weights", say_weights),
    phase("weighed", say_weighed),
    phase("blend", say_blend),
)
