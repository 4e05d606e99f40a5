"""Workers end with the build that hired them; one that ends before its work is a mistake told in words."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from loom.build.executor import WORTH, Workers
from loom.cli import main
from loom.errors import LoomError
from loom.paths import OWN
from tests.sites import TOY, altered, toy_site

INDEX = "# Home\n\n:::{scene} toy\n:::\n"
BOTH = INDEX + "\n:::{scene} other\n:::\n"
SLOW = altered(TOY, ("def steps(count, mode, twice):\n", "def steps(count, mode, twice):\n    wait()\n"))
SLOW += (
    "\nimport os, pathlib, time\n\ndef wait():\n    (pathlib.Path(__file__).parent / f'{os.getpid()}.here').touch()\n"
)
SLOW += "    time.sleep(60)\n"
ENDS = altered(
    TOY, ("    return [(count, mode, twice, at)", "    __import__('os')._exit(3)\n    return [(count, mode, twice, at)")
)


def end_here(_: list[int]) -> list[int]:
    os._exit(3)


def alive(process: int) -> bool:
    """Whether a process runs; one that waits to be buried does not."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who is alive")
def test_build_that_is_killed_leaves_no_worker_and_the_next_one_clears_up_at_once(tmp_path):
    scenes = {"scenes/toy/scene.py": SLOW, "scenes/other/scene.py": SLOW}
    root, out = toy_site(tmp_path / "root", **{"index": BOTH, **scenes}), tmp_path / "place" / "out"
    command = [sys.executable, str(OWN / "build.py"), "build", "--root", str(root), "--out", str(out), "--jobs", "2"]
    with subprocess.Popen([*command, "--no-cache"], stderr=subprocess.DEVNULL) as build:
        workers: list[int] = []
        for _ in range(400):
            workers = [int(path.stem) for path in (root / "scenes").glob("*/*.here")]
            if len(workers) == 2 or build.poll() is not None:
                break
            time.sleep(0.05)
        assert len(workers) == 2 and build.pid not in workers
        for worker in workers:
            os.kill(worker, signal.SIGSTOP)  # what a worker holds must not matter, even before it ends
        build.kill()
    toy_site(root, **{"index": INDEX, "scenes/toy/scene.py": TOY})
    try:
        assert main(["build", "--root", str(root), "--out", str(out), "--jobs", "1", "--no-cache"]) == 0
        assert [path.name for path in out.parent.iterdir()] == ["out"]
    finally:
        for worker in workers:
            os.kill(worker, signal.SIGCONT)
    for _ in range(100):
        if not any(map(alive, workers)):
            return
        time.sleep(0.05)
    raise AssertionError("a worker has outlived its build")


@pytest.mark.parametrize("command", ["build", "check"])
def test_scene_that_ends_its_process_is_told_with_its_name(tmp_path, capsys, command):
    root = toy_site(tmp_path / "root", **{"index": INDEX, "scenes/toy/scene.py": ENDS})
    more = ["--out", str(tmp_path / "out")] if command == "build" else []
    assert main([command, "--root", str(root), "--jobs", "2", "--no-cache", *more]) == 1
    told = capsys.readouterr().err
    assert "a worker process has ended before its work was done: scene 'toy' was under way" in told
    assert "try --jobs 1" in told
    assert not (tmp_path / "out").exists()


def test_worker_that_ends_while_pages_are_made_is_told():
    with pytest.raises(LoomError, match="a worker process has ended"), Workers(2) as workers:
        list(workers.spread(end_here, range(WORTH), WORTH))
