"""The checks of the chapter on what attention shows: references and words."""

import functools
import itertools

import numpy as np
import pytest
import torch

from transformer_course import checks
from transformer_course.checks.code.alignment_error_rate import (
    EXERCISE as ERROR_RATE,
)
from transformer_course.checks.code.rollout import EXERCISE as ROLLOUT
from transformer_course.checks.paper import paper_of
from transformer_lib import evaluation

# -------------------------------------------------------------- references


@pytest.mark.parametrize("case", ERROR_RATE.cases, ids=lambda case: case.name)
def test_the_error_rate_is_the_librarys(case):
    A, sure, possible = case.args
    assert sure <= possible and (A or sure)
    want = evaluation.alignment_error_rate([A], [sure], [possible])
    assert ERROR_RATE.solve(*case.args) == pytest.approx(want)


def every_way(maps):
    """The definition of rollout: the weights of all ways, added up."""
    layers, _, n, _ = maps.shape
    halves = (maps.mean(axis=1) + np.eye(n)) / 2
    found = np.zeros((n, n))
    for way in itertools.product(range(n), repeat=layers + 1):
        steps = zip(range(layers), way[1:], way, strict=False)
        found[way[-1], way[0]] += np.prod(
            [halves[i, a, b] for i, a, b in steps]
        )
    return found


@pytest.mark.parametrize("case", ROLLOUT.cases, ids=lambda case: case.name)
def test_rollout_adds_up_all_ways(case):
    (maps,) = case.args
    np.testing.assert_allclose(maps.sum(axis=-1), 1)
    np.testing.assert_allclose(ROLLOUT.solve(maps), every_way(maps), rtol=1e-9)


def test_rollout_of_the_book():
    maps = np.array([[[[1, 0], [1, 0]]], [[[0, 1], [0, 1]]]], dtype=float)
    want = [[3 / 4, 1 / 4], [1 / 2, 1 / 2]]
    np.testing.assert_allclose(ROLLOUT.solve(maps), want)


def test_under_a_causal_mask_nothing_comes_from_later():
    case = next(c for c in ROLLOUT.cases if c.name == "causal")
    assert np.all(np.triu(ROLLOUT.solve(*case.args), 1) == 0)


@pytest.mark.parametrize(
    "exercise",
    [ROLLOUT, ERROR_RATE],
    ids=lambda exercise: exercise.name,
)
def test_no_two_variants_give_the_same_answers(exercise):
    seen = {}
    for mistake in exercise.mistakes:
        for edits in mistake.edits:
            made = [exercise.expected(c, **edits) for c in exercise.cases]
            key = tuple(
                (one.array.shape, one.array.round(9).tobytes()) for one in made
            )
            assert seen.setdefault(key, mistake.id) == mistake.id


def test_paper_alignments_are_those_of_the_library():
    sure = {
        (0, 0),
        (1, 1),
        (2, 3),
        (3, 2),
    }  # I get up early / ich stehe früh auf
    possible = sure | {(1, 3), (2, 1)}
    found = [
        {(0, 0), (1, 1), (1, 3), (3, 2)},
        {(0, 0), (3, 2)},
        set(itertools.product(range(4), repeat=2)),
    ]
    rates = [
        evaluation.alignment_error_rate([links], [sure], [possible])
        for links in found
    ]
    assert checks.error_rate_by_hand((3, 4, *rates)).ok
    np.testing.assert_allclose(rates, [1 / 8, 1 / 3, 1 / 2])


def test_paper_rows_give_the_output():
    numbers = paper_of("same_output_by_hand").answer
    values = np.array([[1, 0], [0, 1], [0.5, 0.5]])
    output, rows = numbers[:2], numbers[2:].reshape(2, 3)
    np.testing.assert_allclose(rows @ values, [output] * 2)
    np.testing.assert_allclose(rows.sum(axis=1), 1)
    assert rows.min() >= -1e-12
    want = paper_of("same_output_by_hand").givens["weights"].value @ values
    np.testing.assert_allclose(output, want)


# ------------------------------------------------------------ what is said


def wrong(check, answer, says):
    verdict = check(answer)
    assert verdict.status == "wrong" and verdict.mistake is None, verdict
    assert says in verdict.message, verdict.message


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda r: r[:, :-1], "shape"),
        (lambda r: np.where(r > 0.5, np.nan, r), "nan"),
        (lambda r: 0.9 * r, "row 0 sums to 0.9"),
        (lambda r: 0.8 * r + 0.2 / len(r), "with one layer alone"),
        (lambda r: np.roll(r, 1, axis=0), "with one layer alone"),
    ],
)
def test_rollout_names_the_first_broken_law(change, says):
    wrong(checks.rollout, lambda maps: change(ROLLOUT.solve(maps)), says)


def test_rollout_right_for_one_layer_only_is_told_the_values():
    def steps(maps):
        r = ROLLOUT.solve(maps)
        return r @ r if len(maps) > 2 else r

    wrong(checks.rollout, steps, "first difference")


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda A, s, p: [0.5, 0.5], "shape"),
        (lambda A, s, p: float("inf"), "inf"),
        (lambda A, s, p: 1.7, "between 0 and 1"),
        (lambda A, s, p: 0.25, "has made no mistake"),
        (lambda A, s, p: 0.0 if not A - p else 0.3, "the error rate is 1"),
        (lambda A, s, p: len(A & s) / missing, "missing"),
        (lambda A, s, p: A & s, "a set"),
    ],
)
def test_the_error_rate_names_the_first_broken_law(function, says):
    wrong(checks.alignment_error_rate, function, says)


