"""Every mistake on a page is reported at its place in the author's file, with what to try."""

from __future__ import annotations

import pytest

from loom.errors import Problem
from tests.sites import problems, toy_site

HEAD = "---\ntitle: Page\n---\n"  # the page's text begins in line 4 of the file
SHOWN = "\n\n:::{scene} toy\n:::\n"
FILES = {"other": "# Other\n\n## Part\n", "drawing.svg": "<svg/>"}


def fault(name: str, text: str, *places: tuple[int, int, str, str]) -> object:
    """A page's text and what is wrong with it: line, column, message, hint."""
    return pytest.param(text, places, id=name.replace(" ", "-"))


DIRECTIVES = [
    fault("unknown directive", "a\n\n:::{sceen} toy\n:::",
          (6, 0, "unknown directive 'sceen'", "did you mean 'scene'?")),
    fault("directive never closed", "a\n\n:::{note}\nb",
          (6, 0, "the directive 'note' is never closed", "end it with a line ':::'")),
    fault("directive never closed around another",
          ":::{note}\nb\n\n:::{figure} drawing.svg\n:name: f\n:alt: a\n:::\n\n{numref}`f`",
          (4, 0, "the directive 'note' is never closed", "end it with a line ':::'")),
    fault("directive never closed around what has more colons",
          ":::{note}\nb\n\n::::{predict}\nWhy?\n\n- [x] a\n- [ ] b\n\n:::{scene} toy\n:::\n::::",
          (4, 0, "the directive 'note' is never closed", "end it with a line ':::'")),
    fault("directive never closed in a list", ":::{note}\n- a\n\n  :::{aside}\n  b\n:::",
          (7, 0, "the directive 'aside' is never closed", "end it with a line ':::'")),
    fault("prediction with as many colons as its scene",
          ":::{predict}\nWhy?\n\n- [x] a\n- [ ] b\n\n:::{scene} toy\n:::\n\nBehind.\n:::",
          (4, 0, "the directive 'predict' ends where 'scene' within it does",
           "give it more colons than what it holds: '::::' at both its ends")),
    fault("scene directive without id", ":::{scene}\n:::", (4, 0, "which scene?", "write :::{scene} scene-id")),
    fault("unknown scene", "a\n\n:::{scene} toys\n:::", (6, 0, "unknown scene 'toys'", "did you mean 'toy'?")),
    fault("text in a scene", ":::{scene} toy\nhello\n:::",
          (5, 0, "a scene holds only ':name: value' lines", "write its text before or after it")),
    fault("scene in a call-out", "::::{note}\n:::{scene} toy\n:::\n::::",
          (5, 0, "the directive 'scene' can't stand inside a list, a quote or a call-out", "move it to the top level")),
    fault("unknown parameter", ":::{scene} toy\n:cuont: 3\n:::",
          (5, 0, "scene 'toy' has no parameter 'cuont'", "did you mean 'count'?")),
    fault("parameter without its second colon", ":::{scene} toy\n:step: 1\n:mode fast\n:::",
          (6, 0, "':mode fast' is no ':name: value' line", "write :mode: fast")),
    fault("misspelt step", ":::{scene} toy\n:stpe: 1\n:::",
          (5, 0, "scene 'toy' has no parameter 'stpe'", "did you mean 'step'?")),
    fault("link to a scene that is misspelt where it is shown", "[a](#toy?step=1)\n\n:::{scene} tyo\n:::",
          (6, 0, "unknown scene 'tyo'", "did you mean 'toy'?")),
    fault("value off the grid", ":::{scene} toy\n:mode: fast\n:count: 9\n:::",
          (6, 0, "'count' can't be '9'", "it is one of: 2, 3, 4")),
    fault("step off the grid", ":::{scene} toy\n:step: 9\n:::",
          (5, 0, "there is no step 9: the scene has 2 here", "steps are counted from 1 to 2")),
    fault("step that is no number", ":::{scene} toy\n:step: last\n:::",
          (5, 0, "the step 'last' is not a whole number", "steps are counted from 1 to 2")),
    *(fault("step in digits that no address has", f":::{{scene}} toy\n:step: {step}\n:::",
            (5, 0, f"the step '{step}' is not a whole number", "steps are counted from 1 to 2"))
      for step in ("1_0", "+1", "٢")),
    fault("question without answers", ":::{check}\nWhy?\n:::",
          (4, 0, "a check needs a list of answers", "write them as '- [ ] …' and '- [x] …'")),
    fault("no right answer", ":::{check}\nWhy?\n\n- [ ] a\n\n  No.\n:::",
          (4, 0, "no answer of this check is right", "mark one with '- [x]'")),
    fault("prediction without a wrong answer", ":::{predict}\nWhy?\n\n- [x] a\n- [x] b\n:::",
          (4, 0, "a predict opens a scene, and there is none in it", "put :::{scene} … inside"),
          (4, 0, "every answer of this predict is right", "add one that is not: '- [ ] …'")),
    fault("answer without explanation", ":::{check}\nWhy?\n\n- [x] a\n:::",
          (4, 0, "an answer has no explanation", "write it under the answer, indented")),
    fault("answer without box", ":::{check}\nWhy?\n\n- [x] a\n\n  Yes.\n- b\n\n  No.\n:::",
          (10, 0, "an answer begins with '[ ]' or '[x]'", "write '- [ ] …' or '- [x] …'")),
    fault("prediction without a scene", ":::{predict}\nWhy?\n\n- [x] a\n- [ ] b\n:::",
          (4, 0, "a predict opens a scene, and there is none in it", "put :::{scene} … inside")),
]  # fmt: skip

