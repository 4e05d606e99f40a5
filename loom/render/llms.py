"""The site's table of contents for language models: llms.txt, which leads to the pages as Markdown."""

from __future__ import annotations

from pathlib import PurePosixPath

from loom.addresses import MARKDOWN
from loom.model import Output
from loom.site.index import SiteIndex


def llms(index: SiteIndex) -> Output:
    """Title, tagline, and every page with its summary. See https://llmstxt.org."""
    config = index.config
    head = [f"# {config.title}", *([f"> {config.tagline}"] if config.tagline else []), "## Pages"]
    pages = []
    for info in index.infos.values():
        about = f": {' '.join(info.meta.summary.split())}" if info.meta.summary else ""
        title = info.title.replace("[", "\\[").replace("]", "\\]")
        pages.append(f"- [{title}]({config.url}{index.url(info.id)}{MARKDOWN}){about}")
    return {PurePosixPath("llms.txt"): ("\n\n".join([*head, "\n".join(pages)]) + "\n").encode()}
