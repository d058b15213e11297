"""The parts of the reader's own Transformer: what `checks.build` says of them.

What holds for every exercise stands in test_every_exercise.py.
"""

import inspect
import itertools
from collections import Counter
from dataclasses import replace
from functools import lru_cache

import pytest
import torch
from every_exercise import EXERCISES

from transformer_course import checks
from transformer_course.checks.engine import exercise as exercises
from transformer_course.checks.engine.exercise import _computed
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.matching import agree
from transformer_course.checks.parts import (
    GETS_A_MASK,
    PARTS,
    _without_masks,
    judged,
    part,
)


@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_found_by_its_name(name):
    right = part(name).EXERCISE.solve.thing
    assert right.__name__ == name
    assert checks.build(right).ok


@pytest.mark.parametrize(
    "name",
    [n for n in PARTS if inspect.isclass(part(n).EXERCISE.solve.thing)],
)
def test_a_class_without_a_body_is_not_attempted(name):
    stub = type(name, (torch.nn.Module,), {})

    def __init__(self, *sizes, **more):
        torch.nn.Module.__init__(self)

    def forward(self, *inputs, **more): ...

    stub.__init__, stub.forward = __init__, forward
    stub.logits = forward  # of TokenEmbedding
    assert EXERCISES[name].check(stub).status == "not attempted"


def test_what_is_no_part_is_said_so():
    def my_attention(query, key, value):
        return value

    verdict = checks.build(my_attention)
    assert verdict.mistake == "no_part" and "my_attention" in verdict.message
    assert checks.build(3).mistake == checks.build(None).mistake == "no_part"


def test_a_mask_is_asked_for_from_its_chapter_on():
    def scaled_dot_product_attention(query, key, value):
        scores = query @ key.mT / query.shape[-1] ** 0.5
        return scores.softmax(-1) @ value

    verdict = checks.build(scaled_dot_product_attention)
    assert verdict.ok and "Exercise 8.4 comes back" in verdict.message
    assert not checks.build(scaled_dot_product_attention, chapter=8).ok


@pytest.mark.parametrize(
    "name", ["scaled_dot_product_attention", "MultiHeadAttention"]
)
def test_before_chapter_8_nothing_is_said_of_masks_but_to_wait(name):
    def said(chapter):
        verdict = judged(name, ..., chapter)
        words = " ".join([verdict.asked, verdict.hint(1), verdict.hint(2)])
        return words.replace("mask=None", "").replace("`mask` is None", "")

    for chapter in (0, PARTS[name][1]):
        assert "mask" not in said(chapter) and "hid" not in said(chapter)
        assert "Exercise 8.4 comes back to it" in said(chapter)
    assert "mask" in said(8) and "Exercise 8.4" not in said(8)


@pytest.mark.parametrize("name", GETS_A_MASK)
def test_before_chapter_8_no_mistake_of_a_mask_is_named(name):
    asked = ("mask_not_optional", "mask_not_accepted")  # `mask=None` is
    known = _without_masks(name)
    for mistake in known.mistakes:
        if "mask" not in mistake.message or mistake.id in asked:
            continue
        assert not mistake.raises and not mistake.fails, mistake.id
        for edits, case in itertools.product(mistake.edits, known.cases):
            made = known.expected(case, **edits)
            assert agree(made, known.expected(case)), mistake.id


def test_a_truth_that_is_asked_of_scores_is_no_mistake_of_a_mask():
    def scaled_dot_product_attention(query, key, value, mask=None):
        scores = query @ key.mT / query.shape[-1] ** 0.5
        return scores.softmax(-1) @ value if scores else value

    verdict = checks.build(scaled_dot_product_attention)
    assert verdict.mistake is None and "mask" not in verdict.message


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda y, v, mask: 3 * y, "an average of the values stays between"),
        (
            lambda y, v, mask: 0.9 * y + 0.1 * v[..., :1, :],
            "change places together",
        ),
        (
            lambda y, v, mask: y if mask is None else y + v.mean(-2, True),
            "other numbers stand in hidden keys and values",
        ),
    ],
)
def test_an_unusual_attention_hears_what_breaks(change, says):
    right = part("scaled_dot_product_attention").scaled_dot_product_attention

    def scaled_dot_product_attention(query, key, value, mask=None):
        return change(right(query, key, value, mask), value, mask)

    verdict = checks.build(scaled_dot_product_attention, chapter=8)
    assert verdict.mistake is None and says in verdict.message, repr(verdict)


