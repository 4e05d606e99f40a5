"""A MkDocs plugin: `plugins: [loom]`, and scenes in pages as on a site of Loom's.

A line `:::{scene} running-mean`, then `:parameter: value` lines if it is to open elsewhere, and `:::` if one likes.
"""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config import base, config_options
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from loom.errors import LoomError
from loom.guests import Guests, write

# Code that is shown as it is, or a scene.
BLOCK = re.compile(
    r"^(?P<fence>```+|~~~+).*?^(?P=fence)[ ]*$|^:::\{scene\}[ ]*(?P<name>\S+)[ ]*$"
    r"(?P<state>(?:\n:\w+:[^\n]*$)*)(?:\n:::[ ]*$)?",
    re.DOTALL | re.MULTILINE,
)
OPTION = re.compile(r"^:(\w+):[ ]*(.*?)[ ]*$", re.MULTILINE)


class LoomConfig(base.Config):  # type: ignore[no-untyped-call]
    """Its settings in `mkdocs.yml`: `root` is the folder that holds `scenes/`, from that of `mkdocs.yml`."""

    root = config_options.Type(str, default=".")


class LoomPlugin(BasePlugin[LoomConfig]):  # type: ignore[no-untyped-call]
    """Shows scenes, and puts what they need beside the pages."""

    guests: Guests
    shown: set[str]

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """A build begins; `serve` follows edits of scenes, too."""
        file = Path(config.config_file_path or "mkdocs.yml")
        folder = file.parent
        root = (folder / self.config.root).resolve()
        language = str(config.theme.get("language") or config.theme.get("locale") or "en").replace("_", "-")
        self.guests, self.shown = Guests(root, folder.resolve() / ".cache/loom", language), set()
        if wrong := self.guests.problem(str(file), _line(file)):
            raise PluginError(str(wrong))
        config.watch.append(str(root / "scenes"))
        return config

    def on_page_markdown(self, markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """The text with frames where scenes are named."""

        def frame(found: re.Match[str]) -> str:
            if found["fence"]:
                return found.group()
            try:
                html = self.guests.frame(found["name"], dict(OPTION.findall(found["state"])), page.url)
            except LoomError as error:
                line = markdown.count("\n", 0, found.start()) + 1
                message = "\n".join(str(one).removeprefix(": ") for one in error.problems)
                raise PluginError(f"{page.file.src_uri}, line {line} of its text: {message}") from None
            self.shown.add(found["name"])
            return f"<div>{html}</div>\n"  # a block of HTML, which Markdown leaves as it is

        return BLOCK.sub(frame, markdown)

    def on_post_build(self, config: MkDocsConfig) -> None:
        """The pages are there."""
        try:
            write(self.guests.output(config.site_name, self.shown) if self.shown else {}, Path(config.site_dir))
        except LoomError as error:
            raise PluginError(str(error)) from None


def _line(file: Path) -> int:
    """The line that says where scenes are: that of `root` behind the plugin's name, or that of its name."""
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    found = re.search(r"\bloom\b(?:[\s{:]+root\b)?", text.partition("plugins:")[2])
    return text.count("\n", 0, text.index("plugins:") + len("plugins:") + found.end()) + 1 if found else 0
