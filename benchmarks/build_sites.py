#!/usr/bin/env python3
"""Measure what building sites takes Loom, and other generators beside it: `python benchmarks/build_sites.py`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from generators import Generator, loom, peers
from measure import CommandError
from phases import Results, measure
from report import report
from targets import Table


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print the report."""
    options = parser().parse_args(arguments)
    known = peers(options.peer_python)
    chosen = [loom(jobs) for jobs in options.jobs]
    own = chosen[-1].name
    others = [] if options.peers == ["none"] else options.peers
    if unknown := set(others) - set(known):
        print(f"no such peer: {', '.join(unknown)}; there are {', '.join(known)}, none", file=sys.stderr)
        return 1
    chosen += [known[name] for name in others]
    generators = [(one, one.found()) for one in chosen]
    machine = [f"{os.cpu_count()} cores, {sys.platform}; load at the start {load()}"]
    machine += [f"not measured, because not found: {one.name}" for one, version in generators if not version]
    generators = [(one, version) for one, version in generators if version]
    try:
        table = everything([one for one, _ in generators], options, machine)
    except CommandError as failure:
        print(failure, file=sys.stderr)
        return 1
    text = report(table, generators, own, [*machine, f"load at the end {load()}"])
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    return 0


def everything(generators: Sequence[Generator], options: argparse.Namespace, machine: list[str]) -> Table:
    """Each generator with each number of pages. A peer that fails is told in `machine`; Loom must not fail.

    Ctrl+C ends it, and what was measured so far is reported.
    """
    table: dict[tuple[int, str], Results] = {}
    for pages in options.pages:
        for one in generators:
            if one.name.startswith(("Loom", "Hugo")) or pages <= options.peer_pages:
                print(f"{pages} pages, {one.name}", file=sys.stderr)
                try:
                    table[pages, one.name] = measured(one, pages, options.repeat)
                except CommandError as failure:
                    if one.name.startswith("Loom"):
                        raise
                    machine.append(f"not measured: {one.name} with {pages} pages; {failure}")
                except KeyboardInterrupt:
                    machine.append(f"interrupted at {one.name} with {pages} pages")
                    return table
    if options.serve:
        machine.append(served(generators[0]))
    return table


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    top.add_argument("--pages", type=listed(int), default=[10, 100, 1000, 4000], help="how many, separated by commas")
    top.add_argument("--jobs", type=listed(int), default=[1, 2], help="Loom's; the targets are held to the last")
    top.add_argument("--peers", type=listed(str), default=["hugo", "mkdocs", "pelican", "sphinx"],
                     help="who is measured beside Loom, if installed; mkdocs-theme is there too; or none")  # fmt: skip
    top.add_argument("--peer-python", default=sys.executable, metavar="PATH", help="an interpreter that has the peers")
    top.add_argument("--peer-pages", type=int, default=1000, metavar="N",
                     help="up to how many pages the peers but Hugo are measured")  # fmt: skip
    top.add_argument("--repeat", type=int, default=3, metavar="N", help="how often each build is timed")
    top.add_argument("--serve", action="store_true", help="also the time from saving a page to its text in a browser")
    top.add_argument("--out", type=Path, metavar="FILE", help="write the report there, too")
    return top


def listed(kind: Callable[[str], object]) -> Callable[[str], list[object]]:
    """A value that is a list, separated by commas."""
    return lambda text: [kind(one) for one in text.split(",")]


def measured(generator: Generator, pages: int, repeat: int) -> Results:
    """What a generator takes, in a temporary folder of its own."""
    with tempfile.TemporaryDirectory(prefix="build-sites-") as folder:
        return measure(generator, Path(folder).resolve(), pages, repeat)


def served(generator: Generator) -> str:
    """What `serve` takes; needs the packages of the tests."""
    try:
        from live import saved_to_shown
    except ImportError as error:
        return f"serve was not measured: {error}"
    return saved_to_shown(generator, 1000, 20)


def load() -> str:
    """How busy the machine is."""
    return " ".join(f"{one:.2f}" for one in os.getloadavg())


if __name__ == "__main__":
    sys.exit(main())
