"""Walk a scene's grid: run the model, draw every step, and keep what pages and player need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from loom.draw.extent import extent
from loom.draw.marks import Mark
from loom.errors import LoomError, Problem, attempt, report
from loom.scene import WIDTHS, Run
from loom.scenes.discover import Found, scene_problem
from loom.scenes.encode import Payloads
from loom.scenes.results import Drawn, Frame, Key, SceneData, Variant
from loom.scenes.validate import (
    context,
    frame_problems,
    say_problems,
    size_problems,
    table_problems,
    uneven,
    value_problems,
)

Part = TypeVar("Part")
Result = TypeVar("Result")
MOST_PROBLEMS = 5  # of one scene: the same slip shows in every variant


def parts(found: Found) -> list[list[dict[str, Any]]]:
    """The grid of a scene, cut where its data is: parts that can be computed apart from each other."""
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for params in found.scene.grid():
        groups.setdefault(tuple(params[name] for name in found.scene.split), []).append(params)
    return list(groups.values())


def compute_scene(found: Found) -> SceneData:
    """Walk the whole grid of a scene."""
    return joined(lambda part: compute_part(found, part), parts(found))


def joined(compute: Callable[[Part], SceneData], pieces: Sequence[Part]) -> SceneData:
    """The parts of a scene as one, or the first few of its problems."""
    computed, problems = attempt(compute, pieces)
    report(sorted(problems)[:MOST_PROBLEMS])
    variants = {key: variant for part in computed for key, variant in part.variants.items()}
    files = {name: raw for part in computed for name, raw in part.files.items()}
    report(uneven(computed[0].id, variants.values()))
    heights = {name: max(part.heights[name] for part in computed) for name in WIDTHS}
    return SceneData(computed[0].id, dict(sorted(variants.items())), heights, files)


def compute_part(found: Found, part: Sequence[Mapping[str, Any]]) -> SceneData:
    """Compute some variants of a scene."""
    payloads = Payloads(found)
    variants: dict[Key, Variant] = {}
    problems: list[Problem] = []
    heights = dict.fromkeys(WIDTHS, 0.0)
    for params in part:
        try:
            drawn = draw(found, params)
        except LoomError as error:
            problems += error.problems
            if len(problems) >= MOST_PROBLEMS:
                break
            continue
        payloads.add(drawn)
        variants[found.scene.key(params)] = drawn.variant
        for name, frames in drawn.frames.items():
            heights[name] = max(heights[name], extent(frames))
    report(problems[:MOST_PROBLEMS])
    heights = {name: float(round(height + 2)) for name, height in heights.items()}
    files = payloads.files()
    report(size_problems(found, files))
    return SceneData(found.id, variants, heights, files)


def run(found: Found, params: Mapping[str, Any], ran: Run | None = None) -> Variant:
    """The model's results for one choice of parameters, without drawing."""
    scene, ran = found.scene, ran or Run(found.scene, params)
    states = states_of(found, params, ran)
    say = tuple(_guard(found, "say", params, index, partial(scene.say, state)) for index, state in enumerate(states, 1))
    table = _guard(found, "table", params, 0, lambda: ran.table)
    values = _guard(found, "values", params, 0, lambda: ran.values)
    where = context(params)
    problems = [*say_problems(found, say, where), *table_problems(found, table, where)]
    problems += value_problems(found, values, where)
    if problems:
        raise LoomError(*problems)
    return Variant(dict(params), say, table, values)


def states_of(found: Found, params: Mapping[str, Any], ran: Run | None = None) -> Sequence[Any]:
    """The states of one choice of parameters, one per step; never none."""
    ran = ran or Run(found.scene, params)
    _guard(found, "solve", params, 0, lambda: ran.result)
    states = _guard(found, "steps", params, 0, lambda: ran.steps)
    if not states:
        raise LoomError(Problem(found.path, 0, 0, f"scene '{found.id}' has no steps{context(params)}"))
    return states


def draw(found: Found, params: Mapping[str, Any]) -> Drawn:
    """One variant with every step drawn at every width, checked."""
    ran = Run(found.scene, params)
    states = states_of(found, params, ran)
    frames: dict[str, tuple[Frame, ...]] = {}
    problems: list[Problem] = []
    for name, width in WIDTHS.items():
        drawn: list[Frame] = []
        before: dict[str, Mark] = {}
        for step, state in enumerate(states, 1):
            frame = frame_of(found, state, width, params, step)
            problems += frame_problems(found, frame, name, context(params, step), before)
            before = {mark.key: mark for mark in frame if isinstance(mark, Mark)}
            drawn.append(frame)
        frames[name] = tuple(drawn)
    if problems:
        raise LoomError(*problems)
    return Drawn(run(found, params, ran), frames)


def frame_of(found: Found, state: Any, width: float, params: Mapping[str, Any], step: int) -> Frame:
    """The marks of one step."""
    return _guard(found, "draw", params, step, lambda: tuple(found.scene.draw(state, width)))


def _guard(found: Found, what: str, params: Mapping[str, Any], step: int, call: Callable[[], Result]) -> Result:
    try:
        return call()
    except (LoomError, KeyboardInterrupt):
        raise
    except BaseException as error:  # an author's scene may raise anything, and may try to end the program
        message = f"scene '{found.id}' failed in {what}"
        raise LoomError(scene_problem(error, message, found.folder, context(params, step))) from error
