"""What is special to the checks of the chapter on residual connections."""

import numpy as np
import pytest
import torch

from transformer_course import checks
from transformer_course.checks.code.encoder_layer import (
    EXERCISE,
    function_of,
)
from transformer_course.checks.paper import paper_of
from transformer_lib.layers import EncoderLayer
from transformer_lib.model_config import Architecture


def parts_of(layer):
    """Attention, feed-forward network and norm of a module of the library."""

    def attn(x):
        x = torch.as_tensor(x)
        kv = layer.self_attention.keys_values(x)
        return layer.self_attention(x, kv, None).detach().numpy()

    def ffn(x):
        return layer.feed_forward(torch.as_tensor(x)).detach().numpy()

    def ln(x):
        return layer.norm1(torch.as_tensor(x)).detach().numpy()

    return attn, ffn, ln


@pytest.mark.parametrize("norm_first", [False, True])
def test_the_reference_agrees_with_the_library(norm_first):
    torch.manual_seed(0)
    architecture = Architecture(
        d_model=6, n_heads=2, d_ff=12, dropout=0.0, norm_first=norm_first
    )
    layer = EncoderLayer(architecture).double()
    x = torch.randn(2, 5, 6, dtype=torch.float64)
    pre_norm = {m.id: m for m in EXERCISE.mistakes}["pre_norm"].edits[0]
    wired = EXERCISE.variant(pre_norm if norm_first else {})
    got = wired(x.numpy(), *parts_of(layer))
    np.testing.assert_allclose(got, layer(x).detach().numpy(), rtol=1e-10)


def test_the_reference_agrees_with_torch():
    torch.manual_seed(1)
    layer = torch.nn.TransformerEncoderLayer(
        6, 2, 12, dropout=0.0, batch_first=True, dtype=torch.float64
    )
    layer.eval()

    def attn(x):
        x = torch.as_tensor(x)
        return layer.self_attn(x, x, x)[0].detach().numpy()

    def ffn(x):
        hidden = torch.relu(layer.linear1(torch.as_tensor(x)))
        return layer.linear2(hidden).detach().numpy()

    def ln(x):
        return layer.norm1(torch.as_tensor(x)).detach().numpy()

    x = torch.randn(1, 4, 6, dtype=torch.float64)
    got = EXERCISE.solve(x.numpy(), attn, ffn, ln)
    np.testing.assert_allclose(got, layer(x).detach().numpy(), rtol=1e-8)


def test_two_mistakes_at_once_are_both_named():
    def exchanged_and_pre_norm(x, attn, ffn, ln):
        z = x + ffn(ln(x))
        return z + attn(ln(z))

    verdict = checks.encoder_layer(exchanged_and_pre_norm)
    assert verdict.mistake == "pre_norm+order_exchanged"

    def no_norm_and_no_first_skip(x, attn, ffn, ln):
        z = attn(x)
        return z + ffn(z)

    verdict = checks.encoder_layer(no_norm_and_no_first_skip)
    assert verdict.mistake == "no_skip_around_attention+no_norm"


def test_an_unusual_answer_is_shown_with_its_functions_in_words():
    def unusual(x, attn, ffn, ln):
        return ln(x + 0.9 * attn(x))

    verdict = checks.encoder_layer(unusual)
    assert verdict.mistake is None
    assert "ffn: max(0, component - 1)" in verdict.example.given
    assert "object" not in repr(verdict)


def test_a_wrong_call_of_the_parts_is_reported_with_its_line():
    def calls_wrongly(x, attn, ffn, ln):
        return ln(x + attn(x, x, x))

    message = checks.encoder_layer(calls_wrongly).message
    assert "attn(x, x, x)" in message


def test_tensors_come_and_go():
    for case in EXERCISE.cases:
        x, *parts = case.args
        for part in map(function_of, parts):
            got = part(torch.as_tensor(x, dtype=torch.float64))
            np.testing.assert_allclose(got.numpy(), part(x), rtol=1e-12)


def test_three_layers_are_what_a_loop_gives():
    givens = paper_of("three_layers_by_hand").givens
    plain = skip = givens["x"].value
    for name in ("W1", "W2", "W3"):
        plain = np.maximum(0, plain @ givens[name].value)
        skip = skip + np.maximum(0, skip @ givens[name].value)
    right = paper_of("three_layers_by_hand").answer
    np.testing.assert_array_equal(right, [plain, skip])


def test_four_factors_are_what_autograd_and_counting_give():
    want = []
    for w in (-0.5, 1.0):
        for skip in (0.0, 1.0):
            x = y = torch.tensor(1.0, requires_grad=True)
            for _ in range(4):
                y = skip * y + w * y
            y.backward()
            want.append(x.grad.item())
    paths = [bin(path).count("1") for path in range(16)]
    want.append(paths.count(2))
    np.testing.assert_allclose(paper_of("four_factors_by_hand").answer, want)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (((6, 0), (1, 1)), "pair without the skip is right"),
        (((1, 1), (26, 7)), "pair with the skip is right"),
        (((1, 1), (2, 2)), "Both pairs differ"),
        ((6, 0, 26, 7), "wanted"),
    ],
)
def test_the_check_of_three_layers_says_where_to_look(value, says):
    verdict = checks.three_layers_by_hand(value)
    assert says in verdict.message
    assert "26" not in verdict.message


def test_the_papers_never_tell_their_answer():
    for misconception in paper_of("three_layers_by_hand").misconceptions:
        assert "26" not in misconception.message
    for value in [(1, 2, 3, 4, 5), (0.0625, 9, 9, 9, 9)]:
        message = checks.four_factors_by_hand(value).message
        assert "0.0625" not in message and "1/16" not in message
