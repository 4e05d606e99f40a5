"""The forms of other generators that are plain text here: how each is known, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

OURS = ("aside", "check", "figure", "glossary", "mnemonic", "note", "predict", "references", "scene", "tip", "warning")
PUT_IN = "what it would put in is missing here: write it into the page"


class Form(NamedTuple):
    """A syntax of other generators: an example of it, its pattern, the message, and what to write instead.

    A text without any of the `signs` can't match: most texts have none, and no pattern is tried on them.
    """

    example: str
    signs: tuple[str, ...]
    pattern: re.Pattern[str]
    what: str
    hint: Callable[[re.Match[str]], str]
    where: str = ""  # where it may stand: 'paragraph', or 'block': a paragraph at the top level; empty: anywhere


def _formula(found: re.Match[str]) -> str:
    body = next(one for one in found.groups() if one is not None).strip()
    signs = "$$" if found["display"] is not None else "$"
    return f"write {signs}{body}{signs}" if len(body) < 40 and "\n" not in body else f"write {signs}…{signs}"


def _wiki(found: re.Match[str]) -> str:
    words = (found["words"] or found["page"]).strip()
    return "write ![what it shows](…)" if found["sign"] else f"write [{words}](…) with the page's file"


def _colons(found: re.Match[str]) -> str:
    name = found["name"].lower()
    if name == "image":
        return "write ![what it shows](…)"
    if name == "code":
        return "write the code itself, between lines of ```"
    if name in OURS:
        return f"write :::{{{name}}}"
    if "." in name or name.startswith("mkdocs"):
        return PUT_IN
    return "delete the line, or write what is around it as a call-out: :::{note}"


FORMS = (
    Form(r"\(a^2 + b\)", ("\\(", "\\["),
         re.compile(r"(?<![\\\w\])])\\{1,2}(?:\((?P<line>.{1,300}?)\\{1,2}\)|\[(?P<display>.{1,600}?)\\{1,2}\])"
                    r"(?![(\[])", re.DOTALL),
         "is no formula here, and is text", _formula),
    Form("{% include note.html %}", ("{%",),
         re.compile(r"(?<![\\{])\{%[-+]?\s*[A-Za-z#/].{0,300}?%\}", re.DOTALL), "is a template's, and is text here",
         lambda _: "delete it, and write what it would put in; or escape it with '\\'"),
    Form("{{ page.title }}", ("{{",),
         re.compile(r"(?<![\\{])\{\{-?[ \t]*[A-Za-z_$.\"'][^{}\n]{0,200}\}\}"), "is a template's, and is text here",
         lambda _: "write what it would put in; or escape it with '\\'"),
    Form("[[_TOC_]]", ("[[", "[toc]", "[TOC]", "{:toc}"),
         re.compile(r"\A\s*(?:\[\[_?toc_?\]\]|\[toc\])\s*\Z|^\{:toc\}$", re.IGNORECASE | re.MULTILINE),
         "makes no contents here, and is text", lambda _: "delete it: Loom makes the contents of a page", "paragraph"),
    Form("[[Page|words]]", ("[[",),
         re.compile(r"(?<![\\\[\]\w!])(?P<sign>!?)\[\[(?!(?i:_?toc_?)\]\])(?P<page>[A-Za-z/#.][^\[\]\n|,\"'=<>{}\\]+)"
                    r"(?:\\?\|(?P<words>[^\[\]\n]*))?\]\](?![\[(\]])"),
         "is no link here, and is text", _wiki),
    Form('import Tabs from "@theme/Tabs";', ("import", "export"),
         re.compile(r"\A(?:import\s+(?:[\w*$][\w*$, ]*|(?:\w+\s*,\s*)?\{[^{}\"']{0,300}\})\s*from\s+[\"'][^\"'\n]+[\"']"
                    r";?[ \t]*$|export\s+(?:(?:const|let|var)\s+[\w${\[].*=|(?:async\s+)?function\s+\w+\s*\("
                    r"|default\s+(?:function|class|async|\(|\{|\w+;?$)).*$)", re.MULTILINE),
         "is a line of MDX, and is text here", lambda _: "delete it: a page has no code of its own", "block"),
    Form("##Heading", ("##",), re.compile(r"^#{2,6}[^\W\d_].*$", re.MULTILINE), "is no heading here, and is text",
         lambda _: "write a space behind its signs", "paragraph"),
    Form("[words] (page.md)", ("] (",), re.compile(r"(?<!\\)\[[^\[\]\n]+\] \([\w./-]+\.md(?:#[^()\s]*)?\)"),
         "is no link here, and is text", lambda found: f"write {found.group().replace('] (', '](')}"),
    Form(r"\begin{align}", ("\\begin{",), re.compile(r"\A\s*\\begin\{\w+\*?\}"), "is no formula here, and is text",
         lambda _: "write it between lines of '$$'"),
    Form("[@key, p. 3]", ("[@", "[-@", "\\cite"),
         re.compile(r"(?<!\\)(?:\[-?@(?P<key>[\w:.-]*\w)(?:[,; ][^\[\]\n]*)?\](?![\[(:])"
                    r"|\\cite[pt]?\{(?P<name>[\w:.-]++)[^{}\n]*\})"),
         "is no citation here, and is text", lambda found: f"write {{cite}}`{found['key'] or found['name']}`"),
    Form("| a | b |\n| 1 | 2 |", ("|",),
         re.compile(r"\A\|[ \t][^\n|]*\|[^\n]*\|[ \t]*\n\|[^\n|]*\|[^\n]*\|[ \t]*(?=\n|\Z)"),
         "is no table here, and is text", lambda _: "write a line |---|---| below its headings", "paragraph"),
    Form("<<<<<<< HEAD", ("<<<<<<< ",), re.compile(r"^<{7} \S.*$", re.MULTILINE), "was left by a merge, and is text",
         lambda _: "keep one of both versions, and delete the lines of signs"),
    Form("::: package.module", (":::",),
         re.compile(r"^[ \t]*:{3,}[ \t]*\{?[.#]?(?P<name>[A-Za-z][\w.-]*).*$", re.MULTILINE),
         "is no directive of Loom's, and is text here", _colons, "paragraph"),
)  # fmt: skip
