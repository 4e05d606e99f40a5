"""The formulas of a page as HTML: with the site's macros, equation numbers, and references to these."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from markupsafe import Markup

from loom.content.blocks import Page
from loom.content.files import read_text
from loom.content.placeholders import EquationRef, MathRef
from loom.errors import Problem
from loom.hints import suggest
from loom.markdown.formulas import Macros, mathml, usable
from loom.model import Config

PUNCTUATION = re.compile(r"[,.;:?!…)\]”’]+")


class Formulas:
    """The formulas of one page; their mistakes are added to `problems`."""

    def __init__(self, page: Page, problems: list[Problem]) -> None:
        self.path, self.problems = page.source.path, problems
        self.numbers = {part.label: part.number for part in page.parts() if isinstance(part, MathRef) and part.label}

    def shown(self, part: MathRef, macros: Macros) -> Markup:
        """A formula as HTML."""
        found = mathml(part.latex, "inline" if part.shown == "inline" else "block", usable(macros)[0])
        if found.mistake:
            self.problems.append(Problem(self.path, part.line + found.line, 0, found.mistake, found.hint))
        markup = Markup(found.markup)
        if part.shown == "inline":
            return markup
        tag = Markup("div" if part.shown == "block" else "span")  # a paragraph can't hold a <div>
        anchor = Markup(' id="{}"').format(equation_anchor(part.label)) if part.label else ""
        number = Markup('<span class="number">({})</span>').format(part.number) if part.label else ""
        return Markup('<{0} class="equation"{1} tabindex="0">{2}{3}</{0}>\n').format(tag, anchor, number, markup)

    def named(self, part: EquationRef) -> Markup:
        """A reference to a numbered equation."""
        if part.label in self.numbers:
            link = Markup('<a class="equation-link" href="#{}">({})</a>')
            return link.format(equation_anchor(part.label), self.numbers[part.label])
        hint = suggest(part.label, self.numbers, "label one on this page: $$ … $$ (label)")
        self.problems.append(Problem(self.path, part.line, part.column, f"unknown equation '{part.label}'", hint))
        return Markup("")


def kept_together(formula: Markup, behind: str) -> tuple[str, str]:
    """A formula with the punctuation right behind it, with which Firefox would begin a line; and the rest."""
    if not (found := PUNCTUATION.match(behind)):
        return formula, behind
    return f'<span class="kept-with">{formula}{found[0]}</span>', behind[found.end() :]


def equation_anchor(label: str) -> str:
    """The anchor of a numbered equation."""
    return f"equation-{label}"


def macros_of(config: Config) -> Macros:
    """The macros of a site, in their order."""
    return tuple(config.math.get("macros", {}).items())


def macro_problems(config: Config, folder: Path) -> Iterator[Problem]:
    """Macros that no formula can use."""
    macros = macros_of(config)
    wrong = usable(macros)[1] if macros else {}
    settings = read_text(folder / "site.yml", "content/site.yml") if wrong else ""
    for name, reason in wrong.items():
        key = re.compile(rf"\s*{re.escape(name)}\s*:")
        line = next((at for at, text in enumerate(settings.split("\n"), 1) if key.match(text)), 0)
        yield Problem("content/site.yml", line, 0, f"the macro '{name}' can't be read: {reason}", "mend it", "math")
