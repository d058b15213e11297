"""A run on disk: its data, tokenizer, training, validation and checkpoints.

A run's folder holds ``run.json`` (data and choices), ``tokenizer.json``,
the checkpoint "last" (to resume), the checkpoint "model" (weights with the
lowest validation loss, to translate) and ``log.jsonl``; a run that averages
has the weights of its last checks, too: "snapshot0", "snapshot1" ...

Under torchrun all processes go through the same steps, and the first alone
writes.
"""

import math
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from transformer_lib import distributed, snapshots
from transformer_lib.arguments import check_whole
from transformer_lib.batching import IdPair
from transformer_lib.files import read_json, write_aside, write_json
from transformer_lib.model import TransformerConfig
from transformer_lib.progress import Progress
from transformer_lib.run_folder import add_to_log, is_free, read_log
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.train_config import TrainConfig
from transformer_lib.train_state import TrainState
from transformer_lib.training import Record, evaluate, train
from transformer_lib.training_data import (
    TrainingData,
    encode_lines,
    fingerprint,
)

__all__ = ["RECIPES", "Run"]

# What the command line starts from; every number can be given there.
_TOY = TransformerConfig(
    vocab_size=1,
    d_model=64,
    n_heads=4,
    d_ff=256,
    n_layers=2,
    dropout=0.0,
    norm_first=True,
    max_length=64,
)
_TEXT = replace(
    _TOY, d_model=128, d_ff=512, n_layers=3, dropout=0.1, max_length=128
)
RECIPES = {
    "small": (_TOY, TrainConfig(steps=1000)),
    "full": (_TOY, TrainConfig(steps=3000)),
    "text": (
        _TEXT,
        TrainConfig(
            steps=3000, tokens_per_batch=3000, peak_rate=2e-3, warmup=300
        ),
    ),
}


