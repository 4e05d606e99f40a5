"""Check links to other sites, politely: with few requests at a time, pauses, and a cache of good answers."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

from loom.content.blocks import Page
from loom.content.placeholders import LinkRef
from loom.errors import Problem
from loom.lint.fetch import UNREACHED, Fetch, fetch
from loom.progress import OnProgress, ProgressEvent, Stage, ignore_progress
from loom.site.index import SiteIndex

DAY = 24 * 3600.0
HOSTS = 4  # hosts at the same time, each with one request at a time
PAUSE = 1.0  # seconds between two requests to a host
TRIES = 3
AGENT = "Loom link check"
PATIENCE = 60.0  # seconds: a host whose Retry-After is longer is skipped
HEAD_REFUSED = frozenset([400, 403, 404, 405, 410, 501])  # GET is tried then: some sites don't support HEAD
LATER = frozenset([429, 500, 502, 503, 504])  # temporary errors


@dataclass
class LinkChecker:
    """Checks links. Good answers are cached in a file for `max_age` seconds; failed links are checked each time."""

    cache_file: Path | None = None
    max_age: float = 7 * DAY
    fetch: Fetch = fetch
    now: Callable[[], float] = time.time
    sleep: Callable[[float], object] | None = None
    agent: str = AGENT
    _stopped: threading.Event = field(default_factory=threading.Event)

    def check(self, addresses: Iterable[str], on_progress: OnProgress = ignore_progress) -> dict[str, str]:
        """The mistake of each address (empty: none). Addresses with a cached good answer are left out."""
        known = self._remembered()
        asked = sorted({address for address in addresses if not 0 <= self.now() - known.get(address, 0) < self.max_age})
        hosts: dict[str, list[str]] = {}
        for address in asked:
            hosts.setdefault(_host(address), []).append(address)
        found: dict[str, str] = {}
        pool = ThreadPoolExecutor(HOSTS)
        try:
            visits = [pool.submit(self._visit, listed) for listed in hosts.values()]
            for visit in as_completed(visits):
                found |= visit.result()
                on_progress(ProgressEvent(Stage.LINKS_CHECKED, "", len(found), len(asked)))
        finally:
            self._stopped.set()  # wakes threads that wait
            pool.shutdown(cancel_futures=True)
            self._stopped.clear()
            good = {address: self.now() for address, wrong in found.items() if not wrong}
            self._keep({**known, **good})
        return found

    def _visit(self, addresses: Sequence[str]) -> dict[str, str]:
        """Check the addresses of one host, one after the other."""
        found: dict[str, str] = {}
        refused = ""
        for address in addresses:
            if found:
                self._wait(PAUSE)
            if not (refused or self._stopped.is_set()):
                found[address], refused = self._checked(address)
            else:
                found[address] = f"was not asked for{refused and f': {refused}'}"
        return found

    def _checked(self, address: str) -> tuple[str, str]:
        """The mistake of an address; and the reason why its host must not be asked any more, if any."""
        method = "HEAD"
        for attempt in range(TRIES):
            answer = self.fetch(address, method, self.agent)
            if method == "HEAD" and answer.status in HEAD_REFUSED:
                method = "GET"
                self._wait(PAUSE)
                answer = self.fetch(address, method, self.agent)
            if answer.status != UNREACHED and answer.status not in LATER:
                return answer.wrong, ""
            pause = self._pause(answer.later)
            if pause > PATIENCE:
                reason = f"{_host(address)} asked to wait {pause:.0f} s"
                return f"{answer.wrong}: {reason}", reason
            if attempt + 1 < TRIES:
                self._wait(max(pause, PAUSE * 2**attempt))
        return answer.wrong, ""

    def _pause(self, later: str) -> float:
        """The seconds of a `Retry-After` header, which is a number or a date."""
        with contextlib.suppress(ValueError, TypeError):
            return float(later) if later.strip().isdigit() else parsedate_to_datetime(later).timestamp() - self.now()
        return 0.0

    def _wait(self, seconds: float) -> None:
        (self.sleep or self._stopped.wait)(seconds)

    def _remembered(self) -> dict[str, float]:
        try:
            known = json.loads(self.cache_file.read_bytes()) if self.cache_file else {}
            return {str(address): float(at) for address, at in known.items()}
        except (OSError, ValueError, TypeError, AttributeError):  # it may be deleted or damaged at any time
            return {}

    def _keep(self, known: dict[str, float]) -> None:
        fresh = {address: at for address, at in sorted(known.items()) if 0 <= self.now() - at < self.max_age}
        with contextlib.suppress(OSError):  # the disk is full or read-only: the cache is lost
            if self.cache_file:
                self.cache_file.parent.mkdir(parents=True, exist_ok=True)
                half = self.cache_file.with_suffix(".part")
                half.write_text(json.dumps(fresh, indent=0), encoding="utf-8")
                half.replace(self.cache_file)


def external_problems(
    pages: Iterable[Page], index: SiteIndex, checker: LinkChecker, on_progress: OnProgress = ignore_progress
) -> Iterator[Problem]:
    """Broken links to other sites, at each place where they are written."""
    ignored = index.config.ignore_links
    places = [one for one in _places(pages, index) if not one[0].startswith(ignored)]
    home = index.config.url or index.config.repository
    checker.agent = f"{AGENT} for {home}" if home else AGENT
    found = checker.check((address for address, *_ in places), on_progress)
    for address, path, line, column in places:
        if found.get(address):
            hint = "mend the link, or name its beginning under 'ignore_links:' in content/site.yml"
            yield Problem(path, line, column, f"'{address}' {found[address]}", hint, "external")


def _places(pages: Iterable[Page], index: SiteIndex) -> Iterator[tuple[str, str, int, int]]:
    """Every address of another site without its fragment, with the place where it is written."""
    for page in pages:
        for part in page.parts():
            if isinstance(part, LinkRef) and _is_checked(part.href):
                yield urldefrag(part.href).url, page.source.path, part.line, part.column
    for reference in index.references.values():
        if _is_checked(reference.url):
            yield urldefrag(reference.url).url, reference.path, reference.line, 0
    if _is_checked(index.config.repository):
        yield index.config.repository, "content/site.yml", 0, 0


def _is_checked(address: str) -> bool:
    return address.lower().startswith(("http://", "https://"))


def _host(address: str) -> str:
    try:
        parts = urlsplit(address)
        return (parts.hostname or "") + (f":{parts.port}" if parts.port else "")
    except ValueError:
        return ""
