"""The parts of the reader's own Transformer against torch's, and the library's.

Each reference gives the same values as torch with the same weights, and the
same gradients.
"""

import pytest
import torch

from transformer_course.checks.parts import drill, part
from transformer_lib.decoding import greedy
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.schedule import noam_lr


def copy_attention(ours, theirs):
    """Give a MultiHeadAttention the weights of torch's, one matrix in three."""
    maps = (ours.q_proj, ours.k_proj, ours.v_proj)
    with torch.no_grad():
        weights, biases = theirs.in_proj_weight, theirs.in_proj_bias
        for linear, w, b in zip(
            maps, weights.chunk(3), biases.chunk(3), strict=True
        ):
            linear.weight.copy_(w)
            linear.bias.copy_(b)
    ours.out_proj.load_state_dict(theirs.out_proj.state_dict())


def copy_layer(ours, theirs):
    """Give an encoder's or a decoder's layer the weights of torch's."""
    copy_attention(ours.self_attention, theirs.self_attn)
    if hasattr(theirs, "multihead_attn"):
        copy_attention(ours.cross_attention, theirs.multihead_attn)
    for name in ("linear1", "linear2"):
        state = getattr(theirs, name).state_dict()
        getattr(ours.feed_forward, name).load_state_dict(state)
    for name in ("norm1", "norm2", "norm3"):
        if hasattr(theirs, name):
            with torch.no_grad():  # ones and zeros would tell too little
                getattr(theirs, name).weight.uniform_(0.5, 1.5)
                getattr(theirs, name).bias.uniform_(-1, 1)
            state = getattr(theirs, name).state_dict()
            getattr(ours, name).load_state_dict(state)


def assert_same_with_gradients(got, want, inputs):
    """Two results of the same inputs, and their gradients, agree."""
    share = 1e-5 if got.dtype == torch.float32 else 1e-10  # of the largest
    pairs = (
        (f, *torch.autograd.grad((f**3).sum(), inputs)) for f in (got, want)
    )
    for mine, its in zip(*pairs, strict=True):
        bound = share * its.abs().max().item()
        torch.testing.assert_close(mine, its, rtol=0.0, atol=bound)


@pytest.mark.parametrize("mask", ["none", "padding", "causal", "nothing"])
def test_scaled_dot_product_attention_is_torchs(mask):
    ours = part("scaled_dot_product_attention").scaled_dot_product_attention
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, 3, 5, d).double() for d in (4, 4, 6))
    masks = {
        "none": None,
        "padding": torch.arange(5) < torch.tensor([5, 2]).view(2, 1, 1, 1),
        "causal": torch.ones(5, 5, dtype=torch.bool).tril(),
        "nothing": torch.arange(5) < torch.tensor([3, 0]).view(2, 1, 1, 1),
    }
    inputs = [x.requires_grad_() for x in (q, k, v)]
    theirs = torch.nn.functional.scaled_dot_product_attention
    got, want = (f(*inputs, masks[mask]) for f in (ours, theirs))
    assert_same_with_gradients(got, want, inputs)
    assert mask != "nothing" or not got[1].any()


def test_padding_mask_hides_what_torch_hides():
    mask_of = part("padding_mask").padding_mask
    torch.manual_seed(0)
    theirs = torch.nn.MultiheadAttention(8, 2, batch_first=True).double()
    ids = torch.tensor([[5, 3, 7, 0, 0], [4, 2, 6, 9, 0], [0, 8, 0, 5, 2]])
    query, key = (torch.randn(3, n, 8).double() for n in (2, 5))
    seen = mask_of(ids).expand(3, 2, 5).repeat_interleave(2, dim=0)
    got, shares = theirs(query, key, key, attn_mask=~seen)
    want, _ = theirs(query, key, key, key_padding_mask=ids == 0)
    torch.testing.assert_close(got, want, rtol=1e-10, atol=1e-10)
    assert mask_of(ids).dtype == torch.bool and mask_of(ids).shape == (3, 1, 5)
    assert torch.equal(shares > 0, mask_of(ids).expand(3, 2, 5))


