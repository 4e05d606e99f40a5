"""The tree: what the cache holds, the prompt that travels along it, and what it finds there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loom.draw import Mark, memoized

from .case import Case
from .model import LAST, Turn
from .stage import Stage, stage_of
from .story import Now, letter, name_of
from .workloads import AGENT, END

APART = 9  # units: snapshots that stand closer than this are not drawn one by one


def draw_tree(width: float, case: Case, now: Now) -> Iterator[Mark]:
    yield from floor(width, case)
    turns = case.cache.turns
    if now.served:
        yield from held(width, case, now.served)
    yield from sizes(width, case) if now.whole else prompt(width, case, now.come, now.landed)
    if now.served and case.hybrid:
        yield from snapshots(width, case, turns[now.served - 1])


@memoized
def floor(width: float, case: Case) -> Iterator[Mark]:
    """Names of the branches and of what they share, and where tokens lie."""
    stage = stage_of(width, case)
    pen = stage.pen
    agent = case.kind == AGENT
    named = sorted({0, stage.branches - 1}) if agent else range(stage.branches)
    if stage.root and not agent:  # from what is shared to the name of each chat
        start, end = stage.trunk.right, stage.x(stage.root, True) - pen.pick(18, 48)
        rows = [stage.middle(branch) for branch in named]
        yield pen.strokes("stems", [[(start, y), (end, y)] for y in rows], "memory thin")
    for branch in named:
        words = str(branch + 1) if agent else letter(branch)
        words = words if pen.narrow else f"{'turn' if agent else 'chat'} {words}"
        if stage.named:
            x, anchor = (stage.x(stage.root, True) - 5, "end") if stage.root else (0, "start")
            y = min(stage.middle(branch), stage.tree.bottom - 0.45 * pen.size)  # a thin row's clear of the axis
            yield pen.text(f"name-{branch}", x, y, words, "label", middle=True, anchor=anchor)
    if stage.root:
        words = pen.pick("shared", "instructions and tools" if agent else "system prompt, shared")
        yield pen.text("shared", stage.tree.x + pen.pick(14, 18), stage.tree.bottom + 8 + pen.size, words, "note")
    yield from scale(stage)


def scale(stage: Stage) -> Iterator[Mark]:
    """Which token of a prompt lies where."""
    pen, tree, agent = stage.pen, stage.tree, stage.case.kind == AGENT
    y = tree.bottom + 3
    yield pen.line("tokens", tree.x, y, tree.right, y, "axis")
    for tick in (0, 20_000, 40_000) if agent else (0, 1000, 2000):
        x = stage.x(tick, tick > 0)
        yield pen.line(f"tokens-{tick}", x, y, x, y + 4, "axis")
        yield pen.text(f"tokens-{tick}-name", x, y + 5 + pen.size, f"{tick:,}", "note",
                       anchor="middle" if tick else "start")  # fmt: skip
    yield pen.text("tokens-name", tree.right, y + 5 + pen.size, "tokens", "note", anchor="end")


@memoized
def held(width: float, case: Case, served: int) -> Iterator[Mark]:
    """What lies in memory after so many requests, and outlines of what lay there once."""
    stage, turns, block = stage_of(width, case), case.cache.turns, case.block
    turn, pen = turns[served - 1], stage.pen
    if stage.root:
        shared = "instructions and tools" if case.kind == AGENT else "system prompt"
        yield pen.rect(
            "root", stage.trunk, "memory soft", round=1, read=f"{shared}: {stage.root:,} tokens, stored once"
        )
    first = 0 if stage.branches == 1 else turn.root
    once = [0] * stage.branches
    for before in turns[:served]:
        once[before.request.branch] = before.request.length // block
    for branch in range(stage.branches):
        end = turn.root + turn.held[branch]
        if once[branch] > end:
            _, box = stage.pieces(branch, max(end, first) * block, once[branch] * block)[-1]
            yield pen.rect(f"gone-{branch}", box, "ghost", round=1,
                           read=f"{(once[branch] - end) * block:,} tokens had to go")  # fmt: skip
        if end > first and once[branch]:
            _, box = stage.pieces(branch, first * block, end * block)[-1]
            yield pen.rect(f"held-{branch}", box, "memory soft", round=1,
                           read=f"{(end - first) * block:,} tokens of {owner(case, branch)}")  # fmt: skip


def owner(case: Case, branch: int) -> str:
    if case.kind != AGENT:
        return f"chat {letter(branch)}"
    return f"turn {branch + 1}" if case.change != END else "the agent"


@memoized
def prompt(width: float, case: Case, come: int, landed: bool) -> Iterator[Mark]:
    """The prompt that has come: over the tree, or in its place, where what it finds lights up."""
    stage, turn = stage_of(width, case), case.cache.turns[come - 1]
    pen, branch, request = stage.pen, turn.request.branch, turn.request
    words = f"{name_of(case, turn)}: {request.prompt:,} tokens"
    x, y = stage.tree.x, stage.lane - stage.tall / 2 - 5
    yield pen.text("asks", x, y, words, "hot strong")
    if landed:
        ends = [0, turn.hit, turn.known, request.prompt, request.length]
        roles = {"hit": "work", "lost": "dropped", "new": "data", "reply": "data outline"}
        for (name, role), start, end in zip(roles.items(), ends[:-1], ends[1:], strict=True):
            for piece, box in stage.pieces(branch, start, end):
                yield pen.rect(f"{name}-{piece}", box, role, round=1)
        if box.right + 6 + pen.text_width("answer") < stage.tree.right:
            yield pen.text("answers", box.right + 6, box.y + box.height / 2, "answer", "note", middle=True)
        x += pen.text_width(words, strong=True) + pen.pick(10, 14)
        yield pen.text("finds", x, y, f"{turn.hit:,} found", "work strong")
    for piece, box in stage.pieces(branch, 0, request.prompt):
        place = box if landed else box._replace(y=stage.lane - stage.tall / 2)
        yield pen.rect(f"ask-{come % 2}-{piece}", place, "hot outline", round=1)  # the next one is another thing


def sizes(width: float, case: Case) -> Iterator[Mark]:
    """What lies in memory in the end, and what had to go."""
    stage, cache = stage_of(width, case), case.cache
    held, y = cache.turns[-1].blocks * case.block, stage.lane - stage.tall / 2 - 5
    words = f"in memory: {held:,} tokens"
    yield stage.pen.text("sizes", stage.tree.x, y, words, "memory strong")
    if any(snapshots(width, case, cache.turns[-1])):
        x = stage.tree.x + stage.pen.text_width(words, strong=True) + stage.pen.pick(14, 18)
        yield stage.pen.circle("snapshot-key", x, y - 0.35 * stage.pen.size, stage.pen.pick(2.5, 3.5), "label")
        yield stage.pen.text("snapshot-name", x + 8, y, "snapshots", "label")
    if cache.evicted:
        words = f"{cache.evicted * case.block:,} had to go"
        yield stage.pen.text("sizes-gone", stage.tree.right, y, words, "note", anchor="end")


def snapshots(width: float, case: Case, turn: Turn) -> Iterator[Mark]:
    """The places at which a hybrid's fixed state was kept."""
    stage = stage_of(width, case)
    pen = stage.pen
    if case.block * stage.unit < APART and case.snapshots != LAST:
        return
    for branch, at in sorted(places(case, turn)):
        shared = at * case.block <= stage.root
        y = stage.trunk.y + stage.trunk.height / 2 if shared else stage.middle(branch)
        key = f"snapshot-{at}" if shared else f"snapshot-{branch}-{at}"
        yield pen.circle(key, stage.x(at * case.block), y, pen.pick(2.5, 3.5) if stage.tall > 7 else 2, "label")


def places(case: Case, turn: Turn) -> Iterable[tuple[int, int]]:
    """Branch and block of each snapshot; those in the shared prefix belong to the first branch."""
    if case.snapshots == LAST:
        return {(0 if at <= turn.root else branch, at) for branch, at in turn.ends if at}
    own = {(branch, turn.root + at) for branch, blocks in enumerate(turn.held) for at in range(1, blocks + 1)}
    return own | {(0, at) for at in range(1, turn.root + 1)}
