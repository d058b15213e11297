"""The wrong answers that the check `alignment_error_rate` knows."""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]

_ONE = {"empty": "1 if nothing found"}  # so that nothing is divided by 0
_RESULT = (
    Mistake(
        "share_right",
        "You return the share that is right. The error rate is what is "
        "missing to 1.",
        "What should a perfect alignment get?",
        ({"result": "share right"},),
        on="few links",
    ),
    Mistake(
        "percent",
        "You return per cent. A share is wanted, a number from 0 to 1.",
        "Leave out the factor 100.",
        ({"result": "percent"},),
    ),
    Mistake(
        "sign_turned",
        "The number is right but for its sign: you take 1 from the fraction "
        "in place of the fraction from 1.",
        "Which of the two is the larger?",
        ({"result": "minus"},),
    ),
    Mistake(
        "count_of_hits",
        "You return how many hits there are ({a_s} and {a_p} in the example). "
        "They have to be divided by something, and taken from 1.",
        "Read the formula once more, from the line of the fraction downward.",
        ({"result": "count"},),
    ),
    Mistake(
        "rounded",
        "Your result is rounded, and with it most differences between two "
        "alignments are gone.",
        "Round when you print, not when you compute.",
        (
            {"result": "whole"},
            {"result": "a decimal"},
            {"result": "two decimals"},
            {"result": "three decimals"},
        ),
    ),
    Mistake(
        "whole_number_division",
        "The fraction is cut down to a whole number: `//` divides without "
        "the rest.",
        "In Python one stroke divides, two strokes cut.",
        ({"result": "whole share"},),
    ),
)
_HITS = (
    Mistake(
        "possible_ignored",
        "You count the sure hits twice and never look at `possible`. A link "
        "that is possible but not sure should not count as an error.",
        "Above the line stand two counts: which set is in the second?",
        ({"hits": "sure twice"},),
        on="some of each",
    ),
    Mistake(
        "sure_ignored_above",
        "You count the possible hits twice. The first count above the line is "
        "that of the sure ones.",
        "Who finds possible links only and no sure one should not be perfect.",
        ({"hits": "possible twice"},),
        on="some of each",
    ),
    Mistake(
        "only_sure_hits",
        "Above the line one count is missing: |A and possible|, {a_p} in the "
        "example.",
        "A perfect alignment should get 0. What does it get from you?",
        ({"hits": "sure once"},),
    ),
    Mistake(
        "only_possible_hits",
        "Above the line you have {a_p}, the hits that are possible. A sure hit "
        "is possible, too, so it counts in both numbers: {a_s} + {a_p} in the "
        "example. (To forget |A and sure|, to take the sure links out of "
        "`possible`, or to join the two sets before counting gives the same.)",
        "A perfect alignment should get 0. What does it get from you?",
        ({"hits": "possible once"},),
    ),
)
_WHOLE = (
    Mistake(
        "divided_by_possible",
        "Below the line you count the possible links. Nobody has to find "
        "those; below the line stand |A| and |sure|. (Exchanging `sure` and "
        "`possible` does the same.)",
        "Which links must be there?",
        ({"whole": "A + P"}, {"whole": "S + P"}),
        on="some of each",
    ),
    Mistake(
        "divided_by_all_three",
        "Below the line you add the sizes of all three sets. `possible` does "
        "not belong there.",
        "There are two counts above the line and two sizes below it.",
        ({"whole": "A + S + P"},),
    ),
    Mistake(
        "precision_only",
        "You look only at the links that were found: how many of them are "
        "possible. So somebody who finds one safe link is perfect. |sure| "
        "punishes what was not found.",
        "Where do the sure links that were missed come in?",
        (
            {"hits": "possible once", "whole": "A"},
            {"hits": "possible once", "whole": "A", **_ONE},
            {"whole": "2A"},
            {"whole": "2A", **_ONE},
        ),
        on="few links",
    ),
    Mistake(
        "recall_only",
        "You look only at the sure links: how many of them were found. So "
        "somebody who links everything with everything is perfect. |A| "
        "punishes links that are too many.",
        "Where does the size of A come in?",
        (
            {"hits": "sure once", "whole": "S"},
            {"whole": "2S"},
        ),
        on="many links",
    ),
    Mistake(
        "one_size_below",
        "Below the line one of the two sizes is missing: |A| + |sure|, "
        "{a} + {s} in the example.",
        "Two counts above, two sizes below.",
        ({"whole": "A"}, {"whole": "S"}, {"whole": "P"}),
    ),
    Mistake(
        "mean_of_precision_and_recall",
        "You average two fractions, each divided by its own size. The formula "
        "adds the counts first and the sizes first, and divides once.",
        "One line of a fraction, not two.",
        ({"whole": "mean of two"},),
        on="few links",
    ),
    Mistake(
        "f_measure",
        "You combine precision and recall to an F-measure. If all links are "
        "sure, that is the same number; here it is not. Count first, divide "
        "once.",
        "Put the example into the formula, number by number.",
        ({"whole": "F of two"},),
        on="few links",
    ),
    Mistake(
        "brackets_missing",
        "Brackets are missing, or stand in another place: Python divides "
        "before it adds and subtracts. Both counts belong above one line, "
        "both sizes below it, and the 1 stands outside.",
        "Put the sum above the line, and the one below it, in brackets.",
        (
            {"whole": "each its own"},
            {"whole": "no bracket below"},
            {"whole": "no bracket below", **_ONE},
            {"whole": "no bracket above"},
            {"whole": "no bracket"},
            {"whole": "1 above the line"},
        ),
    ),
    Mistake(
        "union_below",
        "Below the line you count the links that are in A *or* in `sure`. "
        "Those in both count once then; |A| + |sure| counts them twice, "
        "because they count twice above the line as well.",
        "Try it on a perfect alignment.",
        ({"whole": "union"}, {"hits": "sure once", "whole": "union"}),
    ),
    Mistake(
        "larger_size_below",
        "Below the line you take the larger of the two sizes. Their sum is "
        "wanted.",
        "Two counts above, two sizes below.",
        ({"whole": "larger"},),
    ),
    Mistake(
        "sizes_multiplied",
        "Below the line you multiply the two sizes. Their sum is wanted.",
        "Plus, not times.",
        ({"whole": "product"},),
    ),
)
_LINKS = (
    Mistake(
        "found_and_sure_exchanged",
        "`A` and `sure` have changed places: you ask whether the sure links "
        "are possible, and they always are.",
        "In which order come the inputs?",
        ({"links": "A and sure exchanged"},),
    ),
    Mistake(
        "links_turned",
        "You turn the links of A around. In all three sets the source "
        "position stands first.",
        "Compare pairs as they are.",
        ({"links": "turned"},),
    ),
    Mistake(
        "positions_not_links",
        "You compare positions, not links. That word 2 is linked to anything "
        "at all is not enough; it has to be linked to the right word.",
        "A link is a pair. Leave it whole.",
        ({"links": "sources only"}, {"links": "targets only"}),
    ),
    Mistake(
        "shifted_by_one",
        "You move the target positions of A by one. The links come as they "
        "are meant; the off-by-one row is an affair of whoever reads the map.",
        "Compare pairs as they are.",
        ({"links": "next row"}, {"links": "row before"}),
    ),
    Mistake(
        "nothing_found_is_perfect",
        "Where nothing was found you return 0, as if that were perfect. All "
        "sure links are missing then: the error rate is 1.",
        "Put an empty A into the formula. Does it need a special case?",
        ({"empty": "0 if nothing found"},),
        on="nothing found",
    ),
    Mistake(
        "nothing_sure_is_special",
        "Where no link is sure you return a number of your own. The formula "
        "needs no special case: {a_p} of the {a} links found are possible, "
        "and each of the others is an error.",
        "Put an empty `sure` into the formula.",
        ({"empty": "0 if nothing sure"}, {"empty": "1 if nothing sure"}),
        on="nothing sure",
    ),
)
MISTAKES = _RESULT + _HITS + _WHOLE + _LINKS
