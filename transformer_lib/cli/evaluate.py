"""The command ``evaluate``."""

import sys
import warnings
from argparse import Namespace
from importlib import import_module
from pathlib import Path

from transformer_lib import evaluation
from transformer_lib.cli.streams import counted
from transformer_lib.cli.translate import load_translator
from transformer_lib.corpus_notes import is_blank
from transformer_lib.files import read_json
from transformer_lib.parallel_text import read_pairs, read_parallel
from transformer_lib.search import Search

__all__ = ["evaluate"]


def _preset_of(model: str | None) -> str:
    """Return the preset a model was trained on; the shipped one: full."""
    if model is None or not (Path(model) / "run.json").exists():
        return "full"
    run = read_json(Path(model) / "run.json")
    preset = run.get("data", {}).get("preset")
    if preset is None:
        raise ValueError(
            f"{model} was trained on files; give --source and --target, or "
            "--pairs"
        )
    return preset


def _full_pairs(name: str, target: str | None) -> list[tuple[str, str]]:
    """Return the pairs of one or two files, without those with an empty side.

    Training drops these, too; and blank beside blank would be a match.
    """
    if target is None:
        pairs, names = read_pairs(name), name
    else:
        pairs, names = read_parallel(name, target), f"{name} and {target}"
    full = [pair for pair in pairs if not any(map(is_blank, pair))]
    if not full:
        raise ValueError(f"{names}: no sentence pair is left")
    if len(full) < len(pairs):
        dropped = len(pairs) - len(full)
        print(f"{name}: dropped {dropped} with an empty side", file=sys.stderr)
    return full


def _sets(args: Namespace) -> dict[str, list[tuple[str, str]]]:
    """Return what is to be translated, with its references, by name."""
    if args.pairs is not None and args.target is not None:
        raise ValueError("--pairs has both sides: give it without --target")
    if args.pairs is None and (args.source is None) != (args.target is None):
        raise ValueError("--source and --target go together")
    name = args.pairs or args.source
    if name is not None:
        if args.split is not None:
            raise ValueError("give either files or --split, not both")
        return {name: _full_pairs(name, args.target)}
    from toy_language import SPLITS
    from toy_language.corpus import join_morphemes, toy_splits

    splits = toy_splits(args.preset or _preset_of(args.model))
    names = SPLITS[1:] if args.split is None else [args.split]
    return {
        name: [(p.source, join_morphemes(p.target)) for p in splits[name]]
        for name in names
    }


def _scores(results: list[str], references: list[str], tokenize: str) -> str:
    """Measure translations; where BLEU says little, say why."""
    exact = 100 * evaluation.exact_match(results, references)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # said below
        bleu = evaluation.bleu(results, references, tokenize)
    chrf = evaluation.chrf(results, references)
    why = evaluation.bleu_caveat(results, references, tokenize)
    return (
        f"exact match {exact:.1f} %, "
        f"BLEU {bleu.score:.1f} ({bleu.signature}), "
        f"chrF {chrf.score:.1f} ({chrf.signature})"
    ) + (f"; {why}" if why else "")


def evaluate(args: Namespace) -> None:
    """Print exact match, BLEU and chrF with their signatures.

    A sentence that is too long to read counts as an empty translation.

    Args:
        args: what the parser made of the command line.

    Raises:
        OSError: a file cannot be read.
        ValueError: options or files that do not fit; the message says which.
    """
    import_module("sacrebleu.metrics")  # not after minutes of work
    translator = load_translator(args)
    sets = _sets(args)
    tokenize = "char" if not args.source and not args.pairs else "13a"
    for name, pairs in sets.items():
        sources, references = map(list, zip(*pairs, strict=True))
        readable, wrong = translator.readable(sources)
        results = translator.translate(readable, Search(beam_size=args.beam))
        skipped = (
            f" ({len(wrong)} too long to read, counted as empty)"
            if wrong
            else ""
        )
        scores = _scores(results, references, tokenize)
        n = counted(len(pairs), "sentence")
        print(f"{name}: {n}{skipped}, {scores}")
