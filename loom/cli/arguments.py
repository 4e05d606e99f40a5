"""What may be written on the command line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from loom import __version__

COMMANDS = ("build", "serve", "check", "data", "export", "new", "scene", "schema")
SCHEMAS = ("page", "site", "glossary", "references")  # see loom.content.schema
CARDS = "With `url:` in content/site.yml, social cards are drawn. They need: pip install '.[cards]' in Loom's folder."
SMALLEST = 16  # pixels of a picture's width
PATH = re.compile(r"(?!.*//)(?:[\w./~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*\Z")  # what may stand in an address's path


def parser(program: str, root: Path, run: Mapping[str, Callable[[argparse.Namespace], int]]) -> argparse.ArgumentParser:
    """`build` is what happens without a command; `run` has what each command does."""
    rooted = argparse.ArgumentParser(add_help=False)
    rooted.add_argument("--root", type=Path, default=root, metavar="DIR", help="another site's folder")
    timed = argparse.ArgumentParser(add_help=False, parents=[rooted])
    timed.add_argument(
        "--scene-timeout", type=_seconds, default=60, metavar="SECONDS",
        help="how long a scene may take to be imported, or for one variant (default: 60; 0: as long as it wants)",
    )  # fmt: skip
    spread = argparse.ArgumentParser(add_help=False, parents=[timed])
    spread.add_argument("--jobs", type=_jobs, metavar="N", help="worker processes (default: one per core)")
    spread.add_argument("--no-cache", action="store_true", help="compute every scene anew")
    spread.add_argument(
        "--base-path", type=_base_path, default="", metavar="PATH", help="where the site lies on its host, see `url:`"
    )
    spread.add_argument(
        "--executor", metavar="MODULE:FUNCTION", help="where the work is done, see docs/content/howto.md"
    )
    out = argparse.ArgumentParser(add_help=False)
    where = "where to write the site (default: site/ in this folder)"
    out.add_argument("--out", type=Path, default=Path("site"), metavar="DIR", help=where)
    out.add_argument("--gallery", action="store_true", help="add a page that shows every scene")
    top = argparse.ArgumentParser(prog=program, description="Build a site of explorable explanations.")
    top.add_argument("--version", action="version", version=f"Loom {__version__}")
    commands = top.add_subparsers(title="commands", metavar=" | ".join(COMMANDS))
    for name, parents, text in (
        ("build", [spread, out], "build the site (the default)"),
        ("serve", [spread, out], "serve the site on this machine while it is edited"),
        ("scene", [spread], "serve one scene alone while it is edited, with its sheet at /gallery/"),
        ("check", [spread], "build in memory and check everything, write nothing"),
        ("data", [timed], "print a scene's numbers"),
        ("export", [timed], "write a scene as a picture or a film, for slides and papers"),
        ("new", [rooted], "begin a page, a scene or a site"),
        ("schema", [], "print the JSON Schema of front matter, site.yml, glossary or references"),
    ):
        one = commands.add_parser(name, parents=parents, help=text, description=text)
        one.set_defaults(run=run[name], parser=one)
        _own_options(name, one)
    return top


def _own_options(name: str, one: argparse.ArgumentParser) -> None:
    if name == "build":
        one.add_argument("--compress", action="store_true", help="put .br and .gz beside every text file")
        one.add_argument("--timings", action="store_true", help="tell where the time went")
        one.epilog = CARDS
    if name in ("serve", "scene"):
        one.add_argument("--port", type=int, default=8000)
    if name == "scene":
        one.add_argument("scene")
    if name == "check":
        one.add_argument("--format", choices=("text", "json", "github"), default="text")
        one.add_argument("--external", action="store_true", help="ask other sites whether the links to them hold")
        one.add_argument("--max-age", type=_days, default=7, metavar="DAYS", help="how long their answers count")
    if name in ("data", "export"):
        one.add_argument("scene")
        one.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", dest="pairs")
    if name == "export":
        _picture_options(one)
    if name == "data":
        one.add_argument("--format", choices=("json", "csv"), default="json")
    if name == "schema":
        one.add_argument("kind", choices=SCHEMAS)
    if name == "new":
        one.add_argument("kind", choices=("page", "scene", "site"))
        one.add_argument("name", metavar="NAME", help="of the page or the scene; for a site, its folder")


def _picture_options(one: argparse.ArgumentParser) -> None:
    """What a picture or a film of a scene may be."""
    one.add_argument("--step", default="", metavar="N", help="the step (default: that of the opening; for a film, all)")
    one.add_argument("--format", choices=("svg", "png", "gif", "mp4"), help="default: as --out ends, or svg")
    one.add_argument("--out", type=Path, metavar="FILE", help="default: the scene's name")
    one.add_argument("--drawing", choices=("wide", "narrow"), default="wide", help="narrow: the one for phones")
    one.add_argument("--width", type=_pixels, default=0, metavar="PIXELS", help="default: 864, or 352 if it is narrow")
    one.add_argument("--theme", choices=("light", "dark"), default="light")
    one.add_argument("--transparent", action="store_true", help="without the paper behind it")


def _pixels(text: str) -> int:
    """The width of a picture."""
    if not re.fullmatch("[0-9]{2,4}", text) or int(text) < SMALLEST:
        raise argparse.ArgumentTypeError(f"'{text}' is not a width in pixels: write {SMALLEST} to 9999")
    return int(text)


def _jobs(text: str) -> int:
    """How many processes."""
    if not re.fullmatch("[1-9][0-9]*", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of processes: write 1 or more")
    return int(text)


def _seconds(text: str) -> float:
    return _time(text, "seconds")


def _days(text: str) -> float:
    return _time(text, "days")


def _time(text: str, unit: str) -> float:
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of {unit}")
    return float(text)


def _base_path(text: str) -> str:
    """The path of an address, and nothing else of it."""
    if not PATH.match(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a path: write it as /path/, with %20 for a space")
    return text
