"""The reader's own Transformer carries a published translator."""

import ast
import re
import types
from itertools import combinations

import pytest
import student
import torch
from safetensors.torch import load_file
from torch.nn import functional as F

from transformer_course import workbook
from transformer_course.checks import parts
from transformer_course.workbook import published
from transformer_lib.published import SwishFeedForward
from transformer_lib.special_tokens import BOS, EOS, PAD
from transformer_lib.translator import Translator

STUDENT = workbook.HEADER + "\n\n".join(["", *student.CELLS])
# Nothing goes through `decode` or `logits`, the sub-layers are in a list that
# was made once, ReLU is a module.
OTHER = (
    STUDENT.replace(
        "        self.linear2 = nn.Linear(d_ff, d_model)\n",
        "        self.linear2 = nn.Linear(d_ff, d_model)\n"
        "        self.relu = nn.ReLU(inplace=True)\n",
    )
    .replace("self.linear1(x).clamp(min=0)", "self.relu(self.linear1(x))")
    .replace(
        "        self.dropout, self.first = nn.Dropout(dropout), norm_first\n",
        "        self.dropout, self.first = nn.Dropout(dropout), norm_first\n"
        "        self.kept = [self.feed_forward, self.self_attention]\n",
    )
    .replace("self.dropout(self.feed_forward(", "self.dropout(self.kept[0](")
    .replace("(self.norm3, self.feed_forward)", "(self.norm3, self.kept[0])")
    .replace(
        "return self.decode(target, self.encode(source, mask), mask)",
        """\
memory = self.encode(source, mask)
        x = self.positions(self.embedding(target))
        for layer in self.decoder:
            past = causal_mask(target.size(1)).to(target.device)
            x = layer(x, memory, past, mask)
        return self.decoder_norm(x) @ self.embedding.weight.t()""",
    )
    .replace(
        "return self.embedding.logits(self.decoder_norm(x))",
        "return F.linear(self.decoder_norm(x), self.embedding.weight)",
    )
)
# Its layers take the two maps and write the ReLU between them themselves.
INLINE = (
    STUDENT.replace(
        "self.dropout(self.feed_forward(",
        "self.dropout(think(self.feed_forward, ",
    ).replace(
        "(self.norm3, self.feed_forward)",
        "(self.norm3, lambda x: think(self.feed_forward, x))",
    )
    + """

def think(ffn, x):
    return ffn.linear2(torch.relu(ffn.linear1(x)))
"""
)
CHANGED = ("FeedForward", "EncoderLayer", "DecoderLayer", "Transformer")
STYLES = ("the book's", "a student's", "another", "inline")


def run(text):
    module = types.ModuleType("my_transformer")
    exec(text, vars(module))
    return module


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Four files: the book's, a student's, and two in other styles."""
    path = tmp_path_factory.mktemp("own") / "my_transformer.py"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRANSFORMER_WORKBOOK", str(path))
        for name in parts.PARTS:
            workbook.take(name)
    book = path.read_text(encoding="utf-8")
    texts = {"the book's": book, "a student's": STUDENT, "another": OTHER,
             "inline": INLINE}  # fmt: skip
    return {name: run(text) for name, text in texts.items()}


@pytest.fixture(scope="module")
def library():
    return Translator.load(published.RANDOM)


@pytest.mark.parametrize("name", CHANGED)
def test_the_other_style_is_accepted(files, name):
    assert parts.judged(name, getattr(files["another"], name), parts.MASKS).ok


@pytest.mark.parametrize("style", STYLES)
def test_a_readers_file_translates_as_transformers_does(
    files, library, style, capsys
):
    own = files[style]
    model, tokenizer = workbook.load_published(own, published.RANDOM)
    said = capsys.readouterr().out
    assert re.search(r"random_translator; .* by \de-0[5-9] at most", said)
    assert "Swish: the book's." in said and said.count("\n") == 1
    expected = load_file(published.RANDOM / "expected.safetensors")
    number = {row: i for i, row in enumerate(tokenizer.rows.tolist())}
    source = expected["source"].long().apply_(number.__getitem__)
    source = source.masked_fill(source == BOS, PAD)
    wanted = expected["greedy"].long().apply_(number.__getitem__)
    written = own.greedy_decode(model, source, wanted.shape[1])
    for row, other in zip(written.tolist(), wanted.tolist(), strict=True):
        kept = [row[: row.index(EOS)] if EOS in row else row]
        kept += [other[: other.index(EOS)] if EOS in other else other]
        assert kept[0] == kept[1]
    # `forward`, and `encode` with `decode`, say the same.
    mask = own.padding_mask(source[:3])
    target = wanted[:3, :4]
    with torch.inference_mode():
        memory = model.encode(source[:3], mask)
        one, other = (
            model.decode(target, memory, mask),
            model(source[:3], target),
        )
    assert torch.equal(one[..., EOS:], other[..., EOS:])


def gelu_of(own):
    class Gelu(own.FeedForward):
        def forward(self, x):
            return self.linear2(F.gelu(self.linear1(x)))

    return Gelu


def swish_of(own):
    class Swish(own.FeedForward):
        def forward(self, x):
            return self.linear2(F.silu(self.linear1(x)))

    return Swish


@pytest.mark.parametrize("style", ["a student's", "inline"])
def test_the_readers_own_swish(files, style, capsys):
    own = files[style]
    workbook.load_published(own, published.RANDOM, swish_of(own))
    assert "Swish: yours." in capsys.readouterr().out
    with pytest.raises(ValueError) as caught:
        workbook.load_published(own, published.RANDOM, own.FeedForward)
    said = str(caught.value)
    assert "swish is missing" in said and "bias" not in said
    with pytest.raises(ValueError, match="Linear has no linear1; begin with"):
        workbook.load_published(own, published.RANDOM, torch.nn.Linear)


def test_weights_are_in_memory_once(files, library, monkeypatch):
    kept = []
    load = published.load_model
    monkeypatch.setattr(
        published, "load_model", lambda f: kept.append(load(f)) or kept[0]
    )
    model, _ = workbook.load_published(files["a student's"], published.RANDOM)
    there = {x.data_ptr() for x in kept[0][0].parameters()}
    assert {x.data_ptr() for x in model.parameters()} == there


def forgetful(own, names):
    """The reader's model without some of them."""
    text = STUDENT
    if "order" in names:
        text = text.replace("pe[:, 0::2]", "pe[:, : d_model // 2]")
        text = text.replace("pe[:, 1::2]", "pe[:, d_model // 2 :]")
    assert ("order" in names) == (text != STUDENT)
    own = run(text)
    given = own.FeedForward if "swish" in names else None
    return own, gelu_of(own) if "gelu" in names else given, "bias" in names


