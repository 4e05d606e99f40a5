"""Formulas in a page's text, and the numbers of those that have a label."""

from __future__ import annotations

import re
from typing import Any

from markdown_it.token import Token

from loom.content.placeholders import MathRef
from loom.errors import LoomError, Problem

MATH = {
    "math_inline": "inline", "math_inline_double": "within", "math_block": "block", "math_block_label": "block",
}  # fmt: skip
LABEL = re.compile(r"[A-Za-z0-9][\w:.-]*\Z")


def formula(token: Token, line: int, env: dict[str, Any]) -> MathRef:
    """The placeholder of a formula. Formulas with a label are numbered; a label that is used twice is a problem."""
    shown, label = MATH[token.type], token.info.strip() if token.type == "math_block_label" else ""
    start = line + token.content[: len(token.content) - len(token.content.lstrip())].count("\n")
    if not label:
        return MathRef(token.content.strip(), shown, start)
    known: dict[str, int] = env.setdefault("equations", {})
    if not LABEL.match(label):
        hint = "use letters, digits, '-', '_', ':' and '.'"
        raise LoomError(Problem(env["path"], line, 0, f"'{label}' can't be the label of an equation", hint))
    if known.setdefault(label, line) != line:  # the same line: a block with mistakes is read twice
        message = f"the equation '{label}' is there twice, first in line {known[label]}"
        raise LoomError(Problem(env["path"], line, 0, message, "give each a label of its own"))
    return MathRef(token.content.strip(), shown, start, label, list(known).index(label) + 1)
