"""`torch.export` with lengths that stay open, strict or not."""

import pytest
import torch
from test_model import TINY
from torch import nn
from torch.export import Dim, export

pytestmark = pytest.mark.slow

B, S, T = Dim("B"), Dim("S", max=16), Dim("T", max=16)
OPEN = Dim.DYNAMIC
SIZES = [(1, 1, 1), (2, 5, 4), (3, 9, 2), (3, 3, 14)]


@pytest.fixture
def make(as_compiled):
    def make(**choices):
        settings = vars(TINY) | choices
        config = as_compiled("model_config").TransformerConfig(**settings)
        torch.manual_seed(0)
        return as_compiled("model").Transformer(config).eval()

    return make


def ids(*shape):
    return torch.randint(3, 23, shape)


@pytest.mark.parametrize(
    ("source", "target", "strict"),
    [
        ({1: S}, {}, False),
        ({}, {1: T}, False),
        ({0: B}, {0: B}, False),
        ({0: B, 1: S}, {0: B, 1: T}, True),
        ({0: OPEN, 1: OPEN}, {0: OPEN, 1: OPEN}, False),
    ],
    ids=["source", "target", "batch", "all, strict", "unnamed"],
)
def test_any_length_may_stay_open(make, source, target, strict):
    model = make()
    exported = export(
        model,
        (ids(2, 5), ids(2, 4)),
        dynamic_shapes=(source, target),
        strict=strict,
    ).module()
    for b, s, t in SIZES:
        pair = (
            ids(b if 0 in source else 2, s if 1 in source else 5),
            ids(b if 0 in source else 2, t if 1 in target else 4),
        )
        pair[0][-1, 1:] = 0
        torch.testing.assert_close(exported(*pair), model(*pair))


@pytest.mark.parametrize(
    "choices",
    [
        {"norm_first": True, "learned_positions": True},
        {"tie_embeddings": False, "d_k": 3},
    ],
    ids=str,
)
def test_every_kind_of_model_can_be_exported(make, choices):
    model = make(**choices)
    lengths = ({0: B, 1: S}, {0: B, 1: T})
    exported = export(model, (ids(2, 5), ids(2, 4)), dynamic_shapes=lengths)
    pair = ids(3, 7), ids(3, 2)
    torch.testing.assert_close(exported.module()(*pair), model(*pair))


class Step(nn.Module):
    """One step of decoding over the cache."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, tokens, state):
        return self.model.decode(tokens, state)


@pytest.mark.parametrize("strict", [False, True], ids=["as it runs", "strict"])
def test_a_step_over_the_cache_can_be_exported(make, strict):
    model, lengths = make(), {0: OPEN, 2: OPEN}
    _, state = model.decode(ids(2, 3), model.start(ids(2, 5)))
    cache = (type(state.past[0])(lengths, lengths),) * TINY.n_layers
    exported = export(
        Step(model),
        (ids(2, 2), state),
        dynamic_shapes=({0: OPEN, 1: OPEN}, [cache, cache, lengths]),
        strict=strict,
    ).module()
    for b, s, t in SIZES:
        source, target = ids(b, s), ids(b, t)
        _, state = model.decode(target, model.start(source))
        token = ids(b, 1)
        expected, _ = model.decode(token, state)
        found, after = exported(token, state)
        torch.testing.assert_close(found, expected)
        assert after.length == state.length + 1
