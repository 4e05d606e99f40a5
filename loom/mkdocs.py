"""A MkDocs plugin: `plugins: [loom]`, and scenes in pages as on a site of Loom's.

A line `:::{scene} running-mean`, then optional `:parameter: value` lines for the opening state, and an optional `:::`.
It may be indented, as in lists and call-outs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import yaml
from mkdocs.config import base, config_options
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from loom.content.yaml_nodes import yaml_node
from loom.embedding import TIMEOUT, EmbeddedScenes, write
from loom.errors import LoomError, Problem

# A code block, which is left alone, or a scene: its options, and other lines up to a closing `:::`, which are mistakes.
BLOCK = re.compile(
    r"^(?P<indent>[ \t]*)(?:(?P<fence>```+|~~~+).*?^[ \t]*(?P=fence)[ ]*$|:::\{scene\}[ ]*(?P<name>[^\n]*?)[ ]*$"
    r"(?P<state>(?:\n[ \t]*:(?!::)[^\n]*$)*)(?:(?P<more>(?:\n(?![ \t]*(?::::|$))[^\n]*$)*)\n[ \t]*:::[ ]*$)?)",
    re.DOTALL | re.MULTILINE,
)
# The beginning of a list, a call-out, tabs, a footnote or a definition, whose further lines are indented.
OPENS = re.compile(r"[-*+][ \t]|\d+[.)][ \t]|!!!|\?\?\?|===|\[\^|:[ \t]")
OPTION = re.compile(r":(\w+):[ ]*(.*)")


class LoomConfig(base.Config):  # type: ignore[no-untyped-call]
    """Its settings in `mkdocs.yml`: `root` is the folder that holds `scenes/`, from that of `mkdocs.yml`.

    `scene_timeout` says how many seconds a scene may take.
    """

    root = config_options.Type(str, default=".")
    scene_timeout = config_options.Type((int, float), default=TIMEOUT)


class LoomPlugin(BasePlugin[LoomConfig]):  # type: ignore[no-untyped-call]
    """Shows scenes, and puts what they need beside the pages."""

    scenes: EmbeddedScenes
    shown: set[str]

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Set up the scenes of a new build, and let `serve` watch them."""
        file = Path(config.config_file_path or "mkdocs.yml")
        folder = file.parent
        root = (folder / self.config.root).resolve()
        language = str(config.theme.get("language") or config.theme.get("locale") or "en").replace("_", "-")
        self.scenes = EmbeddedScenes(root, folder.resolve() / ".cache/loom", language, self.config.scene_timeout)
        self.shown = set()
        try:
            self.scenes.begin(str(file), partial(_line, file))
        except LoomError as error:
            raise PluginError(str(error)) from None
        config.watch.append(str(root / "scenes"))
        return config

    def on_page_markdown(self, markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """The text with frames where scenes are named."""

        def frame(found: re.Match[str]) -> str:
            if found["fence"] or _is_code(found["indent"], markdown[: found.start()]):
                return found.group()
            try:
                html = self.scenes.frame(found["name"], _state(found), page.url)
            except LoomError as error:
                place = _place(page, markdown, markdown.count("\n", 0, found.start()) + 1)
                message = "\n".join(str(one).removeprefix(": ") for one in error.problems)
                raise PluginError(f"{place}: {message}") from None
            self.shown.add(found["name"])
            if found["indent"]:
                return found["indent"] + html
            return f"<div>{html}</div>\n"  # a block of HTML, which Markdown leaves as it is

        return BLOCK.sub(frame, markdown)

    def on_post_build(self, config: MkDocsConfig) -> None:
        """Add what the scenes need to the finished site."""
        try:
            write(self.scenes.output(config.site_name, self.shown) if self.shown else {}, Path(config.site_dir))
        except LoomError as error:
            raise PluginError(str(error)) from None


def _is_code(indent: str, above: str) -> bool:
    """Whether an indented line belongs to a code block, and not to a list or a call-out."""
    if len(indent.expandtabs(4)) < 4:
        return False
    heads = [line for line in above.splitlines() if line.strip() and line[0] not in " \t"]
    return not (heads and OPENS.match(heads[-1]))


def _state(found: re.Match[str]) -> dict[str, str]:
    """The options below a scene's line; LoomError says what is wrong with how they are written."""
    name, state = found["name"], {}
    if not name or " " in name:
        message = f"'{name}' is more than the name of a scene" if name else "no scene is named"
        raise LoomError(Problem("", 0, 0, message, "write :::{scene} name, and its options on lines below"))
    for line in f"{found['state']}{found['more'] or ''}".splitlines()[1:]:
        option = OPTION.fullmatch(line.strip())
        if not option:
            hint = "write lines such as ':step: 3', and text behind an empty line"
            raise LoomError(Problem("", 0, 0, f"'{line.strip()}' is no option of scene '{name}'", hint))
        state[option[1]] = option[2]
    return state


def _place(page: Page, markdown: str, line: int) -> str:
    """A line of a page's text as a line of its file, unless another plugin has changed the text."""
    name, file = page.file.src_uri, Path(page.file.abs_src_path or "")
    whole = file.read_text(encoding="utf-8-sig").rstrip() if file.is_file() else ""
    if not whole.endswith(markdown.rstrip()):
        return f"{name}, line {line} of its text"
    return f"{name}:{line + whole.count(chr(10)) - markdown.rstrip().count(chr(10))}"


def _line(file: Path, setting: str) -> int:
    """The line of one of the plugin's settings, or else that of its name; 0 if it stands in another file."""
    root = yaml_node(file.read_text(encoding="utf-8"), str(file)) if file.is_file() else None
    plugins = next((value for key, value in _entries(root) if key.value == "plugins"), None)
    for name, settings in _entries(plugins):
        if name.value == "loom":
            named = next((key for key, _ in _entries(settings) if key.value == setting), name)
            return int(named.start_mark.line) + 1
    return 0


def _entries(node: yaml.Node | None) -> Iterator[tuple[yaml.Node, yaml.Node | None]]:
    """The keys and values of a mapping, of a list of mappings, or of names alone."""
    if isinstance(node, yaml.MappingNode):
        yield from node.value
    elif isinstance(node, yaml.SequenceNode):
        for one in node.value:
            yield from _entries(one)
    elif node:
        yield node, None
