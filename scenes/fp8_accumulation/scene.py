"""FP8 accumulation: a running sum stops growing when its format's numbers lie too far apart for the next term."""

from __future__ import annotations

from collections.abc import Iterable

from loom.draw import Mark
from loom.scene import Choice, Column, Scene, Table, Value

from . import measured
from .drawing import draw
from .lengths import Longer, longer
from .longer import draw_longer, say_longer
from .model import table_rows
from .model import values as results
from .narration import say
from .story import CHAPTERS, INTERVALS, State, Story, story

ACCUMULATORS = {
    "E4M3": "E4M3 (FP8)",
    "E5M2": "E5M2 (FP8)",
    "FP16": "FP16",
    "BF16": "BF16",
    "FP32": "FP32",
    "Hopper": "Hopper",
}
KINDS = {"golden": "0.05 to 1.95", "ones": "all 1", "gaussian": "Gaussian products"}
COUNTS = {64: "64", 256: "256", 1024: "1,024", 4096: "4,096"}
PROMOTIONS = {**{count: f"every {count} terms" for count in INTERVALS}, "never": "never"}


COLUMNS = (
    Column("accumulator", "accumulator"),
    Column("mantissa_bits", "mantissa bits"),
    Column("final_sum", "final sum", digits=1),
    Column("error", "error", "%", digits=1),
    Column("format", "format"),
    Column("stuck_after", "last term that counted"),
)
MEASURED = Column("measured", f"measured on an {measured.PART}", digits=1)


def table(story: Story) -> Table:
    """The sums of all accumulators; beside them a GPU's of ones, which it was given."""
    rows = table_rows(story.kind, story.count, story.promote)
    sums = measured.sums(story) if story.kind == "ones" else {}
    seen = [(sums.get(str(row[0]), "–"),) for row in rows]
    return Table((*COLUMNS, MEASURED), [(*row, *one) for row, one in zip(rows, seen, strict=True)])


def values(story: Story) -> dict[str, Value]:
    units = {"error": "%", "stuck_after": "terms", "ignored": "terms"}
    found = {name: Value(value, units.get(name, "")) for name, value in results(story.run).items()}
    return {**found, **measured.values()}


def draw_step(step: State | Longer, width: float) -> Iterable[Mark]:
    return draw_longer(step, width) if isinstance(step, Longer) else draw(step, width)


def say_step(step: State | Longer) -> str:
    return say_longer(step) if isinstance(step, Longer) else say(step)


SCENE = Scene(
    title="Where does the sum end?",
    summary="A curve of a running sum that is rounded to the accumulator’s format after every term, and of the exact "
    "sum; beside it, one term between two neighbouring numbers of the format.",
    params=(
        Choice("accumulator", "Accumulator", ACCUMULATORS),
        Choice("promote", "Promotion to FP32", PROMOTIONS, default="never", when={"accumulator": ("Hopper",)}),
        Choice("kind", "Terms", KINDS),
        Choice("terms", "Number of terms", COUNTS),
    ),
    sentence="Add {terms} terms, {kind}, in {accumulator}[; promote {promote}].",
    solve=story,
    steps=lambda story: [*story.chapters, *longer(story)],
    draw=draw_step,
    say=say_step,
    table=table,
    values=values,
    opening=len(CHAPTERS),
    key_steps=(2, 3, len(CHAPTERS)),
    sources=("fp8-formats", "deepseek-v3", "deepseek-insights"),
    leaves_out="No tensor core keeps its running sum in E4M3 or E5M2: rounding to FP8 after every term is a caricature "
    "that shows the limit. The Hopper of this scene is no caricature. It adds by a rule with which every one of 16,384 "
    "random probes of an H100’s FP8 instruction comes out right to the last bit (measurements/fp8_accumulation). Ones "
    "are sums that the instruction could be given, and so are products of Gaussians, whose factors are rounded to E4M3 "
    "first; terms between 0.05 and 1.95 are not, since they are no products of FP8 numbers. The 32 terms of an "
    "instruction have no order; here they are counted one after the other. The last step, of "
    "Hopper alone, is about factors uniform in [0, 1), rounded to E4M3: the rule’s lines are of other random numbers "
    "than the GPU’s rings, which scatter around them by a few percent. All of those products are positive, which no "
    "real layer’s are: with both signs, the errors of long sums were dozens of times smaller. For sums of 4,096 terms "
    "DeepSeek-V3 measured relative errors of up to almost 2%. A real kernel also multiplies the scales in when it "
    "promotes; Blackwell’s tensor cores apply such block scales themselves.",
)