def test_lists_and_tensors_are_taken():
    def lists(maps):
        return torch.tensor(ROLLOUT.solve(maps)).tolist()

    assert checks.rollout(lists).ok
    assert checks.alignment_error_rate(
        lambda A, sure, possible: torch.tensor(
            ERROR_RATE.solve(A, sure, possible)
        )
    ).ok


def test_two_mistakes_at_once_are_both_named():
    def percent_and_sure_twice(A, sure, possible):
        return 100 - 200 * len(A & sure) / (len(A) + len(sure))

    found = checks.alignment_error_rate(percent_and_sure_twice).mistake
    assert found == "percent+possible_ignored"
    found = checks.rollout(
        lambda maps: functools.reduce(lambda r, a: a @ r, maps[:, 0])
    ).mistake
    assert found == "one_head_only+no_identity"


def test_every_sentence_put_elsewhere_is_named():
    right = paper_of("six_readings_by_hand").answer.tolist()
    named = set()
    for place, other in itertools.product(range(6), (1, 2, 3)):
        if other == right[place]:
            continue
        answer = [*right]
        answer[place] = other
        named.add(checks.six_readings_by_hand(answer).mistake)
    assert None not in named and len(named) == 12


@pytest.mark.parametrize(
    ("check", "value", "says"),
    [
        ("six_readings_by_hand", (1, 2, 3, 2, 3, 1), "again at E and F"),
        ("six_readings_by_hand", (1, 2, 3, 2, 1, 4), "is 1, 2 or 3"),
        ("six_readings_by_hand", (1, 2, 3), "3 numbers came"),
        ("error_rate_by_hand", (3, 4, 0.125, 0.333, 0.4), "generous"),
        ("error_rate_by_hand", (2, 4, 0.125, 0.333, 0.5), "|A and S|"),
        (
            "same_output_by_hand",
            (0.6, 0.4, 0.5, 0.4, 0, 0.2, 0, 0.8),
            "second part do not sum to 1",
        ),
        (
            "same_output_by_hand",
            (0.6, 0.4, 0.6, 0.4, 0, 0.1, 0.1, 0.8),
            "third part give the output",
        ),
        (
            "same_output_by_hand",
            (0.6, 0.4, 0.55, 0.35, 0.1, 0.2, 0, 0.8),
            "the ones asked for",
        ),
        (
            "same_output_by_hand",
            (0.6, 0.4, 0.6, 0.4, 0, 0.3, 0.1, 0.6),
            "can still grow",
        ),
        (
            "same_output_by_hand",
            (0.3, 0.4, 0.6, 0.4, 0, 0.2, 0, 0.8),
            "Begin with the output",
        ),
        (
            "same_output_by_hand",
            (0.6, 0.4, 0.6, 0.4, 0, 0.15, -0.05, 0.9),
            "third part has a weight below 0",
        ),
    ],
)
def test_other_numbers_on_paper(check, value, says):
    wrong(getattr(checks, check), value, says)


@pytest.mark.parametrize(
    ("check", "value", "named"),
    [
        ("error_rate_by_hand", (3, 4, 12.5, 33.3, 50), "percent"),
        ("error_rate_by_hand", (3, 4, 12.5, 33, 50), "percent"),
        ("error_rate_by_hand", (3, 4, 12.5, 100 / 3, 50), "percent"),
        ("error_rate_by_hand", (3, 4, 0.625, 0.667, 0.8), "only_sure_hits"),
        ("error_rate_by_hand", (3, 4, 0.5, 0.667, 0.7), "only_possible_hits"),
        (
            "error_rate_by_hand",
            (3, 4, 0.125, 0.333, 0.6),
            "generous_without_possible",
        ),
        (
            "same_output_by_hand",
            (0.6, 0.4, 0.5, 0.5, 0, 0.2, 0, 0.8),
            "all_to_the_second",
        ),
        ("same_output_by_hand", (60, 40, 60, 40, 0, 20, 0, 80), "percent"),
        (
            "same_output_by_hand",
            (0.4, 0.6, 0.6, 0.4, 0, 0.2, 0, 0.8),
            "output_turned",
        ),
    ],
)
def test_slips_on_paper_are_named(check, value, named):
    assert getattr(checks, check)(value).mistake == named


def test_numbers_on_paper_may_have_brackets_of_their_own():
    parts = ((0.6, 0.4), [0.6, 0.4, 0], np.array([0.2, 0, 0.8]))
    assert checks.same_output_by_hand(parts).ok
    wrong(
        checks.same_output_by_hand,
        ((0.6, 0.4), (0.6, 0.4), (0.2, 0.8)),
        "6 numbers came",
    )
    blank = ((..., ...), (..., ..., ...), (..., ..., ...))
    assert checks.same_output_by_hand(blank).status == "not attempted"


def test_stubs_are_not_attempted():
    def alignment_error_rate(A, sure, possible): ...

    def rollout(maps): ...

    for verdict in (
        checks.alignment_error_rate(alignment_error_rate),
        checks.rollout(rollout),
        checks.rollout(None),
        checks.six_readings_by_hand((...,) * 6),
    ):
        assert verdict.status == "not attempted", verdict


def test_cases_are_never_changed():
    def destroys(*args):
        for arg in args:
            arg.clear() if isinstance(arg, set) else arg.fill(0)
        raise ValueError

    for exercise in (
        ROLLOUT,
        ERROR_RATE,
    ):
        before = [repr(case.args) for case in exercise.cases]
        getattr(checks, exercise.name)(destroys)
        assert [repr(case.args) for case in exercise.cases] == before
