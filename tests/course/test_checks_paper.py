"""What the checks of exercises on paper accept, name and say."""

import re

import numpy as np
import pytest

from transformer_course import checks
from transformer_course.checks.engine import paper_text
from transformer_course.checks.engine.catalogue import CatalogueError
from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.paper_text import parse
from transformer_course.checks.paper import FOLDER, exercises, paper_of

HEAD = """\
    by_hand((..., ...))
    Give half of {x} and its square.
    count: two numbers
    given: x = {x}
    expected: two numbers
    praise: Well done.
    hint: First.
    hint: Second, for {x}.
    check: half of a number and its square
    value: two numbers

    """
PAIR = (
    HEAD
    + """\
givens
    x = 1   what it begins with

    solution
    half = x / 2   the half of {x}: divide
    square = 2 * x   the square

    nearly_right
    square = 2.001
    Nearly.

    swapped
    half = square
    square = half
    Swapped.

    also_swapped
    = [2, 0.5]
    Swapped again.

    table
    = [[0.25, 4], [1, 1]]
    A table.
"""
)
MATRIX = (
    HEAD
    + """\
givens
    x = 1   what it begins with

    solution
    first = [x, 2]   the first row (left, right)
    second = [3, 4]   the second row (left, right): look at {x}

    columns
    = right.T
    Columns.
"""
)
RAGGED = (
    HEAD
    + """\
givens
    x = 1   what it begins with

    solution
    pair = [x, 2]   the pair (left, right)
    one = x + 2   the number
"""
)
PAPERS = exercises()


def paper(text):
    return Paper(parse(text))


def judged(text, value):
    return judge_paper(paper(text), value)


# --------------------------------------------------------------- the judge


@pytest.mark.parametrize(
    "value",
    [
        (0.5, 2.0),
        [0.502, 1.998],
        np.array([[0.5, 2.0]]),
        [[0.5], [2.0]],
        (0.5, np.float32(2.0)),
    ],
)
def test_right_numbers_are_right_in_any_brackets(value):
    assert judged(PAIR, value).ok


@pytest.mark.parametrize(
    ("value", "mistake", "says"),
    [
        ((2.0, 0.5), "swapped", "Swapped."),
        (((0.25, 4.0), (1.0, 1.0)), "table", "A table."),
        ((0.504, 2.0), None, "1 of 2 is right. Look again at the half of 1: "),
        ((0.5, 1.0), None, "1 of 2 is right. Look again at the square."),
        ((0.4, 2.001), None, "1 of 2 is right. Look again at the half"),
        ((0.0, -1e9), None, "None of the 2 is right yet. Begin with the half"),
        (0.5, None, "Two numbers are wanted, and 1 number came"),
        ((0.5, 2.0, 1.0), None, "3 numbers came"),
        ([[0.5, 2.0]] * 2, None, "shape (2, 2) came"),
        ((0.5, np.nan), None, "not a finite number"),
        ((0.5, ...), "half_filled", "Some are still missing"),
        ([[1.0, None]], "half_filled", "Some are still missing"),
        ("0.5, 2", "not_numbers", "Write plain numbers"),
        (len, "a_function", "not a function"),
    ],
)
def test_other_values_are_told_apart(value, mistake, says):
    verdict = judged(PAIR, value)
    assert verdict.status == "wrong" and verdict.mistake == mistake
    assert says in verdict.message
    assert verdict.example.given == "x = 1"
    assert verdict.hint(2) == "Second, for 1."


@pytest.mark.parametrize(
    ("value", "mistake"),
    [
        ((0.06, 2.35), "rounded"),
        ((0.06, 2.3456), "rounded"),
        ((2.35, 0.06), "swapped"),
        ((0.063, 2.2), None),
        ((0.07, 2.35), None),
    ],
)
def test_numbers_with_two_decimals_are_recognized(value, mistake):
    fine = PAIR.replace("= x / 2", "= 0.0625").replace("= 2 * x", "= 2.3456")
    assert judged(fine, value).mistake == mistake
    assert not judged(fine, value).ok


def test_a_mistake_comes_before_two_decimals():
    own = (
        PAIR.replace("= x / 2", "= 0.0625")
        + """
    cut_off
    = [0.06, 2]
    Cut off.
    """
    )
    assert judged(own, (0.06, 2)).mistake == "cut_off"


@pytest.mark.parametrize("value", [None, ..., (), (..., None), [[...], [...]]])
def test_a_form_that_is_not_filled_in_is_no_attempt(value):
    assert judged(PAIR, value).status == "not attempted"


