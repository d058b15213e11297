"""The command line: ``python -m transformer_lib COMMAND``.

The commands are fetch, train, translate and evaluate. Bad input ends with one
line on standard error and exit code 2.
"""

import os
import sys
from pathlib import Path

from transformer_lib.arguments import check_whole
from transformer_lib.fetch_command import fetch
from transformer_lib.options import device_of, parser
from transformer_lib.training_command import train


def _translator(args):
    from transformer_lib.translator import SHIPPED, Translator

    device = device_of(args)
    if args.model is None:
        return Translator.load(SHIPPED, device)
    if not (Path(args.model) / "model.json").exists():
        raise ValueError(
            f"--model {args.model}: no trained model there; give the folder "
            "that train --out wrote"
        )
    return Translator.load(args.model, device)


def _report_cut(hypotheses: list) -> None:
    for number, hypothesis in enumerate(hypotheses, start=1):
        if not hypothesis.finished:
            print(
                f"sentence {number}: the translation was cut after "
                f"{len(hypothesis.tokens)} tokens, the model's limit",
                file=sys.stderr,
            )


def _report_unknown(translator, sentences: list[str]) -> None:
    for number, sentence in enumerate(sentences, start=1):
        words = translator.unknown_words(sentence)
        if words:
            print(
                f"sentence {number}: unknown words, read as <unk>: "
                + ", ".join(words),
                file=sys.stderr,
            )


def translate(args) -> None:
    """Translate arguments, a file, standard input, or what is typed."""
    from transformer_lib.files import write_aside
    from transformer_lib.parallel_text import clean_line, lines_of, read_lines

    check_whole("beam", args.beam)
    if args.sentences and args.file:
        raise ValueError("give sentences or --file, not both")
    output = Path(args.output).resolve() if args.output is not None else None
    if output is not None and (output.is_dir() or not output.parent.is_dir()):
        raise ValueError(
            f"--output {args.output}: give a file in a folder that exists"
        )
    sentences = args.sentences
    if args.file is not None:
        sentences = read_lines(args.file)
    for sentence in sentences:
        sentence.encode()  # what is not text is an error here, not later
    translator = _translator(args)
    if sentences:
        chunks = [sentences]
    elif sys.stdin.isatty():  # a conversation: answer each line at once
        print("Type a sentence a line; end with Ctrl-D.", file=sys.stderr)
        sys.stdin.reconfigure(encoding="utf-8")
        chunks = ([clean_line(line.rstrip("\n"))] for line in sys.stdin)
    else:
        chunks = [lines_of(sys.stdin.buffer.read(), "standard input")]
    written = []
    for chunk in chunks:
        _report_unknown(translator, chunk)
        found = translator.hypotheses(chunk, beam_size=args.beam)
        _report_cut(found)
        results = [translator.text(hypothesis) for hypothesis in found]
        if output is not None:
            written += results
        else:
            print("".join(f"{x}\n" for x in results), end="", flush=True)
    if output is not None:
        text = "".join(f"{line}\n" for line in written)
        if output.exists() and not output.is_file():  # a pipe, a device
            output.write_text(text, encoding="utf-8")
        else:
            write_aside(output, text.encode())


def _preset_of(model: str | None) -> str:
    """Return the preset a model was trained on; the shipped one: full."""
    from transformer_lib.files import read_json

    if model is None or not (Path(model) / "run.json").exists():
        return "full"
    run = read_json(Path(model) / "run.json")
    preset = run.get("data", {}).get("preset")
    if preset is None:
        raise ValueError(
            f"{model} was trained on files; give --source and --target"
        )
    return preset


def evaluate(args) -> None:
    """Print exact match, BLEU and chrF with their signatures."""
    from transformer_lib import evaluation
    from transformer_lib.corpus import SPLITS, join_morphemes, toy_splits
    from transformer_lib.parallel_text import read_parallel

    check_whole("beam", args.beam)
    if args.source and args.target:
        if args.preset or args.split:
            raise ValueError("give either files or --preset and --split")
        sets = {args.source: read_parallel(args.source, args.target)}
        tokenize = "13a"
    elif args.source or args.target:
        raise ValueError("--source and --target go together")
    else:
        preset = args.preset or _preset_of(args.model)
        if preset not in ("small", "full"):
            raise ValueError(
                f"--preset {preset} is unknown; choose small or full"
            )
        names = [args.split] if args.split else SPLITS[1:]
        if names[0] not in SPLITS:
            raise ValueError(
                f"--split {args.split} is unknown; choose from "
                + ", ".join(SPLITS)
            )
        splits = toy_splits(preset)
        tokenize = "char"
        sets = {
            name: [(p.source, join_morphemes(p.target)) for p in splits[name]]
            for name in names
        }
    translator = _translator(args)
    for name, pairs in sets.items():
        sources, references = map(list, zip(*pairs, strict=True))
        results = translator.translate(sources, beam_size=args.beam)
        bleu = evaluation.bleu(results, references, tokenize)
        chrf = evaluation.chrf(results, references)
        exact = 100 * evaluation.exact_match(results, references)
        print(
            f"{name}: {len(pairs)} sentences, exact match {exact:.1f} %, "
            f"BLEU {bleu.score:.1f} ({bleu.signature}), "
            f"chrF {chrf.score:.1f} ({chrf.signature})"
        )


def _reason(error: Exception) -> str:
    """Say in one line what a user can do something about.

    Any other error of torch is a fault of this package: it goes on, with
    its traceback.
    """
    if isinstance(error, (ValueError, OSError)):
        return str(error)
    text = str(error).strip().split("\n")[0]
    lower = text.lower()
    if isinstance(error, MemoryError) or "memory" in lower:
        return (
            f"not enough memory ({text}); train with a smaller --batch-tokens "
            "or a smaller model"
        )
    if "WORLD_SIZE" in os.environ and any(
        word in lower for word in ("connect", "gloo", "nccl", "timed out")
    ):
        return f"lost another process ({text})"
    raise error


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return its exit code."""
    args = parser().parse_args(arguments)
    sys.stdout.reconfigure(encoding="utf-8")
    command = {
        "fetch": fetch,
        "train": train,
        "translate": translate,
        "evaluate": evaluate,
    }
    together = "WORLD_SIZE" in os.environ
    who = args.command
    if together:
        who += f" (process {os.environ.get('RANK')})"
    try:
        command[args.command](args)
    except (ValueError, OSError, RuntimeError, MemoryError) as error:
        print(f"{who}: {_reason(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as error:
        print(f"{who}: {error or 'interrupted'}", file=sys.stderr)
        return 130
    finally:
        if together:
            from transformer_lib import distributed

            distributed.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
