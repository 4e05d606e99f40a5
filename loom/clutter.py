"""What editors leave beside the files of an author: no part of a site. Only the standard library is imported here."""

from __future__ import annotations


def is_clutter(name: str) -> bool:
    """Whether a file's name is that of a copy, a lock or a trial of an editor's, or is hidden."""
    whole = name.endswith(("~", ".swp", ".swo", ".swx")) or name == "4913"  # the last is how vim tries a folder
    return whole or name[0] == "." or (name[0] == name[-1] == "#")