def test_a_matrix_has_rows_with_labels():
    assert judged(MATRIX, [[1, 2], [3, 4]]).ok
    assert judged(MATRIX, [[1, 3], [2, 4]]).mistake == "columns"
    verdict = judged(MATRIX, [[1, 2], [9, 4]])
    want = "1 of 2 is right. Look again at the second row: look at 1."
    assert verdict.message == want
    assert "and 4 numbers came" in judged(MATRIX, [1, 2, 3, 4]).message
    assert paper(MATRIX).labels[1:3] == (
        "the first row, right",
        "the second row, left",
    )


def test_a_table_has_labels_for_rows_and_columns():
    table = MATRIX.replace("[x, 2]", "[[x, 2]]").replace("[3, 4]", "[[3, 4]]")
    table = table.replace(" (left, right)", "").replace("columns", "turned")
    assert paper(table).labels[1] == "the first row, row 1, column 2"


def test_rows_of_several_lengths_are_one_row_in_any_brackets():
    assert paper(RAGGED).answer.tolist() == [1, 2, 3]
    assert judged(RAGGED, (1, 2, 3)).ok
    assert judged(RAGGED, ((1, 2), [3])).ok
    assert "the number" in judged(RAGGED, ((1, 2), [9])).message
    assert judged(RAGGED, ((1, 2), 3)).mistake == "not_numbers"


def test_the_example_of_the_format_is_an_exercise():
    example = re.search(r"(?ms)^    walk_by_hand.*?(?=^`)", paper_text.__doc__)[
        0
    ]
    assert judged(example, (10, 6)).ok
    known = [one.id for one in paper(example).misconceptions]
    assert len(set(known)) == len(known) - 1 == 3
    assert "take away" in judged(example, (10, 9)).message


def test_one_number_has_no_other_to_look_at():
    one = PAIR[: PAIR.index("    square =")]
    assert "Go through your steps once more" in judged(one, 3).message


def test_an_error_in_the_check_is_a_verdict():
    class Broken(Paper):
        def look(self, got):
            raise IndexError

    verdict = judge_paper(Broken(parse(PAIR)), (1, 1))
    assert verdict.mistake == "not_checkable" and "IndexE" in verdict.message


# ------------------------------------------------- what a text may say


def test_a_wrong_value_is_carried_on_or_stands_alone():
    text = PAIR.replace("2 * x", "4 * half")
    more = """
    carried
    half => x / 4
    Carried on.

    alone
    half = x / 4
    or
    = it + 1
    Alone.

    orders
    = each of orders(right)
    In another order.
    """
    known = {m.id: [] for m in paper(text + more).misconceptions}
    for one in paper(text + more).misconceptions:
        known[one.id].append(one.value.tolist())
    assert known["carried"] == [[0.25, 1]]
    assert known["alone"] == [[0.25, 2], [1.25, 3]]
    assert known["orders"] == [[2, 0.5]]


@pytest.mark.parametrize(
    ("look", "value", "said"),
    [
        ("look if half is right", (0.5, 9), True),
        ("look if half is right", (9, 2), False),
        ("look if nothing is right", (8, 9), True),
        ("look if nothing is right", (0.5, 9), False),
        ("look if outside 0 to [3, 4]", (1, 5), True),
        ("look if outside 0 to [3, 4]", (-1, 1), True),
        ("look if outside 0 to [3, 4]", (1, 3.9), False),
        ("look if outside 0 to [3, 4]", (0, 4), False),
        ("look if mine == 2 * wanted", (1, 9), True),
        ("look if mine == 2 * wanted", (0.5, 4), True),
        ("look if mine == 2 * wanted", (0.7, 4), False),
        ("look", (8, 9), True),
    ],
)
def test_a_look_says_where_to_look(look, value, said):
    message = judged(
        PAIR + f"\n    {look}\n    Seen {{place}}.\n", value
    ).message
    assert message.startswith("Seen") == said
    if said:
        assert message == f"Seen {int(value[0] == 0.5)}."


def test_what_a_look_may_speak_of():
    look = (
        "\n    look\n    {begin} ({good}: {known}; {wrong[0]}) {label}: {way} "
        "{mine} for {wanted}, {count(fits)}, {verb(good)}\n"
    )
    assert judged(PAIR + look, (0.7, 2)).message == (
        "1 of 2 is right. Look again at the half of 1 (1: square; the half of "
        "1) the half of 1: divide. 0.7 for 0.5, 1, is"
    )
    look = "\n    look\n    {label} {at[0]}, {mine}\n"
    assert judged(MATRIX + look, [[1, 2], [3, 9]]).message == (
        "the second row 2, (3, 9)"
    )


