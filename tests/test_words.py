"""What pages say in other languages than English: all of it, and what is wrong with a file of words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import html5lib
import pytest

from loom.content.placeholders import PHRASES as ADDED
from loom.content.placeholders import PhraseRef
from loom.content.source import Source
from loom.errors import LoomError, Problem
from loom.markdown.parse import parse_page
from loom.model import Meta, Output
from loom.options import Options
from loom.paths import OWN
from loom.render.assets import read_assets
from loom.render.templates import phrases
from loom.render.words import ENGLISH, Words, read_words
from tests.sites import GLOSSARY, REFERENCES, TOY, built, faults, site, text, toy_site

GERMAN = read_words([OWN / "templates"], "de", [])
PHRASES = frozenset(phrases(Options().templates, [OWN / "static"]))
PAGE = """\
# Wie eine Probe klingt

Ein {term}`Warp` steht hier [da](#teil), {cite}`toy2020`, und es sind {value}`toy.size`.[^1]

:::{check}
Frage?

- [x] Jawohl

  Weil.
- [ ] Nie

  Auch.
:::

::::{predict}
Was kommt?

- [x] Dies
- [ ] Das

:::{scene} toy
:::
::::

## Teil

:::{note}
Hinweisendes.
:::

| a | b |
|---|---|
| 1 | 2 |

| c |
|---|
| 3 |

:::{figure} bild.svg
:alt: Ein Bild
:name: bild
Was zu sehen ist.
:::

- [ ] offen
- [x] fertig

## Noch ein Teil

Siehe {numref}`bild`.

Mehr davon {cite:definition}`toy2020`.

[^1]: Eine Fußnote.
"""
GERMAN_TOY = {
    "bild.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>',
    "index": PAGE,
    "quellen": "# Quellenliste\n\n:::{references}\n:::\n",
    "glossar": "# Begriffsliste\n\n:::{glossary}\n:::\n",
    "references.yml": REFERENCES + "".join(
        REFERENCES.split("- id: pair2021")[0].replace("toy2020", f"more{number}") for number in range(20)
    ),
}  # fmt: skip

# What an author wrote may stand in both, and so may what is no word of the interface.
AUTHORED = "\n".join([TOY, GLOSSARY, *map(str, GERMAN_TOY.values())])
ALIKE = {"In", "Enter", "Esc", "Games", "2 steps",
         "3 GB", "share [%]", "step 1", "step 2", "Step 1 of 2.", "Step 2 of 2.",
         "Mehr davon.", "Ein Warp steht hier da,, und es sind …"}  # fmt: skip
CITED = re.compile(r"(Ames et al|Dorn & Eck).*20\d\d|.*· Probe$")


def said(raw: bytes) -> Iterator[str]:
    """Every text of a page that is seen or read aloud."""
    tree = html5lib.parse(raw.decode(), namespaceHTMLElements=False)
    for element in tree.iter():
        if not isinstance(element.tag, str) or element.tag in ("script", "style"):
            continue
        yield from (element.get(name, "") for name in ("aria-label", "aria-valuetext", "title", "alt"))
        yield from (element.text or "", *(inner.tail or "" for inner in element))


def words_of(output: Output, language: str) -> list[str]:
    """All that the pages of a site say, in their order."""
    pages = {path: raw for path, raw in output.items() if path.suffix == ".html"}
    assert all(f'lang="{language}"'.encode() in raw for raw in pages.values())
    return [" ".join(words.split()) for _, raw in sorted(pages.items()) for words in said(raw)]


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Output]:
    """The same site in both languages."""
    settings = "title: Probe\nsearch: true\nembeds: true\nrepository: https://example.org/code\n"
    found = {}
    for language in ("en", "de"):
        root = tmp_path_factory.mktemp(language)
        toy_site(root, **GERMAN_TOY, **{"site.yml": f"{settings}language: {language}\n"})
        found[language] = built(root)
    return found


def test_german_site_has_no_english_words_left(sites):
    english, german = words_of(sites["en"], "en"), words_of(sites["de"], "de")
    assert len(english) == len(german)
    left = {one for one, other in zip(english, german, strict=True) if one == other and re.search("[A-Za-z]{2}", one)}
    assert {one for one in left if one not in AUTHORED and not CITED.match(one)} == ALIKE
    assert sum(one != other for one, other in zip(english, german, strict=True)) > 100


def test_gallery_is_in_the_site_s_language(tmp_path):
    home = toy_site(tmp_path, index="# Eins", **{"site.yml": "language: de\n"})
    (sheet,) = [raw for path, raw in built(home, gallery=True).items() if str(path) == "gallery/index.html"]
    told = [" ".join(words.split()) for words in said(sheet)]
    assert {"Galerie · Loom", "Jede Szene, wie sie beginnt und bei ihren wichtigsten Schritten", "Schritt 1"} <= {*told}


def test_scripts_and_styles_say_no_english_phrase():
    ours = {path.name: raw.decode() for path, raw in _assets(GERMAN).items() if path.suffix in (".js", ".css")}
    everything = "\n".join(ours.values())
    for words in (
        "Pause",
        "Copied",
        "played here",
        "Nothing is found",
        "Where this",
        "Guess first",
        "at a mark",
        "Tap a",
    ):
        assert words not in everything
    assert '"Anhalten"' in ours["main.js"] and "Wo das definiert ist" in everything


def test_german_site_has_its_own_scripts_and_styles(sites):
    shipped = b"".join(raw for path, raw in sites["de"].items() if path.suffix in (".js", ".css")).decode()
    assert '"Anhalten"' in shipped and "Es wird gesucht" in shipped and "Wo das definiert ist" in shipped


def test_english_scripts_are_what_they_would_be_without_marked_phrases():
    told = 'a = phrase`Pause`; b = phrase`step ${step} of ${at + 1}`; c = phrase(on ?? "x", "on", "off");'
    assert ENGLISH.script(told) == 'a = "Pause"; b = `step ${step} of ${at + 1}`; c = on ?? "x";'
    assert "phrase" not in "".join(raw.decode() for path, raw in _assets(ENGLISH).items() if path.suffix == ".js")


def test_script_says_phrases_in_another_order_of_their_places():
    words = Words((("off", "aus"), ("step {step} of {at}", "{at} hat {step}")))
    assert words.script("phrase`step ${step} of ${at + 1}`") == "`${at + 1} hat ${step}`"
    assert words.script('phrase(way, "on", "off")') == '({"on": "on", "off": "aus"})[way]'


def test_german_has_words_for_every_phrase_and_no_others():
    assert set(GERMAN.known) == PHRASES


def test_language_of_a_country_says_what_the_language_says(tmp_path):
    site(tmp_path, **{"templates/words/de-AT.yml": "Search: Suchen\n"})
    found = read_words([tmp_path / "templates", OWN / "templates"], "de-AT", PHRASES)
    assert (found("Search"), found("Play")) == ("Suchen", "Abspielen")


def test_language_without_words_is_said_in_english(tmp_path):
    home = built(toy_site(tmp_path, index="# Een\n\n:::{scene} toy\n:::\n", **{"site.yml": "language: nl\n"}))
    assert "Show as data" in words_of(home, "nl")


@pytest.mark.parametrize(("language", "said"), [("nl", True), ("nl-BE", True), ("de-AT", False), ("en-GB", False)])
def test_check_names_a_language_without_words(tmp_path, language, said):
    summary = "---\nsummary: One.\n---\n\n"
    settings = f"title: A\nlanguage: {language}\nrules: {{unused: false}}\n"
    root = toy_site(tmp_path, index=f"{summary}# Een\n\n:::{{scene}} toy\n:::\n", **{"site.yml": settings})
    message = f"'{language}' has no words: what pages say by themselves is said in English"
    hint = f"translate a copy of Loom's templates/words/de.yml in templates/words/{language}.yml"
    assert faults(root) == (said * (Problem("content/site.yml", 2, 0, message, hint, "language"),))
    site(root, **{f"templates/words/{language}.yml": "Play: Speel\n"})
    assert faults(root) == ()


def test_site_adds_a_language_and_templates_of_its_own_say_new_phrases(tmp_path):
    home = toy_site(tmp_path, index="# Een", **{
        "site.yml": "language: nl\n", "templates/words/nl.yml": "Menu: Lijst\nHello: Dag\n",
        "templates/mark.html": '{% macro threads() %}{{ _("Hello") }}{% endmacro %}',
    })  # fmt: skip
    found = words_of(built(home), "nl")
    assert "Lijst" in found and "Dag" in found and "Menu" not in found


def test_changed_word_is_on_every_page(tmp_path):
    home = toy_site(tmp_path, index="# Eins", zwei="# Zwei", **{"site.yml": "language: de\n"})
    cache = tmp_path / "cache"
    assert "Menü" in words_of(built(home, cache=cache), "de")
    site(home, **{"templates/words/de.yml": "Menu: Karte\n"})
    after = built(home, cache=cache)
    assert words_of(after, "de").count("Karte") == 2 and "Menü" not in words_of(after, "de")
    assert after == built(home)


SAY_SOME = "write some behind it, or delete the line: then it is said in English"


@pytest.mark.parametrize(("text", "line", "message", "hint"), [
    ("Menu: Karte\nPlai: Los\n", 2, "no page says 'Plai'", "did you mean 'Play'?"),
    ("Menu: Karte\nMenu: Liste\n", 2, "'Menu' is given twice", "keep one of them"),
    ("# Wörter\nMenu:\n", 2, "'Menu' has no words", SAY_SOME),
    ("Menu: [a]\n", 1, "'Menu' has no words", SAY_SOME),
    ("step {step} of {count}: Schritt {step}\n", 1, "the words for 'step {step} of {count}' have other places than it",
     "write {count}, {step}, each once"),
    ("Menu: Karte {n}\n", 1, "the words for 'Menu' have other places than it", "write nothing in braces, each once"),
    ('Play: "<b>Los</b>"\n', 1, "the words for 'Play' have other markup than it",
     "write “quotes” that are no markup, and no < or &"),
    ("- Menu\n", 1, "expected 'phrase: words' lines", ""),
    ("Menu: Karte\n Play: Los: Los\n", 2, "not valid YAML: mapping values are not allowed in this context", None),
])  # fmt: skip
def test_broken_file_of_words_is_told_with_its_line(tmp_path, text, line, message, hint):
    home = toy_site(tmp_path, index="# Eins", **{"site.yml": "language: de\n", "templates/words/de.yml": text})
    (only,) = _refused(home)
    assert (only.path, only.line, only.message) == ("templates/words/de.yml", line, message)
    assert hint is None or only.hint == hint


def test_file_of_words_that_is_not_utf8_is_told(tmp_path):
    file = {"templates/words/de.yml": b"Menu: M\xfc\n"}
    home = toy_site(tmp_path, index="# Eins", **{"site.yml": "language: de\n"}, **file)
    (only,) = _refused(home)
    assert (only.path, only.line) == ("templates/words/de.yml", 1)


@pytest.mark.parametrize(("name", "told"), [("words/de.yml/x", "Is a directory"), ("words", "Not a directory")])
def test_words_that_can_not_be_read_are_told_and_not_taken_for_none(tmp_path, name, told):
    folder = tmp_path / "templates"
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_text("x", encoding="utf-8")
    with pytest.raises(LoomError) as caught:
        read_words([folder], "de", ())
    (only,) = caught.value.problems
    assert only.path == "templates/words/de.yml" and told in only.message and only.hint.startswith("put a f")


def test_markdown_of_a_page_is_in_its_language(sites):
    text = next(raw for path, raw in sites["de"].items() if str(path) == "index.md").decode()
    assert "**Kurz geprüft**" in text and "Was hier fehlt: Everything." in text and "[Auf der Seite abspielen]" in text


def _assets(words: Words) -> Output:
    found = read_assets([OWN / "static"], words=words)
    return found.output | found.finder | found.framed


def _refused(home: Path) -> list[Problem]:
    with pytest.raises(LoomError) as caught:
        built(home)
    return list(caught.value.problems)


def test_words_of_the_author_that_are_like_words_of_loom_stay_as_they_are(tmp_path):
    body = '# A\n\n## Ziel\n\n[Figure 3](#ziel), <span class="number">Figure 4</span>\n\n> [!TIP] Figure 5\n> Text.\n'
    html = text(built(site(tmp_path, index=body, **{"site.yml": "language: de\n"})), "index.html")
    assert ">Figure 3</a>" in html and "Figure 5" in html and "Abbildung" not in html
    assert 'aria-label="Link zu „Ziel“"' in html


def test_phrases_that_the_dialect_adds_to_a_page_are_all_known():
    kinds = "".join(f"> [!{kind}]\n> Text.\n\n" for kind in ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"))
    page, problems = parse_page(
        Source("page", "content/page.md", Meta(), f"{PAGE}\n{kinds}\n:::{{mnemonic}}\nSo.\n:::\n")
    )
    assert not problems
    assert {part.phrase for part in page.parts() if isinstance(part, PhraseRef)} == set(ADDED)
