"""What is drawn of a scene for a first look: the last beats of the steps that pages show, and data that fits them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from loom.build.pool import InProcessPool
from loom.build.preview import PartialScene
from loom.build.scene_work import SceneOutline, SceneRef
from loom.draw import Mark, Pen
from loom.options import Options
from loom.scene import Chapter
from loom.scenes.combine import combine
from loom.scenes.draw_variants import draw, sketch
from loom.scenes.frames import DataFile
from loom.scenes.info import describe
from loom.scenes.load import LoadedScene
from tests.unfolding import SCENE

FOLDER = Path(__file__).parent


def found(drawn: list[int]) -> LoadedScene:
    """Three steps of three beats, one, and two; `drawn` gets the states that are drawn."""

    def dot(state: int, width: float) -> Iterator[Mark]:
        drawn.append(state)
        yield Pen(width).circle("dot", 10 + state, 20, 5)

    chapters = [Chapter((11, 12, 13), (0.0, 0.5, 1.0), "first"), 20, Chapter((31, 32), (0.0, 0.5), "last")]
    scene = replace(SCENE, params=(), steps=lambda: chapters, draw=dot, say=lambda state: f"It is {state}.",
                    table=lambda: SCENE.table(1), values=dict)  # fmt: skip
    return LoadedScene("toy", "scenes/toy/scene.py", FOLDER / "toy", scene)


def test_first_look_draws_the_last_beats_of_the_steps_that_pages_show_and_no_other():
    drawn: list[int] = []
    data = combine([sketch(found(drawn), {}, [1, -1])])
    assert drawn == [13, 32, 13, 32]  # at both widths
    assert data.say({}) == ["It is 13.", "It is 20.", "It is 32."]


def test_data_of_a_first_look_has_one_frame_a_step_and_the_pictures_of_the_whole(monkeypatch):
    monkeypatch.setattr("loom.scenes.draw_variants.opening_problems", lambda *_: ())  # it stands in no file
    look, whole = combine([sketch(found([]), {}, [1, -1])]), combine([draw(found([]), [{}])])
    for width in ("narrow", "wide"):
        some, all_of_it = (DataFile(data.files[data.file({}, width)]) for data in (look, whole))
        assert some.variant("")["beats"] == [[0]] * len(some.variant("")["frames"]) == [[0]] * 3
        assert len(all_of_it.variant("")["frames"]) == sum(map(len, all_of_it.variant("")["beats"])) == 6
        assert [some.frame("", step) for step in (1, 3)] == [all_of_it.frame("", step) for step in (1, 3)]
        assert some.variant("")["names"] == all_of_it.variant("")["names"]


def test_only_names_of_data_files_are_waited_for():
    outline = SceneOutline(describe("toy", "scenes/toy/scene.py", found([]).scene), (0,))
    partial = PartialScene(SceneRef("toy", ""), outline, [1], b"", InProcessPool(), Options())
    assert partial.indices_of("0.narrow.json") == partial.indices_of("0.wide.json") == ()
    for name in ("0", "0.json", "0.other.json", "1.wide.json", "00.wide.json", "0.wide.json.gz", "9" * 5000):
        assert partial.indices_of(name) is None, name
