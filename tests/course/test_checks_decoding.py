"""The checks of decoding: their references, their inputs, and odd classes."""

import time

import numpy as np
import pytest
import torch

from transformer_course import checks
from transformer_course.checks.code import Cached, beam
from transformer_course.checks.engine import guard
from transformer_course.checks.paper import beam_by_hand as paper_beam
from transformer_course.checks.paper import paper_of
from transformer_lib import numpy_reference as reference
from transformer_lib.decoding import length_penalty

# -------------------------------------------------------------- references


def renamed(logp, bos, eos):
    """A rule of the check as a model of the reference (1 and 2)."""
    size = len(logp([bos]))
    others = [i for i in range(size) if i != eos]
    numbers = {2: eos} | {3 + j: i for j, i in enumerate(others)}

    def next_scores(tokens):
        row = logp([bos, *(numbers[token] for token in tokens[1:])])
        scores = np.full(3 + len(others), -np.inf)
        for mine, theirs in numbers.items():
            scores[mine] = row[theirs]
        return scores

    return next_scores, numbers


@pytest.mark.parametrize(
    "case",
    [case for case in beam.EXERCISE.cases if case.basic],  # sums of 1
    ids=lambda case: case.name,
)
def test_the_beam_is_that_of_the_numpy_reference(case):
    rule, bos, eos, k, max_len, alpha = case.args
    logp = beam.logp_of(rule)
    next_scores, numbers = renamed(logp, bos, eos)
    best = reference.beam_search(next_scores, k, alpha, max_len)[0]
    want = [numbers[token] for token in best.tokens] + [eos] * best.finished
    tokens, total = beam.EXERCISE.solve(logp, bos, eos, k, max_len, alpha)
    assert tokens == want
    assert total == pytest.approx(best.log_probability)


def test_the_cache_is_causal_attention_of_torch():
    W_Q, W_K, W_V, P = Cached._GIVEN
    tokens = [Cached._tokens(seed, 2) for seed in range(5)]
    X = torch.tensor(np.stack(tokens, axis=1) + P[:5])
    q, k, v = (X @ torch.tensor(W) for W in (W_Q, W_K, W_V))
    attend = torch.nn.functional.scaled_dot_product_attention
    want = attend(q, k, v, is_causal=True).numpy()
    made = Cached.Solution(W_Q, W_K, W_V, P)
    for t, x in enumerate(tokens):
        np.testing.assert_allclose(made.step(x), want[:, t], rtol=1e-10)


def test_the_tree_on_paper_is_a_tree():
    tree = paper_of("beam_by_hand").givens["tree"].value
    for row in tree.values():
        assert sum(row.values()) == pytest.approx(1)
    found = paper_beam.sentences(tree)
    assert max(found, key=found.get) == "the rain falls <eos>"
    assert sum(found.values()) <= 1


def test_the_penalties_on_paper_are_the_librarys():
    pairs = [(-2.0, 4), (-2.9, 9)]
    want = [p / length_penalty(n, a) for a in (0.6, 1.0) for p, n in pairs]
    assert checks.length_penalty_by_hand(want).ok


# ------------------------------------------------------------ what is shown


def test_the_failing_line_is_the_students_own():
    def beam(logp, bos, eos, k, max_len, alpha):
        return logp[bos]

    assert "return logp[bos]" in checks.beam(beam).message


def begun_with_two(logp, bos, tokens):
    """Other tokens, with a log-probability of their own."""
    tokens = [2, *tokens[1:]]
    rows = [logp([bos, *tokens[:i]]) for i in range(len(tokens))]
    return tokens, sum(row[t] for row, t in zip(rows, tokens, strict=True))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda logp, bos, tokens: (tokens, -0.123), "do not belong together"),
        (lambda logp, bos, tokens: (tokens, np.nan), "do not belong together"),
        (lambda logp, bos, tokens: ([*tokens, 99], -1.0), "one of yours is 99"),
        (lambda logp, bos, tokens: (tokens, 0.5), "never positive"),
        (begun_with_two, "your tokens are [2, 2, 1], and [3, 2, 1] are wanted"),
        (lambda logp, bos, tokens: (9 * tokens, -1.0), "3 tokens may be"),
        (lambda logp, bos, tokens: [[tokens]], "The shape"),
    ],
)
def test_what_breaks_in_a_beam_is_told_by_its_tokens(change, says):
    def answer(logp, bos, eos, k, max_len, alpha):
        tokens, _ = beam.EXERCISE.solve(logp, bos, eos, k, max_len, alpha)
        return change(logp, bos, tokens)

    verdict = checks.beam(answer)
    assert verdict.mistake is None
    assert says in verdict.message
    assert says == "The shape" or "shape" not in verdict.message


