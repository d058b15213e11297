"""Training: it learns, it resumes exactly, its checkpoints can be trusted."""

import json
import math
import random
import re
import subprocess
import sys
import tempfile
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from transformer_lib import checkpoint, distributed
from transformer_lib.batching import make_batch
from transformer_lib.label_smoothing import token_loss
from transformer_lib.model import TransformerConfig
from transformer_lib.schedule import cosine_lr, noam_lr
from transformer_lib.train_config import TrainConfig
from transformer_lib.train_state import TrainState
from transformer_lib.training import (
    LossMeter,
    StepStats,
    evaluate,
    train,
    train_step,
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
    steps=12, tokens_per_batch=40, max_lr=1e-2, warmup=3, seed=5
)


def reversal_pairs(n=60):
    rng = random.Random(0)
    sources = [
        [rng.randrange(4, 19) for _ in range(rng.randrange(1, 7))]
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
    config = replace(CONFIG, steps=150, label_smoothing=0.0)
    state = TrainState.create(replace(MODEL, dropout=0.0), config)
    pairs = reversal_pairs(4)
    losses = [float(record.loss) for record in train(state, pairs)]
    assert losses[-1] < 0.01
    assert evaluate(state.model, pairs) < 0.01


def test_the_schedule_is_the_cosine_unless_it_is_named():
    config = TrainConfig(steps=12, max_lr=1e-2, warmup=3)
    assert config.lr(5, 16) == cosine_lr(5, 1e-2, 3, 12)
    assert replace(config, schedule="noam").lr(5, 16) == noam_lr(5, 16, 3)


@pytest.mark.parametrize("schedule", ["cosine", "noam"])
def test_an_update_is_what_torch_would_do(schedule):
    config = replace(CONFIG, schedule=schedule, max_grad_norm=0.5)
    state = TrainState.create(replace(MODEL, dropout=0.0), config)
    batch = make_batch(reversal_pairs(5))
    other = TrainState.create(replace(MODEL, dropout=0.0), config).model
    adam = torch.optim.Adam(other.parameters(), betas=(0.9, 0.98), eps=1e-9)
    for step in (1, 2, 3):
        train_step(state, batch)
        adam.zero_grad()
        loss = torch.nn.functional.cross_entropy(
            other(batch.source, batch.target_in).transpose(1, 2),
            batch.target_out,
            ignore_index=0,
            label_smoothing=0.1,
        )
        loss.backward()
        torch.nn.utils.clip_grad_norm_(other.parameters(), 0.5)
        adam.param_groups[0]["lr"] = config.lr(step, 16)
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
        one["source_embedding.weight"],
        weights(other)["source_embedding.weight"],
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
    assert not state.model.training


def test_evaluate_keeps_no_graph_and_runs_the_batches_of_its_shard(monkeypatch):
    state, graphs = TrainState.create(MODEL, CONFIG), []
    state.model.register_forward_hook(
        lambda model, args, logits: graphs.append(logits.requires_grad)
    )
    evaluate(state.model, reversal_pairs(8), tokens_per_batch=1)
    assert graphs == [False] * 8
    graphs.clear()
    monkeypatch.setattr(distributed, "shard", lambda rows: rows[1::4])
    evaluate(state.model, reversal_pairs(8), tokens_per_batch=1)
    assert graphs == [False] * 2


def test_a_checkpoint_is_loaded_to_the_device_that_is_asked_for(tmp_path):
    TrainState.create(MODEL, CONFIG).save(tmp_path)
    tensors, _ = checkpoint.load(tmp_path, "last", "meta")
    assert {tensor.device.type for tensor in tensors.values()} == {"meta"}


def test_an_old_checkpoint_is_replaced_and_no_other_file(tmp_path):
    """Not even one whose name begins in the same way."""
    state = TrainState.create(MODEL, CONFIG)
    for name in ("last", "last-best", "last-1"):
        state.save(tmp_path, name)
    own = tmp_path / "last-model.safetensors"
    own.write_text("a user's own", encoding="utf-8")
    others = {p for p in tmp_path.iterdir() if not p.match("last-000000-*")}
    stale = tmp_path / "last-000002-0123abcd.safetensors.part"
    stale.write_text("half of it", encoding="utf-8")
    state.step = 3
    state.save(tmp_path)
    left = set(tmp_path.iterdir())
    (weights,) = left - others
    assert others <= left
    assert re.fullmatch(r"last-000003-[0-9a-f]{8}\.safetensors", weights.name)


def test_the_same_step_with_other_weights_never_overwrites(
    tmp_path, monkeypatch
):
    """Killed before the JSON is written, the old weights are still there."""
    state = TrainState.create(MODEL, CONFIG)
    state.save(tmp_path)
    other = TrainState.create(MODEL, replace(CONFIG, seed=6))

    def killed(path, content):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "write_json", killed)
        with pytest.raises(SystemExit):
            other.save(tmp_path)
    assert_equal(weights(TrainState.load(tmp_path)), weights(state))


