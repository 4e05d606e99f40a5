"""Where Loom's own files lie. Only the standard library is imported here."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
# Templates and static files: in an installed Loom they lie within the package, else beside it, as scenes and content.
OWN = PACKAGE / "files" if (PACKAGE / "files").is_dir() else PACKAGE.parent
