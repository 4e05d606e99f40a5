"""Parse the `name=value` texts that name a state of a scene."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from loom.errors import LoomError, Problem
from loom.hints import offered, suggest
from loom.scenes.info import Param, SceneInfo

DIGITS = 9  # of a step: Python reads no number of thousands of them


@dataclass(frozen=True)
class Wrong:
    """An unknown parameter or value, and what to write instead."""

    name: str
    message: str
    hint: str


def read_params(
    info: SceneInfo, pairs: Iterable[tuple[str, str]], besides: Sequence[str] = ()
) -> tuple[dict[str, str], list[Wrong]]:
    """The parameters in `pairs`, in the scene's own spelling, and the mistakes in them. The last of a name counts.

    `besides` are names that may stand there as well, and are offered where one is misspelt.
    """
    known = {param.name: param for param in info.params}
    params: dict[str, str] = {}
    mistakes: list[Wrong] = []
    for name, text in pairs:
        if name not in known:
            message = f"scene '{info.id}' has no parameter '{name}'"
            mistakes.append(Wrong(name, message, suggest(name, [*known, *besides], _names(known, besides))))
            continue
        value = _value(known[name], text)
        if value is None:
            hint = offered(text, known[name].values)
            mistakes.append(Wrong(name, f"'{name}' can't be '{text}'", hint))
            continue
        if name in params:
            mistakes.append(Wrong(name, f"'{name}' is given twice", "give it once"))
        params[name] = value
    return params, mistakes


def chosen_params(info: SceneInfo, texts: Iterable[str]) -> dict[str, str]:
    """The parameters that `--set` names on the command line; LoomError if the scene has no such parameter or value."""
    pairs = [one.partition("=") for one in texts]
    params, mistakes = read_params(info, [(name, value) for name, equals, value in pairs if equals])
    mistakes += [
        Wrong(name, f"'{name}' is not 'name=value'", f"write --set {name}=…") for name, is_, _ in pairs if not is_
    ]
    if mistakes:
        raise LoomError(*(Problem("--set", 0, 0, wrong.message, wrong.hint) for wrong in mistakes))
    return params


def read_step(text: str, count: int) -> tuple[int, str]:
    """A step counted from 1, and the mistake in it, if any."""
    if not re.fullmatch("-?[0-9]+", text):  # int() would also read 1_0, and digits of other scripts
        return 1, f"the step '{text}' is not a whole number"
    if len(text) > DIGITS or not 1 <= int(text) <= count:
        return 1, f"there is no step {text}: the scene has {count} here"
    return int(text), ""


def absolute_step(step: int, count: int) -> int:
    """A step counted from 1; negative ones are counted from the end. It is clamped to the existing steps."""
    return max(1, min(count, step if step > 0 else count + 1 + step))


def pairs_of(query: str) -> list[tuple[str, str]]:
    """The `name=value` pairs of a link's state."""
    from urllib.parse import parse_qsl

    return parse_qsl(query, keep_blank_values=True)


def _value(param: Param, text: str) -> str | None:
    """The parameter's value with this spelling, or an equal number; None if there is none."""
    if text in param.values:
        return text
    number = _number(text)  # 1.0 for 1, and the like
    return next((value for value in param.values if number is not None and _number(value) == number), None)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _names(known: Mapping[str, Param], besides: Sequence[str]) -> str:
    more = f"; besides there is {' and '.join(besides)}" if besides else ""
    return (f"its parameters are: {', '.join(known)}" if known else "it has none") + more
