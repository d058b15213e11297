"""Unfinished answers: whoever runs a check half-way hears nothing untrue."""

import ast
import re

import numpy as np
import pytest
from every_exercise import EXERCISES as TRIED
from halves import (
    inputs_of,
    like_inputs_of,
    named_values_of,
    parts_of,
    places,
)

from transformer_course import checks
from transformer_course.checks.engine import matching
from transformer_course.checks.engine.half_way import halves
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.reading import ARRAY
from transformer_course.checks.parts import PARTS, part

EXERCISES = {name: tried.exercise for name, tried in TRIED.items()}
SLOW = {  # in which an answer takes a second, or most halves are no numbers
    "EncoderLayer", "DecoderLayer", "Transformer", "greedy_decode",
    "mask_tokens", "only", "MultiHeadAttention",
}  # fmt: skip
STEPS = {  # what a message calls missing, and how the reference writes it
    "exponential": "exp(", "softmax": "softmax(", "division": " / ",
    "matrix product": " @ ", "square root": "sqrt(", "mean": "mean(",
    "sum": "sum(", "addition": " + ", "subtraction": " - ",
    "multiplication": " * ", "sum of products": "einsum(", "ReLU": "relu(",
    "minimum": "min(", "maximum": "max(", "power": " ** ", "variance": "var(",
    "mask": "where(", "attention": "attention(", "transpose": "T",
    "change of sign": "-", "logarithm": "log",
}  # fmt: skip


# ------------------------------------------------------------- what is true


def same_results(left, right):
    return left.keys() == right.keys() and all(
        matching.agree(left[case], right[case])
        or (left[case].broken and right[case].broken)
        for case in left
    )


def untrue(half, verdict):
    """Say what is not true of half an answer; "" if nothing is found."""
    exercise, message, results = half.exercise, verdict.message, half.results()
    right = {case: exercise.expected(case) for case in results}
    if same_results(results, right):
        return ""  # the line of the result, or one that changes no number
    if verdict.ok:
        return "it is not right"
    if "+" in (verdict.mistake or ""):
        return "there are no two mistakes in it"
    shapes = re.search(r"The shape .*?: (\(.*?\)) came, (\(.*?\)) is", message)
    if shapes and not any(
        got.kind == ARRAY
        and str(got.array.shape) == shapes[1]
        and str(right[case].array.shape) == shapes[2]
        for case, got in results.items()
    ):
        return "these are not the shapes of what it returns"
    if verdict.mistake == "an_input":
        return not_the_input(half, message)
    if verdict.mistake == "half_way":
        return not_the_value(half, message) or not_missing(half, message)
    known = {mistake.id: mistake for mistake in exercise.mistakes}
    ways = known[verdict.mistake].edits if verdict.mistake in known else ()
    if (
        known
        and ways
        and numbers(results)
        and not any(
            same_results(
                results, {c: exercise.expected(c, **edits) for c in results}
            )
            for edits in ways
        )
    ):
        return "the mistake gives other numbers"
    return ""


def numbers(results):
    return any(answer.kind == ARRAY for answer in results.values())


def not_the_input(half, message):
    name = re.match(r"You return `(\w+)` as it came", message)[1]
    mine = half.results(basic=True)
    given = [h for h in inputs_of(half.exercise) if h.value == name]
    if any(same_results(mine, h.results(basic=True)) for h in given):
        return ""
    return f"it does not return {name}"


def not_the_value(half, message):
    said = re.match(r"You return (.*?): right so far", message)[1]
    words = half.exercise.on_the_way
    texts = [value for value, text in words.items() if text == said]
    if not texts:
        return "" if "way to the result" in said or said[0] == "`" else said
    exercise, mine = half.exercise, half.results(basic=True)
    called = {
        ast.unparse(rest[0].value): ast.unparse(rest[0].targets[0])
        for _, rest, _ in places(exercise)
        if isinstance(rest[0], ast.Assign)
    }
    for other in (*named_values_of(exercise), *parts_of(exercise)):
        if not {other.value, called.get(other.value)} & {*texts}:
            continue
        if same_results(mine, other.results(basic=True)):
            return ""
    return f"it does not return {said}"


def not_missing(half, message):
    found = re.search(r"not the result yet\. (.*) (is|are) still", message)
    if not found:
        return ""
    later = "\n".join(map(ast.unparse, half.rest))
    for words in re.split(r", | and ", found[1]):
        step = re.sub(r"^(an?|the) ", "", words[0].lower() + words[1:])
        written = STEPS.get(step, STEPS.get(words[2:], step.strip("`")))
        if written not in later and step.strip("`") not in half.exercise.inputs:
            return f"{words} does not come later"
    return ""


def sampled(names):
    """All kinds of halves; what takes long is marked, and parts of lines."""
    for name in names:
        for of in (inputs_of, named_values_of, parts_of):
            some = name not in SLOW and of is not parts_of
            yield pytest.param(
                name, of, marks=[] if some else [pytest.mark.whole]
            )


@pytest.mark.parametrize(("name", "of"), [*sampled(EXERCISES)])
def test_half_an_answer_hears_nothing_untrue(name, of):
    for half in of(EXERCISES[name]):
        verdict = judge(EXERCISES[name], half.answer)
        found = untrue(half, verdict)
        assert not found, (half.value, found, verdict)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.whole] if name in PARTS else [])
        for name in EXERCISES
        if name not in SLOW
    ],
)
def test_an_input_and_a_little_more_is_not_two_mistakes(name):
    """Numbers are so simple there that many pairs give them by accident."""
    for half in like_inputs_of(EXERCISES[name]):
        verdict = judge(EXERCISES[name], half.answer)
        assert "+" not in (verdict.mistake or ""), (half.value, verdict)


