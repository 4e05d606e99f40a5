"""The picture of one step: the product so far, a bar for each way of sharing heads, and where the factor comes from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, count, times
from loom.scene import Moment

from .model import LATENT, POSITION, Case, Size, kv_heads
from .narration import amount
from .panels import KEPT, WINDOWED, draw_gpus, heads_panel, layers_panel
from .shapes import Shape
from .stage import NARROW, WIDE, Stage

SLIVER = 1.0  # the least that is seen of a bar
LINKS = ((0, 190), (215, 350), (375, 660), (685, 840))  # from where to where each link reaches; the third may be a sum


@lru_cache(maxsize=256)  # "as shipped" is one of the schemes: two equal cases are drawn once
def draw(moment: Moment, width: float) -> tuple[Mark, ...]:
    return tuple(_marks(NARROW if width == NARROW.width else WIDE, moment))


def _marks(stage: Stage, moment: Moment) -> Iterator[Mark]:
    case = moment.result
    yield from draw_chain(stage, moment)
    yield from draw_bars(stage, moment)
    if moment.phase == "layer":
        yield from heads_panel(stage, case.cache.shape, case.cache.scheme)
    elif moment.phase == "gpus":
        yield from draw_gpus(stage, case)
    else:
        yield from layers_panel(stage, case.cache.shape, case.tokens, moment.phase)


def factors(case: Case) -> dict[str, tuple[str, str]]:
    """What a phase counts, and what it multiplies by."""
    cache, shape, tokens = case.cache, case.cache.shape, case.tokens
    heads, length = kv_heads(shape, cache.scheme), f"× {tokens:,} tokens"
    layer = f"2 × {count(heads, 'head')} × {shape.head_dim}" if heads else f"({LATENT} + {POSITION})"
    if case.cut:
        windows = f"{shape.windowed} × {shape.window:,}"
        held = f"({shape.kept} × {tokens:,} + {windows})" if shape.kept else windows
        length = f"{amount(cache.layer_token)} × {held}"
    return {
        "layer": ("one token, one layer", f"{layer} × {cache.element} B"),
        "token": ("one token", f"× {count(shape.layers, 'layer')}"),
        "length": ("one conversation", length),
        "gpus": ("all conversations", f"× {count(cache.batch, 'conversation')}"),
    }


def draw_chain(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The product as a chain: each link multiplies what stands before it; those to come show their factor only."""
    case = moment.result
    for at, (phase, (what, words)) in enumerate(factors(case).items()):
        key, now, known, (left, right) = f"link-{at + 1}", phase == moment.phase, moment.since(phase), LINKS[at]
        x, y = stage.pick((0.0, 11 + at * 1.5 * stage.size), (left, 41.0))
        if not stage.narrow:
            yield stage.line(f"{key}-rule", x, 1, right, 1, "hot" if now else "axis" if known else "grid")
            yield stage.text(f"{key}-head", x, 20, what, "note")
        yield stage.text(key, x, y, words, "label" if known else "note")
        if known:
            size = case.sizes[phase][case.cache.scheme].total
            product, role = f"= {amount(size)}", "hot strong" if now else "value strong"
            if stage.narrow:
                yield stage.text(f"{key}-product", stage.width, y, product, role, anchor="end")
            else:
                yield stage.text(f"{key}-product", x, 69, product, role, size=stage.large)


def draw_bars(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The cache under each scheme, on one scale: that of MHA, and at the end that of whole GPUs."""
    case, phase, shape = moment.result, moment.phase, moment.result.cache.shape
    sizes = case.sizes[phase]
    most = case.span if phase == "gpus" else sizes["MHA"].full
    named = shape.windowed and phase != "layer"
    if not stage.narrow or not named:
        yield stage.text("bars-head", 0, stage.head, f"If {shape.name} had", "note")
    if not stage.narrow:
        what = count(case.cache.batch, "conversation") if phase == "gpus" else factors(case)[phase][0]
        yield stage.text("bars-what", stage.numbers, stage.head, what, "note", anchor="end")
    cut = phase == "length" and case.cut
    if named:
        yield from _kinds(stage, case, cut)
    for row, (scheme, size) in zip(stage.rows, sizes.items(), strict=True):
        chosen, unit = scheme == case.cache.scheme, row.width / most
        yield from _bar(stage, row, scheme, chosen, size, unit, cut)
        yield from _words(stage, row, shape, scheme, chosen, size.total, sizes["MHA"].total)


def _kinds(stage: Stage, case: Case, cut: bool) -> Iterator[Mark]:
    """Over the first bar: which part of it is which kind of layer, and what its outline is."""
    shape, x, side, whose = case.cache.shape, stage.bars.x, 0.7 * stage.size, stage.pick("", "layers ")
    every = "" if shape.kept else "all "
    kinds = [("kept", f"{shape.kept} {whose}keep all", KEPT)] if shape.kept else []
    kinds += [("windowed", f"{every}{shape.windowed} {whose}keep the last {shape.window:,}", WINDOWED)]
    kinds += [("full", "no window", "ghost")] if cut else []
    for key, words, role in kinds:
        yield stage.rect(f"kind-{key}-swatch", Box(x, stage.head - side, side, side), role, round=1)
        yield stage.text(f"kind-{key}", x + side + 5, stage.head, words, "note")
        x += side + 5 + stage.room(words) + 14


def _bar(stage: Stage, row: Box, name: str, chosen: bool, size: Size, unit: float, cut: bool) -> Iterator[Mark]:
    """One scheme's bar: layers that keep every token first, then those with a window; what windows spare behind it."""
    press, label = {"variant": name}, f"show {name}"
    yield stage.rect(f"{name}-track", row, "cell soft", set=press, label=label)
    if cut:
        yield stage.rect(f"{name}-full", Box(row.x, row.y, size.full * unit, row.height), "ghost")
    start, manner = row.x, "" if chosen else " soft"
    for key, part, role in (("kept", size.kept, KEPT), ("windowed", size.windowed, WINDOWED)):
        if part:
            box, first = Box(start, row.y, max(part * unit, SLIVER), row.height), start == row.x  # one button is enough
            yield stage.rect(f"{name}-{key}", box, role + manner, round=1, set=press if first else {},
                             label=label if first else "")  # fmt: skip
            start = box.right


def _words(stage: Stage, row: Box, shape: Shape, name: str, chosen: bool, size: int, largest: int) -> Iterator[Mark]:
    """Name, heads, size and ratio of one scheme."""
    heads, mood = kv_heads(shape, name), "as shipped" if name == shape.shipped else "hypothetical"
    kept = count(heads, "KV head") if heads else "one latent"
    y = row.y + stage.pick(-5, 11)
    yield stage.text(f"{name}-name", 0, y, name, "hot strong" if chosen else "label strong")
    if stage.narrow:
        yield stage.text(f"{name}-heads", 34, y, f"{kept}, {mood}", "note")
    else:
        yield stage.text(f"{name}-heads", 42, y, kept, "label")
        yield stage.text(f"{name}-mood", 42, y + 1.15 * stage.size, mood, "note")
        y = row.y + row.height / 2 + 0.35 * stage.size
    yield stage.text(f"{name}-size", stage.numbers, y, amount(size), "hot strong" if chosen else "value", anchor="end")
    if size < largest:
        yield stage.text(f"{name}-times", stage.ratios, y, f"{times(largest / size)} smaller", "note", anchor="end")
