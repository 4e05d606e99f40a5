"""Markdown as people write it elsewhere: HTML, alerts, tasks, figures, addresses and names, shown as they are meant."""

from __future__ import annotations

import pytest

from tests.sites import built, faults, page, problem, site, words

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50"/>'
FILES = {"site.yml": "rules: {summary: false, html: false}\n", "other": "# Other\n", "dot.svg": SVG}


def article(tmp_path, body: str):
    """A page's text; its site has no fault."""
    root = site(tmp_path, **{**FILES, "index": f"# Page\n\n{body}\n\n[o](other.md)\n"})
    tree = page(built(root)).find(".//article")
    assert faults(root) == ()
    return tree


@pytest.mark.parametrize(
    "name",
    ["abbr", "b", "cite", "del", "em", "i", "ins", "kbd", "mark", "q", "samp", "small", "sub", "sup", "u", "var"],
)
def test_element_of_the_text_stays(tmp_path, name):
    found = article(tmp_path, f'A <{name} title="T" class="c" style="color: red" onclick="x()">*word*</{name}>.')
    element = found.find(f".//{name}")
    assert words(element) == "word" and element.find("em") is not None
    assert element.attrib == {"title": "T"}


def test_line_may_be_broken_in_a_cell(tmp_path):
    cell = article(tmp_path, "| a |\n|---|\n| one<br>two<br/>three |").find(".//td")
    assert [node.tag for node in cell] == ["br", "br"]


def test_details_hold_markdown(tmp_path):
    body = "<details open>\n<summary>A <b>sum</b></summary>\n\nText *here*.\n\n- one\n\n</details>\n\nBehind."
    found = article(tmp_path, body).find(".//details")
    assert found.get("open") == "" and words(found.find("summary")) == "A sum"
    assert words(found) == "A sum Text here. one"


def test_details_may_stand_in_a_list_and_in_each_other(tmp_path):
    body = (
        "- <details><summary>a</summary>\n\n  <details><summary>b</summary>\n\n  *c*\n\n  </details>\n  </details>\n- d"
    )
    outer = article(tmp_path, body).find(".//li/details")
    assert words(outer.find("details")) == "b c"


def test_table_of_html_is_framed_as_any_and_aligned_by_class(tmp_path):
    found = article(tmp_path, '<table border=1>\n<tr><th align="right">A<td colspan=2 style="x">b\n</table>')
    assert found.find("./div[@class='table']/table") is not None
    assert (found.find(".//th").get("class"), found.find(".//td").attrib) == ("align-right", {"colspan": "2"})


def test_links_and_pictures_of_html_are_those_of_markdown(tmp_path):
    body = '<p align="center">\n<a href="other.md"><img src="dot.svg" alt="A dot" width="50"></a>\n</p>'
    found = article(tmp_path, body)
    assert found.find(".//p/a").get("href") == "other/"
    image = found.find(".//a/img")
    assert (image.get("src"), image.get("width"), image.get("height")) == ("dot.svg", "50", "25")


@pytest.mark.parametrize(
    ("given", "width"), [("9999", "9999"), ("12345", "9999"), ("1" * 5000, "9999"), ("1e9", "100")]
)
def test_picture_wider_than_any_screen_is_as_wide_as_it_may_be(tmp_path, given, width):
    image = article(tmp_path, f'<p><img src="dot.svg" alt="A dot" width="{given}"></p>').find(".//img")
    assert image.get("width") == width


def test_link_of_html_that_leads_nowhere_is_told_at_its_line(tmp_path):
    root = site(tmp_path, index='# A\n\n<p>\n\n</p>\n\na <a href="nope.md">x</a>\n')
    assert (problem(root).line, problem(root).message) == (7, "there is no page 'nope.md'")


@pytest.mark.parametrize("written", ['<a name="here"></a>', '<a id="here"></a>', '<span id="here">x</span>'])
def test_place_named_in_html_can_be_linked_to(tmp_path, written):
    assert article(tmp_path, f"{written} text\n\n[up](#here)").find(".//*[@id='here']") is not None


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("A Vec<T> of T.", "A Vec<T> of T."),
        ("*so <b>bold* it</b>", "so bold it"),
        ("A <Note>word</Note>.", "A word."),
        ("<Listing n=1>\n\nText.\n\n</Listing>", "Text."),
        ("a </b> b", "a b"),
        ("<T>\n", "<T>"),
        ("<center>\n\nText.\n\n</center>", "Text."),
        ("<div>\n\nText.\n", "Text."),
        ("<style>\np { color: red }\n</style>\nText.", "Text."),
    ],
)
def test_html_that_means_nothing_here_loses_no_words(tmp_path, body, shown):
    assert words(article(tmp_path, body)) == f"{shown} o"


@pytest.mark.parametrize("name", ["script", "iframe", "video", "object", "embed", "form", "input", "svg", "link"])
@pytest.mark.parametrize("where", ["a <{}> b", "<{}>\n", "<div>\n<{} x=1>\n</div>", "<!-- a --><{}>"])
def test_what_would_run_or_fetch_is_refused(tmp_path, name, where):
    found = problem(site(tmp_path, index="# A\n\n" + where.format(name) + "\n"))
    assert found.message.startswith(f"raw HTML '<{name}")


@pytest.mark.parametrize("kind", ["note", "tip", "important", "warning", "caution"])
@pytest.mark.parametrize("written", ["> [!{}]\n> *Text*.", ":::{{{}}}\n*Text*.\n:::"])
def test_alert_is_a_call_out_with_its_title(tmp_path, kind, written):
    found = article(tmp_path, written.format(kind if written[0] == ":" else kind.upper())).find("./div")
    assert found.get("class") == f"callout {kind}"
    assert words(found) == f"{kind.capitalize()} Text."


