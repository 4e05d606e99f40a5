"""The schemas that editors check by say what Loom says: of every entry of its own site, and of mistakes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date

import pytest
import yaml
from jsonschema import Draft202012Validator, FormatChecker

from loom.cli import main
from loom.cli.arguments import SCHEMAS
from loom.content.schema import KINDS, schema
from loom.content.source import FRONT
from loom.paths import OWN
from tests.sites import faults, site

CONTENT = OWN / "content"
FILES = {"site": "site.yml", "glossary": "glossary.yml", "references": "references.yml"}
YEAR = "- {id: a, title: T, authors: A, year: old, kind: k, url: u, area: b, takes: t}\n"
WRONG = {
    "site": ("titel: Tea\n", "claims: perhaps\n", "units: tokens\n", "rules: {headng: false}\n",
             "math: {macro: {R: x}}\n"),
    "glossary": ("- term: Tea\n", "- definition: hot\n  term: Tea\n  line: 3\n", "term: Tea\n"),
    "references": ("- id: a\n  title: T\n", YEAR),
    "page": ("order: first\n", "draft: 3\n", "title: [Tea]\n"),
}  # fmt: skip


def plain(found):
    """YAML as JSON has it: days are words."""
    if isinstance(found, dict):
        return {name: plain(one) for name, one in found.items()}
    return (
        [plain(one) for one in found] if isinstance(found, list) else str(found) if isinstance(found, date) else found
    )


def holds(kind: str, text: str) -> bool:
    checker = Draft202012Validator(schema(kind), format_checker=FormatChecker())
    return checker.is_valid(plain(yaml.safe_load(text)))


def test_command_prints_the_schema(capsys):
    assert main(["schema", "glossary"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(schema("glossary")))
    assert set(SCHEMAS) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_schema_is_one(kind):
    Draft202012Validator.check_schema(schema(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_schema_says_of_each_key_what_it_is_for(kind):
    told = schema(kind)
    keys = told.get("items", told)["properties"]
    assert keys and all(one["description"].endswith(".") for one in keys.values())


def test_front_matter_of_other_generators_holds_as_far_as_loom_reads_it():
    assert holds("page", "description: Tea\nweight: 3\nlinkTitle: T\npublished: false\n")
    assert not holds("page", "layout: wide\n")  # which `check` tells as well


@pytest.mark.parametrize("folder", ["docs/content", "examples/swings/content", "loom/dev/starter/site/content"])
@pytest.mark.parametrize(("kind", "file"), FILES.items())
def test_files_of_other_sites_hold(folder, kind, file):
    path = OWN / folder / file
    assert path.exists() and holds(kind, path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("kind", "file"), FILES.items())
def test_files_of_loom_s_own_site_hold(kind, file):
    assert holds(kind, (CONTENT / file).read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", sorted(path.name for path in CONTENT.glob("*.md")))
def test_front_matter_of_loom_s_own_pages_holds(page):
    assert holds("page", FRONT.match((CONTENT / page).read_text(encoding="utf-8")).group(1))


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in WRONG.items() for text in texts])
def test_what_loom_refuses_the_schema_refuses(tmp_path, kind, text):
    assert not holds(kind, text)
    pages = {FILES[kind]: text} if kind in FILES else {}
    front = f"---\n{text}---\n" if kind == "page" else ""
    assert faults(site(tmp_path, index=f"{front}# Home\n", **pages))


@pytest.mark.parametrize("command", [["schema", "site"], ["data", "online-softmax"]])
def test_who_stops_listening_is_told_nothing_more(command):
    reads, writes = os.pipe()
    os.close(reads)
    program = [sys.executable, "build.py", *command]
    ran = subprocess.run(program, cwd=OWN, stdout=writes, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writes)
    assert (ran.returncode, ran.stderr) == (141, "")
