"""Addresses of pages and files, always relative, so that a site works below any path and from a folder."""

from __future__ import annotations

import posixpath
from pathlib import PurePosixPath
from urllib.parse import quote


def page_url(page_id: str, home: str) -> str:
    """The address of a page below the site's root: "" for the home page, "attention/" for another."""
    if page_id == home:
        return ""
    return f"{page_id.removesuffix('/index') if page_id != 'index' else 'index'}/"


def page_file(url: str) -> PurePosixPath:
    """The file that a static host serves for a page's address."""
    return PurePosixPath(url) / "index.html"


def relative(start: str, target: str) -> str:
    """How a page at the address `start` calls `target`."""
    if not target and not start:
        return "./"
    path = posixpath.relpath(f"/{target}", f"/{start}")
    slash = "/" if target.endswith("/") or not target else ""
    return quote(path + slash)


def fragment(scene_id: str, pairs: list[tuple[str, str]]) -> str:
    """The part of an address behind '#' that names a state of a scene."""
    query = "&".join(f"{quote(name)}={quote(value)}" for name, value in pairs)
    return f"{scene_id}?{query}" if query else scene_id