@pytest.mark.parametrize("n", [1, 2, 7])
def test_causal_mask_is_torchs(n):
    mask = part("causal_mask").causal_mask(n)
    torchs = torch.nn.Transformer.generate_square_subsequent_mask(n)
    assert mask.dtype == torch.bool and torch.equal(mask, torchs == 0)
    ours = part("scaled_dot_product_attention").scaled_dot_product_attention
    q, k, v = torch.randn(3, 2, n, 4).double()
    want = torch.nn.functional.scaled_dot_product_attention(
        q, k, v, is_causal=True
    )
    torch.testing.assert_close(ours(q, k, v, mask), want, rtol=1e-10, atol=0)


def test_layer_norm_is_torchs():
    torch.manual_seed(0)
    ours = part("LayerNorm").LayerNorm(6, eps=0.01).double()
    theirs = torch.nn.LayerNorm(6, eps=0.01).double()
    with torch.no_grad():
        for weight in theirs.parameters():
            weight.normal_()
    ours.load_state_dict(theirs.state_dict())
    x = torch.randn(2, 3, 6).double().requires_grad_()
    results = []
    for module in (ours, theirs):
        y = module(x)
        wanted = [x, *module.parameters()]
        results.append([y, *torch.autograd.grad((y**3).sum(), wanted)])
    for mine, its in zip(*results, strict=True):
        torch.testing.assert_close(mine, its, rtol=1e-10, atol=1e-10)


def test_multi_head_attention_is_torchs():
    torch.manual_seed(0)
    theirs = torch.nn.MultiheadAttention(8, 2, batch_first=True).double()
    ours = part("MultiHeadAttention").MultiHeadAttention(8, 2).double()
    copy_attention(ours, theirs)
    x, y = torch.randn(2, 3, 5, 8).double().requires_grad_()
    hidden = torch.arange(5) >= torch.tensor([[5], [3], [1]])  # padding
    got = ours(x, y, y, ~hidden[:, None])
    want = theirs(x, y, y, key_padding_mask=hidden, need_weights=False)[0]
    assert_same_with_gradients(got, want, [x, y])


def test_positional_encoding_is_a_rotation():
    make = part("PositionalEncoding").PositionalEncoding
    pe = make(16, 300).pe
    i = torch.arange(8).double()
    speed = torch.exp(-2 * i / 16 * torch.tensor(1e4).double().log())
    hands = torch.polar(torch.ones(8).double(), speed)  # cos + i sin
    turned = torch.stack([hands**n for n in range(300)])
    want = torch.view_as_real(turned).flip(-1).reshape(300, 16)
    torch.testing.assert_close(pe.double(), want, rtol=0, atol=2e-5)
    assert not make(16).state_dict() and make(16).pe.shape == (512, 16)


def test_the_feed_forward_network_is_torchs():
    make = part("FeedForward").FeedForward
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(
        6, 2, 10, batch_first=True, norm_first=True, dtype=torch.float64
    ).eval()
    ours = make(6, 10).double()
    own = layer.state_dict()
    ours.load_state_dict({name: own[name] for name in ours.state_dict()})
    x = torch.randn(2, 3, 6).double().requires_grad_()
    assert_same_with_gradients(ours(x), layer._ff_block(x), [x])


