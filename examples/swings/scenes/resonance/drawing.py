"""The picture of a swing that is pushed: how far it goes by frequency, and below or beside it how late it is."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Entry, Mark, Pen, Plot, bounding_box, legend, maths, memoized
from loom.scene import Moment

from .model import CURVE, PERIODS, RATIOS, Swing, lags, response

RATIO = Axis(maths(r"\omega/\omega_0"), span=(RATIOS[0], RATIOS[-1]), log=True, decades=True)
GAIN = Axis("how far it goes", span=(0.005, 100), log=True, decades=True)
LAG = Axis("how late it is", "degrees", (0, 180), ticks=(0, 45, 90, 135, 180))


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, swing = Pen(width), moment.result
    left = Box(46, 26, pen.pick(270, 350), pen.pick(118, 210))
    right = Box(46, 216, 270, 66) if pen.narrow else Box(480, 26, 350, 210)
    yield from gains(Plot(pen, left, RATIO, GAIN, "gain"), swing)
    if moment.phase == "late":
        yield from lateness(Plot(pen, right, RATIO, LAG, "lag"), swing)
    else:
        yield from motion(pen, right, swing)
    foot = right.bottom + pen.pick(60, 84)
    number = pen.text("times", 46, foot, f"{swing.gain:.3g} ×", "hot strong", size=pen.huge)
    yield number
    x = bounding_box([number]).right + 6
    lines = ["what the same push does,", f"held still; {swing.lag:.0f}° late"]
    for at, words in enumerate(lines if pen.narrow else [" ".join(lines)]):
        yield pen.text(f"times-{at}", x, foot - pen.pick(13, 0) + 15 * at, words, "note")


@memoized
def gain_curve(plot: Plot, quality: float) -> Iterator[Mark]:
    """The curve of one quality."""
    yield from plot.axes(x_ticks=6, y_ticks=plot.pen.pick(4, 5), x_grid=True)
    yield plot.curve("gain-curve", CURVE, abs(response(CURVE, quality)))


def gains(plot: Plot, swing: Swing) -> Iterator[Mark]:
    """How far the swing goes at each frequency; the dot on the curve can be taken hold of."""
    yield from gain_curve(plot, swing.quality)
    here = plot.at(swing.ratio, swing.gain)
    yield plot.pen.line("here", here[0], plot.box.y, here[0], plot.box.bottom, "ghost")
    rail = [plot.at(ratio, Swing(swing.quality, ratio).gain) for ratio in RATIOS]
    yield plot.pen.knob("ratio", *here, "ratio", rail)


@memoized
def lag_curve(plot: Plot, quality: float) -> Iterator[Mark]:
    """How late it is at each frequency, for one quality."""
    yield from plot.axes(x_ticks=6, x_grid=True)
    yield plot.curve("lag-curve", CURVE, lags(response(CURVE, quality)), "work")


def lateness(plot: Plot, swing: Swing) -> Iterator[Mark]:
    """How late the swing is, and where it is now."""
    yield from lag_curve(plot, swing.quality)
    x, y = plot.at(swing.ratio, swing.lag)
    yield plot.pen.line("lag-here", x, plot.box.y, x, plot.box.bottom, "ghost")
    yield plot.pen.circle("lag-dot", x, y, 5, "hot", read=f"{swing.lag:.1f}° late")


def motion(pen: Pen, box: Box, swing: Swing) -> Iterator[Mark]:
    """Two periods of the pushes and of the motion, each drawn as high as it goes."""
    plot = Plot(pen, box, Axis("time", "periods of the pushes", (0, PERIODS)), Axis("", span=(-1.1, 1.1)), "motion")
    _, zero = plot.at(0, 0)
    yield pen.line("motion-zero", box.x, zero, box.right, zero, "grid")
    yield pen.line("motion-floor", box.x, box.bottom, box.right, box.bottom, "axis")
    for tick in (0, 1, 2):
        x, _ = plot.at(tick, 0)
        yield pen.line(f"motion-tick-{tick}", x, box.bottom, x, box.bottom + 4, "axis")
        yield pen.text(f"motion-number-{tick}", x, box.bottom + 5 + pen.size, f"{tick}", "note", anchor="middle")
    yield pen.text("motion-title", box.right, box.bottom + 9 + 2 * pen.size, plot.x.title, "note", anchor="end")
    yield plot.curve("pushes", swing.times, swing.pushes, "ghost")
    yield plot.curve("motion", swing.times, swing.motion / swing.gain, "work")
    entries = [Entry("pushes", "ghost"), Entry("motion, drawn as high", "work")]
    yield from legend(pen, "who", Box(box.x, box.y - 1.6 * pen.size, box.width, 20), entries)
