"""Make transformer_course/data/random_translator, and record answers to it.

    python tests/library/record_translator.py

needs `transformers` and `sentencepiece`; nothing else in the book does. The
folder has the format of Helsinki-NLP/opus-mt-ko-en and weights at random, so
it translates into nonsense. expected.safetensors and expected.json hold what
transformers and sentencepiece make of it: what the library has to equal.
"""

import contextlib
import json
import math
import tempfile
from pathlib import Path

import sentencepiece
import torch
from safetensors.torch import save_file
from transformers import MarianConfig, MarianMTModel

import transformer_course
from toy_language import corpus

FOLDER = Path(transformer_course.__file__).parent / "data" / "random_translator"
PIECES = {"source": 220, "target": 120}
# What normalization does: a few letters of nmt_nfkc, whose table is large.
NORMAL = {"　": " ", "，": ",", "！": "!", "①": "1", "ﬁ": "fi", "Ｋ": "K"}
SENTENCES, LONGEST, WRITTEN = 200, 13, 30
LOGITS = 2  # of the sentences; with so many target tokens:
TARGETS = 5
TEXTS = [
    "고양이는 강을 건너지 않았다.",
    "  나는\t내일   여행을 간다. ",
    "나는　내일，여행을 간다！ ①",
    "ﬁsh Ｋorea <pad> </s> <unk> <s>",
    "고양이",  # letter by letter, as macOS writes names of files
    "▁a▁b \u200b 龍 👩‍👩‍👧",
    "",
    " ",
]


def main() -> None:
    """Write the folder, and what others make of it."""
    pairs = corpus.toy_splits("small")["train"][:1000]
    korean = [corpus.join_morphemes(pair.target) for pair in pairs]
    english = [pair.source for pair in pairs]
    FOLDER.mkdir(exist_ok=True)
    both = dict.fromkeys(_pieces("source", korean) + _pieces("target", english))
    (FOLDER / "target.spm").unlink()  # nobody reads it
    vocab = ["</s>", "<unk>", *both, "<pad>"]
    numbered = {piece: number for number, piece in enumerate(vocab)}
    _write("vocab.json", numbered)
    model = _model(len(vocab))
    model.save_pretrained(FOLDER)
    (FOLDER / "generation_config.json").unlink(missing_ok=True)
    save_file(_answers(model), FOLDER / "expected.safetensors")
    spm = sentencepiece.SentencePieceProcessor(str(FOLDER / "source.spm"))
    cut = {text: spm.encode(text, out_type=str) for text in korean[:60] + TEXTS}
    _write("expected.json", {"pieces": cut})


def _write(name: str, content: dict) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=0) + "\n"
    (FOLDER / name).write_text(text, encoding="utf-8")


def _pieces(name: str, texts: list[str]) -> list[str]:
    """Train a SentencePiece model; return its pieces."""
    # The model keeps the names of its files, so these are named from there.
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        rules, lines = Path("rules.tsv"), Path("lines.txt")
        rules.write_text(
            "".join(
                f"{ord(one):X}\t{' '.join(f'{ord(x):X}' for x in other)}\n"
                for one, other in NORMAL.items()
            )
        )
        lines.write_text("\n".join(dict.fromkeys(texts)), encoding="utf-8")
        sentencepiece.SentencePieceTrainer.train(
            input=str(lines),
            model_prefix=name,
            vocab_size=PIECES[name],
            model_type="unigram",
            character_coverage=0.98,
            hard_vocab_limit=False,
            normalization_rule_tsv=str(rules),
            minloglevel=2,
            num_threads=1,
        )
        data = Path(f"{name}.model").read_bytes()
    (FOLDER / f"{name}.spm").write_bytes(data)
    model = sentencepiece.SentencePieceProcessor(model_proto=data)
    return [model.id_to_piece(i) for i in range(3, model.get_piece_size())]


def _model(size: int) -> MarianMTModel:
    """Make a small model with the settings of the published ones."""
    pad = size - 1
    sides = {
        f"{side}_{name}": value
        for side in ("encoder", "decoder")
        for name, value in (
            ("layers", 2),
            ("attention_heads", 2),
            ("ffn_dim", 24),
        )
    }
    config = MarianConfig(
        **sides,
        vocab_size=size,
        decoder_vocab_size=size,
        d_model=16,
        activation_function="swish",
        attention_dropout=0.0,
        activation_dropout=0.0,
        dropout=0.1,
        bos_token_id=0,
        eos_token_id=0,
        forced_eos_token_id=0,
        pad_token_id=pad,
        decoder_start_token_id=pad,
        max_position_embeddings=512,
        scale_embedding=True,
        share_encoder_decoder_embeddings=True,
        tie_word_embeddings=True,
        normalize_before=False,
        normalize_embedding=False,
        add_bias_logits=False,
        add_final_layer_norm=False,
        static_position_embeddings=True,
    )
    torch.manual_seed(0)
    model = MarianMTModel(config).eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "embed_positions" not in name:
                _randomize(name, weight, pad)
        bias = model.final_logits_bias.normal_(0, 0.5)
        bias[0, pad] = 0.0
        # </s> wins in one of ten places, so that sentences end.
        ids = torch.randint(2, pad, (SENTENCES, 9))
        logits = model(input_ids=ids, decoder_input_ids=ids[:, 1:]).logits
        best = logits[..., 1:pad].amax(dim=-1) - logits[..., 0]
        bias[0, 0] += best.flatten().quantile(0.1)
    return model


def _randomize(name: str, weight: torch.Tensor, pad: int) -> None:
    """Draw lively weights: small ones say the same token for ever."""
    if "norm" in name:
        weight.normal_(1.0 if name.endswith("weight") else 0.0, 0.1)
    elif name.endswith("bias"):
        weight.normal_(0, 0.1)
    elif "shared" in name or "embed" in name:
        weight.normal_(0, weight.shape[1] ** -0.5)
        weight[pad] = 0.0  # as in the published ones
    else:  # what layers add, above all of the source, outweighs the word
        loud = 6.0
        if "out_proj" in name or "fc2" in name:
            loud = 30.0 if "encoder_attn" in name else 10.0
        weight.normal_(0, loud / math.sqrt(weight.shape[1]))


@torch.inference_mode()
def _answers(model: MarianMTModel) -> dict[str, torch.Tensor]:
    """Let transformers score and translate random sentences."""
    pad = model.config.pad_token_id
    source = torch.randint(2, pad, (SENTENCES, LONGEST + 1))
    lengths = torch.randint(1, LONGEST + 1, (SENTENCES, 1))
    place = torch.arange(LONGEST + 1)
    source[place == lengths] = 0  # </s>
    source[place > lengths] = pad
    target = torch.randint(0, pad, (LOGITS, TARGETS))
    target[:, 0] = pad
    mask = (source != pad).long()
    rows = slice(LOGITS)
    logits = model.double()(
        input_ids=source[rows],
        attention_mask=mask[rows],
        decoder_input_ids=target,
    ).logits
    model.generation_config.update(
        bad_words_ids=[[pad]], forced_eos_token_id=None, max_length=None
    )
    written = model.float().generate(
        input_ids=source,
        attention_mask=mask,
        num_beams=1,
        do_sample=False,
        max_new_tokens=WRITTEN,
    )
    found = {"source": source, "target": target, "greedy": written[:, 1:]}
    small = {name: ids.short().contiguous() for name, ids in found.items()}
    return {**small, "logits": logits.contiguous()}


if __name__ == "__main__":
    main()
