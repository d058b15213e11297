"""Known wrong answers to the exercise `beam`.

The words in braces are filled in by `about_beam` from the shown example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]

_POOL = (
    Mistake(
        "finished_go_on",
        "Hypotheses that have written <eos> go on, so the beam fills up "
        "with tokens behind <eos>. A finished hypothesis keeps its place "
        "and its score, and no more tokens are added.",
        "Before you ask `logp`: does this hypothesis end with <eos> already?",
        (
            {"finished": "go on"},
            {"finished": "go on", "end": "never"},
            {"finished": "go on", "end": "newest"},
        ),
    ),
    Mistake(
        "finished_are_dropped",
        "Hypotheses that have written <eos> disappear from the beam. They "
        "have to stay, as rivals of those that are still growing.",
        "What does your loop put into the next pool for a finished one?",
        ({"finished": "dropped"},),
    ),
    Mistake(
        "finished_set_aside",
        "You take finished hypotheses out of the pool, so the others get "
        "their places. Many toolkits do that. The rule of this exercise is "
        "another one: one pool of k, in which a finished one keeps its place "
        "as long as it is among the k best.",
        "What takes part in the ranking of each step?",
        (
            {"finished": "aside"},
            {"finished": "aside", "only": "finished"},
        ),
    ),
    Mistake(
        "beam_shrinks",
        "Each finished hypothesis takes its place out of the beam for good, "
        "so fewer and fewer go on. Many programs do that. Here a finished "
        "one is ranked again in each step, and k better ones push it out.",
        "Does k, or the number you keep, become smaller on the way?",
        ({"finished": "shrinks"},),
    ),
    Mistake(
        "k_greedy_searches",
        "Each hypothesis goes on with its own best token only, so a beam of "
        "k is nothing but a greedy search. All extensions of all hypotheses "
        "have to meet in one ranking.",
        "With k hypotheses and V tokens, how many rivals does a step have?",
        ({"extend": "best only"}, {"width": "1"}, {"begin": "k copies"}),
    ),
    Mistake(
        "k_for_each_hypothesis",
        "You keep the k best extensions of *each* hypothesis, so the pool "
        "grows in every step. Of all together k stay.",
        "Print the size of the pool in each step.",
        ({"width": "each"},),
    ),
    Mistake(
        "beam_too_wide",
        "More than k = {k} hypotheses stay in the pool. With finished ones "
        "counted in, it is exactly k.",
        "Print the size of the pool in each step.",
        ({"width": "k + 1"}, {"width": "2k"}),
    ),
    Mistake(
        "lowest_first",
        "You keep the *least* probable hypotheses. Logarithms of "
        "probabilities are negative, and the best is the one nearest to 0.",
        "In which order does your sort leave them?",
        ({"best": "lowest"},),
    ),
)
_STOPS = (
    Mistake(
        "stops_at_the_first_eos",
        "You stop as soon as one hypothesis has written <eos>. Another one "
        "may still overtake it; stop when all k are finished, or at "
        "max_len.",
        "The difference between any and all.",
        ({"end": "first"},),
    ),
    Mistake(
        "stops_when_the_best_is_finished",
        "You stop when the best hypothesis is finished. With a length "
        "penalty a longer one may still overtake it; the rule here waits "
        "until all k are finished.",
        "What does your condition look at: one hypothesis or all?",
        ({"end": "best"},),
    ),
    Mistake(
        "one_step_too_few",
        "The search ends one step too early: max_len = {max_len} tokens may "
        "be written, <eos> counted and <bos> not.",
        "How often does the loop run?",
        ({"limit": -1},),
        on="cut",
    ),
    Mistake(
        "one_step_too_many",
        "The search takes one step too many: max_len = {max_len} tokens may "
        "be written, <bos> not counted.",
        "How often does the loop run?",
        ({"limit": 1},),
        on="cut",
    ),
)
_SCORES = (
    Mistake(
        "score_of_the_newest_token",
        "A hypothesis is ranked by its newest token alone. Its score is the "
        "sum of the log-probabilities of *all* its tokens.",
        "What is handed on to the longer hypothesis beside its tokens?",
        ({"total": "newest"},),
    ),
    Mistake(
        "mean_in_place_of_sum",
        "You keep the mean of the log-probabilities. Wanted is their sum; "
        "what the length is worth is the business of the penalty.",
        "Is anything divided before the penalty comes in?",
        ({"total": "mean so far"},),
    ),
    Mistake(
        "probabilities_multiplied",
        "You multiply probabilities. Without a penalty the order is the "
        "same; but a penalty that divides numbers above 0 makes long answers "
        "worse, and a product of two hundred factors is 0 for the computer. "
        "Add the log-probabilities as they come.",
        "Which number does a hypothesis begin with, and what is done to it "
        "in each step?",
        ({"total": "product"},),
    ),
    Mistake(
        "probabilities_added",
        "You add probabilities. Along a sentence probabilities are "
        "multiplied, and their logarithms, which `logp` gives, are added.",
        "Search your code for exp.",
        ({"total": "probabilities"},),
    ),
    Mistake(
        "penalty_accumulates",
        "What is kept has been divided already, so in the next step it is "
        "divided once more. Keep the plain sum; divide a copy of it, only "
        "for the ranking.",
        "Two numbers belong to a hypothesis. Which one is handed on?",
        (
            {"total": "divided again", "penalty": "none"},
            {"total": "each divided", "penalty": "none"},
        ),
        on="penalty 1.5",
    ),
    Mistake(
        "penalty_for_finished_only",
        "Only finished hypotheses are divided by the penalty, the growing "
        "ones are not. All rivals of a step are measured in the same way.",
        "Is there an `if` in your score?",
        ({"penalty": "finished only"},),
        on="penalty 1.5",
    ),
    Mistake(
        "brackets_moved",
        "You compute (5 + length / 6) to the power of alpha. The whole sum "
        "is divided by 6: (5 + length) / 6.",
        "What is your penalty for a length of 1? It should be 1.",
        ({"penalty": "brackets moved"},),
        on="penalty 1.5",
    ),
    Mistake(
        "length_one_short",
        "The length is one too small: perhaps you count before the new "
        "token is joined.",
        "How long is an answer that consists of <eos> alone?",
        ({"length": "one less"},),
    ),
    Mistake(
        "no_length_penalty",
        "alpha has no effect: you rank by the raw sums, and short answers "
        "win. Divide by ((5 + length) / 6) to the power of alpha whenever "
        "hypotheses are compared, with the length of each one's own tokens.",
        "Search your code for alpha. And is the length that of the tokens, "
        "or the number of steps, which is the same for all?",
        ({"penalty": "none"}, {"length": "steps"}),
        on="penalty 1.5",
    ),
    Mistake(
        "penalty_only_at_the_end",
        "The penalty is applied only to the finished list. In this exercise "
        "hypotheses are compared with it in every step, so a long one is "
        "not thrown out on the way.",
        "By what do you sort inside the loop?",
        ({"ranked": "at the end"},),
    ),
    Mistake(
        "penalty_only_on_the_way",
        "Inside the loop you rank with the penalty, but the winner at the "
        "end is chosen by the raw sum.",
        "By what do you choose the one that you return?",
        ({"choice": "by log-probability"},),
    ),
    Mistake(
        "mean_per_word",
        "You divide by the number of tokens. The formula is "
        "((5 + length) / 6) to the power of alpha; with alpha = 0 nothing "
        "is divided at all.",
        "What comes out of your penalty when alpha is 0?",
        ({"penalty": "words"},),
    ),
    Mistake(
        "five_and_six_forgotten",
        "You divide by the length to the power of alpha. The formula has "
        "(5 + length) / 6 in the brackets, which treats very short answers "
        "more gently.",
        "Compare your formula with that of the text for a length of 1.",
        ({"penalty": "words to alpha"},),
    ),
    Mistake(
        "penalty_turned_over",
        "You multiply by the penalty in place of dividing. The sums are "
        "negative, so that makes long answers worse still.",
        "Should a longer answer come nearer to 0 or farther from it?",
        ({"penalty": "turned over"},),
        on="penalty 1.5",
    ),
    Mistake(
        "alpha_as_a_factor",
        "alpha changes nothing in your ranking, as if it were always 1. It "
        "is a power; a factor is the same for all hypotheses and drops out.",
        "Where does alpha stand in the formula?",
        ({"penalty": "times alpha"}, {"penalty": "always 1"}),
        on="penalty 1.5",
    ),
    Mistake(
        "alpha_as_a_bonus",
        "You add alpha for each word. That is another well-known cure, a "
        "word reward; the formula here divides.",
        "Compare with the formula of the text.",
        ({"penalty": "a point a word"},),
    ),
    Mistake(
        "alpha_fixed",
        "The penalty has a fixed power. It is handed over as alpha, here "
        "{alpha}.",
        "Search your code for a number that should be a name.",
        ({"penalty": "always 0.6"},),
    ),
    Mistake(
        "length_without_eos",
        "The length leaves out <eos>. It is a token that was written and "
        "paid for, and it counts.",
        "How long is an answer that consists of <eos> alone?",
        ({"length": "without eos"},),
    ),
    Mistake(
        "length_with_bos",
        "The length counts <bos>. It was given and cost nothing.",
        "How long is an answer that consists of <eos> alone?",
        ({"length": "with bos"},),
    ),
)
_FEEDING = (
    Mistake(
        "only_the_newest_token",
        "`logp` gets only the newest token. It wants the whole prefix, <bos> "
        "first.",
        "Print what you hand to `logp`.",
        ({"feed": "newest"},),
    ),
    Mistake(
        "bos_not_handed_over",
        "`logp` gets the prefix without <bos>. Every prefix begins with it.",
        "Print what you hand to `logp`.",
        ({"feed": "no bos"},),
    ),
    Mistake(
        "starts_with_eos",
        "The prefix begins with <eos> where <bos> belongs.",
        "Print what you hand to `logp` in the first step.",
        ({"feed": "eos first"},),
    ),
    Mistake(
        "fixed_ids",
        "You use ids of your own (1 and 2) for <bos> and <eos> in place of "
        "those handed over, here {bos} and {eos}.",
        "Search your code for numbers that should be names.",
        ({"ids": "fixed"},),
    ),
)
_RESULTS = (
    Mistake(
        "returned_the_worst",
        "You return the worst hypothesis of the pool.",
        "Which end of the list do you take?",
        ({"choice": "worst"},),
    ),
    Mistake(
        "only_finished_win",
        "You return the best *finished* hypothesis. Here the best of the "
        "pool is wanted, also if max_len has cut it.",
        "Is anything filtered before the last line?",
        ({"only": "finished"},),
    ),
    Mistake(
        "returned_the_penalized_score",
        "The tokens are right. The number beside them is the score after "
        "the penalty; wanted is the log-probability itself, {wanted}.",
        "Two numbers belong to a hypothesis. Which of them can be compared "
        "with the model?",
        ({"out": "penalized"},),
        on="penalty 1.5",
    ),
    Mistake(
        "returned_a_probability",
        "The tokens are right. The number beside them is a probability; "
        "wanted is its logarithm, {wanted}. A product of two hundred "
        "probabilities would be 0 for the computer.",
        "Add logarithms, and leave them.",
        ({"out": "probability"},),
    ),
    Mistake(
        "sign_turned",
        "The tokens are right. The log-probability has lost its minus sign.",
        "The logarithm of a share is never positive.",
        ({"out": "minus"},),
    ),
    Mistake(
        "returned_the_mean",
        "The tokens are right. The number beside them is the mean per token; "
        "wanted is the sum.",
        "Is the last line dividing?",
        ({"out": "per word"},),
    ),
    Mistake(
        "bos_in_the_result",
        "The returned tokens begin with <bos>. Wanted is what was written.",
        "Which token was given and not written?",
        ({"out": "with bos"},),
    ),
    Mistake(
        "eos_missing",
        "The returned tokens lack their <eos>. With it one can tell a "
        "finished answer from one that max_len has cut.",
        "Is anything cut off in the last line?",
        ({"out": "without eos"},),
    ),
    Mistake(
        "last_token_cut",
        "You cut off the last token, as if it were always <eos>. An answer "
        "that max_len ended has none; and <eos> should stay.",
        "Is anything cut off in the last line?",
        ({"out": "last cut"},),
    ),
    Mistake(
        "log_probability_missing",
        "You return the tokens alone. Wanted is a pair: the tokens and their "
        "log-probability.",
        "Two things stand behind `return`, with a comma.",
        ({"out": "tokens"},),
    ),
    Mistake(
        "tokens_missing",
        "You return the log-probability alone. Wanted is a pair: the tokens "
        "and their log-probability.",
        "Two things stand behind `return`, with a comma.",
        ({"out": "number"},),
    ),
    Mistake(
        "pair_exchanged",
        "Both parts are right but stand in the wrong order: first the "
        "tokens, then the log-probability.",
        "Read the last line once more.",
        ({"out": "exchanged"},),
    ),
)
MISTAKES = _POOL + _STOPS + _SCORES + _FEEDING + _RESULTS
