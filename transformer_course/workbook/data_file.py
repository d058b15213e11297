"""What the reader trained as one file of data, `my_translator.json`.

The page "What you have built" reads it and translates with those weights: the
sizes, the tokens, and the weights as float16 under the library's names. How
such a page computes is in book/_static/live/.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence

import numpy as np

from toy_language import corpus
from transformer_course.checks import parts
from transformer_course.workbook.complete import library_names
from transformer_course.workbook.kept import Trained
from transformer_lib.model import Transformer
from transformer_lib.tokenizer import Tokenizer

__all__ = ["DATA", "SIZES", "VERSION", "packed"]

DATA = "my_translator.json"
VERSION = 1
SIZES = (
    "vocab_size", "d_model", "n_heads", "d_ff", "n_layers", "norm_first",
    "max_length",
)  # fmt: skip


def packed(taken: Trained, lent: Sequence[str]) -> bytes:
    """Write trained weights as data that the page can read.

    Args:
        taken: the weights, with their sizes and their tokenizer.
        lent: names of the parts that are the book's.

    Returns:
        The file.

    Raises:
        ValueError: the page cannot run this tokenizer, or a weight is too
            large for float16.
    """
    tokenizer = Tokenizer.load(taken.tokenizer)
    if _rules(tokenizer) != _rules(Tokenizer.words([], corpus.SPELLING)):
        raise ValueError(
            "its tokenizer cuts a text in another way than the page, which "
            "knows whole words as in chapter 15"
        )
    names = library_names(Transformer(taken.sizes))
    return json.dumps(
        {
            "version": VERSION,
            "trained": taken.said,
            "parts": {
                "yours": [name for name in parts.PARTS if name not in lent],
                "the book's": list(lent),
            },
            "sizes": {name: getattr(taken.sizes, name) for name in SIZES},
            "tokens": [tokenizer.token(i) for i in range(len(tokenizer))],
            "weights": {
                names[own]: _halves(own, weight.detach().cpu().numpy())
                for own, weight in taken.weights.items()
            },
        },
        ensure_ascii=False,
    ).encode()


def _rules(tokenizer: Tokenizer) -> list:
    """What a tokenizer does with a text, whatever its words are."""
    told = json.loads(tokenizer.to_json())
    return [told["normalizer"], told["pre_tokenizer"], told["model"]["type"]]


def _halves(name: str, weight: np.ndarray) -> str:
    """Write a tensor as base64 of its float16, in the readers' byte order."""
    with np.errstate(over="ignore"):
        halves = weight.astype("<f2")
    if not np.isfinite(halves).all():
        raise ValueError(f"{name} has a weight that float16 cannot hold")
    return base64.b64encode(halves.tobytes()).decode()
