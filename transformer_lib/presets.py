"""Architectures and trainings to begin with; the command line starts here."""

from dataclasses import replace

from transformer_lib.model_config import Architecture
from transformer_lib.train_config import TrainConfig

__all__ = ["PRESETS"]

_TOY = Architecture(
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
PRESETS = {
    "small": (_TOY, TrainConfig(steps=1200, max_lr=1e-2)),
    "full": (_TOY, TrainConfig(steps=8000, max_lr=1e-2)),
    "text": (
        _TEXT,
        TrainConfig(steps=3000, tokens_per_batch=3000, max_lr=2e-3, warmup=300),
    ),
}
