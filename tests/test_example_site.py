"""A site that isn't about GPUs is built from its folder, passes every check, and its scenes pass their tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import brotli
import pytest

from loom.paths import OWN

SWINGS = OWN / "examples/swings"
SCENES = {path.name for path in (SWINGS / "scenes").iterdir() if path.is_dir() and path.name[0] not in "._"}


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A command by this interpreter, in a folder."""
    return subprocess.run([sys.executable, *command], cwd=cwd, env=os.environ | {"PYTHONPATH": str(OWN)}, text=True,
                          capture_output=True, timeout=500, check=False)  # fmt: skip


@pytest.fixture(scope="module")
def swings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site's folder as its author has it, with what a build leaves there."""
    folder = tmp_path_factory.mktemp("swings") / "swings"
    shutil.copytree(SWINGS, folder, ignore=shutil.ignore_patterns(".*", "site", "__pycache__"))
    return folder


@pytest.fixture(scope="module")
def site(swings: Path) -> Path:
    """The built site, for whichever test comes first."""
    built = run(str(OWN / "build.py"), "build", "--root", ".", "--out", "site", cwd=swings)
    assert built.returncode == 0, built.stderr
    return swings / "site"


def test_example_site_is_built_and_nothing_is_wrong_with_it(swings, site):
    checked = run(str(OWN / "build.py"), "check", "--root", ".", "--format", "json", cwd=swings)
    assert json.loads(checked.stdout)["problems"] == []
    page = (site / "index.html").read_text(encoding="utf-8")
    assert {f'data-scene="{name.replace("_", "-")}"' in page for name in SCENES} == {True}


@pytest.mark.parametrize(("scene", "variant"), [("two-sources", 6), ("resonance", 289), ("pendulum-noise", 26)])
@pytest.mark.parametrize("width", ["narrow", "wide"])
def test_what_a_scene_opens_with_is_small(site, scene, variant, width):
    (folder,) = (site / "assets/data").glob(f"{scene}.*")
    files = {int(path.name.split(".")[0]): path for path in folder.glob(f"*.{width}.json")}
    opening = files[max(first for first in files if first <= variant)]
    assert len(brotli.compress(opening.read_bytes())) <= 16_000


def test_scenes_of_the_example_site_pass_their_tests(swings):
    own = ("--rootdir", ".", "-c", os.devnull)  # Loom has a package of that name, too, and settings
    done = run("-m", "pytest", "-q", *own, "-p", "no:cacheprovider", "-p", "no:xdist", "scenes", cwd=swings)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.parametrize("path", sorted(SWINGS.rglob("*.py")), ids=lambda path: path.relative_to(SWINGS).as_posix())
def test_module_of_the_example_site_is_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 200
