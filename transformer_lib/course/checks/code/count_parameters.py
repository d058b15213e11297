"""The exercise `count_parameters(config)` and how its answers go wrong."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.guard import call_by_position_or_name
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import Probe, finite, shape
from transformer_lib.course.checks.engine.reading import ARRAY
from transformer_lib.course.checks.engine.verdict import Verdict

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


MISTAKES = r"""
tied_tables_counted_three_times
- 1 if
+ 3 if
or
- 1 if
+ 3 if
- else 3
+ else 1
You count the embedding matrix for the source, for the target and for the
output. When they are tied it is one matrix, trained once: {away}.
? How many matrices are in memory if `tie_embeddings` is True?

tied_tables_counted_twice
- 1 if
+ 2 if
You count two matrices where all three are tied: source, target and output
share a single one. {away}.
? How many matrices are in memory if `tie_embeddings` is True?

tie_ignored
- else 3
+ else 1
@ not tied
You always count one matrix. If `tie_embeddings` is False, there are
three: {away}.
? Your formula has to read `config.tie_embeddings`.

two_tables_when_not_tied
- else 3
+ else 2
@ not tied
Not tied, a model has three matrices: one for the source, one for the target,
and one that makes the scores at the end. You count two: {away}.
? Name the three places where a vector and a token meet.

no_tables
- tables *
+ 0 *
The embedding matrix is missing: {away}. In the paper's base model it holds
almost a third of all parameters.
? Each token of the vocabulary has a vector of d_model components, and they are
trained.

positions_counted
- return
+ return config.max_length * d +
or
- return
+ return 2 * config.max_length * d +
You count the positions. Sines and cosines are computed, not trained:
{away}.
? Does training change a sine?

output_bias
- return
+ return config.vocab_size +
You count a bias for the output layer, one for each token. The output is the
embedding matrix alone, without a bias: {away}.
? What does the matrix do at the end of the model? Only multiply.

output_matrix_forgotten
- maps = 4
+ maps = 3
Your attention has three matrices, for queries, keys and values. The fourth
mixes the joined heads: {away}.
? What happens to the heads after they are joined?

too_few_matrices
- maps = 4
+ maps = 1
or
- maps = 4
+ maps = 2
An attention has four matrices of d_model times d_model; you count fewer:
{away}.
? Queries, keys, values, and what comes after the heads are joined.

heads_multiplied
- = maps
+ = config.n_heads * maps
@ other heads
You multiply by the number of heads. The heads share the width: each gets {d} /
{h} of it, so together they have as many parameters as one head of full width.
{away}.
? What is d_k in terms of d_model and the number of heads?

