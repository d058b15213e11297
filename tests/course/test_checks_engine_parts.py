"""The engine of the checks, driven by an exercise of four lines.

How a catalogue is read, how edits are made, which mistake fits which answers,
and which case, example and hint a verdict shows.
"""

import dataclasses
import threading

import numpy as np
import pytest

from transformer_course.checks.engine import guard, matching
from transformer_course.checks.engine.catalogue import parse
from transformer_course.checks.engine.class_answer import (
    objects_share_memory,
    restored,
)
from transformer_course.checks.engine.edits import Overlap, Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.mistake import Mistake
from transformer_course.checks.engine.properties import shape
from transformer_course.checks.engine.reading import Answer, read
from transformer_course.checks.engine.submission import Submission


def twice(x):
    return 2.0 * x


def line(x, c):
    y = twice(x)
    if x.max() > 100:
        y = y - 7.0
    return y + c


CASES = (
    Case("a", (np.array([1.0, 2.0, 3.0]), 1.0)),
    Case("b", (np.array([[4.0, 0.5]]), 2.0)),
    Case("c", (np.array([3.0, 5.0]), 0.0)),
    Case("large", (np.array([200.0, 1.0]), 1.0), basic=False),
    Case("larger", (np.array([300.0, 4.0]), 0.0), basic=False),
)
BASIC = """
no_factor
- twice(x)
+ x
The factor.
? Twice.

another_factor
- twice(x)
+ 3.0 * x
or
- twice(x)
+ 4.0 * x
Another factor.
? Two.

minus
- + c
+ - c
Minus.
? Plus.

five_times
- return y
+ return 5.0 * y
Five times.
? Once.
"""
NO_STEP = """
no_step
- y - 7.0
+ y
No step.
? Step.
"""
DIVIDES = """
divides
- y - 7.0
+ y / 0.0
Divided.
? Nothing.
"""


def exercise(text=BASIC, cases=CASES, thing=line, **more):
    """A small exercise; more are attributes of it."""
    usual = {
        "name": "line",
        "inputs": ("x", "c"),
        "asked": "The line.",
        "praise": "Well done.",
        "solve": Reference(thing),
        "catalogue": text,
        "properties": (shape,),
        "hints": ("The first hint.", "The second hint."),
        "cases": cases,
    }
    return Exercise(**usual | more)


def gives(**by_case):
    """A right answer, except in some cases: there a function changes it."""

    def student(x, c):
        (name,) = (k.name for k in CASES if np.array_equal(k.args[0], x))
        return by_case.get(name, lambda y: y)(line(x, c))

    return student


def plus_one(y):
    return y + 1


def wrong_kind(y):
    raise TypeError("the wrong kind")


def no_number(y):
    return y * np.nan


# ------------------------------------------------------------------- edits


def test_edits_make_a_variant_beside_the_right_answer():
    reference = Reference(line)
    x = np.array([1.0, 200.0])
    variant = reference.edited(
        {"y - 7.0": "y", "+ c": "- c", "twice": "-twice"}
    )
    np.testing.assert_array_equal(variant(x, 1.0), -2 * x - 1)
    np.testing.assert_array_equal(line(x, 1.0), 2 * x - 7 + 1)
    assert globals()["line"] is reference.thing
    touching = {"y = twice": "y = 3 * twice", "(x)\n": "(x + 1)\n"}
    assert reference.edited(touching)(np.array([1.0]), 0.0) == 12


@pytest.mark.parametrize(
    ("edits", "error"),
    [
        ({"gone": "x"}, "gone"),
        ({"x": "c"}, "must occur once"),
        ({"twice(x)": "x", "(x)": "(c)"}, "same place"),
    ],
)
def test_edits_that_do_not_fit_are_refused(edits, error):
    kind = Overlap if "same" in error else LookupError
    with pytest.raises(kind, match=error):
        Reference(line).edited(edits)
    assert not exercise().can_be_made(edits)


