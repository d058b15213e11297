"""The command ``train``: a run with a progress bar that can be stopped."""

import contextlib
import os
import shlex
import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from tqdm import tqdm

from transformer_lib import checkpoint, distributed
from transformer_lib.cli.options import MODEL, TRAINING, Option, device_of
from transformer_lib.cli.streams import counted, tell
from transformer_lib.cli.translate import check_trained
from transformer_lib.files import is_full
from transformer_lib.presets import PRESETS
from transformer_lib.run_data import FILES
from transformer_lib.runs import Run
from transformer_lib.training import StepStats
from transformer_lib.training_data import TrainingData

__all__ = ["train"]


def _value(args: Namespace, option: str) -> Any:
    """Return what was given with an option, such as --d-model."""
    return getattr(args, option.removeprefix("--").replace("-", "_"))


def _given(args: Namespace, options: dict[str, Option]) -> dict[str, Any]:
    """Return the options of a group that the user gave, by field."""
    values = {
        field: _value(args, name) for name, (field, _, _) in options.items()
    }
    return {field: x for field, x in values.items() if x is not None}


def _check_start(args: Namespace) -> None:
    """Refuse what does not make a new run."""
    if args.preset is args.source is args.pairs is None:
        raise ValueError(
            "give --preset, or --source and --target, or --pairs, or --resume "
            "for a run that has begun"
        )
    files = (args.target, args.valid_source, args.valid_target)
    if args.preset is not None and any(file is not None for file in files):
        raise ValueError("give either --preset or files, not both")
    if args.pairs is not None and args.target is not None:
        raise ValueError("--pairs has both sides: give it without --target")
    if args.source is not None and args.target is None:
        raise ValueError("--source and --target go together")
    if (args.valid_source is None) != (args.valid_target is None):
        raise ValueError("--valid-source and --valid-target go together")
    if args.schedule == "noam" and args.max_lr is not None:
        raise ValueError(
            f"--max-lr {args.max_lr} is of the cosine; that of --schedule noam "
            "follows from --d-model and --warmup"
        )
    if getattr(args, "from") is not None:
        _check_from(args)


def _check_from(args: Namespace) -> None:
    """Refuse options that would make another model than the trained one."""
    names = ["--vocab-size", *MODEL]
    given = [name for name in names if _value(args, name) is not None]
    if given:
        raise ValueError(
            f"--from {getattr(args, 'from')} keeps the vocabulary, the sizes "
            f"and the dropout of its model; leave out {' '.join(given)}"
        )


def _check_resume(args: Namespace) -> None:
    """Refuse options that would change a run that is to be continued."""
    may_change = ("command", "out", "resume", "device", "threads", "steps")
    changed = [
        "--" + name.replace("_", "-")
        for name, value in vars(args).items()
        if name not in (*may_change, *FILES)
        and value is not None
        and value is not False
    ]
    if changed:
        raise ValueError(
            "--resume continues exactly the run in --out; beside it go --steps "
            "and the new places of its files, and no other option of data, "
            f"size or training (came: {', '.join(changed)})"
        )


def _absolute(file: str | None) -> str | None:
    """Return a path that is right in every folder."""
    if file is None:
        return None
    path = Path(file).resolve()  # of `<(...)`, it is the path of nothing
    return str(path if path.exists() else Path(file).absolute())


def _start(args: Namespace, device: str) -> Run:
    """Prepare a new run from the command line."""
    _check_start(args)
    extra = {} if args.vocab_size is None else {"vocab_size": args.vocab_size}
    data = TrainingData(
        args.preset,
        _absolute(args.source),
        _absolute(args.target),
        _absolute(args.valid_source),
        _absolute(args.valid_target),
        skip_long=args.skip_long,
        pairs=_absolute(args.pairs),
        **extra,
    )
    architecture, config = PRESETS[args.preset or "text"]
    config = replace(config, **_given(args, TRAINING))
    every = 250 if args.eval_interval is None else args.eval_interval
    often = (device, every, args.average)
    if (model := getattr(args, "from")) is not None:
        check_trained(model, "--from")
        return Run.start_from(args.out, model, data, config, *often)
    architecture = replace(architecture, **_given(args, MODEL))
    return Run.start(args.out, data, architecture, config, *often)


def _open(args: Namespace, device: str) -> Run:
    """Return a run that goes on, or a new one."""
    if not args.resume:
        return _start(args, device)
    if not (Path(args.out) / "run.json").exists():
        raise ValueError(
            f"--resume: {args.out} holds no run; give the folder of one that "
            "train --out began, or begin one without --resume"
        )
    files = {name: _absolute(getattr(args, name)) for name in FILES}
    return Run.resume(args.out, device, args.steps, **files)


