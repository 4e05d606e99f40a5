"""Find what has no effect in a site's own templates, style sheets and links to folders."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

import jinja2
from jinja2 import meta, nodes

from loom.errors import Problem
from loom.hints import suggest
from loom.options import Options
from loom.paths import INPUTS, OWN, files_in, is_ignored
from loom.render.style_sheet import MAIN, imported_sheets
from loom.render.templates import KINDS, environment

ELSEWHERE = "?"  # a template whose name is worked out when it is filled


def override_problems(options: Options) -> Iterator[Problem]:
    """Files of a site's `templates/` and `static/css/` that do nothing; those of Loom's own are all read."""
    yield from _unread_folders(options)
    yield from _unread_templates(options)
    yield from _unread_sheets(options)


def _unread_folders(options: Options) -> Iterator[Problem]:
    """Files where folders are expected, and links to folders, which are not followed: they may go in circles."""
    for name in INPUTS:
        place = options.root / name
        if place.is_file():
            yield Problem(name, 0, 0, "this is a file, and not read", f"make {name} a folder, or delete it", "unused")
        for folder, inner, _ in os.walk(place) if name != "scenes" else ():
            private = ("_",) if name == "content" else ()  # which is not read anyway
            inner[:] = sorted(one for one in inner if not (is_ignored(one) or one.startswith(private)))
            for one in (Path(folder, one) for one in inner):
                if one.is_symlink():
                    hint = "copy the folder, or link each of its files"
                    shown = one.relative_to(options.root).as_posix()
                    yield Problem(shown, 0, 0, "this link to a folder is not followed", hint, "unused")


def _site_files(options: Options, folder: str) -> dict[str, Path]:
    """The files of one of the site's own folders, by their paths in it."""
    place = options.root / folder
    return {} if place == OWN / folder or not place.is_dir() else dict(files_in(place))


def _unread_sheets(options: Options) -> Iterator[Problem]:
    """Style sheets that `static/css/main.css` does not import."""
    mine = _site_files(options, "static")
    sheets = imported_sheets(mine.get(MAIN, OWN / "static" / MAIN).read_bytes())
    for name in sorted(mine):
        if name.startswith("css/") and name != MAIN and name.removeprefix("css/") not in sheets:
            hint = f"import it in static/{MAIN}, or delete it"
            yield Problem(f"static/{name}", 0, 0, "no page has this style sheet", hint, "unused")


def _unread_templates(options: Options) -> Iterator[Problem]:
    """Templates that no page is made from, lists of phrases that are not read, and blocks without a place."""
    jinja, mine = environment(options.templates), _site_files(options, "templates")
    own = {name for name, _ in files_in(OWN / "templates")}
    trees: dict[str, nodes.Template] = {}
    for name in sorted(name for name in own | mine.keys() if name.endswith(KINDS)):
        with suppress(jinja2.TemplateError, UnicodeDecodeError, RecursionError):  # reported when it is filled
            assert jinja.loader
            trees[name] = jinja.parse(jinja.loader.get_source(jinja, name)[0])
    asked = {other for tree in trees.values() for other in meta.find_referenced_templates(tree)}
    stems = {PurePosixPath(name).stem for name in own}
    for name in sorted(mine.keys() - own):
        if name.startswith("words/") and not name.endswith(".yml"):
            hint = f"call it {PurePosixPath(name).with_suffix('.yml').name}"
            yield Problem(f"templates/{name}", 0, 0, "no phrases are read from this file", hint, "unused")
        elif name.endswith(KINDS) and not {name, None} & asked:  # None: a name that is worked out may be any
            hint = suggest(PurePosixPath(name).stem, stems, "include it in another, or delete it")
            yield Problem(f"templates/{name}", 0, 0, "no page is made from this template", hint, "unused")
    for name in sorted(mine.keys() & trees.keys()):
        yield from _lost_text(name, trees[name])
        yield from _lost_blocks(name, trees)


def _lost_text(name: str, tree: nodes.Template) -> Iterator[Problem]:
    """Where a template that extends another says something outside its blocks: it would be shown nowhere."""
    extends = [type(node) is nodes.Extends for node in tree.body]
    for node in tree.body[extends.index(True) :] if any(extends) else ():
        for said in node.nodes if isinstance(node, nodes.Output) else ():
            words = said.data if isinstance(said, nodes.TemplateData) else "{{ }}"
            if shown := words.lstrip():
                line = said.lineno + words[: -len(shown)].count("\n")
                message = "this is shown nowhere: it is outside the blocks"
                yield Problem(f"templates/{name}", line, 0, message, "put it into a block", "unused")
                return


def _lost_blocks(name: str, trees: Mapping[str, nodes.Template]) -> Iterator[Problem]:
    """Blocks of a template for which there is no place in what it extends: they would be shown nowhere."""
    places: set[str] = set()
    passed, above = {name}, _extended(trees[name])
    while above and above not in passed:  # templates may extend each other in a circle: reported when one is filled
        if above not in trees:  # missing, or known only when it is filled
            return
        places |= {block.name for block in trees[above].find_all(nodes.Block)}
        passed.add(above)
        above = _extended(trees[above])
    for block in trees[name].body if places else ():
        if isinstance(block, nodes.Block) and block.name not in places:
            message = f"the block '{block.name}' is shown nowhere: no template that this one extends has it"
            yield Problem(f"templates/{name}", block.lineno, 0, message, suggest(block.name, places), "unused")


def _extended(tree: nodes.Template) -> str:
    """The template that one extends; empty: none."""
    found = next(iter(tree.find_all(nodes.Extends)), None)
    if not found:
        return ""
    return str(found.template.value) if isinstance(found.template, nodes.Const) else ELSEWHERE
