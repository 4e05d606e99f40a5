"""The search of a site: its page, and the index, which is made again when a page has changed."""

from __future__ import annotations

from loom.build.engine import Session, digest_of
from loom.build.pages import put_kept, reuse
from loom.build.sink import Sink, put
from loom.model import Output
from loom.render.context import RenderContext
from loom.render.search import index_entries, made, search_page, with_end

TASK = "search index"


def offer_search(context: RenderContext, session: Session, sink: Sink) -> None:
    """Put the search page, and the index of all pages unless `serve` makes that on demand."""
    put(sink, search_page(context))
    if not session.options.indexed:
        return
    engine = session.engine
    entries, digests = index_entries(context.index, context.words), sink.paths.taken
    present = {str(path): (digests[str(path)], end) for path, end in entries.items() if str(path) in digests}
    engine.answer("indexed", lambda _: digest_of(present))
    if any(reuse(sink, known.result, known.files) for known in engine.recall([TASK], dict[str, bytes])):
        return
    pages: Output = {path: with_end(sink.read(path), end) for path, end in entries.items() if str(path) in present}
    put_kept(sink, made(pages), engine, TASK, [("indexed", "")])
