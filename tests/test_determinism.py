"""The same content gives the same bytes: whatever the folder, the time zone, the hash seed, the locale, the cores."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from loom.paths import OWN
from scenes.online_softmax.scene import SCENE
from tests.sites import GLOSSARY, REFERENCES, TOY, add_scene, built, toy_site

ENTRY = "- id: {0}\n  title: {0}\n  authors: A\n  year: 2020\n  kind: paper\n  url: https://example.org/{0}\n" \
        "  area: {0}\n  takes: It.\n"  # fmt: skip
FILES = {
    "index.md": "# Home\n\n:::{scene} online-softmax\n:::\n\n{term}`warp` {cite}`toy2020; fa1` $\\sqrt{x}$\n",
    "second.md": "# Größe\n\n:::{scene} toy\n:::\n\n[x](index.md#online-softmax?tile=8) {value}`toy.size`\n",
    "third.md": "# T\n\n{term}`lines <cache line>` {cite}`pair2021`\n\n:::{references}\n:::\n\n```python\nx = 1\n```\n",
    "glossary.yml": GLOSSARY,
    "references.yml": REFERENCES + "".join(ENTRY.format(name) for name in SCENE.sources),
    "scenes/toy/scene.py": TOY,
    "z.svg": "<svg/>",
    "b.csv": "1\n",
}
FIRST = {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8"}
# Plain C, without Python's own remedy: nothing may depend on the locale's encoding.
SECOND = {
    "TZ": "America/Anchorage",
    "PYTHONHASHSEED": "99",
    "LC_ALL": "C",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
}


def folder(path: Path, *, backwards: bool = False) -> Path:
    """The site's folder, its files made in one order or the other."""
    names = sorted(FILES, reverse=backwards)
    toy_site(path, **{name: FILES[name] for name in names})
    add_scene(path, "online_softmax")
    for old, name in enumerate(names):  # files that are years apart in age
        made = path / (name if name.startswith("scenes") else f"content/{name}")
        os.utime(made, (10**9 + 10**7 * old, 10**9 + 10**7 * old))
    return path


def run_build(root: Path, out: Path, jobs: int, environment: dict[str, str]) -> dict[str, bytes]:
    """Build in a process of its own, from another working folder; give every file that it wrote."""
    command = [sys.executable, str(OWN / "build.py"), "--root", str(root), "--out", str(out), "--jobs", str(jobs)]
    inherited = {name: text for name, text in os.environ.items() if name not in {*FIRST, *SECOND}}
    done = subprocess.run(command, env=inherited | environment, cwd=root.parent, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    base = tmp_path_factory.mktemp("one")
    return run_build(folder(base / "site"), base / "out", 1, FIRST)


def test_another_folder_time_zone_hash_seed_locale_and_number_of_jobs_change_no_byte(written, tmp_path):
    root = folder(tmp_path / "elsewhere" / "a name of another length", backwards=True)
    again = run_build(root, tmp_path / "out", 2, SECOND)
    assert sorted(again) == sorted(written)
    assert [name for name in written if again[name] != written[name]] == []


def test_files_on_disk_are_the_mapping_and_no_path_of_this_machine_is_in_them(written, tmp_path):
    root = folder(tmp_path / "site")
    output = built(root)
    assert {str(path): raw for path, raw in output.items()} == {k: v for k, v in written.items() if k != ".loom"}
    for name, raw in written.items():
        assert str(OWN).encode() not in raw and b"/tmp" not in raw, name


def test_folder_may_have_a_name_that_is_not_utf_8(tmp_path):
    assert built(toy_site(tmp_path / os.fsdecode(b"caf\xe9"), index="# Home\n"))
