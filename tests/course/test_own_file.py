"""The reader's translator as a file, and the page that reads it."""

import base64
import json
import sys
from dataclasses import replace
from random import Random

import numpy as np
import pytest
import torch
from own_files import a_file, spoilt
from page_scripts import in_node
from student import CELLS

from toy_language import corpus
from transformer_course import workbook
from transformer_course.workbook.data_file import DATA, VERSION, packed
from transformer_course.workbook.kept import Trained
from transformer_lib.model import Transformer
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.translator import SHIPPED, Translator

PAGE = (
    "attention layers model decoding weights tokenizer texts translator "
    "own_file"
).split()
SPLITS = ("test", "composition", "role", "contrast", "noun")
READ = """
const [text, ids, rules, full] = given;
const { config, tokens, weights } = Live.readOwn(text);
const model = new Live.Transformer(config, weights);
const scores = ([source, target]) =>
  model.decode(target, model.start(source))[0].map((row) => [...row]);
tell(full ? ids.map(scores)
  : ids.map((source) => Live.finish(Live.write(model, source)).tokens));
"""


@pytest.fixture(autouse=True)
def path(tmp_path, monkeypatch):
    torch.set_num_threads(1)
    path = tmp_path / "my_transformer.py"
    monkeypatch.setenv("TRANSFORMER_WORKBOOK", str(path))
    path.write_text(workbook.HEADER + "\n\n".join(CELLS), encoding="utf-8")
    yield path
    sys.modules.pop("my_transformer", None)


def in_page(folder, file, ids, full=False):
    """Return what the page computes from a file, in Node."""
    return in_node(folder, PAGE, READ, [file, ids, None, full])


def sentences(preset, n):
    """Return English of all splits that test, mixed."""
    splits = corpus.toy_splits(preset, n_train=1)
    every = [pair.source for name in SPLITS for pair in splits.get(name, [])]
    Random(0).shuffle(every)
    return every[:n]


def test_the_page_writes_what_the_exported_model_does(tmp_path):
    """With the weights of the book in the Transformer of a reader."""
    folder = workbook.export(weights="book").parent
    file = (folder / DATA).read_text(encoding="utf-8")
    own = workbook.load()
    model = workbook.load_trained(own)
    ids = Translator.shipped().tokenizer.encode_all(sentences("full", 120))
    found = in_page(tmp_path, file, ids)
    for source, tokens in zip(ids, found, strict=True):
        written = own.greedy_decode(model, torch.tensor([source]), 64)
        assert tokens == [one for one in written[0].tolist() if one > 2]


@pytest.mark.slow
def test_the_page_writes_what_the_readers_own_model_does(tmp_path):
    """Trained by the reader's parts, kept, and packed: float16 is enough."""
    learner = workbook.Learner(corpus.toy_splits("small", seed=0))
    list(learner.learn(200, every=999))
    workbook.keep(learner)
    path = workbook.export().with_name(DATA)
    assert path.stat().st_size < 1_000_000
    asked = sentences("small", 600)
    ids = learner.tokenizer.encode_all(asked)
    found = in_page(tmp_path, path.read_text(encoding="utf-8"), ids)
    pairs = zip(found, learner.write(asked), strict=True)
    # The page writes on where the notebook has cut an endless one.
    differ = sum(one[: len(two.ids)] != two.ids for one, two in pairs)
    print(f"\n{differ} of {len(asked)} differ")
    assert differ <= 3


def trained(norm_first, **sizes):
    """Return random weights under the names of the reader's model."""
    config = replace(
        Translator.shipped().model.config, norm_first=norm_first, **sizes
    )
    torch.manual_seed(0)
    model = Transformer(config).eval()
    for weight in model.parameters():
        if weight.ndim == 1:
            torch.nn.init.normal_(weight, 0.5, 0.3)
        weight.data = weight.data.half().float()
    own = workbook.complete.own_names(model.state_dict())
    tokens = SHIPPED / "tokenizer.json"
    return model, Trained(own, config, tokens, "what it learned", own=True)


@pytest.mark.parametrize("norm_first", [True, False])
def test_either_order_of_norms_and_other_sizes_are_computed(
    tmp_path, norm_first
):
    sizes = {"d_model": 24, "n_heads": 3, "d_ff": 20, "n_layers": 3}
    model, taken = trained(norm_first, **sizes)
    pair = [[7, 8, 9, 3], [1, 30, 31]]
    (found,) = in_page(tmp_path, packed(taken, []).decode(), [pair], full=True)
    with torch.no_grad():
        wanted = model(*(torch.tensor([ids]) for ids in pair))[0]
    torch.testing.assert_close(
        torch.tensor(found), wanted, atol=1e-3, rtol=1e-3
    )


def test_whose_the_parts_are_is_in_the_file(path):
    path.write_text(workbook.HEADER + CELLS[0], encoding="utf-8")
    data = json.loads(workbook.export().with_name(DATA).read_bytes())
    assert data["parts"]["yours"] == ["scaled_dot_product_attention"]
    assert len(data["parts"]["the book's"]) == 14
    assert data["trained"].startswith("what the book's Transformer learned in")
    assert data["version"] == VERSION


