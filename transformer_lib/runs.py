"""A run on disk: its data, tokenizer, training, validation and checkpoints.

A run's folder holds ``run.json`` (data and choices), ``tokenizer.json``,
the checkpoint "last" (to resume), the checkpoint "model" (weights with the
lowest validation loss, to translate) and ``log.jsonl``.
"""

import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from transformer_lib.checkpoint import read_json, write_aside, write_json
from transformer_lib.model import TransformerConfig
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.training import (
    Record,
    TrainConfig,
    TrainState,
    evaluate,
    train,
)
from transformer_lib.training_data import (
    TrainingData,
    encode_lines,
    fingerprint,
)

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

    Attributes:
        state: see `TrainState`.
        tokenizer: for both languages.
        pairs, valid: the corpus as ids.
        notes: what a user should know about the data.
        every: updates between two validations (and checkpoints).
        best: lowest validation loss so far.
    """

    def __init__(
        self,
        folder: Path,
        data: TrainingData,
        state: TrainState | None,
        every: int,
    ):
        self.folder, self.data, self.state = folder, data, state
        self.every = every
        self.notes: list[str] = []
        self.best = math.inf

    def _encode(self, tokenizer: Tokenizer, texts, max_length: int) -> None:
        self.tokenizer = tokenizer
        encoded = []
        for part in texts:
            ids, notes = encode_lines(
                tokenizer, part, max_length, self.data.skip_long
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
    ) -> "Run":
        """Prepare a new run; its folder is written when all is well.

        Raises:
            ValueError: bad data, or the folder already holds something.
            OSError: a file cannot be read or written.
        """
        folder = Path(folder)
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ValueError(
                f"{folder} already holds something; continue it with "
                "--resume or choose another folder"
            )
        run = cls(folder, data, None, every)
        texts = data.read()
        tokenizer = data.tokenizer(texts[0])
        model = replace(model, vocab_size=len(tokenizer))
        run._encode(tokenizer, texts, model.max_length)
        run.state = TrainState.create(model, config, device)
        folder.mkdir(parents=True, exist_ok=True)
        write_aside(folder / "tokenizer.json", tokenizer.to_json().encode())
        run.state.save(folder)
        content = {"data": asdict(data), "sha256": fingerprint(texts)}
        write_json(folder / "run.json", content | {"every": every})
        return run

    @classmethod
    def resume(cls, folder: str | Path, device: str = "cpu") -> "Run":
        """Continue a run from its last checkpoint.

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
        except (KeyError, TypeError) as error:
            raise ValueError(f"{path} is damaged: {error}") from None
        texts = data.read()
        if fingerprint(texts) != digest:
            raise ValueError(
                f"the data of {folder} has changed since the run began; "
                "restore it, or start a new run"
            )
        run = cls(folder, data, TrainState.load(folder, device), every)
        tokenizer = Tokenizer.load(folder / "tokenizer.json")
        run._encode(tokenizer, texts, run.state.model.config.max_length)
        log = run.read_log()
        run.best = min((line["valid_loss"] for line in log), default=math.inf)
        return run

    def read_log(self) -> list[dict]:
        """Return what was logged up to the state's step."""
        path = self.folder / "log.jsonl"
        if not path.exists():
            return []
        try:
            lines = [json.loads(x) for x in path.read_text().splitlines()]
            return [x for x in lines if x["step"] <= self.state.step]
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path} is damaged: {error}") from None

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
            stop: asked after each update; True saves and returns.

        Raises:
            ValueError: the loss is no longer a number.
        """
        losses: list = []
        started, tokens = time.perf_counter(), 0
        for record in train(self.state, self.pairs):
            losses.append(record.loss)
            tokens += record.tokens
            on_step(record)
            last = record.step == self.state.config.steps
            if record.step % self.every and not last:
                if stop():
                    self.state.save(self.folder)
                    return
                continue
            mean = sum(float(loss) for loss in losses) / len(losses)
            if not math.isfinite(mean):
                raise ValueError(
                    f"the loss is {mean} at step {record.step}, learning "
                    f"rate {record.rate:.2e}; the last good checkpoint is "
                    f"in {self.folder}: start again with a lower rate"
                )
            seconds = time.perf_counter() - started
            self._check(record, mean, tokens / seconds, on_check)
            losses, tokens, started = [], 0, time.perf_counter()
            if stop():
                return

    def _check(self, record: Record, mean: float, speed: float, on_check):
        """Validate, log and save."""
        entry = {
            "step": record.step,
            "train_loss": round(mean, 6),
            "valid_loss": round(evaluate(self.state.model, self.valid), 6),
            "rate": record.rate,
            "tokens_per_second": round(speed),
        }
        log = [*self.read_log(), entry]
        text = "".join(json.dumps(line) + "\n" for line in log)
        if entry["valid_loss"] < self.best:
            self.best = entry["valid_loss"]
            self.state.save_model(self.folder)
        write_aside(self.folder / "log.jsonl", text.encode())
        self.state.save(self.folder)
        on_check(entry)
