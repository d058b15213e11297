"""What is special to the checks of matmul, slope and the two on paper."""

import numpy as np
import pytest
import torch

from transformer_course import checks
from transformer_course.checks.code import matmul, slope
from transformer_course.checks.paper import paper_of


def test_the_matmul_reference_agrees_with_numpy_and_torch():
    draw = np.random.default_rng(0)
    for n, k, m in [(2, 3, 4), (1, 5, 1), (3, 1, 2), (4, 4, 4)]:
        A, B = draw.normal(size=(n, k)), draw.normal(size=(k, m))
        got = matmul.EXERCISE.solve(A, B)
        np.testing.assert_allclose(got, A @ B, rtol=1e-12, atol=1e-12)
        want = torch.from_numpy(A) @ torch.from_numpy(B)
        np.testing.assert_allclose(got, want.numpy(), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "case", slope.EXERCISE.cases, ids=lambda case: case.name
)
def test_the_slope_reference_agrees_with_autograd(case):
    formula, x = case.args
    f = slope.curve(formula)
    place = torch.tensor(float(x), dtype=torch.float64, requires_grad=True)
    f(place).backward()
    got = slope.EXERCISE.solve(f, x)
    assert got == pytest.approx(place.grad.item(), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("h", [10.0**-p for p in range(3, 10)])
def test_all_usual_steps_are_accepted(h):
    verdict = checks.slope(lambda f, x: (f(x + h) - f(x - h)) / (2 * h))
    assert verdict.ok, verdict.message


@pytest.mark.parametrize("h", [3.7e-2, 0.02])
def test_an_unusual_large_step_is_called_too_large(h):
    verdict = checks.slope(lambda f, x: (f(x + h) - f(x - h)) / (2 * h))
    assert not verdict.ok
    assert "your step is too large" in verdict.message


def test_an_unusual_small_step_is_called_too_small():
    h = 3.3e-13
    verdict = checks.slope(lambda f, x: (f(x + h) - f(x - h)) / (2 * h))
    assert not verdict.ok
    assert "rounding" in verdict.message


def test_two_mistakes_at_once_are_both_named():
    def matmul(A, B):
        return 1 + np.array([[row @ column for column in B] for row in A])

    verdict = checks.matmul(matmul)
    assert verdict.mistake == "row_with_row+sum_starts_at_one"

    def slope(f, x):
        return (f(x - 1e-4) - f(x + 1e-4)) / 1e-4

    assert checks.slope(slope).mistake == "divided_by_h+wrong_sign"


def test_laws_of_matmul_and_slope_are_named():
    message = checks.matmul(lambda A, B: np.square(A @ B) / 7).message
    assert "every entry of A is doubled" in message
    message = checks.slope(lambda f, x: f(x) - f(x - 3e-4) / 3e-4).message
    assert "level ground" in message and "in brackets" in message
    message = checks.slope(lambda f, x: f(x) ** 2 - 25).message
    assert "lifted by 1" in message
    message = checks.slope(lambda f, x: f * x).message
    assert "'function' and 'float" in message


def test_a_slope_may_be_found_with_the_students_own_torch_code():
    def slope(f, x):
        place = torch.tensor([float(x)], requires_grad=True)
        return torch.autograd.grad(f(place).sum(), place)[0][0]

    assert checks.slope(slope).ok


@pytest.mark.parametrize("name", ["five_shapes_by_hand", "step_by_hand"])
def test_paper_checks_never_tell_the_numbers(name):
    paper, check = paper_of(name), getattr(checks, name)
    right = paper.answer
    for place in range(len(right)):
        wrong = right.copy()
        wrong[place] += 0.5
        verdict = check(wrong)
        said = [verdict.message, verdict.asked, *verdict.hints]
        said += [verdict.example.given, verdict.example.expected]
        for number in right[right > 20]:
            assert f"{number:g}" not in " ".join(said)
    rest = [misconception.message for misconception in paper.misconceptions]
    for number in right[right > 20]:
        assert not any(f"{number:g}" in message for message in rest)


def test_an_array_that_is_not_right_is_pointed_out():
    right = paper_of("five_shapes_by_hand").answer
    for place, value, says in [
        (0, 15, "added the lengths"),
        (2, 3, "how many axes"),
        (3, 1225, "words of other sentences"),
        (3, 49, "for each sentence"),
        (1, 175, "once too often"),
        (4, 12, "shape with letters first"),
    ]:
        given = right.copy()
        given[place] = value
        verdict = checks.five_shapes_by_hand(given)
        assert says in verdict.message, verdict.message
        assert f"rray {place + 1}" in verdict.message


def test_right_parts_of_a_step_are_named():
    message = checks.step_by_hand((9, 18, 1.4, 1.44)).message
    assert "Right so far: loss, derivative." in message
    assert "Look again at the new w" in message


def test_five_shapes_may_be_written_as_shapes():
    right = ((7, 8), (5, 7), (5, 7, 8), (5, 7, 7), (5,))
    assert checks.five_shapes_by_hand(right).ok
    assert checks.five_shapes_by_hand([list(shape) for shape in right]).ok
    assert checks.five_shapes_by_hand((*right[:4], 5)).ok
    for place, shape, says in [
        (0, (8, 7), "In array 1 the lengths are right and their order is not"),
        (3, (49, 5), "Array 4 holds as many numbers as yours"),
        (1, (35,), "Array 2 holds as many numbers as yours"),
        (3, (5, 7, 8), "both of its last axes count words"),
        (4, (7,), "how many sentences are there"),
        (2, (7, 8), "it is about the whole batch"),
    ]:
        given = list(right)
        given[place] = shape
        verdict = checks.five_shapes_by_hand(tuple(given))
        assert not verdict.ok
        assert says in verdict.message, verdict.message
        assert str(shape) in verdict.example.received


def test_a_shape_with_its_axes_exchanged_is_named_before_the_others():
    verdict = checks.five_shapes_by_hand(((8, 7), (5, 7), (5, 7, 8), 245, 7))
    assert "array 1" in verdict.message