def test_token_embedding_is_torchs_embedding_and_a_linear_layer():
    torch.manual_seed(0)
    ours = part("TokenEmbedding").TokenEmbedding(7, 4).double()
    table = torch.nn.Embedding(7, 4).double()
    out = torch.nn.Linear(4, 7, bias=False).double()
    out.weight = table.weight
    ours.load_state_dict(table.state_dict())
    ids = torch.tensor([[1, 0, 6], [2, 2, 5]])
    results = []
    for read, write, weight in (
        (ours, ours.logits, ours.weight),
        (lambda i: 2 * table(i), out, table.weight),  # 2 is the root of 4
    ):
        scores = write(read(ids))
        (gradient,) = torch.autograd.grad((scores**3).sum(), weight)
        results.append([read(ids), scores, gradient])
    for mine, its in zip(*results, strict=True):
        torch.testing.assert_close(mine, its, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("norm_first", [False, True])
def test_encoder_layer_is_torchs(norm_first):
    torch.manual_seed(0)
    theirs = torch.nn.TransformerEncoderLayer(
        8, 2, 12, 0.0, batch_first=True, norm_first=norm_first
    ).double()
    ours = part("EncoderLayer").EncoderLayer(8, 2, 12, 0.0, norm_first)
    copy_layer(ours.double(), theirs)
    x = torch.randn(3, 5, 8).double().requires_grad_()
    hidden = torch.arange(5) >= torch.tensor([[5], [3], [1]])
    got = ours(x, ~hidden[:, None])
    want = theirs(x, src_key_padding_mask=hidden)
    assert_same_with_gradients(got, want, [x])


@pytest.mark.parametrize("norm_first", [False, True])
def test_decoder_layer_is_torchs(norm_first):
    torch.manual_seed(0)
    theirs = torch.nn.TransformerDecoderLayer(
        8, 2, 12, 0.0, batch_first=True, norm_first=norm_first
    ).double()
    ours = part("DecoderLayer").DecoderLayer(8, 2, 12, 0.0, norm_first)
    copy_layer(ours.double(), theirs)
    x, memory = torch.randn(3, 4, 8).double(), torch.randn(3, 5, 8).double()
    inputs = [x.requires_grad_(), memory.requires_grad_()]
    hidden = torch.arange(5) >= torch.tensor([[5], [3], [1]])
    past = torch.ones(4, 4).tril() > 0
    got = ours(x, memory, past, ~hidden[:, None])
    want = theirs(x, memory, ~past, memory_key_padding_mask=hidden)
    assert_same_with_gradients(got, want, inputs)


def transformer(norm_first, dtype=torch.float64):
    """A Transformer in eval(), and torch's with its weights."""
    torch.manual_seed(0)
    make = part("Transformer").Transformer
    ours = make(11, 8, 2, 12, 2, 0.0, norm_first).to(dtype).eval()
    theirs = torch.nn.Transformer(
        8, 2, 2, 2, 12, 0.0, batch_first=True, norm_first=norm_first
    ).to(dtype)
    for name in ("encoder", "decoder"):
        stack = getattr(theirs, name)
        pairs = zip(getattr(ours, name), stack.layers, strict=True)
        for mine, its in pairs:
            copy_layer(mine, its)
        if norm_first:
            state = stack.norm.state_dict()
            getattr(ours, f"{name}_norm").load_state_dict(state)
        else:
            stack.norm = None
    return ours, theirs


SOURCE = torch.tensor([[3, 4, 5, 6, 2], [7, 8, 2, 0, 0], [9, 2, 0, 0, 0]])
TARGET = torch.tensor([[1, 5, 6, 7], [1, 3, 3, 4], [1, 10, 9, 8]])


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("norm_first", [False, True])
def test_transformer_is_torchs(norm_first, dtype):
    ours, theirs = transformer(norm_first, dtype)
    table, hidden = ours.embedding.weight, SOURCE == 0
    x, y = (ours.positions(table[ids] * 8**0.5) for ids in (SOURCE, TARGET))
    future = torch.ones(4, 4).triu(1) > 0
    want = theirs(
        x, y, tgt_mask=future, src_key_padding_mask=hidden,
        memory_key_padding_mask=hidden,
    )  # fmt: skip
    assert_same_with_gradients(ours(SOURCE, TARGET), want @ table.T, [table])


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("norm_first", [False, True])
@torch.no_grad()
def test_transformer_hides_the_future_the_padding_and_the_neighbors(norm_first):
    model, _ = transformer(norm_first)
    logits = model(SOURCE, TARGET)
    assert logits.shape == (3, 4, 11)
    for n in range(1, 4):  # one token at a time
        said = model(SOURCE, TARGET[:, :n])
        torch.testing.assert_close(said, logits[:, :n])
    later = torch.cat([TARGET[:, :2], TARGET[:, 2:] % 9 + 1], dim=1)
    changed = model(SOURCE, later)
    torch.testing.assert_close(changed[:, :2], logits[:, :2])
    assert not torch.allclose(changed[:, 2:], logits[:, 2:])
    for i, length in enumerate((5, 3, 2)):  # alone, without its padding
        alone = model(SOURCE[i : i + 1, :length], TARGET[i : i + 1])
        torch.testing.assert_close(alone[0], logits[i])


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.7])
def test_label_smoothing_loss_is_torchs(epsilon):
    ours = part("label_smoothing_loss").label_smoothing_loss
    torch.manual_seed(0)
    logits = torch.randn(3, 5, 7).double().requires_grad_()
    labels = torch.randint(1, 7, (3, 5))
    labels[1:, 2:] = 0
    got, count = ours(logits, labels, epsilon)
    want = torch.nn.functional.cross_entropy(
        logits.flatten(0, 1), labels.flatten(),
        ignore_index=0, reduction="sum", label_smoothing=epsilon,
    )  # fmt: skip
    assert count == (labels > 0).sum() == 9
    assert_same_with_gradients(got, want, [logits])