def test_a_catalogue_is_read_whole():
    mine = Mistake("mine", "Mine.", "")
    text = """
    first
    - one
    -     more
    + other
    +     lines
    - two
    + three
    or
    - four
    +
    +x and -x are the two lines
    of the message {came}.
    ? The hint has
    two lines.
    @ case a


    second
    ! case a, case b
    ! case c
    or else it is a message.

    & mine

    third
    % TypeError: .*
    @ case b
    Said last.
    """
    first, second, third, last = parse(text, (mine,))
    assert first == Mistake(
        "first",
        "+x and -x are the two lines of the message {came}.",
        "The hint has two lines.",
        ({"one\n    more": "other\n    lines", "two": "three"}, {"four": ""}),
        on="case a",
    )
    assert second.fails == ("case a", "case b", "case c")
    assert second.message == "or else it is a message."
    assert third is mine
    assert last == Mistake(
        "third", "Said last.", "", raises="TypeError: .*", on="case b"
    )


# --------------------------------------------------------- basic mistakes


@pytest.mark.parametrize(
    ("edits", "name"),
    [
        ({"twice(x)": "x"}, "no_factor"),
        ({"twice(x)": "3.0 * x"}, "another_factor"),
        ({"twice(x)": "4.0 * x"}, "another_factor"),
        ({"+ c": "- c"}, "minus"),
        ({"+ c": "- c", "twice(x)": "x"}, "no_factor+minus"),
        ({"+ c": "- c", "return y": "return 5.0 * y"}, "minus+five_times"),
    ],
)
def test_a_basic_mistake_is_named_by_any_of_its_ways(edits, name):
    known = exercise()
    verdict = judge(known, known.variant(edits))
    assert verdict.mistake == name
    hints = {m.id: m.hint for m in known.mistakes}
    assert verdict.hint(1) == " ".join(hints[n] for n in name.split("+"))


def test_two_mistakes_are_named_and_three_are_not():
    known = exercise(BASIC + NO_STEP)
    edits = {"+ c": "- c", "return y": "return 5.0 * y"}
    assert judge(known, known.variant(edits)).mistake == "minus+five_times"
    verdict = judge(known, known.variant(edits | {"twice(x)": "x"}))
    assert verdict.mistake is None and "at once" not in verdict.message


@pytest.mark.parametrize(
    ("others", "name"), [(3, None), (2, "no_step"), (0, "no_step")]
)
def test_a_name_explains_more_than_two_in_five_failing_cases(others, name):
    more = tuple(
        Case(f"other {n}", (np.array([float(n), 7.0]), 1.0), basic=False)
        for n in range(others)
    )
    known = exercise(BASIC + NO_STEP, (*CASES, *more))
    forgets_a_step = known.variant({"y - 7.0": "y"})

    def student(x, c):
        y = forgets_a_step(x, c)
        return y + 1 if x[..., -1] == 7 else y

    assert judge(known, student).mistake == name  # of 2 cases, and others


def test_errors_in_most_cases_leave_no_name_to_the_others():
    known = exercise()
    minus = known.variant({"+ c": "- c"})

    def student(x, c):
        return minus(x, c) if x.ndim == 2 else wrong_kind(x)

    verdict = judge(known, student)  # right in no case, and so in one of three
    assert verdict.mistake is None and "the wrong kind" in verdict.message


def test_a_shape_is_said_of_what_is_returned_alone():
    def play(answer, ask, x, c):
        y = answer(x, c)
        return y if ask == "output" else [len(y), *y]

    cases = tuple(
        Case(f"{ask} {case.name}", (ask, *case.args))
        for ask in ("gradients", "output")
        for case in CASES[::2]
    )
    more = {"play": play, "handed_over": ("ask", "x", "c")}
    known = exercise("", cases, **more)
    verdict = judge(known, lambda x, c: np.append(line(x, c), 0.0))
    assert "The shape" in verdict.message and "(4,) came" in verdict.message
    only_gradients = exercise("", cases[:2], **more)
    verdict = judge(only_gradients, lambda x, c: np.append(line(x, c), 0.0))
    assert "shape" not in verdict.message
    assert "not what you return" in verdict.message


