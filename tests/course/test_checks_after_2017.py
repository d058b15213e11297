"""The checks of chapters 19 and 20 against independent implementations."""

import random
from collections import Counter

import numpy as np
import pytest
import torch

from transformer_course import checks
from transformer_course.checks.code import mask_tokens as masking
from transformer_course.checks.code.mask_tokens import EXERCISE, MASK
from transformer_course.checks.paper import paper_of
from transformer_course.checks.paper import pieces_by_hand as paper_pieces
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.special_tokens import BOS, EOS, PAD, UNK


def masked(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > MASK)
    return ids.masked_fill(chosen, MASK), ids.masked_fill(~chosen, PAD)


# ------------------------------------------------------------ mask_tokens


def test_special_ids_are_those_of_the_tokenizer():
    numbers = list(masking.SPECIAL.values())
    assert numbers == [PAD, BOS, EOS, UNK]
    assert max(numbers) < MASK < min(masking.WORDS)


def test_the_tables_are_sentences():
    for case in EXERCISE.cases:
        for row in case.args[0].tolist():
            end = row.index(EOS)
            assert row[0] == BOS and set(row[end + 1 :]) <= {PAD}
            assert all(i == UNK or i >= MASK for i in row[1:end])


def test_the_ids_at_which_conditions_end_are_there():
    """4 is no word and 5 is one; every answer meets both."""
    found = {case.name: set(case.args[0].flat) for case in EXERCISE.cases}
    assert {MASK, min(masking.WORDS)} <= found["everything"]


def test_a_right_answer_is_right_whatever_is_drawn(monkeypatch):
    """The margins are wide: other seeds give the same report."""
    kept, reports = masking._seeded, set()
    quarter = next(c for c in EXERCISE.cases if c.name == "a quarter")
    for shift in range(40):
        monkeypatch.setattr(
            masking,
            "_seeded",
            lambda seed, shift=shift: kept(seed + 100 * shift),
        )
        reports.add(tuple(masking.play(masked, *quarter.args).tolist()))
    assert len(reports) == 1


def test_shares_are_many_deviations_from_the_next_twentieth():
    for case in EXERCISE.cases:
        ids, p = case.args
        n = (ids > MASK).sum()
        if 0 < p < 1:
            assert 0.025 / np.sqrt(p * (1 - p) / n) > 5


def test_the_generators_go_on_as_if_nothing_had_been():
    torch.manual_seed(3)
    np.random.seed(3)
    random.seed(3)
    want = torch.rand(1).item(), np.random.random(), random.random()
    torch.manual_seed(3)
    np.random.seed(3)
    random.seed(3)
    checks.mask_tokens(masked)
    got = torch.rand(1).item(), np.random.random(), random.random()
    assert got == want


def test_the_same_answer_gets_the_same_verdict():
    assert checks.mask_tokens(masked) == checks.mask_tokens(masked)

    def all_of_it(ids, p):
        return masked(ids, 1.0)

    first = checks.mask_tokens(all_of_it)
    assert first.mistake == "always_chosen"
    assert checks.mask_tokens(all_of_it) == first


def test_what_came_is_shown_in_words():
    def padding_too(ids, p):
        chosen = torch.rand(ids.shape) < p
        return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)

    example = checks.mask_tokens(padding_too).example
    assert "row 0 is 1 " in example.given
    assert example.expected.startswith("words that became 4: 100 %")
    assert "<pad> 0 %" in example.expected
    assert "<pad> 100 %" in example.received


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda m, t: (m[:, :-1], t[:, :-1]), "Two tables of the shape"),
        (lambda m, t: (m * 1.0, t / 0.0), "contains inf"),
        (lambda m, t: (m, t + t.gt(0).logical_not() * 7 * m), "do not hold 0"),
        (lambda m, t: (m, t.flip(0)), "targets do not always hold"),
        (lambda m, t: "two tables", "a str"),
        (lambda m, t: {"masked": m}, "a dict"),
        (lambda m, t: (m, undefined_name), "undefined_name"),
        (lambda m, t: (m + (m == 1), t), "all <bos> is changed"),
    ],
)
def test_the_first_broken_law_is_named(change, says):
    verdict = checks.mask_tokens(lambda ids, p: change(*masked(ids, p)))
    assert verdict.status == "wrong" and verdict.mistake is None
    assert says in verdict.message, verdict.message


def test_stubs_are_not_attempted():
    def mask_tokens(ids, p): ...

    def half(ids, p):
        chosen = ...
        return ids.masked_fill(chosen, 4), ids

    for one in (mask_tokens, half, None, ...):
        assert checks.mask_tokens(one).status == "not attempted", one


