"""The exercise `class Cached` and the wrong answers it knows.

A cache is a memory, so one call says little. The check makes objects, takes
steps with them in turn, and compares what the last step gives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.class_answer import (
    look_at_class,
    objects_share_memory,
    restored,
)
from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.foreign import (
    is_class,
    safely,
    signature,
)
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.preconditions import Precondition
from transformer_lib.course.checks.engine.properties import Probe, finite, shape
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    number,
    same,
    show,
)
from transformer_lib.course.checks.engine.submission import Submission
from transformer_lib.course.checks.engine.verdict import Example, Verdict
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
                "one input beside self.",
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
        f"{list(place)} lies outside. Do the weights of each sentence sum to 1?"
    )


MISTAKES = r"""
position_always_zero
- t = self.t
+ t = 0
@ three steps
Every token gets position 0. One token at a time is not the first token every
time: its position is the number of tokens in the cache.
? Which row of P does your third step add?

position_one_too_far
- t = self.t
+ t = self.t + 1
@ one step
All positions are one too far: the first token has position 0. Is the position
read after the new token has gone into the cache?
? How many tokens are in the cache before the first step?

position_from_the_end
- self.P[t]
+ self.P[-1]
or
- self.P[t]
+ self.P[-1 - t]
@ one step
You add the position from the end of P. The table is longer than the sentence;
the first token gets its first row.
? Which row of P does your first step add?

no_position
- x + self.P[t]
+ x
@ three steps
P is never added. Without positions attention cannot tell which of the cached
tokens came first.
? What happens to x before it meets the three matrices?

position_for_the_query_only
- at @ self.W_K, at @ self.W_V
+ x @ self.W_K, x @ self.W_V
@ three steps
The position is added for the query, but the key and the value that you keep
are made without it.
? All three vectors are made from the same sum.

position_not_for_all
- at @ self.W_Q
+ x @ self.W_Q
or
- at @ self.W_K
+ x @ self.W_K
or
- at @ self.W_V
+ x @ self.W_V
@ three steps
One of query, key and value is made without the position. First add it to x;
then all three are made from the sum.
? How often does plain x stand in your step?

scaled_like_an_embedding
- x + self.P[t]
+ x * x.shape[-1] ** 0.5 + self.P[t]
@ one step
You multiply x by the root of d, as embeddings are multiplied (chapter 10). Here
x comes as it is, and only the position is added.
? What happens to x before the position is added?

sentences_counted
- self.t += 1
+ self.t += len(x)
@ two sentences
Your position grows by the number of *sentences* in a step. All tokens of one
step stand at the same position, and it grows by 1.
? Which axis of your cache counts tokens?

nothing_is_kept
- K, V = grow(self.K, k), grow(self.V, v)
+ K, V = grow(None, k), grow(None, v)
@ three steps
Each step gives back its own value and nothing of earlier tokens. Are the old
keys *and* the old values kept in `self`? They travel in pairs: with old keys
alone, all the weight goes to the newest value.
? After the step, what of it can a later step still find?

old_tokens_anew
- k, v = at @ self.W_K, at @ self.W_V
+ k = v = at
- self.K, self.V = K, V
+ self.K, self.V = K, V
+     K, V = K @ self.W_K, V @ self.W_V
or
- at @ self.W_K, at
+ at, at
- self.K, self.V = K, V
+ self.K, self.V = K, V
+     K = K @ self.W_K
or
- at @ self.W_V
+ at
- self.K, self.V = K, V
+ self.K, self.V = K, V
+     V = V @ self.W_V
The numbers are right, but no work is saved: your object makes the keys or the
values of all old tokens again in each step. In the example W_K and W_V are
halved after two steps, and old ones of yours change with them. A cache
multiplies each token by W_K and by W_V once, and keeps the results.
? In your step, how many rows are multiplied by W_K? There is one new token for
each sentence.

keys_not_cached
- softmax(scores)
+ softmax(0 * scores)
@ three steps
The old values are there, but all of them are compared through the newest key,
so they get equal weights. Each old value needs its own old key.
? How many keys are in the cache after three steps?

newest_token_left_out
- self.K, self.V = K, V
+ self.K, self.V = K, V
+     K, V = K[:, : t or 1], V[:, : t or 1]
@ three steps
The newest token is not among those looked at. In the whole sentence each token
may look at itself, and so it must here: first into the cache, then attend.
? In which order do you attend and append?

newest_token_twice
- self.K, self.V = K, V
+ self.K, self.V = K, V
+     K, V = grow(K, K[:, -1]), grow(V, V[:, -1])
@ three steps
The newest key and value are in the cache twice.
? How many keys are in the cache after the first step?

only_the_first_token
- self.K, self.V = K, V
+ self.K, self.V = K, V
+     K, V = K[:, :1], V[:, :1]
@ three steps
Each step looks at the first token only. Either the cache is filled once and
does not grow, or a causal mask that was made for a square of scores hides all
keys but the first from your single query.
? How many keys are in the cache after three steps, and how many of them may
the newest token see?

first_tokens_forgotten
- self.K, self.V = K, V
+ self.K, self.V = K[:, -2:], V[:, -2:]
@ four steps
The cache holds the last few tokens only. It must keep all of them, from the
first on.
? How many keys are in the cache after four steps?

keys_and_values_out_of_step
- self.K, self.V = K, V
+ self.K, self.V = np.roll(K, 1, axis=1), V
@ three steps
New keys go to the front and new values to the end, so a key no longer finds
its own value. The order is free, but it must be the same for both.
? Print both caches after two steps, side by side.

sentences_mixed
- self.K, self.V = K, V
+ self.K, self.V = K, V
+     K, V = all_sentences(K), all_sentences(V)
@ two sentences
The sentences of the batch look at each other's tokens. Each has a cache of its
own.
? With two sentences and three steps, how many keys may one query see?

