"""A run that goes on: with more steps, or with its files in another place."""

import json
import shutil
import signal
from dataclasses import replace

import pytest
from test_faults import Forks, assert_readable, die_at, outcome
from test_training import MODEL
from words import words_file

from transformer_lib import runs
from transformer_lib.cli import main
from transformer_lib.run_data import moved
from transformer_lib.run_folder import read_log
from transformer_lib.runs import Run
from transformer_lib.train_config import TrainConfig
from transformer_lib.training_data import TrainingData

TINY = (
    "--d-model 16 --heads 2 --d-ff 16 --layers 1 --eval-interval 2 "
    "--batch-tokens 90 --vocab-size 300 --max-length 50"
).split()


@pytest.fixture
def files(tmp_path):
    return words_file(tmp_path)


def start(folder, files, steps, average=None):
    """Start a run with dropout that is evaluated after every second step."""
    data = TrainingData(None, *map(str, files), vocab_size=300)
    config = TrainConfig(steps, tokens_per_batch=90, schedule="noam", warmup=2)
    model = replace(MODEL, max_length=50)
    return Run.start(
        folder, data, model, config, eval_interval=2, average=average
    )


def description(folder):
    return json.loads((folder / "run.json").read_text(encoding="utf-8"))


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def refused(capsys, folder, *options):
    """Return the one line that a resumption ends with; nothing is changed."""
    before = contents(folder)
    command = ["train", "--resume", "--out", folder, *options]
    assert main(list(map(str, command))) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert contents(folder) == before
    return line


# ------------------------------------------------------------------- longer


@pytest.mark.parametrize("average", [None, 9])
@pytest.mark.parametrize("first", [4, 5])
@pytest.mark.parametrize("best", [4, 6])
def test_a_longer_run_is_the_one_that_was_begun_with_so_many_steps(
    files, tmp_path, monkeypatch, first, average, best
):
    """Finished at an evaluation that the longer run has, or between two.

    An evaluation at the end of the short run alone, and its average, are the
    best that there ever were: it takes these weights to translate with.
    """
    told = []
    monkeypatch.setattr(runs, "evaluate", lambda *_: told.pop(0))
    losses = {2: 9.0, 4: 8.0, 6: 8.0, 8: 8.0, 9: 8.0} | {best: 2.0}
    whole, longer = tmp_path / "whole", tmp_path / "longer"
    told[:] = [*losses.values(), 7.5]
    start(whole, files, 9, average).train()
    told[:] = [9.0, losses[4], *[1.0] * (first == 5), 0.5]
    start(longer, files, first, average).train()
    told[:] = [losses[6], 8.0, 8.0, 7.5]
    Run.resume(longer, steps=9).train()
    assert outcome(longer) == outcome(whole)
    assert description(longer) == description(whole)
    assert contents(longer).keys() == contents(whole).keys()


def test_a_run_that_was_stopped_is_made_longer_too(files, tmp_path):
    """At once, and remembered by a resumption that names no number."""
    whole, longer = tmp_path / "whole", tmp_path / "longer"
    start(whole, files, 7, 2).train()
    start(longer, files, 5, 2).train(stop=lambda: True)
    assert Run.resume(longer, steps=6).state.step == 1
    Run.resume(longer, steps=7).train(stop=lambda: True)
    run = Run.resume(longer)
    assert (run.state.step, run.state.config.steps) == (2, 7)
    run.train()
    assert outcome(longer) == outcome(whole)


def make_longer(folder, moment):
    die_at(int(moment))
    Run.resume(folder, steps=9)


@pytest.mark.slow
def test_killed_while_it_is_made_longer_it_can_be_made_so_again(
    files, tmp_path
):
    """At each moment of each file that is written; see `die_at`."""
    forks, said = Forks(), tmp_path / "said"
    whole, short = tmp_path / "whole", tmp_path / "short"
    start(whole, files, 9, 3).train()
    start(short, files, 5, 3).train()
    code, moment = -signal.SIGKILL, 0
    while code == -signal.SIGKILL:
        moment, folder = moment + 1, tmp_path / f"moment {moment}"
        shutil.copytree(short, folder)
        job = [said, "test_longer", "make_longer", folder, moment]
        code = forks.run(*job)
        assert_readable(folder)
        Run.resume(folder, steps=9).train()
        assert outcome(folder) == outcome(whole), moment
    forks.close()
    assert code == 0, said.read_text(encoding="utf-8")
    assert moment > 12


def test_a_cosine_has_an_end_and_no_run_gets_shorter(files, tmp_path, capsys):
    for schedule in ("noam", "cosine"):
        run = start(tmp_path / schedule, files, 4)
        run.state.config = replace(run.state.config, schedule=schedule)
        run.train()
        said = refused(capsys, run.folder, "--steps", 3)
        assert f"--steps 3: the run in {run.folder} has 4" in said
        command = ["train", "--resume", "--out", str(run.folder)]
        assert main([*command, "--steps", "4"]) == 0
        capsys.readouterr()
    said = refused(capsys, run.folder, "--steps", 8)
    assert "a cosine that ends at step 4" in said
    assert f"train --from {run.folder}" in said


