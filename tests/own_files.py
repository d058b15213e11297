"""A reader's translator as a file, sound and spoilt."""

import base64
import json
from dataclasses import replace

import torch

from transformer_lib.model import Transformer
from transformer_lib.translator import Translator


def a_file():
    """Return a small and sound file, as data."""
    tokens = ["<pad>", "<bos>", "<eos>", "<unk>", "the", "<b>", "constructor"]
    sizes = {"vocab_size": 7, "d_model": 4, "n_heads": 2, "d_ff": 3,
             "n_layers": 1, "max_length": 9, "norm_first": False}  # fmt: skip
    config = replace(Translator.shipped().model.config, **sizes)
    torch.manual_seed(2)  # it writes each of its words
    weights = {
        name: base64.b64encode(value.numpy().astype("<f2").tobytes()).decode()
        for name, value in Transformer(config)
        .requires_grad_(False)
        .named_parameters()
    }
    parts = {"yours": ["LayerNorm"], "the book's": []}
    return {"version": 1, "trained": "what it learned", "parts": parts,
            "sizes": sizes, "tokens": tokens, "weights": weights}  # fmt: skip


def spoilt(where, what):
    """Return the sound file with something else at one place."""
    data = a_file()
    *way, last = where.split(" ")
    there = data
    for name in way:
        there = there[name]
    there[int(last) if isinstance(there, list) else last] = what
    return json.dumps(data)
