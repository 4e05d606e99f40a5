"""Numbers in words, and what is said of each step."""

from __future__ import annotations

from collections.abc import Iterable

from .model import LOGITS, NUMBERS, PHASES, PROMPT, TOKENS, State, draw_tokens, effective_choices, entropy
from .rules import Array

NAMES = {"temperature": "temperature", "top_k": "top-k", "top_p": "top-p", "min_p": "min-p"}


def percent(share: float, digits: int = 1) -> str:
    """A share as a percentage; what would round to 0 but is not says so, and all is 100% without decimals."""
    least = 10.0**-digits
    if share > 1 - 1e-9:
        return "100%"
    if 0 < 100 * share < least / 2:
        return f"<{least:g}%"
    return f"{100 * share:.{digits}f}%"


def listed(words: list[str]) -> str:
    """Words in a sentence: one, two and three."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def named(ids: Iterable[int]) -> list[str]:
    return [TOKENS[token] for token in ids]


def counted(count: int) -> str:
    return "1 token" if count == 1 else f"{count} tokens"


def setting(state: State, rule: str) -> str:
    """A rule with its value, as it stands in the list."""
    value = getattr(state.settings, rule)
    return f"{NAMES[rule]} {value:g}" if rule == "temperature" or state.settings.is_on(rule) else f"{NAMES[rule]} off"


def spread(probabilities: Array) -> str:
    """How wide a choice is: bits, and as many equal choices."""
    choices = effective_choices(probabilities)
    return f"{entropy(probabilities):.2f} bits, worth {choices:.1f} equal choices"


def say(state: State) -> str:
    """One or two sentences for the step, with its numbers."""
    return SAY[state.phase](state)


def say_plain(state: State) -> str:
    first, last = int(state.order[0]), int(state.order[-1])
    return (
        f"The model gives every token a score, its logit, and softmax turns the {len(TOKENS)} into probabilities: "
        f"{LOGITS[first]:.1f} for {TOKENS[first]} becomes {percent(state.plain[first])}, "
        f"{LOGITS[last]:.1f} for {TOKENS[last]} becomes {percent(state.plain[last])}. "
        f"The entropy is {spread(state.plain)}."
    )


def say_temperature(state: State) -> str:
    temperature, first = state.settings.temperature, int(state.order[0])
    name, now = TOKENS[first], percent(state.stage.after[first])
    if temperature == 0:
        return (
            "No logit can be divided by 0, so temperature 0 stands for greedy decoding: "
            f"the largest logit takes everything, and {name} comes next for certain."
        )
    start = f"Temperature divides every logit by T = {temperature:g} before the softmax"
    if temperature == 1:
        return f"{start}, which changes nothing: {name} keeps {now}. Less than 1 sharpens, more than 1 flattens."
    way = "likely tokens gain" if temperature < 1 else "unlikely tokens gain"
    return (
        f"{start}, and {way}. {name.capitalize()} goes from {percent(state.plain[first])} to {now}, "
        f"the entropy from {entropy(state.plain):.2f} to {entropy(state.stage.after):.2f} bits."
    )


def say_top_k(state: State) -> str:
    stage, k = state.stage, state.settings.top_k
    count = int(stage.alive.sum())
    if not k:
        return f"Top-k is off: nothing is cut, and {counted(count)} may come next."
    top = f"the {k} most likely tokens" if k > 1 else "the most likely token"
    return (
        f"Top-k keeps {top}, however likely the rest may be. "
        f"It cuts {int(stage.cut.sum())}, which had {percent(stage.before[stage.cut].sum())} together."
    )


def say_top_p(state: State) -> str:
    stage, mass = state.stage, state.settings.top_p
    seen = [int(token) for token in state.order if stage.alive[token]]
    if mass == 1:
        return f"Top-p is off: no sum is asked for, and {counted(len(seen))} stay{'s' * (len(seen) == 1)}."
    last, reached = TOKENS[seen[-1]], float(stage.before[seen].sum())
    start = f"Top-p adds up from the top until the sum reaches {percent(mass, 0)}. "
    cut, lost = int(stage.cut.sum()), percent(stage.before[stage.cut].sum())
    end = f"{counted(cut)} with {lost} {'is' if cut == 1 else 'are'} cut." if cut else "Nothing is cut."
    if len(seen) == 1:
        return f"{start}{last.capitalize()} alone has {percent(reached)}. {end}"
    before = percent(reached - float(stage.before[seen[-1]]))
    return f"{start}It is {before} before {last} and {percent(reached)} with it, so {last} stays. {end}"


def say_min_p(state: State) -> str:
    stage, share = state.stage, state.settings.min_p
    count = int(stage.alive.sum())
    if not share:
        return f"Min-p is off: no token is held against the largest, and {counted(count)} stay{'s' * (count == 1)}."
    most = float(stage.before.max())
    words = (
        f"Min-p measures every token against the largest, {percent(most)}, and asks for {percent(share, 0)} of it: "
        f"{percent(share * most)}. "
    )
    if not stage.cut.any():
        return f"{words}{'It is the only one left' if count == 1 else f'All {count} have that'}: nothing is cut."
    short = named(token for token in state.order if stage.cut[token])
    return f"{words}{listed(short).capitalize()} fall{'s' * (len(short) == 1)} short."


def say_left(state: State) -> str:
    kept = state.stages[-1].alive
    count, first = int(kept.sum()), entropy(state.plain)
    if count == len(kept):
        return f"Nothing was cut, so nothing has to be made up for. What is drawn from has {spread(state.final)}."
    if count == 1:
        return (
            f"One token is left and gets 100%: {TOKENS[int(state.final.argmax())]}. "
            f"Nothing is open any more, where the model left {spread(state.plain)}."
        )
    tempered = percent(state.stages[0].after[kept].sum())
    return (
        f"The {count} tokens left had {tempered} together; divided by that, they add up to 100% again. "
        f"The entropy was {first:.2f} at first; now it is {spread(state.final)}."
    )


def say_drawn(state: State) -> str:
    drawn, at_first = (named(draw_tokens(one, NUMBERS)) for one in (state.final, state.plain))
    words = f"Five random numbers fall on the line: “{PROMPT} …” {repeated(drawn)}. "
    if drawn == at_first:
        return f"{words}Without any rule the same numbers give the same words."
    return f"{words}Without any rule the same numbers give {repeated(at_first)}."


def repeated(words: list[str]) -> str:
    """Words in a sentence, or the one that they all are."""
    return listed(words) if len(set(words)) > 1 else f"{words[0]}, every time"


SAY = dict(zip(PHASES, (say_plain, say_temperature, say_top_k, say_top_p, say_min_p, say_left, say_drawn), strict=True))
