"""What the guide for teachers says of the checks is so, and its code runs.

That minutes add up, that what is named is there, and what the page of common
errors must have, is in page_rules of book/_tools: guide, taught, errors.
"""

import json
import linecache
import re
import shlex
import sys
import types
from pathlib import Path

import chapter_numbers
import pytest
from page_rules.guide import section
from page_rules.pages import page_at

from transformer_course import checks
from transformer_course.checks import parts as own
from transformer_course.checks.code import softmax
from transformer_course.checks.paper import exercises, paper_of
from transformer_course.cli import main
from transformer_course.cli.options import parser
from transformer_course.confinement.start import (
    FILES,
    SPACES,
    SYSTEM_CALLS,
)
from transformer_course.exams import exam_sheet
from transformer_course.grading.reading.exercises import in_order
from transformer_course.grading.roster import read_rules
from transformer_course.grading.running.process import Limits

ROOT = Path(__file__).resolve().parents[2]
from known_mistakes import exercises_of, rows_of  # noqa: E402

TEACHING = (ROOT / "book" / "teaching.md").read_text(encoding="utf-8")
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))


def markdown(path):
    """That of a chapter: of its lesson and its laboratory."""
    lesson = page_at(path)
    return f"{lesson.flat}\n\n{lesson.of_chapter('laboratory').flat}"


def number(path):
    return int(path.name.split("_")[0])


# -------------------------------------------------------- the teacher's guide


def test_a_stumbling_block_is_one_of_the_exercise_that_is_named():
    text = " ".join(TEACHING.split())
    pairs = re.findall(r"In `(\w+)`: ((?:`\w+`[^.:]*?,? ?)+)", text)
    assert len(pairs) >= 20
    for name, listed in pairs:
        if name in checks.__all__:
            home = sys.modules[getattr(checks, name).__module__]
        else:
            home = own.part(name)
        known = {mistake.id for mistake in home.EXERCISE.mistakes}
        assert set(re.findall(r"`(\w+)`", listed)) <= known, name


def test_what_the_checks_know_is_on_the_page_of_its_chapter():
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    listed = re.findall(r"file: (book/known_mistakes/\w+)", toc)
    asks = [p for p in CHAPTERS if [*exercises_of(number(p))]]
    assert listed == [f"book/known_mistakes/{p.stem}" for p in asks]
    for name, path in zip(listed, asks, strict=True):
        page = (ROOT / f"{name}.md").read_text(encoding="utf-8")
        n = number(path)
        assert f"# Chapter {n}: " in page
        assert f"</chapters/{path.stem}>" in page
        assert f"```{{known-mistakes}} {n}\n" in page


def test_a_mistake_is_shown_as_the_class_reads_it():
    exercise = softmax.EXERCISE
    rows = {name: said for name, said, _ in rows_of(exercise)}
    assert [*rows] == [mistake.id for mistake in exercise.mistakes]
    answer = exercise.variant({"np.exp(shifted)": "2.0**shifted"})
    assert rows["base_two"] == checks.softmax(answer).message
    paper = paper_of("average_by_hand")
    (known, *_) = paper.misconceptions
    assert rows_of(paper)[0][:2] == (known.id, known.message)


# ------------------------------------------------------- the contract of names


def test_the_contract_lists_every_check():
    text = section(TEACHING, "## Exchanging banks of answers")
    rows = [line for line in text.splitlines() if re.match(r"\| \d+ \|", line)]
    numbers = [int(row.split()[1]) for row in rows]
    assert numbers == chapter_numbers.CHAPTERS
    listed = re.findall(r"`([^`]+)`", "\n".join(rows))
    assert len(listed) == len(set(listed))
    for name in set(checks.__all__) - set(checks.TOOLS):
        if name in exercises():
            asked = name
        else:
            asked = getattr(checks, name)(None).exercise
        assert asked in listed, f"book/teaching.md: list `{asked}`"


# -------------------------------------------------------------- code that runs


def code(word):
    """Return the Python blocks of the guide that hold a word, as one."""
    blocks = re.findall(r"^```python\n(.*?)^```", TEACHING, flags=re.M | re.S)
    found = [block for block in blocks if word in block]
    assert found, word
    return found


def test_an_exercise_of_your_own():
    (block,) = code("checks.exercise(")
    assert len(block.strip().splitlines()) <= 15
    scope = run_as_cells(block)
    check = scope["check"]
    assert check(scope["spread"]).ok
    assert check(lambda x: x.var()).mistake == "root_forgotten"
    assert "4.6667; its root" in check(lambda x: x.var()).message
    assert not check(lambda x: x.sum()).ok


