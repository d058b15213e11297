"""Laws of the whole model, in every kind of it: training or not, post-norm
or pre-norm, tied or untied, with heads of another width, with learned
positions, with batches of any size.

In eval() the dropout is 0.4, so each law also says that it does nothing
there. In train() it is 0, or, where a law holds under dropout, 0.4 with one
seed for both sides. The laws of single formulas are in test_laws.py.
"""

from typing import NamedTuple

import pytest
import torch
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from transformer_lib.label_smoothing import token_loss
from transformer_lib.masks import padding_mask
from transformer_lib.model import DecoderState, Transformer, TransformerConfig
from transformer_lib.multi_head import MultiHeadAttention, record_attention
from transformer_lib.special_tokens import BOS, EOS, PAD

V = 23
anything = settings(
    derandomize=True,
    max_examples=4,
    deadline=None,
    phases=[Phase.generate],  # a smaller model is no clearer, only slower
)
seeds = st.integers(0, 2**31)


class Kind(NamedTuple):
    train: bool
    norm_first: bool
    tied: bool
    dropout: float = 0.0

    def __str__(self):
        names = (
            "train" if self.train else "eval",
            "pre" if self.norm_first else "post",
            "tied" if self.tied else "untied",
            f"dropout {self.dropout}",
        )
        return ", ".join(names)


TWO = (False, True)
PLAIN = [
    Kind(train, norm_first, tied, 0.0 if train else 0.4)
    for train in TWO
    for norm_first in TWO
    for tied in TWO
]
DROPPING = [Kind(True, norm_first, True, 0.4) for norm_first in TWO]
each_kind = pytest.mark.parametrize("kind", PLAIN, ids=str)
each_kind_and_dropout = pytest.mark.parametrize(
    "kind", PLAIN + DROPPING, ids=str
)


class Case(NamedTuple):
    """A model of some kind and a batch for it."""

    model: Transformer
    source: Tensor  # (B, S), <pad> on the right
    target: Tensor  # (B, T), <bos> first, <pad> on the right

    def scores(self, source=None, target=None):
        """Give the model's logits; dropout, if any, from one seed."""
        torch.manual_seed(0)
        return self.model(
            self.source if source is None else source,
            self.target if target is None else target,
        )


def build(kind, seed, n_heads, width, d_k, learned):
    torch.manual_seed(seed)
    config = TransformerConfig(
        V,
        d_model=n_heads * width,
        n_heads=n_heads,
        d_ff=17,
        n_layers=2,
        dropout=kind.dropout,
        norm_first=kind.norm_first,
        tie_embeddings=kind.tied,
        max_length=16,
        d_k=d_k,
        learned_positions=learned,
    )
    model = Transformer(config).double().train(kind.train)
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.3)
    return model


def sentences(n, length, longest):
    """Random ids with <pad> on the right; one sentence has full length."""
    ids = torch.randint(4, V, (n, longest))
    for row in range(1, n):
        ids[row, torch.randint(length, longest + 1, ()) :] = PAD
    return ids


@st.composite
def makers(draw):
    """A function from a kind to a case."""
    seed = draw(seeds)
    n_heads, width = draw(st.integers(2, 3)), draw(st.sampled_from([4, 6]))
    d_k, learned = draw(st.sampled_from([None, 3])), draw(st.booleans())
    n, longest_source, longest_target = (
        draw(st.integers(2, most)) for most in (3, 6, 5)
    )

    def make(kind):
        model = build(kind, seed, n_heads, width, d_k, learned)
        target = sentences(n, 2, longest_target)
        target[:, 0] = BOS
        return Case(model, sentences(n, 1, longest_source), target)

    return make


def close(one, other):
    torch.testing.assert_close(one, other, rtol=0, atol=1e-9)


# ---------------------------------------------------------------- the future


@each_kind_and_dropout
@anything
@given(makers(), st.data())
def test_the_future_cannot_leak(kind, make, data):
    """Neither by its values nor by its gradients."""
    case = make(kind)
    length = case.target.shape[1]
    now = data.draw(st.integers(1, length - 1))
    changed = case.target.clone()
    changed[:, now:] = 4 + (changed[:, now:] + 7) % (V - 4)
    read = []
    hook = case.model.target_embedding.register_forward_hook(
        lambda module, inputs, output: read.append(output)
    )
    before = case.scores()
    gradient = torch.autograd.grad(before[:, :now].sum(), read[-1])[0]
    hook.remove()
    after = case.scores(target=changed)
    close(before[:, :now], after[:, :now])
    assert (before[:, now:] - after[:, now:]).abs().min(-1).values.max() > 0
    assert (gradient[:, now:] == 0).all()
    assert (gradient[:, now - 1] != 0).any()


