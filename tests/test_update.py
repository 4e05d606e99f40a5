"""The second build does what is left to do, and its folder is that of a build from nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jinja2
import pytest

from loom.build import stamps as stamps_of
from loom.build.record import Records
from loom.cli import main
from loom.paths import OWN
from tests.sites import TOY, altered, site, toy_site

BASE = (OWN / "templates/base.html").read_text()

PAGES = {
    "index": "# Home\n\nTo [a part](part.md#end) and {term}`warp` {cite}`toy2020`.\n\n:::{scene} toy\n:::\n",
    "part.md": "# Part\n\nText.\n\n## End\n\nMore. ![dot](dot.svg)\n",
    "other.md": "# Other\n\nSee [the end](part.md#end) and [home](index.md).\n",
    "dot.svg": "<svg/>",
    "references.md": "# Sources\n\n:::{references}\n:::\n",
}


@pytest.fixture
def root(tmp_path):
    return aged(toy_site(tmp_path / "root", **PAGES))


def aged(root: Path) -> Path:
    """Wait until no file of the site counts as changed just now."""
    time.sleep(0.03)
    return root


def build(root: Path, out: Path, *flags: str) -> dict[str, bytes]:
    assert main(["build", "--root", str(root), "--out", str(out), "--jobs", "1", *flags]) == 0
    return {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def stamps(out: Path) -> dict[str, int]:
    return {str(path.relative_to(out)): path.stat().st_ino for path in out.rglob("*") if path.is_file()}


EDITS = {
    "a page's text": {"part.md": "# Part\n\nNew text.\n\n## End\n\nMore. ![dot](dot.svg)\n"},
    "a heading more": {"part.md": "# Part\n\nText.\n\n## Middle\n\n## End\n\nMore.\n"},
    "a page's title": {"part.md": "# Portion\n\nText.\n\n## End\n"},
    "a page's date": {"part.md": "---\ndate: 2026-11-20\n---\n" + PAGES["part.md"]},
    "a page's front matter": {"part.md": "---\ntitle: Portion\norder: 1\n---\n\n## End\n"},
    "a citation more": {"part.md": "# Part\n\nText {cite}`pair2021`.\n\n## End\n"},
    "a scene on a plain page": {"part.md": "# Part\n\n## End\n\n:::{scene} toy\n:::\n"},
    "a page with a scene": {"index": PAGES["index"].replace("a part", "the part")},
    "a new page": {"new.md": "# New\n"},
    "a draft": {"other.md": "---\ndraft: true\n---\n# Other\n"},
    "a picture": {"dot.svg": "<svg><path/></svg>"},
    "the settings": {"site.yml": "title: Another\n"},
    "a definition": {"glossary.yml": "- term: Warp\n  definition: Thirty-two lanes.\n"},
    "the site's address": {"site.yml": "url: https://example.org/elsewhere/\n"},
    "a card's template": {"templates/card.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"},
    "a template": {"templates/mark.html": "{% macro threads() %}<b>#</b>{% endmacro %}\n"},
    "a style sheet": {"static/css/page.css": "p { margin: 0 }\n"},
    "a scene": {"scenes/toy/scene.py": altered(TOY, ("A bar grows.", "A bar grows long."))},
    "a scene's module": {"scenes/toy/more.py": "SIZE = 3\n"},
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_after_every_kind_of_edit_the_folder_is_that_of_a_build_from_nothing(root, tmp_path, edit):
    out = tmp_path / "out"
    build(root, out)
    aged(toy_site(root, **{**PAGES, "scenes/toy/scene.py": TOY, **edit}))
    assert build(root, out) == build(root, tmp_path / "anew", "--no-cache")


@pytest.mark.parametrize("name", ["a page's text", "a page's title", "a page's date", "a page with a scene"])
def test_what_a_deployed_site_has_besides_follows_every_edit(tmp_path, name):
    """With an address there are a feed, a sitemap and cards; with --compress every text is there three times."""
    pages = {**PAGES, "site.yml": "url: https://example.org/\n"}
    root, out = aged(toy_site(tmp_path / "root", **pages)), tmp_path / "out"
    build(root, out, "--compress")
    aged(toy_site(root, **{**pages, **EDITS[name]}))
    assert build(root, out, "--compress") == build(root, tmp_path / "anew", "--no-cache", "--compress")


def test_other_flags_are_another_site(root, tmp_path):
    out = tmp_path / "out"
    plain = build(root, out)
    assert set(build(root, out, "--compress")) > set(plain)
    assert b'href="/loom/"' in build(root, out, "--base-path", "/loom/")["404.html"]
    assert build(root, out) == plain


def test_deleted_page_goes(root, tmp_path):
    out = tmp_path / "out"
    build(root, out)
    (root / "content/other.md").unlink()
    assert build(root, out) == build(root, tmp_path / "anew", "--no-cache")
    assert not (out / "other").exists()


def test_edit_of_the_same_size_and_time_is_seen(root, tmp_path):
    out, page = tmp_path / "out", root / "content/part.md"
    build(root, out)
    before = page.stat()
    page.write_text(page.read_text().replace("Text", "Next"))
    os.utime(page, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert b"Next" in build(root, out)["part/index.html"]


def test_page_that_was_written_while_it_was_read_is_looked_at_again(root, tmp_path, monkeypatch):
    """Within a tick of the disk's clock a second edit leaves the stamp as it is, so a fresh file is doubtful."""
    monkeypatch.setattr(stamps_of, "FRESH", 10**12)
    build(root, tmp_path / "out")
    assert stamps_of.inputs(str(root))[str(root / "content/part.md")] == ()
    record = Records(root / ".cache/loom", root, tmp_path / "out", [False, "", False])
    assert not record.unchanged(record.read())


