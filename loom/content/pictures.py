"""Pictures: which files are some, how large they are, and whether one is whole: the start of a cut one looks valid."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import BinaryIO

RASTER = (".avif", ".gif", ".jpeg", ".jpg", ".png", ".webp")
PICTURES = (*RASTER, ".svg")
PNG, JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
END = b"\xff\xd9"  # of a JPEG
MARKER = re.compile(rb"\xff+([^\x00\x01\xd0-\xd7\xff])")  # in a JPEG: the start of a segment, or the end of the picture
FIRST_MARKER = 0xC0
Size = tuple[int, int] | None


def sizes(content: Path, names: Iterable[str]) -> dict[str, Size]:
    """The sizes of pictures in CSS pixels; None if a drawing gives none, or a file is no picture."""
    return {name: size_of(content / name) for name in names if PurePosixPath(name).suffix.lower() in PICTURES}


def size_of(path: Path) -> Size:
    """The size of one picture; None if its file is truncated."""
    import imagesize  # only imported for sites with pictures

    try:
        with path.open("rb") as file:
            if not is_whole(file):
                return None
        width, height = imagesize.get(path)  # with the rotation that the camera recorded
    except OSError:  # reported where the file is read
        return None
    return (round(width), round(height)) if min(width, height) >= 1 else None


def is_whole(file: BinaryIO) -> bool:
    """Whether a PNG or a JPEG is complete. Other kinds of pictures are not checked."""
    head = file.read(len(PNG))
    if head == PNG:
        return _png_ends(file)
    return not head.startswith(JPEG) or _jpeg_ends(file)


def _png_ends(file: BinaryIO) -> bool:
    """Whether the chunks of a PNG, each with its length, lead past the picture's data to the last one."""
    kinds = set()
    while len(head := file.read(8)) == 8 and head[4:].isalpha():
        kinds.add(head[4:])
        file.seek(int.from_bytes(head[:4]), 1)
        if len(file.read(4)) < 4:  # its checksum
            return False
        if head[4:] == b"IEND":
            return b"IDAT" in kinds
    return False


def _jpeg_ends(file: BinaryIO) -> bool:
    """Whether a JPEG has an end: at the end of its file, or among its segments, because data may follow it."""
    file.seek(-len(END), 2)
    if file.read() == END:
        return True
    file.seek(0)
    raw, at = file.read(), 2
    while part := MARKER.search(raw, at):
        if raw[part.end() - 2 : part.end()] == END:
            return True
        if part[1][0] < FIRST_MARKER:
            return False
        at = part.end() + int.from_bytes(raw[part.end() : part.end() + 2])
    return False
