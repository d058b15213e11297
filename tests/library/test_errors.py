"""Bad numbers, flags and texts: each error says what came and what to do.

The library is loaded here as its users load it, without the shape checks
that the other tests run under (see `plain` in conftest.py).
"""

import math

import numpy as np
import pytest
import torch
from refusal import refuses

SIZES = {"vocab_size": 9, "d_model": 4, "n_heads": 2, "d_ff": 8, "n_layers": 1}
SOURCE = torch.tensor([[4, 5]])


def config(lib, **changes):
    return lib("model").TransformerConfig(
        **{**SIZES, "max_length": 3, **changes}
    )


def transformer(lib):
    return lib("model").Transformer(config(lib)).eval()


def shipped(lib):
    return lib("translator").Translator.shipped()


# Who takes a whole number, under which name, and the least that will do.
WHOLE = {
    "attention d_model": (
        "d_model",
        lambda lib, n: lib("multi_head").MultiHeadAttention(n, 2),
    ),
    "attention n_heads": (
        "n_heads",
        lambda lib, n: lib("multi_head").MultiHeadAttention(4, n),
    ),
    "attention d_k": (
        "d_k",
        lambda lib, n: lib("multi_head").MultiHeadAttention(4, 2, n),
    ),
    "layer norm": ("d_model", lambda lib, n: lib("normalization").LayerNorm(n)),
    "batch norm": ("d_model", lambda lib, n: lib("normalization").BatchNorm(n)),
    "feed-forward d_model": (
        "d_model",
        lambda lib, n: lib("feed_forward").FeedForward(n, 8),
    ),
    "feed-forward d_ff": (
        "d_ff",
        lambda lib, n: lib("feed_forward").FeedForward(4, n),
    ),
    "embedding vocab_size": (
        "vocab_size",
        lambda lib, n: lib("embedding").TokenEmbedding(n, 4),
    ),
    "embedding d_model": (
        "d_model",
        lambda lib, n: lib("embedding").TokenEmbedding(9, n),
    ),
    "sines": (
        "d_model",
        lambda lib, n: lib("positional").sinusoidal_encoding(3, n),
    ),
    "positions d_model": (
        "d_model",
        lambda lib, n: lib("positional").PositionalEncoding(n, 6, 0.0),
    ),
    "positions max_length": (
        "max_length",
        lambda lib, n: lib("positional").PositionalEncoding(4, n, 0.0),
    ),
    "smoothing": (
        "n_classes",
        lambda lib, n: lib("label_smoothing").smooth_targets(SOURCE, n, 0.1),
    ),
    "noam step": (
        "step",
        lambda lib, n: lib("schedule").noam_lr(n, 512, 4000),
    ),
    "noam d_model": (
        "d_model",
        lambda lib, n: lib("schedule").noam_lr(1, n, 4000),
    ),
    "noam warmup": (
        "warmup",
        lambda lib, n: lib("schedule").noam_lr(1, 512, n),
    ),
    "cosine step": (
        "step",
        lambda lib, n: lib("schedule").cosine_lr(n, 1.0, 4, 10),
    ),
    "cosine warmup": (
        "warmup",
        lambda lib, n: lib("schedule").cosine_lr(1, 1.0, n, 10),
    ),
    "greedy": (
        "max_length",
        lambda lib, n: lib("decoding").greedy(transformer(lib), SOURCE, n),
    ),
    "beam": (
        "beam_size",
        lambda lib, n: lib("decoding").beam_search(transformer(lib), SOURCE, n),
    ),
    "batches": (
        "tokens_per_batch",
        lambda lib, n: lib("batching").BatchPlan([([4], [5])], n),
    ),
    "pieces": (
        "vocab_size",
        lambda lib, n: lib("tokenizer").Tokenizer.bpe(["the cat"], n),
    ),
    "search": (
        "batch_size",
        lambda lib, n: lib("search").Search(batch_size=n),
    ),
} | {
    f"config {name}": (name, lambda lib, n, name=name: config(lib, **{name: n}))
    for name in (*SIZES, "d_k", "max_length")
} | {
    f"training {name}": (
        name,
        lambda lib, n, name=name: lib("training").TrainConfig(**{name: n}),
    )
    for name in ("steps", "warmup", "tokens_per_batch")
}  # fmt: skip


