"""Two processes do what one does, and they end together.

Most of these tests fork their processes (see `Forks` in test_faults.py) and
give them torchrun's variables; the last ones start torchrun itself.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from datetime import timedelta

import pytest
import torch
from test_faults import Forks, outcome
from test_training import CONFIG, MODEL, reversal_pairs
from words import words_file

from transformer_lib import checkpoint, distributed, training
from transformer_lib.batching import make_batch
from transformer_lib.cli import main
from transformer_lib.run_folder import lock_of, take
from transformer_lib.train_state import TrainState
from transformer_lib.training import evaluate, train, train_step

# Two sums of float32 numbers in another order: the relative tolerance of all
# comparisons of losses between one process and several.
TOLERANCE = 1e-5


@pytest.fixture(scope="module")
def forks():
    server = Forks()
    yield server
    server.close()


def free_port() -> str:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return str(door.getsockname()[1])


def together(forks, folder, n, function, *arguments):
    """Fork n processes of one group; return their ids and their files."""
    port = free_port()
    files = [folder / f"said {rank}" for rank in range(n)]
    ids = [
        forks.start(
            files[rank],
            "test_distributed",
            function,
            *arguments,
            RANK=str(rank),
            LOCAL_RANK=str(rank),
            WORLD_SIZE=str(n),
            MASTER_ADDR="127.0.0.1",
            MASTER_PORT=port,
        )
        for rank in range(n)
    ]
    return ids, files


def answers(forks, folder, n, function, *arguments) -> list:
    """Return the JSON that each of n processes printed."""
    ids, files = together(forks, folder, n, function, *arguments)
    codes = [forks.end(pid) for pid in ids]
    said = [file.read_text() for file in files]
    assert codes == [0] * n, "\n".join(said)
    return [json.loads(text.splitlines()[-1]) for text in said]


# ------------------------------------------------------------------ the sums


def sums():
    """Every function once, with another contribution of each process."""
    distributed.start()
    rank = distributed.rank()
    layer = torch.nn.Linear(2, 3)
    if rank != 1:  # the second has learned nothing
        layer.weight.grad = torch.full((3, 2), 10.0**rank)
        layer.bias.grad = torch.arange(3.0) + rank
    loss = distributed.all_reduce_gradients(
        layer.parameters(), torch.tensor(0.5 + rank)
    )
    found = {
        "rank": rank,
        "size": distributed.world_size(),
        "share": distributed.shard(list(range(7))),
        "share of one": distributed.shard([9]),
        "add": distributed.all_reduce(rank + 1, 0.1),
        "nobody": distributed.any_rank(False),
        "one": distributed.any_rank(rank == 2),
        "loss": [loss.item(), list(loss.shape), loss.requires_grad],
        "weight": layer.weight.grad.tolist(),
        "bias": layer.bias.grad.tolist(),
    }
    distributed.stop()
    found["alone"] = [distributed.rank(), distributed.world_size()]
    print(json.dumps(found))


def test_three_processes_share_and_add(forks, tmp_path):
    found = answers(forks, tmp_path, 3, "sums")
    assert [one.pop("rank") for one in found] == [0, 1, 2]
    shares = [one.pop("share") for one in found]
    assert sorted(sum(shares, [])) == list(range(7))
    assert [len(share) for share in shares] == [3, 2, 2]
    assert [one.pop("share of one") for one in found] == [[9], [], []]
    assert found[0] == found[1] == found[2]
    assert found[0] == {
        "size": 3,
        "add": [6.0, pytest.approx(0.3, rel=1e-15)],
        "nobody": False,
        "one": True,
        "loss": [4.5, [], False],
        "weight": [[101.0, 101.0]] * 3,
        "bias": [2.0, 4.0, 6.0],
        "alone": [0, 1],
    }


def test_more_processes_than_gpus_are_refused(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "4")
    monkeypatch.setenv("LOCAL_RANK", "3")
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 3)
    with pytest.raises(ValueError, match="process 3 .* finds 3 GPUs"):
        distributed.start("cuda")


def test_processes_do_not_meet_on_an_apple_gpu(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(ValueError, match="without torchrun, or .* cpu"):
        distributed.start("mps")


def test_one_process_is_left_as_it_is(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    assert distributed.start("cpu") == "cpu"
    assert distributed.start("mps") == "mps"
    assert (distributed.rank(), distributed.world_size()) == (0, 1)
    rows, loss = [1, 2, 3], torch.tensor(2.0)
    assert distributed.shard(rows) is rows
    assert distributed.all_reduce(1.5, 2) == [1.5, 2]
    assert distributed.any_rank(True) and not distributed.any_rank(False)
    layer = torch.nn.Linear(2, 3)
    assert distributed.all_reduce_gradients(layer.parameters(), loss) is loss
    assert layer.weight.grad is None
    distributed.stop()


def test_dropout_depends_on_seed_step_and_process():
    """A CPU's generator knows the last 32 bits of a seed only.

    There, the seeds of a thousand processes are a million steps apart.
    """
    seed = training._dropout_seed
    assert seed(7, 5, 0) == 7 * 1_000_003 + 5
    assert seed(7, 5, 3) - seed(7, 5, 0) == seed(0, 0, 3)
    for rank in range(1, 1000):
        apart = seed(0, 0, rank) % 2**32
        assert min(apart, 2**32 - apart) > 1_000_000
    assert seed(2**32 - 1, 10**7, 1000) < 2**63  # the most that torch takes


# ---------------------------------------------------------------- the losses


def learn(dropout):
    """Print losses, gradients' lengths, what is validated, and the weights."""
    torch.set_num_threads(1)
    distributed.start()
    pairs = reversal_pairs()
    model = replace(MODEL, dropout=float(dropout))
    state = TrainState.create(model, CONFIG)
    # A batch of one sentence has fewer than there are processes; in the
    # second the shares have very different numbers of tokens.
    uneven = [pairs[0], ([5], [6]), ([4] * 9, [7] * 11), ([5], [8])]
    records = [train_step(state, make_batch(x)) for x in ([pairs[1]], uneven)]
    records += list(train(state, pairs))
    print(
        json.dumps(
            {
                "losses": [float(record.loss) for record in records],
                "gradients": [float(record.grad_norm) for record in records],
                "tokens": [record.tokens for record in records],
                "valid": [
                    evaluate(state.model, pairs, 30),
                    evaluate(state.model, pairs[:1]),
                ],
                "weights": checkpoint.hashlib.sha256(
                    b"".join(
                        p.detach().numpy().tobytes()
                        for p in state.model.parameters()
                    )
                ).hexdigest(),
            }
        )
    )
    distributed.stop()


