"""Plain Markdown becomes cards, quizzes, figures and links: book/_ext."""

import re
from pathlib import Path

import pytest
from docutils import nodes

from transformer_course.explorers import style as explorer_style
from transformer_course.plots.style import FONTS, PALETTE

ROOT = Path(__file__).resolve().parents[2]

import cards  # noqa: E402
import cell_folds  # noqa: E402
import code_kinds  # noqa: E402
import cross_links  # noqa: E402
import figures  # noqa: E402
import folds  # noqa: E402
import inline_text  # noqa: E402
import laboratory  # noqa: E402
import papers  # noqa: E402
import present  # noqa: E402
import printed  # noqa: E402
import quiz  # noqa: E402
import recolor  # noqa: E402
import stray_marks  # noqa: E402

BOOK = papers.Papers(papers.entries(ROOT / "book" / "references.bib"), {})


def raw(html):
    return nodes.raw("", html, format="html")


def paragraph(*parts):
    made = nodes.paragraph("", "")
    for part in parts:
        made += nodes.Text(part) if isinstance(part, str) else part
    return made


def strong(words):
    return nodes.strong("", words)


# ------------------------------------------------------------------- one line


def test_a_summary_is_rendered():
    html = inline_text.to_html('A. $50 / 10000^{2/6}$ and `x` *not* "y"')
    assert r'<span class="math notranslate nohighlight">\(50 / ' in html
    assert html.count("<span") == 1, "the browser's tests count formulas"
    assert "<code>x</code>" in html and "<em>not</em>" in html
    assert "$" not in html and "“y”" in html


def test_a_formula_does_not_open_a_tag():
    assert r"\(a &lt; b\)" in inline_text.to_html("$a < b$")


# ---------------------------------------------------------------------- folds


def test_details_become_one_node_each():
    inner = paragraph("Look at the lengths.")
    children = folds.gather(
        [
            paragraph("before"),
            raw("<details><summary>Hint 1</summary>"),
            inner,
            raw("</details>\n<details><summary>Rubric: what</summary>"),
            paragraph("points"),
            raw("</details>"),
            paragraph("behind"),
        ]
    )
    kinds = [getattr(node, "tagname", "") for node in children]
    assert kinds == ["paragraph", "fold", "fold", "paragraph"]
    assert [children[1]["kind"], children[2]["kind"]] == ["hint", "rubric"]
    assert children[1].children == [inner]


def test_a_fold_may_stand_in_a_fold():
    (outer,) = folds.gather(
        [
            raw("<details><summary>Deeper: why</summary>"),
            raw("<details><summary>Hint 1</summary>"),
            paragraph("x"),
            raw("</details>"),
            raw("</details>"),
        ]
    )
    assert outer["kind"] == "deeper"
    assert outer.children[0]["kind"] == "hint"


# ----------------------------------------------------------------------- quiz


def asked(*texts):
    section = nodes.section()
    section += nodes.title("", "Check yourself")
    section += paragraph("", strong("Question 1."), " How many?")
    for letter, text in zip("ABC", texts, strict=False):
        answer = folds.fold(words=f"{letter}. ...", kind="answer")
        answer += paragraph(text)
        section += answer
    quiz.make_quiz(section)
    return section


def test_a_quiz_knows_its_right_answer():
    section = asked("No. It is 3.", "Right. Two.", "No.")
    (group,) = quiz.questions(section)
    answers = list(group.findall(folds.fold))
    assert [a["classes"] for a in answers] == [["wrong"], ["right"], ["wrong"]]
    assert [a["choice"] for a in answers] == ["1A", "1B", "1C"]
    assert "check-yourself" in section["classes"]


def answer(words, text):
    made = folds.fold(words=words, kind="more")
    made += paragraph(text)
    return made


def test_a_prediction_with_lettered_answers_can_be_chosen():
    asked = paragraph("", strong("Guess"), " how many.")
    answers = [answer("A. One", "No."), answer("B. Two", "Right.")]
    hints = [answer("Hint 1", "Right there."), answer("Hint 2", "Count.")]
    section = nodes.section("", paragraph("Text."), asked, *answers, *hints)
    (group,) = quiz.make_choices(section)
    assert group["classes"] == ["quiz"]
    assert group.children == [asked, *answers]
    assert [a["classes"] for a in answers] == [["wrong"], ["right"]]
    assert [a["choice"] for a in answers] == ["guess-1A", "guess-1B"]
    assert section.children[2:] == hints
    assert quiz.make_choices(section) == []


# -------------------------------------------------------------- cards, labels


