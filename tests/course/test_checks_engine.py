"""What the checks' engine says, whichever exercise it is about.

What is printed, whole numbers that stop a program, mistakes named by their
error, stubs, names and numbers in messages, and the verdict as a truth value.
"""

import dataclasses
import pydoc
import re
import sys

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course import checks
from transformer_course.checks import parts
from transformer_course.checks.code.softmax import (
    EXERCISE as softmax_exercise,
)
from transformer_course.checks.engine import guard, reading
from transformer_course.checks.engine import verdict as verdict_module
from transformer_course.checks.engine.judge import judge
from transformer_course.grading.reading.exercises import exercise_of
from transformer_lib import numpy_reference as reference

NAMES = sorted(set(checks.__all__) - set(checks.TOOLS))


def shares(x, axis):
    """A right answer to `softmax`."""
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def views(verdict):
    return repr(verdict), verdict._repr_html_()


# ---------------------------------------------------------------- printing


def test_what_the_shown_call_prints_is_shown():
    def softmax(x, axis):
        print("the shape", x.shape)
        print("to stderr", file=sys.stderr)
        return shares(x, 0)

    verdict = checks.softmax(softmax)
    assert verdict.mistake == "always_the_first_axis"
    assert verdict.printed == "the shape (2, 3)\nto stderr"  # of one call
    text, page = views(verdict)
    assert "  printed   the shape (2, 3)\n            to stderr\n" in text
    assert "the shape (2, 3)\nto stderr</pre>" in page


def test_what_is_printed_before_an_error_is_shown_beside_it():
    def attention(Q, K, V):
        print("Q", Q.shape)
        return Q.reshape(7, -1)

    verdict = checks.attention(attention)
    assert "axes of (7, -1) hold 7 numbers" in verdict.message
    assert all("Q (" in view for view in views(verdict))


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (lambda x, axis: (print("seen"), shares(x, axis))[1], "right"),
        (lambda x, axis: (print("seen"), ...)[1], "not attempted"),
        (lambda x, axis: (print("seen"), ... + 1)[1], "not attempted"),
        (lambda x, axis: print("seen"), "wrong"),
        (lambda x, axis: (print("seen"), sys.exit())[1], "wrong"),
    ],
)
def test_what_is_printed_is_shown_with_every_status(answer, status):
    verdict = checks.softmax(answer)
    assert verdict.status == status and verdict.printed == "seen"
    assert all("seen" in view for view in views(verdict))


def test_who_prints_nothing_reads_nothing_about_printing():
    for answer in (shares, lambda x, axis: x, lambda x, axis: print() or x):
        verdict = checks.softmax(answer)
        assert verdict.printed == ""
        assert not any("printed" in view for view in views(verdict))


def test_a_class_and_a_construction_print_too():
    class BatchNorm:
        seen = []

        def __init__(self, d):
            print("d is", d)

        def __call__(self, x, training):
            self.seen.append(x)
            return x + len(self.seen)

    verdict = checks.BatchNorm(BatchNorm)
    assert verdict.mistake == "shared_by_all_objects"
    assert "d is 3" in verdict.printed


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("a\tb", "a   b"),
        ("10 %\r20 %\r\n", "10 %\n20 %"),
        ("\u202eabc\ud800", r"\u202eabc\ud800"),
        ("개만 잤다", "개만 잤다"),
        ("<script>x</script>", "<script>x</script>"),
        ("x" * 5000, "x" * 77 + "..."),
    ],
)
def test_control_characters_and_long_lines_are_made_harmless(text, shown):
    verdict = checks.softmax(lambda x, axis: print(text))
    assert verdict.printed == shown
    assert "<script" not in verdict._repr_html_()


def test_of_many_lines_the_first_and_the_last_are_shown():
    def counts(x, axis):
        for i in range(3000):
            print("line", i, "and so on" * 10)

    lines = checks.softmax(counts).printed.splitlines()
    assert lines[0].startswith("line 0 ")
    assert lines[-1].startswith("line 2999 ")
    assert "..." in lines and len(lines) <= 12
    assert max(map(len, lines)) <= 80
    twelve = "\n".join("abcdefghijkl")
    assert checks.softmax(lambda x, axis: print(twelve)).printed == twelve


