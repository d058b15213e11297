"""Between two checks: what a run learned, and whether it is still sane."""

from pathlib import Path

from transformer_lib.train_state import TrainState
from transformer_lib.training import Record


class Progress:
    """The records since the last checkpoint.

    They are read when a check asks for them; until then no GPU is waited
    for.

    Args:
        state: as the last checkpoint has it. Its note holds what was learned
            between the last check and that checkpoint.
    """

    def __init__(self, state: TrainState):
        self._saved = state.step
        self._before = state.note.get("total", 0.0), state.note.get("count", 0)
        self.records: list[Record] = []

    def learned(self) -> tuple[float, int]:
        """Return the losses since the last check: their sum and count."""
        total, count = self._before
        for record in self.records:
            total += float(record.loss) * record.tokens
            count += record.tokens
        return total, count

    def look(self, state: TrainState, folder: Path) -> None:
        """Look for what is no longer a number; to do before every save.

        A loss is computed before its update, so a good last loss may stand
        beside bad weights: both are looked at.

        Args:
            state: as it would be saved.
            folder: of the run, for the message.

        Raises:
            ValueError: a loss or a weight is NaN or infinite.
        """
        for record in self.records:
            if not record.loss.isfinite():
                raise self.failure(f"the loss is {record.loss}", record, folder)
        if self.records and not state.is_finite():
            raise self.failure(
                "a weight is NaN or infinite", self.records[-1], folder
            )

    def failure(self, what: str, record: Record, folder: Path) -> ValueError:
        """Return an error with the step, its rate and the last checkpoint.

        Args:
            what: what is no longer a number.
            record: of the update where it showed.
            folder: of the run.
        """
        return ValueError(
            f"{what} at step {record.step}, learning rate {record.rate:.2e}; "
            f"the last good checkpoint is that of step {self._saved} in "
            f"{folder}: start again with a lower rate"
        )
