"""General hints are shown to every wrong answer, so they claim nothing of it.

A hint of a mistake may say what that mistake has done to the code.
"""

import importlib
import inspect
import re

import numpy as np
import pytest

from transformer_course import checks
from transformer_course.checks.engine.exercise import Exercise
from transformer_course.checks.engine.private import exercise
from transformer_course.checks.paper import exercises, paper_of
from transformer_course.checks.parts import (
    GETS_A_MASK,
    PARTS,
    _without_masks,
    part,
)


def hints():
    """All general hints, by the name of the exercise."""
    found = {f"parts {n}": part(n).EXERCISE.hints for n in PARTS}
    found |= {f"before {n}": _without_masks(n).hints for n in GETS_A_MASK}
    for home in sorted(checks.homes()):
        for name, value in vars(importlib.import_module(home)).items():
            if isinstance(value, Exercise):
                found[f"{home.rpartition('.')[2]} {name}"] = value.hints
    found |= {name: paper_of(name).hints for name in exercises()}
    usual = inspect.signature(exercise).parameters["hints"].default
    return found | {"made by a teacher": usual}


HINTS = hints()
CLAIM = re.compile(
    r"\b[Yy]our [`\w.()]+ (does|takes|makes|gives|returns|treats|keeps|is|has)"
    r"\b|\b[Yy]our lines? (do|say)|\bYou (do|take|return|forg|have|divide)\b"
    r"|\bare your\b"
)
PRESUMES = re.compile(  # a question that is idle where nothing of it is wrong
    r"\bWhich\b[^?]*\b(missing|miss|differs? first|else|wrong)\?"
    r"|\bthat differs first\b"
)


@pytest.mark.parametrize("name", HINTS)
def test_a_general_hint_claims_nothing_of_the_answer(name):
    assert len(HINTS[name]) == 2
    for hint in HINTS[name]:
        assert not CLAIM.search(hint) and not PRESUMES.search(hint), hint


def test_a_sum_that_is_never_set_back_is_not_asked_for_its_weights():
    def self_attention(X):
        e = np.exp(X @ X.T)
        total, rows = 0.0, []
        for weights in e / e.sum(axis=1, keepdims=True):
            total = total + weights @ X
            rows.append(total)
        return rows

    message = checks.self_attention(self_attention).message
    assert "that sum to 1 give no such number." in message
    assert "Do the weights" not in message


def test_a_second_layer_that_is_called_is_not_said_to_be_missing():
    class FeedForward(part("FeedForward").FeedForward):
        def forward(self, x):
            inner = self.linear1(x).relu()
            self.linear2(inner)
            return inner

    verdict = checks.build(FeedForward)
    assert verdict.mistake == "stops_after_the_first_map"
    assert "missing" not in verdict.message