@each_kind
@anything
@given(makers(), st.data())
def test_each_earlier_word_is_heard(kind, make, data):
    case = make(kind)
    place = data.draw(st.integers(0, case.target.shape[1] - 1))
    word = data.draw(st.integers(0, case.source.shape[1] - 1))
    target, source = case.target.clone(), case.source.clone()
    target[0, place] = 4 + (target[0, place] - 3) % (V - 4)
    source[0, word] = 4 + (source[0, word] - 3) % (V - 4)
    before = case.scores()[0]
    spoken = (case.scores(target=target)[0] - before).abs().amax(-1)
    heard = (case.scores(source=source)[0] - before).abs().amax(-1)
    assert (spoken[place:] > 0).all()
    assert (heard > 0).all()


# -------------------------------------------------- padding and companions


def loss_and_gradients(case, source, target):
    """The summed loss of predicting each next token, and its gradients."""
    end = torch.full((len(target), 1), PAD)
    wanted = torch.cat([target[:, 1:], end], dim=1)
    last = (target != PAD).sum(1, keepdim=True) - 1
    wanted.scatter_(1, last, EOS)
    total, count = token_loss(case.scores(source, target), wanted, 0.1)
    weights = tuple(case.model.parameters())
    return total, count, torch.autograd.grad(total, weights)


def same_gradients(one, other):
    for a, b in zip(one, other, strict=True):
        close(a, b)


def longer(ids, n):
    return torch.nn.functional.pad(ids, (0, n), value=PAD)


@each_kind
@anything
@given(makers(), st.integers(0, 3), st.integers(0, 3))
def test_padding_changes_nothing(kind, make, more_source, more_target):
    """Not the scores, not the loss, and not one gradient."""
    case = make(kind)
    source = longer(case.source, more_source)
    target = longer(case.target, more_target)
    length = case.target.shape[1]
    close(case.scores(source, target)[:, :length], case.scores())
    total, count, gradients = loss_and_gradients(case, source, target)
    one, n, plain = loss_and_gradients(case, case.source, case.target)
    close(total, one)
    assert count == n == (case.target != PAD).sum()
    same_gradients(gradients, plain)


@each_kind_and_dropout
@anything
@given(makers(), seeds)
def test_what_stands_behind_the_padding_mask_changes_nothing(kind, make, seed):
    case = make(kind)
    hidden = case.source == PAD
    hidden[0, 1:] = True
    chance = torch.Generator().manual_seed(seed)
    other = torch.randint(4, V, case.source.shape, generator=chance)
    changed = torch.where(hidden, other, case.source)
    seen = ~hidden.unsqueeze(1)
    torch.manual_seed(0)
    before = case.model.encode(case.source, seen)
    torch.manual_seed(0)
    after = case.model.encode(changed, seen)
    close(before[~hidden], after[~hidden])


@each_kind
@anything
@given(makers())
def test_companions_change_nothing(kind, make):
    """Alone, together or in another order: scores, loss and gradients."""
    case = make(kind)
    order = torch.arange(len(case.source)).flip(0)
    together = case.scores()
    close(case.scores(case.source[order], case.target[order]), together[order])
    totals, sums = 0, [0] * len(list(case.model.parameters()))
    for row in range(len(case.source)):
        source = case.source[row : row + 1, : (case.source[row] != PAD).sum()]
        target = case.target[row : row + 1, : (case.target[row] != PAD).sum()]
        close(case.scores(source, target)[0], together[row, : target.shape[1]])
        total, _, found = loss_and_gradients(case, source, target)
        totals = totals + total
        sums = [a + b for a, b in zip(sums, found, strict=True)]
    whole, _, gradients = loss_and_gradients(case, case.source, case.target)
    close(whole, totals)
    same_gradients(gradients, sums)


# ------------------------------------------------------------------ the order


def without_positions(case):
    with torch.no_grad():
        case.model.positions.pe.zero_()
    return case


@each_kind
@anything
@given(makers(), seeds)
def test_without_positions_the_encoder_knows_no_order(kind, make, seed):
    """Words and padding may stand anywhere; each keeps its own result."""
    case = without_positions(make(kind))
    chance = torch.Generator().manual_seed(seed)
    order = torch.randperm(case.source.shape[1], generator=chance)
    moved = case.source[:, order]
    before = case.model.encode(case.source, padding_mask(case.source))
    after = case.model.encode(moved, padding_mask(moved))
    close(after, before[:, order])
    close(case.scores(source=moved), case.scores())


