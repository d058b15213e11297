"""Answers that cannot be checked get a sentence, not a traceback."""

import numpy as np
import pytest
import torch

from transformer_course import checks

GOOD = [
    (2, 7),
    (np.int64(2), 7),
    (torch.tensor(2), 7),
    (0.25, 0.5),
    (torch.tensor(0.25), 0.5),
    (3, 0.5),
    ([1, 2], (0, 11)),
    (np.array([1, 2]), (0, 11)),
    ((0.1,), [0.5]),
    ([0.1, 0.2, 0.3], [0.5]),
    ({2, 32}, {4}),
    ([2, 32], {4}),
    (set(), {4}),
    ({1: 2}.keys(), {4}),
    ((True, False), (True, True)),
    (("encoder", 3), ("decoder", 0)),
    (torch.zeros(2, 3), np.ones((2, 3))),
]
BAD = [
    (0.5, 7, "a whole number, such as 7. You wrote 0.5."),
    ((np.ones(2), 7), (np.ones(2), np.ones(2)), "two arrays of shape (2,). Y"),
    (2.0, 7, "a whole number, such as 7. You wrote 2.0."),
    ("2", 7, "a whole number, such as 7. You wrote '2'."),
    (True, 7, "a whole number, such as 7. You wrote True."),
    (float("nan"), 0.5, "a number, such as 0.5. You wrote nan."),
    (float("inf"), 7, "a whole number, such as 7. You wrote inf."),
    (10**400, 0.5, "a number"),
    (np.ones(1), 0.5, "a number, such as 0.5. You wrote an array of shape"),
    (2, {1, 3}, "a set of whole numbers, such as {1, 3}. You wrote 2."),
    ({1: 2}, {1, 3}, "You wrote {1: 2}."),
    (2, (0, 11), "two whole numbers, such as (0, 11). You wrote 2."),
    ((1, 2, 3), (0, 11), "You wrote (1, 2, 3)."),
    ({1, 2}, (0, 11), "You wrote {1, 2}."),
    ({"test"}, ["role"], "a list of names, such as ['role']. You wrote {'t"),
    ("12", (0, 11), "You wrote '12'."),
    (np.ones((2, 2)), (0.5, 0.5), "two numbers"),
    ([], [0.5], "a list of numbers, such as [0.5]. You wrote []."),
    (0.5, [0.5], "a list of numbers, such as [0.5]. You wrote 0.5."),
    ((1, 0), (True, False), "True or False, two times, such as (True, False)"),
    (1, True, "True or False"),
    (3, ("decoder", 0), "a name and a whole number"),
    (np.ones((3, 2)), np.ones((2, 3)), "an array of shape (2, 3). You wrote"),
    (7, np.ones((2, 3)), "an array of shape (2, 3). You wrote 7."),
    (list(range(99)), 7, " ..."),
]


@pytest.mark.parametrize(("value", "like"), GOOD, ids=str)
def test_what_can_be_checked_passes_in_silence(value, like, capsys):
    assert checks.answered(value, like) is True
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("value", "like", "says"), BAD, ids=str)
def test_what_cannot_be_checked_gets_a_sentence(value, like, says, capsys):
    assert checks.answered(value, like) is False
    said = capsys.readouterr().out
    assert said.startswith("Wanted: ")
    assert says in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("value", [None, ..., (None, None), [0.5, ...]])
def test_what_is_missing_is_asked_for(value, capsys):
    assert checks.answered(value, (0.5, 0.5)) is False
    where = "`...`" if value is ... else "None"
    wanted = f"Not attempted yet: put two numbers in place of {where}.\n"
    assert capsys.readouterr().out == wanted


def test_an_object_that_cannot_be_shown_is_named_by_its_type(capsys):
    class Broken:
        def __repr__(self):
            raise ValueError

    assert not checks.answered(Broken(), 7)
    assert "an object of type Broken" in capsys.readouterr().out
