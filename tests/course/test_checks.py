"""The checks of exercises, through what a reader calls and sees.

What holds for every exercise in code stands in test_every_exercise.py.
"""

import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
import torch
from every_exercise import EXERCISES

from transformer_course import checks
from transformer_course.checks.engine.matching import combined
from transformer_course.checks.engine.reading import (
    number,
    read,
    same,
    show,
)
from transformer_course.checks.paper import exercises, paper_of
from transformer_course.checks.parts import PARTS

CODE = [name for name in EXERCISES if name not in PARTS]
SOFTMAX = EXERCISES["softmax"]
ATTENTION = EXERCISES["self_attention"]


PAPERS = {name: paper_of(name) for name in exercises()}


# ------------------------------------------------------- the references


def test_softmax_reference_agrees_with_torch():
    draw = np.random.default_rng(0)
    for shape, axis in [((4,), 0), ((2, 5), 0), ((2, 5), -1), ((5, 5), 1)]:
        x = 3 * draw.normal(size=shape)
        want = torch.softmax(torch.from_numpy(x), dim=axis).numpy()
        got = SOFTMAX.exercise.solve(x, axis)
        np.testing.assert_allclose(got, want, rtol=1e-12)


def test_self_attention_reference_agrees_with_torch():
    attend = torch.nn.functional.scaled_dot_product_attention
    draw = np.random.default_rng(1)
    for shape in [(1, 3), (4, 2), (3, 3), (5, 7)]:
        x = torch.from_numpy(draw.normal(size=shape))[None]
        want = attend(x, x, x, scale=1.0)[0].numpy()
        got = ATTENTION.exercise.solve(x[0].numpy())
        np.testing.assert_allclose(got, want, rtol=1e-10)


def test_first_context_vector_is_the_one_of_the_book():
    tokens = PAPERS["context_vector_by_hand"].givens["tokens"].value
    got = ATTENTION.exercise.solve(tokens)[0]
    np.testing.assert_allclose(got, [0.7449, 0.5464], atol=5e-5)


# -------------------------------------------------- two mistakes at once


def fresh_inputs(name):
    draw = np.random.default_rng(99)
    if name == "softmax":
        return [(draw.normal(size=(3, 5)), 0), (draw.normal(size=(4, 4)), -1)]
    return [(draw.normal(size=(6, 3)),), (draw.normal(size=(4, 4)),)]


@pytest.mark.parametrize("name", ["softmax", "self_attention"])
def test_two_mistakes_are_not_called_right(name):
    exercise = EXERCISES[name].exercise
    seen = 0
    for _, edits in list(combined(exercise, 2))[::11]:
        verdict = EXERCISES[name].check(exercise.variant(edits))
        if not verdict.ok:
            seen += verdict.mistake is not None
            continue
        for args in fresh_inputs(name):
            got, want = exercise.variant(edits)(*args), exercise.solve(*args)
            assert same(np.asarray(got), want), edits
    assert seen > 10


def test_two_mistakes_by_hand():
    def no_scale_no_rows(X):
        scores = X @ X.T / np.sqrt(X.shape[1])
        e = np.exp(scores)
        return e / e.sum(axis=0, keepdims=True) @ X

    verdict = checks.self_attention(no_scale_no_rows)
    assert verdict.mistake == "softmax_over_queries+scaled_by_root_of_d"
    assert "Two things at once" in verdict.message

    def base_two_over_all(x, axis):
        return 2**x / (2**x).sum()

    verdict = checks.softmax(base_two_over_all)
    assert verdict.mistake == "all_entries+base_two"

    share = EXERCISES["exact_match"].answers["share_of_words__per_sentence"]

    def words_and_percent(hypotheses, references):
        return 100 * share(hypotheses, references)

    verdict = checks.exact_match(words_and_percent)
    assert verdict.mistake == "percent+share_of_words"


