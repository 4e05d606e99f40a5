"""Hardware counters of kernels, read by Nsight Compute; the clocks stay as they are found."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Launch:
    """One launch of a kernel: its name, and its counters by metric, in base units."""

    kernel: str
    values: Mapping[str, float]


def count(
    command: Sequence[str], metrics: Sequence[str], kernels: str, cold: bool, log: Path, environment: Mapping[str, str]
) -> list[Launch]:
    """Run a program under ncu, and give what was counted for each launch; nothing where ncu is missing or refuses."""
    ncu = shutil.which("ncu") or shutil.which("/usr/local/cuda/bin/ncu")
    if ncu is None:
        print("no hardware counters: ncu was not found", file=sys.stderr)
        return []
    options = [
        "--csv", "--page", "raw", "--print-units", "base", "--metrics", ",".join(metrics), "--clock-control", "none",
        "--cache-control", "all" if cold else "none", "--kernel-name", f"regex:{kernels}",
        "--target-processes", "all", "--force-overwrite", "--log-file", str(log),
    ]  # fmt: skip
    log.unlink(missing_ok=True)
    run = subprocess.run([ncu, *options, *command], env=dict(environment), stdout=subprocess.DEVNULL, check=False)
    text = log.read_text() if log.exists() else ""
    launches = read(text.splitlines(), metrics)
    if run.returncode or not launches:
        said = [line for line in text.splitlines() if line.startswith("==")]
        print(f"no hardware counters: ncu ended with {run.returncode}", *said[-5:], sep=os.linesep, file=sys.stderr)
        return []
    return launches


def read(lines: Iterable[str], metrics: Sequence[str]) -> list[Launch]:
    """The launches in ncu's report: a head, a line of units, a line for each launch, and its own remarks between."""
    table = csv.DictReader(line for line in lines if line.startswith('"'))
    return [
        Launch(row["Kernel Name"], {metric: float(row[metric].replace(",", "")) for metric in metrics})
        for row in table
        if row["ID"]
    ]
