"""What other generators add to Markdown: names, call-outs and folds are ours, too; README.md is a folder's page."""

from __future__ import annotations

import pytest

from tests.sites import built, faults, links, page, problem, site, words

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50"/>'
FILES = {"site.yml": "rules: {summary: false, foreign: false}\n", "dot.svg": SVG, "other": "# Other\n"}


def article(tmp_path, body: str):
    """A page's text; its site has no fault."""
    root = site(tmp_path, **{**FILES, "index": f"# Page\n\n{body}\n\n[o](other.md)\n"})
    tree = page(built(root)).find(".//article")
    assert faults(root) == ()
    return tree


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("## A {: #it .b }\n\n[x](#it)", "A # x o"),
        ("## A {#it .b}\n\n[x](#it)", "A # x o"),
        ("## A {.b}", "A # o"),
        ("A\nb\n{: #it .c }\n\n[x](#it)", "A b x o"),
        ("- a\n  {: #it }\n\n[x](#it)", "a x o"),
        ("> a\n\n{: #it }\n\n[x](#it)", "a x o"),
        ("| a |\n|---|\n| b |\n{: #it }\n\n[x](#it)", "a b x o"),
        ("```\na\n```\n{: #it }\n\n[x](#it)", "a x o"),
        ("[a](other.md){: #it .b }, [x](#it)", "a, x o"),
        ("*a*{: #it } and `b`{: .c } [x](#it)", "a and b x o"),
        ("[a](other.md){ .b }", "a o"),
        ("**`a`**{ #it } and `b`{#b .c} [x](#it) [y](#b)", "a and b x y o"),
        ("![a](dot.svg){: #it .b } [x](#it)", "x o"),
        ("![a](dot.svg){ width=50% }", "o"),
    ],
)
def test_list_of_attributes_gives_a_name_and_is_not_shown(tmp_path, body, shown):
    assert words(article(tmp_path, body)) == shown


@pytest.mark.parametrize("body", ["{:?} and {: x}", "a {: .b } c", "set {#a}", "`{: .b}`"])
def test_braces_elsewhere_are_text(tmp_path, body):
    assert words(article(tmp_path, body)) == f"{body.replace('`', '')} o"


def test_list_of_attributes_is_left_out_of_plain_markdown(tmp_path):
    root = site(tmp_path, **{**FILES, "index": "# A\n\n[b](other.md){: .c} `{: .d}`\n{: #e }\n"})
    (text,) = [raw.decode() for name, raw in built(root).items() if str(name) == "index.md"]
    assert "[b](other/index.md) `{: .d}`\n" in text and "#e" not in text


@pytest.mark.parametrize(
    ("written", "kind", "shown"),
    [
        ('!!! note "A *title*"\n    B\n\n    - c', "note", "A title B c"),
        ("!!! danger\n    B", "caution", "Danger B"),
        ('!!! info inline end ""\n    B', "note", "B"),
        ('!!! note "A"', "note", "A"),
        ("Z\n!!! tip\n    B", "tip", "Tip B"),
        ("- a\n\n    !!! warning\n        B", "warning", "Warning B"),
    ],
)
def test_admonition_is_a_call_out(tmp_path, written, kind, shown):
    assert words(article(tmp_path, written).find(f".//div[@class='callout {kind}']")) == shown


@pytest.mark.parametrize(("sign", "open_"), [("???", None), ("???+", "")])
def test_admonition_that_folds_is_a_fold(tmp_path, sign, open_):
    fold = article(tmp_path, f'{sign} note "A"\n\n    B\n\n    ```\n    c\n    ```').find(".//details")
    assert (fold.get("open"), words(fold)) == (open_, "A B c")


def test_fold_needs_words_to_be_opened_by(tmp_path):
    assert words(article(tmp_path, '??? note ""\n    B').find(".//details")) == "Note B"


def test_tabs_stand_below_each_other(tmp_path):
    tree = article(tmp_path, '=== "A"\n\n    B\n\n=== "C"\n\n    D')
    assert [words(one) for one in tree.findall("./div")] == ["A B", "C D"]


