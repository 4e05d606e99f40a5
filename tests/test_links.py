"""Links in Markdown: where they lead, and what is to be written where they lead nowhere."""

from __future__ import annotations

import pytest

from tests.sites import built, faults, links, page, problem, site

FRONT = "---\nsummary: A.\n---\n\n"
FILES = {
    "guide/index": f"{FRONT}# The guide\n",
    "guide/intro": f"{FRONT}# First steps\n",
    "guide/line.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
}


@pytest.mark.parametrize(
    ("start", "link", "hint"),
    [
        ("index", "/guide/itnro/", "did you mean 'guide/intro.md'?"),
        ("guide/other", "itnro.md", "did you mean 'intro.md'?"),
        ("guide/other", "guide/intro.md", "did you mean 'intro.md'?"),
        ("guide/other", "lnie.svg", "did you mean 'line.svg'?"),
        ("index", "guide/lnie.svg", "did you mean 'guide/line.svg'?"),
    ],
)
def test_hint_can_be_put_in_the_place_of_the_link(tmp_path, start, link, hint):
    home = {"index": f"{FRONT}# Home\n"}
    root = site(tmp_path, **{**home, **FILES, start: f"{FRONT}# Here\n\n[it]({link})\n"})
    assert problem(root).hint == hint
    written = hint.partition("'")[2].partition("'")[0] or hint.rpartition(" ")[2]
    site(root, **{start: f"{FRONT}# Here\n\n[it]({written})\n"})
    assert built(root)


def test_link_and_picture_in_html_are_reported_where_they_stand(tmp_path):
    for wrong in ('<a href="nowhere.md">more</a>', '<img src="nowhere.png" alt="A.">'):
        root = site(tmp_path, index=f"{FRONT}# Home\n\n<div>\nSome words\nand {wrong}\n</div>\n")
        assert problem(root).line == 9
    assert problem(site(root, index=f"{FRONT}# Home\n\n<b>\n<a href='nowhere.md'>it</a></b>\n")).line == 8
    blocks = "<div>\n\nText.\n\n<p><a href='nowhere.md'>it</a></p>\n</div>\n"
    found = problem(site(root, index=f"{FRONT}# Home\n\n{blocks}"))
    assert (found.line, found.column) == (11, 13)


def test_link_to_the_heading_of_level_1_leads_to_the_top_of_the_page(tmp_path):
    here = f"{FRONT}# My project\n\n[there](guide/intro.md#first-steps) [up](#my-project)\n"
    root = site(tmp_path, index=here, **FILES)
    assert links(page(built(root))) == {"there": "guide/intro/", "up": "./"}
    assert faults(root) == ()


@pytest.mark.parametrize(
    ("start", "link", "leads"),
    [
        ("index", "guide/", "guide/"),
        ("index", "guide", "guide/"),
        ("index", "guide/intro/", "guide/intro/"),
        ("index", "guide/intro.html", "guide/intro/"),
        ("index", "guide/index.html", "guide/"),
        ("index", "/guide/intro.md#more", "guide/intro/#more"),
        ("index", "/guide/line.svg", "guide/line.svg"),
        ("index", "index.html", "./"),
        ("guide/other", "intro", "../intro/"),
        ("guide/other", "../", "../../"),
        ("guide/other", "/", "../../"),
        ("guide/other", "/guide/", "../"),
        ("guide/other", "../intro/", "../intro/"),  # as a browser goes from page to page
        ("guide/other", "../intro/#more", "../intro/#more"),
        ("guide/index", "intro/", "intro/"),
        ("index", "guide/intro.md#whats-new_here", "guide/intro/#what-s-new-here"),  # as GitHub and others call it
        ("index", "guide/intro.md#whatsnewhere", "guide/intro/#what-s-new-here"),
    ],
)
def test_link_leads_to_the_page_by_its_file_or_by_its_address(tmp_path, start, link, leads):
    more = {
        **FILES,
        "guide/intro": f"{FRONT}# First steps\n\n## More\n\n## What's new, here?\n",
        "index": f"{FRONT}# Home\n",
    }
    root = site(tmp_path, **{**more, start: f"{FRONT}# Here\n\n[it]({link})\n"})
    place = {"index": "index.html", "guide/index": "guide/index.html"}.get(start, f"{start}/index.html")
    assert links(page(built(root), place))["it"] == leads
