"""The translator as a script for the page: weights, tokenizer, confidence.

`Live.receive({...})` is called with everything that book/_static/live/ needs
of the shipped model; nothing of it is written down there. float16 halves the
file and changes one translation in some thousands; tests/browser measures it.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from transformer_lib.confidence import MOST_LOST, MOST_STRANGE, Confidence
from transformer_lib.confidence.familiarity import BASE, RUN
from transformer_lib.confidence.trust import VALUES
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.translator import Translator

__all__ = ["MEASURED", "measured", "model_data", "tokenizer_data"]

MEASURED = Path(__file__).parents[3] / "benchmarks/results/typed_sentences.json"
UNSEEN = ("free", "fresh")  # the lists by which nothing was chosen

DTYPES = ("float32", "float16", "int8")
CONFIG = ("vocab_size", "d_model", "n_heads", "d_ff", "n_layers",
          "norm_first", "max_length")  # fmt: skip


def model_data(translator: Translator, dtype: str = "float16") -> dict:
    """Return all that the page needs to compute what the translator does.

    Args:
        translator: the model to show, with a tokenizer of whole words.
        dtype: of the weights in the page, one of `DTYPES`. int8 is for the
            matrices, with a scale for each row.

    Returns:
        JSON content: config, parts (name, dtype, size) of the base64 data,
        tokenizer, and the constants of the confidence, None without one.

    Raises:
        ValueError: another dtype, or a tokenizer that the page cannot run.
    """
    if dtype not in DTYPES:
        raise ValueError(f"dtype={dtype!r}; choose one of {DTYPES}")
    arrays = dict(_weights(translator, dtype))
    confidence = translator.confidence
    if confidence:
        arrays |= _confidence(confidence)
    config = translator.model.config
    return {
        "config": {name: getattr(config, name) for name in CONFIG},
        "tokenizer": tokenizer_data(translator.tokenizer),
        "constants": confidence and {
            "run": RUN, "base": BASE,
            "most_strange": MOST_STRANGE, "most_lost": MOST_LOST,
        },
        "parts": [
            {"name": name, "dtype": array.dtype.name, "size": array.size}
            for name, array in arrays.items()
        ],
        "data": base64.b64encode(
            b"".join(_little(array).tobytes() for array in arrays.values())
        ).decode(),
    }  # fmt: skip


def measured() -> dict[str, list[int]]:
    """Return how many typed sentences are translated wrongly.

    Returns:
        For each value of trust: how many are wrong, and of how many.
    """
    result = json.loads(MEASURED.read_text(encoding="utf-8"))
    tables = [result[name]["table"] for name in UNSEEN if name in result]
    return {
        value: [
            sum(table["wrong"][value] for table in tables),
            sum(kind[value] for table in tables for kind in table.values()),
        ]
        for value in VALUES
    }


def _weights(
    translator: Translator, dtype: str
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the parameters by name, and the scales of int8.

    Vectors are small and matter much: they stay float16 beside int8.
    """
    for name, parameter in translator.model.named_parameters():
        array = parameter.detach().numpy()
        if dtype != "int8" or array.ndim == 1:
            wanted = "float16" if dtype == "int8" else dtype
            yield f"model.{name}", array.astype(wanted)
            continue
        scales = np.abs(array).max(axis=1) / 127 + 1e-12
        quantized = np.round(array / scales[:, None]).astype("int8")
        yield f"model.{name}", quantized
        yield f"scales.{name}", scales.astype("float32")


def _confidence(confidence: Confidence) -> dict[str, np.ndarray]:
    return {
        name: np.atleast_1d(tensor.numpy())
        for name, tensor in confidence.tensors().items()
    }


def _little(array: np.ndarray) -> np.ndarray:
    """Put the bytes in the order of the readers' processors."""
    return array.astype(array.dtype.newbyteorder("<"))


def tokenizer_data(tokenizer: Tokenizer) -> dict:
    """Return the rules of a tokenizer of whole words.

    Args:
        tokenizer: made by `Tokenizer.words`.

    Returns:
        The tokens by id; (pattern, text) replacements, to be applied in
        order to the lower-case text; the pattern of what becomes a token of
        its own inside a word.

    Raises:
        ValueError: the tokenizer takes other steps than these.
    """
    rules = json.loads(tokenizer.to_json())
    steps = _steps(rules["normalizer"], "normalizers")
    cuts = _steps(rules["pre_tokenizer"], "pretokenizers")
    kinds = [step["type"] for step in (*steps, *cuts)]
    wanted = ["NFC", "Lowercase", *["Replace"] * (len(steps) - 2),
              "WhitespaceSplit", "Split"]  # fmt: skip
    if rules["model"]["type"] != "WordLevel" or kinds != wanted:
        raise ValueError(
            f"the page can run a tokenizer of whole words; this one is a "
            f"{rules['model']['type']} that takes the steps {kinds}"
        )
    return {
        "tokens": [tokenizer.token(index) for index in range(len(tokenizer))],
        "replacements": [
            [step["pattern"]["Regex"], step["content"]] for step in steps[2:]
        ],
        "cut": cuts[1]["pattern"]["Regex"],
    }


def _steps(stage: dict | None, name: str) -> list[dict]:
    """Return the steps of a stage that may be none, one or a sequence."""
    if stage is None:
        return []
    return stage[name] if stage["type"] == "Sequence" else [stage]