def test_page_that_was_edited_just_now_is_built_though_it_was_new_at_the_last_build_too(root, tmp_path):
    toy_site(root, **{"part.md": "# Part\n\nFirst.\n\n## End\n"})  # so new that it has no stamp
    build(root, tmp_path / "out")
    toy_site(root, **{"part.md": "# Part\n\nSecond.\n\n## End\n", "other.md": "# Other\n\nMore.\n"})
    assert build(root, tmp_path / "out") == build(root, tmp_path / "fresh", "--no-cache")


def test_edit_of_a_plain_page_writes_that_page_only(root, tmp_path):
    out = tmp_path / "out"
    build(root, out)
    before = stamps(out)
    page = root / "content/part.md"
    page.write_text(page.read_text() + "\nEven more.\n")
    aged(root)
    build(root, out)
    after = stamps(out)
    assert {name for name in after if after[name] != before[name]} == {"part/index.html", "part/index.md"}
    assert (out / "part/index.md").read_text().endswith("\nEven more.\n")


@pytest.mark.parametrize("flags", [(), ("--compress",), ("--base-path", "/deep/")], ids=str)
def test_edit_of_a_template_writes_html_only(tmp_path, flags):
    root, out = site(tmp_path / "root", index="# Home\n\n[A part](part.md)\n", part="# Part\n"), tmp_path / "out"
    for edit in ("", "<!-- New. -->\n", None):
        site(root, **{"templates/base.html": BASE + edit} if edit is not None else {})
        if edit is None:
            (root / "templates/base.html").unlink()
        aged(root)
        before = stamps(out)
        assert build(root, out, *flags) == build(root, tmp_path / "fresh", "--no-cache", *flags)
        kept = {name for name, stamp in stamps(out).items() if before.get(name) == stamp}
        assert not before or {name for name in before.keys() - kept if ".html" not in name} == set()
    assert b"New." not in (out / "index.html").read_bytes()


def test_template_is_compiled_again_when_its_text_is_another_whatever_its_time_and_only_then(tmp_path, monkeypatch):
    root, out, compiled = site(tmp_path / "root", index="# Home\n"), tmp_path / "out", []
    compile_template = jinja2.Environment.compile

    def noted(*arguments: Any, **more: Any) -> Any:
        compiled.append(arguments[2])
        return compile_template(*arguments, **more)

    monkeypatch.setattr(jinja2.Environment, "compile", noted)
    template = root / "templates/base.html"
    for word in ("Anna", "Bert", "Cleo"):
        compiled.clear()
        site(root, **{"templates/base.html": f"{BASE}<!-- {word} -->\n"})
        os.utime(template, (1_700_000_000, 1_700_000_000))
        assert f"<!-- {word} -->".encode() in build(root, out)["index.html"]
        assert "base.html" in compiled
    assert compiled == ["base.html"]


