"""Where things stand at one width: the lens on top, the chart under it."""

from __future__ import annotations

from dataclasses import dataclass

from loom.draw import Box, Pen


@dataclass(frozen=True)
class Stage:
    """The measures of both panels."""

    pen: Pen

    @property
    def lens(self) -> Box:
        """The number line and all that stands over and under it."""
        return Box(0, 0, self.pen.width, 142 if self.pen.narrow else 164)

    @property
    def chart(self) -> Box:
        """The field between the axes: numbers stand left of it, names of curves right."""
        if self.pen.narrow:
            return Box(46, 190, 172, 190)
        return Box(64, 214, 628, 168)
