"""What a page's article may hold: the elements, attributes and classes that Loom writes, and none of an author's."""

from __future__ import annotations

import re

import html5lib

from loom.lint.html_reader import Element, read_document
from loom.markdown.formulas import ATTRIBUTES
from loom.markdown.formulas import CLASSES as MATH_CLASSES


def listed(text: str) -> dict[str, set[str]]:
    """Names, and what belongs to each of them."""
    lines = (line.partition(":") for line in text.strip().splitlines())
    return {name: set(values.split()) for names, _, values in lines for name in names.split()}


# Every element of a page's article and its attributes, as the rules of the Markdown dialect, what fills the
# placeholders in prose, the templates and the toy scene's picture write them. `id` and `class` may stand on any.
ARTICLE = listed("""
a: aria-label data-part data-role data-value download href
abbr b bdi bdo blockquote br caption cite code col colgroup dd del dfn dt em figcaption h1 h2 h3 h4 h5 h6 hr i ins:
kbd legend mark q s samp small strong sub sup table tfoot thead tr u var wbr:
td: colspan rowspan
dl: data-part
label: hidden
nav: aria-label
summary: aria-label
ul: data-part
button: aria-label data-part type
details: name open
div: aria-hidden aria-label data-filler role tabindex
fieldset: aria-describedby disabled
figure: aria-labelledby data-config data-scene
img: alt height loading src width
input: aria-label aria-valuetext checked data-part data-right disabled max min name step type value
li: aria-current
ol: data-part reversed start
option: selected value
output:
p: aria-hidden aria-live data-part role
path: colspan rowspan d
pre: tabindex
rect: data-mode height rx width x y
section: aria-label aria-labelledby role
select: aria-label data-part
span: data-for data-part hidden tabindex
svg: aria-hidden aria-label font-size role viewbox
tbody: data-part
text: font-size x y
th: colspan rowspan scope
time: datetime
""")
CLASSES = listed("""
aliases align-center align-left align-right anchor answer aside back backlinks below callout callout-title caution
check cite claims code controls count dots equation external field-list figure filter footnote-backref footnote-item
footnote-ref footnotes forward from glossary guess icon important jumps kept-with kicker kind leaves-out mnemonic more
narrow note number numbers one opened params pause picture play predict prints question range reading restart right
saying scene seen sources stage state story table task term terms tip to-state transport trouble value verdict
warning wide wrong
""").keys() | {"data", "label"}  # roles of the toy scene's marks
CODE = re.compile(r"[a-z]{1,2}[0-9a-z]?")  # Pygments' classes
MATH = listed("""
math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext
mtr munder munderover
""").keys()
SCRIPTS = re.compile(r"(?:/|\./|(?:\.\./)+)?assets/[\w.-]+(?:/[\w.-]+)*\.js\Z")
SAFE = re.compile(r"(?:https?:|mailto:|tel:|[^:]*\Z|[^:]*[/?#])", re.IGNORECASE)


def assert_nothing_of_an_author(raw: bytes, where: str) -> None:
    """A page holds only what Loom makes: well formed, no script but the player, no attribute that could run."""
    document = read_document(raw, where)
    assert document.problems == []
    for one in document.elements:
        assert not [name for name in one.attributes if name.startswith("on") or name == "style"], one
        assert one.tag not in ("style", "iframe", "object", "embed", "base", "form"), one
        if one.tag == "script":
            assert SCRIPTS.match(one.get("src")), one
        for name in ("href", "src"):
            assert SAFE.match(one.get(name)), one
        if any(outer.tag == "article" for outer in one.around()):
            assert_written_by_loom(one)
    html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(raw.decode())


def assert_written_by_loom(one: Element) -> None:
    """An element of an article is one that Loom writes, with attributes that Loom gives it."""
    names, classes = one.attributes.keys() - {"class", "dir", "id", "lang", "title"}, set(one.get("class").split())
    if any(part.tag == "math" for part in (one, *one.around())):
        assert one.tag in MATH, one
        assert names <= ATTRIBUTES | {"alttext"}, one
        assert "id" not in one.attributes and classes <= set(MATH_CLASSES.values()), one
        return
    assert one.tag in ARTICLE, one
    assert names <= ARTICLE[one.tag], one
    in_code = one.tag == "span" and any(part.tag == "pre" for part in one.around())
    assert all(CODE.fullmatch(name) for name in classes) if in_code else classes <= CLASSES, one
