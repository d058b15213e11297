"""Known wrong answers to the exercise `count_parameters(config)`.

The words in braces are filled in by `about_count_parameters` from the shown
example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]


_TABLES = (
    Mistake(
        "tied_tables_counted_three_times",
        "You count the token table for the source, for the target and for "
        "the output. When they are tied it is one table, trained once: "
        "{away}.",
        "How many tables are in memory if `tie_embeddings` is True?",
        ({"tables": "always three"}, {"tables": "turned"}),
    ),
    Mistake(
        "tied_tables_counted_twice",
        "You count two token tables where all three are tied: source, target "
        "and output share a single one. {away}.",
        "How many tables are in memory if `tie_embeddings` is True?",
        ({"tables": "two when tied"},),
    ),
    Mistake(
        "tie_ignored",
        "You always count one token table. If `tie_embeddings` is False, "
        "there are three: {away}.",
        "Your formula has to read `config.tie_embeddings`.",
        ({"tables": "always one"},),
        on="not tied",
    ),
    Mistake(
        "two_tables_when_not_tied",
        "Not tied, a model has three tables: one for the source, one for the "
        "target, and one that makes the scores at the end. You count two: "
        "{away}.",
        "Name the three places where a vector and a token meet.",
        ({"tables": "two when not tied"},),
        on="not tied",
    ),
    Mistake(
        "no_tables",
        "The token table is missing: {away}. In the paper's base model it is "
        "almost a third of all numbers.",
        "Each token of the vocabulary has a vector of d_model numbers, and "
        "they are trained.",
        ({"tables": "none"},),
    ),
    Mistake(
        "positions_counted",
        "You count the table of positions. Sines and cosines are computed, "
        "not trained: {away}.",
        "Does training change a sine?",
        ({"more": "sines"}, {"more": "sines twice"}),
    ),
    Mistake(
        "output_bias",
        "You count a bias for the output layer, one number a token. The "
        "output is the token table alone, without a bias: {away}.",
        "What does the table do at the end of the model? Only multiply.",
        ({"more": "output bias"},),
    ),
)
_ATTENTION = (
    Mistake(
        "output_matrix_forgotten",
        "Your attention has three matrices, for queries, keys and values. "
        "The fourth mixes the joined heads: {away}.",
        "What happens to the heads after they are joined?",
        ({"attention": "without the output"},),
    ),
    Mistake(
        "too_few_matrices",
        "An attention has four matrices of d_model times d_model; you count "
        "fewer: {away}.",
        "Queries, keys, values, and what comes after the heads are joined.",
        ({"attention": "one"}, {"attention": "two"}),
    ),
    Mistake(
        "heads_multiplied",
        "You multiply by the number of heads. The heads share the width: "
        "each gets {d} / {h} of it, so together they have as many numbers as "
        "one head of full width. {away}.",
        "What is d_k in terms of d_model and the number of heads?",
        ({"heads": "full width each"},),
        on="other heads",
    ),
    Mistake(
        "one_head_alone",
        "Your attention counts a single head of width {d} / {h}. There are "
        "{h} of them, and together they are as wide as the model: {away}.",
        "How many numbers do the queries of all heads have, side by side?",
        ({"heads": "one alone"},),
        on="other heads",
    ),
    Mistake(
        "attention_biases_forgotten",
        "The biases of the attentions are missing or not complete: {away}. "
        "In this library each of the four maps has one, of d_model numbers.",
        "Four maps, four biases.",
        (
            {"attention_bias": "none"},
            {"attention_bias": "of the output alone"},
            {"attention_bias": "three"},
        ),
    ),
    Mistake(
        "no_biases",
        "No bias is counted, neither in the attentions nor in the "
        "feed-forward networks: {away}.",
        "A linear map of this library is a matrix and a bias.",
        ({"attention_bias": "none", "feed_forward": "no biases"},),
    ),
    Mistake(
        "matrices_alone",
        "You count the matrices alone: no bias, no norm. {away}.",
        "What else is trained? Look for vectors of d_model numbers.",
        (
            {
                "attention_bias": "none",
                "feed_forward": "no biases",
                "norm": "none",
            },
        ),
    ),
    Mistake(
        "cross_attention_forgotten",
        "A decoder layer has two attentions: over its own tokens, and over "
        "the encoder's output. You count one: {away}.",
        "What does a decoder layer have that an encoder layer lacks?",
        (
            {"layers": "cross without"},
            {"layers": "cross and norm without"},
        ),
    ),
    Mistake(
        "cross_attention_incomplete",
        "The attention over the encoder's output has fewer maps than the "
        "others: {away}. Its queries come from the target, its keys and "
        "values from the memory, and each of them needs a map of its own in "
        "each layer.",
        "Does the memory come with keys and values, or are they made from it?",
        (
            {"layers": "cross without queries"},
            {"layers": "cross without keys"},
        ),
    ),
)
_FEED_FORWARD = (
    Mistake(
        "feed_forward_biases_forgotten",
        "A bias of the feed-forward network is missing: {away}. The first "
        "map has one of d_ff numbers, the second one of d_model.",
        "Two maps, two biases, of different lengths.",
        (
            {"feed_forward": "no biases"},
            {"feed_forward": "inner bias forgotten"},
        ),
    ),
    Mistake(
        "a_vector_missing_in_each_layer",
        "Per pair of layers two vectors of d_model numbers are missing: "
        "{away}. Either the second bias of the feed-forward networks is not "
        "counted, or the third norm of the decoder layers, which comes after "
        "the cross-attention.",
        "How many sub-layers has a decoder layer? And how many biases has a "
        "feed-forward network?",
        ({"norms": "2 and 2"}, {"feed_forward": "outer bias forgotten"}),
    ),
    Mistake(
        "feed_forward_biases_of_one_length",
        "Both biases of your feed-forward network have the same length. The "
        "first map ends in {d_ff} numbers, the second in {d}.",
        "A bias is as long as what its map gives.",
        (
            {"feed_forward": "two inner biases"},
            {"feed_forward": "two outer biases"},
        ),
    ),
    Mistake(
        "one_matrix_in_the_feed_forward_network",
        "Your feed-forward network has one matrix. It has two, one that "
        "widens and one that narrows again: {away}.",
        "How do the vectors get back from d_ff to d_model numbers?",
        ({"feed_forward": "one matrix"},),
    ),
    Mistake(
        "d_ff_not_read",
        "Your feed-forward network does not use `config.d_ff`. It is four "
        "times d_model in the paper, but here {d_ff} with d_model {d}.",
        "Read the inner width from the config.",
        ({"feed_forward": "four times d"}, {"feed_forward": "square"}),
    ),
    Mistake(
        "no_feed_forward",
        "The feed-forward networks are missing: {away}. In the base model "
        "they hold 25 million of the 63 million numbers.",
        "What comes after the attention in each layer?",
        (
            {"feed_forward": "none"},
            {"layers": "decoder without feed-forward"},
        ),
    ),
    Mistake(
        "two_networks_in_a_decoder_layer",
        "You count a feed-forward network after each attention. A decoder "
        "layer has two attentions and then one network: {away}.",
        "Read steps 7, 8 and 9 of the corrected list.",
        ({"layers": "two networks in the decoder"},),
    ),
    Mistake(
        "step_nine_taken_literally",
        "Your decoder has a single feed-forward network for all {n} layers, "
        "as if only the two attentions were repeated: {away}. Each layer has "
        "its own.",
        "Read step 9 of the list once more, and your own correction of it.",
        ({"layers": "step 9"}, {"layers": "step 9 with norm"}),
        on="three layers",
    ),
)
_NORMS = (
    Mistake(
        "no_norms",
        "The norms are missing: {away}. Each has a gain and a bias of "
        "d_model numbers, and they are trained.",
        "Chapter 6: what does a layer norm learn?",
        ({"norm": "none"},),
    ),
    Mistake(
        "half_a_norm",
        "A norm trains a gain and a bias for each of the d_model features; "
        "you count fewer: {away}.",
        "Chapter 6: what does a layer norm learn, and for how many features?",
        ({"norm": "gain alone"}, {"norm": "two numbers"}),
    ),
    Mistake(
        "one_norm_a_layer",
        "You count one norm for each layer. There is one for each "
        "*sub-layer*: {away}.",
        "How many sub-layers has an encoder layer, and how many a decoder "
        "layer?",
        ({"norms": "1 and 1"},),
    ),
    Mistake(
        "norms_of_the_other_stack",
        "You count three norms in every layer. An encoder layer has two "
        "sub-layers and so two norms: {away}.",
        "How many sub-layers has an encoder layer, and how many a decoder "
        "layer?",
        ({"norms": "3 and 3"},),
    ),
    Mistake(
        "last_norms_forgotten",
        "With pre-norm there is one more norm at the end of each stack: "
        "{away}.",
        "Your formula has to read `config.norm_first`.",
        ({"last_norms": "never"}, {"last_norms": "one"}),
        on="pre-norm",
    ),
    Mistake(
        "last_norm_in_each_layer",
        "With pre-norm you count more norms in each *layer*. The sub-layers "
        "have as many as before, in another place; what comes on top is one "
        "norm at the end of each *stack*: {away}.",
        "How many norms come on top in a model of six layers? Two.",
        ({"last_norms": "one a layer"}, {"last_norms": "twice as many"}),
        on="pre-norm",
    ),
    Mistake(
        "last_norms_in_post_norm",
        "You count a norm at the end of each stack although the model is "
        "post-norm, where the last sub-layer ends with a norm already: "
        "{away}. Some libraries do that too; the paper does not.",
        "Your formula has to read `config.norm_first`.",
        ({"last_norms": "always"}, {"last_norms": "post-norm"}),
    ),
)
_LAYERS = (
    Mistake(
        "layers_not_multiplied",
        "You count one encoder layer and one decoder layer. Each stack has "
        "{n} of them, with weights of their own: {away}.",
        "Which number of the config have you not used?",
        ({"layers": "one of each"},),
        on="three layers",
    ),
    Mistake(
        "layers_divided",
        "`n_layers` is the number of layers in *each* stack, not in both "
        "together: {away}.",
        "The paper's base model has N layers on the left and N on the right.",
        ({"layers": "n in all"},),
    ),
    Mistake(
        "one_stack_only",
        "You count one of the two stacks, and the other is missing: {away}.",
        "A Transformer has an encoder and a decoder.",
        ({"layers": "encoder alone"}, {"layers": "decoder alone"}),
    ),
    Mistake(
        "two_equal_stacks",
        "You count two decoders. An encoder layer has one sub-layer less than "
        "a decoder layer: {away}.",
        "What does a decoder layer have that an encoder layer lacks?",
        ({"layers": "decoder twice"},),
    ),
    Mistake(
        "six_layers_always",
        "You count six layers in each stack whatever the config says; here "
        "it says {n}.",
        "Read the number of layers from the config.",
        ({"layers": "six"},),
    ),
    Mistake(
        "config_not_read",
        "Your count is that of the paper's base model, whatever the config "
        "says. Perhaps your function uses `d`, `d_ff`, `N` and `V` of an "
        "earlier cell in place of its input.",
        "The config of the example has d_model {d}. Which line of yours reads "
        "it?",
        (
            {"sizes": "base"},
            {"sizes": "base, tied or not"},
            {"sizes": "base, all flags"},
            {"sizes": "base but the vocabulary"},
        ),
    ),
    Mistake(
        "a_table_in_each_layer",
        "You count the token table once for each layer. It stands below the "
        "stacks: {away}.",
        "Which part of your sum belongs outside the product with n_layers?",
        ({"more": "a table in each layer"},),
        on="three layers",
    ),
)
MISTAKES = _TABLES + _ATTENTION + _FEED_FORWARD + _NORMS + _LAYERS
