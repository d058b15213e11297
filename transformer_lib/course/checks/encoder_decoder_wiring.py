"""Two stacks from finished layers, wired rightly or wrongly.

The words that choose a wrong wire stand in `encoder_decoder_mistakes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transformer_lib.course.checks.encoder_decoder_parts import Layer

__all__ = ["assembled"]

Layers = Sequence[Layer]
# An encoder's outputs (its input first), and a decoder's.
Outputs = list[np.ndarray]


def assembled(
    x: np.ndarray,
    y: np.ndarray,
    encoder_layers: Layers,
    decoder_layers: Layers,
    source_mask: np.ndarray,
    target_mask: np.ndarray,
    *,
    encoder: str = "all",
    decoder: str = "all",
    memory: str = "final",
    start: str = "target",
    masks: str = "each its own",
    returns: str = "decoder",
) -> Any:
    """Both stacks, or a wrong assembly; the defaults are right."""
    eyes = _MASKS[masks](source_mask, target_mask)

    def read_source(layer: Layer, x: np.ndarray, i: int) -> np.ndarray:
        late = i and masks == "source in the first"
        return layer(x, None if late else eyes[0])

    below = run(x, encoder_layers, encoder, read_source)
    read = _MEMORY[memory]
    if memory == "zipped":  # a loop over both lists ends with the shorter
        decoder_layers = decoder_layers[: len(encoder_layers)]
    given = _START[start](y, below[-1], x)
    if start == "encoded target":
        given = run(
            y, encoder_layers, "all", lambda layer, y, i: layer(y, eyes[1])
        )[-1]
    top = len(decoder_layers) - 1

    def write(layer: Layer, y: np.ndarray, i: int) -> np.ndarray:
        late = memory == "final in the last layer" and i < top
        seen = below[0] if late else read(below, given, y, i)
        mask = None if i and masks == "target in the first" else eyes[1]
        return layer(y, seen, mask, eyes[2])

    above = run(given, decoder_layers, decoder, write)
    if memory == "one loop inside the other":
        above = [given]
        for x in below[1:]:
            for layer in decoder_layers:
                above.append(layer(above[-1], x, *eyes[1:]))
    return _RETURNS[returns](above, below)


def run(x: np.ndarray, layers: Layers, plan: str, step: Callable) -> Outputs:
    """Send x through a stack; every value on the way, x first."""
    values, order = [x], _ORDER.get(plan, lambda layers: layers)(list(layers))
    if plan in _OTHER:
        made = [step(layer, x, i) for i, layer in enumerate(order)]
        return [x, *made, _OTHER[plan](made)]
    for i, layer in enumerate(order):
        change = step(layer, values[-1], i)
        values.append(_JOIN.get(plan, lambda x, new: new)(values[-1], change))
    return values


# Which layers run, and in which order.
_ORDER = {
    "none": lambda layers: [],
    "first": lambda layers: layers[:1],
    "last": lambda layers: layers[-1:],
    "first again and again": lambda layers: layers[:1] * len(layers),
    "last again and again": lambda layers: layers[-1:] * len(layers),
    "without the first": lambda layers: layers[1:],
    "without the last": lambda layers: layers[:-1],
    "from the top": lambda layers: layers[::-1],
    "twice": lambda layers: layers * 2,
}
# Layers that all read the stack's input, and what is made of their outputs.
_OTHER = {
    "side by side, added": lambda made: sum(made),
    "side by side, mean": lambda made: sum(made) / len(made),
}
_JOIN = {"with a second skip": lambda x, new: x + new}
# What layer i of the decoder reads: (encoder's values, decoder's input,
# what the layer before has made, i).
_MEMORY = {
    "final": lambda below, given, y, i: below[-1],
    "final in the last layer": lambda below, given, y, i: below[-1],
    "one loop inside the other": lambda below, given, y, i: below[-1],
    "same number": lambda below, given, y, i: below[1:][i],
    "zipped": lambda below, given, y, i: below[1:][i],
    "same number, then the last": lambda below, given, y, i: below[1:][
        min(i, len(below) - 2)
    ],
    "mirrored": lambda below, given, y, i: below[1:][-1 - i],
    "input of the same number": lambda below, given, y, i: below[:-1][i],
    "first layer": lambda below, given, y, i: below[1],
    "last but one": lambda below, given, y, i: below[-2],
    "embedding": lambda below, given, y, i: below[0],
    "sum of all": lambda below, given, y, i: sum(below[1:]),
    "mean of all": lambda below, given, y, i: sum(below[1:]) / len(below[1:]),
    "with the embedding": lambda below, given, y, i: below[-1] + below[0],
    "itself": lambda below, given, y, i: y,
    "the decoder's input": lambda below, given, y, i: given,
    "final, then itself": lambda below, given, y, i: y if i else below[-1],
    "final in the first layer": lambda below, given, y, i: (
        below[0] if i else below[-1]
    ),
    "averaged tokens": lambda below, given, y, i: (
        0 * below[-1] + below[-1].mean(axis=0)
    ),
    "last token": lambda below, given, y, i: 0 * below[-1] + below[-1][-1],
}
# What goes into the first decoder layer.
_START = {
    "target": lambda y, memory, x: y,
    "memory": lambda y, memory, x: memory,
    "source": lambda y, memory, x: x,
    "encoded target": lambda y, memory, x: y,
    "target plus memory": lambda y, memory, x: y + memory,
    "target plus mean": lambda y, memory, x: y + memory.mean(axis=0),
}
# (in the encoder, over the target, over the memory).
_MASKS = {
    "each its own": lambda s, t: (s, t, s),
    "exchanged": lambda s, t: (s, s, t),
    "exchanged everywhere": lambda s, t: (t, s, t),
    "target in the encoder": lambda s, t: (t, t, s),
    "target for all": lambda s, t: (t, t, t),
    "target for the decoder": lambda s, t: (s, t, t),
    "source for all": lambda s, t: (s, s, s),
    "none": lambda s, t: (None, None, None),
    "none in the encoder": lambda s, t: (None, t, s),
    "none in the decoder": lambda s, t: (s, None, None),
    "none over the memory": lambda s, t: (s, t, None),
    "none over the source": lambda s, t: (None, t, None),
    "none over the target": lambda s, t: (s, None, s),
    "source turned": lambda s, t: (~s, t, ~s),
    "target turned": lambda s, t: (s, ~t, s),
    "both turned": lambda s, t: (~s, ~t, ~s),
    "future in place of the past": lambda s, t: (s, t.T, s),
    "source in the first": lambda s, t: (s, t, s),
    "target in the first": lambda s, t: (s, t, s),
}
_RETURNS = {
    "decoder": lambda above, below: above[-1],
    "memory": lambda above, below: below[-1],
    "first layer": lambda above, below: above[min(1, len(above) - 1)],
    "target": lambda above, below: above[0],
    "sum": lambda above, below: sum(above[1:]),
    "mean": lambda above, below: sum(above[1:]) / len(above[1:]),
    "with its input": lambda above, below: above[-1] + above[0],
    "with the memory": lambda above, below: above[-1] + below[-1],
    "last token": lambda above, below: above[-1][-1],
    "all layers": lambda above, below: np.stack(above[1:]),
    "softmax": lambda above, below: _softmax(above[-1]),
    "one more norm": lambda above, below: _normed(above[-1]),
}


def _softmax(y: np.ndarray) -> np.ndarray:
    risen = np.exp(y - y.max(axis=-1, keepdims=True))
    return risen / risen.sum(axis=-1, keepdims=True)


def _normed(y: np.ndarray) -> np.ndarray:
    away = y - y.mean(axis=-1, keepdims=True)
    return away / np.sqrt((away**2).mean(axis=-1, keepdims=True) + 1e-5)