def test_the_callers_extra_state_comes_back(tmp_path):
    state = TrainState.create(MODEL, CONFIG)
    state.extra = {"total": 0.1 + 0.2, "count": 3}
    state.save(tmp_path)
    assert TrainState.load(tmp_path).extra == state.extra


def test_a_model_to_translate_with_is_its_weights_alone(tmp_path):
    state = TrainState.create(MODEL, CONFIG)
    train_step(state, make_batch(reversal_pairs(5)))
    state.extra = {"total": 1.0, "count": 3}
    state.save_model(tmp_path)
    tensors, info = checkpoint.load(tmp_path, "model")
    assert tensors.keys() == {f"model.{key}" for key in weights(state)}
    assert "extra" not in info


def test_a_changed_description_is_noticed(tmp_path):
    """The same shapes with other heads would translate into nonsense."""
    TrainState.create(MODEL, CONFIG).save(tmp_path)
    path = tmp_path / "last.json"
    info = json.loads(path.read_text(encoding="utf-8"))
    info["model"]["n_heads"] = 4
    path.write_text(json.dumps(info), encoding="utf-8")
    with pytest.raises(ValueError, match="changed or damaged"):
        TrainState.load(tmp_path)


def resealed(folder, **changes):
    """Change what a checkpoint says, and its checksum with it."""
    path = folder / "last.json"
    info = json.loads(path.read_text(encoding="utf-8"))
    del info["seal"]
    info |= changes
    path.write_text(
        json.dumps(info | {"seal": checkpoint._seal(info)}), encoding="utf-8"
    )


def test_a_checkpoint_of_another_format_is_refused(tmp_path):
    """Also where its checksum is right: it may mean other things."""
    TrainState.create(MODEL, CONFIG).save(tmp_path)
    resealed(tmp_path, format=3)
    with pytest.raises(ValueError, match="format 3.* reads format 2"):
        TrainState.load(tmp_path)
    resealed(tmp_path, format=1)
    with pytest.raises(ValueError, match="other names; train the model again"):
        TrainState.load(tmp_path)


def test_a_run_from_before_schedules_had_names_goes_on_or_is_refused(tmp_path):
    """The paper's schedule was a max_lr of None then, every other a cosine."""
    TrainState.create(MODEL, CONFIG).save(tmp_path)
    earlier = asdict(CONFIG)
    del earlier["schedule"]
    resealed(tmp_path, train=earlier)
    assert TrainState.load(tmp_path).config == CONFIG
    resealed(tmp_path, train=earlier | {"max_lr": None})
    with pytest.raises(ValueError, match="another release: max_lr=None"):
        TrainState.load(tmp_path)


@pytest.mark.parametrize("step", [math.inf, -5, 2.5, True, "7", None])
def test_a_step_that_is_none_is_refused(tmp_path, step):
    TrainState.create(MODEL, CONFIG).save(tmp_path)
    resealed(tmp_path, step=step)
    with pytest.raises(ValueError, match="is no step; restore"):
        TrainState.load(tmp_path)