def test_the_search_for_several_ends():
    known = exercise()
    edits = {"+ c": "- c", "return y": "return 5.0 * y"}
    answer = known.variant(edits)
    none = dataclasses.replace(known, most_combined=0)
    assert judge(known, answer).mistake == "minus+five_times"
    assert judge(none, answer).mistake is None


def test_nan_is_not_called_two_things():
    text = """
    infinite
    - twice(x)
    + x / 0.0
    Infinite.

    nothing
    - return y
    + return 0.0 * y
    Nothing.
    """
    everywhere = gives(a=no_number, b=no_number, c=no_number)
    assert judge(exercise(text), everywhere).mistake is None


def test_mistakes_are_combined_where_each_can_be_made():
    mine = Mistake("mine", "", "", matches=lambda answers: False)
    again = "\nno_factor_again\n- twice(x)\n+ x\n.\n\nfails\n! a\n.\n"
    overlaps = "\ninside\n- (x)\n+ (x + c)\n.\n\n& mine"
    text = BASIC + NO_STEP + again + overlaps
    known = exercise(text, made_here=(mine,))
    pairs = [{m.id for m in two} for two, _ in matching.combined(known, 2)]
    assert {"minus", "no_factor"} in pairs and {"minus", "inside"} in pairs
    for first, second in (
        ("no_factor", "no_factor_again"),
        ("no_factor", "inside"),
        ("no_factor", "another_factor"),
        ("minus", "fails"),
        ("minus", "mine"),
        ("minus", "no_step"),  # no basic case shows it
    ):
        assert {first, second} not in pairs


def test_the_first_of_two_that_fit_is_named():
    known = exercise("\nless\n- + c\n+ - c\n.\n" + BASIC)
    assert judge(known, known.variant({"+ c": "- c"})).mistake == "less"


def test_a_basic_mistake_is_named_whatever_comes_beside_it():
    known = exercise(BASIC + "\nlarge_ones\n! large\n.")
    minus = known.variant({"+ c": "- c"})

    def also(x, c):
        if x.max() > 100:
            return 3.0
        return minus(x, c) if x.ndim == 1 else wrong_kind(x)

    assert judge(known, also).mistake == "minus"
    other = gives(a=plus_one, large=plus_one)
    assert judge(known, other).mistake is None


def halves(x, c):
    return x[0] * (1 // int(c))


def test_errors_of_one_family_agree_and_others_do_not():
    known = exercise(
        "\nnegative\n- x[0]\n+ -x[0]\nNegative.",
        cases=(
            Case("one", (np.array([1.0, 2.0]), 1.0)),
            Case("none", (np.array([1.0, 2.0]), 0.0)),
        ),
        thing=halves,
    )

    def student(error):
        def negative(x, c):
            if c == 0:
                raise error
            return -x[0]

        return negative

    assert judge(known, student(OverflowError)).mistake == "negative"
    assert judge(known, student(TypeError)).mistake is None
    right = known.variant({"x[0]": "+x[0]"})
    assert judge(known, right).ok
    assert not judge(known, lambda x, c: x[0] if c else "text").ok


# --------------------------------------------------- mistakes by their error

KIND = "\nkind\n% TypeError: the wrong\nThe kind."


@pytest.mark.parametrize(
    ("text", "change", "name"),
    [
        (KIND, {"a": wrong_kind, "c": wrong_kind, "large": plus_one}, "kind"),
        (KIND, {"a": wrong_kind, "c": plus_one}, None),
        (KIND, {"a": plus_one, "c": wrong_kind}, None),
        (KIND.replace("TypeError: ", ""), {"a": wrong_kind}, None),
        (
            KIND + "\n" + KIND.replace("kind\n", "too\n"),
            {"a": wrong_kind},
            None,
        ),
    ],
)
def test_an_error_names_a_mistake_where_it_ends_every_wrong_case(
    text, change, name
):
    assert judge(exercise(text), gives(**change)).mistake == name


# -------------------------------------------------------------- refinements


def divides(y):
    raise ZeroDivisionError


def step_back(y):
    return y + 7.0


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"large": step_back, "larger": step_back}, "no_step"),
        ({"large": wrong_kind, "larger": step_back}, "no_step"),
        ({"large": step_back, "larger": plus_one}, None),
        ({"large": step_back, "larger": no_number}, None),
        ({"large": plus_one, "larger": step_back}, None),
        ({"large": wrong_kind, "larger": wrong_kind}, None),
        ({"large": divides, "larger": divides}, "divides"),
        ({"large": no_number, "larger": no_number}, "divides"),
    ],
)
def test_a_refinement_is_named_by_its_answers(change, name):
    known = exercise(BASIC + NO_STEP + DIVIDES)
    assert judge(known, gives(**change)).mistake == name


