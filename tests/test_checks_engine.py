"""What the checks' engine says, whichever exercise it is about.

Stubs, and the names and numbers in messages.
"""

import dataclasses

import numpy as np
import pytest
import torch

from transformer_lib.course import checks
from transformer_lib.course.checks import guard, reading

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


@pytest.mark.parametrize(
    ("check", "answer", "says", "never"),
    [
        ("train_step", lambda m, o, b, f, c: 0, "with 6 inputs", "batches"),
        ("train_step", lambda m: 0, "takes `m`", "batches"),
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


def step_in_place(model, optimizer, batch, loss_fn, clip, rate):
    batch.target_out[:] = 3
    return 1.0


class CachedInPlace:
    def __init__(self, W_Q, W_K, W_V, P):
        self.P, self.t = P, 0

    def step(self, x):
        x += self.P[self.t]
        self.t += 1
        return x[:, :2]

    def select(self, rows):
        pass


def tied_in_place(name):
    class TiedEmbedding:
        def __init__(self, V, d):
            self.table = np.random.default_rng(0).normal(size=(V, d))
            self.table /= np.sqrt(d)

        def embed(self, ids):
            if name == "ids":
                ids += 0 * ids + 1
                return self.table[ids - 1] * np.sqrt(self.table.shape[1])
            return self.table[ids] * np.sqrt(self.table.shape[1])

        def logits(self, h):
            scores = h @ self.table.T
            if name == "h":
                h *= 2
            return scores

    return TiedEmbedding


@pytest.mark.parametrize(
    ("check", "answer", "name"),
    [
        ("train_step", step_in_place, "batch"),
        ("Cached", CachedInPlace, "x"),
        ("TiedEmbedding", tied_in_place("ids"), "ids"),
        ("TiedEmbedding", tied_in_place("h"), "h"),
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


def nothing(*args):
    return 1.0


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
    ],
)
def test_what_changes_is_called_changed(value, change):
    answer = guard.call(change, (value,), ("value",))
    assert answer.changed == ("value",)


# ----------------------------------------------------------- reading


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
