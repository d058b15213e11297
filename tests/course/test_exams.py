"""Papers for an exam: numbers from a seed, their text, their key."""

import re

import numpy as np
import pytest
from chapter_numbers import CHAPTERS

from transformer_course.checks.engine.paper import judge_paper
from transformer_course.cli import main
from transformer_course.exams import exam_sheet
from transformer_course.exams.short import short_questions
from transformer_course.exams.varied import (
    BLOCK,
    FOLDER,
    _begun,
    paper_of,
    text_with,
    varied,
)
from transformer_lib import numpy_reference as reference

NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))
# Their text in the book leans on the page around them.
OWN_WORDS = {
    "length_penalty_by_hand": "the formula stands above",
    "model_shapes_by_hand": "the base model",
    "same_output_by_hand": "the values stand above",
    "spreads_by_hand": "the coin is in the lesson",
    "turned_matrix_by_hand": "H is in the lesson",
}


def of_the_book():
    """Return the text of each exercise of the book by the check's name."""
    asked = exam_texts([str(number) for number in CHAPTERS])
    return {name: text for name, text in asked.items() if name}


def exam_texts(chapters):
    from transformer_course.exams import sheet

    return {
        one.check: one.text
        for chapter in chapters
        for one in sheet._named(chapter, None)
    }


def test_twenty_exercises_and_more_have_other_numbers():
    assert len(NAMES) >= 20


def test_with_the_numbers_of_the_book_the_text_is_that_of_the_book():
    texts = of_the_book()
    for name in sorted(set(NAMES) - set(OWN_WORDS)):
        assert text_with(name, paper_of(name)) == texts[name], name


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.whole] if place % 3 else [])
        for place, name in enumerate(NAMES)
    ],
)
def test_twenty_seeds_keep_the_law(name):
    papers = [varied(name, seed) for seed in range(BLOCK)]
    texts = [text_with(name, paper) for paper in papers]
    assert len(set(texts)) == BLOCK and "@" not in "".join(texts)
    for paper in papers:
        for other in (*papers, paper_of(name)):
            right = judge_paper(paper, other.answer.tolist()).ok
            assert right == (other is paper)
        for known in paper.misconceptions:
            verdict = judge_paper(paper, known.value.tolist())
            assert verdict.mistake == known.id
            assert verdict.message == known.message


def test_a_seed_always_gives_the_same_and_the_next_block_another():
    _begun.cache_clear()
    first = varied("three_ways_by_hand", 7)
    _begun.cache_clear()
    assert varied("three_ways_by_hand", 7).answer.tolist() == (
        first.answer.tolist()
    )
    drawn = [varied("step_by_hand", 7 + n * BLOCK) for n in range(3)]
    assert len({tuple(paper.answer) for paper in drawn}) == 3


def numbers(text, pattern):
    """Return the numbers that a pattern finds in a text."""
    return [
        [float(one) for one in re.findall(r"-?\d+\.?\d*", found)]
        for found in re.findall(pattern, text)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_who_reads_the_text_alone_finds_the_answer_of_the_key(seed):
    name = "fourth_query_by_hand"
    paper = varied(name, seed)
    vectors = numbers(text_with(name, paper), r"\((-?\d[^()]*)\)")
    query, keys, values = vectors[0], vectors[1:4], vectors[4:7]
    votes = np.exp(np.array(keys) @ query / np.sqrt(4))
    assert paper.agrees(votes / votes.sum() @ np.array(values), paper.answer)

    name = "turned_matrix_by_hand"
    paper = varied(name, seed)
    rows = numbers(text_with(name, paper), r"\| token [14] \|(.*)")
    ones, none = np.ones(3), np.zeros(3)
    right = reference.layer_norm(np.array(rows), ones, none, eps=0.0)
    assert paper.agrees(right, paper.answer)

    name = "step_by_hand"
    paper = varied(name, seed)
    found = re.findall(r"[xyw] = (-?\d+)", text_with(name, paper))
    x, y, w = map(float, found)
    rate = float(re.search(r"rate is ([\d.]+\d)", text_with(name, paper))[1])
    slope = 2 * (w * x - y) * x
    new = w - rate * slope
    right = [(w * x - y) ** 2, slope, new, (new * x - y) ** 2]
    assert paper.agrees(np.array(right), paper.answer)


def test_a_sheet_has_points_blanks_and_a_key_and_no_answer(tmp_path, capsys):
    out, key = tmp_path / "sheet.md", tmp_path / "key.md"
    wanted = ["0.4", "7.7", "8.3", "--short", "2", "--seed", "3"]
    assert main(["sheet", *wanted, "--out", str(out), "--key", str(key)]) == 0
    assert "With the numbers of the book: 8.3" in capsys.readouterr().err
    sheet, told = (path.read_text(encoding="utf-8") for path in (out, key))
    assert "31 minutes" in sheet and "of 31 points" in sheet
    assert "## 0.4 one step by hand (7 points)" in sheet
    paper = varied("step_by_hand", 3)
    assert sheet.count("- the loss: \\_") == 1 and "Goal:" not in sheet
    for label, value in zip(paper.labels, paper.answer, strict=True):
        assert re.search(rf"^- {re.escape(label)}: (.*)$", told, re.M)[1] == (
            f"{value:.0f}" if value == round(value) else f"{value:.4f}"
        )
    for known in paper.misconceptions:
        message = " ".join(known.message.split())
        assert message in told and message not in sheet
    assert "W^K_g" in told.partition("## 7.7")[2].partition("## 8.3")[0]
    assert told.count("## Short question") == 2


def test_a_large_count_stands_in_the_key_to_the_last_digit():
    key = exam_sheet(["7.3"]).key
    assert "- the parameters in the four matrices: 1048576\n" in key


def test_short_questions_are_sentences_of_the_chapters_and_their_verdicts():
    first, second = short_questions([4, 6], 5, 1), short_questions([4, 6], 5, 2)
    assert [one.text for one in first] != [one.text for one in second]
    for one in first:
        assert re.match(r"> .*\.\n\nIs this right", one.text)
        assert re.match(
            r"\*(Right|Incomplete|Imprecise|Wrong)\.\* ", one.answer
        )
    with pytest.raises(ValueError, match="900 short questions are wanted"):
        short_questions([4], 900)


def test_what_is_not_on_paper_is_refused():
    for wanted, why in {
        "7.2": "exercise 7.2 is not on paper",
        "seven": "'seven' is no chapter",
        "77": "no chapter 77",
    }.items():
        with pytest.raises(ValueError, match=why):
            exam_sheet([wanted])


def test_a_paper_of_sixty_minutes_is_what_the_guide_says():
    text = (FOLDER.parents[2] / "book" / "teaching.md").read_text("utf-8")
    line = re.search(r"transformer-course sheet (\d.*--short.*)", text)
    words = line[1].split()
    wanted = words[: words.index("--short")]
    exam = exam_sheet(wanted, seed=2027, short=int(words[len(wanted) + 1]))
    assert exam.minutes == 60 and exam.fixed == ()
    assert f"{len(NAMES)} exercises can vary" in " ".join(text.split())