ROLES = [
    fault("unknown role", "a\nb {trem}`warp`", (5, 3, "unknown role 'trem'", "did you mean 'term'?")),
    fault("unknown term", "a\nb {term}`wrap` and {term}`threads <wrpas>`",
          (5, 3, "unknown term 'wrap'", "did you mean 'warp'?"),
          (5, 20, "unknown term 'wrpas'", "did you mean 'warps'?")),
    fault("term unlike any other", "{term}`xyzzy`", (4, 1, "unknown term 'xyzzy'", "add it to content/glossary.yml")),
    fault("unknown reference", "b {cite}`toy2002; nope §3`",
          (4, 3, "unknown reference 'nope'", "add it to content/references.yml"),
          (4, 3, "unknown reference 'toy2002'", "did you mean 'toy2020'?")),
    fault("empty citation", "b {cite}`;`",
          (4, 3, "a citation without a reference", "write {cite}`id` or {cite}`id §3`")),
    fault("value of an unknown scene", "b {value}`tyo.size`", (4, 3, "unknown scene 'tyo'", "did you mean 'toy'?")),
    fault("unknown value", "b {value}`toy.sizes`",
          (4, 3, "scene 'toy' has no value 'sizes'", "did you mean 'size'?")),
    fault("value with an unknown parameter", "b {value}`toy.size cuont=3`",
          (4, 3, "scene 'toy' has no parameter 'cuont'", "did you mean 'count'?")),
    fault("value off the grid of its scene", "b {value}`toy.size count=5`",
          (4, 3, "'count' can't be '5'", "it is one of: 2, 3, 4")),
    fault("value without name", "b {value}`toy size`",
          (4, 3, "'toy size' names no value of a scene",
           "write {value}`scene-id.value-name` with parameters after it: name=value")),
    fault("value whose bar has nothing behind it", "b {value}`toy.size count=3 |`",
          (4, 3, "nothing stands behind the bar of 'toy.size count=3'",
           "write there what it has to say, as | 46 mg, or leave the bar out")),
    fault("pin without equals sign", "b {value}`toy.size mode=slow way`",
          (4, 3, "'way' is not 'name=value'", "put a value with spaces in quotes")),
    fault("open quotation mark", "b {value}`toy.size mode='slow`",
          (4, 3, "a quotation mark in 'toy.size mode='slow' is never closed", "")),
    fault("asserted number that the model contradicts", "a\n\nb {value}`toy.size count=4 twice=on | 11 GB`",
          (6, 3, "'11 GB' is not what the model says: 12\u00a0GB", "mend the text, or the model")),
    fault("asserted number in the wrong unit", "b {value}`toy.third | 33.3 GB`",
          (4, 3, "'33.3 GB' is not what the model says: 33.3%", "mend the text, or the model")),
    fault("asserted text without number", "b {value}`toy.third | a third`",
          (4, 3, "'a third' is not what the model says: 33.3%", "mend the text, or the model")),
]  # fmt: skip

LINKS = [
    fault("link to an unknown page", "[a](othr.md)", (4, 5, "there is no page 'othr.md'", "did you mean 'other.md'?")),
    fault("link to a page unlike any other", "[a](/nope.md)",
          (4, 5, "there is no page '/nope.md'", "known: index.md, other.md")),
    fault("link to an unknown file", "[a](drawing.png)",
          (4, 5, "there is no file 'drawing.png' beside this page", "did you mean 'drawing.svg'?")),
    fault("unknown anchor here", "## Part one\n\n[a](#part-on)",
          (6, 5, "there is no '#part-on' in content/index.md", "did you mean 'part-one'?")),
    fault("unknown anchor elsewhere", "a [b](other.md#prt)",
          (4, 7, "there is no '#prt' in content/other.md", "did you mean 'part'?")),
    fault("state of a scene that another page shows", "[a](other.md#toy?step=1)" + SHOWN,
          (4, 5, "there is no scene 'toy' in content/other.md", "it stands in content/index.md")),
    fault("state of a scene that no page shows", "[a](other.md#yot?step=1)",
          (4, 5, "there is no scene 'yot' in content/other.md", "link to the page that shows the scene")),
    fault("state with an unknown parameter", "[a](#toy?cuont=2)" + SHOWN,
          (4, 5, "scene 'toy' has no parameter 'cuont'", "did you mean 'count'?")),
    fault("state off the grid", "[a](#toy?mode=slow)" + SHOWN,
          (4, 5, "'mode' can't be 'slow'", "it is one of: fast, slow way")),
    fault("state with a step too far", "[a](#toy?count=3&step=4)" + SHOWN,
          (4, 5, "there is no step 4: the scene has 3 here", "steps are counted from 1 to 3")),
    fault("link from the root", "[a](/othr)",
          (4, 5, "there is no file '/othr' on this site", "did you mean 'other.md'?")),
    fault("link of another kind", "[a](view-source:x)",
          (4, 5, "'view-source:x' is not a kind of link that a page may have", "use https:")),
    fault("link to a hidden page", "[a](_other.md)",
          (4, 5, "there is no page '_other.md'", "what begins with '.' or '_' is no page: rename it")),
    fault("picture on another site", "![a](https://example.org/x.png)",
          (4, 0, "the picture 'https://example.org/x.png' lies on another site",
           "put it beside the page: no request leaves the site")),
    fault("page as a picture", "![a](other.md)", (4, 0, "'other.md' is not a picture", "")),
]  # fmt: skip

