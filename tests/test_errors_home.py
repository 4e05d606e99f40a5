"""A home page that is not there, or can't be read, is a problem like any other: everything leads there."""

from __future__ import annotations

import json

import pytest

from loom.cli import main
from tests.sites import built, faults, problem, site

HOME = "---\ntitle: Home\nsummary: A.\n---\n\n[other](other.md)\n"
OTHER = "---\ntitle: Other\nsummary: B.\nlisted: false\n---\n\n[home](index.md)\n"
UNREADABLE = {
    "front matter that is never closed": b"---\ntitle: Home\n\n[other](other.md)\n",
    "a byte that is not UTF-8": HOME.encode() + b"\xff\n",
    "a control character": HOME.encode() + b"\x01\n",
    "a title that is a number": HOME.replace("title: Home", "title: 1").encode(),
    "a draft": HOME.replace("title: Home", "title: Home\ndraft: true").encode(),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_home_page_that_can_not_be_shown_is_the_only_problem(tmp_path, what, capsys):
    root = site(tmp_path, index=UNREADABLE[what], other=OTHER)
    (found,) = faults(root)
    assert (found.path, found.rule) == ("content/index.md", "content")
    assert main(["check", "--root", str(root), "--format", "json", "--no-cache"]) == 1
    assert len(json.loads(capsys.readouterr().out)["problems"]) == 1


def test_anchors_of_a_page_that_can_not_be_read_are_not_missed(tmp_path):
    other = OTHER.replace("index.md", "index.md#part")
    (found,) = faults(site(tmp_path, index=HOME.encode() + b"\n## Part\n\n\xff\n", other=other))
    assert found.message == "this file is not UTF-8"


def test_home_page_that_is_a_draft_stops_the_build_at_its_line(tmp_path):
    root = site(tmp_path, index=UNREADABLE["a draft"], other=OTHER)
    found = problem(root)
    assert (found.path, found.line) == ("content/index.md", 3)
    assert found.hint == "delete 'draft: true', or name another page with 'home:' in content/site.yml"
    assert built(root, drafts=True)


def test_page_that_can_not_be_named_is_no_home(tmp_path):
    found = faults(site(tmp_path, **{"my page": HOME, "site.yml": "home: my page\n"}))
    assert [one.path for one in found] == ["content/my page.md", "content/site.yml"]
