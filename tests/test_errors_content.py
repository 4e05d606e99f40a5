"""Mistakes in front matter, YAML, encodings, names, templates and the site as a whole, each at its place."""

from __future__ import annotations

import pytest

from loom.errors import Problem
from tests.sites import GLOSSARY, REFERENCES, altered, built, faults, problem, problems, site, toy_site

REF, GLOSS = "content/references.yml", "content/glossary.yml"
CALLS_ITSELF = "look for a template or a macro that calls itself"
TOO_MUCH = ("it writes or makes more than can be held", "look for a loop or a text that is far too long")
TWICE = REFERENCES + altered(REFERENCES[: REFERENCES.index("- id: pair")], ("Toys", "Games"))


def fault(name: str, file: str, text: str | bytes, *expected: tuple[int, int, str, str]) -> object:
    """A file of `content/` and what is wrong with it: line, column, message, hint."""
    return pytest.param(file, text, expected, id=name.replace(" ", "-"))


FRONT_MATTER = [
    fault("key given twice", "index.md", "---\ntitle: A\norder: 1\ntitle: B\n---\n",
          (4, 0, "'title' is given twice", "keep one of them")),
    fault("value of the wrong kind", "index.md", "---\ntitle: A\norder: first\n---\n",
          (3, 0, "'order': expected `int`, got `str`", "write a whole number")),
    fault("title that is a number", "index.md", "---\ntitle: 2024\n---\n",
          (2, 0, "'title': expected `str`, got `int`", 'quote it: "2024"')),
    fault("date that is a number", "index.md", "---\ndate: 2026\n---\n",
          (2, 0, "'date': expected `date | null`, got `int`", "write it as YYYY-MM-DD")),
    fault("front matter never closed", "index.md", "---\ntitle: A\n\nText.\n",
          (1, 0, "the front matter is never closed", "end the front matter with a line '---'")),
    fault("front matter that is a text", "index.md", "---\njust words\n---\n",
          (2, 0, "expected 'name: value' lines", "")),
    fault("front matter that is no YAML", "index.md", "---\ntitle: A: B\n---\n",
          (2, 9, "not valid YAML: mapping values are not allowed in this context",
           "quote a text that holds ': ' or begins with a special character")),
    fault("line that is indented too far", "glossary.yml", altered(GLOSSARY, ("  aliases", "   aliases")),
          (2, 11, "not valid YAML: mapping values are not allowed in this context",
           "indent this line as those beside it")),
    fault("line that is not indented far enough", "glossary.yml", altered(GLOSSARY, ("  aliases", " aliases")),
          (2, 2, "not valid YAML: did not find expected '-' indicator", "indent this line as those beside it")),
    fault("colon without its space", "index.md", "---\ntitle:A\norder: 1\n---\n",
          (3, 6, "not valid YAML: mapping values are not allowed in this context",
           "write a space behind the ':' of the line before")),
    fault("list that ends with the file", "site.yml", "units: [",
          (1, 0, "not valid YAML: did not find expected node content",
           "quote a text that holds ': ' or begins with a special character")),
    fault("value that is not what its tag says", "index.md", "---\ndate: !!timestamp 9\ndraft: !!bool x\n---\n",
          (2, 0, "'date': it is not timestamp, as its tag says", "write it as YYYY-MM-DD"),
          (3, 0, "'draft': it is not bool, as its tag says", "write true or false")),
    fault("tab in YAML", "index.md", "---\ntitle:\n\t- A\n---\n",
          (3, 1, "not valid YAML: found character that cannot start any token", "indent with spaces, not tabs")),
    fault("wide colon in YAML", "index.md", "---\ntitle：A\norder: 1\n---\n",
          (3, 6, "not valid YAML: mapping values are not allowed in this context",
           "write ': ' where '：' stands behind a name")),
    fault("quotation mark never closed", "site.yml", 'title: "A\n',
          (2, 1, "not valid YAML: found unexpected end of stream", "close its quotation mark")),
    fault("number that is too large", "index.md", f"---\norder: {2**64}\n---\n",
          (2, 0, "'order': this number is too large", "")),
    fault("number that is far too large", "index.md", f"---\norder: {'9' * 5000}\n---\n",
          (2, 0, "'order': this number is too large", "")),
    fault("several mistakes at once", "index.md", "---\norder: first\ndraft: maybe\n---\n",
          (2, 0, "'order': expected `int`, got `str`", "write a whole number"),
          (3, 0, "'draft': expected `bool`, got `str`", "write true or false")),
]  # fmt: skip

