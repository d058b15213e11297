"""One sentence's whole way: the numbers that the page's model hands out."""

import re
from math import exp

import live_model
import live_texts
import pytest
import torch
import way_still
from test_live import in_node

from transformer_course import sentence
from transformer_lib.special_tokens import BOS
from transformer_lib.translator import Translator

N_SENTENCES = 20
SCRIPTS = "attention layers model decoding weights".split()
TRACE = """
const [data, sources] = given;
const model = new Live.Transformer(data.config, Live.readWeights(data).weights);
const lists = (rows) => rows.map((row) => [...row]);
tell(sources.map((source) => {
  const { tokens, logP, maps, trace } = Live.finish(Live.write(model, source,
    { traced: true }));
  return [tokens, maps, Object.fromEntries(Object.entries(trace)
    .map(([name, rows]) => [name, lists(rows)])),
    logP.map((row) => [...row].map(Math.exp))];
}));
"""
QUIET = """
const [data, sources] = given;
const model = new Live.Transformer(data.config, Live.readWeights(data).weights);
tell(sources.map((source) => {
  const told = (written) => JSON.stringify([written.tokens, written.maps,
    written.logP.map((row) => [...row])]);
  const bare = Live.finish(Live.write(model, source));
  const traced = Live.finish(Live.write(model, source, { traced: true }));
  const [, state] = model.decode([Live.BOS], model.start(source, {}, true));
  const before = JSON.stringify(state.trace);
  model.decode(traced.tokens, state);
  return { kept: [bare.trace, model.start(source).trace],
           same: told(bare) === told(traced),
           old: before === JSON.stringify(state.trace) };
}));
"""


@pytest.fixture(scope="module")
def translator():
    torch.set_num_threads(1)
    return Translator.shipped()


@pytest.fixture(scope="module")
def sources(translator):
    drawn = live_texts.draw(N_SENTENCES, seed="way")
    texts = [" ".join(sentence.source) for sentence in drawn]
    return translator.tokenizer.encode_all(texts)


def filled(rows, like):
    """Return rows, which grow under a causal mask, as a tensor."""
    found = torch.zeros(like.shape)
    for place, row in enumerate(rows):
        found[place, : len(row)] = torch.tensor(row)
    return found


def test_every_station_has_the_numbers_of_the_library(
    translator, sources, tmp_path
):
    model = way_still.rounded(translator.model)
    data = live_model.model_data(translator, "float16")
    told = in_node(tmp_path, SCRIPTS, TRACE, [data, sources])
    for source, (tokens, maps, trace, shares) in zip(
        sources, told, strict=True
    ):
        wanted = sentence.intermediates(model, source, [BOS, *tokens])
        assert set(trace) | set(maps) == set(wanted)
        for name, heads in maps.items():
            for head, rows in enumerate(heads):
                like = wanted[name][head]
                assert (filled(rows, like) - like).abs().max() <= 1e-4, name
        p = wanted["logits"].softmax(dim=-1)
        assert (torch.tensor(shares) - p).abs().max() <= 1e-4
        for name, rows in trace.items():
            found = torch.tensor(rows)
            assert found.shape == wanted[name].shape, name
            wrong = (found - wanted[name]).abs().max()
            assert wrong <= 1e-3 * wanted[name].abs().max(), name


def test_nothing_is_kept_and_nothing_changes_unless_one_asks(
    translator, sources, tmp_path
):
    data = live_model.model_data(translator, "float16")
    for found in in_node(tmp_path, SCRIPTS, QUIET, [data, sources[:3]]):
        assert found == {"kept": [None, None], "same": True, "old": True}


def test_the_still_pictures_can_be_computed_again(translator):
    """Products, scores and shares of one head; the pieces and their places."""
    text = "The student read the book in the library."
    pictures = way_still.stills(translator, text)
    words, ids = (
        re.findall(f"<{tag}>(.+?)</{tag}>", pictures["pieces"])
        for tag in ("span", "b")
    )
    assert words == translator.tokenizer.tokens(text)
    assert list(map(int, ids)) == translator.tokenizer.encode(text)
    told = re.findall(r"([−\d.]+) ÷ 4 = ([−\d.]+) → ([\d.]+) %",
                      pictures["head"])  # fmt: skip
    rows = [[float(x.replace("−", "-")) for x in row] for row in told]
    total = sum(exp(score) for _, score, _ in rows)
    assert len(rows) == len(words)
    for product, score, share in rows:
        assert score == pytest.approx(product / 4, abs=0.01)
        assert share == pytest.approx(100 * exp(score) / total, abs=0.8)
    for name, picture in pictures.items():
        assert name == "pieces" or 'role="img" aria-label="' in picture
