"""A run on disk: its data, tokenizer, training, evaluation and checkpoints.

A run's folder holds ``run.json`` (data and choices), ``tokenizer.json``,
the checkpoint "last" (to resume), the checkpoint "model" (weights with the
lowest validation loss, to translate) and ``log.jsonl``; a run that averages
has the weights of its last evaluations, too: "snapshot0", "snapshot1" ...

Under torchrun all processes go through the same steps, and the first alone
writes. It holds the folder's lock from the moment the run is opened to the
end of its training, so that no second training writes there.
"""

import contextlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from transformer_lib import checkpoint, distributed
from transformer_lib.batching import IdPair
from transformer_lib.files import atomic_write, read_json, write_json
from transformer_lib.model_config import Architecture
from transformer_lib.run_folder import (
    LOCK,
    add_to_log,
    is_free,
    lock_of,
    read_log,
    returned_on_failure,
    take,
)
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.train_config import TrainConfig
from transformer_lib.train_state import TrainState
from transformer_lib.training import LossMeter, StepStats, evaluate, train
from transformer_lib.training_data import (
    Line,
    TrainingData,
    encode_lines,
    fingerprint,
)
from transformer_lib.validation import check_int

__all__ = ["Run"]


@dataclass
class Run:
    """Training that lives in a folder. Make one with `start` or `resume`.

    Attributes:
        folder: where the run lives.
        data: where its sentence pairs come from.
        state: see `TrainState`.
        tokenizer: for both languages.
        pairs: the training set as ids.
        valid: the validation set as ids.
        eval_interval: steps between two evaluations; each one validates,
            logs and saves a checkpoint.
        average: how many of the last evaluations' weights to average at the
            end, or None.
        best: lowest validation loss so far.
        notes: what a user should know about the data.

    Raises:
        TypeError: eval_interval or average is not a whole number.
        ValueError: it is too small.
    """

    folder: Path
    data: TrainingData
    state: TrainState
    tokenizer: Tokenizer
    pairs: list[IdPair]
    valid: list[IdPair]
    eval_interval: int = 250
    average: int | None = None
    best: float = math.inf
    notes: Sequence[str] = ()

    def __post_init__(self) -> None:
        check_int("eval_interval", self.eval_interval)
        if self.average is not None:
            check_int("average", self.average)
        # Losses that were saved before the next evaluation could log them.
        self._meter = LossMeter(**self.state.extra)
        self._saved_step = self.state.step
        self._lock = lock_of(self.folder)

    @classmethod
    def start(
        cls,
        folder: str | Path,
        data: TrainingData,
        architecture: Architecture,
        config: TrainConfig,
        device: str = "cpu",
        eval_interval: int = 250,
        average: int | None = None,
    ) -> "Run":
        """Prepare a new run; its folder is written when all is well.

        ``run.json`` comes last: a folder without it holds no run, and what a
        start that was killed left there is written anew.

        Args:
            folder: a new or an empty one.
            data: where the sentence pairs come from.
            architecture: of the model; the data decide how large its
                vocabulary is.
            config: how to train.
            device: "cpu" or "cuda".
            eval_interval: see `Run`.
            average: see `Run`.

        Returns:
            The run, before its first step.

        Raises:
            ValueError: bad data, the folder already holds something, or
                another training is writing there.
            OSError: a file cannot be read or written.
        """
        folder = Path(folder)
        lock = lock_of(folder)
        with returned_on_failure(lock):
            if (folder / LOCK).exists():  # else it may not be a run's folder
                take(lock, folder)
            _check_free(folder)
            notes: list[str] = []
            lines = data.read(notes.append)
            tokenizer = data.tokenizer(lines[0], architecture.max_length)
            model_config = architecture.config(len(tokenizer))
            state = TrainState.create(model_config, config, device)
            pairs, valid, dropped = _encode(tokenizer, lines, state, data)
            notes += dropped
            run = cls(
                folder,
                data,
                state,
                tokenizer,
                pairs,
                valid,
                eval_interval,
                average,
                notes=notes,
            )
            folder.mkdir(parents=True, exist_ok=True)
            take(lock, folder)
            _check_free(folder)  # reading took a while
            state.save(folder)
            words = tokenizer.to_json().encode()
            atomic_write(folder / "tokenizer.json", words)
            content = {
                "data": asdict(data),
                "sha256": fingerprint(lines),
                "eval_interval": eval_interval,
                "average": average,
            }
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
            ValueError: the checkpoint is damaged, the data has changed, or
                another training is writing there.
        """
        folder = Path(folder)
        content = read_json(folder / "run.json")
        lock = lock_of(folder)
        with returned_on_failure(lock):
            if distributed.rank() == 0:
                with contextlib.suppress(OSError):  # to look is allowed
                    take(lock, folder)
            return cls._resume(folder, content, device)

    @classmethod
    def _resume(cls, folder: Path, content: dict, device: str) -> "Run":
        """Read what a run has left."""
        path = folder / "run.json"
        try:
            data = TrainingData.of_run(content["data"])
            digest, eval_interval = content["sha256"], content["eval_interval"]
            average = content["average"]
        except (KeyError, TypeError) as error:
            raise ValueError(f"{path} is damaged: {error}") from None
        notes: list[str] = []
        lines = data.read(notes.append)
        if fingerprint(lines) != digest:
            raise ValueError(
                f"the data of {folder} has changed since the run began; "
                "restore it, or start a new run"
            )
        state = TrainState.load(folder, device)
        tokenizer = Tokenizer.load(folder / "tokenizer.json")
        pairs, valid, dropped = _encode(tokenizer, lines, state, data)
        notes += dropped
        log = [x for x in read_log(folder, state.step) if "train_loss" in x]
        best = min((x["valid_loss"] for x in log), default=math.inf)
        model = folder / "model.json"
        if log and not model.exists() and state.step < state.config.steps:
            best = math.inf
            notes.append(
                f"{model} is missing: the best of the evaluations that follow "
                "is kept"
            )
        return cls(
            folder,
            data,
            state,
            tokenizer,
            pairs,
            valid,
            eval_interval,
            average,
            best,
            notes,
        )

    def train(
        self,
        on_step: Callable[[StepStats], None] = lambda step: None,
        on_evaluation: Callable[[dict], None] = lambda entry: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Train to the end; evaluate and save every so many steps.

        Args:
            on_step: called with each step's `StepStats`.
            on_evaluation: called with each line of the log.
            stop: asked after each step; True saves and returns. Under
                torchrun one process that wants to stop stops all.

        Raises:
            ValueError: a loss or a weight is no longer a number; the last
                checkpoint is the one before that. Or another training is
                writing in the folder.
            OSError: a file cannot be written; the same.
        """
        if distributed.rank() == 0:
            take(self._lock, self.folder)
        try:
            self._train(on_step, on_evaluation, stop)
        finally:
            self._lock.release(force=True)

    def _train(
        self,
        on_step: Callable[[StepStats], None],
        on_evaluation: Callable[[dict], None],
        stop: Callable[[], bool],
    ) -> None:
        """Train, and write, with the lock of the folder."""
        n_steps = self.state.config.steps
        started = time.perf_counter()
        for step in train(self.state, self.pairs):
            self._meter.add(step)
            on_step(step)
            last = step.step == n_steps
            due = step.step % self.eval_interval == 0 or last
            if due:
                on_evaluation(self._evaluate(time.perf_counter() - started))
                started = time.perf_counter()
            if distributed.any_rank(stop()) and not last:
                if not due:
                    self._pause()
                return
        if self.average is not None:
            self._finish(on_evaluation)

    def averaged(self) -> TrainState:
        """Return the state with the mean of the last evaluations' weights.

        The weights of the last few evaluations scatter around a point that
        is often better than each of them.

        Returns:
            A state with another model; the optimizer is shared.

        Raises:
            ValueError: the run does not average, or a snapshot is damaged.
            OSError: a snapshot is missing.

        Source: Vaswani et al. 2017, section 6.1.
        """
        if self.average is None:
            raise ValueError("this run keeps no weights; start with average=")
        device = next(self.state.model.parameters()).device
        n_done = math.ceil(self.state.step / self.eval_interval)
        found = [
            checkpoint.load(self.folder, f"snapshot{i}")
            for i in range(min(self.average, n_done))
        ]
        mean = checkpoint.average([tensors for tensors, _ in found])
        model = checkpoint.load_model(mean, found[0][1], self.folder)
        return replace(self.state, model=model.to(device))

    def _pause(self) -> None:
        """Save between two evaluations, with the losses not yet logged."""
        self._check_finite()
        total, count = self._meter.sums()
        self.state.extra = {"total": total, "count": count}
        self._save()

    def _save(self) -> None:
        if distributed.rank() == 0:
            self.state.save(self.folder)
        self._meter = LossMeter(**self.state.extra)
        self._saved_step = self.state.step

    def _evaluate(self, seconds: float) -> dict:
        """Validate, log and save; return the line of the log."""
        self._check_finite()
        total, count = self._meter.sums()
        step = self._meter.steps[-1]
        valid = evaluate(self.state.model, self.valid)
        if not math.isfinite(valid):
            raise self._failure(f"the validation loss is {valid}", step)
        tokens = sum(step.tokens for step in self._meter.steps)
        entry = {
            "step": step.step,
            "train_loss": round(total / count, 6),
            "valid_loss": round(valid, 6),
            "lr": step.lr,
            "tokens_per_second": round(tokens / seconds),
        }
        if distributed.rank() == 0:
            if entry["valid_loss"] < self.best:
                self.state.save_model(self.folder)
            if self.average is not None:
                number = math.ceil(step.step / self.eval_interval) - 1
                name = f"snapshot{number % self.average}"
                self.state.save_model(self.folder, name)
            add_to_log(self.folder, step.step - 1, entry)
        self.best = min(self.best, entry["valid_loss"])
        self.state.extra = {}
        self._save()
        return entry

    def _finish(self, on_evaluation: Callable[[dict], None]) -> None:
        """Average the last weights; the average may become the model."""
        distributed.any_rank(False)  # wait until all is written
        step = self.state.step
        if any("average" in line for line in read_log(self.folder, step)):
            return
        mean = self.averaged()
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
        on_evaluation(entry)

    def _check_finite(self) -> None:
        """Refuse to save what is no longer a number.

        A loss is computed before its update, so a good last loss may stand
        beside bad weights: both are looked at.
        """
        steps = self._meter.steps
        for step in steps:
            if not step.loss.isfinite():
                raise self._failure(f"the loss is {step.loss}", step)
        if steps and not self.state.is_finite():
            raise self._failure("a weight is NaN or infinite", steps[-1])

    def _failure(self, what: str, step: StepStats) -> ValueError:
        return ValueError(
            f"{what} at step {step.step}, learning rate {step.lr:.2e}; the "
            f"last good checkpoint is that of step {self._saved_step} in "
            f"{self.folder}: start again with a lower learning rate"
        )


def _check_free(folder: Path) -> None:
    if not is_free(folder):
        raise ValueError(
            f"{folder} already holds something; continue it with "
            "--resume or choose another folder"
        )


def _encode(
    tokenizer: Tokenizer,
    lines: tuple[list[Line], list[Line]],
    state: TrainState,
    data: TrainingData,
) -> tuple[list[IdPair], list[IdPair], list[str]]:
    """Return training and validation pairs as ids, and notes about them."""
    limit = state.model.config.max_length
    pairs, notes = encode_lines(tokenizer, lines[0], limit, data.skip_long)
    valid, more = encode_lines(tokenizer, lines[1], limit, data.skip_long)
    return pairs, valid, notes + more
