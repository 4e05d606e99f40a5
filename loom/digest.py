"""Short hashes of bytes."""

from __future__ import annotations

import hashlib

LENGTH = 16  # bytes
MISSING = b""  # what a file has that is not there


def digest(*parts: bytes) -> bytes:
    """The digest of some bytes, cut as they are."""
    found = hashlib.blake2b(digest_size=LENGTH)
    for part in parts:
        found.update(b"%d " % len(part) + part)
    return found.digest()