LISTS = [
    fault("list of references that is a mapping", "references.yml", "toy2020: Toys\n",
          (1, 0, "expected a list of entries", "begin each entry with '- '")),
    fault("reference that is a word", "references.yml", REFERENCES + "- toys\n",
          (18, 0, "expected 'name: value' lines", "")),
    fault("reference without a url", "references.yml", altered(REFERENCES, ("  url: https://example.org/pairs\n", "")),
          (10, 0, "'url' is missing", "add a line 'url: …'")),
    fault("reference given twice", "references.yml", TWICE,
          (18, 0, "the reference 'toy2020' is given twice", "its first entry is in line 1")),
    fault("impossible date", "references.yml", altered(REFERENCES, ("2026-11-20", "2026-13-20")),
          (9, 0, "'seen': month must be in 1..12", "write it as YYYY-MM-DD")),
    fault("year that is a word", "references.yml", altered(REFERENCES, ("year: 2021", "year: soon")),
          (13, 0, "'year': expected `int`, got `str`", "write a whole number")),
    fault("year that is too large", "references.yml", altered(REFERENCES, ("year: 2021", "year: 99999999999999999999")),
          (13, 0, "'year': this number is too large", "")),
    fault("authors as a list", "references.yml", altered(REFERENCES, ("Dorn and Eck", "[Dorn, Eck]")),
          (12, 0, "'authors': expected `str`, got `array`", 'write one text: "Dorn, Eck"')),
    fault("authors left out", "references.yml", altered(REFERENCES, (" Dorn and Eck", "")),
          (12, 0, "'authors' is empty", "write something after 'authors:'")),
    fault("alias without its list", "glossary.yml", altered(GLOSSARY, ("[warps]", "warps")),
          (2, 0, "'aliases': expected `array`, got `str`", "write a list: [warps]")),
    fault("rules as a list", "site.yml", "rules: [heading]\n",
          (1, 0, "'rules': expected `object`, got `array`", "write 'name: value' lines below it")),
    fault("id of spaces", "references.yml", altered(REFERENCES, ("id: pair2021", 'id: "  "')),
          (10, 0, "'id' is empty", "write something after 'id:'")),
    fault("authors who are only others", "references.yml", altered(REFERENCES, ("Dorn and Eck", "et al.")),
          (10, 0, "the authors of 'pair2021' are only et al.", "write names between them: Ames, Bell")),
    fault("two terms of one address", "glossary.yml", GLOSSARY + "- term: cache-line\n  definition: One.\n",
          (6, 0, "'cache-line' has the address of another term",
           "write other letters or digits than 'Cache line' in line 4 has")),
    fault("unknown key of a term", "glossary.yml", altered(GLOSSARY, ("aliases", "alias")),
          (2, 0, "unknown key 'alias'", "did you mean 'aliases'?")),
    fault("misspelt key that a term must have", "glossary.yml", "- term: Warp\n  defintion: Threads.\n",
          (2, 0, "unknown key 'defintion'", "did you mean 'definition'?")),
    fault("two terms of one name", "glossary.yml", GLOSSARY + "- term: WARPS\n  definition: Threads.\n",
          (6, 0, "two terms are called 'WARPS'", "'Warp' in line 1 has it already")),
    fault("source of a term that is no reference", "glossary.yml", GLOSSARY + "  sources: [farr1840]\n",
          (4, 0, "the term 'Cache line' names the unknown reference 'farr1840'", "add it to content/references.yml")),
    fault("reference to script", "references.yml", altered(REFERENCES, ("https://example.org/toys", "javascript:1")),
          (6, 0, "'javascript:1' is not an address", "write it in full, as https://example.org/page")),
    fault("reference that says nothing", "references.yml", "-",
          (1, 0, "expected 'name: value' lines", "")),
    fault("control character as an escape", "glossary.yml", altered(GLOSSARY, ("[warps]", '["warp\\x91"]')),
          (2, 0, "'aliases': the character U+0091 can't stand in a page", "")),
    fault("repository that is script", "site.yml", "title: A\nrepository: javascript:1\n",
          (2, 0, "'javascript:1' is not an address", "write it in full, as https://example.org/page")),
    fault("address that is none", "site.yml", "url: http://[\n",
          (1, 0, "'http://[' is not a site's address", "write it in full, as https://example.org/ or https://example.org/loom/")),
    fault("unknown setting", "site.yml", "title: A\nhomepage: index\n",
          (2, 0, "unknown key 'homepage'", "did you mean 'home'?")),
    fault("rule that there is not", "site.yml", "title: A\nrules: {hedding: false}\n",
          (2, 0, "'rules': unknown key 'hedding'", "did you mean 'heading'?")),
    fault("home page with its suffix", "site.yml", "home: start.md\n",
          (1, 0, "there is no page 'start.md' to be the home page",
           "add content/start.md, or mend 'home:'")),
    fault("settings that are a list", "site.yml", "- title\n", (1, 0, "expected 'name: value' lines", "")),
]  # fmt: skip

