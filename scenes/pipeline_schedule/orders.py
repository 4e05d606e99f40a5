"""In which order each device of a pipeline takes its work, for five schedules.

All of them cut the model into `stages` parts, one after the other, and the batch into `microbatches`. A forward through
a part takes 1, its backward 2: one for the gradient of its input, one for that of its weights.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

CHUNKS = 2  # parts of the model that an interleaved device holds


class Task(NamedTuple):
    """Some work on one microbatch: forward (F), backward (B), or what a backward put off, the weights' gradients (W).

    `place` is how far along its route through the model the work stands. `route` tells microbatches that enter at the
    first stage (0) from those that enter at the last (1). `length` is in forwards of a stage.
    """

    kind: str
    route: int
    place: int
    microbatch: int
    length: float


# What a device does at one time: a task, or a forward and a backward side by side.
Turn = tuple[Task, ...]
Order = list[Turn]


def gpipe(stages: int, microbatches: int) -> list[Order]:
    """All forwards, then all backwards.

    References
    ----------
    .. [1] Huang et al., "GPipe", 2018, arXiv:1811.06965, section 2.3.
    """
    return [
        [*(_forward(stage, j) for j in range(microbatches)), *(_backward(stage, j) for j in range(microbatches))]
        for stage in range(stages)
    ]


def one_forward_one_backward(stages: int, microbatches: int) -> list[Order]:
    """After as many forwards as there are stages behind, a forward and a backward in turns.

    References
    ----------
    .. [1] Narayanan et al., "Efficient Large-Scale Language Model Training on GPU Clusters", 2021, arXiv:2104.04473,
       section 2.2.1.
    """
    orders = []
    for stage in range(stages):
        ahead = min(stages - 1 - stage, microbatches)
        orders.append(_in_turns([_forward(stage, j) for j in range(microbatches)],
                                [_backward(stage, j) for j in range(microbatches)], ahead))  # fmt: skip
    return orders


def interleaved(stages: int, microbatches: int) -> list[Order]:
    """The same in turns, where each device holds several thin parts of the model, a whole round of devices apart.

    A device takes `group` microbatches through its first part, then through the next. The group is as large as there
    are stages, or the whole batch where that does not divide it.

    References
    ----------
    .. [1] Narayanan et al., 2021, section 2.2.2.
    .. [2] NVIDIA, Megatron-LM, megatron/core/pipeline_parallel/schedules.py.
    """
    if microbatches < stages:
        raise ValueError(f"interleaving takes at least {stages} microbatches on {stages} stages, not {microbatches}")
    group = stages if microbatches % stages == 0 else microbatches
    starts = range(0, microbatches, group)
    table = [(part, j) for start in starts for part in range(CHUNKS) for j in range(start, start + group)]
    orders = []
    for stage in range(stages):
        ahead = min(2 * (stages - 1 - stage) + (CHUNKS - 1) * group, len(table))
        forwards = [(Task("F", 0, part * stages + stage, j, 1 / CHUNKS),) for part, j in table]
        backwards = [(Task("B", 0, (CHUNKS - 1 - part) * stages + stage, j, 2 / CHUNKS),) for part, j in table]
        orders.append(_in_turns(forwards, backwards, ahead))
    return orders


def zero_bubble(stages: int, microbatches: int) -> list[Order]:
    """ZB-H1: one forward, one backward, where later stages put the weights' gradients off into what were gaps.

    References
    ----------
    .. [1] Qi et al., "Zero Bubble Pipeline Parallelism", 2023, arXiv:2401.10241, section 2.
    """
    orders = []
    for stage, order in enumerate(one_forward_one_backward(stages, microbatches)):
        split: Order = []
        for (task,) in order:
            split.append((task._replace(length=1.0) if task.kind == "B" else task,))
            if task.kind == "B" and task.microbatch >= stage:
                split.append(_weights(stage, task.microbatch - stage))
        split += [_weights(stage, j) for j in range(max(0, microbatches - stage), microbatches)]
        orders.append(split)
    return orders


def _in_turns(forwards: Order, backwards: Order, ahead: int) -> Order:
    """Some forwards ahead, then one forward and one backward, then the backwards that are left."""
    paired = [turn for pair in zip(forwards[ahead:], backwards, strict=False) for turn in pair]
    return [*forwards[:ahead], *paired, *backwards[len(forwards) - ahead :]]


def _forward(stage: int, microbatch: int) -> Turn:
    return (Task("F", 0, stage, microbatch, 1.0),)


def _backward(stage: int, microbatch: int) -> Turn:
    return (Task("B", 0, stage, microbatch, 2.0),)


def _weights(stage: int, microbatch: int) -> Turn:
    return (Task("W", 0, stage, microbatch, 1.0),)


Schedule = Callable[[int, int], list[Order]]
