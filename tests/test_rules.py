"""Every rule of `check`: the least that breaks it is reported once, at its place, and a sound site passes."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from loom.paths import OWN
from tests.sites import GLOSSARY, REFERENCES, TOY, altered, built, faults, line_with, text, toy_site

INDEX = """\
---
title: Home
summary: Where it begins.
---

A {term}`warp`, a {term}`cache line` and {cite}`pair2021`.
![A line](line.svg) and [the other page](other.md#part).
"""
OTHER = """\
---
title: Other
summary: What else there is.
---

## Part

:::{scene} toy
:::

[a state](#toy?count=3&step=2)
"""
SOUND = {
    "site.yml": "claims: true\n",
    "index": INDEX,
    "other": OTHER,
    "line.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
}
OWN_PAGE = (OWN / "templates/page.html").read_text(encoding="utf-8")
OWN_BASE = (OWN / "templates/base.html").read_text(encoding="utf-8")
PRINT = (OWN / "static/css/print.css").read_text(encoding="utf-8")
OWN_SCENE = (OWN / "templates/scene.html").read_text(encoding="utf-8")


def inside(html: str) -> dict[str, str]:
    """A template that puts something into one page."""
    planted = "{% if here.id == 'other' %}" + html + "{% endif %}</article>"
    return {"templates/page.html": altered(OWN_PAGE, ("</article>", planted))}


def head(old: str, new: str) -> dict[str, str]:
    """A template with another head, for one page."""
    either = "{% if here is defined and here.id == 'other' %}" + new + "{% else %}" + old + "{% endif %}"
    return {"templates/base.html": altered(OWN_BASE, (old, either))}


def index(more: str) -> dict[str, str]:
    return {"index": f"{INDEX}\n{more}\n"}


NOISE = " ".join(hashlib.sha256(bytes([at % 256, at // 256])).hexdigest() for at in range(1700))
POLICY = '<meta http-equiv="Content-Security-Policy" content="{{ policy }}">'
ENTRY = "- {id: lost, title: A, authors: B, year: 2020, kind: paper, url: 'https://example.org', area: a, takes: B.}\n"

# rule, files, where it is reported, a part of the message
WRITTEN = [
    ("content", {"index": altered(INDEX, ("title: Home", "title: 1"))}, "content/index.md", "expected `str`"),
    ("front-matter", {"index": altered(INDEX, ("title: Home", "title: Home\nlayout: x"))}, "content/index.md",
     "unknown key 'layout'"),
    ("markup", index("a <video> b"), "content/index.md", "raw HTML"),
    ("html", index("a <b> b"), "content/index.md", "'<b>' is left out"),
    ("reference", index("[a][b]"), "content/index.md", "'][b]' leads nowhere"),
    ("language", index("```pyhton\n1\n```"), "content/index.md", "unknown language 'pyhton'"),
    ("foreign", index("[a](xref:B)"), "content/index.md", "'xref:B' is no address that a browser knows"),
    ("undrawn", index("```mermaid\ngraph\n```"), "content/index.md", "diagram is shown as its source"),
    ("title", index("# House"), "content/index.md", "two titles"),
    ("term", index("{term}`wrap`"), "content/index.md", "unknown term 'wrap'"),
    ("citation", index("{cite}`nope`"), "content/index.md", "unknown reference 'nope'"),
    ("value", index("{value}`toy.sise`"), "content/index.md", "no value 'sise'"),
    ("link", index("[a](nope.md)"), "content/index.md", "no page 'nope.md'"),
    ("anchor", index("[a](other.md#nope)"), "content/index.md", "no '#nope'"),
    ("state", index("[a](other.md#toy?count=9)"), "content/index.md", "'count' can't be '9'"),
    ("state", index("[a](other.md#toy?step=9)"), "content/index.md", "no step 9"),
    ("state", index("[a](other.md#toy?count=3)"), "content/index.md", "names no step: it opens step 1 of 3"),
    ("state", index("[at *step 3*](other.md#toy?count=3&step=2)"), "content/index.md", "the words say 'step 3'"),
    ("state", index("[the last step](other.md#toy?count=4&step=3)"), "content/index.md", "opens step 3 of 4"),
    ("heading", index("| a | |\n|---|---|\n| 1 | 2 |"), "content/index.md", "column 2 of this table has no heading"),
    ("image", index("![a](other.md)"), "content/index.md", "is not a picture"),
    ("alt", index("![](line.svg)"), "content/index.md", "no text alternative"),
    ("heading", index("### Deep"), "content/index.md", "a heading of level 3 follows one of level 1"),
    ("heading", index("## "), "content/index.md", "a heading without words"),
    ("link", index("[a]()"), "content/index.md", "this link leads nowhere"),
    ("link", index("[ ](https://example.org)"), "content/index.md", "a link without words"),
    ("link", index("[a](http://)"), "content/index.md", "has no host"),
    ("unused", index("[^lost]: Words."), "content/index.md", "nothing refers to the footnote 'lost'"),
    ("unused", index("`[^gone]`\n\n[^gone]: Words."), "content/index.md", "nothing refers to the footnote 'gone'"),
    ("table", index("| a | b |\n|---|\n| 1 | 2 |"), "content/index.md", "this is no table, and is shown as text"),
    ("heading", index("- | a | |\n  |---|---|"), "content/index.md", "column 2 of this table has no heading"),
    ("id", index(":::{glossary}\n:::\n\n:::{glossary}\n:::"), "content/index.md", "a second 'glossary'"),
    ("link", {"references.yml": altered(REFERENCES, ("https://example.org/pairs", "htps://x"))},
     "content/references.yml", "'htps://x' is not an address"),
    ("link", {"site.yml": "claims: true\nrepository: nope\n"}, "content/site.yml", "'nope' is not an address"),
    ("link", {"static/css/print.css": PRINT + "\nb { background: url(../x.png) }\n"},
     "static/css/print.css", "'../x.png' leads nowhere"),
    ("link", {"static/css/print.css": PRINT + '\n@font-face { font-family: a; src: url("../fonts/x.woff2") }\n'},
     "static/css/print.css", "x.woff2' leads nowhere"),
    ("link", {"static/css/print.css": '@import "x.css";\n' + PRINT}, "static/css/print.css", "'x.css' leads nowhere"),
    ("link", {"static/css/print.css": "@import url(https://a.org/x.css);\n" + PRINT}, "static/css/print.css",
     "'https://a.org/x.css' lies on another site"),
    ("image", {"bad.png": "words"}, "content/bad.png", "this file is called .png, and is none"),
    ("image", {"bad.svg": "<svg>"}, "content/bad.svg", "this file is no drawing: no element found"),
    ("image", {"static/bad.svg": "<svg/>"}, "static/bad.svg", "its first element is <svg> without its xmlns"),
    ("scene", {"other": altered(OTHER, ("{scene} toy\n", "{scene} toy\n:count: 9\n"))}, "content/other.md", "'9'"),
    ("scene", {"scenes/toy/scene.py": altered(TOY, ('"A bar grows."', '""'))}, "scenes/toy/scene.py", "'summary'"),
    ("address", {"part": altered(OTHER, ("Other", "A")), "part/index": altered(OTHER, ("Other", "B"))},
     "content/part/index.md", "has the address of content/part.md"),
    ("summary", {"index": altered(INDEX, ("summary: Where it begins.\n", ""))}, "content/index.md", "no summary"),
    ("title", {"index": altered(INDEX, ("Home", " other"))}, "content/other.md", "that of content/index.md"),
    ("claim", index("It holds 80 GB."), "content/index.md", "'80 GB' rests on nothing"),
    ("claim", index("Then 2 + 2 = 5."), "content/index.md", "does not hold"),
    ("unused", {"references.yml": REFERENCES + ENTRY}, "content/references.yml", "reference 'lost'"),
    ("unused", {"glossary.yml": GLOSSARY + "- {term: Lost, definition: A.}\n"}, "content/glossary.yml", "term 'Lost'"),
    ("orphan", {"lone": "---\ntitle: Lone\nlisted: false\n---\n\n[home](index.md)\n"}, "content/lone.md", "leads to"),
    ("budget", {"site.yml": "claims: true\nbudgets: true\n", **index(f"```text\n{NOISE}\n```")}, "index.html", "60,0"),
]  # fmt: skip
FINISHED = [
    ("link", inside('<a href="nope/">x</a>'), "the link 'nope/' leads nowhere"),
    ("link", inside('<a href="https://">x</a>'), "has no host"),
    ("link", inside('<a href="http://[x/">x</a>'), "is no address"),
    ("anchor", inside('<a href="../#nope">x</a>'), "names a place that is not there"),
    ("state", inside('<a href="#toy?nope=1">x</a>'), "scene 'toy' has no parameter 'nope'"),
    ("state", inside('<a href="#toy?mode=slow">x</a>'), "'mode' can't be 'slow'"),
    ("state", inside('<a href="#toy?step=0">x</a>'), "the step '0' is not a number from 1"),
    ("state", inside('<a href="#tyo?step=1">x</a>'), "names a scene that is not there"),
    ("image", inside('<img src="nope.png" alt="x">'), "the link 'nope.png' leads nowhere"),
    ("image", inside('<img src="../other/" alt="x">'), "is not a picture"),
    ("image", inside('<img src="../line.svg" srcset="nope.png 2x" alt="x">'), "leads nowhere"),
    ("alt", inside('<img src="../line.svg">'), "has no text alternative"),
    ("alt", inside('<svg role="img"><path d="M0 0"/></svg>'), "a drawing has no text alternative"),
    ("id", inside('<b id="main">x</b>'), "the id 'main' is used 2 times"),
    ("id", inside('<b id="a b">x</b>'), "'a b' can't be an id"),
    ("id", inside('<b aria-labelledby="nope">x</b>'), "names the id 'nope'"),
    ("heading", inside("<h5>x</h5>"), "a heading of level 5 follows one of level 2"),
    ("heading", inside("<h1>x</h1>"), "2 headings of level 1"),
    ("title", head("<title>{% block title %}{% endblock %}</title>", ""), "the page has no title"),
    ("title", head('<meta name="color-scheme" content="light dark">', "<title>x</title>"), "a second <title>"),
    ("document", head("<!doctype html>", ""), "does not begin with '<!doctype html>'"),
    ("document", head('<html lang="{{ config.language }}">', "<html>"), "does not say its language"),
    ("document", head('<meta charset="utf-8">', ""), "does not say its encoding"),
    ("policy", head(POLICY, ""), "has no strict content security policy"),
    ("policy", head(POLICY, POLICY.replace("{{ policy }}", "default-src 'self' 'unsafe-inline'")),
     "allows 'unsafe-inline' in"),
    ("policy", head(POLICY, POLICY.replace("{{ policy }}", "default-src 'self'; img-src *")), "allows * in 'img-src'"),
    ("policy", head(POLICY, POLICY.replace("{{ policy }}", "img-src 'self'")), "has no strict 'default-src'"),
    ("policy", head(POLICY, "<script src=\"{{ to(assets.player ~ '/head.js') }}\"></script>" + POLICY),
     "<script> stands before the policy"),
    ("policy", inside('<b style="color: red">x</b>'), "carries a style or a script of its own"),
    ("policy", inside('<b onclick="go()">x</b>'), "carries a style or a script of its own"),
    ("policy", inside("<script>go()</script>"), "an inline <script>"),
    ("policy", inside('<img src="https://example.org/x.png" alt="x">'), "<img> asks another site"),
    ("policy", inside('<a href="javascript:go()">x</a>'), "'javascript:' is not a kind of link"),
    ("scene", {"templates/scene.html": altered(OWN_SCENE, ('data-config=\'{{ figure.config }}\'', "data-config='{'"))},
     "the settings of scene 'toy' can't be read"),
    ("markup", inside("<div><b>x</div>"), "<b> is never closed"),
    ("markup", inside("x</b>"), "</b> closes nothing inside <article>"),
    ("markup", inside("x</br>"), "</br> closes nothing"),
    ("markup", inside("<div/>"), "<div/> does not close itself"),
    ("markup", inside("<b class='a' class='b'>x</b>"), "has the attribute 'class' twice"),
    ("markup", inside("a & b"), "a bare '&'"),
    ("markup", inside("a &nope; b"), "a bare '&nope;'"),
    ("markup", inside('<a href="?a=1&b=2">x</a>'), "a bare '&'"),
    ("markup", inside("a < b"), "a bare '<'"),
]  # fmt: skip


def test_sound_site_passes(tmp_path):
    assert faults(toy_site(tmp_path, **SOUND)) == ()


@pytest.mark.parametrize(("rule", "files", "path", "message"), WRITTEN, ids=[f"{one[0]}-{one[3]}" for one in WRITTEN])
def test_fault_in_what_the_author_wrote_is_reported_once(tmp_path, rule, files, path, message):
    (found,) = faults(toy_site(tmp_path, **{**SOUND, **files}))
    assert (found.rule, found.path) == (rule, path)
    assert message in found.message


@pytest.mark.parametrize(("rule", "files", "message"), FINISHED, ids=[f"{one[0]}-{one[2]}" for one in FINISHED])
def test_fault_in_a_finished_page_is_reported_once(tmp_path, rule, files, message):
    (found,) = faults(toy_site(tmp_path, **{**SOUND, **files}))
    assert (found.rule, found.path) == (rule, "other/index.html")
    assert message in found.message


def test_faults_of_all_rules_in_one_site_are_reported_together_and_each_once(tmp_path):
    texts = [one for one in WRITTEN if set(one[1]) == {"index"} and one[1]["index"].startswith(INDEX)]
    pieces = [one for one in FINISHED if set(one[1]) == {"templates/page.html"}]
    rest = [one for one in WRITTEN if one[0] in ("unused", "orphan", "address") and "index" not in one[1]]
    expected = [one[0] for one in (*texts, *pieces, *rest)] + ["summary", "title"]
    files = {name: text for one in rest for name, text in one[1].items()}
    unnamed = altered(INDEX, ("summary: Where it begins.\n", ""), ("Home", "Other"))
    files["index"] = "\n".join([unnamed, *(planted(one, "index") for one in texts)])
    files |= inside("".join(f"<div>{planted(one, 'templates/page.html')}</div>\n" for one in pieces))
    found = faults(toy_site(tmp_path, **{**SOUND, **files}))
    assert len(expected) > 50
    assert Counter(one.rule for one in found) == Counter(expected)


def planted(one: tuple[str, dict[str, str], str], file: str) -> str:
    """What a fault's file holds more than the sound one."""
    sound, text = (INDEX, one[1][file]) if file == "index" else (OWN_PAGE, one[1][file])
    if file == "index":
        return text.removeprefix(sound)
    return text.partition("{% if here.id == 'other' %}")[2].rpartition("{% endif %}</article>")[0]


def test_fault_in_a_finished_page_is_at_its_line_and_column(tmp_path):
    root = toy_site(tmp_path, **{**SOUND, **inside("\n  <b>x\n")})
    (found,) = faults(root)
    assert found.line == line_with(text(built(root), "other/index.html"), "  <b>x")
    assert found.column == 3
