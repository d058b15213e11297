"""The command line as a user meets it."""

import errno
import gzip
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import torch.distributed as dist

from transformer_lib import checkpoint, runs
from transformer_lib.cli import main
from transformer_lib.translator import SHIPPED, Translator

WORDS = ["ein", "zwei", "drei", "rot", "blau", "grün", "Haus", "Straße"]
TINY = (
    "--d-model 16 --heads 2 --d-ff 16 --layers 1 --steps 6 --eval-interval 3 "
    "--batch-tokens 120 --vocab-size 300 --warmup 2 --max-length 60"
).split()


@pytest.fixture(autouse=True)
def keep_signal_handler():
    """Training takes signals while it lasts, and gives them back."""
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    yield
    after = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    assert after == before


@pytest.fixture
def files(tmp_path):
    """Two parallel files in which the target is the source backwards."""
    chance = random.Random(0)
    source, target = tmp_path / "a.en", tmp_path / "a.de"
    lines = set()  # no line stands twice, which would be told
    while len(lines) < 80:
        lines.add(tuple(chance.choices(WORDS, k=chance.randrange(2, 6))))
    for path, step in ((source, 1), (target, -1)):
        path.write_text(
            "".join(" ".join(line[::step]) + "\n" for line in sorted(lines)),
            encoding="utf-8",
        )
    return source, target


def train_command(files, out, *more):
    source, target = map(str, files)
    return [
        "train",
        "--source",
        source,
        "--target",
        target,
        "--out",
        str(out),
        *TINY,
        *more,
    ]


def weights(folder):
    info = json.loads((Path(folder) / "last.json").read_text(encoding="utf-8"))
    return info["step"], info["sha256"]


