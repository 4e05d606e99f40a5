"""Front matter: Loom's own keys, those of other generators that mean the same, and all others, which get a warning."""

from __future__ import annotations

import re

import yaml

from loom.content.records import key_name, record
from loom.errors import LoomError, Missing, Problem
from loom.hints import nearest, suggest
from loom.model import FRONT_KEYS, Meta

# Keys of other generators, and Loom's names for them. If both are given, Loom's own counts.
SYNONYMS = {
    "description": "summary", "excerpt": "summary", "linkTitle": "nav", "nav_order": "order", "nav_title": "nav",
    "sidebar_label": "nav", "sidebar_position": "order", "weight": "order",
}  # fmt: skip
ISO = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?![\d/])")
WRITTEN = re.compile(
    r"(?:(?P<month>[A-Za-z]+)\.? (?P<day>\d{1,2}),?|(?P<before>\d{1,2}) (?P<behind>[A-Za-z]+)) (?P<year>\d{4})\Z"
)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
Understood = tuple[tuple[str, yaml.Node] | None, str]


def read_front(node: yaml.Node, path: str) -> tuple[Meta, tuple[Problem, ...]]:
    """A page's front matter, and warnings about keys that are not read. It begins on the second line of its file."""
    if not isinstance(node, yaml.MappingNode):
        return record(Meta, node, path, offset=1), ()
    given = {key_name(key) for key, _ in node.value}
    kept: list[tuple[yaml.Node, yaml.Node]] = []
    warnings: list[Problem] = []
    for key, value in node.value:
        name = key_name(key)
        pair, reason = _understood(name, value, path)
        if pair and pair[0] != name and (pair[0] in given or _twice(pair[0], kept)):
            reason, pair = f"'{name}' is not read: there is '{pair[0]}'", None
        if pair:
            kept.append((_named(key, pair[0]), pair[1]))
        if reason:
            warnings.append(_unread(name, path, key.start_mark.line + 2, reason))
    return record(Meta, _with(node, kept), path, offset=1), tuple(warnings)


def _unread(name: str, path: str, line: int, reason: str) -> Problem:
    """The warning of a key that is left out. Rules that miss what it may have meant then say nothing: see `Missing`."""
    hint = suggest(name, FRONT_KEYS, "delete it, or leave it to another generator")
    hint = "write it as YYYY-MM-DD" if name == "date" else hint
    meant = name if name in FRONT_KEYS else nearest(name, FRONT_KEYS)
    return Problem(path, line, 0, reason, hint, "front-matter", Missing(front=(meant,) if meant else ()))


def _understood(name: str, value: yaml.Node, path: str) -> Understood:
    """A key and its value under Loom's names, or the reason why they are left out."""
    if name == "date":
        return _date(value)
    if name in FRONT_KEYS:
        return (name, value), ""
    if name == "published" and isinstance(value, yaml.ScalarNode):
        drafted = value.value.lower() in ("false", "no", "off")
        return (("draft", _scalar(value, "bool", "true")), "") if drafted else (None, "")
    if name not in SYNONYMS:
        return None, f"unknown key '{name}'"
    try:
        record(Meta, _with(value, [(_scalar(value, "str", SYNONYMS[name]), value)]), path)
    except LoomError:
        return None, f"'{name}' is not read: it can't be '{SYNONYMS[name]}' here"
    return (SYNONYMS[name], value), ""


def _date(value: yaml.Node) -> Understood:
    """A date, which may be written with a time or in words."""
    if not isinstance(value, yaml.ScalarNode) or value.tag.endswith("null"):
        return ("date", value), ""
    if day := _day(value.value.strip()):
        return ("date", _scalar(value, "timestamp", day)), ""
    if value.tag.endswith(":str"):
        return None, f"'date' is not read: '{value.value}' is no day that Loom understands"
    return ("date", value), ""


def _day(words: str) -> str:
    """A day as YYYY-MM-DD; empty if the words name none."""
    if found := ISO.match(words):
        year, month, day = found.groups()
    elif found := WRITTEN.match(words):
        month, day, year = found["month"] or found["behind"], found["day"] or found["before"], found["year"]
        month = str(MONTHS.index(month[:3].lower()) + 1) if month[:3].lower() in MONTHS else "0"
    else:
        return ""
    return f"{year}-{month.zfill(2)}-{day.zfill(2)}" if 1 <= int(month) <= 12 and 1 <= int(day) <= 31 else ""


def _scalar(like: yaml.Node, kind: str, text: str) -> yaml.ScalarNode:
    return yaml.ScalarNode(f"tag:yaml.org,2002:{kind}", text, like.start_mark, like.end_mark)


def _named(key: yaml.Node, name: str) -> yaml.Node:
    return key if key_name(key) == name else _scalar(key, "str", name)


def _with(node: yaml.Node, pairs: list[tuple[yaml.Node, yaml.Node]]) -> yaml.MappingNode:
    return yaml.MappingNode("tag:yaml.org,2002:map", pairs, node.start_mark, node.end_mark)


def _twice(name: str, kept: list[tuple[yaml.Node, yaml.Node]]) -> bool:
    return any(key_name(key) == name for key, _ in kept)
