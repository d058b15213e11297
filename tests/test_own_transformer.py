"""A student's whole way: ten parts, one file, a model that learns."""

import json
import sys
from pathlib import Path

import pytest
import torch

from transformer_lib import batching, corpus, training
from transformer_lib.course import workbook
from transformer_lib.course.checks.parts import PARTS
from transformer_lib.decoding import greedy
from transformer_lib.model import TransformerConfig
from transformer_lib.special_tokens import EOS, PAD
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.translator import Translator

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """The file with the book's version of every part, as a module."""
    path = tmp_path_factory.mktemp("own") / "my_transformer.py"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRANSFORMER_WORKBOOK", str(path))
        for name in PARTS:
            workbook.take(name)
        assert workbook.progress().complete
        yield workbook.load()
    sys.modules.pop("my_transformer", None)


def test_the_file_is_short_and_runs_without_this_package(own):
    text = Path(own.__file__).read_text(encoding="utf-8")
    assert "transformer_lib" not in text
    assert len(text.splitlines()) < 340
    scope = {}
    exec(text, scope)
    assert set(PARTS) <= set(scope)


def test_trained_weights_speak_as_the_library_does(own):
    translator = Translator.shipped()
    model = workbook.load_trained(own)
    pairs = corpus.toy_splits("full")["test"][:100]
    ids = translator.tokenizer.encode_all([pair.source for pair in pairs])
    for start in range(0, 100, 25):
        source = batching.pad(ids[start : start + 25])
        want = [h.tokens for h in greedy(translator.model, source, 40)]
        got = own.greedy_decode(model, source, 40)
        for row, tokens in zip(got.tolist(), want, strict=True):
            said = [token for token in row if token != PAD]
            assert said in (tokens, [*tokens, EOS])


def library_weights(model):
    """The library's weights under the names of the reader's model."""
    return {
        workbook._own_name(name): value
        for name, value in model.state_dict().items()
        if not name.startswith(("target_embedding", "output_embedding"))
    }


def test_it_learns_as_the_library_does(own):
    """300 updates end inside the range of five seeds of the library's run."""
    stored = json.loads(
        (ROOT / "benchmarks" / "results" / "own_transformer.json").read_text(
            encoding="utf-8"
        )
    )
    sizes, how = stored["model"], stored["train"]
    pairs = corpus.toy_splits("small")["train"]
    words = Tokenizer.words(
        [text for p in pairs for text in (p.source, p.target)], corpus.SPELLING
    )
    ids = list(
        zip(
            words.encode_all([p.source for p in pairs]),
            words.encode_all([p.target for p in pairs]),
            strict=True,
        )
    )
    config = TransformerConfig(len(words), **sizes)
    state = training.TrainState.create(config, training.TrainConfig(**how))
    model = own.Transformer(
        len(words),
        config.d_model,
        config.n_heads,
        config.d_ff,
        config.n_layers,
        dropout=config.dropout,
        norm_first=config.norm_first,
    )
    model.load_state_dict(library_weights(state.model))
    optimizer = torch.optim.Adam(
        model.parameters(), betas=(0.9, 0.98), eps=1e-9
    )
    plan = batching.BatchPlan(ids, how["tokens_per_batch"], how["seed"])
    torch.manual_seed(0)
    losses = []
    for step in range(1, how["steps"] + 1):
        batch = plan.batch(step - 1)
        lr = own.learning_rate(step, config.d_model, how["warmup"])
        batch = (batch.source, batch.target_in, batch.target_out)
        losses.append(own.train_step(model, batch, optimizer, lr))
    end = sum(losses[-20:]) / 20
    assert min(stored["ends"]) <= end <= max(stored["ends"])
