"""Finished pages are HTML as its standard has it: a strict parser finds nothing wrong with any of them."""

from __future__ import annotations

from loom.model import Output
from tests.sites import GLOSSARY, built, page, toy_site, words

BODY = """\
A {term}`warp`, a {cite}`toy2020 §3`, {value}`toy.size`, $x^{2^3}$, `a < b` & a note[^1].

::::{note} Words
- one

:::{aside}
two
:::
::::

:::{check}
What is it?

- [x] This

  Yes, this.
- [ ] That

  No.
:::

::::{predict}
And now?

- [x] More
- [ ] Less

:::{scene} toy
:::

So it was.
::::

{caption="A *table*"}
| a | b |
|---|--:|
| 1 | $$2$$ |

```python
x = "<p>" if a < b else '&'
```

> A quote
> : of something

Term
: Definition

$$
\\sqrt{x}
$$

[^1]: A note with {cite}`pair2021`.

:::{references}
:::

:::{glossary}
:::
"""


def strictly_read(output: Output) -> set[str]:
    """The pages of a site; the parser raises at the first mistake in one of them."""
    pages = {str(path) for path in output if path.suffix == ".html"}
    for path in pages:
        assert page(output, path).find(".//main[@id='main']") is not None, path
    return pages


def test_pages_of_our_own_site_are_strict_html(own_site: Output):
    assert strictly_read(own_site) >= {"index.html", "search/index.html", "references/index.html", "404.html"}


def test_pages_of_the_small_site_for_the_browser_are_strict_html(site: Output):
    assert len(strictly_read(site)) > 2


def test_page_with_one_of_everything_is_strict_html_and_so_is_the_gallery(tmp_path):
    settings = {"site.yml": "title: A <b> & c\nurl: https://example.org/base/\nsearch: true\n"}
    files = {"index": f"# A < b & c\n\n{BODY}", "deep/er": "# Ö\n\n[home](../index.md#toy?count=3)\n", **settings}
    root = toy_site(tmp_path, **files, **{"glossary.yml": GLOSSARY + "  sources: [toy2020]\n"})
    found = strictly_read(built(root, gallery=True))
    assert found == {"index.html", "deep/er/index.html", "search/index.html", "gallery/index.html", "404.html"}


def test_headings_may_have_the_names_of_what_each_page_has(tmp_path):
    names = ("Main", "Menu", "Toc", "Terms", "Sources", "Card")
    body = "".join(f"## {name}\n\nA {{term}}`warp`, a {{cite}}`toy2020`.\n\n" for name in names)
    tree = page(built(toy_site(tmp_path, index=f"# Home\n\n{body}", **{"glossary.yml": GLOSSARY})))
    ids = [node.get("id") for node in tree.iter() if node.get("id")]
    assert sorted(ids) == sorted(set(ids)) and {"main-1", "menu", "toc", "terms", "sources", "card"} <= set(ids)


def test_headings_may_have_the_names_of_what_a_scene_and_a_guess_have(tmp_path):
    names = ("Toy title", "Toy more")
    body = "".join(f"## {name}\n\nA.\n\n" for name in names)
    guess = "::::{predict}\nWhat?\n\n- [x] This.\n- [ ] That.\n\n:::{scene} toy\n:::\n::::\n"
    tree = page(built(toy_site(tmp_path, index=f"# Home\n\n{body}{guess}")))
    ids = [node.get("id") for node in tree.iter() if node.get("id")]
    assert sorted(ids) == sorted(set(ids)) and {"toy-title", "toy-more"} <= set(ids)
    named = [node.get(key) for key in ("aria-labelledby", "aria-describedby") for node in tree.iter() if node.get(key)]
    told = [words(tree.find(f".//*[@id='{name}']")) for name in named]
    assert {"What?", "A toy"} <= set(told)
