"""A build that ends at its n-th change of the disk, or finds the disk refusing from then on."""

from __future__ import annotations

import errno
import os
import signal
import sys
from pathlib import Path
from typing import Any

from loom.cli import main

CHANGES = frozenset(["os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.chmod", "ctypes.dlsym"])
REFUSED = frozenset(["open", "os.mkdir", "os.link", "os.rename"])
WRITING = os.O_WRONLY | os.O_RDWR


def interrupted(what: str, last: int, root: Path, out: Path) -> int:
    """Build in this process. `what` is `kill`, or the name of an error; its hook stays, so the process should end."""
    done = 0
    places = (str(root), str(out.parent))

    def watch(event: str, details: tuple[Any, ...]) -> None:
        nonlocal done
        if event == "open":
            changes = bool(details[2] & WRITING) and str(details[0]).startswith(places)
        else:
            changes = event in CHANGES
        done += changes
        if changes and done == last and what == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if changes and done >= last and what != "kill" and event in REFUSED:
            number = getattr(errno, what)
            raise OSError(number, os.strerror(number), str(details[0]))

    sys.addaudithook(watch)
    return main(["build", "--root", str(root), "--out", str(out), "--jobs", "1"])
