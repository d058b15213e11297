"""The checks of chapter 10: real classes, hostile ones, true references."""

import importlib.util
import pathlib
import time

import numpy as np
import pytest
import torch

from transformer_lib import embedding, feed_forward
from transformer_lib import numpy_reference as reference
from transformer_lib.course import checks
from transformer_lib.course.checks import about_ffn, about_tied_embedding
from transformer_lib.course.checks.engine import guard
from transformer_lib.course.checks.paper import budget_by_hand as paper_budget
from transformer_lib.course.checks.paper import two_tokens_by_hand as paper_ffn
from transformer_lib.course.checks.tied_embedding_variants import Table
from transformer_lib.model import Transformer, TransformerConfig

HERE = pathlib.Path(__file__).parent


def load(name):
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class TiedEmbedding:
    def __init__(self, V, d):
        self.table = np.random.default_rng().normal(size=(V, d)) / np.sqrt(d)

    def embed(self, ids):
        return self.table[ids] * np.sqrt(self.table.shape[1])

    def logits(self, h):
        return h @ self.table.T


class Stub:
    def __init__(self, V, d): ...  # your code

    def embed(self, ids): ...  # your code

    def logits(self, h): ...  # your code


class HalfStub(TiedEmbedding):
    def embed(self, ids):
        rows = ...
        return rows * 2


class Empty:
    pass


class NoLogits:
    def __init__(self, V, d):
        self.table = np.zeros((V, d))

    def embed(self, ids):
        return self.table[ids]


class OtherName(NoLogits):
    def scores(self, h):
        return h @ self.table.T


class TwoInputs(TiedEmbedding):
    def embed(self, ids, positions):
        return self.table[ids] + positions


class OneSize(TiedEmbedding):
    def __init__(self, size):
        super().__init__(size, size)


class Hangs(TiedEmbedding):
    def __init__(self, V, d):
        while True:
            pass


class Fails(TiedEmbedding):
    def embed(self, ids):
        return self.weights[ids]


class NameOfItsOwn:
    def __init__(self, V, d):
        self.E = np.random.default_rng().normal(size=(V, d)) / np.sqrt(d)

    def embed(self, ids):
        return self.E[ids] * np.sqrt(self.E.shape[1])

    def logits(self, h):
        return h @ self.E.T


class Forgets(TiedEmbedding):
    """Right, but a copy made at the start scores the words."""

    def __init__(self, V, d):
        super().__init__(V, d)
        self.output = self.table.copy()

    def logits(self, h):
        return h @ self.output.T


def test_a_real_class_is_accepted_however_it_is_drawn():
    for _ in range(20):
        verdict = checks.TiedEmbedding(TiedEmbedding)
        assert verdict.ok and verdict.status == "right", repr(verdict)
    assert verdict.exercise.startswith("class TiedEmbedding(V, d)")


@pytest.mark.parametrize("made", [None, ..., Stub, HalfStub, Empty])
def test_stubs_are_not_attempted(made):
    verdict = checks.TiedEmbedding(made)
    assert verdict.status == "not attempted" and verdict.mistake is None
    assert verdict.hint(1) != verdict.hint(2)


@pytest.mark.parametrize(
    ("made", "mistake", "says"),
    [
        (TiedEmbedding(5, 3), "not_a_function", "not an object made of it"),
        (3, "not_a_function", "the class itself"),
        (NoLogits, "signature", "no method `logits`"),
        (OtherName, "signature", "no method `logits`"),
        (TwoInputs, "signature", "`embed(ids)`, but yours"),
        (OneSize, "signature", "`TiedEmbedding(V, d)`, but yours"),
        (NameOfItsOwn, "no_attribute_table", "attribute `table`"),
        (Forgets, "logits_do_not_read_the_table", "not tied"),
    ],
)
def test_what_is_wrong_with_the_class_is_said(made, mistake, says):
    verdict = checks.TiedEmbedding(made)
    assert verdict.status == "wrong" and verdict.mistake == mistake
    assert says in verdict.message


