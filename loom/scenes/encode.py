"""Frames to the data that the player fetches: the first whole, then what changes."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any
from urllib.parse import urlencode

from loom.draw.marks import Mark, attributes, svg_tag
from loom.errors import LoomError, Problem
from loom.scene import Scene, spelling
from loom.scenes.discover import Found
from loom.scenes.results import Drawn, Frame, Variant

FORMAT = 1  # the shape of the data; the player refuses any other
Encoded = dict[str, Any]
Changes = dict[str, Encoded | None]
Shown = dict[str, tuple[Mark | None, Encoded]]  # the marks on the stage by key, and how each is encoded


def file_name(scene: Scene, params: Mapping[str, Any], width_name: str) -> str:
    """The data file of a state: one for each value of the parameters that split the scene, and each width."""
    places = [str(scene.param(name).values.index(params[name])) for name in scene.split]
    return ".".join([*places, width_name, "json"])


class Payloads:
    """Collects a scene's variants one by one, so that the frames of a large grid never lie in memory at once."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self.groups: dict[str, Group] = {}

    def add(self, drawn: Drawn) -> None:
        """Encode a variant at every width."""
        scene, variant = self.found.scene, drawn.variant
        key = ".".join(map(str, scene.key(variant.params)))
        for width_name, frames in drawn.frames.items():
            name = file_name(scene, variant.params, width_name)
            group = self.groups.setdefault(name, Group(frames[0]))
            group.add(key, variant, frames)

    def files(self) -> dict[str, bytes]:
        """Every data file, by name."""
        try:
            return {name: group.file(self.found.id) for name, group in self.groups.items()}
        except CycleError as error:
            keys = ", ".join(f"'{key}'" for key in error.args[1][:3])
            message = f"scene '{self.found.id}': {keys} are painted now over, now under each other"
            hint = "yield marks in one order, wherever they stand"
            raise LoomError(Problem(self.found.path, 0, 0, message, hint)) from None


class Group:
    """The variants that share a file. All begin from the first one's opening frame."""

    def __init__(self, base: Frame) -> None:
        self.seen: Shown = {}
        self.base = advance(self.seen, base)
        self.order = PaintOrder()
        self.variants: dict[str, Encoded] = {}

    def add(self, key: str, variant: Variant, frames: Sequence[Frame]) -> None:
        changes, seen = [], dict(self.seen)
        for frame in frames:
            self.order.add(frame)
            changes.append(advance(seen, frame))
        self.variants[key] = {
            "frames": changes,
            "say": list(variant.say),
            "rows": [[six_digits(cell) for cell in row] for row in variant.table.rows],
            "values": {name: str(value) for name, value in variant.values.items()},
        }

    def file(self, scene_id: str) -> bytes:
        payload = {
            "format": FORMAT,
            "scene": scene_id,
            "order": self.order.keys(),
            "base": self.base,
            "variants": self.variants,
        }
        return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()


def advance(shown: Shown, frame: Frame) -> Changes:
    """Bring `shown` to the next frame. What to set for that: changed attributes by key; None removes the mark."""
    changes: Changes = {}
    gone = dict.fromkeys(shown)
    for mark in frame:
        gone.pop(mark.key, None)
        past, was = shown.get(mark.key, (None, {}))
        if past == mark:
            continue
        new = encoded(mark)
        shown[mark.key] = mark, new
        if was.get("t") != new["t"]:
            was = {}  # another element: everything is new
        change = {name: value for name, value in new.items() if was.get(name) != value}
        change |= {name: None for name in was if name not in new}
        if change:
            changes[mark.key] = change
    for key in gone:
        del shown[key]
    return changes | gone


def encoded(mark: Mark) -> Encoded:
    """A mark as the player reads it: `t` its element, `w` its words, `s` what it sets, `l` its label."""
    result: Encoded = {"t": svg_tag(mark), **attributes(mark)}
    if mark.text:
        result["w"] = mark.text
    if mark.set:
        result |= {"s": urlencode({name: spelling(value) for name, value in mark.set.items()}), "l": mark.label}
    return result


class PaintOrder:
    """All keys of some frames, each before those that are painted over it."""

    def __init__(self) -> None:
        self.under: dict[str, dict[str, None]] = {}  # key → the keys that stand right before it in some frame
        self.last: list[str] = []

    def add(self, frame: Frame) -> None:
        """Learn from a frame."""
        keys = [mark.key for mark in frame]
        if keys == self.last:
            return
        self.last = keys
        for key in keys[:1]:
            self.under.setdefault(key, {})
        for below, key in itertools.pairwise(keys):
            self.under.setdefault(key, {})[below] = None

    def keys(self) -> list[str]:
        """The order. Raises CycleError if some mark is painted now over, now under another one."""
        return list(TopologicalSorter(self.under).static_order())


def six_digits(cell: float | str) -> float | str:
    """A table's cell as the player gets it: whole numbers whole, others to six significant digits."""
    if isinstance(cell, str):
        return cell
    number = float(cell)
    return int(number) if number.is_integer() and abs(number) < 2**53 else float(f"{number:.6g}")
