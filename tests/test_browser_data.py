"""The player that is shipped, and the files that are: what it shows of a real scene is what the scene draws."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import DESKTOP, PHONE, Figure, serving
from playwright.sync_api import expect

from loom.addresses import fragment
from loom.build.pipeline import build_site
from loom.draw.marks import spelling
from loom.options import Options
from loom.paths import OWN
from loom.scenes.load import load_scene
from tests.unfolding import dressed, last_frames

# In one file, and in several; with handles and read-outs, and without.
SCENES = ("coalescing", "attention_pattern", "fp8_accumulation", "matmul_ladder", "tma_multicast")
VALUES = ["aria-pressed", *(f"aria-value{part}" for part in ("min", "max", "now", "text"))]  # what is chosen
STATES = 5  # variants of a scene that are looked at, spread over its grid


@pytest.fixture(scope="module")
def scenes_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a page with some of the repository's own scenes is served."""
    root: Path = tmp_path_factory.mktemp("scenes")
    (root / "content").mkdir()
    (root / "scenes").mkdir()
    for shared in OWN.glob("scenes/_[a-z]*"):
        (root / "scenes" / shared.name).symlink_to(shared)
    (root / "measurements").symlink_to(OWN / "measurements")
    for name in SCENES:
        (root / "scenes" / name).symlink_to(OWN / "scenes" / name)
        page = f"# A page\n\n:::{{scene}} {name.replace('_', '-')}\n:::\n"
        (root / f"content/{name.replace('_', '-')}.md").write_text(page)
    (root / "content/index.md").write_text("# Home\n")
    shutil.copy(OWN / "content/references.yml", root / "content")
    with serving(build_site(Options(root)), "/") as found:
        yield found


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
@pytest.mark.parametrize("scene", SCENES)
def test_the_player_shows_every_step_as_it_is_drawn(visitor, scenes_address, scene, width):
    name = scene.replace("_", "-")
    found = load_scene(name, OWN / "scenes" / scene)
    grid = list(found.scene.grid())
    page = visitor(scenes_address)(f"{name}/", width=width)
    figure = Figure(page, name)
    for place in sorted({round(at * (len(grid) - 1) / (STATES - 1)) for at in range(STATES)}):
        params = grid[place]
        frames = last_frames(found, params)["narrow" if width == PHONE else "wide"]
        for step, frame in enumerate(frames, 1):
            state = [*((one, spelling(value)) for one, value in params.items()), ("step", str(step))]
            page.evaluate("hash => { location.hash = hash; }", fragment(name, state))
            expect(figure.part("count")).to_have_text(f"{step} / {len(frames)}")
            assert shown(figure, wanted := dressed(frame)) == wanted, (params, step)


def shown(figure: Figure, wanted: object) -> object:
    """The marks of the picture by key, as soon as they are those that are wanted: their file may have to be fetched."""
    for _ in range(40):
        found = {mark.pop("data-key"): mark for mark in figure.marks("data-new", "tabindex", "data-rail", *VALUES)}
        for mark in found.values():
            if mark.get("role") == "slider":
                del mark["aria-label"]
        if found == wanted:
            break
        figure.page.wait_for_timeout(50)
    return found
