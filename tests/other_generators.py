"""Small real sites of Sphinx and of MkDocs that show scenes, and the slips that their authors make."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from loom.paths import OWN
from tests.servers import running
from tests.sites import TOY

MYST = """# A page

Words before.

```{scene} toy
:count: 3
:step: 2
```

Words after.
"""

RST = """
Down here
=========

.. scene:: toy
   :mode: slow way
"""

INDEX = "# Docs\n\nSee.\n\n```{toctree}\npage\ndeep/down\n```\n"

MKDOCS = """# A page

Words before.

:::{scene} toy
:count: 3
:step: 2

Words after.

```markdown
:::{scene} toy
:::
```
"""


# By a slip's name: what is another in the toy, and what is told of it.
SLIPS = {
    "bracket": ('f"Step', 'f("Step', r":16:13: not valid Python: '\(' was never closed"),
    "module": ("from loom.draw", "import nupmy\nfrom loom.draw", r":1: .*ModuleNotFoundError: No module named 'nupmy'"),
    "name": ("* (state[3]", "* (stat[3]", r":11: .*NameError: name 'stat' is not defined"),
    "role": ('"data", set', '"dat", set', r":11: .*has the unknown role 'dat' (?s:.*)did you mean 'data'"),
    "field": ("title=", "titel=", r":28: .*unexpected keyword argument 'titel'"),
    "empty": ('"A toy"', '""', r":28: .*'title' is empty"),
    "options": ("(2, 3, 4)", "()", r":28: .*'count' has no options"),
    "nan": ("40 * (state[3] + 1)", "float('nan')", r":11: .*its width is nan"),
    "nothing": ("SCENE = Scene", "SCENES = Scene", r": .*defines no SCENE"),
    "endless": ("pen = Pen(width)\n", "pen = Pen(width)\n    while True: pass\n", r":11: .*takes longer than 1 s"),
    "exit": ("pen = Pen(width)", "import os; os._exit(3)", r": a worker process has ended"),
}


def slips() -> dict[str, str]:
    return {f"scenes/{name}/scene.py": TOY.replace(old, new) for name, (old, new, _) in SLIPS.items()}


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def ran(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(OWN), str(folder)])
    settings = {**os.environ, "PYTHONPATH": paths, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run([sys.executable, "-m", *command], env=settings, capture_output=True, text=True, check=False)


def sphinx_site(folder: Path, builder: str = "html", **files: str) -> tuple[Path, str]:
    """A site, and what Sphinx warned of."""
    conf = "extensions = ['myst_parser', 'loom.sphinx']\nproject = 'Docs'\n"
    pages = {"conf.py": conf, "index.md": INDEX, "page.md": MYST, "deep/down.rst": RST, "scenes/toy/scene.py": TOY}
    written(folder, **{**pages, **files})
    command = ["sphinx", "-q", "--no-color", "-b", builder, "-d", folder / "trees", folder, folder / "out"]
    return folder / "out", ran(folder, *command).stderr


def mkdocs_site(folder: Path, **files: str) -> tuple[Path, str]:
    """A site, and what MkDocs says; it finds the plugin by the entry point that the project names."""
    pages = {"mkdocs.yml": "site_name: Docs\nplugins: [loom]\n", "docs/index.md": "# Docs\n\n[On](deep/page.md)\n",
             "docs/deep/page.md": MKDOCS, "scenes/toy/scene.py": TOY}  # fmt: skip
    project = tomllib.loads((OWN / "pyproject.toml").read_text())["project"]
    ((group, points),) = project["entry-points"].items()
    lines = [f"[{group}]", *(f"{name} = {target}" for name, target in points.items())]
    told = {"METADATA": "Metadata-Version: 2.1\nName: loom-here\nVersion: 0\n", "entry_points.txt": "\n".join(lines)}
    written(folder, **{**pages, **files}, **{f"loom_here-0.dist-info/{name}": text for name, text in told.items()})
    done = ran(folder, "mkdocs", "build", "-q", "-f", folder / "mkdocs.yml")
    assert (done.returncode == 0) == (folder / "site/index.html").exists()
    return folder / "site", done.stderr


def plays(page: Page, step: int, count: int) -> None:
    """The frame shows the state that was asked for, is as tall as its scene, and answers a control and keys."""
    frame = page.frame_locator("iframe.loom-scene")
    page.locator("iframe.loom-scene").scroll_into_view_if_needed()
    expect(frame.locator("[data-part=play]")).to_be_enabled()
    expect(frame.locator("[data-part=count]")).to_have_text(f"{step} / {count}")
    page.wait_for_function("document.querySelector('iframe').style.height !== '700px'")
    assert frame.locator("html").evaluate("html => html.scrollHeight <= innerHeight + 1")
    frame.locator("#toy-count").fill("2")
    expect(frame.locator("[data-part=count]")).to_have_text(re.compile(" / 4$"))
    frame.locator("[data-scene]").press("Home")
    expect(frame.locator("[data-part=count]")).to_have_text("1 / 4")


class Quiet(SimpleHTTPRequestHandler):
    """A plain host, without any headers of ours."""

    def log_message(self, *_: object) -> None:
        """Quiet."""


@contextmanager
def reading(chromium: Browser) -> Iterator[Callable[[Path, str], Page]]:
    """Opens pages of built sites. Nothing of Loom's that they ask for may be missing or fail."""
    faults: list[str] = []
    with ExitStack() as closing:
        context = closing.enter_context(
            chromium.new_context(reduced_motion="reduce", viewport={"width": 1000, "height": 900})
        )

        def read(site: Path, path: str) -> Page:
            handler = partial(Quiet, directory=str(site))
            port = closing.enter_context(running(ThreadingHTTPServer(("127.0.0.1", 0), handler)))
            page = context.new_page()
            page.on("response", lambda answer: faults.append(answer.url) if answer.status >= 400 else None)
            page.on("pageerror", lambda error: faults.append(f"{error}: {error.stack}"))
            page.goto(f"http://127.0.0.1:{port}/{path}")
            return page

        yield read
    assert [one for one in faults if "_loom/" in one] == []  # themes have faults of their own