@pytest.mark.parametrize("who", WHOLE)
def test_a_whole_number_is_asked_for_by_name(plain, who):
    name, call = WHOLE[who]
    for value in (2.0, "2", True):
        with refuses(TypeError, f"{name}={value!r}", "whole number"):
            call(plain, value)
    for value in (0, -4):
        with refuses(ValueError, f"{name}={value}", " or more"):
            call(plain, value)


@pytest.mark.parametrize(
    "name, call",
    [
        ("n_queries", lambda lib, n: lib("masks").causal_mask(n, 5)),
        ("n_keys", lambda lib, n: lib("masks").causal_mask(0, n)),
        ("length", lambda lib, n: lib("positional").sinusoidal_encoding(n, 4)),
        (
            "start",
            lambda lib, n: lib("positional").PositionalEncoding(4, 6, 0.0)(
                torch.ones(1, 2, 4), start=n
            ),
        ),
        ("seed", lambda lib, n: lib("training").TrainConfig(seed=n)),
    ],
)
def test_a_whole_number_may_be_zero_here(plain, name, call):
    call(plain, 0)
    for value in (1.0, "1", True):
        with refuses(TypeError, f"{name}={value!r}", "whole number"):
            call(plain, value)
    with refuses(ValueError, f"{name}=-1", "0 "):
        call(plain, -1)


def test_numpys_numbers_are_numbers(plain):
    mask = plain("masks").causal_mask(np.int64(2), np.int32(3))
    assert mask.shape == (2, 3)
    rate = plain("schedule").cosine_lr(np.int64(2), np.float32(0.5), 4, 10)
    assert rate == 0.25
    plain("positional").PositionalEncoding(4, np.int16(6), np.float32(0.5))


PROBABILITIES = {
    "config": ("dropout", lambda lib, p: config(lib, dropout=p)),
    "positions": (
        "dropout",
        lambda lib, p: lib("positional").PositionalEncoding(4, 6, p),
    ),
    "training": (
        "label_smoothing",
        lambda lib, p: lib("training").TrainConfig(label_smoothing=p),
    ),
    "targets": (
        "epsilon",
        lambda lib, p: lib("label_smoothing").smooth_targets(SOURCE, 9, p),
    ),
    "loss": (
        "epsilon",
        lambda lib, p: lib("label_smoothing").token_loss(
            torch.ones(1, 2, 9), SOURCE, p
        ),
    ),
}


@pytest.mark.parametrize("who", PROBABILITIES)
def test_a_probability_lies_from_0_to_below_1(plain, who):
    name, call = PROBABILITIES[who]
    for value in (-0.1, 1.0, 1.5, math.nan, math.inf):
        with refuses(ValueError, f"{name}={value}", f"0 <= {name} < 1"):
            call(plain, value)
    for value in ("0.1", None, True):
        with refuses(TypeError, f"{name}={value!r}", "number"):
            call(plain, value)


POSITIVE = {
    "schedule": (
        "max_lr",
        lambda lib, r: lib("schedule").cosine_lr(1, r, 4, 10),
    ),
    "learning rate": (
        "max_lr",
        lambda lib, r: lib("training").TrainConfig(max_lr=r),
    ),
    "clipping": (
        "max_grad_norm",
        lambda lib, r: lib("training").TrainConfig(max_grad_norm=r),
    ),
}


