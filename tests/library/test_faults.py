"""Faults: killed, out of disk, out of numbers, interrupted, or crafted.

The tests that kill processes fork them from one that has loaded torch once
(`Forks`): starting Python anew each time would take minutes.
"""

import ast
import errno
import hashlib
import json
import math
import os
import pickle
import random
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import save as tensors_to_bytes
from test_training import CONFIG, MODEL, reversal_pairs
from words import words_file

from transformer_lib import checkpoint, run_folder, runs
from transformer_lib.batching import make_batch
from transformer_lib.cli import main
from transformer_lib.run_folder import is_free, read_log
from transformer_lib.runs import Run
from transformer_lib.training import TrainConfig, TrainState, train, train_step
from transformer_lib.training_data import TrainingData

TESTS = Path(__file__).parent
LIBRARY = TESTS.parents[1] / "transformer_lib"
STEPS, EVERY, AVERAGE = 6, 2, 2


# --------------------------------------------------------- forked processes


class Forks:
    """A process that has loaded everything, and forks where it is told to.

    A job is the name of a function of a test module and its arguments; what
    it prints goes to a file.
    """

    def __init__(self):
        code = "import test_faults; test_faults.serve()"
        self.server = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=TESTS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        assert self.server.stdout.readline() == "ready\n"

    def ask(self, **request):
        print(json.dumps(request), file=self.server.stdin, flush=True)
        return json.loads(self.server.stdout.readline())

    def start(self, said, module, function, *arguments, **variables) -> int:
        """Fork a process; return its id."""
        return self.ask(
            said=str(said),
            job=[module, function, list(map(str, arguments))],
            variables=variables,
        )

    def end(self, pid: int) -> int:
        """Wait for the end of a process; return its exit code."""
        return self.ask(wait=pid)

    def run(self, said, module, function, *arguments, **variables) -> int:
        pid = self.start(said, module, function, *arguments, **variables)
        return self.end(pid)

    def close(self):
        self.server.stdin.close()
        self.server.wait()


