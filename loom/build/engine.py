"""The incremental build: each result is stored with its dependencies, and is reused as long as none has changed.

These are the constructive traces of Mokhov, Mitchell and Peyton Jones, "Build systems à la carte", 2018. A *task* is
the name of a result. Its dependencies are a list of *questions* with the digests of their answers. There is no graph of
what an edit affects: the next build asks the questions again. A *session* is one build, as its stages share it.

Thousands of pages ask a dozen questions each of the same index. A trace that was *verified* with this very index needs
not ask them again: after most edits, the index is as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from loom.build.executor import Workers
from loom.build.files import Files
from loom.build.pool import Pool
from loom.build.store import Row, Store
from loom.digest import digest
from loom.options import Options
from loom.progress import OnProgress

Result = TypeVar("Result")
Question = tuple[str, str]  # its kind, and its subject
BATCH = 200  # results that are written in one transaction
_encoder = msgspec.msgpack.Encoder()
_sorted = msgspec.msgpack.Encoder(order="deterministic")  # for digests only: results keep their order
_reads = msgspec.msgpack.Decoder(tuple[tuple[str, str, bytes], ...])


def digest_of(value: Any) -> bytes:
    """The digest of plain data."""
    return digest(_sorted.encode(value))


class Trace(NamedTuple, Generic[Result]):
    """A result, with a function that loads the files that were made with it."""

    task: str
    result: Result
    files: Callable[[], bytes | None]


class Engine:
    """Recalls and keeps results. `version` is a digest of Loom, Python and the installed packages."""

    def __init__(self, store: Store | None, version: bytes) -> None:
        self.store, self.version = store, version
        self._asked: dict[Question, bytes] = {}
        self._answers: dict[str, Callable[[str], bytes]] = {}
        self._data, self._from_data = b"", frozenset[str]()  # a digest, and the kinds of questions that it answers
        self._new: dict[str, Row] = {}
        self._used: list[Row] = []

    def answer(self, kind: str, answers: Callable[[str], bytes]) -> None:
        """Set the function that answers questions of a kind."""
        self._answers[kind] = answers
        self._asked = {question: known for question, known in self._asked.items() if question[0] != kind}

    def answer_from(self, data: bytes, answers: Mapping[str, Callable[[str], bytes]]) -> None:
        """Set functions whose answers depend on nothing but data with this digest."""
        for kind, function in answers.items():
            self.answer(kind, function)
        self._data, self._from_data = data, frozenset(answers)

    def ask(self, kind: str, name: str) -> bytes:
        """The digest of the answer to a question, cached for this build."""
        known = self._asked.get((kind, name))
        if known is None:
            known = self._asked[kind, name] = self._answers[kind](name)
        return known

    def recall(self, tasks: Iterable[str], cls: type[Result]) -> Iterator[Trace[Result]]:
        """The stored results of some tasks that are still valid, in any order."""
        missing = dict.fromkeys(tasks)
        for rows in (self.store.latest, self.store.rows) if self.store else ():
            for row in rows(list(missing)):
                if row.task in missing and (result := self._held(row, cls)) is not None:
                    del missing[row.task]
                    self._used.append(row._replace(result=b"", verified=self._data))
                    yield Trace(row.task, result, partial(self._files, row))

    def _held(self, row: Row, cls: type[Result]) -> Result | None:
        """A stored result, if its dependencies are unchanged and it can be decoded."""
        try:
            (_, _, version), *reads = _reads.decode(row.reads)
            if version != self.version:
                return None
            known_same = self._from_data if row.verified == self._data else ()
            reads = [read for read in reads if read[0] not in known_same]
            # Two loops: after an edit that concerns all pages, one answer that is known refuses each of them, before
            # others are found. Thousands of traces go through here: no function calls for known answers.
            asked = self._asked
            if any(asked.get((kind, name), was) != was for kind, name, was in reads):
                return None
            for kind, name, was in reads:
                if (kind, name) not in asked and (kind not in self._answers or self.ask(kind, name) != was):
                    return None
            return msgspec.msgpack.decode(row.result, type=cls)
        except (msgspec.MsgspecError, ValueError):  # the store may be damaged, or written by another version
            return None

    def keep(
        self, task: str, reads: Iterable[Question] | Mapping[Question, bytes], result: Result, files: bytes = b""
    ) -> Trace[Result]:
        """Store a result with its dependencies: questions, or questions with the digests of their answers."""
        known = reads if isinstance(reads, Mapping) else {question: self.ask(*question) for question in reads}
        listed = [("loom", "", self.version), *((*question, was) for question, was in sorted(known.items()))]
        row = Row(task, _encoder.encode(listed), _encoder.encode(result), files, verified=self._data)
        self._new[task] = row
        if len(self._new) % BATCH == 0:
            self.flush()
        return Trace(task, result, partial(self._files, row._replace(files=b"") if self.store else row))

    def once(self, name: str, make: Callable[[], Any], *parts: bytes) -> Any:
        """Plain data that depends on nothing but `parts`: their digest is part of the task's name."""
        task = f"{name} {digest(*parts).hex()}"
        for known in self.recall([task], Any):
            return known.result
        return self.keep(task, (), make()).result

    def _files(self, row: Row) -> bytes | None:
        """The files of a result, from memory or from the store; None if they are lost."""
        here = self._new.get(row.task, row).files
        return here if here or not self.store else self.store.files(row)

    def flush(self) -> None:
        """Write new results, record which ones were used, and close the store.

        What can't be written, because another build holds the store or the disk is full, stays in memory.
        """
        if self.store:
            self.store.close()
            if (self._new or self._used) and not self.store.write(self._new.values(), self._used):
                return
        self._new, self._used = {}, []


@dataclass(frozen=True)
class Session:
    """The objects that the stages of one build share.

    Attributes
    ----------
    engine : Engine
        Recalls and keeps results.
    workers : Workers
        Read and render pages.
    pool : Pool
        Runs the code of scenes.
    files : Files
        Digests of files.
    """

    options: Options
    engine: Engine
    workers: Workers
    pool: Pool
    files: Files
    on_progress: OnProgress
