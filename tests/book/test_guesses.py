"""What a page asks, what kind of answer it waits for, what it covers."""

import covers
import guesses
import pytest
import questions
from docutils import nodes

ASKING = """\
Read it (twice). **Predict** the shape. **Will** it grow?

- **Guess** what a list asks.

| **Which** is it? |
|---|
| a table |

<details><summary>More</summary>

**Guess** what is folded.

</details>

So **predict** nothing here, and **Guess** neither.

**Guess** a letter.

<details><summary>A. One</summary>

No.

</details>
"""


def markdown(source, **metadata):
    return {"cell_type": "markdown", "id": "a", "metadata": metadata,
            "source": source}  # fmt: skip


def code(text="", html=""):
    outputs = []
    if text:
        outputs.append({"output_type": "stream", "text": text})
    if html:
        outputs.append(
            {"output_type": "execute_result", "data": {"text/html": html}}
        )
    return {"cell_type": "code", "id": "b", "metadata": {}, "source": "x",
            "outputs": outputs}  # fmt: skip


def table(*rows):
    lines = "".join(f"<tr><td>{one}</td><td>1</td></tr>" for one in rows)
    return f"<table><tr><th>who</th><th>loss</th></tr>{lines}</table>"


def test_the_questions_of_a_cell_are_those_that_get_a_card():
    found = questions.in_notebook([code("1"), markdown(ASKING)])
    assert [(q.cell, q.nth, q.words, q.has_choices) for q in found] == [
        (1, 0, "Predict the shape.", False),
        (1, 1, "Will it grow?", False),
        (1, 2, "Guess a letter.", True),
    ]


GROUPS = ("plain sum", "GRU")


@pytest.mark.parametrize(
    "words, kind, groups",
    [
        ("Predict whether it grows.", "choice", ("Yes", "No")),
        ("Predict which noun, the river or the cat.", "choice",
         ("the river", "the cat")),
        ("Guess which part, the one (as here), the two or the three.",
         "choice", ("the one", "the two", "the three")),
        ("Predict which stay: per token, per sentence.", "pick",
         ("per token", "per sentence")),
        ("Predict which of them learn.", "pick", GROUPS),
        ("Predict for each how far it gets.", "each", GROUPS),
        ("Guess how many are right.", "number", ()),
        # What these wait for, no rule can tell.
        ("Predict whether it grows, and which is last.", "line", ()),
        ("Guess how many are right, and how many are new.", "line", ()),
        ("Predict how far A and B get.", "line", ()),
        ("Predict their weights.", "line", ()),
    ],
)  # fmt: skip
def test_a_question_says_what_it_waits_for(words, kind, groups):
    assert guesses.read(words, GROUPS) == (kind, groups)


@pytest.mark.parametrize(
    "output, groups",
    [
        (code(html=table("GRU", "plain sum")), ("GRU", "plain sum")),
        (code(html=table("GRU", "GRU")), ()),
        (code(html=table("1", "2")), ()),
        (code(html=table(*"abcdefghij")), ()),
        (code("with it   1 2\nwithout   3 4\n"), ("with it", "without")),
        (code("with it   1 2\nand a line of words\n"), ()),
    ],
)
def test_the_rows_of_a_result_are_groups_if_they_can_be_told(output, groups):
    assert guesses.groups_of(output["outputs"]) == groups


@pytest.mark.parametrize(
    "text, before, number",
    [
        ("3 of them", "", "3"),
        ("41% of the keys", "", "41"),
        ("1,234 words", "", "1234"),
        ("3 of 4", "", ""),
        ("seed0: 3.5", "", "3.5"),
        ("37.7 and 0.0\nand together 33.4\n9", "together", "33.4"),
        ("37.7 and 0.0", "together", ""),
    ],
)
def test_a_number_is_compared_where_there_is_no_other(text, before, number):
    assert guesses.one_number(code(text)["outputs"], before) == number


def test_a_result_follows_its_question_and_no_heading():
    ask = markdown("**Guess** how many.")
    near = guesses.in_notebook([ask, markdown("So."), code("4")])
    assert [(g.kind, g.result, g.number) for g in near] == [("number", 2, "4")]
    for between in (markdown("## Next"), ask):
        first, *_ = guesses.in_notebook([ask, between, code("4")])
        assert (first.result, first.number) == (-1, "")


def test_an_author_says_what_cannot_be_told():
    said = {"kind": "each", "groups": ["A", "B"]}
    asked = markdown("**Predict** both.", guess=said)
    (guess,) = guesses.in_notebook([asked])
    assert (guess.kind, guess.groups) == ("each", ("A", "B"))


@pytest.mark.parametrize(
    "source", ["**Find out** how.", "**Cover the last column.**"]
)
def test_what_has_another_way_to_answer_gets_no_field(source):
    assert guesses.in_notebook([markdown(source)]) == []
    fields = [
        one.question.nth for one in guesses.in_notebook([markdown(ASKING)])
    ]
    assert fields == [0, 1], "the third has lettered answers"


@pytest.mark.parametrize(
    "words, numbers",
    [
        ("2/3, 1/3", [2 / 3, 1 / 3]),
        (r"1 \cdot 1 + 0 \cdot (-1) = 1", [1]),
        (r"(2, 0, -\tfrac12)", [2, 0, -0.5]),
        (r"\frac{1}{4}", [0.25]),
        (r"\sqrt{16}", [4]),
        ("1/e", [0.36787944]),
        ("e^2", [7.3890561]),
        ("\N{MINUS SIGN}0.4161", [-0.4161]),
        (r"0.2671\,\eta", []),
        ("a word", []),
        ("x = y", []),
    ],
)
def test_the_numbers_of_a_cell_are_read(words, numbers):
    assert covers.numbers_in(words) == pytest.approx(numbers)


def test_two_decimals_are_near_enough_but_zero_is_not():
    assert covers.near([2 / 3]) > 0.005
    assert covers.near([0.01, 1]) < 0.01


def a_table(*rows):
    made = nodes.table("", nodes.tgroup("", nodes.tbody()))
    (body,) = made.findall(nodes.tbody)
    for row in rows:
        body += nodes.row()
        for text in row:
            body[-1] += nodes.entry("", nodes.paragraph("", text))
    return made


def covered(made):
    return [lid.astext() for lid in made.findall(covers.cover)]


@pytest.mark.parametrize(
    "words, left",
    [
        ("Cover the last two columns.", [*"bcef"]),
        ("Take a pencil and cover the last column.", [*"cf"]),
        ("Cover the last row of the table.", [*"ef"]),
        ("Cover the figure.", []),
    ],
)
def test_a_text_says_what_is_covered(words, left):
    made = a_table("abc", "def")
    paragraph = nodes.paragraph("", words)
    nodes.section("", paragraph, made)
    asked = covers.asked_for(paragraph)
    if asked:
        what, count, tables = asked
        (found,) = covers.tables_after(paragraph)[:tables]
        for entry in covers.cells_of(found, what, count):
            covers.put_cover(entry)
    assert covered(made) == left


def test_a_table_is_filled_in_its_own_order():
    made = a_table(["Ann", "1", "?"], ["Bora", "", "2"])
    covers.fill(made, ["2.5", "0"])
    lids = list(made.findall(covers.cover))
    assert [lid["text"] for lid in lids] == ["2.5", "0"]
    with pytest.raises(ValueError):
        covers.fill(a_table(["Ann", "?"]), ["1", "2"])
