"""Build into a folder: unchanged files are taken over, and only what has changed is written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from loom.addresses import page_path
from loom.build.pipeline import Builder, Built
from loom.build.record import Record, Records, outputs_digest
from loom.build.sink import Manifest, Sink
from loom.build.spare import SPARE
from loom.build.staging import FORMS, Staging
from loom.build.stamps import Outputs, Stamp, inputs, outputs, summary
from loom.build.write import check_replaceable, staging
from loom.digest import digest
from loom.errors import LoomError, Problem
from loom.model import Output
from loom.options import Options
from loom.progress import OnProgress, ProgressEvent, Stage
from loom.scenes.results import KnownScene

TEXT = frozenset([".html", ".css", ".js", ".json", ".svg", ".xml", ".txt", ".md", ".csv", ".webmanifest"])


class FolderSink(Sink):
    """A sink that writes into a staging folder; `previous` are the files of the folder that it will replace."""

    def __init__(self, stage: Staging, previous: Manifest, *, compress: bool) -> None:
        super().__init__(previous)
        self.stage, self.compress = stage, compress
        self.kept: list[str] = []
        self.changed = False

    def keep(self, manifest: Manifest) -> None:
        self.kept += self.paths.take(manifest)

    def put(self, output: Output, manifest: Manifest) -> None:
        fresh = {}
        for path in self.paths.take(manifest):
            if self.previous.get(path) == manifest[path]:
                self.kept.append(path)
            else:
                fresh[PurePosixPath(path)] = output[PurePosixPath(path)]
        self.changed = self.changed or bool(fresh)
        self.stage.write(fresh | compressed(fresh) if self.compress else fresh)

    def read(self, path: PurePosixPath) -> bytes:
        kept = self.previous.get(str(path)) == self.paths.taken.get(str(path))
        return (self.stage.folder / path).read_bytes() if kept else self.stage.read(path)

    def finish(self) -> bool:
        """Take over the unchanged files; return whether anything has changed."""
        self.paths.raise_conflicts()
        if not self.changed and self.paths.taken.keys() == self.previous.keys():
            return False
        for path in self.kept:
            forms = FORMS if self.compress and path.endswith(tuple(TEXT)) else ()
            self.stage.take((path, *(path + form for form in forms)))
        return True


class _Disturbed(Exception):  # noqa: N818 - no error: the build is made again
    """Another build has replaced the folder while this one took over its files."""


def build_folder(options: Options, out: Path, records: Records, on_progress: OnProgress) -> list[str]:
    """Bring the folder up to date; return the lines to print."""
    check_replaceable(out.resolve())  # before its files are looked at: it may be a whole disk
    builder = Builder(options)
    for previous in (records.files(), {}, {}):
        try:
            return _build_folder(builder, out, records, previous, on_progress)
        except _Disturbed:
            continue
    raise LoomError(Problem(str(out), 0, 0, "other builds write this folder all the time", "choose another --out"))


def _build_folder(
    builder: Builder, out: Path, records: Records, previous: Manifest, on_progress: OnProgress
) -> list[str]:
    options, folder = builder.options, str(out.resolve())
    before = outputs(folder)
    previous = _still_there(folder, previous, before, records.written(), whole=not options.compress)
    read = inputs(str(options.root))
    with staging(out, options.cache and options.cache.with_name(SPARE)) as stage:
        sink = FolderSink(stage, previous, compress=options.compress)
        built = builder.build(sink, on_progress)
        on_progress(ProgressEvent(Stage.WRITING))
        needed = sink.finish()
        try:
            if needed:
                stage.assemble(before.stamps)
        except FileNotFoundError:
            raise _Disturbed from None

        def undisturbed(now: Mapping[str, Stamp]) -> bool:
            if previous and now != before.stamps:
                raise _Disturbed
            return needed

        stage.needed = undisturbed
    written = stage.stamps if needed else before.stamps
    lines = [*summary_lines(built, written), f"{len(sink.paths.taken)} files in {out}/"]
    others = builder.files.others(read)
    now = Outputs(written, outputs(folder).touched)
    record = Record(summary(read | others), outputs_digest(now), tuple(others), tuple(lines))
    records.write(record, sink.paths.taken)
    return lines


def _still_there(folder: str, previous: Manifest, there: Outputs, written: str, *, whole: bool) -> Manifest:
    """The files of the last build that are still there, unchanged.

    If files have the same stamps but were touched since, they are read and compared. That needs the digests of all of
    them (`whole`): compressed files have none, and then everything is written again.
    """
    if outputs_digest(there) == written:
        return previous
    if not whole or summary(there.stamps) != written.split(" ")[0]:
        return {}
    return {path: found for path, found in previous.items() if digest(Path(folder, path).read_bytes()) == found}


def summary_lines(built: Built, written: dict[str, Stamp]) -> list[str]:
    """One line per page: the bytes of its first view, by kind."""
    index = built.index
    script, style = (_total(written, built, suffix) for suffix in (".js", ".css"))
    urls = {name: f"/{info.url(index.config)}" for name, info in index.infos.items()}
    widest = max(map(len, urls.values()), default=0)
    lines = []
    for name, info in index.infos.items():
        html = written[page_path(urls[name][1:])][0]
        data = sum(_data(index.data[scene], written) for scene in {embed.scene for embed in info.embeds.values()})
        lines.append(f"{urls[name]:<{widest}}  HTML {html:>8,}  JS {script:>7,}  CSS {style:>7,}  JSON {data:>10,}")
    return lines


def _data(known: KnownScene, written: dict[str, Stamp]) -> int:
    """The bytes of a scene's data."""
    return sum(written[path][0] for path in known.summary.manifest)


def _total(written: dict[str, Stamp], built: Built, suffix: str) -> int:
    """The bytes of the scripts or styles that every page fetches."""
    assets = built.context.assets.output
    return sum(written[str(path)][0] for path in assets if path.suffix == suffix and str(path) in written)


def compressed(output: Output) -> Output:
    """The `.br` and the `.gz` of every text file. They hold no timestamp, so that builds are reproducible."""
    from concurrent.futures import ThreadPoolExecutor  # slow to import, and only needed here

    texts = [(path, raw) for path, raw in output.items() if path.suffix in TEXT]
    jobs = [(path.with_name(path.name + form), form, raw) for path, raw in texts for form in FORMS]
    with ThreadPoolExecutor() as threads:
        packed = threads.map(lambda job: _compress(*job[1:]), jobs)
        return {path: raw for (path, *_), raw in zip(jobs, packed, strict=True)}


def _compress(form: str, raw: bytes) -> bytes:
    import gzip

    import brotli

    return brotli.compress(raw, quality=11) if form == ".br" else gzip.compress(raw, 9, mtime=0)