@pytest.mark.parametrize(
    "source, words",
    [
        ("# Set-up. At home", "Set-up"),
        ("import math\nmath.tau", "Imports"),
        ("x = f()\nplots.picture(x, alt='a line')", "The code of this figure"),
        ("import os\nexplorers.walk()", "The code of this figure"),
        ("x = 1\nfor y in z:\n    assert x < y", "What is asserted"),
        ("x = 1\nfor y in z:\n    assert x < y\n    go()", "The code"),
        ("class A: ...\n\ndef b(): ...", "The code: A, b"),
        ("def b(): ...\n\nb()", "The code"),
        ("%time x", "The code"),
        ("", "The code"),
    ],
)
def test_a_fold_of_code_says_what_it_hides(source, words):
    assert code_kinds.words_for(source) == words


@pytest.mark.parametrize(
    "source, asked, words",
    [
        ("print(1)", True, "Check your guess"),
        ("print(1)", False, "The result"),
        ("print(getsource(f))", False, "The source"),
    ],
)
def test_a_fold_of_a_result_says_what_it_hides(source, asked, words):
    assert cell_folds.words_for_result(source, asked) == words


def test_a_cell_has_a_fold_for_its_code_and_one_for_its_result():
    """The next question is answered once, and an author's words count."""
    page = nodes.section("", nodes.title("", "x"))
    page += paragraph("Guess")
    page[-1]["classes"].append("predict")
    for said in ({}, {"code_prompt_show": "The code: two trainings"}):
        page += cell("import math")
        page[-1]["hide_mode"] = "input+output"
        page[-1]["cell_metadata"] = {"mystnb": said}
    cell_folds.label_folds(page)
    assert [(c["code_words"], c["result_words"]) for c in page[2:]] == [
        ("Imports", "Check your guess"),
        ("The code: two trainings", "The result"),
    ]


def test_a_question_gets_a_card_of_its_own():
    document = nodes.section()
    document += paragraph("Read it. ", strong("Predict"), " the shape.")
    document += paragraph("", strong("Only differences count."), " So.")
    cards.mark_questions(document)
    first, card, other = document.children
    assert first.astext() == "Read it. " and first["classes"] == []
    assert card["classes"] == ["predict"]
    assert card.astext() == "Predict the shape." and not other["classes"]


def cell(source):
    made = nodes.container(nb_element="cell_code")
    code = nodes.container(nb_element="cell_code_source")
    code += nodes.literal_block(source, source)
    made += code
    return made


@pytest.mark.parametrize(
    "words, classes",
    [
        ("Proposition (shift).", ["statement", "proposition"]),
        ("Definition.", ["statement", "definition"]),
        ("Observation", ["statement", "observation"]),
        ("Open.", ["statement", "open"]),
        ("The question.", ["lesson-question"]),
        ("In short.", ["in-short"]),
        ("Openly said.", []),
    ],
)
def test_a_quotation_that_says_what_it_is_becomes_a_card(words, classes):
    page = nodes.section("", nodes.title("", "x"))
    quote = nodes.block_quote("", paragraph(strong(words), " It holds."))
    page += quote
    cards.mark_paragraphs(page)
    assert quote["classes"] == classes


def test_an_exercise_ends_with_its_check():
    hint = folds.fold(words="Hint 1", kind="hint")
    children = [
        paragraph("Goal"),
        hint,
        cell("def f(x):\n    ..."),
        paragraph("The check:"),
        cell("checks.f(f)"),
        paragraph("And now something else."),
        cell("print(2)"),
    ]
    assert cards.card_length(children) == 5
    del children[3:5]  # no check: it ends with the cell for the answer
    assert cards.card_length(children) == 3
    assert cards.card_length([paragraph("Goal"), hint]) == 2


# -------------------------------------------------------------------- figures


def test_a_caption_is_a_paragraph_in_italics():
    words = "Figure 2.1 (interactive). What is to be seen."
    caption = paragraph("", nodes.emphasis("", words))
    match = figures.caption_of(caption)
    assert match[1] == "2" and match[3]
    assert figures.caption_of(paragraph(words)) is None
    assert figures.anchor("2.1") == "figure-2-1"


SVG = (
    '<svg width="100" height="50" viewBox="0 0 75 37.5"><title>Two bars.'
    '</title><defs><style type="text/css">*{fill: red}</style></defs>'
    '<defs><path id="a"/></defs><use href="#a" style="fill: #0072b2"/>'
    '<path style="fill: #8fbfde; stroke: #fff"/></svg>'
)