def test_a_refinement_by_failing_cases_or_a_look_of_its_own():
    both = exercise(BASIC + "\nboth\n! large, larger\nBoth.")
    assert judge(both, gives(large=plus_one)).mistake is None
    change = {"large": plus_one, "larger": wrong_kind}
    assert judge(both, gives(**change)).mistake == "both"
    mine = Mistake("mine", "", "", matches=lambda a: a["large"].whole)
    own = exercise(BASIC + "\n& mine", made_here=(mine,))
    assert judge(own, gives(large=plus_one)).mistake == "mine"
    assert judge(own, gives(large=lambda y: y + 0.5)).mistake is None


# ------------------------------------------------------------ what is shown


def test_the_case_that_shows_a_mistake():
    text = (
        NO_STEP + "\nlast\n! larger\n@ large\n.\n\nfails\n! larger\n." + BASIC
    )
    known = exercise(text)
    shown = {m.id: matching.shown(known, m) for m in known.mistakes}
    assert shown["no_step"] == "large" and shown["last"] == "large"
    assert shown["fails"] == "larger" and shown["minus"] == ""


def told(x, c):
    """A text of these inputs."""
    return f"{x[0] if x.ndim == 1 else x[0, 0]:g} and {c:g}"


def test_a_named_case_is_shown_with_its_own_facts():
    known = exercise(
        BASIC.replace("Minus.", "{wrong} for {right}.\n@ b"),
        show_inputs=lambda args: told(*args),
        facts=lambda case, want, got: {
            "wrong": got.flat[0],
            "right": want.flat[0],
        },
    )
    minus = known.variant({"+ c": "- c"})
    verdict = judge(known, minus)
    assert verdict.message == "6.0 for 10.0."
    assert verdict.example.given == "4 and 2"
    assert verdict.example.expected == "[[10,  3]]"
    assert verdict.example.received == "[[ 6, -1]]"

    def fails_there(x, c):
        return minus(x, c) if x.ndim == 1 else wrong_kind(x)

    verdict = judge(known, fails_there)  # an example with numbers is better
    assert verdict.mistake == "minus" and verdict.example.given == "1 and 1"

    def fails_first(x, c):
        return minus(x, c) if len(x) < 3 else wrong_kind(x)

    unnamed = exercise(show_inputs=known.show_inputs)
    verdict = judge(unnamed, fails_first)
    assert verdict.mistake == "minus" and verdict.example.given == "4 and 2"


def test_what_the_shown_case_prints_is_shown():
    def talks(x, c):
        print(told(x, c))
        return line(x, c) + (x.ndim == 2)

    verdict = judge(exercise(), talks)
    assert verdict.printed == "4 and 2"


def test_an_example_that_is_finished_in_words_shows_no_part_of_numbers():
    def in_words(verdict, submission):
        said = dataclasses.replace(verdict.example, expected="so", received="")
        return dataclasses.replace(verdict, example=said)

    large = (Case("a", (np.arange(30.0), 1.0)),)
    plain = exercise(cases=large)
    finished = exercise(cases=large, finish=in_words)
    assert judge(plain, lambda x, c: x).example.brief
    example = judge(finished, lambda x, c: x).example
    assert example.brief == () and example.rows()[1] == ("expected", "so")


