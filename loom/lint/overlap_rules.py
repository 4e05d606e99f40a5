"""Check that every text of a picture can be read: that no other text lies on it, and no knob.

It is read from the files that the player fetches: each state that a reader can reach, at every beat, at both widths.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loom.draw.extent import letters
from loom.draw.marks import Mark
from loom.draw.svg import Element
from loom.lint.finding import Alike, Finding
from loom.scenes.frames import DataFile
from loom.scenes.results import SceneData

SLACK = 1.0  # texts may share a strip of so many units
RIM = 2.0  # a knob may reach so far over a letter
HINT = "move or shorten one of them, or show it only while the other is gone"
ROTATED = re.compile(r"translate\((\S+) (\S+)\)rotate\((\S+)\)")
Array = NDArray[np.float64]
Partners = Mapping[int, set[int]]  # for a row those that must not be shown together with it


def overlaps(data: SceneData) -> list[Finding]:
    """All texts of a scene that can't be read."""
    found = Alike()
    for name, raw in data.files.items():
        file, width = DataFile(raw), name.split(".")[1]
        for variant, step, *pair in _meetings(file):
            keys = " ".join(sorted(file.keys[file.rows[row][0]] for row in pair))
            found.add(width, keys, variant, step, partial(_described, file, pair))
    return found.findings(HINT)


def _described(file: DataFile, rows: Iterable[int]) -> str:
    (lower, under), (upper, over) = [
        (file.keys[file.rows[row][0]], file.mark(row)[0]) for row in sorted(rows, key=lambda row: file.rows[row][0])
    ]
    if over.tag == "text":
        return f"the texts '{under.words}' (key '{lower}') and '{over.words}' (key '{upper}') lie on each other"
    return f"the knob '{upper}' lies on the text '{under.words}' (key '{lower}')"


def _meetings(file: DataFile) -> Iterator[tuple[str, int, int, int]]:
    """Each time that two rows are shown together that must not be: the variant, the step, and the rows."""
    partners = _partners(file)
    for variant in file.variants if partners else ():
        shown: dict[int, int] = {}  # rows by key
        near: set[int] = set()  # those of them that have partners
        for step, new, gone in file.changes(variant):
            near.difference_update(gone)
            for row in new:
                key = file.rows[row][0]
                near.discard(shown.get(key, row))
                shown[key] = row
            near.update(partners.keys() & new)
            for row in near.intersection(new):
                yield from ((variant, step, row, other) for other in sorted(partners[row] & near))


def _partners(file: DataFile) -> Partners:
    """Pairs of rows of which one would hide the other: texts that overlap, and knobs over texts."""
    texts = {number: file.mark(number)[0] for number, row in enumerate(file.rows) if row[1] == "text"}
    found: defaultdict[int, set[int]] = defaultdict(set)
    drawn = [(number, letters(as_mark(text)), text.words) for number, text in texts.items() if text.words]
    if not drawn:
        return found
    numbers, boxes, words = zip(*sorted(drawn, key=lambda one: one[1][1]), strict=True)  # from the top down
    rows, box = np.array(numbers), np.array(boxes).T
    keys = np.array([file.rows[row][0] for row in numbers])
    for row, others in [*_overlapping(rows, box, keys, words), *_under_knobs(file, rows, box, keys)]:
        found[row].update(others)
        for other in others:
            found[other].add(row)
    return found


def _overlapping(
    rows: NDArray[np.int64], box: Array, keys: NDArray[np.int64], words: Iterable[str]
) -> Iterator[tuple[int, list[int]]]:
    """For texts in the order of their tops, those further down that share some of their box.

    Equal words on each other are one thing to a reader: a copy that leaves its original, or that arrives.
    """
    _, wording = np.unique(list(words), return_inverse=True)
    ends = np.searchsorted(box[1], box[3] - SLACK)
    for at, end in enumerate(ends):
        later = slice(at + 1, max(end, at + 1))
        one, others = box[:, at, None], box[:, later]
        shared = np.minimum(one[2:], others[2:]) - np.maximum(one[:2], others[:2])
        different = (keys[later] != keys[at]) & (wording[later] != wording[at])
        near = rows[later][np.all(shared > SLACK, axis=0) & different]
        if near.size:
            yield int(rows[at]), near.tolist()


def _under_knobs(
    file: DataFile, rows: NDArray[np.int64], box: Array, keys: NDArray[np.int64]
) -> Iterator[tuple[int, list[int]]]:
    """For circles that can be dragged the texts that they are painted over."""
    for number, (key, tag, names, _) in enumerate(file.rows):
        if tag == "circle" and "h" in names:
            found: Mapping[str, Any] = file.mark(number)[0].attributes
            centre = np.array([[found["cx"]], [found["cy"]]])
            away = np.hypot(*np.maximum(np.maximum(box[:2] - centre, centre - box[2:]), 0))
            yield number, rows[(away < found["r"] - RIM) & (keys < key)].tolist()


def as_mark(found: Element) -> Mark:
    """A text, a box or a disc from a file as the mark that it was, to be measured."""
    shape = dict(found.attributes)
    if rotated := ROTATED.match(str(shape.pop("transform", ""))):
        shape |= zip(("x", "y", "rotate"), map(float, rotated.groups()), strict=True)
    return Mark("", found.tag, str(shape.pop("class")), shape, found.words)
