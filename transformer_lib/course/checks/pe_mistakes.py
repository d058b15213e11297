"""The mistakes that the exercise `pe(n, d)` knows, by topic."""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]

_BASE = (
    Mistake(
        "base_1000",
        "The base is 1000 in place of 10000: {came} in place of {wanted} in "
        "row {row}, column {column}. Training would hardly tell you, because "
        "such a table works nearly as well. Only a test of values finds it.",
        "Count the zeros.",
        ({"base": "1000"},),
    ),
    Mistake(
        "another_base",
        "The base is not 10000 (four zeros). It decides how slow the slow "
        "pairs are: {came} in place of {wanted} in row {row}, column "
        "{column}.",
        "Which number is raised to the power 2i/d?",
        ({"base": "10"}, {"base": "100000"}),
    ),
    Mistake(
        "base_e",
        "The exponential function has the base 2.718..., and yours stands "
        "where 10000 should. Through the exponential, a power of 10000 needs "
        "the natural logarithm of 10000 as a factor.",
        "10000 to the power p is the exponential of p times something.",
        ({"base": "e"},),
    ),
    Mistake(
        "another_logarithm",
        "You write the power through the exponential function, and the "
        "logarithm beside it has another base. Exponential function and "
        "*natural* logarithm belong together.",
        "Which of the logarithms of NumPy undoes the exponential function?",
        ({"base": "logarithm to base 10"}, {"base": "logarithm to base 2"}),
    ),
    Mistake(
        "size_as_base",
        "You raise a size of the table to the power in place of 10000. The "
        "base is a fixed number: the same position gets the same angles in "
        "every table of this width.",
        "Neither n nor d stands in the place of 10000.",
        ({"base": "d"}, {"base": "n"}),
    ),
)
_EXPONENT = (
    Mistake(
        "exponent_halved",
        "Your i counts pairs (0, 1, 2, ...), and then the exponent is 2i/d; "
        "with i/d it stops near a half, and the slow pairs are much too "
        "fast: {came} in place of {wanted} in row {row}, column {column}. (A "
        "base of 100 gives the same numbers.)",
        "With eight columns, what is the largest value of your exponent? It "
        "should be 6/8.",
        ({"exponent": "i/d"},),
    ),
    Mistake(
        "exponent_doubled",
        "Your i steps over the columns (0, 2, 4, ...), so it is 2i already, "
        "and you double it once more. That is reading *i is the dimension* "
        "literally: the exponents grow to nearly 2.",
        "With eight columns, what is the largest value of your exponent? It "
        "should be 6/8.",
        ({"exponent": "4i/d"},),
    ),
    Mistake(
        "each_column_its_own_speed",
        "Sine and cosine of a pair must share one angle, and yours do not: "
        "column {column} has a speed of its own. Columns 2i and 2i + 1 both "
        "use 2i.",
        "Which exponent do you give to columns 0 and 1? It is the same one.",
        ({"exponent": "j/d"},),
    ),
    Mistake(
        "doubled_and_own_speed",
        "Two slips that go together in much public code: the column number "
        "is doubled although it is 2i already, and the cosine gets a speed "
        "of its own, one step further than its sine.",
        "Write down the exponents of a table of four columns. They should "
        "be 0, 0, 1/2, 1/2.",
        ({"exponent": "2j/d"},),
    ),
    Mistake(
        "cosine_one_pair_further",
        "Your cosines belong to the next pair: column 1 has the angle that "
        "columns 2 and 3 should share. Sine and cosine of a pair share one "
        "angle.",
        "Which i do you use in the line of the cosine?",
        ({"exponent": "cosine further"},),
    ),
    Mistake(
        "pairs_counted_from_one",
        "Your pairs are counted from 1. Then even the fastest pair is slowed "
        "down: {came} in place of {wanted} in row {row}, column {column}. "
        "The first pair has the exponent 0 and turns by 1 a position.",
        "What is i for the columns 0 and 1?",
        ({"exponent": "from 1"},),
    ),
    Mistake(
        "stretched_to_10000",
        "Your exponents run from 0 to exactly 1, because you divide by one "
        "pair less. The paper's own early code does that, its formula does "
        "not: divide 2i by d, so that the last exponent stays below 1.",
        "With four columns the two exponents are 0 and 1/2.",
        (
            {"exponent": "to the end"},
            {"exponent": "d - 1"},
            {"exponent": "d - 2"},
        ),
    ),
    Mistake(
        "all_pairs_alike",
        "All your pairs turn at the same speed, so columns 2 and 3 repeat "
        "columns 0 and 1. Does the exponent lose its decimals, or is the "
        "power missing?",
        "Print the exponents. In Python, two strokes divide and drop the "
        "decimals.",
        ({"exponent": "zero"},),
    ),
    Mistake(
        "odd_exponents",
        "Your exponents are 1/d, 3/d, 5/d, ...: each one is 1/d too large, "
        "so every pair is too slow. 2i + 1 is the number of the cosine's "
        "*column*; in the exponent stands 2i for both columns of a pair.",
        "For the first pair the exponent is 0. What is yours?",
        ({"exponent": "odd"},),
    ),
    Mistake(
        "not_divided_by_d",
        "The exponent is 2i, not divided by d. From the second pair on "
        "nothing moves any more: {came} in place of {wanted} in row {row}, "
        "column {column}.",
        "The exponent must stay below 1.",
        ({"exponent": "not divided"},),
    ),
    Mistake(
        "divided_by_n",
        "You divide 2i by the number of positions. The exponent knows the "
        "width d, never the length: a position has the same code in a short "
        "and in a long table.",
        "Which of the two inputs belongs into the exponent?",
        ({"exponent": "2i/n"},),
    ),
    Mistake(
        "slow_pairs_first",
        "Your pairs stand in the opposite order. The first pair is the fast "
        "one, the last the slow one.",
        "The first power is 1, so the first pair turns by 1 a position.",
        ({"exponent": "slow first"},),
    ),
    Mistake(
        "exponent_upside_down",
        "Your exponent is d/2i, the fraction upside down.",
        "For the first pair the exponent is 0. What is yours?",
        ({"exponent": "upside down"},),
    ),
)
_RATE = (
    Mistake(
        "multiplied",
        "You multiply by the power in place of dividing (a lost minus sign "
        "does the same). Then the angles grow up to nearly 10000 times the "
        "position, and neighboring positions look random. Dividing gives "
        "slow waves.",
        "Which pair should be slower than the first: do its angles grow or "
        "shrink?",
        ({"rate": "multiply"},),
    ),
    Mistake(
        "whole_fraction_raised",
        "You raise the whole fraction to the power. Only the 10000 is "
        "raised; the position stays outside.",
        "Brackets: first the power, then the division.",
        ({"rate": "fraction raised"},),
    ),
    Mistake(
        "position_raised",
        "You raise the position to the power and divide by 10000. It is the "
        "other way round: the 10000 is raised.",
        "Which number does the exponent stand on?",
        ({"rate": "position raised"},),
    ),
    Mistake(
        "base_and_exponent_exchanged",
        "Base and exponent have changed places. The fixed 10000 is the "
        "number below, the exponent 2i/d stands on it.",
        "In Python the base stands to the left of the two stars.",
        ({"rate": "exchanged"}, {"rate": "exchanged, small"}),
    ),
    Mistake(
        "product_not_power",
        "You multiply 10000 by the exponent in place of raising it, and for "
        "the first pair that is a division by zero. One star multiplies, two "
        "raise to a power.",
        "For the first pair you should divide by 1.",
        ({"rate": "product"},),
    ),
    Mistake(
        "brackets_around_the_exponent",
        "Brackets are missing around the exponent. Python raises to a power "
        "first, so 10000 is squared, and only then come i and d.",
        "Put the whole fraction 2i/d into brackets of its own.",
        ({"rate": "brackets lost"}, {"rate": "brackets lost below"}),
    ),
    Mistake(
        "divided_by_10000_alone",
        "You divide every position by 10000 itself. The power is missing, so "
        "all pairs are alike, and all are slow. (In Python two stars raise "
        "to a power; the sign ^ does something else.)",
        "The first pair divides by 1, and each later pair by more.",
        ({"rate": "base alone"},),
    ),
    Mistake(
        "added_to_the_angle",
        "You add the speed of the pair to the position. The angle is the "
        "position *times* the speed (or divided by the power).",
        "At position 0 all angles are 0.",
        ({"rate": "added"},),
    ),
)
_POSITION = (
    Mistake(
        "positions_from_one",
        "Your first row is that of position 1. The book counts from 0, and "
        "row 0 reads 0, 1, 0, 1, ...",
        "What are sine and cosine of 0?",
        ({"position": "from 1"},),
    ),
    Mistake(
        "positions_backward",
        "Your rows stand in the opposite order: the last one is position 0.",
        "Row 0 reads 0, 1, 0, 1, ...",
        ({"position": "backward"},),
    ),
    Mistake(
        "share_of_the_length",
        "You divide the position by the length of the table. Then the same "
        "position gets another code in a longer table, and neighbors move "
        "together. Positions are whole numbers.",
        "Compare row 1 of two tables of different length.",
        ({"position": "share of n"}, {"position": "share of the last"}),
    ),
    Mistake(
        "same_row_everywhere",
        "All rows are the same. You put n into the formula, the number of "
        "positions, where the position of the row belongs.",
        "Which variable changes from row to row?",
        ({"position": "always n"},),
    ),
    Mistake(
        "degrees",
        "You turn the angle into degrees. Sine and cosine of NumPy take "
        "radians, and so does the paper: one full turn is 6.28.",
        "Leave out the conversion.",
        ({"angle": "degrees"},),
    ),
    Mistake(
        "angle_in_turns",
        "A factor with pi stands in your angle. The formula has none: the "
        "first pair turns by 1 radian a position, not by a whole or a half "
        "turn.",
        "Sine and cosine take the fraction as it is.",
        (
            {"angle": "whole turns"},
            {"angle": "half turns"},
            {"angle": "over a turn"},
        ),
    ),
)
_LAYOUT = (
    Mistake(
        "sine_and_cosine_exchanged",
        "Sine and cosine have changed places. Position 0 must read 0, 1, 0, "
        "1, ..., and yours reads 1, 0, 1, 0, ...",
        "Which of the two is 0 at the angle 0?",
        ({"layout": "exchanged"},),
    ),
    Mistake(
        "sines_then_cosines",
        "The numbers are right, the columns are not: all sines stand first "
        "and all cosines behind them. Much code does that, and a model learns "
        "just as well from it; but the formula, and this book, weave them.",
        "Columns 0, 2, 4, ... are sines. How do you address every second "
        "column?",
        (
            {"layout": "halves"},
            {"layout": "stacked"},
            {"layout": "cosines first"},
        ),
    ),
    Mistake(
        "sine_in_the_first_half",
        "The left half of your columns gets the sine and the right half the "
        "cosine, each of its own angle. So a pair is torn apart. Sine and "
        "cosine take turns, column by column.",
        "Which columns are even numbers?",
        ({"layout": "halves cut"},),
    ),
    Mistake(
        "sine_everywhere",
        "All columns are sines. The columns 1, 3, 5, ... must be cosines.",
        "The row of position 0 tells the two apart: what is in column 1?",
        ({"layout": "sines"},),
    ),
    Mistake(
        "cosine_everywhere",
        "All columns are cosines. The columns 0, 2, 4, ... must be sines.",
        "The row of position 0 tells the two apart: what is in column 0?",
        ({"layout": "cosines"},),
    ),
    Mistake(
        "by_even_and_odd_positions",
        "You choose between sine and cosine by the *position*. The choice "
        "belongs to the column: each row has both.",
        "Which of your two loop variables do you test for being even?",
        ({"layout": "by rows"},),
    ),
    Mistake(
        "cosines_missing",
        "The columns 1, 3, 5, ... are still 0. They belong to the cosines.",
        "A sine alone cannot tell an angle below a quarter turn from one "
        "above. Fill the odd columns too.",
        ({"layout": "no cosines"},),
    ),
    Mistake(
        "sines_missing",
        "The columns 0, 2, 4, ... are still 0. They belong to the sines.",
        "Fill the even columns too.",
        ({"layout": "no sines"},),
    ),
    Mistake(
        "sine_negative",
        "Your sines have the opposite sign, so the hands turn backward: "
        "{came} in place of {wanted} in row {row}, column {column}.",
        "Where does a minus come into your angle?",
        ({"layout": "minus"},),
    ),
    Mistake(
        "cosine_negative",
        "Your cosines have the opposite sign: {came} in place of {wanted} in "
        "row {row}, column {column}. (A sine moved by a quarter turn gives "
        "the cosine if the quarter is *added*.)",
        "What is the cosine of 0, and what stands in column 1 of row 0?",
        ({"layout": "minus below"},),
    ),
    Mistake(
        "tiled_not_repeated",
        "The angles do not stand side by side. You wrote the list of all "
        "pairs twice, one behind the other (a, b, a, b), and each angle is "
        "wanted twice in a row (a, a, b, b).",
        "Print the angles of one row for four columns. What should the first "
        "two be?",
        ({"layout": "tiled"},),
    ),
    Mistake(
        "pairs_written_over",
        "Your pairs overwrite each other: pair i is put into the columns i "
        "and i + 1, so the cosine of one pair is lost under the sine of the "
        "next. Pair i belongs into the columns 2i and 2i + 1.",
        "In which columns does pair 1 stand?",
        ({"layout": "written over"},),
    ),
    Mistake(
        "angles_not_waves",
        "You return the angles themselves. They grow with the position "
        "without end; sine and cosine keep them between -1 and 1.",
        "What has to be done with an angle?",
        ({"layout": "angles"},),
    ),
    Mistake(
        "table_left_empty",
        "All numbers are 0: an empty table came back. Either the lines that "
        "fill it are missing, or they fill another array than the one you "
        "return.",
        "Follow the name of the array from the first line to `return`.",
        ({"layout": "empty"},),
    ),
    Mistake(
        "tangent",
        "You return tangents. They run to infinity at every quarter turn.",
        "Which two functions does the formula name?",
        ({"layout": "tangents"},),
    ),
    Mistake(
        "sine_plus_cosine",
        "You add sine and cosine into one number. Each of them gets a column "
        "of its own.",
        "A pair has two columns.",
        ({"layout": "sum"},),
    ),
)
_SHAPE = (
    Mistake(
        "on_its_side",
        "Your table lies on its side: a *row* belongs to a position. Shape "
        "{shape} came for n = {n} and d = {d}.",
        "What is the shape of the table that you return?",
        ({"then": "turned"},),
    ),
    Mistake(
        "sizes_exchanged",
        "n and d have changed places: n counts the positions (rows), d the "
        "columns.",
        "In which order does the exercise name its two inputs?",
        ({"size": "exchanged"},),
    ),
    Mistake(
        "half_the_width",
        "Your table has d/2 columns. There are d/2 *pairs*, and each pair "
        "has two columns.",
        "Where do the cosines go?",
        ({"layout": "sines only"}, {"size": "half as wide"}),
    ),
    Mistake(
        "twice_the_width",
        "Your table has 2d columns: you made a pair for each of d columns. "
        "There are d/2 pairs.",
        "How far does i run?",
        ({"size": "twice as wide"},),
    ),
    Mistake(
        "pairs_on_an_axis",
        "Sines and cosines are right but not yet in one table: shape {shape} "
        "came, and (n, d) is wanted. Flatten each row, pair after pair.",
        "Which axes have to become one?",
        ({"layout": "pairs apart"},),
    ),
    Mistake(
        "cosines_below",
        "The cosines stand below the sines and not beside them: shape "
        "{shape} came, and (n, d) is wanted.",
        "Along which axis do you join them?",
        ({"layout": "one after the other"},),
    ),
    Mistake(
        "one_row_too_many",
        "Your table has a row too many: n rows are the positions 0 to n - 1.",
        "How many numbers are there from 0 to n?",
        ({"size": "one row more"},),
    ),
    Mistake(
        "one_row_too_few",
        "Your table has a row too few: n rows are the positions 0 to n - 1.",
        "Does your count of positions stop one too early?",
        ({"size": "one row less"},),
    ),
    Mistake(
        "one_row_only",
        "You return the last row alone. A row for each position is wanted.",
        "Where do the rows of the other positions stay?",
        ({"then": "last row alone"},),
    ),
    Mistake(
        "flat",
        "All numbers stand in one long row. A table of n rows is wanted.",
        "Where did the second axis go?",
        ({"then": "all in one"},),
    ),
    Mistake(
        "batch_axis",
        "An axis of length 1 stands in front, for a batch. The table itself "
        "is wanted, of shape (n, d).",
        "Leave out the last reshaping.",
        ({"then": "a batch of one"},),
    ),
)
_AFTER = (
    Mistake(
        "only_row_0_filled",
        "Row 0 is right and all others are 0. Either your empty table is "
        "made of whole numbers, and cuts off the decimals of what is put "
        "into it, or `return` stands inside the loop.",
        "Which type has the empty table that you fill, and how often does "
        "the body of your loop run?",
        ({"then": "cut"}, {"then": "first row only"}),
    ),
    Mistake(
        "rounded",
        "The numbers are right but rounded. The slow pairs move by less than "
        "that from one position to the next, and after rounding they stand "
        "still.",
        "Round when you print, not when you compute.",
        ({"then": "rounded"}, {"then": "rounded a little"}),
    ),
    Mistake(
        "position_zero_left_out",
        "Row 0 is all zeros. Some programs keep that row for padding; here "
        "position 0 is a position like any other, and its cosines are 1.",
        "What are sine and cosine of 0?",
        ({"then": "row 0 blank"},),
    ),
    Mistake(
        "last_row_only",
        "Only the last row is filled. Perhaps the table is made anew for "
        "each position.",
        "Which lines have to stand before the loop?",
        ({"then": "last row only"},),
    ),
    Mistake(
        "one_row_n_times",
        "Every row of your table is that of the last position. A list such "
        "as `[row] * n` holds *one* row n times; who fills one fills all.",
        "Change one number of your empty table, print it, and look at the "
        "other rows.",
        ({"then": "last row everywhere"},),
    ),
    Mistake(
        "last_pair_missing",
        "The last two columns are still 0. There are d/2 pairs, i = 0 to "
        "d/2 - 1, and your loop stops one pair too early.",
        "`range(m)` ends with m - 1. What is your m?",
        ({"then": "last pair empty"},),
    ),
    Mistake(
        "rescaled",
        "Every number is multiplied by the same factor. Sines and cosines "
        "stay as they are; a factor belongs to the word vectors, which "
        "chapter 10 explains.",
        "Compare the largest number of your table with 1.",
        ({"then": "unit rows"}, {"then": "times the root"},
         {"then": "over the root"}),
    ),
    Mistake(
        "between_zero_and_one",
        "You moved the waves between 0 and 1. They swing between -1 and 1.",
        "Leave out the last step.",
        ({"then": "from 0 to 1"},),
    ),
)  # fmt: skip

MISTAKES = _BASE + _EXPONENT + _RATE + _POSITION + _LAYOUT + _SHAPE + _AFTER