def test_the_failing_line_is_the_students_own():
    message = checks.TiedEmbedding(Fails).message
    assert "return self.weights[ids]" in message
    assert "no attribute 'weights'" in message


def test_a_class_that_never_ends_is_stopped(monkeypatch):
    monkeypatch.setattr(guard, "SECONDS", 0.3)
    start = time.monotonic()
    assert checks.TiedEmbedding(Hangs).mistake == "never_ends"
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("name", ["TiedEmbedding", "ffn"])
def test_hostile_answers(name, monkeypatch, capfd):
    monkeypatch.setattr(guard, "SECONDS", 0.3)
    for answer in load("test_checks_guard").HOSTILE:
        verdict = getattr(checks, name)(answer)
        assert verdict.status == "wrong", (answer, verdict)
        assert verdict.mistake != "not_checkable", answer
        assert repr(verdict) and "<script" not in verdict._repr_html_()
    assert capfd.readouterr() == ("", "")


def test_the_reference_network_is_the_library():
    draw = np.random.default_rng(0)
    net = feed_forward.FeedForward(3, 5).double()
    x = draw.normal(size=(2, 4, 3))
    parts = (net.linear1.weight.T, net.linear1.bias,
             net.linear2.weight.T, net.linear2.bias)  # fmt: skip
    weights = [part.detach().numpy() for part in parts]
    want = net(torch.tensor(x)).detach().numpy()
    got = about_ffn.network(x, *weights)
    np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(reference.feed_forward(x, *weights), want)


def test_the_reference_table_is_the_library():
    table = Table(7, 4, {})
    theirs = embedding.TokenEmbedding(7, 4).double()
    theirs.weight.data.copy_(torch.tensor(table.table))
    ids, h = np.array([[1, 6], [0, 1]]), np.ones((2, 4))
    want = theirs(torch.tensor(ids)).detach().numpy()
    np.testing.assert_allclose(table.embed(ids), want, rtol=1e-12)
    want = theirs.logits(torch.tensor(h)).detach().numpy()
    np.testing.assert_allclose(table.logits(h), want, rtol=1e-12)


def test_dropout_left_in_and_neighbors_that_leak_are_named():
    def dropped(x, W1, b1, W2, b2):
        inner = np.maximum(0, x @ W1 + b1)
        return inner * (np.random.random(inner.shape) > 0.1) @ W2 + b2

    assert "drawn at random" in checks.ffn(dropped).message

    def leaking(x, W1, b1, W2, b2):
        right = about_ffn.network(x, W1, b1, W2, b2)
        if x.ndim == 1:
            return right
        return right + 0.1 * right.mean(axis=-2, keepdims=True)

    assert "the result of the first token" in checks.ffn(leaking).message


def test_the_budget_is_that_of_the_library():
    sizes = {"d_model": 4, "n_heads": 2, "d_ff": 8, "n_layers": 1}
    whole = [
        Transformer(TransformerConfig(10, **sizes, tie_embeddings=tied))
        for tied in (True, False)
    ]
    layer = whole[0].encoder.layers[0]
    (network,) = (
        m for m in layer.modules() if isinstance(m, feed_forward.FeedForward)
    )
    counted = [
        sum(p.numel() for p in part.parameters())
        for part in (whole[0].output_embedding, network, layer, *whole)
    ]
    assert counted == list(paper_budget.BUDGET.answer)


def test_the_tokens_on_paper_are_those_of_the_reference():
    want = reference.feed_forward(paper_ffn.TOKENS, *paper_ffn.WEIGHTS)
    np.testing.assert_array_equal(paper_ffn.NETWORK.answer, want)


def test_the_example_shows_all_that_was_done():
    text = repr(checks.TiedEmbedding(Forgets))
    assert "a = TiedEmbedding(V, d)" in text and "a.table[...] = " in text
    (case,) = (
        c
        for c in about_tied_embedding.EXERCISE.cases
        if c.name == "two objects"
    )
    shown = str(case.args[2])
    assert shown.count("TiedEmbedding(V, d)") == 2
    assert shown.splitlines()[-1].startswith("a.embed(")
