"""The exercise `class Cached` and the wrong answers it knows.

A cache is a memory, so one call says little. The check makes objects, takes
steps with them in turn, and compares what the last step gives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_course.checks.engine.class_answer import (
    look_at_class,
    objects_share_memory,
    restored,
)
from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.foreign import (
    is_class,
    safely,
    signature,
)
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.preconditions import Precondition
from transformer_course.checks.engine.properties import Probe, finite, shape
from transformer_course.checks.engine.reading import (
    ARRAY,
    number,
    same,
    show,
)
from transformer_course.checks.engine.submission import Submission
from transformer_course.checks.engine.verdict import Example, Verdict
from transformer_lib.numpy_reference import softmax

__all__ = ["EXERCISE", "Cached"]

_MATRICES = ("W_Q", "W_K", "W_V", "P")
CHANGED = "changed"
Moves = tuple[tuple[int, Any], ...]  # (object, a step's x or a tuple of rows)


def Cached(made: Any) -> Verdict:
    r"""Check a class `Cached`: `Cached(W_Q, W_K, W_V, P)`, `step`, `select`.

    Each `step(x)` takes the next token of B sentences, adds its position
    P[t], keeps its key and its value, and returns

    $$\mathrm{softmax}\left(q_t K_{\le t}^\top / \sqrt{d_k}\right) V_{\le t}$$

    for each sentence. `select(rows)` says that from now on sentence i goes
    on from what sentence rows[i] has been.

    Args:
        made: the class; its objects are made from W_Q (d, d_k), W_K (d, d_k),
            W_V (d, d_v) and P (n, d); step takes x (B, d) and returns
            (B, d_v); select takes a list of row numbers.

    Returns:
        The verdict; no exception, no output, 15 seconds at the most.

    Source: Vaswani et al. 2017, section 3.2.1, one row at a time. Chapter 14.
    """
    return judge(EXERCISE, made)


class Solution:
    def __init__(self, W_Q, W_K, W_V, P):
        self.W_Q, self.W_K, self.W_V, self.P = W_Q, W_K, W_V, P
        self.K, self.V, self.t = None, None, 0

    def step(self, x):
        t = self.t
        at = x + self.P[t]
        q = at @ self.W_Q
        k, v = at @ self.W_K, at @ self.W_V
        self.t += 1
        K, V = grow(self.K, k), grow(self.V, v)
        self.K, self.V = K, V
        scores = np.einsum("bk,btk->bt", q, K) / q.shape[-1] ** 0.5
        weights = softmax(scores)
        return np.einsum("bt,btv->bv", weights, V)

    def select(self, rows):
        self.K, self.V = self.K[rows], self.V[rows]


def grow(old: np.ndarray | None, new: np.ndarray) -> np.ndarray:
    """Append one row to each sentence's own."""
    new = new[:, None]
    return new if old is None else np.concatenate([old, new], axis=1)


def sent_to(rows: list[int], kept: np.ndarray) -> np.ndarray:
    """Row i goes to the place rows[i]: `select` the other way around."""
    turned = kept.copy()
    turned[rows] = kept[: len(rows)]
    return turned


def one_by_one(rows: list[int], kept: np.ndarray) -> np.ndarray:
    """Copy inside the array, so that a row may be lost on the way."""
    kept = kept.copy()
    for i, row in enumerate(rows):
        kept[i] = kept[row]
    return kept


def all_sentences(kept: np.ndarray) -> np.ndarray:
    """Each sentence sees the rows of all."""
    return np.stack([kept.reshape(-1, kept.shape[2])] * len(kept))


def join(cache: Any, rows: list[int]) -> None:
    """Let sentences that go on from the same history share its list."""
    if not hasattr(cache, "lists"):
        both = zip(cache.K, cache.V, strict=True)
        cache.lists = [list(zip(K, V, strict=True)) for K, V in both]
    cache.lists = [cache.lists[row] for row in rows]


def joined(lists: list, q: Any, k: Any, v: Any, first: bool) -> np.ndarray:
    """A step with shared lists; all append first, or each on its turn."""
    pairs = list(zip(k, v, strict=True))
    for own, pair in zip(lists, pairs if first else (), strict=first):
        own.append(pair)
    answers = []
    for own, query, pair in zip(lists, q, pairs, strict=True):
        own += [] if first else [pair]
        K, V = map(np.array, zip(*own, strict=True))
        answers.append(softmax(K @ query / len(query) ** 0.5) @ V)
    return np.array(answers)


