"""Divide the variants of a scene into files: consecutive ones share a file up to a budget of compressed bytes."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from graphlib import CycleError
from itertools import count

import brotli
import msgspec

from loom.errors import Problem
from loom.scene import LIMITS
from loom.scenes.encode import Encoder
from loom.scenes.info import SceneInfo
from loom.scenes.int_text import MOST, TooManyError
from loom.scenes.results import file_name

OPENING = 2 / 3  # the brotli budget of the opening file, as a share of the gzip budget of any file
FULL = 0.85  # the share of its budget at which a file is full enough
AIM = 0.95  # the share of the budget that a guess aims at
REST = 1.15  # the share of the budget up to which all that is left may fit, because a file shares most of its marks
TRIES = 4  # encodings of a file, after which the best is taken
START = 0.1  # compressed bytes per character, before any file has been measured


def packed(scene: SceneInfo, encoder: Encoder, width: str) -> tuple[dict[int, bytes], list[Problem]]:
    """The files of a width by the numbers of their first variants, and their problems."""
    opening, variants = scene.number(scene.indices({})), encoder.variants
    packer = Packer(encoder, opening, scene.bytes)
    files: dict[int, bytes] = {}
    problems: list[Problem] = []
    start = 0
    while start < len(variants):
        try:
            end, raw = packer.next(start)
        except CycleError as error:
            return files, [_painted(scene, error.args[1])]
        except TooManyError:
            message = f"scene '{scene.id}' draws more than {MOST:,} different marks in a variant"
            return files, [Problem(scene.path, 0, 0, message, "draw fewer marks, or take fewer steps")]
        first = variants[start].number
        files[first] = raw
        if not packer.fits:
            budget = packer.budget_opening if packer.opens(start, end) else packer.budget
            problems += _size_problems(scene, file_name(first, width), raw, budget)
        start = end
    return files, problems


class Packer:
    """Guesses how many variants fill a file, and learns from each file how well the scene's data compresses."""

    def __init__(self, encoder: Encoder, opening: int = 0, budget: int = LIMITS["bytes"]) -> None:
        self.encoder, self.opening, self.ratio = encoder, opening, START / budget
        self.budget, self.budget_opening = budget, round(OPENING * budget)
        self.fits = True  # whether the last file is known to be within its budgets
        self.own = [
            len(msgspec.json.encode((variant.say, variant.rows, variant.values)))
            + 3 * sum(len(new) + len(gone) for new, gone in changes)
            for variant, changes in zip(encoder.variants, encoder.changes, strict=True)
        ]
        self._begin(0)

    def _begin(self, start: int) -> None:
        self.start, self.seen, self.weights = start, set[int](), [0]

    def next(self, start: int) -> tuple[int, bytes]:
        """The end of the file that begins with the variant `start`, and the file."""
        self._begin(start)
        fits, best, fails = start, b"", len(self.own) + 1
        end = self._guess()
        for turn in count(1):
            share, raw = self._try(start, end)
            if share <= 1 or end == start + 1:
                fits, best, self.fits = end, raw, share <= 1
                if share >= FULL or turn >= TRIES:
                    break
            else:
                fails = end
            if fails == fits + 1 or (best and turn >= TRIES):
                break
            guess = self._guess()
            end = max(guess, fits + 1) if guess < fails else (fits + fails) // 2
        rest = len(self.own)
        if fits < rest < fails and self._weight(rest) * self.ratio <= REST:  # a small last file would be one more
            share, raw = self._try(start, rest)
            if share <= 1:
                return rest, raw
        return fits, best

    def _try(self, start: int, end: int) -> tuple[float, bytes]:
        """The share of its budget that a file takes, and the file."""
        try:
            raw = self.encoder.file(start, end)
        except (CycleError, TooManyError):
            if end == start + 1:
                raise
            return 2.0, b""
        share = len(zlib.compress(raw, 6)) / self.budget
        if self.opens(start, end):
            # Quality 5 is hardly ever smaller than the best, which takes fifty times as long.
            share = max(share, len(brotli.compress(raw, quality=5)) / self.budget_opening)
        self.ratio = share / self._weight(end)
        return share, raw

    def opens(self, start: int, end: int) -> bool:
        """Whether a file of these variants holds the opening one, for which the reader waits."""
        return any(variant.number == self.opening for variant in self.encoder.variants[start:end])

    def _guess(self) -> int:
        """The end that the file should have by its estimated size."""
        end = self.start + 1
        while end < len(self.own) and self._weight(end + 1) * self.ratio <= AIM:
            end += 1
        return end

    def _weight(self, end: int) -> int:
        """The approximate number of characters in the file with the variants up to `end`."""
        weights = self.encoder.weights
        for index in range(self.start + len(self.weights) - 1, end):
            new = self.encoder.needs[index] - self.seen
            self.seen |= new
            self.weights.append(self.weights[-1] + self.own[index] + sum([weights[row] for row in new]))
        return self.weights[end - self.start]


def _size_problems(scene: SceneInfo, name: str, raw: bytes, budget: int) -> Iterator[Problem]:
    """The problem that a file exceeds its budget, which can happen with a single variant."""
    hint = "draw fewer marks, or take fewer steps; if it needs them, write limits={'bytes': …} in its Scene"
    compressions: tuple[tuple[int, tuple[int, ...], Callable[[int], bytes]], ...] = (
        (budget, (5, 9, 11), lambda level: brotli.compress(raw, quality=level)),
        (scene.bytes, (6, 9), lambda level: zlib.compress(raw, level)),
    )
    for most, levels, compress in compressions:
        if all((size := len(compress(level))) > most for level in levels):  # fast levels first
            message = f"scene '{scene.id}': its data '{name}' takes {size:,} bytes of {most:,}, compressed"
            yield Problem(scene.path, 0, 0, message, hint)
            return


def _painted(scene: SceneInfo, circle: Sequence[str]) -> Problem:
    keys = ", ".join(f"'{key}'" for key in circle[:3])
    message = f"scene '{scene.id}': {keys} are painted now over, now under each other"
    return Problem(scene.path, 0, 0, message, "yield marks in one order, wherever they stand")
