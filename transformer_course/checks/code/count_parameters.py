"""The exercise `count_parameters(config)` and how its answers go wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.guard import call_by_position_or_name
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import Probe, finite, shape
from transformer_course.checks.engine.reading import ARRAY
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "Sizes", "count_parameters"]


def count_parameters(function: Any) -> Verdict:
    """Check a function `count_parameters(config)`.

    It gets an object with the attributes of `TransformerConfig` and returns
    how many parameters such a model trains: embeddings, attentions with their
    biases, feed-forward networks with theirs, and norms. Positions are sines
    and cosines, and d_k is d_model / n_heads.

    Args:
        function: takes a config, returns a whole number.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3 and Table 3. Chapter 11.
    """
    return judge(EXERCISE, function)


def solution(config):
    d = config.d_model
    inner = config.d_ff
    layers = config.n_layers
    maps = 4
    attention = maps * (d * d + d)
    feed_forward = (d + 1) * inner + (inner + 1) * d
    norm = 2 * d
    encoder = attention + feed_forward + 2 * norm
    decoder = attention + attention + feed_forward + 3 * norm
    tables = 1 if config.tie_embeddings else 3
    words = tables * config.vocab_size * d
    last = 2 if config.norm_first else 0
    return words + layers * (encoder + decoder) + last * norm


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


def _play(answer: Callable, fields: dict) -> Any:
    config = Sizes(**fields)
    try:
        return call_by_position_or_name(answer, (config,), ("config",))
    finally:
        fields.update(vars(config))  # a change of the config is to be seen


def _case(name: str, *sizes: int, basic: bool = True, **more: Any) -> Case:
    return Case(name, (asdict(Sizes(*sizes, **more)),), basic)


CASES = (
    _case("one layer", 7, 4, 2, 10, 1, max_length=9),
    _case("three layers", 11, 6, 2, 10, 3, max_length=8),
    _case("not tied", 11, 6, 2, 10, 3, max_length=8, tie_embeddings=False),
    _case("pre-norm", 11, 6, 2, 10, 2, max_length=8, norm_first=True),
    _case("other heads", 5, 12, 3, 7, 2, max_length=6),
    _case("base", 37_000, basic=False),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: by how much the count is off."""
    if got.shape != want.shape or not np.isfinite(got).all():
        return {}
    away = round(float(got - want))
    (config,) = case.args
    return {
        "away": f"{abs(away):,} too {'many' if away > 0 else 'few'}",
        "d": config["d_model"],
        "d_ff": config["d_ff"],
        "n": config["n_layers"],
        "h": config["n_heads"],
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
    (config,) = args
    names = ("vocab_size", "d_model", "n_heads", "d_ff", "n_layers")
    sizes = ", ".join(f"{name}={config[name]}" for name in names)
    flags = f"tie_embeddings={config['tie_embeddings']}"
    return f"{sizes},\n{flags}, norm_first={config['norm_first']}"


def _one_more(seed: int) -> Case:
    draw = np.random.default_rng(seed)
    words, width, inner, layers = map(int, draw.integers(2, 20, size=4))
    sizes = words + 5, 2 * width, 2, inner, layers
    return _case("one more", *sizes, max_length=8, norm_first=bool(seed % 2))


EXERCISE = Exercise(
    name="count_parameters",
    inputs=("config",),
    asked="`count_parameters(config)` returns how many parameters a model of "
    "this configuration trains. Read `config.vocab_size`, `d_model`, `d_ff`, "
    "`n_layers`, `tie_embeddings` and `norm_first`.",
    praise="Your formula counts tiny models and the paper's base model "
    "right, tied or not, with post-norm and with pre-norm.",
    cases=CASES,
    draw=_one_more,
    solve=Reference(solution),
    properties=(shape, finite, _whole),
    hints=(
        "Count one attention, one feed-forward network and one norm first, "
        "each with its biases. Then say how many of each a layer has, and how "
        "many layers there are.",
        "An encoder layer holds one attention, one feed-forward network and "
        "two norms; a decoder layer two attentions, one feed-forward network "
        "and three norms. Tied embeddings count once. Pre-norm has one more "
        "norm at the end of each stack.",
    ),
    play=_play,
    facts=_facts,
    show_inputs=_show,
    on_the_way={
        "d": "`d_model`",
        "layers": "`n_layers`",
        "attention": "the parameters of one attention",
        "feed_forward": "the parameters of one feed-forward network",
        "norm": "the parameters of one norm",
        "encoder": "the parameters of one encoder layer",
        "decoder": "the parameters of one decoder layer",
        "words": "the parameters of the tables of words",
        "encoder + decoder": "the parameters of one layer of each kind",
        "layers * (encoder + decoder)": "the parameters of all layers",
    },
)