def run_as_cells(block):
    """Run code as a notebook does: the source of a function is known."""
    name = "<cell of a notebook>"
    lines = block.splitlines(keepends=True)
    linecache.cache[name] = (len(block), None, lines, name)
    module = types.ModuleType("cells")
    sys.modules["cells"] = module
    exec(compile(block, name, "exec"), vars(module))
    return vars(module)


def test_the_sheet_of_paper_exercises(tmp_path):
    text = section(TEACHING, "## Exams on paper")
    line, _ = re.findall(r"^```bash\n(.*?)\n```", text, re.M | re.S)
    said = shlex.split(line)
    assert said[0] == ".venv/bin/transformer-course"
    said[-1] = str(tmp_path / said[-1])
    assert main(said[1:]) == 0
    sheet = (tmp_path / "sheet.md").read_text(encoding="utf-8")
    listed = re.findall(r"^## (\d+\.\d+)", sheet, re.M)
    assert listed == ["4.3", "4.6", "7.1", "7.3", "7.7"]


def test_a_sheet_has_each_paper_exercise_and_the_place_for_numbers():
    for path in CHAPTERS:
        sheet = exam_sheet([str(number(path))]).sheet
        asked = r"^### Exercise ([\d.]+) \((paper|prove)"
        found = re.findall(asked, markdown(path), re.M)
        wanted = sorted((name for name, _ in found), key=in_order)
        assert wanted and re.findall(r"^## ([\d.]+)", sheet, re.M) == wanted
        for strange in ("<details>", "](", "```python", "**Goal:**"):
            assert strange not in sheet, path.stem
        assert sheet.count("&nbsp;") >= 5 * len(found), path.stem


def test_a_sheet_of_no_chapter_is_refused():
    with pytest.raises(ValueError, match="no chapter 77"):
        exam_sheet(["4", "77"])


def test_the_commands_that_mark_a_class_are_understood():
    text = section(TEACHING, "## Marking with the checks")
    blocks = re.findall(r"^ *```bash\n(.*?)^ *```", text, flags=re.M | re.S)
    plain, container = (
        shlex.split(block.replace("\\\n", "")) for block in blocks
    )
    assert plain[0] == ".venv/bin/transformer-course"
    args = parser().parse_args(plain[1:])
    assert (args.command, args.folder) == ("grade", "../class/submissions")
    assert (args.csv, args.feedback) == ("../class/marks.csv", "../class/pages")
    assert not args.chapter  # all that are found
    (file,) = (ROOT / word for word in container if "Dockerfile" in word)
    begin = json.loads(
        re.search(r"^ENTRYPOINT (.*)", file.read_text(), re.M)[1]
    )
    inside = container[container.index("grader", container.index("run")) + 1 :]
    args = parser().parse_args([*begin[3:], *inside])
    mounted = " ".join(container)
    for place in (args.folder, args.csv, args.feedback):
        assert f":{Path(place).parts[0]}{Path(place).parts[1]}" in mounted


def test_the_options_and_rules_that_are_told_are_there(tmp_path):
    text = section(TEACHING, "## Marking with the checks")
    rows = re.findall(r"^\| (`--.*?) \|", text, flags=re.M)
    said = [call for row in rows for call in re.findall("`(.*?)`", row)]
    assert len(said) == 11
    for call in said:
        words = ["grade", "in", *shlex.split(call)]
        assert parser().parse_args(words).folder == "in"
    (toml,) = re.findall(r"^```toml\n(.*?)^```", text, flags=re.M | re.S)
    path = tmp_path / "class.toml"
    path.write_text(toml, encoding="utf-8")
    rules = read_rules(path)
    assert rules.worth("2.1 softmax") == 3
    assert (rules.per_day, rules.floor) == (10, 50)
    layers = re.findall(r"^\| (\w+) \| .*\|$", text, flags=re.M)
    assert {*layers} >= {FILES, SYSTEM_CALLS, SPACES}
    most = re.search(r"a process (\d+) GiB, and its folder (\d+) MiB", text)
    assert int(most[1]) * 1024 == Limits.memory
    assert int(most[2]) == Limits.folder


def test_students_read_the_true_limits():
    text = (ROOT / "book" / "handing_in.md").read_text(encoding="utf-8")
    said = re.search(r"for (\d+) seconds, and its check may take (\d+)\.", text)
    assert tuple(map(float, said.groups())) == (Limits.cell, Limits.seconds)


def test_the_bank_shown_is_one():
    scope = {}
    (block,) = code("right__in_one_line")
    exec(block, scope)
    assert checks.attention(scope["no_scale"]).mistake.startswith("no_scale")
    verdict = checks.attention(scope["right__in_one_line"])
    assert verdict.ok, verdict


def test_the_other_lines_run():
    for block in code("platform") + code("numpy_reference"):
        exec(block, {})