def test_a_gradient_that_is_no_number_is_told_apart_from_the_result():
    class LayerNorm(part("LayerNorm").LayerNorm):
        def forward(self, x):
            nothing = (x - x).square().sum(-1, keepdim=True)
            return super().forward(x) + nothing.sqrt()

    message = checks.build(LayerNorm).message
    assert "a gradient of yours is nan. What gives nan: 0 / 0" in message
    assert "The slope of a root at 0 is infinite" in message


def test_a_variance_in_the_place_of_the_mean_is_no_division_by_zero():
    class LayerNorm(part("LayerNorm").LayerNorm):
        def forward(self, x):
            mean, var = torch.var_mean(x, -1, keepdim=True, correction=0)
            x = (x - mean) / torch.sqrt(var + self.eps)
            return self.weight * x + self.bias

    verdict = checks.build(LayerNorm)
    assert "contains nan, first at [2, 0]" in verdict.message
    assert "the root or the logarithm of a negative number" in verdict.message
    assert ">nan" in dict(verdict.example.rows())["received"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda pe: pe + 0.01, "so 0, 1, 0, 1, ... is added"),
        (lambda pe: pe.where(pe >= 0, 0.9 * pe), "sine and cosine of"),
        (lambda pe: _waves(*pe.shape, base=8000), "pair 1 of 2 turns by"),
    ],
)
def test_unusual_positions_hear_what_breaks(change, says):
    class PositionalEncoding(part("PositionalEncoding").PositionalEncoding):
        def __init__(self, d_model, max_length=512, dropout=0.1):
            super().__init__(d_model, max_length, dropout)
            self.register_buffer("pe", change(self.pe), persistent=False)

    verdict = checks.build(PositionalEncoding)
    assert verdict.mistake is None and says in verdict.message, repr(verdict)


def test_two_mistakes_of_positions_are_both_named():
    class PositionalEncoding(part("PositionalEncoding").PositionalEncoding):
        def __init__(self, d_model, max_length=512, dropout=0.1):
            super().__init__(d_model, max_length, dropout)
            pe = _waves(max_length, d_model, base=1000)
            pe = torch.cat([pe[:, 0::2], pe[:, 1::2]], dim=1)
            self.register_buffer("pe", pe, persistent=False)

    verdict = checks.build(PositionalEncoding)
    assert verdict.mistake == "base_1000+sines_then_cosines"


def _waves(n, d, base):
    angle = torch.arange(n)[:, None] / base ** (torch.arange(0, d, 2) / d)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda y, x, k: y + 0.01 * x.sum(0).sum(), "look at each other"),
        (lambda y, x, k: y + 0.01 * k[:, :1], "when the keys change places"),
        (lambda y, x, k: [y, x], "returns several things"),
    ],
)
def test_an_unusual_multi_head_attention_hears_what_breaks(change, says):
    right = part("MultiHeadAttention").MultiHeadAttention

    class MultiHeadAttention(right):
        def forward(self, query, key, value, mask=None):
            y = super().forward(query, key, value, mask)
            return change(y, query, key)

    assert says in checks.build(MultiHeadAttention).message


def test_two_mistakes_of_multi_head_attention_are_both_named():
    right = part("MultiHeadAttention").MultiHeadAttention

    class MultiHeadAttention(right):
        def forward(self, query, key, value, mask=None):
            maps = self.q_proj, self.k_proj, self.v_proj
            inputs = zip(maps, (query, key, value), strict=True)
            q, k, v = (self.split(layer(x)) for layer, x in inputs)
            heads = torch.softmax(q @ k.mT, dim=-1) @ v
            return heads.transpose(1, 2).flatten(2)

    verdict = checks.build(MultiHeadAttention)
    assert verdict.mistake == "no_scale+wo_forgotten"


