"""The tally: bytes asked for and bytes fetched as two bars of one scale, until the curve of all strides comes."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark

from .model import LANES, SECTOR, Load, bytes_asked
from .stage import Stage

MOST = LANES * SECTOR  # bytes: every lane has a sector to itself


def draw_tally(stage: Stage, load: Load, asked: int, come: int) -> Iterator[Mark]:
    """What so many lanes ask for, and what so many sectors bring: the rest of the second bar is not used."""
    box, tall = stage.tally, stage.pick(9, 18)
    wanted = len(bytes_asked(load.addresses[:asked], load.element))
    moved, used = come * SECTOR, int(load.used[:come].sum())
    for row, (name, size) in zip(box.rows(2), {"asked for": wanted, "fetched": moved}.items(), strict=True):
        base = row.bottom - tall - stage.pick(3, 6)
        track = Box(box.x, row.bottom - tall, box.width, tall)
        yield stage.text(f"tally-{name}", box.x, base, name)
        yield stage.text(f"tally-{name}-size", box.right, base, f"{size:,} B" if size else "", "value", anchor="end")
        yield stage.rect(f"track-{name}", track, "cell", round=0)
        if name == "fetched":
            yield stage.rect("tally-moved", track._replace(width=box.width * moved / MOST), "dropped soft", round=0)
        green = used if name == "fetched" else wanted
        yield stage.rect(f"tally-{name}-used", track._replace(width=box.width * green / MOST), "work", round=0)
