"""Lists of small numbers as a scene's data has them: a text with a sign for each. It takes half the room of digits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

FIRST = 35  # the sign '#' is 0: what comes before it has to be escaped in JSON, or parts lists
MOST = 0xD800 - FIRST  # numbers that have a sign; what comes next are halves of signs


class TooManyError(Exception):
    """A number has no sign."""


def encode_ints(numbers: Sequence[int]) -> str:
    """Numbers from 0 on as a text."""
    if numbers and max(numbers) >= MOST:
        raise TooManyError
    return "".join([chr(FIRST + number) for number in numbers])


def decode_ints(text: str) -> list[int]:
    """The numbers of such a text."""
    return [ord(sign) - FIRST for sign in text]


def encode_deltas(some: Iterable[int]) -> str:
    """Numbers in their order, each stored as the difference from the one before."""
    return encode_ints([there - here for here, there in pairwise([0, *some])])


def decode_deltas(text: str) -> list[int]:
    """The numbers of a text of differences."""
    return list(accumulate(decode_ints(text)))
