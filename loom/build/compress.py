"""Text files, compressed once and for all, for hosts that send what lies beside a file."""

from __future__ import annotations

import gzip
from concurrent.futures import ThreadPoolExecutor

import brotli

from loom.model import Output

TEXT = frozenset([".html", ".css", ".js", ".json", ".svg", ".xml", ".txt", ".md", ".csv", ".webmanifest"])


def compressed(output: Output) -> Output:
    """The `.br` and the `.gz` of every text file. They hold no time, so that they are the same at every build."""
    texts = [(path, raw) for path, raw in output.items() if path.suffix in TEXT]
    with ThreadPoolExecutor() as threads:
        pairs = list(threads.map(lambda one: _both(one[1]), texts))
    more: Output = {}
    for (path, _), (br, gz) in zip(texts, pairs, strict=True):
        more[path.with_name(f"{path.name}.br")] = br
        more[path.with_name(f"{path.name}.gz")] = gz
    return more


def _both(raw: bytes) -> tuple[bytes, bytes]:
    return brotli.compress(raw, quality=11), gzip.compress(raw, 9, mtime=0)
