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

    files = args.source is not None and args.target is not None
    if files == (args.preset is not None):
        raise ValueError("give either --preset, or both --source and --target")
    if (args.valid_source is None) != (args.valid_target is None):
        raise ValueError("--valid-source and --valid-target go together")
    if args.preset is not None and args.preset not in ("small", "full"):
        raise ValueError(
            f"--preset {args.preset} is unknown; choose small or full"
        )
    model, config = RECIPES[args.preset or "text"]
    extra = {"vocab_size": args.vocab_size} if args.vocab_size else {}
    data = TrainingData(
        preset=args.preset,
        source=args.source,
        target=args.target,
        valid_source=args.valid_source,
        valid_target=args.valid_target,
        skip_long=args.skip_long,
        **extra,
    )
    model = replace(model, **given(args, SIZES))
    config = replace(config, **given(args, TRAINING))
    return Run.start(args.out, data, model, config, device)


def _resume(args, device: str):
    """Continue a run; choices that would change it are refused."""
    from transformer_lib.runs import Run

    changed = [*given(args, SIZES), *given(args, TRAINING)]
    named = ("preset", "source", "target", "valid_source", "valid_target")
    changed += [name for name in named if getattr(args, name) is not None]
    if changed or args.vocab_size or args.skip_long:
        raise ValueError(
            "--resume continues exactly the run in --out; give it no data, "
            f"size or training option (came: {', '.join(changed)})"
        )
    return Run.resume(args.out, device)


def train(args) -> None:
    """Train with a progress bar; Ctrl-C saves and says how to go on."""
    from tqdm import tqdm

    device = _device(args.device, args.threads)
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
        run.train(args.every, on_step, on_check, lambda: bool(interrupted))
    again = f"python -m transformer_lib train --out {args.out} --resume"
    if run.state.step < steps:
        print(f"stopped at step {run.state.step}; go on with:\n  {again}")
        raise SystemExit(130)
    print(f"trained {steps} steps; translate with --model {args.out}")


def _translator(args):
    from transformer_lib.translator import Translator

    device = _device(args.device, args.threads)
    if args.model is None:
        return Translator.shipped()
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
    if args.output and not Path(args.output).parent.is_dir():
        raise ValueError(f"--output {args.output}: there is no such folder")
    sentences = args.sentences
    if args.file:
        sentences = read_lines(args.file)
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
        if args.output:
            written += results
        else:
            print("\n".join(results), flush=True)
    if args.output:
        text = "".join(f"{line}\n" for line in written)
        write_aside(Path(args.output), text.encode())


def evaluate(args) -> None:
    """Print exact match and BLEU with its signature."""
    from transformer_lib import evaluation
    from transformer_lib.corpus import SPLITS, join_morphemes, toy_splits
    from transformer_lib.parallel import read_parallel

    if args.source and args.target:
        sets = {args.source: read_parallel(args.source, args.target)}
        tokenize = "13a"
    elif args.source or args.target:
        raise ValueError("--source and --target go together")
    else:
        preset = args.preset or "full"
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
