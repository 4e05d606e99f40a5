"""How large pictures are, from the beginnings of their files: a page keeps their room free."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

RASTER = (".avif", ".gif", ".jpeg", ".jpg", ".png", ".webp")
Size = tuple[int, int] | None


def sizes(content: Path, names: Iterable[str]) -> dict[str, Size]:
    """The sizes of pictures in CSS pixels; none where a drawing gives none, or what is called a picture is none."""
    kinds = (*RASTER, ".svg")
    return {name: size_of(content / name) for name in names if PurePosixPath(name).suffix.lower() in kinds}


def size_of(path: Path) -> Size:
    """The size of one picture."""
    import imagesize  # a site without pictures does without it

    width, height = imagesize.get(path)  # as it is shown, though the camera may have lain on its side
    return (round(width), round(height)) if min(width, height) >= 1 else None
