"""TeX in labels: it is turned into plain characters, with superscripts and subscripts."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from loom.draw.metrics import ADVANCE
from loom.expected import Mistaken

NAMES = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "omicron", "pi", "rho", "", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
]  # fmt: skip
GREEK = {name: chr(0x3B1 + at) for at, name in enumerate(NAMES) if name}
SIGNS = {
    "times": "×", "cdot": "·", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠",
    "approx": "≈", "infty": "∞", "to": "→", "degree": "°", "sum": "Σ", "prod": "Π", "ldots": "…",
}  # fmt: skip
WORDS = {name: name for name in ("sin", "cos", "tan", "exp", "log", "ln", "min", "max")}
VARIANTS = {"varphi": "φ", "varepsilon": "ε", "vartheta": "θ"}
LETTERS = {
    **GREEK, **{name.capitalize(): letter.upper() for name, letter in GREEK.items()}, **VARIANTS, **SIGNS, **WORDS
}  # fmt: skip
RUNNING = {*GREEK, *VARIANTS, *WORDS, "frac", "sqrt"}  # before these, a fraction needs brackets: (1/2)α, not 1/2α
SPACES = dict.fromkeys(" ,;:\\", " ") | {"!": ""}  # after a backslash
UPRIGHT = ("mathrm", "text", "operatorname")  # ignored, but for their contents: all of a label is upright
KNOWN = [*LETTERS, *UPRIGHT, "frac", "sqrt", "left", "right"]
RAISED = dict(zip("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻", strict=True))
LOWERED = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))
TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|[\^_] *-?\d+|[\^_]| +|.", re.S)  # x^-3 and x^12 need no braces
BRACKETS = re.compile(r"\([^()]*\)")
IN_PROSE = "whole formulas stand in the prose, in $…$"


class Part(NamedTuple):
    """Some text with its superscript and its subscript."""

    words: str
    raised: str = ""
    lowered: str = ""

    @property
    def characters(self) -> str | None:
        """The part as one text, if its scripts are digits that the site's sans has in small."""
        tables = ((LOWERED, self.lowered), (RAISED, self.raised))
        small = "".join([table.get(one, " ") for table, script in tables for one in script])
        return None if not all(one in ADVANCE and one != " " for one in small) else self.words + small


def maths(text: str) -> str:
    r"""A label as it is written in TeX, in plain characters: `maths(r"\omega_0^2")` is ω₀².

    It knows Greek letters, common signs, fractions and roots on one line (`\frac{a}{b + c}` is a/(b + c)), and scripts
    of digits. Letters as scripts need marks of their own: see `formula`.
    """
    found = []
    for part in parts(text):
        if part.characters is None:
            script = f"^{part.raised}" if Part("", part.raised).characters is None else f"_{part.lowered}"
            raise Mistaken((f"'{script}' can't be written in one text", "draw it with formula(pen, key, x, y, …)"))
        found.append(part.characters)
    return "".join(found)


def parts(text: str) -> list[Part]:
    r"""The parts of a TeX formula from left to right. A hyphen is a minus, except in `\text{…}`."""
    reader = _Reader(text)
    found = reader.read()
    if reader.tokens:
        reader.wrong("has a '}' too many", "each brace that closes has one that opens")
    return found


