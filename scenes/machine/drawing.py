"""The picture of the machine: what each memory holds as area, over the way to it as length and width."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark
from loom.scene import Moment

from .._gpus.memory import KB, TERA, Gpu
from .answers import draw_answer
from .measured import by_level
from .model import FAR, HBM, L1, NEAR, SIZES, Level, Sent, spelled
from .narration import cycles, rate
from .pace import PARTS, SPECK, filling, grown, open_now, opened
from .plan import names, places, plan
from .stage import NARROW, ROWS, WIDE, Stage
from .stairs import draw_stairs


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, sent = NARROW if width == NARROW.width else WIDE, moment.result
    if moment.phase == "staircase":
        yield from draw_answer(stage, moment, sent.found.cycles)
        yield from draw_stairs(stage, sent, grown(moment))
        yield from ruler(stage, sent)
        return
    gone, bound = passed(moment)
    here = sent.levels[sent.reached(gone)] if moment.since("send") else None
    yield from draw_answer(stage, moment, gone)
    yield from plan(stage, sent.gpu)
    yield from data(stage, sent)
    if here:
        yield stage.outlines("here", places(stage, sent.gpu)[here.name], "hot thick")
    if moment.phase == "plan" and moment.progress < 1:
        yield from smaller(stage, sent.gpu, moment)
    yield from names(stage, sent.gpu)
    yield from way(stage, sent.gpu, opened(moment), open_now(moment))
    if here:
        x, y = stage.way
        yield stage.line("gone", x, y, stage.along(sent.gpu, bound), y, "hot thick steady")
        yield stage.circle("load", stage.along(sent.gpu, bound), y, stage.pick(5, 6), "hot steady")
    yield from ruler(stage, sent)


def passed(moment: Moment) -> tuple[float, float]:
    """The cycles that have passed, and those at which the load will be when the next picture comes."""
    length, steps = moment.result.found.cycles, max(moment.beats - 1, 1)
    if moment.phase != "send":
        return (length, length) if moment.since("send") else (0.0, 0.0)
    return length * moment.beat / steps, length * min(moment.beat + 1, steps) / steps


def smaller(stage: Stage, gpu: Gpu, moment: Moment) -> Iterator[Mark]:
    """A frame around the SM that goes to its place in the chip, around it, and to the speck; what is then filled."""
    hbm, speck, chip, sm = stage.hbm_box(gpu), stage.speck(gpu), stage.chip_box(gpu), stage.cores_box(gpu)
    row, done = stage.sm_rows(gpu)[0], filling(moment)
    if done is not None:
        part = max(done - 1, 0) / PARTS * hbm.height
        tall = max(part, speck.height)
        full = Box(hbm.x, hbm.bottom - tall, hbm.width if done else speck.width, tall)
        yield stage.rect("filled", full, "hot soft steady", round=0)
    places = (sm._replace(height=stage.ground - sm.y), row.columns(gpu.sms // ROWS[gpu.name])[0], chip, speck)
    yield stage.rect("smaller", places[min(moment.beat, SPECK)], "hot outline", round=0)


def data(stage: Stage, sent: Sent) -> Iterator[Mark]:
    """The data as area: how much they fill of L1 and of L2, and in HBM a square."""
    gpu, near, far = sent.gpu, *(box.inset(top=1, bottom=1) for box in stage.l2_boxes(sent.gpu))
    half, halves = spelled(gpu.l2 / 2), 2 * sent.size / gpu.l2
    levels = (("l1", stage.sm_parts(gpu)[1], sent.size / gpu.l1, f"L1 and shared memory: {gpu.l1 // KB} KB"),
              ("near", near, halves, f"{NEAR}: {half}"), ("far", far, halves - 1, f"{FAR}: {half}"))  # fmt: skip
    for name, box, share, words in levels:
        full = box.width * min(max(share, 0.0), 1.0)
        if full:
            yield stage.rect(f"data-{name}", box._replace(width=full), "data soft", round=0, read=words)
        if full < box.width:
            yield stage.rect(f"free-{name}", box.inset(left=full), "memory soft", round=0, read=words)
    hbm = stage.hbm_box(gpu)
    side = hbm.width * (sent.size / gpu.hbm) ** 0.5
    yield stage.rect("data-hbm", Box(hbm.right - side, hbm.bottom - side, side, side), "data", round=0)


def way(stage: Stage, gpu: Gpu, opened: int, rates: int) -> Iterator[Mark]:
    """From the registers to HBM: as long as the cycles, as wide as the bytes that come each second.

    So many pipes have opened: others are as narrow as that of HBM. So many levels say their rates instead of cycles.
    """
    levels = Sent(gpu, SIZES[0]).levels
    x, y = stage.way
    for at, (before, level) in enumerate(zip((None, *levels), levels, strict=False)):
        wide = (level.rate if at < opened else gpu.hbm_rate) / TERA * stage.thick
        left, right = (
            (x - stage.pick(2, 4), x)
            if before is None
            else (stage.along(gpu, before.cycles), stage.along(gpu, level.cycles))
        )
        if level.rate:
            pipe = Box(left, y - wide / 2, right - left, wide)
            yield stage.rect(f"pipe-{level.name}", pipe, "memory", round=0, read=told(level, gpu))
        else:
            yield stage.line(f"unknown-{level.name}", left, y, right, y, "memory dashed")
    for at, level in enumerate(levels):
        yield from flag(stage, gpu, at, level, at < rates)


def told(level: Level, gpu: Gpu) -> str:
    seen = by_level(gpu.name).get(level.name)
    came = f" ({round(seen)} on an {gpu.name} of ours)" if seen else ""
    return f"{level.name}: {rate(level.rate)}, after {cycles(level.cycles)}{came}"


def flag(stage: Stage, gpu: Gpu, at: int, level: Level, rates: bool) -> Iterator[Mark]:
    """Beside the stem of a level its name and its cycles, or the rate of what lies before it."""
    x, y, size = stage.along(gpu, level.cycles), stage.way[1], stage.size
    if at == 0:
        words = f"registers: {rate(level.rate)}" if rates else "registers"
        yield stage.text("flag-registers", x + 6, y + stage.pick(36, 44), words)
        return
    name, number = level.name.removeprefix("L2, "), cycles(level.cycles)
    if stage.narrow:
        name = name.removesuffix(" half")
        number = number if name == HBM else f"{level.cycles}"
    if rates:
        number = "" if level.name == FAR else rate(level.rate) if level.rate else "not known"
    if level.name not in (L1, HBM):
        yield stage.text(f"flag-{at}", x + 5, y - 0.7 * size, name)
    yield stage.text(f"number-{at}", x + 5, y + 1.7 * size, number, "value")


def ruler(stage: Stage, sent: Sent) -> Iterator[Mark]:
    """All sizes, with a bead at the chosen one; a stretch for each level that answers there."""
    box, size = stage.ruler, stage.size
    left = box.x
    for at, level in enumerate(sent.levels):
        right = min(stage.on_ruler(level.holds), box.right)
        role = "memory" if at == sent.at else "memory soft"
        strip = Box(left, box.y, right - left, box.height).inset(0, 0, 1)
        yield stage.rect(f"sizes-{level.name}", strip, role, round=0, set={"size": nearest(level, sent)},
                         label=f"data that {level.name} answers for",
                         read=f"{level.name}: up to {spelled(level.holds)}")  # fmt: skip
        words = level.name.split(",")[0]
        if level.name != FAR and stage.text_width(words) < right - left:
            yield stage.text(f"sizes-{level.name}-name", (left + right) / 2, box.bottom + 1.1 * size + 3, words, "note",
                             anchor="middle")  # fmt: skip
        left = right
    x, y = stage.rail[SIZES.index(sent.size)]
    anchor = "start" if x < box.x + 30 else "end" if x > box.right - 30 else "middle"
    yield stage.text("size", x + (6 if anchor == "start" else 0), y - stage.knob_radius - 6, spelled(sent.size),
                     "hot strong", anchor=anchor)  # fmt: skip
    yield stage.knob("size-knob", x, y, "size", stage.rail)


def nearest(level: Level, sent: Sent) -> int:
    """A size that this level answers for: the largest there is."""
    return max((size for size in SIZES if size <= level.holds), default=SIZES[0])