ENCODINGS = [
    fault("page that is not UTF-8", "index.md", b"# A\n\ncaf\xe9\n",
          (3, 0, "this file is not UTF-8", "save it as UTF-8")),
    fault("references that are not UTF-8", "references.yml", REFERENCES.encode("utf-16"),
          (1, 0, "this file is not UTF-8", "save it as UTF-8")),
    fault("glossary that is not UTF-8", "glossary.yml", GLOSSARY.replace("Thirty", "Dreißig").encode("latin-1"),
          (3, 0, "this file is not UTF-8", "save it as UTF-8")),
]  # fmt: skip


@pytest.mark.parametrize(("file", "text", "expected"), [*FRONT_MATTER, *LISTS, *ENCODINGS])
def test_mistake_in_content_is_reported_at_its_place(tmp_path, file, text, expected):
    root = toy_site(tmp_path, **{"index.md": "# Home\n", file: text})
    assert problems(root) == tuple(Problem(f"content/{file}", *place) for place in expected)


def test_lines_are_counted_the_same_after_windows_line_ends_and_a_byte_order_mark(tmp_path):
    text = "---\ntitle: A\n---\n\n{term}`nope`\n".replace("\n", "\r\n")
    assert problem(toy_site(tmp_path, index=b"\xef\xbb\xbf" + text.encode())).line == 5


def test_two_pages_of_one_address_are_refused(tmp_path):
    root = site(tmp_path, index="# Home\n", **{"part.md": "# A\n", "part/index.md": "# B\n"})
    message = "this page has the address of content/part.md"
    assert problems(root) == (Problem("content/part/index.md", 0, 0, message, "rename one of them"),)


def test_file_that_claims_the_path_of_a_page_is_refused(tmp_path):
    root = site(tmp_path, index="# Home\n", **{"part.md": "# A\n", "part/index.html": "<p>"})
    assert problem(root) == Problem(
        "content/part/index.html", 0, 0, "this file has the path of the page content/part.md", "rename one of them"
    )


def test_file_name_that_is_no_address_is_refused(tmp_path):
    hint = "use letters, digits, '-', '_' and '.' only: the name becomes the address"
    root = site(tmp_path, index="# Home\n", **{"my page.md": "# A\n"})
    assert problem(root) == Problem("content/my page.md", 0, 0, "this file name can't be an address", hint)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("llms.txt.md", "llms.txt"),
        ("index.html.md", "index.html"),
        ("index.html/page.md", "index.html"),
        ("part/table.md", "part/table"),
        ("favicon.svg.md", "favicon.svg"),
    ],
)
def test_page_whose_folder_would_be_a_file_is_refused(tmp_path, name, file):
    root = site(tmp_path, index="# Home\n", **{f"content/{name}": "# Page\n"})
    (root / "content/part").mkdir(exist_ok=True)
    (root / "content/part/table").write_text("1")
    message = f"this page's folder would be '{file}', and the site has a file of that name"
    assert problem(root) == Problem(f"content/{name}", 0, 0, message, "rename one of them")


def test_settings_that_say_nothing_are_none(tmp_path):
    assert built(site(tmp_path, index="# Home\n", **{"site.yml": "---"}))


def test_folder_without_content_is_refused(tmp_path):
    hint = "give --root DIR, or begin a site with 'new site DIR'"
    assert problem(tmp_path) == Problem("content", 0, 0, f"there is no folder 'content' in {tmp_path}", hint)


def test_files_whose_paths_differ_by_capitals_alone_are_told_by_check(tmp_path):
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    body = "# Home\n\n![A](a/Fig.svg) ![B](a/fig.svg)\n"
    (found,) = [
        one for one in faults(site(tmp_path, index=body, **{"a/Fig.svg": drawing, "a/fig.svg": drawing}))
        if one.rule == "address"
    ]  # fmt: skip
    assert (found.path, "the path of content/a/Fig.svg but for capitals" in found.message) == (
        "content/a/fig.svg",
        True,
    )