@pytest.mark.parametrize(("d_model", "warmup"), [(4, 1), (64, 10), (512, 90)])
def test_learning_rate_is_the_librarys(d_model, warmup):
    ours = part("learning_rate").learning_rate
    for step in range(1, 400):
        want = noam_lr(step, d_model, warmup)
        assert ours(step, d_model, warmup) == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("kind", ["SGD", "Adam"])
def test_train_step_is_torchs_update(kind):
    make = {
        "SGD": lambda groups: torch.optim.SGD(groups, lr=9.0),
        "Adam": lambda groups: torch.optim.Adam(
            groups, lr=9.0, betas=(0.9, 0.98), eps=1e-9
        ),
    }[kind]
    ours = part("train_step").train_step
    batches = [(1, 3, 4, 2), (2, 2, 5, 1), (3, 4, 3, 3)]
    batches = [
        drill.Batch(*map(torch.from_numpy, drill.sentences(*sizes)))
        for sizes in batches
    ]
    mine, its, tiny = (drill.Pupil(size=3.0) for _ in range(3))
    groups = [[mine.table], [mine.out, mine.bias]]
    optimizer = drill.Optimizer(groups, 9.0, kind == "Adam")
    theirs = make([{"params": [p]} for p in its.parameters()])
    known = make(tiny.parameters())
    for lr, batch in zip((0.5, 0.25, 0.125), batches, strict=True):
        mine.eval()
        logits = its(batch.source, batch.target_in)
        want = torch.nn.functional.cross_entropy(
            logits.transpose(1, 2), batch.target_out,
            ignore_index=0, label_smoothing=0.1,
        )  # fmt: skip
        gradient = torch.autograd.grad(want, list(its.parameters()))
        length = torch.cat([g.flatten() for g in gradient]).norm()
        for p, g in zip(its.parameters(), gradient, strict=True):
            p.grad = g / max(1.0, float(length) + 1e-6)
        for group in theirs.param_groups:
            group["lr"] = lr
        theirs.step()
        assert length > 1
        for model, by in (mine, optimizer), (tiny, known):
            got = ours(model, batch, by, lr)
            assert got == pytest.approx(want.item(), rel=1e-10)
            for a, b in zip(model.parameters(), its.parameters(), strict=True):
                torch.testing.assert_close(a, b, rtol=1e-10, atol=1e-10)


class _InParts(torch.nn.Module):
    """The library's Transformer, called as the reader's own is."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def encode(self, source, mask):
        self.source = source
        return self.model.encode(source, mask)

    def decode(self, target, memory, memory_mask):
        assert memory.shape[:2] == self.source.shape
        assert (memory_mask[:, 0] == (self.source != 0)).all()
        logits = self.model(self.source, target)
        logits[..., [0, 1]] = -torch.inf  # the library never writes them
        return logits


def test_greedy_decode_is_the_librarys():
    ours = part("greedy_decode").greedy_decode
    config = TransformerConfig(
        vocab_size=6, d_model=8, n_heads=2, d_ff=16, n_layers=1, dropout=0.5,
        norm_first=True,
    )  # fmt: skip
    lengths, ways = set(), set()
    for seed in range(20):
        torch.manual_seed(seed)
        model = Transformer(config).train()
        for p in model.parameters():
            torch.nn.init.normal_(p)
        source = torch.randint(3, 6, (4, 5))
        source[1:, 3:] = 0
        got = ours(_InParts(model), source, 7)
        assert model.training and not got.requires_grad
        want = greedy(model.eval(), source, 7)
        for row, known in zip(got.tolist(), want, strict=True):
            end = [2] * known.finished
            written = [*known.tokens, *end]
            assert row == written + [0] * (got.shape[1] - len(written))
            lengths.add(len(written))
            ways.add(known.finished)
        longest = max(len(w.tokens) + w.finished for w in want)
        assert got.shape == (4, longest)
    assert len(lengths) > 3 and ways == {True, False}
