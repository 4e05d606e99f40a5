"""Compiled templates: in memory, and those of Loom itself also on disk, beside its compiled modules.

Compiling them takes as long as rendering a hundred pages, and each build would do it again. Nothing that a site has is
kept on disk as code: its cache may have come with a checkout, and must be data.
"""

from __future__ import annotations

import marshal
import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from types import CodeType
from typing import Any

import jinja2
from jinja2.bccache import Bucket

from loom.digest import LENGTH, digest
from loom.paths import OWN

SETTINGS: dict[str, Any] = {
    "extensions": ["jinja2.ext.i18n"],
    "autoescape": True,
    "trim_blocks": True,
    "lstrip_blocks": True,
}
TEMPLATES = OWN / "templates"


class CompiledTemplates(jinja2.BytecodeCache):
    """A cache of compiled templates, by their files and the checksums of their texts."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[str, CodeType | None]] = {}

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The file itself: its name is part of the code, for messages."""
        return filename or name

    def load_bytecode(self, bucket: Bucket) -> None:
        """Set the compiled code if the template is unchanged."""
        checksum, code = self.known.get(bucket.key, ("", None))
        bucket.code = code if checksum == bucket.checksum else _read(bucket)
        self.known[bucket.key] = bucket.checksum, bucket.code

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store the compiled code."""
        self.known[bucket.key] = bucket.checksum, bucket.code
        if not sys.dont_write_bytecode:
            _write(bucket)


def compiled_file(template: Path) -> Path | None:
    """Where Python would keep the code of a module of that name; None for the template of a site."""
    if not template.is_relative_to(TEMPLATES):
        return None
    name = template.relative_to(TEMPLATES).as_posix().replace("/", ".")
    with suppress(NotImplementedError):  # this Python keeps no code
        return Path(cache_from_source(str(Path(__file__).with_name(f"{name}.py"))))
    return None


def _read(bucket: Bucket) -> CodeType | None:
    """The code of one of Loom's own templates, if it is on disk, whole and of the same text."""
    path = compiled_file(Path(bucket.key))
    if not path:
        return None
    with suppress(OSError):
        raw = path.read_bytes()
        if raw[:LENGTH] == _seal(bucket, raw[LENGTH:]):
            code: CodeType = marshal.loads(raw[LENGTH:])
            return code
    return None


def _write(bucket: Bucket) -> None:
    path = compiled_file(Path(bucket.key))
    if not path:
        return
    raw = marshal.dumps(bucket.code)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):  # Loom may be installed where nothing may be written
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(_seal(bucket, raw) + raw)
        part.replace(path)


def _seal(bucket: Bucket, raw: bytes) -> bytes:
    """A digest of everything that the code depends on, and of the code: what differs in any of it is not run."""
    versions = f"{sys.version} {jinja2.__version__} {SETTINGS} {bucket.key} {bucket.checksum}"
    return digest(versions.encode(), raw)
