"""Where scenes are computed: here, by another executor, or (see process_pool.py) in processes that can be ended."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from loom.build.executor import Workers, is_broken
from loom.errors import LoomError

if TYPE_CHECKING:
    from concurrent.futures import Future

Order = tuple[int, ...]
URGENT: Order = (0,)  # somebody waits for it
FILES, FIRST, REST = 1, 2, 3  # how the order of a scene's work begins: its files, its first variant, all others
AHEAD = 2  # pieces of work for each of somebody else's workers, so that none of them waits


class WorkerEndedError(Exception):
    """The process has ended before its work was done."""


class TimedOutError(Exception):
    """A part of the work took too long, and could not be stopped but with its process."""


class Job:
    """A piece of work: what it is about, what it said last of where it is; in the end, what came of it."""

    def __init__(self, order: Order, work: Callable[..., Any], arguments: tuple[Any, ...], about: str) -> None:
        self.order, self.work, self.arguments, self.about = order, work, arguments, about
        self.said = ""
        self.taken = False  # somebody is at it
        self.done = False
        self.dropped = False  # nobody wants it any more
        self.then: Callable[[Job], None] | None = None
        self._result: Any = None
        self._error: BaseException | None = None

    def outcome(self) -> Any:
        """What the work returned; what it raised is raised here."""
        if self._error:
            raise self._error
        return self._result

    def finish(self, result: Any, error: BaseException | None = None) -> None:
        """The work is done."""
        self.done, self._result, self._error = True, result, error
        if self.then:
            self.then(self)


class Pool:
    """Work that waits, the most urgent first: that whose order is least. `hear` is told when some of it speaks."""

    def __init__(self) -> None:
        self.hear: Callable[[Job], None] = lambda _: None
        self._waiting: list[tuple[Order, int, Job]] = []
        self._number = count()

    def submit(
        self, order: Order, work: Callable[..., Any], *arguments: Any, about: str = "",
        then: Callable[[Job], None] | None = None,
    ) -> Job:  # fmt: skip
        """Let `work(*arguments, tell=…)` be done; `then` is called with its ticket while somebody polls.

        `about` names the scene that the work imports: who has imported it does the rest of it sooner than others.
        """
        ticket = Job(order, work, arguments, about)
        ticket.then = then
        heapq.heappush(self._waiting, (order, next(self._number), ticket))
        return ticket

    def next(self, mine: str = "", others: Collection[str] = ()) -> Job | None:
        """A piece of work, taken away from those that wait: the most urgent one.

        Where nobody waits for it, rather one about the scene that is `mine`, or at least about none of `others`:
        to import a scene, and to run its model, may take as long as to draw it.
        """
        while self._waiting and (self._waiting[0][2].dropped or self._waiting[0][2].taken):
            heapq.heappop(self._waiting)
        if not self._waiting:
            return None
        ticket = self._waiting[0][2]
        if ticket.order[0] > FILES and ticket.about != mine:
            left = [one for one in sorted(self._waiting) if not (one[2].dropped or one[2].taken)]
            own = (one[2] for one in left if one[2].about == mine)
            free = (one[2] for one in left if one[2].about not in others)
            ticket = next(own, None) or next(free, ticket)
        ticket.taken = True
        return ticket

    def poll(self, seconds: float) -> None:
        """Go on for about so long, or until something is done."""
        raise NotImplementedError

    def wait(self, ticket: Job) -> None:
        """Go on until one piece of work is done."""
        while not ticket.done:
            self.poll(1)

    def warm(self) -> None:
        """Make ready for work, if that takes time."""

    def clear(self) -> None:
        """Nobody wants any of the work any more, also none that is under way."""
        self._waiting.clear()

    def close(self) -> None:
        """End."""
        self.clear()


class InProcessPool(Pool):
    """Does the work in this process, piece by piece: nothing can stop it."""

    _mine = ""  # the scene that was imported last

    def poll(self, seconds: float) -> None:
        if ticket := self.next(self._mine):
            self._mine = ticket.about or self._mine
            self._do(ticket)

    def _do(self, ticket: Job) -> None:
        try:
            result = ticket.work(*ticket.arguments, tell=partial(self._tell, ticket))
        except LoomError as error:
            ticket.finish(None, error)
        else:
            ticket.finish(result)

    def _tell(self, ticket: Job, where: str) -> None:
        ticket.said = where
        self.hear(ticket)


class ExecutorPool(Pool):
    """Gives the work to an executor that somebody else has made."""

    def __init__(self, workers: Workers) -> None:
        super().__init__()
        self.workers = workers
        self._under_way: dict[Future[Any], Job] = {}

    def poll(self, seconds: float) -> None:
        from concurrent.futures import FIRST_COMPLETED, wait

        while len(self._under_way) < AHEAD * self.workers.jobs and (ticket := self.next()):
            try:
                self._under_way[self.workers.executor.submit(ticket.work, *ticket.arguments)] = ticket
            except RuntimeError as error:
                if not is_broken(error):
                    raise
                ticket.finish(None, WorkerEndedError())
        for future in wait(self._under_way, seconds, FIRST_COMPLETED).done:
            ticket, failed = self._under_way.pop(future), future.exception()
            ticket.finish(None if failed else future.result(), WorkerEndedError() if is_broken(failed) else failed)

    def clear(self) -> None:
        super().clear()
        for future in self._under_way:
            future.cancel()
        self._under_way.clear()
