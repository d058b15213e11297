"""What a check reads and says: numbers, laws, printed text, a verdict."""

import numpy as np
import pytest

from transformer_course.checks.engine.box import cut
from transformer_course.checks.engine.box.output import Output
from transformer_course.checks.engine.facts import (
    first_difference,
    show_arrays,
)
from transformer_course.checks.engine.preconditions import (
    after_calling,
    explain_failure,
)
from transformer_course.checks.engine.properties import (
    Probe,
    between_zero_and_one,
    finite,
    first_broken,
    refuses,
    runs,
    shape,
    unmoved_by,
    values,
)
from transformer_course.checks.engine.reading import (
    Answer,
    number,
    read,
    same,
    shorten,
)
from transformer_course.checks.engine.verdict import Example, Verdict

ERROR = Answer("raised", text="NameError: no x", error="NameError")

# ------------------------------------------------------------- the verdict

WRONG = Verdict(
    "wrong",
    "f(x)",
    "All of `x`.",
    "Say `x < 1`.",
    example=Example("[1,\n2]", "three", "four"),
    hints=("First.", "Second."),
    printed="seen",
)


def test_a_wrong_verdict_says_everything_in_order():
    assert repr(WRONG).splitlines() == [
        "Not yet: f(x)",
        "Say `x < 1`.",
        "  asked     All of `x`.",
        "  given     [1,",
        "            2]",
        "  expected  three",
        "  received  four",
        "  printed   seen",
        "Say more: .hint(1), .hint(2)",
    ]
    page = WRONG._repr_html_()
    assert "Say <code>x &lt; 1</code>." in page
    places = [
        page.index(word)
        for word in ("expected", "three", "received", "four", "printed", "seen")
    ]
    assert places == sorted(places)


def test_a_page_shows_stress_and_leaves_stars_in_code_alone():
    said = Verdict("wrong", "f(x)", "Not *this*: `2 * x * y`, 2 * x * 3.", "")
    page = said._repr_html_()
    assert "<em>this</em>: <code>2 * x * y</code>, 2 * x * 3." in page


def test_a_right_verdict_says_no_more_than_its_praise():
    right = Verdict("right", "f(x)", "All.", "Well done.", hints=("1", "2"))
    assert repr(right) == "Right: f(x)\nWell done."
    assert "no hint" in right.hint(1)


def test_hints_are_counted_from_one():
    assert repr(WRONG.hint()) == "First." and WRONG.hint(2) == "Second."
    for other in (0, 3, -1, "x", None):
        assert "hint(1) and hint(2)" in WRONG.hint(other)


# ---------------------------------------------------------- the difference


@pytest.mark.parametrize(
    ("size", "places", "row"),
    [((2, 3), [(0, 2), (1, 0)], 0), ((2, 3), [(1, 0)], 1), ((4,), [(2,)], 0)]
    + [((2, 2, 2), [(1, 0, 1)], 0)],
)
def test_the_first_difference_is_told(size, places, row):
    want = np.arange(np.prod(size), dtype=float).reshape(size)
    got = want.copy()
    for place in places:
        got[place] += 20
    assert first_difference(want, got) == {
        "shape": size,
        "came": f"{got[places[0]]:g}",
        "wanted": f"{want[places[0]]:g}",
        "row": row,
    }


def test_without_a_difference_only_the_shape_is_told():
    want = np.ones((2, 3))
    assert first_difference(want, want) == {"shape": (2, 3)}
    assert first_difference(want, want[:, :2]) == {"shape": (2, 2)}


def test_matrices_are_shown_and_batches_by_their_shape():
    shown = show_arrays("A", "b")
    matrix = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert shown((matrix, [5])) == "A = [[1, 2],\n     [3, 4]]\nb = [5]"
    assert shown((matrix[None], [5])) == "A of shape (1, 2, 2), b of shape (1,)"


# ---------------------------------------------------------- what is printed


def printed(*texts):
    stream = Output()
    for text in texts:
        print(text, file=stream)
    return stream.shown()


