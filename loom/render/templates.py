"""Jinja: where templates lie, and filling them."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePosixPath
from types import CodeType
from typing import Any

import jinja2
from jinja2.bccache import Bucket

from loom.addresses import relative
from loom.content.files import read_bytes
from loom.errors import LoomError, Problem, not_utf8
from loom.model import Config
from loom.options import Templates
from loom.paths import files_in
from loom.render.assets import Assets
from loom.render.headers import CSP
from loom.render.words import ENGLISH, OTHER_PHRASES, Words, readable, script_phrases, style_phrases

KINDS = (".html", ".svg")  # of templates


class Compiled(jinja2.BytecodeCache):
    """What templates were compiled to in this process: good for as long as their text is the same, and never on disk.

    To compile them takes as long as to fill a hundred pages, and `serve` builds after every edit.
    """

    def __init__(self) -> None:
        self.known: dict[str, tuple[str, CodeType | None]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give what the text was compiled to before."""
        checksum, code = self.known.get(bucket.key, ("", None))
        bucket.code = code if checksum == bucket.checksum else None

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Remember it in the place of what was there for the same file."""
        self.known[bucket.key] = bucket.checksum, bucket.code


_compiled = Compiled()


@cache
def environment(templates: Templates, words: Words = ENGLISH) -> jinja2.Environment:
    """Jinja, strict: an undefined name is a mistake, and everything is escaped."""
    jinja: Any = jinja2.Environment(
        extensions=["jinja2.ext.i18n"],
        loader=jinja2.FileSystemLoader([str(folder) for folder in templates.folders]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_compiled,
    )
    jinja.install_gettext_callables(words.gettext, lambda one, *_: words.gettext(one), newstyle=True)
    return jinja  # type: ignore[no-any-return]


def texts(templates: Templates) -> dict[str, bytes]:
    """Every template by its name; a file of an earlier folder stands for the same file of a later one."""
    found: dict[str, bytes] = {}
    for folder in reversed([folder for folder in templates.folders if folder.is_dir()]):
        found |= {name: read_bytes(path, f"templates/{name}") for name, path in files_in(folder)}
    return found


def phrases(templates: Templates, static: Iterable[Path]) -> Iterator[str]:
    """Every phrase that templates, scripts and style sheets can say, those of Loom's own among them."""
    jinja: Any = environment(templates)
    for folder in templates.folders:
        for path in (path for name, path in files_in(folder) if name.endswith(".html")):
            with suppress(jinja2.TemplateSyntaxError, UnicodeDecodeError, OSError):  # reported when it is filled
                messages = jinja.extract_translations(path.read_text(encoding="utf-8"))
                # One with places comes with a name for each of them.
                yield from (readable(one[0] if isinstance(one, tuple) else one) for _, _, one in messages)
    for folder in static:
        for name, path in files_in(folder):
            if path.suffix in (".js", ".css"):
                text = read_bytes(path, f"static/{name}").decode(errors="replace")
                yield from script_phrases(text) if path.suffix == ".js" else style_phrases(text)
    yield from OTHER_PHRASES


def common(config: Config, assets: Assets, url: str) -> dict[str, Any]:
    """What every template needs; `to` is how this page calls another address."""
    return {"config": config, "policy": CSP, "assets": assets, "to": lambda target: relative(url, target)}


def fill(jinja: jinja2.Environment, name: str, values: Mapping[str, Any]) -> bytes:
    """A filled template, or what is wrong with it and where."""
    try:
        return jinja.get_template(name).render(values).encode()
    except jinja2.TemplateNotFound as error:
        raise LoomError(Problem(f"templates/{error.name}", 0, 0, "this template is missing")) from None
    except jinja2.TemplateSyntaxError as error:
        raise LoomError(Problem(f"templates/{error.name}", error.lineno, 0, error.message or "syntax error")) from None
    except UnicodeDecodeError as error:
        raise not_utf8(f"templates/{name}", error) from None
    except Exception as error:  # a template may raise anything; a bug of ours shows no template last
        last = traceback.extract_tb(error.__traceback__)[-1]
        if not isinstance(error, jinja2.TemplateError) and not last.filename.endswith(KINDS):
            raise
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(KINDS)]
        path, line = (frames[-1].filename, frames[-1].lineno or 0) if frames else (name, 0)
        raise LoomError(Problem(f"templates/{PurePosixPath(path).name}", line, 0, str(error))) from None
