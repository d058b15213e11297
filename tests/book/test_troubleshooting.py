"""Each message on the page of troubleshooting comes when it should."""

import inspect
import io
import linecache
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import transformer_lib as lib
from transformer_course import checks, workbook
from transformer_course.cli import main as course
from transformer_course.progress import progress
from transformer_lib.attention import attention_weights
from transformer_lib.cli import main as library

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "book" / "troubleshooting.md").read_text(encoding="utf-8")
SAID = re.findall(r"^\| `(.+?)` \|", PAGE, flags=re.M)
ONES = torch.ones(3, 4)
ASKING = torch.ones(2, requires_grad=True)


def unchecked(function):
    """Return a function as users have it, without the tests' shape checks."""
    return inspect.unwrap(function)


def softmax(x, axis): ...


def takes_one(x):
    return x


def never_ends(x, axis):
    while True:
        pass


def rolls(x, axis):
    e = np.exp(x)
    return np.roll(e / e.sum(axis=axis, keepdims=True), 1, axis=axis)


def stops(x, axis):
    raise KeyError("no")


def twice():
    loss = (ASKING * ASKING).sum()
    loss.backward()
    loss.backward()


COURSE = ("workbook", "grade", "sheet")


def command(*arguments):
    """Run a command of its package and return what it says."""

    def run(folder, capsys, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        (folder / "a").write_text("a b\nc d\n", encoding="utf-8")
        (folder / "b").write_text("x\n", encoding="utf-8")
        given = [str(a).replace("HERE", str(folder)) for a in arguments]
        main = course if given[0] in COURSE else library
        main(given)
        return "".join(capsys.readouterr())

    return run


def elsewhere(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    progress(2)


def without_packages():
    run = [sys.executable, "-I", "-S", "-c", "import transformer_lib"]
    return subprocess.run(run, capture_output=True, text=True).stderr


def saved(cell, file=""):
    """Save the mask of a cell beside what the file has; what is said."""

    def run(folder, capsys, monkeypatch):
        path = folder / "my_transformer.py"
        monkeypatch.setenv("TRANSFORMER_WORKBOOK", str(path))
        if file:
            path.write_text(file, encoding="utf-8")
        if not cell:
            return workbook.take("causal_mask")
        scope, name = {"torch": torch}, f"<{folder.name}>"
        linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
        exec(compile(cell, name, "exec"), scope)
        assert checks.build(scope["causal_mask"]).ok
        workbook.save(scope["causal_mask"])
        return capsys.readouterr().out

    return run


FILES = ("train", "--source", "HERE/a", "--target", "HERE/b")
PROVOKED = {
    "No module named 'transformer_lib'": without_packages,
    "name 'np' is not defined": lambda: exec("np.ones(3)", {}),
    "no chapter 2: there is no file": elsewhere,
    "Not attempted yet": lambda: checks.softmax(softmax),
    "This check wants the function itself, not a result": (
        lambda: checks.softmax(np.ones(3))
    ),
    "with 2 inputs, but your function takes": (
        lambda: checks.softmax(takes_one)
    ),
    "has no answer after 5 seconds": lambda: checks.softmax(never_ends),
    "Your function stops with an error": lambda: checks.softmax(stops),
    "The form is right, the values are not": lambda: checks.softmax(rolls),
    "is no part of the Transformer": lambda: workbook.take("LayerNrm"),
    "which the file does not have": saved(
        "import numpy\ndef causal_mask(n):\n"
        "    return torch.from_numpy(numpy.tri(n)) > 0\n"
    ),
    "wrong in the file": saved(
        "def other(n):\n    return torch.ones(n, n).tril() > 0\n"
        "def causal_mask(n):\n    return other(n)\n",
        "def other(n):\n    return torch.ones(n, n) > 0\n",
    ),
    "this is no Python": saved("", "def causal_mask(n:\n"),
    "Began a new file": saved(
        "def causal_mask(n):\n    return torch.ones(n, n).tril() > 0\n"
    ),
    "mat1 and mat2 shapes cannot be multiplied": lambda: ONES @ ONES,
    "has a mismatch in its core dimension 0": (
        lambda: np.ones((3, 4)) @ np.ones((3, 4))
    ),
    "view size is not compatible with input tensor's size and stride": (
        lambda: torch.ones(2, 3, 4).transpose(1, 2).view(2, 12)
    ),
    "expected m1 and m2 to have the same dtype": (
        lambda: ONES @ torch.ones(4, 2).double()
    ),
    "\"softmax_lastdim_kernel_impl\" not implemented for 'Long'": (
        lambda: torch.softmax(torch.tensor([1, 2]), dim=0)
    ),
    "index out of range in self": (
        lambda: nn.Embedding(5, 3)(torch.tensor([5]))
    ),
    "to have one of the following scalar types: Long, Int": (
        lambda: nn.Embedding(5, 3)(torch.tensor([1.0]))
    ),
    "masked_fill_ only supports boolean masks": (
        lambda: ONES.masked_fill(ONES, 0.0)
    ),
    "the mask is torch.float32; give a boolean tensor": (
        lambda: unchecked(attention_weights)(ONES, ONES, mask=torch.ones(3, 3))
    ),
    "a dot product needs both equal": (
        lambda: unchecked(attention_weights)(ONES, ONES[:, :2])
    ),
    "cannot be split into n_heads=3 equal parts": (
        lambda: lib.MultiHeadAttention(10, 3)
    ),
    "Expected target size [2, 7], got [2, 5]": (
        lambda: nn.functional.cross_entropy(
            torch.ones(2, 5, 7), torch.zeros(2, 5, dtype=torch.long)
        )
    ),
    "Can't call numpy() on Tensor that requires grad": (lambda: ASKING.numpy()),
    "does not require grad and does not have a grad_fn": (
        lambda: ONES.sum().backward()
    ),
    "Trying to backward through the graph a second time": twice,
    "grad can be implicitly created only for scalar outputs": (
        lambda: (ASKING * 2).backward()
    ),
    "a leaf Variable that requires grad is being used in an in-place "
    "operation": lambda: ASKING.add_(1),
    "Error(s) in loading state_dict": (
        lambda: nn.Linear(2, 3).load_state_dict(nn.Linear(3, 3).state_dict())
    ),
    "unknown words, read as <unk>": command("translate", "a zebra slept ."),
    "no trained model there": command(
        "translate", "--model", "HERE", "the dog slept ."
    ),
    "line n of one must translate line n of the other": command(
        *FILES, "--out", "HERE/run"
    ),
    "already holds something": command(
        "train", "--preset", "small", "--out", "HERE"
    ),
    "torch finds no GPU here": command(
        "translate", "--device", "cuda", "the dog slept ."
    ),
    "there is nobody to ask": command("fetch", "multi30k"),
}


def test_every_message_on_the_page_is_provoked():
    assert sorted(SAID) == sorted(PROVOKED)


@pytest.mark.parametrize("message", SAID)
def test_the_message_comes(message, tmp_path, capsys, monkeypatch):
    if "GPU" in message and torch.cuda.is_available():
        pytest.skip("there is a GPU")
    provoke = PROVOKED[message]
    given = (tmp_path, capsys, monkeypatch)
    try:
        said = provoke(*given[: provoke.__code__.co_argcount])
    except Exception as error:
        said = error
    assert message in " ".join(str(said).split())


# ------------------------------------------------- symptoms without a message


def test_a_row_in_which_everything_is_hidden_is_nan_in_plain_torch():
    hidden = torch.full((3,), -torch.inf)
    assert torch.softmax(hidden, dim=0).isnan().all()


def test_without_zero_grad_gradients_add_up():
    weight = torch.ones(1, requires_grad=True)
    for _ in range(3):
        (2 * weight).sum().backward()
    assert weight.grad == 6


def test_an_optimizer_of_another_model_moves_nothing():
    old, new = nn.Linear(2, 1), nn.Linear(2, 1)
    optimizer = torch.optim.Adam(old.parameters(), lr=1.0)
    before = new.weight.clone()
    new(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    assert torch.equal(new.weight, before)


def test_with_dropout_on_two_calls_give_two_results():
    torch.manual_seed(0)
    model, x = nn.Dropout(0.5), torch.ones(100)
    assert not torch.equal(model(x), model(x))
    model.eval()
    assert torch.equal(model(x), model(x))


def test_a_seed_after_the_model_does_not_repeat_it():
    def weights(seed_first):
        if seed_first:
            torch.manual_seed(0)
        return nn.Linear(3, 3).weight

    assert torch.equal(weights(True), weights(True))
    assert not torch.equal(weights(False), weights(False))


def test_large_rows_of_a_tied_embedding_make_a_large_first_loss():
    torch.manual_seed(0)
    V, d = 200, 64
    h, labels = torch.randn(500, d), torch.randint(V, (500,))
    table = torch.randn(V, d)
    large = nn.functional.cross_entropy(h @ table.T, labels)
    small = nn.functional.cross_entropy(h @ table.T / d**0.5, labels)
    assert large > 4 * np.log(V) > 2 * small
