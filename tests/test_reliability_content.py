"""No text of an author, however odd, ends a build otherwise than with a problem, takes long, or lets anything out."""

from __future__ import annotations

import os
import time
from itertools import pairwise
from pathlib import PurePosixPath

import pytest

from loom.content.source import load_source
from loom.errors import LoomError
from loom.lint.claims import equations
from loom.lint.html_reader import read_document
from loom.markdown.parse import parse_page
from tests.sites import REFERENCES, altered, built, faults, problem, site

INDEX = "# A\n"
BOMB = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} {{<<: {{k: [{', '.join([f'*{before}'] * 9)}]}}}}\n" for before, name in pairwise("abcdefghi")
)


@pytest.mark.parametrize("authors", ['", ,"', '" and "', '","'])
def test_authors_without_a_name_are_a_problem(tmp_path, authors):
    references = altered(REFERENCES, ("authors: Ames, Bell, Cole", f"authors: {authors}"))
    found = problem(site(tmp_path, index=INDEX, **{"references.yml": references}))
    assert (found.path, found.line) == ("content/references.yml", 1)
    assert found.message == "the authors of 'toy2020' are only commas"


@pytest.mark.parametrize("language", ["english please", "e", "en_US", "x" * 5000, '"en\\" onload=\\"x"'])
def test_language_that_is_none_is_a_problem(tmp_path, language):
    found = problem(site(tmp_path, index=INDEX, **{"site.yml": f"title: A\nlanguage: {language}\n"}))
    assert (found.path, found.line) == ("content/site.yml", 2) and found.message.endswith("is no language")


@pytest.mark.parametrize("language", ["en", "pt-BR", "zh-Hant-TW", "de-CH-1996"])
def test_language_is_a_tag(tmp_path, language):
    built(site(tmp_path, index=INDEX, **{"site.yml": f"language: {language}\n"}))


@pytest.mark.parametrize("name", ["secret.txt", "page.md"])
def test_link_out_of_the_site_is_not_published(tmp_path, name):
    secret = tmp_path / "secret"
    secret.write_text("# Secret\n")
    root = site(tmp_path / "site", index=INDEX)
    (root / "content" / name).symlink_to(secret)
    found = problem(root)
    assert found.path == f"content/{name}" and found.message.endswith("outside the site")


@pytest.mark.parametrize("folder", ["static", "content"])
def test_hidden_files_are_not_published(tmp_path, folder):
    root = site(tmp_path, index=INDEX)
    for name in (".git/config", ".env", "deep/.git/config", "draft.txt~", ".#shown.txt", "shown.txt"):
        (root / folder / name).parent.mkdir(parents=True, exist_ok=True)
        (root / folder / name).write_text("x")
    published = {str(path) for path in built(root)}
    assert "shown.txt" in published
    assert not [path for path in published if any(sign in path for sign in (".git", ".env", "~", "#"))]


def test_what_hosts_look_for_is_published_though_it_is_hidden(tmp_path):
    root = site(tmp_path, index=INDEX)
    (root / "static/.well-known").mkdir(parents=True)
    (root / "static/.well-known/security.txt").write_text("Contact: mailto:a@example.org\n")
    assert PurePosixPath(".well-known/security.txt") in built(root)


def test_link_within_the_site_is_followed(tmp_path):
    root = site(tmp_path, index=INDEX, **{"words.txt": "x"})
    (root / "content/other.txt").symlink_to(root / "content/words.txt")
    assert {"words.txt", "other.txt"} <= {str(path) for path in built(root)}


def test_pipes_and_links_in_circles_are_no_files_of_a_site(tmp_path):
    root = site(tmp_path, index=INDEX)
    os.mkfifo(root / "content/pipe.md")
    (root / "content/loop.md").symlink_to("loop.md")
    (root / "content/round").symlink_to(root / "content", target_is_directory=True)
    assert [str(path) for path in built(root) if path.suffix == ".html"] == ["404.html", "index.html"]


def seconds(text: str) -> float:
    start = time.process_time()
    parse_page(load_source(text.encode(), "a"))
    return time.process_time() - start


@pytest.mark.parametrize(
    "text",
    [" ".join("`" * run for run in range(620)), "<!--" * 24_000, "a " + "<!--" * 50_000, "a <!-- b\n" * 10_000,
     "{term}" * 20_000, "[x](" * 10_000, "![x](a " * 10_000, "{caption=“" * 10_000, "$a" * 20_000,
     "{caption=“x " * 8_000, "## Same\n\n" * 20_000, "[x](a" + " b" * 50_000],
    ids=["backticks", "comments", "comments behind a word", "comments in text", "roles", "links", "spaced",
         "captions", "math", "words", "headings", "spaces in an address"],
)  # fmt: skip
def test_text_that_is_made_to_be_slow_is_not(text):
    assert seconds(text) < 5


@pytest.mark.parametrize("mark", ["", "> ", "- "], ids=["in the text", "in a quotation", "in a list"])
def test_enormous_table_is_a_problem_before_its_cells_are_made(mark):
    rows = ["|" + "a|" * 1000, "|" + "-|" * 1000, *["|" + "b|" * 1000] * 1000]
    lines = [f"{mark}x", *[mark.replace("-", " ") + row for row in ("", *rows, "", "y")]]
    start = time.process_time()
    _, (one,) = parse_page(load_source("---\ntitle: A\n---\n{}\n".format("\n".join(lines)).encode(), "a"))
    assert time.process_time() - start < 5
    assert (one.line, one.message) == (6, "this table has 1,001,000 cells, and may have 100,000")


@pytest.mark.parametrize(
    "text", ["1 + ", "1 × 1", "(", "1 a b ", "e^("], ids=["sum", "product", "open", "words", "powers"]
)
def test_sums_that_are_made_to_be_slow_to_check_are_not(text):
    start = time.process_time()
    assert list(equations(text * 10_000)) == []
    assert time.process_time() - start < 5


@pytest.mark.parametrize("text", ["<script>", "<script>-->"])
def test_page_of_another_that_is_made_to_be_slow_to_look_through_is_not(text):
    start = time.process_time()
    read_document(f"<!doctype html>\n<p>{text * 20_000}".encode())
    assert time.process_time() - start < 5


def test_links_that_never_end_beside_a_mistake_are_not_slow_to_look_through(tmp_path):
    root = site(tmp_path, index="# A\n\n{term}`nope` " + "[a](" * 60_000)
    start = time.process_time()
    assert [one.message for one in faults(root) if one.rule == "term"] == ["unknown term 'nope'"]
    assert time.process_time() - start < 10


@pytest.mark.parametrize("text", [BOMB, "title: &a [*a]\n"], ids=["bomb", "circle"])
def test_yaml_that_repeats_itself_without_end_is_a_problem(text):
    with pytest.raises(LoomError, match=r"content/a\.md:2: this YAML repeats itself without end"):
        load_source(f"---\n{text}---\n".encode(), "a")


@pytest.mark.parametrize("levels", [60, 2_000, 50_000])
@pytest.mark.parametrize("text", ["title: {0}\n", "tags:\n{1}x\n"], ids=["brackets", "dashes"])
def test_yaml_that_is_nested_too_deeply_is_a_problem(text, levels):
    text = text.format("[" * levels + "]" * levels, "- " * levels)
    with pytest.raises(LoomError, match=r"content/a\.md:\d+: more than 50 lists and mappings lie in one another"):
        load_source(f"---\n{text}---\n".encode(), "a")
