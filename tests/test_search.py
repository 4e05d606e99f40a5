"""A site that wants a search has a page and an index of its finished pages; others have no trace of either."""

from __future__ import annotations

import gzip
import json
from pathlib import PurePosixPath

import pytest

from loom import cli
from loom.build import pipeline
from loom.build.pipeline import build_site
from loom.errors import LoomError
from loom.lint import output as check
from loom.lint.output import lint_site
from loom.model import Config
from loom.options import Options
from loom.render import search
from loom.render.headers import CSP, SEARCH_CSP
from tests.sites import built, faults, page, problem, text, toy_site, words
from tests.test_headers import rules, sent_by_a_host
from tests.test_serve import ask, serving

FILES = {
    "site.yml": "search: true\n",
    "index": "---\ntitle: Home\nsummary: Begin.\n---\n\n## Quagga\n\nA zebra of old. [Other](other.md)\n",
    "other": "---\ntitle: Other\nsummary: More.\n---\n\n## Part\n\nOf x and {term}`warp`.\n\n:::{scene} toy\n:::\n"
    f"\n## Weft\n\n{'on and ' * 30} shuttle {'and on ' * 30}\n",
    "words": "---\ntitle: Words\nsummary: All.\n---\n\n:::{glossary}\n:::\n",
}


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    return built(toy_site(tmp_path_factory.mktemp("site"), **FILES))


def fragments(output) -> dict[str, dict]:
    """What the index knows of each page, by address."""
    packed = [raw for path, raw in output.items() if path.suffix == ".pf_fragment"]
    found = [json.loads(gzip.decompress(raw).removeprefix(b"pagefind_dcd")) for raw in packed]
    return {one["url"]: one for one in found}


def traces(output) -> list[str]:
    return [str(path) for path in output if path.parts[0] in ("search", "pagefind") or "finder" in str(path)]


def test_page_index_and_a_link_from_every_page_are_there(output):
    assert {"search/index.html", "pagefind/pagefind.js"} <= set(traces(output))
    for path, href in (("index.html", "search/"), ("other/index.html", "../search/")):
        assert f'<a href="{href}">Search</a>' in text(output, path)
    assert '<a href="/search/">Search</a>' in text(output, "404.html")
    assert 'content="noindex' in text(output, "search/index.html")
    assert not [path for path in traces(output) if "-ui" in path or "highlight" in path]


def test_same_pages_give_the_same_index_wherever_they_lie(output, tmp_path):
    again = built(toy_site(tmp_path / "else where", **dict(reversed(FILES.items()))))
    assert again == output


def test_order_in_which_pages_come_changes_no_byte():
    pages = {PurePosixPath(f"p{n}/index.html"): f'<html lang="en"><main><h1>P{n}</h1>w{n % 7} x{n}</main>'.encode()
             for n in range(300)}  # fmt: skip
    assert search.made(pages) == search.made(dict(reversed(pages.items())))


def test_pages_alone_are_indexed_and_scenes_and_terms_are_places_of_theirs(output):
    found = fragments(output)
    assert set(found) == {"/", "/other/", "/words/"}
    anchors = {(url, one["id"]): one["text"] for url, page in found.items() for one in page["anchors"]
               if one["element"] == "h2"}  # fmt: skip
    assert anchors[("/", "quagga")].startswith("Quagga")
    assert anchors[("/other/", "toy")] == "A toy"
    assert anchors[("/words/", "term-cache-line")] == "Cache line"
    assert "A bar grows." in found["/other/"]["content"]


def test_scene_is_found_once_where_it_first_stands_under_whatever_name(tmp_path):
    shown = "".join(f":::{{scene}} toy\n:as: {name}\n:::\n\n" for name in ("calm", "wild"))
    found = fragments(built(toy_site(tmp_path, index=f"# Home\n\n{shown}", **{"site.yml": "search: true\n"})))
    assert [one["id"] for one in found["/"]["anchors"] if one["text"] == "A toy"] == ["calm"]


def test_of_questions_their_words_are_indexed_and_not_those_that_all_have(tmp_path):
    answers = "Which quagga?\n\n- [ ] A mare{}\n- [x] A foal{}\n"
    body = f":::{{check}}\n{answers.format(chr(10) * 2 + '  No ass.', chr(10) * 2 + '  A wag.')}:::\n\n"
    body += f"::::{{predict}}\n{answers.format('', '')}\n:::{{scene}} toy\n:::\n\nIt kicks.\n::::\n"
    output = built(toy_site(tmp_path, **FILES, third=f"# Third\n\n{body}"))
    content = fragments(output)["/third/"]["content"]
    assert content.count("Which quagga?") == 2 and all(one in content for one in ("A foal", "A wag.", "It kicks."))
    for same in ("Just show me", "Your guess first", "Quick check", "Yes.", "No.", "Not so", "That is what happens"):
        assert same in text(output, "third/index.html") and same not in content


def test_narration_tables_and_controls_are_not_indexed_and_pages_do_not_grow_for_it(output):
    content = fragments(output)["/other/"]["content"]
    assert "Step 1 of 2" in text(output, "other/index.html")
    for left_out in ("Step 1 of 2", "Download as CSV", "Speed", "Thirty-two threads"):
        assert left_out not in content
    assert "pagefind" not in text(output, "other/index.html")


@pytest.mark.parametrize("why", ["not wanted", "not installed"])
def test_without_search_no_trace_of_it_is_in_the_site(tmp_path, monkeypatch, why):
    if why == "not installed":
        monkeypatch.setattr(search, "NEEDS", ("pagefind_that_is_not_there",))
    root = toy_site(tmp_path, **(FILES | ({"site.yml": ""} if why == "not wanted" else {})))
    output = build_site(Options(root))
    assert traces(output) == []
    assert "Search" not in text(output, "index.html") + text(output, "404.html")
    assert "wasm" not in text(output, "_headers")


