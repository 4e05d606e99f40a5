"""Which module may import which, and size limits. LAYERS is the structure of the generator."""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path

import brotli

from loom.addresses import is_on_demand
from loom.paths import OWN
from loom.render.assets import read_assets

# The rooms (folders) of `loom/`, from the command line down: a module imports from its own room and from those below.
LAYERS = (
    {"cli", "mkdocs", "sphinx"},  # the command line, and other generators
    {"dev", "embedding", "lint", "notebook"},  # `serve` and `check`, and a scene where there is no site
    {"build"},
    {"render"},
    {"site"},
    {"markdown", "scenes"},
    {"content", "options", "reporting", "scene"},
    {"draw"},
    # From here down plain data and small functions.
    {"addresses", "claims", "digest", "errors", "expected", "hints", "model", "paths", "progress", "quantity"},
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

# `see `name`` in this module, the path of a file, or a module, perhaps with what is in it.
REFERENCE = re.compile(
    r"\bsee `(?P<name>\w+)`|\b(?P<file>(?:loom|static|templates)/[\w/]+\.(?:py|js|css|html))\b"
    r"|(?<!from )(?<!import )\bloom\.(?P<module>[a-z]\w*(?:\.\w+)+)"
)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> frozenset[str]:
    """What a module imports, in a function or at its head, without the standard library."""
    found = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
    return frozenset(name for name in found if name.split(".")[0] not in sys.stdlib_module_names)


def short(path: Path) -> str:
    return path.relative_to(OWN).as_posix()


def named(tree: ast.Module) -> set[str]:
    """The modules that a module names whole, or takes something from."""
    found = {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
    return found | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


def room(name: str) -> str:
    """The room that a module lies in: `loom.site.links` in `site`."""
    return name.removeprefix("loom.").split(".")[0]


def test_every_arrow_leads_downwards():
    arrows = {
        (name, room(one))
        for name in MODULES.keys() - {"__init__"}
        for one in imports(MODULES[name])
        if one.startswith("loom.") and room(one) != room(name)
    }
    assert arrows
    assert {(name, one) for name, one in arrows if FLOORS[one] <= FLOORS[room(name)]} == set()


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


def test_scenes_import_numbers_and_the_drawing_vocabulary_only():
    foreign = {(short(path), one) for path in SCENES for one in imports(path) if not one.startswith(".")}
    known = {"loom.scene", "loom.draw"}
    assert foreign
    assert {
        (path, one) for path, one in foreign if one.split(".")[0] not in SCENE_PACKAGES and one not in known
    } == set()


def test_model_of_a_scene_draws_nothing():
    models = [path for path in SCENES if path.name == "model.py"]
    assert models
    assert [short(path) for path in models if "loom.draw" in imports(path)] == []


def test_module_has_one_job_and_at_most_200_lines():
    lines = {short(path): len(path.read_text(encoding="utf-8").splitlines()) for path in CODE}
    assert {path: count for path, count in lines.items() if count > 200} == {}


def test_file_of_tests_has_at_most_300_lines():
    files = [path for folder in ("tests", "scenes") for path in (OWN / folder).rglob("test_*.py")]
    assert [short(path) for path in files if len(path.read_text("utf-8").splitlines()) > 300] == []


def test_functions_have_at_most_40_lines():
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = [(short(path), node) for path in CODE for node in ast.walk(parsed(path)) if isinstance(node, kinds)]
    lines = [(path, node.name, (node.end_lineno or 0) - node.lineno + 1) for path, node in functions]
    assert [one for one in lines if one[2] > 40] == []


def test_pipeline_has_no_logic_of_its_own():
    functions = [node for node in ast.walk(parsed(MODULES["build.pipeline"])) if isinstance(node, ast.FunctionDef)]
    assert max((node.end_lineno or 0) - node.lineno for node in functions) <= 30


def test_modules_and_their_public_names_say_what_they_are():
    trees = {name: parsed(MODULES[name]) for name in MODULES.keys() - GENERATED}
    silent = [name for name, tree in trees.items() if not (ast.get_docstring(tree) or "").endswith((".", ".]"))]
    assert silent == []
    functions = [
        (name, node) for name, tree in trees.items() for node in tree.body if isinstance(node, ast.FunctionDef)
    ]
    assert [(name, node.name) for name, node in functions if node.name[0] != "_" and not ast.get_docstring(node)] == []


def test_what_a_comment_or_a_docstring_refers_to_is_there():
    lost = []
    for name, path in MODULES.items():
        text = path.read_text("utf-8")
        for found in REFERENCE.finditer(text):
            if found["name"] and text.count(found["name"]) == 1:
                lost.append(f"{name}: {found[0]}")
            if found["file"] and not (OWN / found["file"]).is_file():
                lost.append(f"{name}: {found[0]}")
            if (module := found["module"]) and module not in MODULES:
                home, _, thing = module.rpartition(".")
                if home not in MODULES or not re.search(rf"\b{thing}\b", MODULES[home].read_text("utf-8")):
                    lost.append(f"{name}: {found[0]}")
    assert lost == []


def test_nothing_reads_the_clock_or_draws_lots():
    modules = {"time", "random", "datetime", "secrets", "uuid"}
    asking = {name: clocks for name in MODULES.keys() - GENERATED if (clocks := named(parsed(MODULES[name])) & modules)}
    # A date as a type, from front matter and references; whether a file has changed so lately that it might again;
    # how long to wait for another site, and for how long its answer counts; for how long a scene may run.
    assert asking == {
        "model": {"datetime"},
        "content.bibliography": {"datetime"},
        "build.files": {"time"},
        "build.process_pool": {"time"},
        "build.stamps": {"time"},
        "lint.external": {"time"},
        "dev.progress": {"time"},
    }


def test_script_has_at_most_200_lines():
    scripts = [path for folder in ("static", "loom") for path in (OWN / folder).rglob("*.js")]
    lines = {short(path): len(path.read_text("utf-8").splitlines()) for path in scripts}
    assert lines
    assert {path: count for path, count in lines.items() if count > 200} == {}


def compressed(suffix: str) -> int:
    """What every page loads; the search page and long lists bring their own."""
    files = {path: raw for path, raw in read_assets([OWN / "static"]).output.items() if not is_on_demand(path)}
    return sum(len(brotli.compress(raw, quality=11)) for path, raw in files.items() if path.suffix == suffix)


def test_player_stays_a_few_kilobytes():
    assert compressed(".js") <= 8_000


def test_style_sheet_keeps_its_budget():
    assert compressed(".css") <= 12_000


def test_fonts_keep_their_budget():
    assert sum(path.stat().st_size for path in (OWN / "static").rglob("*.woff2")) <= 60_000