shared_by_all_objects
- self.K, self.V, self.t = None, None, 0
+ self.K, self.V, self.t = None, None, 0
+     self.__dict__ = vars(type(self)).get("shared", self.__dict__)
+     type(self).shared = self.__dict__
@ two objects
All objects of your class share one cache. That happens when the lists are made
in the body of the class, or as a default value: they are made once, for all.
The same trap makes one list for all layers out of `[[]] * L`.
? Where is the empty cache made? Each object needs its own, made when the
object is made.

no_scale
-  / q.shape[-1] ** 0.5
+
@ three steps
The scores are not divided by the root of d_k.
? Compare with your attention of chapter 3.

wrong_root
- q.shape[-1] ** 0.5
+ q.shape[-1]
or
- q.shape
+ x.shape
or
- q.shape
+ V.shape
or
- q.shape[-1]
+ K.shape[1]
@ three steps
The scores are divided by the wrong number. The task asks for the root of d_k,
the width of a key, here 3.
? Which shape do you read the width from?

softmax_over_the_batch
- softmax(scores)
+ softmax(scores, axis=0)
@ two sentences
The softmax runs over the sentences of the batch. In each
sentence the weights of its *tokens* sum to 1.
? Sum your weights along both axes. Which sums are all 1?

no_softmax
- softmax(scores)
+ scores
@ three steps
The values are weighed with the scores themselves; the softmax is missing.
? What should the weights of one sentence sum to?

matrices_exchanged
- at @ self.W_Q
+ at @ self.W_K
or
- at @ self.W_V
+ at
@ three steps
A matrix stands in another's place, or is missing: W_Q makes the query, W_K the
key, W_V the value.
? Which matrix is used twice, or not at all?

shares_returned
- np.einsum("bt,btv->bv", weights, V)
+ weights
@ three steps
You return the weights. They are right; what is wanted are the mixtures of the
values, (B, d_v).
? One step is missing, and the cached values are needed for it.

keys_averaged
- weights, V)
+ weights, K)
@ three steps
Your weights are right, but they weigh the keys. Keys are compared with the
query; what is mixed are the values.
? Which of the two caches has a row of d_v numbers for each token?

axis_left_over
- weights, V)
+ weights, V)[:, None]
@ three steps
The numbers are right, but your result has one axis too many: (B, 1, d_v) came,
(B, d_v) is wanted.
? Which axis has the length 1, and who brought it in?

select_does_nothing
- self.K[rows], self.V[rows]
+ self.K, self.V
@ exchanged
After `select` each sentence still has its old cache. A beam that goes on from
another hypothesis then continues a history that is not its own.
? Print the cached keys before and after `select([1, 0])`.

values_not_selected
- self.V[rows]
+ self.V
@ exchanged
`select` moves the keys and leaves the values behind.
? Keys and values travel in pairs.

keys_not_selected
- self.K[rows]
+ self.K
@ exchanged
`select` moves the values and leaves the keys behind.
? Keys and values travel in pairs.

select_the_other_way
- self.K[rows], self.V[rows]
+ sent_to(rows, self.K), sent_to(rows, self.V)
@ a circle
`select` works the other way around: you send sentence i to the place rows[i].
Place i should go on from what sentence rows[i] has been.
? For an exchange of two both are the same. Try the rows 1, 2, 0.

overwritten_while_copying
- self.K[rows], self.V[rows]
+ one_by_one(rows, self.K), one_by_one(rows, self.V)
@ exchanged
`select` overwrites a sentence that is still needed: it copies one after
another inside the same array. Make the new caches from the old ones first,
then put them in place.
? For the rows 1, 0: what is in place 0 when place 1 is copied?

select_begins_anew
- self.K, self.V = self.K[rows], self.V[rows]
+ self.K, self.V, self.t = None, None, 0
@ exchanged
After `select` the cache is empty. The histories must be kept; only their order
changes.
? How many keys are in the cache after `select`?

position_lost_in_select
- self.K, self.V = self.K[rows], self.V[rows]
+ self.K, self.V = self.K[rows], self.V[rows]
+     self.t = 0
or
- self.K, self.V = self.K[rows], self.V[rows]
+ self.K, self.V = self.K[rows], self.V[rows]
+     self.t += 1
@ exchanged
After `select` the positions are wrong. It changes which sentence goes on from
which history, and not how many tokens there are.
? Which row of P does the step behind `select` add?

select_picks_tokens
- self.K[rows], self.V[rows]
+ (a[:, np.array(rows) % self.t] for a in (self.K, self.V))
@ exchanged
`select` picks along the axis of the tokens. Its rows are sentences of the
batch.
? Which axis of your cache counts the sentences?

histories_stay_joined
- self.t += 1
+ self.t += 1
+     if hasattr(self, "lists"):
+         return joined(self.lists, q, k, v, first=False)
- self.K, self.V = self.K[rows], self.V[rows]
+ join(self, rows)
or
- self.t += 1
+ self.t += 1
+     if hasattr(self, "lists"):
+         return joined(self.lists, q, k, v, first=True)
- self.K, self.V = self.K[rows], self.V[rows]
+ join(self, rows)
@ doubled
Two sentences that go on from the same history share one list after `select`,
and each appends to it. Each needs a copy.
? After `select([0, 0])`: is the cache of place 0 the same object as that of
place 1?
"""

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
            return EXERCISE.wrong(
                known.message, known.id, example, known.hint
            )
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
    solve=Reference(Solution),
    catalogue=MISTAKES,
    properties=(shape, finite, _inside),
    hints=(
        "Two things are kept in `self` beside the matrices: the keys, "
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
)
