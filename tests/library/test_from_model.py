"""A training that begins with the weights of a trained model."""

import hashlib
import json
import random
import shutil
from pathlib import Path

import pytest
import torch
from words import words_file

from transformer_lib import checkpoint
from transformer_lib.cli import main
from transformer_lib.cli.options import MODEL
from transformer_lib.run_folder import read_log
from transformer_lib.runs import Run
from transformer_lib.train_config import TrainConfig
from transformer_lib.train_state import TrainState
from transformer_lib.training import evaluate
from transformer_lib.training_data import TrainingData
from transformer_lib.translator import SHIPPED, Translator

SIZES = "--d-model 16 --heads 2 --d-ff 16 --layers 1 --max-length 50".split()
WORDS = ["ein", "zwei", "drei", "rot", "blau", "grün", "Haus", "Straße"]


def run_of(folder, files, *options):
    """Train with the command line; return the run's folder."""
    source, target = map(str, files)
    command = ["train", "--source", source, "--target", target]
    command += ["--batch-tokens", "90", "--warmup", "2", "--out", str(folder)]
    assert main([*command, *map(str, options)]) == 0
    return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """The folder of a run that has learned to write some words backwards."""
    place = tmp_path_factory.mktemp("base")
    more = [*SIZES, "--vocab-size", 300, "--steps", 60, "--dropout", 0.25]
    return run_of(place / "run", words_file(place), *more)


@pytest.fixture
def files(tmp_path):
    """Other sentences of the same words, and what they are backwards."""
    chance = random.Random(1)
    lines = [chance.choices(WORDS, k=chance.randrange(2, 7)) for _ in range(50)]
    source, target = tmp_path / "b.en", tmp_path / "b.de"
    for path, order in ((source, 1), (target, -1)):
        text = "".join(" ".join(line[::order]) + "\n" for line in lines)
        path.write_text(text, encoding="utf-8")
    return source, target


def refused(capsys, command):
    """Return the one line with which a command ends."""
    assert main(list(map(str, command))) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def from_model(model, files, out, *more):
    given = ["train", "--source", files[0], "--target", files[1], "--out", out]
    return [*given, "--from", model, *more]


def test_it_begins_with_the_model_and_all_else_is_new(base, files, tmp_path):
    data = TrainingData(None, *map(str, files))
    config = TrainConfig(4, tokens_per_batch=90)
    run = Run.start_from(tmp_path / "new", base, data, config)
    old, tensors = Translator.load(base), checkpoint.load(base, "model")[0]
    for key, parameter in run.state.model.named_parameters():
        assert torch.equal(parameter, tensors[f"model.{key}"])
    assert run.state.model.config == old.model.config
    assert run.state.model.config.dropout == 0.25
    assert (run.state.step, run.state.config) == (0, config)
    assert not run.state.optimizer.state
    assert run.tokenizer.to_json() == old.tokenizer.to_json()
    assert run.data.vocab_size == len(old.tokenizer)
    about = json.loads((run.folder / "run.json").read_text(encoding="utf-8"))
    (weights,) = base.glob("model-*.safetensors")
    digest = hashlib.sha256(weights.read_bytes()).hexdigest()
    assert about["from"] == {"model": str(base), "sha256": digest}


def test_it_learns_faster_than_from_nothing(base, files, tmp_path):
    """After ten updates, which is far too few for a new model."""
    ends = {}
    for name, options in (
        ("new", [*SIZES, "--vocab-size", 300]),
        ("old", ["--from", base]),
    ):
        out = run_of(tmp_path / name, files, *options, "--steps", 10)
        ends[name] = read_log(out, 10)[-1]["valid_loss"]
    assert ends["old"] < ends["new"] - 1


def test_it_is_a_run_that_resumes_without_its_model(base, files, tmp_path):
    model = tmp_path / "model"
    shutil.copytree(base, model)
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    more = ["--from", model, "--steps", 6, "--eval-interval", 2]
    run_of(whole, files, *more)
    data = TrainingData(None, *map(str, files))
    config = TrainState.load(whole).config
    run = Run.start_from(cut, model, data, config, eval_interval=2)
    shutil.rmtree(model)
    run.train(stop=lambda: True)
    assert main(["train", "--resume", "--out", str(cut)]) == 0
    ends = [json.loads((x / "last.json").read_text()) for x in (whole, cut)]
    assert ends[0] == ends[1]
    abouts = [json.loads((x / "run.json").read_text()) for x in (whole, cut)]
    assert abouts[0] == abouts[1]


