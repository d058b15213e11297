"""The command ``confidence``."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import torch

from transformer_lib import checkpoint
from transformer_lib.batching import IdPair
from transformer_lib.cli.options import device_of
from transformer_lib.cli.streams import tell
from transformer_lib.cli.translate import check_trained
from transformer_lib.confidence.coverage import Coverage
from transformer_lib.confidence.training import Judged, learn_confidence
from transformer_lib.confidence.trust import VALUES, described
from transformer_lib.files import read_json
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.translator import Translator

if TYPE_CHECKING:
    from toy_language.corpus import SentencePair
    from toy_language.typed import TypedSentence

__all__ = ["confidence", "learn_toy_confidence", "report"]

LARGEST = 150_000  # bytes that the confidence may take in a model's file


def _corpus_of(args: Namespace) -> tuple[str, int]:
    """Return the preset and the seed that a model was trained on."""
    path = Path(args.model) / "run.json"
    if not path.exists():
        if args.preset is None:
            raise ValueError(
                f"{args.model} does not say what it was trained on; give "
                "--preset"
            )
        return args.preset, 0
    data = read_json(path).get("data", {})
    preset = data.get("preset")
    if preset is None:
        raise ValueError(
            f"{args.model} was trained on files; confidence is learned on "
            "the toy corpus only"
        )
    if args.preset not in (None, preset):
        raise ValueError(
            f"{args.model} was trained on {preset}, not on {args.preset}; "
            "leave --preset out"
        )
    return preset, data.get("seed", 0)


def confidence(args: Namespace) -> None:
    """Learn how sure a toy translator may be, and how well it knows.

    Args:
        args: what the parser made of the command line.

    Raises:
        OSError: a file cannot be read or written.
        ValueError: options or a model that do not fit; the message says
            which.
    """
    device = device_of(args)
    check_trained(args.model)
    info = learn_toy_confidence(
        args.model, *_corpus_of(args), device, args.typed
    )
    tell("\n".join(report(info)))


def report(info: dict) -> list[str]:
    """Show as a table how many translations of each value are wrong.

    Args:
        info: what `learn_toy_confidence` returned.

    Returns:
        Its lines, in Markdown; below it, how well lost words are named.
    """
    head = ["wrong among", *VALUES]
    rows = [
        [name.replace("_", " "), *described(table)]
        for name, table in info["tables"].items()
        if name != "spoilt"
    ]
    spoilt = info["tables"]["spoilt"]["wrong"]
    rows.append(["spoilt, all wrong", *map(str, spoilt.values())])
    lost = info["lost_words"]
    return [
        *("| " + " | ".join(row) + " |" for row in (head, ["---"] * 4, *rows)),
        "",
        f"Lost words: named in {lost['right_named']} of {lost['right']} right "
        "translations; where the tokens of one word were taken out, that "
        f"word was named in {lost['found']} of {lost['taken_out']} "
        f"({lost['can_be_named']} are of the words that it names at all).",
    ]


def learn_toy_confidence(
    folder: str | Path,
    preset: str,
    seed: int = 0,
    device: torch.device | str = "cpu",
    typed: Sequence[str | Path] = (),
) -> dict:
    """Learn the confidence of a toy translator; store it with the weights.

    The validation pairs come from all splits but `train`, of the corpus
    with the next seed: unseen sentences and hard ones, none of them trained
    on or measured elsewhere.

    Args:
        folder: holds the model that was trained on the preset.
        preset: "small" or "full".
        seed: of the corpus that the model was trained on.
        device: where to translate.
        typed: files for `read_typed`, of sentences that help to choose when
            a translation counts as sure; none may be measured elsewhere.

    Returns:
        What is stored in model.json: "tables", how many right and wrong
        translations of each value there are, and "lost_words", how well
        those are named.

    Raises:
        OSError: a file cannot be read or written.
        ValueError: as for `Translator.load` and `read_typed`; the preset is
            unknown; or the confidence takes too much room.
    """
    from toy_language.corpus import toy_splits
    from toy_language.typed import read_typed

    folder = Path(folder)
    paths = [Path(path).resolve() for path in typed]
    lists = {path.stem: read_typed(path) for path in paths}
    tensors, info = checkpoint.load(folder, "model")
    tensors = {  # without a confidence that may be of an older kind
        name: value
        for name, value in tensors.items()
        if not name.startswith("confidence.")
    }
    translator = Translator(
        checkpoint.load_model(tensors, info, folder).to(device),
        Tokenizer.load(folder / "tokenizer.json"),
    )
    splits = toy_splits(preset, seed)
    others = toy_splits(preset, seed + 1, 1)
    del others["train"]
    training = _encode(translator, splits["train"])
    trained = {tuple(source) for source, _ in training}
    pairs = [pair for split in others.values() for pair in split]
    validation = [
        (pair, ids)
        for pair, ids in zip(pairs, _encode(translator, pairs), strict=True)
        if tuple(ids[0]) not in trained
    ]
    found, tables = learn_confidence(
        translator.model,
        translator.decode,
        training,
        [ids for _, ids in validation],
        seed,
        {name: _judged(translator, some) for name, some in lists.items()},
    )
    extra = found.tensors()
    size = sum(value.nbytes for value in extra.values())
    if size > LARGEST:
        raise ValueError(
            f"the confidence takes {size} bytes; {LARGEST} are allowed: "
            "raise LEAST in coverage.py"
        )
    result = {
        "tables": tables,
        "lost_words": _lost_words(found.coverage, validation, seed),
    }
    info["confidence"] = result
    checkpoint.save(folder, "model", tensors | extra, info)
    return result


def _judged(
    translator: Translator, sentences: Sequence[TypedSentence]
) -> list[Judged]:
    """Translate typed sentences and say which translations are right."""
    ids = translator.tokenizer.encode_all([x.source for x in sentences])
    return [
        Judged(source, found, translator.text(found) in sentence.accepted)
        for source, found, sentence in zip(
            ids, translator.decode(ids), sentences, strict=True
        )
    ]


def _lost_words(
    coverage: Coverage,
    validation: Sequence[tuple[SentencePair, IdPair]],
    seed: int,
) -> dict[str, int]:
    """Count the words called lost in right translations and in spoilt ones.

    Those are right ones without the tokens of one word, drawn from the words
    whose sure links lead to tokens of theirs alone.
    """
    rng = Random(f"lost words/{seed}")
    result = dict.fromkeys(
        ("right", "right_named", "taken_out", "can_be_named", "found"), 0
    )
    for pair, (source, target) in validation:
        result["right"] += 1
        result["right_named"] += bool(coverage.lost(source, target))
        words = [word for word, _ in pair.alignment]
        tokens = [token for _, token in pair.alignment]
        shared = {
            word for word, token in pair.alignment if tokens.count(token) > 1
        }
        alone = [
            word
            for word in sorted(set(words) - shared)
            if source.count(source[word]) == 1
        ]
        if not alone:
            continue
        word = rng.choice(alone)
        out = {token for other, token in pair.alignment if other == word}
        kept = [token for i, token in enumerate(target) if i not in out]
        result["taken_out"] += 1
        result["can_be_named"] += bool(coverage.limit[source[word]])
        result["found"] += word in coverage.lost(source, kept)
    return result


def _encode(
    translator: Translator, pairs: Sequence[SentencePair]
) -> list[IdPair]:
    encode = translator.tokenizer.encode_all
    sources = encode([pair.source for pair in pairs])
    targets = encode([pair.target for pair in pairs])
    return list(zip(sources, targets, strict=True))
