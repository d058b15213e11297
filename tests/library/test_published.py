"""A published translator in the library's classes.

It equals what transformers and sentencepiece made of the same folder, which
has random weights; expected.safetensors and expected.json hold that.
"""

import json
import os
import pickle
import shutil
import struct
import unicodedata
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from refusal import refuses
from safetensors.torch import load_file, save_file

import transformer_course
from transformer_lib import memory, published
from transformer_lib.cli import main
from transformer_lib.decoding import greedy
from transformer_lib.multi_head import record_attention
from transformer_lib.search import Search
from transformer_lib.special_tokens import BOS, EOS, PAD, UNK
from transformer_lib.translator import Translator

FOLDER = Path(transformer_course.__file__).parent / "data" / "random_translator"
EXPECTED = load_file(FOLDER / "expected.safetensors")
PIECES = json.loads((FOLDER / "expected.json").read_text("utf-8"))["pieces"]


@pytest.fixture(scope="module")
def translator():
    return Translator.load(FOLDER)


@pytest.fixture(scope="module")
def asked(translator):
    """What transformers was asked and said, in the library's ids."""
    rows = translator.tokenizer.rows.tolist()
    number = {row: i for i, row in enumerate(rows)}
    ids = {
        name: EXPECTED[name].long().apply_(number.__getitem__)
        for name in ("source", "target", "greedy")
    }
    source = ids["source"].masked_fill(ids["source"] == BOS, PAD)
    return SimpleNamespace(**(ids | {"source": source}))


def logits_of(model, asked):
    n = len(asked.target)
    with torch.inference_mode():
        return model(asked.source[:n], asked.target)


def off_by(model, translator, asked):
    """How far a model's logits are from those of transformers."""
    found = logits_of(model.double(), asked)[..., EOS:]
    wanted = EXPECTED["logits"][..., translator.tokenizer.rows[EOS:]]
    return (found - wanted).abs().max().item()


def test_logits_are_those_of_transformers(asked):
    fresh = Translator.load(FOLDER)
    assert EXPECTED["logits"].abs().max() > 4
    assert off_by(fresh.model, fresh, asked) < 1e-10


FORGOTTEN = {
    "swish": lambda m: [
        setattr(layer.feed_forward, "__class__", published.FeedForward)
        for layer in [*m.encoder.layers, *m.decoder.layers]
    ],
    "bias": lambda m: m.output_embedding.bias[EOS:].zero_(),
    "order": lambda m: m.positions.pe.copy_(
        torch.cat([m.positions.pe[:, ::2], m.positions.pe[:, 1::2]], dim=1)
    ),
    "zeros": lambda m: m.source_embedding.weight.data[BOS].fill_(0.1),
}


@pytest.mark.parametrize("name", FORGOTTEN)
def test_nothing_that_could_be_forgotten_is_without_effect(name, asked):
    fresh = Translator.load(FOLDER)
    FORGOTTEN[name](fresh.model)
    assert off_by(fresh.model, fresh, asked) > 0.01


def test_greedy_translations_are_those_of_transformers(translator, asked):
    found = greedy(translator.model, asked.source, asked.greedy.shape[1])
    ended = 0
    for one, row in zip(found, asked.greedy.tolist(), strict=True):
        row = row[: row.index(EOS) + 1] if EOS in row else row
        assert one.tokens + [EOS] * one.finished == row
        ended += one.finished
    assert 20 < ended < len(found) == 200


def test_pad_and_bos_never_follow(translator, asked):
    logits = logits_of(translator.model, asked)
    assert logits[..., [PAD, BOS]].isneginf().all()
    assert logits[..., EOS:].isfinite().all()


def test_a_pickle_says_what_safetensors_say(tmp_path, translator, asked):
    wanted = logits_of(translator.model, asked)
    for name in ("config.json", "source.spm", "vocab.json"):
        shutil.copy(FOLDER / name, tmp_path)
    for new in (True, False):
        torch.save(
            load_file(FOLDER / "model.safetensors"),
            tmp_path / "pytorch_model.bin",
            _use_new_zipfile_serialization=new,
        )
        found = logits_of(Translator.load(tmp_path).model, asked)
        assert torch.equal(found, wanted)


