"""Loom's own templates are compiled once for all processes, as modules are; those of a site leave no code on disk."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import jinja2
import pytest

from loom.paths import OWN
from loom.render.compiled import CompiledTemplates, compiled_file
from loom.render.templates import environment

LISTS = OWN / "templates/lists.html"


@pytest.fixture
def compiled(tmp_path, monkeypatch) -> list[str]:
    """The names of the templates that are compiled from now on; compiled files go to an empty folder."""
    found: list[str] = []
    compile_template = jinja2.Environment.compile

    def noted(*arguments: Any, **more: Any) -> Any:
        found.append(arguments[2])
        return compile_template(*arguments, **more)

    monkeypatch.setattr(jinja2.Environment, "compile", noted)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "pycache"))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return found


def load(name: str, *folders: Path) -> jinja2.Template:
    """A template as a new process loads it, which remembers nothing."""
    jinja = environment.__wrapped__(folders)
    jinja.bytecode_cache = CompiledTemplates()
    return jinja.get_template(name)


def kept() -> Path:
    path = compiled_file(LISTS)
    assert path
    return path


def test_second_process_finds_what_the_first_has_compiled(compiled):
    load("lists.html", OWN / "templates")
    assert compiled == ["lists.html"]
    assert load("lists.html", OWN / "templates").filename == str(LISTS)
    assert compiled == ["lists.html"]


@pytest.mark.parametrize("damage", [lambda raw: raw[:-1], lambda raw: raw[:9], lambda raw: b"",
                                    lambda raw: raw[:200] + bytes([raw[200] ^ 1]) + raw[201:]])  # fmt: skip
def test_damaged_file_is_compiled_anew_and_mended(compiled, damage):
    load("lists.html", OWN / "templates")
    whole = kept().read_bytes()
    kept().write_bytes(damage(whole))
    load("lists.html", OWN / "templates")
    assert compiled == ["lists.html"] * 2
    assert kept().read_bytes() == whole
    assert [one.name for one in kept().parent.iterdir()] == [kept().name]


def test_code_of_another_text_or_another_jinja_is_not_used(compiled, monkeypatch):
    load("lists.html", OWN / "templates")
    for other, value in (("loom.render.compiled.SETTINGS", {}), ("jinja2.__version__", "0")):
        with monkeypatch.context() as patch:
            patch.setattr(other, value)
            load("lists.html", OWN / "templates")
    assert compiled == ["lists.html"] * 3
    words = environment((OWN / "templates",)).loader.get_source
    with monkeypatch.context() as patch:
        patch.setattr(jinja2.FileSystemLoader, "get_source", lambda self, *of: ("other", *words(*of)[1:]))
        assert load("lists.html", OWN / "templates").render() == "other"


def test_template_of_a_site_leaves_no_code_on_disk(compiled, tmp_path):
    own = tmp_path / "templates"
    own.mkdir()
    (own / "lists.html").write_text("mine")
    assert [load("lists.html", own, OWN / "templates").render() for _ in range(2)] == ["mine"] * 2
    assert compiled == ["lists.html"] * 2
    assert not (tmp_path / "pycache").exists()


def test_nothing_is_written_where_python_keeps_no_modules_or_may_not(compiled, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    load("lists.html", OWN / "templates")
    assert not (tmp_path / "pycache").exists()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "pycache").write_text("a file, where a folder has to be made")
    load("lists.html", OWN / "templates")
    assert compiled == ["lists.html"] * 2
