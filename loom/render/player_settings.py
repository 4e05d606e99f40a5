"""The player's settings in the page, in few bytes: what it needs of a scene before it fetches any data."""

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
LEAST = 4  # values: fewer are listed


def settings(data: SceneData, params: Mapping[str, str], step: int) -> dict[str, Any]:
    """The settings of a scene with its opening state, without the address of its data."""
    info = data.info
    return {
        "params": [_param(one) for one in info.params],
        "files": data.file_starts,
        "start": info.indices(params),
        "step": step,
        "digits": [column.digits for column in info.columns],
    }


def written(settings: Mapping[str, Any], folder: str) -> Markup:
    """The settings with the address of the data as JSON, escaped for an attribute in single quotes."""
    text = msgspec.json.encode({**settings, "data": folder}).decode()
    return Markup(text.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;"))


def values_of(param: Mapping[str, Any]) -> list[str]:
    """The values of a parameter in the settings."""
    values = param["values"]
    if isinstance(values, Mapping):
        return [str(values["first"] + values["by"] * place) for place in range(values["length"])]
    return [str(value) for value in values]


def grouped(value: str) -> str:
    """A number as the player formats it, with thousands separators; empty for anything but a plain number."""
    found = WRITTEN.fullmatch(value)
    return f"{int(found[1]):,}{found[2] or ''}" if found else ""


def _param(one: Param) -> dict[str, Any]:
    when = {"when": one.when} if one.when else {}
    return {"name": one.name, "values": _values(one.values), "rest": one.start, **when, **_labels(one)}


def _values(values: Sequence[str]) -> Sequence[str] | dict[str, int]:
    """The values; evenly spaced integers as their first, their difference and their count."""
    if len(values) >= LEAST and all(map(WHOLE.fullmatch, values)):
        numbers = [int(value) for value in values]
        apart = {there - here for here, there in pairwise(numbers)}
        if len(apart) == 1:
            return {"first": numbers[0], "by": apart.pop(), "length": len(numbers)}
    return values


def _labels(param: Param) -> dict[str, Any]:
    """The labels of a slider's values: the most frequent unit, and a list with labels that differ, 0 for the others."""
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
