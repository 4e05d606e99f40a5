"""What every scene of the repository keeps, whoever wrote it: found by discovery, nothing to register."""

from __future__ import annotations

import itertools
import json
import math
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import brotli
import msgspec
import pytest

from loom.build.scene_work import variant_data
from loom.build.scenes import compute_all
from loom.cli import main
from loom.content.records import records
from loom.draw.marks import spelling, svg_tag
from loom.draw.svg import Element, svg
from loom.model import Reference
from loom.options import Options
from loom.paths import OWN
from loom.scene import WIDTHS
from loom.scenes.discover import scene_folders
from loom.scenes.frames import DataFile
from loom.scenes.load import LoadedScene, load_scene
from loom.scenes.parameters import absolute_step
from loom.scenes.results import SceneData
from loom.scenes.run import Frame, Outcome, VariantRun
from tests.boxes import box, overlap
from tests.plurals import plurals, said
from tests.unfolding import drawn, last_frames

FOLDERS = scene_folders(OWN / "scenes")
BUDGET, BUDGET_GZIP = 16_000, 24_000  # bytes of the file that a scene opens with, and of any data file, as they travel
SAMPLE = 12  # variants of a large grid that are drawn a second time


@dataclass(frozen=True)
class Drawn:
    """A variant run and drawn once more."""

    told: Outcome
    frames: Mapping[str, list[Frame]]

    @property
    def params(self) -> dict[str, str]:
        return {name: spelling(value) for name, value in self.told.params.items()}


@dataclass(frozen=True)
class Computed:
    """A scene, computed once with its whole grid, and a few variants drawn once more."""

    found: LoadedScene
    data: SceneData
    again: tuple[Drawn, ...]

    @property
    def shown(self) -> list[Drawn]:
        """The variants that the picture tests look at: the opening one, the first and the last."""
        return [self.again[0], self.again[1], self.again[-1]]

    def numbers(self, count: int) -> list[int]:
        """The steps that open and print."""
        scene = self.found.scene
        return sorted({absolute_step(number, count) for number in (scene.opening, *scene.key_steps)})


@pytest.fixture(scope="session")
def every_scene(scene_cache: Path, asked_scenes: frozenset[str]) -> dict[str, tuple[LoadedScene, SceneData]]:
    """All scenes that are asked for, each computed once."""
    known, failed = compute_all(Options(cache=scene_cache), asked_scenes)
    assert failed == []
    return {name: (load_scene(name, FOLDERS[name]), one.data) for name, one in known.items()}


@pytest.fixture(scope="module", params=FOLDERS)
def computed(request: pytest.FixtureRequest, every_scene: dict[str, tuple[LoadedScene, SceneData]]) -> Computed:
    found, data = every_scene[request.param]
    grid = list(found.scene.grid())
    places = sorted({round(at * (len(grid) - 1) / (SAMPLE - 1)) for at in range(SAMPLE)})
    chosen = [found.scene.defaults, *(grid[place] for place in places)]
    again = [Drawn(VariantRun(found, one).outcome(), last_frames(found, one)) for one in chosen]
    return Computed(found, data, tuple(again))


def file_of(computed: Computed, one: Drawn, width: str) -> tuple[DataFile, str]:
    """The data file that holds a variant, and how the variant is called in it."""
    data = computed.data
    return DataFile(data.files[data.file(one.params, width)]), data.key(one.params)


def arguments(params: dict[str, str]) -> list[str]:
    return [f"{name}={value}" for name, value in params.items()]


def test_whole_grid_is_computed(computed):
    assert "online-softmax" in FOLDERS
    scene = computed.found.scene
    assert list(computed.data.variants) == [".".join(map(str, scene.key(params))) for params in scene.grid()]


def test_results_are_plain_data_that_can_be_kept_and_sent(computed):
    packed = msgspec.msgpack.encode(computed.data)
    again = msgspec.msgpack.decode(packed, type=SceneData)
    assert again == computed.data and msgspec.msgpack.encode(again) == packed


def test_second_computation_gives_the_same_words_tables_and_values(computed):
    for one in computed.again:
        found = computed.data.variant(one.params)
        assert computed.data.say(one.params) == list(one.told.say)
        assert found.rows == tuple(map(tuple, one.told.table.rows))
        assert found.values == one.told.values
        assert computed.data.info.columns == one.told.table.columns


