"""How a check calls code that it does not know, and what it asks about it."""

import functools
import json
import sys
import threading
import time

import numpy as np
import pytest

from transformer_course.checks.engine import foreign, guard

NAMES = ("a", "b", "c")


def logged(function):
    @functools.wraps(function)
    def run(*args, **named):
        return function(*args, **named)

    return run


class Calls:
    def __call__(self, a, b, c):
        return a + b + c


class Meta(type):
    pass


class WithCode:
    __code__ = 3


def three(a, b, c, more=0):
    return a + b + c


def noted(a, b, c, more=0):
    return a + b + c


noted.note = "an attribute"


def odd(a, b, c):
    return a + b + c


odd.__signature__ = 3

# ------------------------------------------------------------------ questions


@pytest.mark.parametrize(
    ("function", "fits"),
    [
        (three, True),
        (noted, True),
        (logged(three), True),
        (Calls(), True),
        (functools.partial(three, more=1), True),
        (lambda a, b, *, c: 0, True),
        (lambda *args: 0, True),
        (lambda a, b, *, d: 0, False),
        (lambda a, b: 0, False),
        (lambda a, b, c, d: 0, False),
        (type, True),  # it does not tell
        (odd, True),
    ],
)
def test_what_takes_three_inputs(function, fits):
    assert foreign.takes(function, NAMES) == fits


def test_the_first_line_is_read():
    assert foreign.has_inputs(lambda a, b, c: 0, NAMES)
    assert not foreign.has_inputs(lambda b, a, c: 0, NAMES)
    assert not foreign.has_inputs(Calls(), NAMES)
    assert foreign.inputs_of(lambda a, b: 0) == "`a`, `b`"
    assert foreign.inputs_of(lambda: 0) == "none"
    assert foreign.keyword_only(lambda a, *, b=0: 0) == {"b"}
    assert foreign.keyword_only(type) == set()


def test_functions_and_classes_are_known():
    assert foreign.is_function(three) and not foreign.is_function(print)
    assert foreign.is_class(Meta("Made", (), {})) and foreign.is_class(int)
    assert not foreign.is_class(Calls())


def test_the_code_and_its_names_are_those_of_the_inner_function():
    assert foreign.code_of(logged(three)) is three.__code__
    assert foreign.code_of(WithCode()) is foreign.code_of(print) is None
    for function in (three, logged(three), functools.partial(three), Calls()):
        assert foreign.own_globals(function) is globals()


def test_a_question_that_fails_has_another_answer():
    assert foreign.safely(lambda: 1 / 0, 5.0) == 5.0
    assert foreign.safely(sys.exit, 5.0) == 5.0
    inside = guard.call(lambda: foreign.safely(lambda: [][0], 5.0), (), ())
    assert inside.array == 5.0


# ---------------------------------------------------------------------- calls


@pytest.mark.parametrize(
    "function",
    [
        three,
        Calls(),
        lambda a, b, *, c: a + b + c,
        lambda a, *, b, c: a + b + c,
        lambda *, c, b, a: a + b + c,
        lambda one, two, three, /: one + two + three,
    ],
)
def test_inputs_are_given_by_position_or_by_name(function):
    answer = guard.call(function, (1.0, 20.0, 300.0), NAMES)
    assert answer.array == 321.0


def test_the_inputs_stay_what_they_are():
    rows = [np.ones(2), [1.0]]

    def changes(rows):
        rows[0].fill(9), rows[1].append(2.0), rows.append(3.0)

    assert guard.call(changes, (rows,), ("rows",)).changed == ("rows",)
    assert rows[0].tolist() == [1.0, 1.0] and rows[1:] == [[1.0]]


def test_the_limit_and_the_time_of_a_call():
    def waits(seconds):
        print("waits")
        free.wait(seconds)
        return 1.0

    free, start = threading.Event(), time.monotonic()
    answer = guard.call(waits, (0.1,), ("seconds",), 5.0)
    assert 0 < answer.seconds <= time.monotonic() - start
    assert answer.printed == "waits"
    answer = guard.call(waits, (None,), ("seconds",), 0.02)
    free.set()
    assert answer.kind == "out of time"
    told = answer.text.removeprefix("no answer after ").partition(" ")
    assert 0.02 <= float(told[0]) < 1 and told[2] == "seconds"


# --------------------------------------------------------------------- errors


def reads(text):
    value = json.loads(text)  # fails in another file
    return value


def calls_a_helper(text):
    return reads(text + "{")


class Wordless(ArithmeticError):
    def __str__(self):
        raise RuntimeError


def raises(error):
    raise error


@pytest.mark.parametrize("function", [calls_a_helper, logged(calls_a_helper)])
def test_the_last_line_of_the_students_own_is_shown(function):
    answer = guard.call(function, ("{",), ("text",))
    assert answer.error == "JSONDecodeError" and "ValueError" in answer.groups
    assert answer.place == "value = json.loads(text)  # fails in another file"
    assert not answer.own_raise


def test_an_error_is_kept_as_text():
    answer = guard.call(raises, (KeyError("x" * 500),), ("error",))
    assert answer.own_raise and answer.place == "raise error"
    assert len(answer.text) < 180 and answer.text.startswith("KeyError: 'xxx")
    wordless = guard.call(raises, (Wordless(),), ("error",))
    assert wordless.text == "Wordless" and wordless.broken
    assert not guard.call(lambda: [][0], (), ()).own_raise
    lost = guard.call(raises, (KeyError(),), ("e",), lines_of=lambda f: 1 / 0)
    assert lost.error == "KeyError" and lost.place == "raise error"