# ----------------------------------------------------------- whole numbers


def in_torch(x, axis):
    return torch.softmax(torch.tensor(x), dim=axis)


def divides_in_place(x, axis):
    e = x - x.max(axis=axis, keepdims=True)
    np.exp(e, out=e)
    e /= e.sum(axis=axis, keepdims=True)
    return e


def attends_in_torch(Q, K, V):
    Q, K, V = map(torch.tensor, (Q, K, V))
    return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1) @ V


class NormInPlace:
    def __init__(self, d):
        self.gamma, self.beta = np.ones(d), np.zeros(d)
        self.mean, self.var = np.zeros(d), np.ones(d)

    def __call__(self, x, training):
        mean, var, n = x.mean(axis=0), x.var(axis=0), len(x)
        if training:
            self.mean += 0.1 * (mean - self.mean)
            self.var += 0.1 * (var * n / (n - 1) - self.var)
        else:
            mean, var = self.mean, self.var
        y = x.copy()
        y -= mean
        return y / np.sqrt(var + 1e-5) * self.gamma + self.beta


@pytest.mark.parametrize(
    ("check", "answer", "name", "error"),
    [
        ("softmax", in_torch, "x", "not implemented for 'Long'"),
        ("softmax", divides_in_place, "x", "Cannot cast ufunc"),
        ("attention", attends_in_torch, "Q", "RuntimeError"),
        ("BatchNorm", NormInPlace, "x", "Cannot cast ufunc"),
    ],
)
def test_whole_numbers_that_stop_a_program_are_named(
    check, answer, name, error
):
    verdict = getattr(checks, check)(answer)
    assert verdict.mistake == "whole_numbers"
    assert error in verdict.message
    assert f"whole numbers (`{name}` has the dtype int64)" in verdict.message
    assert "right answer" in verdict.message
    assert ".astype(float)" in verdict.message


def test_whole_numbers_and_other_faults_are_told_apart():
    def near(x, axis):  # wrong everywhere, and stopped by whole numbers
        return in_torch(x, axis) * 0.9

    assert "sums to 0.9" in checks.softmax(near).message

    def lost(x, axis):  # stopped for another reason
        return shares(x, axis)[: 1 if x.max() != 3 else undefined]

    def no_threes(x, axis):
        if (x == 3).any() and x.size == 6 and x.dtype != float:
            raise ValueError("no")
        if x.size == 6 and (x.astype(int) == x).all() and x.max() == 3:
            raise ValueError("not these numbers")
        return shares(x, axis)

    for answer in (lost, no_threes):
        assert "whole numbers" not in checks.softmax(answer).message


def test_a_changed_input_of_whole_numbers_is_said_as_it_is():
    def f(x, axis):
        x -= x.max(axis, keepdims=True)
        np.exp(x, out=x)
        x /= x.sum(axis, keepdims=True)
        return x

    verdict = checks.softmax(f)
    assert verdict.mistake == "changes_its_input"
    assert verdict.message.startswith(
        "The values are right for decimals, but your function changes `x` "
    )
    change, whole = verdict.message.split(" Where `x` holds whole numbers, ")
    assert "np.exp(x, out=x)" in whole and "int64" not in change


def test_an_input_changed_by_plus_is_the_first_thing_that_is_said():
    def encoder_layer(x, attn, ffn, ln):
        x += attn(x)
        z = ln(x)
        return ln(z + ffn(z))

    verdict = checks.encoder_layer(encoder_layer)
    assert verdict.mistake == "changes_its_input"
    first, _, rest = verdict.message.partition(". ")
    assert "changes `x` while it works" in first and "int64" not in first
    assert "in the line `x += attn(x)`" in rest


# ------------------------------------------------- others in the next call


class Makes(nn.Module):
    """Makes a layer anew in each call."""

    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        new = nn.Linear(x.shape[-1], x.shape[-1], dtype=x.dtype)
        return self.linear2(torch.relu(self.linear1(new(x))))


def draws(x, axis):
    return shares(x + 0.1 * np.random.rand(*x.shape), axis)


def draws_unseeded(x, axis):
    return shares(x * np.random.default_rng().random(), axis)


def remembers(x, axis, calls=[]):  # noqa: B006
    calls.append(x)
    return shares(x * len(calls), axis)


