"""Translations of the interface: English phrases are the keys, `templates/words/` has the translations.

Templates write `{{ _("Play") }}`; scripts and style sheets are translated before they are minified, see `Words`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import yaml

from loom.content.files import read_bytes
from loom.content.placeholders import PHRASES
from loom.content.yaml_nodes import yaml_node
from loom.errors import LoomError, Problem, raise_any, utf8
from loom.hints import suggest
from loom.paths import OWN

FOLDER = "words"  # of `templates/`
PLACE = re.compile(r"\{(\w*)\}")
MARKUP = re.compile(r"<[^<>]*>|[\"<>&`\\]|\$\{")
# In scripts: phrase`Pause`, phrase`step ${step} of ${count}`, and phrase(value, "on", "off") for one of several.
PHRASE = re.compile(r"\bphrase`(?P<words>[^`]*)`")
CHOSEN = re.compile(r'\bphrase\((?P<value>[^(),]+)(?P<choices>(?:, "[^"]*")+)\)')
VALUE = re.compile(r"\$\{\W*(\w+)[^}]*\}")  # a placeholder of a phrase; its name is the first word in the braces
STYLED = re.compile(r'(?<=\bcontent: )"([^"\\]*[A-Za-z][^"\\]*)"')  # in style sheets
# Phrases of the Markdown dialect, and of other modules in this room.
OTHER_PHRASES = (*PHRASES, "Also: {names}.", "What this leaves out: {words}", "Play it on the page")


@dataclass(frozen=True)
class Words:
    """Translations of English phrases; phrases without one stay English."""

    pairs: tuple[tuple[str, str], ...] = ()

    @cached_property
    def known(self) -> Mapping[str, str]:
        return dict(self.pairs)

    def __call__(self, phrase: str, **places: str) -> str:
        """A translated phrase with its placeholders filled."""
        return PLACE.sub(lambda found: places[found[1]], self.known.get(phrase, phrase))

    def gettext(self, message: str) -> str:
        """The gettext function for Jinja, which writes placeholders as `%(name)s`."""
        found = self.known.get(readable(message))
        return message if found is None else PLACE.sub(r"%(\1)s", found.replace("%", "%%"))

    def script(self, text: str) -> str:
        """A translated script; in English the marked phrases become plain strings."""
        return CHOSEN.sub(self._chosen, PHRASE.sub(self._translated, text))

    def style(self, text: str) -> str:
        """A translated style sheet."""
        return STYLED.sub(lambda found: json.dumps(self(found[1]), ensure_ascii=False), text)

    def _translated(self, found: re.Match[str]) -> str:
        words = found["words"]
        values = {one[1]: one[0] for one in VALUE.finditer(words)}
        if not values:
            return json.dumps(self(words), ensure_ascii=False)
        return f"`{self(_places(words), **values)}`"

    def _chosen(self, found: re.Match[str]) -> str:
        choices = json.loads(f"[{found['choices'][2:]}]")
        said = {one: self(one) for one in choices}
        if all(one == words for one, words in said.items()):
            return found["value"]
        return f"({json.dumps(said, ensure_ascii=False)})[{found['value']}]"


ENGLISH = Words()


def read_words(folders: Iterable[Path], language: str, phrases: Iterable[str]) -> Words:
    """The translations for a language; those in an earlier folder of templates override those in a later one.

    `de-AT` extends `de`. A site's own translations must be of existing `phrases`; Loom's own may be of phrases in
    templates that the site has replaced.
    """
    said: dict[str, str] = {}
    own = OWN / "templates"
    parts = language.split("-")
    known: frozenset[str] | None = None
    for name in ("-".join(parts[:end]) for end in range(1, len(parts) + 1)):
        for folder in reversed([*folders]):
            path = folder / FOLDER / f"{name}.yml"
            if _is_there(path):
                if folder != own and known is None:
                    known = frozenset(phrases)
                said |= _read(path, None if folder == own else known)
    return Words(tuple(sorted(said.items())))


def _is_there(path: Path) -> bool:
    """Whether a file exists or can't be accessed, which is reported when it is read."""
    try:
        return path.exists() or path.parent.is_file()
    except OSError:
        return True


def script_phrases(text: str) -> Iterator[str]:
    """The phrases of a script."""
    yield from (_places(found["words"]) for found in PHRASE.finditer(text))
    for found in CHOSEN.finditer(text):
        yield from json.loads(f"[{found['choices'][2:]}]")


def style_phrases(text: str) -> list[str]:
    """The phrases of a style sheet."""
    return STYLED.findall(text)


def readable(message: str) -> str:
    """A phrase of a template in the form of its key: with `{name}` for `%(name)s`."""
    return re.sub(r"%\((\w+)\)s", r"{\1}", message).replace("%%", "%")


def _places(words: str) -> str:
    return VALUE.sub(r"{\1}", words)


def _read(path: Path, known: frozenset[str] | None) -> dict[str, str]:
    """The translations of one file."""
    shown = f"templates/{FOLDER}/{path.name}"
    node = yaml_node(utf8(read_bytes(path, shown), shown), shown)
    if node is None:
        return {}
    if not isinstance(node, yaml.MappingNode):
        raise LoomError(Problem(shown, node.start_mark.line + 1, 0, "expected 'phrase: words' lines"))
    said: dict[str, str] = {}
    problems = []
    for key, value in node.value:
        wrong, hint = _mistake(key, value, said, known)
        if wrong:
            problems.append(Problem(shown, key.start_mark.line + 1, 0, wrong, hint))
        else:
            said[key.value] = value.value
    raise_any(problems)
    return said


def _mistake(
    key: yaml.Node, value: yaml.Node, said: Mapping[str, str], known: frozenset[str] | None
) -> tuple[str, str]:
    """The mistake in an entry, and what to do about it; both empty if there is none."""
    if not isinstance(key, yaml.ScalarNode) or not isinstance(value, yaml.ScalarNode) or not value.value.strip():
        return f"'{key.value}' has no words", "write some behind it, or delete the line: then it is said in English"
    phrase, words = key.value, value.value
    if phrase in said:
        return f"'{phrase}' is given twice", "keep one of them"
    if known is not None and phrase not in known:
        return f"no page says '{phrase}'", suggest(phrase, known)
    places = sorted(PLACE.findall(phrase))
    if sorted(PLACE.findall(words)) != places:
        named = ", ".join(f"{{{name}}}" for name in places) or "nothing in braces"
        return f"the words for '{phrase}' have other places than it", f"write {named}, each once"
    if sorted(MARKUP.findall(words)) != sorted(MARKUP.findall(phrase)):
        return f"the words for '{phrase}' have other markup than it", "write “quotes” that are no markup, and no < or &"
    return "", ""