one_head_alone
- maps * (d * d + d)
+ 3 * (d + 1) * (d // config.n_heads) + d * d + d
@ other heads
Your attention counts a single head of width {d} / {h}. There are {h} of them,
and together they are as wide as the model: {away}.
? How many numbers do the queries of all heads have, side by side?

attention_biases_forgotten
- (d * d + d)
+ d * d
or
- (d * d + d)
+ d * d + d
or
- (d * d + d)
+ d * d + 3 * d
The biases of the attentions are missing or not complete: {away}. In this
library each of the four maps has one, of d_model numbers.
? Four maps, four biases.

no_biases
- (d * d + d)
+ d * d
- (d + 1)
+ d
- (inner + 1)
+ inner
No bias is counted, neither in the attentions nor in the feed-forward networks:
{away}.
? A linear map of this library is a matrix and a bias.

matrices_alone
- (d * d + d)
+ d * d
- (d + 1)
+ d
- (inner + 1)
+ inner
- norm = 2 * d
+ norm = 0
You count the matrices alone: no bias, no norm. {away}.
? What else is trained? Look for vectors of d_model numbers.

cross_attention_forgotten
- attention + attention
+ attention
or
- attention + attention
+ attention
- 3 * norm
+ 2 * norm
A decoder layer has two attentions: over its own tokens, and over the encoder's
output. You count one: {away}.
? What does a decoder layer have that an encoder layer lacks?

cross_attention_incomplete
- attention + attention
+ attention + attention * 3 // 4
or
- attention + attention
+ attention + attention // 2
The attention over the encoder's output has fewer maps than the others: {away}.
Its queries come from the target, its keys and values from the memory, and each
of them needs a map of its own in each layer.
? Does the memory come with keys and values, or are they made from it?

feed_forward_biases_forgotten
- (d + 1)
+ d
- (inner + 1)
+ inner
or
- (d + 1)
+ d
A bias of the feed-forward network is missing: {away}. The first map has one of
d_ff numbers, the second one of d_model.
? Two maps, two biases, of different lengths.

a_vector_missing_in_each_layer
- 3 * norm
+ 2 * norm
or
- (inner + 1)
+ inner
Per pair of layers two vectors of d_model numbers are missing: {away}. Either
the second bias of the feed-forward networks is not counted, or the third norm
of the decoder layers, which comes after the cross-attention.
? How many sub-layers has a decoder layer? And how many biases has a
feed-forward network?

feed_forward_biases_of_one_length
- (inner + 1) * d
+ inner * (d + 1)
or
- (d + 1) * inner
+ d * (inner + 1)
Both biases of your feed-forward network have the same length. The first map
ends in {d_ff} numbers, the second in {d}.
? A bias is as long as what its map gives.

one_matrix_in_the_feed_forward_network
- (inner + 1) * d
+ d
Your feed-forward network has one matrix. It has two, one that widens and one
that narrows again: {away}.
? How do the vectors get back from d_ff to d_model numbers?

d_ff_not_read
- config.d_ff
+ 4 * d
or
- config.d_ff
+ d
Your feed-forward network does not use `config.d_ff`. It is four times d_model
in the paper, but here {d_ff} with d_model {d}.
? Read the inner width from the config.

no_feed_forward
- (d + 1) * inner + (inner + 1) * d
+ 0
or
- feed_forward + 3
+ 3
The feed-forward networks are missing: {away}. In the base model they hold 25
million of the 63 million numbers.
? What comes after the attention in each layer?

two_networks_in_a_decoder_layer
- feed_forward + 3
+ 2 * feed_forward + 3
You count a feed-forward network after each attention. A decoder layer has two
attentions and then one network: {away}.
? Read steps 7, 8 and 9 of the corrected list.

step_nine_taken_literally
- (encoder + decoder)
+ (encoder + decoder) - (layers - 1) * feed_forward
or
- (encoder + decoder)
+ (encoder + decoder) - (layers - 1) * (feed_forward + norm)
@ three layers
Your decoder has a single feed-forward network for all {n} layers, as if only
the two attentions were repeated: {away}. Each layer has its own.
? Read step 9 of the list once more, and your own correction of it.

no_norms
- norm = 2 * d
+ norm = 0
The norms are missing: {away}. Each has a gain and a bias of d_model numbers,
and they are trained.
? Chapter 6: what does a layer norm learn?

half_a_norm
- norm = 2 * d
+ norm = d
or
- norm = 2 * d
+ norm = 2
A norm trains a gain and a bias for each of the d_model features; you count
fewer: {away}.
? Chapter 6: what does a layer norm learn, and for how many features?

one_norm_a_layer
- 2 * norm
+ norm
- 3 * norm
+ norm
You count one norm for each layer. There is one for each *sub-layer*: {away}.
? How many sub-layers has an encoder layer, and how many a decoder layer?

norms_of_the_other_stack
- 2 * norm
+ 3 * norm
You count three norms in every layer. An encoder layer has two sub-layers and
so two norms: {away}.
? How many sub-layers has an encoder layer, and how many a decoder layer?

last_norms_forgotten
- 2 if
+ 0 if
or
- 2 if
+ 1 if
@ pre-norm
With pre-norm there is one more norm at the end of each stack: {away}.
? Your formula has to read `config.norm_first`.

last_norm_in_each_layer
- 2 if
+ 2 * layers if
or
- 2 if
+ 5 * layers if
@ pre-norm
With pre-norm you count more norms in each *layer*. The sub-layers have as many
as before, in another place; what comes on top is one norm at the end of each
*stack*: {away}.
? How many norms come on top in a model of six layers? Two.

last_norms_in_post_norm
- else 0
+ else 2
or
- 2 if
+ 0 if
- else 0
+ else 2
You count a norm at the end of each stack although the model is post-norm,
where the last sub-layer ends with a norm already: {away}. Some libraries do
that too; the paper does not.
? Your formula has to read `config.norm_first`.

layers_not_multiplied
- config.n_layers
+ 1
@ three layers
You count one encoder layer and one decoder layer. Each stack has {n} of them,
with weights of their own: {away}.
? Which number of the config have you not used?

layers_divided
- (encoder + decoder)
+ (encoder + decoder) // 2
`n_layers` is the number of layers in *each* stack, not in both together:
{away}.
? The paper's base model has N layers on the left and N on the right.

one_stack_only
- (encoder + decoder)
+ encoder
or
- (encoder + decoder)
+ decoder
You count one of the two stacks, and the other is missing: {away}.
? A Transformer has an encoder and a decoder.

two_equal_stacks
- (encoder + decoder)
+ 2 * decoder
You count two decoders. An encoder layer has one sub-layer less than a decoder
layer: {away}.
? What does a decoder layer have that an encoder layer lacks?

six_layers_always
- config.n_layers
+ 6
You count six layers in each stack whatever the config says; here it says {n}.
? Read the number of layers from the config.

config_not_read
- d = config.d_model
+ config = Sizes(37_000)
+ d = config.d_model
or
- d = config.d_model
+ config = Sizes(37_000, tie_embeddings=config.tie_embeddings)
+ d = config.d_model
or
- d = config.d_model
+ tied, norm_first = config.tie_embeddings, config.norm_first
+ config = Sizes(37_000, norm_first=norm_first, tie_embeddings=tied)
+ d = config.d_model
or
- d = config.d_model
+ config = Sizes(config.vocab_size)
+ d = config.d_model
Your count is that of the paper's base model, whatever the config says. Perhaps
your function uses `d`, `d_ff`, `N` and `V` of an earlier cell instead of its
input.
? The example says which d_model its config has. Which line of yours reads it?

a_table_in_each_layer
- tables *
+ (tables + layers - 1) *
@ three layers
You count the embedding matrix once for each layer. It stands below the stacks:
{away}.
? Which part of your sum belongs outside the product with n_layers?
"""

EXERCISE = Exercise(
    name="count_parameters",
    inputs=("config",),
    asked="`count_parameters(config)` returns how many parameters a model of "
    "this configuration trains. Read `config.vocab_size`, `d_model`, `d_ff`, "
    "`n_layers`, `tie_embeddings` and `norm_first`.",
    praise="Your formula counts tiny models and the paper's base model "
    "right, tied or not, with post-norm and with pre-norm.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
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
)
