"""The story of a mask: one row, all rows, layer upon layer, and what is kept; each step said from its numbers."""

from __future__ import annotations

import numpy as np

from loom.draw import count, listed
from loom.scene import Moment, Phase

from . import model, pace
from .model import Look, Stack, window_reach


def tokens(number: int) -> str:
    return count(number, "token")


def every(number: int) -> str:
    return "both" if number == 2 else f"all {number}"


def several(number: int) -> str:
    """A number as it stands behind "the"."""
    return str(number) if number > 1 else "one"


def say_rule(look: Look) -> str:
    stack, query = look.stack, look.query
    near, keys = min(stack.window, query), [str(key + 1) for key in np.flatnonzero(stack.masks[0][look.row])]
    if stack.pattern == "full":
        after = stack.n - query
        come = f"the {after} that come" if after > 1 else "the one that comes"
        later = f", also {come} later" if after else ", and so does every other"
        return f"Without a mask, token {query} reads all {tokens(stack.n)}{later}. Encoders do this."
    if stack.pattern == "causal":
        earlier = f" and the {several(query - 1)} before it" if query > 1 else ""
        return f"A causal mask: token {query} reads itself{earlier}, never a later one."
    if stack.pattern == "top-k" and query == 1:
        return "An indexer scores the one token that is there so far, and attention reads it: no other can be chosen."
    if stack.pattern == "top-k":
        best = f"the k = {stack.k} best" if query > stack.k else f"the best k = {stack.k}, here all of them"
        return (
            f"An indexer looks at {every(query)} tokens so far and scores them. "
            f"Attention reads only {best}, wherever they are: {listed(keys)}."
        )
    window = f"a window of W = {stack.window}"
    left = f": itself and the {several(near - 1)} before it" if near > 1 else ""
    if stack.pattern == "window":
        missed = query - near
        so_far = "Only it is there so far." if query == 1 else f"Only {query} are there so far."
        rest = f"The {several(missed)} before those {'are' if missed > 1 else 'is'} not read." if missed else so_far
        return f"With {window}, token {query} reads {tokens(near)}{left}. {rest}"
    if stack.pattern == "window+first":
        extra = len(keys) - near
        first = (
            f"Beside them it reads the first {stack.first}, which are never given up."
            if extra
            else "It reads no other."
        )
        return f"With {window}, token {query} reads {tokens(near)}{left}. {first}"
    whole = [str(layer) for layer in range(1, stack.layers + 1) if stack.is_global(layer)]
    which = f"Layers {listed(whole)} are" if len(whole) > 1 else f"Layer {whole[0]} is"
    reads = "read" if len(whole) > 1 else "reads"
    local = f"Local layers read {window}: for token {query} that is {tokens(near)}."
    seen = f"{every(query)} so far" if query > 1 else "no more"
    return f"{local} {which} global and {reads} {seen}."


def say_map(stack: Stack) -> str:
    most, causal = stack.n**2, model.causal_cells(stack.n)
    cells, share = int(stack.cells[0]), 100 * stack.cells[0] / stack.n**2
    if stack.pattern == "full":
        return f"Every row is full: {stack.n} × {stack.n} = {most} scores. If no token read ahead, {causal} would do."
    if stack.pattern == "causal":
        product = f"n(n + 1)/2 = {cells} scores of {most}"
        return f"Row i reads i keys. For n = {stack.n} tokens that makes {product}: {share:.1f}%."
    if stack.pattern == "top-k":
        return (
            f"Attention computes {cells} scores, {share:.1f}% of the map, as few as a window of {stack.k}. "
            f"But the indexer still looks at all {stack.indexer} pairs, only more cheaply."
        )
    if stack.pattern == "interleaved":
        last, mean = int(stack.cells[-1]), float(stack.cells.mean())
        return (
            f"A local layer computes {cells} scores, a global one {last}. "
            f"Over the {stack.layers} layers that is {mean:g} on average, {100 * mean / most:.1f}% of the map."
        )
    each = stack.window + (stack.first if stack.pattern == "window+first" else 0)
    return (
        f"All rows together: {cells} scores, {share:.1f}% of the map, where a causal mask has {causal}. "
        f"A further token adds {each} scores, however long the text is."
    )