@pytest.mark.slow
def test_the_shipped_model_and_a_preset_go_together(tmp_path):
    """With the confidence of neither; its sizes are not those of --preset."""
    out = tmp_path / "run"
    command = ["train", "--preset", "small", "--from", str(SHIPPED)]
    command += ["--steps", "2", "--max-lr", "1e-9", "--out", str(out)]
    assert main(command) == 0
    run = Run.resume(out)
    tensors, info = checkpoint.load(out, "model")
    assert info["model"] == checkpoint.load(SHIPPED, "model")[1]["model"]
    assert all(name.startswith("model.") for name in tensors)
    assert evaluate(run.state.model, run.valid[:200]) < 0.5


@pytest.mark.parametrize("option", ["--vocab-size", *MODEL])
def test_the_model_decides_on_sizes_and_vocabulary(
    base, files, tmp_path, capsys, option
):
    value = "0.1" if option == "--dropout" else "300"
    more = [option, value]
    said = refused(capsys, from_model(base, files, tmp_path / "new", *more))
    assert f"--from {base} keeps" in said
    assert said.endswith(f"leave out {option}")
    assert not (tmp_path / "new").exists()


def test_it_is_for_new_runs(base, capsys):
    command = ["train", "--resume", "--out", base, "--from", base]
    assert refused(capsys, command).endswith("(came: --from)")


def damage(path):
    path.write_bytes(path.read_bytes()[:-9])


def words_of_another(folder):
    shutil.copy(SHIPPED / "tokenizer.json", folder / "tokenizer.json")


@pytest.mark.parametrize(
    "change, said",
    [
        (shutil.rmtree, "--from MODEL: no trained model there; give"),
        (lambda f: (f / "model.json").unlink(), "no trained model there"),
        (lambda f: (f / "tokenizer.json").unlink(), "MODEL/tokenizer.json"),
        (lambda f: damage(f / "model.json"), "MODEL/model.json is damaged"),
        (lambda f: damage(f / "tokenizer.json"), "holds no tokenizer"),
        (lambda f: damage(*f.glob("model-*")), "do not match the checksum"),
        (words_of_another, "the model knows 291 tokens and the tokenizer 2388"),
    ],
)
def test_a_model_that_is_none_is_named(
    base, files, tmp_path, capsys, change, said
):
    model = tmp_path / "model"
    shutil.copytree(base, model)
    change(model)
    found = refused(capsys, from_model(model, files, tmp_path / "new"))
    assert said.replace("MODEL", str(model)) in found
    assert not (tmp_path / "new").exists()


def test_a_sentence_beyond_its_length_is_skipped_on_demand(
    base, files, tmp_path, capsys
):
    for path in files:
        with path.open("a", encoding="utf-8") as file:
            file.write("Straße " * 60 + "\n")
    command = from_model(base, files, tmp_path / "new", "--steps", 1)
    assert "longer than 50 tokens" in refused(capsys, command)
    assert main(list(map(str, [*command, "--skip-long"]))) == 0


def known_words(path, n, *others):
    """Write n words that the shipped model knows, and some more."""
    lines = [*others, *["the cat slept"] * (n // 3)]
    other = path.with_name("other")
    for file, text in ((path, lines), (other, [*lines[1:], lines[0]])):
        file.write_text("".join(f"{x}\n" for x in text), encoding="utf-8")
    return path, other


@pytest.mark.parametrize("count, ok", [(3, True), (4, False)])
def test_of_a_vocabulary_of_words_a_tenth_may_be_unknown(
    tmp_path, capsys, count, ok
):
    """Three of thirty words, on both sides; the fourth is too many."""
    words = ["Zebra zebra", "gnu", "okapi"][: count - 1]
    pair = known_words(tmp_path / "a", 27, *words)
    command = from_model(SHIPPED, pair, tmp_path / "new", "--steps", 1)
    if ok:
        assert main(list(map(str, command))) == 0
        said = capsys.readouterr().err
        assert "6 of the 60 words of the data are unknown" in said
    else:
        said = refused(capsys, command)
        assert "8 of the 62 words of the data are unknown" in said
        assert "It learns no new words" in said
        assert not (tmp_path / "new").exists()
    assert "the commonest: 'zebra' (4), 'gnu' (2)" in said
    assert str(Path(SHIPPED).resolve()) in said


def test_the_help_tells_the_two_apart(capsys):
    for command, other in (
        ("train", "fetch --from"),
        ("fetch", "train --from"),
    ):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert other in " ".join(capsys.readouterr().out.split())
