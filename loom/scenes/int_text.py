"""Lists of small numbers as a scene's data has them: a text with a sign for each. It takes half the room of digits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

FIRST = 35  # the sign '#' is 0: what comes before it has to be escaped in JSON, or parts lists
MOST = 0xD800 - FIRST  # numbers that have a sign; what comes next are halves of signs


class TooManyError(Exception):
    """A number has no sign."""


def signs(numbers: Sequence[int]) -> str:
    """Numbers from 0 on as a text."""
    if numbers and max(numbers) >= MOST:
        raise TooManyError
    return "".join([chr(FIRST + number) for number in numbers])


def numbers(text: str) -> list[int]:
    """The numbers that a text tells."""
    return [ord(sign) - FIRST for sign in text]


def rising(some: Iterable[int]) -> str:
    """Numbers in their order, each told as the step from the one before."""
    return signs([there - here for here, there in pairwise([0, *some])])


def sums(text: str) -> list[int]:
    """Numbers of which each is told as the step from the one before."""
    return list(accumulate(numbers(text)))