def test_numbers_in_a_text_are_written_as_on_paper():
    text = PAIR.replace(
        "Give half",
        "{x}; {x / 4:.1f}; {fraction(-x / 2)}; {[x, 2]}; {listed([x, 2])}; "
        "{in_words(3 * x)}, {in_words(0.5)}; {37000 * x:,.0f} half",
    )
    want = "1; 0.2; -1/2; (1, 2); 1, 2; three, 0.5; 37,000 half"
    assert paper(text).asked.startswith(want)
    text = PAIR.replace("given: x = {x}", "given: M = {[[x, 2], [3, 40]]}")
    assert paper(text).given == "M = [[ 1,  2],\n     [ 3, 40]]"


def test_other_givens_change_all_that_follows():
    other = paper(PAIR).with_givens(x=3)
    assert other.givens["x"] == (3, "what it begins with")
    assert other.answer.tolist() == [1.5, 6]
    assert other.misconceptions[1].value.tolist() == [6, 1.5]
    assert other.labels[0] == "the half of 3" and other.given == "x = 3"
    assert judge_paper(other, (1.5, 6)).ok
    assert paper(PAIR).answer.tolist() == [0.5, 2]
    two = (
        HEAD
        + """\
givens
    x = 1   one
    y = 2   the other

    solution
    total = x + y   the sum

    doubled
    y => 2 * y
    Doubled.
    """
    )
    both = paper(two).with_givens(x=10).with_givens(y=20)
    assert both.answer == 30 and both.misconceptions[0].value == 50
    with pytest.raises(ValueError, match="y is no given.*its givens are x"):
        other.with_givens(y=1)


# -------------------------------------------------- what a text may not say


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("by_hand((..., ...))", "By hand", 1, "begins with the call"),
        ("praise: Well done.\n    ", "", 1, "`praise` is missing"),
        ("hint: First.\n    ", "", 1, "two hints are wanted, and 1 came"),
        ("hint: First.", "count: 2", 7, "`count` stands twice"),
        ("hint: First.", "tolerance: ten\n    hint: 1", 7, "`ten` came"),
        ("hint: First.", "loose: ten\n    hint: 1", 7, "`ten` came"),
        ("hint: First.", "compare: sums\n    hint: 1", 7, "`compare: sums`"),
        ("hint: First.", "either: x\n    hint: 1", 7, "x came; `either` names"),
        ("half of {x}", "half of {x", 2, "a brace is open"),
        ("half of {x}", "half of {x +}", 2, "`x +` is no formula"),
        ("half of {x}", "half of {y}", 2, "`y` cannot be worked out (NameE"),
        ("   what it begins with", "", 13, "say after two spaces what x is"),
        ("x = 1   ", "x is 1   ", 13, "`name = value   words` is wanted"),
        ("half = x / 2", "half = x / ", 16, "is no formula"),
        ("half = x / 2", "half = x / 0", 16, "ZeroDivisionError"),
        ("square = 2 * x ", "half = 2 * x ", 17, "the name half is taken"),
        ("square = 2 * x ", "label = 2 * x ", 17, "the name label is taken"),
        ("the half of {x}: ", "the half (a, b): ", 16, "2 places are named"),
        ("   the square", "", 20, "square came; with `=` it is one of half"),
        ("    solution\n", "    givens\n", 15, "`givens` stands twice"),
        ("nearly_right", "not a name", 19, "is no name of a mistake"),
        ("nearly_right", "more nothing", 19, "no nothing above"),
        ("also_swapped", "swapped", 28, "`more swapped` opens further"),
        ("square = 2.001", "Only words.", 19, "nearly_right needs a value"),
        ("    Nearly.\n", "", 19, "nearly_right needs a sentence"),
        ("square = 2.001", "or", 20, "`or` stands between two ways"),
        ("square = 2.001", "x = 2.001", 20, "one of half, square"),
        ("square = 2.001", "y => 2.001", 20, "one of x, half, square"),
        ("square = 2.001", "square => y", 20, "`y` cannot be worked out"),
        ("square = 2.001", "square = each of x", 20, "a way of its own"),
        ("Nearly.", "Nearly {y}.", 21, "`y` cannot be worked out"),
        ("again.", "again.\n\n    look", 32, "needs a sentence"),
        ("again.", "again.\n\n    look if x is right\n    S.", 33, "x came"),
        ("again.", "again.\n\n    look if (\n    S.", 32, "no formula"),
    ],
)  # fmt: skip
def test_an_error_names_its_line(old, new, line, says):
    assert PAIR.count(old) >= 1
    text = PAIR.replace(old, new, 1)
    with pytest.raises(CatalogueError) as caught:
        _ = Paper(parse(text, "here.txt")).misconceptions
    message = str(caught.value)
    assert message.startswith(f"here.txt:{line}: "), message
    assert says in message


