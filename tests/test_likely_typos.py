"""What is nearly Markdown is told, at its line, with what to write instead; what is not is left alone."""

from __future__ import annotations

import pytest

from tests.sites import built, page, problem, problems, site, words

PNG = "drawing.svg"


def told(root, body: str) -> tuple[int, str, str]:
    found = problem(site(root, index=f"# A\n\n{body}\n", **{PNG: "<svg/>"}))
    return found.line, found.message, found.hint


@pytest.mark.parametrize(
    ("body", "line", "message", "hint"),
    [
        ("A\n{term}warp here.", 4, "'{term}warp' is a role without its backticks", "write {term}`warp`"),
        ("A {trem}warp.", 3, "'{trem}warp' is a role without its backticks", "write {term}`warp`"),
        ("See {cite:figure}fa1.", 3, "'{cite:figure}fa1' is a role", "write {cite:figure}`fa1`"),
        ("A {cite}`` and b.", 3, "the role '{cite}``' has nothing in it", "write {cite}`…`"),
        ("See\n{term} `warp`.", 4, "'{term} `warp`' is no role: there is a space in it", "write {term}`warp`"),
        ("A\n\n::{scene} toy\n::", 5, "'::{scene}' has two colons, and opens nothing", "write :::{scene}, and :::"),
        ("A\n\n：：：{note}\nB\n", 5, "'：：：{note}' has wide colons, and opens nothing", "write :::{note}, and :::"),
        ("A\n\n\t:::{scene} toy\n\t:::", 5, "':::{scene}' is indented, and so is code", "without its indent"),
        ("- a\n\n      ::::{note}\n      b\n      ::::", 5, "'::::{note}' is indented", "without its indent"),
        ("A\n{term}`mean without *end*.", 4, "the role '{term}`' is never closed", "write {term}`…`"),
        ('{captoin="x"}\n| a |\n|---|', 3, "'{captoin=' is no caption", 'write {caption="…"}'),
        ("{caption=“Curly”}\n\n| a |\n|---|", 3, "'{caption=“Curly”}' has curly", "straight"),
        ("![x](my file.png)", 3, "'![x](my file.png)' has a space in its address", "<my file.png>"),
        ("So [x](my page.md).", 3, "'[x](my page.md)' has a space in its address", "<my page.md>"),
        ("```{note}\nwords\n```", 3, "'```{note}' is a block of code, and no directive", "write :::{note}"),
        ("A\n\n```python\nx = 1\n\n## B", 5, "a block of code that is never closed", "end it with a line '```'"),
        ("> ~~~~\n> x\n> ~~~\n\nB", 3, "a block of code that is never closed", "end it with a line '~~~~'"),
        ("```", 3, "a block of code that is never closed", "end it with a line '```'"),
        ("A\n\n:::{note}\nx\n\nB", 5, "the directive 'note' is never closed", "end it with a line ':::'"),
    ],
)
def test_what_is_nearly_something_is_told(tmp_path, body, line, message, hint):
    found = told(tmp_path, body)
    assert found[0] == line and message in found[1] and hint in found[2]


@pytest.mark.parametrize(
    "body",
    ["A set {a}b.", "A {set} `b`", "\\{term} `mean`", "::{io} and a::{note}",
     "\\{term}`mean", 'an {option=1}', "The file {term}-{index}.snap",
     "`{term}word`", "\\{term}word is text", "so {x} y", "f[1](see the book)", "a [b] (c d.png)",
     "{width=50%}", "It is {name: word}."],
)  # fmt: skip
def test_what_is_not_is_left_alone(tmp_path, body):
    tree = page(built(site(tmp_path, index=f"# A\n\n{body}\n")))
    assert words(tree.find(".//article//p")) == body.replace("`", "" if body.count("`") > 1 else "`").replace("\\", "")


@pytest.mark.parametrize(
    "body",
    ["```\nx\n```", "````\n```\n````", "- a\n\n  ```\n  x\n  ```", "> ```\n> x\n> ```", "```\n```", "~~~\nx\n~~~~~  "],
)
def test_block_of_code_that_ends_is_none(tmp_path, body):
    built(site(tmp_path, index=f"# A\n\n{body}\n"))


def test_all_of_a_page_are_told_together(tmp_path):
    body = "# A\n\n{term}one and\n{cite}two.\n\n```{tip}\n```\n\n```\nend\n"
    assert [one.line for one in problems(site(tmp_path, index=body))] == [3, 4, 6, 9]
