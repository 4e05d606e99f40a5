"""The site's table of contents for language models: llms.txt, which leads to the pages as Markdown."""

from __future__ import annotations

from pathlib import PurePosixPath

from loom.addresses import MARKDOWN
from loom.model import Output
from loom.site.index import Web


def llms(web: Web) -> Output:
    """Title, tagline, and every page with its summary. See https://llmstxt.org."""
    config = web.site.config
    head = [f"# {config.title}", *([f"> {config.tagline}"] if config.tagline else []), "## Pages"]
    pages = []
    for face in web.faces.values():
        about = f": {' '.join(face.meta.summary.split())}" if face.meta.summary else ""
        title = face.title.replace("[", "\\[").replace("]", "\\]")
        pages.append(f"- [{title}]({config.url}{web.url(face.id)}{MARKDOWN}){about}")
    return {PurePosixPath("llms.txt"): ("\n\n".join([*head, "\n".join(pages)]) + "\n").encode()}