@pytest.mark.parametrize(
    ("verdict", "says"),
    [
        (lambda: checks.build(type("FeedForward", (Makes,), {})),
         "in each call, for example a layer made inside `forward`"),
        (lambda: checks.softmax(draws), "something random happens in each "
         "call."),
        (lambda: checks.softmax(draws_unseeded), "on random numbers or on"),
        (lambda: checks.softmax(remembers), "an earlier call has left"),
    ],
)  # fmt: skip
def test_numbers_that_change_from_call_to_call_are_said_to_do_so(verdict, says):
    verdict = verdict()
    assert verdict.mistake == "different_each_time"
    assert "Two calls with the same input give different" in verdict.message
    assert says in verdict.message
    assert verdict.example.received.endswith("other numbers in each call")
    assert "[" not in verdict.example.received


def test_wrong_numbers_that_stay_are_not_called_random():
    def near(x, axis):
        torch.rand(1), np.random.rand()  # drawn, and not used
        return shares(x, axis) * 0.9

    verdict = checks.softmax(near)
    assert "sums to 0.9" in verdict.message and verdict.mistake is None


def drawn(x):
    return x + np.random.rand()


def test_where_the_right_answer_draws_too_nothing_is_said():
    check = checks.exercise(drawn, cases=[(np.ones(3),)])
    assert check(lambda x: x - np.random.rand()).mistake is None


def test_of_two_mistakes_each_is_told_in_a_sentence_with_its_own_numbers():
    def attention(Q, K, V):
        e = np.exp(Q @ np.swapaxes(K, -1, -2) / Q.shape[-1])
        return e / e.sum() @ V

    verdict = checks.attention(attention)
    assert verdict.mistake == "divided_by_d_k+softmax_over_everything"
    assert verdict.message == (
        "Two things at once. (1) You divide by d_k = 4 and not by its root "
        "(or twice by the root, once in Q and once in K). (2) One softmax runs "
        "over all scores, so all weights together sum to 1, and the results "
        "come out too close to 0. Mend one and run the check again."
    )


# --------------------------------------------------- what a verdict repeats


def table(x):
    return x * 2.0


LARGE = np.arange(60.0).reshape(3, 5, 4)


def in_one_place(place):
    def student(x):
        y = table(x)
        y[place] = -7.0
        y.flat[-1] = -7.0
        return y

    return student


@pytest.mark.parametrize(
    ("shape", "place", "part"),
    [
        ((3, 5, 4), (1, 3, 2), "[1, 2:4, :] of the shape (3, 5, 4):"),
        ((4, 30), (3, 29), "[3, 22:30] of the shape (4, 30):"),
        ((9,), (0,), "[0:8] of the shape (9,):"),
        ((40, 1), (20, 0), "[18:22, :] of the shape (40, 1):"),
    ],
)
def test_of_a_large_array_a_part_is_shown(shape, place, part):
    x = np.arange(float(np.prod(shape))).reshape(shape)
    verdict = checks.exercise(table, cases=[(x,)])(in_one_place(place))
    rows = dict(verdict.example.rows())
    assert list(rows) == ["given", "expected", "received", "differs"]
    assert rows["differs"] == f"first at {list(place)}, marked >"
    for name, marked in (("expected", 2 * x[place]), ("received", -7.0)):
        head, *lines = rows[name].split("\n")
        numbers = ", ".join(line.strip("[]") for line in lines).split(", ")
        assert head == part and len(numbers) <= 8
        assert f">{marked:.0f}" in [text.strip() for text in numbers]
        assert len(set(map(len, lines))) == 1
    assert "of the shape" in rows["given"] and ">" not in rows["given"]
    for view in views(verdict):
        assert ".example" in view and "differs" in view
    assert ">" not in repr(verdict.example)
    assert verdict.example.received in repr(verdict.example).replace(
        "\n" + " " * 12, "\n"
    )


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_the_part_that_is_shown_holds_what_is_no_number(bad):
    def student(x):
        y = table(x) + 1
        y[2, 3] = bad
        return y

    x = np.arange(24.0).reshape(6, 4)
    rows = dict(checks.exercise(table, cases=[(x,)])(student).example.rows())
    assert rows["differs"] == f"{bad} first at [2, 3], marked >"
    assert f">{bad}" in rows["received"] and ">22" in rows["expected"]


