"""What a folder holds of a training: how it is begun, and read again.

A run's folder holds ``run.json`` (data and choices), ``tokenizer.json``,
the checkpoint "last" (to resume), the checkpoint "model" (weights with the
lowest validation loss, to translate) and ``log.jsonl``; a run that averages
has the weights of its last evaluations, too: "snapshot0", "snapshot1" ...
One that can be made longer may have "earlier": what "model" was before its
last step.
"""

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self

from transformer_lib import distributed
from transformer_lib.batching import IdPair
from transformer_lib.files import atomic_write, read_json, write_json
from transformer_lib.longer_run import check_longer, take_back
from transformer_lib.model_config import Architecture
from transformer_lib.pretrained import Pretrained
from transformer_lib.run_data import marks, moved, read_again
from transformer_lib.run_folder import (
    LOCK,
    is_free,
    lock_of,
    read_log,
    returned_on_failure,
    take,
)
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.train_config import TrainConfig
from transformer_lib.train_state import TrainState
from transformer_lib.training_data import (
    Line,
    TrainingData,
    encode_lines,
    fingerprint,
)
from transformer_lib.validation import check_int

__all__ = ["StoredRun"]

Parts = tuple[list[Line], list[Line]]  # to train on, and to validate on


@dataclass
class StoredRun:
    """A run as its folder holds it; a `Run`, which trains, is one.

    Args: as for `Run`.

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
    ) -> Self:
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

        def new(lines: Parts) -> tuple[TrainState, Tokenizer, list[str]]:
            tokenizer = data.tokenizer(lines[0], architecture.max_length)
            model_config = architecture.config(len(tokenizer))
            state = TrainState.create(model_config, config, device)
            return state, tokenizer, []

        return cls._start(folder, data, new, eval_interval, average)

    @classmethod
    def start_from(
        cls,
        folder: str | Path,
        model: str | Path,
        data: TrainingData,
        config: TrainConfig,
        device: str = "cpu",
        eval_interval: int = 250,
        average: int | None = None,
    ) -> Self:
        """Prepare a run that begins with the weights of a trained model.

        Its tokenizer, its sizes and its dropout stay; the optimizer, the
        schedule and the steps begin anew. The run has all that it needs: the
        model's folder may go.

        Args:
            folder: a new or an empty one.
            model: the folder of the trained model, as for `Translator.load`.
            data: where the sentence pairs come from; its vocab_size counts
                for nothing.
            config: how to train.
            device: "cpu" or "cuda".
            eval_interval: see `Run`.
            average: see `Run`.

        Returns:
            The run, before its first step.

        Raises:
            ValueError: as for `start`; the model is damaged; or more than a
                tenth of the words of the data are not in its vocabulary.
            OSError: there is no model, or a file cannot be read or written.
        """
        trained = Pretrained.load(model)
        tokenizer = trained.tokenizer

        def known(lines: Parts) -> tuple[TrainState, Tokenizer, list[str]]:
            notes = trained.check_words([*lines[0], *lines[1]])
            state = TrainState.begin(trained.model.to(device), config)
            return state, tokenizer, notes

        data = replace(data, vocab_size=len(tokenizer))
        origin = {"model": trained.folder, "sha256": trained.sha256}
        return cls._start(
            folder, data, known, eval_interval, average, {"from": origin}
        )

    @classmethod
    def _start(
        cls,
        folder: str | Path,
        data: TrainingData,
        make: Callable[[Parts], tuple[TrainState, Tokenizer, list[str]]],
        eval_interval: int,
        average: int | None,
        about: dict | None = None,
    ) -> Self:
        """Read the data, make what learns, and write the folder."""
        folder = Path(folder)
        lock = lock_of(folder)
        with returned_on_failure(lock):
            if (folder / LOCK).exists():  # else it may not be a run's folder
                take(lock, folder)
            _check_free(folder)
            notes: list[str] = []
            lines = data.read(notes.append)
            state, tokenizer, more = make(lines)
            pairs, valid, dropped = _encode(tokenizer, lines, state, data)
            run = cls(
                folder,
                data,
                state,
                tokenizer,
                pairs,
                valid,
                eval_interval,
                average,
                notes=[*notes, *more, *dropped],
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
                "lines": marks(lines),
                "eval_interval": eval_interval,
            }
            run._write(content | (about or {}))
            return run

    @classmethod
    def resume(
        cls,
        folder: str | Path,
        device: str = "cpu",
        steps: int | None = None,
        *,
        source: str | Path | None = None,
        target: str | Path | None = None,
        valid_source: str | Path | None = None,
        valid_target: str | Path | None = None,
        pairs: str | Path | None = None,
    ) -> Self:
        """Continue a run from its last checkpoint.

        With more steps, and the schedule "noam", it becomes the run that was
        begun with so many: the same weights, bit for bit, in all checkpoints,
        and the same log but for its speed. What only the end of a run does
        (the evaluation at a last step between two others, the average) is
        taken back.

        Args:
            folder: of a run.
            device: "cpu" or "cuda".
            steps: a larger number of updates; else as many as before.
            source, target, valid_source, valid_target, pairs: where the files
                are now, if they have moved: all that the run has, or none.
                The run remembers the new places.

        Returns:
            The run as it was when it last saved.

        Raises:
            OSError: the folder holds no run, or a file of the data is gone.
            ValueError: the checkpoint is damaged, the data has changed,
                another training is writing there, or the run cannot have so
                many steps.
        """
        folder = Path(folder)
        content = read_json(folder / "run.json")
        files = {
            "source": source,
            "target": target,
            "valid_source": valid_source,
            "valid_target": valid_target,
            "pairs": pairs,
        }
        lock = lock_of(folder)
        with returned_on_failure(lock):
            if distributed.rank() == 0:
                with contextlib.suppress(OSError):  # to look is allowed
                    take(lock, folder)
            return cls._resume(folder, content, device, files, steps)

    @classmethod
    def _resume(
        cls,
        folder: Path,
        content: dict,
        device: str,
        files: Mapping[str, str | Path | None],
        steps: int | None,
    ) -> Self:
        """Read what a run has left, and change what shall be changed."""
        path = folder / "run.json"
        try:
            data = TrainingData.of_run(content["data"])
            digest, eval_interval = content["sha256"], content["eval_interval"]
            average = content.get("average_up_to", content["average"])
        except (KeyError, TypeError) as error:
            raise ValueError(f"{path} is damaged: {error}") from None
        notes: list[str] = []
        place = moved(data, files, folder)
        went = place != data
        lines = read_again(
            place, went, folder, digest, content.get("lines"), notes.append
        )
        state = TrainState.load(folder, device)
        if steps is not None:
            check_longer(folder, state.config, steps)
        tokenizer = Tokenizer.load(folder / "tokenizer.json")
        pairs, valid, dropped = _encode(tokenizer, lines, state, place)
        if steps not in (None, state.config.steps):
            state.config = replace(state.config, steps=steps)
            if distributed.rank() == 0:
                take_back(folder, eval_interval, state.config.steps)
                state.save(folder)
        best, more = _best(folder, state)
        run = cls(
            folder,
            place,
            state,
            tokenizer,
            pairs,
            valid,
            eval_interval,
            average,
            best,
            [*notes, *dropped, *more],
        )
        if distributed.rank() == 0 and (went or steps is not None):
            run._write(content | {"data": asdict(place)})
        return run

    def _write(self, content: dict) -> None:
        """Write run.json: what is given, and how many it will average."""
        n = self._n_averaged(self.state.config.steps)
        counts = {"average": n or None, "average_up_to": self.average}
        write_json(self.folder / "run.json", content | counts)

    def _n_averaged(self, step: int) -> int:
        """Return how many evaluations' weights there are up to a step."""
        n_done = math.ceil(step / self.eval_interval)
        return 0 if self.average is None else min(self.average, n_done)


def _check_free(folder: Path) -> None:
    if not is_free(folder):
        raise ValueError(
            f"{folder} already holds something; continue it with "
            "--resume or choose another folder"
        )


def _best(folder: Path, state: TrainState) -> tuple[float, list[str]]:
    """Return the lowest loss of the log, and what to say if it is lost."""
    log = [x for x in read_log(folder, state.step) if "train_loss" in x]
    model = folder / "model.json"
    if log and not model.exists() and state.step < state.config.steps:
        return math.inf, [
            f"{model} is missing: the best of the evaluations that follow is "
            "kept"
        ]
    return min((x["valid_loss"] for x in log), default=math.inf), []


def _encode(
    tokenizer: Tokenizer,
    lines: Parts,
    state: TrainState,
    data: TrainingData,
) -> tuple[list[IdPair], list[IdPair], list[str]]:
    """Return training and validation pairs as ids, and notes about them."""
    limit = state.model_config.max_length
    pairs, notes = encode_lines(tokenizer, lines[0], limit, data.skip_long)
    valid, more = encode_lines(tokenizer, lines[1], limit, data.skip_long)
    return pairs, valid, notes + more