def test_the_weights_stay_one_matrix_and_can_be_trained(asked):
    model, _ = published.load_model(FOLDER)
    table = model.source_embedding.weight
    assert model.target_embedding.weight is table
    assert model.output_embedding.weight is table
    loss = model(asked.source[:2], asked.target)[..., EOS:].square().mean()
    loss.backward()
    assert all(p.grad is not None for p in model.parameters())


def test_all_instruments_of_a_translator_work(translator):
    sentences = ["고양이는 강을 건너지 않았다.", "", "龍"]
    beam = Search(beam_size=3, max_length=8, normalization="length")
    for search in (Search(max_length=8), beam):
        first, blank, third = translator.explain(sentences, search)
        assert first.text and blank.text == "" and first.confidence is None
        assert third.unknown_words == ["龍"] and first.unknown_words == []
    with record_attention(translator.model) as maps:
        translator.translate(sentences[:1], Search(max_length=2))
    n = len(translator.tokenizer.encode(sentences[0]))
    assert all(one.shape[-1] in (n, 1, 2) for one in maps.values())


def test_the_command_line_translates(capsys):
    command = ["translate", "--model", str(FOLDER), "고양이", "강"]
    main(command)
    assert capsys.readouterr().out.count("\n") == 2


# ----------------------------------------------------------------------- pieces


def test_pieces_are_those_of_sentencepiece(translator):
    assert len(PIECES) > 60
    for text, pieces in PIECES.items():
        assert translator.tokenizer.pieces(text) == pieces


def test_hangul_may_come_letter_by_letter(translator):
    """macOS writes names of files so."""
    for text, pieces in PIECES.items():
        apart = unicodedata.normalize("NFD", text)
        assert translator.tokenizer.pieces(apart) == pieces


def test_ids_and_back(translator):
    tokenizer = translator.tokenizer
    text = "고양이는 강을 건너지 않았다."
    ids = tokenizer.encode(text)
    assert ids[-1] == EOS and min(ids[:-1]) > UNK
    assert tokenizer.decode([PAD, BOS, *ids]) == text
    assert tokenizer.encode(" ") == [] and tokenizer.decode([]) == ""
    assert tokenizer.encode_all([text, ""]) == [ids, []]
    assert [tokenizer.token(i) for i in range(4)] == [
        "<pad>", "<bos>", "<eos>", "<unk>",
    ]  # fmt: skip
    # What looks like a special token in a text is text.
    assert not {PAD, BOS} & {*tokenizer.encode("<pad> <bos>")}
    assert EOS not in tokenizer.encode("</s> <eos>")[:-1]


def test_the_tokenizer_refuses(translator):
    tokenizer = translator.tokenizer
    with refuses(ValueError, "half a character"):
        tokenizer.encode("\ud800")
    for index in (-1, len(tokenizer)):
        with refuses(ValueError, f"id {index}"):
            tokenizer.decode([index])


# ------------------------------------------------------- what is wrong is named


def config(**changes):
    def change(folder):
        path = folder / "config.json"
        content = json.loads(path.read_text("utf-8"))
        content.update(changes)
        for name in [name for name, x in changes.items() if x is None]:
            del content[name]
        path.write_text(json.dumps(content), "utf-8")

    return change


def cut(name, size):
    def change(folder):
        path = folder / name
        path.write_bytes(path.read_bytes()[:size])

    return change


def text(name, content):
    return lambda folder: (folder / name).write_text(content, "utf-8")


def vocab(change):
    def changed(folder):
        path = folder / "vocab.json"
        content = json.loads(path.read_text("utf-8"))
        change(content)
        path.write_text(json.dumps(content), "utf-8")

    return changed


def weights(change):
    def changed(folder):
        path = folder / "model.safetensors"
        tensors = load_file(path)
        change(tensors)
        save_file(tensors, path)

    return changed


def pickled(thing, new=True):
    def changed(folder):
        (folder / "model.safetensors").unlink()
        torch.save(
            thing,
            folder / "pytorch_model.bin",
            _use_new_zipfile_serialization=new,
        )

    return changed


