"""The report: tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from generators import Generator
from measure import LONG, MEMORY, SETTLED, Result
from phases import COLD
from targets import MIB, Table, best, judged

HOW = f"""\
- The pages are those of `benchmarks/pages.py`: 9 kB of Markdown each in the mean, half of them smaller than 6 kB and a few ten times as large, with as many headings, links, lists, tables and blocks of code in a dozen languages as real documentation has, the same for everybody. Every generator highlights the code.
- *best* is the shortest of the runs, *worst* the longest. A run of more than {LONG:.0f} s is not repeated. Everything runs as a command of its own: starting the interpreter is part of its time.
- *CPU* is the time of all processors together, user and system, the least of the runs. It says more than *best* where the machine is busy, and is larger than it where work is shared out.
- Before each build of *cold*, the site and every cache are removed; the system's own cache of the disk is warm. After an edit {SETTLED * 1000:.0f} ms pass before the build. That the edit has come through is looked up in the finished page.
- *memory* is {MEMORY}, in a run of its own, whose time does not count.
- *site* and *beside it* are the bytes of the files that are new or were written again: in the finished site, and in caches and records.
- Page and template of the edits: the page in the middle; `templates/base.html`, on which every page rests.
"""  # noqa: E501


def report(table: Table, generators: Sequence[tuple[Generator, str]], own: str, machine: Sequence[str]) -> str:
    """Everything that was measured; targets and ratios are those of `own`, one of Loom's columns."""
    notes = {one.note: f"- {one.name} ({version}): {one.note}." for one, version in generators}
    parts = [
        "# What building a site takes\n",
        "\n".join(f"- {line}" for line in machine) + "\n",
        "## Targets\n",
        f"Those of {own}.\n",
        lines("pages | what | target | measured | holds", judged(table, own)),
        "## Cold builds compared\n",
        ratios(table, own),
        "## How the cost grows: milliseconds a page, cold\n",
        growth(table),
        "## Everything measured\n",
        measured(table),
        "## How it was measured\n",
        HOW + "\n".join(notes.values()) + "\n",
    ]
    return "\n".join(parts)


def lines(head: str, rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    columns = head.split(" | ")
    body = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([f"| {head} |", "|" + "---|" * len(columns), *body]) + "\n"


def ratios(table: Table, own: str) -> str:
    """How often Loom fits into the others, and Hugo into Loom."""
    names = [name for name in dict.fromkeys(name for _, name in table) if not name.startswith("Loom")]
    if not names:
        return "No other generator was measured.\n"
    head = " | ".join(["pages", *(f"Loom ÷ {one}" if one == "Hugo" else f"{one} ÷ Loom" for one in names)])

    def row(pages: int) -> Iterator[str]:
        yield f"{pages:,}"
        for name in names:
            other, ours = table.get((pages, name)), table.get((pages, own))
            ratio = best(other, COLD) / best(ours, COLD) if other and ours else 0
            yield f"{1 / ratio if name == 'Hugo' else ratio:.2f}" if ratio else "–"

    return lines(head, [tuple(row(pages)) for pages in _sizes(table)])


def growth(table: Table) -> str:
    """Milliseconds a page, by generator and size."""
    sizes = _sizes(table)
    rows = [
        (name, *(f"{1000 * best(table[at, name], COLD) / at:.2f}" if (at, name) in table else "–" for at in sizes))
        for name in dict.fromkeys(name for _, name in table)
    ]
    return lines(" | ".join(["generator", *(f"{size:,} pages" for size in sizes)]), rows)


def measured(table: Table) -> str:
    """One row for each generator, size and phase."""
    head = "pages | generator | build | best, s | worst, s | CPU, s | memory, MiB | site, MB | beside it, MB"
    rows = [(f"{pages:,}", name, phase, *_numbers(result)) for (pages, name), results in sorted(
        table.items(), key=lambda one: one[0][0]) for phase, result in results.items()]  # fmt: skip
    return lines(head, rows)


def _numbers(result: Result) -> tuple[str, ...]:
    return (f"{result.best:.3f}", f"{max(result.seconds):.3f}", f"{result.busy:.3f}", f"{result.memory / MIB:.0f}",
            f"{result.site / 1e6:.2f}", f"{result.beside / 1e6:.2f}")  # fmt: skip


def _sizes(table: Table) -> list[int]:
    return sorted({pages for pages, _ in table})
