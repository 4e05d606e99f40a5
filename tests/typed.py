"""What an author may type: pieces of Markdown and YAML, nearly valid files, and anything at all."""

# ruff: noqa: E501
# The pieces stand as an author would type them.
from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.sites import GLOSSARY, REFERENCES

PIECES = [
    ":::{scene} toy\n", ":count: 3\n", ":mode: slow way\n", ":::{check}\n", "::::{predict}\n", ":::{note} A\n",
    ":::{aside}\n", ":::{references}\n", ":::{glossary}\n", ":::{nope}\n", "::: x\n", ":::\n", "::::\n", ":: \n",
    "- [ ] no\n", "- [x] yes\n", "  why\n", "- a\n", "1. b\n", "> ", "    ", "\t", "\n", "\n\n", " ", "# A\n", "## A\n",
    "#### A\n", "A\n===\n", "---\n", "***\n", "{term}`warp`", "{term}`x <warp>`", "{cite}`toy2020`",
    "{cite:history}`toy2020 §3; pair2021`", "{uncited}`example`", "{value}`toy.size`",
    "{value}`toy.size count=3 mode='slow way' | 5 GB`", "{value}`toy.`", "{value}`toy.size count=\"`", "{x}``", "{cite}`",
    "```python\nx = 1\n```\n", "```", "~~~\n", "```{x}\n", "`", "``", "| a | b |\n|---|:-:|\n| 1 | 2 |\n", "|", "|---|\n",
    "[^a]", "[^a]: note\n", "^[in]", "$x^2$", "$\\frac{a}{b}$", "$", "$$", "$$\nx\n$$\n", "\\begin{matrix}", "\\", "^", "_",
    "$\\left($", "$\\sqrt[$", "$\\text{<b>}$", "$\\href{javascript:1}{x}$", "$\\style{color:red}{x}$", "$a & b$",
    "[a](index.md)", "[a](#toy?count=3)", "[a](#toy?nope=%zz)", "[a](javascript:alert(1))", "[a](data:text/html,x)",
    "[a](//x\"onclick=1)", "[a](http://[)", "[a](<x y>)", "[a][b]\n", "[b]: /x \"t\"\n", "[", "](", ")", "![", "![a](x.svg)",
    "<details>\n", "<details open>\n<summary>x</summary>\n\n", "</details>\n", "<b>", "</b>", "<table><tr><td align=right>", "</table>\n",
    "<a href=index.md>", "</a>", "<p align=center>\n", "<img src=x.svg alt=a>", "<div id=a onclick=b style=c>\n\n", "</div>\n", "<kbd>K</kbd>",
    "<hr data-at=0>\n", "<li>", "<h2>", "<nope>", "</nope>\n", "<style>x</style>\n", "<a name=b>", "<br/>", "==", "==m==", "H~2~O", "x^2^",
    "> [!NOTE]\n> ", "- [x] ", ":::{figure} x.svg\n", ":name: f\n:width: 50%\n", "{numref}`f`", "{#a}", "https://a.org/b", "```mermaid\nx\n```\n",
    "<http://[>", "<script>alert(1)</script>", "<!-- a -->", "<!--", "-->", "<!-- --><script>1</script>", "<img src=x>",
    "<b", "&amp;", "&#0;", "&lt;script&gt;", "<?x?>", "<![CDATA[x]]>", "<!x>", "term\n: definition\n", ": ",
    '{caption="a <b> \" onclick=1"}\n', "{caption=", "{#id .class onclick=1 style=x}\n", "**", "*", "~~", "a", "word ",
    "3 GB", "$\\text{<script>1</script> & b}$", "$\\big<$", "$\\newcommand{\\a}[1]{#1#1}\\a{x}$", "$$x$$ (eq1)\n", "a $$x$$ b",
    "$n$ 3\n", "<!-- a --> b\n", "<!--\n-", "--->", '{caption="x"}\n', ":name: value\n", "Tab\tstop\n", "# <!-- a --> A\n", "\x00", "\x0b", "\x1b", "\u2028", "\ufeff", "\u202e", "é", "😀", "\r", "---\ntitle: x\n---\n",
]  # fmt: skip
DEEP = [">", "- ", "[", "![", "*", "**", "(", "{", "$", "`", ":::{note}\n", "    ", "\\sqrt{", "<", "|", "_", "^", "&", "\\",
        "<b>", "<div>\n\n", "<details>\n", "<a href=x>", "==", "[^a]", "~~", '"', "'", ":", "$\\frac{", "1. ", "[a](", "{term}`"]  # fmt: skip
