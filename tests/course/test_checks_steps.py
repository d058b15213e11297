"""Where the numbers of an answer part from the right ones.

An answer is listened to on its way to a wrong result; only what is true of
its numbers may be said, and nothing where it goes another way.
"""

import sys
import textwrap

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.checks.code.attention import EXERCISE as ATTENTION
from transformer_course.checks.code.encoder_layer import (
    EXERCISE as WIRING,
)
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.parting import parting
from transformer_course.checks.engine.steps import (
    CALL,
    MOST,
    NAMED,
    UNUSED,
    Step,
    recorder,
)
from transformer_course.checks.engine.submission import Submission
from transformer_course.checks.parts import part
from transformer_course.grading.running.handed_in import HandedIn
from transformer_lib.numpy_reference import softmax

NETWORK = """
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        hidden = F.relu(self.linear1(x))
        return self.linear2(hidden)
"""
HEADS = """
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, query, key, value, mask=None):
        q, k, v = self.q_proj(query), self.k_proj(key), self.v_proj(value)
        q, k, v = (x.unflatten(-1, (self.h, -1)).transpose(1, 2)
                   for x in (q, k, v))
        if mask is not None and mask.ndim > 2:
            mask = mask.unsqueeze(1)
        z = attend(q, k, v, mask)
        return self.out_proj(z.transpose(1, 2).flatten(2))
"""
LAYER = """
class EncoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.dropout, self.first = nn.Dropout(dropout), norm_first

    def forward(self, x, mask=None):
        if self.first:
            z = self.norm1(x)
            x = x + self.dropout(self.self_attention(z, z, z, mask))
            return x + self.dropout(self.feed_forward(self.norm2(x)))
        h = self.self_attention(x, x, x, mask)
        z = self.norm1(x + self.dropout(h))
        return self.norm2(z + self.dropout(self.feed_forward(z)))
"""
WAYS = {"FeedForward": NETWORK, "MultiHeadAttention": HEADS,
        "EncoderLayer": LAYER}  # fmt: skip
NAMES = {
    "torch": torch, "nn": nn, "F": F, "math": __import__("math"),
    "attend": part("scaled_dot_product_attention").EXERCISE.solve.thing,
    **{n: part(n).EXERCISE.solve.thing for n in (*WAYS, "LayerNorm")},
}  # fmt: skip


def written(name, old="", new=""):
    """A class as a reader writes it, with one place changed."""
    source = WAYS[name]
    assert source.count(old) == 1 or not old
    own = dict(NAMES)
    exec(textwrap.dedent(source.replace(old, new) if old else source), own)
    return own[name]


def first_output(exercise, named=()):
    cases = [c for c in exercise.cases if c.args[1] == "output"]
    return next(c for c in cases if not named or c.name == named)


def said_of(exercise, answer, case):
    """What is said, whether or not a mistake has a name."""
    given = {n: x for n, x in zip(exercise.inputs, case.args, strict=False)
             if isinstance(x, np.ndarray)}  # fmt: skip
    right = Submission(exercise, exercise.variant({}))
    theirs = Submission(exercise, answer)
    return parting(
        right.steps(case.args, 5.0),
        theirs.steps(case.args, 5.0),
        given,
        exercise.expected(case).array,
        theirs.run(case.args, 5.0).array,
        isinstance(exercise.solve.thing, type),
    )


