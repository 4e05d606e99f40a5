"""Check that words in a picture can be read on the boxes and discs that they stand on, in the light and in the dark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

from loom.draw.extent import bounds, letters
from loom.draw.svg import Element
from loom.lint.finding import Alike, Finding
from loom.lint.overlap_rules import as_mark
from loom.scenes.frames import DataFile
from loom.scenes.results import SceneData

HOLLOW = "ghost"  # fills nothing
# Roles in whose colours a box leaves ink 4.5:1, in the light and in the dark.
PALE = frozenset(
    ["cell", "pad", "quiet", "soft", "measured", *[f"level-{number}" for number in range(6)],
     *[f"{side}-{number}" for side in ("below", "above") for number in range(1, 5)]]
)  # fmt: skip
HINT = "make that 'soft', give the words a 'halo', or put them beside it"
Behind = Mapping[int, list[int]]  # for a text the boxes and discs behind its middle, from the lowest up


def faint_words(data: SceneData) -> list[Finding]:
    """All texts of a scene that stand on a colour at its full strength."""
    found = Alike()
    for name, raw in data.files.items():
        file, width = DataFile(raw), name.split(".")[1]
        for variant, step, text, box in _meetings(file):
            found.add(width, file.keys[file.rows[text][0]], variant, step, partial(_described, file, text, box))
    return found.findings(HINT)


def _described(file: DataFile, text: int, box: int) -> str:
    words, key, role = file.mark(text)[0].words, file.keys[file.rows[text][0]], _role(file.mark(box)[0])
    return f"the text '{words}' (key '{key}') can't be read on '{role}' at its full strength"


def _meetings(file: DataFile) -> Iterator[tuple[str, int, int, int]]:
    """Each text that stands on a strong colour: the variant, the step, the text, and what is next behind it."""
    strong = {number for number in range(len(file.rows)) if _role(file.mark(number)[0]) not in ("", *PALE)}
    behind = {text: boxes for text, boxes in _behind(file).items() if strong.intersection(boxes)}
    for variant in file.variants if behind else ():
        shown: dict[int, int] = {}  # rows by key
        for step, new, gone in file.changes(variant):
            for row in gone:
                shown.pop(file.rows[row][0], None)
            shown.update((file.rows[row][0], row) for row in new)
            there = set(shown.values())
            for text in behind.keys() & there:
                nearest = next((box for box in reversed(behind[text]) if box in there), None)
                if nearest in strong:
                    yield variant, step, text, nearest


def _behind(file: DataFile) -> Behind:
    marks = [file.mark(number)[0] for number in range(len(file.rows))]
    texts = [number for number, mark in enumerate(marks) if mark.words and "halo" not in mark.roles]
    boxes = sorted((number for number, mark in enumerate(marks) if _role(mark)), key=lambda one: file.rows[one][0])
    if not (texts and boxes):
        return {}
    left, top, right, low = np.array([bounds(as_mark(marks[number])) for number in boxes]).T
    keys, numbers = np.array([file.rows[number][0] for number in boxes]), np.array(boxes)
    found = {}
    for text in texts:
        x1, y1, x2, y2 = letters(as_mark(marks[text]))
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        covers = (left < x) & (x < right) & (top < y) & (y < low) & (keys < file.rows[text][0])
        found[text] = numbers[covers].tolist()
    return found


def _role(mark: Element) -> str:
    """What a box or disc is filled as; empty for other marks, and for those that are not filled or are seen through."""
    role, *modifiers = mark.roles or [""]
    if mark.tag not in ("rect", "circle") or role == HOLLOW or "outline" in modifiers or "opacity" in mark.attributes:
        return ""
    return "measured" if "measured" in modifiers else "soft" if "soft" in modifiers else role
