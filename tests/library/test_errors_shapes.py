"""Bad tensors: ranks, shapes, dtypes and ids, each refused by name.

The library is loaded as its users load it, without the shape checks that
the other tests run under. The worst inputs here are those that torch would
stretch in silence to an answer of the right shape.
"""

import pytest
import torch
from refusal import refuses

ones = torch.ones
B, S, T, D, V, LONGEST = 2, 3, 2, 4, 9, 6
SOURCE = torch.tensor([[4, 5, 6], [4, 5, 0]])
TARGET = torch.tensor([[1, 4], [1, 5]])


def booleans(*shape):
    return ones(*shape, dtype=torch.bool)


@pytest.fixture
def model(plain):
    module = plain("model")
    config = module.TransformerConfig(
        V, d_model=D, n_heads=2, d_ff=8, n_layers=1, max_length=LONGEST
    )
    return module.Transformer(config).eval()


@pytest.fixture
def attend(plain):
    return plain("multi_head").MultiHeadAttention(D, 2)


# Attention

Q, K, VALUE = ones(2, 3, 4), ones(2, 5, 4), ones(2, 5, 7)


def test_queries_and_keys_must_have_dot_products(plain):
    weights = plain("attention").attention_weights
    with refuses(ValueError, "d_k=4", "d_k=7"):
        weights(Q, VALUE)
    with refuses(ValueError, "(4,)", "(2, 5, 4)", "(..., L, d_k)"):
        weights(ones(4), K)
    for query in (ones(3, 3, 4), ones(1, 3, 4), ones(3, 4)):
        with refuses(ValueError, f"{tuple(query.shape)}", "(2, 5, 4)"):
            weights(query, K)


def test_each_key_needs_its_own_value(plain):
    attention = plain("attention").scaled_dot_product_attention
    with refuses(ValueError, "5 keys", "4 values"):
        attention(Q, K, VALUE[:, :4])
    with refuses(ValueError, "(7,)", "(..., L, d_v)"):
        attention(Q, K, ones(7))
    with refuses(ValueError, "(4,)", "(..., L, d_k)"):
        attention(Q, ones(4), VALUE[0])
    for value in (ones(3, 5, 7), ones(1, 5, 7), ones(5, 7)):
        with refuses(ValueError, f"{tuple(value.shape)}", "(2, 5, 4)"):
            attention(Q, K, value)


MASKS = [(3, 4), (3, 3, 5), (2, 5), (2, 3, 3), (2, 1, 3, 5), (1, 2, 3, 5)]


@pytest.mark.parametrize("shape", MASKS, ids=str)
def test_a_mask_must_fit_the_scores(plain, attend, shape):
    """One axis too many would give as many answers, all of them wrong."""
    mask, parts = booleans(*shape), [str(shape), "(2, 3, 5)", "queries, keys"]
    attention = plain("attention")
    with refuses(ValueError, *parts):
        attention.attention_weights(Q, K, mask)
    with refuses(ValueError, *parts):
        attention.scaled_dot_product_attention(Q, K, VALUE, mask)
    read = attend.keys_values(K)
    with refuses(ValueError, *parts):
        attend(Q, read, mask)
    with refuses(ValueError, *parts):
        attend.attention_weights(Q, read, mask)


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.uint8])
def test_a_mask_must_be_boolean(plain, attend, dtype):
    mask, parts = ones(3, 5).to(dtype), [str(dtype), "boolean", "mask.bool()"]
    with refuses(TypeError, *parts):
        plain("attention").attention_weights(Q, K, mask)
    with refuses(TypeError, *parts):
        attend(Q, attend.keys_values(K), mask)
    with refuses(TypeError, "list", "boolean"):
        attend(Q, attend.keys_values(K), mask.tolist())


def test_a_padding_mask_of_ids_shape_is_told_of_its_missing_axis(attend):
    read = attend.keys_values(K)
    with refuses(ValueError, "(2, 5)", "(B, 1, keys)"):
        attend(Q, read, booleans(2, 5))


def test_multi_head_attention_reads_batches_of_its_width(attend):
    read = attend.keys_values(K)
    for x in (ones(2, 3, 5), ones(3, 4), ones(4), ones(1, 2, 3, 4)):
        parts = [str(tuple(x.shape)), "(B, L, 4)"]
        with refuses(ValueError, *parts):
            attend.keys_values(x)
        with refuses(ValueError, *parts):
            attend(x, read)


