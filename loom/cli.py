"""The command line."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from loom.errors import LoomError, Problem

if TYPE_CHECKING:  # the stages are heavy to import, and `--help` does without them
    from loom.pipeline import Options, Say

Result = TypeVar("Result")
CARDS = "With `url:` in content/site.yml, social cards are drawn if the extra is there: pip install -e '.[cards]'."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 1 after mistakes in what the author wrote, which are printed and never a traceback."""
    options = parser().parse_args(arguments)
    try:
        return int(options.run(options) or 0)
    except LoomError as error:
        report(error.problems, getattr(options, "format", "text"))
        return 1
    except KeyboardInterrupt:
        return 130


def parser() -> argparse.ArgumentParser:
    """`build` is what happens without a command."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--root", type=Path, metavar="DIR", help="build another site's folder")
    shared.add_argument("--jobs", type=int, metavar="N", help="worker processes (default: one per core)")
    shared.add_argument("--no-cache", action="store_true", help="compute every scene anew")
    shared.add_argument(
        "--base-path", default="", metavar="PATH", help="where the site lies on its host (default: as `url:` says)"
    )
    out = argparse.ArgumentParser(add_help=False)
    out.add_argument("--out", type=Path, default=Path("site"), metavar="DIR", help="where to write the site")
    out.add_argument("--gallery", action="store_true", help="add a page that shows every scene")
    top = argparse.ArgumentParser(prog="build.py", description="Build a site of explorable explanations.")
    commands = top.add_subparsers(title="commands", metavar="build | serve | check | data")
    for name, command, parents, text in (
        ("build", build, [shared, out], "build the site (the default)"),
        ("serve", serve, [shared, out], "serve the site on this machine while it is edited"),
        ("check", check, [shared], "build in memory and check everything, write nothing"),
        ("data", data, [shared], "print a scene's numbers"),
    ):
        one = commands.add_parser(name, parents=parents, help=text, description=text)
        one.set_defaults(run=command)
        if name != "data":
            one.add_argument("--executor", metavar="MODULE:FUNCTION", help="where the work is done, see README.md")
        if name == "build":
            one.add_argument("--compress", action="store_true", help="put .br and .gz beside every text file")
            one.epilog = CARDS
        if name == "serve":
            one.add_argument("--port", type=int, default=8000)
        if name == "check":
            one.add_argument("--format", choices=("text", "json", "github"), default="text")
            one.add_argument("--external", action="store_true", help="ask other sites whether the links to them hold")
            one.add_argument("--max-age", type=float, default=7, metavar="DAYS", help="how long their answers count")
        if name == "data":
            one.add_argument("scene")
            one.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", dest="pairs")
            one.add_argument("--format", choices=("json", "csv"), default="json")
    return top


def with_default(arguments: Sequence[str]) -> list[str]:
    """`build.py` and `build.py --out x` mean `build`."""
    first = arguments[0] if arguments else ""
    return list(arguments) if first in ("build", "serve", "check", "data", "-h", "--help") else ["build", *arguments]


def build(options: argparse.Namespace) -> int:
    """Build the site into its folder, or find that nothing is left to do."""
    from loom.ledger import Ledger, inputs

    cache, root = _cache(options), _root(options)
    ledger = Ledger(cache or root / ".cache", root, options.out, [options.gallery, options.base_path, options.compress])
    record, now = (ledger.read(), inputs(root)) if cache else ({}, {})
    if ledger.unchanged(record, now):
        lines = record["lines"]
    else:
        from loom.update import update

        lines = _run(lambda chosen, say: update(chosen, options.out, ledger, record, now, say), options)
    for line in lines:
        print(line)
    return 0


def check(options: argparse.Namespace) -> int:
    """Build in memory as far as that goes, and tell everything that is wrong."""
    from loom.external import Asker
    from loom.review import review

    asker = None
    if options.external:
        cache = _cache(options)
        asker = Asker(memory=cache / "external.json" if cache else None, max_age=options.max_age * 86400)
    found = _run(lambda chosen, say: review(chosen, say, asker), options)
    if options.format == "json":
        print(as_json(found.problems, found.counts))
    elif found.problems:
        report(found.problems, options.format)
    else:
        for line in found.summary:
            print(line)
    return 1 if found.problems else 0


def serve(options: argparse.Namespace) -> int:
    """Serve the site as it is edited."""
    from loom.dev import develop, speak
    from loom.live import Live
    from loom.write import write_site

    options.base_path = options.base_path or "/"
    live = _run(Live, options)
    speak(live.start(), live)
    if live.output:
        write_site(live.output, options.out)
    return develop(live, options.base_path, options.port)


def data(options: argparse.Namespace) -> int:
    """Print a scene's table and values for some parameters."""
    from loom.data import scene_data, table_rows

    found = scene_data(_root(options), options.scene, options.pairs)
    if options.format == "csv":
        csv.writer(sys.stdout, lineterminator="\n").writerows(table_rows(found))
    else:
        print(json.dumps(found, ensure_ascii=False, indent=1))
    return 0


def report(problems: Sequence[Problem], style: str) -> None:
    """Print problems, for people or for the annotations of a forge."""
    for problem in problems:
        if style == "github":
            print(annotation(problem))
        else:
            print(problem, file=sys.stderr)
    count = len(problems)
    print(f"{count} problem{'s' * (count > 1)}; nothing was written", file=sys.stderr)


def as_json(problems: Sequence[Problem], counts: Mapping[str, object]) -> str:
    """Problems and counts as one document, for programs."""
    return json.dumps({"problems": [asdict(one) for one in problems], "counts": counts}, ensure_ascii=False, indent=1)


def annotation(problem: Problem) -> str:
    """A GitHub workflow command, with what those reserve escaped."""
    places = {"file": problem.path, "line": problem.line, "col": problem.column, "title": problem.rule}
    listed = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in places.items() if value)
    message = problem.message + (f" ({problem.hint})" if problem.hint else "")
    return f"::error {listed}::{_escaped(message)}"


def _escaped(text: str, reserved: str = "") -> str:
    return "".join(f"%{ord(one):02X}" if one in f"%\r\n{reserved}" else one for one in text)


def _root(options: argparse.Namespace) -> Path:
    return options.root.resolve() if options.root else Path(__file__).resolve().parent.parent


def _cache(options: argparse.Namespace) -> Path | None:
    return None if options.no_cache else _root(options) / ".cache" / "loom"


def _run(stage: Callable[[Options, Say], Result], options: argparse.Namespace) -> Result:
    """Build with the options of the command line, telling a terminal how far it is."""
    from loom.crew import default_jobs, read_factory
    from loom.pipeline import Options

    terminal = sys.stderr.isatty()

    def say(line: str) -> None:
        if terminal:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    jobs = default_jobs() if options.jobs is None else max(1, options.jobs)
    gallery, compress = getattr(options, "gallery", False), getattr(options, "compress", False)
    chosen = Options(_root(options), jobs, gallery=gallery, base=options.base_path, compress=compress,
                     cache=_cache(options), executor=read_factory(options.executor))  # fmt: skip
    try:
        return stage(chosen, say)
    finally:
        if terminal:
            print("\r\x1b[K", end="", file=sys.stderr)
