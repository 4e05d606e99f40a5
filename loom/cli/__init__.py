"""The command line: running a command, and what it returns."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import loom.cli.commands as commands
from loom.cli.arguments import COMMANDS, parser
from loom.paths import OWN

SIGPIPE_EXIT = 141  # as a shell reports a program that SIGPIPE ended


def installed() -> int:
    """The command `loom`: as `build.py`, for the site in the current folder where there is one."""
    here = Path.cwd()
    own = not (here / "content").is_dir() and (OWN / "content").is_dir()
    return main(with_default(sys.argv[1:]), "loom", OWN if own else here)


def main(arguments: Sequence[str] | None = None, program: str = "build.py", root: Path = OWN) -> int:
    """Run a command; 1 after mistakes in what the author wrote, which are printed and never a traceback."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # matrices of scenes are small: threads don't pay
    run = {name: getattr(commands, name) for name in COMMANDS}
    top = parser(program, root, run)
    if arguments and (wrong := misspelt(arguments[0])):
        top.error(wrong)
    options, unknown = top.parse_known_args(arguments)
    if unknown:
        refuse(getattr(options, "parser", top), unknown[0])
    try:
        code = int(options.run(options) or 0)
        sys.stdout.flush()  # here, where a broken pipe is handled
        return code
    except BrokenPipeError:  # the reader of the output has closed it, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more when it exits
        return SIGPIPE_EXIT
    except KeyboardInterrupt:
        from loom.progress import Stage

        last = options.progress.last if "progress" in options else None
        where = f": scene '{last.subject}' was under way" if last and last.stage is Stage.SCENE_COMPUTING else ""
        print(f"interrupted{where}", file=sys.stderr)
        return 130
    except Exception as error:
        from loom.errors import LoomError
        from loom.reporting import print_problems

        if not isinstance(error, LoomError):
            raise
        writes = options.run in (commands.build, commands.export, commands.new)
        print_problems(error.problems, getattr(options, "format", "text"), writes=writes)
        return 1


def refuse(one: ArgumentParser, unknown: str) -> NoReturn:
    """End with what is wrong with a word that a command does not know: with its usage, and the nearest option."""
    from difflib import get_close_matches

    known = re.findall(r"--[a-z][\w-]*", one.format_usage())
    near = get_close_matches(unknown.partition("=")[0], known, n=1, cutoff=0.8)
    one.error(f"unrecognized arguments: {unknown}" + "".join(f"; did you mean '{name}'?" for name in near))


def with_default(arguments: Sequence[str]) -> list[str]:
    """`build.py` and `build.py --out x` mean `build`."""
    first = arguments[0] if arguments else "-"
    given = first in ("-h", "--help", "--version") or not first.startswith("-")
    return list(arguments) if given else ["build", *arguments]


def misspelt(first: str) -> str:
    """What is wrong with the first word of a command line; empty if it is a command or an option."""
    if first in COMMANDS or first.startswith("-"):
        return ""
    from loom.hints import suggest

    return f"there is no command '{first}'; {suggest(first, COMMANDS)}"