def test_a_token_of_the_network_goes_its_own_way():
    right = part("FeedForward").FeedForward

    class FeedForward(right):
        def forward(self, x):
            return super().forward(x) + 0.01 * x.sum(1, keepdim=True)

    message = checks.build(FeedForward).message
    assert "when the other tokens change" in message


def test_a_table_of_another_shape_is_told_both_shapes():
    class TokenEmbedding(torch.nn.Module):
        def __init__(self, vocab_size, d_model):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.randn(d_model, vocab_size))

        def forward(self, ids):
            return self.weight[:, ids] * self.weight.shape[0] ** 0.5

        def logits(self, x):
            return x @ self.weight

    message = checks.build(TokenEmbedding).message
    assert "`weight` has the shape (3, 5), and (5, 3) is wanted" in message


def test_a_loss_that_nobody_knows_is_not_blamed_on_the_padding():
    known = part("label_smoothing_loss")

    def larger(logits, labels, epsilon):
        total, count = known.label_smoothing_loss(logits, labels, epsilon)
        return 1.37 * total, count

    def shifted(logits, labels, epsilon):
        total, count = known.label_smoothing_loss(logits, labels, epsilon)
        return total + 0.01 * logits.sum(), count

    def padded(logits, labels, epsilon):
        total, count = known.label_smoothing_loss(logits, labels, epsilon)
        return total + 0.01 * logits[labels == 0].sum(), count

    for wrong in (larger, shifted):
        said = judge(known.EXERCISE, wrong).message
        assert "first difference" in said and "padding" not in said
    assert "place of padding" in judge(known.EXERCISE, padded).message


def test_messages_of_multi_head_attention_are_many_and_tell_no_answer():
    mistakes = part("MultiHeadAttention").EXERCISE.mistakes
    assert len(mistakes) > 100  # as chapter 7 says
    for mistake in mistakes:
        text = mistake.message + mistake.hint
        assert "swapaxes" not in text and "transpose(1, 2)" not in text


def test_more_than_eighty_mistakes_of_the_model_are_known():
    assert len(part("Transformer").EXERCISE.mistakes) > 80  # as chapter 11 says


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("EncoderLayer", "pre_norm_another_dropout"),
        ("DecoderLayer", "pre_norm_another_dropout"),
        pytest.param("Transformer", "other_device", marks=pytest.mark.slow),
        pytest.param("Transformer", None, marks=pytest.mark.slow),
    ],
)
def test_most_mistakes_are_ruled_out_in_quick_cases(name, key, monkeypatch):
    exercise = replace(part(name).EXERCISE)  # of which nothing is kept yet
    ways = [edits for m in exercise.mistakes for edits in m.edits]
    runs = Counter()

    def computed(one, case, edits):
        runs[case.name] += dict(edits) in ways
        return compute(one, case, edits)

    class Unknown(exercise.solve.thing):
        def forward(self, *args):
            return 1.01 * super().forward(*args)

    compute = _computed.__wrapped__
    monkeypatch.setattr(exercises, "_computed", lru_cache(None)(computed))
    answer = EXERCISES[name].answers[key] if key else Unknown
    verdict = judge(exercise, answer)
    assert verdict.mistake == key
    late = [n for case, n in runs.items() if case not in exercise.quick]
    assert max(late) <= len(ways) / 2


def test_in_chapter_7_a_mask_of_any_form_is_not_asked_for():
    class MultiHeadAttention(part("MultiHeadAttention").MultiHeadAttention):
        def forward(self, query, key, value, mask=None):
            if mask is not None:
                raise NotImplementedError("chapter 8")
            return super().forward(query, key, value)

    assert checks.build(MultiHeadAttention).ok
    assert not checks.build(MultiHeadAttention, chapter=8).ok
