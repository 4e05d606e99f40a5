"""Check the schedules against agents that wait on barriers in steps of one time unit, and what no kernel may do."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.warp_specialization.model import (
    COPY,
    EPILOGUES,
    GENERATIONS,
    ISSUE,
    PRODUCT,
    READ_OUT,
    STAGES,
    TILES,
    schedule,
)
from scenes.warp_specialization.narration import now
from scenes.warp_specialization.scene import SCENE
from scenes.warp_specialization.stage import AXIS

LANES = ("copy", "product", "sums", "out")
generations = st.sampled_from(GENERATIONS)
epilogues = st.integers(READ_OUT, 15)
counts = st.integers(1, 12)
example_budget = settings(max_examples=100, deadline=None, derandomize=True)


class Machine:
    """Oracle: agents are generators. They yield a number to spend time or a function to wait until it is true."""

    def __init__(self, epilogue, tiles):
        self.now, self.epilogue, self.tiles = 0, epilogue, tiles
        self.queue, self.landed, self.read, self.summed, self.drained = [], set(), set(), set(), set()
        self.times = {name: {} for name in ("copy", "product", "epilogue", "done")}

    def run(self, agents):
        waiting = [(agent, 0) for agent in agents]
        while waiting:
            moved = True
            while moved:
                moved, still = False, []
                for agent, until in waiting:
                    ready = until() if callable(until) else until <= self.now
                    if not ready:
                        still.append((agent, until))
                        continue
                    moved = True
                    wish = next(agent, "over")
                    if wish != "over":
                        still.append((agent, wish if callable(wish) else self.now + wish))
                waiting = still
            self.now += 1
            assert self.now < 1000, "the agents wait for each other for ever"
        return {name: [column[tile] for tile in range(self.tiles)] for name, column in self.times.items()}

    def engine(self):
        for _ in range(self.tiles):
            yield lambda: bool(self.queue)
            tile = self.queue.pop(0)
            self.times["copy"][tile] = self.now
            yield COPY
            self.landed.add(tile)

    def tma_thread(self):
        for tile in range(self.tiles):
            yield lambda tile=tile: tile < STAGES or tile - STAGES in self.read
            self.queue.append(tile)

    def multiply(self, tile):
        self.times["product"][tile] = self.now
        yield PRODUCT
        self.read.add(tile)
        self.summed.add(tile)

    def write(self, tile):
        self.times["epilogue"][tile] = self.now
        yield READ_OUT
        self.drained.add(tile)
        yield self.epilogue - READ_OUT
        self.times["done"][tile] = self.now

    def all_warps(self):
        issued = 0
        for _ in range(min(STAGES, self.tiles)):
            yield ISSUE
            self.queue.append(issued)
            issued += 1
        for tile in range(self.tiles):
            yield lambda tile=tile: tile in self.landed
            yield from self.multiply(tile)
            if issued < self.tiles:
                yield ISSUE
                self.queue.append(issued)
                issued += 1
            yield from self.write(tile)

    def consumer(self, group):
        for tile in range(group, self.tiles, 2):
            yield lambda tile=tile: tile in self.landed and all(before in self.summed for before in range(tile))
            yield from self.multiply(tile)
            yield from self.write(tile)

    def launcher(self):
        for tile in range(self.tiles):
            yield lambda tile=tile: tile in self.landed and (tile < 2 or tile - 2 in self.drained)
            yield from self.multiply(tile)

    def writer(self, group):
        for tile in range(group, self.tiles, 2):
            yield lambda tile=tile: tile in self.summed
            yield from self.write(tile)


def simulated(generation, epilogue, tiles):
    machine = Machine(epilogue, tiles)
    agents = {
        "Ampere": [machine.all_warps()],
        "Hopper": [machine.tma_thread(), machine.consumer(0), machine.consumer(1)],
        "Blackwell": [machine.tma_thread(), machine.launcher(), machine.writer(0), machine.writer(1)],
    }
    return machine.run([machine.engine(), *agents[generation]])


@given(generation=generations, epilogue=epilogues, tiles=counts)
@example_budget
def test_schedule_equals_agents_that_wait_on_barriers(generation, epilogue, tiles):
    found, expected = schedule(generation, epilogue, tiles), simulated(generation, epilogue, tiles)
    for name, column in expected.items():
        assert getattr(found, name).tolist() == column, name


@given(generation=generations, epilogue=epilogues, tiles=counts)
@example_budget
def test_nothing_is_read_before_it_is_there_or_overwritten_before_it_was_read(generation, epilogue, tiles):
    found = schedule(generation, epilogue, tiles)
    buffers = 1 if generation == "Ampere" else 2
    assert (found.product >= found.landed).all()
    assert (found.epilogue >= found.multiplied).all()
    assert (found.done == found.epilogue + epilogue).all()
    assert (found.copy[STAGES:] >= found.multiplied[:-STAGES]).all()
    assert (found.product[buffers:] >= found.free[:-buffers]).all()
    assert (found.free > found.epilogue).all()


@given(generation=generations, epilogue=epilogues, tiles=counts)
@example_budget
def test_each_resource_does_one_thing_at_a_time(generation, epilogue, tiles):
    found = schedule(generation, epilogue, tiles)
    assert (np.diff(found.copy) >= COPY).all()
    assert (np.diff(found.product) >= PRODUCT).all()
    crews = 1 if generation == "Ampere" else 2
    assert (found.epilogue[crews:] >= found.done[:-crews]).all()
    if generation != "Blackwell":  # there a crew that writes out does not multiply
        assert (found.product[crews:] >= found.done[:-crews]).all()


@given(generation=generations, epilogue=epilogues)
@example_budget
def test_steady_period_has_its_closed_form(generation, epilogue):
    starts = schedule(generation, epilogue, 40).product
    period = {
        "Ampere": PRODUCT + ISSUE + epilogue,
        "Hopper": max(PRODUCT, (PRODUCT + epilogue) / 2),
        "Blackwell": max(PRODUCT, epilogue / 2, (PRODUCT + READ_OUT) / 2),
    }[generation]
    assert starts[36] - starts[16] == 20 * period


@given(generation=generations, epilogue=epilogues, tiles=counts)
@example_budget
def test_busy_share_counts_every_product_once(generation, epilogue, tiles):
    found = schedule(generation, epilogue, tiles)
    units = sum(any(start <= t < start + PRODUCT for start in found.product) for t in range(found.total))
    assert found.busy == pytest.approx(units / found.total)
    assert found.worked(0, found.total) == units == tiles * PRODUCT


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


@pytest.mark.parametrize("epilogue", EPILOGUES)
def test_newer_arrangements_are_never_slower(epilogue):
    values = SCENE.run(epilogue=epilogue).values
    totals = [values[f"cycles_{name.lower()}"].value for name in GENERATIONS]
    assert totals == sorted(totals, reverse=True)
    assert totals[0] > totals[1]


# By hand, with copies of 3, products of 4 and epilogues of 6: 24 units of products in 68, 37 and 33.
@pytest.mark.parametrize(
    ("generation", "cycles", "steady", "issuers"),
    [("ampere", 4 + 6 * 10 + 4 * 1, 800 / 22, 256), ("hopper", 37, 80, 128), ("blackwell", 3 + 6 * 4 + 6, 100, 1)],
)
def test_values_of_the_default_durations(generation, cycles, steady, issuers):
    values = {name: value.value for name, value in SCENE.run().values.items()}
    assert values[f"cycles_{generation}"] == cycles
    assert values[f"whole_{generation}"] == pytest.approx(2400 / cycles)
    assert values[f"busy_{generation}"] == pytest.approx(steady)
    assert values[f"period_{generation}"] == pytest.approx(400 / steady)
    assert values[f"issuers_{generation}"] == issuers


@pytest.mark.parametrize("epilogue", EPILOGUES)
def test_table_holds_the_schedules_of_all_generations(epilogue):
    rows = SCENE.run(epilogue=epilogue).table.rows
    assert [row[:2] for row in rows] == [(name, tile) for name in GENERATIONS for tile in range(1, TILES + 1)]
    assert all(row[2] < row[3] < row[4] < row[5] for row in rows)


@pytest.mark.parametrize("epilogue", EPILOGUES)
def test_time_runs_on_by_a_unit_with_every_beat_until_the_newer_two_are_done(epilogue):
    run = SCENE.run(epilogue=epilogue)
    times = [now(state) for chapter in run.chapters for state in chapter.states]
    assert times == list(range(1, times[-1] + 1))
    assert times[-1] == max(row[5] for row in run.table.rows if row[0] != "Ampere") <= AXIS
    assert sum(chapter.times[-1] for chapter in run.chapters) < 15


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_drawn_beyond_the_playhead(width):
    for state in SCENE.run().chapters[3].states:
        drawn = marks(state, width)
        x = bounds(drawn["now"])[0]
        begun = [mark for key, mark in drawn.items() if mark.read and key.split("-")[1] in LANES]
        assert begun and all(bounds(mark)[2] <= x for mark in begun)


def test_what_begins_grows_with_the_playhead_and_never_comes_ahead_of_it():
    film = [marks(state) for chapter in SCENE.run().chapters for state in chapter.states]
    for before, after in itertools.pairwise(film):
        came = [mark for key, mark in after.items() if key not in before and mark.tag == "rect"]
        assert all(mark.shape["width"] == 0 and not mark.read for mark in came)


def test_score_counts_what_is_written_when_it_is_written():
    for chapter in SCENE.run().chapters:
        for state in chapter.states:
            drawn, time = marks(state), now(state)
            for run in state.result.runs:
                done = sum(end <= time for end in run.done.tolist())
                words = f"all {TILES} at {run.total}" if done == TILES else f"{done} of {TILES} written"
                assert drawn[f"{run.generation}-written"].text == words


def test_opening_shows_three_rows_and_how_busy_each_keeps_the_tensor_cores():
    drawn = marks(SCENE.run().steps[SCENE.opening])
    assert [drawn[f"{name}-busy"].text for name in GENERATIONS] == ["36%", "80%", "100%"]


@pytest.mark.parametrize("epilogue", EPILOGUES)
@pytest.mark.parametrize("width", WIDTHS)
def test_handle_stands_where_the_first_tile_is_written_at_the_latest(epilogue, width):
    state = SCENE.run(epilogue=epilogue).steps[-1]
    drawn = marks(state, width)
    knob, written = drawn["epilogue"], drawn["Ampere-out-0"]
    assert knob.shape["cx"] == pytest.approx(bounds(written)[2] + 0.5)
    assert knob.handle.rail[EPILOGUES.index(epilogue)][0] == knob.shape["cx"]
    assert [x for x, _ in knob.handle.rail] == sorted(x for x, _ in knob.handle.rail)


@pytest.mark.parametrize("epilogue", EPILOGUES)
def test_narration_tells_each_chapter_once_and_ends_with_the_shares(epilogue):
    run = SCENE.run(epilogue=epilogue)
    said = [SCENE.say(state) for state in run.steps]
    assert len(set(said)) == len(said) == 4
    assert all(len(words) < 170 for words in said)
    assert "without beginning and end" in said[-1]
    assert all(f"{run.values[f'busy_{name.lower()}']}" in said[-1] for name in GENERATIONS)


def test_unknown_generation_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"generation is one of .*'Hopper'.*not 'Volta'"):
        schedule("Volta", 3)


@pytest.mark.parametrize(("epilogue", "tiles"), [(0, 6), (3, 0)])
def test_impossible_durations_and_counts_are_refused(epilogue, tiles):
    with pytest.raises(ValueError, match="needs a tile and an epilogue"):
        schedule("Hopper", epilogue, tiles)


@pytest.mark.parametrize("epilogue", EPILOGUES)
@pytest.mark.parametrize("width", WIDTHS)
def test_marks_of_the_oldest_generation_are_named_clear_of_the_handle(epilogue, width):
    drawn = marks(SCENE.run(epilogue=epilogue).steps[-1], width)
    left, _, right, _ = bounds(drawn["epilogue"])
    named = {key: bounds(mark) for key, mark in drawn.items() if key.startswith("words-")}
    if width == "narrow":  # in the line of its heading
        assert named.keys() == {"words-sums", "words-out"}
        assert named["words-out"][2] < bounds(drawn["Ampere-busy"])[0] - 5
    else:
        assert "words-sums" in named and ("words-out" in named) == (epilogue > 3)
        assert all(one[2] <= left - 8 or one[0] >= right + 8 for one in named.values())  # and its ring
