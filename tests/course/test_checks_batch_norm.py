"""The check of a class: real classes, bad first lines, and hostile objects."""

import time

import numpy as np
import pytest
import torch

from transformer_course import checks
from transformer_course.checks.code.BatchNorm import EXERCISE
from transformer_course.checks.engine import guard


class BatchNorm:
    def __init__(self, d):
        self.gamma, self.beta = np.ones(d), np.zeros(d)
        self.mean, self.variance = np.zeros(d), np.ones(d)

    def __call__(self, x, training):
        mean, variance = self.mean, self.variance
        if training:
            mean, variance = x.mean(axis=0), x.var(axis=0)
            new = x.var(axis=0, ddof=1)
            self.mean = 0.9 * self.mean + 0.1 * mean
            self.variance = 0.9 * self.variance + 0.1 * new
        return self.gamma * (x - mean) / np.sqrt(variance + 1e-5) + self.beta


class Stub:
    def __init__(self, d): ...  # your code

    def __call__(self, x, training): ...  # your code


class Begun:
    def __init__(self, d):
        self.gamma, self.beta = np.ones(d), np.zeros(d)

    def __call__(self, x, training): ...  # your code


class HalfStub(BatchNorm):
    def __call__(self, x, training):
        mean = ...
        return x - mean


class Empty:
    pass


class NoCall:
    def __init__(self, d):
        self.d = d

    def forward(self, x, training):
        return x


class OneInput(BatchNorm):
    def __call__(self, x):
        return x


class NoWidth(BatchNorm):
    def __init__(self):
        super().__init__(3)


class Hangs(BatchNorm):
    def __init__(self, d):
        while True:
            pass


class HangsLater(BatchNorm):
    def __call__(self, x, training):
        while not training:
            pass
        return super().__call__(x, training)


class Fails(BatchNorm):
    def __call__(self, x, training):
        return x - self.average


class ClassMemory(BatchNorm):
    memory = {}

    def __init__(self, d):
        self.gamma, self.beta = np.ones(d), np.zeros(d)

    def __call__(self, x, training):
        mean = self.memory.get("mean", np.zeros(3))
        variance = self.memory.get("variance", np.ones(3))
        if training:
            self.memory["mean"] = 0.9 * mean + 0.1 * x.mean(axis=0)
            new = x.var(axis=0, ddof=1)
            self.memory["variance"] = 0.9 * variance + 0.1 * new
            mean, variance = x.mean(axis=0), x.var(axis=0)
        return self.gamma * (x - mean) / np.sqrt(variance + 1e-5) + self.beta


def test_a_real_class_is_accepted():
    verdict = checks.BatchNorm(BatchNorm)
    assert verdict.ok and verdict.status == "right"
    assert verdict.exercise.startswith("class BatchNorm(d)")
    assert checks.BatchNorm(BatchNorm) == verdict


class Heir(BatchNorm):
    pass


def makes(d):
    return BatchNorm(d)


@pytest.mark.parametrize("made", [Heir, makes])
def test_whatever_makes_such_objects_is_accepted(made):
    assert checks.BatchNorm(made).ok


@pytest.mark.parametrize("made", [None, ..., Stub, Begun, HalfStub, Empty])
def test_stubs_are_not_attempted(made):
    verdict = checks.BatchNorm(made)
    assert verdict.status == "not attempted" and verdict.mistake is None
    assert verdict.hint(1) != verdict.hint(2)


@pytest.mark.parametrize(
    ("made", "mistake", "says"),
    [
        (BatchNorm(3), "not_a_function", "not an object made of it"),
        (3, "not_a_function", "the class itself"),
        (NoCall, "signature", "no method `__call__`"),
        (OneInput, "signature", "`bn(x, training)`, but yours"),
        (NoWidth, "signature", "`BatchNorm(d)`, but yours"),
        (ClassMemory, "shared_by_all_objects", "share one memory"),
    ],
)
def test_what_is_wrong_with_the_class_is_said(made, mistake, says):
    verdict = checks.BatchNorm(made)
    assert verdict.status == "wrong" and verdict.mistake == mistake
    assert says in verdict.message


def test_shared_memory_is_shown_by_what_it_leads_to():
    example = checks.BatchNorm(ClassMemory).example
    assert example.given.count("= BatchNorm(3)") == 2
    assert example.expected != example.received


def test_the_failing_line_is_the_students_own():
    message = checks.BatchNorm(Fails).message
    assert "return x - self.average" in message
    assert "no attribute 'average'" in message


@pytest.mark.parametrize("made", [Hangs, HangsLater])
def test_a_class_that_never_ends_is_stopped(made, monkeypatch):
    monkeypatch.setattr(guard, "SECONDS", 0.3)
    start = time.process_time()
    assert checks.BatchNorm(made).mistake == "never_ends"
    assert time.process_time() - start < 3


def test_the_reference_agrees_with_torch():
    draw = np.random.default_rng(0)
    theirs = torch.nn.BatchNorm1d(3).double()
    ours = EXERCISE.solve(3)
    for n in (4, 7, 2):
        x = draw.normal(2, 3, size=(n, 3))
        want = theirs(torch.tensor(x)).detach().numpy()
        np.testing.assert_allclose(ours(x, True), want, rtol=1e-10)
    theirs.eval()
    want = theirs(torch.tensor(x)).detach().numpy()
    np.testing.assert_allclose(ours(x, False), want, rtol=1e-10)


def test_the_example_shows_all_calls():
    text = repr(checks.BatchNorm(Fails))
    assert "a = BatchNorm(3)" in text and "], True)" in text
    case = next(c for c in EXERCISE.cases if c.name == "two objects")
    shown = EXERCISE.show_inputs(case.args)
    assert shown.count("BatchNorm(3)") == 2
    assert shown.splitlines()[-1].endswith("], False)")
