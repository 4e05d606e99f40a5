"""Check the figures of sentences: each has a source, and equations such as `4,096² × 2 = 33.6 million` hold.

A source is a citation, a computed value, a link to a scene, or a waiver.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from loom.claims import numeric_claims
from loom.content.blocks import Page, Statement
from loom.errors import Problem
from loom.quantity import FROM_SUPERSCRIPT, PREFIXES, significant

NUMBER = r"[-−]?\d[\d,]*(?:\.\d+)?(?:⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
LARGE = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
# What may follow a number: a word such as million, an SI prefix with or without a unit, a percent sign, other words.
SIZE = rf"\s?(?:{'|'.join(LARGE)})\b"
UNIT = r"\s?[kKMGTPmµn]i?(?:B(?:/s)?|OPS?(?:/s)?|FLOPs?(?:/s)?|FLOPS|W|J|Hz|s)?(?![\w/])"
WORDS = r"(?:\s[A-Za-z][\w/-]*){0,4}?"
POWER_OF_E = r"e\^\([-−+×÷/.,\s\d]*\d\)"
TERM = rf"(?:{POWER_OF_E}|{NUMBER}(?:{SIZE}|{UNIT}|\s?%)?)"
POWER = r"\d[\d,.]*⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
BEGIN = r"(?<![\w.,^(])"
CHAIN = rf"\(*{TERM}{WORDS}\)*(?:\s*[×÷+−/·]\s*\(*{TERM}{WORDS}\)*)+"
SIDE = rf"(?:{POWER_OF_E}|{POWER}|{CHAIN})"
# A chain without '=' is matched, too: otherwise the search would start again at each of its numbers.
EQUATION = re.compile(rf"{BEGIN}(?:(?P<left>{SIDE})\s*(?P<sign>[=≈])\s*(?P<right>{TERM})|{CHAIN})")
PIECE = re.compile(rf"{TERM}|[()×÷+−/·]")
PARTS = re.compile(rf"(?P<digits>{NUMBER})(?P<size>{SIZE})?(?P<unit>{UNIT})?(?P<percent>\s?%)?")


def claim_problems(pages: Iterable[Page], units: Sequence[str]) -> tuple[list[Problem], Counter[str]]:
    """Figures without support, and equations that do not hold; and the counts of each kind of support."""
    problems: list[Problem] = []
    counts: Counter[str] = Counter()
    for page in pages:
        for statement in page.statements:
            path, sums = page.source.path, list(equations(statement.text))
            for wrong in (one for one in sums if not one.holds):
                message = f"'{wrong.text}' does not hold: the left side is {significant(wrong.result, 6)}"
                problems.append(Problem(path, statement.line, 0, message, "mend the sum"))
            found = numeric_claims(statement.text, units)
            support = _support(statement, bool(sums), bool(found))
            if support:
                counts[support] += 1
            elif found:
                hint = "add {cite}`…`, quote a {value}`…`, or end it with {uncited}`example`, `arithmetic` or `recap`"
                problems.append(Problem(path, statement.line, 0, f"'{found[0]}' rests on nothing", hint))
            if statement.waiver and not found:
                message = f"there is no figure here that needs '{statement.waiver}' as an excuse"
                problems.append(Problem(path, statement.line, 0, message, "remove the {uncited}"))
    return problems, counts


def _support(statement: Statement, sums: bool, figure: bool) -> str:
    """The support of a sentence with a figure; empty if it has none, or no figure."""
    if not figure:
        return ""
    for kind in ("cited", "computed", "scene"):
        if kind in statement.rests:
            return kind
    return "worked out" if sums else statement.waiver


@dataclass(frozen=True)
class Equation:
    """An equation as it is written, the value of its left side, and whether it holds."""

    text: str
    result: float
    holds: bool


def equations(text: str) -> Iterator[Equation]:
    """Every equation between numbers in a text, except those whose values are too large."""
    for found in EQUATION.finditer(text):
        if not found["left"]:
            continue
        try:
            done = _done(found)
        except (OverflowError, RecursionError, ValueError):  # ValueError: more digits than Python converts
            continue
        if not math.isinf(done.result):
            yield done


def _done(found: re.Match[str]) -> Equation:
    """Evaluate one equation."""
    try:
        left, right = _value(found["left"]), _value(found["right"])
    except (ZeroDivisionError, IndexError):
        left, right = math.nan, 0.0
    rounded = sum(_rounding(number) for number in re.findall(NUMBER, found["left"]))
    slack = abs(left) * (rounded + (0.02 if found["sign"] == "≈" else 0)) + _step(found["right"]) / 2
    # A result may have a unit that the left side omits: 1 × 3.35 = 3.35 TFLOP/s.
    sizes = {1.0, _scale(found["right"])} if right else {1.0}
    holds = any(abs(left - right / size) <= slack / size * (1 + 1e-9) for size in sizes)
    return Equation(found.group().strip(), left, holds)


def _rounding(written: str) -> float:
    """The relative rounding error of a number with decimals."""
    decimals = len(written.rstrip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻").partition(".")[2])
    value = abs(_number(written))
    return 0.5 * 10.0**-decimals / value if decimals and value else 0.0


def _value(side: str) -> float:
    """The value of one side of an equation."""
    pieces = PIECE.findall(side)
    pieces.reverse()
    return _sum(pieces)


def _sum(pieces: list[str]) -> float:
    total = _product(pieces)
    while pieces and pieces[-1] in "+−":
        total += _product(pieces) if pieces.pop() == "+" else -_product(pieces)
    return total


def _product(pieces: list[str]) -> float:
    total = _term(pieces)
    while pieces and pieces[-1] in "×÷/·":
        total = total * _term(pieces) if pieces.pop() in "×·" else total / _term(pieces)
    return total


def _term(pieces: list[str]) -> float:
    piece = pieces.pop()
    if piece.startswith("e^("):
        return math.exp(_value(piece[3:-1]))
    if piece == "(":
        inside = _sum(pieces)
        pieces.pop()
        return inside
    return _number(_part(piece, "digits")) * _scale(piece)


def _number(written: str) -> float:
    """The value of the digits with their exponent."""
    digits = written.rstrip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
    power = written[len(digits) :].translate(FROM_SUPERSCRIPT)
    value = float(digits.replace(",", "").replace("−", "-"))
    return value ** int(power) if power else value


def _part(term: str, name: str) -> str:
    """A named part of a term, see PARTS."""
    parts = PARTS.match(term)
    return (parts[name] or "").strip() if parts else ""


def _scale(term: str) -> float:
    """The factor of a word such as million, of a prefix, or of a percent sign."""
    scale = LARGE.get(_part(term, "size"), 1.0)
    if unit := _part(term, "unit"):
        scale *= PREFIXES[unit[0]] if unit[1:2] != "i" else 1024.0 ** ("kMGTP".index(unit[0].replace("K", "k")) + 1)
    return scale / 100 if _part(term, "percent") else scale


def _step(term: str) -> float:
    """The value of one unit in the last place of a result."""
    decimals = len(_part(term, "digits").partition(".")[2])
    return float(10.0**-decimals * _scale(term))
