"""What is done to a site: built from nothing, built again, and built after an edit of a page or of a template."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from generators import Generator
from measure import LONG, SETTLED, CommandError, Result, Run, files, run, written
from pages import page_name

COLD, UNCHANGED, PAGE, TEMPLATE = "cold", "unchanged", "one page", "template"
Results = dict[str, Result]


def measure(generator: Generator, folder: Path, count: int, repeat: int) -> Results:
    """Everything that one generator is asked to do with so many pages, each `repeat` times."""
    generator.prepare(folder, count)
    own = set(folder.iterdir())
    page = folder / "content" / f"{page_name(count // 2)}.md"
    results = {COLD: _repeated(generator.command, folder, repeat, lambda _: _clear(folder, own))}
    again = generator.again
    if again:
        results[UNCHANGED] = _repeated(again, folder, repeat, lambda _: None)
        edit = _editor(page, "", "\n\nThese words are new: {}.\n", generator.html(folder, count // 2))
        results[PAGE] = _repeated(again, folder, repeat, *edit)
    if again and generator.template:
        mark = '<meta name="edition" content="{}">\n'
        edit = _editor(folder / generator.template, "</head>", mark, generator.html(folder, 0))
        results[TEMPLATE] = _repeated(again, folder, repeat, *edit)
    return results


def _repeated(
    command: Sequence[str],
    folder: Path,
    repeat: int,
    before: Callable[[int], None],
    after: Callable[[int], None] = lambda _: None,
) -> Result:
    """Run the same thing several times.

    In the first run the memory is watched, and disk and compiled modules become warm; its time does not count unless it
    is so long that watching it is nothing, and then it is the only one.
    """
    runs: list[Run] = []
    site = beside = 0
    for number in range(repeat + 1):
        before(number)
        earlier = files(folder)
        time.sleep(SETTLED)
        runs.append(run(command, folder, watched=not number))
        after(number)
        site, beside = written(earlier, files(folder), folder / "site")
        if runs[0].seconds > LONG:
            break
    timed = runs[1:] or runs
    busy = min(one.busy for one in timed)
    return Result(tuple(one.seconds for one in timed), busy, runs[0].memory, site, beside)


def _clear(folder: Path, own: set[Path]) -> None:
    """Leave only what the author wrote: no site, no cache."""
    for path in folder.iterdir():
        if path not in own:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _editor(edited: Path, place: str, text: str, html: Path) -> tuple[Callable[[int], None], Callable[[int], None]]:
    """How to put a new text in front of `place`, and how to see that it has come through to the finished page."""
    before = edited.read_text()

    def edit(number: int) -> None:
        fresh = text.format(f"edition-{number}")
        edited.write_text(before.replace(place, fresh + place, 1) if place else before + fresh)

    def seen(number: int) -> None:
        if f"edition-{number}" not in html.read_text():
            raise CommandError(f"{html} does not show the edit of {edited}")

    return edit, seen