def test_a_small_array_is_shown_as_it_is():
    x = np.arange(8.0).reshape(2, 4)
    verdict = checks.exercise(table, cases=[(x,)])(in_one_place((1, 1)))
    assert verdict.example.brief == () and ".example" not in repr(verdict)
    lost = checks.exercise(table, cases=[(LARGE,)])(lambda x: x[0, 0])
    rows = dict(lost.example.rows())
    assert rows["received"] == "[0, 1, 2, 3]" and "differs" not in rows
    assert rows["expected"].startswith("[0, 0:2, :] of the shape (3, 5, 4):")


def test_what_is_asked_is_said_with_the_first_verdict_that_is_seen(monkeypatch):
    monkeypatch.setattr(verdict_module, "_first_shown", {})
    unseen, first, later = (checks.softmax(a) for a in (None, None, draws))
    other = checks.attention(None)
    for _ in range(2):  # looking twice shows the same
        for view in views(first):
            assert "e to the power of each score" in view
            assert ".asked" not in view
        for verdict in (later, unseen):
            for view in views(verdict):
                assert "e to the power of each score" not in view
                assert ".asked" in view
    assert "e to the power of each score" in later.asked
    assert repr(later.asked) == str(later.asked)
    assert "returns softmax(Q K^T" in repr(other)
    assert "e to the power of each score" in repr(later.in_full())
    for _ in range(2):  # not through the front door
        direct = judge(softmax_exercise, None)
        assert "e to the power of each score" in repr(direct)


# ------------------------------------------------------------------- texts


def test_no_text_is_shown_with_an_empty_place():
    exercises = [exercise_of(name) for name in (*NAMES, *parts.PARTS)]
    for exercise in filter(None, exercises):
        texts = [exercise.asked, exercise.praise, *exercise.hints]
        texts += [mistake.hint for mistake in exercise.mistakes]
        for text in texts:
            assert not re.search(r"{\w+}", text), (exercise.name, text)


def test_names_of_weights_are_told_in_words():
    class LayerNorm(nn.Module):
        def __init__(self, d_model, eps=1e-5):
            super().__init__()
            self.gamma = nn.Parameter(torch.ones(d_model))
            self.bias = nn.Parameter(torch.zeros(d_model))

        def forward(self, x):
            return F.layer_norm(x, x.shape[-1:], self.gamma, self.bias)

    example = checks.build(LayerNorm).example
    assert example.expected == "weight, bias"
    assert example.received == "right: bias\nmissing: weight\nbesides: gamma"
    assert "-1" not in example.given.partition("asked: ")[2]


# ------------------------------------------------------ as a truth value


def test_only_a_right_verdict_is_true():
    assert checks.softmax(shares)
    assert not checks.softmax(lambda x, axis: x)
    assert not checks.softmax(None)
    assert not checks.step_by_hand("x")


# ------------------------------------------- every case raises: the name


def typo_name(*args):
    return lenght(args)


def typo_attribute(*args):
    return args[0].shpae


def typo_call(*args):
    return len(args, 1)


def typo_index(*args):
    return [1, 2][5]


def typo_key(*args):
    return {}["x"]


def typo_text(*args):
    return float("one")


def typo_float(*args):
    return range(2.5)


def typo_call_of_a_number(*args):
    return args[0](args)(3)


def typo_none(*args):
    return None.shape


@pytest.mark.parametrize("name", NAMES)
def test_a_typo_gets_no_name(name):
    home = sys.modules[getattr(checks, name).__module__]
    exercise = getattr(home, "EXERCISE", None)
    if not any(m.raises for m in getattr(exercise, "mistakes", ())):
        return
    for answer in [v for k, v in globals().items() if k.startswith("typo_")]:
        verdict = getattr(checks, name)(answer)
        assert verdict.mistake is None, (answer, verdict)


def test_an_error_names_nothing_where_another_answer_is_wrong():
    def sometimes(A, B):
        if len(A) == 2:
            return A[0, 0] * np.ones((2, B.shape[1]))
        return list(len(A))

    assert checks.matmul(sometimes).mistake != "loop_over_a_number"


# ------------------------------------------------- not attempted, or not


