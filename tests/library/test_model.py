"""The whole model: against torch.nn, and the laws that bugs break."""

from dataclasses import FrozenInstanceError, replace

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch_pairs import TorchPair, inside, stacks

from transformer_lib.masks import causal_mask, padding_mask
from transformer_lib.model import Transformer, count_parameters
from transformer_lib.model_config import Architecture, TransformerConfig

TINY = TransformerConfig(
    vocab_size=23,
    d_model=12,
    n_heads=3,
    d_ff=20,
    n_layers=2,
    dropout=0.0,
    max_length=16,
)
B, S, T = 2, 5, 4


def test_an_architecture_takes_any_vocabulary():
    sizes = {key: x for key, x in vars(TINY).items() if key != "vocab_size"}
    changed = Architecture(**sizes | {"d_k": 3, "norm_first": True})
    wanted = replace(TINY, d_k=3, norm_first=True, vocab_size=7)
    assert changed.config(7) == wanted
    assert wanted.config(9) == replace(wanted, vocab_size=9)


def model(**changes):
    torch.manual_seed(0)
    made = Transformer(replace(TINY, **changes)).double().eval()
    for parameter in made.parameters():
        nn.init.normal_(parameter, std=0.3)
    return made


@pytest.fixture(params=[False, True], ids=["post-norm", "pre-norm"])
def norm_first(request):
    return request.param


@pytest.fixture
def either(norm_first):
    return model(norm_first=norm_first)


@pytest.fixture(params=[False, True], ids=["eval", "train"])
def train(request):
    return request.param


@pytest.fixture
def source():
    return torch.tensor([[4, 5, 6, 7, 8], [9, 10, 11, 0, 0]])


@pytest.fixture
def target():
    return torch.tensor([[1, 12, 13, 14], [1, 15, 16, 17]])