@pytest.mark.parametrize("who", POSITIVE)
def test_learning_rate_and_clipping_are_finite_and_above_0(plain, who):
    name, call = POSITIVE[who]
    for value in (0.0, -1.0, math.nan, math.inf):
        with refuses(ValueError, f"{name}={value}", "above 0"):
            call(plain, value)
    for value in ("0.1", True):
        with refuses(TypeError, f"{name}={value!r}", "number"):
            call(plain, value)


@pytest.mark.parametrize("alpha", [-0.6, math.nan, math.inf])
def test_a_length_penalty_is_0_or_more(plain, alpha):
    decoding = plain("decoding")
    for call in (
        lambda: decoding.length_penalty(3, alpha),
        lambda: decoding.beam_search(transformer(plain), SOURCE, 2, alpha),
    ):
        with refuses(ValueError, f"alpha={alpha}", "0 or"):
            call()


@pytest.mark.parametrize("value", ["no", None, 1])
@pytest.mark.parametrize(
    "name",
    [
        "norm_first",
        "tie_embeddings",
        "learned_positions",
        "learned",
        "bfloat16",
    ],
)
def test_a_flag_is_true_or_false(plain, name, value):
    """The text "no" would count as yes."""
    with refuses(TypeError, f"{name}={value!r}", "True or False"):
        if name == "bfloat16":
            plain("training").TrainConfig(**{name: value})
        elif name == "learned":
            plain("positional").PositionalEncoding(4, 6, 0.0, value)
        else:
            config(plain, **{name: value})


def test_heads_must_divide_the_model(plain):
    parts = ["d_model=10", "n_heads=3", "[1, 2, 5, 10]"]
    with refuses(ValueError, *parts):
        plain("multi_head").MultiHeadAttention(10, 3)
    with refuses(ValueError, *parts):
        config(plain, d_model=10, n_heads=3)


def test_sines_need_an_even_model(plain):
    with refuses(ValueError, "d_model=5", "even"):
        plain("positional").sinusoidal_encoding(3, 5)
    with refuses(ValueError, "d_model=5", "even"):
        config(plain, d_model=5, n_heads=1)
    config(plain, d_model=5, n_heads=1, learned_positions=True)


def test_the_queries_are_the_last_keys(plain):
    with refuses(ValueError, "3 queries", "2 keys"):
        plain("masks").causal_mask(3, 2)


def test_the_first_update_is_step_1(plain):
    with refuses(ValueError, "step=0", "1 or more"):
        plain("schedule").noam_lr(0, 512, 4000)


def test_a_model_writes_no_more_than_it_has_positions_for(plain):
    decoding, model = plain("decoding"), transformer(plain)
    for write in (decoding.greedy, decoding.beam_search):
        with refuses(ValueError, "max_length=4", "1 to 3"):
            write(model, SOURCE, max_length=4)


def test_smoothing_knows_three_conventions(plain):
    smooth = plain("label_smoothing").smooth_targets
    with refuses(ValueError, "'others'", "all, wrong, wrong_words"):
        smooth(SOURCE, 9, 0.1, spread="others")
    with refuses(ValueError, "n_classes=2", "wrong_words"):
        smooth(torch.tensor([1]), 2, 0.1, spread="wrong_words")


def test_a_model_without_attention_cannot_be_recorded(plain):
    with refuses(ValueError, "Linear contains no attention"):
        plain("multi_head").record_attention(torch.nn.Linear(1, 1)).__enter__()


def test_batches_need_pairs_of_ids(plain):
    batching = plain("batching")
    with refuses(ValueError, "at least one pair"):
        batching.make_batch([])
    with refuses(ValueError, "no sentence pairs"):
        batching.BatchPlan([], 100)
    for call in (
        lambda: batching.make_batch([("the cat", "고양이")]),
        lambda: batching.pad(["the cat"]),
    ):
        with refuses(TypeError, "'the cat'", "ids", "encode"):
            call()


@pytest.mark.parametrize("measure", ["exact_match", "bleu", "chrf"])
def test_measures_want_as_many_hypotheses_as_references(plain, measure):
    measure = getattr(plain("evaluation"), measure)
    with refuses(ValueError, "2 hypotheses", "1 references"):
        measure(["a", "b"], ["a"])
    with refuses(ValueError, "at least one"):
        measure([], [])


