"""Jinja templates: loading and rendering them."""

from __future__ import annotations

import re
import signal
import sys
import threading
import traceback
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, cast

import jinja2

from loom.addresses import relative
from loom.content.files import read_bytes
from loom.errors import LoomError, Problem, exception_name, not_utf8
from loom.hints import suggest
from loom.model import Config
from loom.paths import OWN, files_in
from loom.render.assets import Assets
from loom.render.compiled import SETTINGS, CompiledTemplates
from loom.render.headers import CSP
from loom.render.words import ENGLISH, OTHER_PHRASES, Words, readable, script_phrases, style_phrases

KINDS = (".html", ".svg")  # of templates
LONGEST = 20  # seconds of computing for one template
UNDEFINED = re.compile(r"'(\w+)' is undefined")
Pieces = Generator[str, object, None]
MOST, EACH = 500_000_000, 64  # bytes of memory: the limit for what one template writes, the overhead of each piece


class TooLongError(Exception):
    """A template took longer to render than `LONGEST`."""


ENDLESS: dict[type[BaseException], tuple[str, str]] = {  # errors of endless templates: message (empty: its own), hint
    TooLongError: ("", "look for a loop that never ends"),
    MemoryError: ("it writes or makes more than can be held", "look for a loop or a text that is far too long"),
    RecursionError: ("too much lies in one another", "look for a template or a macro that calls itself"),
    SyntaxError: ("too many blocks lie in one another", "nothing that is read is nested so deeply"),
    UnicodeEncodeError: ("it writes a code point that is no character", "look for an escape such as '\\ud800'"),
}
TEMPLATE_ERRORS = (jinja2.TemplateError, UnicodeDecodeError, *ENDLESS)


_compiled = CompiledTemplates()


@cache
def environment(templates: tuple[Path, ...], words: Words = ENGLISH) -> jinja2.Environment:
    """A strict Jinja environment: undefined names are errors, and everything is escaped."""
    jinja: Any = jinja2.Environment(
        **SETTINGS,
        loader=jinja2.FileSystemLoader([str(folder) for folder in templates]),
        undefined=jinja2.StrictUndefined,
        bytecode_cache=_compiled,
        auto_reload=False,  # each build makes an environment of its own
    )
    jinja.install_gettext_callables(words.gettext, lambda one, *_: words.gettext(one), newstyle=True)
    return jinja  # type: ignore[no-any-return]


def texts(templates: tuple[Path, ...]) -> dict[str, bytes]:
    """Every template by its name; a file in an earlier folder overrides the same file in a later one."""
    found: dict[str, bytes] = {}
    for folder in reversed([folder for folder in templates if folder.is_dir()]):
        found |= {name: read_bytes(path, f"templates/{name}") for name, path in files_in(folder)}
    return found


def phrases(templates: tuple[Path, ...], static: Iterable[Path]) -> Iterator[str]:
    """Every translatable phrase of templates, scripts and style sheets, including Loom's own."""
    jinja: Any = environment(templates)
    for folder in templates:
        for path in (path for name, path in files_in(folder) if name.endswith(".html")):
            with suppress(jinja2.TemplateSyntaxError, UnicodeDecodeError, OSError):  # reported when it is rendered
                messages = jinja.extract_translations(path.read_text(encoding="utf-8"))
                # A phrase with placeholders is a tuple that ends with their names.
                yield from (readable(one[0] if isinstance(one, tuple) else one) for _, _, one in messages)
    for folder in static:
        for name, path in files_in(folder):
            if path.suffix in (".js", ".css"):
                text = read_bytes(path, f"static/{name}").decode(errors="replace")
                yield from script_phrases(text) if path.suffix == ".js" else style_phrases(text)
    yield from OTHER_PHRASES


def common(config: Config, assets: Assets, url: str) -> dict[str, Any]:
    """The values that every template needs; `to` makes an address relative to the page."""
    return {"config": config, "policy": CSP, "assets": assets, "to": lambda target: relative(url, target)}


def fill(jinja: jinja2.Environment, name: str, values: Mapping[str, Any]) -> bytes:
    """A rendered template; LoomError with the file and line of a mistake in it."""
    try:
        with _time_bound(LONGEST):
            return "".join(_bounded(cast(Pieces, jinja.get_template(name).generate(values)))).encode()
    except Exception as error:  # a template may raise anything
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(KINDS)]
        place = Path(frames[-1].filename if frames else name), (frames[-1].lineno or 0) if frames else 0
        if not (isinstance(error, TEMPLATE_ERRORS) or _is_authors(error, place[0])):
            raise
        raise _mistake(error, f"templates/{place[0].name}", place[1], values) from None


def _bounded(pieces: Pieces) -> Iterator[str]:
    """The pieces of a template's output; MemoryError when they exceed the limit."""
    size = 0
    for piece in pieces:
        size += len(piece) + EACH
        if size > MOST:
            pieces.throw(MemoryError())  # so that it is raised at the template's own line
        yield piece


@contextmanager
def _time_bound(seconds: float) -> Iterator[None]:
    """Raise TooLongError in a block that computes for longer; without a limit where there are no such signals.

    They only exist in the main thread and not on Windows. A debugger's user may take any time.
    """
    can_interrupt = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not can_interrupt or sys.gettrace():
        yield
        return

    def on_alarm(*_: object) -> None:
        raise TooLongError(f"it takes longer than {seconds:g} s")

    before = signal.signal(signal.SIGVTALRM, on_alarm)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _is_authors(error: BaseException, template: Path) -> bool:
    """Whether the author can mend it: it was raised in a template, or by a call in one of the site's own templates."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    foreign = template.is_absolute() and not template.is_relative_to(OWN / "templates")
    return last.filename.endswith(KINDS) or foreign


def _mistake(error: BaseException, path: str, line: int, values: Mapping[str, Any]) -> LoomError:
    """The problem of a template that fails at this line."""
    if isinstance(error, jinja2.TemplateNotFound):
        hint = f"{path} asks for it in line {line}" if line else ""
        return LoomError(Problem(f"templates/{error.name}", 0, 0, "this template is missing", hint))
    if isinstance(error, jinja2.TemplateSyntaxError):
        return LoomError(Problem(f"templates/{error.name}", error.lineno, 0, error.message or "syntax error"))
    if isinstance(error, UnicodeDecodeError):
        return not_utf8(path, error)
    message, hint = str(error), ""
    if found := UNDEFINED.match(message):
        hint = suggest(found[1], values, "look which names Loom's own template uses")
    for kind, (words, advice) in ENDLESS.items():
        if isinstance(error, kind):
            message, hint = words or message, advice
    return LoomError(Problem(path, line, 0, message or exception_name(error), hint))
