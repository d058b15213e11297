"""The check `mha`: its reference is the library's, and its laws speak."""

import importlib.util
import pathlib

import numpy as np
import pytest

from transformer_lib import numpy_reference as reference
from transformer_lib.course import checks
from transformer_lib.course.checks.mha_cases import CASES, attended_in_heads
from transformer_lib.course.checks.mha_mistakes import MISTAKES
from transformer_lib.course.checks.paper import cell_by_hand as paper_cells
from transformer_lib.course.checks.paper import (
    heads_budget_by_hand as paper_heads,
)

FILE = pathlib.Path(__file__).parent / "wrong_answers" / "mha.py"
SPEC = importlib.util.spec_from_file_location("wrong_answers_mha", FILE)
ANSWERS = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(ANSWERS)
right = ANSWERS.right__reshape_and_swap


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_reference_is_the_reference(case):
    x, *maps, h = case.args
    want = reference.multi_head_attention(x, x, *maps, h)
    np.testing.assert_allclose(attended_in_heads(*case.args), want, rtol=1e-9)


def test_the_bank_is_large():
    assert len(MISTAKES) > 60  # as chapter 7 says
    wrong = [n for n in vars(ANSWERS) if n.split("__")[0] in IDS]
    assert len(wrong) > 50


IDS = {mistake.id for mistake in MISTAKES}


def test_every_core_case_tells_the_wrong_reshapes_apart():
    """Where h divides T, where it does not, and with four heads."""
    ways = [{"split": "view", "merge": "view"}, {"merge": "view"}]
    for case in CASES:
        if case.basic and case.args[5] > 1:
            want = attended_in_heads(*case.args)
            for edits in ways:
                got = attended_in_heads(*case.args, **edits)
                assert not np.allclose(got, want), (case.name, edits)


def test_two_mistakes_at_once_are_both_named():
    def unscaled_without_wo(x, WQ, WK, WV, WO, h):
        q, k, v = (ANSWERS._cut(x @ W, h) for W in (WQ, WK, WV))
        return ANSWERS._join(ANSWERS._softmax(q @ k.mT) @ v)

    verdict = checks.mha(unscaled_without_wo)
    assert verdict.mistake == "no_scale+wo_forgotten"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda y, x: y[:, :-1], "shape is the first thing"),
        (lambda y, x: y + 0.01 * x[:1].sum(), "not one of the usual"),
        (lambda y, x: y + 0.01 * x.sum(axis=0), "must not look at each other"),
        (lambda y, x: y + np.arange(y.shape[1])[:, None], "shifted by one"),
        (lambda y, x: y + 0.01, "the values are not"),
        (lambda y, x: np.full_like(y, np.nan), "contains nan"),
    ],
)
def test_an_unusual_answer_hears_the_first_law_it_breaks(change, says):
    def unusual(x, WQ, WK, WV, WO, h):
        return change(right(x, WQ, WK, WV, WO, h), x)

    verdict = checks.mha(unusual)
    assert verdict.mistake is None
    assert says in verdict.message, verdict.message


def test_no_message_tells_the_whole_way():
    """No verdict names the cut and the exchange of axes with numbers."""
    for mistake in MISTAKES:
        text = mistake.message + mistake.hint
        assert "swapaxes" not in text and "transpose(1, 2)" not in text


def test_cell_13_is_followed_by_numpy():
    x = np.arange(24).reshape(1, 4, 6)
    cut = x.reshape(1, 4, 3, 2).swapaxes(1, 2)
    places = [
        *np.argwhere(cut == 13)[0][1:],
        *np.argwhere(x.reshape(1, 3, 4, 2) == 13)[0][1:],
        *np.argwhere(cut.reshape(1, 4, 6) == 13)[0][1:],
    ]
    np.testing.assert_array_equal(paper_cells.CELL.answer, places)
    assert checks.cell_by_hand(places).ok


def test_the_budget_is_counted_in_the_library():
    torch = pytest.importorskip("torch")
    from transformer_lib.multi_head import MultiHeadAttention

    attention = MultiHeadAttention(512, 16)
    matrices = [p for p in attention.parameters() if p.ndim == 2]
    x = torch.zeros(1, 100, 512)
    shares = attention.attention_weights(x, attention.keys_values(x))
    width, numbers, products, many, one = paper_heads.HEADS_BUDGET.answer
    assert attention.keys_values(x).keys.shape[-1] == width
    assert sum(p.numel() for p in matrices) == numbers
    assert shares.numel() == many and products == many * width
    assert one == shares[0, 0].numel()


def test_the_hint_follows_what_is_wrong():
    assert "head 1" not in checks.cell_by_hand(None).message
    verdict = checks.cell_by_hand((0, 2, 1, 1, 2, 1, 3, 3))
    assert "the merge by view" in verdict.message
    verdict = checks.heads_budget_by_hand((32, 1, 5120000, 160000, 10000))
    assert "numbers in the four matrices" in verdict.message