def test_measures_name_what_they_do_not_know(plain):
    evaluation = plain("evaluation")
    with refuses(ValueError, "'korean'", "char", "13a"):
        evaluation.bleu(["a"], ["a"], tokenize="korean")
    with refuses(ValueError, "loss=-1", "nats"):
        evaluation.perplexity(-1)
    with refuses(ValueError, "1 sentences", "0 sure"):
        evaluation.alignment_error_rate([{(0, 0)}], [])
    with refuses(TypeError, "[(0, 0)]", "give a set"):
        evaluation.alignment_error_rate([[(0, 0)]], [{(0, 0)}])


def test_only_checkpoints_of_one_model_have_an_average(plain):
    average = plain("checkpoint").average
    with refuses(ValueError, "nothing", "at least one"):
        average([])
    one, other = {"a": torch.ones(2)}, {"a": torch.ones(3)}
    for wrong in (other, {"b": torch.ones(2)}, {}):
        with refuses(ValueError, "checkpoint 3", "shape of a"):
            average([one, one, wrong])


TEXTS = {
    "exact_match": lambda lib, x: lib("evaluation").exact_match(x, ["a"]),
    "bleu": lambda lib, x: lib("evaluation").bleu(x, ["a"]),
    "chrf": lambda lib, x: lib("evaluation").chrf(x, ["a"]),
    "references": lambda lib, x: lib("evaluation").exact_match(["a"], x),
    "words": lambda lib, x: lib("tokenizer").Tokenizer.words(x),
    "pieces": lambda lib, x: lib("tokenizer").Tokenizer.bpe(x, 300),
    "encode_all": lambda lib, x: shipped(lib).tokenizer.encode_all(x),
    "translate": lambda lib, x: shipped(lib).translate(x),
    "readable": lambda lib, x: shipped(lib).readable(x),
}


@pytest.mark.parametrize("who", TEXTS)
def test_one_text_is_not_a_list_of_texts(plain, who):
    with refuses(TypeError, "list of sentences", "'the cat slept .'"):
        TEXTS[who](plain, "the cat slept .")
    with refuses(TypeError, "sentence 1", "7", "text"):
        TEXTS[who](plain, [7])


@pytest.mark.parametrize(
    "who",
    [*(x for x in TEXTS if x != "readable"), "explain", "unknown", "encode"],
)
def test_half_a_character_is_named_with_its_sentence(plain, who):
    """A Python string can hold half an emoji; nothing else can."""
    half, library = "the dog \ud83d slept .", shipped(plain)
    place = ["at place 9", "half a character", r"'\ud83d'"]
    alone = {
        "explain": lambda: library.explain([half]),
        "unknown": lambda: library.unknown_words(half),
        "encode": lambda: library.tokenizer.encode(half),
    }
    with refuses(ValueError, f"sentence {1 if who in alone else 2}", *place):
        if who in alone:
            alone[who]()
        else:
            TEXTS[who](plain, ["the dog", half])


def test_the_tokenizer_names_an_id_it_does_not_know(plain):
    tokenizer = plain("tokenizer").Tokenizer.words(["a b c"])
    for call in (
        lambda: tokenizer.token(99),
        lambda: tokenizer.decode([4, 99]),
    ):
        with refuses(ValueError, "id 99", "7 tokens"):
            call()
    with refuses(ValueError, "id -1", "7 tokens"):
        tokenizer.token(-1)
    with refuses(TypeError, "['a']", "text"):
        tokenizer.encode(["a"])


def test_a_sentence_longer_than_the_model_reads_is_numbered(plain):
    long = " ".join(["the cat"] * 40)
    with refuses(ValueError, "sentence 2", "80 tokens", "at most 64"):
        shipped(plain).translate(["the cat slept .", long])
