"""A student's whole way: ten parts, one file, a model that learns."""

import linecache
import sys
import types
from pathlib import Path

import pytest
import student
import torch

from toy_language import corpus
from transformer_course import PACKAGES, checks, workbook
from transformer_course.checks.parts import PARTS, part
from transformer_lib import batching, training
from transformer_lib.decoding import greedy
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.special_tokens import EOS, PAD
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.translator import Translator


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
    assert not any(name in text for name in PACKAGES)
    assert len(text.splitlines()) < 340
    scope = {}
    exec(text, scope)
    assert set(PARTS) <= set(scope)


@pytest.mark.slow
def test_a_student_writes_ten_parts_and_a_sentence_is_translated(
    tmp_path, monkeypatch, capsys
):
    """Each part is wrong twice, then right, then in the file."""
    path = tmp_path / "my_transformer.py"
    monkeypatch.setenv("TRANSFORMER_WORKBOOK", str(path))
    notebook = types.ModuleType("__main__")
    exec(workbook.HEADER, vars(notebook))
    for name, source in zip(PARTS, student.CELLS, strict=True):
        exercise = part(name).EXERCISE
        edits = [e for m in exercise.mistakes for e in m.edits][:2]
        assert len(edits) == 2
        for wrong in map(exercise.variant, edits):
            assert not checks.build(wrong, chapter=8).ok
            workbook.save(wrong)
            assert "Not saved" in capsys.readouterr().out
        lines = source.splitlines(keepends=True)
        linecache.cache[f"<{name}>"] = (len(source), None, lines, f"<{name}>")
        exec(compile(source, f"<{name}>", "exec"), vars(notebook))
        thing = getattr(notebook, name)
        verdict = checks.build(thing, chapter=8)
        assert verdict.ok, verdict
        workbook.save(thing)
        assert "does not have" not in capsys.readouterr().out
    rows = workbook.progress().rows
    assert {row.status for row in rows} == {"right"}
    written = workbook.load()
    model = workbook.load_trained(written)
    translator = Translator.shipped()
    sentence = "the cat did not cross the river because it was too deep ."
    source = batching.pad(translator.tokenizer.encode_all([sentence]))
    got = written.greedy_decode(model, source, 40)[0].tolist()
    want = greedy(translator.model, source, 40)[0].tokens
    assert got == [*want, EOS] and len(want) > 5


def test_trained_weights_speak_as_the_library_does(own):
    translator = Translator.shipped()
    model = workbook.load_trained(own)
    pairs = corpus.toy_splits("full", n_train=1)["test"][:30]
    ids = translator.tokenizer.encode_all([pair.source for pair in pairs])
    for start in range(0, 30, 15):
        source = batching.pad(ids[start : start + 15])
        want = [h.tokens for h in greedy(translator.model, source, 40)]
        got = own.greedy_decode(model, source, 40)
        for row, tokens in zip(got.tolist(), want, strict=True):
            said = [token for token in row if token != PAD]
            assert said in (tokens, [*tokens, EOS])


def test_the_weights_of_a_compiled_model_go_into_the_readers_class(own):
    sizes = (11, 8, 2, 16, 1)
    config = TransformerConfig(11, d_model=8, n_heads=2, d_ff=16, n_layers=1)
    trained = Transformer(config)
    plain, model = (own.Transformer(*sizes) for _ in range(2))
    workbook.load_weights(plain, trained.state_dict())
    workbook.load_weights(model, torch.compile(trained).state_dict())
    for one, other in zip(model.parameters(), plain.parameters(), strict=True):
        assert torch.equal(one, other)


@pytest.mark.slow
def test_it_learns_as_the_library_does(own):
    """150 updates end inside the range of five seeds of the library's run."""
    pairs = corpus.toy_splits("small")["train"][:3000]
    texts = [text for p in pairs for text in (p.source, p.target)]
    words = Tokenizer.words(texts, corpus.SPELLING)
    sides = ([p.source for p in pairs], [p.target for p in pairs])
    ids = list(zip(*map(words.encode_all, sides), strict=True))
    config = TransformerConfig(
        len(words), d_model=32, n_heads=4, d_ff=64, n_layers=1, dropout=0.0
    )
    states = [
        training.TrainState.create(
            config,
            training.TrainConfig(
                150,
                tokens_per_batch=500,
                schedule="noam",
                warmup=50,
                seed=seed,
            ),
        )
        for seed in range(5)
    ]
    model = own.Transformer(len(words), 32, 4, 64, 1, dropout=0.0)
    workbook.load_weights(model, states[0].model.state_dict())
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98))
    plan = batching.BatchPlan(ids, 500, seed=0)
    losses = []
    for step in range(1, 151):
        batch = plan.batch(step - 1)
        lr = own.learning_rate(step, 32, 50)
        batch = (batch.source, batch.target_in, batch.target_out)
        losses.append(own.train_step(model, batch, optimizer, lr))
    ends = [
        last_loss([step.loss.item() for step in training.train(state, ids)])
        for state in states
    ]
    assert min(ends) <= last_loss(losses) <= max(ends)
    assert losses[0] > 2 * last_loss(losses)


def last_loss(losses):
    return sum(losses[-20:]) / 20