def test_askers_and_those_who_are_read_come_from_equal_batches(plain, attend):
    read = attend.keys_values(K)
    for n in (1, 3):
        with refuses(ValueError, f"{n} sentences", "2"):
            attend(ones(n, 3, 4), read)
    with refuses(ValueError, "5 keys", "4 values"):
        attend(Q, read._replace(values=read.values[:, :, :4]))
    other = plain("multi_head").MultiHeadAttention(D, 4)
    with refuses(ValueError, "2 heads", "4"):
        attend(Q, other.keys_values(K))
    with refuses(TypeError, "Tensor", "keys_values"):
        attend(Q, K)


# Vectors

WIDTHS = {
    "layer norm": lambda lib: lib("normalization").LayerNorm(D),
    "batch norm": lambda lib: lib("normalization").BatchNorm(D),
    "feed-forward": lambda lib: lib("feed_forward").FeedForward(D, 8),
    "output": lambda lib: lib("embedding").TokenEmbedding(V, D).logits,
}


@pytest.mark.parametrize("who", WIDTHS)
def test_vectors_must_have_the_length_of_the_weights(plain, who):
    module = WIDTHS[who](plain)
    for x in (ones(2, 5), ones(2, 3, 1), ones(4, 3)):
        with refuses(ValueError, str(tuple(x.shape)), "4"):
            module(x)


def test_layers_and_positions_read_batches_of_their_width(plain):
    architecture = plain("model_config").Architecture
    layer = plain("layers").EncoderLayer(
        architecture(d_model=D, n_heads=2, d_ff=8, dropout=0.0)
    )
    positions = plain("positional").PositionalEncoding(D, LONGEST, 0.0)
    for x in (ones(2, 3, 5), ones(1, 3, 1), ones(3, 4), ones(4)):
        for module in (layer, positions):
            with refuses(ValueError, str(tuple(x.shape)), "(B, L, 4)"):
                module(x)


@pytest.mark.parametrize("norm", ["layer_norm", "batch_norm"])
def test_weight_and_bias_have_one_element_for_each_feature(plain, norm):
    function, x = getattr(plain("normalization"), norm), ones(2, 3, 4)
    for wrong in (ones(3), ones(1), ones(3, 4)):
        shape = str(tuple(wrong.shape)).strip("(),")
        with refuses(ValueError, "(2, 3, 4)", shape.split(",")[0]):
            function(x, wrong, ones(4))
        with refuses(ValueError, "(2, 3, 4)", shape.split(",")[0]):
            function(x, ones(4), wrong)


def test_batch_norm_needs_a_batch(plain):
    module = plain("normalization")
    for x in (ones(1, D), ones(0, D), ones(1, 1, D)):
        with refuses(ValueError, str(tuple(x.shape)), "2 or more", "eval()"):
            module.BatchNorm(D)(x)
    module.BatchNorm(D).eval()(ones(1, D))
    with refuses(ValueError, "both mean and var"):
        module.batch_norm(ones(2, D), ones(D), ones(D), mean=ones(D))
    with refuses(ValueError, "(2, 4)", "3"):
        module.batch_norm(
            ones(2, D), ones(D), ones(D), mean=ones(3), var=ones(3)
        )


# Ids

READERS = {
    "padding_mask": lambda lib, model, ids: lib("masks").padding_mask(ids),
    "start": lambda lib, model, ids: model.start(ids),
    "encode": lambda lib, model, ids: model.encode(ids, booleans(B, 1, S)),
    "forward, source": lambda lib, model, ids: model(ids, TARGET),
    "forward, target": lambda lib, model, ids: model(SOURCE, ids),
    "decode": lambda lib, model, ids: model.decode(ids, model.start(SOURCE)),
    "greedy": lambda lib, model, ids: lib("decoding").greedy(model, ids),
    "beam": lambda lib, model, ids: lib("decoding").beam_search(model, ids),
}


