"""Which module may import which, and how large anything may grow. Read LAYERS as the drawing of the generator."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import brotli
import pytest

from loom.paths import OWN
from loom.render.assets import read_assets

# The rooms of `loom/`, from the command line down to plain data: a module imports from its own and from those below.
LAYERS = (
    {"cli", "mkdocs", "sphinx"},  # the command line, and other generators
    {"commands"},
    {"dev", "guests", "lint", "notebook"},  # `serve` and `check`, and a scene where there is no site
    {"build"},
    {"render"},
    {"site"},
    {"markdown", "scenes"},
    {"arguments", "content", "options", "reporting", "scene"},
    {"draw"},
    {"wording"},  # from here on plain data, which seven floors part from the command line
    {"addresses", "errors", "model", "paths", "quantity"},
    {"expected"},
)
FLOORS = {room: floor for floor, rooms in enumerate(LAYERS) for room in rooms}
STARTER = OWN / "loom/dev/starter"  # a scene that is copied, never imported
MODULES = {
    path.relative_to(OWN / "loom").with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__"): path
    for path in sorted((OWN / "loom").rglob("*.py"))
    if STARTER not in path.parents
}
GENERATED = {"draw.metrics"}
SCENES = sorted(path for base in (OWN / "scenes", STARTER) for path in base.rglob("*.py") if path.name[:5] != "test_")
SCENE_PACKAGES = {"numpy", "ml_dtypes"}
CODE = [*(path for name, path in MODULES.items() if name not in GENERATED), OWN / "build.py", *SCENES]


def imports(path: Path) -> set[str]:
    """What a module imports, in a function or at its head, without the standard library."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
    return {name for name in found if name.split(".")[0] not in sys.stdlib_module_names}


def short(path: Path) -> str:
    return path.relative_to(OWN).as_posix()


def room(name: str) -> str:
    """The room that a module lies in: `loom.site.links` in `site`."""
    return name.removeprefix("loom.").split(".")[0]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "__init__"])
def test_every_arrow_leads_downwards(name):
    ours = {room(one) for one in imports(MODULES[name]) if one.startswith("loom.")} - {room(name)}
    assert {one for one in ours if FLOORS[one] <= FLOORS[room(name)]} == set()


def test_one_room_asks_for_another_above_it_by_name():
    asking = {name for name, path in MODULES.items() if 'import_module("loom' in path.read_text(encoding="utf-8")}
    assert asking == {"scene"}


def test_imports_make_no_circle():
    rest = {
        name: {one.removeprefix("loom.") for one in imports(path) if one.startswith("loom.")}
        for name, path in MODULES.items()
    }
    while rest:
        free = {name for name, needs in rest.items() if not needs & set(rest)}
        assert free, f"a circle among {sorted(rest)}"
        rest = {name: needs for name, needs in rest.items() if name not in free}


def test_loom_knows_nothing_of_its_scenes_or_its_content():
    words = [path.name for path in (OWN / "scenes").iterdir() if path.is_dir() and path.name[0] not in "._"]
    for name, path in MODULES.items():
        text = path.read_text(encoding="utf-8")
        assert "scenes" not in {one.split(".")[0] for one in imports(path)}, name
        # A scene may have the name of a thing that everybody speaks of, as `machine`.
        mention = {one: rf"\b{one.replace('_', '[-_]')}\b" if "_" in one else rf"[\"'`]{one}[\"'`]" for one in words}
        named = [word for word in words if re.search(mention[word], text)]
        assert not named, name


@pytest.mark.parametrize("path", SCENES, ids=short)
def test_scenes_import_numbers_and_the_drawing_vocabulary_only(path):
    foreign = {one for one in imports(path) if not one.startswith(".")}
    assert {one for one in foreign if one.split(".")[0] not in SCENE_PACKAGES} <= {"loom.scene", "loom.draw"}


@pytest.mark.parametrize("path", [path for path in SCENES if path.name == "model.py"], ids=short)
def test_model_of_a_scene_draws_nothing(path):
    assert "loom.draw" not in imports(path)


@pytest.mark.parametrize("path", CODE, ids=short)
def test_module_has_one_job_and_at_most_200_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 200


@pytest.mark.parametrize("path", CODE, ids=short)
def test_functions_have_at_most_40_lines(path):
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, kinds)]
    lines = {node.name: (node.end_lineno or 0) - node.lineno + 1 for node in functions}
    assert {name: count for name, count in lines.items() if count > 40} == {}


def test_pipeline_has_no_logic_of_its_own():
    functions = [
        node for node in ast.walk(ast.parse(MODULES["build.pipeline"].read_text())) if isinstance(node, ast.FunctionDef)
    ]
    assert max((node.end_lineno or 0) - node.lineno for node in functions) <= 30


@pytest.mark.parametrize("name", [name for name in MODULES if name not in GENERATED])
def test_module_and_its_public_names_say_what_they_are(name):
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    assert (ast.get_docstring(tree) or "").endswith((".", ".]"))
    public = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"]
    assert [node.name for node in public if not ast.get_docstring(node)] == []


@pytest.mark.parametrize("name", [name for name in MODULES if name not in GENERATED])
def test_nothing_reads_the_clock_or_draws_lots(name):
    modules = {"time", "random", "datetime", "secrets", "uuid"}
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    named = {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
    named |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    # A date as a type, from front matter and references; whether a file has changed so lately that it might again;
    # how long to wait for another site, and for how long its answer counts; for how long a scene may run.
    assert named & modules <= {
        "model": {"datetime"},
        "content.bibliography": {"datetime"},
        "build.files": {"time"},
        "build.limited": {"time"},
        "build.stamps": {"time"},
        "lint.external": {"time"},
        "dev.progress": {"time"},
    }.get(name, set())


@pytest.mark.parametrize("path", sorted((OWN / "static").rglob("*.js")), ids=short)
def test_script_has_at_most_200_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 200


def compressed(suffix: str) -> int:
    """What every page loads; the search page brings its own."""
    files = read_assets([OWN / "static"]).output
    return sum(len(brotli.compress(raw, quality=11)) for path, raw in files.items() if path.suffix == suffix)


def test_player_stays_a_few_kilobytes():
    assert compressed(".js") <= 8_000


def test_style_sheet_keeps_its_budget():
    assert compressed(".css") <= 12_000


def test_fonts_keep_their_budget():
    assert sum(path.stat().st_size for path in (OWN / "static").rglob("*.woff2")) <= 60_000