def test_json_that_is_no_object_is_damaged(tmp_path):
    (tmp_path / "last.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(ValueError, match="no JSON object"):
        TrainState.load(tmp_path)


def test_saving_the_same_again_on_a_full_disk_takes_nothing(
    tmp_path, monkeypatch
):
    """The weights' file has the name of the one that is there."""
    state = TrainState.create(MODEL, CONFIG)
    state.save(tmp_path)

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint, "write_json", full)
    with pytest.raises(OSError, match="No space left"):
        state.save(tmp_path)
    TrainState.load(tmp_path)


def test_every_tensor_must_come_and_no_other():
    one, two = {"a": torch.ones(2)}, {"a": torch.ones(2), "b": torch.ones(2)}
    for wanted, came in ((one, two), (two, one)):
        with pytest.raises(ValueError, match="1 tensors .* the first is b"):
            checkpoint.copy_into(wanted, came, "a folder")
        with pytest.raises(ValueError, match="shape of b"):
            checkpoint.average([wanted, came])


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


def test_the_seed_decides_the_order_of_the_batches():
    def tokens(seed):
        state = TrainState.create(MODEL, CONFIG)
        state.config = replace(CONFIG, seed=seed)
        return [record.tokens for record in train(state, reversal_pairs())]

    assert tokens(5) == tokens(5) != tokens(6)


def test_a_state_that_holds_nan_refuses_to_be_saved(tmp_path):
    state = TrainState.create(MODEL, CONFIG)
    state.save(tmp_path)
    train_step(state, make_batch(reversal_pairs(5)))
    memory = next(iter(state.optimizer.state.values()))["exp_avg"]
    weight = next(state.model.parameters()).detach()
    for spoiled in (memory, weight):
        kept = spoiled.clone()
        spoiled.view(-1)[0] = math.nan
        with pytest.raises(ValueError, match="step 1 hold NaN"):
            state.save(tmp_path)
        spoiled.copy_(kept)
    assert TrainState.load(tmp_path).step == 0


def test_moments_of_other_shapes_are_refused(tmp_path):
    """Fused Adam would read beyond the end of it."""
    state = TrainState.create(MODEL, CONFIG)
    train_step(state, make_batch(reversal_pairs(5)))
    state.save(tmp_path)
    tensors, info = checkpoint.load(tmp_path, "last")
    key = next(key for key in tensors if key.endswith(".exp_avg"))
    for wrong in ({key: torch.zeros(1)}, {key + "2": torch.zeros(1)}):
        checkpoint.save(tmp_path, "last", tensors | wrong, info)
        with pytest.raises(ValueError, match="Adam's state"):
            TrainState.load(tmp_path)


def test_the_loss_divides_once_over_all_tokens():
    """Not a mean of means: long sentences count by their tokens."""
    state = TrainState.create(replace(MODEL, dropout=0.0), CONFIG)
    pairs = [([4], [5]), ([6, 7], [8, 9, 10, 11, 12, 13])]
    losses = []
    for some in ([pairs[0]], [pairs[1]], pairs):
        state = TrainState.create(replace(MODEL, dropout=0.0), CONFIG)
        record = train_step(state, make_batch(some))
        losses.append((float(record.loss), record.tokens))
    (one, n), (two, m), (both, together) = losses
    assert (n, m, together) == (2, 7, 9)
    assert both == pytest.approx((one * n + two * m) / (n + m), rel=1e-6)
    assert both != pytest.approx((one + two) / 2, rel=1e-3)


def test_a_meter_gives_the_loss_a_token_not_a_batch():
    meter = LossMeter(total=10.0, count=4)
    for tokens, loss in ((3, 2.0), (5, 0.5)):
        meter.add(
            StepStats(1, 0.1, tokens, torch.tensor(loss), torch.tensor(1.0))
        )
    assert meter.sums() == (10.0 + 3 * 2.0 + 5 * 0.5, 12)
    assert meter.sums() == (18.5, 12)  # asking changes nothing