def test_short_texts_are_shown_as_they_are_printed():
    assert printed("  indented", "", "last ", "") == "  indented\n\nlast"
    assert (
        printed(object(), print) == "<object object>\n<built-in function print>"
    )
    assert Output().write("abc") == 3


def test_of_long_texts_both_ends_are_shown():
    lines = printed(*range(13)).split("\n")
    assert lines == [*map(str, range(8)), "...", "10", "11", "12"]
    stream = Output()
    for i in range(20):
        print(i, "x" * 1500, file=stream)
    stream.write("")  # which overflows nothing
    lines = stream.shown().split("\n")
    assert lines[0].startswith("0 ") and lines[-1].startswith("19 ")
    assert "..." in lines
    kept = [text for text in vars(stream).values() if isinstance(text, str)]
    assert sum(map(len, kept)) < 10_000


# ------------------------------------------------------------ what is read


def test_numbers_are_read_from_whatever_holds_them():
    for value in ([[[1, 0]]], (((True, False),),), np.array([[[1, 0]]])):
        np.testing.assert_array_equal(read(value).array, [[[1.0, 0.0]]])
    many = read(np.broadcast_to(0.0, (1_000_001,)))
    assert many.kind == "unreadable" and "shape (1000001,)" in many.text
    for value in ("12", b"12", {1}, [1j], [[1], [2, 3]], object()):
        assert read(value).kind == "unreadable"
    assert read(None).kind == "nothing" and read(...).kind == "ellipsis"


def test_what_is_broken_or_whole():
    assert read([1.0, np.nan]).broken and read([np.inf, 1.0]).broken
    assert not read([1.0, 2.0]).broken and not ERROR.broken
    assert Answer("raised", groups=("ArithmeticError",)).broken
    assert read([1.0, 2.0]).whole and not read([1.0, 2.5]).whole


def test_numbers_agree_entry_by_entry():
    ones = np.ones(2)
    assert same(ones, ones) and not same(ones, np.array([1.0, 2.0]))
    assert not same(np.ones(1), ones) and not same(ones[None], ones)
    zero = np.zeros(1)
    assert same(zero + 5e-7, zero) and not same(zero + 2e-6, zero)


class Wordless:
    def __repr__(self):
        raise RuntimeError


def test_texts_are_short_and_the_same_in_each_run():
    assert cut("abcdefghij", 8) == "abcde..." and cut("abcdefgh", 8)[-1] == "h"
    assert shorten(object()) == "<object object>"
    assert shorten(Wordless()) == "<Wordless>"
    assert number(1e9) == "1e+09" and number(4e-5) == "4e-05"


# -------------------------------------------------------- before the values


def raised(text, *bases):
    error = text.split(":")[0]
    return Answer("raised", text=text, error=error, groups=(error, *bases))


NOTHING, DOTS, NUMBER = read(None), read(...), read(1.0)


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ([DOTS, DOTS], "stub"),
        ([DOTS, NUMBER], None),
        ([NOTHING, NOTHING], "no_return"),
        ([NOTHING, NUMBER], None),
        ([NOTHING, Answer("nothing", printed="1")], "printed_not_returned"),
        ([NUMBER, raised("NameError: name '_' is not defined")], "stub"),
        ([raised("NameError: name 'x_' is not defined")], None),
        ([raised("TypeError: float + ellipsis")], "stub"),
        ([raised("AttributeError: 'ellipsis' has no .sum")], "stub"),
        ([raised("TypeError: indices must be ints, not ellipsis")], None),
        ([raised("ValueError: ellipsis")], None),
        ([raised("NotImplementedError")], None),
    ],
)
def test_what_is_not_attempted_or_not_returned(answers, told):
    broken = explain_failure(lambda: False, answers)
    if told is None:
        assert broken is None
    else:
        assert broken.attempted == (told != "stub")
        assert broken.id == (told if broken.attempted else "")


