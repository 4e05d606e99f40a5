"""Formulas in a page's text, the numbers of those that have a label, and LaTeX as MathML Core: no script, sanitised."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache
from html import unescape
from textwrap import shorten
from typing import NamedTuple
from xml.etree.ElementTree import fromstring, tostring

from markdown_it.token import Token

from loom.content.placeholders import MathRef
from loom.errors import LoomError
from loom.hints import suggest
from loom.markdown.env import Env

MATH = {
    "math_inline": "inline", "math_inline_double": "within", "math_block": "block", "math_block_label": "block",
}  # fmt: skip
LABEL = re.compile(r"[A-Za-z0-9][\w:.-]*\Z")
ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)\w+;")  # entities of HTML that XML does not have
CONTROLS = re.compile("[\x80-\x9f]")  # control characters, which a numeric entity may produce
LONGEST, EXPANSIONS = 3000, 200  # limits, because the converter recurses and could overflow its stack
ENVIRONMENTS = (
    "align*", "aligned", "array", "Bmatrix", "bmatrix", "cases", "dcases", "gather*", "gathered",
    "matrix", "pmatrix", "Vmatrix", "vmatrix",
)  # fmt: skip
# Common commands, to tell a misspelt command from an unknown one.
COMMANDS = (
    "alpha", "approx", "bar", "begin", "beta", "binom", "bot", "cdot", "cdots", "cos", "delta", "Delta", "dfrac", "dot",
    "ell", "end", "epsilon", "equiv", "eta", "exists", "exp", "forall", "frac", "gamma", "Gamma", "geq", "hat", "in",
    "infty", "int", "kappa", "lambda", "Lambda", "langle", "lceil", "ldots", "left", "leftarrow", "leq", "lfloor",
    "lim", "ln", "log", "mathbb", "mathbf", "mathcal", "mathit", "mathrm", "mathsf", "max", "min", "mu", "nabla",
    "neq", "notin", "nu", "odot", "omega", "Omega", "operatorname", "oplus", "otimes", "overbrace", "overline",
    "partial", "phi", "Phi", "pi", "prod", "propto", "psi", "Psi", "quad", "qquad", "rangle", "rceil", "rfloor", "rho",
    "right", "Rightarrow", "rightarrow", "sigma", "Sigma", "sim", "sin", "sqrt", "sum", "tan", "tau", "text", "tfrac",
    "theta", "Theta", "tilde", "times", "top", "underbrace", "underline", "varepsilon", "varphi", "vec", "xi", "zeta",
)  # fmt: skip
DEFINES = re.compile(r"\\(?:(?:re|provide)?newcommand|def|gdef|let|DeclareMathOperator)(?![A-Za-z])")
NUMBERED = re.compile(r"\\begin\{(equation|align|gather|multline|alignat|flalign|eqnarray)\}")
ENDED = re.compile(r"expected closing token (.*), but reached end of input")
REASON = re.compile(r"(?:macro\d+:)?(?P<at>\d+): (?P<words>.*?)\.?\Z", re.DOTALL)
QUOTED = re.compile(r"'([^']*)'")
NAME = re.compile(r"[A-Za-z]+\Z")
Macros = tuple[tuple[str, str], ...]
# The converter lays tables out with style attributes, which a strict content security policy forbids.
CLASSES = {
    "text-align:left": "math-left", "text-align:right": "math-right", "padding-left:0": "math-joined",
    "padding-left:1em": "math-apart", "padding-right:0": "math-close",
    "justify-items:start": "", "justify-items:end": "",
    "border-right:0.05emsolidcurrentcolor": "math-rule", "border-left:0.05emsolidcurrentcolor": "math-before",
    "border-top:0.05emsolidcurrentcolor": "math-over", "border-bottom:0.05emsolidcurrentcolor": "math-under",
    "padding-top:0": "math-tight", "padding-bottom:0": "math-tight",
}  # fmt: skip
ATTRIBUTES = frozenset((
    "accent", "accentunder", "class", "depth", "display", "displaystyle", "fence", "form", "height", "largeop",
    "linethickness", "lspace", "mathvariant", "maxsize", "minsize", "movablelimits", "rspace", "scriptlevel",
    "separator", "stretchy", "symmetric", "voffset", "width", "xmlns",
))  # fmt: skip


def formula(token: Token, line: int, env: Env) -> MathRef:
    """The placeholder of a formula. Formulas with a label are numbered; a label that is used twice is a problem."""
    shown, label = MATH[token.type], token.info.strip() if token.type == "math_block_label" else ""
    start = line + token.content[: len(token.content) - len(token.content.lstrip())].count("\n")
    if not label:
        return MathRef(token.content.strip(), shown, start)
    known = env.equations
    if not LABEL.match(label):
        hint = "use letters, digits, '-', '_', ':' and '.'"
        raise LoomError(env.problem(line, f"'{label}' can't be the label of an equation", hint))
    if known.setdefault(label, line) != line:  # the same line: a block with mistakes is read twice
        message = f"the equation '{label}' is there twice, first in line {known[label]}"
        raise LoomError(env.problem(line, message, "give each a label of its own"))
    return MathRef(token.content.strip(), shown, start, label, list(known).index(label) + 1)


class Formula(NamedTuple):
    """A formula as MathML; or the mistake in it, and its line in the formula, counted from 0."""

    markup: str = ""
    mistake: str = ""
    hint: str = ""
    line: int = 0


@lru_cache(4096)
def mathml(latex: str, display: str, macros: Macros = ()) -> Formula:
    """A formula; `display` is `inline` or `block`."""
    from math_core import LatexError, LatexToMathML  # only imported for pages with math

    def refused(reason: str, hint: str = "", at: int = 0) -> Formula:
        shown = shorten(latex, 60, placeholder=" …")
        return Formula("", f"this math can't be read: '{shown}' ({reason})", hint, latex.count("\n", 0, at))

    if not latex.strip():
        return refused("it is empty")
    if len(latex) > LONGEST:
        return refused(f"it has {len(latex)} characters, and may have {LONGEST}", "split it")
    if found := DEFINES.search(latex):
        hint = "name it in content/site.yml, under 'math:' and 'macros:'"
        return refused(f"'{found.group()}' defines a command for one formula", hint, found.start())
    if found := NUMBERED.search(latex):
        hint = f"write '{found.group(1)}*', and a label behind the equation if it is to have one: $$ … $$ (label)"
        return refused(f"the environment '{found.group(1)}' counts for itself", hint, found.start())
    try:
        converter = LatexToMathML(macros=dict(macros), fancy_error=False, max_expansions=EXPANSIONS)
        markup = converter.convert_with_local_state(latex, displaystyle=display == "block")
    except LatexError as error:
        reason, place = _reason(str(error))
        return refused(reason, _hint(reason, dict(macros)), place)
    return _sanitized(latex, display, markup) or refused("it asks for a colour, a style or a stroke", "leave it out")


def _reason(answer: str) -> tuple[str, int]:
    """The converter's message in our wording, and the offset in the formula that it is about."""
    found = REASON.match(answer)
    words, at = (found["words"], int(found["at"])) if found else (answer, 0)
    words = ENDED.sub(r"\1 is missing at its end", f"{words[:1].lower()}{words[1:]}".replace('"', "'"))
    return words, at


