"""Run a command and say what it took: wall time, the memory of all its processes, and what it wrote."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SAMPLE = 0.01  # seconds between two looks at the memory
LONG = 10.0  # a run of so many seconds is not repeated
SETTLED = 0.05  # seconds after which a change on the disk is beyond doubt for every generator
PROC = Path("/proc")
MEMORY = (
    "PSS of the command and all its descendants (what they share is counted once, what they share with other programs "
    f"in part), the largest sum seen, looking every {SAMPLE * 1000:.0f} ms"
    if PROC.joinpath("self/smaps_rollup").exists()
    else "RSS of the largest single process, from getrusage: this system has no /proc"
)
Files = dict[str, tuple[int, int, int]]


class CommandError(Exception):
    """A command that did not do its work."""


@dataclass(frozen=True)
class Run:
    """One run: seconds, those of all processors together, and the most bytes of memory."""

    seconds: float
    busy: float
    memory: int


@dataclass(frozen=True)
class Result:
    """Several runs of the same kind: seconds, the least of the processors, memory, bytes written (site, beside)."""

    seconds: tuple[float, ...]
    busy: float
    memory: int
    site: int
    beside: int

    @property
    def best(self) -> float:
        return min(self.seconds)


def run(command: Sequence[str], folder: Path, *, watched: bool = False) -> Run:
    """Run a command to its end. Watching its memory makes it a little slower."""
    # Readers of the numbers run Python with its compiled modules kept, whatever holds here.
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as told:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=told, stderr=told)
        memory = 0
        if watched and PROC.joinpath("self/smaps_rollup").exists():
            while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                memory = max(memory, tree_memory(process.pid))
                time.sleep(SAMPLE)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            told.seek(0)
            raise CommandError(f"{' '.join(command)} failed\n{told.read().decode(errors='replace')[-2000:]}")
    return Run(
        seconds, usage.ru_utime + usage.ru_stime, memory or usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    )


def tree_memory(process: int) -> int:
    """The memory of a process and its descendants at this moment, in bytes."""
    try:
        rollup = PROC.joinpath(f"{process}/smaps_rollup").read_text()
        lists = [path.read_text() for path in PROC.joinpath(f"{process}/task").glob("*/children")]
    except OSError:
        return 0  # it has ended meanwhile
    own = sum(int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:"))
    return own + sum(tree_memory(int(child)) for one in lists for child in one.split())


def files(folder: Path) -> Files:
    """Every file below a folder, and what tells whether it was written again."""
    found: Files = {}
    for base, _, names in os.walk(folder):
        for name in names:
            path = Path(base, name)
            stat = path.stat()
            found[str(path)] = (stat.st_size, stat.st_mtime_ns, stat.st_ino)
    return found


def written(before: Files, after: Files, site: Path) -> tuple[int, int]:
    """The bytes of the files that are new or were written again: in the site's folder, and beside it."""
    fresh = {path: stamp[0] for path, stamp in after.items() if before.get(path) != stamp}
    within = sum(size for path, size in fresh.items() if path.startswith(f"{site}{os.sep}"))
    return within, sum(fresh.values()) - within