def test_the_command_makes_a_run_longer(files, tmp_path, capsys):
    source, target = map(str, files)
    command = ["train", "--source", source, "--target", target, *TINY]
    command += ["--schedule", "noam", "--average", "5"]
    whole, longer = tmp_path / "whole", tmp_path / "longer"
    assert main([*command, "--steps", "6", "--out", str(whole)]) == 0
    capsys.readouterr()
    assert main([*command, "--steps", "1", "--out", str(longer)]) == 0
    said = capsys.readouterr()
    assert "average of 1 evaluation: validation" in said.err
    assert said.out.startswith("trained 1 step;")
    assert read_log(longer, 1)[-1]["average"] == 1
    assert description(longer)["average"] == 1
    resume = ["train", "--resume", "--out", str(longer), "--steps", "6"]
    assert main(resume) == 0
    said = capsys.readouterr()
    assert "average of 3 evaluations: validation" in said.err
    assert said.out.startswith("trained 6 steps;")
    assert outcome(longer) == outcome(whole)
    assert description(longer) == description(whole)


# ----------------------------------------------------------------- elsewhere


@pytest.fixture
def away(files, tmp_path):
    """The folder of a stopped run, and its two files in another folder."""
    run = start(tmp_path / "run", files, 4)
    run.train(stop=lambda: True)
    (tmp_path / "away").mkdir()
    return run.folder, [
        path.rename(tmp_path / "away" / path.name) for path in files
    ]


def options(source, target):
    return ["--source", str(source), "--target", str(target)]


def test_a_run_goes_on_where_its_files_are_now(
    files, tmp_path, away, capsys, monkeypatch
):
    """With other line ends and a mark at the beginning; it remembers them."""
    folder, paths = away
    whole = tmp_path / "whole"
    said = refused(capsys, folder)
    assert "a.en" in said and "if the files have moved" in said
    command = f"train --out {folder} --resume --source NEW --target NEW"
    assert said.endswith(command)
    for path in paths:
        text = path.read_bytes().replace(b"\n", b"\r\n")
        path.write_bytes(b"\xef\xbb\xbf" + text)
    monkeypatch.chdir(tmp_path)
    near = [path.relative_to(tmp_path) for path in paths]
    resume = ["train", "--resume", "--out", str(folder)]
    assert main([*resume, *options(*near)]) == 0
    data = description(folder)["data"]
    assert [data["source"], data["target"]] == list(map(str, paths))
    monkeypatch.chdir(folder)
    assert main(resume) == 0
    start(whole, paths, 4).train()
    assert outcome(folder) == outcome(whole)
    assert description(folder) == description(whole)


def test_each_file_that_a_run_has_gets_its_place(files, tmp_path, capsys):
    folder, new = tmp_path / "run", tmp_path / "new.en"
    data = TrainingData(None, *map(str, [*files, *files]), vocab_size=300)
    config = TrainConfig(steps=2, tokens_per_batch=90)
    Run.start(folder, data, replace(MODEL, max_length=50), config).train()
    two, more = options(*files), ["--valid-source", new]
    for few in (two, more, [*two, *more], two[:2]):
        said = refused(capsys, folder, *few)
        every = "--source --target --valid-source --valid-target"
        assert f"files of {every};" in said
        assert f"(came: {' '.join(map(str, few[::2]))})" in said
    new.write_bytes(files[0].read_bytes())
    resume = ["train", "--resume", "--out", str(folder), *two]
    more = ["--valid-source", str(new), "--valid-target", str(files[1])]
    assert main([*resume, *more]) == 0
    assert description(folder)["data"]["valid_source"] == str(new)


def test_a_run_has_no_place_for_files_that_it_does_not_have(
    away, tmp_path, capsys
):
    folder, paths = away
    more = ["--valid-source", paths[0], "--valid-target", paths[1]]
    said = refused(capsys, folder, *options(*paths), *more)
    assert "files of --source --target;" in said
    with pytest.raises(ValueError, match=r"corpus \(small\).* out --source"):
        moved(TrainingData("small"), {"source": paths[0]}, folder)


def exchanged(lines, other):
    return other, lines


def with_another_word(lines, other):
    return lines, [*other[:8], "Hof", *other[9:]]


def shorter(lines, other):
    return lines[:-3], other[:-3]


def in_another_order(lines, other):
    return [*lines[5:], *lines[:5]], [*other[5:], *other[:5]]


@pytest.mark.parametrize(
    "change, said",
    [
        (exchanged, "source and target are exchanged"),
        (
            with_another_word,
            "60 lines, the first that differs is line 9 of the target",
        ),
        (shorter, "60 lines then, 57 now, which are the same"),
        (
            in_another_order,
            "60 lines, the first that differs is line 1 of the ",
        ),
    ],
)
def test_other_text_is_refused_with_what_differs(away, capsys, change, said):
    folder, paths = away
    sides = [x.read_text(encoding="utf-8").splitlines() for x in paths]
    for path, lines in zip(paths, change(*sides), strict=True):
        path.write_text("".join(f"{x}\n" for x in lines), encoding="utf-8")
    found = refused(capsys, folder, *options(*paths))
    assert f"{folder} began with other files than these: {paths[0]}" in found
    assert said in found


def test_a_run_of_an_earlier_release_moves_too(away, capsys):
    """It has no marks of its lines, and one number of evaluations."""
    folder, paths = away
    about = description(folder)
    del about["lines"], about["average_up_to"]
    (folder / "run.json").write_text(json.dumps(about), encoding="utf-8")
    text = paths[0].read_text(encoding="utf-8")
    paths[0].write_text(text.upper(), encoding="utf-8")
    said = refused(capsys, folder, *options(*paths))
    assert "60 lines were read, and the text is not the same" in said
    paths[0].write_text(text, encoding="utf-8")
    resume = ["train", "--resume", "--out", str(folder), *options(*paths)]
    assert main(resume) == 0