def _hint(reason: str, macros: Mapping[str, str]) -> str:
    named = QUOTED.search(reason)
    name = named.group(1).removeprefix("\\") if named else ""
    if reason.startswith("unknown command"):
        near = get_close_matches(name, [*COMMANDS, *macros], n=1, cutoff=0.7)
        otherwise = f"write it otherwise, or define it in content/site.yml, under 'math:' and 'macros:', as '{name}: …'"
        return f"did you mean '\\{near[0]}'?" if near else otherwise
    if reason.startswith("unknown environment"):
        return suggest(name, ENVIRONMENTS)
    return ""


def _sanitized(latex: str, display: str, markup: str) -> Formula | None:
    """MathML with classes instead of styles; None if it has attributes that are not allowed."""
    tree = fromstring(ENTITY.sub(lambda one: unescape(one.group()), CONTROLS.sub("", markup)))
    for part in tree.iter():
        declared = [one for one in part.attrib.pop("style", "").replace(" ", "").split(";") if one]
        if not ATTRIBUTES.issuperset(part.attrib) or not CLASSES.keys() >= {*declared} or "class" in part.attrib:
            return None
        if kinds := dict.fromkeys(CLASSES[one] for one in declared if CLASSES[one]):
            part.set("class", " ".join(kinds))
    tree.attrib = {"xmlns": "http://www.w3.org/1998/Math/MathML", "display": display, "alttext": latex, **tree.attrib}
    tree.set("display", display)
    return Formula(tostring(tree, encoding="unicode"))


@lru_cache(16)
def usable(macros: Macros) -> tuple[Macros, dict[str, str]]:
    """The valid macros, and what is wrong with the others. A macro may use those before it."""
    from math_core import LatexError, LatexToMathML

    good: dict[str, str] = {}
    wrong: dict[str, str] = {}
    for name, body in macros:
        if not NAME.match(name):
            wrong[name] = "its name may hold letters only"
        elif len(body) > EXPANSIONS:
            wrong[name] = f"it may have {EXPANSIONS} characters"
        else:
            try:
                LatexToMathML(macros={**good, name: body}, fancy_error=False)
                good[name] = body
            except LatexError as error:
                wrong[name] = _reason(str(error))[0]
    return tuple(good.items()), wrong