@pytest.mark.parametrize("n", [2, 3])
def test_several_processes_have_the_losses_of_one(forks, tmp_path, n):
    (tmp_path / "one").mkdir()
    (one,) = answers(forks, tmp_path / "one", 1, "learn", 0.0)
    found = answers(forks, tmp_path, n, "learn", 0.0)
    assert all(other == found[0] for other in found[1:])
    assert found[0]["tokens"] == one["tokens"]
    for kind in ("losses", "gradients", "valid"):
        assert found[0][kind] == pytest.approx(one[kind], rel=TOLERANCE), kind


def test_with_dropout_processes_stay_equal_and_can_be_repeated(forks, tmp_path):
    (tmp_path / "again").mkdir()
    found = answers(forks, tmp_path, 2, "learn", 0.3)
    assert found[0] == found[1]
    assert answers(forks, tmp_path / "again", 2, "learn", 0.3) == found


def parts(dropout):
    """Print this process's part of a loss, of two sentences that are one."""
    distributed.start()
    found, whole = [], distributed.all_reduce_gradients

    def watched(parameters, loss):
        found.append(loss.item())
        return whole(parameters, loss)

    distributed.all_reduce_gradients = watched
    batch = make_batch([([4, 5], [6])] * 2)
    state = TrainState.create(replace(MODEL, dropout=float(dropout)), CONFIG)
    train_step(state, batch)
    print(json.dumps(found))
    distributed.stop()


@pytest.mark.parametrize("dropout", [0.0, 0.5])
def test_each_process_drops_its_own_numbers(forks, tmp_path, dropout):
    one, two = answers(forks, tmp_path, 2, "parts", dropout)
    assert len(one) == len(two) == 1
    assert (one == two) == (dropout == 0)


# --------------------------------------------------------------------- faults


def failing(kind, *arguments):
    """Run a command; the second process fails in step 3."""
    patience = 4 if kind == "silent" else 300
    distributed.PATIENCE = timedelta(seconds=patience)
    whole = training.train_step

    def fails(state, batch):
        if state.step == 2 and distributed.rank() == 1:
            if kind == "silent":
                time.sleep(1e6)
            if kind == "dead":
                os._exit(7)
            raise ValueError("this one has had enough")
        return whole(state, batch)

    training.train_step = fails
    return main(list(arguments))


def command(place, out, *more) -> list[str]:
    source, target = map(str, words_file(place))
    given = ["train", "--source", source, "--target", target]
    given += "--d-model 16 --heads 2 --d-ff 16 --layers 1 --steps 8".split()
    given += "--eval-interval 2 --batch-tokens 90 --vocab-size 300".split()
    given += "--warmup 2 --max-length 50 --average 2".split()
    return [*given, "--out", str(out), *more]


@pytest.mark.parametrize("kind", ["error", "dead", "silent"])
def test_when_one_process_fails_the_others_end_with_a_message(
    forks, tmp_path, kind
):
    out = tmp_path / "run"
    given = [kind, *command(tmp_path, out)]
    ids, files = together(forks, tmp_path, 2, "failing", *given)
    assert forks.end(ids[0]) == 2, files[0].read_text()
    assert "train (process 0): lost another process" in files[0].read_text()
    if kind == "silent":
        os.kill(ids[1], signal.SIGKILL)
    code = forks.end(ids[1])
    assert code == {"error": 2, "dead": 7, "silent": -9}[kind]
    if kind == "error":
        said = files[1].read_text()
        assert "train (process 1): this one has had enough" in said
    assert "Traceback" not in files[0].read_text() + files[1].read_text()
    assert TrainState.load(out).step == 2


