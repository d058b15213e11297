"""What holds for every exercise in code, and for every part of the reader's.

Right answers are accepted, wrong ones are refused by the name of their
mistake, and whoever is refused is told a sentence and two hints.
"""

import inspect
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from every_exercise import EXERCISES, SLOW, named_edits, sampled
from stored_answers import mistake_of

from transformer_course import checks
from transformer_course.checks.engine import catalogue
from transformer_course.checks.engine.exercise import Case
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.matching import told
from transformer_course.checks.engine.one_more import (
    FITS_ONLY,
    breaks_on_one_more,
    drawn,
)
from transformer_course.checks.engine.submission import Submission
from transformer_course.checks.parts import PARTS

CHECKS = Path(checks.__file__).parent
# What the engine finds by itself: in any function,
GENERAL = {
    "changes_its_input", "no_return", "printed_not_returned", "signature",
}  # fmt: skip
# and in some.
MORE = {
    "calls_itself_forever", "made_with_other_bits", "no_forward",
    "not_a_class", "not_a_module", "plain_list",
}  # fmt: skip
# What many parts share is tried in some of them.
SHARED = {
    mistake.id
    for kind in ("modules", "tensors")
    for mistake in catalogue.read(CHECKS / "parts" / f"{kind}.txt")
}
# In a message: a number that nobody filled in, or one that wants a singular.
NO_SENTENCE = r"[{}]|another number|\b(?<![.,-])1 (parameters|numbers|columns)"

each = pytest.mark.parametrize("tried", EXERCISES.values(), ids=EXERCISES)


@pytest.mark.parametrize(("name", "key"), [*sampled()])
def test_answers_are_accepted_or_named(name, key):
    tried = EXERCISES[name]
    verdict = tried.check(tried.answers[key])
    if key in tried.right:
        assert verdict.ok, repr(verdict)
        assert verdict.status == "right" and verdict.mistake is None
        return
    assert not verdict.ok and verdict.status == "wrong"
    assert verdict.mistake == mistake_of(key), repr(verdict)
    assert "{" not in verdict.message
    assert "another number" not in verdict.message
    if verdict.mistake not in GENERAL | MORE:
        assert verdict.example is not None


FIXED = {"only"}  # its three scenes are all there are


@each
def test_one_more_case_is_right_for_every_right_answer(tried):
    """Whoever computes has nothing to fear from numbers that are drawn."""
    assert (tried.exercise.draw is None) == (tried.name in FIXED)
    for seed in (0, 2**31, 3_141_592_653) if tried.exercise.draw else ():
        case = drawn(tried.exercise, seed)
        again = drawn(tried.exercise, seed)
        assert repr(again.args) == repr(case.args)
        assert all(
            repr(case.args) != repr(c.args) for c in tried.exercise.cases
        )
        for key in tried.right:
            answer = Submission(tried.exercise, tried.answers[key])
            said = breaks_on_one_more(tried.exercise, answer, seed)
            assert said is None, (seed, key, repr(said))


@each
def test_a_table_of_the_cases_has_no_row_for_one_more(tried):
    """It is right for the check, and for what is drawn it is not."""
    exercise = tried.exercise
    if exercise.draw is None or exercise.play is not None:
        return
    known = {
        _key(case.args): exercise.expected(case) for case in exercise.cases
    }

    def table(*args):
        found = known.get(_key(args))
        if found is not None and found.kind == "raised":
            raise ValueError("refused")
        return 0.0 if found is None else found.array

    answer = Submission(exercise, _with_inputs(table, exercise.inputs))
    assert judge(exercise, answer).ok
    for seed in range(3):
        said = breaks_on_one_more(exercise, answer, seed)
        assert (said.status, said.mistake) == ("wrong", FITS_ONLY)
        assert said.example.received != said.example.expected


def _key(args):
    """What two equal inputs have in common."""
    return repr([sorted(x) if isinstance(x, set) else x for x in args])


def _with_inputs(function, names):
    """The function, written with inputs of these names."""
    text = ", ".join(names)
    return eval(f"lambda {text}: function({text})", {"function": function})


def test_what_our_own_answer_fails_is_not_asked():
    exercise = EXERCISES["softmax"].exercise

    def draw(seed):
        hidden = np.full((2, 2), -np.inf)  # of which 0 / 0 comes
        return Case("x", (hidden if seed < 5 else np.eye(2), 0))

    found = drawn(replace(exercise, draw=draw), 0)
    assert np.array_equal(found.args[0], np.eye(2))
    never = replace(exercise, draw=lambda seed: draw(0))
    answer = Submission(never, lambda x, axis: 0)
    assert drawn(never, 0) is breaks_on_one_more(never, answer, 0) is None


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.whole] if name in SLOW else [])
        for name in EXERCISES
    ],
)
def test_every_edit_gets_its_own_name(name):
    for mistake, edits, found in named_edits(EXERCISES[name].exercise):
        assert found == mistake, edits


@each
def test_every_message_has_its_numbers(tried):
    for mistake in tried.exercise.mistakes:
        text = told(tried.exercise, mistake) if mistake.edits else ""
        assert not re.search(NO_SENTENCE, text), (mistake.id, text)


@each
def test_every_mistake_is_tried(tried):
    """By its edits, or where it has none, by a stored answer."""
    known = [mistake.id for mistake in tried.exercise.mistakes]
    untried = {m.id for m in tried.exercise.mistakes if not m.edits}
    untried -= tried.named
    is_part = tried.name in PARTS
    assert untried <= (SHARED if is_part else set())
    assert tried.named <= {*known, *GENERAL, *MORE}
    assert len(known) == len(set(known)) >= 10
    assert len(tried.right) >= (5 if is_part else 3)
    assert len(tried.wrong) >= 12


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, tried in EXERCISES.items()
        if name not in PARTS or inspect.isfunction(tried.exercise.solve.thing)
    ],
)
def test_what_goes_wrong_with_any_function_is_tried(name):
    tried = EXERCISES[name]
    inputs = [arg for case in tried.exercise.cases for arg in case.args]
    only_scalars = all(type(arg) in (int, float, str) for arg in inputs)
    # Nobody can change a plain number.
    wanted = GENERAL - {"changes_its_input"} if only_scalars else GENERAL
    assert wanted <= tried.named


def test_what_many_parts_share_is_tried_in_some():
    parts = [EXERCISES[name] for name in PARTS]
    known = [m for tried in parts for m in tried.exercise.mistakes]
    by_edits = {mistake.id for mistake in known if mistake.edits}
    assert by_edits.union(*(tried.named for tried in parts)) >= SHARED


@each
def test_hints_exist_and_differ(tried):
    exercise = tried.exercise
    hints = [*exercise.hints, *(m.hint for m in exercise.mistakes)]
    assert min(map(len, hints)) > 15
    for mistake in exercise.mistakes:
        assert mistake.hint != exercise.hints[1]
        assert 40 < len(mistake.message) < 420, mistake.id
    verdict = tried.check(3)
    assert verdict.hint(1) != verdict.hint(2)
    assert "hint(1) and hint(2)" in verdict.hint(3)
    assert "hint(1) and hint(2)" in verdict.hint("x")
    assert repr(verdict.hint(1)) == str(verdict.hint(1))


@each
def test_what_is_left_out_is_not_attempted(tried):
    for stub in (None, ...):
        assert tried.check(stub).status == "not attempted"


def test_an_exercise_bears_the_name_of_its_check():
    for name, tried in EXERCISES.items():
        assert tried.exercise.name.split("(")[0] == name