def test_an_answer_may_be_shown_in_words():
    known = exercise(show_answer=lambda array: f"{array.size} numbers")
    example = judge(known, gives(b=plus_one)).example
    assert example.expected == example.received == "2 numbers"
    assert "TypeError" in judge(known, gives(b=wrong_kind)).example.received


def test_an_error_has_no_facts():
    known = exercise(
        "\nlarge_ones\n! large, larger\n{wrong} came.",
        facts=lambda case, want, got: {"wrong": got.flat[0]},
    )
    fails = gives(large=wrong_kind, larger=wrong_kind)
    assert judge(known, fails).message == "another number came."


def test_the_example_is_that_of_the_broken_property():
    known = exercise(show_inputs=lambda args: told(*args))
    verdict = judge(
        known, gives(a=plus_one, c=lambda y: y[:1], large=wrong_kind)
    )
    assert "(1,) came, (2,) is wanted" in verdict.message
    assert verdict.example.given == "3 and 0"
    assert verdict.hint(1) == "The first hint."
    assert verdict.hint(2) == "The second hint."


# ---------------------------------------------------------- around the values


def test_an_error_that_is_asked_for():
    cases = (
        *CASES[:2],
        Case("no", (np.array([0.0]), 1.0), refuse="ValueError"),
    )
    known = exercise(cases=cases)

    def refuses(error):
        def student(x, c):
            if not x.any():
                raise error("no")
            return line(x, c)

        return student

    assert judge(known, refuses(ValueError)).ok
    assert judge(known, refuses(UnicodeError)).ok  # it is a ValueError
    for answer, came in ((refuses(KeyError), "error KeyError"), (line, "ans")):
        verdict = judge(known, answer)
        assert verdict.status == "wrong"
        assert "refused with a ValueError" in verdict.message
        assert f"gives the {came}" in verdict.message
        assert verdict.example.expected == "a ValueError with a message"
    lets = exercise("\nlets\n- y + c\n+ c + y\n.\n" + BASIC, cases=cases)
    assert judge(lets, line).mistake == "lets"


def test_nothing_returned_is_judged_by_the_basic_cases():
    def stores(x, c):
        y = line(x, c)
        return y if x.max() > 100 else None

    verdict = judge(exercise(), stores)
    assert verdict.mistake == "no_return"
    assert "last line" in verdict.hint(1)


def test_the_notebooks_way_with_errors_changes_no_variant():
    known = exercise("\ninfinite\n- twice(x)\n+ x / 0.0\nInfinite.")
    student = known.variant({"twice(x)": "x / (0.0 * x)"})
    with np.errstate(all="raise"):
        assert judge(known, student).mistake == "infinite"


def test_whole_numbers_are_blamed_where_the_rest_is_right():
    whole = Case("whole", (np.array([3, 4]), 1.0))
    known = exercise(cases=(*CASES, whole))

    def in_place(x, c):
        x *= 2.0
        x += c - 7.0 * (x.max() > 200)
        return x

    verdict = judge(known, in_place)
    assert verdict.message.startswith("The values are right for decimals,")
    also = judge(known, lambda x, c: in_place(x, c) + (x.ndim == 2))
    assert also.mistake == "changes_its_input"
    assert also.message.startswith("The values are not right yet, and your")


def test_the_same_numbers_as_decimals_are_tried():
    whole = Case("whole", (np.array([3, 4]), 1.0))
    known = exercise(cases=(*CASES, whole))

    def in_place(x, c):
        y = x + 0 * x
        y *= 2.0
        return y - 7.0 * (x.max() > 100) + c

    assert "it gives the right answer" in judge(known, in_place).message
    wrong = judge(known, lambda x, c: in_place(x, c) + (x.min() == 3.0 != c))
    assert wrong.mistake == "whole_numbers"
    assert "it does not stop" in wrong.message
    no_other = exercise(cases=(whole,))
    assert judge(no_other, in_place).mistake is None