def test_template_that_fails_leaves_the_last_good_site(tmp_path, capsys):
    root, out = site(tmp_path / "root", index="# Home\n", **{"templates/base.html": BASE}), tmp_path / "out"
    before = build(root, out)
    site(root, **{"templates/base.html": BASE + "{{ nope }}"})
    assert main(["build", "--root", str(root), "--out", str(out)]) == 1
    assert "templates/base.html" in capsys.readouterr().err
    assert {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_page_that_the_cache_has_lost_is_parsed_again_when_a_template_is_edited(tmp_path):
    root, out = (
        site(tmp_path / "root", index="# Home\n", part="# Part\n", **{"templates/base.html": BASE}),
        tmp_path / "out",
    )
    aged(root)
    build(root, out)
    (root / ".cache/loom/store.sqlite").unlink()
    site(root, **{"templates/base.html": BASE + "<!-- New. -->"})
    assert build(root, out) == build(root, tmp_path / "fresh", "--no-cache")


def test_link_to_a_heading_that_is_gone_is_found_though_its_page_was_not_edited(root, tmp_path, capsys):
    out = tmp_path / "out"
    before = build(root, out)
    (root / "content/part.md").write_text("# Part\n\nText.\n\n## Finish\n")
    aged(root)
    assert main(["build", "--root", str(root), "--out", str(out), "--jobs", "1"]) == 1
    told = capsys.readouterr().err
    assert "content/other.md:3" in told
    assert "content/index.md:3" in told
    assert {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_unchanged_site_is_left_alone_and_described_as_before(root, tmp_path, capsys):
    out = tmp_path / "out"
    build(root, out)
    first, before = capsys.readouterr().out, stamps(out)
    build(root, out)
    assert capsys.readouterr().out == first
    assert stamps(out) == before


def test_nothing_heavy_is_imported_to_see_that_nothing_is_to_do(root, tmp_path):
    out = tmp_path / "out"
    build(root, out)
    flags = ["build", "--root", str(root), "--out", str(out)]
    program = f"import sys; from loom.cli import main; main({flags}); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], cwd=OWN, capture_output=True, text=True, check=True)
    for heavy in ("numpy", "jinja2", "markdown_it", "yaml", "msgspec", "loom.build.pipeline", "loom.build.engine"):
        assert f"'{heavy}'" not in done.stdout


@pytest.mark.parametrize("harm", ["a file gone", "a file altered", "the folder gone"])
def test_folder_that_was_meddled_with_is_mended(root, tmp_path, harm):
    out = tmp_path / "out"
    whole = build(root, out)
    if harm == "the folder gone":
        shutil.rmtree(out)
    elif harm == "a file gone":
        (out / "other/index.html").unlink()
    else:
        (out / "other/index.html").write_text("<p>not Loom's")
    assert build(root, out) == whole


@pytest.mark.parametrize("damage", [b"", b"garbage", None], ids=["empty", "garbage", "cut"])
def test_damaged_cache_costs_only_time(root, tmp_path, damage):
    out = tmp_path / "out"
    whole = build(root, out)
    file = root / ".cache/loom/store.sqlite"
    raw = file.read_bytes()
    file.write_bytes(raw[: len(raw) // 2] if damage is None else damage)
    (root / "content/part.md").write_text(PAGES["part.md"] + "\nLater.\n")
    aged(root)
    assert build(root, out) == {**build(root, tmp_path / "anew", "--no-cache")} != whole


def test_edit_of_loom_itself_builds_everything_anew(root, tmp_path):
    """Run from a copy of Loom, into which another word is written."""
    copy = tmp_path / "loom-copy"
    for name in ("loom", "templates", "static", "build.py"):
        source = OWN / name
        copied = shutil.copytree if source.is_dir() else shutil.copy
        copied(source, copy / name) if source.is_dir() else (copy.mkdir(exist_ok=True), copied(source, copy / name))
    command = [sys.executable, str(copy / "build.py"), "--root", str(root), "--out", str(tmp_path / "out")]
    subprocess.run(command, check=True, capture_output=True)
    module = copy / "loom/markdown/dialect.py"
    module.write_text(module.read_text().replace('"Link to “{value}”"', '"Address of “{value}”"'))
    time.sleep(0.03)
    subprocess.run(command, check=True, capture_output=True)
    assert "Address of “End”" in (tmp_path / "out/part/index.html").read_text()
