"""The command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from loom import commands
from loom.arguments import COMMANDS, parser
from loom.paths import OWN

SIGPIPE_EXIT = 141  # as a shell reports a program that SIGPIPE ended


def installed() -> int:
    """The command `loom`: as `build.py`, for the site in the current folder where there is one."""
    here = Path.cwd()
    own = not (here / "content").is_dir() and (OWN / "content").is_dir()
    return main(with_default(sys.argv[1:]), "loom", OWN if own else here)


def main(arguments: Sequence[str] | None = None, program: str = "build.py", root: Path = OWN) -> int:
    """Run a command; 1 after mistakes in what the author wrote, which are printed and never a traceback."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # scenes' products are small: more threads only wait
    run = {name: getattr(commands, name) for name in COMMANDS}
    options = parser(program, root, run).parse_args(arguments)
    try:
        code = int(options.run(options) or 0)
        sys.stdout.flush()  # here, where it is known what to do if nobody listens
        return code
    except BrokenPipeError:  # who read what is printed has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python would try once more at its end
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
        print_problems(error.problems, getattr(options, "format", "text"))
        return 1


def with_default(arguments: Sequence[str]) -> list[str]:
    """`build.py` and `build.py --out x` mean `build`."""
    first = arguments[0] if arguments else ""
    return list(arguments) if first in (*COMMANDS, "-h", "--help", "--version") else ["build", *arguments]