@pytest.mark.parametrize(
    "names",
    [
        names
        for n in (1, 2, 3)
        for names in combinations(published.FORGOTTEN, n)
        if not {"swish", "gelu"} <= {*names}
    ],
    ids="-".join,
)
def test_what_was_forgotten_is_named(names, files, monkeypatch):
    own, given, bias = forgetful(files, names)
    if bias:  # of a model that the reader has put together
        monkeypatch.setattr(published, "Biased", lambda model, _: model)
    with pytest.raises(ValueError) as caught:
        workbook.load_published(own, published.RANDOM, given)
    said = str(caught.value)
    for name, words in published.SAID.items():
        assert (words in said) == (name in names)
    assert "\n" not in said


def test_another_mistake_is_not_blamed_on_the_three(files, library):
    text = STUDENT.replace("* self.weight.shape[1] ** 0.5", "")
    assert text != STUDENT
    with pytest.raises(ValueError, match="and neither swish, nor the bias"):
        workbook.load_published(run(text), published.RANDOM)
    broken = run(STUDENT)
    model, _ = workbook.load_published(broken, published.RANDOM)
    with torch.no_grad():  # the library's is fresh, and stays as it is
        model.model.encoder[0].norm1.bias += float("nan")
    off, said = published.what_differs(model, library.model)
    assert off == float("inf") and "and neither" in said
    assert published.what_differs(library.model, library.model) == (0.0, "")


def test_a_comparison_leaves_the_library_as_it_was(files, library):
    off, said = published.what_differs(
        lambda source, target: library.model(source, target) * 2,
        library.model,
    )
    assert off > 1 and said
    fresh = Translator.load(published.RANDOM).model
    for layer in library.model.encoder.layers:
        assert type(layer.feed_forward) is SwishFeedForward
    for name in ("positions.pe", "output_embedding.bias"):
        assert torch.equal(
            library.model.get_buffer(name), fresh.get_buffer(name)
        )


def test_export_copies_no_published_weights(tmp_path, monkeypatch, capsys):
    """They are fetched by whoever wants them: GitHub takes 100 MB a file."""
    path = tmp_path / "my_transformer.py"
    path.write_text(STUDENT, encoding="utf-8")
    monkeypatch.setenv("TRANSFORMER_WORKBOOK", str(path))
    own = workbook.load()
    model, _ = workbook.load_published(own, published.RANDOM)
    script = workbook.export()
    weights = load_file(script.parent / "weights.safetensors")
    shape = weights["embedding.weight"].shape
    assert shape != model.model.embedding.weight.shape
    assert shape == Translator.shipped().model.source_embedding.weight.shape
    names = {one.name for one in script.parent.iterdir()}
    assert not names & {one.name for one in published.RANDOM.iterdir()}
    ast.parse(script.read_text(encoding="utf-8"))


def test_without_a_module_it_is_the_readers_file_or_the_books_class(
    files, tmp_path, monkeypatch, capsys
):
    path = tmp_path / "my_transformer.py"
    monkeypatch.setenv("TRANSFORMER_WORKBOOK", str(path))
    model, _ = workbook.load_published(None, published.RANDOM)
    assert "book" in capsys.readouterr().out.splitlines()[0]
    assert type(model.model) is parts.part("Transformer").Transformer
    path.write_text(STUDENT, encoding="utf-8")
    model, _ = workbook.load_published(None, published.RANDOM)
    assert type(model.model).__module__ == "my_transformer"
