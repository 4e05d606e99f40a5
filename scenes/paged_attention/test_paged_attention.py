"""Check both memories against slow ones that know every slot and what is in it, and against the paper's examples."""

import copy
import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.paged_attention.memory import Contiguous, Paged
from scenes.paged_attention.model import Event, Request, Server

SIZE = 24  # slots of the memories that random stories are told to: they fill up often
example_budget = settings(max_examples=100, deadline=None, derandomize=True)
# Two kinds of token make prompts that often begin alike; whoever is meant by a number is found modulo who is there.
PROMPTS = st.lists(st.integers(0, 1), min_size=1, max_size=14)
ACTS = st.one_of(
    st.tuples(st.just("admit"), PROMPTS, st.integers(0, 10)),
    st.tuples(st.just("twin"), st.integers(0, 9), st.integers(0, 10)),
    st.tuples(st.just("write"), st.integers(0, 9), st.integers(1, 9)),
    st.tuples(st.just("release"), st.integers(0, 9), st.none()),
)
TALES = st.lists(ACTS, max_size=30)


def acts(tale):
    """What a random tale asks of a memory, one call at a time; the answer to each is sent back."""
    there, prompts, serial = [], {}, itertools.count()
    for act, what, more in tale:
        if act in ("admit", "twin"):
            if act == "twin" and not there:
                continue
            prompt = what if act == "admit" else prompts[there[what % len(there)]]
            name = f"s{next(serial)}"
            if (yield "admit", name, prompt, len(prompt) + more):
                there.append(name)
                prompts[name] = prompt
        elif there and act == "write":
            for _ in range(more):
                yield "write", there[what % len(there)], 100 + next(serial), None
        elif there and act == "release":
            yield "release", there.pop(what % len(there)), None, None
    for name in there:
        yield "release", name, None, None


class SlowPieces:
    """Oracle: a list of slots; a hole is looked for slot by slot."""

    def __init__(self, slots):
        self.slots, self.said, self.most = [None] * slots, {}, {}

    def admit(self, name, prompt, most):
        for start in range(len(self.slots) - most + 1):
            if all(owner is None for owner in self.slots[start : start + most]):
                self.slots[start : start + most] = [name] * most
                self.said[name], self.most[name] = list(prompt), most
                return True
        return False

    def write(self, name, token):
        if len(self.said[name]) == self.most[name]:
            return False
        self.said[name].append(token)
        return True

    def release(self, name):
        self.slots = [None if owner == name else owner for owner in self.slots]
        del self.said[name]


