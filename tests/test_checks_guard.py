"""The exercise checks stand whatever a student's code does to them.

No answer makes a check raise, print, hang, or change what it compares with.
"""

import sys
import threading
import time

import numpy as np
import pytest
import torch

from transformer_lib.course import checks
from transformer_lib.course.checks import (
    about_exact_match,
    about_self_attention,
    about_softmax,
    guard,
)

NAMES = sorted(set(checks.__all__) - {"Verdict"})


class BadArray:
    def __array__(self, *args, **kwargs):
        raise RuntimeError("no array")

    def __repr__(self):
        raise RuntimeError("no repr")


class BadError(Exception):
    def __str__(self):
        raise RuntimeError("no text")


class BadFunction:
    @property
    def __signature__(self):
        raise RuntimeError("no signature")

    @property
    def __code__(self):
        raise RuntimeError("no code")

    def __call__(self, *args):
        return None


def loops(*args):
    while True:
        pass


def sleeps(*args):
    time.sleep(1.5)


def swallows(*args):
    """Ends by itself after a while, so that the test run can go on."""
    end = time.monotonic() + 1.5
    while time.monotonic() < end:
        try:
            while time.monotonic() < end:
                pass
        except BaseException:
            pass


def recurses(*args):
    return recurses(*args)


def exits(*args):
    sys.exit("done")


def interrupts(*args):
    raise KeyboardInterrupt


def raises_badly(*args):
    raise BadError


def prints_a_lot(*args):
    for _ in range(2000):
        print("spam" * 20)
        print("more spam", file=sys.stderr)
    return 7


def closes_output(*args):
    sys.stdout.close()
    print("after")


def replaces_output(*args):
    sys.stdout = None
    return np.zeros(3)


def contains_itself(*args):
    box = []
    box.append(box)
    return box


def warns(*args):
    return np.array([1.0, -1.0]) / 0.0


def eats_memory(*args):
    return np.zeros((10**7, 10**7))


def returns_much(*args):
    return np.broadcast_to(0.0, (10**9,))


def destroys(*args):
    for arg in args:
        if isinstance(arg, np.ndarray):
            arg.fill(-1)
        elif isinstance(arg, list):
            arg.clear()
    return 0.0


def yields(*args):
    yield 1


def asks(*args):
    return input("your answer? ")


async def waits(*args):
    return 1


HOSTILE = [
    loops,
    sleeps,
    swallows,
    recurses,
    exits,
    interrupts,
    raises_badly,
    prints_a_lot,
    closes_output,
    replaces_output,
    contains_itself,
    warns,
    eats_memory,
    returns_much,
    destroys,
    yields,
    asks,
    BadFunction(),
    lambda *a: BadArray(),
    lambda *a: BadFunction,
    lambda *a: [BadArray()],
    lambda *a: torch.zeros(2, 2, dtype=torch.complex64),
    lambda *a: torch.zeros(2).to_sparse(),
    lambda *a: "<script>alert(1)</script>",
    lambda *a: b"bytes",
    lambda *a: [[1.0, 2.0], [3.0]],
    lambda *a: [None, 1.0],
    lambda *a: float("nan"),
    lambda *a: [],
    lambda *a: np.array([["a"]]),
    lambda *a: np.datetime64("2020-01-01"),
    lambda: 1,
    lambda a, b, c, d: 1,
    int,
    print,
    type,
    np.exp,
    object(),
    42,
    "softmax",
    np.eye(2),
    torch.eye(2),
    BadArray(),
]


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(guard, "SECONDS", 0.3)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_answers(name, impatient, capfd, recwarn):
    for answer in HOSTILE:
        start = time.monotonic()
        verdict = getattr(checks, name)(answer)
        took = time.monotonic() - start
        assert verdict.status == "wrong", (answer, verdict)
        assert took < 3, (answer, took)
        assert verdict.mistake != "not_checkable", answer
        assert repr(verdict) and "<script" not in verdict._repr_html_()
        assert " at 0x" not in repr(verdict)
    verdict = getattr(checks, name)(waits)
    assert verdict.status == "wrong"
    out, err = capfd.readouterr()
    assert out == "" and err == ""


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (loops, "never_ends"),
        (sleeps, "never_ends"),
        (swallows, "never_ends"),
        (recurses, "calls_itself_forever"),
        (exits, "calls_exit"),
        (np.eye(2), "not_a_function"),
        (lambda: 1, "signature"),
    ],
)
def test_hostile_answers_are_named(answer, mistake, impatient):
    assert checks.self_attention(answer).mistake == mistake


def test_a_stopped_loop_is_really_stopped(impatient):
    before = threading.active_count()
    checks.softmax(loops)
    assert threading.active_count() <= before


def test_a_loop_stops_within_the_limit_everywhere(impatient):
    found = []
    worker = threading.Thread(
        target=lambda: found.append(checks.softmax(loops))
    )
    worker.start()
    worker.join(5)
    assert found and found[0].mistake == "never_ends"


def test_slow_calls_share_one_budget(impatient):
    def slow(x, axis):
        time.sleep(0.2)
        return x

    start = time.monotonic()
    assert checks.softmax(slow).mistake == "never_ends"
    assert time.monotonic() - start < 2


def test_output_and_warnings_come_back_afterwards(capsys):
    before = sys.stdout, sys.stderr
    checks.softmax(replaces_output)
    checks.softmax(closes_output)
    assert (sys.stdout, sys.stderr) == before
    print("still here")
    assert "still here" in capsys.readouterr().out


def test_the_interrupt_of_the_user_passes(monkeypatch):
    def interrupted(thread, seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        guard._run_limited(lambda: None, 1.0)


def test_cases_are_never_changed():
    for exercise in (
        about_softmax.EXERCISE,
        about_self_attention.EXERCISE,
        about_exact_match.EXERCISE,
    ):
        before = [repr(case.args) for case in exercise.cases]
        getattr(checks, exercise.name)(destroys)
        assert [repr(case.args) for case in exercise.cases] == before


@pytest.mark.parametrize("kind", [np.array, torch.tensor])
def test_an_input_inside_a_list_is_watched_too(kind):
    def looks(rows):
        return rows["a"][0] * 2, [row + 1 for row in rows["a"]]

    def writes(rows):
        rows["a"][1][0] = 9.0
        return 1.0

    def grows(rows):
        rows["a"].append(rows["a"][0])
        return 1.0

    rows = {"a": [kind([1.0, float("nan")]), kind([[2.0], [3.0]])]}
    rows["b"] = float("nan")
    assert guard.call(looks, (rows,), ["rows"]).changed == ()
    assert guard.call(writes, (rows,), ["rows"]).changed == ("rows",)
    assert guard.call(grows, (rows,), ["rows"]).changed == ("rows",)