@pytest.mark.parametrize("who", READERS)
def test_ids_are_whole_numbers_in_rows(plain, model, who):
    def read(ids):
        READERS[who](plain, model, ids)

    for ids, name in (
        (SOURCE.float(), "float32"),
        (SOURCE != 0, "bool"),
        (SOURCE.tolist(), "list"),
        (SOURCE.numpy(), "ndarray"),
    ):
        with refuses(TypeError, "ids", name, "torch"):
            read(ids)
    for ids in (SOURCE[0], SOURCE.unsqueeze(0)):
        with refuses(ValueError, str(tuple(ids.shape)), "(B, L)"):
            read(ids)


@pytest.mark.parametrize("who", [w for w in READERS if w != "padding_mask"])
def test_ids_are_rows_of_the_table(plain, model, who):
    for wrong in (V, -1):
        ids = SOURCE.clone()
        ids[1, 1] = wrong
        with refuses(ValueError, f"{wrong}", "0 to 8", "tokenizer"):
            READERS[who](plain, model, ids)


def test_an_embedding_takes_ids_of_any_shape_but_no_others(plain):
    embed = plain("embedding").TokenEmbedding(V, D)
    assert embed(torch.tensor(8)).shape == (D,)
    assert embed(torch.zeros(2, 0, dtype=torch.int32)).shape == (2, 0, D)
    with refuses(ValueError, "ids run from 3 to 9", "0 to 8"):
        embed(torch.tensor([3, 9]))
    with refuses(TypeError, "float32", "torch.long"):
        embed(ones(2))


# The whole model


@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (0, 0)], ids=str)
def test_an_empty_batch_is_refused(plain, model, shape):
    nothing = torch.zeros(*shape, dtype=torch.long)
    decoding = plain("decoding")
    for call in (
        model.start,
        lambda ids: model(ids, TARGET),
        lambda ids: decoding.greedy(model, ids),
        lambda ids: decoding.beam_search(model, ids),
    ):
        with refuses(ValueError, str(shape), "at least one"):
            call(nothing)


def test_source_and_target_are_of_equal_batches(model):
    """One sentence would be stretched over all of the other side."""
    for source, target in ((SOURCE, TARGET[:1]), (SOURCE[:1], TARGET)):
        parts = [f"of {len(source)} sentence", f"{len(target)} came"]
        with refuses(ValueError, *parts):
            model(source, target)
        with refuses(ValueError, *parts):
            model.decode(target, model.start(source))


def test_a_sequence_longer_than_the_table_is_refused(plain, model):
    parts = ["position 6", "6 positions", "max_length"]
    long = ones(2, LONGEST + 1, dtype=torch.long)
    with refuses(ValueError, *parts):
        model.start(long)
    with refuses(ValueError, *parts):
        model(SOURCE, long)
    _, full = model.decode(long[:, :LONGEST], model.start(SOURCE))
    with refuses(ValueError, *parts):
        model.decode(TARGET[:, :1], full)
    positions = plain("positional").PositionalEncoding(D, LONGEST, 0.0)
    with refuses(ValueError, *parts):
        positions(ones(1, 3, D), start=4)


# The loss


@pytest.mark.parametrize("shape", [(2, 4), (3, 2), (6,), (2,)], ids=str)
def test_each_row_of_scores_needs_one_target(plain, shape):
    """(T, B, V) with (B, T) has as many rows, in another order."""
    targets = ones(*shape, dtype=torch.long)
    with refuses(ValueError, "(2, 3, 7)", str(shape)):
        plain("label_smoothing").token_loss(ones(2, 3, 7), targets)


def test_targets_are_classes(plain):
    module = plain("label_smoothing")
    for wrong in (7, -1, -100):
        targets = torch.tensor([1, wrong])
        with refuses(ValueError, str(wrong), "0 to 6"):
            module.token_loss(ones(2, 7), targets, 0.1)
        with refuses(ValueError, str(wrong), "0 to 6"):
            module.smooth_targets(targets, 7, 0.1)
    with refuses(TypeError, "float32", "torch.long"):
        module.token_loss(ones(2, 7), ones(2))
    with refuses(TypeError, "float32", "torch.long"):
        module.token_loss(ones(2, 7), ones(2, 7))
    with refuses(TypeError, "float32", "torch.long"):
        module.smooth_targets(ones(2), 7, 0.1)
    with refuses(TypeError, "list", "torch"):
        module.smooth_targets([1, 2], 7, 0.1)
