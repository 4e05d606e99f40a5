"""Lists of small integers encoded as strings with one character for each, which take half the space of digits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

FIRST = 35  # '#' is 0: characters before it are escaped in JSON, or separate lists
MOST = 0xD800 - FIRST  # the number of characters up to the surrogates


class TooManyError(Exception):
    """A number is too large to be encoded."""


def encode_ints(numbers: Sequence[int]) -> str:
    """Encode integers from 0 on."""
    if numbers and max(numbers) >= MOST:
        raise TooManyError
    return "".join([chr(FIRST + number) for number in numbers])


def decode_ints(text: str) -> list[int]:
    """The inverse of `encode_ints`."""
    return [ord(sign) - FIRST for sign in text]


def encode_deltas(some: Iterable[int]) -> str:
    """Encode ascending integers, each as the difference from the one before."""
    return encode_ints([there - here for here, there in pairwise([0, *some])])


def decode_deltas(text: str) -> list[int]:
    """The inverse of `encode_deltas`."""
    return list(accumulate(decode_ints(text)))
