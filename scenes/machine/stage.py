"""Where things stand: along the way, drawn by its cycles, each memory over its end of it, drawn by its bytes."""

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
    """A pen that knows the places. A byte has the same area for every GPU, and every way the same length in all."""

    ground: float  # on which all stands
    one: float  # the width of the SM that is drawn larger; the bytes of its registers are `share` high
    cores: float  # the height of what computes in it
    share: float
    high: float  # the height of the chip, whichever GPU
    area: float  # units squared for a MB of it
    side: float  # of the largest HBM, of 180 GB
    way: Point  # where the way begins
    last: float  # the least room for HBM and its numbers, at the end of the way
    thick: float  # the width of 1 TB/s
    answer: Point
    ruler: Box  # the sizes, on a logarithmic scale

    def chip_box(self, gpu: Gpu) -> Box:
        """The chip, over the way to the half of L2 that is near."""
        left = self.along(gpu, gpu.near) + self.pick(4, 8)
        return Box(left, self.ground - self.high, gpu.on_chip / MB * self.area / self.high, self.high)

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
        """HBM, over the end of the way."""
        side = self.hbm_side(gpu)
        return Box(self.along(gpu, gpu.hbm_cycles), self.ground - side, side, side)

    def speck(self, gpu: Gpu) -> Box:
        """The chip, at the scale of its HBM."""
        box = self.hbm_box(gpu)
        chip = self.chip_box(gpu)
        scale = box.width * (gpu.on_chip / gpu.hbm / (chip.width * chip.height)) ** 0.5
        return Box(box.x, box.bottom - chip.height * scale, chip.width * scale, chip.height * scale)

    def sm_parts(self, gpu: Gpu) -> tuple[Box, Box, Box]:
        """Registers, L1 with shared memory, and tensor memory (which may be nothing) of the SM that is drawn larger."""
        heights = [self.share * size / REGISTERS for size in (gpu.tensor_memory, REGISTERS, gpu.l1)]
        tensor, registers, l1 = Box(0, self.ground - sum(heights), self.one, sum(heights)).vstack(*heights)
        return registers, l1, tensor

    def cores_box(self, gpu: Gpu) -> Box:
        top = self.sm_parts(gpu)[2].y
        return Box(0, top - self.cores, self.one, self.cores - 2)

    def hbm_side(self, gpu: Gpu) -> float:
        return self.side * (gpu.hbm / 180e9) ** 0.5

    def cycle(self, gpu: Gpu) -> float:
        """The length of a cycle: the way to HBM takes all the width."""
        return (self.width - self.way[0] - max(self.hbm_side(gpu), self.last)) / gpu.hbm_cycles

    def along(self, gpu: Gpu, cycles: float) -> float:
        return self.way[0] + cycles * self.cycle(gpu)

    def on_ruler(self, size: float) -> float:
        return self.ruler.x + RULER.normalize(size) * self.ruler.width

    @cached_property
    def stairs(self) -> Plot:
        """Cycles over the sizes of the ruler, which lies under it."""
        box, top = self.ruler, self.pick(12, 18)
        return Plot(self, Box(box.x, top, box.width, box.y - 2 * self.size - 6 - top), RULER, CYCLES)

    @cached_property
    def rail(self) -> list[Point]:
        """The place of every size."""
        y = self.ruler.y + self.ruler.height / 2
        return [(self.on_ruler(size), y) for size in SIZES]


NARROW = Stage(328, ground=160, one=60, cores=11, share=32, high=106, area=50.26, side=60, way=(7, 210), last=62,
               thick=0.2, answer=(0, 25), ruler=Box(6, 290, 316, 14))  # fmt: skip
WIDE = Stage(840, ground=176, one=150, cores=15, share=34, high=118, area=158, side=118, way=(8, 226), last=82,
             thick=0.22, answer=(0, 32), ruler=Box(8, 300, 820, 16))  # fmt: skip
