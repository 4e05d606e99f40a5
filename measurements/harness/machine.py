"""The machine as an effect sees it: its GPU, its programs, its counters. A test replays another in its place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from measurements.harness import build, counters
from measurements.harness.effect import MeasurementError, Sample
from measurements.harness.gpu import Gpu, State, state

QUICK = "MEASURE_QUICK"  # in a program's environment: few repetitions, every path


class Machine(Protocol):
    """What an effect's `measure` may ask for."""

    gpu: Gpu
    quick: bool
    folder: Path  # for files that pass between programs; gone afterwards
    vectors: Path  # where the effect's file of arrays is to be written, if it has one

    def state(self) -> State:
        """The GPU's clocks and power now."""

    def program(self, source: str, *arguments: object) -> Iterator[Sample]:
        """Run a source of the effect's folder, .cu or .py, and take in the samples that it prints."""

    def counters(
        self, source: str, *arguments: object, metrics: Sequence[str], kernels: str = ".*", cold: bool = True
    ) -> list[counters.Launch]:
        """Hardware counters of each launch of a program, in order; none where they can't be read, which is told.

        `kernels` is a regular expression of the kernels' names; `cold` empties the caches before each launch.
        """


class OwnMachine:
    """This machine's GPU."""

    def __init__(
        self, gpu: Gpu, quick: bool, home: Path, folder: Path, vectors: Path, flags: Mapping[str, tuple[str, ...]]
    ) -> None:
        self.gpu, self.quick, self.folder, self.vectors = gpu, quick, folder, vectors
        self._home, self._flags = home, flags

    def state(self) -> State:
        """What nvidia-smi says."""
        return state()

    def program(self, source: str, *arguments: object) -> Iterator[Sample]:
        """Run a program; what it says on stderr is shown, what it prints must be samples."""
        command = self._command(source, arguments)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=self._environment()) as running:
            for line in running.stdout or ():
                yield parse(line, source)
        if running.returncode:
            raise MeasurementError(f"{source} failed with code {running.returncode}: {' '.join(command[1:])}")

    def counters(
        self, source: str, *arguments: object, metrics: Sequence[str], kernels: str = ".*", cold: bool = True
    ) -> list[counters.Launch]:
        """Run a program under Nsight Compute."""
        command = self._command(source, arguments)
        return counters.count(command, metrics, kernels, cold, self.folder / "counters.csv", self._environment())

    def _command(self, source: str, arguments: Sequence[object]) -> list[str]:
        path = self._home / source
        if path.suffix == ".py":
            program = [sys.executable, str(path)]
        else:
            program = [str(build.build(path, self.gpu.capability, self._flags.get(source, ())))]
        return [*program, *map(str, arguments)]

    def _environment(self) -> dict[str, str]:
        paths = filter(None, (str(build.HERE.parent), os.environ.get("PYTHONPATH")))
        return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **({QUICK: "1"} if self.quick else {})}


def parse(line: str, source: str) -> Sample:
    """One line that a program prints: {"series": "useful", "at": {"stride": 1}, "samples": [2.9e12], "checked": true}.

    Anything else is a mistake of the program's.
    """
    try:
        told = json.loads(line)
        sample = Sample(told["series"], told["at"], told["samples"], told["checked"])
    except (ValueError, KeyError, TypeError):
        raise MeasurementError(f"{source} prints what is no sample: {line.rstrip()[:200]}") from None
    if set(told) != {"series", "at", "samples", "checked"}:
        raise MeasurementError(f"{source} prints more than a sample: {line.rstrip()[:200]}")
    return sample