@pytest.mark.parametrize("command", ["build", "check"])
def test_search_that_can_not_be_made_is_told_and_stops_nothing(tmp_path, monkeypatch, capsys, command):
    monkeypatch.setattr(search, "NEEDS", ("pagefind_that_is_not_there",))
    root = toy_site(tmp_path / "site", **FILES, extra="---\ntitle: Extra\nsummary: A.\n---\n{cite}`pair2021`\n")
    flags = ["--out", str(tmp_path / "out")] if command == "build" else ["--format", "json"]
    assert cli.main([command, "--root", str(root), "--jobs", "1", *flags]) == 0
    assert capsys.readouterr().err.startswith("note: no search, which content/site.yml asks for; it needs an extra")


def test_search_page_alone_allows_what_its_index_needs(output):
    for path in (path for path in output if path.suffix == ".html"):
        meta = next(one for one in page(output, str(path)).iter("meta") if one.get("http-equiv"))
        assert meta.get("content") == (SEARCH_CSP if str(path) == "search/index.html" else CSP)
    assert SEARCH_CSP.replace(" 'wasm-unsafe-eval'", "") == CSP != SEARCH_CSP
    assert "'unsafe-" not in SEARCH_CSP


def test_hosts_and_our_own_server_send_a_policy_that_lets_the_search_page_work(output):
    written = text(output, "_headers")
    assert sum("Content-Security-Policy" in told for _, told in rules(written)) == 1  # two would both hold
    with serving(output=output) as port:
        for path in map(str, output):
            answer, _ = ask(port, f"/{path}")
            expected = {"Cache-Control": "no-cache", **sent_by_a_host(written, f"/{path}")}
            assert {name: answer.headers[name] for name in expected} == expected, path
            assert expected["Content-Security-Policy"] == f"{SEARCH_CSP}; frame-ancestors 'none'"
    assert sum("immutable" in sent_by_a_host(written, f"/{path}")["Cache-Control"] for path in traces(output)
               if "finder" in path) == 2  # fmt: skip


def test_check_passes_the_site_and_refuses_the_policy_of_the_search_page_elsewhere(output, tmp_path):
    assert not [one for one in faults(toy_site(tmp_path, **FILES)) if one.rule not in ("unused", "claim")]
    raw = text(output, "search/index.html")
    loose = {**output, PurePosixPath("other/index.html"): raw.encode()}
    (only,) = [one for one in lint_site(loose, Config(), {}) if one.rule == "policy"]
    assert (only.path, only.rule) == ("other/index.html", "policy")
    assert "'wasm-unsafe-eval' in 'script-src'" in only.message


def test_budget_counts_what_ordinary_pages_load_and_not_the_index(output, monkeypatch):
    assert lint_site(output, Config(budgets=True), {}) == []
    monkeypatch.setattr(check, "PLAYER", 1)
    assert [one.message for one in lint_site(output, Config(budgets=True), {})] != []
    monkeypatch.setattr(check, "PLAYER", 8_000)
    more = {**output, PurePosixPath("assets/more.js"): text(output, "pagefind/pagefind.js").encode()}
    (first, *_) = lint_site(more, Config(budgets=True), {})
    assert first.message.startswith("the player takes")


def test_edit_of_a_plain_page_is_found_after_the_next_build(tmp_path):
    root, out = toy_site(tmp_path / "site", **FILES), tmp_path / "out"
    assert cli.main(["build", "--root", str(root), "--out", str(out)]) == 0
    before = sorted(path.name for path in (out / "pagefind/fragment").iterdir())
    toy_site(root, index=FILES["index"].replace("zebra", "okapi"))
    assert cli.main(["build", "--root", str(root), "--out", str(out)]) == 0
    after = sorted(path.name for path in (out / "pagefind/fragment").iterdir())
    raw = b"".join(gzip.decompress((out / "pagefind/fragment" / name).read_bytes()) for name in after)
    assert before != after and b"okapi" in raw and b"zebra" not in raw


def test_page_of_the_author_at_the_same_address_is_a_problem(tmp_path):
    found = problem(toy_site(tmp_path, **FILES, search="# Mine\n"))
    assert (found.path, found.message) == ("content/search.md", "this page has the address of the search page")
    assert "search: true" in found.hint


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("search", "content/search.md: this page has the address of the search page"),
        ("content/search/index.html", "search/index.html: two sources claim this path"),
        ("content/other/index.html", "content/other/index.html: this file has the path of the page content/other.md"),
    ],
)
def test_check_tells_once_what_lies_where_a_page_does(tmp_path, file, message):
    root = toy_site(tmp_path, **FILES, **{file: "# Mine\n"})
    found = [one for one in faults(root) if one.rule == "address"]
    assert [f"{one.path}: {one.message}" for one in found] == [message]


@pytest.mark.parametrize("program", ["/bin/false", "/nowhere/pagefind", None])
def test_index_that_fails_is_told_without_a_traceback(tmp_path, monkeypatch, program):
    import pagefind.service

    monkeypatch.setattr(pagefind.service, "get_executable", lambda: program)
    with pytest.raises(LoomError, match="the index can't be made"):
        pipeline.build_site(Options(toy_site(tmp_path, **FILES)))


def test_search_page_says_in_words_that_it_needs_script_and_where_to_look_without(output):
    article = page(output, "search/index.html").find(".//article")
    assert "Searching needs script" in words(article)
    assert {"../", "../other/", "../words/"} <= {link.get("href") for link in article.iter("a")}
