"""The phases of the story, and what is said in each."""

from __future__ import annotations

from loom.draw import count, fixed
from loom.scene import Moment, Phase, evenly

from .model import LARGE, START, WORDS, Pass
from .pace import accept_beats, draft_beats, drafted, judged, looked_at, three_beats, verify_beats
from .stage import LEADER

PROMPT = "We climbed on"
NUMBERS = ("no", "one", "two", "three", "four", "five")


def percent(share: float, decimals: int = 1) -> str:
    """A share as a percentage, without a decimal where there is none to tell."""
    return f"{fixed(100 * share, decimals).removesuffix('.0')}%"


def say_draft(moment: Moment) -> str:
    one: Pass = moment.result
    guesses = " ".join(WORDS[word] for word in one.guesses)
    return (
        f"A small model guesses what follows “{PROMPT}”, word by word: “{guesses}”. Bars are its chances for each word."
    )


def say_verify(moment: Moment) -> str:
    places = NUMBERS[moment.result.guesses_asked + 1]
    return (
        f"One pass of the large model over all guesses gives its own chances, the outlines, at {places} places: "
        "after the prompt, and after each guess."
    )


def say_accept(moment: Moment) -> str:
    one: Pass = moment.result
    rule = "A guess q stays with the chance min(1, p/q): if its dot falls within p. "
    if not one.refused:
        return f"{rule}Here {'all ' if one.stay > 1 else 'it '}{'stay' if one.stay > 1 else 'does'}."
    word, chance = WORDS[one.guesses[one.stay]], percent(one.chance(one.stay), 0)
    wasted = one.guesses_asked - one.stay - 1
    rest = f", and the {NUMBERS[wasted]} behind it {'go' if wasted > 1 else 'goes'} too" if wasted else ""
    return f"{rule}“{word}” has {chance} and is refused{rest}."


def say_resample(moment: Moment) -> str:
    one: Pass = moment.result
    word, gives = WORDS[one.last], f"the pass gives {count(len(one.words), 'word')}"
    if one.refused:
        rest = ", not one" if len(one.words) > 1 else ""
        return f"In its place a word is drawn from what q lacks, max(0, p − q): “{word}”. So {gives}{rest}."
    return f"No guess was refused, so the outline after the last one gives a word for free: “{word}”. So {gives}."


def say_equal(moment: Moment) -> str:
    one: Pass = moment.result
    p, q = LARGE[START], one.small[START]
    name, stays = WORDS[LEADER], min(p[LEADER], q[LEADER])
    if one.alike > 1 - 1e-9:
        return "The small model is the large one’s double: every guess stays, and none has to be made up for."
    return (
        f"What is refused of some words, hatched, is what others lack. “{name}” is guessed with {percent(stays)} and "
        f"drawn instead with {percent(p[LEADER] - stays)}: {percent(p[LEADER])}, as without guesses."
    )


def say_pairs(moment: Moment) -> str:
    one: Pass = moment.result
    mean = fixed(one.expected)
    return (
        "Of two words in a row each pair fills its outline, too: it is as likely as without guesses. "
        f"The small model changes speed alone: {mean} words a pass, on average."
    )


PHASES = (
    Phase("draft", say_draft, beats=draft_beats),
    Phase("verify", say_verify, beats=verify_beats),
    Phase("accept", say_accept, beats=accept_beats),
    Phase("resample", say_resample, beats=three_beats),
    Phase("equal", say_equal, beats=lambda _: evenly(2, 1.8)),
    Phase("pairs", say_pairs, beats=three_beats),
)


def answer_of(moment: Moment) -> tuple[str, str]:
    """The number of the picture, and what it counts."""
    one: Pass = moment.result
    if moment.phase == "draft":
        made = drafted(moment)
        return str(made), f"{'guess' if made == 1 else 'guesses'} by the small model, one after another"
    if moment.phase == "verify":
        return str(one.guesses_asked + 1), "places looked over in one pass of the large model"
    if moment.phase == "accept" or (moment.phase == "resample" and moment.progress < 1):  # no word is drawn yet
        stay, so_far = min(looked_at(moment), one.stay), " so far" * (looked_at(moment) < judged(one))
        return f"{stay} of {one.guesses_asked}", f"{'guess stays' if stay == 1 else 'guesses stay'}{so_far}"
    if moment.phase == "resample":
        words = " ".join(WORDS[word] for word in one.words)
        return f"{count(len(one.words), 'word')}", f"of one pass: “{PROMPT} {words}”"
    if moment.phase == "equal":
        refused = percent(1 - one.alike, 0)
        instead = f", and the same {refused} drawn instead" if moment.progress == 1 and one.alike < 1 - 1e-9 else ""
        return refused, f"of guesses are refused{instead}; {fixed(one.expected)} words a pass"
    return percent(one.change), "change in how likely each of the 16 pairs of words is"
