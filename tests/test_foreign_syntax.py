"""What stands in a page for another generator is shown as text, and told with what to write instead."""

from __future__ import annotations

import time

import pytest

from loom.content.source import Source
from loom.markdown.foreign_forms import FORMS
from loom.markdown.parse import parse_page
from loom.model import Meta
from tests.sites import built, faults, page, site, words


def read(body: str):
    """What is told of a text below a title, as lines, words and hints; nothing of it is refused."""
    found, problems = parse_page(Source("a", "content/a.md", Meta(), f"# T\n\n{body}\n"))
    assert problems == []
    return [(one.line - 2, one.message, one.hint) for one in found.warnings if one.rule == "foreign"]


@pytest.mark.parametrize(
    ("body", "line", "written", "hint"),
    [
        (r"a \(a^2\) b", 1, r"\(a^2\)", "write $a^2$"),
        (r"a \[b\]", 1, r"\[b\]", "write $$b$$"),
        ("\\[\nE = mc^2\n\\]", 1, r"\[", "write $$E = mc^2$$"),
        ("\\[\na = b\nc\n\\]", 1, r"\[", "write $$…$$"),
        (r"\\(O(n)\\)", 1, r"\\(O(n)\\)", "write $O(n)$"),
        ("a\n{% include b.html %}", 2, "{% include b.html %}", "delete it, and write what it would put in"),
        ("`{{ a }}`\n{{ page.title }}", 2, "{{ page.title }}", "write what it would put in"),
        ("<div>\n<p>{{ a }}</p>\n</div>", 2, "{{ a }}", "write what it would put in"),
        ("| a |\n|---|\n| {{ b }} |", 3, "{{ b }}", "write what it would put in"),
        ('{{% alert title="Note" %}}', 1, '{{% alert title="Note" %}}', "write it into the page"),
        ("[[wiki link]]", 1, "[[wiki link]]", "write [wiki link](…)"),
        ("[[Page|words]]", 1, "[[Page|words]]", "write [words](…)"),
        ("![[a.png]]", 1, "![[a.png]]", "write ![what it shows](…)"),
        ("[TOC]", 1, "[TOC]", "delete it: Loom makes the contents of a page"),
        ("[[toc]]", 1, "[[toc]]", "delete it: Loom makes the contents of a page"),
        ('import A from "./a"\nimport B from "./b"', 1, 'import A from "./a"', "delete it"),
        ('import {\n  A,\n} from "./a";', 1, "import {", "delete it"),
        ("export const a = 1", 1, "export const a = 1", "delete it"),
        ("::: package.module\n    options:\n      a: b", 1, "::: package.module", "write it into the page"),
        ("::: mkdocs-click\n    :module: a", 1, "::: mkdocs-click", "write it into the page"),
        (':::code language="c" source="a":::', 1, ':::code language="c" source="a":::', "between lines of ```"),
        (':::image source="a.png":::', 1, ':::image source="a.png":::', "write ![what it shows](…)"),
        (":::row:::", 1, ":::row:::", "delete the line"),
        ("::: {.a}\nb\n:::", 1, "::: {.a}", "delete the line"),
        ("##Heading", 1, "##Heading", "write a space behind its signs"),
        ("a\n[b c] (d.md#e)", 2, "[b c] (d.md#e)", "write [b c](d.md#e)"),
        ("\\begin{align}\na\n\\end{align}", 1, "\\begin{align}", "write it between lines of '$$'"),
        ("As [@doe99] says.", 1, "[@doe99]", "write {cite}`doe99`"),
        ("a\nAs [-@doe99, p. 3] says.", 2, "[-@doe99, p. 3]", "write {cite}`doe99`"),
        ("As \\citep{doe99,roe20} say.", 1, "\\citep{doe99,roe20}", "write {cite}`doe99`"),
        ("| a | b |\n| 1 | 2 |", 1, "| a | b |", "write a line |---|---|"),
        ("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x", 1, "<<<<<<< HEAD", "keep one of both versions"),
        ("words { #my }", 1, "{ #my }", "right behind code, emphasis or a link"),
    ],
)
def test_what_another_generator_reads_is_told_with_what_to_write(body, line, written, hint):
    ((at, message, told),) = read(body)
    assert (at, message.startswith(f"'{written}' ")) == (line, True)
    assert hint in told


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.example)
def test_each_form_has_an_example_of_it(form):
    assert form.pattern.search(form.example) and any(sign in form.example for sign in form.signs)
    assert [form.what in message for _, message, _ in read(form.example)] == [True]


@pytest.mark.parametrize(
    "signs", ["[@" + "a" * 50_000, "[@a, " * 10_000, r"\cite{" + "a" * 50_000, "| a " + "| " * 20_000]
)
def test_form_without_its_end_is_searched_in_linear_time(signs):
    begun = time.perf_counter()
    assert read(signs) == []
    assert time.perf_counter() - begun < 2


def test_it_is_told_of_the_title_too():
    found, _ = parse_page(Source("a", "content/a.md", Meta(), "# {{ page.title }}\n"))
    assert [one.line for one in found.warnings] == [1]


@pytest.mark.parametrize(
    "body",
    [
        r"`\(a^2\)` `\[b\]` `{% a %}` `{{ b }}` `[[wiki link]]` `{#a}`", "```\n[TOC]\n{{ a }}\n::: a.b\n```",
        "    import a from 'b'\n    {% a %}\n    [[wiki link]]", "<pre>\n{{ a }}\n</pre>", "<code>{{ a }}</code> b",
        "<!-- {{ a }} {% b %} --> c", "$5 and $6 cost {a}, {} and {{}}", "a[^1]\n\n[^1]: b", "[[1, 2], [3, 4]]",
        "[[1]] and [[a](https://example.org)] and x[[i]]", "[[a b]](https://example.org)",
        "[[a b]]\n\n[a b]: https://example.org", "[toc]\n\n[toc]: https://example.org", r"\[x\] \[1\] \[a-z\] \(c\)",
        r"file\(s\), \[optional\] and \(in words\)", r"$$\begin{matrix} a \\[2pt] b \end{matrix}$$", "$[[aa, bb]]$",
        r"\{{ a }} \{% b %} \[[wiki link]] \{#a}", 'We import a from "b".', "Export controls are strict.",
        "import duties\nexport taxes", "The [TOC] is long.", "a ::: b", r"\##a \[b] (c.md)", "#a ##b and ##\n##1",
        "[@doe](https://example.org) [@types/node] a [@doe]\n\n[@doe]: https://example.org", "`\\cite{a}` $\\cite{a}$",
        "| a line\n| another", "|x| = |y|\n|z| = 1", "| a | b |\n|---|---|\n| 1 | 2 |", "a <<<<<<< b\n\n\\<<<<<<< c",
        "`##a`\n`[b] (c.md)` [d] (in e.md)", "A \\begin{b} opens it.", ":::{note}\na\n:::", ":::note\na\n:::",
    ],
)  # fmt: skip
def test_code_formulas_and_what_only_looks_like_it_are_not_told(body):
    assert read(body) == []


def test_check_tells_it_and_build_shows_it(tmp_path):
    root = site(
        tmp_path, index="# A\n\n:::row:::\n\nText.\n\n[[wiki link]]\n", **{"site.yml": "rules: {summary: false}"}
    )
    assert words(page(built(root)).find(".//article")).endswith(":::row::: Text. [[wiki link]]")
    assert [(one.line, one.rule) for one in faults(root)] == [(3, "foreign"), (7, "foreign")]