class TorchTransformer(nn.Module):
    """`nn.Transformer` with what stands around it in the paper.

    nn.Transformer ends each stack with a norm even in post-norm, which the
    paper does not: there it is taken away.
    """

    def __init__(self, config, positions):
        super().__init__()
        c = config
        self.stacks = nn.Transformer(
            *(c.d_model, c.n_heads, c.n_layers, c.n_layers, c.d_ff, 0.0),
            batch_first=True,
            norm_first=c.norm_first,
        )
        if not c.norm_first:
            self.stacks.encoder.norm = None
            self.stacks.decoder.norm = None
        n_tables = 1 if c.tie_embeddings else 3
        self.tables = nn.ModuleList(
            nn.Embedding(c.vocab_size, c.d_model) for _ in range(n_tables)
        )
        self.positions = positions

    def embed(self, table, ids):
        x = table(ids) * table.embedding_dim**0.5
        return x + self.positions[: ids.shape[1]]

    def forward(self, source, target):
        hidden = source == 0
        out = self.stacks(
            self.embed(self.tables[0], source),
            self.embed(self.tables[len(self.tables) // 2], target),
            tgt_mask=~causal_mask(target.shape[1]),
            src_key_padding_mask=hidden,
            memory_key_padding_mask=hidden,
        )
        return F.linear(out, self.tables[-1].weight)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("tied", [True, False], ids=["tied", "untied"])
def test_the_whole_model_equals_torch(norm_first, train, tied, source, target):
    torch.manual_seed(0)
    config = replace(TINY, norm_first=norm_first, tie_embeddings=tied)
    ours = Transformer(config).double()
    theirs = TorchTransformer(config, ours.positions.pe)
    names = inside("stacks", "", stacks(TINY.n_layers, norm_first))
    tables = ["source_embedding", "target_embedding", "output_embedding"]
    for i in range(len(theirs.tables)):
        names[f"tables.{i}.weight"] = (f"{tables[i]}.weight",)
    pair = TorchPair(ours, theirs, names)
    pair.train(train)
    pair.compare(pair.ours(source, target), pair.theirs(source, target))


def test_the_future_cannot_leak(either, source, target, train):
    either.train(train)
    before = either(source, target)
    changed = target.clone()
    changed[:, 2] = 20
    after = either(source, changed)
    assert torch.equal(before[:, :2], after[:, :2])
    assert not torch.allclose(before[:, 2:], after[:, 2:])


def test_no_gradient_comes_from_the_future(either, source, target):
    kept = []
    either.target_embedding.register_forward_hook(
        lambda module, inputs, output: kept.append(output)
    )
    logits = either(source, target)
    gradient = torch.autograd.grad(logits[:, 1].sum(), kept[-1])[0]
    assert (gradient[:, 2:] == 0).all()
    assert (gradient[:, :2] != 0).any()


def test_padding_changes_nothing(either, source, target):
    alone = either(source[1:, :3], target[1:])
    padded = either(source[1:], target[1:])
    torch.testing.assert_close(alone, padded)


def test_batch_companions_change_nothing(either, source, target):
    together = either(source, target)
    torch.testing.assert_close(together[:1], either(source[:1], target[:1]))


def test_every_source_word_matters(either, source, target):
    before = either(source, target)
    for position in range(3):
        changed = source.clone()
        changed[1, position] = 21
        assert not torch.allclose(either(changed, target)[1], before[1])


def test_word_order_matters_only_through_positions(either, source, target):
    order = torch.tensor([4, 2, 0, 1, 3])
    moved = source[:1, order]
    before = either(source[:1], target[:1])
    assert not torch.allclose(either(moved, target[:1]), before)
    either.positions.pe.zero_()
    torch.testing.assert_close(
        either(moved, target[:1]), either(source[:1], target[:1])
    )


@pytest.mark.parametrize("steps", [[1, 1, 1, 1], [2, 2], [1, 3]])
def test_one_token_at_a_time_equals_all_at_once(either, source, target, steps):
    state, parts, start = either.start(source), [], 0
    for n in steps:
        logits, state = either.decode(target[:, start : start + n], state)
        parts.append(logits)
        start += n
    torch.testing.assert_close(
        torch.cat(parts, dim=1), either(source, target), rtol=0, atol=1e-12
    )
    assert state.length == T


def test_a_state_is_never_changed(either, source, target):
    state = either.start(source)
    _, first = either.decode(target[:, :2], state)
    keys = [kv.keys.clone() for kv in first.past]
    one, _ = either.decode(target[:, 2:3], first)
    two, _ = either.decode(target[:, 2:3], first)
    assert torch.equal(one, two)
    assert (state.length, first.length) == (0, 2)
    for before, now in zip(keys, first.past, strict=True):
        assert torch.equal(before, now.keys)


def test_selecting_rows_is_selecting_sentences(either, source, target):
    rows = torch.tensor([1, 1, 0])
    _, state = either.decode(target[:, :2], either.start(source))
    chosen, _ = either.decode(target[rows, 2:], state.select(rows))
    whole, _ = either.decode(target[:, 2:], state)
    torch.testing.assert_close(chosen, whole[rows])


def test_a_source_of_padding_only_gives_finite_scores(either, target):
    source = torch.tensor([[4, 5], [0, 0]])
    assert either(source, target).isfinite().all()


def test_masks_are_made_where_the_ids_are(either, source, target):
    """The meta device takes no tensor of another one, like a GPU."""
    logits = either.to("meta")(source.to("meta"), target.to("meta"))
    assert logits.device.type == "meta"


def test_one_matrix_in_three_places():
    """What else it has to stand is in test_tied.py."""
    tied = model()
    assert tied.source_embedding.weight is tied.target_embedding.weight
    assert tied.source_embedding.weight is tied.output_embedding.weight
    names = [n for n, p in tied.named_parameters() if p.shape[0] == 23]
    assert names == ["source_embedding.weight"]
    loose = model(tie_embeddings=False)
    assert loose.output_embedding.weight is not loose.target_embedding.weight


def test_dropout_works_in_training_only(source, target):
    dropping = model(dropout=0.5)
    dropping.train()
    assert not torch.equal(dropping(source, target), dropping(source, target))
    dropping.eval()
    assert torch.equal(dropping(source, target), dropping(source, target))


def test_learned_positions_are_trained_and_shared_by_both_sides(source, target):
    learned = model(learned_positions=True)
    table = learned.positions.pe
    logits = learned(source, target)
    gradient = torch.autograd.grad(logits.square().sum(), table)[0]
    assert gradient[:S].any(dim=1).all()
    assert not gradient[S:].any()
    moved = learned.encode(source, padding_mask(source))
    with torch.no_grad():
        table[0] += torch.randn(TINY.d_model).double()
    after = learned.encode(source, padding_mask(source))
    assert not torch.allclose(moved, after)
    assert not torch.allclose(logits[:, 1:], learned(source, target)[:, 1:])


@pytest.mark.parametrize("d_k", [1, 7])
def test_keys_of_any_width_go_through_the_cache(d_k, source, target):
    narrow = model(d_k=d_k)
    state = narrow.start(source)
    parts = []
    for token in target.split(1, dim=1):
        logits, state = narrow.decode(token, state)
        parts.append(logits)
    torch.testing.assert_close(
        torch.cat(parts, dim=1), narrow(source, target), rtol=0, atol=1e-12
    )
    assert state.past[1].keys.shape == (B, TINY.n_heads, T, d_k)
    assert state.past[1].values.shape == (B, TINY.n_heads, T, 4)


def test_dropout_is_the_same_everywhere():
    """On the sum with the positions, and in each layer."""
    model = Transformer(replace(TINY, dropout=0.35))
    found = [m.p for m in model.modules() if isinstance(m, nn.Dropout)]
    assert found == [0.35] * (1 + 2 * TINY.n_layers)


def test_a_configuration_cannot_be_changed_behind_the_models_back():
    with pytest.raises(FrozenInstanceError):
        TINY.d_model = 8


def test_base_and_big_are_the_models_of_table_3():
    rows = {
        TransformerConfig.base(37): (6, 512, 2048, 8, 0.1),
        TransformerConfig.big(37): (6, 1024, 4096, 16, 0.3),
    }
    for c, row in rows.items():
        assert (c.n_layers, c.d_model, c.d_ff, c.n_heads, c.dropout) == row
        assert c.vocab_size == 37 and c.d_k is None
        assert not c.norm_first and not c.learned_positions
        assert c.tie_embeddings


def test_counting_parameters_takes_no_memory():
    """A table of 5 terabytes is counted and not made."""
    huge = TransformerConfig(10**10, d_model=128)
    assert count_parameters(huge) > 10**10 * 128