def test_an_empty_body_is_no_attempt():
    assert not explain_failure(lambda: True, [NOTHING]).attempted


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer("out of time", text="no answer"), "never_ends"),
        (raised("MyError: deep", "RecursionError"), "calls_itself_forever"),
        (raised("SystemExit: 1"), "calls_exit"),
        (raised("KeyboardInterrupt"), "calls_exit"),
    ],
)
def test_what_ends_a_check_at_once(answer, told):
    assert after_calling(answer).id == told
    assert after_calling(NUMBER) is after_calling(ERROR) is None


# -------------------------------------------------------------------- laws


def probe(got, want=(0.5, 0.5), call=None):
    """A probe of an answer, or of what a function returns."""
    answers = (x if isinstance(x, Answer) else read(x) for x in (got, want))
    return Probe((np.array([1.0]),), *answers, call)


def test_the_coarsest_law_comes_first_and_all_probes_before_the_next():
    law = (shape, lambda p: "the law")
    for got, says in (
        ("text", "Numbers are wanted"),
        (ERROR, "stops with an error: NameError: no x."),
        ([1.0], "(1,) came, (2,) is wanted"),
        ([0.5, 0.4], "the law"),
    ):
        place, sentence = first_broken([probe([1, 2]), probe(got)], law)
        assert says in sentence and place == (says != "the law")
    assert first_broken([probe([1, 2])], ())[1].endswith("is 1 instead of 0.5.")


def test_an_error_is_told_with_what_helps():
    about = Answer("raised", text="E: bad?", place="x @ y", cause="Of old.")
    said = runs(probe(about))
    assert said.endswith("error, in the line `x @ y`: E: bad? Of old.")
    assert runs(probe(ERROR)).endswith("error: NameError: no x.")
    assert runs(probe([1.0])) is None and runs(probe(ERROR, ERROR)) is None
    assert "gives the answer [1]" in refuses(probe([1.0], ERROR))
    assert "gives the error NameError" in refuses(probe(ERROR, ERROR))
    assert refuses(probe(ERROR)) is None


@pytest.mark.parametrize(
    ("law", "got", "says"),
    [
        (finite, [1.0, np.inf], "contains inf, first at [1]. What gives inf: "
         "a division by 0, and a number too big"),
        (finite, [1.0, -np.inf], "contains -inf, first at [1]. What gives "
         "-inf: the logarithm of 0"),
        (finite, [np.nan, 1.0], "contains nan, first at [0]. What gives nan: "
         "0 / 0, inf - inf, 0 * inf, the root or the logarithm of a negative"),
        (finite, [[0.0, 1.0], [1.0, np.nan]], "nan, first at [1, 1]."),
        (finite, [[np.nan, np.nan]], "every number of yours is nan. What"),
        (finite, np.nan, "the answer contains nan. What"),
        (finite, [1.0, 1e300], None),
        (between_zero_and_one, [0.0, 1.0], None),
        (between_zero_and_one, [0.5, -0.25], "is -0.25."),
        (between_zero_and_one, [0.5, 1.25], "is 1.25."),
        (shape, [[0.5, 0.5]], "(1, 2) came, (2,) is wanted"),
        (values, [0.5, 0.7], "at [1] is 0.7 instead of 0.5"),
        (values, [0.6, 0.7], "at [0] is 0.6 instead of 0.5"),
        (values, [0.5, 0.50001], "at [1] is 0.50001 instead of 0.5."),
        (values, [0.6, np.nan], "at [1] is nan instead of 0.5"),
    ],
)  # fmt: skip
def test_a_law_names_what_breaks_it(law, got, says):
    said = law(probe(got))
    assert said is None if says is None else says in said


@pytest.mark.parametrize(
    ("first", "second", "broken"),
    [
        ([0.5], [1.5], False),
        ([0.5], [1.5001], False),  # rounding
        ([0.5], [1.6], True),
        ([np.nan], [1.5], False),
        ([0.5], ERROR, False),
    ],
)
def test_a_law_of_two_calls(first, second, broken):
    def call(args):
        assert args == (2.0,)
        return second if isinstance(second, Answer) else read(second)

    law = unmoved_by(
        lambda args: (args[0][0] + 1,),
        lambda got, args: got + args[0],
        "Moved.",
    )
    assert law(probe(first, [0.1], call)) == ("Moved." if broken else None)