def test_a_drawing_moves_into_the_page():
    svg = figures.inline_svg(SVG, "f1")
    assert 'aria-label="Two bars."' in svg and "<title>" not in svg
    assert "<style" not in svg, "it would reach the whole page"
    assert 'id="f1-a"' in svg and 'href="#f1-a"' in svg
    assert "fill:var(--fig-blue,#0072b2)" in svg
    assert "stroke:var(--fig-paper,#ffffff)" in svg
    assert re.search(r"fill:#8fbfde;fill:light-dark\(#8fbfde,#\w{6}\)", svg)


def test_a_drawing_keeps_how_its_letters_look_and_turns_its_boxes():
    box = '<rect fill="#0072b2" rx="6" stroke="#fff"/><text>1</text>'
    opening = '<svg width="9" height="9" font-size="13" text-anchor="middle">'
    svg = figures.inline_svg(f"{opening}{box}</svg>", "f1")
    assert ' font-size="13" text-anchor="middle"' in svg.split(">", 1)[0]
    style = "fill:var(--fig-blue,#0072b2);stroke:var(--fig-paper,#ffffff)"
    assert f'<rect rx="6" style="{style}"/>' in svg


def test_a_wide_drawing_with_small_letters_gets_room_on_a_phone():
    def drawn(wide, size):
        letters = f'<text style="font: {size}px sans-serif">a</text>'
        svg = f'<svg width="{wide}" height="9">{letters}</svg>'
        return figures.inline_svg(svg, "f1")

    assert "min-width:min(600px," in drawn(500, 7.5)
    assert "min-width" not in drawn(300, 7.5) + drawn(380, 10)


def lightness(color):
    return recolor.oklab(color)[0]


def test_night_turns_lightness_around_and_keeps_the_order():
    day = ["#ffffff", "#d3e5f2", "#8fbfde", "#3f8fc4", "#0a5c97", "#063a63"]
    night = [lightness(recolor.at_night(color)) for color in day]
    assert night == sorted(night)
    assert night[0] == pytest.approx(recolor.NIGHT_PAPER, abs=0.01)


def test_oklab_there_and_back():
    for color in ("#0072b2", "#d55e00", "#123456"):
        assert recolor.from_oklab(recolor.oklab(color)) == color
    assert recolor.oklab("#ffffff") == pytest.approx([1, 0, 0], abs=1e-6)


def test_the_page_has_the_colors_and_letters_of_the_drawings():
    css = (ROOT / "book" / "_static" / "book.css").read_text("utf-8")
    day, night = css.split('html[data-theme="dark"] {\n    --fig')
    for name, color in PALETTE.items():
        assert recolor.NAMED[color] == name
        assert f"--fig-{name}: {color};" in day
    for name, color in explorer_style._DARK.items():
        if f"--fig-{name}" in css:
            assert re.search(rf"-{name}: {color};", night), name
    font = re.search(r"--book-font: (.*?);", css, re.S)[1]
    assert " ".join(font.split()) == FONTS.replace("'", '"')


# ---------------------------------------------------------------------- links


def named(text):
    return [(text[a:b], *key) for a, b, key in cross_links.spans_of(text, BOOK)]


@pytest.mark.parametrize(
    "text, wanted",
    [
        ("see chapter 8.", [("chapter 8", "chapter", "8")]),
        (
            "chapters 4 and 13",
            [("4", "chapter", "4"), ("13", "chapter", "13")],
        ),
        ("in chapter 15, 4000 pairs", [("chapter 15", "chapter", "15")]),
        ("Leviticus, chapter 16", []),
        ("Figure 9.4 is", [("Figure 9.4", "Figure", "9.4")]),
        (
            "Exercises 4.1 to 4.3",
            [("4.1", "Exercise", "4.1"), ("4.3", "Exercise", "4.3")],
        ),
        ("Exercise 4.1, 0.5 points", [("Exercise 4.1", "Exercise", "4.1")]),
        (
            "(Vaswani et al. 2017, section 3.2)",
            [("Vaswani et al. 2017", "paper", "vaswani2017")],
        ),
        (
            "Zhang and Sennrich (2019)",
            [("Zhang and Sennrich (2019", "paper", "zhang2019rms")],
        ),
        (
            "Bahdanau, Cho and Bengio 2015",
            [("Bahdanau, Cho and Bengio 2015", "paper", "bahdanau2015")],
        ),
        (
            "Sima’an and Specia 2016",
            [],
        ),
    ],
)
def test_what_a_text_names(text, wanted):
    assert named(text) == wanted


