"""The parts of the reader's own Transformer: right ones, wrong ones, torch's.

tests/part_answers has answers in other styles than the references, one file
a part; a name is that of the mistake that the check must recognize.
"""

import importlib.util
import inspect
import pathlib

import pytest
import torch

from transformer_lib.course import checks
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.parts import part

FOLDER = pathlib.Path(__file__).parent / "part_answers"
GENERAL = {
    "calls_itself_forever",
    "changes_its_input",
    "no_forward",
    "no_return",
    "not_a_class",
    "not_a_module",
    "printed_not_returned",
    "signature",
}


def answers(name):
    """The answers of one file, by their names."""
    spec = importlib.util.spec_from_file_location(
        f"part_answers_{name}", FOLDER / f"{name}.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {
        key: value
        for key, value in vars(module).items()
        if inspect.isroutine(value) or inspect.isclass(value)
        if value.__module__ == module.__name__ and not key.startswith("_")
    }


EXERCISES = {
    path.stem: part(path.stem).EXERCISE
    for path in sorted(FOLDER.glob("[!_]*.py"))
}
ANSWERS = {name: answers(name) for name in EXERCISES}
ALL = [(name, key) for name in ANSWERS for key in ANSWERS[name]]
EDITS = [
    (name, mistake.id, number)
    for name, exercise in EXERCISES.items()
    for mistake in exercise.mistakes
    for number, _ in enumerate(mistake.edits)
]


@pytest.mark.parametrize(("name", "key"), ALL)
def test_answers_are_accepted_or_named(name, key):
    verdict = judge(EXERCISES[name], ANSWERS[name][key])
    if key.startswith("right__"):
        assert verdict.ok, repr(verdict)
        return
    assert verdict.status == "wrong"
    assert verdict.mistake == key.split("__")[0], repr(verdict)
    assert "{" not in verdict.message
    assert "another number" not in verdict.message


@pytest.mark.parametrize(("name", "mistake", "number"), EDITS)
def test_every_edit_is_told_from_every_other(name, mistake, number):
    exercise = EXERCISES[name]
    (known,) = (m for m in exercise.mistakes if m.id == mistake)
    verdict = judge(exercise, exercise.variant(known.edits[number]))
    assert verdict.mistake == mistake, repr(verdict)
    assert "{" not in verdict.message
    assert "another number" not in verdict.message


@pytest.mark.parametrize("name", EXERCISES)
def test_every_mistake_is_tried(name):
    exercise, own = EXERCISES[name], ANSWERS[name]
    named = {key.split("__")[0] for key in own} - {"right"}
    known = [mistake.id for mistake in exercise.mistakes]
    assert len(known) == len(set(known)) >= 10
    assert {m.id for m in exercise.mistakes if not m.edits} <= named
    assert named <= {*known, *GENERAL}
    assert sum(key.startswith("right__") for key in own) >= 5


@pytest.mark.parametrize("name", EXERCISES)
def test_a_part_is_found_by_its_name(name):
    right = EXERCISES[name].solve.thing
    assert right.__name__ == name
    assert checks.build(right).ok
    for stub in (None, ...):
        assert judge(EXERCISES[name], stub).status == "not attempted"


@pytest.mark.parametrize("name", EXERCISES)
def test_a_class_without_a_body_is_not_attempted(name):
    right = EXERCISES[name].solve.thing
    if not inspect.isclass(right):
        return
    stub = type(name, (torch.nn.Module,), {})

    def __init__(self, *sizes, **more):
        torch.nn.Module.__init__(self)

    def forward(self, *inputs, **more): ...

    stub.__init__, stub.forward = __init__, forward
    assert judge(EXERCISES[name], stub).status == "not attempted"


def test_what_is_no_part_is_said_so():
    def my_attention(query, key, value):
        return value

    verdict = checks.build(my_attention)
    assert verdict.mistake == "no_part" and "my_attention" in verdict.message
    assert checks.build(3).mistake == checks.build(None).mistake == "no_part"


# ------------------------------------------- the references against torch's


def test_multi_head_attention_is_torchs():
    make = part("MultiHeadAttention").MultiHeadAttention
    torch.manual_seed(0)
    theirs = torch.nn.MultiheadAttention(8, 2, batch_first=True).double()
    ours = make(8, 2).double()
    maps = (ours.q_proj, ours.k_proj, ours.v_proj)
    with torch.no_grad():
        for i, linear in enumerate(maps):
            linear.weight.copy_(theirs.in_proj_weight[8 * i : 8 * i + 8])
            linear.bias.copy_(theirs.in_proj_bias[8 * i : 8 * i + 8])
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())
    x, y = torch.randn(2, 3, 5, 8).double().requires_grad_()
    hidden = torch.arange(5) >= torch.tensor([[5], [3], [1]])  # padding
    got = ours(x, y, y, ~hidden[:, None])
    want = theirs(x, y, y, key_padding_mask=hidden, need_weights=False)[0]
    torch.testing.assert_close(got, want, rtol=1e-10, atol=1e-10)
    pairs = (torch.autograd.grad((f**3).sum(), [x, y]) for f in (got, want))
    for mine, its in zip(*pairs, strict=True):
        torch.testing.assert_close(mine, its, rtol=1e-10, atol=1e-10)


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
    torch.testing.assert_close(got, want, rtol=1e-10, atol=1e-10)
    pairs = (torch.autograd.grad((f**3).sum(), inputs) for f in (got, want))
    for mine, its in zip(*pairs, strict=True):
        torch.testing.assert_close(mine, its, rtol=1e-10, atol=1e-10)
    assert mask != "nothing" or not got[1].any()


def test_a_mask_is_asked_for_from_its_chapter_on():
    def scaled_dot_product_attention(query, key, value):
        scores = query @ key.mT / query.shape[-1] ** 0.5
        return scores.softmax(-1) @ value

    verdict = checks.build(scaled_dot_product_attention)
    assert verdict.ok and "asked for in chapter 8" in verdict.message
    assert not checks.build(scaled_dot_product_attention, chapter=8).ok


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


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda y, x, k: y + 0.01 * x.sum(0).sum(), "look at each other"),
        (lambda y, x, k: y + 0.01 * k[:, :1], "when the keys change places"),
        (lambda y, x, k: [y, x], "returns several things"),
    ],
)
def test_an_unusual_multi_head_attention_hears_what_breaks(change, says):
    right = part("MultiHeadAttention").MultiHeadAttention

    class MultiHeadAttention(right):
        def forward(self, query, key, value, mask=None):
            y = super().forward(query, key, value, mask)
            return change(y, query, key)

    assert says in checks.build(MultiHeadAttention).message


def test_two_mistakes_of_multi_head_attention_are_both_named():
    right = part("MultiHeadAttention").MultiHeadAttention

    class MultiHeadAttention(right):
        def forward(self, query, key, value, mask=None):
            maps = self.q_proj, self.k_proj, self.v_proj
            inputs = zip(maps, (query, key, value), strict=True)
            q, k, v = (self.split(layer(x)) for layer, x in inputs)
            heads = torch.softmax(q @ k.mT, dim=-1) @ v
            return heads.transpose(1, 2).flatten(2)

    verdict = checks.build(MultiHeadAttention)
    assert verdict.mistake == "no_scale+wo_forgotten"


def test_messages_of_multi_head_attention_are_many_and_tell_no_answer():
    mistakes = EXERCISES["MultiHeadAttention"].mistakes
    assert len(mistakes) > 100  # as chapter 7 says
    for mistake in mistakes:
        text = mistake.message + mistake.hint
        assert "swapaxes" not in text and "transpose(1, 2)" not in text
