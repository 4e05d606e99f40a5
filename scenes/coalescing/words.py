"""Counts and places as the reader reads them."""

from __future__ import annotations

from loom.draw import count, plain

from .model import LANES, LINE, SECTOR, Load


def percent(share: float) -> str:
    """A percentage to three digits, whole where it is."""
    return f"{plain(share)}%"


def wish(load: Load) -> str:
    """What the lanes want, in a few words."""
    return f"{LANES} lanes, {load.element} bytes each"


def span_words(load: Load, short: bool) -> str:
    """From where to where the load reaches."""
    words = f"bytes {int(load.asked[0]):,} to {int(load.asked[-1]):,}"
    if has_skips(load):
        words += "; unasked columns left out" if short else "; columns that no lane asks for are left out"
    return words


def has_skips(load: Load) -> bool:
    """Whether whole sectors between the first and the last are not touched."""
    return int(load.sectors[-1] - load.sectors[0]) + 1 > len(load.sectors)


def counted(load: Load, lines: bool) -> str:
    """The sectors, and the lines that they lie in."""
    words = f"{count(len(load.sectors), 'sector')} of {SECTOR} bytes"
    return f"{words}, in {count(len(load.lines), 'line')} of {LINE}" if lines else words
