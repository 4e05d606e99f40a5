"""The benchmarks run anywhere, without the generators that Loom is compared with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from loom.paths import OWN


def benchmark(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(OWN / "benchmarks/build_sites.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def rows(text: str, width: int) -> list[list[str]]:
    """The rows of all tables of so many columns."""
    found = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return [row for row in found if len(row) == width]


def test_every_build_of_a_small_site_is_measured_and_reported(tmp_path: Path):
    report = tmp_path / "report.md"
    run = benchmark("--pages", "3", "--jobs", "1", "--peers", "none", "--repeat", "1", "--out", str(report))
    assert run.returncode == 0, run.stderr
    assert report.read_text() + "\n" == run.stdout
    _, *builds = rows(run.stdout, 9)
    assert [row[:3] for row in builds] == [["3", "Loom, jobs 1", one] for one in
                                           ("cold", "unchanged", "one page", "template")]  # fmt: skip
    seconds = [float(row[3]) for row in builds]
    assert seconds[1] < seconds[0]  # nothing was left to do
    assert all(float(row[6]) > 1 for row in builds)  # MiB: an interpreter at least
    assert [float(row[7]) > 0 for row in builds] == [True, False, True, True]  # what each wrote
    assert {row[4] for row in rows(run.stdout, 5)[1:]} == {"–"}  # there is no target for three pages


def test_unknown_peer_is_told_before_anything_is_measured():
    run = benchmark("--pages", "3", "--peers", "jekyll")
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == "no such peer: jekyll; there are hugo, mkdocs, mkdocs-theme, pelican, sphinx, none\n"
