"""Training: it learns, it resumes exactly, its checkpoints can be trusted."""

import json
import math
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from transformer_lib import checkpoint
from transformer_lib.batching import make_batch
from transformer_lib.label_smoothing import token_loss
from transformer_lib.model import TransformerConfig
from transformer_lib.training import (
    TrainConfig,
    TrainState,
    evaluate,
    train,
    update,
)

MODEL = TransformerConfig(
    vocab_size=19,
    d_model=16,
    n_heads=2,
    d_ff=24,
    n_layers=1,
    dropout=0.2,
    norm_first=True,
    max_length=12,
)
CONFIG = TrainConfig(
    steps=12, tokens_per_batch=40, peak_rate=1e-2, warmup=3, seed=5
)


def reversal_pairs(n=60):
    chance = random.Random(0)
    sources = [
        [chance.randrange(4, 19) for _ in range(chance.randrange(1, 7))]
        for _ in range(n)
    ]
    return [(source, source[::-1]) for source in sources]


def weights(state):
    return {k: v.detach().clone() for k, v in state.model.named_parameters()}


def assert_equal(one, two):
    assert one.keys() == two.keys()
    for key, value in one.items():
        assert torch.equal(value, two[key]), key


def finished():
    state = TrainState.create(MODEL, CONFIG)
    losses = [float(record.loss) for record in train(state, reversal_pairs())]
    return state, losses


def test_the_first_loss_is_near_the_log_of_the_vocabulary():
    assert abs(finished()[1][0] - math.log(19)) < 1.5


def test_one_batch_can_be_learned_by_heart():
    config = replace(CONFIG, steps=150, smoothing=0.0)
    state = TrainState.create(replace(MODEL, dropout=0.0), config)
    pairs = reversal_pairs(4)
    losses = [float(record.loss) for record in train(state, pairs)]
    assert losses[-1] < 0.01
    assert evaluate(state.model, pairs) < 0.01


@pytest.mark.parametrize("peak_rate", [1e-2, None])
def test_an_update_is_what_torch_would_do(peak_rate):
    config = replace(CONFIG, peak_rate=peak_rate, clip=0.5)
    state = TrainState.create(replace(MODEL, dropout=0.0), config)
    batch = make_batch(reversal_pairs(5))
    other = TrainState.create(replace(MODEL, dropout=0.0), config).model
    adam = torch.optim.Adam(other.parameters(), betas=(0.9, 0.98), eps=1e-9)
    for step in (1, 2, 3):
        update(state, batch)
        adam.zero_grad()
        loss = torch.nn.functional.cross_entropy(
            other(batch.source, batch.target_in).transpose(1, 2),
            batch.target_out,
            ignore_index=0,
            label_smoothing=0.1,
        )
        loss.backward()
        torch.nn.utils.clip_grad_norm_(other.parameters(), 0.5)
        adam.param_groups[0]["lr"] = config.rate(step, 16)
        adam.step()
    # Compare what the models say: the biases of the keys change nothing
    # (softmax ignores a shift), so Adam moves them by rounding errors.
    torch.testing.assert_close(
        state.model(batch.source, batch.target_in),
        other(batch.source, batch.target_in),
        rtol=0,
        atol=1e-4,
    )


def test_a_run_can_be_repeated():
    one, two = finished(), finished()
    assert one[1] == two[1]
    assert_equal(weights(one[0]), weights(two[0]))


def test_seeds_differ():
    other = TrainState.create(MODEL, replace(CONFIG, seed=6))
    one = weights(TrainState.create(MODEL, CONFIG))
    assert not torch.equal(
        one["source_embedding.table"],
        weights(other)["source_embedding.table"],
    )


def test_stopping_and_calling_again_changes_nothing():
    state = TrainState.create(MODEL, CONFIG)
    for record in train(state, reversal_pairs()):
        if record.step == 5:
            break
    torch.rand(3)  # whatever else happens in between
    rest = [record.step for record in train(state, reversal_pairs())]
    assert rest == list(range(6, 13))
    assert_equal(weights(state), weights(finished()[0]))


