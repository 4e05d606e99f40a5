"""The documentation is a site of its own: it builds, passes `check`, and says what is so."""

from __future__ import annotations

import ast
import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from loom.cli import main
from loom.cli.arguments import COMMANDS
from loom.content.records import DERIVED, record
from loom.content.yaml_nodes import yaml_node
from loom.dev.starter.scene.scene import SCENE as STARTED
from loom.model import Config, Reference, Term
from loom.paths import OWN, PACKAGE
from tests.vocabulary import SEEN_IN_NO_PICTURE, options, pieces, used

DOCS = OWN / "docs"
PAGES = DOCS / "content"
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
SHOWN = re.compile(r"^```python\n((?:(?!```).*\n)*)```\n\n:::\{scene\} (\S+)$", re.M)


def page(name: str) -> str:
    return (PAGES / f"{name}.md").read_text(encoding="utf-8")


EXAMPLES = SHOWN.findall(page("drawing") + page("plots"))


def test_documentation_passes_check(capsys):
    assert main(["check", "--root", str(DOCS), "--jobs", "1", "--no-cache"]) == 0, capsys.readouterr().err


def test_page_on_the_architecture_is_the_file_that_readers_of_the_source_find():
    assert (PAGES / "architecture.md").samefile(DOCS / "architecture.md")


def test_scene_of_the_tutorial_passes_its_test():
    own = ("--rootdir", ".", "-c", os.devnull, "-p", "no:cacheprovider", "-p", "no:xdist")  # `scenes` are Loom's, too
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", *own, "scenes"], cwd=DOCS, text=True, check=False,
                          env=os.environ | {"PYTHONPATH": str(OWN)}, capture_output=True, timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["model.py", "drawing.py", "scene.py", "test_coffee.py"])
def test_tutorial_shows_the_files_that_its_scene_is_made_of(name):
    shown = page("tutorial").split(f'{{caption="scenes/coffee/{name}"}}\n```python\n')[1].split("\n```\n")[0]
    assert f"{shown}\n" == (DOCS / "scenes/coffee" / name).read_text(encoding="utf-8")


def test_lines_for_other_generators_show_the_scene_of_a_new_site_in_a_state_that_it_has():
    said = page("elsewhere").split("## Scenes in Sphinx and MkDocs")[1]
    assert said.count("running-mean") == 3
    for name, value in re.findall(r":(\w+): (\d+)", said):
        assert name == "step" or int(value) in STARTED.param(name).values


@pytest.mark.parametrize(("code", "scene"), EXAMPLES)
def test_every_piece_is_shown_with_the_code_that_drew_it(code, scene):
    source = (DOCS / "scenes" / scene.replace("-", "_") / "scene.py").read_text(encoding="utf-8")
    (example,) = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    assert code.strip() == ast.get_source_segment(source, example)


def test_every_piece_of_the_drawing_vocabulary_has_its_picture():
    shown = set().union(*(used(code) for code, _ in EXAMPLES))
    assert sorted(pieces() - shown) == []
    assert sorted(options() - shown) == []


def test_what_is_seen_in_no_picture_is_told():
    told = page("drawing") + page("plots")
    assert [name for name in sorted(SEEN_IN_NO_PICTURE) if f"`{name}`" not in told and f"`@{name}`" not in told] == []


def test_language_page_shows_each_source_as_it_is_rendered():
    text = page("language")
    sources = [code for caption, code in zip(*_captioned(text), strict=True) if caption == "you write"]
    assert len(sources) >= 8
    assert [code for code in sources if text.count(code) < 2] == []


def _captioned(text: str) -> tuple[list[str], list[str]]:
    found = re.findall(r'^\{caption="([^"]+)"\}\n```markdown\n(.*?)^```$', text, re.M | re.S)
    return [caption for caption, _ in found], [code for _, code in found]


def test_errors_that_are_explained_are_those_that_loom_tells():
    said = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    headings = [one for line in re.findall("^## (.*)", page("errors"), re.M) for one in re.findall('"([^"]+)"', line)]
    parts = [part.strip(" ,") for heading in headings for part in heading.split("…")]
    assert len(parts) > 10
    assert [part for part in parts if part and part not in said] == []