@pytest.mark.parametrize("width", WIDTHS)
def test_data_holds_exactly_the_frames_of_a_second_drawing_in_their_order(computed, width):
    for one in computed.again:
        file, key = file_of(computed, one, width)
        steps = range(1, len(one.frames[width]) + 1)
        assert [file.frame(key, step) for step in steps] == [drawn(frame) for frame in one.frames[width]]


@pytest.mark.parametrize("width", WIDTHS)
def test_player_stacks_marks_that_overlap_as_they_are_drawn(computed, width):
    # It puts a new mark where `keys` say; where two marks share a place, that must be the order of the drawing.
    for one in computed.shown:
        rank = {key: place for place, key in enumerate(file_of(computed, one, width)[0]._data["keys"])}
        for step, frame in enumerate(one.frames[width], 1):
            in_order = [rank[mark.key] for mark in frame] == sorted(rank[mark.key] for mark in frame)
            pairs = [] if in_order else itertools.combinations(frame, 2)
            turned = [(a, b) for a, b in pairs if rank[a.key] > rank[b.key]]
            assert not [(a.key, b.key) for a, b in turned if overlap(box(a), box(b))], (one.params, step)


def test_narration_differs_from_step_to_step(computed):
    assert all(say and say == say.strip() and "  " not in say for say in computed.data.words)
    assert len(set(computed.data.words)) == len(computed.data.words)
    for key in computed.data.variants:
        repeated = [before for before, after in itertools.pairwise(computed.data.named(key).say) if before == after]
        assert not repeated, key


def still_chapters(changes: Sequence[str], beats: Sequence[Sequence[int]]) -> Iterator[int]:
    """The chapters, counted from 1, whose beats are all as the picture before them."""
    at = 0
    for number, intervals in enumerate(beats, 1):
        moved = changes[at : at + len(intervals)]
        at += len(intervals)
        if number == 1:  # what a scene begins with is no motion, and may be all that there is
            moved = moved[1:] or moved
        if not any(moved):
            yield number


def test_every_chapter_moves_something(computed):
    still: dict[str, set[tuple[str, int]]] = {width: set() for width in WIDTHS}
    for name, raw in computed.data.files.items():
        file, width = json.loads(raw), name.split(".")[1]
        for key, variant in file["variants"].items():
            still[width] |= {(key, at) for at in still_chapters(variant["frames"], file["beats"][variant["beats"]])}
    assert not set.intersection(*still.values())  # what moves by less than a pixel on a phone moves where there is room


def swept(before: Mapping[int, Element], after: Mapping[int, Element]) -> Iterator[tuple[int, int]]:
    """New boxes that a cover, on its way back, shows before it lies over them."""
    new = {place: mark.attributes for place, mark in after.items() if place not in before and mark.tag == "rect"}
    for place, cover in after.items():
        if place in before and {"cell", "steady"} <= set(str(cover.attributes.get("class")).split()):
            start, end = (float(mark.attributes["x"]) for mark in (cover, before[place]))
            top, height = (float(cover.attributes[name]) for name in ("y", "height"))
            for other, box in new.items():
                if start <= float(box["x"]) < end and top <= float(box["y"]) <= top + height:
                    yield place, other


def test_no_cover_sweeps_back_over_what_is_new(computed):
    for one in computed.again:
        file, key = file_of(computed, one, "wide")
        steps = range(1, len(one.frames["wide"]) + 1)
        film = [file.keyed(key, step, beat) for step in steps for beat in range(file.beats(key, step))]
        wrong = [pair for cut in itertools.pairwise([*film, film[0]]) for pair in swept(*cut)]
        assert not [(file.keys[cover], file.keys[box]) for cover, box in wrong], one.params


def test_one_thing_is_not_counted_as_several(computed):
    found = {wrong for text in said(computed.data) for wrong in plurals(text)}
    assert not found  # count() and Value know better; a verb that is meant goes into tests/plurals.py


def test_apostrophes_are_set_as_in_prose(computed):
    info = computed.data.info
    labels = [label for param in info.params for label in (param.label, *param.labels)]
    texts = [info.title, info.summary, info.leaves_out, *labels, *computed.data.words]
    assert not [text for text in texts if re.search(r"[A-Za-z]'", text)]


def test_every_table_has_rows_of_the_same_columns(computed):
    assert len({one.told.table.columns for one in computed.again}) == 1
    wide, tables = len(computed.data.info.columns), [computed.data.named(key).rows for key in computed.data.variants]
    assert all(rows and all(len(row) == wide for row in rows) for rows in tables)


