"""What a page says of an exercise on paper is what the check says.

Each known wrong answer and neighbors of each right one go through Python and
through the page's JavaScript, in Node; tests/browser does it in Chromium.
"""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from formula_data import formula
from paper_replay import SCRIPTS, data, exercises, paper_of, played

from transformer_course.checks.engine.formula import Formula

ROOT = Path(__file__).resolve().parents[2]
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(
    NODE is None, reason="no Node; tests/browser plays it in Chromium"
)


def through_node(sent):
    """Return what the page's JavaScript makes of it."""
    done = subprocess.run(
        [NODE, ROOT / "tests" / "play_paper.js", *SCRIPTS],
        input=json.dumps(sent), capture_output=True, text=True, check=True,
        encoding="utf-8",
    )  # fmt: skip
    return json.loads(done.stdout)


def unlike(answers, told):
    """Return the answers of which the page says something else."""
    return [
        (name, given, python, page)
        for name, one in answers.items()
        for given, python, page in zip(
            one["given"], one["said"], told[name], strict=True
        )
        if python != page
    ]


@pytest.mark.slow
@needs_node
def test_the_page_gives_the_verdict_of_python_and_its_sentence():
    answers = played()
    known = [said for one in answers.values() for said in one["said"]]
    assert len(answers) == len(exercises()) > 30
    assert len(known) > 2000
    assert {status for status, _, _ in known} == {"right", "wrong"}
    assert unlike(answers, through_node(answers)) == []


def test_every_known_mistake_is_in_the_page_unless_its_shape_is_another():
    left_out = 0
    for name in exercises():
        paper = paper_of(name)
        told = data(paper)["mistakes"]
        kept = sum(len(values) for _, _, values in told)
        fits = [np.shape(m.value) == paper.answer.shape
                for m in paper.misconceptions]  # fmt: skip
        assert kept == sum(fits), name
        left_out += len(fits) - kept
    assert left_out < 30


def test_a_formula_that_a_page_cannot_work_out_stops_the_build():
    with pytest.raises(ValueError, match="a.txt:3.*more than a page"):
        formula(Formula("sorted(got)[0] > 1", "a.txt:3"), {})


VALUES = {
    "1/3": 1 / 3, "0,5": 0.5, ",5": 0.5, ".5": 0.5, "sqrt(2)": 2**0.5,
    "√2": 2**0.5, "2^5": 32, "2**-1": 0.5, "2⁵": 32, "−0.25": -0.25,
    "– 2": -2, "1 000": 1000, "1,234,567": 1234567, "1,234.5": 1234.5,
    "1½": 1.5, "½": 0.5, "50 %": 0.5, "2 sqrt(2)": 8**0.5, "3·10^5": 3e5,
    "1e-3": 0.001, "-2^2": -4, "2^3^2": 512, "2 - 3 - 4": -5,
    "1/(1+e^(-2))": 1 / (1 + np.exp(-2)), "ln(2)": np.log(2), "２": 2,
    " 7 ": 7, "= 5": 5, "8/2/2": 2, "0.33...": 0.33,
}  # fmt: skip
SENTENCES = {
    "three": "not a number", "1/0": "divided by 0", "(1": "not closed",
    "1 2": "two numbers", "1, 2": "more than one", "(1, 2)": "more than one",
    "1.2.3": "not a number", "log(2)": "Which logarithm", "5 -": "not a number",
    "constructor": "not a number", "sqrt(-1)": "not a finite",
    "ln 2": "a bracket",
}  # fmt: skip
CHOICES = {
    "1,2": ["1.2"], "1,25": ["1.25"], "1,000": ["1000", "1.000"],
    "-12,345": ["-12345", "-12.345"], "1 1/2": ["1+1/2", "11/2"],
}  # fmt: skip


@needs_node
def test_numbers_are_read_as_people_type_them():
    typed = [*VALUES, *SENTENCES, *CHOICES, "", "..."]
    told = through_node({"read": [[text, ""] for text in typed]})
    for text, one in zip(typed, told, strict=True):
        if text in VALUES:
            assert one.get("value") == pytest.approx(VALUES[text]), text
        elif text in SENTENCES:
            assert SENTENCES[text] in one.get("wrong", ""), (text, one)
        elif text in CHOICES:
            assert one.get("choices") == CHOICES[text], (text, one)
        else:
            assert one == {"empty": True}


@needs_node
def test_after_the_question_a_comma_is_a_decimal_point_but_1_000_is_asked():
    told = through_node({"read": [["1,25", "comma"], ["1,000", "comma"]]})
    assert told[0] == {"value": 1.25}
    assert "ask" in told[1]


@needs_node
def test_shapes_are_read_as_people_write_them():
    forms = ["(7, 8)", "7x8", "7 × 8", "[7 8]", "7, 8"]
    sent = [[form, "shape"] for form in [*forms, "(5,)", "5", "(B, T)"]]
    told = through_node({"read": sent})
    assert told[:5] == [{"value": [7, 8]}] * 5
    assert told[5:7] == [{"value": [5]}] * 2
    assert "not a shape" in told[7]["wrong"]
