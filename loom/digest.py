"""Short hashes of bytes."""

from __future__ import annotations

import hashlib

LENGTH = 16  # bytes
MISSING = b""  # the digest of a file that does not exist


def digest(*parts: bytes) -> bytes:
    """The digest of a sequence of byte strings; the same bytes split differently have another."""
    found = hashlib.blake2b(digest_size=LENGTH)
    for part in parts:
        found.update(b"%d " % len(part) + part)
    return found.digest()
