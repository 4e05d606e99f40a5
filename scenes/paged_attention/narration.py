"""A step in two or three sentences, told from the memory as it stands."""

from __future__ import annotations

from loom.draw import count

from .moments import CONTIGUOUS, NAMES, PAGED, State
from .story import STORY, TELLING, Event
from .words import listed, share


def name_of(event: Event) -> str:
    """The event in a few words."""
    names = listed(event.names)
    if event.kind == "write":
        return f"each writes {count(event.tokens, 'token')}"
    verb = {"arrive": "arrive", "end": "end"}[event.kind]
    return f"{names} {verb}" if len(event.names) > 1 else f"{names} {verb}s"


def say(state: State) -> str:
    tellers = (_first, _others, _grow, _ends, _refused, _goes_on, _room, _twins, _diverge, _last)
    return tellers[state.step - 1](state)


def _first(state: State) -> str:
    request, now = state.arrived[0], state.now
    start = f"Request {request.name} arrives with a prompt of {request.prompt} tokens; a slot holds the keys and values"
    start += " of one token"
    if state.paged:
        blocks = count(now.taken // now.block, "block")
        return f"{start}. It gets {blocks} of {count(state.block, 'slot')}, no more than the prompt needs. " \
               f"Its block table lists them."  # fmt: skip
    return (
        f"{start}. Nobody knows how long its answer will be, so {request.name} gets a piece for the longest it "
        f"may become: {request.most} slots in a row."
    )


def _others(state: State) -> str:
    now, names = state.now, state.now.event.names
    if state.paged:
        taken = listed([count(len(now.tables[name]), "block") for name in names])
        end = f"{now.taken} slots are taken, and {now.live} of them hold a token: {share(now.live_share)}."
        return f"{listed(names)} take {taken}. {end}"
    pieces = listed([str(NAMES[name].most) for name in names])
    return (
        f"{listed(names)} get pieces of {pieces} slots. {now.taken} slots are taken, and only {now.live} of them "
        f"hold a token: {share(now.live_share)}."
    )


def _grow(state: State) -> str:
    now, tokens = state.now, state.now.event.tokens
    if state.paged:
        new = (len(state.changed()[0])) // state.block
        took = f"Whoever fills a block takes another free one, {new} in all" if new else "Nobody needs another yet"
        end = f"{took}; {now.inside} of the slots taken are empty" if now.inside else f"{took}; no slot taken is empty"
        return f"Each request writes {tokens} tokens of its answer, one after the other. {end}."
    name = "B"
    request = NAMES[name]
    return (
        f"Each request writes {tokens} tokens of its answer into its own piece. Dashed slots are kept for tokens to "
        f"come. Hatched ones never get any: {name} will end at {request.final} tokens and holds {request.most} slots."
    )


def _ends(state: State) -> str:
    name = state.now.event.names
    request, gone = NAMES[name], len(state.changed()[1])
    if state.paged:
        return (
            f"{name} ends after {request.final} tokens. {_gives(state, gone)} free again, for anyone and in any order."
        )
    return (
        f"{name} ends after {request.final} tokens and gives back {gone} slots. {request.most - request.final} of "
        f"them never held anything, and nobody else could use them."
    )


def _gives(state: State, gone: int) -> str:
    blocks = gone // state.block
    return f"Its {'block is' if blocks == 1 else f'{blocks} blocks are'}"


def _refused(state: State) -> str:
    now, name = state.now, STORY[TELLING - 1].names
    request, other = NAMES[name], state.of(CONTIGUOUS)
    sizes = listed([str(size) for _, size in other.holes])
    if not state.paged:
        return (
            f"{name} arrives and asks for {request.most} slots in a row. {now.free} are free, but in holes of {sizes}: "
            f"none is large enough, and {name} waits."
        )
    blocks = count(len(now.tables[name]), "block")
    return (
        f"{name} arrives with {request.prompt} tokens and takes {blocks}, wherever they lie: its table keeps their "
        f"order. In one piece {name} would wait beside {other.free} free slots."
    )


def _goes_on(state: State) -> str:
    now, tokens = state.now, state.now.event.tokens
    if state.paged:
        return (
            f"{listed(now.running)} write {tokens} tokens each. {count(now.inside, 'slot')} "
            f"{'is' if now.inside == 1 else 'are'} taken and empty, always in the last block of a request."
            if now.inside
            else f"{listed(now.running)} write {tokens} tokens each. A block of one slot is never partly empty."
        )
    return (
        f"{listed(now.running)} write {tokens} tokens each, and {listed(now.waiting)} none: it waits beside "
        f"{now.free} free slots."
    )


def _room(state: State) -> str:
    now, name = state.now, state.now.event.names
    if state.paged:
        return f"{name} ends, and {now.free} slots are free in {count(now.free // state.block, 'block')}. " \
               f"Whether they are neighbours does not matter."  # fmt: skip
    before = state.before
    assert before is not None
    waited = sum(event.tokens for event in STORY[TELLING : state.step])
    entered = listed(now.entered)
    return (
        f"{name} ends. Its slots and the {before.holes[-1][1]} beside them are one hole of {NAMES[entered].most}: "
        f"{entered} gets in at last, while others wrote {count(waited, 'token')} each."
    )


def _twins(state: State) -> str:
    now, names = state.now, state.now.event.names
    first, second = names[0], names[1]
    prompt = NAMES[first].prompt
    start = f"{listed(names)} arrive with the same prompt of {prompt} tokens."
    if not state.paged:
        hole = max(size for _, size in now.holes)
        return f"{start} Each asks for {NAMES[first].most} slots, and the only hole has {hole}: both wait."
    if now.waiting:
        blocks = count(now.free // state.block, "block")
        left = f"{blocks} {'is' if now.free == state.block else 'are'}" if now.free else "no block is"
        why = "would have to copy a block to write" if state.sharing else "needs more"
        return f"{start} {first} gets in. Then {left} left, {second} {why}, and {second} waits."
    if state.sharing:
        blocks = count(len(now.tables[first]), "block")
        return (
            f"{start} It is stored once: both tables list the same {blocks}, and each "
            f"block's reference count, the number of its users, is 2."
        )
    both = len(now.tables[first]) + len(now.tables[second])
    return f"{start} Each stores its own, so the same tokens lie in memory twice, in {both} blocks."


def _diverge(state: State) -> str:
    now, waiting = state.now, state.now.waiting
    if now.copies:
        copy = now.copies[0]
        other = next(name for name in now.running if name != copy.name and copy.source in now.tables[name])
        return (
            f"{copy.name} is to write into block {copy.source}, which {other} uses too. So it copies the "
            f"{count(copy.tokens, 'token')} in it to block {copy.target} and writes there: copy on write. "
            f"{other} now has block {copy.source} to itself."
        )
    if waiting:
        start, prompt = f"{listed(now.running)} write a token each.", NAMES[waiting[0]].prompt
        if not state.paged:
            return (
                f"{start} {listed(waiting)} wait beside {now.free} free slots. Their prompt of {prompt} tokens would "
                f"fit, but not the {NAMES[waiting[0]].most} that each may come to."
            )
        free = f"{now.free} slots are" if now.free else "no slot is"
        return f"{start} {listed(waiting)} waits: its prompt has {prompt} tokens, and {free} free."
    if state.sharing:
        return f"{listed(now.running)} write a token each. The prompt fills its last block, so nothing is copied."
    return f"{listed(now.running)} write a token each, every one into a block of its own: there is nothing to copy."


def _last(state: State) -> str:
    now, one, other = state.now, state.of(CONTIGUOUS), state.of(PAGED)
    waits = f"{listed(now.waiting)} {'wait' if len(now.waiting) > 1 else 'waits'}"
    if not state.paged:
        rest = f"{listed(other.running)} run, and {share(other.live_share)} do"
        return (
            f"In the end {listed(now.running)} run, and {waits}. {share(now.live_share)} of the slots taken hold a "
            f"token. In blocks of {state.block}, {rest}."
        )
    saved = f" Sharing saves {now.saved} slots." if now.saved else ""
    if now.waiting:
        return (
            f"{listed(now.running)} run, and {waits}: {now.inside} slots are taken and empty, too many in blocks of "
            f"{state.block}. {share(now.live_share)} of the slots taken hold a token, in one piece "
            f"{share(one.live_share)}."
        )
    return (
        f"All of {listed(now.running)} run, and {share(now.live_share)} of the slots taken hold a token. In one piece "
        f"it is {share(one.live_share)}, and {listed(one.waiting)} wait.{saved}"
    )
