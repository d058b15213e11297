"""Known wrong answers to `smooth_targets(y, K, eps)`.

The words in braces are filled in by `about_smooth_targets` from the shown
example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]

_SPREAD = (
    Mistake(
        "spread_over_wrong_classes",
        "You share eps among the K - 1 wrong classes. Public code does that "
        "too, and the row sums to 1, but this exercise wants the other "
        "convention: all {K} classes get eps / K, the right one as well.",
        "Among how many classes is eps shared out, and is the right one one "
        "of them?",
        ({"fill": "wrong classes"},),
        on="three",
    ),
    Mistake(
        "spread_over_wrong_words",
        "You share eps among K - 2 classes and leave out class 0, as code "
        "does that keeps the padding out. Here all {K} classes get eps / K, "
        "class 0 too.",
        "Class 0 is a class like any other in this exercise.",
        ({"fill": "wrong words"},),
        on="five",
    ),
    Mistake(
        "certainty_divided_too",
        "The certainty is divided by K as well, so the right class gets 1 / K "
        "and the row sums to {sum}. Only eps is shared out.",
        "Look at your brackets: what stands above the line?",
        ({"fill": "all divided"},),
        on="three",
    ),
    Mistake(
        "right_class_without_its_share",
        "The right class gets {card} and no share of what is spread, so the "
        "row sums to {sum}. It is one of the K classes: it gets eps / K as "
        "well.",
        "Add up one of your rows. How much is missing, and who should have it?",
        ({"fill": "right without share"},),
    ),
    Mistake(
        "share_of_wrong_classes_for_all",
        "You divide eps by K - 1, but hand it to all K classes: the row sums "
        "to {sum}. By how many must you divide if {K} classes share?",
        "Count who gets something, and divide by that.",
        ({"fill": "wrong share for all"},),
    ),
    Mistake(
        "one_class_too_many",
        "You divide eps by K + 1, so the row sums to {sum}. With {K} classes "
        "numbered from 0, the last one has the number K - 1, but there are "
        "{K} of them.",
        "How many classes are there?",
        ({"fill": "one class more"},),
    ),
    Mistake(
        "eps_for_each",
        "Each wrong class gets the whole eps, so the row sums to {sum}. Eps "
        "is what all of them get together: divide it.",
        "All classes together get eps. What does one of them get?",
        ({"fill": "eps each"}, {"fill": "eps each, right on top"}),
        on="five",
    ),
    Mistake(
        "two_fixed_numbers",
        "Your rows hold 0.9 and 0.1 whatever K and eps are. With {K} classes "
        "that sums to {over}. The two-valued rule is for one yes-or-no "
        "question, not for K classes.",
        "Which of your numbers change when K grows?",
        ({"fill": "card"},),
    ),
    Mistake(
        "times_K",
        "You multiply eps by K where it is to be divided: each wrong class "
        "gets {came}, and wanted is {wanted}.",
        "More classes to share means less for each.",
        ({"fill": "eps times K"},),
    ),
    Mistake(
        "scaled_down",
        "You give every wrong class the same weight eps and then divide the "
        "row by its sum. It sums to 1, but the right class gets {came} in "
        "place of {wanted}, and less and less the more classes there are.",
        "How much certainty is given away in all? It should not depend on K.",
        ({"fill": "scaled down"},),
        on="five",
    ),
)
_ANSWER = (
    Mistake(
        "one_sided",
        "You lower the right class to {card} and leave the others at 0: the "
        "row sums to {sum}. What is taken away has to go somewhere.",
        "Add up one of your rows.",
        ({"fill": "one side"},),
    ),
    Mistake(
        "right_class_stays_1",
        "The others get their share, but the right class still has 1, so the "
        "row sums to {sum}. What is handed out has to be taken from "
        "somewhere.",
        "Who pays for the shares of the others?",
        (
            {"fill": "right stays 1"},
            {"fill": "right stays 1, wrong share"},
            {"fill": "added on top"},
        ),
    ),
    Mistake(
        "not_smoothed",
        "Your rows hold 1 for the right class and 0 for the others, whatever "
        "eps is. That is where smoothing begins.",
        "Where does your code use eps?",
        ({"fill": "nothing"},),
    ),
    Mistake(
        "eps_and_rest_exchanged",
        "Eps and 1 - eps have changed places: the right class keeps only the "
        "part eps, and the rest is spread. With eps {eps} it should lose "
        "little.",
        "What should come out for eps 0?",
        ({"fill": "exchanged"},),
        on="five",
    ),
    Mistake(
        "took_one_share_only",
        "The right class gives away one share, 1 - eps / K, although K of "
        "them are handed out: the row sums to {sum}.",
        "How much is handed out in all?",
        ({"fill": "share taken once"},),
    ),
    Mistake(
        "answer_overwritten",
        "Every class has eps / K, the right one too, and the row sums to "
        "{sum}. If you write the right class first and fill the row after "
        "that, the answer is lost. Fill first.",
        "In which order are the entries of a row written?",
        ({"fill": "answer overwritten"},),
    ),
    Mistake(
        "all_alike",
        "Every class has 1 / K, so the row does not say which one is right. "
        "Only the part eps is shared out alike.",
        "Where does your code use y?",
        ({"fill": "uniform"},),
    ),
    Mistake(
        "subtracted",
        "The wrong classes get minus eps / K. A share cannot be negative: "
        "check the sign.",
        "Print one row and look at its smallest number.",
        ({"fill": "minus"},),
    ),
)
_PLACE = (
    Mistake(
        "counted_from_1",
        "The raised entry stands one place too far to the left: classes are "
        "counted from 0, so the number in y is the place itself.",
        "Which column belongs to class 0?",
        ({"right": "counted from 1"},),
    ),
    Mistake(
        "one_place_too_far",
        "The raised entry stands one place too far to the right: the number "
        "in y is the place itself, counted from 0.",
        "Which column belongs to class 0?",
        ({"right": "one too far"},),
    ),
    Mistake(
        "counted_from_the_end",
        "You count the classes from the end of the row. Class 0 is the first "
        "column.",
        "Which column belongs to class 0?",
        ({"right": "from the end"},),
    ),
    Mistake(
        "row_number_for_class",
        "In row i you raise entry i, whatever y says: that is the diagonal. "
        "The class is the i-th number in y.",
        "Which number do you use as the column?",
        ({"right": "row number"},),
        on="square",
    ),
    Mistake(
        "same_class_in_every_row",
        "You raise the same column in every row. Each row has its own right "
        "class, its own number in y.",
        "Is the number in y looked up inside the loop?",
        ({"right": "always the first"}, {"right": "first answer"}),
    ),
    Mistake(
        "all_answers_in_every_row",
        "Each row has all right classes raised, not only its own. Either "
        "`q[:, y]` picks these columns in every row, or your rows are one "
        "list with several names, as `[row] * n` makes them.",
        "Change one entry of your table. How many entries have changed?",
        ({"right": "all answers"},),
        on="three",
    ),
    Mistake(
        "only_the_first_row",
        "Only the first row has a right class; the others hold eps / K "
        "everywhere.",
        "Does `return` stand inside the loop?",
        ({"right": "first row"},),
        on="three",
    ),
)
_REST = (
    Mistake(
        "own_eps",
        "You use 0.1 whatever eps is. It comes with the call: here it is "
        "{eps}.",
        "Search your code for 0.1.",
        ({"rate": "own 0.1"},),
        on="three",
    ),
    Mistake(
        "eps_as_percent",
        "You divide eps by 100. It is a share already: 0.1 means a tenth.",
        "What is a tenth as a share, and what in percent?",
        ({"rate": "percent"},),
    ),
    Mistake(
        "half_of_eps",
        "You use half of eps: {came} in place of {wanted}.",
        "Is there a 2 that K should be?",
        ({"rate": "half"},),
    ),
    Mistake(
        "eps_squared",
        "Eps goes in twice, multiplied by itself: {came} in place of {wanted}.",
        "Is the row smoothed once, or is a share of a share taken?",
        ({"rate": "squared"},),
    ),
    Mistake(
        "rows_and_columns_exchanged",
        "Your table has the shape {shape}. A row belongs to an answer and a "
        "column to a class: ({n}, {K}).",
        "Which of the two lengths comes first?",
        ({"layout": "columns"},),
        on="three",
    ),
    Mistake(
        "one_row_for_all",
        "One row comes out, of shape {shape}. Each of the {n} answers has a "
        "row of its own.",
        "What is remembered from one answer to the next?",
        (
            {"layout": "one row"},
            {"layout": "mean row"},
            {"layout": "first row"},
        ),
        on="three",
    ),
    Mistake(
        "flat_list",
        "All numbers come in one long row, of shape {shape}. Wanted are {n} "
        "rows of {K}.",
        "Where are the rows joined end to end?",
        ({"layout": "flat"},),
        on="three",
    ),
    Mistake(
        "only_the_right_entries",
        "You return what the right classes get, one number an answer. The "
        "other classes need their numbers too: {n} rows of {K}.",
        "What shape should the result have?",
        ({"layout": "right entries"},),
        on="three",
    ),
    Mistake(
        "numbers_of_classes",
        "You return the numbers of classes, which is y again. Wanted are "
        "shares, {K} for each answer.",
        "What does a row look like on paper?",
        ({"layout": "classes"},),
        on="three",
    ),
    Mistake(
        "softmax_of_targets",
        "You send the targets through softmax. They are shares already, and "
        "softmax makes them nearly equal: the right class has {came}, wanted "
        "is {wanted}.",
        "Softmax belongs to the scores of the model.",
        ({"layout": "softmax"},),
        on="five",
    ),
    Mistake(
        "logarithm",
        "You return logarithms. The logarithm comes later, in the loss, and "
        "it is that of the model's shares.",
        "Which numbers can a share be?",
        ({"layout": "logarithm"},),
        on="five",
    ),
    Mistake(
        "whole_numbers",
        "Your table holds whole numbers only, so each share is cut to 0. A "
        "table made like y inherits its kind of number.",
        "Which kind of numbers can your table hold?",
        ({"layout": "whole"},),
        on="five",
    ),
    Mistake(
        "rounded",
        "You round the shares: {came} in place of {wanted}. Round when you "
        "print, not when you compute.",
        "Look for a rounding on the way out.",
        ({"layout": "rounded"}, {"layout": "rounded a little"}),
        on="many",
    ),
)

MISTAKES = _SPREAD + _ANSWER + _PLACE + _REST