def test_every_command_of_the_readme_and_the_documentation_exists():
    texts = [path.read_text(encoding="utf-8") for path in (OWN / "README.md", *PAGES.glob("*.md"))]
    used = {name for text in texts for name in re.findall(r"(?:^|`)(?:python build\.py|loom) ([a-z]+)", text, re.M)}
    assert {"build", "serve", "check", "new"} <= used <= set(COMMANDS)


def test_what_an_entry_of_the_glossary_or_a_source_must_have_is_told():
    named = re.search(r"^Terms stand in .*$", page("language"), re.M)
    assert named
    for kind in (Term, Reference):
        fields = [one for one in dataclasses.fields(kind) if one.name not in DERIVED]
        needed = [one.name for one in fields if one.default is one.default_factory is dataclasses.MISSING]
        assert [name for name in needed if f"`{name}`" not in named[0]] == []


def test_every_setting_of_a_site_is_told():
    section = page("howto").split("\n## … know what `site.yml` may say?\n")[1].split("\n## ")[0]
    named = {name for row in section.splitlines() for name in re.findall(r"`(\w+)`", row[: row.find(" |", 2)])}
    assert named == {field.name for field in dataclasses.fields(Config) if field.name not in DERIVED}


def test_file_that_gives_a_site_its_colours_is_where_it_is_said_to_be():
    named = set(re.findall(r"`(static/css/\w+\.css)`", page("howto")))
    assert named == {"static/css/tokens.css", "static/css/main.css"}
    assert [name for name in named if not (OWN / name).is_file()] == []


def test_every_setting_of_the_documentation_can_be_written_as_it_stands_there():
    keys = "|".join(field.name for field in dataclasses.fields(Config))
    texts = [path.read_text(encoding="utf-8") for path in PAGES.glob("*.md")]
    settings = sorted({one for text in texts for one in re.findall(rf"`((?:{keys}): [^`]+)`", text)})
    assert len(settings) >= 7
    for one in settings:
        assert record(Config, yaml_node(one, "site.yml"), "site.yml") != Config(), one


DECIDED = re.compile(r"^\| .*? \| `(?P<file>[\w./]+)` \| (?P<names>`.*`) \|$", re.M)


def lies(name: str) -> Path | None:
    """The file or folder that the architecture calls so: of `loom/`, or of the repository."""
    return next((place for base in (PACKAGE, OWN) if (place := base / name).exists()), None)


def test_architecture_names_every_module_and_only_files_that_exist():
    text = page("architecture")
    named = set(re.findall(r"`([\w][\w./]*(?:/|\.(?:py|js|css|html|yml)))`", text))
    modules = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if path.name != "__init__.py"}
    scripts = {path.relative_to(OWN).as_posix() for path in (OWN / "static/player").glob("*.js")}
    assert sorted({one for one in modules | scripts if not one.startswith("dev/starter/")} - named) == []
    short = {path.name for path in PACKAGE.rglob("*.py")}  # in prose, where the folder is told besides
    assert sorted(one for one in named if not lies(one) and one not in short) == []


def test_architecture_leads_from_a_behaviour_to_a_name_that_is_in_the_file():
    tables = page("architecture").split("\n## Where is it decided?\n")[1]
    rows = [line for line in tables.splitlines() if line[:2] == "| " and line != "| what | where | function or name |"]
    found = list(DECIDED.finditer(tables))
    assert len(found) > 150
    assert sorted(set(rows) - {one[0] for one in found}) == []
    lost = []
    for one in found:
        file = lies(one["file"])
        said = file.read_text(encoding="utf-8") if file else ""
        for name in re.findall("`([^`]+)`", one["names"]):
            parts = name.split(".")  # `Reference.short` is `short` of `Reference`
            if not all(re.search(rf"(?<![\w-]){re.escape(part)}(?![\w-])", said) for part in parts):
                lost.append(f"{one['file']}: {name}")
    assert lost == []
