"""Tied is one Parameter in three modules, and it stays one."""

import copy
import pickle
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_model, save_model
from test_model import TINY
from torch import nn

from transformer_lib.embedding import TokenEmbedding
from transformer_lib.model import Encoder, Transformer

SOURCE = torch.tensor([[4, 5, 6, 7, 8], [9, 10, 11, 0, 0]])
TARGET = torch.tensor([[1, 12, 13, 14], [1, 15, 16, 17]])
NAMES = ("source_embedding", "target_embedding", "output_embedding")


@pytest.fixture
def tied():
    torch.manual_seed(0)
    return Transformer(TINY)


def other():
    torch.manual_seed(1)
    return Transformer(TINY)


def on_meta():
    with torch.device("meta"):
        return Transformer(TINY)


def three(model):
    return [model.get_submodule(name).weight for name in NAMES]


def assert_one(model):
    """One Parameter, and one step of training moves all three."""
    first, *others = three(model)
    assert isinstance(first, nn.Parameter)
    assert all(weight is first for weight in others)
    names = [name for name, _ in model.named_parameters()]
    assert names == [name for name, _ in other().named_parameters()]
    assert list(model.state_dict()) == list(other().state_dict())
    before = first.detach().clone()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(SOURCE, TARGET).float().square().mean().backward()
    optimizer.step()
    moved = three(model)
    assert not torch.equal(moved[0], before)
    assert all(torch.equal(weight, moved[0]) for weight in moved)


def test_one_matrix_in_three_places(tied):
    assert_one(tied)
    loose = Transformer(replace(TINY, tie_embeddings=False))
    for convert in (loose.double, lambda: loose.to_empty(device="cpu")):
        convert()
        assert len({id(weight) for weight in three(loose)}) == 3


def emptied(model):
    model.to_empty(device="cpu").load_state_dict(other().state_dict())
    return model


def assigned(model, weights=None):
    given = other().state_dict() if weights is None else weights
    model.load_state_dict(given, assign=True, strict=weights is None)
    return model


def by_safetensors(model, path):
    save_model(other(), str(path / "weights.safetensors"))
    load_model(model, str(path / "weights.safetensors"))
    return model


def inside_another(model):
    whole = nn.ModuleList([model])
    whole.to("meta").to_empty(device="cpu")
    model.load_state_dict(other().state_dict())
    return model


def only(*names):
    """The weights of a file that names the matrix so, and not otherwise."""
    left_out = {f"{name}.weight" for name in set(NAMES) - set(names)}
    found = other().state_dict()
    return {name: found[name] for name in found if name not in left_out}


WAYS = {
    "half": lambda model, path: model.bfloat16(),
    "double": lambda model, path: model.double(),
    "deepcopy": lambda model, path: copy.deepcopy(model),
    "pickle": lambda model, path: pickle.loads(pickle.dumps(model)),
    "to_empty": lambda model, path: emptied(model),
    "to meta": lambda model, path: emptied(model.to("meta")),
    "assign": lambda model, path: assigned(model),
    "meta, to_empty": lambda model, path: emptied(on_meta()),
    "meta, assign": lambda model, path: assigned(on_meta()),
    "a copy, assign": lambda model, path: assigned(copy.deepcopy(model)),
    "safetensors": by_safetensors,
    "inside another": lambda model, path: inside_another(model),
    "one name alone": lambda model, path: assigned(model, only(NAMES[1])),
}


@pytest.mark.parametrize("way", WAYS)
def test_it_stays_one(tied, tmp_path, way):
    assert_one(WAYS[way](tied, tmp_path))


@pytest.fixture(params=["overwrite", "swap"])
def conversion(request):
    """PyTorch's two other ways to give a module new parameters."""
    name = f"set_{request.param}_module_params_on_conversion"
    choose = getattr(torch.__future__, name)
    choose(True)
    yield
    choose(False)


@pytest.mark.usefixtures("conversion")
@pytest.mark.parametrize("way", ["half", "to_empty", "assign"])
def test_it_stays_one_on_other_ways_of_conversion(tied, tmp_path, way):
    assert_one(WAYS[way](tied, tmp_path))


@pytest.mark.parametrize(
    "names", [NAMES, NAMES[:1], NAMES[2:], NAMES[:2]], ids=len
)
def test_what_is_assigned_is_what_counts(names):
    """A file may name the shared matrix once, under any of its names."""
    model = assigned(on_meta(), only(*names))
    assert torch.equal(model(SOURCE, TARGET), other()(SOURCE, TARGET))


def test_of_three_matrices_the_last_counts_assigned_or_copied(tied):
    weights = tied.state_dict()
    for name in NAMES:
        weights[f"{name}.weight"] = torch.randn(23, 12)
    for assign in (False, True):
        tied.load_state_dict(weights, assign=assign)
        expected = weights["output_embedding.weight"]
        assert torch.equal(tied.source_embedding.weight, expected)


@pytest.mark.parametrize("given", ["all", "own", *NAMES])
def test_functional_call_changes_nothing_for_good(tied, given):
    before = tied(SOURCE, TARGET)
    weights = dict(tied.named_parameters())
    if given != "own":
        weights = {name: 0 * weight for name, weight in weights.items()}
    if given in NAMES:
        weights = {f"{given}.weight": torch.zeros(23, 12)}
    called = torch.func.functional_call(tied, weights, (SOURCE, TARGET))
    if given == "own":
        assert torch.equal(called, before)
    else:
        assert not called.any()
    assert torch.equal(tied(SOURCE, TARGET), before)
    assert_one(tied)


def test_gradients_of_each_sentence_leave_the_model_alone(tied):
    def loss(weights, source, target):
        pair = source.unsqueeze(0), target.unsqueeze(0)
        return torch.func.functional_call(tied, weights, pair).sum()

    weights = {n: p.detach() for n, p in tied.named_parameters()}
    gradient = torch.func.grad(loss)
    found = gradient(weights, SOURCE[0], TARGET[0])
    tied(SOURCE[:1], TARGET[:1]).sum().backward()
    torch.testing.assert_close(
        found["source_embedding.weight"], tied.output_embedding.weight.grad
    )
    assert_one(tied)


def test_tying_draws_one_matrix(tied):
    """A seed gives the weights it gave when there was one module."""
    torch.manual_seed(0)
    table, encoder = TokenEmbedding(23, TINY.d_model), Encoder(TINY)
    assert torch.equal(tied.output_embedding.weight, table.weight)
    for key, weight in encoder.state_dict().items():
        assert torch.equal(tied.encoder.state_dict()[key], weight)
