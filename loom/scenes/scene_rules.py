"""The rules for what a scene declares: its texts, its parameters, the sentence of its controls, its limits."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator

from loom.draw.marks import spelling
from loom.expected import described
from loom.hints import offered, suggest
from loom.scene import LIMITS, Choice, Scene
from loom.scene.parameters import deciding
from loom.scene.story import say_phase


def scene_mistakes(scene: Scene) -> Iterator[tuple[str, str]]:
    """Why a scene could not be shown, with hints."""
    for field in ("title", "summary", "leaves_out"):
        if not getattr(scene, field).strip():
            yield f"'{field}' is empty", "every scene says what it shows and what it leaves out"
    if not scene.sources:
        yield "it has no sources", "name at least one id of content/references.yml"
    if callable(scene.steps) and scene.say is say_phase:
        yield "it has no 'say'", "write a function that says a sentence about a state: only phases say one themselves"
    if 0 in (scene.opening, *scene.key_steps):
        yield "there is no step 0", "steps are counted from 1, and from the end with -1"
    if not 0 <= scene.still < math.inf:
        yield f"'still' is {scene.still:g}", "write how far down the small picture reaches, or 0 for all of it"
    names = [param.name for param in scene.params]
    for name in sorted({name for name in names if names.count(name) > 1 or name == "step"}):
        yield f"the parameter name '{name}' is taken", "call it something else"
    for param in scene.params:
        yield from _param_mistakes(scene, param, names)
    yield from _sentence_mistakes(scene.sentence, names)
    phases = [] if callable(scene.steps) else [phase.name for phase in scene.steps]
    for name in sorted({name for name in phases if phases.count(name) > 1}):
        yield f"two phases are called '{name}'", "call one of them something else"
    for name, most in scene.limits.items():
        if name not in LIMITS:
            yield f"'limits' names the unknown '{name}'", suggest(name, LIMITS)
        elif most < 1:
            yield f"the limit of '{name}' is {most}", "write a whole number from 1"


def _sentence_mistakes(sentence: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with the sentence that the controls stand in."""
    named = re.findall(r"\{(\w*)\}", sentence)
    for name in dict.fromkeys(named):
        if name not in names:
            yield f"'sentence' names the unknown parameter '{name}'", suggest(name, names)
        elif named.count(name) > 1:
            yield f"'sentence' names '{name}' {named.count(name)} times", "a parameter has one control"
    rest = re.sub(r"\{\w*\}", "", sentence)
    if "{" in rest or "}" in rest:
        yield "'sentence' has a brace without its other", "write {name} for the control of a parameter"
    if re.sub(r"[^][]", "", rest).replace("[]", ""):
        yield "'sentence' has a bracket without its other", "write […] around what is shown only while it matters"


def _param_mistakes(scene: Scene, param: Choice, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with one parameter."""
    if not param.label.strip():
        hint = "its control is called by it, on the page and when read aloud"
        yield f"the parameter '{param.name}' has no label", hint
    if not param.values:
        yield f"the parameter '{param.name}' has no options", "give it at least one"
        return
    spelled = [spelling(value) for value in param.values]
    for text in sorted(text for text, count in Counter(spelled).items() if count > 1):
        yield f"two values of '{param.name}' are written '{text}'", "addresses could not tell them apart"
    if param.start not in param.values:
        message = f"the default {described(param.start)} of '{param.name}' is not one of its values"
        alike = [value for value in param.values if spelling(value) == spelling(param.start)]
        yield message, f"write {described(alike[0])}" if alike else offered(spelling(param.start), spelled)
    if param.name in deciding(param, scene.params):
        yield f"'when' of '{param.name}' comes back to itself", "let one of these parameters always matter"
    for other, values in param.when.items():
        if other not in names:
            yield f"'when' names the unknown parameter '{other}'", suggest(other, names)
        for value in values if other in names else ():
            if value not in scene.param(other).values:
                yield f"'when' asks for '{other}' to be {described(value)}, which is not one of its values", ""