def test_bad_input_is_said_once_and_ends_all(forks, tmp_path):
    given = command(tmp_path, tmp_path / "run", "--heads", "3")
    ids, files = together(forks, tmp_path, 2, "cli", *given)
    assert [forks.end(pid) for pid in ids] == [2, 2]
    said = "".join(file.read_text() for file in files)
    assert said.count("n_heads=3") == 1 and "Traceback" not in said


def test_a_second_training_is_refused_once_and_ends_all(forks, tmp_path):
    out = tmp_path / "run"
    assert main(command(tmp_path, out)) == 0
    lock = lock_of(out)
    take(lock, out)
    given = ["train", "--out", out, "--resume"]
    ids, files = together(forks, tmp_path, 2, "cli", *given)
    assert [forks.end(pid) for pid in ids] == [2, 2]
    lock.release()
    said = "".join(file.read_text() for file in files)
    assert said.count("another") == 1, said
    assert "another training is writing" in said and "Traceback" not in said


def cli(*arguments):
    return main(list(arguments))


def run_together(forks, place, *arguments):
    """Run a command in two processes; expect that it succeeds."""
    for said in place.glob("said *"):
        said.unlink()
    ids, files = together(forks, place, 2, "cli", *arguments)
    codes = [forks.end(pid) for pid in ids]
    assert codes == [0, 0], "".join(file.read_text() for file in files)


def test_processes_go_on_longer_elsewhere_and_from_a_model(forks, tmp_path):
    whole, longer, new = (tmp_path / x for x in ("whole", "longer", "new"))
    noam = ["--schedule", "noam"]
    run_together(forks, tmp_path, *command(tmp_path, whole, *noam))
    more = [*noam, "--steps", "5"]
    run_together(forks, tmp_path, *command(tmp_path, longer, *more))
    paths = [
        path.rename(tmp_path / f"moved{path.suffix}")
        for path in words_file(tmp_path)
    ]
    moved = ["--source", paths[0], "--target", paths[1]]
    resume = ["train", "--resume", "--out", longer, "--steps", "8", *moved]
    run_together(forks, tmp_path, *resume)
    assert outcome(longer) == outcome(whole)
    begin = ["train", "--from", whole, "--steps", "2", *moved, "--out", new]
    run_together(forks, tmp_path, *begin)
    about = json.loads((new / "run.json").read_text(encoding="utf-8"))
    assert about["from"]["model"] == str(whole)
    assert TrainState.load(new).step == 2


# ------------------------------------------------------------ torchrun itself


def torchrun(*arguments) -> subprocess.Popen:
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    launch += ["--nproc-per-node", "2", "-m", "transformer_lib"]
    return subprocess.Popen(
        [*launch, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


@pytest.mark.slow
def test_torchrun_trains_what_one_process_trains(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    assert main(command(tmp_path, one, "--dropout", "0")) == 0
    run = torchrun(*command(tmp_path, two, "--dropout", "0"))
    said, errors = run.communicate(timeout=600)
    assert run.returncode == 0, errors
    assert said.count("trained 8 steps") == 1
    assert errors.count("step 4: training loss") == 1
    names = [{p.name.split("-")[0] for p in x.iterdir()} for x in (one, two)]
    assert names[0] == names[1] and not list(two.glob("*.part"))
    for line, other in zip(outcome(one)[1], outcome(two)[1], strict=True):
        assert line.keys() == other.keys()
        for key, value in line.items():
            assert other[key] == pytest.approx(value, rel=TOLERANCE), key
    states = [TrainState.load(folder) for folder in (one, two)]
    batch = make_batch([([9, 8, 7], [30, 31]), ([5], [6])])
    first, second = (
        state.model.eval()(batch.source, batch.target_in) for state in states
    )
    # Biases of keys have no gradient but rounding errors, which Adam makes
    # as large as all others: compare what the models say.
    torch.testing.assert_close(first, second, rtol=0, atol=1e-4)


@pytest.mark.slow
def test_ctrl_c_under_torchrun_saves_once_and_resumes_exactly(forks, tmp_path):
    """With dropout: the whole run is made by two forked processes."""
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    more = ["--dropout", "0.2", "--steps", "300", "--eval-interval", "100"]
    ids, files = together(
        forks, tmp_path, 2, "cli", *command(tmp_path, whole, *more)
    )
    assert [forks.end(pid) for pid in ids] == [0, 0], files[0].read_text()
    run = torchrun(*command(tmp_path, cut, *more))
    for line in run.stderr:
        if line.startswith("step 100:"):
            run.send_signal(signal.SIGINT)
            break
    said, _ = run.communicate(timeout=600)
    assert said.count("go on with:") == 1
    again = "torchrun --nproc-per-node 2 -m transformer_lib train"
    assert f"{again} --out {cut} --resume" in said
    assert 100 <= TrainState.load(cut).step < 300
    run = torchrun("train", "--out", cut, "--resume")
    _, errors = run.communicate(timeout=600)
    assert run.returncode == 0, errors
    assert outcome(cut) == outcome(whole)
