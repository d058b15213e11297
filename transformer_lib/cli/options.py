"""The options of the command line."""

import argparse
from collections.abc import Callable

from transformer_lib.corpora import CORPORA
from transformer_lib.opus_mt import MODELS

__all__ = [
    "MODEL",
    "SAMPLING",
    "TRAINING",
    "Option",
    "device_of",
    "parser",
    "positive_int",
]

DEVICES = ("cpu", "cuda", "mps")
TEXT = "UTF-8 text, a sentence a line; or packed by gzip"
PAIRS = (
    "UTF-8 text, a sentence, a tab and its translation a line; or packed by "
    "gzip"
)
MOST_THREADS = 1024
WIDEST_BEAM = 100


def positive_int(text: str) -> int:
    """Read an option's value that counts something.

    Args:
        text: as the user typed it.

    Returns:
        The number, 1 or more.

    Raises:
        ArgumentTypeError: it is something else.
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive integer")
    return int(text)


# The field of a configuration, how to read its value, what it is.
Option = tuple[str, Callable[[str], float | str], str]

MODEL: dict[str, Option] = {
    "--d-model": ("d_model", positive_int, "length of every token's vector"),
    "--heads": ("n_heads", positive_int, "attention heads"),
    "--d-ff": ("d_ff", positive_int, "inner length of the feed-forward layers"),
    "--layers": ("n_layers", positive_int, "layers of encoder and of decoder"),
    "--dropout": ("dropout", float, "probability of dropping an element"),
    "--max-length": ("max_length", positive_int, "longest sentence, in tokens"),
}
TRAINING: dict[str, Option] = {
    "--steps": ("steps", positive_int, "number of updates"),
    "--batch-tokens": ("tokens_per_batch", positive_int, "tokens in a batch"),
    "--schedule": (
        "schedule",
        str,
        "of the learning rate: cosine (default), or noam, the paper's",
    ),
    "--max-lr": ("max_lr", float, "highest learning rate of the cosine"),
    "--warmup": ("warmup", positive_int, "steps of rising learning rate"),
    "--label-smoothing": ("label_smoothing", float, "label smoothing"),
    "--seed": ("seed", int, "decides weights, batches and dropout"),
}
SAMPLING: dict[str, Option] = {
    "--temperature": (
        "temperature",
        float,
        "divides the logits; towards 0: the most probable token (default 1)",
    ),
    "--top-k": ("top_k", positive_int, "draw from the k most probable tokens"),
    "--top-p": (
        "top_p",
        float,
        "draw from the fewest tokens that together have this probability",
    ),
}
TOGETHER = """\
several processes, on CPUs or with a GPU each, train as one:
  torchrun --nproc-per-node 2 -m transformer_lib train --device cuda ...
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands.

    Returns:
        A parser for fetch, train, confidence, translate and evaluate.
    """
    parser = argparse.ArgumentParser(
        prog="python -m transformer_lib",
        description="Train a translator, use it, measure it.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    fetch = commands.add_parser(
        "fetch", help="fetch a corpus to train on, or a published translator"
    )
    train = commands.add_parser(
        "train",
        help="train a translator",
        epilog=TOGETHER,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    confidence = commands.add_parser(
        "confidence", help="teach a toy translator what it does not know"
    )
    translate = commands.add_parser(
        "translate",
        help="translate sentences",
        description="Translate sentences, a line each. Exit code 0: all of "
        "them; 1: one was too long or no text, its line is empty and standard "
        "error says which; 2: bad input, nothing is translated.",
    )
    evaluate = commands.add_parser(
        "evaluate",
        help="measure a translator",
        description="Translate sentences and compare with the right "
        "translations. A sentence that is too long for the model counts as "
        "an empty translation.",
    )
    _add_fetch(fetch)
    _add_train(train)
    _add_confidence(confidence)
    _add_translate(translate)
    _add_evaluate(evaluate)
    for command in (translate, evaluate):
        command.add_argument(
            "--model",
            help="folder of a run or of a published one (default: the toy)",
        )
        command.add_argument(
            "--beam",
            type=positive_int,
            default=1,
            help="hypotheses kept at each step (1: greedy), at most "
            f"{WIDEST_BEAM}",
        )
    for command in (train, confidence, translate, evaluate):
        command.add_argument(
            "--device",
            choices=DEVICES,
            default="cpu",
            help="cpu (default), cuda, or mps: the GPU of an Apple computer, "
            "on which nobody has tried it yet",
        )
        command.add_argument(
            "--threads",
            type=positive_int,
            default=1,
            help="CPU threads (small models are fastest with 1)",
        )
    return parser


def _add_fetch(fetch: argparse.ArgumentParser) -> None:
    fetch.add_argument("corpus", choices=[*CORPORA, *MODELS], help="its name")
    fetch.add_argument("--out", help="folder for its files (default data/NAME)")
    fetch.add_argument(
        "--from",
        dest="origin",
        help="folder that has the files, or address of another server (to "
        "begin from a trained model: train --from)",
    )
    fetch.add_argument(
        "--yes", action="store_true", help="agree to the terms of use"
    )


def _add_train(train: argparse.ArgumentParser) -> None:
    from toy_language import PRESETS

    data = train.add_mutually_exclusive_group()
    data.add_argument("--preset", choices=PRESETS, help="toy corpus")
    data.add_argument("--source", metavar="FILE", help=TEXT)
    data.add_argument("--pairs", metavar="FILE", help=PAIRS)
    train.add_argument(
        "--from",
        metavar="MODEL",
        help="begin with the weights, the vocabulary and the sizes of a "
        "trained model: a folder as for translate --model (that of fetch "
        "--from has texts)",
    )
    train.add_argument(
        "--resume",
        action="store_true",
        help="continue the run in --out; with --steps longer (noam only), and "
        "with --source and so on where its files are now",
    )
    train.add_argument(
        "--target", metavar="FILE", help="its translation, line by line"
    )
    train.add_argument(
        "--valid-source", metavar="FILE", help="the same, to validate on"
    )
    train.add_argument("--valid-target", metavar="FILE")
    train.add_argument("--out", required=True, help="folder of the run")
    train.add_argument(
        "--vocab-size", type=positive_int, help="byte-pair tokens (for files)"
    )
    train.add_argument(
        "--skip-long", action="store_true", help="drop pairs that are too long"
    )
    train.add_argument(
        "--eval-interval",
        type=positive_int,
        help="steps between evaluations, each with a checkpoint (default 250)",
    )
    train.add_argument(
        "--average",
        type=positive_int,
        help="at the end, average the weights of up to so many evaluations",
    )
    for title, options in (
        ("size of the model", MODEL),
        ("training", TRAINING),
    ):
        group = train.add_argument_group(title)
        for name, (_, kind, text) in options.items():
            group.add_argument(name, type=kind, help=text)


def _add_confidence(confidence: argparse.ArgumentParser) -> None:
    from toy_language import PRESETS

    confidence.add_argument("--model", required=True, help="folder of a run")
    confidence.add_argument(
        "--preset", choices=PRESETS, help="if the folder does not say it"
    )
    confidence.add_argument(
        "--typed",
        action="append",
        default=[],
        metavar="FILE",
        help="typed sentences and right translations, as in "
        "benchmarks/typed_first.tsv; may be given again",
    )


def _add_translate(translate: argparse.ArgumentParser) -> None:
    text = translate.add_mutually_exclusive_group()
    text.add_argument(
        "sentences", nargs="*", default=[], help="without any, --file is read"
    )
    text.add_argument("--file", help="a sentence a line (default: stdin)")
    translate.add_argument("--output", help="where to write (default: stdout)")
    group = translate.add_argument_group("drawing at random")
    group.add_argument(
        "--sample",
        action="store_true",
        help="draw each token by its probability",
    )
    for name, (_, kind, said) in SAMPLING.items():
        group.add_argument(name, type=kind, help=said)
    group.add_argument(
        "--seed", type=int, help="gives the same translations again"
    )


def _add_evaluate(evaluate: argparse.ArgumentParser) -> None:
    from toy_language import PRESETS, SPLITS

    data = evaluate.add_mutually_exclusive_group()
    data.add_argument("--preset", choices=PRESETS, help="toy corpus")
    data.add_argument("--source", metavar="FILE", help=TEXT)
    data.add_argument("--pairs", metavar="FILE", help=PAIRS)
    evaluate.add_argument(
        "--target", metavar="FILE", help="its translation, line by line"
    )
    evaluate.add_argument(
        "--split",
        choices=SPLITS,
        metavar="SPLIT",
        help="one of the toy corpus (%(choices)s; default: all but train)",
    )


def device_of(args: argparse.Namespace) -> str:
    """Return the device that is asked for, and set the CPU's threads.

    Args:
        args: what the parser made of the command line.

    Returns:
        "cpu", "cuda" or "mps".

    Raises:
        ValueError: there is no such device here, or so many threads nowhere.
    """
    import torch

    if args.threads > MOST_THREADS:
        raise ValueError(
            f"--threads {args.threads}: choose at most {MOST_THREADS}"
        )
    torch.set_num_threads(args.threads)
    if args.device == "cuda" and not torch.cuda.is_available():
        raise ValueError(
            "--device cuda: torch finds no GPU here; use --device cpu, or "
            "install the CUDA build of torch (see book/install.md)"
        )
    if args.device == "mps" and not torch.backends.mps.is_available():
        raise ValueError(
            "--device mps: torch finds no GPU of an Apple computer here; use "
            "--device cpu"
        )
    return args.device