@each_kind
@anything
@given(makers())
def test_with_positions_the_order_matters(kind, make):
    case = make(kind)
    source, target = case.source.clone(), case.target.clone()
    source[0, :2] = target[0, :2] = torch.tensor([4, 5])
    turned = source.clone()
    turned[0, :2] = torch.tensor([5, 4])
    before = case.scores(source, target)[0]
    assert (case.scores(turned, target)[0] - before).abs().max() > 1e-9
    same = torch.full_like(source[:1], 6)
    read = case.model.encode(same, padding_mask(same))[0]
    assert (read[0] - read[1]).abs().max() > 1e-9


# ----------------------------------------------------------------- the state


def tensors_of(state: DecoderState) -> list[Tensor]:
    pairs = [*state.past, *state.memory]
    return [*(t for kv in pairs for t in kv), state.memory_mask]


@st.composite
def cuttings(draw, length):
    """A way to cut a length into pieces, such as [1, 3, 1]; two at least."""
    pieces = [draw(st.integers(1, length - 1))]
    while sum(pieces) < length:
        pieces.append(draw(st.integers(1, length - sum(pieces))))
    return pieces


@each_kind
@anything
@given(makers(), st.data())
def test_piece_by_piece_equals_all_at_once(kind, make, data):
    case = make(kind)
    length = case.target.shape[1]
    state, parts = case.model.start(case.source), []
    for n in data.draw(cuttings(length)):
        start = state.length
        tokens = case.target[:, start : start + n]
        logits, state = case.model.decode(tokens, state)
        assert state.length == start + n
        parts.append(logits)
    close(torch.cat(parts, dim=1), case.scores())


@each_kind
@anything
@given(makers(), st.data())
def test_a_state_is_never_changed(kind, make, data):
    """By extending it, by selecting from it, by what is done to those."""
    case = make(kind)
    n = data.draw(st.integers(0, case.target.shape[1] - 1))
    state = case.model.start(case.source)
    if n:
        _, state = case.model.decode(case.target[:, :n], state)
    before = [t.clone() for t in tensors_of(state)]
    one, later = case.model.decode(case.target[:, n : n + 1], state)
    chosen = later.select(torch.tensor([1, 0, 1]))
    case.model.decode(torch.full((3, 2), 7), chosen)
    state.select(torch.tensor([1]))
    again, _ = case.model.decode(case.target[:, n : n + 1], state)
    assert torch.equal(one, again)
    assert (state.length, later.length, chosen.length) == (n, n + 1, n + 1)
    for old, now in zip(before, tensors_of(state), strict=True):
        assert torch.equal(old, now)


@each_kind
@anything
@given(makers(), st.data())
def test_selecting_rows_is_selecting_sentences(kind, make, data):
    """Dropped, repeated or reordered, before, between and after pieces."""
    case = make(kind)
    some_rows = st.lists(
        st.integers(0, len(case.source) - 1), min_size=1, max_size=5
    )
    rows = torch.tensor(data.draw(some_rows))
    n = data.draw(st.integers(0, case.target.shape[1] - 1))
    state, chosen = (
        case.model.start(source) for source in (case.source, case.source[rows])
    )
    if n:
        _, state = case.model.decode(case.target[:, :n], state)
        _, chosen = case.model.decode(case.target[rows, :n], chosen)
    for one, other in zip(
        tensors_of(state.select(rows)), tensors_of(chosen), strict=True
    ):
        close(one, other)
    after, _ = case.model.decode(case.target[rows, n:], state.select(rows))
    close(after, case.scores()[rows, n:])
    again = torch.tensor(data.draw(st.permutations(range(len(rows)))))
    for one, other in zip(
        tensors_of(state.select(rows).select(again)),
        tensors_of(state.select(rows[again])),
        strict=True,
    ):
        assert torch.equal(one, other)


# -------------------------------------------------------- the tied matrix


@pytest.mark.parametrize("train", TWO, ids=["eval", "train"])
@pytest.mark.parametrize("norm_first", TWO, ids=["post", "pre"])
@anything
@given(makers())
def test_the_tied_matrix_gets_the_sum_of_three_gradients(
    norm_first, train, make
):
    """Untied copies of it get one each, and say the same."""
    tied = make(Kind(train, norm_first, True))
    loose = make(Kind(train, norm_first, False))
    weights = tied.model.state_dict()
    table = weights["source_embedding.weight"]
    places = ["source_embedding", "target_embedding", "output_embedding"]
    copies = {f"{place}.weight": table for place in places}
    loose.model.load_state_dict({**weights, **copies})
    close(tied.scores(), loose.scores(tied.source, tied.target))

    tied.scores().square().sum().backward()
    loose.scores(tied.source, tied.target).square().sum().backward()
    three = [loose.model.get_submodule(p).weight.grad for p in places]
    assert all(g.abs().max() > 0 for g in three)
    expected = sum(three)
    found = tied.model.output_embedding.weight.grad
    close(found / expected.abs().max(), expected / expected.abs().max())