def test_a_second_mistake_does_not_hide_the_first():
    def flat_and_overflowing(x, axis):
        e = np.exp(x)
        e /= e.sum()
        x[...] = 0
        return e

    verdict = checks.softmax(flat_and_overflowing)
    assert verdict.mistake == "all_entries"
    assert "changes `x`" in verdict.message


# ------------------------------------------------- no mistake that is known


def softmax_plus(change):
    right = SOFTMAX.answers["right__numpy"]
    return lambda x, axis: change(right(x, axis), x, axis)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda s, x, a: s[..., :-1], "shape"),
        (lambda s, x, a: np.where(s > 0.1, s, np.nan), "nan"),
        (lambda s, x, a: s - 0.5, "between 0 and 1"),
        (lambda s, x, a: s * 0.9, "sums to 0.9"),
        (lambda s, x, a: np.roll(s, 1, axis=a), "difference at"),
        (lambda s, x, a: "half", "a str: half"),
        (lambda s, x, a: {"a": 1}, "a dict"),
        (lambda s, x, a: [[1, 2], [3]], "a list"),
        (lambda s, x, a: s + 1j, "ndarray"),
        (lambda s, x, a: (i for i in s), "a generator"),
        (lambda s, x, a: undefined_name, "undefined_name"),
        (lambda s, x, a: s if a == -1 else None, "returns None"),
        (lambda s, x, a: s / np.zeros(7), "could not be broadcast"),
    ],
)
def test_the_first_broken_property_is_named(change, says):
    verdict = checks.softmax(softmax_plus(change))
    assert verdict.status == "wrong"
    assert verdict.mistake is None
    assert "usual mistakes" not in verdict.message
    assert says in verdict.message, verdict.message


def test_constants_and_order_are_laws():
    def drifting(x, axis):
        e = np.exp(x * (1 + 0.01 * x))
        return e / e.sum(axis=axis, keepdims=True)

    assert "adding 1" in checks.softmax(drifting).message

    def first_first(x, axis):
        boost = np.zeros(x.shape)
        np.moveaxis(boost, axis, 0)[0] = 1.0
        e = np.exp(x + boost)
        return e / e.sum(axis=axis, keepdims=True)

    assert "change places" in checks.softmax(first_first).message

    def by_position(X):
        order = np.arange(len(X))[:, None]
        scores = X @ X.T - 0.1 * abs(order - order.T)
        e = np.exp(scores)
        return e / e.sum(axis=1, keepdims=True) @ X

    assert "change places" in checks.self_attention(by_position).message

    def outside(X):
        right = ATTENTION.answers["right__matrices"]
        return 1.5 * right(X)

    assert "an average stays" in checks.self_attention(outside).message


def test_the_failing_line_is_shown():
    def softmax(x, axis):
        votes = np.exp(x)
        return votes / votes.sum(axis="rows")

    message = checks.softmax(softmax).message
    assert 'votes.sum(axis="rows")' in message
    assert "TypeError" in message


# ---------------------------------------------------- not attempted yet


def stub_dots(x, axis=-1):
    """Turn scores into shares."""
    ...


def stub_pass(x, axis=-1):
    pass


def stub_ellipsis(x, axis=-1):
    return ...


def stub_error(x, axis=-1):
    raise NotImplementedError("your turn")


def stub_half(x, axis=-1):
    votes = ...
    return votes / votes.sum(axis=axis, keepdims=True)


def stub_blank(x, axis=-1):
    return np.exp(x) / ____


STUBS = [
    None,
    ...,
    stub_dots,
    stub_pass,
    stub_ellipsis,
    stub_error,
    stub_half,
    stub_blank,
]


@pytest.mark.parametrize("stub", STUBS)
def test_stubs_are_not_attempted(stub):
    verdict = checks.softmax(stub)
    assert verdict.status == "not attempted"
    assert not verdict.ok
    assert verdict.mistake is None
    assert verdict.hint(1) != verdict.hint(2)


@pytest.mark.parametrize("value", [None, ..., (..., ...), [None, None], ()])
def test_numbers_not_attempted(value):
    verdict = checks.context_vector_by_hand(value)
    assert verdict.status == "not attempted"


