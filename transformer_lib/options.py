"""The options of the command line, and those that do not fit together."""

import argparse

SIZES = {  # option -> (field, type, what it is)
    "--d-model": ("d_model", int, "length of every token's vector"),
    "--heads": ("n_heads", int, "attention heads"),
    "--d-ff": ("d_ff", int, "inner length of the feed-forward networks"),
    "--layers": ("n_layers", int, "layers of encoder and of decoder"),
    "--dropout": ("dropout", float, "share of numbers dropped"),
    "--max-length": ("max_length", int, "longest sentence, in tokens"),
}
TRAINING = {
    "--steps": ("steps", int, "number of updates"),
    "--batch-tokens": ("tokens_per_batch", int, "tokens in a batch"),
    "--max-lr": ("max_lr", float, "highest learning rate"),
    "--warmup": ("warmup", int, "steps until the highest rate"),
    "--label-smoothing": ("label_smoothing", float, "label smoothing"),
    "--seed": ("seed", int, "decides weights, batches and dropout"),
}
TOGETHER = """\
several processes, on CPUs or with a GPU each, train as one:
  torchrun --nproc-per-node 2 -m transformer_lib train --device cuda ...
"""


def _numbers(parser, title: str, options: dict) -> None:
    group = parser.add_argument_group(title)
    for name, (field, kind, text) in options.items():
        group.add_argument(name, dest=field, type=kind, help=text)


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands.

    Returns:
        A parser for fetch, train, translate and evaluate.
    """
    parser = argparse.ArgumentParser(
        prog="python -m transformer_lib",
        description="Train a translator, use it, measure it.",
    )
    commands = parser.add_subparsers(dest="command", required=True)

    fetch = commands.add_parser("fetch", help="fetch a corpus to train on")
    fetch.add_argument("corpus", help="its name: multi30k")
    fetch.add_argument("--out", help="folder for its texts (else data/NAME)")
    fetch.add_argument(
        "--from",
        dest="origin",
        help="folder that has the files, or address of another server",
    )
    fetch.add_argument(
        "--yes", action="store_true", help="agree to the terms of use"
    )

    train = commands.add_parser(
        "train",
        help="train a translator",
        epilog=TOGETHER,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    train.add_argument("--preset", help="toy corpus: small or full")
    train.add_argument("--source", help="UTF-8 text, a sentence a line")
    train.add_argument("--target", help="its translation, line by line")
    train.add_argument("--valid-source", help="the same, to validate on")
    train.add_argument("--valid-target")
    train.add_argument("--out", required=True, help="folder of the run")
    train.add_argument(
        "--resume", action="store_true", help="continue the run in --out"
    )
    train.add_argument(
        "--vocab-size", type=int, help="byte-pair tokens (for files)"
    )
    train.add_argument(
        "--skip-long", action="store_true", help="drop pairs that are too long"
    )
    train.add_argument(
        "--eval-interval", type=int, help="steps between checkpoints (else 250)"
    )
    train.add_argument(
        "--average",
        type=int,
        help="at the end, average the weights of so many checkpoints",
    )
    _numbers(train, "size of the model", SIZES)
    _numbers(train, "training", TRAINING)

    translate = commands.add_parser("translate", help="translate sentences")
    translate.add_argument("sentences", nargs="*", help="else read --file")
    translate.add_argument("--file", help="a sentence a line; else stdin")
    translate.add_argument("--output", help="where to write; else stdout")

    evaluate = commands.add_parser("evaluate", help="measure a translator")
    evaluate.add_argument("--preset", help="toy corpus: small or full")
    evaluate.add_argument("--split", help="one split; else all of them")
    evaluate.add_argument("--source", help="UTF-8 text, a sentence a line")
    evaluate.add_argument("--target", help="its translation, line by line")

    for command in (translate, evaluate):
        command.add_argument("--model", help="folder of a run; else the toy")
        command.add_argument(
            "--beam",
            type=int,
            default=1,
            help="hypotheses kept at each step (1: greedy)",
        )
    for command in (train, translate, evaluate):
        command.add_argument("--device", default="cpu", help="cpu or cuda")
        command.add_argument(
            "--threads",
            type=int,
            default=1,
            help="CPU threads (small models are fastest with 1)",
        )
    return parser


def given(args, options: dict) -> dict:
    """Return the options of a group that the user gave, by field.

    Args:
        args: what the parser made of the command line.
        options: `SIZES` or `TRAINING`.

    Returns:
        Field to value; an option that was not given is left out.
    """
    fields = (field for field, _, _ in options.values())
    return {
        field: getattr(args, field)
        for field in fields
        if getattr(args, field) is not None
    }


def check_start(args) -> None:
    """Refuse options that do not make a new run.

    Args:
        args: what the parser made of the command line.

    Raises:
        ValueError: the message says what goes together.
    """
    files = [args.source, args.target, args.valid_source, args.valid_target]
    if args.preset is not None and any(file is not None for file in files):
        raise ValueError("give either --preset or files, not both")
    if args.preset is None and None in files[:2]:
        raise ValueError("give either --preset, or both --source and --target")
    if (args.valid_source is None) != (args.valid_target is None):
        raise ValueError("--valid-source and --valid-target go together")
    if args.preset not in (None, "small", "full"):
        raise ValueError(
            f"--preset {args.preset} is unknown; choose small or full"
        )


def check_resume(args) -> None:
    """Refuse options that would change a run that is to be continued.

    Args:
        args: what the parser made of the command line.

    Raises:
        ValueError: the message names them.
    """
    changed = [*given(args, SIZES), *given(args, TRAINING)]
    named = ("preset", "source", "target", "valid_source", "valid_target")
    named += ("vocab_size", "every", "average")
    changed += [name for name in named if getattr(args, name) is not None]
    changed += ["skip_long"] if args.skip_long else []
    if changed:
        raise ValueError(
            "--resume continues exactly the run in --out; give it no data, "
            f"size or training option (came: {', '.join(changed)})"
        )


def device_of(args) -> str:
    """Return the device that is asked for, and set the CPU's threads.

    Args:
        args: what the parser made of the command line.

    Returns:
        "cpu" or "cuda".

    Raises:
        ValueError: there is no such device here.
    """
    import torch

    if args.threads < 1:
        raise ValueError(f"--threads {args.threads}; choose 1 or more")
    torch.set_num_threads(args.threads)
    name = args.device
    if name == "cuda" and not torch.cuda.is_available():
        raise ValueError(
            "--device cuda: torch finds no GPU here; use --device cpu, or "
            "install the CUDA build of torch (see the README)"
        )
    if name not in ("cpu", "cuda"):
        raise ValueError(f"--device {name}; choose cpu or cuda")
    return name
