"""The manifest by which a phone puts the site on its home screen."""

from __future__ import annotations

import json
from pathlib import PurePosixPath

from loom.model import Config, Output

ICON = PurePosixPath("favicon.svg")


def webmanifest(config: Config, files: Output) -> Output:
    """Name, language and icon; all addresses are relative to the manifest."""
    icons = [{"src": str(ICON), "type": "image/svg+xml", "sizes": "any"}]
    told = {"name": config.title, "description": config.tagline, "lang": config.language, "start_url": "./",
            "scope": "./", "display": "minimal-ui", "icons": icons if ICON in files else []}  # fmt: skip
    text = json.dumps({name: value for name, value in told.items() if value}, ensure_ascii=False, indent=1)
    return {PurePosixPath("site.webmanifest"): f"{text}\n".encode()}
