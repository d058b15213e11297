"""The command line: ``python -m transformer_lib train | translate | evaluate``.

Bad input ends with one line on standard error and exit code 2.
"""

import signal
import sys
from dataclasses import replace
from pathlib import Path

from transformer_lib.options import SIZES, TRAINING, given, parser


def _device(name: str, threads: int) -> str:
    import torch

    if threads < 1:
        raise ValueError(f"--threads {threads}; choose 1 or more")
    torch.set_num_threads(threads)
    if name == "cuda" and not torch.cuda.is_available():
        raise ValueError(
            "--device cuda: torch finds no GPU here; use --device cpu, or "
            "install the CUDA build of torch (see the README)"
        )
    if name not in ("cpu", "cuda"):
        raise ValueError(f"--device {name}; choose cpu or cuda")
    return name


def _start(args, device: str):
    """Prepare a new run from the command line."""
    from transformer_lib.runs import RECIPES, Run
    from transformer_lib.training_data import TrainingData

    files = [args.source, args.target, args.valid_source, args.valid_target]
    if args.preset is not None and any(file is not None for file in files):
        raise ValueError("give either --preset or files, not both")
    if args.preset is None and None in files[:2]:
        raise ValueError("give either --preset, or both --source and --target")
    if (args.valid_source is None) != (args.valid_target is None):
        raise ValueError("--valid-source and --valid-target go together")
    files = [None if f is None else str(Path(f).resolve()) for f in files]
    if args.preset is not None and args.preset not in ("small", "full"):
        raise ValueError(
            f"--preset {args.preset} is unknown; choose small or full"
        )
    model, config = RECIPES[args.preset or "text"]
    extra = {}
    if args.vocab_size is not None:
        extra["vocab_size"] = args.vocab_size
    data = TrainingData(
        args.preset,
        *files,
        skip_long=args.skip_long,
        **extra,
    )
    model = replace(model, **given(args, SIZES))
    config = replace(config, **given(args, TRAINING))
    return Run.start(args.out, data, model, config, device, args.every)


def _resume(args, device: str):
    """Continue a run; choices that would change it are refused."""
    from transformer_lib.runs import Run

    changed = [*given(args, SIZES), *given(args, TRAINING)]
    named = ("preset", "source", "target", "valid_source", "valid_target")
    named += ("vocab_size", "every")
    changed += [name for name in named if getattr(args, name) is not None]
    changed += ["skip_long"] if args.skip_long else []
    if changed:
        raise ValueError(
            "--resume continues exactly the run in --out; give it no data, "
            f"size or training option (came: {', '.join(changed)})"
        )
    return Run.resume(args.out, device)


def train(args) -> None:
    """Train with a progress bar; Ctrl-C saves and says how to go on."""
    from tqdm import tqdm

    device = _device(args.device, args.threads)
    if not args.resume:
        args.every = 250 if args.every is None else args.every
        if args.every < 1:
            raise ValueError(f"--every {args.every}; choose 1 or more")
    run = (_resume if args.resume else _start)(args, device)
    for note in run.notes:
        print(note, file=sys.stderr)
    interrupted = []
    signal.signal(signal.SIGINT, lambda *_: interrupted.append(True))
    steps = run.state.config.steps
    bar = tqdm(total=steps, initial=run.state.step, unit="step", disable=None)
    tokens = [0]

    def on_step(record):
        tokens[0] += record.tokens
        bar.update()
        if record.step % 10 == 0 and bar.format_dict["elapsed"] > 0:
            speed = tokens[0] / bar.format_dict["elapsed"]
            bar.set_postfix_str(
                f"loss {float(record.loss):.3f}, rate {record.rate:.1e}, "
                f"{speed:.0f} tokens/s"
            )

    def on_check(entry):
        tqdm.write(
            f"step {entry['step']}: training loss {entry['train_loss']:.3f}, "
            f"validation loss {entry['valid_loss']:.3f}, "
            f"{entry['tokens_per_second']} tokens/s",
            file=sys.stderr,
        )

    with bar:
        run.train(on_step, on_check, lambda: bool(interrupted))
    again = f"python -m transformer_lib train --out {args.out} --resume"
    again += f" --device {device}" if device != "cpu" else ""
    if run.state.step < steps:
        print(f"stopped at step {run.state.step}; go on with:\n  {again}")
        raise SystemExit(130)
    print(f"trained {steps} steps; translate with --model {args.out}")


def _translator(args):
    from transformer_lib.translator import SHIPPED, Translator

    device = _device(args.device, args.threads)
    if args.model is None:
        return Translator.load(SHIPPED, device)
    if not (Path(args.model) / "model.json").exists():
        raise ValueError(
            f"--model {args.model}: no trained model there; give the folder "
            "that train --out wrote"
        )
    return Translator.load(args.model, device)


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
    from transformer_lib.checkpoint import write_aside
    from transformer_lib.parallel import clean_line, lines_of, read_lines

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
        results = translator.translate(chunk)
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
    from transformer_lib.checkpoint import read_json

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
    """Print exact match and BLEU with its signature."""
    from transformer_lib import evaluation
    from transformer_lib.corpus import SPLITS, join_morphemes, toy_splits
    from transformer_lib.parallel import read_parallel

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
        results = translator.translate(sources)
        score, signature = evaluation.bleu(results, references, tokenize)
        exact = 100 * evaluation.exact_match(results, references)
        print(
            f"{name}: {len(pairs)} sentences, exact match {exact:.1f} %, "
            f"BLEU {score:.1f} ({signature})"
        )


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return its exit code."""
    args = parser().parse_args(arguments)
    sys.stdout.reconfigure(encoding="utf-8")
    command = {"train": train, "translate": translate, "evaluate": evaluate}
    try:
        command[args.command](args)
    except (ValueError, OSError) as error:
        print(f"{args.command}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
