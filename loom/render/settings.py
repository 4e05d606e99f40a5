"""What the player has to know of a scene before it has any data, in few bytes: parameters, files, the opening state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec
from markupsafe import Markup

from loom.scenes.info import Param
from loom.scenes.results import SceneData

WHOLE = re.compile(r"0|-?[1-9]\d{0,14}")
WRITTEN = re.compile(r"(\d+)(\.\d+)?")
LEAST = 4  # values: fewer are as short one by one


def settings(data: SceneData, params: Mapping[str, str], step: int) -> dict[str, Any]:
    """The settings of a scene that opens in a state, but for where its data lie."""
    info = data.info
    return {
        "params": [_param(one) for one in info.params],
        "files": data.file_starts,
        "start": info.indices(params),
        "step": step,
        "digits": [column.digits for column in info.columns],
    }


def written(settings: Mapping[str, Any], folder: str) -> Markup:
    """The settings and where the data lie, for an attribute in single quotes: most of JSON is double ones."""
    text = msgspec.json.encode({**settings, "data": folder}).decode()
    return Markup(text.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;"))


def values_of(param: Mapping[str, Any]) -> list[str]:
    """The values of a parameter, as the settings tell them."""
    values = param["values"]
    if isinstance(values, Mapping):
        return [str(values["first"] + values["by"] * place) for place in range(values["length"])]
    return [str(value) for value in values]


def grouped(value: str) -> str:
    """How the player writes a value by itself: with its thousands apart. What is no plain number is not written so."""
    found = WRITTEN.fullmatch(value)
    return f"{int(found[1]):,}{found[2] or ''}" if found else ""


def steps(numbers: Sequence[int]) -> list[int]:
    """The first number, and from each to the next."""
    return [*numbers[:1], *[there - here for here, there in pairwise(numbers)]]


def _param(one: Param) -> dict[str, Any]:
    return {"name": one.name, "values": _values(one.values), "rest": one.start, "when": one.when, **_labels(one)}


def _values(values: Sequence[str]) -> Sequence[str] | dict[str, int]:
    """The values: whole numbers that are evenly apart by their first, their distance and their count."""
    if len(values) >= LEAST and all(map(WHOLE.fullmatch, values)):
        numbers = [int(value) for value in values]
        apart = set(steps(numbers)[1:])
        if len(apart) == 1:
            return {"first": numbers[0], "by": apart.pop(), "length": len(numbers)}
    return values


def _labels(param: Param) -> dict[str, Any]:
    """How a slider's values read: the unit that follows most of them, and those that read otherwise, by their place."""
    if param.kind != "range":
        return {}
    written = [grouped(value) for value in param.values]
    units = Counter(label[len(one) :] for one, label in zip(written, param.labels, strict=True)
                    if one and label.startswith(one))  # fmt: skip
    unit = max(units, key=units.__getitem__, default="")
    labels: list[str | int] = [0 if one and one + unit == label else label
                               for one, label in zip(written, param.labels, strict=True)]  # fmt: skip
    while labels and not labels[-1]:
        labels.pop()
    return ({"unit": unit} if unit else {}) | ({"labels": labels} if labels else {})
