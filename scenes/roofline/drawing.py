"""The picture of the roofline: a slope, a ceiling, and the kernels that touch them."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, plain
from loom.scene import Moment

from .labels import places
from .machines import TERA
from .model import Chosen
from .narration import rate, ratio, short
from .panel import draw_panel
from .stage import NARROW, RATES, WIDE, Stage, roofs_of

READ_AT = (1.0, 10.0, 100.0)  # FLOP/B, where the slope is read in the first step


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    yield from draw_axes(stage, moment)
    if moment.since("ceiling"):
        yield from draw_ghosts(stage, moment.result)
    yield from draw_roof(stage, moment)
    if moment.phase == "slope":
        yield from draw_reading(stage, moment.result.case.bandwidth)
    if moment.phase == "intensity":
        yield from draw_intensity(stage, moment.result)
    if moment.phase == "meet":
        yield from draw_kernels(stage, moment.result)
    yield from draw_panel(stage, moment)


def draw_axes(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Decades both ways; a tick gives way to the number that is read off beside it."""
    box, size, case = stage.plot, stage.size, moment.result.case
    here_x, here_y = stage.dot(case)
    half = stage.room(ratio(case.intensity, ""), strong=True) / 2
    for tick, _, y in stage.decades:
        yield stage.line(f"y-grid-{tick:g}", box.x, y, box.right, y, "grid")
        if moment.phase != "meet" or abs(y - here_y) > 1.1 * size:
            yield stage.text(f"y-tick-{tick:g}", box.x - 6, y, plain(tick, 1), "note", anchor="end", middle=True)
    for tick, x, _ in stage.decades:
        words = plain(tick, 1)
        yield stage.line(f"x-grid-{tick:g}", x, box.y, x, box.bottom, "grid")
        if not moment.since("intensity") or abs(x - here_x) > half + stage.room(words) / 2 + 4:
            yield stage.text(f"x-tick-{tick:g}", x, box.bottom + 5 + size, words, "note", anchor="middle")
    yield stage.line("x-axis", box.x, box.bottom, box.right, box.bottom, "axis")
    yield stage.text("y-title", 0, 0.8 * size, "rate [TFLOP/s]", "note")
    words = stage.pick("intensity [FLOP/B]", "intensity: FLOPs for each byte moved [FLOP/B]")
    yield stage.text("x-title", box.right, box.bottom + 9 + 2 * size, words, "note", anchor="end")


def draw_ghosts(stage: Stage, chosen: Chosen) -> Iterator[Mark]:
    """Thin roofs of the other GPUs. Their ridges can be pressed; all four are named at the right."""
    roofs = {name: roof for name, roof in roofs_of(stage, chosen.precision).items() if name != chosen.name}
    for name, roof in roofs.items():
        yield stage.path(f"ghost-{name}", roof, "ghost thin")
    for name, y in stage.gpu_names(chosen.precision).items():
        role = "label strong" if name == chosen.name else "note"
        yield stage.text(f"gpu-{name}", stage.margin, y, name, role, middle=True)
    for name, (_, ridge, _) in roofs.items():
        label = f"show the roof of the {name}"
        yield stage.circle(f"ridge-{name}", *ridge, stage.pick(3, 3.5), "quiet", set={"gpu": name}, label=label)