# ----------------------------------- compared in a way of their own, and help


def test_of_differences_only_how_far_each_is_above_the_last_counts():
    text = PAIR.replace("    count:", "    compare: differences\n    count:")
    assert judged(text, (10.5, 12)).ok and not judged(text, (10.5, 12.1)).ok
    assert judged(text, (3.5, 2)).mistake == "swapped"
    assert not judged(PAIR, (10.5, 12)).ok
    assert not judged(text, (float("inf"), float("inf"))).ok


def test_a_mistake_is_named_by_numbers_that_are_nearly_its_own():
    text = PAIR.replace("    count:", "    loose: 0.05\n    count:")
    verdict = judged(text, (2.08, 0.51))
    assert verdict.message == "Swapped. (Yours are within 5 % of that.)"
    assert verdict.mistake is None
    assert "Swapped" not in judged(text, (2.2, 0.5)).message
    assert "Swapped" not in judged(PAIR, (2.08, 0.51)).message


def test_a_mark_may_be_set_either_way():
    text = PAIR.replace("    count:", "    either: half\n    count:")
    assert judged(text, (0, 2)).ok and judged(text, (1, 2)).ok
    assert judged(text, (0.5, 2)).ok
    assert not judged(text, (0.25, 2)).ok and not judged(text, (1, 1)).ok
    assert not judged(PAIR, (1, 2)).ok


def test_help_says_what_the_text_says():
    more = "source: the sea\n    about: It is small.\n    value: two numbers"
    said = paper(PAIR.replace("value: two numbers", more)).help
    assert said.startswith(
        "Check half of a number and its square.\n\nIt is small.\n\n"
        "Args:\n    value: two numbers.\n\nReturns:\n"
    )
    assert said.endswith("\n\nSource: the sea.\n")
    for name in PAPERS:
        check = getattr(checks, name)
        assert check.__doc__ == paper_of(name).help
        assert "\n\nSource: " in check.__doc__


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_file_is_refused(text):
    with pytest.raises(CatalogueError, match="here:1: the file is empty"):
        parse(text, "here")


def test_an_exercise_asks_for_something():
    nothing = PAIR.replace("   the square", "").replace(
        "   the half of {x}: divide", ""
    )
    with pytest.raises(CatalogueError, match=":1: no number is asked for"):
        parse(nothing)


# --------------------------------------------------------- all the exercises


@pytest.mark.parametrize("name", PAPERS)
def test_near_the_tolerance_every_verdict_holds(name):
    """Within it right, beyond it wrong, and never an error of the check."""
    exercise = paper_of(name)
    right, check = exercise.answer, getattr(checks, name)
    places = range(right.size) if right.size < 20 else range(0, right.size, 5)
    for place in places:
        for far in (0.99, 1.01, 1.05, 1.06):
            for sign in (1, -1):
                got = right.ravel().copy()
                got[place] += sign * far * exercise.tolerance
                verdict = check(got.reshape(right.shape))
                assert verdict.mistake != "not_checkable", verdict.message
                if far != 1.05:
                    assert verdict.ok == (far < 1.05), verdict.message


def another(value):
    """Other numbers of the same kind."""
    if isinstance(value, dict):
        return {key: another(one) for key, one in value.items()}
    if isinstance(value, list):
        return [another(one) for one in value]
    if isinstance(value, int):
        return value + 1
    return 1.1 * value


def texts_of(exercise):
    return [
        exercise.asked, exercise.given, exercise.expected, *exercise.hints,
        *(one.message for one in exercise.misconceptions),
    ]  # fmt: skip


@pytest.mark.parametrize("name", PAPERS)
def test_every_exercise_can_be_set_with_other_numbers(name):
    exercise = paper_of(name)
    if not exercise.givens:
        text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
        assert "# No givens: the answer " in text
    for given, (value, _) in exercise.givens.items():
        other = exercise.with_givens(**{given: another(value)})
        assert other.answer.shape == exercise.answer.shape
        assert np.isfinite(other.answer).all()
        assert judge_paper(other, other.answer).ok
        values = [one.value for one in other.misconceptions]
        assert all(np.isfinite(value).all() for value in values)
        before = [one.value for one in exercise.misconceptions]
        assert any(
            one.shape != two.shape or not np.allclose(one, two)
            for one, two in zip(
                [exercise.answer, *before], [other.answer, *values], strict=True
            )
        )
        assert texts_of(other) != texts_of(exercise)


@pytest.mark.parametrize("name", PAPERS)
def test_every_number_has_a_label_of_its_own(name):
    exercise = paper_of(name)
    assert len(set(exercise.labels)) == exercise.answer.size
    assert exercise.name.startswith(f"{name}(")
