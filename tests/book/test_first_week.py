"""The page for a lecturer's first week: what it says to do can be done."""

import re
import shlex

import pytest
import yaml
from bare_machine import ROOT

from transformer_course import checks
from transformer_course.cli.options import parser
from transformer_course.exams import exam_sheet

TEXT = (ROOT / "book" / "first_week.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^ *```bash\n(.*?)\n *```", TEXT, re.M | re.S)
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("line", [*map(str.strip, COMMANDS)])
def test_its_commands_are_there(line):
    words = shlex.split(line)
    if words[0] == "make":
        rule, *variables = words[1:]
        assert re.search(rf"^{rule}:", MAKEFILE, re.M)
        for one in variables:
            assert re.search(rf"^{one.split('=')[0]} \?=", MAKEFILE, re.M)
    else:
        assert words[0] == ".venv/bin/transformer-course"
        assert 'transformer-course = "transformer_course.cli:main"' in PROJECT
        args = parser().parse_args(words[1:])
        if args.command == "sheet":
            exam = exam_sheet(args.wanted, seed=args.seed)
            assert exam.minutes == 10 and not exam.fixed  # "Ten minutes"


def test_the_numbers_to_try_are_a_known_mistake():
    (words,) = re.findall(r"such as ([\d,.\sand]+?)\s+in\s+Exercise 0.4", TEXT)
    numbers = [float(one) for one in re.findall(r"\d+\.?\d*", words)]
    assert checks.step_by_hand(numbers).mistake == "walked_uphill"


def test_the_short_way_is_that_of_the_side_bar():
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    way = config["sphinx"]["config"]["book_short_way"]
    numbers = [int(name.split("/")[1][:2]) for name in way]
    words = re.search(r"Chapters ([\d, \nand]+?) are the short path", TEXT)[1]
    assert [int(one) for one in re.findall(r"\d+", words)] == numbers
