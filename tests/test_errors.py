"""Bad input: each error says what came, what was wanted, what to do.

The library is loaded here as its users load it, without the shape checks
that the other tests run under (see `plain` in conftest.py).
"""

import pytest
import torch


def refuses(kind, *parts):
    """Expect an error whose text contains all the parts."""
    return pytest.raises(kind, match="".join(f"(?=.*{p})" for p in parts))


def test_attention(plain):
    attention = plain("attention")
    q, k, v = torch.ones(2, 3, 4), torch.ones(2, 5, 4), torch.ones(2, 5, 7)
    with refuses(ValueError, "d_k=4", "d_k=7"):
        attention.attention_weights(q, v)
    with refuses(ValueError, "5 keys", "4 values"):
        attention.scaled_dot_product_attention(q, k, v[:, :4])
    with refuses(TypeError, "float32", "boolean", r"mask\.bool"):
        attention.attention_weights(q, k, torch.ones(2, 3, 5))


def test_multi_head(plain):
    multi_head = plain("multi_head")
    with refuses(ValueError, "d_model=10", "n_heads=3", r"\[1, 2, 5, 10\]"):
        multi_head.MultiHeadAttention(10, 3)
    module = multi_head.MultiHeadAttention(4, 2)
    x = torch.ones(1, 3, 4)
    read = module.keys_values(x)
    with refuses(ValueError, "3 keys", "2 values"):
        module(x, read._replace(values=read.values[:, :, :2]))
    with refuses(TypeError, "int64", "boolean"):
        module(x, read, torch.ones(3, 3, dtype=torch.long))
    linear = torch.nn.Linear(1, 1)
    with refuses(ValueError, "Linear contains no attention"):
        multi_head.record_attention(linear).__enter__()


def test_masks(plain):
    with refuses(ValueError, "3 queries", "2 keys"):
        plain("masks").causal_mask(3, 2)


def test_positions(plain):
    positional = plain("positional")
    with refuses(ValueError, "d_model=5", "even"):
        positional.sinusoidal_encoding(3, 5)
    with refuses(ValueError, "length=-1"):
        positional.sinusoidal_encoding(-1, 4)
    module = positional.PositionalEncoding(4, 6, 0.0)
    with refuses(ValueError, "position 6", "6 positions", "max_length"):
        module(torch.ones(1, 3, 4), start=4)


def test_schedule_and_smoothing(plain):
    schedule, smoothing = plain("schedule"), plain("label_smoothing")
    with refuses(ValueError, "step=0", "step 1"):
        schedule.noam_rate(0, 512, 4000)
    with refuses(ValueError, "warmup=-4"):
        schedule.cosine_rate(1, 1.0, -4, 10)
    for epsilon in (-0.1, 1.0):
        with refuses(ValueError, f"epsilon={epsilon}"):
            smoothing.smooth_targets(torch.tensor([1]), 3, epsilon)
        with refuses(ValueError, f"epsilon={epsilon}"):
            smoothing.token_loss(torch.ones(1, 3), torch.tensor([1]), epsilon)


@pytest.mark.parametrize(
    "changes, parts",
    [
        ({"n_layers": 0}, ["n_layers=0", "1 or more"]),
        ({"dropout": 1.0}, ["dropout=1.0"]),
        ({"max_length": 0}, ["max_length=0"]),
    ],
)
def test_model_config(plain, changes, parts):
    with refuses(ValueError, *parts):
        plain("model").TransformerConfig(**{"vocab_size": 9, **changes})


def test_model(plain):
    model = plain("model")
    config = model.TransformerConfig(
        9, d_model=4, n_heads=2, d_ff=8, n_layers=1, max_length=3
    )
    transformer = model.Transformer(config)
    with refuses(ValueError, r"shape \(0, 4\)", "at least one"):
        transformer.begin(torch.zeros(0, 4, dtype=torch.long))
    with refuses(ValueError, "position 3", "max_length"):
        transformer.begin(torch.ones(1, 4, dtype=torch.long))
    with pytest.raises(IndexError):
        transformer.begin(torch.tensor([[9]]))
    with refuses(ValueError, "max_length=4", "1 to 3"):
        plain("decoding").greedy(transformer, torch.tensor([[4]]), 4)


@pytest.mark.parametrize(
    "changes, parts",
    [
        ({"steps": 0}, ["steps=0"]),
        ({"warmup": 0}, ["warmup=0"]),
        ({"tokens_per_batch": 0}, ["tokens_per_batch=0"]),
        ({"smoothing": 1.0}, ["smoothing=1.0"]),
    ],
)
def test_train_config(plain, changes, parts):
    with refuses(ValueError, *parts):
        plain("training").TrainConfig(**changes)


def test_batches(plain):
    batching = plain("batching")
    with refuses(ValueError, "at least one pair"):
        batching.make_batch([])
    with refuses(ValueError, "no sentence pairs"):
        batching.BatchPlan([], 100)
    with refuses(ValueError, "tokens_per_batch=0"):
        batching.BatchPlan([([4], [5])], 0)


def test_measures(plain):
    evaluation = plain("evaluation")
    for measure in (evaluation.exact_match, evaluation.bleu):
        with refuses(ValueError, "2 hypotheses", "1 references"):
            measure(["a", "b"], ["a"])
        with refuses(ValueError, "at least one"):
            measure([], [])
        with refuses(TypeError, "list of sentences", "'abc'"):
            measure("abc", ["a", "b", "c"])


def test_translator(plain):
    translator = plain("translator").Translator.shipped()
    with refuses(TypeError, "list of sentences"):
        translator.translate("the cat slept .")
    long = " ".join(["the cat"] * 40)
    with refuses(ValueError, "sentence 2", "80 tokens", "at most 64"):
        translator.translate(["the cat slept .", long])
