"""Names of files that would be no pages, not the same page everywhere, or no part of a site at all."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from loom.build.record import inputs
from loom.content.source import load_source
from loom.errors import Problem
from tests.sites import TOY, built, faults, problem, site, toy_site

SAID = (
    "---\nsummary: A.\n---\n# Home\n\n{cite}`toy2020` {cite}`pair2021`\n\n:::{references}\n:::\n\n:::{glossary}\n:::\n"
)
PAGE = "---\ntitle: {}\nsummary: A.\n---\n"


@pytest.mark.parametrize(("name", "new"), [("Notes.MD", "Notes.md"), ("a/more.markdown", "more.md")])
def test_markdown_that_is_not_called_a_page_is_to_be_renamed(tmp_path, name, new):
    found = problem(site(tmp_path, index=PAGE.format("Home"), **{name: "# Notes"}))
    message = f"a page's file ends with '.md', not '{PurePosixPath(name).suffix}'"
    assert found == Problem(f"content/{name}", 0, 0, message, f"rename it to {new}")


@pytest.mark.parametrize(
    ("name", "new"),
    [("site.yaml", "site.yml"), ("Glossary.yml", "glossary.yml"), ("REFERENCES.YAML", "references.yml")],
)
def test_settings_that_would_not_be_read_are_to_be_renamed(tmp_path, name, new):
    found = problem(site(tmp_path, index=PAGE.format("Home"), **{f"content/{name}": ""}))
    assert found == Problem(f"content/{name}", 0, 0, "this file is not read", f"rename it to {new}")


def test_yaml_beside_the_settings_is_left_alone(tmp_path):
    built(site(tmp_path, index=PAGE.format("Home"), **{"content/more.yaml": "", "content/part/site.yaml": ""}))


@pytest.mark.parametrize("name", ["my toy", "my.toy"])
def test_folder_that_can_not_be_called_as_a_scene_is_told(tmp_path, name):
    (found,) = faults(toy_site(tmp_path, index=SAID, **{f"scenes/{name}/scene.py": TOY}))
    assert (found.path, found.message) == (f"scenes/{name}", "this folder's name can't be a scene's")


def test_name_that_looks_the_same_is_told_apart(tmp_path):
    root = site(tmp_path, index=f"{PAGE.format('Home')}\n![A cup.](caf\u00e9.svg)\n", **{"cafe\u0301.svg": "<svg/>"})
    found = problem(root)
    assert found.hint == "'cafe\u0301.svg' looks the same, and is written otherwise: copy it"


def test_several_byte_order_marks_hide_no_front_matter():
    assert load_source(b"\xef\xbb\xbf\xef\xbb\xbf---\ntitle: Cup\n---\n", "cup").meta.title == "Cup"


def test_pages_whose_addresses_differ_by_capitals_only_are_a_problem(tmp_path):
    root = site(tmp_path, index=PAGE.format("Home"), Foo=PAGE.format("A"), foo=PAGE.format("B"))
    if not (root / "content/Foo.md").read_text().count("title: A"):
        pytest.skip("this disk does not tell capitals apart")
    (found,) = faults(root)
    assert (found.path, found.rule) == ("content/foo.md", "address")
    assert found.message.endswith("content/Foo.md but for capitals, which not every host tells apart")


def test_what_editors_leave_is_neither_published_nor_read(tmp_path):
    left = ["index.md~", "#index.md#", "4913", ".index.md.swp", "page.md.swp", "part/a.txt~"]
    root = site(tmp_path, index=PAGE.format("Home"), **{"4.txt": "kept", "#1.txt": "kept"})
    before, known = built(root), set(inputs(root))
    for name in left:
        (root / "content" / name).parent.mkdir(exist_ok=True)
        (root / "content" / name).write_text("left")
    (root / "static").mkdir()
    (root / "static/robots.txt~").write_text("left")
    assert built(root) == before
    assert set(inputs(root)) == known
    assert {PurePosixPath("4.txt"), PurePosixPath("#1.txt")} <= before.keys()
