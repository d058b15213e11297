"""Known wrong answers to the exercise `Cached`.

The words in braces are filled in by `about_cached` from the shown example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]

_POSITIONS = (
    Mistake(
        "position_always_zero",
        "Every token gets position 0. One token at a time is not the first "
        "token every time: its position is the number of tokens in the "
        "cache.",
        "Which row of P does your third step add?",
        ({"position": "zero"},),
        on="three steps",
    ),
    Mistake(
        "position_one_too_far",
        "All positions are one too far: the first token has position 0. Is "
        "the position read after the new token has gone into the cache?",
        "How many tokens are in the cache before the first step?",
        ({"position": "from one"},),
        on="one step",
    ),
    Mistake(
        "position_from_the_end",
        "You add the position from the end of P. The table is longer than "
        "the sentence; the first token gets its first row.",
        "Which row of P does your first step add?",
        ({"position": "last"}, {"position": "backward"}),
        on="one step",
    ),
    Mistake(
        "no_position",
        "P is never added. Without positions attention cannot tell which of "
        "the cached tokens came first.",
        "What happens to x before it meets the three matrices?",
        ({"position": "none"},),
        on="three steps",
    ),
    Mistake(
        "position_for_the_query_only",
        "The position is added for the query, but the key and the value that "
        "you keep are made without it.",
        "All three vectors are made from the same sum.",
        ({"position": "not kept"},),
        on="three steps",
    ),
    Mistake(
        "sentences_counted",
        "Your position grows by the number of *sentences* in a step. All "
        "tokens of one step stand at the same position, and it grows by 1.",
        "Which axis of your cache counts tokens?",
        ({"count": "sentences"},),
        on="two sentences",
    ),
)
_MEMORY = (
    Mistake(
        "nothing_is_kept",
        "Each step gives back its own value and nothing of earlier tokens. "
        "Are the old keys *and* the old values kept in `self`? They travel "
        "in pairs: with old keys alone, every share goes to the newest value.",
        "After the step, what of it can a later step still find?",
        (
            {"memory": "none"},
            {"memory": "newest value"},
            {"out": "newest value"},
        ),
        on="three steps",
    ),
    Mistake(
        "keys_not_cached",
        "The old values are there, but all of them are compared through the "
        "newest key, so they get equal shares. Each old value needs its own "
        "old key.",
        "How many keys are in the cache after three steps?",
        ({"memory": "newest key"}, {"share": "equal"}),
        on="three steps",
    ),
    Mistake(
        "newest_token_left_out",
        "The newest token is not among those looked at. In the whole "
        "sentence each token may look at itself, and so it must here: first "
        "into the cache, then attend.",
        "In which order do you attend and append?",
        ({"memory": "old only"},),
        on="three steps",
    ),
    Mistake(
        "newest_token_twice",
        "The newest key and value are in the cache twice.",
        "How many keys are in the cache after the first step?",
        ({"memory": "newest twice"},),
        on="three steps",
    ),
    Mistake(
        "only_the_first_token",
        "Each step looks at the first token only: the cache is filled once "
        "and does not grow.",
        "How many keys are in the cache after three steps?",
        ({"memory": "first only"},),
        on="three steps",
    ),
    Mistake(
        "first_tokens_forgotten",
        "The cache holds the last few tokens only. It must keep all of them, "
        "from the first on.",
        "How many keys are in the cache after four steps?",
        ({"memory": "first forgotten"},),
        on="four steps",
    ),
    Mistake(
        "keys_and_values_out_of_step",
        "New keys go to the front and new values to the end, so a key no "
        "longer finds its own value. The order is free, but it must be the "
        "same for both.",
        "Print both caches after two steps, side by side.",
        ({"memory": "keys in front"},),
        on="three steps",
    ),
    Mistake(
        "sentences_mixed",
        "The sentences of the batch look at each other's tokens. Each has a "
        "cache of its own.",
        "With two sentences and three steps, how many keys may one query see?",
        ({"mix": "all sentences"},),
        on="two sentences",
    ),
    Mistake(
        "shared_by_all_objects",
        "All objects of your class share one cache. That happens when the "
        "lists are made in the body of the class, or as a default value: "
        "they are made once, for all. The same trap makes one list for all "
        "layers out of `[[]] * L`.",
        "Where is the empty cache made? Each object needs its own, made when "
        "the object is made.",
        ({"state": "shared"},),
        on="two objects",
    ),
)
_ATTENTION = (
    Mistake(
        "no_scale",
        "The scores are not divided by the root of d_k.",
        "Compare with your attention of chapter 3.",
        ({"scale": "none"},),
        on="three steps",
    ),
    Mistake(
        "wrong_root",
        "The scores are divided by the wrong number. Wanted is the root of "
        "d_k, the width of a key, here 3.",
        "Which shape do you read the width from?",
        (
            {"scale": "d_k"},
            {"scale": "root of d"},
            {"scale": "root of d_v"},
            {"scale": "root of length"},
        ),
        on="three steps",
    ),
    Mistake(
        "softmax_over_the_batch",
        "The softmax runs over the sentences of the batch. Each sentence "
        "shares its whole among its *tokens*.",
        "Sum your shares along both axes. Which sums are all 1?",
        ({"share": "over the batch"},),
        on="two sentences",
    ),
    Mistake(
        "no_softmax",
        "The values are weighed with the scores themselves; the softmax is "
        "missing.",
        "What should the shares of one sentence sum to?",
        ({"share": "scores"},),
        on="three steps",
    ),
    Mistake(
        "matrices_exchanged",
        "The three matrices have changed places: W_Q makes the query, W_K "
        "the key, W_V the value.",
        "Which matrix is used twice, or in another's place?",
        (
            {"maps": "query by W_K"},
            {"maps": "no value map"},
        ),
        on="three steps",
    ),
    Mistake(
        "shares_returned",
        "You return the shares. They are right; what is wanted are the "
        "mixtures of the values, (B, d_v).",
        "One step is missing, and the cached values are needed for it.",
        ({"out": "shares"},),
        on="three steps",
    ),
    Mistake(
        "axis_left_over",
        "The numbers are right, but your result has one axis too many: "
        "(B, 1, d_v) came, (B, d_v) is wanted.",
        "Which axis has the length 1, and who brought it in?",
        ({"out": "kept axis"},),
        on="three steps",
    ),
)
_SELECT = (
    Mistake(
        "select_does_nothing",
        "After `select` each sentence still has its old cache. A beam that "
        "goes on from another hypothesis then continues a history that is "
        "not its own.",
        "Print the cached keys before and after `select([1, 0])`.",
        ({"select": "nothing"},),
        on="exchanged",
    ),
    Mistake(
        "values_not_selected",
        "`select` moves the keys and leaves the values behind.",
        "Keys and values travel in pairs.",
        ({"select": "only keys"},),
        on="exchanged",
    ),
    Mistake(
        "keys_not_selected",
        "`select` moves the values and leaves the keys behind.",
        "Keys and values travel in pairs.",
        ({"select": "only values"},),
        on="exchanged",
    ),
    Mistake(
        "select_the_other_way",
        "`select` works the other way around: you send sentence i to the "
        "place rows[i]. Wanted is that place i goes on from what sentence "
        "rows[i] has been.",
        "For an exchange of two both are the same. Try the rows 1, 2, 0.",
        ({"select": "the other way"},),
        on="a circle",
    ),
    Mistake(
        "overwritten_while_copying",
        "`select` overwrites a sentence that is still needed: it copies one "
        "after another inside the same array. Make the new caches from the "
        "old ones first, then put them in place.",
        "For the rows 1, 0: what is in place 0 when place 1 is copied?",
        ({"select": "one after another"},),
        on="exchanged",
    ),
    Mistake(
        "select_begins_anew",
        "After `select` the cache is empty. The histories must be kept; only "
        "their order changes.",
        "How many keys are in the cache after `select`?",
        ({"select": "begins anew"},),
        on="exchanged",
    ),
    Mistake(
        "position_lost_in_select",
        "After `select` the positions are wrong. It changes which sentence "
        "goes on from which history, and not how many tokens there are.",
        "Which row of P does the step behind `select` add?",
        ({"select": "position forgotten"}, {"select": "position one on"}),
        on="exchanged",
    ),
    Mistake(
        "select_picks_tokens",
        "`select` picks along the axis of the tokens. Its rows are "
        "sentences of the batch.",
        "Which axis of your cache counts the sentences?",
        ({"select": "tokens"},),
        on="exchanged",
    ),
)
_DOUBLES = (
    Mistake(
        "histories_stay_joined",
        "Two sentences that go on from the same history share one list after "
        "`select`, and each appends to it. Each needs a copy.",
        "After `select([0, 0])`: is the cache of place 0 the same object as "
        "that of place 1?",
        ({"select": "joined"}, {"select": "joined, all appended first"}),
        on="doubled",
    ),
)
MISTAKES = _POSITIONS + _MEMORY + _ATTENTION + _SELECT + _DOUBLES
