"""Numbers in words, and what is said of each step."""

from __future__ import annotations

from collections.abc import Iterable

from loom.draw import count, listed

from .model import LOGITS_OF, NUMBERS, ORDER, PLAIN, TOKENS, State, draw_tokens, entropy
from .rules import Settings

NAMES = {"temperature": "temperature", "top_k": "top-k", "top_p": "top-p", "min_p": "min-p"}

FEW = 4  # words that a sentence names one by one


def percent(share: float, digits: int = 1) -> str:
    """A share as a percentage; what would round to 0 but is not says so, and all is 100% without decimals."""
    least = 10.0**-digits
    if share > 1 - 1e-9:
        return "100%"
    if 0 < 100 * share < least / 2:
        return f"<{least:g}%"
    return f"{100 * share:.{digits}f}%"


def setting(settings: Settings, rule: str) -> str:
    """A rule with its value, as it stands in the list."""
    value = f"{getattr(settings, rule):g}" if rule == "temperature" or settings.is_on(rule) else "off"
    return f"{NAMES[rule]} {value}"


def say_plain(_: State) -> str:
    first, last = TOKENS[ORDER[0]], TOKENS[ORDER[-1]]
    return (
        f"The model gives every word a score, its logit, and softmax turns the {len(TOKENS)} into probabilities: "
        f"{LOGITS_OF[first]:.1f} for {first} becomes {percent(PLAIN.max())}, "
        f"{LOGITS_OF[last]:.1f} for {last} {percent(PLAIN.min())}."
    )


def say_temperature(state: State) -> str:
    temperature, after = state.way.settings.temperature, state.stage.after
    name, now = TOKENS[ORDER[0]], percent(after[ORDER[0]])
    if temperature == 0:
        return (
            "No logit can be divided by 0, so temperature 0 stands for greedy decoding: "
            f"the largest logit takes all, and {name} comes next for certain."
        )
    start = f"Temperature divides every logit by {temperature:g}"
    way = "likely words gain" if temperature < 1 else "unlikely words gain"
    return (
        f"{start}: {way}. {name.capitalize()} goes from {percent(PLAIN.max())} to {now}, "
        f"the entropy from {entropy(PLAIN):.2f} to {entropy(after):.2f} bits."
    )


def say_top_k(state: State) -> str:
    stage, k = state.stage, state.way.settings.top_k
    top = f"the {k} most likely words" if k > 1 else "the most likely word"
    return (
        f"Top-k keeps {top}, however likely the rest may be. "
        f"It cuts {len(state.stage_cuts)}, which had {percent(stage.before[stage.cut].sum())} together."
    )


def say_top_p(state: State) -> str:
    stage, mass = state.stage, state.way.settings.top_p
    start = f"Top-p adds up from the top until the sum reaches {100 * mass:g}%. "
    if not state.truncates:
        return f"{start}That takes every word: nothing is cut, top-p is off."
    seen = [token for token in ORDER if stage.alive[token]]
    last, reached = TOKENS[seen[-1]], float(stage.before[seen].sum())
    cut, lost = len(state.stage_cuts), percent(stage.before[stage.cut].sum())
    end = f"{count(cut, 'word')} with {lost} {'is' if cut == 1 else 'are'} cut." if cut else "Nothing is cut."
    if len(seen) == 1:
        return f"{start}{last.capitalize()} alone has {percent(reached)}. {end}"
    before = percent(reached - float(stage.before[seen[-1]]))
    return f"{start}It is {before} before {last}, {percent(reached)} with it: {last} stays. {end}"


def say_min_p(state: State) -> str:
    stage, share = state.stage, state.way.settings.min_p
    left = stage.left
    most = float(stage.before.max())
    words = (
        f"Min-p measures every word against the most likely, {percent(most)}, and asks for {percent(share, 0)} of "
        f"that: {percent(share * most)}. "
    )
    short = [TOKENS[token] for token in state.stage_cuts]
    if not short:
        return f"{words}{'It is the only one left' if left == 1 else f'All {left} have that'}: nothing is cut."
    those = listed(short).capitalize() if len(short) <= FEW else f"The {len(short)} below that"
    return f"{words}{those} fall{'s' * (len(short) == 1)} short."


def say_drawn(state: State) -> str:
    kept, left = state.stage.alive, state.stage.left
    drawn, at_first = (repeated(draw_tokens(one, NUMBERS)) for one in (state.way.final, PLAIN))
    words = "Nothing was cut. "
    if left == 1:
        words = f"One word is left and gets 100%: {TOKENS[int(state.way.final.argmax())]}. "
    elif left < len(kept):
        tempered = percent(state.way.stages[0].after[kept].sum())
        words = f"The {left} words left had {tempered}, now scaled up to 100%. "
    same = "" if drawn != at_first else ", as without any rule"
    return f"{words}Five random numbers draw {drawn}{same}."


def repeated(ids: Iterable[int]) -> str:
    """Words in a sentence, or the one that they all are."""
    words = [TOKENS[token] for token in ids]
    return listed(words) if len(set(words)) > 1 else f"{words[0]}, every time"


SAY = (say_plain, say_temperature, say_top_k, say_top_p, say_min_p, say_drawn)  # one for each of PHASES


def say(state: State) -> str:
    """One or two sentences for the step, with its numbers."""
    return SAY[state.step](state)