def said_of_part(name, old, new, case=""):
    exercise = part(name).EXERCISE
    answer = written(name, old, new)
    return said_of(exercise, answer, first_output(exercise, case))


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        (
            "FeedForward", "F.relu(self.linear1(x))", "self.linear1(x) / 2",
            "`linear1` gets and gives the right numbers. What comes into "
            "`linear2` does not agree: the first difference, at [0, 0, 0], is ",
        ),
        (
            "FeedForward", "self.linear1(x)", "self.linear1(2 * x)",
            "What comes into `linear1` does not agree: each number is 2 times "
            "the wanted one.",
        ),
        (
            "FeedForward", "self.linear2(hidden)", "-self.linear2(hidden)",
            "`linear1` and `linear2` get and give the right numbers. The "
            "result should be what `linear2` gives, and is not: each number "
            "has the other sign.",
        ),
        (
            "EncoderLayer", "self.dropout, self.first",
            "self.norm2 = self.norm1; self.dropout, self.first",
            "`norm1` and `norm2` are one and the same layer.",
        ),
        (
            "MultiHeadAttention", "self.k_proj(key), self.v_proj(value)",
            "self.k_proj(key), self.k_proj(value)",
            "`q_proj` and `k_proj` get and give the right numbers. `v_proj` "
            "is never called.",
        ),
        (
            "EncoderLayer", "self.feed_forward(z)))", "self.feed_forward(x)))",
            "`self_attention` and `norm1` get and give the right numbers. What "
            "comes into `feed_forward` does not agree: it is equal to the "
            "input `x`.",
        ),
        (
            "EncoderLayer", "self.norm1(x + self.dropout(h))",
            "self.norm1(x) + self.dropout(h)",
            "`self_attention` gets and gives the right numbers. What comes "
            "into `norm1` does not agree: it is equal to the input `x`.",
        ),
        (
            "EncoderLayer", "self.norm2(z + ", "self.norm2(x + ",
            "`self_attention`, `norm1` and `feed_forward` get and give the "
            "right numbers. What comes into `norm2` does not agree: it is "
            "equal to the input `x` plus what `feed_forward` gives.",
        ),
        (
            "EncoderLayer", "self.self_attention(x, x, x, mask)",
            "self.self_attention(x, x, -x, mask)",
            "What comes into `self_attention` as its third input, `value`, "
            "does not agree: each number has the other sign.",
        ),
    ],
)  # fmt: skip
def test_the_first_layer_that_gets_or_gives_other_numbers(name, old, new, said):
    assert said_of_part(name, old, new).startswith(said)


def test_a_right_way_in_other_words_agrees_in_every_step():
    for name in WAYS:
        exercise = part(name).EXERCISE
        case = first_output(exercise)
        said = said_of(exercise, written(name), case)
        assert " not agree" not in said and " gives others" not in said
        assert "right numbers" in said


def test_a_mask_that_is_missing_or_another():
    calls = "self.self_attention(x, x, x, mask)"
    none = said_of_part("EncoderLayer", calls, calls[:-7] + ")", "causal")
    assert none.startswith(
        "The mask that comes into `self_attention` does not agree: None came, "
        "an array is wanted."
    )
    other = calls.replace("mask", "~mask")
    said = said_of_part("EncoderLayer", calls, other, "causal")
    assert "does not agree: the first difference, at [0, 0], is 0" in said
    wide = calls.replace("mask", "mask.expand(2, 3, 3)")
    said = said_of_part("EncoderLayer", calls, wide, "causal")
    assert "mask" not in said


def test_nothing_is_said_of_layers_that_are_used_in_another_way():
    by_hand = "F.linear(x, self.linear1.weight, self.linear1.bias)"
    old = "F.relu(self.linear1(x))"
    assert said_of_part("FeedForward", old, by_hand) == ""
    pieces = "torch.cat([self.linear1(t) for t in x.split(1, 1)], 1)"
    assert said_of_part("FeedForward", old, pieces) == ""


ONE, TWO = np.array([[1.5, 2.0, 4.0]]), np.array([[0.5, 3.0, 7.5]])


def call(name, array, result, given=("x",)):
    return Step(CALL, name, (array,), result, given)


def test_a_layer_that_is_called_too_often_or_not_at_all():
    ours = [call("", ONE, None), call("norm", ONE, TWO)]
    again = [*ours, call("norm", TWO, 3 * ONE)]
    said = parting(ours, again, {}, TWO, 3 * ONE)
    assert said == "`norm` is called twice, where once is wanted."
    repeated = [*ours, call("norm", ONE, TWO)]
    assert "called" not in parting(ours, repeated, {}, TWO, 3 * ONE)
    missing = [ours[0], Step(UNUSED, "norm")]
    said = parting(ours, missing, {}, TWO, 3 * ONE)
    assert said == "`norm` is never called."
    assert parting(ours, ours[:1], {}, TWO, 3 * ONE, True) == ""


