"""The exercise `count_parameters(config)` and how its answers go wrong."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from transformer_lib.course.checks.count_parameters_mistakes import MISTAKES
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import Probe, finite, shape
from transformer_lib.course.checks.engine.reading import ARRAY
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "Sizes", "count_parameters", "counted"]


def count_parameters(function: Any) -> Verdict:
    """Check a function `count_parameters(config)`.

    It gets an object with the attributes of `TransformerConfig` and returns
    how many numbers such a model trains: token tables, attentions with their
    biases, feed-forward networks with theirs, and norms. Positions are sines
    and cosines, and d_k is d_model / n_heads.

    Args:
        function: takes a config, returns a whole number.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3 and Table 3. Chapter 11.
    """
    _load_meta()
    return judge(EXERCISE, function)


def _load_meta() -> None:
    """Load what torch's meta device needs, if torch is in use.

    An answer may count a model built there, as the library does. The first
    time torch imports hundreds of modules for it, which takes seconds on a
    busy machine; the time limit is for the student's own work.
    """
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.empty(1, device="meta").normal_()


@dataclass(frozen=True)
class Sizes:
    """A configuration without torch: the fields of `TransformerConfig`."""

    vocab_size: int
    d_model: int = 512
    n_heads: int = 8
    d_ff: int = 2048
    n_layers: int = 6
    dropout: float = 0.1
    norm_first: bool = False
    tie_embeddings: bool = True
    max_length: int = 512
    d_k: int | None = None
    learned_positions: bool = False


def counted(
    config: Any,
    *,
    tables: str = "as tied",
    attention: str = "right",
    attention_bias: str = "all",
    heads: str = "share the width",
    feed_forward: str = "right",
    norm: str = "gain and bias",
    norms: str = "2 and 3",
    last_norms: str = "pre-norm",
    layers: str = "both stacks",
    more: str = "nothing",
    sizes: str = "read",
) -> int:
    """Count the parameters, or miscount them; the defaults are right."""
    config = _SIZES[sizes](config)
    d, inner, n = config.d_model, config.d_ff, config.n_layers
    matrices = _MATRICES[attention]
    biases = _BIASES[attention_bias] * (matrices / 4)
    attend = matrices * d * d + int(biases * d)
    attend *= _HEADS[heads](config.n_heads)
    if heads == "one alone":  # three maps to the width of one head
        attend = 3 * (d + 1) * (d // config.n_heads) + d * d + d
    feed = _FEED[feed_forward](d, inner)
    scale = _NORM[norm](d)
    in_encoder, in_decoder = _NORMS[norms]
    encoder = attend + feed + in_encoder * scale
    decoder = 2 * attend + feed + in_decoder * scale
    stacks = _LAYERS[layers](n, encoder, decoder, attend, feed, scale)
    words = _TABLES[tables](config) * config.vocab_size * d
    last = _LAST[last_norms](config.norm_first) * scale
    if last_norms == "one a layer" and config.norm_first:
        last = 2 * n * scale
    if last_norms == "twice as many" and config.norm_first:
        last = n * (in_encoder + in_decoder) * scale
    return words + stacks + last + _MORE[more](config)


_TABLES = {
    "as tied": lambda c: 1 if c.tie_embeddings else 3,
    "always one": lambda c: 1,
    "always three": lambda c: 3,
    "two when tied": lambda c: 2 if c.tie_embeddings else 3,
    "two when not tied": lambda c: 1 if c.tie_embeddings else 2,
    "turned": lambda c: 3 if c.tie_embeddings else 1,
    "none": lambda c: 0,
}
_MATRICES = {"right": 4, "without the output": 3, "one": 1, "two": 2}
_BIASES = {"all": 4, "none": 0, "of the output alone": 1, "three": 3}
_HEADS = {
    "share the width": lambda h: 1,
    "full width each": lambda h: h,
    "one alone": lambda h: 1,
}
_FEED = {
    "right": lambda d, f: 2 * d * f + f + d,
    "no biases": lambda d, f: 2 * d * f,
    "outer bias forgotten": lambda d, f: 2 * d * f + f,
    "inner bias forgotten": lambda d, f: 2 * d * f + d,
    "two inner biases": lambda d, f: 2 * d * f + 2 * f,
    "two outer biases": lambda d, f: 2 * d * f + 2 * d,
    "one matrix": lambda d, f: d * f + f + d,
    "four times d": lambda d, f: 8 * d * d + 5 * d,
    "square": lambda d, f: 2 * (d * d + d),
    "none": lambda d, f: 0,
}
_NORM = {
    "gain and bias": lambda d: 2 * d,
    "gain alone": lambda d: d,
    "two numbers": lambda d: 2,
    "none": lambda d: 0,
}
_NORMS = {
    "2 and 3": (2, 3),
    "2 and 2": (2, 2),
    "3 and 3": (3, 3),
    "1 and 1": (1, 1),
}
_LAST = {
    "pre-norm": lambda norm_first: 2 if norm_first else 0,
    "never": lambda norm_first: 0,
    "always": lambda norm_first: 2,
    "one": lambda norm_first: 1 if norm_first else 0,
    "post-norm": lambda norm_first: 0 if norm_first else 2,
    "one a layer": lambda norm_first: 0,
    "twice as many": lambda norm_first: 0,
}
_LAYERS = {
    "both stacks": lambda n, e, d, a, f, s: n * (e + d),
    "one of each": lambda n, e, d, a, f, s: e + d,
    "encoder alone": lambda n, e, d, a, f, s: n * e,
    "decoder alone": lambda n, e, d, a, f, s: n * d,
    "decoder twice": lambda n, e, d, a, f, s: 2 * n * d,
    "n in all": lambda n, e, d, a, f, s: n * (e + d) // 2,
    "cross without": lambda n, e, d, a, f, s: n * (e + d - a),
    "cross and norm without": lambda n, e, d, a, f, s: n * (e + d - a - s),
    "cross without queries": lambda n, e, d, a, f, s: n * (e + d - a // 4),
    "cross without keys": lambda n, e, d, a, f, s: n * (e + d - a // 2),
    "two networks in the decoder": lambda n, e, d, a, f, s: n * (e + d + f),
    "six": lambda n, e, d, a, f, s: 6 * (e + d),
    "step 9": lambda n, e, d, a, f, s: n * (e + d) - (n - 1) * f,
    "step 9 with norm": lambda n, e, d, a, f, s: (
        n * (e + d) - (n - 1) * (f + s)
    ),
    "decoder without feed-forward": lambda n, e, d, a, f, s: n * (e + d - f),
}
_SIZES = {
    "read": lambda c: c,
    "base": lambda c: Sizes(37_000),
    "base, tied or not": lambda c: replace(
        Sizes(37_000), tie_embeddings=c.tie_embeddings
    ),
    "base, all flags": lambda c: replace(
        Sizes(37_000),
        tie_embeddings=c.tie_embeddings,
        norm_first=c.norm_first,
    ),
    "base but the vocabulary": lambda c: Sizes(c.vocab_size),
}
_MORE = {
    "nothing": lambda c: 0,
    "a table in each layer": lambda c: (
        (c.n_layers - 1) * c.vocab_size * c.d_model
    ),
    "sines": lambda c: c.max_length * c.d_model,
    "sines twice": lambda c: 2 * c.max_length * c.d_model,
    "output bias": lambda c: c.vocab_size,
}

_TINY = Sizes(11, 6, 2, 10, 3, max_length=8)
_CASES = (
    Case("one layer", (Sizes(7, 4, 2, 10, 1, max_length=9),)),
    Case("three layers", (_TINY,)),
    Case("not tied", (replace(_TINY, tie_embeddings=False),)),
    Case("pre-norm", (replace(_TINY, norm_first=True, n_layers=2),)),
    Case("other heads", (Sizes(5, 12, 3, 7, 2, max_length=6),)),
    Case("base", (Sizes(37_000),), basic=False),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: by how much the count is off."""
    if got.shape != want.shape or not np.isfinite(got).all():
        return {}
    away = round(float(got - want))
    (config,) = case.args
    return {
        "away": f"{abs(away):,} too {'many' if away > 0 else 'few'}",
        "d": str(config.d_model),
        "d_ff": str(config.d_ff),
        "n": str(config.n_layers),
        "h": str(config.n_heads),
    }


