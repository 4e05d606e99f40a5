"""Words beside what they name, on it, and under it."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, bounding_box, bracket, dodge, first_clear, headline, maths, paragraph, side_labels

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    day = {"sleep": 8, "wash": 0.3, "post": 0.2, "work": 8, "shop": 0.5, "feed the cat": 0.2, "read": 6.8}
    parts = Box(30, 8, 60, 192).vstack(*(8 * hours for hours in day.values()))
    middles = [part.y + part.height / 2 for part in parts]
    places = dodge(middles, 1.25 * pen.size, 14, 202)
    yield pen.outlines("day", parts, "data thin")
    yield pen.strokes("leaders", [[(94, y), (108, place)] for y, place in zip(middles, places, strict=True)])
    yield from side_labels(pen, "part", 112, middles, [*day], 14, 202)
    noon = pen.circle("noon", 60, 104, 5, "data")
    yield noon
    yield first_clear([pen.text("noon-name", 60, y, "noon", anchor="middle") for y in (108, 93, 124)], [noon])
    yield pen.text("turned", 16, 104, "24 hours", "note", anchor="middle", rotate=-90)
    yield from bracket(pen, "span", 30, 90, 206, "one day")
    night, call, rest = (
        Box(212, 8, 116, 200).vstack(50, 50, 60, gap=20)
        if pen.narrow
        else Box(250, 8, 590, 56).hstack(170, 170, 190, gap=30)
    )
    yield pen.hatch("night", night)
    yield pen.text("quiet", night.x + 10, night.y + 30, "do not ring", "label halo")
    name = pen.text("call", call.x + 8, call.y + 30, maths(r"\omega_0^2 = k/m"))
    yield pen.rect("plate", bounding_box([name], 6), "cell")
    yield name
    yield from paragraph(pen, "rest", rest.x, rest.y + 14, "Words go on below where a line is full.", rest.width)
    x, y = pen.pick((0, 264), (250, 150))
    yield from headline(pen, x, y, f"{day['sleep']} hours", "of the day are slept, and as many are worked")


SCENE = piece("How are words placed?", "Beside what they name, kept apart, and never wider than their room.", example)