class Run:
    """Training that lives in a folder. Make one with `start` or `resume`.

    Args:
        folder: where the run lives.
        data: where its sentence pairs come from.
        every: updates between two checks.
        average: how many of the last checks to average, or None.

    Attributes:
        state: see `TrainState`.
        tokenizer: for both languages.
        pairs, valid: the corpus as ids.
        notes: what a user should know about the data.
        every: updates between two checks: validation and checkpoint.
        average: how many of the last checks to average at the end, or None.
        best: lowest validation loss of a check so far.

    Raises:
        TypeError: every or average is not a whole number.
        ValueError: it is too small.
    """

    state: TrainState
    tokenizer: Tokenizer
    pairs: list[IdPair]
    valid: list[IdPair]

    def __init__(
        self,
        folder: Path,
        data: TrainingData,
        every: int,
        average: int | None,
    ):
        check_whole("every", every)
        if average is not None:
            check_whole("average", average)
        self.folder, self.data = folder, data
        self.every, self.average = every, average
        self.notes: list[str] = []
        self.best = math.inf

    def _fill(self, state: TrainState, tokenizer: Tokenizer, texts) -> None:
        self.state, self.tokenizer = state, tokenizer
        self._progress = Progress(state)
        encoded = []
        for part in texts:
            ids, notes = encode_lines(
                tokenizer,
                part,
                state.model.config.max_length,
                self.data.skip_long,
            )
            encoded.append(ids)
            self.notes += notes
        self.pairs, self.valid = encoded

    @classmethod
    def start(
        cls,
        folder: str | Path,
        data: TrainingData,
        model: TransformerConfig,
        config: TrainConfig,
        device: str = "cpu",
        every: int = 250,
        average: int | None = None,
    ) -> "Run":
        """Prepare a new run; its folder is written when all is well.

        ``run.json`` comes last: a folder without it holds no run, and what a
        start that was killed left there is written anew.

        Args:
            folder: a new or an empty one.
            data: where the sentence pairs come from.
            model: sizes and choices; the vocabulary's size comes from the
                data.
            config: how to train.
            device: "cpu" or "cuda".
            every: updates between two checks.
            average: how many of the last checks to average at the end, or
                None.

        Returns:
            The run, before its first step.

        Raises:
            ValueError: bad data, or the folder already holds something.
            OSError: a file cannot be read or written.
        """
        folder = Path(folder)
        run = cls(folder, data, every, average)
        if not is_free(folder):
            raise ValueError(
                f"{folder} already holds something; continue it with "
                "--resume or choose another folder"
            )
        texts = data.read()
        tokenizer = data.tokenizer(texts[0])
        model = replace(model, vocab_size=len(tokenizer))
        run._fill(TrainState.create(model, config, device), tokenizer, texts)
        folder.mkdir(parents=True, exist_ok=True)
        run.state.save(folder)
        write_aside(folder / "tokenizer.json", tokenizer.to_json().encode())
        content = {"data": asdict(data), "sha256": fingerprint(texts)}
        content |= {"every": every, "average": average}
        write_json(folder / "run.json", content)
        return run

    @classmethod
    def resume(cls, folder: str | Path, device: str = "cpu") -> "Run":
        """Continue a run from its last checkpoint.

        Args:
            folder: of a run.
            device: "cpu" or "cuda".

        Returns:
            The run as it was when it last saved.

        Raises:
            OSError: the folder holds no run.
            ValueError: the checkpoint is damaged, or the data has changed.
        """
        folder = Path(folder)
        path = folder / "run.json"
        content = read_json(path)
        try:
            data = TrainingData(**content["data"])
            digest, every = content["sha256"], content["every"]
            run = cls(folder, data, every, content.get("average"))
        except (KeyError, TypeError) as error:
            raise ValueError(f"{path} is damaged: {error}") from None
        texts = data.read()
        if fingerprint(texts) != digest:
            raise ValueError(
                f"the data of {folder} has changed since the run began; "
                "restore it, or start a new run"
            )
        state = TrainState.load(folder, device)
        run._fill(state, Tokenizer.load(folder / "tokenizer.json"), texts)
        log = read_log(folder, state.step)
        checks = [line for line in log if "train_loss" in line]
        run.best = min((x["valid_loss"] for x in checks), default=math.inf)
        return run

    def train(
        self,
        on_step: Callable[[Record], None] = lambda record: None,
        on_check: Callable[[dict], None] = lambda entry: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Train to the end; validate and save every so many steps.

        Args:
            on_step: called with each update's `Record`.
            on_check: called with each line of the log.
            stop: asked after each update; True saves and returns. Under
                torchrun one process that wants to stop stops all.

        Raises:
            ValueError: a loss or a weight is no longer a number; the last
                checkpoint is the one before that.
            OSError: a file cannot be written; the same.
        """
        steps = self.state.config.steps
        started = time.perf_counter()
        for record in train(self.state, self.pairs):
            self._progress.records.append(record)
            on_step(record)
            due = record.step % self.every == 0 or record.step == steps
            if due:
                self._check(time.perf_counter() - started, on_check)
                started = time.perf_counter()
            if distributed.any_process(stop()) and record.step < steps:
                if not due:
                    self._pause()
                return
        if self.average is not None:
            self._finish(on_check)

    def _pause(self) -> None:
        """Save between two checks, with the losses that are not logged."""
        self._progress.look(self.state, self.folder)
        total, count = self._progress.learned()
        self.state.note = {"total": total, "count": count}
        self._save()

    def _save(self) -> None:
        if distributed.rank() == 0:
            self.state.save(self.folder)
        self._progress = Progress(self.state)

    def _check(self, seconds: float, on_check) -> None:
        """Look, validate, log and save."""
        progress, record = self._progress, self._progress.records[-1]
        progress.look(self.state, self.folder)
        total, count = progress.learned()
        valid = evaluate(self.state.model, self.valid)
        if not math.isfinite(valid):
            what = f"the validation loss is {valid}"
            raise progress.failure(what, record, self.folder)
        tokens = sum(r.tokens for r in progress.records)
        entry = {
            "step": record.step,
            "train_loss": round(total / count, 6),
            "valid_loss": round(valid, 6),
            "rate": record.rate,
            "tokens_per_second": round(tokens / seconds),
        }
        if distributed.rank() == 0:
            if entry["valid_loss"] < self.best:
                self.state.save_model(self.folder)
            if self.average is not None:
                snapshots.keep(
                    self.state, self.folder, self.every, self.average
                )
            add_to_log(self.folder, record.step - 1, entry)
        self.best = min(self.best, entry["valid_loss"])
        self.state.note = {}
        self._save()
        on_check(entry)

    def _finish(self, on_check) -> None:
        """Average the last checks; the average may become the model."""
        distributed.any_process(False)  # wait until all is written
        step = self.state.step
        if any("average" in line for line in read_log(self.folder, step)):
            return
        mean = snapshots.averaged(
            self.state, self.folder, self.every, self.average
        )
        valid = round(evaluate(mean.model, self.valid), 6)
        entry = {
            "step": step,
            "average": self.average,
            "valid_loss": valid,
            "best_loss": self.best,
        }
        if distributed.rank() == 0:
            if valid < self.best:
                mean.save_model(self.folder)
            add_to_log(self.folder, step, entry)
        on_check(entry)
