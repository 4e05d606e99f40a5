"""Bundle and minify scripts: the player's modules become one file."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter

from loom.errors import LoomError, Problem
from loom.hints import suggest

IMPORT = re.compile(r'^import \{[^}]*\} from "\./(?P<module>[\w.-]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
MINIFY = """
import sys
sys.path = [folder for folder in sys.path if folder]  # the current folder may have a json.py
import json, minify
def small(script):
    try:
        return minify.string("application/javascript", script), ""
    except minify.MinifyError as error:
        return "", str(error)
print(json.dumps([small(script) for script in json.load(sys.stdin)]))
"""
MISTAKE = re.compile(r"(?P<what>.*) on line (?P<line>\d+) and column (?P<column>\d+)")
NAME = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) (?P<name>[\w$]+)", re.MULTILINE)


def bundled(modules: Mapping[str, str], entry: str) -> dict[str, str]:
    """The modules, minified; those that the entry imports are bundled into it, in the order of their dependencies.

    Bundled modules share one scope: two declarations of one name are refused, and so are statements that can't be
    joined.
    """
    if entry not in modules:
        return minified({f"player/{name}": text for name, text in modules.items()}, "player/")
    order = _order(modules, entry)
    joined = "".join(_joinable(name, modules[name]) for name in order)
    _refuse_shared_names({name: modules[name] for name in order})
    # Each alone, for mistakes with their places; and all in one function, so that the minifier may shorten their names.
    texts = {f"player/{name}": text for name, text in modules.items()} | {"": f"(() => {{{joined}}})();"}
    each = minified(texts, "player/")
    return {entry: each[""]} | {name: each[name] for name in modules if name not in order}


def minified(scripts: Mapping[str, str], start: str = "") -> dict[str, str]:
    """Minified scripts. Their names are paths in `static/`, without `start`."""
    results: dict[str, str] = {}
    for name, (text, wrong) in zip(scripts, _minify(tuple(scripts.values())), strict=True):
        if wrong:
            found = MISTAKE.match(wrong)
            place = (int(found["line"]), int(found["column"])) if found else (0, 0)
            message = f"this script can't be read: {found['what'] if found else wrong}"
            raise LoomError(Problem(f"static/{name}", *place, message))
        results[name.removeprefix(start)] = f"{text}\n"
    return results


@lru_cache(maxsize=32)  # for notebooks, other generators and tests, which have no cache on disk
def _minify(scripts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Each script minified, and the mistake in it, if any.

    This runs in a separate process, because the minifier's runtime does not survive a fork.
    """
    command = [sys.executable, "-c", MINIFY]
    import subprocess  # slow to import, and scripts seldom change

    done = subprocess.run(command, input=json.dumps(scripts), capture_output=True, text=True, check=True)
    return tuple((text, wrong) for text, wrong in json.loads(done.stdout))


def _wrong(name: str, text: str, at: int, message: str, hint: str) -> LoomError:
    """A mistake at an offset in a module."""
    return LoomError(Problem(f"static/player/{name}", text.count("\n", 0, at) + 1, 0, message, hint))


def _refuse_shared_names(modules: Mapping[str, str]) -> None:
    homes: dict[str, str] = {}
    for name, text in modules.items():
        for found in NAME.finditer(text):
            home = homes.setdefault(found["name"], name)
            if home != name:
                message = f"'{found['name']}' is declared in {home}, too: modules are shipped as one file"
                raise _wrong(name, text, found.start(), message, "rename one of them")


def _order(modules: Mapping[str, str], entry: str) -> list[str]:
    """The modules that the entry needs, in the order of their dependencies."""
    needs: dict[str, list[str]] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name in needs:
            continue
        needs[name] = []
        for found in IMPORT.finditer(modules[name]):
            if (needed := found["module"]) not in modules:
                message = f"there is no module '{needed}'"
                raise _wrong(name, modules[name], found.start(), message, suggest(needed, modules))
            needs[name].append(needed)
        waiting += needs[name]
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        circle = ", ".join(error.args[1])
        message = f"these modules import each other: {circle}"
        raise LoomError(Problem(f"static/player/{error.args[1][0]}", 0, 0, message)) from None


def _joinable(name: str, text: str) -> str:
    """A module without its imports and `export` keywords."""
    bare = EXPORT.sub("", IMPORT.sub("", text))
    if found := OTHER.search(bare):
        message = f"'{found.group()}' can't be joined with other modules"
        hint = 'write import { name } from "./module.js" in one line, and export before what is declared'
        raise _wrong(name, bare, found.start(), message, hint)
    return f"{bare}\n"
