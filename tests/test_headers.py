"""The headers of the `_headers` file are those that our own server sends, and only what is named by its content
is kept for ever."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import pytest

from loom.build.pipeline import build_site
from loom.options import Options
from loom.render.headers import CSP
from tests.sites import text, toy_site
from tests.test_serve import ask, serving

FILES = {
    "index": "# Home\n\n:::{scene} toy\n:::\n",
    "other": "# Other\n",
    "site.yml": "url: https://example.org/\n",
    "assets/own.svg": "<svg/>",  # an author's folder may have the name of ours
}
FINGERPRINT = re.compile(r"\.[0-9a-f]{10}[./]")


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    return build_site(Options(toy_site(tmp_path_factory.mktemp("site"), **FILES)))


def rules(written: str) -> list[tuple[str, dict[str, str]]]:
    """A `_headers` file, read as its hosts read it."""
    found = []
    for block in written.strip().split("\n\n"):
        where, *lines = block.split("\n")
        assert all(line.startswith("  ") for line in lines)
        found.append((where, dict(line.strip().split(": ", 1) for line in lines)))
    return found


def sent_by_a_host(written: str, path: str) -> dict[str, str]:
    """What all matching rules say; what two say of the same header is joined, which policies alone may need."""
    sent: dict[str, str] = {}
    for where, told in rules(written):
        if fnmatchcase(path, where):
            assert set(told) & set(sent) <= {"Content-Security-Policy"}
            sent |= {name: f"{sent[name]}, {text}" if name in sent else text for name, text in told.items()}
    return sent


def test_server_and_file_send_the_same_with_every_file(output):
    with serving(output=output) as port:
        for path in map(str, output):
            answer, _ = ask(port, f"/{path}")
            assert answer.status == 200, path
            expected = {"Cache-Control": "no-cache", **sent_by_a_host(text(output, "_headers"), f"/{path}")}
            assert {name: answer.headers[name] for name in expected} == expected, path


def test_what_is_kept_for_ever_is_named_by_its_content_and_everything_so_named_is_kept(output):
    kept = {str(path) for path in output if "Cache-Control" in sent_by_a_host(text(output, "_headers"), f"/{path}")}
    assert kept == {str(path) for path in output if FINGERPRINT.search(f"{path}/")}
    assert {path.split("/")[1].split(".")[0] for path in kept} >= {"style", "fonts", "player", "data"}
    assert "assets/own.svg" not in kept


def test_every_file_has_the_strict_headers(output):
    sent = sent_by_a_host(text(output, "_headers"), "/index.html")
    assert sent["Content-Security-Policy"] == f"{CSP}; frame-ancestors 'none'"
    assert sent["X-Content-Type-Options"] == "nosniff"
    assert sent["Referrer-Policy"] == "same-origin"


def test_stars_end_the_path_as_netlify_wants_and_there_are_few_rules(output):
    found = [where for where, _ in rules(text(output, "_headers"))]
    assert all("*" not in where.removesuffix("*") for where in found)
    assert len(found) < 10  # Cloudflare reads a hundred


def test_rules_begin_at_the_base_path(tmp_path):
    written = text(build_site(Options(toy_site(tmp_path, index="# Home\n"), base="/loom/")), "_headers")
    assert all(where.startswith("/loom/") for where, _ in rules(written))


def test_missing_page_is_shown_and_asked_for_again(output):
    with serving(output=output) as port:
        answer, body = ask(port, "/deep/nothing/")
        assert (answer.status, answer.headers["Cache-Control"]) == (404, "no-cache")
        assert b"There is no page at this address" in body


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/index.md", "text/markdown; charset=utf-8"),
        ("/site.webmanifest", "application/manifest+json"),
        ("/llms.txt", "text/plain; charset=utf-8"),
        ("/sitemap.xml", "text/xml; charset=utf-8"),
    ],
)
def test_new_files_are_served_with_their_types(output, path, kind):
    with serving(output=output) as port:
        answer, _ = ask(port, path)
        assert (answer.status, answer.headers["Content-Type"]) == (200, kind)