def test_stubs_are_not_attempted():
    def beam(logp, bos, eos, k, max_len, alpha): ...

    class Cached:
        def __init__(self, W_Q, W_K, W_V, P): ...

        def step(self, x): ...

        def select(self, rows): ...

    class Empty:
        pass

    for verdict in (
        checks.beam(beam),
        checks.Cached(Cached),
        checks.Cached(Empty),
        checks.Cached(None),
    ):
        assert verdict.status == "not attempted", verdict


# --------------------------------------------------------------- the class


class Right:
    def __init__(self, W_Q, W_K, W_V, P):
        self.W, self.P, self.K, self.V = (W_Q, W_K, W_V), P, None, None

    def step(self, x):
        t = 0 if self.K is None else self.K.shape[1]
        q, k, v = ((x + self.P[t])[:, None] @ W for W in self.W)
        self.K = k if not t else np.concatenate([self.K, k], axis=1)
        self.V = v if not t else np.concatenate([self.V, v], axis=1)
        return reference.scaled_dot_product_attention(q, self.K, self.V)[:, 0]

    def select(self, rows):
        self.K, self.V = self.K[rows], self.V[rows]


class NoSelect:
    def __init__(self, W_Q, W_K, W_V, P):
        pass

    def step(self, x):
        return x


class StepWithTwo(Right):
    def step(self, x, t):
        return x


class NoPositions(Right):
    def __init__(self, W_Q, W_K, W_V):
        pass


class Hangs(Right):
    def step(self, x):
        while True:
            pass


class OneForAll(Right):
    seen = []

    def step(self, x):
        x = x + self.P[0]
        self.seen.append((x[0] @ self.W[1], x[0] @ self.W[2]))
        K, V = (np.array(part)[None] for part in zip(*self.seen, strict=True))
        q = x[:1, None] @ self.W[0]
        return reference.scaled_dot_product_attention(q, K, V)[:, 0]


def test_what_objects_share_does_not_pass_from_case_to_case():
    class Shared(Right):
        K = V = None

        def __init__(self, W_Q, W_K, W_V, P):
            self.W, self.P = (W_Q, W_K, W_V), P

        def step(self, x):
            t = 0 if Shared.K is None else Shared.K.shape[1]
            q, k, v = ((x + self.P[t])[:, None] @ W for W in self.W)
            Shared.K = k if not t else np.concatenate([Shared.K, k], axis=1)
            Shared.V = v if not t else np.concatenate([Shared.V, v], axis=1)
            return reference.scaled_dot_product_attention(
                q, Shared.K, Shared.V
            )[:, 0]

        def select(self, rows):
            Shared.K, Shared.V = Shared.K[rows], Shared.V[rows]

    assert checks.Cached(Shared).mistake == "shared_by_all_objects"
    assert Shared.K is None


def test_a_real_class_is_accepted():
    verdict = checks.Cached(Right)
    assert verdict.ok, repr(verdict)
    assert verdict.exercise.startswith("class Cached(W_Q")
    assert checks.Cached(Right) == verdict


@pytest.mark.parametrize(
    ("made", "mistake", "says"),
    [
        (Right(1, 2, 3, 4), "not_a_function", "not an object made of it"),
        (3, "not_a_function", "the class itself"),
        (NoSelect, "signature", "`select(rows)`"),
        (StepWithTwo, "signature", "`step(x)`"),
        (NoPositions, "signature", "`Cached(W_Q, W_K, W_V, P)`"),
        (OneForAll, "shared_by_all_objects", "share one cache"),
    ],
)
def test_what_is_wrong_with_the_class_is_said(made, mistake, says):
    verdict = checks.Cached(made)
    assert verdict.status == "wrong" and verdict.mistake == mistake
    assert says in verdict.message


def test_a_class_that_never_ends_is_stopped(monkeypatch):
    monkeypatch.setattr(guard, "SECONDS", 0.3)
    start = time.process_time()
    assert checks.Cached(Hangs).mistake == "never_ends"
    assert time.process_time() - start < 5


def test_the_example_shows_all_moves():
    case = next(c for c in Cached.EXERCISE.cases if c.name == "two objects")
    lines = Cached._show_inputs(case.args).splitlines()
    assert lines[0] == "a = Cached(W_Q, W_K, W_V, P)"
    assert sum("= Cached" in line for line in lines) == 2
    exchanged = next(c for c in Cached.EXERCISE.cases if c.name == "exchanged")
    assert "a.select([1, 0])" in Cached._show_inputs(exchanged.args)


@pytest.mark.parametrize("name", ["beam", "Cached"])
def test_cases_are_never_changed(name):
    def destroys(*args):
        for arg in args:
            if isinstance(arg, (np.ndarray, torch.Tensor)):
                arg *= 0
        raise ValueError

    cases = {"beam": beam, "Cached": Cached}[name].EXERCISE.cases
    before = [repr(case.args[:4]) for case in cases]
    getattr(checks, name)(destroys)
    assert [repr(case.args[:4]) for case in cases] == before
