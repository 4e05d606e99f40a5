"""The pages of a site: those whose dependencies are unchanged are reused, the others are rendered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

import msgspec

from loom.build.content import Content
from loom.build.engine import Engine, Question, Session, digest_of
from loom.build.executor import Workers
from loom.build.page_work import MadePage, PageTask, draw_cards, make_pages, pack_context, render_pages
from loom.build.sink import Manifest, Sink, manifest_of
from loom.digest import digest
from loom.errors import Problem
from loom.model import Output
from loom.progress import ProgressEvent, Stage
from loom.render.cards import Card
from loom.render.context import RenderContext
from loom.render.templates import texts
from loom.site.view import ANSWERS, index_digest


class PageResult(msgspec.Struct, frozen=True):
    """A finished page: the digests of its files, and its social card, not drawn yet."""

    id: str
    manifest: dict[str, bytes]
    card: Card | None = None


def answer(engine: Engine, context: RenderContext) -> None:
    """Tell the engine how to answer the questions of pages."""
    index, frame, templates = context.index, digest_of(context.frame), digest_of(texts(context.templates))
    answers: dict[str, Callable[[str], bytes]] = {
        kind: lambda name, asked=asked: digest_of(asked(index, name))  # type: ignore[misc]
        for kind, asked in ANSWERS.items()
    }
    answers["scene"] = lambda name: index.data[name].summary.digest if name in index.data else b""
    answers |= {"frame": lambda _: frame, "templates": lambda _: templates}
    engine.answer_from(digest(index_digest(index), frame, templates), answers)


def gather_pages(
    content: Content, context: RenderContext, session: Session, sink: Sink, *, already_failed: bool
) -> list[Problem]:
    """Give every page and its card to the sink; return their problems.

    If something has `already_failed`, template errors on pages with scenes or lists are taken for its consequences.
    """
    engine, on_progress = session.engine, session.on_progress
    answer(engine, context)
    cards: dict[str, Card] = {}
    known: set[str] = set()
    for page in engine.recall([_task(name) for name in content.infos if name not in content.unkept], PageResult):
        if reuse(sink, page.result.manifest, page.files):
            known.add(page.result.id)
            if page.result.card:
                cards[page.result.card.path] = page.result.card
            on_progress(ProgressEvent(Stage.PAGE_RENDERED, page.result.id))
    problems: list[Problem] = []
    missing = [name for name in content.infos if name not in known]
    for made in _rendered(missing, content, context, session.workers):
        already_failed = already_failed or bool(problems)
        problems += [
            one
            for one in made.problems
            if not (already_failed and one.rule == "template" and _shows_others(content, made))
        ]
        if made.output:
            manifest = manifest_of(made.output)
            sink.put(made.output, manifest)
            if made.card:
                cards[made.card.path] = made.card
            _keep(engine, content, context, made, PageResult(made.name, manifest, made.card))
        on_progress(ProgressEvent(Stage.PAGE_RENDERED, made.name))
    if cards:
        problems += _draw(cards, context, session, sink)
    return problems


def reuse(sink: Sink, manifest: Manifest, files: Callable[[], bytes | None]) -> bool:
    """Let the sink keep files of an earlier build, or put them into it; False if they are lost."""
    if sink.holds(manifest):
        sink.keep(manifest)
        return True
    output = unpacked(files())
    if {str(path) for path in output} != set(manifest):
        return False
    sink.put(output, manifest)
    return True


def put_kept(sink: Sink, output: Output, engine: Engine, task: str, reads: Iterable[Question] = ()) -> None:
    """Put files into a sink, and store them with their manifest as the result of a task."""
    manifest = manifest_of(output)
    sink.put(output, manifest)
    engine.keep(task, reads, manifest, packed(output))


def packed(output: Output) -> bytes:
    """Files, encoded for the store."""
    return msgspec.msgpack.encode({str(path): raw for path, raw in output.items()})


def unpacked(raw: bytes | None) -> Output:
    """The inverse of `packed`; empty if the files are lost."""
    try:
        found = msgspec.msgpack.decode(raw, type=dict[str, bytes]) if raw else {}
    except msgspec.MsgspecError:
        return {}
    return {PurePosixPath(path): raw for path, raw in found.items()}


def _shows_others(content: Content, made: MadePage) -> bool:
    """Whether a page shows more than its own text: scenes, or a generated list."""
    info = content.infos[made.name]
    return bool(info.embeds or info.lists)


def _task(name: str) -> str:
    return f"html {name}"


def _rendered(names: list[str], content: Content, context: RenderContext, workers: Workers) -> Iterator[MadePage]:
    pages = (_with_scenes(name, content, context) for name in names)
    if workers.worth(len(names)) and not context.index.partial:  # partial scenes can't be sent to workers
        yield from workers.spread(make_pages, pages, len(names), pack_context(context))
    else:
        for page in pages:
            yield from render_pages([page], context)


def _with_scenes(name: str, content: Content, context: RenderContext) -> PageTask:
    index = context.index
    wanted = {scene for one in content.infos[name].scenes for scene in index.embedded.get(one, (one,))}
    scenes = [index.data[scene] for scene in sorted(wanted) if scene in index.data]
    return PageTask(content.encoded(name), {known.id: known.encoded for known in scenes if not known.partial})


def _keep(engine: Engine, content: Content, context: RenderContext, made: MadePage, result: PageResult) -> None:
    """Store a page with its dependencies, unless it has problems or shows a partial scene."""
    scenes = (context.index.data.get(name) for kind, name in made.reads if kind == "scene")
    if any(known.partial for known in scenes if known):
        return
    if not made.problems and made.name not in content.unkept:
        reads = [("file", content.infos[made.name].path), *made.reads]
        engine.keep(_task(made.name), reads, result, packed(made.output))


def _draw(cards: dict[str, Card], context: RenderContext, session: Session, sink: Sink) -> list[Problem]:
    """Draw social cards. A card's path has a hash of its contents, so that its task has no other dependencies."""
    problems: list[Problem] = []
    tasks = {f"card {path}": path for path in cards}
    made = session.engine.recall(tasks, dict[str, bytes])
    known = {tasks[one.task] for one in made if reuse(sink, one.result, one.files)}
    missing = [card for path, card in cards.items() if path not in known]
    world = pack_context(context) if missing else b""
    for path, raw, wrong in session.workers.spread(draw_cards, missing, len(missing), world):
        problems += wrong
        if not wrong:
            put_kept(sink, {path: raw}, session.engine, f"card {path}")
    return problems