class Reads(TorchDispatchMode):
    """Note the dtype of each number that is read from a tensor."""

    def __init__(self):
        super().__init__()
        self.dtypes = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if function is torch.ops.aten._local_scalar_dense.default:
            self.dtypes.append(args[0].dtype)
        return function(*args, **(kwargs or {}))


def test_an_update_trains_whatever_mode_it_finds():
    """After a look at translations a model is still in eval() mode."""
    batch = make_batch(reversal_pairs(5))
    losses = []
    for mode in (True, False):
        state = TrainState.create(replace(MODEL, dropout=0.4), CONFIG)
        state.model.train(mode)
        losses.append(float(train_step(state, batch).loss))
        assert state.model.training
    plain = TrainState.create(replace(MODEL, dropout=0.0), CONFIG)
    assert losses[0] == losses[1] != float(train_step(plain, batch).loss)


def test_an_update_reads_no_number_that_a_gpu_would_have_to_finish():
    """Only the batch's tokens are counted, before it goes to the GPU."""
    state = TrainState.create(MODEL, CONFIG)
    batch = make_batch(reversal_pairs(5))
    train_step(state, batch)
    with Reads() as reads:
        record = train_step(state, batch)
    assert reads.dtypes == [torch.int64]
    for tensor in (record.loss, record.grad_norm):
        assert isinstance(tensor, torch.Tensor) and tensor.shape == ()
        assert not tensor.requires_grad


def test_the_average_of_checkpoints_is_the_mean_in_float64():
    torch.manual_seed(0)
    found = [
        {"a": torch.randn(3, 5), "b": torch.randn(2).half()} for _ in range(7)
    ]
    mean = checkpoint.average(found)
    for key in ("a", "b"):
        exact = torch.stack([one[key].double() for one in found]).mean(dim=0)
        assert mean[key].dtype == found[0][key].dtype
        assert torch.equal(mean[key], exact.to(mean[key].dtype))
    assert_equal(checkpoint.average(found[:1]), found[0])
    big = {"a": torch.tensor([1.0e8])}
    small = [{"a": torch.tensor([1.0])} for _ in range(9)]
    assert checkpoint.average([big, *small])["a"] == (1e8 + 9) / 10


@pytest.mark.parametrize(
    "weights, message",
    [
        ([], "nothing to average"),
        ([{"a": torch.ones(2)}, {"b": torch.ones(2)}], "checkpoint 2.* a;"),
        ([{"a": torch.ones(2)}, {}], "checkpoint 2.* a;"),
        ([{"a": torch.ones(2)}] * 2 + [{"a": torch.ones(1)}], "checkpoint 3"),
    ],
)
def test_checkpoints_of_different_models_have_no_average(weights, message):
    with pytest.raises(ValueError, match=message):
        checkpoint.average(weights)


@pytest.mark.parametrize(
    "changes, kind",
    [
        ({"steps": 2.5}, TypeError),
        ({"seed": True}, TypeError),
        ({"seed": 2**32}, ValueError),
        ({"max_grad_norm": math.inf}, ValueError),
        ({"max_lr": "fast"}, TypeError),
        ({"schedule": "linear"}, ValueError),
        ({"bfloat16": "no"}, TypeError),
    ],
)
def test_choices_of_another_kind_are_refused(changes, kind):
    with pytest.raises(kind, match=next(iter(changes))):
        TrainConfig(**changes)


def compiled(module):
    return torch.compile(module, backend="eager")


def compile_whole(state):
    state.model = compiled(state.model)


def compile_layers(state):
    """One of the encoder and one of the decoder, in a compiled model."""
    for stack in (state.model.encoder, state.model.decoder):
        stack.layers[0] = compiled(stack.layers[0])
    state.model = compiled(state.model)


def compile_parts(state):
    state.model.encoder = compiled(state.model.encoder)
    state.model.source_embedding = compiled(state.model.source_embedding)


def share_out(state):
    state.model = torch.nn.DataParallel(compiled(state.model))


