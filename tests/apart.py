"""Functions called in processes of their own, each forked from one that has imported Loom and has done nothing since.

So nothing that one call leaves in memory is there for the next, and a call costs no start of Python.
Compiled modules are kept as Python keeps them for everybody, whatever the environment of the tests says.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any


class Apart:
    """The process that forks; `heavy` are modules to import at its start, `warm` a function to call then."""

    def __init__(self, folder: Path, warm: Callable[[Path], None]) -> None:
        self.folder, self.address = folder, str(folder / "calls")
        command = [sys.executable, "-m", "tests.apart", self.address, warm.__module__, warm.__name__, str(folder)]
        self.process = subprocess.Popen(command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE)
        assert self.process.stdout
        self.process.stdout.readline()  # it listens

    def line(self) -> Line:
        """A process that answers calls, one after the other, until it is let go."""
        assert self.process.poll() is None, f"the process that forks has ended with {self.process.returncode}"
        return Line(Client(self.address))

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """One call in a process of its own."""
        line = self.line()
        try:
            return line.call(function, *arguments)
        finally:
            line.close()

    def close(self) -> None:
        self.process.terminate()
        self.process.communicate()


class Line:
    """One such process."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function returns there; what it raises is raised here with its traceback as text."""
        self.connection.send((function, arguments))
        failed, result = self.connection.recv()
        if failed:
            raise RuntimeError(result)
        return result

    def close(self) -> None:
        self.connection.close()


def _answer(line: Connection) -> None:
    while True:
        try:
            function, arguments = line.recv()
        except EOFError:
            return
        try:
            line.send((False, function(*arguments)))
        except BaseException:  # noqa: BLE001 - told to the caller
            line.send((True, traceback.format_exc()))


def _listen(address: str) -> None:
    with Listener(address) as listener:
        print("listening", flush=True)
        while True:
            with listener.accept() as line:
                if os.fork() == 0:
                    _answer(line)
                    os._exit(0)
            try:
                while os.waitpid(-1, os.WNOHANG) != (0, 0):
                    pass
            except ChildProcessError:
                continue


if __name__ == "__main__":
    address, module, name, folder = sys.argv[1:]
    sys.dont_write_bytecode = False
    getattr(importlib.import_module(module), name)(Path(folder))
    _listen(address)