@dataclasses.dataclass
class Box:
    rows: np.ndarray


def picked(i, box):
    inside = box.rows if isinstance(box, Box) else box[0]
    return inside[i] / 2


@pytest.mark.parametrize(
    "box", [lambda x: (x,), lambda x: [x], Box], ids=["tuple", "list", "Box"]
)
def test_whole_numbers_are_found_inside(box):
    cases = (
        Case("decimals", (np.array([1, 0]), box(np.array([1.5, 2.5])))),
        Case("whole", (np.array([0]), box(np.array([4, 5])))),
    )
    known = exercise("no\n! whole\n.", cases, picked, inputs=("i", "box"))

    def in_place(i, box):
        y = (box.rows if isinstance(box, Box) else box[0])[i] * 1
        y /= 2
        return y

    verdict = judge(known, in_place)
    assert verdict.mistake == "whole_numbers"
    assert "(`box` has the dtype int64)" in verdict.message
    assert "`y /= 2`" in verdict.message and "right answer" in verdict.message


@pytest.mark.parametrize("name", ["a", "larger"])
def test_a_changed_input_is_seen_in_every_case(name):
    args = {case.name: case.args for case in CASES}

    def student(x, c):
        y = line(x, c)
        if np.array_equal(x, args[name][0]):
            x[0] = 9.0
        return y

    verdict = judge(exercise(), student)
    assert verdict.mistake == "changes_its_input"
    assert verdict.message.startswith("The values are right, but")


def test_the_time_of_all_calls_is_that_of_two(monkeypatch):
    limits = []

    def run(self, args, seconds):
        limits.append(seconds)
        used = min(seconds, 0.8 * guard.SECONDS)
        return dataclasses.replace(read(line(*args)), seconds=used)

    monkeypatch.setattr(Submission, "run", run)
    assert judge(exercise(), line).ok
    wanted = [1.0, 1.0, 0.4, 0.05 / guard.SECONDS]
    wanted.append(wanted[-1])
    np.testing.assert_allclose(limits, np.array(wanted) * guard.SECONDS)


def test_no_call_after_one_that_never_ends(monkeypatch):
    calls = []

    def run(self, args, seconds):
        calls.append(args)
        return Answer("out of time", text="no answer after 5 seconds")

    monkeypatch.setattr(Submission, "run", run)
    assert judge(exercise(), line).mistake == "never_ends"
    assert len(calls) == 1


def test_an_error_of_the_check_itself_is_a_verdict():
    def shows(args):
        raise KeyError("text")

    verdict = judge(exercise(show_inputs=shows), gives(a=plus_one))
    assert verdict.mistake == "not_checkable"
    assert "KeyError" in verdict.message


# ------------------------------------------------------------------ classes


class Keeps:
    lock = threading.Lock()  # cannot be copied
    items = [1]

    def add(self, x, to=[]):  # noqa: B006
        to.append(x)


def test_a_class_is_as_it_was_when_its_case_is_over():
    add = Keeps.add
    with pytest.raises(KeyError), restored(Keeps):
        Keeps.new = Keeps.items
        Keeps.items.append(2)
        Keeps().add(3)
        raise KeyError
    assert not hasattr(Keeps, "new") and Keeps.items == [1]
    assert Keeps.add is add and add.__defaults__ == ([],)
    with restored(add):  # no class: left alone
        Keeps().add(3)
    assert add.__defaults__ == ([3],)


@pytest.mark.parametrize("mistake", ["never_ends", "calls_exit"])
def test_a_class_that_does_not_come_back_is_not_called_again(mistake):
    verdict = exercise().wrong("It does not come back.", mistake)
    nobody = None  # to call
    assert objects_share_memory((), ())(verdict, nobody) is verdict