@pytest.mark.parametrize("body", ["!!! wow", "??? what", "!!!", "A\n!!! b"])
def test_signs_without_a_block_are_text(tmp_path, body):
    assert words(article(tmp_path, body)) == f"{body} o".replace("\n", " ")


def test_link_around_blocks_stays_if_they_hold_no_other(tmp_path):
    link = article(tmp_path, '<a href="other.md">\n\nA *b*\n\n- c\n\n</a>').find(".//a")
    assert link.get("href") == "other/" and words(link) == "A b c"


def test_link_that_would_run_is_refused(tmp_path):
    found = problem(site(tmp_path, index="# A\n\n[b](view-source:x)\n"))
    assert found.message == "'view-source:x' is not a kind of link that a page may have"


@pytest.mark.parametrize("name", ["README", "readme", "ReadMe"])
def test_readme_is_the_page_of_its_folder(tmp_path, name):
    root = site(tmp_path, **{
        "site.yml": "rules: {summary: false}\n", name: f"# Home\n\n[a](b/) [c](b/{name}.md)\n",
        f"b/{name}": f"# Part\n\n[d](../{name}.md)\n",
    })  # fmt: skip
    output = built(root)
    assert links(page(output)) == {"a": "b/", "c": "b/"}
    assert links(page(output, "b/index.html")) == {"d": "../"} and faults(root) == ()


def test_readme_beside_an_index_has_its_own_address(tmp_path):
    files = {"README": "# Read me\n", "site.yml": "rules: {summary: false}\n"}
    root = site(tmp_path, **files)
    assert words(page(built(root)).find(".//h1")) == "Read me"
    site(tmp_path, index="# Home\n\n[r](README.md)\n")
    assert links(page(built(root))) == {"r": "README/"}


def test_index_of_hugo_is_the_page_of_its_folder(tmp_path):
    files = {"_index": "# Home\n\n[a](b/) [c](b/_index.md)\n", "b/_index": "# Part\n\n[d](../_index.md) [e](/b)\n"}
    root = site(tmp_path, **{"site.yml": "rules: {summary: false}\n", **files})
    output = built(root)
    assert links(page(output)) == {"a": "b/", "c": "b/"}
    assert links(page(output, "b/index.html")) == {"d": "../", "e": "./"} and faults(root) == ()


def test_link_of_zola_begins_at_the_root(tmp_path):
    files = {"index": "# Home\n\n[a](@/b/c.md)\n", "b/c": "# Part\n\n## Two\n\n[d](@/b/c.md#two) [e](@/index.md)\n"}
    output = built(site(tmp_path, **files))
    assert links(page(output)) == {"a": "b/c/"}
    assert links(page(output, "b/c/index.html")) == {"#": "#two", "d": "#two", "e": "../../"}


def test_index_of_hugo_beside_an_index_is_private_as_all_that_begins_so(tmp_path):
    output = built(site(tmp_path, index="# Home\n", _index="# Other\n", _b="# Private\n"))
    assert words(page(output).find(".//h1")) == "Home"
    assert not [path for path in output if path.parts[0].startswith("_") and path.suffix]


def test_file_is_found_from_the_address_of_a_page_too(tmp_path):
    root = site(
        tmp_path, **{"index": "# Home\n", "a/b": "# B\n\n![Dot](../dot.svg) [f](../dot.svg)\n", "a/dot.svg": SVG}
    )
    found = page(built(root), "a/b/index.html")
    assert found.find(".//article//img").get("src") == "../dot.svg"
    assert links(found) == {"f": "../dot.svg"}


def test_mistake_in_a_readme_is_told_of_its_file(tmp_path):
    found = problem(site(tmp_path, README="# A\n\n[b](nope.md)\n"))
    assert (found.path, found.line) == ("content/README.md", 3)


def test_figure_and_heading_of_one_name_are_told(tmp_path):
    body = "# A\n\n## Cup\n\n:::{figure} dot.svg\n:name: cup\n:alt: A\n:::\n"
    assert (
        "the figure 'cup' has the anchor '#cup'" in problem(site(tmp_path, **{"dot.svg": SVG, "index": body})).message
    )
