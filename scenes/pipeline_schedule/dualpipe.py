"""DualPipe: microbatches enter from both ends; forwards of the one half run beside backwards of the other."""

from __future__ import annotations

from collections import deque

from .orders import Order, Task


def dualpipe(stages: int, microbatches: int) -> list[Order]:
    """The order of each device, which holds its own stage and the one opposite to it.

    References
    ----------
    .. [1] Li, Deng, Liang (DeepSeek), DualPipe, dualpipe/dualpipe.py, `step`.
    """
    if stages % 2 or microbatches % 2 or microbatches < 2 * stages:
        raise ValueError(
            f"DualPipe takes an even number of stages and at least twice as many microbatches, not {stages} and "
            f"{microbatches}"
        )
    return [Device(stages, rank).order(microbatches) for rank in range(stages)]


class Device:
    """What one device takes up, step by step; its own route is that which enters at the end nearer to it."""

    def __init__(self, stages: int, rank: int) -> None:
        self.stages, self.rank = stages, rank
        self.half = stages // 2
        self.near = min(rank, stages - 1 - rank)  # devices between it and its end
        self.turned = rank >= self.half
        self.taken: list[Task] = []
        self.turns: Order = []
        self.begun, self.returned = [0, 0], [0, 0]  # microbatches of either route
        self.put_off: deque[Task] = deque()

    def order(self, microbatches: int) -> Order:
        behind = self.half - self.near - 1
        for _ in range(2 * behind):
            self.forward(0)
        for _ in range(self.near + 1):
            self.forward(0)
            self.forward(1)
        for _ in range(behind):
            self.backward(1, split=True)
            self.weights()
            self.forward(1)
        for at in range(microbatches // 2 - self.stages + self.near + 1):
            self.both(0, 1, apart=at == 0 and behind == 0)
            self.both(1, 0)
        for _ in range(behind):
            self.backward(1)
            self.both(1, 0)
        self.drain(behind)
        return self.turns

    def drain(self, behind: int) -> None:
        """The last backwards: the later half of them puts the weights' gradients off."""
        for at in range(2 * (self.near + 1)):
            self.backward(1 - at % 2, split=at > self.near)
        for _ in range(behind):
            self.weights()
            self.backward(0, split=True)
        while self.put_off:
            self.weights()

    def forward(self, side: int) -> None:
        route = side ^ self.turned
        self.turns.append((self._task("F", route, self.begun[route], 1.0),))
        self.begun[route] += 1

    def backward(self, side: int, split: bool = False) -> None:
        route = side ^ self.turned
        task = self._task("B", route, self.returned[route], 1.0 if split else 2.0)
        self.turns.append((task,))
        self.returned[route] += 1
        if split:
            self.put_off.append(task._replace(kind="W"))

    def weights(self) -> None:
        self.turns.append((self.put_off.popleft(),))

    def both(self, forward: int, backward: int, apart: bool = False) -> None:
        """A forward and a backward at once; the very first pair in the middle is taken one after the other."""
        self.forward(forward)
        self.backward(backward)
        if not apart:
            (second,), (first,) = self.turns.pop(), self.turns.pop()
            self.turns.append((first, second))

    def _task(self, kind: str, route: int, microbatch: int, length: float) -> Task:
        place = self.stages - 1 - self.rank if route else self.rank
        return Task(kind, route, place, microbatch, length)
