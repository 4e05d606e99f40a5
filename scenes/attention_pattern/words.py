"""Numbers in words, titles, and what is said of each step."""

from __future__ import annotations

from .model import PHASES, State, softmax
from .weights import TOKENS, Array

SUBSCRIPTS = "₁₂₃₄₅₆"
LETTERS = (
    ("q", "the query: what a token looks for"),
    ("k", "the key: what it is found by"),
    ("v", "the value: what it hands over"),
)


def signed(number: float, digits: int = 2) -> str:
    """A number with a true minus sign, and none before a rounded 0."""
    text = f"{number:.{digits}f}"
    return text.replace("-", "−") if float(text) else text.lstrip("-")


def percent(weight: float) -> str:
    """A weight with one decimal, or 0 where the mask is."""
    return f"{100 * weight:.1f}%" if weight else "0"


def listed(words: list[str]) -> str:
    """Words in a sentence: one, two and three."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def vector(entries: Array) -> str:
    """A vector's entries in brackets."""
    return f"({', '.join(signed(float(entry)) for entry in entries)})"


def map_title(state: State) -> str:
    """What the map's squares are."""
    if not state.past("raw"):
        return "a row per query, a column per key"
    if state.past("weights"):
        return "weights of every query"
    return "scores of every query" + (", ÷ 2" if state.past("scaled") else "")


def panel_title(state: State, narrow: bool) -> str:
    """What is worked out in the panel; on a phone the labels of the output take its place."""
    query, key = SUBSCRIPTS[state.row], SUBSCRIPTS[state.best]
    if not state.past("raw"):
        return "every token has three vectors"
    if not state.past("weights"):
        return f"q{query}·k{key}, {state.query} with {TOKENS[state.best]}"
    return "" if narrow else f"the output o{query} of {state.query}"


def say(state: State) -> str:
    """One or two sentences for the step, with its numbers."""
    return SAY[PHASES[state.step]](state)


def say_vectors(state: State) -> str:
    query = vector(state.of.Q[state.row])
    return (
        f"One head turns every token into three vectors of 4 numbers, with the same three matrices for all: a query q, "
        f"a key k and a value v. {name(state)} asks, with q = {query}."
    )


def say_raw(state: State) -> str:
    scores = state.of.raw[state.row]
    high, low = int(scores.argmax()), int(scores.argmin())
    most, least = (f"{signed(float(scores[key]))} with {itself(state, key)}" for key in (high, low))
    return (
        "The query meets every key. For their score q·k, the two are multiplied entry by entry and the products "
        f"added up: {most}, {least}."
    )


def say_scaled(state: State) -> str:
    run, row, best = state.of, state.row, state.best
    raw, scaled = float(run.raw[row, best]), float(run.scaled[row, best])
    words = (
        f"Longer vectors would give larger scores, so each is divided by the root of their length d_k: √4 = 2. "
        f"The {signed(raw)} of {TOKENS[best]} becomes {signed(scaled)}."
    )
    if row:
        unscaled = float(softmax(run.raw[row, : row + 1]).max())
        words += (
            f" Undivided, it would end with {percent(unscaled)} of the weight, not {percent(run.weights[row, best])}."
        )
    return words


def say_masked(state: State) -> str:
    run, row = state.of, state.row
    later = [TOKENS[key] for key in range(row + 1, len(TOKENS))]
    if not later:
        return (
            "No token may look ahead: a causal mask adds −∞ to the scores of later keys. "
            f"{name(state)} is the last token, so it keeps all {len(TOKENS)}."
        )
    ahead = float(softmax(run.scaled[row])[row + 1 :].sum())
    words = f"No token may look ahead: the causal mask adds −∞ to the scores of later keys, here {listed(later)}."
    highest = " This shuts out the highest of all scores." if run.scaled[row].argmax() > row else ""
    return f"{words}{highest} Without the mask, {percent(ahead)} of the weight would go there."


def say_weights(state: State) -> str:
    row = state.of.weights[state.row]
    if not state.row:
        return (
            "Softmax turns scores into weights that add up to 100%. "
            f"{name(state)} is the first token and sees only itself: {percent(row[0])}."
        )
    first, second = (int(key) for key in row.argsort()[::-1][:2])
    return (
        "Softmax raises e to each score and divides by the sum of all, so the weights add up to 100%. "
        f"{name(state)} takes {percent(row[first])} from {itself(state, first)} "
        f"and {percent(row[second])} from {itself(state, second)}."
    )


def say_weighed(state: State) -> str:
    run, best = state.of, state.best
    weight = float(run.weights[state.row, best])
    return (
        "Every value v is multiplied by the weight of its key. "
        f"Of v{SUBSCRIPTS[best]} = {vector(run.V[best])} {percent(weight)} is left: {vector(weight * run.V[best])}."
    )


def say_blend(state: State) -> str:
    seen, output = state.row + 1, vector(state.of.output[state.row])
    if seen == 1:
        return f"With one key to see, nothing is mixed: the output of {state.query} is its own value, {output}."
    own = (
        f"Its own value, {vector(state.of.V[state.row])}, counts for {percent(state.of.weights[state.row, state.row])}."
    )
    return f"The {seen} weighted values are added entry by entry: the output of {state.query} is {output}. {own}"


def name(state: State) -> str:
    """The query token at the start of a sentence."""
    return f"“{state.query}”"


def itself(state: State, key: int) -> str:
    """A key's token, as seen from the query."""
    return "itself" if key == state.row else TOKENS[key]


SAY = dict(
    zip(PHASES, (say_vectors, say_raw, say_scaled, say_masked, say_weights, say_weighed, say_blend), strict=True)
)
