"""Where things stand: what there is, drawn by its bytes, and under it the way, drawn by its cycles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Axis, Box, Pen, Plot

from .._gpus.memory import MB, REGISTERS, Gpu
from .model import SIZES

ROWS = {"A100": 6, "H100": 6, "H200": 6, "B200": 4}  # of SMs; a B200 has two chips with half of them each
CYCLES = Axis("cycles", span=(0, 900))
RULER = Axis("size", "B", (SIZES[0], SIZES[-1]), log=True, clip=True)
Point = tuple[float, float]


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places. The same scales hold for every GPU, so that they can be compared."""

    one: Box  # the SM that is drawn larger; the bytes of its registers are `share` high
    cores: float  # the height of what computes in it
    share: float
    chip: Point  # the upper left corner of the chip
    high: float  # its height, whichever GPU
    area: float  # units squared for a MB of the chip
    hbm: Point  # the upper left corner of the HBM
    side: float  # of the largest HBM, of 180 GB
    way: Point  # where the way begins
    cycle: float  # the length of a cycle
    thick: float  # the width of 1 TB/s
    answer: Point
    ruler: Box  # the sizes, on a logarithmic scale

    def chip_box(self, gpu: Gpu) -> Box:
        return Box(*self.chip, gpu.on_chip / MB * self.area / self.high, self.high)

    def l2_boxes(self, gpu: Gpu) -> list[Box]:
        """The halves of L2, one above the other in the middle of the chip."""
        chip = self.chip_box(gpu)
        half = gpu.l2 / 2 / MB * self.area / chip.width
        middle = chip.y + chip.height / 2
        return [Box(chip.x, middle - half, chip.width, half), Box(chip.x, middle, chip.width, half)]

    def sm_rows(self, gpu: Gpu) -> list[Box]:
        """The rows of SMs, the same number above L2 and below it."""
        chip, (upper, lower) = self.chip_box(gpu), self.l2_boxes(gpu)
        rows = ROWS[gpu.name] // 2
        above = Box(chip.x, chip.y, chip.width, upper.y - chip.y)
        below = Box(chip.x, lower.bottom, chip.width, chip.bottom - lower.bottom)
        return [*above.rows(rows), *below.rows(rows)]

    def hbm_box(self, gpu: Gpu) -> Box:
        side = self.side * (gpu.hbm / 180e9) ** 0.5
        return Box(*self.hbm, side, side)

    def speck(self, gpu: Gpu) -> Box:
        """The chip, at the scale of its HBM."""
        box = self.hbm_box(gpu)
        chip = self.chip_box(gpu)
        scale = box.width * (gpu.on_chip / gpu.hbm / (chip.width * chip.height)) ** 0.5
        return Box(box.x, box.bottom - chip.height * scale, chip.width * scale, chip.height * scale)

    def sm_parts(self, gpu: Gpu) -> tuple[Box, Box, Box]:
        """Registers, L1 with shared memory, and tensor memory (which may be nothing) of the SM that is drawn larger."""
        heights = [self.share * size / REGISTERS for size in (REGISTERS, gpu.l1, gpu.tensor_memory)]
        first, second, third = self.one.inset(top=self.cores).vstack(*heights)
        return first, second, third

    def along(self, cycles: float) -> float:
        return self.way[0] + cycles * self.cycle

    def on_ruler(self, size: float) -> float:
        return self.ruler.x + RULER.normalize(size) * self.ruler.width

    @cached_property
    def stairs(self) -> Plot:
        """Cycles over the sizes of the ruler, which lies under it."""
        box, top = self.ruler, self.pick(12, 18)
        return Plot(self, Box(box.x, top, box.width, box.y - 2 * self.size - top), RULER, CYCLES)

    @cached_property
    def rail(self) -> list[Point]:
        """The place of every size."""
        y = self.ruler.y + self.ruler.height / 2
        return [(self.on_ruler(size), y) for size in SIZES]


NARROW = Stage(328, one=Box(0, 18, 96, 0), cores=11, share=29, chip=(122, 18), high=99, area=55, hbm=(267, 18), side=60,
               way=(7, 214), cycle=0.31, thick=0.2, answer=(326, 156), ruler=Box(6, 284, 316, 14))  # fmt: skip
WIDE = Stage(840, one=Box(0, 24, 176, 0), cores=15, share=34, chip=(256, 24), high=118, area=177, hbm=(706, 24),
             side=118, way=(8, 220), cycle=0.62, thick=0.27, answer=(640, 216), ruler=Box(8, 298, 820, 16))  # fmt: skip