# ------------------------------------------------------------- by hand


def test_every_check_has_an_exercise_behind_it():
    assert {*checks.TOOLS, *CODE, *PAPERS} == set(checks.__all__)


@pytest.mark.parametrize("name", PAPERS)
def test_right_numbers_are_accepted_however_they_are_written(name):
    check, right = getattr(checks, name), PAPERS[name].answer
    for value in (right, right.tolist(), np.round(right, 3), right + 0.0009):
        assert check(value).ok, repr(check(value))


@pytest.mark.parametrize("name", PAPERS)
def test_every_slip_on_paper_is_named(name):
    paper = PAPERS[name]
    known = paper.misconceptions
    assert len({misconception.id for misconception in known}) >= 3
    for misconception in known:
        verdict = getattr(checks, name)(misconception.value)
        assert verdict.mistake == misconception.id, repr(verdict)
        assert verdict.status == "wrong"


@pytest.mark.parametrize("name", PAPERS)
def test_other_numbers_and_blanks_are_told_apart(name):
    check, paper = getattr(checks, name), PAPERS[name]
    other = np.array(paper.answer) + 17.125
    other.flat[0] += 7  # where differences count, these differ too
    verdict = check(other)
    assert verdict.status == "wrong" and verdict.mistake is None
    assert check(None).status == check(...).status == "not attempted"
    assert check("x").mistake == "not_numbers"
    assert check(len).mistake == "a_function"
    assert verdict.hint(1) != verdict.hint(2)


def test_by_hand_accepts_rounded_numbers_in_any_form():
    for value in [
        (0.738, 0.766),
        [0.7382, 0.7661],
        np.array([0.73820132, 0.7660847]),
        torch.tensor([0.738, 0.766]),
        np.array([[0.738, 0.766]]),
        ("0.738", 0.766)[1:] and (np.float32(0.738), 0.766),
    ]:
        assert checks.context_vector_by_hand(value).ok


def test_by_hand_names_each_mistake_at_three_decimals():
    known = PAPERS["context_vector_by_hand"].misconceptions
    assert len({misconception.id for misconception in known}) >= 12
    for name, value, _ in known:
        decimals = 3 if name != "rounded_too_coarsely" else 9
        rounded = tuple(np.round(value, decimals))
        verdict = checks.context_vector_by_hand(rounded)
        assert verdict.status == "wrong"
        assert verdict.mistake == name


def test_self_attention_does_not_tell_the_numbers_of_the_paper_exercise():
    exercise = ATTENTION.exercise
    edits = [edits for m in exercise.mistakes for edits in m.edits]
    answers = [*ATTENTION.answers.values()]
    for function in answers + list(map(exercise.variant, edits)):
        text = repr(checks.self_attention(function))
        assert "0.738" not in text and "0.766" not in text


def test_by_hand_never_tells_the_answer():
    for value in [None, (1, 1), 5, "x", (0.74, 0.1), (0.1, 0.2), (9, 9)]:
        verdict = checks.context_vector_by_hand(value)
        text = repr(verdict) + verdict.hint(1) + verdict.hint(2)
        assert "0.738" not in text and "0.766" not in text


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ((0.738, 0.1), "first coordinate is right"),
        ((0.1, 0.766), "second coordinate is right"),
        ((0.738, ...), "still missing"),
        ((1.0, 2.0, 3.0), "3 numbers came"),
        (5.0, "1 number came"),
        ((3.0, 0.5), "An average stays"),
        ((0.3, 0.4), "scores first"),
    ],
)
def test_by_hand_says_where_to_look(value, says):
    assert says in checks.context_vector_by_hand(value).message


# ------------------------------------------------------------ the verdict


class Balance(HTMLParser):
    """Counts open tags; complains about scripts and handlers."""

    def __init__(self):
        super().__init__()
        self.open, self.problems = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        names = {name for name, _ in attrs}
        if tag in ("script", "style", "img") or any(
            name.startswith("on") for name in names
        ):
            self.problems.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"/{tag}")


