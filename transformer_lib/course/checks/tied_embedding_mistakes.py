"""Known wrong answers to the exercise `class TiedEmbedding`.

The words in braces are filled in by `about_tied_embedding` from the shown
example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]


_EMBED = (
    Mistake(
        "scale_forgotten",
        "embed gives the row as it is. Asked is the row times the root of d: "
        "without it a word of length 1 stands beside a position of length "
        "16 (for d = 512). {came} came in place of {wanted}.",
        "The factor stands in one of the two methods.",
        ({"scale": "none"},),
        on="embed",
    ),
    Mistake(
        "scaled_by_d",
        "embed multiplies by d; its root is wanted: {came} came in place of "
        "{wanted}.",
        "For d of 3 the factor is about 1.73.",
        ({"scale": "d"},),
        on="embed",
    ),
    Mistake(
        "divided_by_the_root",
        "embed divides by the root of d, as attention does with its scores. "
        "Here it is multiplied: {came} came in place of {wanted}.",
        "The rows are short and shall become longer.",
        ({"scale": "divided"},),
        on="embed",
    ),
    Mistake(
        "scaled_by_the_vocabulary",
        "embed multiplies by the root of V, the number of rows. The root of "
        "d, the length of a row, is wanted: {came} came in place of {wanted}.",
        "The second axis of the table has the length that you need.",
        ({"scale": "root of V"},),
        on="embed",
    ),
    Mistake(
        "scaled_by_a_fixed_number",
        "embed multiplies by the same number whatever d is (the root of 2 of "
        "the page, or of the paper's 512): {came} came in place of {wanted}.",
        "The root of d, with the d of this object.",
        ({"scale": "root of 2"}, {"scale": "root of 512"}),
        on="embed",
    ),
    Mistake(
        "factor_in_the_table",
        "The factor sits at the wrong end: the table starts with rows of "
        "length root of d, embed hands them out as they are, and logits "
        "divides. The first results look alike, but asked is a table of "
        "short rows that only embed makes longer: {came} came in place of "
        "{wanted}.",
        "Divide when you draw the table, multiply in embed, and leave the "
        "dot products alone.",
        ({"scale": "none", "start": "one", "scores": "divided"},),
        on="embed",
    ),
    Mistake(
        "rows_made_equally_long",
        "embed first gives every row the same length. A row's length is "
        "learned and stays as it is: {came} came in place of {wanted}.",
        "Row times root of d, and nothing else.",
        ({"scale": "length one"}, {"scale": "same length"}),
        on="embed",
    ),
    Mistake(
        "scale_written_into_the_table",
        "embed changes the table: at each call all rows grow by the root of "
        "d, also those that logits uses. {came} came in place of {wanted}.",
        "Multiply what you return, not what you keep. Look for `*=`.",
        ({"scale": "written into the table"},),
        on="twice",
    ),
    Mistake(
        "columns_in_place_of_rows",
        "embed takes columns of the table. Each *row* belongs to a word; a "
        "column holds one feature of all words. Where the table is not square "
        "the shape is wrong as well.",
        "The first axis of the table counts words.",
        ({"pick": "columns"}, {"pick": "columns, turned"}),
        on="square embed",
    ),
    Mistake(
        "counted_from_one",
        "embed takes the row before the asked one. Ids count from 0, as rows "
        "do: {came} came in place of {wanted}.",
        "Which row belongs to id 0?",
        ({"pick": "one before"},),
        on="embed",
    ),
    Mistake(
        "first_id_only",
        "embed looks up the first id only: shape {shape} came, "
        "{wanted_shape} is wanted, one row for each id.",
        "An array of ids in square brackets picks a row for each. (A "
        "`return` inside a loop ends the method in the first round.)",
        ({"pick": "first id"}, {"pick": "first"}),
        on="embed",
    ),
    Mistake(
        "ids_run_together",
        "embed gives one long list of rows, whatever the shape of the ids: "
        "shape {shape} came, {wanted_shape} is wanted. A batch of sentences "
        "stays a batch of sentences.",
        "An array of ids in square brackets keeps its shape by itself.",
        ({"pick": "flat"},),
        on="batch",
    ),
    Mistake(
        "first_rows_of_the_table",
        "embed gives the first rows of the table, whatever the ids are: "
        "{came} came in place of {wanted}.",
        "The ids themselves say which rows, not how many there are.",
        ({"pick": "slice"},),
        on="embed",
    ),
    Mistake(
        "one_vector_for_the_sentence",
        "embed adds up or averages the words of the sentence. Each word "
        "keeps a vector of its own: shape {shape} came, {wanted_shape} is "
        "wanted.",
        "A bag of words has lost the order; attention needs each word.",
        ({"then": "mean"}, {"then": "sum"}),
        on="embed",
    ),
    Mistake(
        "padding_set_to_zero",
        "embed gives zeros for id 0. Some libraries do that for padding if "
        "they are asked; here 0 is a row like any other (padding is the "
        "mask's task): {came} came in place of {wanted}.",
        "Is there an `if` or a comparison with 0?",
        ({"then": "padding"},),
        on="embed",
    ),
)
_LOGITS = (
    Mistake(
        "logits_scaled_too",
        "logits multiplies by the root of d as well. The paper scales in the "
        "embedding only; scaled scores make the first loss huge: {came} came "
        "in place of {wanted}.",
        "The factor stands in one of the two methods.",
        ({"scores": "root of d"},),
        on="logits",
    ),
    Mistake(
        "logits_divided",
        "logits divides by the root of d. Some models do that (T5 is one); "
        "asked is the plain dot product: {came} came in place of {wanted}.",
        "Only embed has a factor.",
        ({"scores": "divided"},),
        on="logits",
    ),
    Mistake(
        "softmax_inside",
        "logits returns shares, or their logarithms. Logits are the scores "
        "*before* the softmax; the loss takes the softmax itself: {came} "
        "came in place of {wanted}.",
        "Return the dot products.",
        ({"scores": "softmax"}, {"scores": "log softmax"}),
        on="logits",
    ),
    Mistake(
        "bent_scores",
        "logits sends the scores through an activation. A score may be "
        "negative and of any size: {came} came in place of {wanted}.",
        "Return the dot products.",
        ({"scores": "cut"}, {"scores": "sigmoid"}),
        on="logits",
    ),
    Mistake(
        "bias_at_the_exit",
        "logits adds something to the dot products that does not depend on "
        "the vector: a bias. Many models have one at their exit; this one "
        "has none.",
        "What should a vector of zeros score? Zero, for every word.",
        ({"scores": "bias"},),
        on="logits",
    ),
    Mistake(
        "best_word_only",
        "logits returns the number of the best word. All V scores are "
        "wanted: shape {shape} came, {wanted_shape} is wanted.",
        "Choosing a word comes later, in decoding.",
        ({"scores": "best"},),
        on="logits",
    ),
    Mistake(
        "table_not_turned",
        "logits multiplies with the table as it stands, which runs only "
        "where V equals d, and takes columns for words: {came} came in place "
        "of {wanted}.",
        "Each vector must meet every *row*.",
        ({"product": "table on the right"},),
        on="square logits",
    ),
    Mistake(
        "distance_in_place_of_dot_product",
        "logits gives minus the squared distance between the vector and each "
        "row. Asked is the dot product: {came} came in place of {wanted}.",
        "Multiply entry by entry, then add up.",
        ({"product": "distance"},),
        on="logits",
    ),
    Mistake(
        "cosine_in_place_of_dot_product",
        "logits brings the rows (or both sides) to length 1. A long row may "
        "score high; its length is learned: {came} came in place of {wanted}.",
        "The rows are used as they are.",
        ({"rows": "unit"}, {"rows": "both unit"}),
        on="logits",
    ),
    Mistake(
        "last_token_only",
        "logits scores the last vector only. While training, every position "
        "predicts its next word: shape {shape} came, {wanted_shape} is "
        "wanted.",
        "No index is needed; the matrix product treats all rows.",
        ({"product": "last token"},),
        on="logits",
    ),
    Mistake(
        "scores_turned",
        "The scores are turned on their side. One row for each vector, one "
        "column for each word of the vocabulary: shape {shape} came, "
        "{wanted_shape} is wanted.",
        "The vectors stand on the left of the product.",
        ({"scores": "turned"},),
        on="logits",
    ),
)
_TABLE = (
    Mistake(
        "sizes_exchanged",
        "The table has d rows of length V. It should have one row for each "
        "of the V words, of length d.",
        "The first axis counts words.",
        (
            {"shape": "turned"},
            {
                "shape": "turned",
                "pick": "columns, turned",
                "product": "table on the right",
            },
        ),
        on="shape",
    ),
    Mistake(
        "starts_with_deviation_one",
        "Your table starts with the standard deviation 1 (the default of "
        "torch's Embedding as well). Tied to the output, that gives scores "
        "as large as the root of d, and a first loss of about 89 for d = 512 "
        "in place of about 10.",
        "Divide what you draw by the root of d.",
        ({"start": "one"},),
        on="spread",
    ),
    Mistake(
        "starts_with_one_over_d",
        "The *variance* shall be 1/d, and with you the standard deviation "
        "is. So the rows start far too short.",
        "The standard deviation is the root of the variance.",
        ({"start": "d"},),
        on="spread",
    ),
    Mistake(
        "starts_with_another_spread",
        "Your table starts with a spread that does not follow from d (a "
        "fixed number such as 0.02, or one that depends on V). Asked is the "
        "variance 1/d, for every d.",
        "Where d is 64 the standard deviation is 1/8, where d is 16 it is 1/4.",
        ({"start": "0.02"}, {"start": "0.01"}, {"start": "root of V"}),
        on="spread, narrow",
    ),
    Mistake(
        "starts_a_little_off",
        "Your table starts with about half, or about twice, the wanted "
        "standard deviation. (Numbers drawn evenly between -1 and 1 have the "
        "deviation 0.58, not 1.) Asked are normal numbers with the variance "
        "1/d.",
        "`normal` draws with the deviation 1; divide by the root of d, and "
        "by nothing else.",
        ({"start": "half"}, {"start": "double"}),
        on="spread",
    ),
    Mistake(
        "starts_too_long",
        "Your table starts *multiplied* by the root of d. The rows would be "
        "as long as d; they shall be about 1 long.",
        "Divide what you draw by the root of d.",
        ({"start": "times the root"},),
        on="spread",
    ),
    Mistake(
        "all_rows_alike",
        "All words start with the same row (zeros, or one row copied). Then "
        "all words score alike, and the network has nothing to tell them "
        "apart by.",
        "Draw V times d numbers, each by itself.",
        ({"start": "zeros"}, {"start": "ones"}, {"start": "rows alike"}),
        on="spread",
    ),
    Mistake(
        "starts_above_zero",
        "All numbers of your table start above 0, so that all rows point in "
        "nearly the same direction. Asked is the mean 0.",
        "NumPy's `random` draws between 0 and 1; `normal` draws around 0.",
        ({"start": "above zero"}, {"start": "above zero, small"}),
        on="middle",
    ),
    Mistake(
        "shared_by_all_objects",
        "Two objects of your class share one table: writing into one changes "
        "the other. {came} came in place of {wanted}.",
        "What is written in the class, or as a default value, exists once "
        "for all objects. Create the table inside `__init__`.",
        ({"state": "shared"},),
        on="two objects",
    ),
)
_TIED = (
    Mistake(
        "no_attribute_table",
        "An object of your class has no attribute `table`. A name that is "
        "set in `__init__` without `self.` is gone when `__init__` ends, and "
        "a table under another name is one that the check cannot find.",
        "The first line of `__init__` begins with `self.table =`.",
        ({"shape": "missing"},),
        on="shape",
    ),
    Mistake(
        "embed_does_not_read_the_table",
        "After other numbers are written into `table`, embed still gives "
        "what it gave before. It must read the attribute `table` each time "
        "it is called; the class may hold no second copy.",
        "Which array do the rows come from, and is it self.table itself?",
        ({"pick": "own table"},),
        on="embed",
    ),
    Mistake(
        "logits_do_not_read_the_table",
        "After other numbers are written into `table`, logits still gives "
        "what it gave before: reading and writing are *not tied*. That is "
        "allowed in a network, but it is another one, with V times d "
        "parameters more.",
        "A matrix of its own, or a copy made in `__init__`, does not learn "
        "along. Use self.table in both methods.",
        ({"product": "own matrix"},),
        on="logits",
    ),
)
_RETURNED = (
    Mistake(
        "rounded",
        "Your numbers are rounded: {came} in place of {wanted}. Round when "
        "you print, not when you compute.",
        "Is there a `round` on the way out?",
        ({"then": "rounded"}, {"scores": "rounded"}),
    ),
)
MISTAKES = (*_EMBED, *_LOGITS, *_TABLE, *_TIED, *_RETURNED)