def raw(data):
    def changed(folder):
        (folder / "model.safetensors").unlink()
        (folder / "pytorch_model.bin").write_bytes(data)

    return changed


class Hostile:
    def __reduce__(self):
        return (os.mkdir, ("it_has_run",))


def spm(data):
    return lambda folder: (folder / "source.spm").write_bytes(data)


FIRST = "model.encoder.layers.0.fc1.weight"
BIAS = "final_logits_bias"
BAD = {
    "spm cut": (cut("source.spm", 1000), "source.spm is no"),
    "spm of noise": (spm(os.urandom(3000)), "source.spm is no"),
    "spm empty": (spm(b""), "source.spm is no"),
    # One piece, "a"; then a trainer (of kind 2, BPE) and a normalizer (that
    # puts no space first, or has a table of noise).
    "spm of BPE": (
        spm(b"\n\x08\n\x01a\x15\0\0\0\0\x12\x02\x18\x02\x1a\0"),
        "no unigram model",
    ),
    "spm without a space": (
        spm(b"\n\x08\n\x01a\x15\0\0\0\0\x12\0\x1a\x02\x18\0"),
        "no unigram model",
    ),
    "spm with a broken table": (
        spm(b"\n\x08\n\x01a\x15\0\0\0\0\x12\0\x1a\x06\x12\x04abcd"),
        "source.spm is no",
    ),
    "spm of infinity": (
        spm(b"\n\x08\n\x01a\x15" + struct.pack("<f", float("inf"))),
        "source.spm is no",
    ),
    "vocab is a list": (text("vocab.json", "[]"), "vocab.json is damaged"),
    "vocab cut": (cut("vocab.json", 900), "vocab.json is damaged"),
    "vocab lacks one": (vocab(lambda v: v.pop(".")), "vocab.json does not"),
    "vocab without </s>": (
        vocab(lambda v: v.update({"end": v.pop("</s>")})),
        "vocab.json does not",
    ),
    "vocab of words": (vocab(lambda v: v.update(a="b")), "vocab.json does not"),
    "vocab is larger": (vocab(lambda v: v.update(new=len(v))), "not of one"),
    "another pad": (config(pad_token_id=0), "vocab.json does not"),
    "ReLU": (config(activation_function="relu"), "activation_function is"),
    "another model": (config(model_type="bart"), "model_type is 'bart'"),
    "two vocabularies": (
        config(share_encoder_decoder_embeddings=False),
        "share_encoder_decoder_embeddings is False",
    ),
    "pre-norm": (config(normalize_before=True), "normalize_before is True"),
    "config without sizes": (config(d_model=None), "it lacks 'd_model'"),
    "config without pad": (config(pad_token_id=None), "vocab.json does not"),
    "config of words": (config(d_model="16"), "d_model='16'"),
    "fewer decoder layers": (config(decoder_layers=1), "decoder_layers is 1"),
    "more layers": (
        config(encoder_layers=10**9, decoder_layers=10**9),
        "not of 1000000000 layers",
    ),
    "too few layers": (
        config(encoder_layers=1, decoder_layers=1),
        "another configuration",
    ),
    "heads that do not fit": (
        config(encoder_attention_heads=5, decoder_attention_heads=5),
        "n_heads=5",
    ),
    "another width": (config(d_model=32), "not of one model"),
    "a vast inner width": (
        config(encoder_ffn_dim=10**9, decoder_ffn_dim=10**9),
        "another configuration",
    ),
    "a vast table": (config(max_position_embeddings=10**9), "at most 1024"),
    "a vast vocabulary": (config(vocab_size=10**9), "not of one model"),
    "safetensors cut": (cut("model.safetensors", 9999), "do not open it"),
    "no embeddings": (
        weights(lambda w: [w.pop(k) for k in [*w] if "shared" in k]),
        "hold no embeddings",
    ),
    "no bias": (weights(lambda w: w.pop(BIAS)), "not of one model"),
    "a layer lacks": (weights(lambda w: w.pop(FIRST)), "another config"),
    "whole numbers": (
        weights(lambda w: w.update({FIRST: w[FIRST].int()})),
        "do not open it",
    ),
    "a pickle that runs": (pickled({"a": Hostile()}), "do not open it"),
    "an old one": (pickled({"a": Hostile()}, new=False), "do not open it"),
    "a plain one": (raw(pickle.dumps(Hostile())), "do not open it"),
    "a pickle of a list": (pickled([torch.ones(3)]), "do not open it"),
    "a pickle of words": (pickled({"a": "b"}), "do not open it"),
    "noise": (raw(os.urandom(3000)), "do not open it"),
    "nothing": (raw(b""), "do not open it"),
}