def play(make: Callable, *args: Any) -> Any:
    """Make the objects, go through the moves, return the last answer.

    Args:
        make: the class.
        args: W_Q, W_K, W_V, P, and the moves: (object, x (B, d)) is a step,
            (object, tuple of row numbers) a selection; objects are counted
            from 0. (object, CHANGED) changes W_K and W_V where they lie.

    Returns:
        Whatever the last step returned.
    """
    *matrices, moves = args
    if any(isinstance(what, str) for _, what in moves):  # to be changed
        matrices = [matrix.copy() for matrix in matrices]
    objects: dict[int, Any] = {}
    answer = None
    with restored(make):
        for who, what in moves:
            if who not in objects:
                objects[who] = make(*matrices)
            if objects[who] is None or objects[who] is Ellipsis:
                return objects[who]
            if isinstance(what, np.ndarray):
                answer = objects[who].step(what)
            elif what == CHANGED:
                for matrix in matrices[1:3]:
                    _halve(matrix, objects[who])
            else:
                objects[who].select(list(what))
    return answer


def _halve(matrix: np.ndarray, cache: Any) -> None:
    """Halve a matrix, and the copies of it that an object has made."""
    known = matrix.copy()
    kept = list(getattr(cache, "__dict__", {}).values())
    for value in kept:  # grows, but not in an endless circle
        if isinstance(value, (list, tuple)) and len(kept) < 1000:
            kept.extend(value)
        elif isinstance(value, dict) and len(kept) < 1000:
            kept.extend(value.values())
    for value in (matrix, *kept):
        if getattr(value, "shape", ()) == known.shape:
            value *= 0.5 if np.allclose(value, known) else 1


def _look(made: Any, exercise: Exercise) -> Precondition | None:
    """What can be said of the class without making an object of it."""
    said = look_at_class(made, exercise)
    if said is not None:
        return said
    if not _takes(made, _MATRICES):
        return Precondition(
            "The check calls `Cached(W_Q, W_K, W_V, P)`, but yours takes "
            "other inputs. Change the first line of `__init__`.",
            "signature",
            "The four matrices come when the object is made.",
        )
    methods = (("step", ("self", "x")), ("select", ("self", "rows")))
    for name, inputs in methods if isinstance(made, type) else ():
        method = getattr(made, name, None)
        if not callable(method) or not _takes(method, inputs):
            return Precondition(
                f"The class needs a method `{name}({inputs[1]})`, which takes "
                "one input besides self.",
                "signature",
                "An object of the class has two methods: one takes a step, "
                "the other changes the order of the sentences.",
            )
    return None


def _takes(thing: Any, names: tuple) -> bool:
    found = signature(thing)
    if found is None:  # built-in, or an object that refuses
        return True
    try:
        found.bind(*[0] * len(names))
    except TypeError:
        return False
    return True


def _lines_of(made: Any) -> Any:
    return safely(lambda: made.step, made) if is_class(made) else made


def _tokens(seed: int, n: int, d: int = 4) -> np.ndarray:
    """n tokens of d numbers with one decimal."""
    return np.random.default_rng(seed).integers(-15, 16, size=(n, d)) / 10


_GIVEN = (
    _tokens(11, 4, 3),
    _tokens(12, 4, 3),
    _tokens(13, 4, 2),
    _tokens(14, 8),
)
_A, _B, _C = (
    tuple(_tokens(10 * s + t, s) for t in range(4)) for s in (1, 2, 3)
)


def _moves(*moves: Any, who: tuple = ()) -> tuple:
    """The inputs of steps (arrays) and selections (tuples)."""
    who = who or (0,) * len(moves)
    return (*_GIVEN, tuple(zip(who, moves, strict=True)))


CASES = (
    Case("one step", _moves(_A[0])),
    Case("three steps", _moves(*_A[:3])),
    Case("four steps", _moves(*_A)),
    Case("two sentences", _moves(*_B[:3])),
    Case("two objects", _moves(_A[0], _A[1], _A[2], who=(0, 1, 0))),
    Case("exchanged", _moves(_B[0], _B[1], (1, 0), _B[2], _B[3])),
    Case("a circle", _moves(_C[0], _C[1], (1, 2, 0), _C[2])),
    Case("doubled", _moves(_B[0], _B[1], (0, 0), _B[2], _B[3])),
    Case("fewer", _moves(_C[0], _C[1], (2,), _A[2], _A[3])),
    Case("more", _moves(_A[0], _A[1], (0, 0, 0), _C[2], _C[3])),
    Case("twice", _moves(_C[0], (2, 0, 0), _C[1], (1, 0, 2), _C[2], _C[3])),
)