RUNS = "it would run or fetch something: a page holds text, pictures and scenes; to show it, escape '<' as '\\<'"
TEXT = [
    fault("script in a line", "a\nb <script>c()</script>",
          (5, 3, "raw HTML '<script>'", RUNS), (5, 14, "raw HTML '</script>'", RUNS)),
    fault("a frame", "a\n\n<div>\n<iframe src='https://example.org/'></iframe>\n</div>",
          (7, 1, "raw HTML '<iframe src='https://example.org/'>'", RUNS)),
    fault("math that can't be read", "a\n\n$$\n\\sqrt{\n$$",
          (7, 0, "this math can't be read: '\\sqrt{' ('}' is missing at its end)", "")),
    fault("formula never closed", "a\n\n$$ b + c\n\nd",
          (6, 1, "a formula that is never closed", "end it with '$$', or escape it with '\\'")),
    fault("mistake in a table", "| a |\n|---|\n| b |\n| {term}`nope` |",
          (7, 3, "unknown term 'nope'", "add it to content/glossary.yml")),
    fault("mistake in a list", "- a\n- b\n  c {term}`nope`",
          (6, 5, "unknown term 'nope'", "add it to content/glossary.yml")),
    fault("the same mistakes in one line", "{term}`nope` [{term}`nope`](b.md) {term}`nope` [c](b.md)",
          (4, 1, "unknown term 'nope'", "add it to content/glossary.yml"),
          (4, 15, "'{term}`nope`' stands in a link", "put it into the text beside it"),
          (4, 29, "a link without words", "say between its brackets where it leads"),
          (4, 29, "there is no page 'b.md'", "known: index.md, other.md"),
          (4, 35, "unknown term 'nope'", "add it to content/glossary.yml"),
          (4, 52, "there is no page 'b.md'", "known: index.md, other.md")),
    fault("the same mistakes in one row", "| a | b |\n|---|---|\n| {term}`nope` | {term}`nope` |",
          (6, 3, "unknown term 'nope'", "add it to content/glossary.yml"),
          (6, 18, "unknown term 'nope'", "add it to content/glossary.yml")),
    fault("mistake in a footnote", "a[^1]\n\n[^1]: b {term}`nope`",
          (6, 9, "unknown term 'nope'", "add it to content/glossary.yml")),
    fault("mistake in an answer", ":::{check}\nWhy?\n\n- [x] a\n\n  b {term}`nope`\n:::",
          (9, 5, "unknown term 'nope'", "add it to content/glossary.yml")),
    fault("mistake in a heading", "## A {term}`nope`",
          (4, 6, "'{term}`nope`' stands in a heading", "put it into the text beside it")),
    fault("citation in a link", "[as {cite}`toy2020` says](https://example.org)",
          (4, 5, "'{cite}`toy2020`' stands in a link", "put it into the text beside it")),
    fault("heading with the anchor of a scene", "## Toy" + SHOWN,
          (6, 0, "the scene 'toy' has the anchor '#toy', as the heading 'Toy' in line 4 has", "reword one of them")),
    fault("scene shown twice", SHOWN.lstrip() + SHOWN,
          (8, 0, "the scene 'toy' has the anchor '#toy', as the scene 'toy' in line 4 has",
           "call one of them something else: ':as: name'")),
    fault("headings of one name", "## A {#x}\n\n## B {#x}",
          (6, 0, "the heading 'B' has the anchor '#x', as the heading 'A' in line 4 has",
           "write another name than '#x'")),
    fault("scene called as a heading", "## Part" + SHOWN.replace("toy\n", "toy\n:as: part\n"),
          (6, 0, "the scene 'part' has the anchor '#part', as the heading 'Part' in line 4 has",
           "call one of them something else: ':as: name'")),
    fault("scene called what can't be linked", SHOWN.lstrip().replace("toy\n", "toy\n:as: The other\n"),
          (5, 0, "a scene can't be called 'The other'", "use small letters, digits and hyphens")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [*DIRECTIVES, *ROLES, *LINKS, *TEXT])
def test_mistake_on_a_page_is_reported_at_its_place(tmp_path, text, places):
    root = toy_site(tmp_path, **FILES, index=HEAD + text)
    assert problems(root) == tuple(Problem("content/index.md", *place) for place in places)