@pytest.mark.parametrize("name", EXERCISES)
def test_words_are_of_values_that_may_be_returned(name):
    values = {half.value for half in halves(EXERCISES[name].solve)}
    assert set(EXERCISES[name].on_the_way) <= values


# ------------------------------------------------- what a beginner reads


def shift(x, axis=-1):
    return x - x.max(axis, keepdims=True)


def first_words(verdict):
    return re.match(r".*?[.:](?= |$)", verdict.message)[0]


@pytest.mark.parametrize(
    ("check", "answer", "mistake", "says"),
    [
        ("softmax", lambda x, axis: x, "an_input",
         "You return `x` as it came."),
        ("softmax", shift, "half_way", "You return the shifted scores:"),
        ("softmax", lambda x, axis: np.exp(x), "not_divided",
         "You take the exponential and stop there:"),
        ("softmax", lambda x, axis: x.max(axis, keepdims=True), "half_way",
         "You return the largest scores:"),
        ("stable_softmax", lambda x: x, "an_input",
         "You return `x` as it came."),
        ("stable_softmax", np.exp, None, "The first thing that breaks:"),
        ("stable_softmax", shift, "half_way", "You return the shifted scores:"),
        ("encoder_layer", lambda x, attn, ffn, ln: attn(x), "half_way",
         "You return what `attn` makes of `x`:"),
        ("attention", lambda Q, K, V: Q @ K.mT, "half_way",
         "You return the scores, not scaled yet:"),
        ("attention", lambda Q, K, V: V, "an_input",
         "You return `V` as it came."),
        ("rms_norm", lambda x, gamma, eps: x**2, "half_way",
         "You return the squares of x:"),
    ],
)  # fmt: skip
def test_who_checks_half_way_hears_what_is_returned(
    check, answer, mistake, says
):
    verdict = getattr(checks, check)(answer)
    assert (verdict.mistake, first_words(verdict)) == (mistake, says)


def test_what_is_still_missing_is_named_in_order():
    assert checks.stable_softmax(shift).message == (
        "You return the shifted scores: right so far, but not the result yet. "
        "An exponential, a sum and a division are still missing."
    )


def built(name, forward):
    """Check the class of a part with another `forward`."""
    right = part(name).EXERCISE.solve.thing
    return checks.build(type(name, (right,), {"forward": forward}))


def only_two_maps(self, query, key, value, mask=None):
    return self.out_proj(self.q_proj(query))


def only_one_map(self, query, key, value, mask=None):
    return self.q_proj(query)


@pytest.mark.parametrize(
    ("name", "forward", "says"),
    [
        ("LayerNorm", lambda self, x: self.weight * x + self.bias,
         "each token must come out with the mean 0"),
        ("LayerNorm", lambda self, x: x - x.mean(-1, keepdim=True),
         "You return the differences from the mean:"),
        ("FeedForward", lambda self, x: self.linear1(x),
         "You return the inner vectors before the ReLU:"),
        ("MultiHeadAttention", only_two_maps, "`k_proj` is never called"),
        ("MultiHeadAttention", only_one_map,
         "You return the projected queries:"),
        ("EncoderLayer", lambda self, x, mask=None: x,
         "You return `x` as it came."),
        ("PositionalEncoding", lambda self, x: x + 1,
         "all angles are 0"),
    ],
)  # fmt: skip
def test_an_unfinished_class_hears_what_it_returns(name, forward, says):
    verdict = built(name, forward)
    assert says in verdict.message, verdict
    assert "at once" not in verdict.message and "shape" not in verdict.message


# ------------------------------------------------ of two mistakes, the fault

PRAISE = (
    r"(?<!not )\b(is|are|was|looks?) (all |split )?(right|correct|fine)\b"
    r"|\bright (but|search|so far)\b|\beverything is\b|\b[Oo]nly one thing"
)
FAULTS = r"that (is|are) right|which one is right|how many sentences are right"


def told_in_a_pair(message):
    """The first sentence, and where it may end before a number."""
    whole = re.match(r".*?[.!?](?= |$)|.*", message)[0]
    ends = [cut.start() for cut in re.finditer(r"[:;,] | \(", whole)]
    return [whole, *(whole[:end] for end in ends)]


def shows(exercise, mistake):
    """True for a mistake that a basic case shows: it may be one of two."""
    return any(
        not matching.agree(
            exercise.expected(case, **mistake.edits[0]), exercise.expected(case)
        )
        for case in exercise.cases
        if case.basic
    )


@pytest.mark.parametrize("name", EXERCISES)
def test_what_is_told_of_one_of_two_mistakes_is_no_praise(name):
    exercise = EXERCISES[name]
    for mistake in exercise.mistakes:
        for text in told_in_a_pair(mistake.message):
            if re.search(PRAISE, re.sub(FAULTS, "", text)) and mistake.edits:
                assert not shows(exercise, mistake), (mistake.id, text)


@pytest.mark.parametrize(
    ("name", "first", "second", "says"),
    [
        ("train_step", "not_clipped", "returned_the_total",
         "You return the total loss of the batch"),
        ("beam", "penalty_only_at_the_end", "returned_the_mean",
         "The number beside the tokens is the mean per token"),
        ("label_smoothing_loss", "share_of_wrong_classes_for_all",
         "padding_counted", "Padding counted"),
    ],
)  # fmt: skip
def test_of_a_pair_both_faults_are_told(name, first, second, says):
    exercise = EXERCISES[name]
    known = {mistake.id: mistake for mistake in exercise.mistakes}
    edits = known[first].edits[0] | known[second].edits[0]
    verdict = judge(exercise, exercise.variant(edits))
    assert set(verdict.mistake.split("+")) == {first, second}
    assert says in verdict.message and "right" not in verdict.message