def test_data_command_gives_the_table_that_the_page_shows(computed):
    for one in computed.again:
        printed = variant_data(computed.found, arguments(one.params))
        assert printed["rows"] == [list(row) for row in one.told.table.rows]
        assert {name: found["value"] for name, found in printed["values"].items()} == {
            name: value.value for name, value in one.told.values.items()
        }
        file, key = file_of(computed, one, "wide")
        for exact, shown in zip(printed["rows"], file.variant(key)["rows"], strict=True):
            assert shown == [cell if isinstance(cell, str) else pytest.approx(cell, rel=5e-6) for cell in exact]


def test_data_command_prints_json_that_reads_back_the_same(computed, capsys):
    assert main(["data", computed.found.id]) == 0
    assert json.loads(capsys.readouterr().out) == variant_data(computed.found, [])


def test_values_are_finite_and_have_the_same_names_and_units_everywhere(computed):
    variants = [computed.data.named(key) for key in computed.data.variants]
    assert all(math.isfinite(value.value) for variant in variants for value in variant.values.values())
    assert len({tuple((name, value.unit) for name, value in sorted(one.values.items())) for one in variants}) == 1


def test_every_data_file_keeps_its_budget(computed):
    assert max(len(zlib.compress(raw, 6)) for raw in computed.data.files.values()) <= BUDGET_GZIP
    for width in WIDTHS:
        raw = computed.data.files[computed.data.file({}, width)]
        if len(brotli.compress(raw, quality=5)) > BUDGET:  # never smaller than the best, and fifty times as fast
            assert len(brotli.compress(raw, quality=11)) <= BUDGET, width


def test_variants_that_follow_one_another_share_files(computed):
    info = computed.data.info
    numbers = [info.number([int(place) for place in key.split(".") if place]) for key in computed.data.variants]
    assert numbers == sorted(set(numbers))  # what the player's search rests on
    for width, starts in computed.data.file_starts.items():
        assert starts[0] == numbers[0] and list(starts) == sorted(set(starts)) and set(starts) <= set(numbers)
        assert {f"{first}.{width}.json" for first in starts} <= computed.data.files.keys()
    assert len(computed.data.files) == sum(map(len, computed.data.file_starts.values()))


def test_sources_are_in_the_list_of_references(computed):
    path = OWN / "content/references.yml"
    known = {entry.id for entry in records(Reference, path.read_text(encoding="utf-8"), path.name)}
    assert set(computed.found.scene.sources) <= known


def test_scene_says_what_it_asks_shows_and_leaves_out(computed):
    scene = computed.found.scene
    assert all(text.strip() for text in (scene.title, scene.summary, scene.leaves_out))
    assert scene.summary.rstrip().endswith(".")


@pytest.mark.parametrize("width", WIDTHS)
def test_opening_picture_is_well_formed_and_says_what_it_shows(computed, width):
    frames = computed.again[0].frames[width]
    frame = frames[absolute_step(computed.found.scene.opening, len(frames)) - 1]
    summary = computed.found.scene.summary
    picture = svg(frame, WIDTHS[width], computed.data.heights[width], label=summary)
    tree = ElementTree.fromstring(str(picture))
    assert tree.get("aria-label") == summary
    shown = [mark for mark in frame if "hint" not in mark.role.split()]
    assert [node.tag.rpartition("}")[2] for node in tree] == [svg_tag(mark) for mark in shown]


@pytest.mark.parametrize("width", WIDTHS)
def test_words_do_not_stand_on_one_another(computed, width):
    touching = []
    for one in computed.shown:
        for number in computed.numbers(len(one.frames[width])):
            words = [mark for mark in one.frames[width][number - 1] if mark.tag == "text" and mark.text]
            touching += [
                (one.params, number, a.key, b.key)
                for a, b in itertools.combinations(words, 2)
                if overlap(box(a), box(b))
            ]
    assert not touching


@pytest.mark.parametrize("width", WIDTHS)
def test_words_stand_within_the_stage(computed, width):
    height = computed.data.heights[width]
    for one in computed.again:
        for mark in itertools.chain.from_iterable(one.frames[width]):
            if mark.tag == "text" and mark.text:
                left, top, right, bottom = box(mark)
                where = (one.params, mark.key, mark.text)
                assert left >= -2 and right <= WIDTHS[width] + 2, where
                assert top >= -2 and bottom <= height + 2, where