@pytest.mark.parametrize(
    "name, last",
    [("A. M. Rush", "Rush"), ("M.-T. Luong", "Luong"), ("others", "others"),
     ("M. de Jong", "de Jong"), ("G. E. Hinton", "Hinton")],
)  # fmt: skip
def test_last_names(name, last):
    assert papers.last_name(name) == last


# ----------------------------------------------------------------- stray marks


@pytest.mark.parametrize(
    "html, strays",
    [
        (r"<p>A. $50 / 10000$</p>", 1),
        ("<p>a `backtick</p>", 1),
        ("<p>the *only* one</p>", 1),
        ("<p>*the dogs sleeps, *the dog sleep</p>", 0),
        ("<p>2 ** 3 costs 5 $ or so</p>", 0),
        ("<p><code>a ** b $x$</code></p>", 0),
        (r'<p><span class="math">\(a_{b}\) $</span></p>', 0),
        (r"<p>\frac{1}{2}</p>", 1),
        ("<p>see [this](../x.md)</p>", 1),
    ],
)
def test_stray_marks_are_seen(html, strays):
    assert len(stray_marks.stray_marks(html)) == strays


# ------------------------------------------------------------ printed outputs


@pytest.mark.parametrize(
    ("text", "source", "classes"),
    [
        ("one sentence, " * 9, "", ["in-lines"]),
        ("a     1.0\nb    22.0\n", "", ["in-columns", "fits-50"]),
        ("a     1.0\n" + "b" * 30 + "    22.0" * 3, "",
         ["in-columns", "fits-58"]),
        ("a     1.0\n" + "b" * 60 + "    22.0", "", ["in-columns"]),
        ("[[1. 2.]\n [3. 4.]]", "", ["in-lines"]),
        ("    x: int,\n    y  = 1\n    z  = 2", "print(getsource(f))", []),
        ("def f(\n    x,\n):\n    y  = 1\n    z  = 2", "", []),
    ],
)  # fmt: skip
def test_columns_are_told_from_lines_and_code(text, source, classes):
    assert printed.classes_of(text, source) == classes


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("Cover the two columns on the right and go on.", "columns 2"),
        ("Cover the last three columns and fill them in.", "columns 3"),
        ("Cover the last row of the table, and find it.", "rows 1"),
        ("Cover the next paragraph and compute the logits.", ""),
    ],
)
def test_slides_cover_what_a_question_says(words, wanted):
    assert present.covered(words) == wanted


def test_slides_time_the_exercises_that_the_guide_gives_in_class(tmp_path):
    guide = tmp_path / "teaching.md"
    guide.write_text(
        "Paper exam: 8.7. Class: 8.1, 8.3. Home: 8.4.\n"
        "Class: 13.1, 13.2; the second can be asked on paper too.\n",
        encoding="utf-8",
    )
    assert present.done_in_class(guide) == {"8.1", "8.3", "13.1", "13.2"}
    in_class = present.done_in_class(tmp_path / "not_in_the_students_edition")
    assert in_class == frozenset()


@pytest.mark.parametrize("there", [True, False])
def test_a_question_waits_for_a_result_that_is_there(there):
    """The edition for a class has taken the results out."""
    question = nodes.paragraph("", "Predict it.", classes=["predict"])
    cell = nodes.container(nb_element="cell_code", hide_mode="output",
                           result_words=present.GUESS)  # fmt: skip
    if there:
        cell += nodes.container(nb_element="cell_code_output")
    page = nodes.section("", question, cell)
    found = present.number_results(page)
    assert found == ({question: "answer-1"} if there else {})


def test_a_verdict_of_the_solutions_is_folded():
    said, other = (
        cell("v = checks.x(x)\nassert v.ok\nverdict"),
        cell("verdict()"),
    )
    for one in (said, other):
        one += nodes.container(nb_element="cell_code_output")
    assert cell_folds.shows_verdict(said)
    assert not cell_folds.shows_verdict(other)
    cell_folds.fold_verdict(said)
    code, fold = said.children
    assert code["nb_element"] == "cell_code_source"
    assert fold["words"] == "The verdict" and fold["kind"] == "result"
    assert fold[0]["nb_element"] == "cell_code_output"


# --------------------------------------------------- the top of a laboratory


def test_a_laboratory_lists_its_experiments():
    title = nodes.title("", "", nodes.Text("Experiment 2: who wins?"))
    section = nodes.section("", title, ids=["experiment-2-who-wins"])
    row = laboratory.listed([section], [6])[0]
    assert row[0][0]["refid"] == "experiment-2-who-wins"
    assert row.astext() == "Experiment 2: who wins? 6\xa0min"