@pytest.mark.parametrize("norm_first", TWO, ids=["post", "pre"])
@anything
@given(makers())
def test_an_update_moves_the_tied_matrix_in_all_three_places(norm_first, make):
    case = make(Kind(True, norm_first, True))
    model = case.model
    parameters = list(model.parameters())
    assert sum(p.shape[0] == V for p in parameters) == 1
    places = (
        model.source_embedding,
        model.target_embedding,
        model.output_embedding,
    )
    before = model.output_embedding.weight.detach().clone()
    optimizer = torch.optim.SGD(parameters, lr=0.1)
    case.scores().square().mean().backward()
    gradient = model.output_embedding.weight.grad.clone()
    optimizer.step()
    for place in places:
        close(place.weight.detach(), before - 0.1 * gradient)
    again = Transformer(model.config).double()
    again.load_state_dict(model.state_dict())
    again.train()
    close(Case(again, *case[1:]).scores(), case.scores())


# ----------------------------------------------------------------- looking


def attentions(model):
    return {
        name: module
        for name, module in model.named_modules()
        if isinstance(module, MultiHeadAttention)
    }


def hooks_of(model):
    return [
        len(hooks)
        for module in model.modules()
        for hooks in (
            module._forward_hooks,
            module._forward_pre_hooks,
            module._backward_hooks,
        )
    ]


def calls_of(model):
    """Keep (x, read, mask), output of each attention's latest pass."""
    kept, handles = {}, []
    for name, module in attentions(model).items():

        def keep(module, args, output, name=name):
            kept[name] = args, output

        handles.append(module.register_forward_hook(keep))
    return kept, handles


@each_kind_and_dropout
@anything
@given(makers())
def test_recording_shows_the_weights_that_were_used(kind, make):
    case = make(kind)
    quiet = case.scores()
    kept, handles = calls_of(case.model)
    with record_attention(case.model) as maps:
        assert torch.equal(case.scores(), quiet)
    for handle in handles:
        handle.remove()
    assert maps.keys() == attentions(case.model).keys() == kept.keys()
    for name, module in attentions(case.model).items():
        (x, read, *mask), output = kept[name]
        weights = maps[name]
        assert not weights.requires_grad
        assert weights.shape == (
            *read.keys.shape[:2],
            x.shape[1],
            read[0].shape[2],
        )
        heads = (weights @ read.values).transpose(1, 2).flatten(2)
        close(module.out_proj(heads), output)
        close(weights.sum(-1), torch.ones(weights.shape[:3]).double())
        seen = mask[0].unsqueeze(-3).expand(weights.shape)
        assert (weights[~seen] == 0).all()


@each_kind_and_dropout
def test_recording_leaves_nothing_behind(kind):
    """Whether the body ends well or not, also one inside another."""
    case = small(kind)
    before, quiet = hooks_of(case.model), case.scores()
    weights = {n: t.clone() for n, t in case.model.state_dict().items()}
    with record_attention(case.model) as outer:
        case.scores()
        first = dict(outer)
        with (
            pytest.raises(RuntimeError, match="the body"),
            record_attention(case.model) as inner,
        ):
            case.scores(target=case.target[:, :1])
            raise RuntimeError("the body")
        inside = dict(inner)
        for name, later in inside.items():
            assert torch.equal(outer[name], later)
        case.scores()
    assert hooks_of(case.model) == before
    assert case.model.training == kind.train
    case.scores(target=case.target[:, :1])
    for name, one in first.items():
        assert torch.equal(outer[name], one)
        assert inner[name] is inside[name]
    name = "decoder.layers.0.self_attention"
    assert first[name].shape != inside[name].shape
    assert torch.equal(case.scores(), quiet)
    for name, tensor in case.model.state_dict().items():
        assert torch.equal(tensor, weights[name])


def small(kind):
    """One fixed case."""
    torch.manual_seed(3)
    model = build(kind, 5, 3, 4, None, False)
    target = sentences(2, 2, 4)
    target[:, 0] = BOS
    return Case(model, sentences(2, 3, 5), target)


# ---------------------------------------------------------------- dropout


@pytest.mark.parametrize("norm_first", TWO, ids=["post", "pre"])
@anything
@given(makers())
def test_dropout_works_in_training_only(norm_first, make):
    dropping = make(Kind(True, norm_first, True, 0.4))
    without = make(Kind(True, norm_first, True, 0.0))
    model, batch = dropping.model, dropping[1:]
    one, two = model(*batch), model(*batch)
    assert not torch.allclose(one, two)
    assert torch.equal(dropping.scores(), dropping.scores())
    assert not torch.allclose(dropping.scores(), without.model(*batch))
    model.eval()
    assert torch.equal(model(*batch), model(*batch))
    assert torch.equal(model(*batch), without.model(*batch))
