"""Check that sentences with figures have a source: a citation, a computed value, a link to a scene, or a waiver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from loom.content.blocks import Page, Statement
from loom.errors import Problem
from loom.lint.arithmetic import equations
from loom.quantity import significant
from loom.quantity.claims import numeric_claims


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
