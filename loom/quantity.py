"""Numbers as text, with units and in sentences, the way a reader reads them; an author's wording is held to them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache

PREFIXES = {
    "": 1.0,
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
    "P": 1e15,
    "E": 1e18,
    "m": 1e-3,
    "µ": 1e-6,
    "n": 1e-9,
}
LARGE = ("", "k", "M", "G", "T", "P", "E")
SMALL = ("", "m", "µ", "n")
# Units that take prefixes; a percentage, a factor or a count does not.
SCALED = frozenset({"B", "B/s", "FLOP", "FLOP/s", "OP/s", "s", "Hz", "W", "J"})
SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
FROM_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
POWER = r"\s?×\s?10(⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
NUMBER = re.compile(rf"[-−]?\d+(?:[,\u202f ]\d{{3}}(?!\d))*(?:\.\d+)?(?:e[-+−]?\d+|{POWER})?")

PLURAL = re.compile(r"[A-Za-z]{2}[^\Ws]s$")  # a unit that is a word: tokens, KV heads
UNSPACED = ("%", "×", "°")  # units that stand right behind their number
# BINDING is the space between a number and a short unit, at which no line may break.
SHORT = r"[kKMGTP]?i?B|[kKMGTP]?FLOPs?|[TGP]FLOPS|bits?|bytes?|[nµm]?s|[kMG]?Hz|[kM]?W|[mµn]?J|[nµm]?m|dB|°C"
BINDING = re.compile(rf" (?<=\d )(?=(?:%|×|{SHORT})(?!\w))")


def unbroken(text: str) -> str:
    """A text with no-break spaces between numbers and their units."""
    return BINDING.sub("\xa0", text)


def significant(value: float, digits: int = 3) -> str:
    """`value` with `digits` significant digits and grouped thousands; very large and small ones as a power of ten."""
    return _significant(value, digits) if isinstance(value, float | int) else _significant.__wrapped__(value, digits)


@lru_cache(1 << 14)  # the same numbers stand in many pictures
def _significant(value: float, digits: int) -> str:
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    if value == round(value) and abs(value) < 1e15:
        return f"{round(value):,}".replace("-", "−")
    exponent = int(f"{value:.{digits - 1}e}".split("e")[1])
    if exponent < -4 or exponent >= 15:
        mantissa, power = f"{value:.{digits - 1}e}".split("e")
        return f"{mantissa}\u00a0×\u00a010{superscript(int(power))}".replace("-", "−")
    text = f"{value:,.{max(0, digits - 1 - exponent)}f}"
    return text.replace("-", "−")


def counted(text: str, unit: str) -> str:
    """The unit for a number as it is written, singular behind 1: 2 slots, 1 slot."""
    if text != "1" or not PLURAL.search(unit):
        return unit
    if unit.endswith("ies"):
        return f"{unit[:-3]}y"
    return unit[: -2 if unit.endswith(("sses", "xes", "ches", "shes")) else -1]


def superscript(exponent: int) -> str:
    """An exponent as it stands behind its base: ⁻⁹."""
    return str(exponent).translate(SUPERSCRIPT)


def quantity(value: float, unit: str = "", digits: int = 3) -> str:
    """`value` with its unit, scaled by an SI prefix where the unit takes one (68719476736 B → 68.7 GB)."""
    written = _quantity if isinstance(value, float | int) else _quantity.__wrapped__  # only numbers surely have a hash
    return written(value, unit, digits)


@lru_cache(1 << 12)  # pictures name the same quantities at every step
def _quantity(value: float, unit: str, digits: int) -> str:
    if unit in SCALED and value:
        value = float(f"{value:.{digits}g}")  # rounded first: 999.6 GB is 1 TB
        steps = math.floor(math.log10(abs(value)) / 3)
        prefixes, index = (LARGE, steps) if steps >= 0 else (SMALL, -steps)
        prefix = prefixes[min(index, len(prefixes) - 1)]
        return f"{significant(float(f'{value / PREFIXES[prefix]:.{digits}g}'), digits)}\u00a0{prefix}{unit}"
    return with_unit(significant(value, digits), unit, "\u00a0")


def with_unit(number: str, unit: str, space: str = " ") -> str:
    """A written number with its unit behind it: 12.5%, 1 slot."""
    return f"{number}{space if unit and unit not in UNSPACED else ''}{counted(number, unit)}"


def agrees(text: str, value: float, unit: str) -> bool:
    """Whether the number an author wrote in `text` is `value`, rounded to the digits written."""
    found = NUMBER.search(text)
    if not found:
        return False
    written = re.sub(POWER, lambda power: "e" + power[1].translate(FROM_SUPERSCRIPT), found.group())
    written = re.sub(r"[,\u202f ]", "", written).replace("−", "-")
    scale = 1.0
    if unit in SCALED:
        prefix = re.match(rf"\s*([kKMGTPEmµn]?){re.escape(unit)}(?![\w/])", text[found.end() :])
        if not prefix:
            return False
        scale = PREFIXES[prefix.group(1)]
    elif unit and not text[found.end() :].lstrip().startswith(counted(written, unit)):
        return False
    decimals = len(written.split("e")[0].partition(".")[2])
    step = 10.0**-decimals * float(f"1e{written.partition('e')[2] or 0}")  # infinite behind the largest number
    # Half a unit in the last place, and a margin for the rounding of values that lie exactly between two.
    return math.isfinite(step) and abs(value / scale - float(written)) <= step / 2 * (1 + 1e-9)


def count(number: int, one: str, many: str = "") -> str:
    """A number of things: 1 warp, 2 warps; `many` is a plural that is more than an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a sentence: one, two and three."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def number(value: float, digits: int = 3) -> str:
    """At most `digits` significant digits, without trailing zeros: 7.5, not 7.50."""
    return trimmed(significant(float(f"{value:.{digits}g}"), digits)) if value else "0"


def fixed(value: float, decimals: int = 2) -> str:
    """A fixed number of decimals, with a true minus sign; a number that is rounded to 0 has none."""
    text = f"{value:,.{decimals}f}"
    return text.replace("-", "−") if any(digit in "123456789" for digit in text) else text.lstrip("-")


def percent(value: float, digits: int = 3) -> str:
    """A percentage with `digits` significant digits; whole numbers are written whole: 12.5%, 100%."""
    return f"{significant(value, digits)}%"


def times(factor: float) -> str:
    """A factor such as 3.2×: whole numbers stay whole, others have one decimal, or three digits from 100 on."""
    whole = factor == round(factor)
    return f"{factor:,.0f}×" if whole else f"{factor:,.1f}×" if factor < 100 else f"{significant(factor)}×"


def power(base: int, exponent: int) -> str:
    """A power with its exponent as a superscript: 2⁻⁹."""
    return f"{base}{superscript(exponent)}"


def trimmed(text: str) -> str:
    """A written number without trailing zeros behind its decimal point."""
    front, mark, back = text.partition("\u00a0")
    return (front.rstrip("0").rstrip(".") if "." in front else front) + mark + back
