"""Check the rules against what engines do: Hugging Face's algorithm, retold and run, and three orders of the rules."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scenes.sampling.model import LLAMA_CPP_ORDER, LOGITS, TRANSFORMERS_ORDER, VLLM_ORDER, apply_rules
from scenes.sampling.rules import Settings
from scenes.sampling.scene import SCENE

budget = settings(max_examples=100, deadline=None, derandomize=True)
distinct = st.lists(st.integers(-640, 640), min_size=1, max_size=24, unique=True).map(lambda n: np.array(n) / 64)
rules_on = st.builds(
    Settings,
    temperature=st.sampled_from([0.25, 0.5, 1, 1.5, 4]),
    top_k=st.integers(0, 26),
    top_p=st.integers(1, 100).map(lambda n: n / 100),
    min_p=st.integers(0, 100).map(lambda n: n / 100),
)
orders = st.sampled_from([TRANSFORMERS_ORDER, VLLM_ORDER, LLAMA_CPP_ORDER])


def shares(scores):
    """Softmax in plain Python; a score of −∞ has no share."""
    exponentials = [math.exp(score - max(scores)) for score in scores]
    return [one / math.fsum(exponentials) for one in exponentials]


def warped(scores, rule, value, margins):
    """One rule as transformers/generation/logits_process.py applies it (commit 00857b6c), in our own words.

    What a comparison was decided by goes to `margins`: one that is nearly 0 may go either way by rounding.
    """
    if rule == "temperature":
        return [score / value for score in scores]
    out = list(scores)
    if rule == "top_k" and value:
        least = sorted(scores)[-min(value, len(scores))]
        return [score if score >= least else -math.inf for score in scores]
    if rule == "top_p" and value < 1:
        # From the least likely up: what does not add up to more than 1 − P goes, but never the last one.
        upwards, total = sorted(range(len(scores)), key=scores.__getitem__), 0.0
        probabilities = shares(scores)
        for token in upwards[:-1]:
            total += probabilities[token]
            margins.append(total - (1 - value))
            if total <= 1 - value:
                out[token] = -math.inf
    if rule == "min_p":
        probabilities = shares(scores)
        for token, share in enumerate(probabilities):
            if share < value * max(probabilities):
                out[token] = -math.inf
            if share and share != max(probabilities):
                margins.append(share - value * max(probabilities))
    return out


@given(logits=distinct, rules=rules_on, order=orders)
@budget
def test_same_tokens_survive_as_with_the_algorithm_of_transformers(logits, rules, order):
    scores, margins = logits.tolist(), [1.0]
    for rule in order:
        scores = warped(scores, rule, getattr(rules, rule), margins)
    assume(min(map(abs, margins)) > 1e-12)
    last = apply_rules(logits, rules, order)[-1]
    assert last.alive.tolist() == [score > -math.inf for score in scores]
    assert last.after == pytest.approx(shares(scores), rel=1e-12)


def test_every_choice_of_the_reader_matches_transformers_itself():
    torch = pytest.importorskip("torch")
    process = pytest.importorskip("transformers.generation.logits_process")
    for params in SCENE.grid():
        if not params["temperature"]:
            continue  # transformers refuses 0, and has do_sample=False for it
        warpers = [process.TemperatureLogitsWarper(float(params["temperature"]))]
        if params["top_k"]:
            warpers.append(process.TopKLogitsWarper(params["top_k"]))
        warpers += [process.TopPLogitsWarper(params["top_p"]), process.MinPLogitsWarper(params["min_p"])]
        scores = torch.tensor(LOGITS[None])
        for warper in warpers:
            scores = warper(None, scores)
        expected = scores.softmax(-1)[0].numpy()
        assert apply_rules(LOGITS, Settings(**params))[-1].after == pytest.approx(expected, rel=1e-12), params


def survivors(order, **rules):
    return int(apply_rules(LOGITS, Settings(**rules), order)[-1].alive.sum())


def test_three_orders_of_the_same_rules_keep_three_different_numbers():
    # At T = 1.5 the 7, 8 and 10 most likely have 87.6, 91.6 and 97.2%. Eight reach 90%, all above the line of min-p.
    # Min-p first leaves ten, of whose 97.2% those 87.6% are 90.1%: seven. At T = 1 six have 90.5%.
    rules = {"temperature": 1.5, "top_p": 0.9, "min_p": 0.1}
    likely = [
        sum(sorted(shares((LOGITS / T).tolist()), reverse=True)[:n]) for T, n in ((1.5, 7), (1.5, 8), (1, 5), (1, 6))
    ]
    assert [round(100 * one, 1) for one in likely] == [87.6, 91.6, 86.0, 90.5]
    counts = [survivors(order, **rules) for order in (TRANSFORMERS_ORDER, VLLM_ORDER, LLAMA_CPP_ORDER)]
    assert counts == [8, 7, 6]
    values = SCENE.run(**rules).values
    assert [values[name].value for name in ("kept", "kept_vllm", "kept_llama_cpp")] == counts


@given(logits=distinct, rules=rules_on)
@budget
def test_temperature_that_comes_last_moves_no_threshold(logits, rules):
    other = Settings(1, rules.top_k, rules.top_p, rules.min_p)
    last, alone = apply_rules(logits, rules, LLAMA_CPP_ORDER)[-1], apply_rules(logits, other, LLAMA_CPP_ORDER)[-1]
    assert last.alive.tolist() == alone.alive.tolist()
