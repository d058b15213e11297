"""The NumPy reference by hand: layers, the whole model, decoding."""

import math

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose
from test_numpy_reference import close

from transformer_lib import numpy_reference as reference

LN2 = math.log(2)


def norm(left, right):
    """Layer norm of two numbers: half their difference, about 1 long."""
    half = (left - right) / 2
    z = half / math.sqrt(half**2 + 1e-5)
    return [z, -z]


# ------------------------------------------------------------------ layers


def test_residual_connection_in_both_orders():
    def double(h):
        return 2 * h

    gain, bias = np.array([3, 1]), np.array([10, 20])
    post = reference.residual_connection([1, 5], double, gain, bias)
    z = norm(3, 15)
    close(post, [3 * z[0] + 10, z[1] + 20])
    pre = reference.residual_connection([1, 5], double, gain, bias, True)
    z = norm(1, 5)
    close(pre, [1 + 2 * (3 * z[0] + 10), 5 + 2 * (z[1] + 20)])


def averaging(name):
    """Attention of width 2 that looks at all tokens alike."""
    weights = {"q": np.zeros((2, 2)), "k": np.zeros((2, 2))}
    weights |= {"v": np.eye(2), "out": np.eye(2)}
    found = {f"{name}.{k}_proj.weight": w for k, w in weights.items()}
    return found | {f"{name}.{k}_proj.bias": np.zeros(2) for k in weights}


def plain_norms(n):
    names = [f"norm{i + 1}" for i in range(n)]
    gains = {f"{name}.weight": np.ones(2) for name in names}
    return gains | {f"{name}.bias": np.zeros(2) for name in names}


# Two inner units, h and 0; they come back as (5, h).
NETWORK = {
    "feed_forward.linear1.weight": np.array([[1, 0], [0, 0]]),
    "feed_forward.linear1.bias": np.zeros(2),
    "feed_forward.linear2.weight": np.array([[0, 1], [1, 0]]),
    "feed_forward.linear2.bias": np.array([5, 0]),
}
ENCODER = averaging("self_attention") | NETWORK | plain_norms(2)
X = np.array([[1, 3], [5, -1]])


def thought(token):
    """What the network of NETWORK and its post-norm make of a token."""
    return norm(token[0] + 5, token[1] + max(token[0], 0))


def test_encoder_layer_by_hand():
    out = reference.encoder_layer(X, ENCODER, n_heads=1)
    # The mean token is (3, 1), so the sums are (4, 4) and (8, 0).
    close(out, [thought(norm(4, 4)), thought(norm(8, 0))])
    mask = np.array([[True, False]])
    out = reference.encoder_layer(X, ENCODER, 1, mask=mask)
    # Everyone sees the first token only: (2, 6) and (6, 2).
    close(out, [thought(norm(2, 6)), thought(norm(6, 2))])


def test_encoder_layer_with_the_norm_first_by_hand():
    out = reference.encoder_layer(X, ENCODER, n_heads=1, norm_first=True)
    a, b = norm(1, 3)[0], norm(5, -1)[0]
    mean = (a + b) / 2
    seen = X + np.array([mean, -mean])
    z = [norm(*token)[0] for token in seen]
    change = [[5, max(z[0], 0)], [5, max(z[1], 0)]]
    close(out, seen + change)


DECODER = (
    averaging("self_attention")
    | averaging("cross_attention")
    | NETWORK
    | plain_norms(3)
)
MEMORY = np.array([[0, 9], [4, 5], [-90, 70]])


def test_decoder_layer_by_hand():
    mask = np.array([[True, True, False]])
    out = reference.decoder_layer(X, MEMORY, DECODER, 1, memory_mask=mask)
    # Token 1 sees itself, token 2 the mean of both, (3, 1).
    back = np.array([norm(2, 6), norm(8, 0)])
    across = [norm(p + 2, q + 7) for p, q in back]
    close(out, [thought(token) for token in across])


def test_each_part_of_a_layer_reads_its_own_weights():
    silent = dict(DECODER)
    silent["cross_attention.out_proj.bias"] = np.array([1e3, -1e3])
    out = reference.decoder_layer(X, MEMORY, silent, 1)
    close(out, [thought([1, -1])] * 2)
    x = reference.encoder_layer(X, ENCODER, 1)
    turned = ENCODER | {"norm2.bias": np.array([0, 4])}
    close(reference.encoder_layer(X, turned, 1), x + [0, 4])