def draw_roof(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The slope alone at first, through the whole picture; then the ceiling that ends it, and the ridge."""
    box, case, phase = stage.plot, moment.result.case, moment.phase
    bound = case.bound if phase == "meet" else ""
    hot = phase == "slope" or bound == "memory"
    until = case.ridge if moment.since("ceiling") else float("inf")
    yield stage.path("slope", stage.slope(case.bandwidth, until), "hot thick" if hot else "data")
    if phase == "slope":
        return
    x, y, now = stage.x(case.ridge), stage.y(case.peak), phase == "ceiling"
    hot = now or bound not in ("", "memory")
    yield stage.path("ceiling", [(x, y), (box.right, y)], "hot thick" if hot else "data")
    yield stage.line("ridge-line", x, box.y - 4, x, y, f"{'hot' if now else 'axis'} dashed")
    words = f"ridge {ratio(case.ridge)}"
    half = stage.room(words, strong=True) / 2
    middle, role = min(max(x, box.x + half), stage.right - half), "hot strong" if now else "label strong"
    yield stage.text("ridge-label", middle, box.y - 10, words, role, anchor="middle")
    for side, edge, anchor in (("memory", x - 7, "end"), ("arithmetic", x + 7, "start")):
        words, role = side + stage.pick("", " limits"), "hot" if side == bound else "note"
        yield stage.text(f"side-{side}", edge, box.y + 0.8 * stage.size, words, role, anchor=anchor)
    yield stage.circle("ridge", x, y, stage.pick(3.5, 4.5), "hot" if now else "data")


def draw_reading(stage: Stage, bandwidth: float) -> Iterator[Mark]:
    """How a slope is read: ten times the intensity, ten times the rate."""
    for at in READ_AT:
        if at * bandwidth / TERA < RATES[1]:
            x, y, words = stage.x(at), stage.y(at * bandwidth), rate(at * bandwidth)
            yield stage.circle(f"read-{at:g}", x, y, stage.pick(3.5, 4.5), "hot")
            words = stage.pick(words, f"{plain(at)} FLOP/B: {words}")
            yield stage.text(f"read-{at:g}-label", x + 8, y + 1.1 * stage.size, words, "label")


def draw_intensity(stage: Stage, chosen: Chosen) -> Iterator[Mark]:
    """The chosen kernel on the axis."""
    x, bottom, name = stage.x(chosen.case.intensity), stage.plot.bottom, short(chosen.kernel)
    yield stage.line("up", x, bottom, x, bottom, "hot")
    yield stage.circle("here", x, bottom, stage.pick(6, 7.5), "hot")
    left = x + 9 + stage.room(name, strong=True) > stage.right
    edge, anchor = (x - 9, "end") if left else (x + 9, "start")
    yield from _named(stage, chosen, (edge, bottom - 1.3 * stage.size, anchor))


def draw_kernels(stage: Stage, chosen: Chosen) -> Iterator[Mark]:
    """The kernels on the roof, to press; the chosen one with its way up from the axis and across to the rate."""
    box, found, case = stage.plot, places(stage, chosen), chosen.case
    for kernel in sorted(found.keys() - {chosen.kernel}):
        (x, y), label = found[kernel].dot, found[kernel]
        yield stage.line(f"thread-{kernel}", x, y, x, label.base, "axis thin")
        yield stage.text(f"name-{kernel}", label.x, label.base, short(kernel), "note", anchor=label.anchor)
    if chosen.kernel != "copy":
        yield stage.text("name-copy", box.x - 10, box.bottom, "copy", "note", anchor="end", middle=True)
    for kernel, one in chosen.cases.items():
        if kernel != chosen.kernel:
            yield stage.circle(f"kernel-{kernel}", *stage.dot(one), stage.pick(4, 5), "data",
                               set={"kernel": kernel}, label=f"show {kernel}")  # fmt: skip
    x, y = stage.dot(case) if case.work.flops else (stage.x(0), box.bottom)
    if case.work.flops:
        words = rate(case.attainable, 3, "")
        yield stage.line("across", box.x, y, x, y, "hot dashed")
        yield stage.text("rate-now", box.x - 6, y, words, "hot strong", anchor="end", middle=True)
    yield stage.line("up", x, box.bottom, x, y, "hot")
    yield stage.circle("here", x, y, stage.pick(6, 7.5), "hot")
    here = found.get(chosen.kernel)
    yield from _named(stage, chosen, (here.x, here.base, here.anchor) if here else (0, 0, ""))


def _named(stage: Stage, chosen: Chosen, place: tuple[float, float, str]) -> Iterator[Mark]:
    """The name of the chosen kernel at its place, and its intensity under the axis."""
    box, name, intensity = stage.plot, short(chosen.kernel), chosen.case.intensity
    if intensity:
        x, y, anchor = place
        yield stage.text("here-name", x, y, name, "hot strong", anchor=anchor)
    else:  # no arithmetic: it stands at the edge of a scale that has no 0
        yield stage.text("here-name", box.x - 10, box.bottom, name, "hot strong", anchor="end", middle=True)
    y = box.bottom + 5 + stage.size
    yield stage.text("intensity-now", stage.x(intensity), y, ratio(intensity, ""), "hot strong", anchor="middle")