class _Reader:
    """Parses a formula in one pass from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.tokens = text, TOKEN.findall(text)[::-1]

    def wrong(self, message: str, hint: str) -> NoReturn:
        raise Mistaken((f"the formula '{self.text}' {message}", hint))

    def read(self) -> list[Part]:
        """Parts, up to the brace that closes them or to the end."""
        found: list[Part] = []
        while self.tokens and self.tokens[-1] != "}":
            head = self.tokens.pop()
            if head[0] in "^_":
                before = found.pop() if found else Part("")
                before = before if before.raised or before.lowered else Part(before.words.rstrip())
                if len(before.words) > 1:  # a script belongs to the last letter only
                    found.append(Part(before.words[:-1]))
                    before = before._replace(words=before.words[-1])
                found.append(self._script(before, head))
            else:
                said = [*self._said(head)]
                if self._runs_on(head, said, found):
                    said = [Part("("), *said, Part(")")]
                for part in said:
                    _add(found, part)
        return found

    def _runs_on(self, head: str, said: list[Part], found: list[Part]) -> bool:
        """Whether a fraction or a root would be misread without brackets: 1/2mv², sin x/2, 21/3."""
        if head not in ("\\frac", "\\sqrt"):
            return False
        after = self.tokens[-1] if self.tokens else " "
        if after[0] in "^_":
            return True
        if head == "\\sqrt":
            return said[-1].words != ")" and (after.isalnum() or after[1:] in RUNNING)
        before = found[-1].words if found else ""
        of = before.rstrip().endswith(tuple(WORDS)) or (before[-1:].isalnum() and said[0].words[:1].isdigit())
        return of or after.isalnum() or after in "({" or after[1:] in RUNNING

    def _script(self, before: Part, head: str) -> Part:
        where = "raised" if head[0] == "^" else "lowered"
        if getattr(before, where):
            self.wrong(f"has two scripts that are {where} behind '{before.words}'", "put them into one pair of braces")
        inner = head[1:].strip() or self._flat(self._group(head))
        if not inner:
            self.wrong(f"has an empty '{head}{{}}'", "write what it raises or lowers")
        return before._replace(**{where: inner.replace("-", "−") if head[1:] else inner})

    def _flat(self, inner: list[Part]) -> str:
        """A script as one text; a script within it can only be of small digits."""
        found = [part.characters for part in inner]
        if None in found:
            self.wrong("raises or lowers letters within what is raised or lowered itself", IN_PROSE)
        return "".join([one for one in found if one])

    def _said(self, head: str) -> Iterator[Part]:
        name = head[1:]
        if head == "{":
            yield from self._rest()
        elif head in ("$", "\\"):
            hint = "a label is TeX without dollars; the sign itself is \\$" if head == "$" else "a command has a name"
            self.wrong(f"has a '{head}' alone", hint)
        elif head[0] != "\\":
            yield Part("−" if head == "-" else head)
        elif not name.isalpha():
            yield Part(SPACES.get(name, name))
        elif name in ("left", "right"):
            return
        elif name in UPRIGHT:
            yield from [part._replace(words=part.words.replace("−", "-")) for part in self._group(head)]
        elif name == "sqrt":
            yield from [Part("√"), *_held(self._group(head))]
        elif name == "frac":
            over, under = self._group(head), self._group(head)
            yield from [*_held(over, "+−"), Part("/"), *_held(under)]
        elif name in LETTERS:
            yield Part(LETTERS[name])
            if self.tokens and self.tokens[-1].isspace() and name not in SIGNS and name not in WORDS:
                self.tokens.pop()  # as in TeX, it only ends the letter's name
        else:
            near = difflib.get_close_matches(name, KNOWN, 1)
            self.wrong(f"has the unknown command '{head}'", f"did you mean '\\{near[0]}'?" if near else IN_PROSE)

    def _group(self, of: str) -> list[Part]:
        """The argument of a command: a group in braces, or one sign."""
        while self.tokens and self.tokens[-1].isspace():
            self.tokens.pop()
        if not self.tokens or self.tokens[-1] in "}^_":
            self.wrong(f"ends where '{of}' needs something", "put it into braces, as in x^{n} or \\frac{a}{b}")
        head = self.tokens.pop()
        return self._rest() if head == "{" else [*self._said(head)]

    def _rest(self) -> list[Part]:
        found = self.read()
        if not self.tokens:
            self.wrong("has a '{' that nothing closes", "each brace that opens has one that closes")
        self.tokens.pop()
        return found


def _add(found: list[Part], part: Part) -> None:
    """Append a part, or merge it into the last one if that has no script."""
    if found and not (found[-1].raised or found[-1].lowered):
        found[-1] = part._replace(words=found[-1].words + part.words)
    else:
        found.append(part)


def _held(inner: list[Part], breaks: str = " +−·×/") -> list[Part]:
    """A numerator, a denominator or what stands in a root, in brackets where it would be misread without them."""
    words = "".join([part.words for part in inner])
    while words != (shorter := BRACKETS.sub("0", words)):  # a bracketed group counts as one number
        words = shorter
    product = "/" in breaks and len(words) > 1 and not words.replace(".", "").isdigit()
    return [Part("("), *inner, Part(")")] if product or any(one in breaks for one in words) else inner
