"""What holds for every exercise in code, and for every part of the reader's.

Right answers are accepted, wrong ones are refused by the name of their
mistake, and whoever is refused is told a sentence and two hints.
"""

import inspect
import re
from pathlib import Path

import pytest
from every_exercise import EXERCISES, SLOW, named_edits, sampled
from stored_answers import mistake_of

from transformer_course import checks
from transformer_course.checks.engine import catalogue
from transformer_course.checks.engine.matching import told
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
