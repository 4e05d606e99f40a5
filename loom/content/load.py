"""Read `content/`: the names of its pages, settings, references and glossary."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from loom.addresses import is_address
from loom.content.files import SETTINGS, files_below, misnamed_files, outside_links, page_files, read_text
from loom.content.references import read_references
from loom.errors import LoomError, Problem, raise_any, with_rule
from loom.hints import suggest
from loom.model import Config, Reference, Term

Result = TypeVar("Result")
SITE_FILE = "content/site.yml"
READ = (".md", ".yml", ".yaml")  # other files go into the site as they are
LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}\Z")
SITE_URL = re.compile(r"https?://[^\s/?#]+(?:/[^\s?#\"<>\\^`{|}]*)?\Z")


def page_names(content: Path) -> tuple[dict[str, str], list[str], list[Problem]]:
    """All pages with their files, the names of all other files, and problems with names."""
    names = sorted(files_below(content))
    odd = dict(misnamed_files(names))
    others = [name for name in names if name not in odd and not name.endswith(READ) and name not in SETTINGS]
    return page_files(names), others, with_rule("content", [*odd.values(), *outside_links(content, names)])


@dataclass(frozen=True)
class Settings:
    """The settings, the references and the glossary of a site."""

    config: Config = field(default_factory=Config)
    references: dict[str, Reference] = field(default_factory=dict)
    terms: tuple[Term, ...] = ()


def read_settings(content: Path, pages: Collection[str]) -> tuple[Settings, list[Problem]]:
    """Settings, references and glossary as far as they can be read, and every problem found in them."""
    problems: list[Problem] = []

    def gather(stage: Callable[[], Result], otherwise: Callable[[], Result]) -> Result:
        try:
            return stage()
        except LoomError as error:
            problems.extend(error.problems)
            return otherwise()

    config = gather(lambda: _config(content, sorted(pages)), Config)
    references: dict[str, Reference] = gather(lambda: read_references(content), dict)
    found = Settings(config, references, gather(lambda: _terms(content), tuple))
    lost = list(_no_addresses(content, found))
    return _without(found) if lost else found, [*with_rule("content", problems), *lost]


def _without(site: Settings) -> Settings:
    """The settings without invalid addresses, so that no further problems follow from these."""
    references = {name: one if is_address(one.url) else replace(one, url="") for name, one in site.references.items()}
    config = site.config if is_address(site.config.repository) else replace(site.config, repository="")
    return replace(site, config=config, references=references)


def _no_addresses(content: Path, site: Settings) -> Iterator[Problem]:
    """Addresses that are not valid, at their lines."""
    places = [
        (one.path, "url", one.url, one.line) for one in site.references.values() if one.url or one.path.endswith(".yml")
    ]
    places += [(SITE_FILE, "repository", site.config.repository, 1)] if site.config.repository else []
    for shown, key, address, start in places:
        if not is_address(address):
            hint = "write it in full, as https://example.org/page"
            line = _line_of(key, read_text(content.parent / shown, shown), start)
            yield Problem(shown, line, 0, f"'{address}' is not an address", hint, "link")


def _line_of(key: str, text: str, start: int = 1) -> int:
    """The line on which a key stands in a YAML text, from the line `start` on."""
    lines = enumerate(text.split("\n")[start - 1 :], start)
    return next((at for at, line in lines if re.match(rf"[-\s{{\"]*{key}\"?\s*[:=]", line, re.I)), start)


def draft_home(content: Path, file: str) -> Problem:
    """The problem that the home page is a draft, at the line that says so."""
    shown = f"content/{file}"
    line = _line_of("draft", read_text(content / file, shown))
    hint = f"delete 'draft: true', or name another page with 'home:' in {SITE_FILE}"
    return Problem(shown, line, 0, "the home page is a draft, and every page links to it", hint, "content")


def _config(content: Path, pages: list[str]) -> Config:
    """The settings; LoomError without a home page, because every page links to it."""
    from loom.content.records import record

    node = _written_settings(content)
    config = record(Config, node, SITE_FILE) if node else Config()
    if config.url and not (is_address(config.url) and SITE_URL.match(config.url)):
        hint = "write it in full, as https://example.org/ or https://example.org/loom/"
        raise LoomError(wrong_setting(content, "url", f"'{config.url}' is not a site's address", hint))
    if not LANGUAGE.match(config.language):
        hint = "write its tag: en, de, pt-BR"
        raise LoomError(wrong_setting(content, "language", f"'{config.language}' is no language", hint))
    if config.home not in pages:
        hint = suggest(config.home, pages, f"add content/{config.home.removesuffix('.md')}.md, or mend 'home:'")
        message = f"there is no page '{config.home}' to be the home page"
        raise LoomError(wrong_setting(content, "home", message, hint))
    return replace(config, url=config.url and f"{config.url.rstrip('/')}/")


def wrong_setting(content: Path, name: str, message: str, hint: str, rule: str = "") -> Problem:
    """What is wrong with a setting, at its line of `content/site.yml`; line 0 if it is not set there."""
    node = _written_settings(content)
    line = next((key.start_mark.line + 1 for key, _ in (node.value if node else ()) if key.value == name), 0)
    return Problem(SITE_FILE, line, 0, message, hint, rule)


def _written_settings(content: Path) -> Any:
    """The YAML node of `content/site.yml`; None if there is no such file, or nothing in it."""
    from loom.content.yaml_nodes import yaml_node

    path = content / "site.yml"
    return yaml_node(read_text(path, SITE_FILE), SITE_FILE) if path.exists() else None


def _terms(content: Path) -> tuple[Term, ...]:
    from loom.content.records import records

    path, shown = content / "glossary.yml", "content/glossary.yml"
    terms = records(Term, read_text(path, shown), shown) if path.exists() else []
    owners: dict[str, Term] = {}
    anchors: dict[str, Term] = {}
    problems = []
    for term in terms:
        first = anchors.setdefault(term.anchor, term)
        if first is not term and first.term.lower() != term.term.lower():
            hint = f"write other letters or digits than '{first.term}' in line {first.line} has"
            problems.append(Problem(shown, term.line, 0, f"'{term.term}' has the address of another term", hint))
        for name in term.names:
            other = owners.setdefault(name.lower(), term)
            if other is not term:
                hint = f"'{other.term}' in line {other.line} has it already"
                problems.append(Problem(shown, term.line, 0, f"two terms are called '{name}'", hint))
    raise_any(problems)
    return tuple(sorted(terms, key=lambda term: term.term.lower()))
