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
