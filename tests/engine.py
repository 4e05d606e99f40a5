"""One site under edits, as three see it: a build that keeps its cache, one from nothing, and `serve`.

Nothing else of the tests of staleness knows how Loom is called: when its engine changes, this file does.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

from loom.cli import main
from loom.dev.live import Live
from loom.options import Options
from tests.apart import Apart
from tests.sites import toy_site

Files = dict[str, bytes]


@dataclass(frozen=True)
class Built:
    """What somebody sees of a site: its files, as far as they are there, what was said of them, and of mistakes."""

    who: str
    code: int
    said: str
    problems: str
    files: Files = field(repr=False)


class Site:
    """A site's folder, and those who build it."""

    def __init__(self, apart: Apart, root: Path, jobs: int = 1) -> None:
        self.apart, self.root, self.jobs = apart, root, jobs
        self.out = root.with_name(f"{root.name}-out")
        self.server = apart.line()

    def build(self, *flags: str) -> Built:
        """The folder after another build of it."""
        return self.apart.call(_build, self.root, self.out, ["--jobs", str(self.jobs), *flags])

    def fresh(self) -> Built:
        """What a build from nothing makes: without a cache, without compiled modules, into another folder."""
        return self.apart.call(_fresh, self.root)

    def serve(self) -> Built:
        """What `serve` holds when it has begun."""
        return self.server.call(_start, self.root)

    def serve_follow(self) -> Built:
        """What it holds after an edit."""
        return self.server.call(_follow)

    def close(self) -> None:
        self.server.close()
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.rmtree(self.out, ignore_errors=True)


def warm(folder: Path) -> None:
    """Import what builds import, and unpack Loom's own fonts, by building a site that is no one else's."""
    pages = {"warm": "# Warm\n\n:::{scene} toy\n:::\n\n$x$ `x`\n", "site.yml": "home: warm\nurl: https://example.org/"}
    root = toy_site(folder / "warm", **pages)
    built = _build(root, folder / "warm-out", ["--jobs", "1"])
    assert built.code == 0, built.said


def _build(root: Path, out: Path, flags: list[str]) -> Built:
    said, problems = io.StringIO(), io.StringIO()
    with redirect_stdout(said), redirect_stderr(problems):
        code = main(["build", "--root", str(root), "--out", str(out), *flags])
    told = re.sub(r"\n\d+ problems?; nothing was written\n\Z", "", problems.getvalue())
    return Built("build", code, said.getvalue().replace(str(out), "OUT"), told, _files(out))


def _fresh(root: Path) -> Built:
    with tempfile.TemporaryDirectory() as place:
        sys.pycache_prefix = f"{place}/compiled"  # so that none is found
        return _build(root, Path(place, "out"), ["--jobs", "1", "--no-cache"])


def _files(folder: Path) -> Files:
    """All but the mark that says who wrote the folder."""
    paths = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in paths.items() if name != ".loom"}


_LIVE: list[Live] = []


def _start(root: Path) -> Built:
    _LIVE[:] = [Live(Options(root, cache=root / ".cache" / "loom"))]
    _LIVE[0].follow()
    return _held()


def _follow() -> Built:
    _LIVE[0].follow(lambda _: None)  # somebody is told, so that there is a first look at scenes
    return _held()


def _held() -> Built:
    """The files that are served, those of the search's index included."""
    live = _LIVE[0]
    files = {str(path): raw for path, raw in live.output.items()}
    if live.index:
        files |= {str(path): raw for path, raw in live.index.of(live.output).items()}
    return Built("serve", int(bool(live.problems)), "", "\n".join(map(str, live.problems)), files)
