"""What a command has done is done, also where nobody reads what it says."""

import io
import os
import subprocess
import sys

import pytest
from test_faults import Forks
from words import words_file

from transformer_lib.cli import confidence as confiding
from transformer_lib.cli import fetch as fetching
from transformer_lib.cli import main
from transformer_lib.train_state import TrainState

TINY = (
    "--d-model 16 --heads 2 --d-ff 16 --layers 1 --steps 2 --batch-tokens 90 "
    "--vocab-size 300 --max-length 50"
).split()


@pytest.fixture(scope="module")
def forks():
    server = Forks()
    yield server
    server.close()


def unread(how, *arguments):
    """Run a command whose standard output, or all of it, goes nowhere."""
    if how == "full":
        nowhere = os.open("/dev/full", os.O_WRONLY)
    else:
        reader, nowhere = os.pipe()
        os.close(reader)
    os.dup2(nowhere, 1)
    if how == "hung up":
        os.dup2(nowhere, 2)
    return main(list(arguments))


def train_command(place, out):
    source, target = map(str, words_file(place))
    command = ["train", "--source", source, "--target", target]
    return [*command, *TINY, "--out", str(out)]


@pytest.mark.parametrize("how", ["left", "hung up", "full"])
def test_a_run_that_has_ended_is_a_success(forks, tmp_path, how):
    out, said = tmp_path / "run", tmp_path / "said"
    command = train_command(tmp_path, out)
    code = forks.run(said, "test_streams", "unread", how, *command)
    assert code == 0, said.read_text(encoding="utf-8")
    assert TrainState.load(out).step == 2


@pytest.mark.parametrize("how", ["left", "hung up", "full"])
def test_a_file_of_translations_is_written(forks, tmp_path, how):
    """Also where the warning of a word cannot be printed."""
    out, said = tmp_path / "out", tmp_path / "said"
    command = ["translate", "the zebra slept .", "--output", out]
    assert forks.run(said, "test_streams", "unread", how, *command) == 0
    assert len(out.read_text(encoding="utf-8").splitlines()) == 1


@pytest.mark.parametrize("how, code", [("left", 0), ("full", 2)])
def test_results_that_are_printed_may_find_no_reader_but_must_find_room(
    forks, tmp_path, how, code
):
    path, said = tmp_path / "a", tmp_path / "said"
    path.write_text("the cat slept .\tnot this\n", encoding="utf-8")
    for command in (
        ["translate", "the cat slept ."],
        ["evaluate", "--pairs", path],
    ):
        found = forks.run(said, "test_streams", "unread", how, *command)
        assert found == code, said.read_text(encoding="utf-8")
    text = said.read_text(encoding="utf-8")
    assert text.count("No space left on device") == code
    assert "Traceback" not in text


def test_a_help_that_nobody_reads_is_no_failure(forks, tmp_path):
    job = [tmp_path / "said", "test_streams", "unread", "left", "--help"]
    assert forks.run(*job) == 0


class Full(io.StringIO):
    """A file on a disk without room."""

    def write(self, text):
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_stream_that_is_closed_hears_nothing(monkeypatch, closed):
    monkeypatch.setattr(sys, closed, None)
    assert main(["translate", "the zebra slept ."]) == 0


def test_what_is_stored_or_fetched_is_a_success(tmp_path, monkeypatch):
    """The last line of each command comes after its work."""
    monkeypatch.setattr(sys, "stdout", Full())
    monkeypatch.setattr(fetching, "_missing", lambda *_: [])
    assert main(["fetch", "multi30k", "--out", str(tmp_path)]) == 0
    monkeypatch.setattr(confiding, "check_trained", lambda *_: None)
    monkeypatch.setattr(confiding, "learn_toy_confidence", lambda *_: {})
    monkeypatch.setattr(confiding, "report", lambda _: ["a table"])
    command = ["confidence", "--preset", "small", "--model", str(tmp_path)]
    assert main(command) == 0


def test_names_that_the_system_cannot_encode_are_files_all_the_same(tmp_path):
    """A run is begun where only ASCII is known, and goes on elsewhere."""
    place = tmp_path / "한국어"
    place.mkdir()
    out = place / "모형"
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "transformer_lib", *train_command(place, out)],
        capture_output=True,
        env=os.environ | plain,
    )
    assert done.returncode == 0, done.stderr
    assert (
        done.stdout.decode()
        == f"trained 2 steps; translate with --model {out}\n"
    )
    assert main(["train", "--resume", "--out", str(out)]) == 0