def helper(x):
    raise NotImplementedError


def stub_in_a_helper(x, axis):
    return helper(x)


class Stub:
    def __call__(self, x, axis):
        raise NotImplementedError


@pytest.mark.parametrize("stub", [stub_in_a_helper, Stub()])
def test_a_stub_of_the_students_own_is_not_attempted(stub):
    assert checks.softmax(stub).status == "not attempted"


def sorts_sparse(x, axis):
    return torch.sort(torch.as_tensor(x).double().to_sparse()).values


def forgets_forward(x, axis):
    return torch.nn.Module()(torch.tensor(x))


@pytest.mark.parametrize("answer", [sorts_sparse, forgets_forward])
def test_an_error_of_another_library_is_an_attempt(answer):
    verdict = checks.softmax(answer)
    assert verdict.status == "wrong"
    assert "NotImplementedError" in verdict.message


def test_input_without_a_keyboard_is_an_attempt():
    space = {}
    exec(  # as in a kernel without stdin: the error comes from another file
        compile(
            "class StdinNotImplementedError(NotImplementedError): pass\n"
            "def input(text=''): raise StdinNotImplementedError(text)",
            "kernelbase.py",
            "exec",
        ),
        space,
    )

    def softmax(x, axis):
        return float(space["input"]("your answer?"))

    verdict = checks.softmax(softmax)
    assert verdict.status == "wrong"
    assert "StdinNotImplementedError" in verdict.message


# -------------------------------------------------- names and numbers told


def train_step(m):
    return 0


@pytest.mark.parametrize(
    ("check", "answer", "says", "never"),
    [
        ("build", train_step, "with 4 inputs", "size"),
        ("build", train_step, "takes `m`", "size"),
        ("only", lambda a, b: 0, "with 1 input,", "manner"),
        ("mask_tokens", lambda ids: 0, "with 2 inputs", "batch"),
        ("softmax", lambda x: 0, "with 2 inputs", "batch"),
    ],
)
def test_the_inputs_are_counted_and_named_as_the_chapter_does(
    check, answer, says, never
):
    verdict = getattr(checks, check)(answer)
    assert verdict.mistake == "signature"
    assert says in verdict.message
    assert never not in verdict.hint(1)
    assert f"`{verdict.exercise}`" in verdict.message


def step_in_place():
    def train_step(model, batch, optimizer, lr):
        batch.target_out[:] = 3
        return 1.0

    return train_step


class CachedInPlace:
    def __init__(self, W_Q, W_K, W_V, P):
        self.P, self.t = P, 0

    def step(self, x):
        x += self.P[self.t]
        self.t += 1
        return x[:, :2]

    def select(self, rows):
        pass


@pytest.mark.parametrize(
    ("check", "answer", "name"),
    [
        ("build", step_in_place(), "batch"),
        ("Cached", CachedInPlace, "x"),
    ],
)
def test_a_changed_input_has_the_name_that_the_student_gave_it(
    check, answer, name
):
    verdict = getattr(checks, check)(answer)
    assert f"changes `{name}`" in verdict.message


# ---------------------------------------------- what did not change, is so


class Box:
    def __init__(self, value):
        self.value = value


@dataclasses.dataclass
class Record:
    rows: list


class Incomparable:
    def __eq__(self, other):
        raise RuntimeError


def nothing(*args):
    return 1.0


RING = [1.0]
RING.append(RING)


@pytest.mark.parametrize(
    "value",
    [
        [np.ones(2), torch.ones(2)],
        {"a": [np.zeros((2, 3))], "b": (torch.zeros(1), None)},
        torch.ones(2, requires_grad=True),
        torch.ones(2, dtype=torch.bfloat16),
        torch.tensor([float("nan")]),
        np.array(["a", "b"]),
        np.array([None, "b"], dtype=object),
        np.array([1j, np.nan]),
        Box([np.ones(3), Box(torch.ones(2))]),
        Record([np.ones(2), np.zeros(2)]),
        float("nan"),
        {1, 2},
        print,
        RING,
    ],
)
def test_what_stays_is_not_called_changed(value):
    assert guard.call(nothing, (value,), ("value",)).changed == ()


