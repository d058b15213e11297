"""Known wrong answers to the exercise `encoder_decoder(...)`.

The words in braces are filled in by `about_encoder_decoder` from the shown
example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]


_MEMORY = (
    Mistake(
        "decoder_layer_reads_encoder_layer_of_its_number",
        "Decoder layer i reads what encoder layer i made. Every decoder layer "
        "reads the same thing, the output of the last encoder layer. All "
        "shapes fit, so nothing but the values shows it.",
        "How many different arrays do your decoder layers get as memory? One "
        "is right.",
        (
            {"memory": "same number"},
            {"memory": "zipped"},
            {"memory": "same number, then the last"},
        ),
    ),
    Mistake(
        "decoder_reads_the_encoder_upside_down",
        "The first decoder layer reads the last encoder layer, the second the "
        "last but one, and so on. All of them read the last one.",
        "How many different arrays do your decoder layers get as memory? One "
        "is right.",
        ({"memory": "mirrored"},),
    ),
    Mistake(
        "memory_one_layer_too_low",
        "The memory comes from one layer too low: what goes into an encoder "
        "layer in place of what comes out, or the last layer but one.",
        "Where in your first loop do you store the result, before or after "
        "the layer has been called?",
        ({"memory": "input of the same number"}, {"memory": "last but one"}),
    ),
    Mistake(
        "memory_of_the_first_layer",
        "Every decoder layer reads what the first encoder layer made. The "
        "other encoder layers work for nothing.",
        "Which value does x have when the whole first loop is over?",
        ({"memory": "first layer"},),
    ),
    Mistake(
        "decoder_reads_the_embeddings",
        "The decoder reads x as it came in, before any encoder layer. The "
        "words it sees know nothing of each other.",
        "The encoder's result needs a name, and that name goes into the "
        "decoder layers.",
        ({"memory": "embedding"},),
    ),
    Mistake(
        "memory_in_the_first_layer_only",
        "Only the first decoder layer reads the encoder's output; the others "
        "read something else in its place. The memory stays the same for all "
        "of them.",
        "Does your second loop give a new value to the name of the memory?",
        (
            {"memory": "final in the first layer"},
            {"memory": "final, then itself"},
        ),
    ),
    Mistake(
        "memory_in_the_last_layer_only",
        "Only the last decoder layer reads the encoder's output; those below "
        "it read the embedded source. Every decoder layer has a "
        "cross-attention, and all of them read the same memory.",
        "How many different arrays do your decoder layers get as memory? One "
        "is right.",
        ({"memory": "final in the last layer"},),
    ),
    Mistake(
        "one_loop_inside_the_other",
        "The decoder's loop stands inside the encoder's, so all decoder "
        "layers run again after each encoder layer. Writing begins when the "
        "reading is over.",
        "How far to the right does your second `for` stand?",
        ({"memory": "one loop inside the other"},),
    ),
    Mistake(
        "memory_not_passed",
        "The decoder reads itself: where the memory belongs you hand over the "
        "target. It would write without ever looking at the source.",
        "Which of your variables holds what the encoder has made? It is the "
        "second thing that a decoder layer wants.",
        ({"memory": "itself"}, {"memory": "the decoder's input"}),
    ),
    Mistake(
        "all_encoder_layers_added",
        "The memory is made of the outputs of all encoder layers, added or "
        "averaged. Some later models do that; in the paper it is the last "
        "output alone.",
        "The lower layers have done their work when the next one has read "
        "them.",
        ({"memory": "sum of all"}, {"memory": "mean of all"}),
    ),
    Mistake(
        "embeddings_added_to_the_memory",
        "You add x to the encoder's output. Each layer has its skips inside "
        "already; around the whole stack there is none.",
        "Hand over what the last encoder layer returned, and nothing more.",
        ({"memory": "with the embedding"},),
    ),
    Mistake(
        "memory_squeezed_into_one_vector",
        "All rows of the memory are the same vector, so the decoder cannot "
        "look at one source word rather than at another. This is the "
        "bottleneck of chapter 1.",
        "The memory has a row for each source token. Leave the rows apart.",
        ({"memory": "averaged tokens"}, {"memory": "last token"}),
    ),
)
_START = (
    Mistake(
        "decoder_starts_from_the_memory",
        "The encoder's output goes into the decoder from below, where the "
        "target belongs; with sentences of unequal length not even the masks "
        "fit. The memory enters each decoder layer from the side.",
        "What does the first decoder layer get as its first input?",
        ({"start": "memory"},),
    ),
    Mistake(
        "decoder_starts_from_the_source",
        "The source x goes into the decoder from below, where the target "
        "belongs. Perhaps x was written where y was meant.",
        "What does the first decoder layer get as its first input?",
        ({"start": "source"},),
    ),
    Mistake(
        "target_sent_through_the_encoder",
        "The target goes through the encoder's layers before the decoder "
        "gets it. The encoder reads the source alone.",
        "What does the first decoder layer get as its first input?",
        ({"start": "encoded target"},),
    ),
    Mistake(
        "memory_added_to_the_decoder_input",
        "You add the encoder's output to the decoder's input. Nothing is "
        "added there: each decoder layer reads the memory by itself, with "
        "its cross-attention.",
        "y goes into the first decoder layer as it came.",
        ({"start": "target plus memory"}, {"start": "target plus mean"}),
    ),
)
_LAYERS = (
    Mistake(
        "only_the_last_layer_applied",
        "Only the last layer of a stack has an effect: {came} came in place "
        "of {wanted}. Perhaps each layer reads the input of the stack, so "
        "that the last one overwrites what the others made.",
        "Inside the loop, what does the second layer read?",
        (
            {"encoder": "last", "decoder": "last"},
            {"encoder": "last"},
            {"decoder": "last"},
        ),
    ),
    Mistake(
        "only_the_first_layer_applied",
        "Only the first layer of a stack has an effect: {came} came in place "
        "of {wanted}. Perhaps a `return` stands inside the loop.",
        "How often does the body of each loop run before your function "
        "returns?",
        (
            {"encoder": "first", "decoder": "first"},
            {"decoder": "first"},
        ),
    ),
    Mistake(
        "layers_shared",
        "One layer is used again and again: the layers have the same "
        "structure, but each has weights of its own.",
        "Which element of the list do you call in round i of the loop?",
        (
            {
                "encoder": "first again and again",
                "decoder": "first again and again",
            },
            {"encoder": "first again and again"},
            {"decoder": "first again and again"},
            {
                "encoder": "last again and again",
                "decoder": "last again and again",
            },
            {"encoder": "last again and again"},
            {"decoder": "last again and again"},
        ),
    ),
    Mistake(
        "first_layer_skipped",
        "The first layer of a stack never runs. Perhaps your loop counts from "
        "1; Python counts from 0.",
        "Count how often a layer is called, and compare with the length of "
        "the list.",
        (
            {"encoder": "without the first", "decoder": "without the first"},
            {"encoder": "without the first"},
            {"decoder": "without the first"},
        ),
    ),
    Mistake(
        "last_layer_skipped",
        "The last layer of a stack never runs: {came} came in place of "
        "{wanted}.",
        "Count how often a layer is called, and compare with the length of "
        "the list.",
        (
            {"encoder": "without the last", "decoder": "without the last"},
            {"decoder": "without the last"},
        ),
    ),
    Mistake(
        "from_the_top",
        "A stack runs from its last layer to its first. The first layer of "
        "the list stands at the bottom and reads the embeddings.",
        "In which order does your loop take the layers?",
        (
            {"encoder": "from the top", "decoder": "from the top"},
            {"encoder": "from the top"},
            {"decoder": "from the top"},
        ),
    ),
    Mistake(
        "layers_side_by_side",
        "All layers of a stack read the same input, and you add or average "
        "what they make. They stand on top of each other: each reads what the "
        "one below it has made.",
        "Inside the loop, give the result the name that the next round reads.",
        (
            {
                "encoder": "side by side, added",
                "decoder": "side by side, added",
            },
            {"encoder": "side by side, added"},
            {"decoder": "side by side, added"},
            {"encoder": "side by side, mean", "decoder": "side by side, mean"},
            {"encoder": "side by side, mean"},
            {"decoder": "side by side, mean"},
        ),
    ),
    Mistake(
        "skip_around_the_layer",
        "You add a layer's input to its output. The skips are inside the "
        "finished layers already, one around each sub-layer.",
        "A layer gives its new vectors, not a change. Nothing is left to add.",
        (
            {"encoder": "with a second skip", "decoder": "with a second skip"},
            {"encoder": "with a second skip"},
            {"decoder": "with a second skip"},
        ),
    ),
    Mistake(
        "layers_run_twice",
        "A stack runs twice: {came} came in place of {wanted}.",
        "Is one loop inside another, so that the inner one starts again?",
        (
            {"encoder": "twice", "decoder": "twice"},
            {"encoder": "twice"},
            {"decoder": "twice"},
        ),
    ),
    Mistake(
        "decoder_left_out",
        "No decoder layer has an effect: y comes back as it was.",
        "Does the second loop give its result back to y?",
        ({"decoder": "none"}, {"returns": "target"}),
    ),
)
_MASKS = (
    Mistake(
        "masks_exchanged",
        "The two masks of the decoder are exchanged. A decoder layer wants "
        "the mask over its own tokens first, (m, m), and the one over the "
        "source tokens second, (1, n). With m = n no error tells you.",
        "Which mask belongs to which sentence? Look at the order in the call "
        "of a decoder layer.",
        ({"masks": "exchanged"}, {"masks": "exchanged everywhere"}),
    ),
    Mistake(
        "target_mask_in_the_encoder",
        "The encoder gets the causal mask of the target. The source is there "
        "as a whole, so each of its words may look at all others, the later "
        "ones too. Only padding is hidden.",
        "Which mask has the length of the source?",
        ({"masks": "target in the encoder"},),
    ),
    Mistake(
        "target_mask_for_everything",
        "The causal mask of the target is used where the source is looked at. "
        "Word 1 of the target may look at all source words, not at the first "
        "alone.",
        "When a target word looks at the source, is there a future to hide?",
        ({"masks": "target for the decoder"}, {"masks": "target for all"}),
    ),
    Mistake(
        "source_mask_for_everything",
        "The mask of the source is used for the target too. So no target word "
        "is kept from looking at the words that come after it, which it is to "
        "predict.",
        "Which mask hides the future?",
        ({"masks": "source for all"},),
    ),
    Mistake(
        "no_masks",
        "None of the layers gets a mask: padding is read as language, and "
        "target words see those that come after them.",
        "Each layer takes its masks after the vectors.",
        ({"masks": "none"},),
    ),
    Mistake(
        "decoder_without_masks",
        "The decoder layers get no masks: target words see those that come "
        "after them, and padding is read.",
        "A decoder layer takes two masks after the memory.",
        ({"masks": "none in the decoder"},),
    ),
    Mistake(
        "future_not_hidden",
        "The decoder's self-attention gets no mask, so each target word sees "
        "the words that come after it. In training the model then copies its "
        "answers.",
        "What does a decoder layer get as its third input?",
        ({"masks": "none over the target"},),
    ),
    Mistake(
        "mask_in_the_first_layer_only",
        "Only the first layer of a stack gets its mask; the layers above it "
        "look everywhere. What one layer hides, the next would find.",
        "Each call of a layer needs its masks, the later ones too.",
        ({"masks": "target in the first"}, {"masks": "source in the first"}),
    ),
    Mistake(
        "past_hidden_in_place_of_the_future",
        "The mask of the target is turned on its side: each target word sees "
        "itself and those *after* it.",
        "Rows belong to those who look. Hand the mask over as it came.",
        ({"masks": "future in place of the past"},),
    ),
    Mistake(
        "padding_not_hidden",
        "Padding of the source is not hidden everywhere: either the encoder "
        "or the decoder reads it as if it were language.",
        "The source is looked at in two places, in the encoder and from the "
        "decoder. The same mask belongs to both.",
        (
            {"masks": "none over the source"},
            {"masks": "none in the encoder"},
            {"masks": "none over the memory"},
        ),
    ),
    Mistake(
        "masks_turned",
        "A mask is turned around: what may be looked at is hidden, and the "
        "rest is read. In this book True means may be looked at.",
        "Hand the masks over as they came.",
        (
            {"masks": "both turned"},
            {"masks": "source turned"},
            {"masks": "target turned"},
        ),
    ),
)
_RETURNS = (
    Mistake(
        "memory_returned",
        "You return the encoder's output, {n} rows. The decoder has {m} "
        "target tokens, and its output is wanted.",
        "Which name do you return in the last line?",
        ({"returns": "memory"},),
        on="on paper",
    ),
    Mistake(
        "all_layers_returned",
        "You return the outputs of all decoder layers. The last one alone is "
        "wanted.",
        "A list grows in your loop; which element of it is the answer?",
        ({"returns": "all layers"},),
    ),
    Mistake(
        "layer_outputs_added",
        "You add or average the outputs of all decoder layers. The last one "
        "alone is wanted.",
        "The lower layers have done their work when the next one has read "
        "them.",
        ({"returns": "sum"}, {"returns": "mean"}),
    ),
    Mistake(
        "input_added_at_the_end",
        "You add the decoder's input, or the memory, to its output. The skips "
        "are inside the finished layers.",
        "Return what the last decoder layer made, and nothing more.",
        ({"returns": "with its input"}, {"returns": "with the memory"}),
    ),
    Mistake(
        "softmax_at_the_end",
        "You apply a softmax to the decoder's output. It belongs to the "
        "scores, which come one step later: step 11 of the list.",
        "Return what the last decoder layer made, and nothing more.",
        ({"returns": "softmax"},),
    ),
    Mistake(
        "one_more_norm",
        "You normalize the decoder's output once more. The norms are inside "
        "the finished layers.",
        "Return what the last decoder layer made, and nothing more.",
        ({"returns": "one more norm"},),
    ),
    Mistake(
        "last_token_only",
        "You return the vector of the last target token. In training all {m} "
        "tokens predict at once, so all rows are wanted.",
        "Leave the index away.",
        ({"returns": "last token"},),
    ),
)
MISTAKES = _MEMORY + _START + _LAYERS + _MASKS + _RETURNS
