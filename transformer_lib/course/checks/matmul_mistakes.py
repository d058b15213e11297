"""Known wrong answers to the exercise `matmul(A, B)`.

The words in braces are filled in by `about_matmul` from the shown example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake
from transformer_lib.course.checks.engine.reading import Answer

__all__ = ["MISTAKES"]


def _cut(answer: Answer) -> bool:
    """Whole numbers where halves are wanted."""
    return answer.whole and answer.array.shape == (2, 2)


_MET = (
    Mistake(
        "cell_by_cell",
        "You multiply each cell of A with the cell of B at the same place. "
        "In {where} that gives {came}; the matrix product wants a whole row "
        "times a whole column there, {wanted}.",
        "How many products go into one entry of the result? In NumPy the "
        "star multiplies cell by cell.",
        ({"meet": "cell, cell"}, {"meet": "cell, cell in loops"}),
        on="square",
    ),
    Mistake(
        "row_with_row",
        "Rows of A meet rows of B: in {where} that gives {came} in place of "
        "{wanted}. In B you have to walk down a column.",
        "Which index of B changes while you walk down column j: the first "
        "or the second?",
        ({"meet": "row, row"}, {"meet": "row, row, stretched"}),
        on="square",
    ),
    Mistake(
        "column_with_column",
        "Columns of A meet columns of B: in {where} that gives {came} in "
        "place of {wanted}. In A you have to walk along a row.",
        "Which index of A changes while you walk along row i: the first or "
        "the second?",
        ({"meet": "column, column"},),
        on="square",
    ),
    Mistake(
        "factors_exchanged",
        "You compute B times A. The order matters: rows come from A, columns "
        "from B. In {where} you get {came} in place of {wanted}.",
        "For A of shape (2, 3) and B of shape (3, 4) only one order is "
        "possible. Which?",
        ({"meet": "exchanged"},),
        on="square",
    ),
    Mistake(
        "rows_and_columns_exchanged",
        "The numbers are right, but the table lies on its side: rows and "
        "columns of the result are exchanged.",
        "Entry (i, j) belongs to row i of A and column j of B. Did you write "
        "it to (j, i)?",
        ({"result": "turned"},),
        on="square",
    ),
    Mistake(
        "columns_with_rows",
        "Columns of A meet rows of B: in {where} that gives {came} in place "
        "of {wanted}. It is the other way around.",
        "Along A you walk in a row, down B in a column.",
        ({"meet": "column, row"},),
        on="square",
    ),
    Mistake(
        "inner_loop_too_short",
        "The innermost loop does not walk along the whole row: it should "
        "make {inner} products for each entry, and it makes fewer. It works "
        "for square matrices and not for others.",
        "The row of A and the column of B have the same length. That is how "
        "far the innermost loop goes, neither the number of rows of A nor "
        "that of the columns of B.",
        (
            {"meet": "as far as A has rows"},
            {"meet": "as far as B has columns"},
            {"meet": "square"},
        ),
    ),
)
_GATHERED = (
    Mistake(
        "not_added_up",
        "Each entry holds only the last product of its row and column, "
        "because every new product overwrites the one before: {came} in "
        "place of {wanted}.",
        "Inside the innermost loop, `=` replaces and `+=` adds.",
        ({"gather": "last"},),
    ),
    Mistake(
        "first_product_only",
        "Each entry holds only the first product of its row and column: "
        "{came} in place of {wanted}. The innermost loop ends too early.",
        "Is there a `break`, or a line that should stand one step further to "
        "the left?",
        ({"gather": "first"},),
    ),
    Mistake(
        "one_product_missing",
        "One product is missing in each sum: {came} in place of {wanted}. "
        "The innermost loop starts too late or stops too early.",
        "`range(3)` counts 0, 1, 2. Nothing has to be subtracted.",
        ({"gather": "all but the last"}, {"gather": "all but the first"}),
    ),
    Mistake(
        "length_overwritten",
        "With each new entry your innermost loop becomes shorter by one "
        "product: {came} in place of {wanted}. A name is used twice, once "
        "for a length and once for a place, as in `for k in range(k)`.",
        "After the first round that name no longer holds the length. Give "
        "the length a name of its own.",
        ({"gather": "shrinking"},),
    ),
    Mistake(
        "sum_never_reset",
        "Your sum goes on from one entry to the next: {came} in place of "
        "{wanted}. The first entry is right, the later ones carry the "
        "earlier ones along.",
        "Where is the sum set back to 0? It has to happen once for each "
        "entry, just before the innermost loop.",
        ({"gather": "running"}, {"gather": "running along rows"}),
    ),
    Mistake(
        "sum_starts_at_one",
        "Every entry is too large by 1: {came} in place of {wanted}. A sum "
        "starts from 0.",
        "What stands in the table before the first product is added?",
        ({"start": 1},),
    ),
    Mistake(
        "multiplied_up",
        "You multiply the products with each other; they have to be added: "
        "{came} in place of {wanted}.",
        "Dot product: multiply pair by pair, then add up.",
        ({"gather": "product"},),
    ),
    Mistake(
        "added_in_pairs",
        "You add the entries of row and column pair by pair; they have to be "
        "multiplied: {came} in place of {wanted}.",
        "Dot product: multiply pair by pair, then add up.",
        ({"gather": "sum of sums"},),
    ),
    Mistake(
        "mean_in_place_of_sum",
        "You divide by the number of products: {came} in place of {wanted}. "
        "The sum is wanted, not the mean.",
        "Look for a `mean` or a division.",
        ({"gather": "mean"},),
    ),
    Mistake(
        "nothing_added",
        "Your table has the right shape and holds only zeros. Either nothing "
        "is written into it, or you multiply into a sum that starts from 0.",
        "Print the sum inside the innermost loop for a small example.",
        ({"gather": "nothing"},),
    ),
)
_RETURNED = (
    Mistake(
        "returned_too_early",
        "Your function returns after the first entry or the first row. The "
        "`return` stands inside a loop, and a function ends at the first "
        "`return` it meets.",
        "Move `return` to the left, under the first `for`, so that it comes "
        "after all loops.",
        (
            {"result": "first entry"},
            {"result": "first row"},
            {"result": "first entry, then zeros"},
            {"result": "first row, then zeros"},
        ),
    ),
    Mistake(
        "only_the_last_kept",
        "You return the last entry, the last row, or the last entry of each "
        "row; those before it are lost. The result has {rows} rows and "
        "{columns} columns.",
        "Each new entry needs a place of its own: `row.append(...)`, or a "
        "table of zeros that you fill.",
        (
            {"result": "last entry"},
            {"result": "last row"},
            {"result": "last of each row"},
        ),
        on="small",
    ),
    Mistake(
        "written_after_the_loop",
        "Only the last place of each row (or the last row) is filled, the "
        "others stay 0. The line that writes into the table stands after a "
        "loop and not inside it, so it sees the last round only.",
        "How far is that line moved in? Each entry has to be written before "
        "the next one begins.",
        (
            {"result": "last column, after zeros"},
            {"result": "last row, after zeros"},
        ),
        on="small",
    ),
    Mistake(
        "row_or_column_left_out",
        "One row or one column of your table is still 0: a loop over the "
        "rows or columns starts too late or stops too early.",
        "`range(3)` counts 0, 1, 2: three places, the first of them 0.",
        (
            {"result": "no first row"},
            {"result": "no last row"},
            {"result": "no first column"},
            {"result": "no last column"},
        ),
        on="small",
    ),
    Mistake(
        "one_number",
        "You add up everything into one number. The result is a table with "
        "{rows} rows and {columns} columns.",
        "Each pair of a row and a column has its own sum.",
        ({"result": "total"},),
        on="small",
    ),
    Mistake(
        "one_long_list",
        "The entries are right, but they stand in one long list. The result "
        "is a table with {rows} rows and {columns} columns.",
        "Begin a new list for each row, and put the finished rows into a list.",
        ({"result": "flat"},),
        on="small",
    ),
    Mistake(
        "diagonal_only",
        "Only the diagonal is filled: row 1 with column 1, row 2 with column "
        "2. Every row has to meet every column.",
        "One loop for the rows and one for the columns, not one for both.",
        ({"result": "diagonal"},),
    ),
    Mistake(
        "rows_are_one_list",
        "All rows of your result are equal. `[[0] * m] * n` does not make n "
        "rows: it makes one row and names it n times, so that a change in "
        "one is a change in all.",
        "Begin with NumPy's table of zeros, or make a new list for each row "
        "inside the loop over the rows.",
        ({"result": "rows shared"}, {"result": "rows shared, added"}),
    ),
    Mistake(
        "whole_numbers_cut",
        "When A holds whole numbers, what follows the point gets lost: the "
        "table that you write into has a type for whole numbers, or you "
        "round.",
        "A fresh table of zeros holds numbers with decimals, unless you give "
        "it the type of A.",
        matches=lambda a: _cut(a["whole numbers"]),
        on="whole numbers",
    ),
    Mistake(
        "loop_over_a_number",
        "A number stands where something to walk through is wanted, most "
        "often in a loop such as `for i in len(A)`. A number is no list.",
        "Which function makes 0, 1, 2, ... out of a number, for a loop to "
        "walk through?",
        raises="TypeError: 'int' object is not iterable",
    ),
)
MISTAKES = (*_MET, *_GATHERED, *_RETURNED)