def well_formed(text):
    parser = Balance()
    parser.feed(text)
    parser.close()
    return not parser.open and not parser.problems


def test_html_is_well_formed_and_escaped():
    def evil(x, axis):
        raise ValueError("</pre><script>alert('x')</script><img src=x>")

    for verdict in [
        checks.softmax(evil),
        checks.softmax(lambda x, axis: "<script>1</script>"),
        checks.softmax(None),
        checks.softmax(SOFTMAX.answers["right__numpy"]),
        checks.softmax(SOFTMAX.answers["wrong_axis"]),
        checks.context_vector_by_hand("<b>&amp;"),
    ]:
        page = verdict._repr_html_()
        assert well_formed(page), page
        assert "<script" not in page
        assert "color: inherit" in page and "background: transparent" in page
        assert well_formed(verdict.hint(1)._repr_html_())


def test_the_view_shows_what_was_asked_and_an_example(monkeypatch):
    monkeypatch.setattr("transformer_course.checks.engine.verdict"
                        "._first_shown", {})  # fmt: skip
    verdict = checks.softmax(SOFTMAX.answers["base_two"])
    for view in (repr(verdict), verdict._repr_html_()):
        for word in ("asked", "given", "expected", "received", "0.2447"):
            assert word in view.lower()
        assert "hint(1)" in view
    right = checks.softmax(SOFTMAX.answers["right__numpy"])
    assert repr(right).startswith("Right")
    assert "received" not in repr(right)
    assert "no hint" in right.hint(1)


SOLVES = ("np.", "torch", "lambda", "def ", "@", "axis=", " = ")


@pytest.mark.parametrize("name", CODE)
def test_hints_hold_no_solution(name):
    exercise = EXERCISES[name].exercise
    for hint in [*exercise.hints, *(m.hint for m in exercise.mistakes)]:
        assert not any(code in hint for code in SOLVES), hint


def test_a_verdict_keeps_no_state():
    function = SOFTMAX.answers["all_entries"]
    first, second = checks.softmax(function), checks.softmax(function)
    assert first == second
    first.hint(1)
    assert first == second
    with pytest.raises(AttributeError):
        first.status = "right"


# --------------------------------------------------- reading and the rest


def test_reading_accepts_what_students_return():
    for value in [
        [[1, 2], [3, 4]],
        ((1.0, 2.0), (3.0, 4.0)),
        np.array([[1, 2], [3, 4]], dtype=np.float32),
        torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True),
        [torch.tensor([1.0, 2.0]), np.array([3, 4])],
        np.array([[1, 2], [3, 4]], dtype=object),
        torch.tensor([[1, 2], [3, 4]], dtype=torch.bfloat16),
    ]:
        np.testing.assert_array_equal(read(value).array, [[1, 2], [3, 4]])


def test_single_precision_is_accepted_and_little_more():
    want = np.array([0.1, 0.9])
    assert same(want.astype(np.float32).astype(float), want)
    assert not same(want + 1e-4, want)


def test_numbers_are_shown_short():
    assert number(1 / 3) == "0.3333"
    assert number(2.0) == "2"
    assert number(100.0) == "100"
    assert number(-0.5) == "-0.5"
    assert number(float("nan")) == "nan"
    assert number(1e-9) == "1e-09"
    assert show(np.array([1000.0, 0.25])) == "[1000.00, 0.25]"
    assert show(np.array([1.0, -0.0, np.nan])) == "[1, 0, nan]"
    assert number(-1e-20 * 0) == "0"


def test_an_unknown_check_names_the_known_ones():
    with pytest.raises(AttributeError, match="softmax"):
        checks.softmaxx  # noqa: B018


def test_checks_load_no_torch_and_the_package_nothing_heavy():
    code = (
        "import sys; from transformer_course import checks;"
        "assert 'numpy' not in sys.modules;"
        "checks.softmax, checks.self_attention, checks.exact_match;"
        "import transformer_course.grading.running.child;"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
