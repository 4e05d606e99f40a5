"""Create a page, a scene or a site from Loom's starter files, with a few words replaced."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from loom.content.files import PAGE_NAME, content_folder
from loom.content.references import read_references
from loom.errors import LoomError, Problem
from loom.paths import PACKAGE

STARTER = PACKAGE / "dev/starter"
SCENE_NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*\Z")
EXAMPLE, SOURCE = "running-mean", "welford1962"  # the starter scene, and the reference that it cites
SOURCES = "content/references.yml"
PACKAGE_MARK = "scenes/__init__.py"  # without it, a scene called `signal` would shadow Python's own module in tests


def new_page(root: Path, name: str) -> list[str]:
    """Write `content/NAME.md`; return the lines to print."""
    name = name.removesuffix(".md")
    shown = f"content/{name}.md"
    if not PAGE_NAME.match(name) or any(part[0] in "._" for part in name.split("/")):
        hint = "use letters, digits, '-', '_' and '.' only, and '/' for folders; a part begins with a letter or digit"
        raise LoomError(Problem(shown, 0, 0, "this file name can't be an address", hint))
    content_folder(root)
    if (root / shown).exists():
        raise LoomError(Problem(shown, 0, 0, "this page is there already", "give another name"))
    title = ": ".join(map(_spoken, name.split("/")))
    words = {'"The title of the page"': json.dumps(title)}
    if name == "index":  # every page links to it
        words["draft: true\n"] = ""
    _copy(STARTER / "page.md", root / shown, words)
    return [
        f"made {shown}",
        "next: write its summary and its text; it is a draft until you delete the line 'draft: true'",
    ]


def new_scene(root: Path, name: str) -> list[str]:
    """Write a small scene with its test into `scenes/`; return the lines to print."""
    folder, name = name.replace("-", "_"), name.replace("_", "-")
    shown = f"scenes/{folder}"
    if not SCENE_NAME.match(name):
        hint = "use small letters, digits and '-', and begin with a letter"
        raise LoomError(Problem(shown, 0, 0, f"'{name}' can't be the name of a scene", hint))
    for path in (shown, f"scenes/{name}"):
        if (root / path).exists():
            raise LoomError(Problem(path, 0, 0, "this scene is there already", "give another name"))
    references = read_references(content_folder(root))
    source = SOURCE if SOURCE in references else next(iter(references), SOURCE)
    if not (root / PACKAGE_MARK).exists():
        _copy(STARTER / "site" / PACKAGE_MARK, root / PACKAGE_MARK, {})
    words = {EXAMPLE: name, EXAMPLE.replace("-", "_"): folder, SOURCE: source}
    words[_spoken(EXAMPLE)] = _spoken(name)  # in docstrings
    _copy(STARTER / "scene", root / shown, words)
    lines = [f"made {shown}/: model, drawing, scene and test", f"next: show it on a page with ':::{{scene}} {name}'"]
    if source not in references:
        entry = (STARTER / "site" / SOURCES).read_text(encoding="utf-8")
        lines += [f"it rests on a source that {SOURCES} lacks; write there:", *entry.splitlines()]
    elif source != SOURCE:
        lines.append(f"then put its own sources in the place of '{source}' in {shown}/scene.py")
    return lines


def new_site(folder: Path) -> list[str]:
    """Write a small site into a new or empty folder; return the lines to print."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise LoomError(Problem(str(folder), 0, 0, "something is there already", "name a new or an empty folder"))
    title = _spoken(folder.resolve().name)
    _copy(STARTER / "site", folder, {'"The title of the site"': json.dumps(title, ensure_ascii=False)})
    _copy(STARTER / "scene", folder / "scenes" / EXAMPLE.replace("-", "_"), {})
    first = f"made {folder}/: a page, a scene, a glossary and references"
    return [first, f"next: 'loom serve' in that folder, or 'python build.py serve --root {folder}' in Loom's"]


def _spoken(name: str) -> str:
    """A name as words."""
    return name.replace("-", " ").replace("_", " ").capitalize()


def _copy(source: Path, target: Path, words: Mapping[str, str]) -> None:
    """Copy a file or a folder, with words replaced in texts and in file names."""
    files = [path for path in sorted(source.rglob("*")) if path.is_file()] if source.is_dir() else [source]
    for path in files:
        if "__pycache__" in path.parts:
            continue
        text = _changed(path.read_text(encoding="utf-8"), words)
        written = target / _changed(path.relative_to(source).as_posix(), words)
        try:
            written.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise LoomError(Problem(str(written), 0, 0, f"this can't be written: {error.strerror}")) from None


def _changed(text: str, words: Mapping[str, str]) -> str:
    for old, new in words.items():
        text = text.replace(old, new)
    return text