def test_resuming_from_a_checkpoint_is_exact(tmp_path):
    state = TrainState.create(MODEL, CONFIG)
    for record in train(state, reversal_pairs()):
        if record.step == 7:
            break
    state.save(tmp_path)
    torch.manual_seed(999)
    again = TrainState.load(tmp_path)
    assert (again.step, again.config, again.model.config) == (7, CONFIG, MODEL)
    list(train(again, reversal_pairs()))
    assert_equal(weights(again), weights(finished()[0]))


def test_evaluate_divides_once_and_leaves_the_mode_alone():
    state, _ = finished()
    pairs = reversal_pairs(7)
    state.model.train()
    small = evaluate(state.model, pairs, tokens_per_batch=8)
    assert state.model.training
    state.model.eval()
    batch = make_batch(pairs)
    total, count = token_loss(
        state.model(batch.source, batch.target_in), batch.target_out
    )
    assert small == pytest.approx((total / count).item(), rel=1e-5)
    assert evaluate(state.model, pairs) == pytest.approx(small, rel=1e-5)


def test_an_old_checkpoint_is_replaced(tmp_path):
    state = TrainState.create(MODEL, CONFIG)
    state.save(tmp_path)
    state.step = 3
    state.save(tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["last-000003.safetensors", "last.json"]


def test_a_changed_description_is_noticed(tmp_path):
    """The same shapes with other heads would translate into nonsense."""
    TrainState.create(MODEL, CONFIG).save(tmp_path)
    path = tmp_path / "last.json"
    info = json.loads(path.read_text())
    info["model"]["n_heads"] = 4
    path.write_text(json.dumps(info))
    with pytest.raises(ValueError, match="changed or damaged"):
        TrainState.load(tmp_path)


@pytest.mark.parametrize("damage", ["cut", "flip"])
def test_a_damaged_checkpoint_is_noticed(tmp_path, damage):
    TrainState.create(MODEL, CONFIG).save(tmp_path)
    path = next(tmp_path.glob("*.safetensors"))
    data = bytearray(path.read_bytes())
    if damage == "flip":
        data[-10] ^= 1
    path.write_bytes(data[:-100] if damage == "cut" else data)
    with pytest.raises(ValueError, match="damaged"):
        TrainState.load(tmp_path)


def test_a_checkpoint_of_another_configuration_is_refused(tmp_path):
    TrainState.create(MODEL, CONFIG).save(tmp_path)
    tensors, info = checkpoint.load(tmp_path, "last")
    info["model"]["d_ff"] = 32
    checkpoint.save(tmp_path, "last", tensors, info)
    with pytest.raises(ValueError, match="another configuration"):
        TrainState.load(tmp_path)
    info["model"]["colour"] = "red"
    checkpoint.save(tmp_path, "last", tensors, info)
    with pytest.raises(ValueError, match="another configuration"):
        TrainState.load(tmp_path)


def test_a_full_disk_leaves_the_last_checkpoint_alone(tmp_path, monkeypatch):
    state = TrainState.create(MODEL, CONFIG)
    state.save(tmp_path)
    state.step = 4

    def full(descriptor):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint.os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            state.save(tmp_path)
    assert TrainState.load(tmp_path).step == 0
    assert not list(tmp_path.glob("*.part"))


KILLED = """
import sys
sys.path.insert(0, {tests!r})
from test_training import *
torch.set_num_threads(1)
folder = Path(sys.argv[1])
if (folder / "last.json").exists():
    state = TrainState.load(folder)
else:
    state = TrainState.create(MODEL, CONFIG)
print("ready", flush=True)
for record in train(state, reversal_pairs()):
    state.save(folder)
"""


@pytest.mark.slow
def test_killed_at_any_moment_a_run_ends_the_same(tmp_path):
    script = KILLED.format(tests=str(Path(__file__).parent))
    command = [sys.executable, "-c", script, str(tmp_path)]
    chance = random.Random(1)
    for _ in range(4):
        child = subprocess.Popen(command, stdout=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(chance.uniform(0.0, 0.15))
        child.send_signal(signal.SIGKILL)
        child.wait()
        if (tmp_path / "last.json").exists():
            TrainState.load(tmp_path)  # never unreadable
    subprocess.run(command, check=True, capture_output=True)
    final = TrainState.load(tmp_path)
    assert final.step == CONFIG.steps
    assert_equal(weights(final), weights(finished()[0]))