def test_a_layer_that_gives_other_numbers_for_the_right_ones():
    ours = [call("", ONE, None), call("norm", ONE, TWO)]
    theirs = [ours[0], call("norm", ONE, TWO + 2)]
    assert parting(ours, theirs, {}, TWO, TWO + 2) == (
        "`norm` gets the right numbers and gives others: each number is 2 "
        "more than the wanted one."
    )


def test_what_comes_in_is_equal_to_what_came_before_only():
    ours = [call("", ONE, None), call("a", ONE, TWO), call("b", TWO, ONE * 9)]
    late = call("c", ONE, ONE * TWO)
    theirs = [*ours[:2], call("b", ONE * TWO, ONE)]
    for steps, equal in ((theirs + [late], False),
                         (theirs[:2] + [late] + theirs[2:], True)):  # fmt: skip
        said = parting(ours, steps, {}, ONE * 9, ONE)
        assert ("it is equal to what `c` gives" in said) == equal


def test_layers_in_a_list_have_its_name_and_their_number():
    exercise = part("Transformer").EXERCISE
    right = Submission(exercise, exercise.variant({}))
    steps = right.steps(first_output(exercise).args, 5.0)
    assert {"encoder[0]", "decoder[1]"} <= {step.name for step in steps}


def test_masks_and_counts_agree_by_accident():
    for array in (np.tri(3), np.full(4, 0.5), np.array(3.0), np.array(0.1)):
        steps = [Step(NAMED, "s", (), array)]
        assert parting(steps, steps, {}, ONE, TWO) == ""
    steps = [Step(NAMED, "s", (), np.array(1 / 7))]
    said = parting(steps, steps, {}, ONE, TWO)
    assert said == "Your `s` holds the right number."


def attention(lines):
    own = {"np": np, "softmax": softmax}
    body = textwrap.indent(textwrap.dedent(lines), "    ")
    exec(f"def attention(Q, K, V):\n{body}", own)
    return own["attention"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            """
            s = Q @ K.mT / Q.shape[-1] ** 0.5
            w = softmax(s)
            return np.round(w @ V, 1)
            """,
            "Your `s` and `w` hold the right numbers.",
        ),
        (  # the last array with this name counts
            """
            s = Q @ K.mT / Q.shape[-1] ** 0.5
            s = softmax(s) ** 2
            return s @ V
            """,
            "",
        ),
        (
            """
            scores = Q @ K.mT / Q.shape[-1] ** 0.5
            weights = softmax(scores ** 2)
            return weights @ V
            """,
            "Your `scores` holds the right numbers. Your `weights` does not: "
            "the first difference, at [0, 0], is ",
        ),
        (
            """
            scores = Q @ K.mT / Q.shape[-1] ** 0.5 / 7
            return softmax(scores) @ V
            """,
            "Here each number in your `scores` is 0.1429 times the right one.",
        ),
        (  # a root that comes later may make it good
            """
            scores = Q @ K.mT
            return softmax(scores / Q.shape[-1] ** 0.5) ** 2 @ V
            """,
            "",
        ),
        ("return 3 * softmax(Q @ K.mT / Q.shape[-1] ** 0.5) @ V",
         "In the result of this example, each number is 3 times the wanted "
         "one."),
    ],
)  # fmt: skip
def test_names_that_hold_right_numbers(lines, said):
    found = said_of(ATTENTION, attention(lines), ATTENTION.cases[1])
    assert found.startswith(said) and bool(found) == bool(said)