def _run(args: Namespace, device: str) -> Run:
    """Return the run; of several processes the first one opens it."""
    if args.resume:
        _check_resume(args)
    if distributed.world_size() == 1:
        return _open(args, device)
    if distributed.rank() == 0:
        try:
            run = _open(args, device)
        except BaseException:
            distributed.any_rank(True)
            raise
    if distributed.any_rank(False):
        raise SystemExit(2)  # the first process says why
    return run if distributed.rank() == 0 else Run.resume(args.out, device)


@contextlib.contextmanager
def _signals() -> Iterator[list[int]]:
    """Give a list that grows with Ctrl-C or SIGTERM; twice leaves at once.

    torchrun passes a signal on, maybe more than once, and kills by itself
    what does not end.
    """
    came: list[int] = []
    alone = "WORLD_SIZE" not in os.environ

    def remember(number: int, frame: FrameType | None) -> None:
        if came and alone:
            raise KeyboardInterrupt
        came.append(number)
        if alone:
            text = "\nstopping after this step; Ctrl-C again leaves at once\n"
            with contextlib.suppress(OSError):  # the terminal is gone
                os.write(2, text.encode())

    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, remember) for number in numbers}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _show(
    bar: tqdm,
) -> tuple[Callable[[StepStats], None], Callable[[dict[str, Any]], None]]:
    """Return what shows each step and each evaluation on a progress bar."""
    tokens = [0]

    def on_step(record: StepStats) -> None:
        tokens[0] += record.tokens
        bar.update()
        if record.step % 10 == 0 and bar.format_dict["elapsed"] > 0:
            speed = tokens[0] / bar.format_dict["elapsed"]
            bar.set_postfix_str(
                f"loss {float(record.loss):.3f}, lr {record.lr:.1e}, "
                f"{speed:.0f} tokens/s"
            )

    def on_evaluation(entry: dict[str, Any]) -> None:
        if "average" in entry:
            text = (
                f"average of {counted(entry['average'], 'evaluation')}: "
                "validation loss "
                f"{entry['valid_loss']:.3f}; the best of one evaluation: "
                f"{entry['best_loss']:.3f}"
            )
        else:
            text = (
                f"step {entry['step']}: training loss "
                f"{entry['train_loss']:.3f}, validation loss "
                f"{entry['valid_loss']:.3f}, "
                f"{entry['tokens_per_second']} tokens/s"
            )
        bar.write(text, file=sys.stderr)

    return on_step, on_evaluation


def _again(args: Namespace) -> str:
    """Return the command that continues the run."""
    n = distributed.world_size()
    launch = "python" if n == 1 else f"torchrun --nproc-per-node {n}"
    device = f" --device {args.device}" if args.device != "cpu" else ""
    return (
        f"{launch} -m transformer_lib train --out {shlex.quote(args.out)} "
        f"--resume{device}"
    )


def _check_model(folder: Path) -> None:
    """Refuse to call a run done whose model is lost."""
    try:
        checkpoint.load(folder, "model")
    except FileNotFoundError as error:
        raise ValueError(
            f"the training has ended, but {error.filename} is missing: restore "
            "it from a copy, or train again in another folder"
        ) from None


def train(args: Namespace) -> None:
    """Train with a progress bar; Ctrl-C saves and says how to go on.

    Args:
        args: what the parser made of the command line.

    Raises:
        OSError: a file cannot be read or written.
        ValueError: options or data that do not fit; the message says which.
    """
    device = distributed.start(device_of(args))
    run = _run(args, device)
    first, steps = distributed.rank() == 0, run.state.config.steps
    for note in run.notes if first else ():
        print(note, file=sys.stderr)
    again = _again(args)
    bar = tqdm(
        total=steps,
        initial=run.state.step,
        unit="step",
        disable=None if first else True,
    )
    try:
        with _signals() as came, bar:
            if first:
                run.train(*_show(bar), stop=lambda: bool(came))
            else:
                run.train(stop=lambda: bool(came))
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"left at once; go on with: {again}") from None
    except OSError as error:
        advice = "make room and" if is_full(error) else "once that is mended,"
        raise OSError(
            f"{error}; the checkpoint before it is whole: {advice} go on with: "
            f"{again}"
        ) from None
    if run.state.step < steps:
        if first:
            tell(f"stopped at step {run.state.step}; go on with:\n  {again}")
        raise SystemExit(128 + (came or [signal.SIGINT])[0])
    if first:
        _check_model(Path(args.out))
        done = counted(steps, "step")
        tell(f"trained {done}; translate with --model {args.out}")