def say_reach(look: Look) -> str:
    stack, query, layers = look.stack, look.query, look.stack.layers
    first, known = look.sight(1), look.sight(layers)
    if query == 1 and stack.pattern != "full":
        return "Nothing stands before token 1: more layers bring nothing more in sight."
    if stack.pattern in ("full", "causal"):
        return f"One layer has brought {every(known)} tokens in sight. More layers mix more, and reach no further."
    if first == query:
        return f"One layer has brought {every(query)} tokens so far in sight; the others reach no further."
    if stack.pattern == "top-k":
        return (
            f"Each layer chooses anew, and what is chosen has chosen others: token {query} has word of {first} through "
            f"one layer, and of {known} out of {query} through {layers}."
        )
    if stack.pattern == "interleaved":
        below = look.sight(layers - 1)
        if below == query:
            return f"Three local layers bring {every(query)} tokens in sight; the global one has nothing to add."
        return f"Three local layers bring {below} in sight. Layer {layers} is global and reads all {query} at once."
    if stack.pattern == "window+first":
        brought = min(query, window_reach(stack.window, layers) + 1)
        rest = f", and {query - known} between them unheard of" if known < query else ""
        through = f"Through {layers} layers the window brings {tokens(brought)} in sight."
        return f"{through} With the first {stack.first}, which bring only themselves, that is {known} of {query}{rest}."
    return say_window(look, layers) + say_mistral()


def say_window(look: Look, layers: int) -> str:
    hop, far, back = look.stack.window - 1, window_reach(look.stack.window, layers), look.back(layers)
    end = f", but only {back} are there" if far > back else ""
    step, whole = (joined(formula) for formula in (f"W − 1 = {hop}", f"{layers} × {hop} = {far}"))
    return f"What a layer reads has itself read: {layers} hops of {step} reach {whole} back{end}."


def say_mistral() -> str:
    window, layers = model.MISTRAL_WINDOW, model.MISTRAL_LAYERS
    whole = f"{layers} × {window - 1:,} = {window_reach(window, layers):,}"
    return f" Mistral 7B, {joined(f'W = {window:,}')}: {joined(whole)} back, at most."


def joined(formula: str) -> str:
    """A formula that stays on its line."""
    return formula.replace(" ", "\u00a0")


def say_cache(stack: Stack) -> str:
    held, every, last = int(np.count_nonzero(stack.held)), stack.held.size, int(np.count_nonzero(stack.held[0]))
    if stack.pattern == "full":
        return (
            f"Each layer holds the keys and values of all {tokens(last)} while it runs. "
            "No cache outlasts that: a new token would change what every other one has read."
        )
    if stack.pattern == "causal":
        return (
            f"The next token will read every key, so each of {stack.layers} layers holds all {last}: {held} pairs, "
            f"and {stack.layers} more with each token."
        )
    if stack.pattern == "top-k":
        return (
            f"A later token may choose any key, so each layer holds all {last}, and the indexer’s keys beside them. "
            "Choosing saves reading, not room."
        )
    if stack.pattern == "interleaved":
        most = int(np.count_nonzero(stack.held[-1]))
        grow = "Only the global ones grow with the text."
        return f"Local layers hold {tokens(last)}, global ones all {most}: {held} of {every} pairs. {grow}"
    if stack.pattern == "window+first":
        return (
            f"Each layer holds the first {stack.first} and the last {stack.window}: {held} of {every} pairs, "
            "however long the text is. No later token can read what stood between."
        )
    gone = "What has left the window is never read again."
    return f"{gone} Each layer holds {tokens(last)}: {held} of {every} pairs, however long the text is."


def answer(moment: Moment) -> tuple[str, str, list[str]]:
    """The number that a picture comes to, what it counts, and the widest that it is in this step."""
    look: Look = moment.result
    stack = look.stack
    if moment.phase == "cache":
        most = stack.held.size
        return f"{np.count_nonzero(pace.held(moment))} of {most}", "keys and values held", [f"{most} of {most}"]
    if moment.phase == "map":
        widest = [f"{cells:g} of {stack.n**2}" for cells in pace.every_score(look)]
        return f"{pace.scores(moment):g} of {stack.n**2}", "scores a layer", widest
    layers = pace.layers_of(moment)
    seen = int(np.count_nonzero(pace.in_sight(moment))) if layers == 1 else look.sight(layers)
    return f"{seen} of {stack.n}", f"in sight after {count(layers, 'layer')}", [f"{stack.n} of {stack.n}"]


STORY = (
    Phase("rule", lambda moment: say_rule(moment.result), beats=pace.rule_beats),
    Phase("map", lambda moment: say_map(moment.result.stack), beats=pace.map_beats),
    Phase("reach", lambda moment: say_reach(moment.result), beats=pace.reach_beats),
    Phase("cache", lambda moment: say_cache(moment.result.stack), beats=pace.cache_beats),
)
