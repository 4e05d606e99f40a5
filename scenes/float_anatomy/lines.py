"""Two lines that zoom in: all powers of two, and one of them cut into the steps of the mantissa."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark

from .bits import ends
from .model import EXPONENT, MANTISSA, Spelled, State
from .stage import Stage
from .words import power

DEEPEST = 5  # bits of the mantissa whose ticks can be told apart


def draw_ruler(at: Stage, state: State) -> Iterator[Mark]:
    """A place for every value of the exponent field; the field's own is filled."""
    one, pen, box = state.spelled, at.pen, at.ruler
    places = 2**one.fmt.exponent_bits
    if state.step >= EXPONENT:
        field = one.fields[1]
        slot = at.between(field / places, (field + 1) / places, box.y, box.height)
        if slot.width < 3:
            slot = Box(slot.x - 1, slot.y, 3, slot.height)
        yield pen.rect("slot", slot, "series-2", round=0)
    every = 1 if places <= 32 else 16
    outline = [(box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom), (box.x, box.y)]
    cuts = [at.at(place / places) for place in range(every, places, every)]
    yield pen.strokes("ruler", [outline, *([(x, box.y), (x, box.bottom)] for x in cuts)], "axis thin")
    sign = "−" if one.negative else ""
    for field, words in ruler_labels(at, one):
        words = words if words == "0" else sign + words
        yield pen.text(f"p{field}", at.at(field / places), box.y - 5, words, "note", anchor="middle")


def ruler_labels(at: Stage, one: Spelled) -> list[tuple[int, str]]:
    """Powers of two at the beginnings of their places, as far apart as their words need; and what stands last."""
    places, bias = 2**one.fmt.exponent_bits, one.fmt.bias
    room = 34 if at.pen.narrow else 40
    every = 1
    while at.span * every / places < room:
        every *= 2
    last = places - 1 if one.fmt.infinite else places
    fields = [field for field in range(bias % every or every, places, every) if field < last]
    labels = [(field, power(field - bias)) for field in fields]
    clear = [(field, words) for field, words in labels if room / 2 < at.span * field / places < at.span - room / 2]
    end = "∞" if one.fmt.infinite else power(places - bias)
    return [(0, "0"), *clear, (places, end)]


def draw_bar(at: Stage, state: State) -> Iterator[Mark]:
    """From one power of two to the next: each bit of the mantissa adds half of what the bit before it adds."""
    one, pen, box = state.spelled, at.pen, at.bar
    known = state.step >= EXPONENT
    if known:
        yield zoom(at, "zoom", _slot_edges(at, one), at.ruler.bottom, (box.x, box.right), box.y)
    if state.step >= MANTISSA and not one.reserved:
        yield from _parts(at, one)
    outline = [(box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom), (box.x, box.y)]
    ticks = [] if known and one.reserved else binary_ticks(at, one.fmt.mantissa_bits)
    yield pen.strokes("bar", [outline, *ticks], "axis thin")
    if known and one.reserved:
        words = "kept for ∞ (mantissa 0) and NaN"
        yield pen.text("kept", box.x + box.width / 2, box.y + box.height / 2, words, "note", anchor="middle",
                       middle=True)  # fmt: skip
    elif known:
        inner, outer = ends(one.power, not one.fields[1], one.negative)
        middle = box.y + box.height / 2
        left, right = (outer, inner) if at.mirrored else (inner, outer)
        yield pen.text("low", box.x - 6, middle, left, "label", anchor="end", middle=True)
        yield pen.text("high", box.right + 6, middle, right, "label", middle=True)


def _slot_edges(at: Stage, one: Spelled) -> tuple[float, float]:
    places = 2**one.fmt.exponent_bits
    slot = at.between(one.fields[1] / places, (one.fields[1] + 1) / places, 0, 0)
    return slot.x, slot.right


def zoom(at: Stage, key: str, above: tuple[float, float], top: float, below: tuple[float, float], foot: float) -> Mark:
    """Two lines from the ends of a stretch to those of its enlargement."""
    pairs = zip(above, below, strict=True)
    return at.pen.strokes(key, [[(x, top + 2), (end, foot - 2)] for x, end in pairs], "ghost")


def binary_ticks(at: Stage, bits: int) -> list[list[tuple[float, float]]]:
    """Halves, quarters, eighths …, each shorter than those before."""
    box, ticks = at.bar, []
    deepest = min(bits, DEEPEST)
    for depth in range(1, deepest + 1):
        tall = box.height * 0.42 * (1 - 0.7 * (depth - 1) / deepest)  # words stand over them
        for place in range(1, 2**depth, 2):
            x = at.at(place / 2**depth)
            ticks.append([(x, box.bottom - tall), (x, box.bottom)])
    return ticks


def _parts(at: Stage, one: Spelled) -> Iterator[Mark]:
    """What each bit that is 1 adds, end to end; bits too small to be seen are one part."""
    box, bits, field = at.bar, one.fmt.mantissa_bits, one.fields[2]
    role = "dropped soft" if one.kind == "nan" else "series-1 soft"
    done, labels = 0.0, []
    for depth in range(1, min(bits, DEEPEST) + 1):
        if not field >> bits - depth & 1:
            continue
        part = at.between(done, done + 2**-depth, box.y, box.height)
        yield at.pen.rect(f"part{depth}", Box(part.x + 0.5, part.y, part.width - 1, part.height), role, round=0)
        if at.pen.room(f"1/{2**depth}") + 6 <= part.width:
            labels.append((depth, part))
        done += 2**-depth
    rest = field / 2**bits - done
    if rest > 0:
        yield at.pen.rect("rest", at.between(done, done + rest, box.y, box.height), role, round=0)
    for depth, part in labels:
        yield at.pen.text(f"half{depth}", part.x + part.width / 2, box.y + 1.05 * at.pen.size, f"1/{2**depth}", "value",
                          anchor="middle")  # fmt: skip