class SlowPages:
    """Oracle: pages are dicts with a set of users; a sequence walks them token by token."""

    def __init__(self, slots, block, sharing):
        self.block, self.sharing = block, sharing
        self.pages = [{} for _ in range(slots // block)]
        self.users = [set() for _ in self.pages]
        self.walk, self.said = {}, {}  # per sequence: its pages in order; and all that it ever wrote

    def unused(self):
        return [number for number, users in enumerate(self.users) if not users]

    def alike(self, prompt):
        """The longest list of pages of one sequence in which every token of this prompt stands where it should."""
        best = []
        for name in self.walk if self.sharing else ():
            pages = []
            for at, page in enumerate(self.walk[name]):
                wanted = prompt[at * self.block : (at + 1) * self.block]
                held = self.said[name][at * self.block : (at + 1) * self.block]
                if not wanted or held[: len(wanted)] != wanted:
                    break
                pages.append(page)
            best = max(best, pages, key=len)
        return best

    def admit(self, name, prompt, most):
        del most
        shared, walked = self.alike(prompt), {at // self.block for at in range(len(prompt) + 1)}
        private = [at for at in walked if at >= len(shared) or at * self.block + self.block > len(prompt)]
        if len(private) > len(self.unused()):
            return False
        self.walk[name], self.said[name] = [], []
        for at, page in enumerate(shared):
            self.walk[name].append(page)
            self.users[page].add(name)
            self.said[name] += prompt[at * self.block : (at + 1) * self.block]
        for token in prompt[len(self.said[name]) :]:
            assert self.write(name, token)
        return True

    def write(self, name, token):
        at, offset = divmod(len(self.said[name]), self.block)
        pages, unused = self.walk[name], self.unused()
        alone = at < len(pages) and self.users[pages[at]] == {name}
        if not alone and not unused:
            return False
        if at == len(pages):
            pages.append(unused[0])
        elif not alone:
            self.pages[unused[0]] = dict(self.pages[pages[at]])
            self.users[pages[at]].remove(name)
            pages[at] = unused[0]
        self.users[pages[at]].add(name)
        self.pages[pages[at]][offset] = token
        self.said[name].append(token)
        return True

    def release(self, name):
        for page in self.walk.pop(name):
            self.users[page].remove(name)
        del self.said[name]


def play(tale, memory, slow):
    """Tell a tale to a memory and to its oracle; both must answer alike. Yields after each act."""
    story, answer = acts(tale), None
    while True:
        try:
            act, name, what, more = story.send(answer)
        except StopIteration:
            return
        if act == "admit":
            answer = memory.admit(name, np.array(what), more)
            assert answer == slow.admit(name, what, more)
        elif act == "write":
            answer = memory.write(name, what)
            assert answer == slow.write(name, what)
        else:
            answer = memory.release(name)
            slow.release(name)
        yield act


@given(tale=TALES)
@example_budget
def test_pieces_go_where_a_search_slot_by_slot_puts_them(tale):
    memory, slow = Contiguous(SIZE), SlowPieces(SIZE)
    for _ in play(tale, memory, slow):
        owned = [None] * SIZE
        for name, (start, size) in memory.pieces.items():
            assert owned[start : start + size] == [None] * size  # nobody else's, and within the memory
            owned[start : start + size] = [name] * size
            assert memory.where(name).tolist() == list(range(start, start + memory.lengths[name]))  # never split
            assert memory.read(name).tolist() == slow.said[name]
        assert owned == slow.slots
        assert memory.taken == SIZE - owned.count(None) == SIZE - sum(size for _, size in memory.holes())
    assert memory.holes() == [(0, SIZE)]


@given(tale=TALES, block=st.sampled_from([1, 2, 3, 4, 6, 8]), sharing=st.booleans())
@example_budget
def test_blocks_hold_what_each_sequence_wrote_and_are_those_of_a_walk_page_by_page(tale, block, sharing):
    memory, slow = Paged(SIZE, block, sharing), SlowPages(SIZE, block, sharing)
    for _ in play(tale, memory, slow):
        assert memory.tables == slow.walk
        assert memory.refs.tolist() == [len(users) for users in slow.users]
        for name, said in slow.said.items():
            assert memory.read(name).tolist() == said  # a copy on write that failed would show here
            assert len(memory.tables[name]) * block - len(said) in range(block)  # less than a block is empty
        assert memory.taken == SIZE - sum(size for _, size in memory.holes())
    assert memory.holes() == [(0, SIZE)]
    assert not memory.refs.any()


@given(tale=TALES, block=st.sampled_from([1, 2, 3, 4, 6, 8]), sharing=st.booleans())
@example_budget
def test_slot_has_two_owners_only_where_it_is_counted_twice(tale, block, sharing):
    memory = Paged(SIZE, block, sharing)
    for _ in play(tale, memory, SlowPages(SIZE, block, sharing)):
        owners = [sum(slot in memory.where(name) for name in memory.tables) for slot in range(SIZE)]
        for number, count in enumerate(memory.refs):
            assert max(owners[number * block : (number + 1) * block]) == count
            assert sharing or count <= 1
    assert sharing or not memory.copies


@given(tale=TALES, block=st.sampled_from([2, 4, 8]))
@example_budget
def test_sharing_never_takes_more_blocks_than_keeping_everything_twice(tale, block):
    memory = Paged(SIZE, block, sharing=True)
    for _ in play(tale, memory, SlowPages(SIZE, block, sharing=True)):
        alone = sum(-(-length // block) for length in memory.lengths.values())
        assert memory.taken // block == alone - sum(count - 1 for count in memory.refs if count > 1)


@st.composite
def stories(draw):
    """Requests that arrive in order, with writing and ends in between."""
    requests, events, there = [], [], []
    for number in range(draw(st.integers(1, 7))):
        prompt, output = draw(st.integers(1, 12)), draw(st.integers(0, 8))
        most = prompt + output + draw(st.integers(0, 12))
        requests.append(Request(chr(65 + number), prompt, output, most, draw(st.integers(1, 2))))
        there.append(requests[-1].name)
        events.append(Event("arrive", there[-1]))
        if draw(st.booleans()):
            events.append(Event("write", tokens=draw(st.integers(1, 6))))
        if draw(st.booleans()):
            events.append(Event("end", there.pop(draw(st.integers(0, len(there) - 1)))))
    return requests, events + [Event("end", name) for name in there]


@given(told=stories(), block=st.sampled_from([0, 1, 4, 8]), sharing=st.booleans())
@example_budget
def test_first_come_are_first_served_and_nobody_waits_who_would_fit(told, block, sharing):
    requests, story = told
    memory = Paged(32, block, sharing) if block else Contiguous(32)
    by_name = {request.name: request for request in requests}
    server = Server(memory, by_name)
    for event in story:
        snapshot = server.take(event)
        assert list(snapshot.waiting) == sorted(snapshot.waiting)  # names are in the order of arrival
        if snapshot.waiting:
            head = by_name[snapshot.waiting[0]]
            assert head.name > max(snapshot.entered, default="")
            assert not copy.deepcopy(memory).admit(head.name, head.prompt_tokens(), head.most)
        assert snapshot.taken + snapshot.free == 32
        assert snapshot.live + snapshot.inside == snapshot.taken
        assert snapshot.live == len({int(slot) for slots in snapshot.slots.values() for slot in slots})
        assert snapshot.outside == (snapshot.free if snapshot.waiting else 0)
    assert (snapshot.taken, snapshot.waiting) == (0, ())