@pytest.mark.parametrize("number", [0, 1, 2])
def test_each_residual_connection_of_a_layer_has_its_own_norm(number):
    shift = np.zeros((3, 2))
    shift[number] = [0, 6]
    weights = DECODER | {
        f"norm{i + 1}.bias": bias for i, bias in enumerate(shift)
    }
    out = reference.decoder_layer(X[:1], MEMORY[:1], weights, 1)
    seen = np.array(norm(2, 6)) + shift[0]
    seen = np.array(norm(*(seen + MEMORY[0]))) + shift[1]
    close(out, [np.array(thought(seen)) + shift[2]])


# --------------------------------------------------------------- the model

TABLE = np.array([[0, 0], [1, 0], [0, 1], [1, 2], [3, -1]]) / math.sqrt(2)


def by_hand(row, position, d_model=2):
    assert d_model == 2  # one pair of columns
    return TABLE[row] * math.sqrt(2) + [math.sin(position), math.cos(position)]


def test_a_model_without_layers_writes_what_it_reads():
    weights = {"source_embedding.weight": TABLE}
    scores = reference.transformer(weights, [[4]], [[1, 3]], 1)
    close(scores[0, 0], TABLE @ [1, 1])
    close(scores[0, 1], TABLE @ by_hand(3, 1))


def test_tables_of_their_own_are_used_in_their_places():
    weights = {
        "source_embedding.weight": np.full((5, 2), 77.0),
        "target_embedding.weight": TABLE,
        "output_embedding.weight": 2 * TABLE[::-1],
        "positions.pe": np.array([[0, 0], [5, 6], [0, 0]]),
    }
    scores = reference.transformer(weights, [[4]], [[1, 3]], 1)
    close(scores[0, 0], 2 * TABLE[::-1] @ [1, 0])
    close(scores[0, 1], 2 * TABLE[::-1] @ [1 + 5, 2 + 6])
    read = reference.encode(weights, [4, 4], 1)
    close(read, 77 * math.sqrt(2) + np.array([[0, 0], [5, 6]]))


def test_a_pre_norm_model_normalizes_at_the_end_of_each_stack():
    still = {
        key: np.zeros_like(value) if "feed_forward" in key else value
        for key, value in DECODER.items()
    }
    still["self_attention.out_proj.weight"] = np.zeros((2, 2))
    weights = {f"decoder.layers.0.{k}": v for k, v in still.items()}
    weights |= {
        "source_embedding.weight": TABLE,
        "encoder.norm.weight": np.array([2, 0]),
        "encoder.norm.bias": np.array([0, 30]),
        "decoder.norm.weight": np.ones(2),
        "decoder.norm.bias": np.zeros(2),
    }
    scores = reference.transformer(
        weights, [[3, 4, 0]], [[1]], 1, norm_first=True
    )
    # The memory is (2 z, 30) for each token; <pad> is not looked at.
    first = norm(*by_hand(3, 0))[0]
    second = norm(*by_hand(4, 1))[0]
    assert first < 0 < second  # so their mean is neither of them
    close(scores[0, 0], TABLE @ norm(1 + first + second, 1 + 30))


def random_weights(rng, n_layers):
    """Random weights of width 4, twice that of the layers above."""
    weights = {"source_embedding.weight": rng.normal(size=(5, 4))}
    for stack, parts in (("encoder", ENCODER), ("decoder", DECODER)):
        for i in range(n_layers):
            weights |= {
                f"{stack}.layers.{i}.{key}": rng.normal(
                    size=[2 * n for n in value.shape]
                )
                for key, value in parts.items()
            }
    return weights


def test_the_encoder_runs_its_layers_in_order():
    rng = np.random.default_rng(1)
    weights = random_weights(rng, n_layers=2)
    x = reference.token_embedding([4, 3], weights["source_embedding.weight"])
    x = x + reference.sinusoidal_encoding(2, 4)
    for i in range(2):
        layer = {key: weights[f"encoder.layers.{i}.{key}"] for key in ENCODER}
        x = reference.encoder_layer(x, layer, 2)
    close(reference.encode(weights, [4, 3], 2), x)


