"""A run and its folder: what is logged, kept, averaged and refused."""

import json
from dataclasses import replace

import pytest
import torch
from test_training import MODEL
from words import words_file

from transformer_lib import checkpoint, distributed, runs, stored_run
from transformer_lib.run_folder import add_to_log, is_free, read_log
from transformer_lib.runs import Run
from transformer_lib.train_config import TrainConfig
from transformer_lib.training import evaluate
from transformer_lib.training_data import TrainingData


@pytest.fixture
def begin(tmp_path):
    """Start a run of 5 steps with evaluations after steps 2, 4 and 5."""
    files = map(str, words_file(tmp_path))
    data = TrainingData(None, *files, vocab_size=300)
    config = TrainConfig(steps=5, tokens_per_batch=90, warmup=2)
    model = replace(MODEL, max_length=50)

    def start(valid=None, **changes):
        given, options = data, {"eval_interval": 2} | changes
        if valid is not None:
            sides = ("valid_source", "valid_target")
            paths = [tmp_path / side for side in sides]
            for path, text in zip(paths, valid, strict=True):
                path.write_text(text, encoding="utf-8")
            both = dict(zip(sides, map(str, paths), strict=True))
            given = replace(data, **both)
        return Run.start(tmp_path / "run", given, model, config, **options)

    return start


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_logged_training_loss_is_that_of_all_tokens_since_the_last(begin):
    run, steps = begin(), []
    run.train(on_step=steps.append)
    log = read_log(run.folder, 5)
    for line, part in zip(log, (steps[:2], steps[2:4], steps[4:]), strict=True):
        assert line["step"] == part[-1].step
        total = sum(float(step.loss) * step.tokens for step in part)
        mean = total / sum(step.tokens for step in part)
        assert line["train_loss"] == pytest.approx(mean, abs=1e-6)


def test_validation_pairs_are_those_that_were_given(begin):
    run = begin(valid=("sein Haus\n\n", "Haus sein\n\n"))
    ids = run.tokenizer.encode_all(["sein Haus", "Haus sein"])
    assert run.valid == [tuple(ids)] and len(run.pairs) == 60
    (note,) = run.notes
    assert note.endswith("valid_source: dropped 1 with an empty side (line 2)")


def test_a_resumed_run_keeps_the_model_with_the_lowest_loss(begin, monkeypatch):
    told = iter([2.0, 3.0, 2.5])
    monkeypatch.setattr(runs, "evaluate", lambda *_: next(told))
    run, steps = begin(), []
    run.train(on_step=steps.append, stop=lambda: len(steps) == 4)
    run = Run.resume(run.folder)
    assert (run.state.step, run.best) == (4, 2.0)
    run.train()
    assert [x["valid_loss"] for x in read_log(run.folder, 5)] == [2.0, 3.0, 2.5]
    assert checkpoint.load(run.folder, "model")[1]["step"] == 2


def test_each_evaluation_is_in_the_average_also_the_last_short_one(begin):
    run = begin(average=3)
    run.train()
    kept = [checkpoint.load(run.folder, f"snapshot{i}") for i in range(3)]
    assert [info["step"] for _, info in kept] == [2, 4, 5]
    wanted = checkpoint.average([tensors for tensors, _ in kept])
    mean = run.averaged().model
    for key, parameter in mean.named_parameters():
        assert torch.equal(parameter, wanted[f"model.{key}"])
    loss = round(evaluate(mean, run.valid), 6)
    assert loss != round(evaluate(run.state.model, run.valid), 6)
    assert read_log(run.folder, 5)[-1]["valid_loss"] == loss


def test_a_run_that_is_finished_stays_as_it_is(begin):
    run = begin(average=2)
    run.train()
    before, said = contents(run.folder), []
    Run.resume(run.folder).train(on_evaluation=said.append)
    assert (contents(run.folder), said) == (before, [])


def test_a_run_without_snapshots_has_no_average(begin):
    with pytest.raises(ValueError, match="start with average="):
        begin().averaged()


def test_a_run_exists_when_all_that_it_needs_is_there(begin, monkeypatch):
    there, write_json = [], stored_run.write_json

    def write(path, content):
        there.extend(file.name for file in path.parent.iterdir())
        write_json(path, content)

    monkeypatch.setattr(stored_run, "write_json", write)
    begin()
    assert {"last.json", "tokenizer.json"} <= set(there)


def test_only_the_first_process_writes(begin, monkeypatch):
    run = begin(average=2)
    before = contents(run.folder)
    monkeypatch.setattr(distributed, "rank", lambda: 1)
    monkeypatch.setattr(Run, "averaged", lambda self: self.state)
    run.train()
    assert run.state.step == 5
    assert contents(run.folder) == before


def test_one_process_that_wants_to_stop_stops_all(begin, monkeypatch):
    run = begin()
    monkeypatch.setattr(distributed, "any_rank", lambda flag: True)
    run.train(stop=lambda: False)
    assert run.state.step == 1


@pytest.mark.parametrize("name", ["eval_interval", "average"])
@pytest.mark.parametrize("value, kind", [(0, ValueError), (2.5, TypeError)])
def test_evaluations_are_counted_in_whole_numbers(begin, name, value, kind):
    with pytest.raises(kind, match=f"{name}={value}"):
        begin(**{name: value})


def test_a_new_run_wants_a_folder_of_its_own(begin, tmp_path):
    (tmp_path / "run").write_text("a file", encoding="utf-8")
    with pytest.raises(ValueError, match="already holds"):
        begin()
    (tmp_path / "run").unlink()
    run = begin()
    assert not is_free(run.folder)
    run.train(stop=lambda: True)
    (run.folder / "run.json").unlink()  # not killed at its start: it has
    assert not is_free(run.folder)  # the checkpoint of a later step


@pytest.mark.parametrize("text", ["[", "{}", "3"])
def test_a_damaged_log_is_named(begin, text):
    run = begin()
    (run.folder / "log.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="log.jsonl is damaged"):
        Run.resume(run.folder)


def test_a_log_that_cannot_be_written_is_the_old_one(tmp_path, monkeypatch):
    add_to_log(tmp_path, 0, {"step": 1})
    before = contents(tmp_path)

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        add_to_log(tmp_path, 1, {"step": 2})
    assert contents(tmp_path) == before
    assert json.loads(before["log.jsonl"]) == {"step": 1}