def test_tasks_are_boxes_that_say_whether_they_are_done(tmp_path):
    found = article(tmp_path, "- [ ] write\n- [x] *read*\n- [y] plain").findall("./ul/li")
    boxes = [item.find("input") for item in found]
    assert [box is not None and (box.get("aria-label"), box.get("checked")) for box in boxes] == [
        ("to be done", None), ("done", ""), False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("H~2~O", ["sub"]), ("x^2^", ["sup"]), ("==so *much*==", ["mark", "em"]), ("~~no~~", ["s"]),
        ("a==b and c==d", []), ("if a == b or c == d", []), ("~5 or ~6", []), ("2^3 and 2^4", []), ("\\==a==", []),
    ],
)  # fmt: skip
def test_words_are_lowered_raised_and_marked(tmp_path, written, tags):
    assert [node.tag for node in article(tmp_path, written).find("./p").iter()][1:] == tags


@pytest.mark.parametrize(
    ("written", "address", "behind"),
    [
        ("See https://example.org/a_b_c.", "https://example.org/a_b_c", "."),
        ("(https://example.org/x_(y))", "https://example.org/x_(y)", ")"),
        ("http://example.org?a=1&b=2, so", "http://example.org?a=1&b=2", ", so"),
    ],
)
def test_bare_address_is_a_link(tmp_path, written, address, behind):
    link = article(tmp_path, written).find("./p/a")
    assert (link.get("href"), words(link), link.tail) == (address, address, behind)


def test_bare_address_that_is_none_is_text(tmp_path):
    found = article(tmp_path, 'It prints \\"http://localhost:2379\\)"]} <b>or</b> https://[no.').find("./p")
    assert list(found.iter("a")) == []
    assert words(found) == 'It prints "http://localhost:2379)"]} or https://[no.'


def test_code_holds_no_links_and_no_marks(tmp_path):
    found = article(tmp_path, "`https://example.org ==a== H~2~O`").find("./p")
    assert [node.tag for node in found.iter()] == ["p", "code"]


@pytest.mark.parametrize("line", [":rocket: Launch", ":name: value", ":smile:"])
def test_line_that_begins_with_a_colon_is_text(tmp_path, line):
    assert words(article(tmp_path, line).find("./p")) == line


@pytest.mark.parametrize("written", ["{#there}", "{ #there }", "{: #there }"])
def test_heading_has_the_name_that_it_is_given(tmp_path, written):
    found = article(tmp_path, f"## A place {written}\n\n[it](#there)")
    assert words(found.find("./h2[@id='there']")) == "A place #"
    assert found.find("./p/a").get("href") == "#there"


def test_titles_of_links_and_of_pictures_are_theirs(tmp_path):
    found = article(tmp_path, '[it](other.md "L") ![A dot](dot.svg "P")')
    assert (found.find(".//a").get("title"), found.find(".//img").get("title")) == ("L", "P")


FIGURE = ":::{figure} dot.svg\n:name: dot\n:alt: A dot\n:width: 50%\nThe *dot* of [all](other.md).\n:::"


def test_figure_has_a_number_a_caption_a_width_and_a_name(tmp_path):
    found = article(
        tmp_path,
        f":::{{figure}} dot.svg\n:alt: First\n:::\n\n{FIGURE}\n\nSee {{numref}}`dot`, {{numref}}`no. %s <dot>`.",
    )
    figure = found.find("./figure[@id='dot']")
    assert words(figure.find("figcaption")) == "Figure 2 The dot of all."
    assert (figure.find("img").get("alt"), figure.find("img").get("width")) == ("A dot", "320")
    assert [(words(a), a.get("href")) for a in found.findall("./p/a")][:2] == [("Figure 2", "#dot"), ("no. 2", "#dot")]


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        (":::{figure}\n:::", 3, "which picture?"),
        (":::{figure} dot.svg\n:widht: 3\n:::", 4, "a figure has no 'widht'"),
        (":::{figure} dot.svg\n:alt: a\n:width: wide\n:::", 5, "the width 'wide' is none"),
        (":::{figure} dot.svg\n:name: a b\n:::", 4, "'a b' can't be the name of a figure"),
        (":::{figure} nope.svg\n:::", 3, "there is no file 'nope.svg' beside this page"),
        (f"{FIGURE}\n\n{FIGURE}", 10, "the figure 'dot' is there twice, first in line 3"),
        ("a\n{numref}`dto`\n\n" + FIGURE, 4, "there is no figure 'dto' on this page"),
    ],
)
def test_mistake_in_a_figure_is_told_at_its_line(tmp_path, body, line, message):
    found = problem(site(tmp_path, **{**FILES, "index": f"# A\n\n{body}\n"}))
    assert (found.line, found.message) == (line, message)


@pytest.mark.parametrize("info", ["mermaid", "{mermaid}", "plantuml"])
def test_diagram_is_its_source_and_says_that_it_is_not_drawn(tmp_path, info):
    root = site(tmp_path, **{**FILES, "site.yml": "rules: {summary: false, undrawn: false}\n",
                             "index": f"# A\n\n```{info}\ngraph TD\n```\n\n[o](other.md)\n"})  # fmt: skip
    figure = page(built(root)).find(".//figure")
    assert "not drawn here" in words(figure.find("figcaption")) and words(figure.find("pre")) == "graph TD"
    assert faults(root) == ()
