"""Mathematics in a label: Greek letters, superscripts and subscripts, as characters that a text can hold."""

from __future__ import annotations

import re

from loom.draw.metrics import ADVANCE
from loom.expected import Mistaken

NAMES = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "omicron", "pi", "rho", "", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
]  # fmt: skip
GREEK = {name: chr(0x3B1 + at) for at, name in enumerate(NAMES)}
SIGNS = {
    "times": "×", "cdot": "·", "pm": "±", "le": "≤", "ge": "≥", "ne": "≠", "approx": "≈", "infty": "∞", "sqrt": "√",
    "to": "→", "degree": "°",
}  # fmt: skip
LETTERS = GREEK | {name.capitalize(): letter.upper() for name, letter in GREEK.items()} | SIGNS
RAISED = dict(zip("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻", strict=True))
LOWERED = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))
NAMED = re.compile(r"\\([A-Za-z]+)( ?)")
SCRIPT = re.compile(r"([\^_])(?:\{([^}]*)\}|(.))")


def maths(text: str) -> str:
    r"""A label as it is written in TeX, in plain characters: `maths(r"\omega_0^2")` is ω₀².

    It knows Greek letters, common signs, and what the site's sans has of small digits: superscripts of digits and
    minus, subscripts of digits. Anything else stays a problem rather than becoming a character of some other font;
    fractions, roots over several letters and matrices belong into the prose, in `$…$`.
    """
    return SCRIPT.sub(_script, NAMED.sub(_letter, text))


def _letter(found: re.Match[str]) -> str:
    if found[1] not in LETTERS:
        raise Mistaken((f"'\\{found[1]}' is no letter that a label can hold", "formulas stand in the prose, in $…$"))
    return LETTERS[found[1]] + (found[2] if found[1] in SIGNS else "")  # as in TeX, a space only ends a letter's name


def _script(found: re.Match[str]) -> str:
    table, inner = RAISED if found[1] == "^" else LOWERED, found[2] if found[2] is not None else found[3]
    written = "".join(table.get(one, "") for one in inner)
    if len(written) < len(inner) or not all(one in ADVANCE for one in written):
        hint = "a superscript is of digits and a minus, a subscript of digits: place a smaller text with pen.text"
        raise Mistaken((f"'{found[0]}' can't be written in a label", hint))
    return written
