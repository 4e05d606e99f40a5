"""A step in two or three sentences, told from the memory as it stands."""

from __future__ import annotations

from loom.draw import count, listed, percent

from .model import NAMES, STORY, TELLING, Event, Snapshot
from .panels import waits
from .steps import CONTIGUOUS, PAGED, State


def name_of(event: Event) -> str:
    """The event in a few words."""
    if event.kind == "write":
        return f"each writes {count(event.tokens, 'token')}"
    return f"{listed(event.names)} {event.kind}{'s' if len(event.names) == 1 else ''}"


def share(now: Snapshot) -> str:
    return percent(now.live_share, 2)


def blocks_of(now: Snapshot, *names: str) -> str:
    """How many blocks each has."""
    sizes = [count(len(now.tables[name]), "block") for name in names]
    return f"{sizes[0]} each" if len(names) > 1 and len(set(sizes)) == 1 else listed(sizes)


def _first(state: State) -> str:
    request, now = state.arrived[0], state.now
    start = f"Request {request.name} arrives with a prompt of {request.prompt} tokens."
    if state.paged:
        return (
            f"{start} It gets {blocks_of(now, request.name)} of {count(state.block, 'slot')}, no more than the prompt "
            "needs, and its block table lists them."
        )
    return (
        f"{start} Nobody knows how long its answer will be, so {request.name} gets a piece for the longest it may "
        f"become: {request.most} slots in a row."
    )


def _others(state: State) -> str:
    now, names = state.now, state.now.event.names
    if state.paged:
        return (
            f"{listed(names)} take {blocks_of(now, *names)}. {now.taken} slots are taken, and {now.live} of them hold "
            f"a token: {share(now)}."
        )
    pieces = listed([str(NAMES[name].most) for name in names])
    return (
        f"{listed(names)} get pieces of {pieces} slots. {now.taken} slots are taken, and only {now.live} of them "
        f"hold a token: {share(now)}."
    )


def _grow(state: State) -> str:
    now, tokens, known = state.now, state.now.event.tokens, NAMES["B"]
    if state.paged:
        new = len(state.changed[0]) // state.block
        took = f"Whoever fills a block takes another free one, {new} in all" if new else "Nobody needs another yet"
        empty = f"{now.inside} of the slots taken are empty" if now.inside else "no slot taken is empty"
        return f"Each request writes {tokens} tokens of its answer, one after the other. {took}; {empty}."
    return (
        f"Each request writes {tokens} tokens into its own piece. Dashed slots are kept for tokens to come. "
        f"Hatched ones never get any: B will end at {known.final} tokens of {known.most}."
    )


def _ends(state: State) -> str:
    request, gone = NAMES[state.now.event.names], len(state.changed[1])
    start, blocks = f"{request.name} ends after {request.final} tokens", gone // state.block
    if state.paged:
        freed = "block is" if blocks == 1 else f"{blocks} blocks are"
        return f"{start}. Its {freed} free again, for anyone and in any order."
    return (
        f"{start} and gives back {gone} slots. {request.most - request.final} of them never held anything, and nobody "
        "else could use them."
    )


def _refused(state: State) -> str:
    now, other, request = state.now, state.of(CONTIGUOUS), NAMES[state.now.event.names]
    name, sizes = request.name, listed([str(size) for _, size in other.holes])
    if state.paged:
        return (
            f"{name} arrives with {request.prompt} tokens and takes {blocks_of(now, name)}, wherever they lie: its "
            f"table keeps their order. In one piece {name} would wait beside {other.free} free slots."
        )
    return (
        f"{name} arrives and asks for {request.most} slots in a row. {now.free} are free, but in holes of {sizes}: "
        f"none is large enough, and {name} waits."
    )


def _goes_on(state: State) -> str:
    now = state.now
    start = f"{listed(now.running)} write {now.event.tokens} tokens each"
    if not state.paged:
        return f"{start}, and {listed(now.waiting)} none: it waits beside {now.free} free slots."
    if not now.inside:
        return f"{start}. A block of one slot is never partly empty."
    are = "is" if now.inside == 1 else "are"
    return f"{start}. {count(now.inside, 'slot')} {are} taken and empty, always in the last block of a request."