@pytest.mark.parametrize(
    ("value", "change"),
    [
        ([np.ones(2)], lambda v: v[0].fill(3)),
        ([torch.ones(2)], lambda v: v[0].zero_()),
        ([torch.ones(2)], lambda v: v.append(v[0])),
        (Box([np.ones(2)]), lambda v: v.value[0].fill(3)),
        (Record([np.ones(2)]), lambda v: v.rows[0].fill(3)),
        (Box(1), lambda v: setattr(v, "more", 2)),
        ({"a": np.ones(2)}, lambda v: v.update(a=np.ones(3))),
        (torch.ones(2, dtype=torch.bfloat16), lambda v: v.zero_()),
        (np.array(["a", "b"]), lambda v: v.fill("c")),
        ([1, 2], lambda v: v.sort(reverse=True)),
        (np.ones(2), lambda v: v.resize(3, refcheck=False)),
        (np.ones(2), lambda v: setattr(v, "shape", (2, 1))),
        ([1, 2], lambda v: v.insert(0, float(v.pop(0)))),
        ([Incomparable()], nothing),  # nobody can tell
    ],
)
def test_what_changes_is_called_changed(value, change):
    answer = guard.call(change, (value,), ("value",))
    assert answer.changed == ("value",)


def test_every_changed_input_is_named_once():
    def changes(a, b, c):
        a.append(1), c.clear()

    answer = guard.call(changes, ([1], [2], [3]), ("a", "b", "c"))
    assert answer.changed == ("a", "c")

    def writes_the_same(row):
        row.append(-row.pop())

    answer = guard.call(writes_the_same, ([float("nan")],), ("row",))
    assert answer.changed == ()


# ------------------------------------------------------ help and the rest


def test_dir_shows_the_exercises_and_nothing_internal():
    for name in checks.__all__:
        getattr(checks, name)
    assert dir(checks) == sorted(checks.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_help_is_whole(name):
    text = pydoc.render_doc(getattr(checks, name), renderer=pydoc.plaintext)
    assert text.count("(") == text.count(")")
    for part in ("Args:", "Returns:", "Source:"):
        assert part in text, part
    args = text.split("Args:")[1].split("Returns:")[0]
    assert args.strip().endswith("."), args


def test_texts_of_foreign_objects_are_cut():
    long = "N" * 10**6
    error = type(long, (Exception,), {})

    def raises(x, axis):
        raise error(long)

    for answer in (raises, lambda x, axis: type(long, (), {})()):
        verdict = checks.softmax(answer)
        assert verdict.status == "wrong"
        assert len(repr(verdict)) < 3000


def test_same_agrees_with_numpy():
    values = np.array([0.0, 1.0, 1.000005, 1.1, -1.0, np.inf, -np.inf, np.nan])
    for left in values:
        for right in values:
            want = np.allclose(left, right, 1e-5, 1e-6, equal_nan=True)
            got = reading.same(np.array(left), np.array(right))
            assert got == want, (left, right)


def test_half_precision_is_known_whatever_holds_it():
    half = torch.ones(2, dtype=torch.float16)
    for value in (half, half.numpy(), [half, half], list(half.numpy())):
        assert reading.read(value).tolerance == 2e-3
    rough = half.bfloat16()
    assert reading.read([rough, [rough]]).kind == "unreadable"
    assert reading.read([rough, rough]).tolerance == 4e-3
    assert reading.read((rough, half)).tolerance == 2e-3
    pair = (torch.ones(2, requires_grad=True), half)
    for value in (pair, half.int(), [0.5], [half, half.double()], [], 1):
        assert reading.read(value).tolerance == reading.TOLERANCE
    assert reading.read(pair).array.tolist() == [[1.0, 1.0]] * 2


def test_the_reference_refuses_what_the_exercise_asks_for():
    def softmax(x, axis):
        return reference.softmax(x, axis)

    verdict = checks.softmax(softmax)
    assert verdict.mistake == "uses_the_reference"
    assert "reference.softmax is what" in verdict.message
    assert reference.softmax([0.0, 0.0]).tolist() == [0.5, 0.5]

    def causal(scores):
        seen = np.tri(scores.shape[-1]) > 0
        return reference.softmax(np.where(seen, scores, -np.inf))

    assert checks.causal_weights(causal).ok  # there it is allowed
