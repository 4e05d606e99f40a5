"""What `check` says of steps that say too much, or nothing of their own."""

from __future__ import annotations

import pytest

from tests.sites import TOY, altered, faults, toy_site

HOME = "---\nsummary: A toy.\n---\n\n# Home\n\n{cite}`toy2020`\n\n:::{scene} toy\n:::\n"
SAY = '    return f"Step {state[3] + 1} of {state[0]}."\n'


def narration(tmp_path, say: str, **files: str):
    code = altered(TOY, (SAY, f"    {say}\n"))
    found = faults(toy_site(tmp_path, index=HOME, **{"scenes/toy/scene.py": code}, **files))
    return [one for one in found if one.rule == "narration"]


def test_step_that_says_too_much_is_told_with_its_state_and_the_number_of_others(tmp_path):
    (found,) = narration(tmp_path, 'return "x" * (190 if state[3] < 2 else 191) + f"{state[3]}."')
    assert found.path == "scenes/toy/scene.py"
    assert found.message == "a step says 192 characters, and 190 are enough for one idea"
    assert (found.state, found.others) == ("(count=2, mode=fast, twice=off, step 1)", 4 * (2 + 3 + 4) - 1)


def test_step_that_says_as_much_as_it_may_is_not_told(tmp_path):
    assert narration(tmp_path, 'return "x" * 188 + f"{state[3]}."') == []


@pytest.mark.parametrize(("say", "told"), [
    ('return f"Step {state[3]}"', ["what a step says ends in 'Step 0'"]),
    ('return f"Step {state[3]}:)"', []),  # ends in punctuation; whether it is a sentence, nobody can tell
    ('return f"They say “step {state[3]}.”"', []),
    ('return f"第 {state[3]} 步。"', []),
    ('return f"Step {state[3]}?"', []),
])  # fmt: skip
def test_words_end_as_a_sentence_does(tmp_path, say, told):
    assert [one.message for one in narration(tmp_path, say)] == told


def test_steps_that_say_the_same_are_told_even_if_another_lies_between(tmp_path):
    (found,) = narration(tmp_path, 'return f"Step {state[3] % 2}."')
    assert (found.message, found.state) == (
        "a step says the same as step 1", "(count=3, mode=fast, twice=off, step 3)"
    )  # fmt: skip
    assert found.others == 4 * (1 + 2) - 1


def test_site_may_do_without_the_rule(tmp_path):
    assert narration(tmp_path, 'return "Always the same."', **{"site.yml": "rules: {narration: false}\n"}) == []
