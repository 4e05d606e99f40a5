"""The picture of the roofline: a slope, a ceiling, and the kernels that touch them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Mark, memoized, significant
from loom.scene import Moment

from .model import ANY, ANY_INTENSITIES, Case, Chosen
from .names import Bounds, beside, draw_names, taken
from .narration import ratio, short
from .panel import draw_panel, way_back
from .reached import draw_measured
from .stage import INTENSITIES, NARROW, WIDE, Point, Stage, roofs_of

ON_SLOPE = 5 / 8  # the part of the first chapter that the dot needs to the ridge


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, chosen = NARROW if width == NARROW.width else WIDE, moment.result
    if moment.phase == "roof":
        yield from draw_way(stage, chosen.name, chosen.precision, moment.progress, moment.beats)
        return
    if moment.phase == "meet" and moment.progress < 1:
        yield from draw_ground(stage, chosen)
        yield from draw_return(stage, chosen, moment)
        return
    marks, named, clear_of = standing(stage, chosen)
    yield from marks
    if moment.phase == "machine":
        clear_of = [*clear_of]
        yield from draw_measured(stage, chosen, clear_of, moment.beat)
        # Dots stand close: a name is kept where it stood, and nowhere else.
        stood = [(mark, [(mark.shape["x"], mark.shape["y"], "")]) for mark in named]
        named = [kept for mark, place in stood for kept in beside(mark, place, clear_of)]
    yield from named
    yield from draw_panel(stage, chosen.case)


def draw_ground(stage: Stage, chosen: Chosen) -> Iterator[Mark]:
    """What is there once the roof has been drawn."""
    yield from draw_axes(stage)
    yield from draw_others(stage, chosen.name, chosen.precision, False)
    yield from draw_roof(stage, chosen, 1.0)


@lru_cache(maxsize=1)  # two chapters share it
def standing(stage: Stage, chosen: Chosen) -> tuple[list[Mark], list[Mark], list[Bounds]]:
    """The kernels on the roof, their names, and what the marks take up before these stand there."""
    marks = [*draw_ground(stage, chosen), *draw_kernels(stage, chosen)]
    clear_of = taken(marks, stage.slope(chosen.case.bandwidth, chosen.case.ridge))
    return marks, [*draw_names(stage, chosen, [*clear_of])], clear_of


@memoized
def draw_way(stage: Stage, gpu: str, precision: str, progress: float, beats: int) -> Iterator[Mark]:
    """The first chapter, the same for every kernel: the roof is drawn as a dot goes along it.

    Beside it stands what limits where the dot sets off; at last, where it has come to.
    """
    chosen = Chosen(gpu, precision, ANY, ANY_INTENSITIES[0])
    yield from draw_axes(stage)
    yield from draw_others(stage, gpu, precision, True)
    yield from draw_roof(stage, chosen, way(stage, chosen, progress))
    yield from draw_dot(stage, at_way(stage, chosen, progress))
    yield from draw_panel(stage, at_way(stage, chosen, progress - (progress < 1) / beats))


def way(stage: Stage, chosen: Chosen, progress: float) -> float:
    """How far along the axis the dot is: it stops on the ridge, so that it never leaves the roof."""
    ridge = (stage.x(chosen.case.ridge) - stage.plot.x) / stage.plot.width
    if progress <= ON_SLOPE:
        return ridge * progress / ON_SLOPE
    return ridge + (1 - ridge) * (progress - ON_SLOPE) / (1 - ON_SLOPE)


@memoized
def draw_axes(stage: Stage) -> Iterator[Mark]:
    """Decades along, and every second one up."""
    box, size = stage.plot, stage.size
    for tick, x, y in stage.decades:
        words = significant(tick, 1)
        if tick in (0.1, 10, 1000):
            yield stage.line(f"y-grid-{tick:g}", box.x, y, box.right, y, "grid")
            yield stage.text(f"y-tick-{tick:g}", box.x - 6, y, words, "note", anchor="end", middle=True)
        yield stage.line(f"x-tick-{tick:g}-mark", x, box.bottom, x, box.bottom + 4, "axis")
        if tick < INTENSITIES[1] / 2 or not stage.narrow:
            yield stage.text(f"x-tick-{tick:g}", x, box.bottom + 5 + size, words, "note", anchor="middle")
    yield stage.line("x-axis", box.x, box.bottom, box.right, box.bottom, "axis")
    yield stage.text("y-title", 0, 0.8 * size, "rate [TFLOP/s]", "note")
    words = stage.pick("intensity [FLOP/B]", "intensity: FLOPs for each byte moved [FLOP/B]")
    yield stage.text("x-title", box.right, box.bottom + 9 + 2 * size, words, "note", anchor="end")


@memoized
def draw_others(stage: Stage, chosen: str, precision: str, whole: bool) -> Iterator[Mark]:
    """Thin roofs of the other GPUs, or only how high they are; named at the right, where they can be pressed."""
    for name, roof in roofs_of(stage, precision).items():
        if name != chosen:
            (right, y), part = roof[-1], "" if whole else "end-"
            shown = roof if whole else [(right - 22, y), (right, y)]
            if whole or not stage.narrow:
                yield stage.path(f"ghost-{part}{name}", shown, "ghost thin")
    names, right, x = stage.gpu_names(precision), stage.plot.right, stage.plot.right + stage.pick(9, 14)
    ends = [[(right + 1, roof[-1][1]), (x - 2, names[name])] for name, roof in roofs_of(stage, precision).items()]
    yield stage.strokes("gpu-ends", ends, "ghost thin")  # one roof may be that of two GPUs
    for name, y in names.items():
        if name == chosen:
            yield stage.text(f"gpu-{name}", x, y, name, "label strong", middle=True)
        else:
            yield stage.text(f"gpu-{name}", x, y, name, "note", middle=True, set={"gpu": name},
                             label=f"show the roof of the {name}")  # fmt: skip


def draw_roof(stage: Stage, chosen: Chosen, drawn: float) -> Iterator[Mark]:
    """The slope that memory sets, the ceiling that arithmetic sets, and the ridge where they meet."""
    box, case = stage.plot, chosen.case
    x, y = stage.x(case.ridge), stage.y(case.peak)
    edge = box.x + drawn * box.width
    part = min(1.0, (edge - box.x) / (x - box.x))
    yield stage.path("slope", stage.slope(case.bandwidth, case.ridge), "memory thick steady modelled", drawn=part)
    if edge < x - 0.5:
        return
    part = (edge - x) / (box.right - x)
    yield stage.path("ceiling", [(x, y), (box.right, y)], "work thick steady modelled", drawn=part)
    yield from draw_ridge(stage, case.bandwidth, case.ridge)


@memoized
def draw_ridge(stage: Stage, bandwidth: float, ridge: float) -> Iterator[Mark]:
    """The ridge with its number, and what limits on either side of it."""
    box, x = stage.plot, stage.x(ridge)
    yield stage.line("ridge-line", x, box.y - 4, x, box.bottom, "axis dashed thin")
    words = f"ridge {ratio(ridge)}"
    half = stage.text_width(words, strong=True) / 2
    middle = min(max(x, stage.text_width("rate [TFLOP/s]") + 8 + half), stage.width - half)
    yield stage.text("ridge-label", middle, box.y - 10, words, "label strong", anchor="middle")
    base = box.y + stage.pick(0.2, 0.9) * stage.size  # on a phone over the knob on the highest ceiling
    (left, low), (right, high) = stage.slope(bandwidth, ridge)
    under = base + 0.3 * stage.size + stage.pick(8, 9)  # where what runs on the slope begins to touch the word
    free = left + (low - under) / (low - high) * (right - left) - 2 if high < under else x
    places = (("memory", min(x - 7, free), "end", "memory"), ("arithmetic", x + 7, "start", "work"))
    for side, at, anchor, role in places:
        words = side + stage.pick("", " limits")
        if at + stage.text_width(words) > box.right and anchor == "start":
            continue
        yield stage.text(f"side-{side}", at, base, words, role, anchor=anchor)


def draw_dot(stage: Stage, case: Case) -> Iterator[Mark]:
    """The dot on its way, and how far along it is."""
    x, y = stage.dot(case)
    yield stage.line("down", x, y, x, stage.plot.bottom, "hot dashed steady")
    yield stage.circle("probe", x, y, stage.pick(5, 6), "hot steady")


def at_way(stage: Stage, chosen: Chosen, progress: float) -> Case:
    """What the dot stands for."""
    return chosen.at(INTENSITIES[0] * (INTENSITIES[1] / INTENSITIES[0]) ** way(stage, chosen, progress))


def draw_return(stage: Stage, chosen: Chosen, moment: Moment) -> Iterator[Mark]:
    """The dot on its way back along the roof to the chosen kernel, by the ridge if that lies between."""
    stops = way_back(chosen, moment.beats - 2)
    yield from draw_dot(stage, stops[moment.beat + 1])
    yield from draw_panel(stage, stops[moment.beat])  # where it sets off


@lru_cache(maxsize=2)  # for every kernel, at either width
def rail_of(stage: Stage, gpu: str, precision: str) -> list[Point]:
    """Where a kernel of each intensity touches the roof."""
    chosen = Chosen(gpu, precision, ANY, ANY_INTENSITIES[0])
    return [stage.dot(chosen.at(intensity)) for intensity in ANY_INTENSITIES]


def draw_kernels(stage: Stage, chosen: Chosen) -> Iterator[Mark]:
    """The kernels on the roof, to press; and the chosen one, which as any kernel can be moved along it."""
    for kernel, one in chosen.cases.items():
        x, y = stage.dot(one)
        if kernel != chosen.kernel:
            told = f"{short(kernel)}: {ratio(one.intensity)}"
            yield stage.circle(f"kernel-{kernel}", x, y, stage.pick(4, 5), "data", set={"kernel": kernel},
                               label=f"show {kernel}", read=told)  # fmt: skip
    x, y = stage.dot(chosen.case)
    yield stage.line("down", x, y, x, stage.plot.bottom, "hot dashed")
    if chosen.kernel == ANY:
        yield stage.knob("intensity", x, y, "intensity", rail_of(stage, chosen.name, chosen.precision))
        return
    near = min(ANY_INTENSITIES, key=lambda one: abs(stage.x(one) - x))
    yield stage.circle("here", x, y, stage.pick(7, 8), "hot", set={"kernel": ANY, "intensity": near},
                       label=f"{chosen.kernel}: take hold of any kernel here")  # fmt: skip
