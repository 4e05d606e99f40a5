"""A build whose cache says more than it should: whoever loads code from it leaves a trace."""

from __future__ import annotations

import marshal
import pickle
import sys
from pathlib import Path
from types import CodeType
from typing import Any

from tests import engine


class _Poison:
    """Loaded, it is what was dumped, and touches a file."""

    def __init__(self, raw: bytes, trace: str) -> None:
        self.raw, self.trace = raw, trace

    def __reduce__(self) -> Any:
        return eval, (f"(open({self.trace!r}, 'a').close(), __import__('pickle').loads({self.raw!r}))[1]",)


def poisoned_build(root: Path, out: Path, flags: list[str], trace: Path) -> engine.Built:
    """A build that files all that it files as itself, with all checksums, but for what pickles and code say besides."""
    pickled, marshalled = pickle.dumps, marshal.dumps

    def dumps(thing: object, *arguments: Any, **named: Any) -> bytes:
        return pickled(_Poison(pickled(thing, *arguments, **named), str(trace)))

    def dumps_code(thing: Any, *version: int) -> bytes:
        if isinstance(thing, CodeType):
            source = f"open({str(trace)!r}, 'a').close()\nexec(__import__('marshal').loads({marshalled(thing)!r}))"
            thing = compile(source, thing.co_filename, "exec")
        return marshalled(thing, *version)

    sys.dont_write_bytecode = True  # modules are for Python to keep
    pickle.dumps, marshal.dumps = dumps, dumps_code
    pickle.dump = lambda thing, file, *more, **named: file.write(dumps(thing, *more, **named))
    marshal.dump = lambda thing, file, *version: file.write(dumps_code(thing, *version))
    built = engine._build(root, out, flags)
    trace.unlink(missing_ok=True)
    return built