@pytest.mark.parametrize("table", ["ids", "(ids > 4)"])
def test_missing_brackets_are_named(table):
    """torch says "not implemented" of `p & ids`; that is no stub."""
    space = {"torch": torch}
    exec(
        "def f(ids, p):\n"
        f"    chosen = torch.rand(ids.shape) < p & {table} > 4\n"
        "    return ids.masked_fill(chosen, 4), ids",
        space,
    )
    verdict = checks.mask_tokens(space["f"])
    assert verdict.status == "wrong"
    assert "brackets" in verdict.message, verdict.message


def test_the_failing_line_is_the_students_own():
    def mask_tokens(ids, p):
        return ids.nothing, ids

    assert "ids.nothing" in checks.mask_tokens(mask_tokens).message


def test_cases_are_never_changed():
    def destroys(ids, p):
        ids *= 0
        raise ValueError

    before = [case.args[0].copy() for case in EXERCISE.cases]
    checks.mask_tokens(destroys)
    for case, ids in zip(EXERCISE.cases, before, strict=True):
        assert np.array_equal(case.args[0], ids)


# ---------------------------------------------------------------- paper


def test_the_recipe_by_counting_draws():
    draw = np.random.default_rng(0)
    words = draw.random((2_000, 40, 25))
    chosen = words < 0.15
    kind = draw.random(words.shape)
    counts = [
        (chosen & (kind < 0.8)),
        (chosen & (kind >= 0.8) & (kind < 0.9)),
        (chosen & (kind >= 0.9)),
        chosen,
    ]
    means = [c.sum(axis=(1, 2)).mean() for c in counts]
    np.testing.assert_allclose(
        means, paper_of("masking_by_hand").answer[:4], rtol=0.02
    )


def test_the_pairs_by_looking_at_the_text():
    words = {
        word: given.value
        for word, given in paper_of("pieces_by_hand").givens.items()
    }
    text = " ".join(" ".join([word] * times) for word, times in words.items())
    assert Counter(text.replace(" ", "")) == paper_pieces.letters(words)
    pairs = paper_pieces.pairs(words)
    for pair, n in pairs.items():
        assert text.count(pair) == n
    count, score, rare, best = paper_of("pieces_by_hand").answer
    assert count == max(pairs.values()) == text.count("he")
    assert rare == text.count("qu") and best == 4 / (4 * 4)
    assert score == 25 / (25 * 33)


def test_the_cache_by_making_one():
    config = TransformerConfig(
        8, d_model=64, n_heads=4, d_ff=8, n_layers=3, dropout=0.0
    )
    model = Transformer(config).eval()
    with torch.no_grad():
        state = model.start(torch.tensor([[5]]))
        _, state = model.decode(torch.tensor([[1, 5, 6]]), state)
    size = sum(
        part.numel() * part.element_size()
        for kv in state.past
        for part in (kv.keys, kv.values)
    )
    assert size == 2 * 3 * 64 * 4 * 3  # both, layers, width, bytes, tokens
    per_token = 2 * 16 * 32 * 128 * 4
    want = [per_token / 2**20, per_token * 4096 / 2**30]
    np.testing.assert_allclose(paper_of("cache_by_hand").answer[:2], want)
    np.testing.assert_allclose(
        paper_of("cache_by_hand").answer[2:], [want[1] / 4, want[1] / 32]
    )


CACHED = (0.5, 2, 0.5, 0.0625)


@pytest.mark.parametrize(
    ("check", "value", "mistake"),
    [
        ("masking", (124.8, 15.6, 15.6, 156, 1040), "eos_chosen"),
        ("masking", (134.4, 16.8, 16.8, 168, 1040), "padding_counted"),
        ("masking", (120, 15, 0, 150, 1040), "kept_forgotten"),
        ("masking", (120, 15, 0, 135, 1040), "kept_forgotten"),
        ("masking", (120, 15, 850, 150, 1040), "never_chosen_taken_for_kept"),
        ("masking", (120, 15, 865, 150, 1040), "never_chosen_taken_for_kept"),
        ("masking", (120, 15, 15, 150, 960), "first_word_given"),
        ("masking", (120, 15, 15, 150, 1160), "padding_asked_for"),
        ("masking", (120, 15, 15, 150, 150), "causal_asked_for_the_hidden"),
        ("pieces", (25, 2.727, 4, 22.5), "shares_in_place_of_counts"),
        ("pieces", (25, 4.024, 4, 33.197), "shares_in_place_of_counts"),
        ("cache", (0.5, 2.048, 0.512, 0.064), "a_thousand_mib"),
        ("cache", tuple(8 * one for one in CACHED), "in_bits"),
        ("cache", (0.5, 2, 1.25, 1.03125), "values_not_shared"),
        ("cache", (0.5, 2, 1.5, 1.9375), "what_is_saved"),
    ],
)
def test_slips_on_paper_are_named(check, value, mistake):
    """The numbers as a student would type them."""
    verdict = getattr(checks, f"{check}_by_hand")(value)
    assert not verdict.ok and verdict.mistake == mistake
