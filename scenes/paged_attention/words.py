"""Names, lists and shares as the reader reads them."""

from __future__ import annotations

from collections.abc import Sequence

from .story import REQUESTS

ORDER = [request.name for request in REQUESTS]
COLOURS = (6, 2, 3, 4, 5, 1)  # grey is for A, which is gone when the memory fills up


def series(name: str) -> str:
    """The colour of a request."""
    return f"series-{COLOURS[ORDER.index(name)]}"


def listed(words: Sequence[str]) -> str:
    """'A', 'A and B', 'A, B and C'."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def share(percent: float) -> str:
    return f"{percent:.0f}%"


def spans(numbers: Sequence[int]) -> list[str]:
    """Block numbers in their order, three and more neighbours as one span."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return [
        word
        for group in found
        for word in ([f"{group[0]}–{group[-1]}"] if len(group) > 2 else [str(number) for number in group])
    ]