def _whole(probe: Probe) -> str | None:
    """A count is a whole number."""
    if probe.got.kind != ARRAY or probe.got.whole:
        return None
    return (
        "The first thing that breaks: a count of numbers must be a whole "
        "number. Is there a division that should be a `//`?"
    )


def _show(args: tuple) -> str:
    config = args[0]
    names = ("vocab_size", "d_model", "n_heads", "d_ff", "n_layers")
    sizes = ", ".join(f"{name}={getattr(config, name)}" for name in names)
    flags = f"tie_embeddings={config.tie_embeddings}"
    return f"{sizes},\n{flags}, norm_first={config.norm_first}"


EXERCISE = Exercise(
    name="count_parameters",
    inputs=("config",),
    asked="`count_parameters(config)` returns how many numbers a model of "
    "this configuration trains. Read `config.vocab_size`, `d_model`, `d_ff`, "
    "`n_layers`, `tie_embeddings` and `norm_first`.",
    praise="Your formula counts tiny models and the paper's base model "
    "right, tied or not, with post-norm and with pre-norm.",
    cases=_CASES,
    solve=counted,
    catalogue=MISTAKES,
    properties=(shape, finite, _whole),
    hints=(
        "Count one attention, one feed-forward network and one norm first, "
        "each with its biases. Then say how many of each a layer has, and how "
        "many layers there are.",
        "An encoder layer holds one attention, one feed-forward network and "
        "two norms; a decoder layer two attentions, one feed-forward network "
        "and three norms. A tied table counts once. Pre-norm has one more "
        "norm at the end of each stack.",
    ),
    facts=_facts,
    show_inputs=_show,
)
