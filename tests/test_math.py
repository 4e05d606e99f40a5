"""Math is shown as TeX would show it, or its mistakes are told at their place."""

from __future__ import annotations

import pytest

from loom.markdown.formulas import CLASSES, LONGEST, mathml
from loom.paths import OWN
from tests.sites import built, page, problem, problems, site, text, words


def article(root, body, **files):
    tree = page(built(site(root, index=f"# A\n\n{body}\n", **files))).find(".//article")
    assert tree is not None
    return tree


def names(tree, tag):
    return [words(one) for one in tree.iter() if one.tag.rpartition("}")[2] == tag]


@pytest.mark.parametrize(
    ("latex", "line", "reason", "hint"),
    [
        ("a\n\\alhpa", 5, r"unknown command '\alhpa'", r"did you mean '\alpha'?"),
        (r"\xyzzy", 4, r"unknown command '\xyzzy'", "'xyzzy: …'"),
        (r"\begin{alignd} a \end{alignd}", 4, "unknown environment 'alignd'", "did you mean 'aligned'?"),
        ("a\n+ {b", 5, "'}' is missing at its end", ""),
        ("a}", 4, "unmatched closing token: '}'", ""),
        (r"\left( x", 4, r"'\right' is missing at its end", ""),
        (r"\begin{align} a \end{align}", 4, "'align' counts for itself", "write 'align*'"),
        (r"\newcommand{\q}{x}\q", 4, "defines a command", "content/site.yml"),
        ("{" * (LONGEST + 1), 4, f"may have {LONGEST}", "split it"),
    ],
)
def test_mistake_in_math_is_told_at_its_line_with_a_hint(tmp_path, latex, line, reason, hint):
    found = problem(site(tmp_path, index=f"# A\n\n$$\n{latex}\n$$\n"))
    assert (found.path, found.line) == ("content/index.md", line)
    assert found.message.startswith("this math can't be read: '") and reason in found.message
    assert hint in found.hint