def _show_inputs(args: tuple) -> str:
    """The lines that a student would type."""
    names, lines = "ab", []
    for who, what in args[4]:
        new = f"{names[who]} = Cached(W_Q, W_K, W_V, P)"
        if new not in lines:
            lines.append(new)
        if isinstance(what, np.ndarray):
            lines.append(show(what, f"{names[who]}.step(") + ")")
        elif what == CHANGED:
            lines.append("W_K *= 0.5; W_V *= 0.5")
        else:
            lines.append(f"{names[who]}.select({list(what)})")
    return "\n".join(
        [*lines, "(matrices of one decimal; d = 4, d_k = 3, d_v = 2)"]
    )


def _inside(probe: Probe) -> str | None:
    """A mixture lies between the smallest and the largest value."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    _, _, W_V, P, moves = probe.args
    tokens = [what for _, what in moves if isinstance(what, np.ndarray)]
    values = np.concatenate([(x + P[t]) @ W_V for t, x in enumerate(tokens)])
    low, high = values.min(axis=0) - 1e-4, values.max(axis=0) + 1e-4
    out = (got.array < low) | (got.array > high)
    if not out.any():
        return None
    place = tuple(int(i) for i in np.argwhere(out)[0])
    return (
        "The first thing that breaks: a mixture stays between the smallest "
        f"and the largest value, and your {number(got.array[place])} at "
        f"{list(place)} lies outside. Weights between 0 and 1 that sum to 1 "
        "give no such number."
    )


_shared = objects_share_memory(
    fresh=_moves(_A[3]),
    after_another=_moves(_A[1], _A[2], _A[3], who=(1, 1, 0)),
)
_NEW_MATRICES = Case("new matrices", _moves(_A[0], _A[1], CHANGED, _A[2]))


def _finish(verdict: Verdict, submission: Submission) -> Verdict:
    """The last word: what objects share, and what is computed again."""
    if not verdict.ok:
        return _shared(verdict, submission)
    got = submission.run(_NEW_MATRICES.args, 1.0)
    (known,) = (m for m in EXERCISE.mistakes if m.id == "old_tokens_anew")
    for edits in known.edits:
        made = EXERCISE.expected(_NEW_MATRICES, **edits)
        if got.kind == ARRAY and same(got.array, made.array, got.tolerance):
            wanted = EXERCISE.expected(_NEW_MATRICES)
            given = _show_inputs(_NEW_MATRICES.args)
            example = Example(given, wanted.text, got.text)
            return EXERCISE.wrong(known.message, known.id, example, known.hint)
    return verdict


EXERCISE = Exercise(
    name="Cached",
    inputs=_MATRICES,
    written="class Cached(W_Q, W_K, W_V, P) with step(x) and select(rows)",
    asked="`cache = Cached(W_Q, W_K, W_V, P)` makes an empty cache. "
    "`cache.step(x)` takes the next token of B sentences, (B, d): it adds the "
    "position, row t of P for the step t = 0, 1, ..., keeps the new keys and "
    "values, and returns for each sentence softmax(q K^T / sqrt(d_k)) V over "
    "all its tokens so far, (B, d_v). After `cache.select(rows)` sentence i "
    "goes on from what sentence rows[i] has been.",
    praise="Your class agrees with attention over the whole sentence, step "
    "for step, for one sentence and for several, after exchanging, doubling "
    "and dropping sentences, and two objects do not disturb each other.",
    cases=CASES,
    draw=lambda seed: Case(
        "one more", _moves(_tokens(seed, 1), _tokens(seed + 1, 1))
    ),
    solve=Reference(Solution),
    properties=(shape, finite, _inside),
    hints=(
        "Two things are kept in `self` besides the matrices: the keys, "
        "(B, t, d_k), and the values, (B, t, d_v). How many tokens there are "
        "is t, and that is also the position of the next one.",
        "A step: add the position, make q, k and v, join k and v to what is "
        "kept along the axis of the tokens, then attend with the one query "
        "of each sentence. A selection picks rows of both, along the axis "
        "of the sentences, into new arrays.",
    ),
    show_inputs=_show_inputs,
    play=play,
    look=_look,
    lines_of=_lines_of,
    handed_over=(*_MATRICES, "x"),
    finish=_finish,
    on_the_way={
        "at": "the token plus its position",
        "q": "the query",
        "scores": "the scaled scores",
        "weights": "the weights",
        "at @ self.W_K": "the key of the new token",
        "at @ self.W_V": "the value of the new token",
        "grow(self.K, k)": "all keys so far",
        "grow(self.V, v)": "all values so far",
        "np.einsum('bk,btk->bt', q, K)": "the scores, not scaled yet",
    },
)
