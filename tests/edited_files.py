"""The files of a small site that is given as plain values, see tests/edits.py."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from loom.paths import OWN

Thing = Mapping[str, str]
FRONT = ("title", "nav", "order", "summary", "date", "listed", "draft", "front")
DRAWN = """\
{python}
from loom.draw import Box, Pen
from loom.scene import Column, Range, Scene, Table, Value

from .model import size


def steps(count):
    return [(count, at) for at in range(count)]


def draw(state, width):
    pen = Pen(width)
{draw}    yield pen.rect("bar", Box(0, 20, 9 * size(state[0]) / (9 + state[1]), 12), "{role}")


def say(state):
    return f"{say} {{state[1] + 1}} of {{state[0]}}."


def table(count):
    return Table((Column("at", "step"),), [(at,) for at in range(count)])


SCENE = Scene(
    title="{title}", summary="A bar.", leaves_out="All.", sources=("{sources}",),
    params=(Range("count", "n", ({counts})),), steps=steps, draw=draw, say=say, table=table,
    values=lambda count: {{"size": Value(size(count)), "total": Value(4)}},
)
"""
MODEL = """\
from pathlib import Path

from .._shared.numbers import SIZE
{reads}

DATA = int(Path(__file__).with_name("data.txt").read_text())
FACTOR = {factor}


def size(count):
    return SIZE * FACTOR * count + DATA + MORE
"""
READS = {
    "": "MORE = 0",
    "a scene": "from ..bars.model import FACTOR as MORE",
    "a module": "from ..common import MORE",
    "a test's data": "MORE = int(Path(__file__).with_name('test_more.txt').read_text())",
    "hidden data": "MORE = int(Path(__file__).with_name('.more').read_text())",
}
GLOSSARY = """\
- {{term: Warp, aliases: {aliases}, definition: {definition}, sources: {sources}, scene: '{scene}'}}
- {{term: {second}, definition: What one request moves.}}
{entry}
"""
WORK = (
    "- {{id: {}, title: {}, authors: '{}', year: {}, url: 'https://example.org/', kind: blog, area: a, takes: It.}}\n"
)


def files_of(site: Mapping[str, Thing]) -> dict[str, str]:
    """The files of a site, by their paths in its folder."""
    return {path: text for name, thing in site.items() for path, text in _files(name, thing)}


def _files(name: str, thing: Thing) -> Iterator[tuple[str, str]]:
    if name == "scenes/_shared":
        yield f"{name}/numbers.py", f"{thing['python']}\nSIZE = {thing['size']}\n"
    elif name.startswith("scenes/"):
        yield from _scene(name, thing)
    elif name.startswith("templates/"):
        yield name, f"{_own(name)}{{# #}}<!-- {thing['text']} -->{thing['jinja']}\n"
    elif name.startswith("static/css/"):
        colour = thing["text"].lower().encode().hex()[:6].ljust(6, "0")  # of pages and of cards
        yield name, f"{_own(name)}\n:root {{ --paper: #{colour} }}\n{thing['css']}"
    elif name.startswith("static/"):
        yield name, thing["text"]
    elif name.endswith((".svg", ".txt")):
        yield f"content/{name}", f"<svg xmlns='http://www.w3.org/2000/svg'><title>{thing['text']}</title></svg>"
    elif name.endswith(".yml"):
        yield f"content/{name}", _data(name, thing)
    else:
        yield f"content/{name}.md", _page(name, thing)


def _own(name: str) -> str:
    return (OWN / name).read_text(encoding="utf-8")


def _page(name: str, page: Thing) -> str:
    def relative(path: str) -> str:
        return posixpath.relpath(path, posixpath.dirname(name) or ".")

    target, mark, anchor = page["link"].partition("#")
    placeholders = [f"[link]({relative(f'{target}.md')}{mark}{anchor})"] if target else []
    placeholders += [f"{{{role}}}`{page[role]}`" for role in ("term", "cite", "value") if page[role]]
    placeholders += [f"![dot]({relative(page['image'])})"] if page["image"] else []
    front = [page[what] if what == "front" else f"{what}: {page[what]}" for what in FRONT if page[what]]
    parts = ["---", *front, "---"] if front else []
    parts += [] if page["title"] else [f"# {page['heading']} {name}\n"]  # a page has one title
    parts += [f"{' '.join([page['text'], *placeholders])}.\n", f"{page['prose']}\n"]
    parts += [f":::{{scene}} {page['scene']}\n:::\n"] if page["scene"] else []
    parts += [f":::{{{page[what]}}}\n:::\n" for what in ("list", "more") if page[what]]
    parts += [f"## {page[what]}\n\nBelow.\n" for what in ("another", "section") if page[what]]
    return "\n".join(parts)


def _data(name: str, thing: Thing) -> str:
    if name == "glossary.yml":
        return GLOSSARY.format_map(thing)
    if name == "references.yml":
        first = WORK.format("toy2020", thing["title"], thing["authors"], thing["year"])
        return first + WORK.format(thing["second"], "Pairs", "Dorn", 2021) + thing["entry"]
    said = {what: value for what, value in thing.items() if value and what != "yaml"}
    return "".join(f"{what}: {value}\n" for what, value in said.items()) + f"{thing['yaml']}\n"


def _scene(folder: str, scene: Thing) -> Iterator[tuple[str, str]]:
    yield f"{folder}/scene.py", DRAWN.format_map(scene)
    yield f"{folder}/model.py", MODEL.format_map({**scene, "reads": READS[scene["reads"]]})
    yield f"{folder}/data.txt", scene["data"]
    yield f"{folder}/test_more.txt", scene["more"]
    yield f"{folder}/.more", scene["more"]
    if folder == "scenes/dots":
        yield "scenes/common.py", f"MORE = {scene['more']}\n"