def _room(state: State) -> str:
    now, name = state.now, state.now.event.names
    if state.paged:
        return (
            f"{name} ends, and {now.free} slots are free in {count(now.free // state.block, 'block')}. "
            "Whether they are neighbours does not matter."
        )
    waited = sum(event.tokens for event in STORY[TELLING : state.step])
    entered, beside = listed(now.entered), state.telling.chosen[state.step - 2].holes[-1][1]
    return (
        f"{name} ends. Its slots and the {beside} beside them are one hole of {NAMES[entered].most}: "
        f"{entered} gets in at last, while others wrote {count(waited, 'token')} each."
    )


def _twins(state: State) -> str:
    now, (first, second) = state.now, list(state.now.event.names)
    start = f"{listed([first, second])} arrive with the same prompt of {NAMES[first].prompt} tokens."
    if not state.paged:
        hole = max(size for _, size in now.holes)
        return f"{start} Each asks for {NAMES[first].most} slots, and the only hole has {hole}: both wait."
    if now.waiting:
        are = "is" if now.free == state.block else "are"
        left = f"{count(now.free // state.block, 'block')} {are}" if now.free else "no block is"
        why = "would have to copy a block to write" if state.telling.sharing else "needs more"
        return f"{start} {first} gets in. Then {left} left, {second} {why}, and {second} waits."
    if state.telling.sharing:
        return (
            f"{start} It is stored once: both tables list the same {blocks_of(now, first)}, and each "
            f"block’s reference count, the number of its users, is 2."
        )
    both = len(now.tables[first]) + len(now.tables[second])
    return f"{start} Each stores its own, so the same tokens lie in memory twice, in {both} blocks."


def _diverge(state: State) -> str:
    now, start = state.now, f"{listed(state.now.running)} write a token each"
    for copy in now.copies[:1]:
        other = next(name for name in now.running if name != copy.name and copy.source in now.tables[name])
        return (
            f"{copy.name} is to write into block {copy.source}, which {other} uses too. So it copies the "
            f"{count(copy.tokens, 'token')} in it to block {copy.target} and writes there: copy on write. "
            f"{other} now has block {copy.source} to itself."
        )
    if now.waiting:
        first, who = NAMES[now.waiting[0]], listed(now.waiting)
        if not state.paged:
            return (
                f"{start}. {who} wait beside {now.free} free slots. Their prompt of {first.prompt} tokens would "
                f"fit, but not the {first.most} that each may come to."
            )
        free = f"{now.free} slots are" if now.free else "no slot is"
        return f"{start}. {who} waits: its prompt has {first.prompt} tokens, and {free} free."
    if state.telling.sharing:
        return f"{start}. The prompt fills its last block, so nothing is copied."
    return f"{start}, every one into a block of its own: there is nothing to copy."


def _last(state: State) -> str:
    now, one, other, running = state.now, state.of(CONTIGUOUS), state.of(PAGED), listed(state.now.running)
    hold = f"{share(now)} of the slots taken hold a token"
    if not state.paged:
        rest = f"it is {share(other)}, and {listed(other.running)} run"
        return f"In the end {running} run, and {waits(now.waiting)}. {hold}. In blocks of {state.block} {rest}."
    if now.waiting:
        return (
            f"{running} run, and {waits(now.waiting)}: {now.inside} slots are taken and empty, too many in blocks of "
            f"{state.block}. {hold}, in one piece {share(one)}."
        )
    saved = f" Sharing saves {now.saved} slots." if now.saved else ""
    return f"All of {running} run, and {hold}. In one piece it is {share(one)}, and {listed(one.waiting)} wait.{saved}"


TELLERS = (_first, _others, _grow, _ends, _refused, _goes_on, _room, _twins, _diverge, _last)  # one for each event


def say(state: State) -> str:
    return TELLERS[state.step - 1](state)