def test_functions_that_are_handed_over_are_listened_to():
    def wired(x, attn, ffn, ln):
        z = ln(x + attn(x))
        return ln(x + ffn(z))

    (case,) = (c for c in WIRING.cases if c.name == "learned")
    assert said_of(WIRING, wired, case) == (
        "`attn`, `ln` and `ffn` get and give the right numbers. What comes "
        "into the second call of `ln` does not agree: it is equal to the input "
        "`x` plus what `ffn` gives."
    )


@pytest.mark.parametrize(
    ("came", "said"),
    [
        (ONE.T, "the shape (3, 1) came, (1, 3) is wanted."),
        (2 * ONE[0], "each number is 2 times the wanted one."),
        (ONE + 1, "each number is 1 more than the wanted one."),
        (ONE[:, ::-1], "axis 1 runs the other way round."),
        (ONE + TWO, "the first difference, at [0, 0], is 2 instead of 1.5."),
    ],
)  # fmt: skip
def test_two_arrays_differ_in_one_way_or_in_the_first_number(came, said):
    ours = [call("", TWO * TWO, None), call("map", ONE, TWO)]
    theirs = [ours[0], call("map", came, TWO - 9)]
    assert parting(ours, theirs, {}, TWO, -ONE) == (
        f"What comes into `map` does not agree: {said}"
    )


def test_the_judge_asks_only_where_nothing_else_is_known(monkeypatch):
    asked = []
    listen = Submission.steps
    monkeypatch.setattr(
        Submission,
        "steps",
        lambda self, args, seconds: (
            asked.append(1) or listen(self, args, seconds)
        ),
    )
    exercise = part("FeedForward").EXERCISE
    assert judge(exercise, written("FeedForward")).ok
    forgotten = written("FeedForward", "F.relu(self.linear1(x))", "x")
    assert judge(exercise, forgotten).message and not asked
    halved = "F.relu(self.linear1(x)) / 2"
    slip = written("FeedForward", "F.relu(self.linear1(x))", halved)
    verdict = judge(exercise, slip)
    assert verdict.mistake is None and len(asked) == 2
    assert verdict.message.startswith("The form is right, the values are not")
    assert verdict.message.endswith(
        "`linear1` gets and gives the right numbers. What comes into "
        "`linear2` does not agree: each number is 0.5 times the wanted one."
    )


def test_nobody_hears_an_endless_answer_or_one_that_fails():
    case = ATTENTION.cases[0]
    many = attention(f"x = V\nfor _ in range({MOST}): x = x + 1\nreturn x @ K")
    assert Submission(ATTENTION, many).steps(case.args, 5.0) == []
    fails = attention("s = Q @ K.mT\nreturn s.nothing")
    assert Submission(ATTENTION, fails).steps(case.args, 5.0) == []


def test_whoever_else_traces_goes_on():
    before = sys.gettrace()
    play, steps = recorder(lambda f, x: f(x), lambda f: f, ("x",))
    try:
        sys.settrace(lambda *frame: None)
        mine = sys.gettrace()
        assert play(twice, ONE.copy()) is not None and sys.gettrace() is mine
    finally:
        sys.settrace(before)
    assert [(s.kind, s.name) for s in steps] == [(NAMED, "y")]


def twice(x):
    x += 1  # an input that is written into holds no step
    same = x
    y = 2 * same
    return y


def test_steps_from_another_process_have_the_known_form():
    class Process:
        def ask(self, what, **given):
            assert what == "steps"
            return self.said

    process = Process()
    answer = HandedIn(ATTENTION, process)
    good = {"kind": NAMED, "name": "s", "inputs": (), "result": ONE,
            "given": ()}  # fmt: skip
    process.said = [good, good | {"inputs": (None, ..., TWO)}]
    assert [s.name for s in answer.steps((), 1.0)] == ["s", "s"]
    for forged in (
        {"name": "<b>"}, {"kind": "x"}, {"result": "1"}, {"inputs": 3},
        {"inputs": (object(),)}, {"more": 1},
    ):  # fmt: skip
        process.said = [good, good | forged]
        assert answer.steps((), 1.0) == []
    process.said = None
    assert answer.steps((), 1.0) == []
