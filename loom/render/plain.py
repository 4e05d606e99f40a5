"""A page's twin: what its author wrote, as plain Markdown that any reader of Markdown understands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote

from markdown_it.token import Token

from loom.addresses import TWIN, relative
from loom.content.blocks import CiteRef, Page, TermRef, ValueRef
from loom.errors import LoomError
from loom.markdown.dialect import CALLOUTS
from loom.markdown.roles import Place, read_role
from loom.model import Output
from loom.render.figure import Figure
from loom.site.links import follow
from loom.site.values import value_text
from loom.site.view import SiteView

# Everything that is not plain, and code, in which it would be. The search runs from one of six characters to the next,
# and no part of the pattern gives back what it has taken, so that none takes long.
MARKUP = re.compile(
    r"""[\\\n`{\]<](?:
    (?<=\\).
    |(?<=\n)(?=[ \t>]*[`~:{\[])(?:
        (?P<fence>[ \t>]*(?P<marks>`{3,}|~{3,})[^\n]*+(?:\n(?![ \t>]*(?P=marks))[^\n]*+)*+(?:\n[^\n]*+)?)
       |[ \t]*:{3,}\{scene\}[ ]*(?P<scene>[\w-]+)[^\n]*(?:\n[ \t]*(?::[^:\n][^\n]*)?(?=\n))*+\n[ \t]*:{3,}[^\n]*
       |[ \t]*:{3,}[ \t]*(?:\{(?P<directive>\w+)\}[ ]*(?P<argument>[^\n]*))?(?=\n|\Z)
       |[ \t>]*\{caption=(?P<quote>["'])(?P<caption>[^\n]*)(?P=quote)\}(?=\n)
       |[ ]{0,3}(?P<label>\[[^\]\n^][^\]\n]*\]:[ \t]*)(?P<defined>\S+)
    )
    |(?<=`)(?P<code>(?P<ticks>`*+)(?:[^`\n]++|\n(?![ \t]*\n)|(?!`(?P=ticks)(?!`))`++)*+`(?P=ticks))
    |(?<={)(?P<role>[\w:]+)\}(?P<tick>`++)(?P<content>.+?)(?P=tick)(?!`)
    |(?<=\])\([ ]*(?P<link><[^<>\n]*>|(?:[^\s()\\]|\([^\s()]*\))+)
    |(?<=<)!--.*?(?:-->|\Z)
    )""",
    re.DOTALL | re.VERBOSE,
)
NOWHERE = Place({"path": "", "offset": 0, "lines": []}, Token("inline", "", 0))
NOTHING = "\0"  # stands where a role says nothing; the space before it goes, too
QUESTIONS = {"check": "Quick check", "predict": "Your guess first"}


def plain_markdown(site: SiteView, page: Page, figures: Mapping[str, Figure]) -> Output:
    """The file `index.md` beside the page: title, summary, and its text with all places filled."""
    lines = page.source.body.split("\n")
    del lines[slice(*page.title_lines)]
    body = "\n".join(lines)
    text = MARKUP.sub(_Twin(site, page, figures).plain, f"\n{body}")
    text = text.replace(f" {NOTHING}", "").replace(NOTHING, "").strip()
    parts = [f"# {page.title}", " ".join(page.source.meta.summary.split()), text]
    raw = "\n\n".join(part for part in parts if part) + "\n"
    return {PurePosixPath(site.entry(page.id).url) / TWIN: raw.encode()}


class _Twin:
    """Says plainly what stands in one page."""

    def __init__(self, site: SiteView, page: Page, figures: Mapping[str, Figure]) -> None:
        self.site = site
        self.page, self.figures = page, figures
        self.url = site.entry(page.id).url

    def plain(self, found: re.Match[str]) -> str:
        kind = found.lastgroup
        if kind == "link":
            return f"]({self.link(found['link'].strip('<>'))}"
        if kind in ("code", "fence"):
            return found[0]
        if kind == "content":
            return self.role(found["role"], found["content"], found[0])
        if kind == "scene":
            return self.scene(self.figures[found["scene"]]) if found["scene"] in self.figures else ""
        if kind == "caption":
            return f"\n*{found['caption']}*\n"
        if kind == "defined":
            return f"\n{found['label']}{self.link(found['defined'])}"
        if found[0][0] == "\n":
            return self.directive(found["directive"] or "", (found["argument"] or "").strip())
        return found[0] if found[0][0] == "\\" else ""  # what is escaped stays; comments are the author's own

    def role(self, name: str, content: str, whole: str) -> str:
        """The words of a role; as it was written if it can't be read, which is reported elsewhere."""
        try:
            hole = read_role(name, content, NOWHERE)
        except LoomError:
            return whole
        if isinstance(hole, TermRef):
            return hole.text
        if isinstance(hole, CiteRef):
            return "; ".join(self.cited(*item) for item in hole.items)
        if not isinstance(hole, ValueRef):
            return NOTHING
        return value_text(hole, self.page, self.site).words if self.site.scene(hole.scene) else whole

    def cited(self, reference: str, place: str) -> str:
        known = self.site.reference(reference)
        words = ", ".join(word for word in (known.short if known else reference, place) if word)
        return f"[{_safe(words)}]({known.url})" if known else words

    def link(self, href: str) -> str:
        """Pages lead to their twins; the states of scenes are to be played, so they lead to the page itself."""
        page, mark, anchor = href.partition("#")
        found = follow(unquote(page) + mark + (anchor if "?" in anchor else unquote(anchor)), self.page.id, self.site)
        if found.file:
            return relative(self.url, found.file)
        if not found.page:
            return href
        end = f"#{found.anchor}" if found.anchor else ""
        if found.state:
            return relative(self.url, found.url) + end
        return end if end and found.page == self.page.id else relative(self.url, found.url + TWIN) + end

    def directive(self, name: str, argument: str) -> str:
        """What stands instead of a directive's first line; of its last one, nothing does."""
        if name == "references":
            return self.references()
        if name == "glossary":
            return "\n" + "\n".join(f"- **{one.term}**: {one.definition}" for one in self.site.glossary)
        title = argument or QUESTIONS.get(name) or CALLOUTS.get(name)
        return f"\n**{title}**\n" if title else "\n"

    def references(self) -> str:
        lines = []
        for area, references in self.site.areas:
            lines += [f"\n## {area.capitalize()}\n"]
            lines += [f"- {one.short}. [{_safe(one.title)}]({one.url}). {one.takes}" for one in references]
        return "\n".join(lines)

    def scene(self, figure: Figure) -> str:
        """A scene's title and summary, and its data as a table."""
        it, columns = figure.info, figure.info.columns
        heads = [f"{column.label} [{column.unit}]" if column.unit else column.label for column in columns]
        rows = [heads, ["---"] * len(heads), *figure.shown_rows]
        table = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
        left = f"What this leaves out: {it.leaves_out}"
        return f"\n**{it.title}** {it.summary} [Play it on the page](./#{figure.id}).\n\n{table}\n\n{left}"


def _safe(words: str) -> str:
    """Words that may stand between square brackets."""
    return words.replace("[", "\\[").replace("]", "\\]")
