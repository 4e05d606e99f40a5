"""Which module may import which, and how large anything may grow. Read MAP as the drawing of the generator."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import brotli
import pytest

from loom.assets import read_assets
from loom.own import OWN

# Modules of ours | packages of others. Nouns first, then what each stage is made of, then who sees the stages.
MAP = {
    "__init__": "",
    "markup": "",
    "checks": "",
    "deploy": "",
    "author": "",
    "errors": "",
    "model": "",
    "address": "",
    "own": "",
    "clutter": "",
    "tree": "clutter errors unseen",
    "problems": "errors",
    "quantity": "",
    "deploy.palette": "",
    "draw.marks": "",
    "draw.metrics": "",
    "draw.text": "draw.metrics",
    "draw.pen": "draw.marks draw.text",
    "draw.annotate": "draw.marks draw.pen draw.text",
    "draw.axes": "draw.marks draw.pen quantity",
    "draw.bars": "draw.marks draw.pen",
    "draw.cells": "draw.marks draw.pen",
    "draw.lanes": "draw.marks draw.pen",
    "draw.extent": "draw.marks draw.text",
    "draw": "draw.annotate draw.axes draw.bars draw.cells draw.lanes draw.marks draw.pen draw.text quantity",
    "scene": "draw.marks quantity",
    "blocks": "model",
    "frames": "draw.marks scene",
    "markup.tokens": "| markdown_it",
    "svg": "draw.marks | markupsafe",
    "unseen": "",
    "records": "errors unseen | msgspec yaml",
    "states": "errors scene",
    # read
    "load": "address errors model records tree unseen",
    "markup.formula": "errors | latex2mathml",
    "markup.syntax": "errors | markdown_it mdit_py_plugins",
    "markup.markdown": "errors markup.formula markup.syntax markup.tokens | markdown_it markupsafe mdit_py_plugins"
    " pygments",
    "markup.sentences": "blocks markup.tokens | markdown_it",
    "markup.roles": "blocks errors markup.tokens | markdown_it",
    "markup.fragments": "blocks errors markup.roles markup.sentences markup.syntax markup.tokens | markdown_it"
    " markupsafe",
    "markup.outline": "blocks errors markup.tokens | markdown_it",
    "markup.parse": "blocks errors markup.fragments markup.markdown markup.outline markup.sentences markup.syntax"
    " markup.tokens model | markdown_it",
    # compute
    "discover": "errors scene",
    "encode": "discover draw.marks errors frames scene",
    "inspection": "discover draw.extent draw.marks errors frames scene | brotli",
    "compute": "discover draw.extent draw.marks encode errors frames inspection scene",
    # weave
    "face": "address blocks model",
    "web": "blocks discover errors face frames model",
    "links": "address errors face markup.markdown scene states web",
    "mentions": "blocks errors model quantity web | markupsafe",
    "values": "address blocks errors quantity scene states web",
    "weave": "address blocks errors figure links mentions values web | markupsafe",
    # render
    "assets": "address clutter errors model | rcssmin rjsmin",
    "figure": "blocks compute discover errors frames scene states svg | markupsafe",
    "deploy.easel": "assets cache deploy.palette | fontTools resvg_py",
    "templates": "address assets errors model | jinja2",
    "layout": "assets deploy.easel deploy.feed model templates web | jinja2",
    "render": "address figure layout model templates web",
    "gallery": "compute discover frames layout model scene states svg templates | markupsafe",
    # a page's own files, and those beside all pages
    "twins": "address blocks errors figure layout links markup.markdown markup.roles model values | markdown_it",
    "deploy.cards": "assets blocks draw.text errors figure layout model templates | markupsafe",
    "page_files": "address assets deploy.cards figure frames layout model render twins web",
    "deploy.feed": "face model web",
    "deploy.sitemap": "deploy.feed model web",
    "deploy.llms": "address model web",
    "deploy.webmanifest": "model",
    "deploy.headers": "model",
    "deploy.missing": "layout model templates",
    "deploy.beside": "deploy.feed deploy.headers deploy.llms deploy.missing deploy.sitemap deploy.webmanifest layout"
    " model",
    "deploy.search": "address errors face layout model templates web | markupsafe pagefind",
    # out
    "cache": "",
    "page_cache": "cache model",
    "leavings": "",
    "locks": "",
    "ledger": "clutter leavings own",
    "checks.html_content": "",
    "checks.html_reader": "checks.html_content errors",
    "checks.page_rules": "address checks.html_reader errors",
    "checks.link_rules": "checks.html_reader errors",
    "checks.picture_rules": "errors model",
    "checks.origins": "errors",
    "checks.check": "address checks.html_reader checks.link_rules checks.page_rules checks.picture_rules errors model"
    " | brotli",
    "checks.site_rules": "errors face model web",
    "checks.arithmetic": "quantity",
    "checks.claims": "blocks checks.arithmetic errors quantity",
    "checks.fetch": "",
    "checks.external": "blocks checks.fetch errors model",
    "deploy.compress": "model | brotli",
    "write": "errors leavings locks model",
    "author.serve": "address deploy.headers errors model",
    "author.excerpt": "errors",
    # everything: the pipeline, and what its workers do
    "options": "errors own templates",
    "crew": "errors options",
    "author.progress": "",
    "work": "blocks compute discover errors face frames layout markup.parse model page_files weave web",
    "scenes": "cache compute crew discover errors frames work",
    "stock": "blocks crew errors face layout model page_cache work",
    "patch": "address assets deploy.easel errors face layout model page_cache page_files templates weave web work",
    "repaint": "address crew deploy.beside errors layout model options page_cache patch templates web work",
    "places": "address errors face model",
    "pipeline": "address assets crew deploy.beside deploy.easel deploy.search discover errors gallery layout load"
    " model options page_files patch places scenes stock templates weave web",
    "checks.review": "checks.check checks.claims checks.external checks.origins checks.site_rules errors markup.parse"
    " model options pipeline",
    "update": "deploy.compress ledger load model options page_cache patch pipeline repaint write",
    "author.edits": "options | watchfiles",
    "author.live": "assets author.edits deploy.search discover errors load model options page_cache patch pipeline"
    " web work",
    "author.dev": "address author.edits author.excerpt author.live author.serve errors model own write",
    "data": "compute discover errors options scene states",
    "author.new": "errors load own tree",
    "arguments": "loom",
    "cli": "arguments author.dev author.live author.new author.progress checks.external checks.review crew data"
    " errors ledger options own problems update",
}
STAGES = {"load", "markup.parse", "compute", "weave", "render", "checks.check", "write", "author.serve"}
# What one stage may know of another, and why; no more of these. What weave hands to render is a noun of web.
KNOWN = {
    ("figure", "compute"): "the opening state is drawn as every other: states_of, frame_of",
    ("gallery", "compute"): "it draws a scene's states as figures do",
    ("page_files", "render"): "a page's HTML is one of its files",
}
STARTER = OWN / "loom/author/starter"  # a scene that is copied, never imported
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


def test_every_module_is_on_the_map():
    assert set(MODULES) == set(MAP)


@pytest.mark.parametrize("name", MODULES)
def test_imports_follow_the_map(name):
    ours, _, others = MAP[name].partition("|")
    found = imports(MODULES[name])
    assert {one.removeprefix("loom.") for one in found if one.startswith("loom")} == set(ours.split())
    assert {one.split(".")[0] for one in found if not one.startswith("loom")} == set(others.split())


def test_no_stage_imports_another_beyond_what_is_known():
    allowed = {
        "pipeline",
        "work",
        "scenes",
        "stock",
        "patch",
        "repaint",
        "update",
        "author.live",
        "author.dev",
        "checks.review",
        "cli",
        "data",
        "author.new",
    }
    found = {(name, one) for name in set(MAP) - allowed for one in set(MAP[name].split()) & STAGES}
    assert found == set(KNOWN)


def test_imports_make_no_circle():
    rest = {name: set(ours.partition("|")[0].split()) for name, ours in MAP.items()}
    while rest:
        free = {name for name, needs in rest.items() if not needs & set(rest)}
        assert free, f"a circle among {sorted(rest)}"
        rest = {name: needs for name, needs in rest.items() if name not in free}


def test_loom_knows_nothing_of_its_scenes_or_its_content():
    words = [path.name for path in (OWN / "scenes").iterdir() if path.is_dir() and path.name[0] not in "._"]
    for name, path in MODULES.items():
        text = path.read_text(encoding="utf-8")
        assert "scenes" not in {one.split(".")[0] for one in imports(path)}, name
        named = [word for word in words if re.search(rf"\b({word}|{word.replace('_', '-')})\b", text)]
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
        node for node in ast.walk(ast.parse(MODULES["pipeline"].read_text())) if isinstance(node, ast.FunctionDef)
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
    # A date as a type, from front matter; whether a file has changed so lately that it might again; how long to wait
    # for another site, and for how long its answer counts.
    assert named & modules <= {
        "model": {"datetime"},
        "ledger": {"time"},
        "checks.external": {"time"},
        "author.progress": {"time"},
    }.get(name, set())


def compressed(suffix: str) -> int:
    """What every page loads; the search page brings its own."""
    files = read_assets([OWN / "static"]).output
    return sum(len(brotli.compress(raw, quality=11)) for path, raw in files.items() if path.suffix == suffix)


def test_player_stays_a_few_kilobytes():
    assert compressed(".js") <= 6_000


def test_style_sheet_keeps_its_budget():
    assert compressed(".css") <= 10_000


def test_fonts_keep_their_budget():
    assert sum(path.stat().st_size for path in (OWN / "static").rglob("*.woff2")) <= 50_000