def refused(capsys, command, *parts):
    """Expect exit code 2 and one line on standard error."""
    assert main([str(c) for c in command]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    lines = said.err.strip().splitlines()
    assert len(lines) == 1, said.err
    for part in parts:
        assert part in lines[0], lines[0]


def misused(capsys, command, *parts):
    """Expect exit code 2, the usage and argparse's one line."""
    with pytest.raises(SystemExit) as caught:
        main([str(c) for c in command])
    assert caught.value.code == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("usage: ")
    last = said.err.splitlines()[-1]
    assert last.startswith("python -m transformer_lib")
    for part in ("error: ", *parts):
        assert part in last, last


def test_train_translate_evaluate_on_files(files, tmp_path, capsys):
    out = tmp_path / "run"
    assert main(train_command(files, out)) == 0
    names = {p.name for p in out.iterdir()}
    assert {
        "run.json",
        "tokenizer.json",
        "last.json",
        "model.json",
        "log.jsonl",
    } <= names
    log = (out / "log.jsonl").read_text(encoding="utf-8")
    log = [json.loads(line) for line in log.splitlines()]
    assert [entry["step"] for entry in log] == [3, 6]

    text, result = tmp_path / "in.txt", tmp_path / "out.txt"
    text.write_text("ein Haus\n\nrot 新\n", encoding="utf-8")
    command = ["translate", "--model", str(out), "--file", str(text)]
    assert main([*command, "--output", str(result)]) == 0
    lines = result.read_text(encoding="utf-8").split("\n")
    assert len(lines) == 4 and lines[1] == "" and lines[3] == ""

    capsys.readouterr()
    source, target = map(str, files)
    command = ["evaluate", "--model", str(out), "--source", source]
    assert main([*command, "--target", target]) == 0
    said = capsys.readouterr().out
    assert "80 sentences" in said and "tok:13a" in said
    assert "BLEU " in said and "chrF " in said and "nc:6" in said


def test_resume_ends_where_an_uninterrupted_run_ends(files, tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert main(train_command(files, whole)) == 0
    child = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "transformer_lib",
            *train_command(files, cut, "--eval-interval", "1"),
        ],
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    for line in child.stderr:
        if line.startswith("step 2"):
            child.kill()
            break
    child.wait()
    assert weights(cut)[0] < 6
    assert main(["train", "--out", str(cut), "--resume"]) == 0
    assert weights(whole) == weights(cut)


@pytest.mark.skipif(
    sys.platform == "win32", reason="Windows sends no SIGINT to one child"
)
def test_ctrl_c_saves_and_says_how_to_go_on(files, tmp_path):
    out = tmp_path / "run"
    child = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "transformer_lib",
            *train_command(files, out, "--steps", "100000"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    child.stderr.readline()
    child.send_signal(signal.SIGINT)
    said, _ = child.communicate(timeout=600)
    assert child.returncode == 130
    assert f"train --out {out} --resume" in said
    assert weights(out)[0] > 0


def computed_by_others():
    """Seconds of the processor that ended children have used."""
    used = os.times()
    return used.children_user + used.children_system


def test_standard_input_and_unknown_words():
    start = computed_by_others()
    done = subprocess.run(
        [sys.executable, "-m", "transformer_lib", "translate"],
        input="the zebra slept .\n\nthe cat slept .\n",
        capture_output=True,
        check=True,
        encoding="utf-8",
        env={**os.environ, "LC_ALL": "C"},
    )
    assert computed_by_others() - start < 10
    first, empty, third = done.stdout.split("\n")[:3]
    assert first and third and not empty
    assert "sentence 1: unknown words" in done.stderr
    assert "zebra" in done.stderr and "sentence 3" not in done.stderr


def test_unknown_words_come_escaped_and_shortened(capsys):
    """What is in a text may be anything; a terminal obeys some of it."""
    assert main(["translate", "the \x1b[2Jzebra\x07 " + "y" * 100_000]) == 0
    said = capsys.readouterr().err
    assert "'\\x1b[2Jzebra\\x07', 'yyyyyyy" in said and len(said) < 300
    assert main(["translate", " ".join(f"zebra{i}" for i in range(30))]) == 0
    said = capsys.readouterr().err
    assert "'zebra9' and 20 more" in said and "zebra10" not in said
    assert main(["translate", "zebra", "zebra zebra"]) == 0
    said = capsys.readouterr().err.splitlines()
    named = [line for line in said if "unknown words" in line]
    assert [line.count("'zebra'") for line in named] == [1, 1]


def test_a_file_name_in_an_error_comes_escaped(tmp_path, capsys):
    path = tmp_path / "Übung\n\x1b[2J"
    path.write_bytes(b"\xff")
    command = ["translate", "--file", path]
    refused(capsys, command, "Übung\\n\\x1b[2J is not UTF-8")


def test_data_that_does_not_match(files, tmp_path, capsys):
    source, target = files
    target.write_text("nur eine Zeile\n", encoding="utf-8")
    refused(capsys, train_command(files, tmp_path / "r"), ".en: 80", ".de: 1;")
    target.write_text("", encoding="utf-8")
    refused(capsys, train_command(files, tmp_path / "r"), "is empty")
    target.write_bytes("schön\n".encode("latin-1") * 80)
    refused(capsys, train_command(files, tmp_path / "r"), "line 1, byte 4")
    target.unlink()
    refused(capsys, train_command(files, tmp_path / "r"), "a.de")
    assert not (tmp_path / "r").exists()


def test_long_pairs_stop_the_run_or_are_dropped(files, tmp_path, capsys):
    source, target = files
    lines = source.read_text(encoding="utf-8").split("\n")
    lines[4] = "Straße " * 200
    source.write_text("\n".join(lines), encoding="utf-8")
    out = tmp_path / "run"
    said = (
        "1 line is longer than 60 tokens (line 5); give --skip-long to drop it"
    )
    refused(capsys, train_command(files, out), said)
    assert not out.exists()
    assert main(train_command(files, out, "--skip-long")) == 0
    assert "dropped 1 longer than 60 tokens (line 5)" in capsys.readouterr().err


def test_files_of_pairs_and_gzip_train_the_same_model(files, tmp_path, capsys):
    """And are measured and translated like two plain files."""
    source, target = (path.read_bytes() for path in files)
    rows = zip(source.splitlines(), target.splitlines(), strict=True)
    pairs = tmp_path / "a.tsv.gz"
    pairs.write_bytes(gzip.compress(b"".join(b"%b\t%b\n" % x for x in rows)))
    packed = tmp_path / "en.gz", tmp_path / "de.gz"
    for path, data in zip(packed, (source, target), strict=True):
        path.write_bytes(gzip.compress(data))
    one = ["--pairs", pairs]
    two = ["--source", packed[0], "--target", packed[1]]
    plain = ["--source", files[0], "--target", files[1]]
    found, scores = [], []
    for given in (plain, two, one):
        out = tmp_path / str(len(found))
        train = ["train", *given, "--out", out, *TINY, "--steps", "3"]
        assert main([str(x) for x in train]) == 0
        found.append(weights(out))
        again = ["train", "--resume", "--out", str(out)]
        assert main(again) == 0
        capsys.readouterr()
        evaluate = ["evaluate", "--model", out, *given]
        assert main([str(x) for x in evaluate]) == 0
        scores.append(capsys.readouterr().out.split(": ", 1)[1])
    assert found == [found[0]] * 3 and scores == [scores[0]] * 3
    assert "80 sentences" in scores[0] and "tok:13a" in scores[0]
    translate = ["translate", "--model", str(tmp_path / "0"), "--file"]
    assert main([*translate, str(files[0])]) == 0
    plainly = capsys.readouterr().out
    assert main([*translate, str(packed[0])]) == 0
    assert capsys.readouterr().out == plainly


def test_a_corpus_is_told_what_is_wrong_with_it(files, tmp_path, capsys):
    source, target = files
    for path in files:
        lines = path.read_text(encoding="utf-8").splitlines()
        lines[10:14] = [lines[20]] * 4
        lines[30] += "\x07"
        path.write_text("\n".join(lines), encoding="utf-8")
    assert main(train_command(files, tmp_path / "run")) == 0
    said = capsys.readouterr().err
    assert f"{source}: 4 of 80 lines repeat another (lines 12, 13, 14, 21)" in (
        said
    )
    bell = "1 line has control characters (line 31; such as U+0007)\n"
    assert f"{source}: {bell}{target}: {bell}" in said
    refused(
        capsys,
        train_command((source, source), tmp_path / "r"),
        "source and target hold the same text",
    )
    out = ["--out", tmp_path / "r"]
    refused(capsys, ["train", "--pairs", source, *out], "80 lines have not")
    evaluate = ["evaluate", "--model", tmp_path / "run", "--pairs", source]
    refused(capsys, evaluate, "80 lines have not exactly one tab")
    source.write_bytes("ein Haus\n".encode("utf-16-le") * 80)
    refused(capsys, train_command(files, tmp_path / "r"), "is it UTF-16?")
    translate = ["translate", "--file", source]
    refused(capsys, translate, "is it UTF-16?")
    assert not (tmp_path / "r").exists()


@pytest.mark.skipif(
    not Path("/dev/fd").exists(), reason="no pipes with names here"
)
def test_a_pipe_is_refused_by_train_and_read_by_the_others(
    files, tmp_path, capsys
):
    """As `--source <(zcat a.en.gz)` gives one."""

    def pipe(text):
        there, here = os.pipe()
        os.write(here, text)
        os.close(here)
        return there, f"/dev/fd/{there}"

    text = b"the cat slept .\nthe dog slept .\n"
    there, path = pipe(text)
    train = train_command((path, files[1]), tmp_path / "run")
    refused(capsys, train, f"train: {path} is a pipe", "resumed", "to a file")
    assert os.read(there, 99) == text
    os.close(there)
    for packed in (text, gzip.compress(text)):
        there, path = pipe(packed)
        assert main(["translate", "--file", path]) == 0
        os.close(there)
        assert capsys.readouterr().out.count("\n") == 2
    assert not (tmp_path / "run").exists()


def test_lines_with_an_empty_side_are_dropped(files, tmp_path, capsys):
    source, target = files
    lines = target.read_text(encoding="utf-8").split("\n")
    lines[2] = ""
    target.write_text("\n".join(lines), encoding="utf-8")
    assert main(train_command(files, tmp_path / "run")) == 0
    said = capsys.readouterr().err
    assert "dropped 1 with an empty side (line 3)" in said


def test_evaluation_drops_lines_with_an_empty_side_as_training_does(
    tmp_path, capsys
):
    """A blank line is translated as one: it would count as a match."""
    out, files = tmp_path / "run", (tmp_path / "a.en", tmp_path / "a.de")
    for file, last in zip(files, ("b c", "c d"), strict=True):
        file.write_text(f"a b\n\n \u200b\n{last}\n", encoding="utf-8")
    assert main(train_command(files, out, "--steps", "2")) == 0
    command = ["evaluate", "--model", out, "--source", files[0]]
    command = list(map(str, [*command, "--target", files[1]]))
    capsys.readouterr()
    assert main(command) == 0
    said = capsys.readouterr()
    assert "a.en: 2 sentences, exact match 0.0 %" in said.out
    assert said.err == f"{files[0]}: dropped 2 with an empty side\n"
    files[0].write_text("\n\n\nb c\n", encoding="utf-8")
    files[1].write_text("a b\n\n \n\n", encoding="utf-8")
    refused(capsys, command, "a.en", "a.de", "no sentence pair is left")


def test_folders_that_hold_something_else(files, tmp_path, capsys):
    out = tmp_path / "run"
    assert main(train_command(files, out)) == 0
    capsys.readouterr()
    refused(capsys, train_command(files, out), "already holds", "--resume")
    refused(capsys, train_command(files, out, "--resume"), "(came: --vocab")
    files[0].write_text(
        files[0].read_text(encoding="utf-8").replace("Haus", "Hof"),
        encoding="utf-8",
    )
    refused(capsys, ["train", "--out", out, "--resume"], "has changed")
    resume = ["train", "--out", out, "--resume"]
    for option in ("--seed 0", "--eval-interval 9", "--vocab-size 300"):
        said = ["no other option", f"came: {option.split()[0]})"]
        refused(capsys, [*resume, *option.split()], *said)
    refused(capsys, ["train", "--out", tmp_path / "no", "--resume"], "no run")


def test_checkpoints_that_are_cut_or_of_another_kind(files, tmp_path, capsys):
    out = tmp_path / "run"
    assert main(train_command(files, out)) == 0
    capsys.readouterr()
    path = next(out.glob("model-*.safetensors"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-50])
    translate = ["translate", "--model", out, "ein Haus"]
    refused(capsys, translate, "damaged", "checksum")
    path.write_bytes(whole)
    tensors, info = checkpoint.load(out, "model")
    info["model"]["n_layers"] = 3
    (out / "model.json").write_text(json.dumps(info), encoding="utf-8")
    refused(capsys, translate, "changed or damaged")
    checkpoint.save(out, "model", tensors, info)
    refused(capsys, translate, "another configuration")
    (out / "model.json").write_text("{}", encoding="utf-8")
    refused(capsys, translate, "format None")
    (out / "model.json").write_text('{"format": 2}', encoding="utf-8")
    refused(capsys, translate, "damaged")
    (out / "run.json").write_text("{}", encoding="utf-8")
    refused(capsys, ["train", "--out", out, "--resume"], "run.json is damaged")


@pytest.mark.parametrize(
    "command, parts",
    [
        ("", ["required", "command"]),
        ("fetch nope", ["nope", "choose from", "multi30k"]),
        ("train --preset huge --out x", ["--preset", "small", "full"]),
        ("train --preset small", ["--out"]),
        ("train --preset small --source a --out x", ["not allowed with"]),
        ("train --preset small --pairs a --out x", ["not allowed with"]),
        ("train --source b --pairs a --out x", ["not allowed with"]),
        ("evaluate --source b --pairs a", ["not allowed with"]),
        ("train --preset small --steps 0 --out x", ["--steps: '0'"]),
        ("train --preset small --d-model 2.5 --out x", ["positive integer"]),
        ("train --preset small --eval-interval 0 --out x", ["interval: '0'"]),
        ("train --preset small --average 0 --out x", ["--average: '0'"]),
        ("train --preset small --max-lr high --out x", ["--max-lr", "float"]),
        ("translate --file a hi", ["--file", "not allowed with"]),
        ("translate --device tpu hi", ["--device", "cpu", "cuda", "mps"]),
        ("translate --threads 0 hi", ["--threads", "positive integer"]),
        ("translate --beam 0 hi", ["--beam: '0'"]),
        ("evaluate --beam -2", ["--beam: '-2'", "positive integer"]),
        ("evaluate --preset huge", ["huge", "small", "full"]),
        ("evaluate --split nope", ["nope", "contrast"]),
        ("evaluate --preset small --source a", ["not allowed with"]),
    ],
)
def test_options_that_argparse_refuses(
    command, parts, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    misused(capsys, command.split(), *parts)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command, parts",
    [
        ("train --out x", ["--source and --target, or --pairs, or --resume"]),
        ("train --preset small --resume --out x", ["(came: --preset)"]),
        ("train --source a --out x", ["--source and --target go together"]),
        ("train --preset small --target a --out x", ["not both"]),
        ("train --pairs a --target b --out x", ["without --target"]),
        ("evaluate --pairs a --target b", ["without --target"]),
        ("evaluate --pairs a --split test", ["--split, not both"]),
        (
            "train --source a --target b --valid-source c --out x",
            ["--valid-source and --valid-target go together"],
        ),
        ("train --preset small --heads 3 --out x", ["n_heads=3"]),
        ("train --preset small --seed -1 --out x", ["seed=-1"]),
        (
            "train --preset small --schedule linear --out x",
            ["schedule='linear'", "'noam'"],
        ),
        (
            "train --preset small --schedule noam --max-lr 1 --out x",
            ["--max-lr 1.0", "--schedule noam"],
        ),
        ("train --preset small --max-lr nan --out x", ["=nan"]),
        ("evaluate --source a --target b --split test", ["--split, not both"]),
        ("evaluate --source a", ["--source and --target go together"]),
        ("evaluate --target a", ["--source and --target go together"]),
        ("translate --output . hi", ["give a file"]),
        ("translate --output no/such/out.txt hi", ["folder that exists"]),
        ("translate --model nowhere hi", ["nowhere", "train --out"]),
        ("translate --seed 3 hi", ["--seed 3", "add --sample"]),
        ("translate --top-p 0.9 hi", ["--top-p 0.9", "add --sample"]),
        ("translate --sample --beam 4 hi", ["--beam 4", "--sample"]),
        ("translate --sample --seed -1 hi", ["--seed -1", "2**32"]),
        ("translate --sample --temperature 0 hi", ["temperature=0.0"]),
        ("translate --sample --top-p 1.5 hi", ["top_p=1.5"]),
        ("translate --file nowhere.txt", ["nowhere.txt"]),
        ("train --resume --out .", [". holds no run", "train --out"]),
        ("translate --threads 9999999999 hi", ["--threads 9999999999"]),
        ("translate --beam 101 hi", ["--beam 101", "at most 100", "memory"]),
        ("evaluate --beam 100000", ["--beam 100000", "at most 100", "memory"]),
        ("evaluate --model nowhere", ["nowhere", "train --out"]),
        ("fetch multi30k --yes --from x", ["x is no folder", "multi30k"]),
    ],
)
def test_bad_arguments(command, parts, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    refused(capsys, command.split(), *parts)
    assert not list(tmp_path.iterdir())


def test_help_needs_no_torch():
    """Loading it would take a second."""
    code = (
        "import sys\n"
        "from transformer_lib.cli import main\n"
        "try:\n"
        "    main(['--help'])\n"
        "finally:\n"
        "    print('torch' in sys.modules, 'pooch' in sys.modules)\n"
    )
    ask = [sys.executable, "-c", code]
    said = subprocess.check_output(ask, encoding="utf-8")
    assert said.startswith("usage: ") and said.endswith("False False\n")


def test_the_help_shows_how_several_processes_train(capsys):
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    line = "torchrun --nproc-per-node 2 -m transformer_lib train --device cuda"
    assert f"\n  {line} ...\n" in capsys.readouterr().out


def test_a_gpu_that_is_not_there(capsys, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    refused(capsys, ["translate", "--device", "cuda", "hi"], "no GPU")
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    command = ["translate", "--device", "mps", "hi"]
    refused(capsys, command, "no GPU of an Apple computer", "--device cpu")


def test_the_shipped_model_is_small():
    size = sum(p.stat().st_size for p in SHIPPED.iterdir())
    assert size < 4_000_000


def test_the_average_of_the_last_evaluations_becomes_the_model_if_it_is_better(
    files, tmp_path, capsys, monkeypatch
):
    """The same run, with a validation that says what it is told to."""
    found = {}
    for name, last in (("better", 1.0), ("worse", 3.0)):
        out = tmp_path / name
        told = iter([4.0, 2.0, 2.5, last])
        monkeypatch.setattr(runs, "evaluate", lambda *_, told=told: next(told))
        more = ["--steps", "8", "--average", "2", "--dropout", "0.1"]
        assert main(train_command(files, out, *more)) == 0
        said = capsys.readouterr().err
        assert "average of 2 evaluations: validation loss" in said
        text = (out / "log.jsonl").read_text(encoding="utf-8")
        log = [json.loads(line) for line in text.splitlines()]
        assert [line["step"] for line in log] == [3, 6, 8, 8]
        assert log[-1] == {
            "step": 8,
            "average": 2,
            "valid_loss": last,
            "best_loss": 2.0,
        }
        about = (out / "run.json").read_text(encoding="utf-8")
        assert json.loads(about)["average"] == 2
        found[name], info = checkpoint.load(out, "model")
        assert info["step"] == (8 if name == "better" else 6)
        kept = [checkpoint.load(out, f"snapshot{i}") for i in range(2)]
        assert sorted(info["step"] for _, info in kept) == [6, 8]
        mean = checkpoint.average([tensors for tensors, _ in kept])
        same = all(torch.equal(x, mean[key]) for key, x in found[name].items())
        assert same == (name == "better")
    translate = ["translate", "--model", str(tmp_path / "better"), "ein Haus"]
    assert main(translate) == 0


def test_fewer_evaluations_than_wanted_are_all_averaged(files, tmp_path):
    out = tmp_path / "run"
    assert main(train_command(files, out, "--average", "9")) == 0
    names = {path.name for path in out.glob("snapshot*.json")}
    assert names == {"snapshot0.json", "snapshot1.json"}


def test_a_translation_that_was_cut_is_named(files, tmp_path, capsys):
    """An untrained model does not know how to end."""
    out = tmp_path / "run"
    assert main(train_command(files, out)) == 0
    capsys.readouterr()
    for beam in ("1", "3"):
        command = ["translate", "--model", str(out), "--beam", beam]
        assert main([*command, "ein Haus", "", "rot"]) == 0
        said = capsys.readouterr()
        assert len(said.out.split("\n")) == 4
        assert "sentence 1: the translation was cut after 60" in said.err
        assert "sentence 2" not in said.err and "sentence 3" in said.err


def test_the_beam_reaches_the_translator(capsys, monkeypatch):
    asked = []
    whole = Translator.decode

    def watched(self, ids, search):
        asked.append(search.beam_size)
        return whole(self, ids, search)

    monkeypatch.setattr(Translator, "decode", watched)
    assert main(["translate", "the cat slept ."]) == 0
    greedy = capsys.readouterr()
    assert main(["translate", "--beam", "4", "the cat slept ."]) == 0
    assert capsys.readouterr() == greedy
    assert "cut" not in greedy.err
    assert asked == [1, 4]


@pytest.mark.parametrize(
    "error, part",
    [
        (torch.OutOfMemoryError("CUDA out of memory. Tried"), "--batch-tokens"),
        (RuntimeError("CUDA error: out of memory\nand"), "not enough memory"),
        (MemoryError(), "not enough memory; "),
        (dist.DistNetworkError("client socket timed out"), "another process"),
        (dist.DistStoreError("1/2 clients joined"), "another process"),
        (dist.DistBackendError("NCCL error"), "lost another process (NCCL"),
        (RuntimeError("[gloo/pair.cc:5] Read error"), "another process ([gl"),
    ],
)
def test_what_a_user_can_do_something_about_is_one_line(
    files, tmp_path, capsys, monkeypatch, error, part
):
    def fails(*_):
        raise error

    monkeypatch.setattr(runs, "train", fails)
    refused(capsys, train_command(files, tmp_path / "run"), part)


def test_a_cpu_without_memory_is_one_line(files, tmp_path, capsys, monkeypatch):
    def fails(*_):
        torch.empty(2**60, dtype=torch.int8)

    monkeypatch.setattr(runs, "train", fails)
    refused(capsys, train_command(files, tmp_path / "run"), "not enough memory")


def test_smaller_batches_are_advice_for_training_only(capsys, monkeypatch):
    def fails(*_, **__):
        raise MemoryError("no room for it")

    monkeypatch.setattr(Translator, "load", fails)
    refused(capsys, ["translate", "hi"], "translate: not enough memory (no")
    main(["translate", "hi"])
    assert "--batch" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "code, is_full",
    [
        (errno.ENOSPC, True),
        (errno.EDQUOT, True),
        (errno.EROFS, False),
        (errno.EIO, False),
        (errno.ENOENT, False),
    ],
)
def test_advice_about_room_is_for_a_full_disk(
    files, tmp_path, capsys, monkeypatch, code, is_full
):
    out, said = tmp_path / "run", os.strerror(code)

    def fails(*_):
        raise OSError(code, said, "a/file")

    monkeypatch.setattr(runs, "add_to_log", fails)
    again = f"go on with: python -m transformer_lib train --out {out} --resume"
    advice = f"make room and {again}" if is_full else again
    refused(
        capsys,
        train_command(files, out),
        f"{said}: 'a/file'; the checkpoint before it is whole",
        advice,
    )
    main(["train", "--out", str(out), "--resume"])
    assert ("make room" in capsys.readouterr().err) == is_full


@pytest.mark.parametrize("lost", ["model.json", "model-*.safetensors"])
def test_a_finished_run_without_its_model_is_no_success(
    files, tmp_path, capsys, lost
):
    out = tmp_path / "run"
    assert main(train_command(files, out)) == 0
    capsys.readouterr()
    (path,) = out.glob(lost)
    path.unlink()
    parts = [f"{path} is missing", "restore", "train again in another folder"]
    refused(capsys, ["train", "--out", out, "--resume"], *parts)


def test_a_model_that_is_lost_is_chosen_anew_by_the_evaluations_that_follow(
    files, tmp_path, capsys, monkeypatch
):
    out, told = tmp_path / "run", iter([1.0, 2.0])
    monkeypatch.setattr(runs, "evaluate", lambda *_: next(told))
    full = runs.Run._save

    def stop(run):
        full(run)
        raise KeyboardInterrupt

    monkeypatch.setattr(runs.Run, "_save", stop)
    assert main(train_command(files, out)) == 130
    monkeypatch.setattr(runs.Run, "_save", full)
    (out / "model.json").unlink()
    capsys.readouterr()
    assert main(["train", "--out", str(out), "--resume"]) == 0
    assert f"{out / 'model.json'} is missing" in capsys.readouterr().err
    assert checkpoint.load(out, "model")[1]["step"] == 6


def test_a_file_that_cannot_be_written_is_named_as_the_user_did(
    tmp_path, capsys, monkeypatch
):
    """Not as the file beside it, which is written first."""
    path = tmp_path / "x.txt"
    whole = open

    def read_only(name, *mode, **more):
        if str(name).startswith(str(path)):
            raise OSError(errno.EROFS, "Read-only file system", str(name))
        return whole(name, *mode, **more)

    def unlink(*_, **__):  # Linux asks for no file before it refuses
        raise OSError(errno.EROFS, "Read-only file system", "x.txt.part")

    monkeypatch.setattr("builtins.open", read_only)
    monkeypatch.setattr(Path, "unlink", unlink)
    command = ["translate", "the cat slept .", "--output", path]
    refused(capsys, command, f"Read-only file system: '{path}'")


@pytest.mark.parametrize(
    "text", ["a bug of ours", "the decoder's memory is not connected"]
)
def test_a_fault_of_the_library_keeps_its_traceback(
    files, tmp_path, monkeypatch, text
):
    def fails(*_):
        raise RuntimeError(text)

    monkeypatch.setattr(runs, "train", fails)
    with pytest.raises(RuntimeError, match=text):
        main(train_command(files, tmp_path / "run"))


@pytest.mark.parametrize(
    ("module", "extra", "command"),
    [
        ("sacrebleu.metrics", "course", ["evaluate", "--preset", "small"]),
        ("pooch", "fetch", ["fetch", "multi30k", "--yes"]),
        ("requests", "fetch", ["fetch", "multi30k", "--yes"]),
    ],
)
def test_a_package_that_is_missing_is_asked_for(
    module, extra, command, tmp_path, monkeypatch, capsys
):
    """At once: nothing is translated first."""
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr(Translator, "load", None)
    monkeypatch.chdir(tmp_path)
    assert main(command) == 2
    package = module.split(".")[0]
    how = f"pip install 'transformer-lib[{extra}]'"
    wanted = f"{command[0]} needs {package}: {how}\n"
    assert capsys.readouterr().err == wanted


def test_samples_follow_the_options(capsys):
    sentence = "the dog chased the cat ."

    def said(*options):
        assert main(["translate", *options, *[sentence] * 9]) == 0
        return capsys.readouterr().out.splitlines()

    sure = said()
    for option in (
        ("--top-k", "1"),
        ("--top-p", "1e-9"),
        ("--temperature", "1e-9"),
    ):
        assert said("--sample", *option) == sure
    free = ("--sample", "--temperature", "2")
    first, again, other = (said(*free, "--seed", n) for n in ("1", "1", "2"))
    assert first == again != other
    assert len(set(first)) == 9
    assert said(*free) != said(*free)
