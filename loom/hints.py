"""Hints: the nearest name to a misspelt one, or what there is."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice

PAGE = ".md"
ENUMERATED = 12  # names that a message gives of many


def suggest(wrong: str, known: Iterable[str], otherwise: str = "") -> str:
    """A hint for a misspelt name: the nearest known one, or the list of them all."""
    names = sorted({str(name) for name in known})
    if found := nearest(wrong, names):
        alike = found != wrong and unicodedata.normalize("NFC", found) == unicodedata.normalize("NFC", wrong)
        return f"'{found}' looks the same, and is written otherwise: copy it" if alike else f"did you mean '{found}'?"
    if otherwise:
        return otherwise
    return f"known: {enumerated(names)}" if names else ""


def nearest(wrong: str, names: Iterable[str]) -> str:
    """The name that is most like a misspelt one; empty if none is."""
    lowered = {name.lower().removesuffix(PAGE): name for name in names}  # what all pages end with makes none alike
    near = difflib.get_close_matches(wrong.lower().removesuffix(PAGE), list(lowered), n=1)
    return lowered[near[0]] if near else ""


def enumerated(names: Iterable[str]) -> str:
    """The first of some names, with an ellipsis where there are more."""
    first = list(islice(names, ENUMERATED + 1))
    return ", ".join(first[:ENUMERATED]) + (", …" if len(first) > ENUMERATED else "")


def offered(wrong: str, values: Sequence[str]) -> str:
    """A hint for a value that a parameter does not have: of words the nearest, of many numbers both nearest, or all."""
    known = f"it is one of: {enumerated(values)}"
    try:
        numbers = {value: float(value) for value in values}
    except ValueError:
        return suggest(wrong, values, known)
    with suppress(ValueError):
        aim = float(wrong)
        if len(numbers) > ENUMERATED:
            below, above = sorted(sorted(numbers, key=lambda one: abs(numbers[one] - aim))[:2], key=numbers.__getitem__)
            return f"the nearest of its {len(numbers)} values are {below} and {above}"
    return known
