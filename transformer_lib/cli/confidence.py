"""The command ``confidence``."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import torch

from transformer_lib import checkpoint
from transformer_lib.batching import IdPair
from transformer_lib.cli.options import device_of
from transformer_lib.cli.translate import check_trained
from transformer_lib.confidence.training import Separation, learn_confidence
from transformer_lib.files import read_json
from transformer_lib.toy.corpus import SentencePair, toy_splits
from transformer_lib.translator import Translator

__all__ = ["confidence", "learn_toy_confidence"]

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
    """Learn how sure a toy translator may be, and say what that separates.

    Args:
        args: what the parser made of the command line.

    Raises:
        OSError: a file cannot be read or written.
        ValueError: options or a model that do not fit; the message says
            which.
    """
    device = device_of(args)
    check_trained(args.model)
    found = learn_toy_confidence(args.model, *_corpus_of(args), device)
    print(
        "unsure in the half that chose the threshold: "
        f"{found.right_flagged} of {found.right} right translations, "
        f"{found.wrong_flagged} of {found.wrong} wrong ones, "
        f"{found.spoilt_flagged} of {found.spoilt} spoilt sentences"
    )


def learn_toy_confidence(
    folder: str | Path,
    preset: str,
    seed: int = 0,
    device: torch.device | str = "cpu",
) -> Separation:
    """Learn the confidence of a toy translator; store it with the weights.

    The validation pairs come from all splits but `train`, of the corpus
    with the next seed: unseen sentences and hard ones, none of them trained
    on or measured elsewhere.

    Args:
        folder: holds the model that was trained on the preset.
        preset: "small" or "full".
        seed: of the corpus that the model was trained on.
        device: where to translate.

    Returns:
        What the threshold separates.

    Raises:
        OSError: a file cannot be read or written.
        ValueError: as for `Translator.load`; the preset is unknown; or the
            confidence takes too much room.
    """
    folder = Path(folder)
    translator = Translator.load(folder, device)
    splits = toy_splits(preset, seed)
    others = toy_splits(preset, seed + 1, 1)
    del others["train"]
    training = _encode(translator, splits["train"])
    trained = {tuple(source) for source, _ in training}
    validation = [
        (source, target)
        for pairs in others.values()
        for source, target in _encode(translator, pairs)
        if tuple(source) not in trained
    ]
    found, separation = learn_confidence(
        translator.model, translator.decode, training, validation, seed
    )
    extra = found.tensors()
    size = sum(value.nbytes for value in extra.values())
    if size > LARGEST:
        raise ValueError(
            f"the confidence takes {size} bytes; {LARGEST} are allowed: "
            "raise LEAST in coverage.py"
        )
    tensors, info = checkpoint.load(folder, "model")
    info["confidence"] = asdict(separation)
    checkpoint.save(folder, "model", tensors | extra, info)
    return separation


def _encode(
    translator: Translator, pairs: Sequence[SentencePair]
) -> list[IdPair]:
    encode = translator.tokenizer.encode_all
    sources = encode([pair.source for pair in pairs])
    targets = encode([pair.target for pair in pairs])
    return list(zip(sources, targets, strict=True))
