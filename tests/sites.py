"""Small sites, written inline into a temporary folder, and what comes out of them."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

import html5lib
import pytest

from loom.build.pipeline import build_site
from loom.errors import LoomError, Problem
from loom.lint.run import lint
from loom.model import Output
from loom.options import Options
from loom.paths import OWN

FOLDERS = ("content", "scenes", "templates", "static")

# A scene that is quick to compute; faults are planted into it with `altered`.
TOY = """\
from loom.draw import Box, Pen
from loom.scene import Choice, Column, Range, Scene, Table, Toggle, Value


def steps(count, mode, twice):
    return [(count, mode, twice, at) for at in range(count)]


def draw(state, width):
    pen = Pen(width)
    yield pen.rect("bar", Box(0, 20, 40 * (state[3] + 1), 12), "data", set={"mode": "slow way"}, label="go slowly")
    yield pen.text("name", 0, 14, f"step {state[3] + 1}", "label")


def say(state):
    return f"Step {state[3] + 1} of {state[0]}."


def table(count, mode, twice):
    return Table((Column("at", "step"), Column("share", "share", "%", digits=1)),
                 [(at, 100 * at / count) for at in range(count)])


def values(count, mode, twice):
    return {"size": Value(count * 1.5e9 * (1 + twice), "B"), "third": Value(100 / 3, "%"), "count": Value(count)}


SCENE = Scene(
    title="A toy", summary="A bar grows.", leaves_out="Everything.", sources=("toy2020",),
    params=(Range("count", "Steps", (2, 3, 4), unit="steps"), Choice("mode", "Mode", ("fast", "slow way")),
            Toggle("twice", "Twice")),
    sentence="Grow in {count}.",
    steps=steps, draw=draw, say=say, table=table, values=values,
)
"""

REFERENCES = """\
- id: toy2020
  title: Toys & <games>
  authors: Ames, Bell, Cole
  year: 2020
  kind: paper
  url: https://example.org/toys
  area: games
  takes: The bar.
  seen: 2026-11-20
- id: pair2021
  title: Pairs
  authors: Dorn and Eck
  year: 2021
  kind: blog
  url: https://example.org/pairs
  area: games
  takes: Nothing much.
"""

GLOSSARY = """\
- term: Warp
  aliases: [warps]
  definition: Thirty-two threads that step together.
- term: Cache line
  definition: What one request to memory moves.
"""


def site(root: Path, /, **files: str | bytes) -> Path:
    """A site's folder. `index="…"` is a page; other names are paths: `**{"site.yml": …, "scenes/toy/scene.py": …}`."""
    (root / "scenes").mkdir(parents=True, exist_ok=True)  # an empty one, or Loom's own scenes would be used
    for name, text in files.items():
        page = name if "." in name else f"{name}.md"
        path = root / (page if page.split("/")[0] in FOLDERS else f"content/{page}")
        path.parent.mkdir(parents=True, exist_ok=True)
        raw = text.encode() if isinstance(text, str) else text
        if not path.exists() or path.read_bytes() != raw:  # what is as it was counts as unedited
            path.write_bytes(raw)
    return root


def toy_site(root: Path, /, **files: str | bytes) -> Path:
    """A site with the toy scene, its references and a glossary."""
    known = {"scenes/toy/scene.py": TOY, "references.yml": REFERENCES, "glossary.yml": GLOSSARY}
    return site(root, **{**known, **files})


def add_scene(root: Path, name: str) -> None:
    """Copy one of Loom's own scenes into a site."""
    skipped = shutil.ignore_patterns("__pycache__", "test_*")
    shutil.copytree(OWN / "scenes" / name, root / "scenes" / name, ignore=skipped)


def altered(text: str, *changes: tuple[str, str]) -> str:
    """`text` with each (old, new) put in its place; every `old` must be there exactly once."""
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


def line_with(text: str, part: str) -> int:
    """The number of the only line that holds `part`."""
    (number,) = (number for number, line in enumerate(text.splitlines(), 1) if part in line)
    return number


def built(root: Path, **options: int) -> Output:
    """The site as a mapping of paths to bytes."""
    return build_site(Options(root, **options))


def problems(root: Path) -> tuple[Problem, ...]:
    """What building the site complains about."""
    with pytest.raises(LoomError) as caught:
        build_site(Options(root))
    return caught.value.problems


def faults(root: Path) -> tuple[Problem, ...]:
    """What checking the site complains about, the mistakes that stop a build among them."""
    return lint(Options(root)).problems


def seen(problem: Problem) -> str:
    """A mistake in words, with the state of a scene in which it was met first."""
    return f"{problem.message} {problem.state}".rstrip()


def problem(root: Path) -> Problem:
    """The only complaint."""
    (only,) = problems(root)
    return only


def text(output: Output, path: str) -> str:
    """A file of the site as text."""
    return output[PurePosixPath(path)].decode()


def page(output: Output, path: str = "index.html") -> ElementTree.Element:
    """A page, parsed as strictly as a parser can."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(text(output, path))


def links(tree: ElementTree.Element, within: str = ".//article") -> dict[str, str]:
    """The addresses that a part of a page links to, by link text."""
    return {words(a): a.get("href", "") for a in tree.find(within).iter("a")}  # type: ignore[union-attr]


def words(element: ElementTree.Element | None) -> str:
    """What an element says."""
    assert element is not None
    return " ".join("".join(element.itertext()).split())
