"""A run: training that evaluates and saves in a folder, and goes on there.

Under torchrun all processes go through the same steps, and the first alone
writes. It holds the folder's lock from the moment the run is opened to the
end of its training, so that no second training writes there.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from transformer_lib import checkpoint, distributed
from transformer_lib.longer_run import keep_model
from transformer_lib.run_folder import add_to_log, read_log, take
from transformer_lib.stored_run import StoredRun
from transformer_lib.train_state import TrainState
from transformer_lib.training import LossMeter, StepStats, evaluate, train

__all__ = ["Run"]


@dataclass
class Run(StoredRun):
    """Training that lives in a folder.

    Make one with `start`, `start_from` or `resume`.

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
            end, at most, or None.
        best: lowest validation loss so far.
        notes: what a user should know about the data.

    Raises:
        TypeError: eval_interval or average is not a whole number.
        ValueError: it is too small.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        # Losses that were saved before the next evaluation could log them.
        self._meter = LossMeter(**self.state.extra)
        self._saved_step = self.state.step

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
        found = [
            checkpoint.load(self.folder, f"snapshot{i}")
            for i in range(self._n_averaged(self.state.step))
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
        between = step.step % self.eval_interval > 0  # so it is the last
        if distributed.rank() == 0:
            if entry["valid_loss"] < self.best:
                if between:
                    keep_model(self.folder, self.state.config)
                self.state.save_model(self.folder)
            if self.average is not None:
                number = math.ceil(step.step / self.eval_interval) - 1
                name = f"snapshot{number % self.average}"
                self.state.save_model(self.folder, name)
            add_to_log(self.folder, step.step - 1, entry)
        self.best = min(self.best, entry["valid_loss"])
        # A longer run, which has no evaluation here, needs the losses yet.
        self.state.extra = {"total": total, "count": count} if between else {}
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
            "average": self._n_averaged(step),
            "valid_loss": valid,
            "best_loss": self.best,
        }
        if distributed.rank() == 0:
            if valid < self.best:
                keep_model(self.folder, self.state.config)
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
