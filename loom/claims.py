"""Numbers of a sentence that need a source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

# Patterns of numbers by what stands around them.
# COUNT does not match the 1 of 'W − 1 tokens', nor the 8 of '8B'.
COUNT = r"(?<![\w.,^])(?<![A-Za-z]\s[−+×·÷]\s)[~≈]?\d[\d,]*(?:\.\d+)?(?:\s?(?:thousand|million|billion|trillion))?"
MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
RATE = r"(?:/s|/clock|/cycle|\sper\s\w+)?"
UNITS = (
    rf"[kKMGTP]i?B{RATE}", rf"(?<=\s)B{RATE}", rf"[kKMGTP]?FLOPs?{RATE}", "[TGP]FLOPS", rf"[KMG]?bytes?{RATE}", "bits",
    "[nµm]?s", "[kMG]?Hz", "[kM]?W", "[mµn]?J", "dB", "°C", "[nµmck]?m",
    "(?:nano|micro|milli)?seconds?", "minutes?", "hours?", "days?", "weeks?", "months?", "years?", "percent",
    "degrees?",
)  # fmt: skip
WHEN = r"(?:[Ii]n|[Ss]ince|[Uu]ntil|[Bb]y|[Oo]f|[Ff]rom|[Ee]arly|[Ll]ate|[Mm]id)"
DATE = rf"{MONTH}\s(?:\d{{1,2}},?\s)?\d{{4}}|{WHEN}[\s-](?:19|20)\d\d\b"
# 'Torch 2.10' is a version, 'Table 3.1' a place, and 'With 2.5' the beginning of a sentence.
OTHER = (
    r"(?!Table|Fig|Figure|Section|Eq|Step|Chapter|Part|Phase|[A-Z][a-z]{1,3}\s|About|Under|Between|Below|Above|Every)"
)
VERSION = rf"\b[Vv]ersions?\s\d[\d.]*|\bv\d+(?:\.\d+)+|\b{OTHER}[A-Z]\w+\s\d+\.\d+(?:\.\d+)?(?!\d|\s?[%×])"
THAN = r"(?:as|the|that|less|more|faster|slower|smaller|larger|fewer|higher|lower|longer)"
ABOUT = r"(?:(?:about|roughly|nearly|up\sto)\s)?"
FACTOR = rf"{COUNT}\s?(?:×(?!\s?[\d(])|x\b|-?fold\b|times\s{THAN})|\b[Ff]actors?\sof\s{ABOUT}\d[\d.,]*"


@cache
def numeric_claim_pattern(units: tuple[str, ...]) -> re.Pattern[str]:
    """What counts as a figure: a number with a unit, a percentage, a date, a version, a factor.

    `units` are the site's own, such as 'tokens'. '16-bit' and '128-row' are names, and don't match.
    """
    named = "|".join((*UNITS, *map(re.escape, units)))
    adjective = r"(?:[\s\u00a0](?!to\b|and\b|or\b|of\b)[A-Za-z]+)?"  # '8 KV heads'
    own = f"|{adjective}[\\s\u00a0](?:{'|'.join(map(re.escape, units))})\\b" if units else ""
    measured = rf"{COUNT}(?:\s?%|[\s\u00a0]?(?:{named})\b(?![-/]?\w){own})"
    return re.compile(f"{measured}|{DATE}|{VERSION}|{FACTOR}")


def numeric_claims(text: str, units: Sequence[str] = ()) -> list[str]:
    """The numbers of a sentence that need a source, as they are written."""
    if not any(one.isdigit() for one in text):
        return []
    return [found.group() for found in numeric_claim_pattern(tuple(units)).finditer(text)]
