"""The reader's Transformer is trained, asked, kept and packed."""

import inspect
import json
import subprocess
import sys

import pytest
import torch
from student import CELLS

from toy_language import corpus
from transformer_course import workbook
from transformer_course.checks.parts import PARTS, part
from transformer_course.workbook import kept
from transformer_course.workbook.complete import own_names
from transformer_course.workbook.learner import ASKED, Learner, who
from transformer_lib.train_state import TrainState
from transformer_lib.translator import Translator

DEEP, TIRED = ASKED
BOOK = "\n\n".join(
    inspect.getsource(getattr(part(name), name)) for name in PARTS
)
STUDENT = "\n\n".join(CELLS)


@pytest.fixture(autouse=True)
def path(tmp_path, monkeypatch):
    torch.set_num_threads(1)
    path = tmp_path / "my_transformer.py"
    monkeypatch.setenv("TRANSFORMER_WORKBOOK", str(path))
    yield path
    sys.modules.pop("my_transformer", None)


@pytest.fixture(scope="module")
def splits():
    whole = corpus.toy_splits("small", seed=0)
    return {"train": whole["train"][:2000], "test": whole["test"]}


def losses(path, text, splits):
    """The losses of three updates of a file."""
    if text:
        path.write_text(workbook.HEADER + text, encoding="utf-8")
    found = Learner(splits)
    told = []
    for _ in range(3):
        list(found.learn(1, every=9))
        told.append(found.loss)
    return told


# ------------------------------------------------------------ who is it about


@pytest.mark.parametrize(
    ("korean", "stem", "noun"),
    [
        (
            "강 +이 너무 깊 +어서 고양이 +는 강 +을 건너 +지 못 +했 +다 +.",
            "깊",
            "river",
        ),
        ("고양이 +는 너무 깊 +어서 강 +을 건너 +지 못 +했 +다 +.", "깊", "cat"),
        ("고양이 +를 너무 깊 +어서 강 +이 건너 +지 못 +했 +다 +.", "깊", ""),
        ("강 +이 너무 고양이 +는", "깊", ""),
        ("+은 +은 깊", "깊", ""),
        ("", "깊", ""),
    ],
)
def test_the_noun_is_the_last_before_the_adjective_with_its_particle(
    korean, stem, noun
):
    assert who(corpus.gloss(korean, "?"), stem) == noun


# ------------------------------------------------------------------- training


def test_it_begins_with_the_weights_of_the_library(splits):
    found = Learner(splits, seed=3)
    state = TrainState.create(found.sizes, found.config)
    weights = own_names(state.model.state_dict())
    own = found.model.state_dict()
    assert all(torch.equal(own[name], weights[name]) for name in weights)


@pytest.mark.slow
def test_every_right_file_learns_the_same_way(path, splits):
    book = losses(path, "", splits)
    assert book[0] > book[2]
    for text in (BOOK, STUDENT):
        assert losses(path, text, splits) == pytest.approx(book, rel=1e-4)


def test_it_says_whose_parts_learn(path, splits, capsys):
    Learner(splits)
    assert capsys.readouterr().out.startswith("The book's Transformer learns")
    wrong = BOOK.replace("step**-0.5", "step**-0.4")
    path.write_text(workbook.HEADER + wrong, encoding="utf-8")
    Learner(splits)
    first, second = capsys.readouterr().out.strip().split("\n")
    assert first == "yours: 9 of 10 parts; the book's: learning_rate"
    assert second.startswith("The book's version: learning_rate. Yours: ")


def test_it_answers_on_the_way_and_goes_on(splits):
    found = Learner(splits)
    answers = list(found.learn(4, every=2))
    assert [(a.step, a.english) for a in answers] == [
        (2, DEEP), (2, TIRED), (4, DEEP), (4, TIRED)
    ]  # fmt: skip
    assert answers == found.answers
    before = next(iter(found.model.parameters())).detach().clone()
    list(found.learn(1))
    assert found.step == 5 and found.answers[-1].step == 5
    assert not torch.equal(before, next(iter(found.model.parameters())))


def test_what_stops_in_training_gets_a_sentence(path, splits, capsys):
    found = Learner(splits)
    real = found._own.train_step

    def train_step(model, batch, optimizer, lr):
        if found.step == 1:
            raise RuntimeError("shape mismatch")
        return real(model, batch, optimizer, lr)

    found._own.train_step = train_step
    assert list(found.learn(3)) == []
    said = capsys.readouterr().out
    assert "After 1 updates train_step stopped (RuntimeError: shape" in said


def test_a_mask_on_the_processor_gets_its_own_sentence(splits, capsys):
    found = Learner(splits)
    found.device = "cuda"
    print(found._stopped("train_step", RuntimeError("on the same device")))
    assert "is made on the processor" in capsys.readouterr().out


# --------------------------------------------------------------- what is kept


@pytest.fixture
def trained(path, splits):
    path.write_text(workbook.HEADER + STUDENT, encoding="utf-8")
    found = Learner(splits)
    list(found.learn(2))
    return found


def test_what_is_kept_is_a_translator_with_the_same_answers(
    trained, path, capsys
):
    there = workbook.keep(trained)
    assert there == path.with_name("my_translator")
    assert "what your Transformer learned in 2 updates" in (
        capsys.readouterr().out
    )
    library = Translator.load(there)
    ids = torch.tensor([trained.tokenizer.encode(DEEP)])
    target = torch.tensor([[1, 9, 8]])
    trained.model.eval()
    own = trained.model(ids, target)
    assert torch.allclose(library.model(ids, target), own, atol=1e-4)
    again = workbook.load_trained(weights="yours")
    assert torch.allclose(again(ids, target), own, atol=1e-5)


@pytest.mark.slow
def test_export_takes_what_was_kept_or_on_demand_the_books(
    trained, tmp_path, capsys
):
    workbook.keep(trained)
    for weights, owner in (("yours", "mine"), ("book", "the book's")):
        script = workbook.export(tmp_path / weights, weights=weights)
        readme = (tmp_path / weights / "README.md").read_text()
        assert f"| {owner} | the weights:" in readme
        ran = subprocess.run(
            [sys.executable, "-S", "-c", ISOLATED, str(script), DEEP],
            capture_output=True, text=True, encoding="utf-8", check=True,
        )  # fmt: skip
        assert f"> {ran.stdout.strip()}\n" in readme
    assert ran.stdout == "강이 너무 깊어서 고양이는 강을 건너지 못했다.\n"


ISOLATED = """
import runpy, site, sys
site.main()
for name in ("transformer_lib", "transformer_course", "toy_language"):
    sys.modules[name] = None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_a_file_that_has_changed_is_not_kept(trained, path):
    with open(path, "a", encoding="utf-8") as file:
        file.write("\n# another thought\n")
    with pytest.raises(ValueError, match="has changed since"):
        workbook.keep(trained)


def test_what_has_learned_nothing_is_not_kept(splits):
    with pytest.raises(ValueError, match="no update yet"):
        workbook.keep(Learner(splits))


def test_weights_are_yours_or_the_books():
    with pytest.raises(ValueError, match="choose 'yours' or 'book'"):
        workbook.load_trained(weights="mine")


def test_whose_weights_is_told_even_if_the_note_is_gone(trained):
    there = workbook.keep(trained)
    (there / "whose.json").unlink()
    assert kept.trained().said == f"what {there} holds"
    assert json.loads((there / "model.json").read_text())["step"] == 2