deep = st.builds(lambda piece, count: piece * count, st.sampled_from(DEEP), st.integers(1, 150))
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.sampled_from(PIECES), st.text(max_size=9), deep), max_size=14)
bodies = st.one_of(st.text(max_size=200), texts.map("".join))
YAML = [
    "title: a", "title:", "summary: [", "order: x", "order: 1e999", "order: 99999999999999999999999", "date: 2026-13-01",
    "date: 2026-11-20", "draft: maybe", "draft: true", "listed: no", "? a", "a: &x", "*x", "<<: *x", "<<: {a: 1}", "!!python/x 1",
    "!!binary x", "!!timestamp 9", "!!float x", "!!int x", "!!int ''", "!!bool x", "&x [*x]", "&x {a: *x}", "!!set {a}",
    "!!omap [a]", "!!pairs [a]", "!!str [a]", "!!seq a", "!!map a", "{", "}", "[", "]", "'", '"', "|", ">", "- ", "- id: a", "  title: b",
    "  authors: ','", "  authors: a", "  authors: et al.", "  year: 2020", "  kind: paper", "  url: x", "  url: http://[", "  area: a",
    "  takes: b", "  seen: 2026-01-01", "- term: A", "- term: ' '", "  definition: b", "  aliases: [a]", "  aliases: {a: 1}",
    "  sources: [nope]", "  scene: nope", "home: nope", "home: index", "url: https://example.org/", "url: http://[", "language: '\"'",
    "language: x", "units: [' ', '(', '']", "budgets: 1", "ignore_links: ['']", "title: <script>", "nav: '<b onclick=1>'",
    "repository: javascript:1", "---", "...", "%YAML 9", "# c", "\t", "\0", "0x", "1:60", "=", "~", "title: \"\\ud800\"", "1: 2",
    "[a]: b", "{a: b}: c", "title: 2001-01-01", "title: 1", "line: 3", "letter: a",
]  # fmt: skip
VALID = {
    "site.yml": "title: T\ntagline: t\nhome: index\nurl: https://example.org/\nrepository: https://example.org/r\nunits: [tokens]\n",
    "references.yml": REFERENCES,
    "glossary.yml": GLOSSARY + "  aliases: [lines]\n  sources: [toy2020]\n  scene: toy\n",
    "page.md": "title: T\nsummary: S\nnav: N\norder: 1\ndate: 2026-11-20\ndraft: false\nlisted: true\n",
}


def broken(text: str) -> st.SearchStrategy[str]:
    """A text with the values of a line or two put in doubt."""
    lines = text.splitlines()
    values = st.one_of(st.sampled_from(YAML), st.sampled_from(PIECES).map(repr), st.text(max_size=9).map(repr), deep)
    changes = st.lists(st.tuples(st.integers(0, len(lines) - 1), values), min_size=1, max_size=2)

    def change(pairs: list[tuple[int, str]]) -> str:
        found = list(lines)
        for at, value in pairs:
            found[at] = f"{lines[at].partition(':')[0]}: {value.partition(': ')[2] or value}"
        return "\n".join(found) + "\n"

    return changes.map(change)


yamls = st.one_of(
    st.text(max_size=120),
    st.lists(st.one_of(st.sampled_from(YAML), st.sampled_from(YAML), st.text(max_size=6), deep), max_size=10).map(
        "\n".join
    ),
)


def texts_of(name: str) -> st.SearchStrategy[tuple[str, str]]:
    """A file of settings, entries or front matter: nearly valid, or anything."""
    return st.tuples(st.just(name), st.one_of(broken(VALID[name]), yamls))


def steady(count: int) -> settings:
    """The same examples in every run."""
    return settings(max_examples=count, derandomize=True, deadline=None, database=None,
                    suppress_health_check=list(HealthCheck))  # fmt: skip