def serve() -> None:
    """Be the process that forks; what torch loads late, it loads here."""
    torch.set_num_threads(1)
    state = TrainState.create(MODEL, CONFIG)
    train_step(state, make_batch(reversal_pairs(3)))
    print("ready", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if "wait" in request:
            _, status = os.waitpid(request["wait"], 0)
            print(os.waitstatus_to_exitcode(status), flush=True)
            continue
        pid = os.fork()
        if pid == 0:
            _work(request)
        print(pid, flush=True)


def _work(request) -> None:
    file = os.open(request["said"], os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.environ.update(request["variables"])
    module, function, arguments = request["job"]
    code = 1
    try:
        code = getattr(__import__(module), function)(*arguments) or 0
    except SystemExit as stop:
        code = stop.code
    except BaseException:
        import traceback

        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


@pytest.fixture(scope="session")
def forks():
    server = Forks()
    yield server
    server.close()


def wait_for(text: str, said: Path, seconds: float = 300) -> None:
    """Wait until a process has printed something."""
    end = time.monotonic() + seconds
    while not said.exists() or text not in said.read_text(encoding="utf-8"):
        assert time.monotonic() < end, said.exists() and said.read_text(
            encoding="utf-8"
        )
        time.sleep(0.005)


# ------------------------------------------------------------ what is killed


def die_at(number: int) -> None:
    """Kill this process at a certain moment of writing, counted from 1.

    Each file that is written has three: half of it is on the disk; all of
    it is, under its temporary name; it has its name.
    """
    moments = iter(range(1, 10_000))
    fsync, rename = os.fsync, os.replace

    def moment(file=None):
        if next(moments) == number:
            if file is not None:
                os.ftruncate(file, os.fstat(file).st_size // 2)
            os.kill(os.getpid(), signal.SIGKILL)

    def watched_fsync(file):
        moment(file)
        fsync(file)
        moment()

    def watched_rename(old, new):
        rename(old, new)
        moment()

    os.fsync, os.replace = watched_fsync, watched_rename


def train_state(folder, moment=0):
    """Train, with dropout, and save after each update."""
    die_at(int(moment))
    config = replace(CONFIG, steps=STEPS)
    if (Path(folder) / "last.json").exists():
        state = TrainState.load(folder)
    else:
        state = TrainState.create(MODEL, config)
    for _ in train(state, reversal_pairs()):
        state.save(folder)


def a_run(folder, source, target) -> Run:
    """Start a run of a tiny model with dropout, or continue it."""
    folder = Path(folder)
    if (folder / "run.json").exists():
        return Run.resume(folder)
    data = TrainingData(None, str(source), str(target), vocab_size=300)
    config = TrainConfig(
        steps=STEPS, tokens_per_batch=90, warmup=2, max_lr=5e-3
    )
    model = replace(MODEL, max_length=50)
    return Run.start(
        folder,
        data,
        model,
        config,
        eval_interval=EVERY,
        average=AVERAGE,
    )


def train_run(folder, source, target, moment=0):
    """Train a run with everything that it writes."""
    die_at(int(moment))
    a_run(folder, source, target).train()


def outcome(folder):
    """Return all that a run leaves, but for how fast it was.

    The seal of a checkpoint covers the checksum of its weights.
    """
    seals = {
        path.name: json.loads(path.read_text(encoding="utf-8")).get("seal")
        for path in folder.glob("*.json")
    }
    log = []
    if (folder / "log.jsonl").exists():
        text = (folder / "log.jsonl").read_text(encoding="utf-8")
        log = [json.loads(line) for line in text.splitlines()]
    for line in log:
        line.pop("tokens_per_second", None)
    return seals, log


def assert_readable(folder):
    """Every checkpoint that is there can be read."""
    for path in folder.glob("*.json"):
        if "seal" in (info := json.loads(path.read_text(encoding="utf-8"))):
            checkpoint.load(folder, path.stem)
            assert (folder / info["weights"]).exists()


@pytest.fixture(scope="module")
def jobs(forks, tmp_path_factory):
    """The two jobs, each with its arguments and its undisturbed outcome."""
    place = tmp_path_factory.mktemp("jobs")
    files = words_file(place)
    found = {}
    for job, arguments in (("train_state", ()), ("train_run", files)):
        folder = place / job
        folder.mkdir()
        start = time.monotonic()
        code = forks.run(place / "said", "test_faults", job, folder, *arguments)
        assert code == 0, (place / "said").read_text(encoding="utf-8")
        seconds = time.monotonic() - start
        found[job] = arguments, outcome(folder), seconds
    return found


@pytest.mark.slow
@pytest.mark.parametrize("job", ["train_state", "train_run"])
def test_killed_at_20_random_moments_training_ends_the_same(
    forks, jobs, job, tmp_path
):
    arguments, wanted, seconds = jobs[job]
    chance = random.Random(1)
    said, kills, rounds = tmp_path / "said", 0, 0
    while kills < 20:
        rounds += 1
        folder = tmp_path / f"round {rounds}"
        folder.mkdir()
        code = -signal.SIGKILL
        while code == -signal.SIGKILL:
            pid = forks.start(said, "test_faults", job, folder, *arguments)
            if kills < 20:
                time.sleep(chance.uniform(0, 0.7 * seconds))
                os.kill(pid, signal.SIGKILL)
            code = forks.end(pid)
            kills += code == -signal.SIGKILL
            assert_readable(folder)
        assert code == 0, said.read_text(encoding="utf-8")
        assert outcome(folder) == wanted


@pytest.mark.slow
@pytest.mark.parametrize("job, files", [("train_state", 12), ("train_run", 26)])
def test_killed_while_it_writes_training_ends_the_same(
    forks, jobs, job, files, tmp_path
):
    """At the moments that `die_at` knows: all of the first four files (they
    start a run), then every fourth, to the end."""
    arguments, wanted, _ = jobs[job]
    said = tmp_path / "said"
    for moment in [*range(1, 13), *range(13, 1000, 4)]:
        folder = tmp_path / f"moment {moment}"
        folder.mkdir()
        again = [said, "test_faults", job, folder, *arguments]
        code = forks.run(*again, moment)
        if code == 0:  # it ended before that moment
            break
        assert code == -signal.SIGKILL, said.read_text(encoding="utf-8")
        assert_readable(folder)
        if job == "train_run":
            assert (folder / "run.json").exists() != is_free(folder)
        assert forks.run(*again) == 0, said.read_text(encoding="utf-8")
        assert outcome(folder) == wanted, moment
    assert moment > 3 * files


def test_a_start_that_was_killed_can_be_made_again_but_spoils_nothing(
    tmp_path,
):
    files = words_file(tmp_path)
    folder = tmp_path / "run"
    for name in ("tokenizer.json", "notes.txt"):
        folder.mkdir()
        (folder / name).write_text("mine", encoding="utf-8")
        with pytest.raises(ValueError, match="already holds"):
            a_run(folder, *files)
        assert (folder / name).read_text(encoding="utf-8") == "mine"
        (folder / name).unlink()
        folder.rmdir()
    a_run(folder, *files)
    (folder / "run.json").unlink()
    assert is_free(folder)
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    assert not is_free(folder)


# ------------------------------------------------------------- a full disk


def limited_cli(limit, *arguments):
    """Run a command in a process that may write no file beyond a limit."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    return main(list(arguments))


def test_a_full_disk_is_one_line_and_the_checkpoint_before_it_is_whole(
    forks, tmp_path
):
    """The limit is real: the system refuses to write."""
    folder, said = tmp_path / "run", tmp_path / "said"
    run = a_run(folder, *words_file(tmp_path))
    taken = []
    run.train(on_step=taken.append, stop=lambda: len(taken) == EVERY)
    before = outcome(folder)
    command = ["train", "--out", folder, "--resume"]
    for limit in (4_000, 25_000):  # not even the log; not the weights
        said.unlink(missing_ok=True)
        code = forks.run(said, "test_faults", "limited_cli", limit, *command)
        lines = [
            x
            for x in said.read_text(encoding="utf-8").splitlines()
            if "train:" in x
        ]
        assert code == 2 and len(lines) == 1, said.read_text(encoding="utf-8")
        assert "Traceback" not in said.read_text(encoding="utf-8")
        assert "File too large" in lines[0] and f"{folder}/" in lines[0]
        assert f"--out {folder} --resume" in lines[0]
        assert_readable(folder)
        assert (
            json.loads((folder / "last.json").read_text(encoding="utf-8"))[
                "step"
            ]
            == EVERY
        )
        assert not list(folder.glob("*.part"))
    assert outcome(folder)[0]["last.json"] == before[0]["last.json"]
    assert forks.run(said, "test_faults", "train_run", folder, "", "") == 0
    assert (
        json.loads((folder / "last.json").read_text(encoding="utf-8"))["step"]
        == STEPS
    )


@pytest.mark.parametrize("file", [1, 2])
def test_no_space_left_leaves_the_last_checkpoint_alone(
    tmp_path, monkeypatch, file
):
    state = TrainState.create(MODEL, CONFIG)
    state.save(tmp_path)
    before = outcome(tmp_path), sorted(tmp_path.iterdir())
    train_step(state, make_batch(reversal_pairs(5)))
    free = iter([True] * (file - 1))

    def full(descriptor):
        if not next(free, False):
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left.*last") as caught:
            state.save(tmp_path)
    assert caught.value.errno == errno.ENOSPC
    assert (outcome(tmp_path), sorted(tmp_path.iterdir())) == before
    assert TrainState.load(tmp_path).step == 0


# ------------------------------------------------- two trainings in one folder


NEVER = "no such file"


def start_command(folder, files):
    source, target = map(str, files)
    command = ["train", "--source", source, "--target", target]
    command += ["--out", str(folder), "--vocab-size", "300", "--steps", "6"]
    return [*command, *"--d-model 16 --heads 2 --d-ff 16 --layers 1".split()]


def cli(*arguments):
    return main(list(arguments))


@pytest.mark.parametrize("holder", ["starts", "resumes"])
def test_a_second_training_in_a_folder_is_refused_until_the_first_has_ended(
    forks, jobs, tmp_path, holder
):
    """The first is killed in the end, and the system gives back its lock."""
    arguments, wanted, _ = jobs["train_run"]
    folder, said, second = (tmp_path / name for name in ("run", "1", "2"))
    start = start_command(folder, arguments)
    resume = ["train", "--out", folder, "--resume"]
    if holder == "resumes":
        a_run(folder, *arguments)
    first = resume if holder == "resumes" else [*start, "--eval-interval", 2]
    pid = forks.start(said, "test_faults", "slow_validation", NEVER, *first)
    wait_for("validating", said)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for command in (resume, start):
        assert forks.run(second, "test_faults", "cli", *command) == 2
        lines = second.read_text(encoding="utf-8").splitlines()
        assert lines == [
            f"train: another training is writing in {folder}; wait until it "
            "has ended, or end it"
        ]
        second.unlink()
    now = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert now == before
    os.kill(pid, signal.SIGKILL)
    forks.end(pid)
    code = forks.run(second, "test_faults", "train_run", folder, *arguments)
    assert code == 0, second.read_text(encoding="utf-8")
    if holder == "resumes":
        assert outcome(folder) == wanted
    assert TrainState.load(folder).step == STEPS


def test_the_slower_of_two_starts_is_refused(forks, tmp_path, monkeypatch):
    """Both have found the folder empty; the first has filled it."""
    files = words_file(tmp_path)
    folder, said = tmp_path / "run", tmp_path / "said"
    command = [*start_command(folder, files), "--eval-interval", 2]
    job = [said, "test_faults", "slow_validation", NEVER, *command]
    read, pids = TrainingData.read, []

    def slow(data, *note):
        pids.append(forks.start(*job))
        wait_for("validating", said)
        return read(data)

    monkeypatch.setattr(TrainingData, "read", slow)
    with pytest.raises(ValueError, match="another training is writing in"):
        a_run(folder, *files)
    os.kill(pids[0], signal.SIGKILL)
    forks.end(pids[0])
    monkeypatch.setattr(TrainingData, "read", read)
    assert Run.resume(folder).state.step == 0


def test_in_one_process_a_run_is_interrupted_and_goes_on(forks, tmp_path):
    """As in a notebook: a cell is stopped, and run again or made anew."""
    folder, said = tmp_path / "run", tmp_path / "said"
    run = a_run(folder, *words_file(tmp_path))

    def stop(record):
        raise KeyboardInterrupt

    other = Run.resume(folder)  # another look at it, in the same process
    for one in (run, run, other, Run.resume(folder)):
        with pytest.raises(KeyboardInterrupt):
            one.train(on_step=stop)
    resume = ["train", "--out", folder, "--resume"]
    code = forks.run(said, "test_faults", "cli", *resume)
    assert code == 0, said.read_text(encoding="utf-8")


def test_a_run_that_is_read_from_a_folder_without_locks(tmp_path, monkeypatch):
    """Some network folders know none: training goes on without."""
    folder = tmp_path / "run"
    a_run(folder, *words_file(tmp_path))

    def refuse(code):
        def acquire(self, **given):
            raise OSError(code, os.strerror(code), str(folder / ".lock"))

        monkeypatch.setattr(run_folder.FileLock, "acquire", acquire)

    refuse(errno.EROFS)
    run = Run.resume(folder)  # to look at it
    with pytest.raises(OSError, match="Read-only.*run'$"):
        run.train()
    assert read_log(folder, STEPS) == []
    refuse(errno.ENOLCK)
    Run.resume(folder).train()
    assert TrainState.load(folder).step == STEPS


# ---------------------------------------------------------------- no numbers


def poison(run):
    with torch.no_grad():
        next(run.state.model.parameters()).view(-1)[0] = math.nan


@pytest.mark.parametrize(
    "at, stop_at, what, saved",
    [
        (3, 99, r"the loss is nan at step 4, learning rate \d", 2),
        (4, 99, "a weight is NaN or infinite at step 4", 2),
        (5, 5, "a weight is NaN or infinite at step 5", 4),
        (4, 5, "a weight is NaN or infinite at step 4", 2),
        (1, 1, "a weight is NaN or infinite at step 1", 0),
    ],
)
def test_what_is_not_a_number_is_named_and_never_saved(
    tmp_path, at, stop_at, what, saved
):
    """In the loss; after the last loss; when it is stopped by Ctrl-C."""
    folder = tmp_path / "run"
    run = a_run(folder, *words_file(tmp_path))
    steps = []

    def on_step(record):
        steps.append(record.step)
        if record.step == at:
            poison(run)

    with pytest.raises(ValueError, match=what) as caught:
        run.train(on_step, stop=lambda: steps[-1] == stop_at)
    said = str(caught.value)
    assert f"that of step {saved} in {folder}" in said and "lower" in said
    assert_readable(folder)
    state = TrainState.load(folder)
    assert state.step == saved and state.is_finite()
    for path in folder.glob("*.json"):
        if "seal" in path.read_text(encoding="utf-8"):
            tensors, _ = checkpoint.load(folder, path.stem)
            assert all(value.isfinite().all() for value in tensors.values())


def test_a_loss_beyond_all_numbers_in_validation_stops_too(
    tmp_path, monkeypatch
):
    run = a_run(tmp_path / "run", *words_file(tmp_path))
    monkeypatch.setattr(runs, "evaluate", lambda *_: math.inf)
    with pytest.raises(ValueError, match="validation loss is inf at step 2"):
        run.train()
    assert TrainState.load(tmp_path / "run").step == 0


def test_a_learning_rate_that_is_far_too_high_ends_with_one_line(
    tmp_path, capsys
):
    source, target = map(str, words_file(tmp_path))
    command = ["train", "--source", source, "--target", target]
    command += ["--out", str(tmp_path / "run"), "--vocab-size", "300"]
    command += "--d-model 16 --heads 2 --d-ff 16 --layers 1".split()
    command += "--steps 40 --eval-interval 20 --max-lr 1e38 --warmup 1".split()
    assert main(command) == 2
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said.startswith("train: the loss is nan at step 2, learning rate")
    assert "step 0" in said


# --------------------------------------------------------------- interrupted


def slow_validation(until, *arguments):
    """Run a command whose validation says when it begins, and then waits.

    It goes on as soon as there is a file of the name that it is given.
    """
    whole = runs.evaluate

    def slow(*given):
        print("validating", flush=True)
        for _ in range(30_000):  # five minutes
            if Path(until).exists():
                break
            time.sleep(0.01)
        return whole(*given)

    runs.evaluate = slow
    return main(list(arguments))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_in_validation_it_finishes_that_and_saves(
    forks, jobs, tmp_path, number
):
    arguments, wanted, _ = jobs["train_run"]
    folder, said = tmp_path / "run", tmp_path / "said"
    a_run(folder, *arguments)
    command = ["train", "--out", folder, "--resume"]
    job = [said, "test_faults", "slow_validation", tmp_path / "go", *command]
    pid = forks.start(*job)
    wait_for("validating", said)
    os.kill(pid, number)
    wait_for("stopping after this step", said)
    (tmp_path / "go").touch()
    assert forks.end(pid) == 128 + number, said.read_text(encoding="utf-8")
    assert f"stopped at step {EVERY}; go on with:" in said.read_text(
        encoding="utf-8"
    )
    assert f"train --out {folder} --resume" in said.read_text(encoding="utf-8")
    assert TrainState.load(folder).step == EVERY
    assert forks.run(said, "test_faults", "train_run", folder, *arguments) == 0
    assert outcome(folder) == wanted


def test_a_second_interrupt_leaves_at_once(forks, jobs, tmp_path):
    folder, said = tmp_path / "run", tmp_path / "said"
    a_run(folder, *jobs["train_run"][0])
    command = ["train", "--out", folder, "--resume"]
    pid = forks.start(said, "test_faults", "slow_validation", NEVER, *command)
    wait_for("validating", said)
    os.kill(pid, signal.SIGINT)
    wait_for("again leaves at once", said)
    os.kill(pid, signal.SIGINT)
    assert forks.end(pid) == 130
    assert "left at once; go on with: python -m" in said.read_text(
        encoding="utf-8"
    )
    assert "Traceback" not in said.read_text(encoding="utf-8")
    assert TrainState.load(folder).step == 0


def test_stopped_between_two_checks_the_log_is_the_same(jobs, tmp_path):
    """What was learned before the stop is in the next training loss."""
    arguments, wanted, _ = jobs["train_run"]
    for step in range(1, STEPS + 1):
        run = a_run(tmp_path / "run", *arguments)
        run.train(stop=lambda: True)
        assert run.state.step == step
    assert outcome(tmp_path / "run") == wanted


# ------------------------------------------------------------------- crafted


class Bomb:
    """Runs code when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def crafted(folder, data: bytes, **changes):
    """Write a checkpoint whose checksums are all right."""
    name = "last-000000-0.safetensors"
    info = {"format": checkpoint.FORMAT, "step": 0, "weights": name}
    info |= {"sha256": hashlib.sha256(data).hexdigest()} | changes
    (folder / name).write_bytes(data)
    info["seal"] = checkpoint._seal(info)
    (folder / "last.json").write_text(json.dumps(info), encoding="utf-8")


def test_a_crafted_checkpoint_runs_no_code(tmp_path):
    mark = tmp_path / "ran"
    bomb = pickle.dumps(Bomb(mark))
    saved = tmp_path / "bomb.pt"
    torch.save(Bomb(mark), saved)
    for data in (bomb, saved.read_bytes()):
        crafted(tmp_path, data)
        with pytest.raises(ValueError, match="damaged: it holds no tensors"):
            checkpoint.load(tmp_path, "last")
    assert not mark.exists()
    pickle.loads(bomb)
    assert mark.exists()  # it would have


@pytest.mark.parametrize(
    "weights", ["../../x", "../x", "/etc/passwd", "a/b", None, 3, ["x"]]
)
def test_a_checkpoint_names_files_of_its_own_folder_only(tmp_path, weights):
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    data = tensors_to_bytes({"model.x": torch.ones(2)})
    (tmp_path / "x").write_bytes(data)
    (tmp_path / "a" / "x").write_bytes(data)
    crafted(folder, data, weights=weights)
    with pytest.raises(ValueError, match="no file of its folder"):
        checkpoint.load(folder, "last")


def test_json_that_is_nested_without_end_is_damaged(tmp_path):
    (tmp_path / "last.json").write_text("[" * 200_000, encoding="utf-8")
    with pytest.raises(ValueError, match="damaged"):
        checkpoint.load(tmp_path, "last")


def test_nothing_in_the_library_unpickles():
    """Tensors alone may come from a pickle: torch.load(weights_only=True)."""
    for path in LIBRARY.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        tensors = [
            node.func
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and "weights_only=True" in map(ast.unparse, node.keywords)
        ]
        for node in ast.walk(tree):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{a.name}" for a in node.names]
            elif isinstance(node, ast.Attribute) and node not in tensors:
                names = [ast.unparse(node)]
            for name in names:
                head = name.split(".")[0]
                assert head not in {"pickle", "marshal", "shelve", "dill"}
                assert name not in {"torch.load", "np.load", "numpy.load"}
                assert not name.endswith("allow_pickle"), path