@pytest.fixture
def copy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (
        "config.json",
        "source.spm",
        "vocab.json",
        "model.safetensors",
    ):
        shutil.copy(FOLDER / name, tmp_path)
    return tmp_path


@pytest.mark.filterwarnings("ignore:Detected pickle protocol")
@pytest.mark.parametrize("name", BAD)
def test_a_folder_that_is_damaged_or_hostile_is_a_sentence(name, copy):
    change, said = BAD[name]
    change(copy)
    with pytest.raises(ValueError) as caught:
        Translator.load(copy)
    message = str(caught.value)
    assert said in message and "\n" not in message
    assert str(copy) in message and "weights_only" not in message
    assert not Path("it_has_run").exists()


@pytest.mark.parametrize(
    "name", ["source.spm", "vocab.json", "model.safetensors"]
)
def test_a_file_that_is_missing_is_named(name, copy):
    (copy / name).unlink()
    named = name.replace("model.safetensors", "pytorch_model.bin")
    with refuses(FileNotFoundError, named):
        Translator.load(copy)


@pytest.mark.slow
def test_no_change_of_a_byte_stops_in_another_way(copy):
    """Of the three small files; the hub's checksums come before this."""
    chance = torch.Generator().manual_seed(0)
    for name in ("config.json", "source.spm", "vocab.json"):
        whole = (copy / name).read_bytes()
        for _ in range(60):
            at, byte = torch.randint(0, 2**31, (2,), generator=chance).tolist()
            data = bytearray(whole)
            data[at % len(data)] = byte % 256
            (copy / name).write_bytes(data)
            try:
                Translator.load(copy)
            except ValueError as error:
                assert str(copy) in str(error)
        (copy / name).write_bytes(whole)


# ----------------------------------------------------------------------- memory


def test_a_large_model_asks_for_memory_first(copy, monkeypatch):
    size = (copy / "model.safetensors").stat().st_size
    monkeypatch.setattr(published, "LARGE", size - 1)
    monkeypatch.setattr(memory, "free_memory", lambda: 10 * size)
    Translator.load(copy)
    monkeypatch.setattr(memory, "free_memory", lambda: 2 * size)
    monkeypatch.setattr(torch, "load", None)
    with refuses(ValueError, str(copy), "GB are free", "close other programs"):
        Translator.load(copy)


def test_memory_is_the_least_that_machine_and_container_allow(
    tmp_path, monkeypatch
):
    system = tmp_path / "meminfo"
    monkeypatch.setattr(memory, "_SYSTEM", system)
    monkeypatch.setattr(memory, "_CONTAINER", tmp_path)
    assert memory.free_memory() is None
    memory.check_room(2**60, "it")  # nobody says what is free
    system.write_text("MemTotal:  9 kB\nMemAvailable:   7000 kB\n", "ascii")
    assert memory.free_memory() == 7000 * 1024
    (tmp_path / "memory.max").write_text("max\n", "ascii")
    (tmp_path / "memory.current").write_text("6000\n", "ascii")
    (tmp_path / "memory.stat").write_text(
        "anon 1\ninactive_file 500\n", "ascii"
    )
    assert memory.free_memory() == 7000 * 1024
    (tmp_path / "memory.max").write_text("8000\n", "ascii")
    assert memory.free_memory() == 2500
    (tmp_path / "memory.max").write_text("100\n", "ascii")
    assert memory.free_memory() == 0
    with refuses(ValueError, "The model takes about 1.0 GB", "0.0 GB are"):
        memory.check_room(10**9, "The model")
