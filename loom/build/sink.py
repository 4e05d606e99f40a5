"""Where a site goes. A sink holds what an earlier build left: it keeps what is still the same, and takes the rest."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Protocol

from loom.digest import digest
from loom.errors import LoomError, Problem
from loom.model import Output

Manifest = Mapping[str, bytes]  # path → digest of what is in the file


class Sink(Protocol):
    """What takes the files of a site, artefact by artefact."""

    def holds(self, manifest: Manifest) -> bool:
        """Whether all of these files are here already."""

    def keep(self, manifest: Manifest) -> None:
        """Files that are here already belong to the site."""

    def put(self, output: Output, manifest: Manifest) -> None:
        """New files."""

    def read(self, path: PurePosixPath) -> bytes:
        """A file of the site."""

    def digests(self) -> Manifest:
        """Every file so far, and the digest of what is in it."""


def manifest_of(output: Output) -> dict[str, bytes]:
    """The digests of some files."""
    return {str(path): digest(raw) for path, raw in output.items()}


def put(sink: Sink, output: Output) -> None:
    """Files that were made without asking what the sink holds."""
    sink.put(output, manifest_of(output))


class OutputPaths:
    """The paths of a site's files: two sources that claim one path with different bytes are a problem."""

    def __init__(self) -> None:
        self.taken: dict[str, bytes] = {}
        self.problems: list[Problem] = []

    def take(self, manifest: Manifest) -> list[str]:
        """The paths that nobody had claimed before."""
        free = []
        for path, found in manifest.items():
            if path not in self.taken:
                self.taken[path] = found
                free.append(path)
            elif self.taken[path] != found:
                message, hint = "two sources claim this path", "rename one of them"
                self.problems.append(Problem(path, 0, 0, message, hint, "address"))
        return free

    def raise_conflicts(self) -> None:
        """Raise LoomError where two sources claim one path."""
        if self.problems:
            raise LoomError(*self.problems)


class MemorySink:
    """A site in memory."""

    def __init__(self, before: MemorySink | None = None) -> None:
        self.before: Output = before.output if before else {}
        self.previous: Manifest = before.digests() if before else {}
        self.output: Output = {}
        self.paths = OutputPaths()

    def holds(self, manifest: Manifest) -> bool:
        return all(self.previous.get(path) == found for path, found in manifest.items())

    def keep(self, manifest: Manifest) -> None:
        for path in map(PurePosixPath, self.paths.take(manifest)):
            self.output[path] = self.before[path]

    def put(self, output: Output, manifest: Manifest) -> None:
        for path in map(PurePosixPath, self.paths.take(manifest)):
            self.output[path] = output[path]

    def read(self, path: PurePosixPath) -> bytes:
        return self.output[path]

    def digests(self) -> Manifest:
        return self.paths.taken
