"""The same numbers on every device: `pytest -m gpu` asks the GPU alone.

The reference is the same model on a CPU in float64. Without a GPU the tests
hold the CPU's float32 to the same tolerances.
"""

from dataclasses import replace

import pytest
import torch
from test_model import S, T, model
from test_training import CONFIG, MODEL, reversal_pairs

from transformer_lib.attention import scaled_dot_product_attention
from transformer_lib.batching import pad
from transformer_lib.decoding import beam_search, greedy, sample
from transformer_lib.label_smoothing import token_loss
from transformer_lib.train_state import TrainState
from transformer_lib.training import evaluate, train

DEVICES = ["cpu"]
if torch.cuda.is_available():
    DEVICES.append(pytest.param("cuda", marks=pytest.mark.gpu))
SOURCE = torch.tensor([[4, 5, 6, 7, 8], [9, 10, 11, 0, 0]])
TARGET = torch.tensor([[1, 12, 13, 14], [1, 15, 16, 17]])
NEXT = torch.tensor([[12, 13, 14, 2], [15, 16, 17, 2]])
CLOSE = {"rtol": 1e-3, "atol": 1e-4}  # float32 sums in another order


@pytest.fixture(params=DEVICES)
def device(request):
    return torch.device(request.param)


def single(device, **changes):
    return model(**changes).float().to(device)


def state(device, **changes):
    return TrainState.create(MODEL, replace(CONFIG, **changes), device)


def losses(made, stop=None):
    found = []
    for record in train(made, reversal_pairs()):
        found.append(float(record.loss))
        if record.step == stop:
            break
    return found


@pytest.mark.parametrize("norm_first", [False, True])
def test_scores_and_gradients_are_those_of_the_cpu(device, norm_first):
    gradients, scores = [], []
    for made in (
        model(norm_first=norm_first),
        single(device, norm_first=norm_first),
    ):
        where = next(made.parameters()).device
        logits = made(SOURCE.to(where), TARGET.to(where))
        token_loss(logits, NEXT.to(where), 0.1)[0].backward()
        scores.append(logits.detach().cpu().double())
        gradients.append([p.grad.cpu().double() for p in made.parameters()])
    torch.testing.assert_close(scores[1], scores[0], **CLOSE)
    for got, wanted in zip(gradients[1], gradients[0], strict=True):
        torch.testing.assert_close(got, wanted, **CLOSE)


def test_greedy_and_beam_write_what_they_write_on_the_cpu(device):
    exact, here = model(), single(device)
    source = SOURCE.to(device)
    for got, wanted in zip(
        greedy(here, source), greedy(exact, SOURCE), strict=True
    ):
        assert got.tokens == wanted.tokens
        assert got.log_probability == pytest.approx(
            wanted.log_probability, rel=1e-3
        )
    for got, wanted in zip(
        beam_search(here, source, 3), beam_search(exact, SOURCE, 3), strict=True
    ):
        assert got[0].tokens == wanted[0].tokens


def test_a_seed_draws_what_it_draws_on_the_cpu(device):
    generators = [torch.Generator().manual_seed(1) for _ in range(2)]
    here, exact = (
        sample(made, source, 0.7, 8, 0.9, generator=generator)
        for made, source, generator in zip(
            (single(device), model()),
            (SOURCE.to(device), SOURCE),
            generators,
            strict=True,
        )
    )
    assert [one.tokens for one in here] == [one.tokens for one in exact]
    own = torch.Generator(device).manual_seed(1)
    assert len(sample(single(device), SOURCE.to(device), generator=own))


def test_the_loss_is_that_of_the_cpu(device):
    pairs = [([4, 5, 6], [7, 8]), ([9], [10, 11, 12])]
    got, wanted = evaluate(single(device), pairs), evaluate(model(), pairs)
    assert got == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_row_that_may_look_at_nothing_gives_zeros(device, dtype):
    torch.manual_seed(0)
    q, k, v = (
        torch.randn(2, 3, n, 8, device=device, dtype=dtype, requires_grad=True)
        for n in (T, S, S)
    )
    mask = torch.ones(2, 1, T, S, dtype=torch.bool, device=device)
    mask[1, :, 2] = False
    out = scaled_dot_product_attention(q, k, v, mask)
    assert (out[1, :, 2] == 0).all()
    assert out.isfinite().all()
    out.float().pow(2).sum().backward()
    for leaf in (q, k, v):
        assert leaf.grad.isfinite().all()
    assert (q.grad[1, :, 2] == 0).all()
    assert (q.grad[0] != 0).any()


def test_padding_changes_nothing(device):
    made = single(device).eval()
    alone = pad([[9, 10, 11]]).to(device)
    both = SOURCE.to(device)
    with torch.no_grad():
        wide = made(both, TARGET.to(device))[1:]
        narrow = made(alone, TARGET[1:].to(device))
    torch.testing.assert_close(wide, narrow, **CLOSE)


def test_a_run_resumes(device, tmp_path):
    whole = losses(state(device))
    made = state(device)
    first = losses(made, stop=5)
    made.save(tmp_path)
    rest = losses(TrainState.load(tmp_path, device))
    assert len(first) == 5 and len(first + rest) == CONFIG.steps
    assert first + rest == pytest.approx(whole, rel=1e-3)


def test_sixteen_bits_learn_like_thirty_two(device):
    plain = losses(state(device, steps=60))
    short = losses(state(device, steps=60, bfloat16=True))
    assert short != plain
    assert sum(short[-10:]) == pytest.approx(sum(plain[-10:]), rel=0.05)
    assert short[-1] < 0.9 * short[0]