def test_each_sentence_is_read_without_its_padding_or_companions():
    weights = random_weights(np.random.default_rng(0), n_layers=2)
    source, target = [[4, 3, 0, 0], [3, 4, 4, 2]], [[1, 2, 3], [1, 4, 4]]
    both = reference.transformer(weights, source, target, 2)
    alone = reference.transformer(weights, [[4, 3]], target[:1], 2)
    close(both[:1], alone)
    changed = reference.transformer(weights, source, [[1, 2, 4]] * 2, 2)
    close(changed[0, :2], both[0, :2])
    assert abs(changed[0, 2] - both[0, 2]).max() > 1e-3


# ---------------------------------------------------------------- decoding

# A language of one word, a = 3. How probable are <eos> and a after ...?
SCRIPT = {(): (0.4, 0.6), (3,): (0.45, 0.55), (3, 3): (0.9, 0.1)}


def scripted(tokens):
    assert tokens[0] == 1  # <bos>
    end, word = SCRIPT[tuple(tokens[1:])]
    return [-np.inf, -np.inf, math.log(end), math.log(word)]


def test_length_penalty_by_hand():
    assert reference.length_penalty(1, 0.6) == 1
    assert reference.length_penalty(7, 1.0) == 2
    close(reference.length_penalty(7, 0.5), math.sqrt(2))
    assert reference.length_penalty(30, 0.0) == 1
    with pytest.raises(ValueError, match="alpha"):
        reference.length_penalty(3, -0.1)


def test_greedy_takes_the_best_next_token_and_misses_the_best_sentence():
    tokens, log_p, finished = reference.greedy(scripted, 3)
    assert (tokens, finished) == ([3, 3], True)
    close(log_p, math.log(0.6 * 0.55 * 0.9))
    tokens, log_p, finished = reference.greedy(scripted, 2)
    assert (tokens, finished) == ([3, 3], False)
    close(log_p, math.log(0.6 * 0.55))


def test_everything_that_can_be_written():
    found = oracles.exhaustive_search(scripted, 0.0, 2)
    assert [one.tokens for one in found] == [[], [3, 3], [3]]
    assert [one.finished for one in found] == [True, False, True]
    shares = np.exp([one.log_probability for one in found])
    close(shares, [0.4, 0.6 * 0.55, 0.6 * 0.45])
    # A penalty of (7/6)^2 brings the longer one to the front.
    found = oracles.exhaustive_search(scripted, 2.0, 2)
    assert [one.tokens for one in found] == [[3, 3], [], [3]]


def test_six_tokens_make_thirteen_sentences_of_two():
    # <eos>; or one of three others, and then one of four: never <pad>, <bos>.
    scores = np.array([-np.inf, -np.inf, 0, 0, 0, 0])
    found = oracles.exhaustive_search(lambda tokens: scores, 0.0, 2)
    assert len(found) == 1 + 3 * 4
    said = {(*one.tokens, one.finished) for one in found}
    assert len(said) == 13
    close(sum(np.exp([one.log_probability for one in found])), 1)


def test_all_that_can_be_written_is_certain_to_be_written():
    found = oracles.exhaustive_search(scripted, 0.6, 3)
    close(sum(np.exp([one.log_probability for one in found])), 1)


def test_a_beam_keeps_k_and_compares_the_finished_with_the_others():
    # Step 1: a 0.6, <eos> 0.4. Step 2: <eos> 0.4, aa 0.33, a<eos> 0.27.
    # Step 3: <eos> 0.4, aa<eos> 0.297; what a<eos> had, it lost at step 2.
    found = reference.beam_search(scripted, 2, 0.0, 3)
    assert [one.tokens for one in found] == [[], [3, 3]]
    assert all(one.finished for one in found)
    close(found[1].log_probability, math.log(0.6 * 0.55 * 0.9))
    alone = reference.beam_search(scripted, 1, 0.6, 3)
    assert alone == [reference.greedy(scripted, 3)]
    wide = reference.beam_search(scripted, 99, 0.6, 3)
    assert wide == oracles.exhaustive_search(scripted, 0.6, 3)


# --------------------------------------------------------------- gradients


def test_finite_difference_of_a_square_and_of_a_sine():
    x = np.array([[1.0, -2.0, 0.5]])
    slopes = oracles.finite_difference(lambda a: float((a**2).sum()), x)
    assert_allclose(slopes, 2 * x, atol=1e-9)
    slopes = oracles.finite_difference(lambda a: float(np.sin(a[0, 1])), x)
    assert_allclose(slopes, [[0, math.cos(2), 0]], atol=1e-9)
    assert x.tolist() == [[1.0, -2.0, 0.5]]
