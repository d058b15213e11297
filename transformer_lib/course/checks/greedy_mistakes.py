"""Known wrong answers to the exercise `greedy`.

The words in braces are filled in by `about_greedy` from the shown example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]

_STOPS = (
    Mistake(
        "no_stop_at_eos",
        "A sentence that has written <eos> keeps talking: row {row} of your "
        "result goes on with real tokens. What stands behind <eos> is <pad>, "
        "whatever the model says.",
        "Keep one mark for each sentence: has it written <eos> yet? Marked "
        "rows get <pad> in place of the best token.",
        (
            {"freeze": "never", "end": "never"},
            {"freeze": "never"},
        ),
        on="three lengths",
    ),
    Mistake(
        "stops_for_one_step_only",
        "After <eos> comes one <pad>, and then the sentence wakes up again. "
        "Whether a sentence is over cannot be seen from its newest token: "
        "once over, always over.",
        "The mark of a sentence is set by <eos> and never taken back.",
        ({"freeze": "one step only"},),
        on="three lengths",
    ),
    Mistake(
        "one_token_after_eos",
        "One token too many stands behind <eos>: the mark is set one step "
        "too late. The token that is <eos> ends its sentence in this very "
        "step.",
        "Look at the new token itself before the next round begins, not at "
        "what was written before it.",
        ({"freeze": "one step late"},),
        on="three lengths",
    ),
    Mistake(
        "filled_with_eos",
        "You fill up with <eos> where <pad> belongs. Each sentence has one "
        "<eos>, and who counts them counts sentences.",
        "Which of the three ids stands for nothing at all?",
        ({"freeze": "with <eos>"},),
        on="three lengths",
    ),
    Mistake(
        "filled_with_bos",
        "You fill up with <bos>. What stands behind <eos> is <pad>.",
        "Which of the three ids stands for nothing at all?",
        ({"freeze": "with <bos>"},),
        on="three lengths",
    ),
    Mistake(
        "filled_with_zero",
        "You fill up with 0. The id of <pad> is handed over as `pad`; here "
        "it is {pad}.",
        "Search your code for a number that should be a name.",
        ({"freeze": "with zero"},),
        on="other ids",
    ),
    Mistake(
        "fixed_ids",
        "You use ids of your own, such as 1 and 2, in place of those handed "
        "over. Here bos = {bos}, eos = {eos}, pad = {pad}, and {came} came in "
        "place of {wanted}.",
        "Search your code for numbers that should be names.",
        ({"ids": "fixed"}, {"ids": "eos fixed"}, {"ids": "bos fixed"}),
        on="other ids",
    ),
    Mistake(
        "stops_when_one_is_done",
        "The loop ends as soon as *one* sentence has written <eos>, and the "
        "others are cut off. It may end when all have.",
        "The difference between any and all.",
        ({"end": "any"},),
        on="three lengths",
    ),
    Mistake(
        "stops_with_the_first_sentence",
        "The loop ends when the first sentence is over. The others may be "
        "longer.",
        "How many sentences does your condition look at?",
        ({"end": "first row"},),
        on="three lengths",
    ),
    Mistake(
        "stops_with_the_last_sentence",
        "The loop ends when the last sentence of the batch is over. The "
        "others may be longer.",
        "How many sentences does your condition look at?",
        ({"end": "last row"},),
        on="three lengths",
    ),
    Mistake(
        "waits_for_all_at_once",
        "The loop ends only if all sentences write <eos> in the same step. "
        "They end at different times: ask whether each *has* written it, not "
        "whether each is writing it now.",
        "Does your condition look at the newest tokens or at the marks?",
        ({"end": "all at once"},),
        on="three lengths",
    ),
    Mistake(
        "one_round_too_many",
        "When all sentences are over, the loop runs once more and adds a "
        "column of padding: {columns} columns came. It should end in the "
        "step that writes the last <eos>.",
        "Is the end tested before or after the new marks are set?",
        ({"end": "one round late"},),
        on="three lengths",
    ),
    Mistake(
        "left_before_storing",
        "The loop is left before its last tokens are stored, so the longest "
        "sentence lacks its <eos>. A search that max_len ends is not cut.",
        "In which order come `break` and the line that joins the new token?",
        ({"end": "before storing"},),
        on="three lengths",
    ),
    Mistake(
        "pad_for_those_still_writing",
        "Sentences that are still writing get <pad>, as if the two cases "
        "were exchanged. <pad> is for those that have written <eos>.",
        "Of the two things you choose between, which one goes where the "
        "mark is True?",
        ({"freeze": "the others"},),
        on="three lengths",
    ),
    Mistake(
        "max_len_ignored",
        "max_len has no effect: here it is {max_len}, and {columns} columns "
        "came. Without this rule a model that never says <eos> keeps the "
        "loop running for ever.",
        "Search your code for max_len.",
        ({"limit": 20},),
        on="cut",
    ),
    Mistake(
        "never_stops_early",
        "The tokens are right, but the loop always runs to max_len and the "
        "rest is padding: {columns} columns came. It should end when every "
        "sentence has written <eos>; each further round is work for nothing.",
        "Which condition could leave the loop, and when is it true?",
        ({"end": "never"},),
        on="three lengths",
    ),
    Mistake(
        "one_token_too_few",
        "A sentence that reaches the limit is cut one token too early: "
        "max_len = {max_len} tokens may be written, <eos> counted and <bos> "
        "not.",
        "How often does the loop run, and how many tokens does it add?",
        ({"limit": -1},),
        on="cut",
    ),
    Mistake(
        "one_token_too_many",
        "A sentence that reaches the limit gets one token too many: "
        "max_len = {max_len} tokens may be written, <bos> not counted.",
        "How often does the loop run, and how many tokens does it add?",
        ({"limit": 1},),
        on="cut",
    ),
)
_FEEDING = (
    Mistake(
        "only_the_newest_token",
        "The model gets only the newest token. It has no memory: without a "
        "cache the decoder must be given the whole prefix in each step, and "
        "one token alone looks to it like the first of a sentence.",
        "Print the shape of the targets that you hand to the model. It has "
        "to grow by one column a step.",
        ({"feed": "newest"}, {"feed": "newest two"}),
    ),
    Mistake(
        "bos_lost",
        "From the second step on the prefix comes without <bos>. In "
        "training every target began with it, and so it must here.",
        "Print the targets that you hand to the model: what stands in "
        "column 0?",
        ({"feed": "no start"},),
    ),
    Mistake(
        "prefix_reversed",
        "The new token is put in front of the prefix, so the model reads "
        "the sentence backward. It belongs at the end.",
        "On which side do you join?",
        ({"feed": "reversed"},),
    ),
    Mistake(
        "source_and_target_exchanged",
        "Source and target have changed places: it is `model(src, tgt)`. "
        "The call runs, because both are rows of ids.",
        "Read the call of the model once more.",
        ({"feed": "exchanged"},),
    ),
    Mistake(
        "one_source_for_all",
        "All rows get the tokens of the first sentence: its source, or its "
        "row of scores, is used for all of them.",
        "How many rows of the source does the model get, and of how many "
        "rows do you look for the best token?",
        (
            {"feed": "first sentence's source"},
            {"pick": "of the first row"},
        ),
        on="three lengths",
    ),
    Mistake(
        "starts_with_eos",
        "The prefix starts with <eos>. Some toolkits do that, but it must "
        "be the symbol with which training began, and here that is <bos>.",
        "What stands in column 0 of the targets?",
        ({"start": "eos"},),
    ),
    Mistake(
        "starts_with_pad",
        "The prefix starts with <pad>; in training it began with <bos>. A "
        "tensor of zeros is often the reason.",
        "What stands in column 0 of the targets?",
        ({"start": "pad"},),
    ),
    Mistake(
        "scores_of_the_first_position",
        "The answer is the same in every step: you read the scores behind "
        "<bos>, the first position, or hand over <bos> alone. The prefix "
        "must grow, and what comes next stands behind its last token.",
        "Does your loop join the new token to the prefix? And which position "
        "of the scores speaks about the next token?",
        ({"place": "first"}, {"feed": "start only"}),
    ),
    Mistake(
        "scores_one_position_early",
        "You read the scores one position too early, so each token is "
        "predicted again. The last position speaks about what comes next.",
        "Count positions from the end.",
        ({"place": "before the last"},),
    ),
    Mistake(
        "scores_of_all_positions",
        "You mix the scores of all positions. Only the last one speaks "
        "about the next token.",
        "The scores are (B, T, V), and one T is wanted.",
        ({"place": "all"},),
    ),
)
_PICKING = (
    Mistake(
        "worst_token",
        "You take the token with the *lowest* score.",
        "Perhaps a sort that starts at the other end?",
        ({"pick": "worst"},),
    ),
    Mistake(
        "second_best_token",
        "You take the second best token. Greedy takes the best one.",
        "Which place of the sorted scores do you read, counted from 0?",
        ({"pick": "second"},),
    ),
    Mistake(
        "one_token_for_all_rows",
        "All sentences get the same token. Each row of scores has a best "
        "token of its own.",
        "Along which axis do you look for the largest score? The last one "
        "is the vocabulary.",
        ({"pick": "for all rows"},),
        on="three lengths",
    ),
)
_RESULTS = (
    Mistake(
        "bos_in_the_result",
        "Your rows begin with <bos>. Wanted is what was written, and <bos> "
        "was given.",
        "Which column of the targets did the model not write?",
        ({"out": "with the start"}, {"out": "moved"}),
    ),
    Mistake(
        "eos_missing",
        "You erase <eos>. It belongs to what was written: without it nobody "
        "can tell a sentence that ended from one that was cut.",
        "Is <eos> replaced before or after it is stored?",
        ({"out": "without <eos>"},),
    ),
    Mistake(
        "last_column_cut",
        "You cut off the last column, as if <eos> stood there. It does so "
        "only in the longest row, and a row that reached max_len has none.",
        "Nothing has to be cut at all.",
        ({"out": "last column cut"},),
    ),
    Mistake(
        "only_the_last_tokens",
        "You return the tokens of the last step alone.",
        "Which variable holds all that was written?",
        ({"out": "newest"},),
    ),
    Mistake(
        "only_the_first_sentence",
        "You return the first sentence alone; the batch has more, and the "
        "result needs a row for each.",
        "Look for an index 0 in the last line.",
        ({"out": "first sentence"},),
        on="three lengths",
    ),
    Mistake(
        "rows_and_columns_exchanged",
        "Rows and columns are exchanged: one row for each sentence is "
        "wanted, one column for each step.",
        "When you stack the tokens of each step, along which axis do they lie?",
        ({"out": "turned"},),
        on="three lengths",
    ),
    Mistake(
        "returned_lengths",
        "You return how long each sentence is. Wanted are the tokens.",
        "Which variable holds all that was written?",
        ({"out": "lengths"},),
    ),
)
MISTAKES = _STOPS + _FEEDING + _PICKING + _RESULTS
