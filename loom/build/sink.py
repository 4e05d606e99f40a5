"""Sinks: where a build puts a site. A sink keeps the unchanged files of the earlier build, and takes new ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import PurePosixPath

from loom.digest import digest
from loom.errors import LoomError, Problem
from loom.model import Output

Manifest = Mapping[str, bytes]  # path → digest of the file's contents


def manifest_of(output: Output) -> dict[str, bytes]:
    """The digests of some files."""
    return {str(path): digest(raw) for path, raw in output.items()}


class OutputPaths:
    """The paths of a site's files. Two results with one path and different contents are a problem."""

    def __init__(self) -> None:
        self.taken: dict[str, bytes] = {}
        self.problems: list[Problem] = []

    def take(self, manifest: Manifest) -> list[str]:
        """Claim paths; return those that are new."""
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


class Sink(ABC):
    """Takes the files of a site, result by result. `previous` are the files that the earlier build left."""

    def __init__(self, previous: Manifest) -> None:
        self.previous = previous
        self.paths = OutputPaths()

    def holds(self, manifest: Manifest) -> bool:
        """Whether the earlier build left all of these files, with the same contents."""
        return all(self.previous.get(path) == found for path, found in manifest.items())

    @abstractmethod
    def keep(self, manifest: Manifest) -> None:
        """Make files of the earlier build part of the site."""

    @abstractmethod
    def put(self, output: Output, manifest: Manifest) -> None:
        """Add files to the site."""

    @abstractmethod
    def read(self, path: PurePosixPath) -> bytes:
        """The contents of a file of the site."""


def put(sink: Sink, output: Output) -> None:
    """Add files without a manifest."""
    sink.put(output, manifest_of(output))


class MemorySink(Sink):
    """A site in memory."""

    def __init__(self, before: MemorySink | None = None) -> None:
        super().__init__(before.paths.taken if before else {})
        self.before: Output = before.output if before else {}
        self.output: Output = {}

    def keep(self, manifest: Manifest) -> None:
        for path in map(PurePosixPath, self.paths.take(manifest)):
            self.output[path] = self.before[path]

    def put(self, output: Output, manifest: Manifest) -> None:
        for path in map(PurePosixPath, self.paths.take(manifest)):
            self.output[path] = output[path]

    def read(self, path: PurePosixPath) -> bytes:
        return self.output[path]