WRAPS = [compile_whole, compile_layers, compile_parts, share_out]


@pytest.mark.parametrize("wrap", WRAPS)
def test_a_wrapped_model_is_saved_under_its_own_names(tmp_path, wrap):
    state, batch = TrainState.create(MODEL, CONFIG), make_batch([([5], [6])])
    train_step(state, batch)
    for place, change in (("plain", lambda _: None), ("wrapped", wrap)):
        change(state)
        (tmp_path / place).mkdir()
        state.save(tmp_path / place)
        state.save_model(tmp_path / place)
    for name in ("last", "model"):
        wanted, found = (
            (tmp_path / place / f"{name}.json").read_bytes()
            for place in ("plain", "wrapped")
        )
        assert found == wanted  # with the checksum of all names and tensors
    assert state.is_finite()
    with torch.no_grad():
        next(state.model.parameters()).fill_(math.nan)
    assert not state.is_finite()


def learn_compiled():
    """Print the losses of the plain model and of each wrapped one."""
    batch, found = make_batch(reversal_pairs(5)), []
    for wrap in (lambda state: None, *WRAPS):
        state = TrainState.create(replace(MODEL, dropout=0.0), CONFIG)
        wrap(state)
        losses = [float(train_step(state, batch).loss) for _ in range(2)]
        losses.append(evaluate(state.model, reversal_pairs(5)))
        with tempfile.TemporaryDirectory() as folder:
            state.save(folder)
            losses.append(
                float(train_step(TrainState.load(folder), batch).loss)
            )
        found.append(losses)
    print(json.dumps(found))


@pytest.mark.slow
def test_a_compiled_model_learns_what_the_plain_one_does():
    """In another process: the checks of shapes are not for the compiler."""
    code = "import test_training; test_training.learn_compiled()"
    said = subprocess.check_output(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent,
        encoding="utf-8",
    )
    plain, *others = json.loads(said)
    for found in others:
        assert found == pytest.approx(plain, rel=1e-5)


def test_a_checkpoint_that_holds_the_names_of_wrappers_can_be_read(tmp_path):
    """Earlier releases wrote such ones, with the moments of Adam."""
    state = TrainState.create(MODEL, CONFIG)
    train_step(state, make_batch(reversal_pairs(5)))
    named = {
        key.replace(".", "._orig_mod.", 1): x
        for key, x in state._tensors().items()
    }
    checkpoint.save(tmp_path, "last", named, state._info())
    assert_equal(TrainState.load(tmp_path)._tensors(), state._tensors())


def test_weights_are_copied_into_a_compiled_model():
    source, model = (
        TrainState.create(MODEL, replace(CONFIG, seed=seed)).model
        for seed in (1, 2)
    )
    inside = dict(compiled(model).named_parameters())
    checkpoint.copy_into(inside, dict(source.named_parameters()), "source")
    for one, other in zip(model.parameters(), source.parameters(), strict=True):
        assert torch.equal(one, other)


def another_shape(state):
    table = state.model.source_embedding
    table.weight = torch.nn.Parameter(table.weight[:-1].detach())


def another_name(state):
    torch.nn.utils.parametrizations.weight_norm(
        state.model.decoder.layers[0].feed_forward.linear1
    )


def another_optimizer(state):
    weights = state.model.parameters()
    state.optimizer = torch.optim.SGD(weights, lr=0.0, momentum=0.5)
    train_step(state, make_batch(reversal_pairs(3)))


@pytest.mark.parametrize(
    "change", [another_shape, another_name, another_optimizer]
)
def test_what_could_not_be_loaded_is_not_saved(tmp_path, change):
    state = TrainState.create(MODEL, CONFIG)
    change(state)
    with pytest.raises(ValueError, match="could load it, so it is not saved"):
        state.save(tmp_path)
    if change is not another_optimizer:
        with pytest.raises(ValueError, match="so it is not saved"):
            state.save_model(tmp_path)
    assert not list(tmp_path.iterdir())
