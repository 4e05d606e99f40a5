"""How numbers and levels are written in this scene."""

from __future__ import annotations

from loom.draw import plain

from .case import Case, Sub

MINUS = "−"
LESS = f"\u00a0{MINUS}\u00a0"  # a formula stays on its line


def number(value: float, digits: int = 3) -> str:
    """A number with so many significant digits; nothing after the point that says nothing."""
    text = plain(float(f"{value:.{digits}g}"), digits)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def exactly(value: float) -> str:
    """A number of bits per weight, all of its digits."""
    return number(value, 6)


def signed(value: int) -> str:
    """A whole number with the right minus."""
    return str(value).replace("-", MINUS)


def percent(value: float) -> str:
    """A percentage with three digits."""
    return f"{plain(value)}%"


def code_term(case: Case) -> str:
    """How the code stands in the formula of a level."""
    return f"(q{LESS}{case.kind.zero})" if case.kind.zero else "q"


def levels(case: Case, sub: Sub, ideal: bool = False) -> str:
    """A sub-block's levels as a formula with its numbers."""
    scale, minimum = sub.ideal if ideal else sub.kept
    words = f"{number(scale)}·{code_term(case)}"
    return f"{words}{LESS}{number(minimum)}" if minimum else words


def counted(case: Case, sub: Sub) -> str:
    """The same with the whole numbers that are stored."""
    if not case.kind.nested:
        return levels(case, sub)
    sc, m = sub.counts
    count = f"({signed(sc)})" if sc < 0 else signed(sc)
    words = f"d·{count}·{code_term(case)}"
    return f"{words}{LESS}dmin·{m}" if case.kind.min_bits else words