@pytest.mark.parametrize("nested", ["{", r"\sqrt", r"\left(", "x^{", r"\begin{matrix}", r"\frac"])
def test_math_that_is_nested_as_deeply_as_may_be_ends_no_build(nested):
    assert mathml(nested * (LONGEST // len(nested)), "block").mistake


@pytest.mark.parametrize(
    ("latex", "rows"),
    [
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", [["a", "=b"], ["c", "=d"]]),
        (r"\begin{cases} a & x \\ b & y \end{cases}", [["a", "x"], ["b", "y"]]),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", [["1", "2"], ["3", "4"]]),
        (r"\begin{array}{l|r} 1 & 2 \\ \hline 3 & 4 \end{array}", [["1", "2"], ["3", "4"]]),
    ],
)
def test_environments_are_tables(tmp_path, latex, rows):
    tree = article(tmp_path, f"$$\n{latex}\n$$")
    assert [[words(cell) for cell in row] for row in tree.iter() if row.tag.endswith("mtr")] == rows


def test_words_in_math_are_upright(tmp_path):
    tree = article(tmp_path, r"$\mathrm{softmax} \operatorname{arg} \text{if so} \mathrm{d}$")
    assert names(tree, "mi") == ["softmax", "arg", "d"] and names(tree, "mtext") == ["if so"]
    (single,) = (one for one in tree.iter() if one.tag.endswith("mi") and words(one) == "d")
    assert single.get("mathvariant") == "normal"  # MathML slants a letter that stands alone


def test_layout_of_math_is_in_the_style_sheet():
    sheet = (OWN / "static/css/components.css").read_text(encoding="utf-8")
    assert [name for name in CLASSES.values() if name and f"mtd.{name} " not in sheet] == []


def test_macros_of_the_site_can_be_used_and_one_by_another(tmp_path):
    settings = "math:\n  macros:\n    R: \\mathbb{R}\n    Rn: \\R^{#1}\n"
    assert names(article(tmp_path, r"So $x \in \Rn{3}$.", **{"site.yml": settings}), "mi") == ["x", "ℝ"]


def test_change_of_a_macro_changes_the_page(tmp_path):
    for letter in "ab":
        tree = article(tmp_path, r"So $\R$.", **{"site.yml": f"math: {{macros: {{R: {letter}}}}}\n"})
        assert names(tree, "mi") == [letter]


@pytest.mark.parametrize("macro", ["a1: x", "bad: '\\foo'", f"long: {'x' * 201}"])
def test_macro_that_can_not_be_read_is_told_where_it_stands(tmp_path, macro):
    found = problem(site(tmp_path, index="# A\n\n$x$\n", **{"site.yml": f"title: A\nmath:\n  macros:\n    {macro}\n"}))
    assert (found.path, found.line) == ("content/site.yml", 4)
    assert found.message.startswith(f"the macro '{macro.split(':')[0]}' can't be read: ")


def test_macro_with_a_character_that_no_page_can_have_is_told(tmp_path):
    settings = {"site.yml": 'math: {macros: {bad: "\\x01"}}\n'}
    assert "U+0001 can't stand in a page" in problem(site(tmp_path, index="# A\n\n$\\bad + 1$\n", **settings)).message


def test_other_settings_of_math_are_unknown(tmp_path):
    settings = {"site.yml": "math: {makros: {}}\n"}
    assert "makros" in problem(site(tmp_path, index="# A\n", **settings)).message


@pytest.mark.parametrize(
    "prices", ["It costs $5 and $10.", "US$5 or $6", "$20,000 and $30,000", "a $ b $ c", "from $5 to $7 a day"]
)
def test_prices_are_prices(tmp_path, prices):
    tree = article(tmp_path, prices)
    assert names(tree, "math") == [] and words(tree.find("p")) == prices


def test_punctuation_behind_a_formula_begins_no_line(tmp_path):
    tree = article(tmp_path, "From $a$, to $b$ (or $c$). So *$d$*, *x*, and $e$")
    kept = [words(one) for one in tree.iter("span") if one.get("class") == "kept-with"]
    assert kept == ["a,", "c)."]
    assert words(tree.find("p")) == "From a, to b (or c). So d, x, and e"


def test_equation_with_a_label_has_a_number_that_references_lead_to(tmp_path):
    tree = article(tmp_path, "See {eq}`late` and {eq}`early`.\n\n$$\na\n$$ (early)\n\n$$ b $$ (late)\n\n$$ c $$")
    named = [(one.get("href"), words(one)) for one in tree.iter("a") if one.get("class") == "equation-link"]
    assert named == [("#equation-late", "(2)"), ("#equation-early", "(1)")]
    equations = [one for one in tree.iter("div") if one.get("class") == "equation"]
    assert [one.get("id") for one in equations] == ["equation-early", "equation-late", None]
    assert [words(one.find("span[@class='number']")) for one in equations[:2]] == ["(1)", "(2)"]


def test_numbered_equation_of_another_page_can_be_linked_to(tmp_path):
    root = site(tmp_path, index="# A\n\nSee [it](b.md#equation-one).\n", b="# B\n\n$$ x $$ (one)\n")
    assert "b/#equation-one" in text(built(root), "index.html")


def test_reference_to_no_equation_is_a_problem_with_the_nearest_one(tmp_path):
    found = problem(site(tmp_path, index="# A\n\n$$ x $$ (energy)\n\nSee {eq}`enregy`.\n"))
    assert (found.line, found.column, found.message) == (5, 5, "unknown equation 'enregy'")
    assert found.hint == "did you mean 'energy'?"


def test_label_is_a_name_and_stands_once(tmp_path):
    body = "# A\n\n$$ x $$ (a!b)\n\n$$ x $$ (one)\n\n$$ y $$ (one)\n"
    assert [(one.line, one.message) for one in problems(site(tmp_path, index=body))] == [
        (3, "'a!b' can't be the label of an equation"),
        (7, "the equation 'one' is there twice, first in line 5"),
    ]
