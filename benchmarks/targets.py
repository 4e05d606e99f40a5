"""What Loom's speed is held to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from phases import COLD, PAGE, TEMPLATE, UNCHANGED, Results

MIB = 2**20
Table = Mapping[tuple[int, str], Results]  # by number of pages and generator
Value = Callable[[Results, Callable[[str], Results]], float]  # of Loom's results, and those of another


@dataclass(frozen=True)
class Target:
    """A bound, and how what it bounds is read from the results of one size."""

    pages: int
    what: str
    bound: str
    holds: Callable[[float], bool]
    value: Value
    shown: str = "{:.2f}"


def best(results: Results, phase: str) -> float:
    """The shortest time of a phase."""
    return results[phase].best


def most(results: Results) -> float:
    """The most memory of all phases, in MiB."""
    return max(one.memory for one in results.values()) / MIB


def within(limit: float) -> Callable[[float], bool]:
    """A bound from above."""
    return lambda value: value <= limit


def took(phase: str) -> Value:
    """Milliseconds of one of Loom's phases."""
    return lambda own, _: 1000 * best(own, phase)


def to_hugo(phase: str) -> Value:
    """One of Loom's phases against Hugo's whole build."""
    return lambda own, of: best(own, phase) / best(of("Hugo"), COLD)


TARGETS = (
    Target(1000, "cold, Loom ÷ Hugo", "≤ 1.5", within(1.5), to_hugo(COLD)),
    Target(1000, "cold, MkDocs ÷ Loom", "≥ 3", lambda value: value >= 3,
           lambda own, of: best(of("MkDocs"), COLD) / best(own, COLD)),
    Target(1000, "unchanged, Loom ÷ Hugo", "≤ 0.05", within(0.05), to_hugo(UNCHANGED), "{:.3f}"),
    *(Target(pages, what, f"≤ {limit} ms", within(limit), took(phase), "{:.0f} ms") for pages, what, phase, limit in (
        (1000, "unchanged", UNCHANGED, 60), (4000, "unchanged", UNCHANGED, 120),
        (1000, "after one edit", PAGE, 200), (4000, "after one edit", PAGE, 250),
        (1000, "after an edit of a template", TEMPLATE, 500))),
    Target(4000, "memory, the most of all phases", "≤ 200 MiB", within(200), lambda own, _: most(own), "{:.0f} MiB"),
)  # fmt: skip


def judged(table: Table, own: str) -> Iterator[tuple[str, ...]]:
    """Each target with the value of `own` beside it, and whether it holds."""
    for target in TARGETS:
        try:
            at = {name: results for (pages, name), results in table.items() if pages == target.pages}
            value = target.value(at[own], at.__getitem__)
        except KeyError:
            told = ("not measured", "–")
        else:
            told = (target.shown.format(value), "yes" if target.holds(value) else "**no**")
        yield f"{target.pages:,}", target.what, target.bound, *told