def test_what_the_page_cannot_run_is_not_written(tmp_path):
    """The page's tokenizer is the shipped one with other words."""
    _, taken = trained(True)
    pieces = Tokenizer.bpe(["a b", "b a"], 260).to_json()
    (tmp_path / "pieces.json").write_text(pieces, encoding="utf-8")
    with pytest.raises(ValueError, match="another way than the page"):
        packed(taken._replace(tokenizer=tmp_path / "pieces.json"), [])
    large = {name: 1e6 * value for name, value in taken.weights.items()}
    with pytest.raises(ValueError, match="float16 cannot hold"):
        packed(taken._replace(weights=large), [])


# ------------------------------------------------------------ hostile files


REFUSE = """
tell(given.map((text) => {
  try {
    Live.readOwn(text);
    return "accepted";
  } catch (error) {
    return error instanceof Live.Unfit ? error.message : `crash: ${error}`;
  }
}));
"""
E = "source_embedding.weight"
NAN = base64.b64encode(np.full(28, np.nan, "<f2").tobytes()).decode()
WRONG = [  # (where, what stands there instead, what is said)
    ("version", 2, "not of version 1"),
    ("version", None, "not of version 1"),
    ("sizes", [], "lacks sizes"),
    ("sizes", None, "lacks sizes"),
    ("tokens", {"length": 7}, "lacks sizes, tokens or weights"),
    ("weights", "AAAA", "lacks sizes, tokens or weights"),
    ("weights", [], "lacks sizes, tokens or weights"),
    ("sizes vocab_size", 8, "has 7 tokens, and its vocab_size says 8"),
    ("sizes vocab_size", 10**9, "a whole number from 5 to 20000"),
    ("sizes d_model", "4", "d_model has to be a whole number"),
    ("sizes d_model", 4.5, "d_model has to be a whole number"),
    ("sizes d_model", None, "d_model has to be a whole number"),
    ("sizes d_model", 6, "not 42 numbers"),
    ("sizes d_model", 3, "cannot be cut into 2 heads"),
    ("sizes n_heads", 3, "cannot be cut into 3 heads"),
    ("sizes n_heads", 0, "n_heads has to be a whole number"),
    ("sizes n_layers", 10**6, "n_layers has to be a whole number"),
    ("sizes n_layers", 2, "lacks the weights encoder.layers.1"),
    ("sizes d_ff", 4, "are not 16 numbers"),
    ("sizes max_length", 10**7, "max_length has to be a whole number"),
    ("sizes norm_first", 0, "norm_first has to be true or false"),
    ("sizes norm_first", True, "lacks the weights encoder.norm.weight"),
    ("tokens 4", 4, "token 4 is not a word"),
    ("tokens 4", "", "token 4 is not a word"),
    ("tokens 4", "a b", "token 4 is not a word"),
    ("tokens 4", "a\u202eb", "token 4 is not a word"),
    ("tokens 4", "a" * 81, "token 4 is not a word"),
    ("tokens 5", "the", "the same token twice"),
    ("tokens 1", "one", "first tokens are not <pad> <bos>"),
    ("tokens", ["<pad>"], "has 1 tokens"),
    (f"weights {E}", None, "not 28 numbers"),
    (f"weights {E}", [0.5] * 28, "not 28 numbers"),
    (f"weights {E}", "AAAA", "not 28 numbers"),
    (f"weights {E}", "?" * 76, "not 28 numbers"),
    (f"weights {E}", NAN, "is not a number"),
    (f"weights {E}", {"length": 76}, "not 28 numbers"),
    ("weights positions.pe", "AAAA", "does not have: 1 of them"),
    ("weights __proto__", "AAAA", "does not have: 1 of them"),
    ("trained", 5, "whose its parts and weights are"),
    ("trained", "a" * 161, "whose its parts and weights are"),
    ("parts", None, "whose its parts and weights are"),
    ("parts yours", "LayerNorm", "whose its parts and weights are"),
    ("parts yours", ["a"] * 41, "whose its parts and weights are"),
    ("parts yours", [{}], "whose its parts and weights are"),
]


def test_each_hostile_file_gets_its_sentence(tmp_path):
    bare = ["", "{", "null", "[]", "7", '"text"', "PK\x03\x04", "{}"]
    without = a_file()
    del without["weights"]["decoder.layers.0.norm3.bias"]
    files = [json.dumps(a_file()), json.dumps(without), *bare]
    files += [spoilt(where, what) for where, what, _ in WRONG]
    first, lacks, *said = in_node(tmp_path, PAGE, REFUSE, files)
    assert first == "accepted"
    assert "lacks the weights decoder.layers.0.norm3.bias" in lacks
    for one in said[: len(bare)]:
        assert "not JSON" in one or "another kind of file" in one
    for one, (where, _, words) in zip(said[len(bare) :], WRONG, strict=True):
        assert words in one, where
        assert one.endswith(".") and len(one) < 200


def test_a_file_of_more_than_five_megabytes_is_not_read(tmp_path):
    script = "tell(given.map(Live.tooLarge));"
    said = in_node(tmp_path, PAGE, script, [0, 5_000_000, 12_340_000])
    assert said[:2] == ["", ""]
    assert "12.3 MB" in said[2] and "5 MB are read at most" in said[2]
